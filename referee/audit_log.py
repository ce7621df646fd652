"""The play log against the count: landings that were not seen, lost piles, sorting errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from referee.cards import ACE, Card
from referee.events import EventType, PlayEvent, Zone
from referee.findings import Finding, Level, named, words
from referee.fold import effective_events
from referee.rulesets import Ruleset


def audit_log(
    log: Iterable[PlayEvent],
    counted: Mapping[str, int],
    tops: Sequence[Card | Sequence[Card]] | None,
    rules: Ruleset,
    false_calls: int,
) -> list[Finding]:
    """What the log says against the count; `false_calls` explain a goal pile that grew (I7)."""
    findings: list[Finding] = []
    events = effective_events(log)
    landed: Counter[str] = Counter()
    seats_known = True
    stacks: dict[str, list[Card]] = {}
    goals: dict[str, int] = {}
    rises: Counter[str] = Counter()
    for event in events:
        if event.type is EventType.GOAL_COUNT and event.seat is not None and event.goal_left is not None:
            count = event.goal_left
            if count > goals.get(event.seat, rules.number("goal_size")):
                rises[event.seat] += 1
            goals[event.seat] = count
        if event.zone is not Zone.SHARED or event.card is None or event.pile is None:
            continue
        if event.type in (EventType.STARTED, EventType.LANDED):
            if event.type is EventType.STARTED:
                stacks[event.pile] = []
            stacks.setdefault(event.pile, []).append(event.card)
            seats_known = seats_known and event.seat is not None
            landed[event.seat or ""] += 1
        elif event.type is EventType.WITHDRAWN and event.card in stacks.get(event.pile, []):
            stack = stacks[event.pile]
            del stack[len(stack) - 1 - stack[::-1].index(event.card)]
            landed[event.seat or ""] -= 1
    if sum(rises.values()) > false_calls:
        seat = next(iter(rises))
        findings.append(
            Finding(
                Level.WARNING,
                "I7",
                f"The goal pile of the {seat} seat grew, which only a false call explains.",
            )
        )
    findings += _gaps(stacks, rules)
    if tops is not None:
        findings += _lost_piles(stacks, tops)
    total = sum(counted.values())
    if counted and sum(landed.values()) != total:
        findings.append(
            Finding(
                Level.INFO,
                "I3",
                f"The log saw {words(sum(landed.values()), 'landing')}, {words(total)} were counted:"
                " the count decides.",
            )
        )
    elif counted and seats_known:
        findings += _sorting(landed, counted)
    return findings


def _gaps(stacks: Mapping[str, Sequence[Card]], rules: Ruleset) -> list[Finding]:
    """A pile whose seen cards skip a number: a real skip (E12) or a landing that was not seen (I2, I3)."""
    findings = []
    for pile, cards in stacks.items():
        for below, above in pairwise(cards):
            if below.colour is not above.colour:
                continue
            if rules.scheme == "ascending" and above.number > below.number + 1:
                gap = [Card(n, above.colour) for n in range(below.number + 1, above.number)]
                findings.append(
                    Finding(
                        Level.INFO,
                        "I4",
                        f"Pile {pile} goes from {below.words} to {above.words}: {named(gap)} was skipped,"
                        " or its landing was not seen.",
                    )
                )
            even = (above.number - below.number) % 2 == 0
            if rules.scheme == "double_swinging" and below.number != ACE and even:
                findings.append(
                    Finding(
                        Level.INFO,
                        "I2",
                        f"Pile {pile} goes from {below.words} to {above.words}: a landing between was"
                        " not seen.",
                    )
                )
    return findings


def _lost_piles(stacks: Mapping[str, Sequence[Card]], tops: Sequence[Card | Sequence[Card]]) -> list[Finding]:
    """I13: no pile gets lower or lost while play is live."""
    logged = Counter(cards[-1] for cards in stacks.values() if cards)
    seen = Counter(pile if isinstance(pile, Card) else pile[-1] for pile in tops if pile)
    lost = logged - seen
    if not lost:
        return []
    return [
        Finding(
            Level.WARNING,
            "I13",
            f"The log ends with {named(sorted(lost.elements()))} on top of a pile that the tops do not show:"
            " look for a pile that was moved aside, or correct the top.",
        )
    ]


def _sorting(landed: Mapping[str, int], counted: Mapping[str, int]) -> list[Finding]:
    """The sum is right, but one has more and another less: cards sorted to the wrong owner."""
    shared = {name: counted[name] - landed[name] for name in counted if name in landed}
    more = [name for name, by in shared.items() if by > 0]
    less = [name for name, by in shared.items() if by < 0]
    if len(more) == 1 and len(less) == 1 and shared[more[0]] == -shared[less[0]]:
        by = shared[more[0]]
        return [
            Finding(
                Level.WARNING if by > 1 else Level.INFO,
                "I6",
                f"{more[0]} has {by} more and {less[0]} {by} fewer than were seen played: check the backs"
                " in those two heaps.",
            )
        ]
    return []
