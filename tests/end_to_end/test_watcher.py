"""From sights to events: seats, goal piles, a nudged camera."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.hub import PlayerView
from engine.own_areas import EMPTY_AFTER_S
from engine.watcher import TableWatcher
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.rulesets import ruleset
from vision.sights import Confirmed, Covered, Left, Nudged, Rested, Shifted, Sight
from vision.types import Frame, Reading

SIZE = (1280, 720)
FPS = 15.0
PLAYERS = (PlayerView("Ann", "bottom", "pump"), PlayerView("Bo", "top", "pail"))
GOAL = (700.0, 650.0)


class ScriptedWatch:
    """Gives each sight once its time has come."""

    def __init__(self, sights: list[Sight], piles: int = 8) -> None:
        self.left = sorted(sights, key=lambda sight: sight.t_s)
        self.arms = ()
        top = SimpleNamespace(width_px=60.0, centre=np.zeros(2), quad=np.zeros((4, 2)))
        known = {f"p{i}": SimpleNamespace(top=top) for i in range(piles)}
        self.piles = SimpleNamespace(piles=known, own_seen=lambda: [])
        self.piles.piles |= {
            s.pile: SimpleNamespace(top=top) for s in sights if not isinstance(s, Covered | Nudged)
        }

    def process(self, frame: Frame) -> list[Sight]:
        due = [sight for sight in self.left if sight.t_s <= frame.t_s]
        self.left = self.left[len(due) :]
        return due


def events(sights: list[Sight], seconds: float = 12.0, piles: int = 8, **more: Any) -> list[PlayEvent]:
    return watched(ScriptedWatch(sights, piles), seconds, **more)


def watched(watch: ScriptedWatch, seconds: float = 12.0, **more: Any) -> list[PlayEvent]:
    watcher = TableWatcher(ruleset("dutch_blitz_2"), PLAYERS, eyes=SimpleNamespace(), **more)  # type: ignore[arg-type]
    watcher._watch = watch  # type: ignore[assignment]
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    told = []
    for index in range(round(seconds * FPS)):
        told += watcher.process(Frame(picture, index, index / FPS))
    return told + watcher.finish()


def rested(pile: str, card: str | None, t: float, at: tuple[float, float] = (600, 300), **more: Any) -> Sight:
    reading = Reading("face")
    if card is not None:
        face = Card.parse(card)
        reading = Reading("face", face.number, str(face.colour), confidence=0.98)
    return Rested(pile, reading, t, at, (round(t * FPS), round(t * FPS) + 3), **more)


def dealt(at: tuple[float, float] = GOAL) -> Sight:
    return rested("o1", "green5", 0.5, at, own=True, first=True)


@pytest.mark.parametrize(
    ("entry", "seat"), [((650, 719), "bottom"), ((600, 0), "top"), ((700, 600), "bottom"), (None, None)]
)
def test_a_play_belongs_to_the_seat_that_the_arm_came_from(
    entry: tuple[float, float] | None, seat: str | None
) -> None:
    (event,) = events([rested("d1", "red1", 2.0, entry=entry, entry_share=1.0)])
    assert (event.type, str(event.card), event.seat, event.t) == (EventType.STARTED, "red1", seat, 2.0)
    assert (event.seat_p is None) == (seat is None)


def test_a_seat_in_doubt_stays_unsaid() -> None:
    (event,) = events([rested("d1", "red1", 2.0, entry=(640, 360), entry_share=0.5)])
    assert event.seat is None and event.seat_p is None


def test_an_emptied_place_that_stays_empty_is_an_empty_goal_pile() -> None:
    (event,) = events([dealt(), Left("o1", 4.0, GOAL, (60, 70), own=True)])
    assert (event.type, event.seat, event.extra["count"], event.t) == (EventType.GOAL_COUNT, "bottom", 0, 4.0)


def test_a_side_pile_that_is_refilled_at_once_is_no_goal_pile() -> None:
    soon = 4.0 + 0.7 * EMPTY_AFTER_S
    sights: list[Sight] = [
        dealt(),
        Left("o1", 4.0, GOAL, (60, 70), own=True),
        rested("o2", "blue4", soon, GOAL, own=True),
        Left("o2", 7.0, GOAL, (100, 110), own=True),
    ]
    told = events(sights)
    assert {event.zone for event in told} == {Zone.SIDE}
    assert [f"{event.type} {event.card}" for event in told] == [
        "started green5",
        "removed green5",
        "started blue4",
        "removed blue4",
    ]


def test_a_place_refilled_late_takes_the_empty_goal_pile_back() -> None:
    late = 4.0 + 2.5 * EMPTY_AFTER_S
    sights: list[Sight] = [
        dealt(),
        Left("o1", 4.0, GOAL, (60, 70), own=True),
        rested("o2", "blue4", late, GOAL, own=True),
    ]
    counts = [event.extra["count"] for event in events(sights) if event.type is EventType.GOAL_COUNT]
    assert counts == [0, None]


def test_a_pile_in_doubt_that_is_what_it_was_ends_its_gap() -> None:
    known = Confirmed("d1", 4.0, (600, 300), (60, 60))
    opened, ended = events([rested("d1", "red1", 2.0), known])
    assert (ended.type, ended.pile, ended.extra["ended"]) == (EventType.GAP, opened.pile, True)
    assert events([dealt(), Confirmed("o1", 4.0, GOAL, (60, 60), own=True)]) == []


def test_how_long_a_place_was_out_of_sight_goes_with_what_was_not_seen_all_the_time() -> None:
    def hidden_s(seen: bool) -> float | None:
        play = events([rested("d1", "red1", 2.0, seen=seen, stood_s=1.75)])[0]
        return play.extra.get("hidden_s")

    assert (hidden_s(False), hidden_s(True)) == (0.25, None)


def test_a_nudged_camera_is_told_once_and_before_anything_else() -> None:
    sights: list[Sight] = [Shifted(f"p{i}", 3.0, (100.0 * i, 50.0), (40, 45)) for i in range(6)]
    sights += [rested("d1", "red1", 2.0), rested("d1", "red2", 4.0)]
    told = events(sights)
    assert [event.type for event in told] == [EventType.STARTED, EventType.CAMERA_MOVED, EventType.LANDED]
    assert told[1].t == 3.0


@pytest.mark.parametrize(("shifted", "piles"), [(1, 4), (2, 4), (3, 20)])
def test_a_few_bumped_piles_are_no_nudged_camera(shifted: int, piles: int) -> None:
    sights: list[Sight] = [Shifted(f"p{i}", 3.0, (100.0 * i, 50.0), (40, 45)) for i in range(shifted)]
    assert EventType.CAMERA_MOVED not in [event.type for event in events(sights, piles=piles)]


def test_calls_of_the_script_are_told_at_their_time_and_none_after_the_end() -> None:
    calls = [PlayEvent(9, t, EventType.CALLED, seat="bottom") for t in (1.0, 3.5, 99.0)]
    told = events([], seconds=4.0, script=calls)
    assert [(event.t, event.seq) for event in told] == [(1.0, 0), (3.5, 0)]


def test_a_card_that_cannot_be_read_is_a_gap_and_no_guess() -> None:
    told = events([rested("d1", "red1", 1.0), rested("d1", None, 2.0), rested("d1", "red4", 3.0)])
    assert [event.type for event in told] == [EventType.STARTED, EventType.GAP, EventType.LANDED]
    assert told[2].extra["seen"] == "occluded"


def test_the_second_of_two_equal_cards_goes_back() -> None:
    told = events(
        [rested("d1", "red1", 1.0), rested("d1", "red1", 2.0), rested("d1", "red1", 2.6, arrived=False)]
    )
    assert [event.type for event in told] == [EventType.STARTED, EventType.LANDED, EventType.WITHDRAWN]
    assert str(told[2].card) == "red1" and told[2].pile == "d1"


def test_a_covered_camera_is_lost_and_back() -> None:
    told = events([Covered(2.0), Covered(4.0, over=True)])
    assert [(event.type, event.t) for event in told] == [
        (EventType.CAMERA_LOST, 2.0),
        (EventType.CAMERA_BACK, 4.0),
    ]
    assert told[0].extra["reason"] == "covered"
