"""Single checks of a deck, a deal, a side pile and the way through the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from referee.cards import BLITZ_COLOURS, SUITS, Card, Family
from referee.findings import Finding, Level, named, words
from referee.legality import check_side
from referee.rulesets import Ruleset


def check_deck(cards: Sequence[Card], rules: Ruleset) -> list[Finding]:
    """Whether these cards are one whole deck: exactly one of each (1.1, E70)."""
    colours = BLITZ_COLOURS if rules.family is Family.BLITZ else SUITS
    whole = Counter(Card(n, c) for c in colours for n in range(1, rules.deck_size // 4 + 1))
    have = Counter(cards)
    findings = []
    for difference, said in ((whole - have, "is missing"), (have - whole, "is there too often")):
        if difference:
            cards_named = named(sorted(difference.elements()))
            findings.append(Finding(Level.WARNING, "E70", f"In this deck {cards_named} {said}."))
    return findings


def check_side_pile(cards: Sequence[Card], rules: Ruleset) -> tuple[int, Finding | None]:
    """I9: the bottom number implied by a side pile's top and height, and what is wrong in its cards."""
    for below, above in pairwise(cards):
        verdict = check_side([below], above, rules)
        if not verdict.ok:
            text = f"{above.words} lies on {below.words} on a side pile."
            return cards[-1].number + len(cards) - 1, Finding(Level.WARNING, "I9", text)
    return (cards[-1].number + len(cards) - 1 if cards else 0), None


def keeps_order(before: Sequence[Card], after: Sequence[Card]) -> bool:
    """Whether the cards that both passes show come in the same order, wherever a pass begins (I10)."""
    shown = set(after)
    places = {card: place for place, card in enumerate(card for card in before if card in shown)}
    order = [places[card] for card in after if card in places]
    if not order:
        return True
    pivot = order.index(min(order))
    return order[pivot:] + order[:pivot] == sorted(order)


def check_wood_order(passes: Sequence[Sequence[Card]]) -> Finding | None:
    """I10: over passes the turned cards may only lose elements, never swap; under three reads say nothing."""
    for before, after in pairwise(passes):
        if len(set(before) & set(after)) >= 3 and not keeps_order(before, after):
            return Finding(
                Level.WARNING, "I10", "The order of the hand changed between two passes: was it shuffled?"
            )
    return None


def check_flips(cards_in_pass: int, flips: int, rules: Ruleset) -> Finding | None:
    """I10: a pass takes one turn for each three cards, rounded up; more means turning fewer at a time."""
    most = -(-cards_in_pass // rules.number("flip_count"))
    if flips <= most:
        return None
    return Finding(
        Level.WARNING,
        "I10",
        f"A pass through {words(cards_in_pass)} took {flips} turns instead of {most} (E39).",
    )


def check_hand_size(hand: int, rules: Ruleset) -> Finding | None:
    """I11: the hand after the deal."""
    if hand == rules.hand_size:
        return None
    return Finding(
        Level.WARNING, "I11", f"The hand starts with {rules.hand_size} cards, not {hand}: deal again."
    )
