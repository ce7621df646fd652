"""A real round through a camera with faults: no foul but the true one, and the same round afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from datasets.bundles import FILM, SETUP
from engine.commands.watching import rules_of
from engine.hub import PlayerView
from engine.parts import watcher_of
from engine.settings import Settings
from engine.setup_file import load_setup
from engine.watch import watch
from referee.events import EventType, PlayEvent
from tests.end_to_end.conftest import Bundle
from tests.end_to_end.test_oracle import landings, severe
from vision.reading import Eyes
from vision.sources import Source, open_source
from vision.types import Frame

AT_S = 8.0
"""The fault begins at this time."""
FRESH_S = 1.0
"""A card that comes so long after a fault is told like any other."""

Fault = Callable[[np.ndarray, float], np.ndarray | None]
"""What the camera gives of a picture so long after the fault began; None: nothing."""


@dataclass
class Faulty:
    """A source whose frames are changed from `AT_S` on."""

    inner: Source
    fault: Fault

    def __post_init__(self) -> None:
        self.fps, self.live = self.inner.fps, False

    def __iter__(self) -> Iterator[Frame]:
        for frame in self.inner:
            since_s = frame.t_s - AT_S
            image = frame.image if since_s < 0 else self.fault(frame.image, since_s)
            if image is not None:
                yield Frame(image, frame.index, frame.t_s)

    def close(self) -> None:
        self.inner.close()


def log_with(bundle: Bundle, eyes: Eyes, fault: Fault) -> tuple[PlayEvent, ...]:
    setup = load_setup(bundle.folder / SETUP)
    players = tuple(PlayerView(p.name, p.seat, p.deck) for p in setup.players)
    rules = rules_of(setup)
    source = Faulty(open_source(bundle.folder / FILM), fault)
    return watch(
        source,  # type: ignore[arg-type]
        rules,
        lambda: watcher_of(rules, players, eyes, setup.calibration),
        Settings(),
        players=players,
    ).log


def light_off(image: np.ndarray, since_s: float) -> np.ndarray:
    return image // 30 if since_s < 2.0 else image


def unplugged(image: np.ndarray, since_s: float) -> np.ndarray | None:
    return None if since_s < 3.0 else image


def covered(image: np.ndarray, since_s: float) -> np.ndarray:
    """Somebody holds a patterned cloth under the camera."""
    if since_s >= 5.0:
        return image
    cloth = np.full_like(image, (70, 60, 120))
    cloth[:, ::24] = (150, 150, 170)
    return np.roll(cloth, round(40 * since_s), axis=1)


def nudged(image: np.ndarray, since_s: float) -> np.ndarray:
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 2.0, 1.0)
    return cv2.warpAffine(image, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize(
    ("fault", "lasts_s", "told_as"),
    [
        (light_off, 2.0, [EventType.CAMERA_LOST, EventType.CAMERA_BACK]),
        (unplugged, 3.0, [EventType.CAMERA_LOST, EventType.CAMERA_BACK]),
        (covered, 5.0, [EventType.CAMERA_LOST, EventType.CAMERA_BACK]),
        (nudged, 0.0, [EventType.CAMERA_MOVED]),
    ],
    ids=["light off and on", "unplugged", "covered", "nudged by 2 degrees"],
)
def test_a_fault_accuses_nobody_and_the_round_goes_on(
    bundle: Bundle, eyes: Eyes, fault: Fault, lasts_s: float, told_as: list[EventType]
) -> None:
    log = log_with(bundle, eyes, fault)
    camera = (EventType.CAMERA_LOST, EventType.CAMERA_BACK, EventType.CAMERA_MOVED)
    assert [event.type for event in log if event.type in camera] == told_as
    assert [event.type for event in log].count(EventType.ROUND_STARTED) == 1
    true = {found["rule"] for found in bundle.truth["infringements"]}
    assert {event.extra["rule"] for event in severe(log) if event.extra["severity"] == "foul"} <= true
    late = [str(e.card) for e in landings(bundle.events) if e.t > AT_S + lasts_s + FRESH_S]
    told = [str(event.card) for event in landings(log) if event.t > AT_S]
    assert late and [card for card in late if card not in told] == []
