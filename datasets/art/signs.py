"""The hex sign in the middle of a Dutch-Blitz-like face, and the slim ornaments beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from datasets.art.canvas import Bgr, Canvas, Points, arc, box, smooth


@dataclass(frozen=True, slots=True)
class Sign:
    """How a style draws its hex sign. Lengths are fractions of the sign's radius."""

    edge: str = "scallop"
    teeth: int = 16
    ring: float = 0.84
    bite: float = 0.07
    inner_ring: float = 0.0
    heart: float = 0.3
    heart_at: float = 0.47
    heart_outline: bool = False
    tulip: str = "cup"
    tulip_length: float = 0.62
    middle: str = "star"
    ornament: str = "vine"


def heart(plump: float = 1.0) -> Points:
    """A heart of height and width about 1 round the origin, tip at the bottom."""
    half = [
        (0, -0.24),
        (0.12, -0.42),
        (0.3, -0.48),
        (0.46, -0.36),
        (0.5, -0.16),
        (0.42, 0.06),
        (0.24, 0.28),
        (0.0, 0.52),
    ]
    right = smooth([(x * plump, y) for x, y in half])
    return np.vstack([right, right[::-1] * (-1, 1)])


def _rim(sign: Sign, radius: float) -> Points:
    a = np.linspace(0, 2 * math.pi, sign.teeth * 24, endpoint=False)
    phase = a * sign.teeth / 2
    wave = {
        "scallop": np.abs(np.cos(phase)),
        "wave": 0.5 + 0.5 * np.cos(2 * phase),
        "saw": 1 - np.abs((a * sign.teeth / (2 * math.pi)) % 1 - 0.5) * 2,
        "petal": np.abs(np.cos(phase)) ** 0.5,
        "plain": np.ones_like(a),
    }[sign.edge]
    r = radius * (sign.ring - sign.bite * (1 - wave))
    return np.stack([r * np.cos(a), r * np.sin(a)], axis=1)


def draw_sign(canvas: Canvas, sign: Sign, radius: float, black: Bgr, white: Bgr, colour: Bgr) -> None:
    """The sign round the origin of the current placement."""
    canvas.fill(arc(0, 0, radius, radius, steps=160), black)
    canvas.fill(_rim(sign, radius), white)
    if sign.inner_ring:
        canvas.stroke(
            arc(0, 0, radius * sign.inner_ring, radius * sign.inner_ring, steps=120),
            radius * 0.022,
            black,
            True,
        )
    for k in range(4):
        with canvas.placed(0, 0, radius, angle_deg=90 * k):
            _tulip(canvas, sign, black, white)
        turn_deg = 90 * k + 45
        with canvas.placed(0, 0, radius, angle_deg=turn_deg), canvas.placed(0, -sign.heart_at, sign.heart):
            canvas.fill(heart(1.05), colour)
            if sign.heart_outline:
                canvas.stroke(heart(1.05), 0.07, black, True)
    with canvas.placed(0, 0, radius):
        _middle(canvas, sign.middle, black, white, colour)


def _tulip(canvas: Canvas, sign: Sign, black: Bgr, white: Bgr) -> None:
    """One tulip on the upward axis from the middle to `tulip_length`, in radii."""
    tip, base = -sign.tulip_length, -sign.tulip_length * 0.52
    high = base - tip
    canvas.stroke([(0, base + 0.02), (0, -0.1)], 0.035, black)
    if sign.tulip == "cup":
        cup = [
            (-0.13, tip + 0.03),
            (-0.06, tip + high * 0.4),
            (0, tip),
            (0.06, tip + high * 0.4),
            (0.13, tip + 0.03),
            (0.15, tip + high * 0.55),
            (0.09, base - 0.03),
            (0, base + 0.01),
            (-0.09, base - 0.03),
            (-0.15, tip + high * 0.55),
        ]
        canvas.fill(np.asarray(cup), black)
    elif sign.tulip == "lobes":
        for side in (-1, 1):
            lobe = smooth(
                [
                    (0, base),
                    (side * 0.13, base - high * 0.3),
                    (side * 0.17, tip + high * 0.15),
                    (side * 0.08, tip + high * 0.3),
                    (0, base - high * 0.3),
                ]
            )
            canvas.fill(lobe, black)
        canvas.fill(
            smooth([(0, base), (-0.07, tip + high * 0.5), (0, tip), (0.07, tip + high * 0.5)], closed=True),
            black,
        )
    elif sign.tulip == "bud":
        canvas.fill(
            smooth(
                [(0, base + 0.02), (-0.13, base - high * 0.35), (0, tip), (0.13, base - high * 0.35)],
                closed=True,
            ),
            black,
        )
        canvas.stroke([(0, base - 0.04), (0, tip + 0.12)], 0.022, white)
    else:
        for side in (-1, 0, 1):
            canvas.fill(
                np.asarray(
                    [
                        (side * 0.06, base),
                        (side * 0.13 - 0.045, tip + 0.1),
                        (side * 0.16, tip),
                        (side * 0.13 + 0.045, tip + 0.1),
                    ]
                ),
                black,
            )
        canvas.disc(0, base, 0.06, black)
    for side in (-1, 1):
        leaf = smooth(
            [(0, -0.14), (side * 0.11, -0.2), (side * 0.1, base + 0.04), (side * 0.03, -0.2)], closed=True
        )
        canvas.fill(leaf, black)


def _middle(canvas: Canvas, kind: str, black: Bgr, white: Bgr, colour: Bgr) -> None:
    if kind == "star":
        a = np.arange(16) * math.pi / 8
        r = np.where(np.arange(16) % 2 == 0, 0.15, 0.06)
        canvas.fill(np.stack([r * np.cos(a), r * np.sin(a)], axis=1), black)
        canvas.disc(0, 0, 0.035, white)
    elif kind == "disc":
        canvas.disc(0, 0, 0.1, black)
        canvas.disc(0, 0, 0.055, colour)
    elif kind == "rosette":
        for k in range(6):
            with canvas.placed(0, 0, 1, angle_deg=60 * k):
                canvas.fill(smooth([(0, 0), (-0.05, -0.09), (0, -0.17), (0.05, -0.09)], closed=True), black)
    else:
        canvas.fill(np.array([(0, -0.13), (0.13, 0), (0, 0.13), (-0.13, 0)]), black)
        canvas.fill(np.array([(0, -0.06), (0.06, 0), (0, 0.06), (-0.06, 0)]), white)


def draw_ornament(canvas: Canvas, kind: str, black: Bgr, white: Bgr) -> None:
    """A slim upright ornament within x -0.5..0.5, y -2.6..2.6 of the placement; its halves mirror each other.

    So a pair of them, mirrored across the card, is the same upside down.
    """
    for upward in (1, -1):
        with canvas.placed(0, 0, 1, upward):
            _half_ornament(canvas, kind, black, white)


def _half_ornament(canvas: Canvas, kind: str, black: Bgr, white: Bgr) -> None:
    if kind == "vine":
        canvas.stroke(smooth([(0, 0), (0.2, -0.6), (-0.15, -1.3), (0, -2.0)]), 0.14, black)
        for x, y, side in ((0.15, -0.5, 1), (-0.1, -1.2, -1), (0.0, -1.6, 1)):
            canvas.fill(
                smooth(
                    [
                        (x, y),
                        (x + side * 0.3, y - 0.05),
                        (x + side * 0.4, y - 0.45),
                        (x + side * 0.08, y - 0.3),
                    ],
                    closed=True,
                ),
                black,
            )
        canvas.fill(smooth([(0, -1.9), (-0.28, -2.2), (0, -2.6), (0.28, -2.2)], closed=True), black)
    elif kind == "diamonds":
        for y, r in ((0, 0.42), (-0.85, 0.36), (-1.6, 0.3), (-2.2, 0.22)):
            canvas.fill(np.array([(0, y - r * 1.25), (r, y), (0, y + r * 1.25), (-r, y)]), black)
    elif kind == "hearts":
        for y, r in ((-0.5, 0.85), (-1.35, 0.75), (-2.1, 0.6)):
            with canvas.placed(0, y, r):
                canvas.fill(heart(), black)
    elif kind == "tulip":
        canvas.stroke([(0, 0), (0, -1.7)], 0.16, black)
        canvas.fill(
            np.array(
                [
                    (-0.42, -2.5),
                    (-0.18, -2.1),
                    (0, -2.6),
                    (0.18, -2.1),
                    (0.42, -2.5),
                    (0.4, -1.8),
                    (0, -1.45),
                    (-0.4, -1.8),
                ]
            ),
            black,
        )
        for side in (-1, 1):
            canvas.fill(
                smooth(
                    [(0, -0.3), (side * 0.36, -0.7), (side * 0.38, -1.3), (side * 0.1, -0.8)], closed=True
                ),
                black,
            )
    elif kind == "rope":
        down = np.linspace(0, -2.5, 40)
        for phase in (0, math.pi):
            canvas.stroke(np.stack([0.3 * np.sin(-down * 3.77 + phase), down], axis=1), 0.17, black)
    elif kind == "wheat":
        canvas.stroke([(0, 0), (0, -2.5)], 0.1, black)
        for y in np.arange(-0.5, -2.5, -0.42):
            for side in (-1, 1):
                canvas.fill(
                    smooth(
                        [(0, y), (side * 0.34, y - 0.12), (side * 0.36, y - 0.42), (side * 0.08, y - 0.25)],
                        closed=True,
                    ),
                    black,
                )
    elif kind == "column":
        canvas.fill(box(-0.16, -1.9, 0.16, 0), black)
        canvas.fill(box(-0.4, -2.1, 0.4, -1.85), black)
        canvas.disc(0, -2.35, 0.25, black)
        canvas.fill(np.array([(0, -0.45), (0.45, 0), (0, 0.45), (-0.45, 0)]), black)
    elif kind == "scroll":
        turns = np.linspace(0, 1.6 * 2 * math.pi, 60)
        r = 0.42 * (1 - turns / turns[-1] * 0.8)
        for y in (-0.55, -1.75):
            canvas.stroke(np.stack([r * np.cos(turns), y - r * np.sin(turns)], axis=1), 0.15, black)
        canvas.stroke([(0.42, -0.5), (0.42, -1.75)], 0.15, black)
        canvas.disc(0, -2.4, 0.18, black)
    else:
        for y in (0.0, -0.65, -1.3, -1.95):
            canvas.disc(0, y, 0.3, black)
            canvas.disc(0, y, 0.12, white)
        canvas.disc(0, -2.42, 0.16, black)
