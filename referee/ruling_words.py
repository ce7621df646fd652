"""The sentences of rulings on shared piles, in players' words."""

from __future__ import annotations

from referee.cards import Card, Family
from referee.legality import trend_of
from referee.rulesets import Ruleset

_NAMES = {1: "ace", 11: "jack", 12: "queen", 13: "king"}


def words(card: Card | None) -> str:
    """What a player would call the card."""
    return "an unread card" if card is None else card.words


def number_words(number: int, like: Card, article: bool = True) -> str:
    """`a 1`, `an ace`, `8` in the words of the card's deck."""
    word = str(number) if like.family is Family.BLITZ else _NAMES.get(number, str(number))
    if not article:
        return word
    return f"an {word}" if word in ("ace", "8") else f"a {word}"


def wrong_card(rule: str, below: tuple[Card, ...], card: Card, rules: Ruleset, seen: bool) -> str:
    """Why `card` may not lie on the pile `below` (bottom first); `seen`: it was watched all the time."""
    top, blitz = below[-1], rules.family is Family.BLITZ
    reasons = {
        "E11": f"the {'colours' if blitz else 'suits'} differ",
        "E12": _skipped(top, card),
        "E13": "the same number twice",
        "E14": f"the pile goes {trend_of(below, rules) or 'up'}",
        "E15": "that pile is dead" if rules.scheme == "nine" else "that pile is complete",
        "E16": "an ace only starts a pile",
    }
    unseen = "" if seen else "; the pile was not seen all the time"
    return f"{card.words} was put on {top.words}: {reasons[rule]}{unseen}"


def _skipped(top: Card, card: Card) -> str:
    if card.number - top.number == 2:
        return f"the {number_words(top.number + 1, card, article=False)} between was skipped"
    return f"it does not follow {number_words(top.number, card)}"
