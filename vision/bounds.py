"""What counts as a card of this table: what lies inside its corners, and is as large as the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.calibration import project
from vision.enrolment import Gallery
from vision.finder import Finder
from vision.reading import Eyes
from vision.types import Detection

SHAPE_TOLERANCE = 0.02
"""A picture whose shape differs more from that of the corners' own is not bounded: it was cut otherwise."""


ENOUGH_CARDS = 6
"""So many boxes tell how large the cards of a table are."""
MOST_AREA_RATIO = 1.7
"""A box this much larger or smaller than the median, in square millimetres of the table, is no card of it."""
Row = tuple[float, float, float]


@dataclass(frozen=True)
class TableBounds:
    """What `calibrate` and its user said of a picture of `size_px` (width, height): the table's corners
    `corners_px` (n, 2), and the homography `plane` (3, 3) from table mm to pixels."""

    corners_px: tuple[tuple[float, float], ...] | None
    size_px: tuple[int, int]
    plane: tuple[Row, Row, Row] | None = None

    def keep(self, found: Sequence[Detection], shape: tuple[int, ...]) -> list[Detection]:
        """The cards whose centres lie on the table and that are as large as most, in a picture of (H, W)."""
        scale = np.array([shape[1] / self.size_px[0], shape[0] / self.size_px[1]], np.float32)
        if abs(scale[0] / scale[1] - 1) > SHAPE_TOLERANCE:
            return list(found)
        kept = list(found)
        if self.corners_px is not None:
            corners = np.array(self.corners_px, np.float32) * scale
            kept = [
                card
                for card in kept
                if cv2.pointPolygonTest(corners, [float(v) for v in card.centre], False) >= 0
            ]
        return kept if self.plane is None else _of_one_size(kept, np.array(self.plane), scale)


def _of_one_size(cards: list[Detection], plane: np.ndarray, scale: np.ndarray) -> list[Detection]:
    """The boxes that cover about as much of the table as most do. The size itself is not asked for: there are
    larger cards than the usual ones."""
    if len(cards) < ENOUGH_CARDS:
        return cards
    corners_px = np.concatenate([card.quad for card in cards]) / scale
    corners_mm = project(np.linalg.inv(plane), corners_px).astype(np.float32).reshape(-1, 4, 2)
    areas = np.array([cv2.contourArea(quad) for quad in corners_mm])
    ratio = areas / max(float(np.median(areas)), 1e-6)
    fits = (ratio < MOST_AREA_RATIO) & (ratio > 1 / MOST_AREA_RATIO)
    return [card for card, fit in zip(cards, fits, strict=True) if fit]


class BoundedFinder(Finder):
    """A finder of cards that overlooks what is no card of the table."""

    def __init__(self, inner: Finder, bounds: TableBounds) -> None:
        self._inner, self._bounds = inner, bounds
        self.settings = inner.settings

    def find(self, image: np.ndarray) -> list[Detection]:
        """As the finder within, but for what is no card of the table."""
        return self._bounds.keep(self._inner.find(image), image.shape)

    def find_in_still(self, image: np.ndarray) -> list[Detection]:
        """As the finder within, but for what is no card of the table."""
        return self._bounds.keep(self._inner.find_in_still(image), image.shape)


class BoundedEyes(Eyes):
    """Eyes that see the table alone; they know whatever decks the eyes within know at the time."""

    def __init__(self, inner: Eyes, bounds: TableBounds) -> None:
        self._inner = inner
        self.finder = BoundedFinder(inner.finder, bounds)
        self.reader = inner.reader

    @property
    def gallery(self) -> Gallery | None:
        """The examples of the household, as the eyes within have them."""
        return self._inner.gallery
