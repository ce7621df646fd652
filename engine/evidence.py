"""Pictures that show why: the last frames in bounded memory, stills and clips on bounded disk."""

from __future__ import annotations

import re
import shutil
import threading
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame

Image = NDArray[np.uint8]

_NAME = re.compile(r"[rt]\d{5}[a-z0-9-]*\.(jpg|mp4)")

TOP_CARDS = 1.35
"""Side of the picture of a pile in card lengths: the card with a little of the table around it."""

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

    def between(self, first_s: float, last_s: float) -> tuple[KeptFrame, ...]:
        """The kept frames of that span of time, in order."""
        return tuple(kept for kept in self._frames if first_s <= kept.t_s <= last_s)


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


def is_evidence_name(name: str) -> bool:
    """Whether a file of an evidence folder can have that name."""
    return _NAME.fullmatch(name) is not None


def pile_picture(table_picture: str, pile: str) -> str:
    """The name of a pile's own picture, cut out of the picture of the whole table."""
    return f"{table_picture.removesuffix('.jpg')}-{pile}.jpg"


def trim_rounds(folder: Path, max_bytes: int) -> None:
    """Delete the evidence of the oldest rounds until all of it is within `max_bytes`; the newest stays."""
    rounds = sorted(folder.glob("round-*"), key=lambda path: int(path.name.split("-")[1]))
    sizes = [sum(path.stat().st_size for path in one.iterdir()) for one in rounds]
    total = sum(sizes)
    for one, size in zip(rounds[:-1], sizes, strict=False):
        if total <= max_bytes:
            return
        shutil.rmtree(one, ignore_errors=True)
        total -= size


class EvidenceStore:
    """Writes stills and clips into a folder; the oldest make room when it grows past `max_bytes`."""

    def __init__(self, folder: Path, *, max_bytes: int, quality: int) -> None:
        self.folder = folder
        self.problem: str | None = None
        self._max_bytes, self._quality = max_bytes, quality
        # Clips come from a thread of their own.
        self._writing = threading.Lock()

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
        return stills if self.save_files(pictures) else None

    def save_files(self, files: Mapping[str, bytes]) -> bool:
        """Write the files, all or none; False (and `problem` set) if the disk will not take them."""
        written: list[Path] = []
        with self._writing:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                for name, data in files.items():
                    written.append(self.folder / name)
                    written[-1].write_bytes(data)
            except OSError:
                for path in written:
                    path.unlink(missing_ok=True)
                self.problem = DISK_FULL
                return False
            self.problem = None
            self._make_room()
            return True

    def save_table(self, seq: int, kept: KeptFrame, quads: Mapping[str, NDArray[np.float32]]) -> str | None:
        """Keep the table as it lies at line `seq`: the whole picture, and each pile cut out.

        `quads`: by the name of the pile the corners of its top card (4, 2), image pixels. Returns the name of
        the whole picture, None if the disk will not take it; a pile's picture is named by `pile_picture`.
        """
        name = f"t{seq:05d}.jpg"
        pictures = {name: kept.jpeg}
        for pile, quad in quads.items():
            centre = quad.mean(axis=0)
            side = TOP_CARDS * float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).max())
            if is_evidence_name(pile_picture(name, pile)):
                at = (float(centre[0]), float(centre[1]))
                pictures[pile_picture(name, pile)] = self._crop(kept.jpeg, at, side)
        return name if self.save_files(pictures) else None

    def _crop(self, jpeg: bytes, at: tuple[float, float], crop_px: float) -> bytes:
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None  # our own JPEG
        height, width = image.shape[:2]
        side = round(min(crop_px, height, width))
        left = int(np.clip(round(at[0]) - side // 2, 0, width - side))
        top = int(np.clip(round(at[1]) - side // 2, 0, height - side))
        return encode_jpeg(np.asarray(image[top : top + side, left : left + side], np.uint8), self._quality)

    def _make_room(self) -> None:
        files = sorted(path for path in self.folder.iterdir() if is_evidence_name(path.name))
        # The number follows the first letter: the oldest moment goes first, whatever was kept of it.
        files.sort(key=lambda path: path.name[1:])
        sizes = [path.stat().st_size for path in files]
        total = sum(sizes)
        for path, size in zip(files, sizes, strict=True):
            if total <= self._max_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size
