"""What moves over the table: arms, shadows, changes of light. Works on a small copy of each frame."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.types import Arm


@dataclass(frozen=True)
class MotionSettings:
    """Thresholds of the motion stage; times in seconds, changes in grey levels of 255."""

    small_width_px: int = 480
    moving_level: float = 14.0
    """A pixel that changes more from one look to the next moves."""
    changed_level: float = 24.0
    """A pixel that differs more from the still table is covered by something new."""
    absorb_s: float = 0.45
    """What lies still this long, and does not hang on the border, belongs to the table."""
    absorb_arm_s: float = 8.0
    """What hangs on the border (an arm) must lie still this long."""
    min_arm_share: float = 0.003
    """A smaller region on the border, as a share of the picture, is no arm."""
    min_arm_reach: float = 0.05
    """An arm reaches at least this share of the picture's width into it."""
    relight_share: float = 0.55
    """If more of the picture changes at once, the light or the camera changed, not the table."""


@dataclass(frozen=True)
class Motion:
    """One look: `hidden` bool (h, w) where the table cannot be judged, `arms`, `scale` small px per px.

    `small` is the look itself, float32-free BGR uint8 (h, w, 3), brought to the light of the first look.
    """

    hidden: np.ndarray
    arms: tuple[Arm, ...]
    arm_labels: np.ndarray
    scale: float
    small: np.ndarray
    moving: bool
    relit: bool


class MotionWatch:
    """Compares each frame with the last one and with the still table."""

    def __init__(self, settings: MotionSettings | None = None) -> None:
        self.settings = settings or MotionSettings()
        self._still: np.ndarray | None = None
        self._last: np.ndarray | None = None
        self._quiet_s: np.ndarray | None = None
        self._t_s = 0.0
        self._level: np.ndarray | None = None

    def look(self, image: np.ndarray, t_s: float) -> Motion:
        """Take in the frame BGR uint8 (H, W, 3) of time `t_s`."""
        s = self.settings
        scale = s.small_width_px / image.shape[1]
        size = (s.small_width_px, max(1, round(image.shape[0] * scale)))
        small = cv2.blur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (3, 3))
        small = self._relevelled(small)
        if self._still is None or self._last is None or self._quiet_s is None:
            self._still, self._last = small.copy(), small
            self._quiet_s = np.zeros(small.shape[:2], np.float32)
            self._t_s = t_s
            nothing = np.zeros(small.shape[:2], bool)
            return Motion(nothing, (), nothing.astype(np.int32), scale, small, True, True)
        dt, self._t_s = max(t_s - self._t_s, 0.0), t_s
        moving = _change(small, self._last) > s.moving_level
        changed = _change(small, self._still) > s.changed_level
        self._last = small
        relit = float(changed.mean()) > s.relight_share
        if relit:
            self._still = small.copy()
            self._quiet_s[:] = 0
            everything = np.ones_like(changed)
            return Motion(everything, (), np.zeros(changed.shape, np.int32), scale, small, True, True)
        covered = cv2.morphologyEx(
            (moving | changed).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)
        )
        covered = cv2.morphologyEx(covered, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        arms, labels = self._arms(covered, scale)
        in_arm = labels > 0
        self._quiet_s += dt
        self._quiet_s[moving] = 0
        absorb = self._quiet_s > np.where(in_arm, s.absorb_arm_s, s.absorb_s)
        self._still[absorb] = small[absorb]
        hidden = cv2.dilate((moving | in_arm).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
        return Motion(hidden, arms, labels, scale, small, bool(moving.mean() > 0.0004) or bool(arms), False)

    def _relevelled(self, small: np.ndarray) -> np.ndarray:
        """The look with its median colour brought to that of the first: exposure and lamp steps vanish."""
        level = np.median(small[::6, ::6].reshape(-1, 3), axis=0).astype(np.float32)
        if self._level is None:
            self._level = level
        gain = np.clip(self._level / np.maximum(level, 4), 0.4, 2.5)
        if np.abs(gain - 1).max() < 0.03:
            return small
        return cv2.multiply(small, (*gain.tolist(), 1.0), dtype=cv2.CV_8U)

    def _arms(self, covered: np.ndarray, scale: float) -> tuple[tuple[Arm, ...], np.ndarray]:
        s = self.settings
        count, labels, stats, _ = cv2.connectedComponentsWithStats(covered, connectivity=8)
        height, width = covered.shape
        border = np.zeros_like(covered, bool)
        border[:3], border[-3:], border[:, :3], border[:, -3:] = True, True, True, True
        arms, kept = [], np.zeros_like(labels)
        for label in range(1, count):
            x, y, w, h, area = stats[label]
            touches = x <= 2 or y <= 2 or x + w >= width - 2 or y + h >= height - 2
            if not touches or area < s.min_arm_share * covered.size:
                continue
            box = np.s_[y : y + h, x : x + w]
            own = labels[box] == label
            at_border = np.argwhere(own & border[box])
            if len(at_border) < 3:
                continue
            entry = at_border.mean(axis=0) + np.array([y, x])
            inside = np.argwhere(own) + np.array([y, x])
            distance = np.hypot(*(inside - entry).T)
            far = distance >= np.quantile(distance, 0.985)
            tip = inside[far].mean(axis=0)
            if np.hypot(*(tip - entry)) < s.min_arm_reach * width:
                continue
            arms.append(
                Arm(
                    (entry[1] / scale, entry[0] / scale),
                    (tip[1] / scale, tip[0] / scale),
                    int(area / scale**2),
                )
            )
            kept[box][own] = len(arms)
        return tuple(arms), kept


def _change(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Largest difference over the colours, (h, w)."""
    difference = cv2.absdiff(a, b)
    return cv2.max(cv2.max(difference[..., 0], difference[..., 1]), difference[..., 2])
