"""Films that are read or looked at slower than they play, where frames may be left out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from engine.capture import Capture, CapturePlan, Inbox
from engine.table_command import Command
from tests.engine.fakes import frames
from vision.types import Frame

PLAN = CapturePlan(pace=1000.0, late_s=1e-6)
PATIENCE_S = 20.0
FRAMES = 30


class SlowFilm:
    """A film each of whose frames is read long after it was due, and not before `ready` says so."""

    fps = 20.0
    live = False

    def __init__(self, ready: Callable[[], bool]) -> None:
        self._ready = ready

    def __iter__(self) -> Iterator[Frame]:
        for frame in frames(FRAMES):
            while not self._ready():
                time.sleep(0.001)
            time.sleep(0.002)
            yield frame

    def close(self) -> None:
        """Nothing is held."""


def test_a_film_read_slower_than_it_plays_is_seen_frame_by_frame_by_eyes_that_wait_for_it() -> None:
    inbox: Inbox[Command] = Inbox()
    capture = Capture(lambda: SlowFilm(lambda: inbox.is_empty), inbox, PLAN)
    capture.start()
    seen: list[int] = []
    end_s = time.monotonic() + PATIENCE_S
    while not (capture.finished and inbox.is_empty) and time.monotonic() < end_s:
        _, delivery = inbox.take(0.05)
        if delivery is not None:
            seen.append(delivery.frame.index)
    assert capture.stop(PATIENCE_S)
    assert seen == list(range(FRAMES))
    assert inbox.dropped == 0


def test_eyes_that_are_slower_than_a_late_film_get_its_newest_frame_and_the_others_are_counted() -> None:
    inbox: Inbox[Command] = Inbox()
    capture = Capture(lambda: SlowFilm(lambda: True), inbox, PLAN)
    capture.start()
    end_s = time.monotonic() + PATIENCE_S
    while not capture.finished and time.monotonic() < end_s:
        time.sleep(0.005)
    assert capture.stop(PATIENCE_S)
    _, delivery = inbox.take(0.0)
    assert delivery is not None
    assert delivery.frame.index == FRAMES - 1
    assert inbox.dropped == FRAMES - 1
