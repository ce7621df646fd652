"""The printed sheet on a drawn table, seen by a camera of which everything is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from datasets.camera import TableCamera
from datasets.light import Light, compress, expose
from datasets.surfaces import Surfaces
from vision.sheet import SIZE_MM, draw_board

MARGIN_MM = 12
PRINT_PX_PER_MM = 10
PAPER, INK = 228, 34
"""How bright paper and ink are in a well exposed picture."""
WHITE = Light(kelvin=5000, balance=1.0, noise=0.0, jpeg=92, blur_px=0.5)


@dataclass(frozen=True)
class Shot:
    """A picture with its camera; `to_table` (3, 3) takes sheet mm to the camera's table mm."""

    image: np.ndarray
    camera: TableCamera
    to_table: np.ndarray
    tilt_deg: float

    def sheet_to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Where points (n, 2) of the sheet truly are, px."""
        matrix = self.camera.matrix @ self.to_table
        return cv2.perspectiveTransform(np.asarray(points_mm, float).reshape(-1, 1, 2), matrix).reshape(-1, 2)


@cache
def surfaces() -> Surfaces:
    """A few table tops."""
    return Surfaces("test", 4)


@cache
def paper() -> np.ndarray:
    """The sheet with its white margin."""
    margin = MARGIN_MM * PRINT_PX_PER_MM
    board = np.where(draw_board(PRINT_PX_PER_MM) > 0, PAPER, INK).astype(np.uint8)
    framed = cv2.copyMakeBorder(board, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=PAPER)
    return cv2.cvtColor(framed, cv2.COLOR_GRAY2BGR)


def shoot(
    seed: int = 1,
    *,
    size_px: tuple[int, int] = (1280, 720),
    px_per_mm: float = 1.2,
    tilt_deg: float = 12.0,
    azimuth_deg: float = 30.0,
    focal: float = 0.9,
    at_mm: tuple[float, float] = (10.0, -15.0),
    turn_deg: float = 20.0,
    light: Light = WHITE,
    noise: float = 2.0,
) -> Shot:
    """One picture of the sheet; `noise` is the standard deviation of the sensor's noise."""
    rng = np.random.default_rng(seed)
    camera = TableCamera.above(
        size_px, px_per_mm, tilt_deg=tilt_deg, azimuth_deg=azimuth_deg, roll_deg=3.0, focal=focal
    )
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turn = np.array([[cos, -sin, at_mm[0]], [sin, cos, at_mm[1]], [0, 0, 1]])
    to_table = turn @ np.array([[1, 0, -SIZE_MM[0] / 2], [0, 1, -SIZE_MM[1] / 2], [0, 0, 1]])
    # warpPerspective counts from the centres of pixels, mm from the edge of the sheet.
    scale = 1 / PRINT_PX_PER_MM
    to_sheet = np.array([[scale, 0, scale / 2 - MARGIN_MM], [0, scale, scale / 2 - MARGIN_MM], [0, 0, 1]])
    to_px = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]]) @ camera.matrix @ to_table @ to_sheet
    print_px = cv2.GaussianBlur(paper(), (0, 0), 0.4 * PRINT_PX_PER_MM / px_per_mm)
    table = surfaces().lay(camera.matrix, size_px, rng)
    laid = cv2.warpPerspective(print_px, to_px, size_px, flags=cv2.INTER_LINEAR)
    where = cv2.warpPerspective(np.full(print_px.shape[:2], 255, np.uint8), to_px, size_px)
    picture = np.where(where[..., None] > 127, laid, table)
    lit = expose(picture, light, rng)
    grainy = np.clip(lit + rng.normal(0, noise, lit.shape), 0, 255).astype(np.uint8)
    return Shot(compress(grainy, light.jpeg), camera, to_table, tilt_deg)
