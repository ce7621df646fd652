"""Frames read in a thread of their own, some ahead: a film is decoded while its last frame is looked at."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable

from vision.types import Frame

DEPTH = 4
"""So many decoded frames wait at most."""
STOP_S = 5.0


def read_ahead(frames: Iterable[Frame], depth: int = DEPTH) -> Generator[Frame, None, None]:
    """The same frames in the same order; a fault of the source is raised where its frame would come.

    Closing the iterator ends the thread before it returns, so that the source can be closed then.
    """
    ready: queue.Queue[Frame | BaseException | None] = queue.Queue(depth)
    stop = threading.Event()

    def put(item: Frame | BaseException | None) -> None:
        while not stop.is_set():
            try:
                return ready.put(item, timeout=0.1)
            except queue.Full:
                continue

    def read() -> None:
        try:
            for frame in frames:
                put(frame)
                if stop.is_set():
                    return
        except BaseException as error:
            put(error)
        else:
            put(None)

    thread = threading.Thread(target=read, name="decode", daemon=True)
    thread.start()
    try:
        while (item := ready.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        thread.join(STOP_S)
