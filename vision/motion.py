"""What moves over the table: arms, shadows, changes of light. Works on a small copy of each frame."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.patches import inside, quad_mask, scaled
from vision.types import Arm

_THREE, _SEVEN = np.ones((3, 3), np.uint8), np.ones((7, 7), np.uint8)
_AROUND = (9, 9)
"""The brightness of a place is taken from so many pixels around it."""


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
    """What hangs on the border (an arm) must lie still this long ..."""
    shade_level: float = 14.0
    """... unless it is the table in another light: no colour is off by more, once it is as bright ..."""
    shade_gain: tuple[float, float] = (0.5, 1.9)
    """... which it must be by a factor in this range ..."""
    calm_reach: float = 0.04
    """... and nothing has moved this near to it, as a share of the picture's width."""
    card_still_s: float = 1.5
    """A card may be let go by an arm (`let_go`) after it has lain still for longer than a hand that hesitates
    holds one still ..."""
    around_card: float = 1.3
    """... with what lies still around it, so much longer and wider than the card: its pile shows there."""
    min_arm_share: float = 0.003
    """A smaller region on the border, as a share of the picture, is no arm."""
    min_arm_reach: float = 0.05
    """An arm reaches at least this share of the picture's width into it."""
    moved_s: float = 3.0
    """So long after the camera was moved all that is at rest is taken for the table."""
    calm_share: float = 0.3
    """While more of the picture is changed, the table is remembered as it was before that ..."""
    calm_s: float = 2.0
    """... until so long after it was last so."""
    relight_share: float = 0.55
    """If more of the picture changes at once, the light or the camera changed, not the table."""
    apart: float = 0.09
    """Places on the border this far apart, as a share of the picture's width, are two arms."""
    heading_reach: float = 0.13
    """An arm's direction is taken from what lies this near to its entry, as a share of the width."""


@dataclass(frozen=True)
class Motion:
    """One look: `hidden` bool (h, w) where the table cannot be judged, `arms`, `scale` small px per px.

    `small` is the look itself, BGR uint8 (h, w, 3), brought to the light of the first look. `fresh`: how much
    of the picture, as a share, can be seen and is not as it was on the still table.
    """

    hidden: np.ndarray
    arms: tuple[Arm, ...]
    scale: float
    small: np.ndarray
    moving: bool
    relit: bool
    fresh: float = 0.0


class MotionWatch:
    """Compares each frame with the last one and with the still table."""

    def __init__(self, settings: MotionSettings | None = None) -> None:
        self.settings = settings or MotionSettings()
        self._still: np.ndarray | None = None
        self._calm: np.ndarray | None = None
        self._wild_s = self._moved_s = -1e9
        self._last: np.ndarray | None = None
        self._quiet_s: np.ndarray | None = None
        self._t_s = 0.0
        self._level: np.ndarray | None = None
        self._in_arm: np.ndarray | None = None

    def look(self, image: np.ndarray, t_s: float) -> Motion:
        """Take in the frame BGR uint8 (H, W, 3) of time `t_s`."""
        s = self.settings
        scale = s.small_width_px / image.shape[1]
        sharp = self._relevelled(reduced(image, s.small_width_px))
        small = cv2.blur(sharp, (3, 3))
        if self._still is None or self._last is None or self._quiet_s is None:
            self._still, self._last = small.copy(), small
            self._quiet_s = np.zeros(small.shape[:2], np.float32)
            self._t_s = t_s
            nothing = np.zeros(small.shape[:2], bool)
            return Motion(nothing, (), scale, sharp, True, True)
        dt, self._t_s = max(t_s - self._t_s, 0.0), t_s
        self._in_arm = None
        moving = _change(small, self._last, s.moving_level)
        changed = self._changed(small, t_s)
        self._last = small
        relit = cv2.countNonZero(changed) > s.relight_share * changed.size
        if relit:
            self._wild_s = t_s
            self._still = small.copy()
            self._quiet_s[:] = 0
            everything = np.ones(changed.shape, bool)
            return Motion(everything, (), scale, sharp, True, True)
        covered = cv2.morphologyEx(cv2.bitwise_or(moving, changed), cv2.MORPH_CLOSE, _SEVEN)
        covered = cv2.morphologyEx(covered, cv2.MORPH_OPEN, _THREE)
        arms, in_arm = self._arms(covered, scale)
        self._quiet_s += dt
        self._quiet_s[moving > 0] = 0
        in_arm[self._no_arm(small, in_arm)] = 0
        self._in_arm = in_arm
        absorb = self._quiet_s > np.where(in_arm, np.float32(s.absorb_arm_s), np.float32(s.absorb_s))
        cv2.copyTo(small, absorb.view(np.uint8), self._still)
        hidden = cv2.dilate(cv2.bitwise_or(moving, in_arm), _SEVEN) > 0
        stirring = cv2.countNonZero(moving) > 0.0004 * moving.size
        fresh = cv2.countNonZero(cv2.bitwise_and(changed, 1 - hidden.view(np.uint8))) / changed.size
        return Motion(hidden, arms, scale, sharp, stirring or bool(arms), False, fresh)

    def moved(self) -> None:
        """The camera or the table was moved: what is at rest now is the table, also on the border."""
        self._moved_s = self._t_s

    def holds(self, quad: np.ndarray) -> bool:
        """Whether the place `quad` (4, 2), in px of the small picture, is taken for part of an arm though it
        has lain still for a while: a card that an arm left behind looks like this, and one that it covers."""
        if self._in_arm is None or self._quiet_s is None:
            return False
        held = inside(self._in_arm, quad).any()
        return bool(held and inside(self._quiet_s, quad).min() > self.settings.card_still_s)

    def let_go(self, quad: np.ndarray) -> None:
        """A card lies in the place `quad` (4, 2), in px of the small picture, and no hand on it: it is of
        the table, with what lies still around it."""
        if self._in_arm is None or self._still is None or self._last is None or self._quiet_s is None:
            return
        height, width = self._in_arm.shape
        around = quad_mask(scaled(quad, self.settings.around_card), (0, 0, width, height)) > 0
        let_go = around & (self._quiet_s > self.settings.card_still_s)
        self._still[let_go] = self._last[let_go]

    def _no_arm(self, small: np.ndarray, in_arm: np.ndarray) -> np.ndarray:
        """Where what hangs on the border, bool (h, w), is no arm: the still table, with the shadow that an
        arm or a person cast on it gone or come while an arm lay over it, or elsewhere since it was moved."""
        s = self.settings
        if not in_arm.any():
            return in_arm > 0
        assert self._still is not None and self._quiet_s is not None
        quiet = (self._quiet_s > s.absorb_s).view(np.uint8)
        reach = 2 * round(s.calm_reach * small.shape[1]) + 1
        calm = cv2.bitwise_and(cv2.erode(quiet, np.ones((reach, reach), np.uint8)), in_arm) > 0
        if self._t_s - self._moved_s < s.moved_s or not calm.any():
            return calm
        bright_now, bright_still = (
            np.maximum(cv2.blur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), _AROUND), 1).astype(np.float32)
            for picture in (small, self._still)
        )
        gain = bright_now / bright_still
        lit = self._still * gain[..., None]
        off = np.abs(small - lit).max(axis=2)
        like = (off < s.shade_level) & (gain > s.shade_gain[0]) & (gain < s.shade_gain[1])
        return np.asarray(calm & like)

    def _changed(self, small: np.ndarray, t_s: float) -> np.ndarray:
        """255 where the look is neither as the still table nor as that was before something large came."""
        s = self.settings
        assert self._still is not None
        changed = _change(small, self._still, s.changed_level)
        if cv2.countNonZero(changed) >= s.calm_share * changed.size:
            self._wild_s = t_s
        if self._calm is None or t_s - self._wild_s > s.calm_s:
            self._calm = self._still.copy()
            return changed
        return cv2.bitwise_and(changed, _change(small, self._calm, s.changed_level))

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
        """The arms of this look and a mask uint8 (h, w), 255 where one lies.

        Arms that touch are one blob with several entries: each pixel goes to the arm on whose axis it lies.
        """
        s = self.settings
        count, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(
            covered, 8, cv2.CV_32S, cv2.CCL_GRANA
        )
        height, width = covered.shape
        arms, mask = [], np.zeros_like(covered)
        for label in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[label])
            touches = x <= 2 or y <= 2 or x + w >= width - 2 or y + h >= height - 2
            if not touches or area < s.min_arm_share * covered.size:
                continue
            box = np.s_[y : y + h, x : x + w]
            own = labels[box] == label
            ys, xs = (part.astype(np.float64) for part in np.nonzero(own))
            points = np.column_stack([xs + x, ys + y])
            entries = _entries(points, (width, height), s.apart * width)
            axes = [_outward(points, entry, s.heading_reach * width) for entry in entries]
            parts = _parted(points, entries, axes)
            found = [
                _arm(part, entry, outward, scale)
                for part, entry, outward in zip(parts, entries, axes, strict=True)
                if len(part)
            ]
            reaching = [arm for arm in found if _reach(arm) * scale >= s.min_arm_reach * width]
            if reaching:
                arms += reaching
                mask[box][own] = 255
        return tuple(arms), mask


def _arm(points: np.ndarray, entry: np.ndarray, outward: np.ndarray, scale: float) -> Arm:
    """The arm that covers `points` (n, 2) of the small picture; its tip is what lies farthest in."""
    distance = np.hypot(*(points - entry).T)
    tip = points[distance >= np.quantile(distance, 0.985)].mean(axis=0)
    return Arm(
        (float(entry[0] / scale), float(entry[1] / scale)),
        (float(tip[0] / scale), float(tip[1] / scale)),
        int(len(points) / scale**2),
        (float(outward[0]), float(outward[1])),
    )


def _reach(arm: Arm) -> float:
    return float(np.hypot(arm.tip[0] - arm.entry[0], arm.tip[1] - arm.entry[1]))


def _entries(points: np.ndarray, size: tuple[int, int], apart: float) -> list[np.ndarray]:
    """The middles of the stretches of the border on which a blob lies; two stretches lie `apart` px."""
    width, height = size
    xs, ys = points.T
    gaps = np.stack([ys, width - 1 - xs, height - 1 - ys, xs])
    rim = gaps.min(axis=0) < 3
    if np.count_nonzero(rim) < 3:
        return []
    xs, ys, side = xs[rim], ys[rim], gaps[:, rim].argmin(axis=0)
    along = np.choose(side, [xs, width + ys, 2 * width + height - xs, 2 * (width + height) - ys])
    order = np.argsort(along, kind="stable")
    number = np.concatenate([[0], np.cumsum(np.diff(along[order]) > apart)])
    around = along[order[0]] + 2 * (width + height) - along[order[-1]]
    if number[-1] > 0 and around <= apart:
        number[number == number[-1]] = 0
    rims = np.column_stack([xs, ys])[order]
    stretches = [rims[number == n] for n in range(int(number.max()) + 1)]
    return [stretch.mean(axis=0) for stretch in stretches if len(stretch) >= 3]


def _outward(points: np.ndarray, entry: np.ndarray, reach: float) -> np.ndarray:
    """The direction from which an arm comes, from its part near the entry: a unit vector."""
    near = points[np.hypot(*(points - entry).T) < reach]
    inward = near.mean(axis=0) - entry
    return np.asarray(-inward / max(float(np.hypot(*inward)), 1e-6))


def _parted(points: np.ndarray, entries: list[np.ndarray], axes: list[np.ndarray]) -> list[np.ndarray]:
    """The points of a blob, one array an arm: those nearest to the ray from each entry inward."""
    if len(entries) < 2:
        return [points for _ in entries]
    beside = []
    for entry, outward in zip(entries, axes, strict=True):
        along = (points - entry) @ -outward
        across = np.abs((points - entry) @ np.array([-outward[1], outward[0]]))
        beside.append(np.where(along > 0, across, np.hypot(along, across)))
    nearest = np.argmin(beside, axis=0)
    return [points[nearest == number] for number in range(len(entries))]


def reduced(image: np.ndarray, width_px: int) -> np.ndarray:
    """A copy of the picture `width_px` wide, each pixel the mean of what it covers."""
    size = (width_px, max(1, round(image.shape[0] * width_px / image.shape[1])))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def _change(a: np.ndarray, b: np.ndarray, level: float) -> np.ndarray:
    """255 where the largest difference over the colours exceeds `level`, else 0; uint8 (h, w)."""
    difference = cv2.inRange(cv2.absdiff(a, b), (0, 0, 0), (level, level, level))
    return cv2.bitwise_not(difference, difference)
