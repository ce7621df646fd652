"""The live picture is drawn beside the game, and what nobody could see any more is left out."""

from __future__ import annotations

import threading

import cv2
import numpy as np
import pytest

from engine.hub import SnapshotHub
from engine.overlay import NOTHING, draw
from engine.painting import Painter
from tests.engine.test_table import PATIENCE_S


def level(jpeg: bytes) -> float:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return float(image.mean())


def test_a_newer_picture_takes_the_place_of_one_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    hub, begun, go_on, drawn = SnapshotHub(), threading.Event(), threading.Event(), threading.Semaphore(0)
    publish = hub.publish_picture

    def publish_slowly(jpeg: bytes) -> None:
        begun.set()
        assert go_on.wait(PATIENCE_S)
        publish(jpeg)
        drawn.release()

    monkeypatch.setattr(hub, "publish_picture", publish_slowly)
    painter = Painter(hub, 64, 85)
    painter.start()
    painter.put(np.full((48, 64, 3), 10, np.uint8), NOTHING)
    assert begun.wait(PATIENCE_S)
    for grey in (90, 200):
        painter.put(np.full((48, 64, 3), grey, np.uint8), NOTHING)
    go_on.set()
    for _ in range(2):
        assert drawn.acquire(timeout=PATIENCE_S)
    assert painter.stop(PATIENCE_S)
    number, jpeg = hub.picture
    assert number == 2 and abs(level(jpeg) - 200) < 3


def test_a_large_picture_is_made_smaller() -> None:
    drawn = draw(np.full((2160, 3840, 3), 80, np.uint8), NOTHING, 1280)
    assert drawn.shape == (720, 1280, 3)
