"""The types that flow out of the eyes. All pictures are BGR uint8, all corners image pixels.

(0, 0) is the upper left corner of the first pixel, its centre is (0.5, 0.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from referee.cards import Card

Side = Literal["face", "back"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source: `image` BGR uint8 (H, W, 3), `index` from 0, `t_s` seconds from its start."""

    image: np.ndarray
    index: int
    t_s: float

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.dtype != np.uint8:
            raise ValueError(f"a frame is BGR uint8 (H, W, 3), not {self.image.dtype} {self.image.shape}")


@dataclass(frozen=True, slots=True)
class Detection:
    """A found card: `quad` float32 (4, 2) in order around it, the first edge a short one; `score` 0-1."""

    quad: np.ndarray
    side: Side | None
    score: float

    def __post_init__(self) -> None:
        if self.quad.shape != (4, 2):
            raise ValueError(f"a quad is (4, 2), not {self.quad.shape}")

    @property
    def centre(self) -> np.ndarray:
        """Mean of the corners, float32 (2,)."""
        return self.quad.mean(axis=0)

    @property
    def width_px(self) -> float:
        """Mean length of the two short edges in pixels."""
        q = self.quad
        return float((np.linalg.norm(q[1] - q[0]) + np.linalg.norm(q[3] - q[2])) / 2)

    @property
    def length_px(self) -> float:
        """Mean length of the two long edges in pixels."""
        q = self.quad
        return float((np.linalg.norm(q[2] - q[1]) + np.linalg.norm(q[0] - q[3])) / 2)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a card says. `number`, `colour` and `deck` are None where they could not be read.

    `confidence` is the probability that every value given is right; `alternatives` are the runners-up
    with their probabilities, likeliest first, kept also where nothing was read.
    """

    side: Side | None
    number: int | None = None
    colour: str | None = None
    deck: str | None = None
    confidence: float = 0.0
    alternatives: tuple[tuple[Card, float], ...] = ()

    @property
    def card(self) -> Card | None:
        """The card, if both its number and its colour were read."""
        if self.side != "face" or self.number is None or self.colour is None:
            return None
        return Card(self.number, self.colour)  # type: ignore[arg-type]


UNREAD = Reading(side=None)


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A found card with its reading."""

    detection: Detection
    reading: Reading


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm over the table: where it enters the picture and how far it reaches, both pixels (x, y).

    `outward`: the direction from which it comes, a unit vector.
    """

    entry: tuple[float, float]
    tip: tuple[float, float]
    area_px: int
    outward: tuple[float, float] = (0.0, 0.0)


def order_quad(points: Sequence[Sequence[float]] | np.ndarray) -> np.ndarray:
    """Corners float32 (4, 2) in clockwise order (as seen in the picture), starting with a short edge.

    Of the two short edges the one nearer to the top of the picture comes first.
    """
    quad = np.asarray(points, np.float32).reshape(4, 2)
    centre = quad.mean(axis=0)
    quad = quad[np.argsort(np.arctan2(quad[:, 1] - centre[1], quad[:, 0] - centre[0]), kind="stable")]
    edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    start = 0 if edges[0] + edges[2] <= edges[1] + edges[3] else 1
    first, second = np.roll(quad, -start, axis=0), np.roll(quad, -start - 2, axis=0)
    return first if first[:2, 1].sum() <= second[:2, 1].sum() else second
