"""What speaks against a count of photographs: the audit, and what the photographs themselves show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.merging import Merged
from engine.setup_file import Setup
from referee.audit import audit_round
from referee.cards import Card
from referee.events import PlayEvent
from referee.findings import Finding, Level, named, words
from referee.implied import predicted_faces
from referee.rulesets import Ruleset
from referee.scoring import PlayerCount


def audit_photos(
    decks: Mapping[str, int],
    faces: Mapping[str, Sequence[Card]],
    unknown: int,
    tops: Sequence[Card] | None,
    rules: Ruleset,
) -> list[Finding]:
    """What the count says against the tops and against itself, unread cards included."""
    findings = audit_round(tops, dict(decks) or None, faces or None, ruleset=rules)
    return [*findings, *_unread(unknown)]


def count_findings(
    count: Merged,
    rules: Ruleset,
    *,
    tops: Sequence[Card] | None = None,
    log: Sequence[PlayEvent] | None = None,
    goals: Mapping[str, Merged] | None = None,
    setup: Setup | None = None,
    again: Sequence[Card] = (),
) -> list[Finding]:
    """All that speaks against a count.

    `tops`: of the piles in the middle; `log`: of the round. `goals`: the goal piles that are left, by player.
    `setup` tells who plays with which deck and sits where. `again`: faces that were dealt past twice.
    """
    goals = goals or {}
    seats = {p.seat: p.name for p in setup.players if p.seat} if setup else {}
    owners = {p.deck: p.name for p in setup.players if p.deck} if setup else {}
    decks = {owners.get(deck, deck): number for deck, number in count.decks.items()}
    faces = {player: len(cards) for player, cards in count.faces.items()}
    # Where some lie face up and some face down, only their number can be held against the tops.
    mixed = bool(decks and faces)
    findings = audit_round(
        tops,
        dict(Counter(decks) + Counter(faces)) if mixed else decks or None,
        None if mixed else count.faces or None,
        None if log is None else [replace(e, seat=seats.get(e.seat, e.seat)) for e in log],  # type: ignore[call-overload]
        ruleset=rules,
        players=[PlayerCount(player, left=cards_in(goal)) for player, goal in goals.items()],
    )
    if mixed:
        findings += audit_round(None, None, count.faces, ruleset=rules)
    findings = _explained(findings, count, tops, rules)
    # Only goal piles that are not empty are photographed, so none of these says who has called.
    findings = [finding for finding in findings if finding.id != "I12"]
    unknown = count.unknown + sum(goal.unknown for goal in goals.values())
    return [
        *findings,
        *_unread(unknown),
        *_limits(count.decks, rules, played=tops is not None),
        *_heap_twice(count, tops, rules),
        *_strangers(count.decks, owners),
        *_played_and_left(count, goals),
        *_again(again),
        *_oddities(count),
    ]


def _explained(
    findings: Sequence[Finding], count: Merged, tops: Sequence[Card] | None, rules: Ruleset
) -> list[Finding]:
    """The findings without a shortfall (I3) for which the unread cards make up: those are told anyway."""
    predicted = None if tops is None else predicted_faces(tops, rules)
    read = sum(count.decks.values()) + sum(map(len, count.faces.values()))
    if predicted is None or count.unknown == 0 or predicted.total() != read + count.unknown:
        return list(findings)
    said = f"The tops say {words(predicted.total())}, and so many lie there with the unread."
    kept = [finding for finding in findings if (finding.id, finding.level) != ("I3", Level.WARNING)]
    return [*kept, Finding(Level.INFO, "I3", said)]


def cards_in(goal: Merged) -> int:
    """All cards of a goal pile, face up, face down or unread."""
    return sum(goal.decks.values()) + sum(map(len, goal.faces.values())) + goal.unknown


def _warning(rests_on: str, text: str) -> Finding:
    return Finding(Level.WARNING, rests_on, text)


def _unread(unknown: int) -> list[Finding]:
    if not unknown:
        return []
    said = f"{words(unknown)} could not be read: lay them apart and take the picture again, or count them"
    return [_warning("unread", f"{said} by hand.")]


def _limits(decks: Mapping[str, int], rules: Ruleset, *, played: bool) -> list[Finding]:
    """I5: a deck has no more cards than it has. I8: with refilled side piles not all can be played."""
    findings = []
    for deck, number in decks.items():
        said = f"{deck}: {words(number, 'back')}"
        if number > rules.deck_size:
            said += (
                f", but a deck holds {rules.deck_size}: was a heap photographed twice, or is a back misread?"
            )
            findings.append(_warning("I5", said))
        elif played and number > rules.most_played:
            said += f"; with refilled side piles {rules.most_played} is the most that can be played:"
            findings.append(_warning("I8", f"{said} are side or goal cards among them?"))
    return findings


def _heap_twice(count: Merged, tops: Sequence[Card] | None, rules: Ruleset) -> list[Finding]:
    """Too many backs, by just the number in one of several photographs."""
    predicted = None if tops is None else predicted_faces(tops, rules)
    heaps = [photograph for photograph in count.photographs if photograph.backs]
    if predicted is None or len(heaps) < 2:
        return []
    over = sum(count.decks.values()) - predicted.total()
    said = f"shows {words(over, 'back')}, just as many as there are too many: does another picture show"
    same = [heap.name for heap in heaps if over > 0 and len(heap.backs) == over]
    return [_warning("I3", f"{name} {said} the same heap?") for name in same]


def _strangers(decks: Mapping[str, int], owners: Mapping[str, str]) -> list[Finding]:
    """Backs of a deck with which nobody plays."""
    said = "but nobody plays with that deck: a misread back, or a card of another set?"
    strangers = {deck: number for deck, number in decks.items() if owners and deck not in owners}
    return [
        _warning("I5", f"{words(number, 'back')} of {deck}, {said}") for deck, number in strangers.items()
    ]


def _played_and_left(count: Merged, goals: Mapping[str, Merged]) -> list[Finding]:
    """I5: a card is in the middle or in the goal pile, not in both."""
    findings = []
    for player, goal in goals.items():
        both = sorted(set(goal.faces.get(player, ())) & set(count.faces.get(player, ())))
        if both:
            said = f"{player} has {named(both)} both played and in the goal pile: a misread card?"
            findings.append(_warning("I5", said))
    return findings


def _again(again: Sequence[Card]) -> list[Finding]:
    if not again:
        return []
    cards = sorted(set(again))
    said = f"{named(cards)} came by more than once and {_verb(len(cards), 'is', 'are')} counted once:"
    return [_warning("I5", f"{said} a misread card, or one that was shown twice.")]


def _oddities(count: Merged) -> list[Finding]:
    """What single photographs show against themselves."""
    findings = []
    strays = Counter(stray for photograph in count.photographs for stray in photograph.strays)
    for (deck, around), number in sorted(strays.items()):
        said = f"{words(number, 'back')} of {deck} {_verb(number, 'lies', 'lie')} among those of {around}:"
        findings.append(_warning("I6", f"{said} a misread back, or a card in the wrong heap?"))
    turned = sum(photograph.turned for photograph in count.photographs)
    if turned:
        said = f"{words(turned)} {_verb(turned, 'lies', 'lie')} the other way up than the rest: turn"
        findings.append(
            _warning("turned", f"{said} {_verb(turned, 'it', 'them')} over and take the picture again.")
        )
    doubtful = sum(photograph.doubtful for photograph in count.photographs)
    if doubtful:
        said = f"{words(doubtful)} {_verb(doubtful, 'was', 'were')} read with little certainty: look at"
        findings.append(Finding(Level.INFO, "doubt", f"{said} {_verb(doubtful, 'it', 'them')} yourself."))
    return findings


def _verb(number: int, one: str, more: str) -> str:
    return one if number == 1 else more
