"""Two-headed court pictures of our own in a frame of 1 x 1.5 units round the origin."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from datasets.art.canvas import Bgr, Canvas, Points, arc, box, smooth
from referee.cards import JACK, KING, QUEEN

_RED, _GOLD, _BLUE, _GREEN = (46, 40, 196), (56, 196, 240), (160, 92, 40), (78, 128, 52)
_BLACK, _SKIN, _PALE = (28, 26, 28), (226, 236, 248), (240, 242, 242)
_HAIR: tuple[Bgr, ...] = (_GOLD, (70, 150, 214), (40, 66, 110), (232, 234, 236), (44, 40, 44))
_LINE = 0.011


@dataclass(frozen=True, slots=True)
class Dress:
    """The inks of one court card."""

    robe: Bgr
    sleeve: Bgr
    trim: Bgr
    hair: Bgr
    pale: Bgr = _PALE
    line: Bgr = _BLACK
    skin: Bgr = _SKIN


def choose_dress(rng: random.Random, plain: bool) -> Dress:
    """Inks of the usual woodcut range; `plain` gives pale line art."""
    if plain:
        return Dress((244, 244, 244), (232, 232, 236), (206, 206, 212), (222, 222, 226))
    inks: list[Bgr] = [_RED, _BLUE, _GOLD, _BLACK, _GREEN]
    weights = [5.0, 3.0, 4.0, 2.0, 0.7]
    robe = rng.choices(inks, weights)[0]
    others = [(ink, weight) for ink, weight in zip(inks, weights, strict=True) if ink != robe]
    sleeve = rng.choices([ink for ink, _ in others], [weight for _, weight in others])[0]
    trim = _GOLD if _GOLD not in (robe, sleeve) else _RED if _RED not in (robe, sleeve) else _BLUE
    return Dress(robe, sleeve, trim, rng.choice(_HAIR))


def draw_court(canvas: Canvas, rank: int, dress: Dress, rng: random.Random) -> None:
    """Both heads of a jack, queen or king; the caller draws the frame and places it."""
    state = rng.getrandbits(32)
    for turn in (0, 180):
        with canvas.placed(0, 0, 1, angle_deg=turn):
            _half(canvas, rank, dress, random.Random(state))


def _half(canvas: Canvas, rank: int, dress: Dress, rng: random.Random) -> None:
    head_x = rng.uniform(-0.03, 0.05)
    _back_hair(canvas, rank, dress, head_x)
    _robe(canvas, dress, rng)
    _head(canvas, rank, dress, head_x)
    _crown(canvas, rank, dress, head_x, rng)
    _arm(canvas, rank, dress, rng)


def _part(canvas: Canvas, outline: Points, fill: Bgr, line: Bgr, width: float = _LINE) -> None:
    canvas.fill(outline, fill)
    canvas.stroke(outline, width, line, True)


def _robe(canvas: Canvas, dress: Dress, rng: random.Random) -> None:
    body = np.array(
        [
            (-0.5, 0),
            (-0.5, -0.2),
            (-0.4, -0.3),
            (-0.12, -0.36),
            (0.12, -0.36),
            (0.4, -0.3),
            (0.5, -0.2),
            (0.5, 0),
        ]
    )
    _part(canvas, body, dress.robe, dress.line)
    kind = rng.choice(("dots", "lozenges", "crosses", "stripes"))
    spot = dress.trim if dress.trim != dress.robe else dress.pale
    for i, x in enumerate(np.arange(-0.46, 0.47, 0.075)):
        for y in np.arange(-0.27 + 0.03 * (i % 2), -0.01, 0.06):
            if y < -0.32 + abs(x) * 0.25 + 0.04:
                continue
            if kind == "dots":
                canvas.disc(x, y, 0.014, spot)
            elif kind == "lozenges":
                canvas.fill(np.array([(x, y - 0.024), (x + 0.018, y), (x, y + 0.024), (x - 0.018, y)]), spot)
            elif kind == "crosses":
                canvas.stroke([(x - 0.018, y), (x + 0.018, y)], 0.01, spot)
                canvas.stroke([(x, y - 0.018), (x, y + 0.018)], 0.01, spot)
            else:
                canvas.stroke([(x, y - 0.025), (x, y + 0.025)], 0.014, spot)
    bands = (dress.sleeve, dress.trim, dress.pale, dress.sleeve, dress.trim)
    for mirror in (-1, 1):
        with canvas.placed(0.5 * mirror, 0.02, mirror, 1):
            for k, ink in enumerate(bands):
                r = 0.27 - 0.05 * k
                wedge = np.vstack([arc(0, 0, r, r * 0.95, 175, 270), [(0, 0)]])
                _part(canvas, np.minimum(wedge, (0.0, -0.02)), ink, dress.line)
    panel = np.array([(-0.11, -0.36), (0.11, -0.36), (0.13, 0), (-0.13, 0)])
    _part(canvas, panel, dress.trim, dress.line)
    for y in np.arange(-0.31, 0.0, 0.062):
        canvas.fill(np.array([(0, y - 0.028), (0.05, y), (0, y + 0.028), (-0.05, y)]), dress.sleeve)
        for x in (-0.085, 0.085):
            canvas.disc(x, y, 0.012, dress.line)
    collar = smooth(
        [(-0.2, -0.37), (-0.1, -0.3), (0, -0.28), (0.1, -0.3), (0.2, -0.37), (0.1, -0.39), (-0.1, -0.39)],
        True,
    )
    _part(canvas, collar, dress.pale, dress.line)
    for x in (-0.12, -0.04, 0.04, 0.12):
        canvas.disc(x, -0.335 - abs(x) * 0.25, 0.011, dress.line)


def _back_hair(canvas: Canvas, rank: int, dress: Dress, x: float) -> None:
    hang = 0.17 if rank == QUEEN else 0.12
    for k in (-1, 1):
        _part(canvas, arc(x + k * 0.125, -0.47, 0.06, hang), dress.hair, dress.line)
        for step in (-0.05, 0.02, 0.09):
            canvas.stroke(arc(x + k * 0.125, -0.47 + step, 0.045, 0.03, 0, 180), _LINE * 0.8, dress.line)


def _head(canvas: Canvas, rank: int, dress: Dress, x: float) -> None:
    y = -0.5
    _part(canvas, box(x - 0.055, y + 0.06, x + 0.055, y + 0.15), dress.skin, dress.line)
    _part(canvas, arc(x, y, 0.115, 0.14), dress.skin, dress.line)
    if rank == KING:
        beard = [
            (-0.11, 0.03),
            (-0.1, 0.15),
            (-0.04, 0.22),
            (0, 0.2),
            (0.04, 0.22),
            (0.1, 0.15),
            (0.11, 0.03),
            (0, 0.075),
        ]
        _part(canvas, smooth([(x + bx, y + by) for bx, by in beard]), dress.hair, dress.line)
        for bx in (-0.05, 0.0, 0.05):
            canvas.stroke([(x + bx, y + 0.11), (x + bx * 0.8, y + 0.17)], _LINE * 0.8, dress.line)
    for k in (-1, 1):
        canvas.disc(x + k * 0.045, y - 0.02, 0.012, dress.line)
        canvas.stroke([(x + k * 0.025, y - 0.045), (x + k * 0.07, y - 0.045)], _LINE, dress.line)
    canvas.stroke([(x, y - 0.02), (x + 0.015, y + 0.035), (x, y + 0.035)], _LINE, dress.line)
    canvas.stroke([(x - 0.03, y + 0.072), (x + 0.03, y + 0.072)], _LINE * 1.4, (60, 60, 190))


def _crown(canvas: Canvas, rank: int, dress: Dress, x: float, rng: random.Random) -> None:
    y = -0.6
    if rank == JACK:
        puff = rng.uniform(0.1, 0.13)
        cap = [(-0.17, 0.02), (-0.18, -puff * 0.6), (0, -puff), (0.18, -puff * 0.5), (0.17, 0.02)]
        _part(canvas, smooth([(x + cx, y + cy) for cx, cy in cap]), dress.robe, dress.line)
        _part(canvas, box(x - 0.16, y - 0.01, x + 0.16, y + 0.04), dress.trim, dress.line)
        for cx in (-0.1, 0, 0.1):
            canvas.disc(x + cx, y + 0.015, 0.012, dress.sleeve)
        return
    points = 5 if rank == QUEEN else 3
    tall = 0.11 if rank == QUEEN else 0.135
    xs = np.linspace(x - 0.18, x + 0.18, 2 * points - 1)
    rim = [(px, y - (tall if i % 2 == 0 else tall * 0.4)) for i, px in enumerate(xs)]
    if rank == KING:
        _part(canvas, arc(x, y - 0.03, 0.12, 0.1, 180, 360), dress.robe, dress.line)
    _part(canvas, np.array([(x - 0.13, y + 0.03), *rim, (x + 0.13, y + 0.03)]), dress.trim, dress.line)
    for i, (px, py) in enumerate(rim):
        if i % 2 == 0:
            _part(canvas, arc(px, py, 0.018, 0.018), dress.sleeve, dress.line, _LINE * 0.7)
    canvas.stroke([(x - 0.13, y), (x + 0.13, y)], _LINE, dress.line)


def _arm(canvas: Canvas, rank: int, dress: Dress, rng: random.Random) -> None:
    x = 0.33
    _tool(canvas, rank, dress, x, rng)
    cuff = smooth([(0.22, -0.06), (0.26, -0.15), (0.35, -0.18), (0.42, -0.12), (0.4, -0.03)])
    _part(canvas, cuff, dress.pale, dress.line)
    canvas.stroke([(0.27, -0.1), (0.38, -0.08)], _LINE, dress.line)
    _part(canvas, arc(x, -0.2, 0.052, 0.045), dress.skin, dress.line)
    for y in (-0.215, -0.195):
        canvas.stroke([(x - 0.04, y), (x + 0.03, y)], _LINE * 0.7, dress.line)


def _tool(canvas: Canvas, rank: int, dress: Dress, x: float, rng: random.Random) -> None:
    if rank == QUEEN:
        canvas.stroke([(x, -0.2), (x, -0.36)], 0.02, dress.line)
        for k in range(6):
            a = k * np.pi / 3
            _part(
                canvas,
                arc(x + 0.045 * np.cos(a), -0.4 + 0.045 * np.sin(a), 0.032, 0.032),
                dress.robe,
                dress.line,
            )
        canvas.disc(x, -0.4, 0.024, dress.trim)
    elif rank == JACK:
        canvas.stroke([(x, -0.04), (x, -0.6)], 0.035, dress.line)
        canvas.stroke([(x, -0.04), (x, -0.6)], 0.018, dress.trim)
        blade = np.array([(x - 0.07, -0.54), (x, -0.7), (x + 0.07, -0.54), (x, -0.5)])
        _part(canvas, blade, dress.sleeve, dress.line)
    else:
        wide = rng.uniform(0.026, 0.036)
        blade = np.array(
            [(x - wide, -0.26), (x - wide, -0.64), (x, -0.7), (x + wide, -0.64), (x + wide, -0.26)]
        )
        _part(canvas, blade, dress.pale, dress.line)
        canvas.stroke([(x, -0.28), (x, -0.64)], _LINE, (170, 130, 80))
        canvas.stroke([(x - 0.1, -0.27), (x + 0.1, -0.27)], 0.035, dress.trim)
