"""The live picture: drawn and encoded in a thread of its own, so that viewers do not slow the game."""

from __future__ import annotations

import threading

from engine.evidence import Image, encode_jpeg
from engine.hub import SnapshotHub
from engine.overlay import Overlay, draw


class Painter:
    """Draws the newest picture that was left; one that comes before the last is drawn takes its place."""

    def __init__(self, hub: SnapshotHub, width_px: int, quality: int) -> None:
        self._hub, self._width_px, self._quality = hub, width_px, quality
        self._changed = threading.Condition()
        self._waiting: tuple[Image, Overlay] | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="painter", daemon=True)

    def start(self) -> None:
        """Begin to draw."""
        self._thread.start()

    def put(self, image: Image, overlay: Overlay) -> None:
        """Leave a picture, BGR uint8 (H, W, 3), which nobody may change any more."""
        with self._changed:
            self._waiting = (image, overlay)
            self._changed.notify()

    def stop(self, timeout_s: float) -> bool:
        """End the thread; False if it still draws after `timeout_s`."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting is not None or self._ended)
                if self._ended or self._waiting is None:
                    return
                (image, overlay), self._waiting = self._waiting, None
            self._hub.publish_picture(encode_jpeg(draw(image, overlay, self._width_px), self._quality))
