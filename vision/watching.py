"""One camera's view of a table over time: frames in, sights out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from vision.motion import Motion, MotionSettings, MotionWatch
from vision.piles import PileSettings, PileWatch, Track, centres_of, nearest
from vision.reading import Eyes
from vision.sights import Sight
from vision.types import Arm, Detection, Frame, Reading, SeenCard

ENOUGH_READINGS = 3
"""A card at rest is read this often; after that its readings stand until something passes over it."""


@dataclass(frozen=True)
class WatchSettings:
    """How often the finder looks; times in seconds."""

    find_every_s: float = 0.11
    find_after_s: float = 0.9
    """The finder goes on this long after the last movement ..."""
    idle_every_s: float = 2.0
    """... and then looks this often."""
    motion: MotionSettings = field(default_factory=MotionSettings)
    piles: PileSettings = field(default_factory=PileSettings)


class TableWatch:
    """Watches one table; not thread-safe, one per pipeline."""

    def __init__(self, eyes: Eyes, settings: WatchSettings | None = None) -> None:
        self.settings = settings or WatchSettings()
        self._eyes = eyes
        self._motion = MotionWatch(self.settings.motion)
        self.piles = PileWatch(self.settings.piles)
        self._last_find_s = -1e9
        self._last_motion_s = -1e9
        self.arms: tuple[Arm, ...] = ()
        self.finds = 0

    def process(self, frame: Frame) -> list[Sight]:
        """Take in the next frame; returns what is new on the table."""
        motion = self._motion.look(frame.image, frame.t_s)
        self.arms = motion.arms
        self.piles.note(motion, frame.index, frame.t_s)
        if motion.moving:
            self._last_motion_s = frame.t_s
        busy = frame.t_s - self._last_motion_s < self.settings.find_after_s
        wait = self.settings.find_every_s if busy else self.settings.idle_every_s
        if frame.t_s - self._last_find_s < wait - 1e-6:
            return []
        self._last_find_s = frame.t_s
        self.finds += 1
        cards = self._cards(frame, motion)
        return self.piles.see(cards, motion, frame.index, frame.t_s, frame.image.shape[:2])

    def _cards(self, frame: Frame, motion: Motion) -> list[SeenCard]:
        """The cards in the frame; those that were read often enough and lie still keep their reading."""
        found = self._eyes.finder.find(frame.image)
        known: list[SeenCard] = []
        fresh: list[Detection] = []
        tracks = self.piles.tracks()
        centres = centres_of(tracks)
        for detection in found:
            near = nearest(centres, detection.centre, 0.1 * detection.width_px)
            kept = self._kept([tracks[index] for index in sorted(near)], frame.t_s)
            if kept is not None:
                known.append(SeenCard(detection, kept))
            elif not _covered(detection, motion):
                fresh.append(detection)
        return known + self._eyes.read_found(frame.image, fresh)

    def _kept(self, tracks: Sequence[Track], t_s: float) -> Reading | None:
        """The reading of the first of these tracks that was read often enough and lies undisturbed."""
        for track in tracks:
            if len(track.readings) >= ENOUGH_READINGS and self.piles.undisturbed(track, t_s):
                return track.reading()
        return None

    def dump(self) -> dict[str, Any]:
        """The state as JSON values."""
        return self.piles.dump()

    def restore(self, data: dict[str, Any]) -> None:
        """The inverse of `dump`."""
        self.piles.restore(data)


def _covered(detection: Detection, motion: Motion) -> bool:
    x, y = (detection.centre * motion.scale).astype(int)
    height, width = motion.hidden.shape
    return bool(motion.hidden[min(max(y, 0), height - 1), min(max(x, 0), width - 1)])
