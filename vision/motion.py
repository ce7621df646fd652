"""What moves over the table: arms, shadows, changes of light. Works on a small copy of each frame."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.types import Arm

_THREE, _SEVEN = np.ones((3, 3), np.uint8), np.ones((7, 7), np.uint8)


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
        small = self._relevelled(cv2.blur(reduced(image, s.small_width_px), (3, 3)))
        if self._still is None or self._last is None or self._quiet_s is None:
            self._still, self._last = small.copy(), small
            self._quiet_s = np.zeros(small.shape[:2], np.float32)
            self._t_s = t_s
            nothing = np.zeros(small.shape[:2], bool)
            return Motion(nothing, (), nothing.astype(np.int32), scale, small, True, True)
        dt, self._t_s = max(t_s - self._t_s, 0.0), t_s
        moving = _change(small, self._last, s.moving_level)
        changed = _change(small, self._still, s.changed_level)
        self._last = small
        relit = cv2.countNonZero(changed) > s.relight_share * changed.size
        if relit:
            self._still = small.copy()
            self._quiet_s[:] = 0
            everything = np.ones(changed.shape, bool)
            return Motion(everything, (), np.zeros(changed.shape, np.int32), scale, small, True, True)
        covered = cv2.morphologyEx(cv2.bitwise_or(moving, changed), cv2.MORPH_CLOSE, _SEVEN)
        covered = cv2.morphologyEx(covered, cv2.MORPH_OPEN, _THREE)
        arms, labels = self._arms(covered, scale)
        in_arm = (labels > 0).view(np.uint8)
        self._quiet_s += dt
        self._quiet_s[moving > 0] = 0
        absorb = self._quiet_s > np.where(in_arm, np.float32(s.absorb_arm_s), np.float32(s.absorb_s))
        cv2.copyTo(small, absorb.view(np.uint8), self._still)
        hidden = cv2.dilate(cv2.bitwise_or(moving, in_arm * np.uint8(255)), _SEVEN) > 0
        stirring = cv2.countNonZero(moving) > 0.0004 * moving.size
        return Motion(hidden, arms, labels, scale, small, stirring or bool(arms), False)

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
        count, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(
            covered, 8, cv2.CV_32S, cv2.CCL_GRANA
        )
        height, width = covered.shape
        arms, kept = [], np.zeros_like(labels)
        for label in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[label])
            touches = x <= 2 or y <= 2 or x + w >= width - 2 or y + h >= height - 2
            if not touches or area < s.min_arm_share * covered.size:
                continue
            box = np.s_[y : y + h, x : x + w]
            own = labels[box] == label
            ys, xs = (part.astype(np.float64) for part in np.nonzero(own))
            xs, ys = xs + x, ys + y
            rim = (xs < 3) | (ys < 3) | (xs >= width - 3) | (ys >= height - 3)
            if np.count_nonzero(rim) < 3:
                continue
            entry = float(xs[rim].mean()), float(ys[rim].mean())
            distance = np.hypot(xs - entry[0], ys - entry[1])
            far = distance >= np.quantile(distance, 0.985)
            tip = float(xs[far].mean()), float(ys[far].mean())
            if np.hypot(tip[0] - entry[0], tip[1] - entry[1]) < s.min_arm_reach * width:
                continue
            arms.append(
                Arm(
                    (entry[0] / scale, entry[1] / scale),
                    (tip[0] / scale, tip[1] / scale),
                    int(area / scale**2),
                )
            )
            kept[box][own] = len(arms)
        return tuple(arms), kept


def reduced(image: np.ndarray, width_px: int) -> np.ndarray:
    """A copy of the picture `width_px` wide, each pixel the mean of what it covers."""
    size = (width_px, max(1, round(image.shape[0] * width_px / image.shape[1])))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def _change(a: np.ndarray, b: np.ndarray, level: float) -> np.ndarray:
    """255 where the largest difference over the colours exceeds `level`, else 0; uint8 (h, w)."""
    difference = cv2.inRange(cv2.absdiff(a, b), (0, 0, 0), (level, level, level))
    return cv2.bitwise_not(difference, difference)
