"""One player's own area, told of step by step."""

from __future__ import annotations

from typing import Any

from engine.own_areas import DECIDE_S, OwnAreas
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
        self.own = OwnAreas(10, 2, lambda at: "bottom")
        self.told: Told = []
        self.log: list[PlayEvent] = []
        self.t = 0.5
        self.seen_s: float | None = None
        for at, card in ((GOAL, "green5"), (SIDE, "red7"), (OTHER, "blue9")):
            self._rested(at, card, first=True)

    def _take(self, events: list[PlayEvent]) -> None:
        assert all(e.seat == "bottom" for e in events)
        self.told += [(round(e.t, 1), e.extra["count"]) for e in events if e.type is EventType.GOAL_COUNT]
        self.log += [e for e in events if e.type is not EventType.GOAL_COUNT]

    def _rested(self, at: tuple[float, float], card: str | None, p: float = 0.999, **more: Any) -> None:
        face = None if card is None else Card.parse(card)
        reading = Reading("face")
        if face is not None:
            reading = Reading("face", face.number, str(face.colour), confidence=p)
        sight = Rested("o", reading, self.t, at, (0, 0), own=True, **more)
        self._take(self.own.rested(sight, WIDTH_PX, self.t))

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.t += 0.1
            self._take(self.own.advance(self.t))
            self._take(self.own.watch([(GOAL, self.t if self.seen_s is None else self.seen_s)], self.t))

    def shows(self, at: tuple[float, float], card: str | None, **more: Any) -> None:
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
