"""The four French suit signs in a unit box round the origin, in several cuts."""

from __future__ import annotations

import numpy as np

from datasets.art.canvas import Canvas, Points, arc, smooth
from datasets.art.signs import heart
from referee.cards import Colour

CUTS = ("common", "slim", "plump", "sharp")
Ink = tuple[float, float, float]


def _mirror(right: Points) -> Points:
    return np.vstack([right, right[::-1] * (-1, 1)])


def _heart(cut: str) -> list[Points]:
    return [heart({"slim": 0.88, "plump": 1.12}.get(cut, 1.0))]


def _diamond(cut: str) -> list[Points]:
    wide = {"slim": 0.34, "plump": 0.46}.get(cut, 0.4)
    bend = {"sharp": 0.05, "plump": 0.0}.get(cut, 0.025)
    right = smooth([(0, -0.55), (wide / 2 - bend, -0.27 + bend * 0.5), (wide, 0)])
    lower = right[::-1] * (1, -1)
    return [_mirror(np.vstack([right, lower]))]


def _stem(cut: str, top: float) -> Points:
    foot = {"slim": 0.14, "plump": 0.24}.get(cut, 0.19)
    right = smooth([(0.035, top), (0.05, 0.28), (0.1, 0.42), (foot, 0.52)])
    return _mirror(right)


def _spade(cut: str) -> list[Points]:
    wide = {"slim": 0.9, "plump": 1.1}.get(cut, 1.0)
    half = [
        (0, -0.54),
        (0.12, -0.34),
        (0.32, -0.12),
        (0.46, 0.08),
        (0.45, 0.24),
        (0.3, 0.33),
        (0.13, 0.27),
        (0, 0.14),
    ]
    return [_mirror(smooth([(x * wide, y) for x, y in half])), _stem(cut, 0.05)]


def _club(cut: str) -> list[Points]:
    r = {"slim": 0.215, "plump": 0.25}.get(cut, 0.232)
    spread = {"sharp": 0.29, "plump": 0.26}.get(cut, 0.265)
    lobes = [arc(0, -0.29, r, r), arc(-spread, 0.08, r, r), arc(spread, 0.08, r, r)]
    core = np.array([(-0.1, -0.15), (0.1, -0.15), (0.12, 0.12), (-0.12, 0.12)])
    return [*lobes, core, _stem(cut, -0.05)]


_SHAPES = {Colour.HEARTS: _heart, Colour.DIAMONDS: _diamond, Colour.SPADES: _spade, Colour.CLUBS: _club}


def draw_suit(
    canvas: Canvas, suit: Colour, cut: str, x: float, y: float, size: float, ink: Ink, turn: bool = False
) -> None:
    """A suit sign of height `size` centred at (x, y), upside down if `turn`."""
    with canvas.placed(x, y, size / 1.06, angle_deg=180.0 if turn else 0.0):
        for part in _SHAPES[suit](cut):
            canvas.fill(part, ink)
