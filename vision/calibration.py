"""Where the table is: the plane of a printed sheet or of cards of known size, in table millimetres.

Table millimetres start where the picture's middle looks at the table; x grows to the right of the picture, y
downwards. The lens is a pinhole in the picture's middle with one term of radial distortion (Brown 1966).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from scipy.optimize import least_squares

from vision.sheet import SheetSight

LEAST_CARD_WIDTH_PX = 45.0
"""Below this width the released reader abstains from two numbers in three (models/README.md, `<45 px`)."""
GOOD_CARD_WIDTH_PX = 60.0
"""From this width on it abstains from one in ten (models/README.md, `60-90 px`)."""
CardSize = Literal["blitz", "poker", "bridge"]
CARD_SIZES_MM: dict[CardSize, tuple[float, float]] = {
    "blitz": (57.5, 82.0),
    "poker": (63.5, 88.9),
    "bridge": (57.15, 88.9),
}
"""Width and length. Dutch Blitz cards are sold as 57-58 mm wide; the others are the usual standard decks."""
LEAST_PX_PER_MM = LEAST_CARD_WIDTH_PX / CARD_SIZES_MM["blitz"][0]
GOOD_PX_PER_MM = GOOD_CARD_WIDTH_PX / CARD_SIZES_MM["blitz"][0]

_FOCAL, _FOCAL_SD = 0.85, 0.35
"""Focal length in picture widths, and the spread of its logarithm: cameras see some 50-75 degrees across."""
_BEND_SD = 0.06
"""Spread of the distortion at the picture's corner, as a share of the half diagonal, over ordinary lenses."""
_TILT_SD_RAD = 0.6
_LEANS_RAD = ((0.25, 0.0), (-0.25, 0.0), (0.0, 0.25), (0.0, -0.25))
_SHEET_NOISE_PX, _CARD_NOISE_PX = 0.15, 1.5
"""How well a corner of the board and a corner of a found card are placed."""
_SIZE_SD = {"blitz": 0.01, "poker": 0.01, "bridge": 0.01}
_MOST_CARDS = 24


@dataclass(frozen=True)
class Plane:
    """The table's plane.

    `matrix` float64 (3, 3) maps table mm (x, y, 1) to pixels of a picture of `size_px` (width, height), but
    for the lens's bend. `scale_sd` is the relative uncertainty of lengths, `tilt_deg` the angle between the
    view and the table's normal, `bend_px` how far the lens moves the picture's corners outwards (negative:
    inwards), each with its standard deviation; `residual_px` the root mean square of what the fit leaves.
    """

    matrix: np.ndarray
    size_px: tuple[int, int]
    by: Literal["sheet", "cards"]
    cards: CardSize | None
    scale_sd: float
    tilt_deg: float
    tilt_sd_deg: float
    focal_px: float
    bend_px: float
    bend_sd_px: float
    residual_px: float
    points_px: np.ndarray

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Pixels float64 (n, 2) of table points (n, 2) in mm."""
        return project(self.matrix, points_mm)

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Table mm float64 (n, 2) of pixels (n, 2)."""
        return project(np.linalg.inv(self.matrix), points_px)

    def px_per_mm(self, at_px: tuple[float, float] | None = None) -> float:
        """Scale at a pixel, by default the picture's middle: root of the pixels in a square millimetre there.

        It is 0 where the camera looks above the table's horizon.
        """
        at = np.array(self.size_px, float) / 2 if at_px is None else np.asarray(at_px, float)
        x, y, w = np.linalg.inv(self.matrix) @ (at[0], at[1], 1.0)
        depth = self.matrix[2] @ (x / w, y / w, 1.0) if w > 0 else 0.0
        if depth <= 0:
            return 0.0
        # For a homography the determinant of the derivative is det(matrix) / depth^3.
        return float(np.sqrt(abs(np.linalg.det(self.matrix)) / depth**3))

    def worst_px_per_mm(self, area_px: Sequence[tuple[float, float]] | None = None) -> float:
        """The least scale at the corners of `area_px`, by default of the picture."""
        width, height = self.size_px
        corners = area_px or [(0, 0), (width, 0), (width, height), (0, height)]
        return min(self.px_per_mm((float(x), float(y))) for x, y in corners)


def project(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points float64 (n, 2) mapped by a homography (3, 3)."""
    return cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(-1, 1, 2), matrix).reshape(-1, 2)


def plane_of_sheet(sight: SheetSight, size_px: tuple[int, int], ruler_mm: float = 100.0) -> Plane:
    """The plane on which the sheet lies; `ruler_mm` is what the printed ruler of 100 mm really measures."""
    shape = _Shape(sight.corners_mm * (ruler_mm / 100.0), sight.corners_px)
    return _fit([shape], size_px, _SHEET_NOISE_PX, "sheet", None, 0.0)


def plane_of_cards(
    quads: Sequence[np.ndarray], size_px: tuple[int, int], sizes: Sequence[CardSize]
) -> Plane | None:
    """The plane on which cards lie whose corners are `quads` (each (4, 2) px, a short edge first).

    Of several `sizes` the one that fits better is taken. None without a quad.
    """
    quads = _alike(quads)
    if not quads:
        return None
    planes = []
    for size in sizes:
        wide, long = CARD_SIZES_MM[size]
        corners = np.array([[0, 0], [wide, 0], [wide, long], [0, long]])
        shapes = [_Shape(corners, np.asarray(quad, np.float64)) for quad in quads]
        planes.append(_fit(shapes, size_px, _CARD_NOISE_PX, "cards", size, _SIZE_SD[size]))
    return min(planes, key=lambda plane: plane.residual_px)


def _alike(quads: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The quads without those of quite another size, the ones nearest to the usual size first."""
    if len(quads) == 0:
        return []
    areas = np.array([cv2.contourArea(np.asarray(quad, np.float32)) for quad in quads])
    off = np.abs(np.log(areas / np.median(areas)))
    order = [int(i) for i in np.argsort(off, kind="stable") if off[i] < np.log(1.6)]
    return [quads[i] for i in order[:_MOST_CARDS]]


@dataclass(frozen=True)
class _Shape:
    """Something flat of known size: `points_mm` (n, 2) of its own, seen at `points_px` (n, 2)."""

    points_mm: np.ndarray
    points_px: np.ndarray


def _fit(
    shapes: Sequence[_Shape],
    size_px: tuple[int, int],
    noise_px: float,
    by: Literal["sheet", "cards"],
    cards: CardSize | None,
    size_sd: float,
) -> Plane:
    """The plane and lens under which the shapes, each free to lie anywhere on it, look as they do.

    Values: log focal length, log scale at the middle, two tilts in rad, bend at the corner; least squares
    (robust for cards, of which some are found badly) with weak expectations of the lens.
    """
    middle = np.array(size_px, float) / 2
    reach = float(np.hypot(*middle))
    seen = np.concatenate([shape.points_px for shape in shapes]) - middle
    own = np.concatenate([shape.points_mm - shape.points_mm.mean(axis=0) for shape in shapes])
    owner = np.repeat(np.arange(len(shapes)), [len(shape.points_mm) for shape in shapes])
    log_focal = np.log(_FOCAL * size_px[0])

    def rest_px(values: np.ndarray) -> np.ndarray:
        matrix = _matrix(values)
        bend = 1 + values[4] * (seen**2).sum(axis=1, keepdims=True) / reach**2 if by == "sheet" else 1.0
        laid = _laid(own, owner, project(np.linalg.inv(matrix), seen / bend))
        return project(matrix, laid) * bend - seen

    def misfit(values: np.ndarray) -> np.ndarray:
        expected = (
            (values[0] - log_focal) / _FOCAL_SD,
            values[2] / _TILT_SD_RAD,
            values[3] / _TILT_SD_RAD,
            values[4] / _BEND_SD,
        )
        rest = (rest_px(values) / noise_px).ravel()
        return np.concatenate([rest if by == "sheet" else _soft(rest), expected])

    log_scale = np.log(_mean_scale(shapes))
    # A plane that leans to the other side can be a second-best fit: each side is tried.
    fits = [
        least_squares(
            misfit,
            np.array([log_focal, log_scale, *lean, 0.0]),
            x_scale=np.array([_FOCAL_SD, 0.1, 0.1, 0.1, _BEND_SD]),
        )
        for lean in _LEANS_RAD
    ]
    fit = min(fits, key=lambda each: each.cost)
    values, rest = fit.x, rest_px(fit.x)
    excess = max(1.0, 2 * fit.cost / max(rest.size - len(values) - 3 * len(shapes) + 4, 1))
    spread = np.linalg.inv(fit.jac.T @ fit.jac) * excess
    tilt = float(np.hypot(values[2], values[3]))
    lean = np.array([values[2], values[3]]) / max(tilt, 1e-9)
    tilt_variance = (
        float(lean @ spread[2:4, 2:4] @ lean) if tilt > 1e-3 else float(np.trace(spread[2:4, 2:4]))
    )
    shift = np.array([[1, 0, middle[0]], [0, 1, middle[1]], [0, 0, 1]])
    matrix = shift @ _matrix(values)
    return Plane(
        matrix=matrix / matrix[2, 2],
        size_px=size_px,
        by=by,
        cards=cards,
        scale_sd=float(np.hypot(np.sqrt(spread[1, 1]), size_sd)),
        tilt_deg=float(np.degrees(tilt)),
        tilt_sd_deg=float(np.degrees(np.sqrt(tilt_variance))),
        focal_px=float(np.exp(values[0])),
        bend_px=float(values[4] * reach),
        bend_sd_px=float(np.sqrt(spread[4, 4]) * reach),
        residual_px=float(np.sqrt((rest**2).sum(axis=1).mean())),
        points_px=seen + middle,
    )


def _soft(rest: np.ndarray) -> np.ndarray:
    """Residuals (n,) of which large ones count in proportion, not squared (pseudo-Huber)."""
    return np.sign(rest) * np.sqrt(2 * (np.sqrt(1 + rest**2) - 1))


def _matrix(values: np.ndarray) -> np.ndarray:
    """Table mm to pixels from the picture's middle, (3, 3)."""
    focal = np.exp(values[0])
    rotation, _ = cv2.Rodrigues(np.array([values[2], values[3], 0.0]))
    distance = focal / np.exp(values[1])
    pose = np.column_stack([rotation[:, 0], rotation[:, 1], (0.0, 0.0, distance)])
    return np.diag([focal, focal, 1.0]) @ pose


def _laid(own: np.ndarray, owner: np.ndarray, seen_mm: np.ndarray) -> np.ndarray:
    """Table mm (n, 2) of the shapes' points `own` (n, 2), each shape moved and turned to where it is seen.

    `owner` (n,) numbers the shapes. The turn is that of the planar Procrustes problem.
    """
    count = np.bincount(owner)
    centre = np.column_stack([np.bincount(owner, seen_mm[:, i]) / count for i in range(2)])[owner]
    x, y = (seen_mm - centre).T
    angle = np.arctan2(
        np.bincount(owner, own[:, 0] * y - own[:, 1] * x), np.bincount(owner, own[:, 0] * x + own[:, 1] * y)
    )
    cos, sin = np.cos(angle)[owner], np.sin(angle)[owner]
    return centre + np.column_stack([cos * own[:, 0] - sin * own[:, 1], sin * own[:, 0] + cos * own[:, 1]])


def _mean_scale(shapes: Sequence[_Shape]) -> float:
    """Pixels per mm of the shapes, as if seen straight down."""
    scales = []
    for shape in shapes:
        own = shape.points_mm - shape.points_mm.mean(axis=0)
        seen = shape.points_px - shape.points_px.mean(axis=0)
        scales.append(np.sqrt((seen**2).sum() / (own**2).sum()))
    return float(np.median(scales))
