"""What every drawing function hands back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from referee.cards import Card, Family

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 as fractions of the card's width and height."""


@dataclass(frozen=True, slots=True)
class CardArt:
    """One side of one card as a texture.

    `image` is BGRA uint8 (H, W, 4), transparent outside the rounded corners. `number_boxes` holds where the
    numbers or indices stand; empty on a back. `side` is "face" or "back"; a face has `card`, a back `deck`.
    """

    image: npt.NDArray[np.uint8]
    number_boxes: tuple[Box, ...]
    side: str
    family: Family
    width_mm: float
    height_mm: float
    style: str
    card: Card | None = None
    deck: str | None = None


def turned(box: Box) -> Box:
    """The same box after turning the card by 180 degrees."""
    x0, y0, x1, y1 = box
    return (1 - x1, 1 - y1, 1 - x0, 1 - y0)
