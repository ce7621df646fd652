"""Where cards count: inside the table's corners, where they were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.enrolment import Gallery
from vision.finder import Finder
from vision.reading import Eyes
from vision.types import Detection

SHAPE_TOLERANCE = 0.02
"""A picture whose shape differs more from that of the corners' own is not bounded: it was cut otherwise."""


@dataclass(frozen=True)
class TableBounds:
    """The table's corners (n, 2) in pixels of a picture of `size_px` (width, height)."""

    corners_px: tuple[tuple[float, float], ...]
    size_px: tuple[int, int]

    def keep(self, found: Sequence[Detection], shape: tuple[int, ...]) -> list[Detection]:
        """The cards whose centres lie on the table, in a picture of (H, W)."""
        corners = self._corners(shape)
        if corners is None:
            return list(found)
        return [
            card
            for card in found
            if cv2.pointPolygonTest(corners, [float(v) for v in card.centre], False) >= 0
        ]

    def _corners(self, shape: tuple[int, ...]) -> np.ndarray | None:
        scale = np.array([shape[1] / self.size_px[0], shape[0] / self.size_px[1]], np.float32)
        if abs(scale[0] / scale[1] - 1) > SHAPE_TOLERANCE:
            return None
        return np.array(self.corners_px, np.float32) * scale


class BoundedFinder(Finder):
    """A finder of cards that overlooks what lies beside the table."""

    def __init__(self, inner: Finder, bounds: TableBounds) -> None:
        self._inner, self._bounds = inner, bounds
        self.settings = inner.settings

    def find(self, image: np.ndarray) -> list[Detection]:
        """As the finder within, but for what lies beside the table."""
        return self._bounds.keep(self._inner.find(image), image.shape)

    def find_in_still(self, image: np.ndarray) -> list[Detection]:
        """As the finder within, but for what lies beside the table."""
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
