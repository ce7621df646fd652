"""Oriented boxes as rows (n, 7): x, y, w, h in px, angle in radians, score, class."""

from __future__ import annotations

import numpy as np


def suppress(
    rows: np.ndarray, max_overlap: float, look: np.ndarray | None = None, across: float = 0.5
) -> list[int]:
    """Indices of the boxes to keep, best first: greedy suppression by their overlap.

    Boxes of different looks (`look` (n,) numbers them) may overlap by no more than `across`.
    """
    kept: list[int] = []
    alive = np.ones(len(rows), bool)
    shapes = _covariance(rows)
    for index in np.argsort(-rows[:, 5], kind="stable"):
        if not alive[index]:
            continue
        kept.append(int(index))
        most = max_overlap if look is None else np.where(look == look[index], max_overlap, across)
        alive &= _overlaps(rows, shapes, rows[index]) <= most
    return kept


def _overlaps(rows: np.ndarray, shapes: np.ndarray, one: np.ndarray) -> np.ndarray:
    """Probabilistic IoU 0-1 of each of `rows` (n, 7), whose covariances are `shapes` (3, n), with `one` (7,).

    It is the Hellinger distance of Gaussians that stand for the boxes (Murrugarra-Llerena et al.,
    "Probabilistic Intersection-over-Union for training and evaluation of oriented object detectors", 2024).
    """
    a, b, c = shapes
    a1, b1, c1 = _covariance(one[None])[:, 0]
    sa, sb, sc = a + a1, b + b1, c + c1
    dx, dy = rows[:, 0].astype(np.float64) - one[0], rows[:, 1].astype(np.float64) - one[1]
    determinant = sa * sb - sc * sc + 1e-9
    distance = (sa * dy * dy + sb * dx * dx - 2 * sc * dx * dy) / determinant / 4
    own = np.sqrt(np.maximum(a * b - c * c, 0) * max(a1 * b1 - c1**2, 0))
    distance += np.log(determinant / (4 * own + 1e-9) + 1e-9) / 2
    return np.asarray(1 - np.sqrt(np.clip(1 - np.exp(-np.clip(distance, 0, 100)), 0, 1)))


def _covariance(rows: np.ndarray) -> np.ndarray:
    """Variance across, variance down and covariance (3, n) of boxes filled evenly."""
    wide, high = rows[:, 2].astype(np.float64) ** 2 / 12, rows[:, 3].astype(np.float64) ** 2 / 12
    cos, sin = np.cos(rows[:, 4].astype(np.float64)), np.sin(rows[:, 4].astype(np.float64))
    return np.stack([wide * cos**2 + high * sin**2, wide * sin**2 + high * cos**2, (wide - high) * cos * sin])


def of_one_size(rows: np.ndarray, kept: list[int], least_size: float) -> list[int]:
    """`kept` without boxes that lie in each other at sizes that cards of one table cannot have.

    Where a box holds the centres of much narrower ones, either it is a card and they are pictures printed on
    it, or they are cards and it spans several of them: the surer side stays.
    """
    wide = rows[:, 2:4].min(axis=1)
    alive = dict.fromkeys(kept, True)
    for outer in sorted(kept, key=lambda index: -wide[index]):
        narrow = [index for index in kept if alive[index] and wide[index] < least_size * wide[outer]]
        others = np.array(narrow, int)
        if not alive[outer] or len(others) == 0:
            continue
        dx, dy = rows[others, 0] - rows[outer, 0], rows[others, 1] - rows[outer, 1]
        cos, sin = np.cos(rows[outer, 4]), np.sin(rows[outer, 4])
        across, along = np.abs(dx * cos + dy * sin), np.abs(dy * cos - dx * sin)
        inner = others[(across < rows[outer, 2] / 2) & (along < rows[outer, 3] / 2)]
        if len(inner) == 0:
            continue
        if np.median(rows[inner, 5]) > rows[outer, 5]:
            alive[outer] = False
        else:
            alive.update(dict.fromkeys(inner.tolist(), False))
    return [index for index in kept if alive[index]]


def turned_back(rows: np.ndarray, height_px: float) -> np.ndarray:
    """`rows` found in a picture that was turned clockwise by a quarter, in the upright one of `height_px`."""
    back = rows.copy()
    back[:, 0], back[:, 1] = rows[:, 1], height_px - rows[:, 0]
    back[:, 4] = rows[:, 4] - np.pi / 2
    return back


def joined(
    one: np.ndarray, other: np.ndarray, least_overlap: float, once_share: float
) -> tuple[np.ndarray, np.ndarray]:
    """The boxes of two looks at the same picture as one: a box of both is the mean of the two.

    Pairs overlap by `least_overlap` at least; the surest boxes of `one` choose first. A box of one look alone
    keeps `once_share` of its score. Places and sizes are weighted by the scores, which are averaged.

    Returns the boxes and for each the number of its look (n,): 1 of those of `other` alone, 0 of the rest.
    """
    one, other = _upright(one), _upright(other)
    free, shapes = np.ones(len(other), bool), _covariance(other)
    rows = []
    for box in one[np.argsort(-one[:, 5], kind="stable")]:
        overlap = np.where(free, _overlaps(other, shapes, box), 0.0)
        if overlap.max(initial=0.0) < least_overlap:
            rows.append(_once(box, once_share))
            continue
        partner = int(overlap.argmax())
        free[partner] = False
        rows.append(_mean(box, other[partner]))
    look = np.repeat([0, 1], [len(rows), int(free.sum())])
    rows += [_once(box, once_share) for box in other[free]]
    return np.array(rows, np.float32).reshape(-1, 7), look


def _upright(rows: np.ndarray) -> np.ndarray:
    """The same boxes with the width as the shorter edge."""
    rows = rows.copy()
    across = rows[:, 2] > rows[:, 3]
    rows[across, 2:4] = rows[across, 3:1:-1]
    rows[across, 4] += np.pi / 2
    return rows


def _once(box: np.ndarray, share: float) -> np.ndarray:
    box = box.copy()
    box[5] *= share
    return box


def _mean(box: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Of two boxes whose width is the shorter edge; the class is that of the surer one."""
    weight = other[5] / (box[5] + other[5])
    turn = (other[4] - box[4] + np.pi / 2) % np.pi - np.pi / 2
    if abs(turn) > np.pi / 4:
        # Nearly square: what is the width of one is the height of the other.
        other = other[[0, 1, 3, 2, 4, 5, 6]]
        turn -= np.copysign(np.pi / 2, turn)
    mean = box + weight * (other - box)
    mean[4], mean[5] = box[4] + weight * turn, (box[5] + other[5]) / 2
    mean[6] = box[6] if box[5] >= other[5] else other[6]
    return mean
