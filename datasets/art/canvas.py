"""A vector canvas in card millimetres: filled polygons and strokes, supersampled, then area-averaged."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Bgr = tuple[float, float, float]

_SHIFT = 4
_FINE_WIDTH_PX = 1000
CORNER_RADIUS_MM = 3.0


def smooth(points: Sequence[Sequence[float]], closed: bool = False, steps: int = 8) -> Points:
    """Catmull-Rom curve through the points, (N, 2) in the points' own units."""
    p = np.asarray(points, dtype=np.float64)
    padded = np.vstack([p[-1:], p, p[:2]]) if closed else np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    t = np.linspace(0.0, 1.0, steps, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        pieces.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    if not closed:
        pieces.append(p[-1:])
    return np.vstack(pieces)


def arc(
    cx: float,
    cy: float,
    rx: float,
    ry: float,
    start_deg: float = 0.0,
    end_deg: float = 360.0,
    power: float = 2.0,
    steps: int = 0,
) -> Points:
    """Part of a superellipse, (N, 2); angles run clockwise on the picture (y points down) from 3 o'clock."""
    count = steps or max(8, int(abs(end_deg - start_deg) / 6))
    a = np.radians(np.linspace(start_deg, end_deg, count + 1))
    c, s = np.cos(a), np.sin(a)
    x = cx + rx * np.sign(c) * np.abs(c) ** (2 / power)
    y = cy + ry * np.sign(s) * np.abs(s) ** (2 / power)
    return np.stack([x, y], axis=1)


def box(x0: float, y0: float, x1: float, y1: float) -> Points:
    """A rectangle's four corners, (4, 2)."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float64)


def rounded_box(x0: float, y0: float, x1: float, y1: float, radius: float) -> Points:
    """A rectangle with rounded corners, (N, 2)."""
    r = min(radius, abs(x1 - x0) / 2, abs(y1 - y0) / 2)
    return np.vstack(
        [
            arc(x1 - r, y0 + r, r, r, -90, 0),
            arc(x1 - r, y1 - r, r, r, 0, 90),
            arc(x0 + r, y1 - r, r, r, 90, 180),
            arc(x0 + r, y0 + r, r, r, 180, 270),
        ]
    )


@lru_cache(maxsize=32)
def rounded_alpha(width_px: int, height_px: int, radius_px: float) -> npt.NDArray[np.uint8]:
    """Coverage of a rounded rectangle that fills the picture, uint8 (height, width)."""
    fine = 8
    mask = np.zeros((height_px * fine, width_px * fine), np.uint8)
    outline = rounded_box(0, 0, width_px * fine - 1, height_px * fine - 1, radius_px * fine)
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    return np.asarray(cv2.resize(mask, (width_px, height_px), interpolation=cv2.INTER_AREA), np.uint8)


class Canvas:
    """A card-sized drawing surface; coordinates are millimetres from the top left corner.

    `pixels` is BGR uint8, several times finer than the finished picture of `width_px`.
    """

    def __init__(self, width_px: int, width_mm: float, height_mm: float, ground: Bgr) -> None:
        self.width_px = width_px
        self.height_px = round(width_px * height_mm / width_mm)
        self.width_mm = width_mm
        self.height_mm = height_mm
        fine = min(8, max(3, round(_FINE_WIDTH_PX / width_px)))
        self.pixels = np.empty((self.height_px * fine, self.width_px * fine, 3), np.uint8)
        self.pixels[0] = np.round(ground)
        self.pixels[1:] = self.pixels[0]
        self.px_per_mm = self.pixels.shape[1] / width_mm
        self._matrix = np.array(
            [[self.px_per_mm, 0, 0], [0, self.pixels.shape[0] / height_mm, 0], [0, 0, 1.0]]
        )

    @contextmanager
    def placed(
        self, x: float = 0.0, y: float = 0.0, sx: float = 1.0, sy: float | None = None, angle_deg: float = 0.0
    ) -> Iterator[None]:
        """Draw in local units: scaled by (sx, sy), turned clockwise, the origin moved to (x, y)."""
        c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
        high = sx if sy is None else sy
        kept = self._matrix
        self._matrix = kept @ np.array([[c * sx, -s * high, x], [s * sx, c * high, y], [0, 0, 1.0]])
        try:
            yield
        finally:
            self._matrix = kept

    def to_px(self, points: Points) -> Points:
        """Local units to pixels of the fine picture, (N, 2)."""
        placed: Points = np.asarray(points) @ self._matrix[:2, :2].T + self._matrix[:2, 2] - 0.5
        return placed

    def thickness_px(self, width: float) -> int:
        """A stroke width in local units as whole fine pixels, at least 1."""
        return max(1, round(width * math.sqrt(abs(np.linalg.det(self._matrix[:2, :2])))))

    def _fixed(self, points: Points) -> npt.NDArray[np.int32]:
        return np.round(self.to_px(points) * (1 << _SHIFT)).astype(np.int32)

    def fill(self, outlines: Points | Sequence[Points], ink: Bgr) -> None:
        """Fill one outline, or several with the even-odd rule (holes)."""
        many = [outlines] if isinstance(outlines, np.ndarray) and outlines.ndim == 2 else outlines
        cv2.fillPoly(self.pixels, [self._fixed(o) for o in many], ink, lineType=cv2.LINE_8, shift=_SHIFT)

    def stroke(
        self, points: Points | Sequence[Sequence[float]], width: float, ink: Bgr, closed: bool = False
    ) -> None:
        """A line of constant width with round joints and ends."""
        fixed = self._fixed(np.asarray(points, dtype=np.float64))
        cv2.polylines(self.pixels, [fixed], closed, ink, self.thickness_px(width), cv2.LINE_8, _SHIFT)

    def disc(self, x: float, y: float, radius: float, ink: Bgr) -> None:
        """A filled circle (an ellipse where the placement stretches)."""
        self.fill(arc(x, y, radius, radius, steps=40), ink)

    def finish(self, radius_mm: float = CORNER_RADIUS_MM) -> npt.NDArray[np.uint8]:
        """The picture, BGRA uint8 (height_px, width_px, 4), transparent outside the rounded corners."""
        colour = cv2.resize(self.pixels, (self.width_px, self.height_px), interpolation=cv2.INTER_AREA)
        alpha = rounded_alpha(self.width_px, self.height_px, radius_mm * self.width_px / self.width_mm)
        return np.dstack([colour, alpha])
