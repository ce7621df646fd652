"""The printed calibration sheet: a ChArUco board of known size, drawn for the printer and found in pictures.

The board is that of Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial
markers under occlusion" (2014), with the chessboard corners between the markers as in OpenCV's aruco module.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

SQUARES = (5, 6)
"""Columns and rows of the board."""
SQUARE_MM = 36.0
MARKER_MM = 28.0
SIZE_MM = (SQUARES[0] * SQUARE_MM, SQUARES[1] * SQUARE_MM)
"""Width and height of the board; it fits both A4 and Letter with margins for any printer."""
CORNERS = (SQUARES[0] - 1) * (SQUARES[1] - 1)
LEAST_CORNERS = 6
"""Fewer corners do not fix the plane of the table."""
OFF_PLANE_PX = 3.0
"""A corner farther from the common plane was misread."""
_SHARPEN, _SHARPEN_SIGMAS_PX = 2.0, (1.0, 5.0)
_SMALL_MARKERS = 0.016
"""Least perimeter of a marker as a share of the picture's longer side: 31 px at 1920, 0.27 px per mm."""


@dataclass(frozen=True)
class SheetSight:
    """The sheet in a picture: `corners_px` (n, 2) pixels and `corners_mm` (n, 2) on the sheet, n >= 6."""

    corners_px: np.ndarray
    corners_mm: np.ndarray
    matrix: np.ndarray
    """Sheet mm to pixels, float64 (3, 3), fitted to these corners alone."""

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Pixels float64 (n, 2) of points (n, 2) on the sheet."""
        return cv2.perspectiveTransform(
            np.asarray(points_mm, np.float64).reshape(-1, 1, 2), self.matrix
        ).reshape(-1, 2)

    @property
    def outline_px(self) -> np.ndarray:
        """The board's four corners in pixels, float64 (4, 2); they may lie outside the picture."""
        wide, high = SIZE_MM
        return self.to_px(np.array([[0, 0], [wide, 0], [wide, high], [0, high]]))


@cache
def _board() -> cv2.aruco.CharucoBoard:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)


def draw_board(px_per_mm: int) -> np.ndarray:
    """The board in black and white, uint8 (H, W), with a whole number of pixels a millimetre."""
    size = (round(SIZE_MM[0] * px_per_mm), round(SIZE_MM[1] * px_per_mm))
    picture = _board().generateImage(size, marginSize=0, borderBits=1)
    return np.where(picture < 128, 0, 255).astype(np.uint8)


def find_sheet(image: np.ndarray, *, closely: bool = True) -> SheetSight | None:
    """The sheet in a picture BGR uint8 (H, W, 3), or None.

    `closely`: a sheet that is small or out of focus is sought once more enlarged, and once more sharpened, so
    that it is called too small or blurred, not missing.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    best = _find(grey, 1.0)
    if _is_whole(best) or not closely:
        return best
    larger = cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    calm, soft = (cv2.GaussianBlur(larger, (0, 0), sigma) for sigma in _SHARPEN_SIGMAS_PX)
    for picture in (larger, cv2.addWeighted(calm, 1 + _SHARPEN, soft, -_SHARPEN, 0)):
        seen = _find(picture, 2.0)
        if seen is not None and (best is None or len(seen.corners_px) > len(best.corners_px)):
            best = seen
        if _is_whole(best):
            break
    return best


def _is_whole(sight: SheetSight | None) -> bool:
    return sight is not None and len(sight.corners_px) == CORNERS


def _find(grey: np.ndarray, scale: float) -> SheetSight | None:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = _SMALL_MARKERS
    detector = cv2.aruco.CharucoDetector(_board(), cv2.aruco.CharucoParameters(), parameters)
    corners, ids, _, _ = detector.detectBoard(grey)
    if ids is None or len(ids) < LEAST_CORNERS:
        return None
    where = np.asarray(_board().getChessboardCorners(), np.float64)[np.asarray(ids).ravel(), :2]
    # The detector counts from the centre of the first pixel.
    seen = (np.asarray(corners, np.float64).reshape(-1, 2) + 0.5) / scale
    matrix, near = cv2.findHomography(where, seen, cv2.RANSAC, OFF_PLANE_PX)
    if matrix is None:
        return None
    kept = near.ravel() > 0
    if kept.sum() < LEAST_CORNERS or min(np.ptp(where[kept], axis=0)) < SQUARE_MM:
        return None
    return SheetSight(seen[kept], where[kept], matrix)
