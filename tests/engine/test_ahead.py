"""Frames that are read ahead: the same ones, the same fault, and no thread left behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import numpy as np
import pytest

from engine.ahead import read_ahead
from vision.types import Frame


def frames(count: int, fault: Exception | None = None) -> Iterator[Frame]:
    for index in range(count):
        yield Frame(np.full((2, 2, 3), index, np.uint8), index, index / 30)
    if fault is not None:
        raise fault


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "decode"]


@pytest.mark.parametrize("depth", [1, 4])
def test_all_frames_come_in_order(depth: int) -> None:
    assert [frame.index for frame in read_ahead(frames(20), depth)] == list(range(20))
    assert readers() == []


def test_a_fault_comes_where_its_frame_would() -> None:
    seen = []
    with pytest.raises(OSError, match="torn"):
        for frame in read_ahead(frames(5, OSError("torn"))):
            seen.append(frame.index)
    assert seen == list(range(5))
    assert readers() == []


def test_no_more_is_read_than_may_wait_and_closing_ends_the_reading() -> None:
    read = []

    def counted() -> Iterator[Frame]:
        for frame in frames(1000):
            read.append(frame.index)
            yield frame

    with closing(read_ahead(counted(), depth=3)) as coming:
        assert [frame.index for frame in islice(coming, 2)] == [0, 1]
    assert readers() == []
    assert len(read) <= 2 + 3 + 2
