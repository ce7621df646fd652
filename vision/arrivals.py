"""When a card came to rest and whose arm brought it, told from the looks of the last seconds."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.motion import Motion
from vision.patches import Patch
from vision.types import Arm

HISTORY_S = 5.0
EVERY_S = 0.045
"""Looks are kept this far apart at least: faster cameras add memory, not knowledge."""
COVERED_SHARE = 0.15
"""A place of which more lies under arms or movement cannot be judged."""
UNLIKE, LIKE = 40, 30
"""Pixels that differ by more tell two pictures apart; a pixel nearer than `LIKE` is the same."""
LEAST_TELLING = 0.08
"""Two pictures of a place of which less differs cannot be told apart under a hand."""
LEAST_SEEN, CLEARLY = 0.12, 2.5
"""A look decides if this share of the telling pixels is seen, and so many times more are of one picture."""
LEAST_SHOWN, OTHER_LEVEL = 0.5, 10.0
"""A look that shows this share of a place tells that something else lay there; mean change in grey levels."""
LEAST_SHOWN_SAME, SAME_LEVEL = 0.25, 7.0
"""A look that shows this share of a place tells that this very card lay there if the change is below this."""
BESIDE_S = 0.11
"""The arm that brought a card is over it this long before and after it came to rest."""
REACH = 2.2
"""An arm whose tip comes no nearer (card widths) brought nothing."""
RIVAL_REACH = 1.1
"""A second arm whose tip comes this near may have brought a card too."""
LATE_REACH, DWELL_S = 0.7, 0.12
"""One that comes later and stays this near for so long may have brought the upper card."""
OTHER_ENTRY = 2.5
"""Entries this far apart (card widths) are those of two arms."""
BEYOND = (1.0, 2.4)
"""An arm that lies over a place and goes on this far beyond it (card widths) only passes over it."""
BEYOND_WEIGHT, TIP_WEIGHT = 0.5, 0.1
SURE_LEAD = 0.6
"""An arm whose fit is this much better than any other's is certainly the one."""
VISIT_APART = 2.2
"""An arm whose tip went this far away (card widths) in between came twice."""
BLIND_S = 0.42
"""In so much time under a hand another card may have come and been covered."""


@dataclass(frozen=True, slots=True)
class Brought:
    """How a card came: when it rested, the arm, how surely that arm (0-1), and whether another card may have
    come unseen meanwhile. `other_s`: when that other one most likely came, where hands lay over the place.
    `stood_s`: when the place was last seen to look as at the first look."""

    t_s: float
    arm: Arm | None
    share: float
    contested: bool
    other_s: float | None = None
    stood_s: float | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """One look that is remembered."""

    t_s: float
    frame: int
    hidden: np.ndarray
    small: np.ndarray
    arms: tuple[Arm, ...]
    scale: float

    def covers(self, centre: np.ndarray, width_px: float) -> bool:
        """Whether the middle of the place is hidden."""
        x, y = centre * self.scale
        r = max(1, int(width_px * self.scale * 0.35))
        y0, x0 = max(int(y) - r, 0), max(int(x) - r, 0)
        part = self.hidden[y0 : int(y) + r + 1, x0 : int(x) + r + 1]
        return bool(part.size and np.count_nonzero(part) > COVERED_SHARE * part.size)

    def hidden_at(self, points: np.ndarray) -> float:
        """The share of points (n, 2) px that is hidden; those out of the picture do not count."""
        x, y = np.round(points.T * self.scale).astype(int)
        height, width = self.hidden.shape
        within = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        return float(self.hidden[y[within], x[within]].mean()) if within.any() else 0.0


class History:
    """The looks of the last seconds, oldest first."""

    def __init__(self) -> None:
        self._moments: deque[Moment] = deque()

    def __len__(self) -> int:
        return len(self._moments)

    def add(self, motion: Motion, frame: int, t_s: float) -> None:
        """Remember a look."""
        if self._moments and t_s - self._moments[-1].t_s < EVERY_S:
            return
        self._moments.append(Moment(t_s, frame, motion.hidden, motion.small, motion.arms, motion.scale))
        while t_s - self._moments[0].t_s > HISTORY_S:
            self._moments.popleft()

    def passed_over(self, centre: np.ndarray, width_px: float, since_s: float) -> bool:
        """Whether something lay over the place after `since_s`."""
        for moment in reversed(self._moments):
            if moment.t_s <= since_s:
                return False
            if moment.covers(centre, width_px):
                return True
        return False

    def frame_before(self, frame: int) -> int:
        """The look before a frame."""
        return next((m.frame for m in reversed(self._moments) if m.frame < frame), frame)

    def cover(self, centre: np.ndarray, width_px: float, until_s: float) -> list[Moment]:
        """The looks of the last stretch of cover of a place before `until_s`, and the look before it.

        A short sight of the place between two arms does not end the stretch. Empty where nothing covered it.
        """
        moments = [m for m in self._moments if m.t_s <= until_s]
        first, waited = None, 0
        for index in range(len(moments) - 1, -1, -1):
            if moments[index].covers(centre, width_px):
                first, waited = index, 0
            elif first is not None or waited > 12:
                break
            else:
                waited += 1
        return [] if first is None else moments[max(first - 1, 0) :]

    def since(self, since_s: float, until_s: float) -> list[Moment]:
        """The looks between two times, with the last one not after `since_s`."""
        moments = [m for m in self._moments if m.t_s <= until_s]
        first = next((i for i in range(len(moments) - 1, -1, -1) if moments[i].t_s <= since_s), 0)
        return moments[first:]


def brought(moments: Sequence[Moment], centre: np.ndarray, width_px: float, patch: Patch | None) -> Brought:
    """How a card with this place and look came, from the looks between the place without it and with it."""
    earliest, latest = (moments[0].t_s, moments[-1].t_s) if patch is None else _rested_between(moments, patch)
    near = [
        (float(np.hypot(arm.tip[0] - centre[0], arm.tip[1] - centre[1])) / width_px, moment, arm)
        for moment in moments
        for arm in moment.arms
    ]
    t_s = latest
    if latest - earliest > 2.5 * EVERY_S:
        # A hand lay over it: the card rested when the tip was nearest.
        under = [(d, m.t_s) for d, m, _ in near if d < REACH and earliest - 1e-6 <= m.t_s <= latest]
        least = min(under, default=(0.0, latest))[0]
        t_s = max((t for d, t in under if d <= least + 0.22), default=latest)
    other_s = None if patch is None else _another_between(moments, patch)
    if other_s is None and latest - earliest > BLIND_S:
        other_s = (earliest + latest) / 2
    blind = other_s is not None
    fits = [
        (_fit(moment, arm, centre, width_px, distance), arm)
        for distance, moment, arm in near
        if abs(moment.t_s - t_s) <= BESIDE_S
    ]
    if not fits:
        return Brought(t_s, None, 0.0, blind, other_s, earliest)
    best, arm = max(fits, key=lambda item: item[0])
    if best < 0:
        return Brought(t_s, None, 0.0, blind, other_s, earliest)
    rivals = [fit for fit, other in fits if _others(arm, other, width_px)]
    lead = best - max(rivals, default=best - SURE_LEAD)
    share = float(np.clip(0.5 + 0.5 * lead / SURE_LEAD, 0.5, 1.0))
    seen_s = moments[-1].t_s if patch is None else _seen_from(moments, patch, t_s)
    stays = [
        moment.t_s
        for d, moment, other in near
        if t_s + BESIDE_S < moment.t_s < seen_s and d < LATE_REACH and _others(arm, other, width_px)
    ]
    if stays and stays[-1] - stays[0] >= DWELL_S:
        # Under a hand two cards of one colour look alike: the later arm may have put one on the other.
        share = 0.5
    visits = _visits(near, arm, width_px)
    if len(visits) > 1:
        own = min(range(len(visits)), key=lambda number: abs(visits[number] - t_s))
        other_s = visits[own - 1] if own > 0 else visits[1]
    return Brought(t_s, arm, share, other_s is not None, other_s, earliest)


def _fit(moment: Moment, arm: Arm, centre: np.ndarray, width_px: float, distance: float) -> float:
    """How well an arm explains a hand at a place: covered from its entry to there and not beyond."""
    entry = np.array(arm.entry)
    way = centre - entry
    length = max(float(np.hypot(*way)), 1e-6)
    ahead = way / length
    up_to = entry + np.linspace(0.05, max(1 - 0.5 * width_px / length, 0.1), 24)[:, None] * way
    beyond = centre + np.linspace(*BEYOND, 8)[:, None] * width_px * ahead
    covered = moment.hidden_at(up_to) - BEYOND_WEIGHT * moment.hidden_at(beyond)
    return covered - TIP_WEIGHT * min(distance, 4.0)


def _others(a: Arm, b: Arm, width_px: float) -> bool:
    """Whether these are two arms."""
    apart_px = float(np.hypot(a.entry[0] - b.entry[0], a.entry[1] - b.entry[1]))
    return apart_px > OTHER_ENTRY * width_px


def _rested_between(moments: Sequence[Moment], patch: Patch) -> tuple[float, float]:
    """The last look at which the place still looked as before, and the first at which it looks as now.

    Only pixels in which both pictures differ are asked; those under a hand are like neither.
    """
    x0, y0, x1, y1 = patch.box
    before, after = moments[0].small[y0:y1, x0:x1], patch.picture
    telling = (_apart(before, after) > UNLIKE) & (patch.mask > 0)
    count = int(np.count_nonzero(telling))
    if count < LEAST_TELLING * cv2.countNonZero(patch.mask):
        return moments[0].t_s, moments[-1].t_s
    latest = moments[-1].t_s
    for moment in reversed(moments[:-1]):
        now = moment.small[y0:y1, x0:x1]
        new = int(np.count_nonzero((_apart(now, after) < LIKE) & telling))
        old = int(np.count_nonzero((_apart(now, before) < LIKE) & telling))
        if max(new, old) < LEAST_SEEN * count:
            continue
        if old > CLEARLY * new:
            return moment.t_s, latest
        if new > CLEARLY * old:
            latest = moment.t_s
    return moments[0].t_s, latest


def _another_between(moments: Sequence[Moment], patch: Patch) -> float | None:
    """When the place showed something that is neither what lay there before nor what lies there now."""
    x0, y0, x1, y1 = patch.box
    before = Patch(patch.box, moments[0].small[y0:y1, x0:x1], patch.mask)
    for moment in moments[1:]:
        shown, change = patch.change(moment.small, moment.hidden)
        if shown < LEAST_SHOWN or change < OTHER_LEVEL:
            continue
        if before.change(moment.small, moment.hidden)[1] >= OTHER_LEVEL:
            return moment.t_s
    return None


def _seen_from(moments: Sequence[Moment], patch: Patch, since_s: float) -> float:
    """When the place was first seen after `since_s` to look just as now; if never, the last look's time."""
    for moment in moments:
        if moment.t_s >= since_s:
            shown, change = patch.change(moment.small, moment.hidden)
            if shown >= LEAST_SHOWN_SAME and change < SAME_LEVEL:
                return moment.t_s
    return moments[-1].t_s


def _apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.absdiff(a, b).max(axis=2))


def _visits(near: Sequence[tuple[float, Moment, Arm]], bringer: Arm, width_px: float) -> list[float]:
    """When arms were nearest to the place, each time that one reached it, in order."""
    arms: list[tuple[Arm, dict[float, float]]] = [(bringer, {})]
    for distance, moment, arm in near:
        seen = next((seen for known, seen in arms if not _others(arm, known, width_px)), None)
        if seen is None:
            arms.append((arm, seen := {}))
        # An arm that is seen in two parts is as near as its nearer part.
        seen[moment.t_s] = min(distance, seen.get(moment.t_s, distance))
    visits: list[float] = []
    for _, seen in arms:
        least: float | None = None
        for t_s, distance in seen.items():
            if least is None and distance < RIVAL_REACH:
                least = distance
                visits.append(t_s)
            elif least is not None and distance < least:
                least, visits[-1] = distance, t_s
            elif distance > VISIT_APART:
                least = None
    return sorted(visits)
