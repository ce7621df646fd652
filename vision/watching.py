"""One camera's view of a table over time: frames in, sights out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from vision.motion import Motion, MotionSettings, MotionWatch
from vision.pile import PileSettings
from vision.piles import PileWatch
from vision.reading import Eyes
from vision.sights import Nudged, Sight
from vision.types import UNREAD, Arm, Detection, Frame, SeenCard


@dataclass(frozen=True)
class WatchSettings:
    """How often the finder looks; times in seconds."""

    find_every_s: float = 0.06
    """While something is not as it is known ..."""
    busy_every_s: float = 0.3
    """... while only arms move ..."""
    find_after_s: float = 0.9
    """... until so long after the last movement ..."""
    idle_every_s: float = 2.0
    """... and on a still table."""
    bare_confidence: float = 0.9
    """A card read this surely at both ends has no hand on it."""
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
        if frame.t_s - self._last_find_s < self._wait_s(motion, frame.t_s) - 1e-6:
            return []
        self._last_find_s = frame.t_s
        self.finds += 1
        cards = self._cards(frame, motion)
        sights = self.piles.see(cards, motion, frame.index, frame.t_s, frame.image.shape[:2])
        if any(isinstance(sight, Nudged) for sight in sights):
            self._motion.moved()
        return sights

    def _wait_s(self, motion: Motion, t_s: float) -> float:
        s = self.settings
        if self.piles.stirred(motion, t_s):
            return s.find_every_s
        return s.busy_every_s if t_s - self._last_motion_s < s.find_after_s else s.idle_every_s

    def _cards(self, frame: Frame, motion: Motion) -> list[SeenCard]:
        """The cards in the frame; those that are known and lie still are not read again."""
        fresh, known = [], []
        for found in self._eyes.finder.find(frame.image):
            if self.piles.wants(found, motion, frame.t_s):
                fresh.append(found)
            else:
                known.append(SeenCard(found, UNREAD))
        self._let_go([card.detection for card in known], frame, motion)
        return known + self._eyes.read_found(frame.image, fresh)

    def _let_go(self, found: list[Detection], frame: Frame, motion: Motion) -> None:
        """Tell the cards that an arm left behind from the arm: where it rests nearby, they hang together."""
        held = [card for card in found if self._motion.holds(card.quad * motion.scale)]
        if not held:
            return
        for seen in self._eyes.read_found(frame.image, held, both_ends=True):
            if seen.reading.card is not None and seen.reading.confidence >= self.settings.bare_confidence:
                self._motion.let_go(seen.detection.quad * motion.scale)

    def dump(self) -> dict[str, Any]:
        """The state as JSON values."""
        return self.piles.dump()

    def restore(self, data: dict[str, Any]) -> None:
        """The inverse of `dump`."""
        self.piles.restore(data)
