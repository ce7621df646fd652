"""A pinhole camera above a table: table millimetres to picture pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TableCamera:
    """Where a point of the table plane appears.

    `matrix` float64 (3, 3) maps table mm (x, y, 1) to pixels; `size_px` is (width, height).
    """

    matrix: np.ndarray
    size_px: tuple[int, int]

    @classmethod
    def above(
        cls,
        size_px: tuple[int, int],
        px_per_mm: float,
        *,
        tilt_deg: float = 0.0,
        azimuth_deg: float = 0.0,
        roll_deg: float = 0.0,
        focal: float = 1.1,
        centre_mm: tuple[float, float] = (0.0, 0.0),
    ) -> TableCamera:
        """A camera that looks at `centre_mm` with `px_per_mm` there.

        `tilt_deg` is the angle from the vertical, `azimuth_deg` the side from which it looks, `focal` the
        focal length in picture widths.
        """
        width, height = size_px
        focal_px = focal * width
        distance_mm = focal_px / px_per_mm
        tilt, azimuth, roll = (math.radians(a) for a in (tilt_deg, azimuth_deg, roll_deg))
        turn = _about_z(azimuth)
        lean = np.array(
            [[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]]
        )
        rotation = _about_z(roll) @ lean @ turn
        intrinsics = np.array([[focal_px, 0, width / 2], [0, focal_px, height / 2], [0, 0, 1]])
        shift = np.array([[1, 0, -centre_mm[0]], [0, 1, -centre_mm[1]], [0, 0, 1]])
        pose = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance_mm]])
        matrix = intrinsics @ pose @ shift
        return cls(matrix / matrix[2, 2], size_px)

    def project(self, points_mm: np.ndarray) -> np.ndarray:
        """Pixels float64 (n, 2) of table points (n, 2)."""
        return _map(self.matrix, points_mm)

    def unproject(self, points_px: np.ndarray) -> np.ndarray:
        """Table millimetres float64 (n, 2) of pixels (n, 2)."""
        return _map(np.linalg.inv(self.matrix), points_px)

    def px_per_mm(self, point_mm: tuple[float, float]) -> float:
        """Local scale at a table point: square root of the area that a square millimetre covers."""
        x, y = point_mm
        square = self.project(np.array([[x, y], [x + 1, y], [x, y + 1]]))
        return float(np.sqrt(abs(np.linalg.det(np.stack([square[1] - square[0], square[2] - square[0]])))))

    def view_mm(self) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 of a rectangle of the table that lies in the picture (rough for tilted cameras)."""
        width, height = self.size_px
        edge = self.unproject(
            np.array([[width * 0.5, 0], [width * 0.5, height], [0, height * 0.5], [width, height * 0.5]])
        )
        corners = self.unproject(np.array([[0, 0], [width, 0], [width, height], [0, height]]))
        points = np.concatenate([edge, corners])
        xs, ys = np.sort(points[:, 0]), np.sort(points[:, 1])
        return float(xs[1]), float(ys[1]), float(xs[-2]), float(ys[-2])


def _about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _map(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    homogeneous = np.column_stack([np.asarray(points, np.float64), np.ones(len(points))]) @ matrix.T
    return homogeneous[:, :2] / homogeneous[:, 2:]


def card_corners_mm(
    centre_mm: tuple[float, float], angle_deg: float, size_mm: tuple[float, float]
) -> np.ndarray:
    """Corners (4, 2) of a card in table mm, clockwise from the top-left of its own picture."""
    half_w, half_h = size_mm[0] / 2, size_mm[1] / 2
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    own = np.array([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]])
    return own @ np.array([[c, s], [-s, c]]) + np.asarray(centre_mm)
