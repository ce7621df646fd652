"""A table made by hand: numbered grey frames, and eyes that see what a script says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.hub import PlayerView
from engine.overlay import Overlay, OverlayPile
from engine.table import TableParts
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.rulesets import Ruleset
from vision.types import Frame

FPS_HZ = 20.0
SIZE = (360, 640)
TOLD_AFTER_S = 0.3

Script = list[tuple[float, PlayEvent]]
"""When each event is told, in seconds of the frame clock."""


def picture(index: int) -> np.ndarray:
    """A frame that differs from its neighbours."""
    image = np.full((*SIZE, 3), 60, np.uint8)
    image[:, :, 1] = 90 + index % 40
    image[: index % SIZE[0] + 1, :8] = 200
    return image


def frames(count: int) -> Iterator[Frame]:
    """The frames of a fake recording."""
    for index in range(count):
        yield Frame(picture(index), index, index / FPS_HZ)


PLACES = {"d1": (155.0, 170.0), "d2": (265.0, 170.0)}


def play(t: float, kind: str, pile: str, card: str, seat: str = "left", **extra: Any) -> PlayEvent:
    """A play event as the eyes give it."""
    return PlayEvent(
        0,
        t,
        EventType(kind),
        pile=pile,
        card=Card.parse(card),
        seat=seat,
        seat_p=0.99,
        at=PLACES.get(pile, (320.0, 180.0)),
        confidence=0.999,
        source="vision",
        evidence=(max(0, round(t * FPS_HZ) - 4), round((t + TOLD_AFTER_S) * FPS_HZ)),
        extra=extra,
    )


def round_script() -> Script:
    """A short round: two piles grow, blue lands on red (a foul), the left seat calls."""
    events = [
        play(1.0, "started", "d1", "red1"),
        play(1.6, "started", "d2", "green1", "right"),
        play(2.2, "landed", "d1", "red2"),
        play(2.9, "landed", "d2", "green2"),
        play(3.6, "landed", "d1", "red3", "right"),
        play(
            4.2, "landed", "d1", "blue7", "right", alternatives=[{"number": 1, "colour": "blue", "p": 0.001}]
        ),
        play(5.0, "landed", "d2", "green3"),
    ]
    script = [(event.t + TOLD_AFTER_S, event) for event in events]
    goal = PlayEvent(0, 8.0, EventType.GOAL_COUNT, zone=Zone.GOAL, seat="left", extra={"count": 0})
    call = PlayEvent(0, 8.4, EventType.CALLED, seat="left", confidence=0.99, source="hearing")
    return [*script, (8.1, goal), (8.5, call)]


@dataclass
class ScriptedWatcher:
    """Tells each event of its script once its time has come; its whole state is how far it got."""

    script: Script
    told: int = 0
    piles: dict[str, Card] = field(default_factory=dict)

    def process(self, frame: Frame) -> list[PlayEvent]:
        """Tell what is due."""
        return self._tell(frame.t_s)

    def finish(self) -> list[PlayEvent]:
        """Tell the rest."""
        return self._tell(float("inf"))

    def _tell(self, t_s: float) -> list[PlayEvent]:
        due = []
        while self.told < len(self.script) and self.script[self.told][0] <= t_s:
            event = self.script[self.told][1]
            due.append(event)
            self.told += 1
            if event.pile is not None and event.card is not None:
                self.piles[event.pile] = event.card
        return due

    def overlay(self) -> Overlay:
        """The piles in a row."""
        piles = []
        for i, (name, card) in enumerate(self.piles.items()):
            x = 120 + 110 * i
            quad = np.array([[x, 120], [x + 70, 120], [x + 70, 220], [x, 220]], np.float32)
            piles.append(OverlayPile(name, quad, card))
        return Overlay(tuple(piles))

    def dump(self) -> dict[str, Any]:
        """How far the script was told."""
        return {"told": self.told, "piles": {name: card.to_json() for name, card in self.piles.items()}}

    def restore(self, data: dict[str, Any]) -> None:
        """Go on from there."""
        self.told = data["told"]
        self.piles = {name: Card.from_json(card) for name, card in data["piles"].items()}


class FakeSource:
    """A recording, or a camera that can fall silent or repeat itself."""

    def __init__(self, count: int, *, live: bool = False, pause: Callable[[int], None] | None = None) -> None:
        self.fps, self.live = FPS_HZ, live
        self.closed = 0
        self._count, self._pause = count, pause

    def __iter__(self) -> Iterator[Frame]:
        for frame in frames(self._count):
            if self._pause is not None:
                self._pause(frame.index)
            yield frame

    def close(self) -> None:
        """Count how often the device was given back."""
        self.closed += 1


def parts(
    open_source: Callable[[], Any],
    *,
    live: bool = False,
    script: Callable[[], Script] = round_script,
    read_photo: Any = None,
    name: str = "fake",
) -> TableParts:
    """A table's parts around a fake source and scripted eyes."""

    def make_watcher(rules: Ruleset, players: tuple[PlayerView, ...]) -> ScriptedWatcher:
        return ScriptedWatcher(script())

    return TableParts(name, live, open_source, make_watcher, read_photo)


PLAYERS = (PlayerView("Ann", "left", "pump"), PlayerView("Bo", "right", "pail"))


def folder_of(path: Path) -> set[str]:
    """The names of the files in a folder."""
    return {item.name for item in path.iterdir()}
