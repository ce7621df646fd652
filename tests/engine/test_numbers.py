"""The figures of a match, and the list of past matches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.history import MatchSummary, search
from engine.hub import MatchView, PlayerView, RoundResult
from engine.numbers import lead_changes, match_numbers, totals_by_round
from referee.events import EventType, PlayEvent, Zone
from tests.engine.fakes import PLAYERS, play


@pytest.mark.parametrize(
    ("ann", "bo", "changes"),
    [
        ((0, 5, 9), (0, 3, 4), 0),
        ((0, 5, 5, 12), (0, 3, 8, 9), 2),
        ((0, 5, 8), (0, 3, 8), 0),
        ((0, 5, 8, 9), (0, 3, 8, 8), 0),
        ((0, 0), (0, 0), 0),
        ((0, -3, -9), (0, -5, -6), 1),
    ],
)
def test_a_lead_changes_when_somebody_else_leads_alone(
    ann: tuple[int, ...], bo: tuple[int, ...], changes: int
) -> None:
    assert lead_changes({"Ann": ann, "Bo": bo}) == changes


def result(number: int, ann: int, bo: int, **values: object) -> RoundResult:
    return replace(RoundResult(number, number, {"Ann": ann, "Bo": bo}, {}, "Ann"), **values)


def test_running_totals_hold_the_pot_and_add_up_in_teams() -> None:
    match = MatchView(players=PLAYERS, results=(result(1, 8, -6), result(2, -2, 12, added={"Ann": 6})))
    assert totals_by_round(match) == {"Ann": (0, 8, 12), "Bo": (0, -6, 6)}
    team = tuple(replace(player, team="Reds") for player in PLAYERS)
    assert totals_by_round(replace(match, players=team)) == {"Reds": (0, 2, 18)}


def test_figures_are_counted_from_what_was_seen_and_corrected() -> None:
    flip = PlayEvent(0, 7.0, EventType.TURNED, zone=Zone.WOOD, seat="left")
    events = [
        PlayEvent(0, 0.5, EventType.ROUND_STARTED),
        play(1.0, "started", "d1", "red1", "left"),
        play(2.0, "landed", "d1", "red2", "right"),
        play(2.5, "landed", "d1", "red2", "left"),
        play(3.0, "withdrawn", "d1", "red2", "left"),
        replace(play(4.0, "started", "d2", "blue1"), seat=None),
        flip,
        PlayEvent(0, 2.6, EventType.RULING, extra={"of": [4], "rule": "E25", "severity": "info"}),
        PlayEvent(0, 8.0, EventType.CORRECTION, extra={"of": [6], "action": "overrule"}),
        PlayEvent(0, 9.0, EventType.CORRECTION, extra={"of": [], "action": "count", "entries": []}),
        PlayEvent(0, 9.5, EventType.CORRECTION, extra={"of": [3], "action": "replace"}, source="vision"),
    ]
    log = [replace(event, seq=seq) for seq, event in enumerate(events, start=1)]
    match = MatchView(players=PLAYERS, results=(result(1, 8, -6),))
    numbers = match_numbers(match, [log])
    ann, bo = numbers.players
    assert (ann.plays, bo.plays, numbers.plays, numbers.unplaced) == (1, 1, 3, 1)
    assert (ann.flips, ann.lost_races, ann.calls, ann.best) == (1, 1, 1, 8)
    assert (bo.calls, bo.best) == (0, -6)
    assert numbers.contested == 2
    assert numbers.corrections_per_100 == pytest.approx(100 / 7)


def test_nothing_played_has_no_rate() -> None:
    numbers = match_numbers(MatchView(players=(PlayerView("Ann"),)), [])
    assert (numbers.corrections_per_100, numbers.players[0].best, numbers.lead_changes) == (None, None, 0)


def test_a_match_is_found_by_any_of_its_words() -> None:
    matches = [
        MatchSummary(1, "2026-03-04T20:00:00", "dutch_blitz", ("Ann", "Böb"), 3, None),
        MatchSummary(2, "2026-04-05T20:00:00", "nertz_std", ("Ann", "Cy"), 1, None),
    ]
    assert [one.match_id for one in search(matches, "BÖB")] == [1]
    assert [one.match_id for one in search(matches, "ann 2026-04")] == [2]
    assert len(search(matches, "  ")) == 2
    assert search(matches, "ann nobody") == ()
