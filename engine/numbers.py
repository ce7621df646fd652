"""Figures of a match for its page: who called, plays and flips per player, lead changes, corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.hub import MatchView, PlayerView
from referee.events import EventType, PlayEvent, Zone
from referee.fold import effective_events
from referee.infer import SOURCE

PLAYS = (EventType.STARTED, EventType.LANDED)
CONTESTED_RULES = frozenset({"E13", "E25"})
"""Two equal cards on one pile: a race, whoever won it."""
LOST_RACE_S = 2.0
"""A card taken back within this time was beaten to its pile."""


@dataclass(frozen=True, slots=True)
class PlayerNumbers:
    """One player's match.

    `plays` and `flips` are as far as the camera saw whose they were; `best` is the best round, or None.
    """

    name: str
    calls: int = 0
    plays: int = 0
    flips: int = 0
    lost_races: int = 0
    best: int | None = None


@dataclass(frozen=True, slots=True)
class MatchNumbers:
    """The figures of a match.

    `corrections_per_100`: people's corrections of a hundred things that were seen; None before anything was.
    `unplaced` are the plays of which nobody saw whose they were.
    """

    players: tuple[PlayerNumbers, ...] = ()
    rounds: int = 0
    plays: int = 0
    unplaced: int = 0
    contested: int = 0
    lead_changes: int = 0
    corrections_per_100: float | None = None


def totals_by_round(match: MatchView) -> dict[str, tuple[int, ...]]:
    """The running total of each player, or of each team where there are teams, from zero on."""
    sides = {player.name: player.team or player.name for player in match.players}
    totals: dict[str, list[int]] = {side: [0] for side in sides.values()}
    for result in match.results:
        for so_far in totals.values():
            so_far.append(so_far[-1])
        for name, side in sides.items():
            totals[side][-1] += result.scores.get(name, 0) + result.added.get(name, 0)
    return {side: tuple(values) for side, values in totals.items()}


def lead_changes(totals: Mapping[str, Sequence[int]]) -> int:
    """How often somebody else took the sole lead."""
    changes, leader = 0, None
    for standing in zip(*totals.values(), strict=True):
        best = max(standing)
        first = [side for side, total in zip(totals, standing, strict=True) if total == best]
        if len(first) == 1 and first[0] != leader:
            changes += leader is not None
            leader = first[0]
    return changes


def _by_a_person(line: PlayEvent) -> bool:
    """Whether somebody corrected something; what the eyes read better later is no correction of theirs."""
    return line.type is EventType.CORRECTION and bool(line.extra.get("of")) and line.source != SOURCE


def match_numbers(match: MatchView, logs: Iterable[Sequence[PlayEvent]]) -> MatchNumbers:
    """The figures of a match from its scores and the logs of its rounds."""
    plays: Counter[str | None] = Counter()
    flips: Counter[str | None] = Counter()
    lost: Counter[str | None] = Counter()
    contested = seen = corrections = 0
    for log in logs:
        seen += sum(line.type not in (EventType.CORRECTION, EventType.RULING) for line in log)
        corrections += sum(_by_a_person(line) for line in log)
        raced = {
            tuple(line.extra["of"])
            for line in log
            if line.type is EventType.RULING and line.extra["rule"] in CONTESTED_RULES
        }
        contested += len(raced)
        came: dict[tuple[str | None, str], PlayEvent] = {}
        for event in effective_events(log):
            if event.zone is Zone.SHARED and event.type in PLAYS:
                plays[event.seat] += 1
                came[event.pile, str(event.card)] = event
            elif event.zone is Zone.SHARED and event.type is EventType.WITHDRAWN:
                plays[event.seat] -= 1
                play = came.get((event.pile, str(event.card)))
                if play is not None and event.t - play.t <= LOST_RACE_S:
                    lost[play.seat] += 1
            elif event.zone is Zone.WOOD and event.type is EventType.TURNED:
                flips[event.seat] += 1
    calls = Counter(result.called_by for result in match.results)
    players = tuple(
        PlayerNumbers(
            player.name,
            calls[player.name],
            _of(plays, player),
            _of(flips, player),
            _of(lost, player),
            max((r.scores[player.name] for r in match.results if player.name in r.scores), default=None),
        )
        for player in match.players
    )
    total = sum(plays.values())
    return MatchNumbers(
        players=players,
        rounds=len(match.results),
        plays=total,
        unplaced=total - sum(player.plays for player in players),
        contested=contested + sum(lost.values()),
        lead_changes=lead_changes(totals_by_round(match)),
        corrections_per_100=100 * corrections / seen if seen else None,
    )


def _of(counts: Counter[str | None], player: PlayerView) -> int:
    return sum(counts[key] for key in {player.name, player.seat} - {None})
