"""A table to look at: a recording drawn by hand and eyes that know its script, for a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from engine.household import household_folder
from engine.settings import Settings
from engine.setup_file import Setup
from engine.spoken_words import SpokenWords
from engine.table import TableParts
from hearing.microphone import NO_DEVICE
from referee.cards import Card
from referee.events import EventType, PlayEvent
from tests.engine.fakes import FPS_HZ, TOLD_AFTER_S, Script, ScriptedWatcher, play, round_script
from vision.types import Detection, Frame, Reading, SeenCard

SIZE = (540, 960)
BGR = {"red": (43, 64, 213), "blue": (181, 122, 31), "green": (80, 136, 28), "yellow": (48, 195, 243)}


def draw_table(piles: dict[str, Card], index: int) -> np.ndarray:
    """A green table with the piles where the scripted eyes say they are."""
    image = np.full((*SIZE, 3), (64, 92, 58), np.uint8)
    image[index % SIZE[0], :] = (66, 96, 60)
    for i, card in enumerate(piles.values()):
        x, y = 120 + 110 * i, 120
        cv2.rectangle(image, (x, y), (x + 70, y + 100), BGR[str(card.colour)], -1)
        cv2.putText(image, str(card.number), (x + 20, y + 62), cv2.FONT_HERSHEY_DUPLEX, 1.4, (20, 20, 20), 3)
    return image


class DrawnSource:
    """The scripted round as a recording; it stands still at its end as a camera would."""

    fps, live = FPS_HZ, False

    def __iter__(self) -> Iterator[Frame]:
        watcher = ScriptedWatcher(round_script())
        for index in range(400):
            frame = Frame(draw_table(watcher.piles, index), index, index / FPS_HZ)
            watcher.process(frame)
            yield frame

    def close(self) -> None:
        """Nothing to give back."""


class DrawnCamera:
    """A camera over a table on which two piles have been played; it goes on until it is closed."""

    fps, live = FPS_HZ, True

    def __init__(self) -> None:
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        piles = {"d1": Card.parse("blue7"), "d2": Card.parse("green6")}
        index = 0
        while not self._closed.wait(1 / FPS_HZ):
            yield Frame(draw_table(piles, index), index, index / FPS_HZ)
            index += 1

    def close(self) -> None:
        """Give the camera back."""
        self._closed.set()


class EyesFromTheStart(ScriptedWatcher):
    """Eyes whose script begins with the first frame that they see, however long the table lay idle before."""

    def process(self, frame: Frame) -> list[PlayEvent]:
        """Tell what is due."""
        if not self.begun:
            self.begun = True
            self.script = [(t + frame.t_s, replace(event, t=event.t + frame.t_s)) for t, event in self.script]
        return super().process(frame)

    begun = False


def two_fouls() -> Script:
    """A round in which blue lands on red, a 4 and a 5 are skipped, and nobody's call is heard."""
    plays = [(t, event) for t, event in round_script() if event.type is not EventType.CALLED]
    skipped = play(6.0, "landed", "d2", "green6", "left")
    return sorted([*plays, (6.0 + TOLD_AFTER_S, skipped)], key=lambda told: told[0])


def see_photo(image: Any) -> list[SeenCard]:
    """Seven backs, one of them not readable, whatever the picture."""
    seen = []
    for i in range(7):
        x, y = 60 + 90 * i, 80
        quad = np.array([[x, y], [x + 60, y], [x + 60, y + 86], [x, y + 86]], np.float32)
        deck = None if i == 6 else "pump" if i < 4 else "pail"
        reading = Reading("back", deck=deck, confidence=0.4 if deck is None else 0.98)
        seen.append(SeenCard(Detection(quad, "back", 0.9), reading))
    return seen


def drawn_parts(settings: Settings, setup: Setup) -> TableParts:
    """The parts of a table that shows the recording."""
    return TableParts(
        "drawn", False, DrawnSource, lambda rules, players: ScriptedWatcher(round_script()), see_photo
    )


def taught_parts(settings: Settings, setup: Setup) -> TableParts:
    """The parts of a live table without a microphone of its own, to which words can be taught."""
    words = SpokenWords(household_folder(settings), lambda: NO_DEVICE)
    return replace(camera_parts(settings, setup), spoken_words=words)


def camera_parts(settings: Settings, setup: Setup) -> TableParts:
    """The parts of a live table at which a round with two fouls is played once it is started."""
    return TableParts("0", True, DrawnCamera, lambda rules, players: EyesFromTheStart(two_fouls()), see_photo)
