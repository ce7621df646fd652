"""A real round through a camera with faults: no foul but the true one, and the same round afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

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


@dataclass
class Faulty:
    """A source whose frames are changed from `at_s` on; `fault` gets seconds since then."""

    inner: Source
    fault: Callable[[np.ndarray, float], np.ndarray]
    at_s: float

    def __post_init__(self) -> None:
        self.fps, self.live = self.inner.fps, False

    def __iter__(self) -> Iterator[Frame]:
        for frame in self.inner:
            since_s = frame.t_s - self.at_s
            image = frame.image if since_s < 0 else self.fault(frame.image, since_s)
            yield Frame(image, frame.index, frame.t_s)

    def close(self) -> None:
        self.inner.close()


def log_with(bundle: Bundle, eyes: Eyes, fault: Any, at_s: float = 8.0) -> tuple[PlayEvent, ...]:
    setup = load_setup(bundle.folder / SETUP)
    players = tuple(PlayerView(p.name, p.seat, p.deck) for p in setup.players)
    rules = rules_of(setup)
    source = Faulty(open_source(bundle.folder / FILM), fault, at_s)
    return watch(
        source,  # type: ignore[arg-type]
        rules,
        lambda: watcher_of(rules, players, eyes, setup.calibration),
        Settings(),
        players=players,
    ).log


def light_off(image: np.ndarray, since_s: float) -> np.ndarray:
    return image // 30 if since_s < 2.0 else image


def test_a_light_that_goes_off_and_on_makes_no_foul_and_the_round_goes_on(bundle: Bundle, eyes: Eyes) -> None:
    log = log_with(bundle, eyes, light_off)
    kinds = [event.type for event in log]
    assert kinds.index(EventType.CAMERA_LOST) < kinds.index(EventType.CAMERA_BACK)
    assert kinds.count(EventType.ROUND_STARTED) == 1
    fouls = {event.extra["rule"] for event in severe(log) if event.extra["severity"] == "foul"}
    assert fouls <= {"E11"}
    assert any(event.t > 10.5 for event in landings(log))
