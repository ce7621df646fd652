"""Short films of the moment that a ruling is about: H.264 in MP4, from the frames that the ring keeps."""

from __future__ import annotations

import io
import logging
import queue
import threading
from collections.abc import Sequence
from fractions import Fraction

import av
import cv2
import numpy as np

from engine.evidence import EvidenceStore, KeptFrame

BEFORE_S, AFTER_S = 1.5, 1.5
"""A clip reaches from so long before the play to so long after it."""
WIDTH_PX = 960
MOST_WAITING = 8
"""Clips that wait to be made; one holds up to thirty JPEG pictures, so the row must stay short."""
_TICKS_HZ = 1000
_CODEC = {"preset": "veryfast", "crf": "25"}

log = logging.getLogger(__name__)


class ClipError(ValueError):
    """A clip that cannot be made; the message is one plain sentence."""


def encode_clip(frames: Sequence[KeptFrame], width_px: int = WIDTH_PX) -> bytes:
    """The frames as an MP4 file, at their own times, at most `width_px` wide.

    Raises:
        ClipError: if there are no frames, or the video library refuses them.
    """
    if not frames:
        raise ClipError("there are no pictures of that moment any more.")
    size = _size_px(frames[0].jpeg, width_px)
    out = io.BytesIO()
    try:
        with av.open(out, "w", format="mp4") as container:
            stream = container.add_stream("libx264", rate=_TICKS_HZ, options=_CODEC)
            stream.pix_fmt = "yuv420p"
            stream.width, stream.height = size
            stream.codec_context.time_base = Fraction(1, _TICKS_HZ)
            # One thread: the table's own threads come first, and the same frames give the same file.
            stream.codec_context.thread_count = 1
            for kept in frames:
                picture = cv2.resize(_picture(kept.jpeg), size, interpolation=cv2.INTER_AREA)
                frame = av.VideoFrame.from_ndarray(np.asarray(picture, np.uint8), format="bgr24")
                frame.time_base = Fraction(1, _TICKS_HZ)
                frame.pts = round((kept.t_s - frames[0].t_s) * _TICKS_HZ)
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
    except av.FFmpegError as error:
        raise ClipError(f"the film of that moment cannot be made: {error}.") from error
    return out.getvalue()


def _picture(jpeg: bytes) -> np.ndarray:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None  # our own JPEG
    return image


def _size_px(jpeg: bytes, width_px: int) -> tuple[int, int]:
    """Width and height of the clip: even, as H.264 wants them."""
    height, width = _picture(jpeg).shape[:2]
    scale = min(1.0, width_px / width)
    return round(width * scale) // 2 * 2, round(height * scale) // 2 * 2


def save_clip(store: EvidenceStore, name: str, frames: Sequence[KeptFrame]) -> bool:
    """Make a clip and keep it; False if it cannot be made or the disk will not take it."""
    try:
        data = encode_clip(frames)
    except ClipError as error:
        log.warning("the clip %s is left out: %s", name, error)
        return False
    return store.save_files({name: data})


class ClipWriter:
    """Makes clips in a thread of its own, so that no frame of the game waits for them."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[tuple[EvidenceStore, str, Sequence[KeptFrame]]] = queue.Queue(MOST_WAITING)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="clips", daemon=True)
        self.dropped = 0

    def start(self) -> None:
        """Begin to make clips."""
        self._thread.start()

    def put(self, store: EvidenceStore, name: str, frames: Sequence[KeptFrame]) -> None:
        """Leave a clip to be made; where too many wait it is left out and counted."""
        try:
            self._waiting.put_nowait((store, name, frames))
        except queue.Full:
            self.dropped += 1
            log.warning("the clip %s is left out: %d clips wait already", name, MOST_WAITING)

    def stop(self, timeout_s: float) -> bool:
        """End the thread; clips not begun are left out. False if it still works after `timeout_s`."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                store, name, frames = self._waiting.get(timeout=0.2)
            except queue.Empty:
                continue
            save_clip(store, name, frames)
