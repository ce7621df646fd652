"""Errors that were noticed late: which cards go back, and which wrong cards still lie at the end (C32)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.fold import effective_events, opinions
from referee.rule_texts import Severity
from referee.rulesets import Ruleset
from referee.rulings import Ruling

_WRONG_CARD = frozenset({"E10", "E11", "E12", "E13", "E14", "E15", "E16", "E54"})


def cards_to_return(pile: Sequence[Card], wrong: int, rules: Ruleset) -> tuple[Card, ...]:
    """The cards that go back for a wrong card at index `wrong` of a pile (bottom first), topmost first.

    >>> from referee.rulesets import ruleset
    >>> pile = [Card.parse(text) for text in ("red1", "blue2", "blue3")]
    >>> [str(card) for card in cards_to_return(pile, 1, ruleset("dutch_blitz"))]
    ['blue3', 'blue2']

    Raises:
        IndexError: if the pile has no such card.
    """
    if rules["unwind"] == "card_only":
        return (pile[wrong],)
    if not 0 <= wrong < len(pile):
        raise IndexError(f"the pile has no card {wrong}")
    return tuple(reversed(pile[wrong:]))


def standing_errors(
    log: Iterable[PlayEvent], rulings: Iterable[tuple[int, Ruling]]
) -> list[tuple[PlayEvent, Ruling]]:
    """The wrong cards that still lie at the end, with the ruling that a person has not overruled.

    `rulings`: each with its seq in the log, to which opinions refer.
    """
    lines = list(log)
    said = opinions(lines)
    lying: dict[str, list[PlayEvent]] = {}
    for event in effective_events(lines):
        if event.zone is not Zone.SHARED or event.pile is None:
            continue
        if event.type in (EventType.STARTED, EventType.LANDED):
            lying.setdefault(event.pile, []).append(event)
        elif event.type is EventType.WITHDRAWN:
            pile = lying.get(event.pile, [])
            at = next((i for i in range(len(pile) - 1, -1, -1) if pile[i].card == event.card), None)
            if at is not None:
                del pile[at]
    there = {event.seq: event for pile in lying.values() for event in pile}
    found: dict[int, tuple[PlayEvent, Ruling]] = {}
    for seq, ruling in rulings:
        wrong = ruling.of[0] if ruling.rule == "E13" else ruling.of[-1]
        stands = ruling.severity is Severity.FOUL and said.get(seq) != "overrule"
        if stands and ruling.rule in _WRONG_CARD and wrong in there:
            found[wrong] = (there[wrong], ruling)
    return list(found.values())


def void_cards(
    log: Iterable[PlayEvent], rulings: Iterable[tuple[int, Ruling]], rules: Ruleset
) -> dict[str | None, list[Card]]:
    """Per seat the wrong cards that do not count: none where a late error counts, else all that still lie.

    The seat None holds the cards whose player was not seen; the backs tell whose they are.
    """
    cards: dict[str | None, list[Card]] = {}
    if rules["late_error"] == "void":
        for event, _ in standing_errors(log, rulings):
            if event.card is not None:
                cards.setdefault(event.seat, []).append(event.card)
    return cards
