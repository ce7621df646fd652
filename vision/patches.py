"""Small pictures of places on the table: whether what lies there is still the same, or nothing at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

INSIDE = 0.92
"""A card is compared without its rim, which blends with what lies around it."""
MOST_GAIN = 1.8
"""The light may have changed by this factor since a patch was taken."""
LEAST_SLIVER_PX = 10
"""So many pixels of a card must show beside an upper one to tell that it lies there."""
TABLE_NEAR, TABLE_SHARE = 34, 0.85
"""A pixel this near to a colour of the table is table; a place of which so much is table is empty."""


@dataclass(frozen=True, eq=False)
class Patch:
    """How a card looked: `picture` BGR uint8 (h, w, 3) of `box` x0, y0, x1, y1 in px of the small picture;
    `mask` uint8 (h, w), 1 on the card."""

    box: tuple[int, int, int, int]
    picture: np.ndarray
    mask: np.ndarray

    @classmethod
    def take(cls, small: np.ndarray, quad: np.ndarray) -> Patch | None:
        """The patch of a quad (4, 2) in px of `small`; None where it reaches out of the picture."""
        box = box_of(quad, small.shape)
        if box is None:
            return None
        x0, y0, x1, y1 = box
        return cls(box, small[y0:y1, x0:x1].copy(), quad_mask(scaled(quad, INSIDE), box))

    def change(self, small: np.ndarray, hidden: np.ndarray) -> tuple[float, float]:
        """The share of the card that is not `hidden` in `small`, and the mean change there in grey levels."""
        x0, y0, x1, y1 = self.box
        shown = cv2.bitwise_and(self.mask, 1 - hidden[y0:y1, x0:x1].view(np.uint8))
        count = cv2.countNonZero(shown)
        if count == 0:
            return 0.0, 0.0
        now = small[y0:y1, x0:x1]
        return count / max(cv2.countNonZero(self.mask), 1), _mean_change(self.picture, now, shown)


def _mean_change(then: np.ndarray, now: np.ndarray, mask: np.ndarray) -> float:
    """Mean over the mask of the largest change of a colour, the whole brought to one brightness."""
    before, after = (max(sum(cv2.mean(p, mask)[:3]), 1.0) for p in (then, now))
    gain = float(np.clip(after / before, 1 / MOST_GAIN, MOST_GAIN))
    b, g, r = cv2.split(cv2.absdiff(cv2.convertScaleAbs(then, alpha=gain), now))
    return float(cv2.mean(cv2.max(cv2.max(b, g), r), mask)[0])


def shows_beneath(old: Patch, upper: np.ndarray, small: np.ndarray, level: float) -> bool | None:
    """Whether the card of `old` still lies where it lay, beneath one with the quad `upper` in px of `small`.

    None where too little of it shows to tell.
    """
    x0, y0, x1, y1 = old.box
    rim = old.mask.copy()
    cover = np.zeros_like(rim)
    cv2.fillConvexPoly(cover, np.round(scaled(upper, 1.04) - (x0, y0)).astype(np.int32), 1)
    rim[cv2.dilate(cover, np.ones((3, 3), np.uint8)) > 0] = 0
    if cv2.countNonZero(rim) < LEAST_SLIVER_PX:
        return None
    return _mean_change(old.picture, small[y0:y1, x0:x1], rim) < level


class TableColours:
    """The commonest colours of the table, from a look at it."""

    def __init__(self, small: np.ndarray, quads: Iterable[np.ndarray]) -> None:
        """`quads` (4, 2) in px of `small` BGR uint8 (h, w, 3): what is no table."""
        mask = np.ones(small.shape[:2], np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(mask, np.round(scaled(quad, 1.25)).astype(np.int32), 0)
        pixels = small[mask > 0]
        if len(pixels) < 50:
            self._colours = np.full((1, 3), -999, np.int16)
            return
        step = max(1, len(pixels) // 4000)
        # Colours on a grid of 16 levels that make up more than half a percent of the table.
        cells, counts = np.unique(pixels[::step] // 16, axis=0, return_counts=True)
        common = cells[counts > 0.005 * counts.sum()]
        if len(common) == 0:
            common = cells[np.argsort(-counts)[:3]]
        self._colours = common.astype(np.int16) * 16 + 8

    def show_at(self, small: np.ndarray, quad: np.ndarray) -> bool:
        """Whether the place `quad` (4, 2) px of `small` shows the bare table."""
        pixels = inside(small, scaled(quad, 0.8))
        if len(pixels) == 0:
            return False
        distance = np.abs(pixels[:, None, :].astype(np.int16) - self._colours[None]).max(axis=2).min(axis=1)
        return bool((distance < TABLE_NEAR).mean() > TABLE_SHARE)


def scaled(quad: np.ndarray, factor: float) -> np.ndarray:
    """The quad made larger by `factor` about its middle."""
    centre = quad.mean(axis=0)
    return np.asarray(centre + (quad - centre) * factor)


def box_of(quad: np.ndarray, shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    """The upright box x0, y0, x1, y1 of pixels around a quad, cut at the picture; None if nothing is left."""
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 1
    x1, y1 = min(int(x1), shape[1]), min(int(y1), shape[0])
    return (int(x0), int(y0), x1, y1) if x1 > x0 and y1 > y0 else None


def quad_mask(quad: np.ndarray, box: tuple[int, int, int, int]) -> np.ndarray:
    """1 inside the quad, else 0, uint8 of the size of the box."""
    x0, y0, x1, y1 = box
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad - (x0, y0)).astype(np.int32), 1)
    return mask


def inside(picture: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """The values of `picture` inside the quad."""
    box = box_of(quad, picture.shape)
    if box is None:
        return picture[:0, :0].reshape(-1)
    x0, y0, x1, y1 = box
    return np.asarray(picture[y0:y1, x0:x1][quad_mask(quad, box) > 0])


def hidden_share(hidden: np.ndarray, quad: np.ndarray) -> float:
    """How much of the quad is `hidden` (bool (h, w)); 1 where it lies out of the picture."""
    box = box_of(quad, hidden.shape)
    if box is None:
        return 1.0
    x0, y0, x1, y1 = box
    if not hidden[y0:y1, x0:x1].any():
        return 0.0
    part = inside(hidden, quad)
    return float(part.mean()) if len(part) else 1.0
