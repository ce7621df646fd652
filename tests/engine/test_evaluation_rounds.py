"""A watched round is held against the truth of its film: landings, lost races, rulings, tops."""

from __future__ import annotations

from typing import Any

import pytest

from engine.evaluation.rounds import RoundFigures, compare_logs
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone

WIDTH_PX = 90.0


def play(t: float, card: str, pile: str = "d1", **more: Any) -> PlayEvent:
    kind = EventType.STARTED if card.endswith("1") else EventType.LANDED
    return PlayEvent(
        0, t, more.pop("kind", kind), pile=pile, card=Card.parse(card), at=(500.0, 300.0), **more
    )


def ruled(t: float, rule: str, severity: str = "warning") -> PlayEvent:
    extra = {"rule": rule, "severity": severity, "text": "", "of": [1]}
    return PlayEvent(0, t, EventType.RULING, extra=extra)


def moved(t: float) -> PlayEvent:
    return PlayEvent(0, t, EventType.CAMERA_MOVED)


def figures_of(log: list[PlayEvent], truth: list[PlayEvent], **facts: Any) -> RoundFigures:
    figures = RoundFigures("round")
    compare_logs(figures, log, truth, {"infringements": [], "tops": [], **facts}, WIDTH_PX)
    return figures


@pytest.mark.parametrize(
    ("told_s", "rule", "false"),
    [
        ((10.4,), "E71", 0),
        ((10.4, 10.9), "E71", 1),
        ((30.0,), "E71", 1),
        ((8.5,), "E71", 1),
        ((10.4,), "E12", 1),
    ],
)
def test_that_the_camera_was_moved_is_true_where_it_was_once_for_each_time(
    told_s: tuple[float, ...], rule: str, false: int
) -> None:
    figures = figures_of([ruled(t, rule) for t in told_s], [moved(10.0)])
    assert (figures.false_warnings, figures.false_fouls) == (false, 0)


def test_that_the_camera_was_moved_is_false_where_nobody_touched_it() -> None:
    assert figures_of([ruled(10.4, "E71")], []).false_warnings == 1


def test_a_nudge_excuses_no_foul_and_an_infringement_is_found_beside_it() -> None:
    wanted = [{"rule": "E11", "t": 10.0}]
    log = [ruled(10.5, "E11", "foul"), ruled(10.6, "E71"), ruled(10.7, "E12", "foul")]
    figures = figures_of(log, [moved(10.0)], infringements=wanted)
    assert (figures.infringements.right, figures.false_fouls, figures.false_warnings) == (1, 1, 0)


def test_landings_are_found_by_card_time_and_place() -> None:
    truth = [play(1.0, "red1", seat="top"), play(3.0, "red2"), play(5.0, "red3")]
    log = [play(1.1, "red1", seat="top"), play(3.0, "red3"), play(6.0, "red3")]
    figures = figures_of(log, truth, tops=[{"number": 3, "colour": "red"}])
    assert (figures.recall.right, figures.recall.total) == (1, 3)
    assert (figures.precision.right, figures.precision.total) == (1, 3)
    assert figures.missed == ["red2 at 3.0 s", "red3 at 5.0 s"]
    assert figures.invented == ["red3 at 3.0 s", "red3 at 6.0 s"]
    assert (figures.seat.right, figures.seat_undecided.right) == (1, 0)
    assert figures.tops_exact.right == 1


def test_a_beaten_card_that_goes_back_at_once_need_not_be_seen() -> None:
    back = play(2.9, "red2", kind=EventType.WITHDRAWN)
    truth = [play(1.0, "red1"), play(2.0, "red2"), play(2.3, "red2"), back]
    assert figures_of([play(1.0, "red1"), play(2.0, "red2")], truth).missed == []


def own(t: float, card: str, zone: Zone, seat: str = "left", **extra: Any) -> PlayEvent:
    return play(t, card, "s1", kind=EventType.LANDED, zone=zone, seat=seat, extra=extra)


def test_plays_on_side_piles_are_held_against_those_of_the_same_seat_and_time() -> None:
    true = [
        own(0.0, "red9", Zone.SIDE, dealt=True),
        own(3.0, "green8", Zone.SIDE),
        own(6.0, "blue7", Zone.SIDE),
    ]
    seen = [
        own(0.0, "red9", Zone.SIDE, dealt=True),
        own(3.4, "green8", Zone.SIDE),
        own(6.0, "blue7", Zone.SIDE, "top"),
    ]
    figures = figures_of(seen, true)
    assert (figures.side_recall.right, figures.side_recall.total) == (1, 2)
    assert (figures.side_precision.right, figures.side_precision.total) == (1, 2)
    assert (figures.recall.total, figures.precision.total) == (0, 0)


def test_a_wood_top_is_right_for_as_long_as_it_lies_on_top() -> None:
    true = [own(t, card, Zone.WOOD) for t, card in ((3.0, "green8"), (9.0, "blue7"), (10.0, "red2"))]
    seen = [own(8.0, "green8", Zone.WOOD), own(12.0, "blue7", Zone.WOOD)]
    figures = figures_of(seen, true)
    assert (figures.wood_recall.right, figures.wood_recall.total) == (1, 3)
    assert (figures.wood_precision.right, figures.wood_precision.total) == (1, 2)


def test_a_card_that_leaves_a_side_pile_is_no_landing_taken_back() -> None:
    left = play(5.1, "red2", "s1", kind=EventType.WITHDRAWN, zone=Zone.SIDE, seat="left")
    figures = figures_of([left, play(5.0, "red2", kind=EventType.LANDED)], [])
    assert figures.invented == ["red2 at 5.0 s"]
