"""A table to look at: a recording drawn by hand and eyes that know its script, for a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from engine.settings import Settings
from engine.setup_file import Setup
from engine.table import TableParts
from referee.cards import Card
from tests.engine.fakes import FPS_HZ, ScriptedWatcher, round_script
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
    """The parts of the table that the browser test opens."""
    return TableParts(
        "drawn", False, DrawnSource, lambda rules, players: ScriptedWatcher(round_script()), see_photo
    )
