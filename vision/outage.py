"""Whether a frame shows the table at all: black and much too dark pictures, and jumps after a frozen one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.health import BLACK_LEVEL

Cause = Literal["dark", "frozen"]


@dataclass(frozen=True)
class OutageSettings:
    """Thresholds; times in seconds, brightness 0-255."""

    told_after_s: float = 1.0
    """Darkness that passes sooner is only not looked at."""
    dim_share: float = 0.4
    """A picture darker than this share of what was usual shows too little ..."""
    usual_s: float = 5.0
    """... until it has become usual itself; the usual brightness follows within about this time."""
    frozen_s: float = 1.5
    """A picture that stays the same this long may be frozen ..."""
    same_level: float = 0.25
    """... where its mean change from frame to frame is below this (no sensor is so quiet) ..."""
    jump_level: float = 25.0
    jump_share: float = 0.012
    """... and if so large a part of it then changes at once by this much, it was: time passed unseen."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one frame is worth: whether it is `usable`, and whether the sight was `lost` (why) or came `back`.

    Both are told once. After a frozen picture both are told in one frame, as only then it is known.
    """

    usable: bool
    lost: Cause | None = None
    back: bool = False


class OutageWatch:
    """Looks at every frame, before anything else does."""

    def __init__(self, settings: OutageSettings | None = None) -> None:
        self.settings = settings or OutageSettings()
        self._last: np.ndarray | None = None
        self._same_since_s: float | None = None
        self._usual: float | None = None
        self._dark_since_s: float | None = None
        self._lost = False
        self._t_s = 0.0

    def look(self, image: np.ndarray, t_s: float) -> Outlook:
        """Take in the frame BGR uint8 (H, W, 3) of time `t_s`."""
        stride = max(1, image.shape[1] // 160)
        sample = image[::stride, ::stride].astype(np.int16)
        dark = self._is_dark(float(sample.mean()), max(t_s - self._t_s, 0.0))
        self._t_s = t_s
        if dark:
            return self._darkness(t_s)
        jumped = self._has_jumped(sample, t_s)
        back, self._lost, self._dark_since_s = self._lost, False, None
        if jumped and not back:
            return Outlook(True, "frozen", True)
        return Outlook(True, None, back)

    def _is_dark(self, level: float, dt_s: float) -> bool:
        s = self.settings
        if level < BLACK_LEVEL:
            return True
        if self._usual is None:
            self._usual = level
        dark = level < s.dim_share * self._usual
        self._usual += (level - self._usual) * (1 - float(np.exp(-dt_s / s.usual_s)))
        return dark

    def _darkness(self, t_s: float) -> Outlook:
        self._dark_since_s = t_s if self._dark_since_s is None else self._dark_since_s
        told = not self._lost and t_s - self._dark_since_s >= self.settings.told_after_s
        self._lost |= told
        return Outlook(False, "dark" if told else None)

    def _has_jumped(self, sample: np.ndarray, t_s: float) -> bool:
        """Whether this frame is far from one that had stayed the same for long."""
        s = self.settings
        last, self._last = self._last, sample
        if last is None or last.shape != sample.shape:
            self._same_since_s = None
            return False
        change = np.abs(sample - last)
        if float(change.mean()) < s.same_level:
            self._same_since_s = t_s if self._same_since_s is None else self._same_since_s
            return False
        since_s, self._same_since_s = self._same_since_s, None
        if since_s is None or t_s - since_s < s.frozen_s:
            return False
        return bool((change.max(axis=2) > s.jump_level).mean() > s.jump_share)
