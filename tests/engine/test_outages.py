"""Faults of a camera, from the frames to the log: no false foul, no lost play, the same round afterwards."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest

from engine.capture import BLACK, FROZEN, Capture, CapturePlan, Inbox
from engine.outages import SteadyWatcher
from engine.pipeline import Pipeline
from engine.pipeline_parts import PipelineParts
from referee.events import EventType, PlayEvent
from referee.judge import Judge
from referee.rulesets import ruleset
from tests.engine.fakes import FPS_HZ, FakeSource, ScriptedWatcher, frames, picture, round_script
from vision.types import Frame

PLAN = CapturePlan(retry_s=0.01, retry_most_s=0.02, told_after_s=0.05, stale_s=0.2)
PATIENCE_S = 10.0


def played(change: Callable[[Frame], Frame], count: int = 240) -> tuple[PlayEvent, ...]:
    """The log of the fake round whose frames were changed on their way to the eyes."""
    rules = ruleset("dutch_blitz_2")
    pipeline = Pipeline(
        PipelineParts(lambda: SteadyWatcher(ScriptedWatcher(round_script())), lambda: Judge(rules))
    )
    for frame in frames(count):
        pipeline.step(change(frame))
    pipeline.finish()
    return pipeline.log


def plays(log: tuple[PlayEvent, ...]) -> list[tuple[str, str]]:
    return [(str(e.type), str(e.card)) for e in log if e.card is not None and e.type is not EventType.RULING]


def fouls(log: tuple[PlayEvent, ...]) -> list[str]:
    return [e.extra["rule"] for e in log if e.type is EventType.RULING and e.extra["severity"] == "foul"]


@pytest.mark.parametrize("level", [0.0, 0.25])
def test_a_light_switched_off_and_on_loses_no_play_and_adds_no_foul(level: float) -> None:
    def change(frame: Frame) -> Frame:
        dark = 5.2 <= frame.t_s < 7.7
        return Frame((frame.image * level).astype(np.uint8), frame.index, frame.t_s) if dark else frame

    whole, cut = played(lambda frame: frame), played(change)
    assert plays(cut) == plays(whole)
    assert fouls(cut) == fouls(whole) == ["E11"]
    kinds = [e.type for e in cut]
    assert kinds.count(EventType.ROUND_STARTED) == kinds.count(EventType.CAMERA_LOST) == 1
    lost, back = kinds.index(EventType.CAMERA_LOST), kinds.index(EventType.CAMERA_BACK)
    assert lost < back and 5.2 < cut[lost].t <= 7.2 and cut[back].t == pytest.approx(7.7, abs=0.06)
    assert cut[lost].extra["reason"] == "dark"


def test_what_the_eyes_know_survives_being_kept() -> None:
    watcher = SteadyWatcher(ScriptedWatcher(round_script()))
    for frame in frames(round(3 * FPS_HZ)):
        watcher.process(frame)
    again = SteadyWatcher(ScriptedWatcher(round_script()))
    again.restore(watcher.dump())
    assert again.dump() == watcher.dump()
    assert len(again.overlay().piles) == len(watcher.overlay().piles) == 2


# -- the capture thread -------------------------------------------------------------------------------------


class Scene(FakeSource):
    """A camera that shows what it is told to: a picture for each number of the frame."""

    def __init__(self, show: Callable[[int], np.ndarray], count: int = 100_000) -> None:
        super().__init__(count, live=True)
        self._show = show

    def __iter__(self) -> Iterator[Frame]:
        for index in range(self._count):
            time.sleep(0.005)
            yield Frame(self._show(index), index, index * 0.005)


def until(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("stuck", "says"),
    [(lambda index: np.zeros((90, 160, 3), np.uint8), BLACK), (lambda index: picture(7), FROZEN)],
    ids=["black", "frozen"],
)
def test_a_camera_that_shows_nothing_new_is_told_and_opened_anew(
    stuck: Callable[[int], np.ndarray], says: str
) -> None:
    plugged = threading.Event()
    opened: list[Scene] = []

    def open_source() -> Scene:
        first = not opened

        def show(index: int) -> np.ndarray:
            return picture(index) if (first and index < 8) or plugged.is_set() else stuck(index)

        opened.append(Scene(show))
        return opened[-1]

    inbox: Inbox[None] = Inbox()
    capture = Capture(open_source, inbox, PLAN)
    capture.start()
    try:
        until(lambda: capture.problem == says and len(opened) >= 2)
        inbox.take(0.0)
        assert inbox.is_empty
        plugged.set()
        delivered: list[Frame] = []

        def comes() -> bool:
            _, delivery = inbox.take(0.02)
            delivered.extend([delivery.frame] if delivery is not None else [])
            return len(delivered) >= 5

        until(comes)
        assert capture.problem is None
        assert all(a.index < b.index and a.t_s < b.t_s for a, b in pairwise(delivered))
    finally:
        assert capture.stop(PATIENCE_S)
    assert all(source.closed == 1 for source in opened)
