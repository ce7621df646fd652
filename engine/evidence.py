"""Pictures that show why: the last frames in bounded memory, before/after stills on bounded disk."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame

Image = NDArray[np.uint8]

DISK_FULL = "The disk is full, so no more evidence pictures are kept; the game goes on. Free some space."


def encode_jpeg(image: Image, quality: int) -> bytes:
    """JPEG bytes of a BGR picture.

    Raises:
        ValueError: if the picture cannot be encoded.
    """
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the picture cannot be written as JPEG")
    return bytes(data)


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """A frame kept as JPEG."""

    index: int
    t_s: float
    jpeg: bytes


class FrameRing:
    """The last frames as JPEG, thinned to one each `period_s`, never more than `span_s` or `max_bytes`."""

    def __init__(self, *, span_s: float, period_s: float, max_bytes: int, quality: int) -> None:
        self._span_s, self._period_s = span_s, period_s
        self._max_bytes, self._quality = max_bytes, quality
        self._frames: deque[KeptFrame] = deque()
        self._bytes = 0

    @property
    def size_bytes(self) -> int:
        """Memory held by the kept frames, bytes."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, frame: Frame, *, always: bool = False) -> None:
        """Keep the frame if its turn has come (or `always`); older ones make room."""
        newest = self._frames[-1] if self._frames else None
        if newest is not None and newest.index == frame.index:
            return
        # The half millisecond keeps a 10 Hz ring from skipping every other turn of a 30 Hz clock.
        if newest is not None and not always and frame.t_s - newest.t_s < self._period_s - 0.0005:
            return
        kept = KeptFrame(frame.index, frame.t_s, encode_jpeg(frame.image, self._quality))
        self._frames.append(kept)
        self._bytes += len(kept.jpeg)
        while len(self._frames) > 1 and (
            self._bytes > self._max_bytes or frame.t_s - self._frames[0].t_s > self._span_s
        ):
            self._bytes -= len(self._frames.popleft().jpeg)

    def at_or_before(self, index: int) -> KeptFrame | None:
        """The newest kept frame that is not after `index`; the oldest one if all are."""
        place = bisect_right(self._frames, index, key=lambda kept: kept.index)
        return self._frames[max(0, place - 1)] if self._frames else None

    def at_or_after(self, index: int) -> KeptFrame | None:
        """The oldest kept frame that is not before `index`; the newest one if all are."""
        place = bisect_left(self._frames, index, key=lambda kept: kept.index)
        return self._frames[min(place, len(self._frames) - 1)] if self._frames else None


@dataclass(frozen=True, slots=True)
class Stills:
    """File names of one ruling's pictures inside the evidence folder."""

    before: str
    after: str
    before_crop: str | None = None
    after_crop: str | None = None

    def to_json(self) -> dict[str, str]:
        """Names by role; roles without a picture are left out."""
        names = {
            "before": self.before,
            "after": self.after,
            "before_crop": self.before_crop,
            "after_crop": self.after_crop,
        }
        return {role: name for role, name in names.items() if name is not None}


class EvidenceStore:
    """Writes stills into a folder and deletes the oldest when the folder grows past `max_bytes`."""

    def __init__(self, folder: Path, *, max_bytes: int, quality: int) -> None:
        self.folder = folder
        self.problem: str | None = None
        self._max_bytes, self._quality = max_bytes, quality

    def save(
        self,
        seq: int,
        before: KeptFrame,
        after: KeptFrame,
        at: tuple[float, float] | None,
        crop_px: float,
    ) -> Stills | None:
        """Write the stills of ruling `seq`; None (and `problem` set) if the disk will not take them.

        `at` is the place in image pixels around which a square of side `crop_px` is cut out.
        """
        name = f"r{seq:05d}"
        pictures = {f"{name}-before.jpg": before.jpeg, f"{name}-after.jpg": after.jpeg}
        stills = Stills(f"{name}-before.jpg", f"{name}-after.jpg")
        if at is not None:
            stills = Stills(stills.before, stills.after, f"{name}-before-crop.jpg", f"{name}-after-crop.jpg")
            pictures[f"{name}-before-crop.jpg"] = self._crop(before.jpeg, at, crop_px)
            pictures[f"{name}-after-crop.jpg"] = self._crop(after.jpeg, at, crop_px)
        written: list[Path] = []
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for file_name, data in pictures.items():
                written.append(self.folder / file_name)
                written[-1].write_bytes(data)
        except OSError:
            for path in written:
                path.unlink(missing_ok=True)
            self.problem = DISK_FULL
            return None
        self.problem = None
        self._make_room()
        return stills

    def _crop(self, jpeg: bytes, at: tuple[float, float], crop_px: float) -> bytes:
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None  # our own JPEG
        height, width = image.shape[:2]
        side = round(min(crop_px, height, width))
        left = int(np.clip(round(at[0]) - side // 2, 0, width - side))
        top = int(np.clip(round(at[1]) - side // 2, 0, height - side))
        return encode_jpeg(np.asarray(image[top : top + side, left : left + side], np.uint8), self._quality)

    def _make_room(self) -> None:
        files = sorted(self.folder.glob("r*.jpg"))
        sizes = [path.stat().st_size for path in files]
        total = sum(sizes)
        for path, size in zip(files, sizes, strict=True):
            if total <= self._max_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size
