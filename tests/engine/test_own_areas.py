"""A player's own area: the goal pile tells itself apart from side piles and is counted as far as seen."""

from __future__ import annotations

import json

from engine.own_areas import BACK_S, DECIDE_S, UNSEEN_S, OwnAreas
from referee.cards import Card
from referee.events import EventType, PlayEvent
from vision.sights import Left, Rested
from vision.types import Reading

GOAL, SIDE, OTHER = (700.0, 650.0), (600.0, 650.0), (500.0, 650.0)
WIDTH_PX = 60.0
Told = list[tuple[float, int | None]]


class Table:
    """One player with a goal pile of ten and two side piles; time goes on in steps."""

    def __init__(self) -> None:
        self.own = OwnAreas(10, lambda at: "bottom")
        self.told: Told = []
        self.t = 0.5
        self.seen_s: float | None = None
        for at, card in ((GOAL, "green5"), (SIDE, "red7"), (OTHER, "blue9")):
            self._rested(at, card, first=True)

    def _take(self, events: list[PlayEvent]) -> None:
        assert all(e.type is EventType.GOAL_COUNT and e.seat == "bottom" for e in events)
        self.told += [(round(e.t, 1), e.extra["count"]) for e in events]

    def _rested(self, at: tuple[float, float], card: str | None, **more: bool) -> None:
        face = None if card is None else Card.parse(card)
        reading = Reading("face") if face is None else Reading("face", face.number, str(face.colour))
        self._take(self.own.rested(Rested("o", reading, self.t, at, (0, 0), own=True, **more), WIDTH_PX))

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.t += 0.1
            self._take(self.own.advance(self.t))
            self._take(self.own.watch([(GOAL, self.t if self.seen_s is None else self.seen_s)], self.t))

    def shows(self, at: tuple[float, float], card: str | None, **more: bool) -> None:
        self._rested(at, card, **more)
        self.wait(0.3)

    def empties(self, at: tuple[float, float]) -> None:
        self.own.left(Left("o", self.t, at, (0, 0), own=True))
        self.wait(0.3)

    def plays(self, card: str) -> None:
        self.own.landed(Card.parse(card), self.t)
        self.wait(0.3)


def known() -> Table:
    """A table at which the goal pile gave itself away: its top filled a side pile's place."""
    table = Table()
    table.empties(SIDE)
    table.plays("red7")
    table.shows(SIDE, "green5")
    table.shows(GOAL, "yellow3")
    table.wait(DECIDE_S + 0.5)
    return table


def test_a_refill_from_a_place_tells_that_it_is_the_goal_pile() -> None:
    table = known()
    assert [count for _, count in table.told] == [9]


def test_a_side_pile_that_is_built_on_and_played_from_is_never_counted() -> None:
    table = Table()
    for card in ("green6", "red5", "green4"):
        table.shows(SIDE, card)
        table.wait(3.0)
    table.plays("green4")
    table.shows(SIDE, "red5")
    table.wait(3.0)
    assert table.told == []


def test_each_card_that_goes_from_the_goal_pile_is_one_less() -> None:
    table = known()
    for card, above in (("yellow3", "red2"), ("red2", "blue8")):
        table.plays(card)
        table.shows(GOAL, above)
        table.wait(5.0)
    assert [count for _, count in table.told] == [9, 8, 7]


def test_a_beaten_goal_card_that_comes_back_is_counted_again() -> None:
    table = known()
    table.plays("yellow3")
    table.shows(GOAL, "red2")
    table.wait(BACK_S / 2)
    table.shows(GOAL, "yellow3")
    table.plays("yellow3")
    table.shows(GOAL, "red2")
    table.wait(3.0)
    assert table.told[-1][1] == 8


def test_a_card_that_was_read_late_is_no_second_change() -> None:
    table = known()
    table.plays("yellow3")
    table.shows(GOAL, None)
    table.wait(1.0)
    table.shows(GOAL, "red2", again=True)
    table.wait(4.0)
    assert [count for _, count in table.told] == [9, 8]
    assert str(table.own.goal_of("bottom").top) == "red2"  # type: ignore[union-attr]


def test_a_bumped_goal_pile_that_could_not_be_read_for_a_while_has_lost_no_card() -> None:
    table = known()
    table.shows(GOAL, None)
    table.wait(1.0)
    table.shows(GOAL, "yellow3", again=True, arrived=False)
    table.wait(4.0)
    assert [count for _, count in table.told] == [9]


def test_the_last_card_gone_leaves_none() -> None:
    table = known()
    table.empties(GOAL)
    table.wait(3.0)
    assert table.told[-1][1] == 0


def test_a_goal_pile_out_of_sight_is_not_known_until_it_is_seen_again() -> None:
    table = known()
    table.seen_s = hidden_s = table.t
    table.wait(UNSEEN_S + 2.0)
    assert table.told[-1] == (round(hidden_s + UNSEEN_S + 0.1, 1), None)
    assert len(table.told) == 2
    again = OwnAreas(10, lambda at: "bottom")
    again.restore(json.loads(json.dumps(table.own.dump())))
    assert again.places == table.own.places
    table.seen_s = None
    table.wait(1.0)
    assert [count for _, count in table.told] == [9, None, 9]


def test_what_is_no_goal_pile_may_be_out_of_sight() -> None:
    table = Table()
    table.seen_s = table.t
    table.wait(UNSEEN_S + 3.0)
    assert table.told == []
