"""Simple two-headed court pictures of our own, drawn in a frame of 1 x 1.5 units round the origin."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from datasets.art.canvas import Bgr, Canvas, arc, box, smooth
from referee.cards import JACK, QUEEN

_RED, _GOLD, _BLUE, _GREEN = (46, 40, 196), (56, 186, 236), (150, 84, 36), (78, 128, 52)
_BLACK, _SKIN = (28, 26, 28), (212, 228, 246)


@dataclass(frozen=True, slots=True)
class Dress:
    """The inks of one court card."""

    robe: Bgr
    sleeve: Bgr
    trim: Bgr
    line: Bgr = _BLACK
    skin: Bgr = _SKIN


def choose_dress(rng: random.Random, plain: bool) -> Dress:
    """Inks of the usual woodcut range; `plain` gives line art in two colours."""
    if plain:
        return Dress((244, 244, 244), (236, 236, 240), (210, 210, 216))
    inks: list[Bgr] = [_RED, _BLUE, _GOLD, _BLACK, _GREEN]
    weights = [5, 3, 4, 2, 1]
    robe = rng.choices(inks, weights)[0]
    sleeve = rng.choices(
        [i for i in inks if i != robe], [w for i, w in zip(inks, weights, strict=True) if i != robe]
    )[0]
    trim = _GOLD if _GOLD not in (robe, sleeve) else _RED
    return Dress(robe, sleeve, trim)


def draw_court(canvas: Canvas, rank: int, dress: Dress, rng: random.Random) -> None:
    """Both heads of a jack, queen or king; the caller draws the frame and places it."""
    state = rng.getrandbits(32)
    for turn in (0, 180):
        with canvas.placed(0, 0, 1, angle_deg=turn):
            _half(canvas, rank, dress, random.Random(state))


def _half(canvas: Canvas, rank: int, dress: Dress, rng: random.Random) -> None:
    side = rng.choice((-1, 1))
    lean = rng.uniform(-0.04, 0.04)
    line = 0.011
    robe = np.array(
        [
            (-0.5, 0.0),
            (-0.5, -0.12),
            (-0.36, -0.27),
            (-0.12, -0.33),
            (0.12, -0.33),
            (0.36, -0.27),
            (0.5, -0.12),
            (0.5, 0),
        ]
    )
    _part(canvas, robe, dress.robe, dress.line, line)
    slope = rng.uniform(0.1, 0.22)
    for k, ink in enumerate((dress.sleeve, dress.trim, dress.sleeve)):
        y = -0.28 + 0.1 * k
        band = np.array(
            [
                (side * 0.5, y + slope),
                (side * 0.5, y + slope + 0.07),
                (-side * 0.18, y + 0.08),
                (-side * 0.2, y),
            ]
        )
        clipped = np.clip(band, (-0.5, -0.33), (0.5, 0.0))
        _part(canvas, clipped, ink, dress.line, line)
    stripe = np.array([(-0.09, -0.33), (0.09, -0.33), (0.11, 0), (-0.11, 0)])
    _part(canvas, stripe, dress.trim, dress.line, line)
    for y in np.arange(-0.28, 0.0, 0.075):
        canvas.fill(np.array([(0, y - 0.03), (0.045, y), (0, y + 0.03), (-0.045, y)]), dress.sleeve)
    arm_x = side * 0.3
    _part(
        canvas,
        smooth(
            [
                (arm_x, -0.02),
                (arm_x * 0.95, -0.13),
                (arm_x * 1.15, -0.2),
                (arm_x * 1.32, -0.12),
                (arm_x * 1.25, -0.01),
            ]
        ),
        dress.sleeve,
        dress.line,
        line,
    )
    _part(canvas, arc(arm_x * 1.15, -0.21, 0.055, 0.05), dress.skin, dress.line, line)
    _tool(canvas, rank, dress, arm_x * 1.15, line, rng)
    head_x, head_y = lean, -0.47
    hair = dress.trim if rank != JACK else dress.sleeve
    hang = 0.16 if rank == QUEEN else 0.1
    for k in (-1, 1):
        _part(canvas, arc(head_x + k * 0.125, head_y + 0.03, 0.05, hang), hair, dress.line, line)
    _part(
        canvas,
        box(head_x - 0.055, head_y + 0.06, head_x + 0.055, head_y + 0.16),
        dress.skin,
        dress.line,
        line,
    )
    _part(canvas, arc(head_x, head_y, 0.115, 0.14), dress.skin, dress.line, line)
    if rank not in (JACK, QUEEN):
        beard = smooth(
            [
                (head_x - 0.11, head_y + 0.03),
                (head_x - 0.09, head_y + 0.16),
                (head_x, head_y + 0.23),
                (head_x + 0.09, head_y + 0.16),
                (head_x + 0.11, head_y + 0.03),
                (head_x, head_y + 0.075),
            ]
        )
        _part(canvas, beard, hair, dress.line, line)
    for k in (-1, 1):
        canvas.disc(head_x + k * 0.045, head_y - 0.02, 0.012, dress.line)
        canvas.stroke(
            [(head_x + k * 0.025, head_y - 0.045), (head_x + k * 0.07, head_y - 0.045)], line, dress.line
        )
    canvas.stroke(
        [(head_x, head_y - 0.02), (head_x + 0.015, head_y + 0.035), (head_x, head_y + 0.035)],
        line,
        dress.line,
    )
    canvas.stroke(
        [(head_x - 0.03, head_y + 0.072), (head_x + 0.03, head_y + 0.072)], line * 1.4, (60, 60, 190)
    )
    _hat(canvas, rank, dress, head_x, head_y - 0.11, line, rng)


def _part(canvas: Canvas, outline: np.ndarray, fill: Bgr, line: Bgr, width: float) -> None:
    canvas.fill(outline, fill)
    canvas.stroke(outline, width, line, True)


def _hat(
    canvas: Canvas, rank: int, dress: Dress, x: float, y: float, line: float, rng: random.Random
) -> None:
    if rank == JACK:
        puff = rng.uniform(0.1, 0.14)
        _part(
            canvas,
            smooth(
                [
                    (x - 0.16, y + 0.02),
                    (x - 0.17, y - puff * 0.6),
                    (x, y - puff),
                    (x + 0.17, y - puff * 0.5),
                    (x + 0.16, y + 0.02),
                ]
            ),
            dress.robe,
            dress.line,
            line,
        )
        _part(canvas, box(x - 0.15, y - 0.01, x + 0.15, y + 0.035), dress.trim, dress.line, line)
        return
    points = 5 if rank == QUEEN else 3
    tall = 0.11 if rank == QUEEN else 0.13
    xs = np.linspace(x - 0.15, x + 0.15, 2 * points - 1)
    rim = [(px, y - (tall if i % 2 == 0 else tall * 0.45)) for i, px in enumerate(xs)]
    _part(canvas, np.array([(x - 0.12, y + 0.03), *rim, (x + 0.12, y + 0.03)]), dress.trim, dress.line, line)
    for i, (px, py) in enumerate(rim):
        if i % 2 == 0:
            canvas.disc(px, py, 0.018, dress.sleeve)


def _tool(canvas: Canvas, rank: int, dress: Dress, x: float, line: float, rng: random.Random) -> None:
    if rank == QUEEN:
        canvas.stroke([(x, -0.2), (x, -0.36)], line * 1.6, dress.line)
        for k in range(5):
            a = k * 2 * np.pi / 5
            _part(
                canvas,
                arc(x + 0.04 * np.cos(a), -0.4 + 0.04 * np.sin(a), 0.032, 0.032),
                dress.robe,
                dress.line,
                line,
            )
        canvas.disc(x, -0.4, 0.022, dress.trim)
    elif rank == JACK:
        canvas.stroke([(x, -0.02), (x, -0.66)], 0.03, dress.trim)
        blade = [(x - 0.06, -0.56), (x, -0.72), (x + 0.06, -0.56), (x, -0.52)]
        _part(canvas, np.array(blade), dress.sleeve, dress.line, line)
    else:
        wide = rng.uniform(0.024, 0.034)
        _part(
            canvas,
            np.array(
                [(x - wide, -0.26), (x - wide, -0.64), (x, -0.71), (x + wide, -0.64), (x + wide, -0.26)]
            ),
            (232, 232, 232),
            dress.line,
            line,
        )
        canvas.stroke([(x - 0.09, -0.27), (x + 0.09, -0.27)], 0.03, dress.trim)
