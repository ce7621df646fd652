"""Found cards held against true ones."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Quad = NDArray[np.float32]


def quad_iou(a: Quad, b: Quad) -> float:
    """Intersection over union of two convex quads (4, 2), 0-1."""
    shared, _ = cv2.intersectConvexConvex(_ccw(a), _ccw(b))
    union = cv2.contourArea(a) + cv2.contourArea(b) - shared
    return float(shared / union) if union > 0 else 0.0


def _ccw(quad: Quad) -> Quad:
    hull: Quad = cv2.convexHull(quad.astype(np.float32)).reshape(-1, 2).astype(np.float32)
    return hull


def match(found: Sequence[Quad], true: Sequence[Quad], at_least: float = 0.5) -> list[tuple[int, int, float]]:
    """Pairs (found, true, IoU) of the assignment with the largest total IoU, each at least `at_least`."""
    if not found or not true:
        return []
    table = np.zeros((len(found), len(true)))
    centres = np.array([q.mean(axis=0) for q in true])
    reach = np.array([np.linalg.norm(q[2] - q[0]) for q in true])
    for i, quad in enumerate(found):
        near = np.flatnonzero(np.linalg.norm(centres - quad.mean(axis=0), axis=1) < reach)
        for j in map(int, near):
            table[i, j] = quad_iou(quad, true[j])
    rows, columns = linear_sum_assignment(-table)
    return [
        (int(i), int(j), float(table[i, j]))
        for i, j in zip(rows, columns, strict=True)
        if table[i, j] >= at_least
    ]


def box_iou(a: Sequence[float], b: Sequence[float]) -> float:
    """Intersection over union of two upright boxes x0, y0, x1, y1."""
    wide = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    high = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    shared = wide * high
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared
    return shared / union if union > 0 else 0.0


class Share:
    """A count of right ones among all, that prints as a share."""

    def __init__(self) -> None:
        self.right, self.total = 0, 0

    def add(self, right: bool | int, total: int = 1) -> None:
        """Count `right` out of `total`."""
        self.right += int(right)
        self.total += total

    @property
    def value(self) -> float | None:
        """The share 0-1, None of nothing."""
        return self.right / self.total if self.total else None

    def __str__(self) -> str:
        value = self.value
        return "-" if value is None else f"{value:.4f} ({self.right}/{self.total})"
