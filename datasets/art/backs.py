"""The twelve deck backs: eight farm objects as line drawings, each drawn anew by several hands.

An object is drawn in units where its height runs from y -1 to 1 (down) and its width from -aspect to aspect.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np

from datasets.art.canvas import Bgr, Canvas, Points, arc, box, smooth
from datasets.art.card_art import CardArt
from datasets.art.faces import HEIGHT_MM, WIDTH_MM
from referee.cards import DECKS, Family

INKS_RGB: dict[str, tuple[int, int, int]] = {
    "pump": (66, 148, 84),
    "carriage": (220, 84, 70),
    "plow": (56, 128, 186),
    "pail": (246, 210, 72),
    "blue-pump": (56, 128, 186),
    "blue-carriage": (246, 210, 72),
    "blue-plow": (220, 84, 70),
    "blue-pail": (66, 148, 84),
    "wheelbarrow": (33, 83, 109),
    "hat": (230, 139, 61),
    "can": (212, 96, 144),
    "churn": (84, 72, 150),
}


@dataclass(frozen=True, slots=True)
class Hand:
    """How one illustrator draws. Lengths in millimetres on the card."""

    line_mm: float = 0.4
    wobble_mm: float = 0.1
    hatch: str = "parallel"
    gap_mm: float = 0.9
    hatch_deg: float = 60.0
    detail: int = 1
    stretch: float = 1.0
    view: float = 0.22
    squash: float = 1.0
    mirrored: bool = False
    spokes: int = 10
    solid: bool = False
    twice: bool = False


HANDS: dict[str, Hand] = {
    "etcher": Hand(
        line_mm=0.3, wobble_mm=0.08, hatch="cross", gap_mm=0.75, hatch_deg=55, detail=2, spokes=12
    ),
    "woodcutter": Hand(
        line_mm=0.6,
        wobble_mm=0.16,
        hatch="parallel",
        gap_mm=1.2,
        hatch_deg=0,
        detail=1,
        solid=True,
        stretch=0.92,
        view=0.3,
    ),
    "draughtsman": Hand(
        line_mm=0.36, wobble_mm=0.0, hatch="none", detail=2, stretch=1.08, view=0.14, squash=0.86, spokes=8
    ),
    "sketcher": Hand(
        line_mm=0.28,
        wobble_mm=0.32,
        hatch="parallel",
        gap_mm=1.0,
        hatch_deg=115,
        detail=1,
        twice=True,
        mirrored=True,
        view=0.34,
        squash=0.92,
    ),
    "stippler": Hand(
        line_mm=0.42,
        wobble_mm=0.05,
        hatch="dots",
        gap_mm=0.9,
        detail=2,
        stretch=0.96,
        view=0.2,
        mirrored=True,
        spokes=14,
    ),
    "signwriter": Hand(
        line_mm=0.75, wobble_mm=0.04, hatch="none", detail=0, solid=True, stretch=1.05, view=0.26, spokes=6
    ),
    "penman": Hand(
        line_mm=0.45,
        wobble_mm=0.2,
        hatch="cross",
        gap_mm=1.3,
        hatch_deg=40,
        stretch=1.1,
        view=0.28,
        squash=0.75,
        spokes=7,
    ),
    "printmaker": Hand(
        line_mm=0.9,
        wobble_mm=0.12,
        hatch="parallel",
        gap_mm=1.6,
        hatch_deg=90,
        detail=0,
        solid=True,
        stretch=0.9,
    ),
    "child": Hand(
        line_mm=0.55, wobble_mm=0.28, hatch="none", detail=0, stretch=0.95, view=0.4, mirrored=True, spokes=5
    ),
    "miniaturist": Hand(
        line_mm=0.22, wobble_mm=0.05, hatch="dots", gap_mm=0.6, detail=2, view=0.12, spokes=16, squash=0.95
    ),
    "engraver": Hand(
        line_mm=0.34,
        wobble_mm=0.05,
        hatch="parallel",
        gap_mm=0.6,
        hatch_deg=90,
        detail=2,
        stretch=1.0,
        view=0.18,
        spokes=12,
        squash=0.8,
    ),
}


T = TypeVar("T")


class _Pen:
    """Draws in one ink on white stock in the manner of a hand."""

    def __init__(
        self,
        canvas: Canvas,
        hand: Hand,
        ink: Bgr,
        paper: Bgr,
        unit_mm: float,
        habit: random.Random,
        mood: random.Random,
    ) -> None:
        self.canvas, self.hand, self.ink, self.paper = canvas, hand, ink, paper
        self.unit_mm = unit_mm
        self.noise = np.random.default_rng(mood.getrandbits(32))
        self.habit, self.mood = habit, mood

    def vary(self, low: float, high: float) -> float:
        """A proportion: mostly the hand's own habit for this object, a little of the moment."""
        return low + (high - low) * (0.75 * self.habit.random() + 0.25 * self.mood.random())

    def pick(self, choices: Sequence[T]) -> T:
        """One way of building the object; always the same for a hand."""
        return self.habit.choice(choices)

    def _shaky(self, points: Points | Sequence[Sequence[float]], closed: bool = False) -> Points:
        """The line as the hand would draw it: resampled, with a slow tremor."""
        p = np.asarray(points, dtype=np.float64)
        if closed:
            p = np.vstack([p, p[:1]])
        if self.hand.wobble_mm == 0.0:
            return p
        length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(p, axis=0).T))])
        count = max(4, int(length[-1] * self.unit_mm / 0.5))
        at = np.linspace(0, length[-1], count)
        dense = np.stack([np.interp(at, length, p[:, 0]), np.interp(at, length, p[:, 1])], axis=1)
        knots = max(3, count // 7)
        tremor = self.noise.normal(0, self.hand.wobble_mm / self.unit_mm, (knots, 2))
        if closed:
            tremor[-1] = tremor[0]
        grid = np.linspace(0, 1, knots)
        u = np.linspace(0, 1, count)
        return dense + np.stack([np.interp(u, grid, tremor[:, 0]), np.interp(u, grid, tremor[:, 1])], axis=1)

    def line(
        self, points: Points | Sequence[Sequence[float]], weight: float = 1.0, closed: bool = False
    ) -> None:
        """An ink line; `weight` multiplies the hand's own."""
        width = self.hand.line_mm * weight / self.unit_mm
        for _ in range(2 if self.hand.twice else 1):
            self.canvas.stroke(self._shaky(points, closed), width, self.ink)

    def fine(self, points: Points | Sequence[Sequence[float]], level: int = 1) -> None:
        """A thin line, drawn only by hands that draw at least this level of detail."""
        if self.hand.detail >= level:
            self.canvas.stroke(self._shaky(points), self.hand.line_mm * 0.6 / self.unit_mm, self.ink)

    def shape(
        self, outline: Points | Sequence[Sequence[float]], shade: float = 0.0, weight: float = 1.0
    ) -> None:
        """A closed form that hides what lies behind it, shaded 0 (bare) to 1 (dark)."""
        p = np.asarray(outline, dtype=np.float64)
        self.canvas.fill(p, self.paper)
        if self.hand.solid and shade >= 0.8:
            self.canvas.fill(p, self.ink)
        elif shade > 0 and self.hand.hatch != "none":
            self._hatch(p, shade)
        self.line(p, weight, closed=True)

    def shadow(self, outline: Points) -> None:
        """Dark hatching without an edge, from hands that hatch."""
        if self.hand.hatch != "none":
            self._hatch(outline, 0.8)

    def bar(self, points: Points | Sequence[Sequence[float]], width: float, shade: float = 0.0) -> None:
        """A beam of constant width along a line, as a closed form."""
        p = np.asarray(points, dtype=np.float64)
        along = np.gradient(p, axis=0)
        along /= np.maximum(np.hypot(along[:, 0], along[:, 1])[:, None], 1e-9)
        across = np.stack([-along[:, 1], along[:, 0]], axis=1) * width / 2
        self.shape(np.vstack([p + across, (p - across)[::-1]]), shade)

    def _hatch(self, outline: Points, shade: float) -> None:
        canvas = self.canvas
        px = canvas.to_px(outline)
        low = np.maximum(np.floor(px.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 2, canvas.pixels.shape[1::-1])
        size = high - low
        if size.min() < 3:
            return
        inside = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillPoly(inside, [np.round(px - low).astype(np.int32)], 255)
        marks = np.zeros_like(inside)
        gap = self.hand.gap_mm * canvas.px_per_mm / (0.35 + 0.9 * shade)
        thick = max(1, round(self.hand.line_mm * 0.55 * canvas.px_per_mm))
        if self.hand.hatch == "dots":
            for y in np.arange(0, size[1], gap):
                for x in np.arange(0, size[0], gap):
                    jx, jy = self.noise.normal(0, gap * 0.2, 2)
                    cv2.circle(marks, (int(x + jx), int(y + jy)), max(1, int(thick * 0.8)), 255, -1)
        else:
            turns = (0.0, 75.0) if self.hand.hatch == "cross" and shade > 0.5 else (0.0,)
            reach = float(np.hypot(*size))
            for turn in turns:
                a = math.radians(self.hand.hatch_deg + turn)
                along, across = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
                for offset in np.arange(-reach / 2, reach / 2, gap):
                    middle = size / 2 + across * (offset + self.noise.normal(0, gap * 0.08))
                    ends = np.round([middle - along * reach, middle + along * reach]).astype(int)
                    cv2.line(marks, ends[0].tolist(), ends[1].tolist(), 255, thick)
        view = canvas.pixels[low[1] : high[1], low[0] : high[0]]
        view[(inside > 0) & (marks > 0)] = np.round(self.ink)


def _wheel(pen: _Pen, x: float, y: float, r: float) -> None:
    k = pen.hand.squash
    pen.shape(arc(x, y, r * k, r), 0.0, 1.2)
    pen.line(arc(x, y, r * 0.84 * k, r * 0.84), closed=True)
    for i in range(pen.hand.spokes):
        a = 2 * math.pi * (i + 0.3) / pen.hand.spokes
        pen.line(
            [
                (x + 0.16 * r * k * math.cos(a), y + 0.16 * r * math.sin(a)),
                (x + 0.84 * r * k * math.cos(a), y + 0.84 * r * math.sin(a)),
            ],
            0.8,
        )
    pen.shape(arc(x, y, r * 0.17 * k, r * 0.17), 0.9)


def _vessel(
    pen: _Pen,
    top: tuple[float, float],
    bottom: tuple[float, float],
    x: float = 0.0,
    hoops: Sequence[float] = (),
    staves: int = 0,
) -> None:
    """A round tub between (y, half width) above and below, its mouth seen from a little above."""
    (y0, r0), (y1, r1) = top, bottom
    tilt = pen.hand.view
    side = np.vstack([[(x - r0, y0)], arc(x, y1, r1, r1 * tilt, 180, 0), [(x + r0, y0)]])
    pen.shape(side, 0.25)
    shadow = np.vstack(
        [[(x + r0 * 0.35, y0 + r0 * tilt * 0.9)], arc(x, y1, r1, r1 * tilt, 70, 0), [(x + r0, y0)]]
    )
    pen.shadow(shadow)
    for i in range(1, staves):
        u = math.cos(math.pi * i / staves)
        drop = math.sqrt(1 - u * u)
        pen.fine([(x + u * r0, y0 + r0 * tilt * drop), (x + u * r1, y1 + r1 * tilt * drop)])
    for at in hoops:
        y, r = y0 + (y1 - y0) * at, r0 + (r1 - r0) * at
        thick = 0.07 * abs(y1 - y0)
        band = np.vstack([arc(x, y, r, r * tilt, 180, 0), arc(x, y + thick, r, r * tilt, 0, 180)])
        pen.shape(band, 0.9)
    pen.shape(arc(x, y0, r0, r0 * tilt), 0.0)
    pen.shape(arc(x, y0, r0 * 0.88, r0 * tilt * 0.85), 0.6, 0.7)


def _pump(pen: _Pen) -> None:
    half = pen.vary(0.14, 0.24)
    reach = pen.vary(0.58, 0.76)
    lip = pen.vary(-0.02, 0.16)
    pen.shape(box(-0.62, 0.84, 0.62, 1.0), 0.4)
    pen.shape([(-half - 0.17, 0.84), (-half - 0.1, 0.72), (half + 0.1, 0.72), (half + 0.17, 0.84)], 0.6)
    spout = [(-half, -0.32), (-0.44, -0.36), (-reach + 0.06, -0.24), (-reach, lip), (-reach + 0.2, lip)]
    pen.shape(smooth([*spout, (-reach + 0.26, -0.12), (-half, -0.06)]), 0.3)
    pen.shape(box(-reach - 0.03, lip - 0.02, -reach + 0.23, lip + 0.07), 0.8)
    pen.shape(box(-half, -0.52, half, 0.72), 0.2)
    pen.shadow(box(half * 0.2, -0.5, half, 0.72))
    for y in pen.pick(((-0.08, 0.3, 0.62), (0.1, 0.6), (-0.2, 0.05, 0.3, 0.55))):
        pen.shape(box(-half - 0.04, y, half + 0.04, y + 0.08), 0.7)
    dome = smooth([(-half - 0.08, -0.58), (-half, -0.72), (half, -0.72), (half + 0.08, -0.58)])
    pen.shape(np.vstack([[(-half - 0.08, -0.5)], dome, [(half + 0.08, -0.5)]]), 0.5)
    pen.line([(0.0, -0.72), (0.0, -0.98)], 1.6)
    pen.bar([(half, -0.6), (0.34, -0.84)], 0.07, 0.4)
    drop = pen.vary(-0.15, 0.3)
    lever = [(-0.06, -0.96), (0.34, -0.86), (0.62, -0.5 + drop * 0.3), (0.74, drop), (0.86, drop + 0.18)]
    pen.bar(smooth(lever), 0.09, 0.5)
    pen.shape(arc(0.34, -0.84, 0.06, 0.06), 0.9)
    if pen.pick((True, False)):
        _vessel(pen, (0.62, 0.2), (0.96, 0.15), x=-reach + 0.1, hoops=(0.4,))
    for x in (-reach + 0.08, -reach + 0.12):
        pen.fine([(x, lip + 0.12), (x - 0.01, 0.6)])
    pen.fine([(-0.9, 1.0), (0.9, 1.0)])


def _carriage(pen: _Pen) -> None:
    rear, front = pen.vary(0.5, 0.6), pen.vary(0.4, 0.5)
    roof, tail = pen.vary(-0.98, -0.82), pen.vary(1.2, 1.45)
    shaft = pen.vary(0.05, 0.3)
    pen.bar([(-0.6, 0.42), (-1.3, 0.36), (-1.98, shaft)], 0.06)
    pen.bar([(-0.6, 0.5), (-1.3, 0.46), (-1.98, shaft + 0.12)], 0.05)
    _wheel(pen, 1.0 - 0.28 * pen.hand.view, 0.98 - rear, rear)
    pen.bar([(-1.0, 0.5), (1.2, 0.5)], 0.08, 0.6)
    body = [
        (-0.55, roof + 0.12),
        (tail, roof + 0.12),
        (tail - 0.04, 0.34),
        (-0.1, 0.34),
        (-0.2, -0.02),
        (-0.6, -0.02),
    ]
    pen.shape(body, 0.55)
    pen.shape([(-0.6, -0.02), (-0.2, -0.02), (-0.1, 0.34), (-1.05, 0.34), (-1.1, 0.08), (-0.9, 0.02)], 0.3)
    if pen.pick((True, False)):
        eaves = [(-0.68, roof), (tail + 0.12, roof), (tail + 0.08, roof + 0.14), (-0.66, roof + 0.14)]
        pen.shape(eaves, 0.9)
    else:
        bow = smooth(
            [
                (-0.68, roof + 0.14),
                (-0.4, roof + 0.01),
                (0.4, roof - 0.03),
                (tail - 0.2, roof),
                (tail + 0.1, roof + 0.14),
            ]
        )
        pen.shape(bow, 0.9)
    pen.shape(box(0.36, roof + 0.32, tail - 0.36, -0.2), 0.0)
    pen.fine([((tail) / 2, roof + 0.32), (tail / 2, -0.2)])
    pen.shape([(-0.42, roof + 0.28), (0.16, roof + 0.28), (0.16, -0.12), (-0.42, -0.12)], 0.0)
    pen.shape(smooth([(-0.36, -0.12), (-0.3, -0.3), (0.0, -0.32), (0.1, -0.12)]), 0.9)
    pen.fine([(-0.1, 0.16), (tail - 0.04, 0.16)])
    pen.fine([(0.2, roof + 0.14), (0.2, 0.34)], 2)
    pen.shape(arc(-0.78, -0.14, 0.08, 0.11), 0.2)
    _wheel(pen, tail - 0.52, 0.99 - rear, rear)
    _wheel(pen, -0.78, 0.99 - front, front)


def _plow(pen: _Pen) -> None:
    lift, spread = pen.vary(-0.98, -0.78), pen.vary(0.16, 0.3)
    wheel = pen.vary(0.26, 0.4)
    pen.fine([(-1.95, 0.98), (-0.8, 0.98)], 0)
    for x in np.linspace(-0.2, 1.7, 6):
        pen.fine(smooth([(x, 0.99), (x + 0.14, 0.88), (x + 0.3, 0.99)]))
    pen.bar(
        smooth([(0.1, 0.66), (0.62, 0.28), (1.2, -0.44), (1.9 - spread, lift + 0.05), (1.92, lift)]), 0.1, 0.2
    )
    pen.bar(
        smooth(
            [
                (-0.02, 0.6),
                (0.5, 0.12),
                (1.2 - spread, -0.6),
                (1.68 - spread, lift - 0.02),
                (1.9 - spread, lift - 0.04),
            ]
        ),
        0.1,
        0.2,
    )
    pen.bar([(0.72, 0.06), (1.1, -0.3)], 0.07)
    if pen.pick((True, True, False)):
        _wheel(pen, -1.36, 0.97 - wheel, wheel)
        pen.bar([(-1.36, 0.97 - wheel), (-1.28, 0.0)], 0.08, 0.4)
    bend = pen.vary(-0.2, 0.02)
    pen.bar(smooth([(-1.92, 0.06), (-1.2, bend), (-0.3, bend + 0.04), (0.5, 0.14)]), pen.vary(0.13, 0.2), 0.4)
    pen.shape([(-0.62, -0.16), (-0.48, -0.16), (-0.46, 0.5), (-0.66, 0.72)], 0.3)
    top = pen.vary(0.14, 0.3)
    board = [(-0.66, 0.96), (-0.3, 0.5), (0.1, top), (0.52, top + 0.06), (0.5, 0.7), (0.2, 0.94), (-0.3, 1.0)]
    pen.shape(smooth(board, closed=True), 0.75)
    pen.fine(smooth([(-0.5, 0.9), (-0.1, 0.6), (0.4, 0.42)]))
    pen.shape([(-0.95, 1.0), (-0.3, 0.74), (0.0, 0.98)], 0.9)
    pen.shape(arc(-1.92, 0.08, 0.08, 0.1), 0.0)
    pen.bar([(0.02, 0.1), (0.06, 0.4)], 0.12, 0.5)


def _pail(pen: _Pen) -> None:
    mouth, foot = pen.vary(-0.42, -0.18), pen.vary(0.48, 0.64)
    rise = mouth + 0.94
    pen.bar(arc(0, mouth, 0.72, rise, 180, 360), 0.045)
    if pen.pick((True, False)):
        pen.bar(arc(0, mouth, 0.72, rise, 252, 288), 0.11, 0.7)
    hoops = pen.pick(((0.22, 0.72), (0.12, 0.45, 0.8), (0.3,)))
    _vessel(pen, (mouth, 0.76), (0.84, foot), hoops=hoops, staves=pen.pick((7, 9, 12)))
    for side in (-1, 1):
        pen.shape(box(side * 0.75 - 0.08, mouth - 0.16, side * 0.75 + 0.08, mouth + 0.16), 0.3)
        pen.shape(arc(side * 0.75, mouth - 0.04, 0.04, 0.04), 0.9)


def _wheelbarrow(pen: _Pen) -> None:
    r, grip = pen.vary(0.38, 0.5), pen.vary(-0.4, -0.08)
    pen.bar([(0.72, 0.2), (0.86, 0.98)], 0.1, 0.5)
    pen.bar([(0.98, 0.2), (0.5, 0.62)], 0.06)
    rim = pen.vary(-0.72, -0.5)
    if pen.pick((True, False)):
        for x, size in ((-0.45, 0.26), (0.05, 0.32), (0.5, 0.25)):
            pen.shape(arc(x, rim + 0.04, size, size * 0.9), 0.3)
            pen.fine(arc(x, rim + 0.04, size * 0.4, size * 0.85))
    pen.shape([(-0.78, rim - 0.1), (0.9, rim + 0.1), (1.02, rim + 0.18), (-0.6, rim + 0.02)], 0.8)
    _wheel(pen, -1.18, 0.98 - r, r)
    pen.bar([(-1.2, 0.98 - r), (-0.5, 0.3), (0.6, 0.1), (1.75, grip)], 0.1, 0.4)
    pen.shape([(-0.98, rim), (1.05, rim + 0.2), (0.68, 0.2), (-0.5, 0.34)], 0.4)
    for u in (0.33, 0.66):
        pen.fine([(-0.98 + 0.48 * u, rim + (0.34 - rim) * u), (1.05 - 0.37 * u, rim + 0.2 - rim * u)])
    for x in (-0.5, 0.5):
        pen.bar([(x, rim + 0.08 + 0.06 * (x + 0.5)), (x * 0.7 + 0.02, 0.28)], 0.09, 0.7)
    pen.shape(_round_bar(1.5, grip - 0.04, 1.86, grip + 0.1), 0.7)
    pen.fine([(-1.8, 0.99), (1.8, 0.99)], 0)


def _round_bar(x0: float, y0: float, x1: float, y1: float) -> Points:
    r = (y1 - y0) / 2
    return np.vstack([arc(x1 - r, y0 + r, r, r, -90, 90), arc(x0 + r, y0 + r, r, r, 90, 270)])


def _hat(pen: _Pen) -> None:
    tilt = 0.2 + pen.hand.view * 0.6
    brim, crown = pen.vary(1.7, 1.92), pen.vary(0.84, 1.08)
    top, dent = pen.vary(-0.98, -0.75), pen.pick((0.0, 0.0, 0.12))
    pen.shape(arc(0, 0.5, brim, brim * tilt * 0.75), 0.15, 1.2)
    for k in (0.9, 0.78, 0.66):
        pen.fine(arc(0, 0.48, brim * k, brim * tilt * 0.75 * k, 0, 180))
    for a in range(20, 170, 14):
        c, s = math.cos(math.radians(a)), math.sin(math.radians(a))
        pen.fine([(1.2 * crown * c, 0.46 + 0.9 * tilt * s), (brim * c, 0.5 + 0.74 * brim * tilt * s)], 2)
    narrow = pen.vary(0.6, 0.92) * crown
    dome = smooth(
        [
            (-0.92 * crown, -0.4),
            (-narrow, top + 0.1),
            (-0.2, top),
            (0, top + dent),
            (0.2, top),
            (narrow, top + 0.1),
            (0.92 * crown, -0.4),
        ]
    )
    pen.shape(
        np.vstack([[(-crown, 0.4)], dome, [(crown, 0.4)], arc(0, 0.4, crown, crown * tilt * 0.7, 0, 180)]),
        0.3,
    )
    pen.shadow(
        np.array(
            [(0.4, top + 0.1), (narrow, top + 0.14), (0.9 * crown, -0.35), (0.97 * crown, 0.4), (0.5, 0.5)]
        )
    )
    for y, r in ((-0.5, 0.88), (-0.3, 0.9), (-0.12, 0.93)):
        pen.fine(arc(0, y, r * crown, r * crown * tilt * 0.6, 10, 170))
    band_top = pen.vary(-0.02, 0.14)
    band = np.vstack(
        [
            arc(0, band_top, 0.96 * crown, 0.95 * crown * tilt * 0.7, 180, 0),
            arc(0, 0.38, crown, crown * tilt * 0.7, 0, 180),
        ]
    )
    pen.shape(band, 0.95)


def _can(pen: _Pen) -> None:
    body, mouth = pen.vary(0.54, 0.7), pen.vary(-0.42, -0.2)
    pen.bar(
        smooth([(0.3 + body * 0.9, mouth - 0.16), (1.3, -0.46), (1.36, 0.1), (1.16, 0.5), (0.3 + body, 0.6)]),
        0.1,
        0.4,
    )
    tip = pen.vary(-0.66, -0.4)
    pen.shape(
        [
            (0.2 - body * 0.6, 0.3),
            (0.2 - body * 0.6, 0.74),
            (-1.02, tip + 0.24),
            (-1.1, tip + 0.04),
            (-0.98, tip),
        ],
        0.35,
    )
    wide = pen.vary(0.14, 0.24)
    rose = [
        (-1.14, tip + 0.18),
        (-0.9, tip - 0.06),
        (-0.98 - wide, tip - 0.06 - wide),
        (-1.24 - wide, tip + 0.18 - wide * 0.7),
    ]
    pen.shape(rose, 0.5)
    if pen.pick((True, False)):
        for k in range(4):
            x, y = -1.2 - wide - 0.05 * k, tip - wide + 0.06 * k
            pen.fine(smooth([(x, y), (x - 0.1, y + 0.02), (x - 0.16, y + 0.16)]))
    _vessel(
        pen,
        (mouth, body * pen.vary(0.8, 1.0)),
        (0.86, body),
        x=0.3,
        hoops=pen.pick(((0.1, 0.86), (0.5,), (0.86,))),
    )
    pen.shape(arc(0.3, mouth, body * 0.8, body * 0.8 * pen.hand.view, 270, 450), 0.4)
    pen.bar(arc(0.3, mouth - 0.02, body * 0.75, 0.96 + mouth, 180, 360), 0.1, 0.3)


def _churn(pen: _Pen) -> None:
    top, foot = pen.vary(0.3, 0.44), pen.vary(0.5, 0.62)
    grip = pen.vary(0.16, 0.3)
    pen.bar([(0, -0.42), (0, -0.96)], 0.08, 0.3)
    pen.shape(_round_bar(-grip, -0.99, grip, -0.9), 0.6)
    hoops = pen.pick(((0.12, 0.46, 0.84), (0.2, 0.75), (0.08, 0.32, 0.6, 0.86)))
    _vessel(pen, (-0.34, top), (0.86, foot), hoops=hoops, staves=pen.pick((6, 8, 11)))
    tilt = pen.hand.view
    lid = np.vstack(
        [arc(0, -0.44, top + 0.04, top * tilt, 180, 360), arc(0, -0.34, top + 0.04, top * tilt, 0, 180)]
    )
    pen.shape(lid, 0.5)
    pen.line(arc(0, -0.44, top + 0.04, top * tilt, 0, 180))
    pen.shape(arc(0, -0.46, 0.12, 0.12 * max(tilt, 0.2)), 0.9)
    pen.bar([(0, -0.47), (0, -0.8)], 0.08, 0.3)
    if pen.pick((True, False)):
        x = top + (foot - top) * 0.4
        pen.shape(smooth([(x, 0.0), (x + 0.16, 0.02), (x + 0.18, 0.26), (x + 0.04, 0.3)]), 0.4)


_OBJECTS: dict[str, tuple[float, Callable[[_Pen], None]]] = {
    "pump": (0.9, _pump),
    "carriage": (2.0, _carriage),
    "plow": (2.0, _plow),
    "pail": (0.85, _pail),
    "wheelbarrow": (1.85, _wheelbarrow),
    "hat": (1.95, _hat),
    "can": (1.45, _can),
    "churn": (0.65, _churn),
}
"""Half width to half height of each drawing, and the drawing."""


def blitz_back(deck: str, hand: str, width_px: int, rng: random.Random) -> CardArt:
    """One back of 57 x 82 mm: an upright one-ink line drawing on cool white stock.

    Args:
        deck: a name of `referee.cards.DECKS`.
        hand: a name of `BACK_HANDS`: who drew it.
        width_px: width of the picture; the height follows.
        rng: draws the ink's exact tone, size, place, and the tremor of the hand.

    Raises:
        ValueError: if the deck or the hand is unknown.
    """
    if deck not in DECKS:
        raise ValueError(f"{deck!r} is no deck; known are {', '.join(DECKS)}")
    if hand not in HANDS:
        raise ValueError(f"{hand!r} is no drawing hand; known are {', '.join(HANDS)}")
    manner = HANDS[hand]
    cool = rng.uniform(240, 252)
    paper: Bgr = (cool + rng.uniform(0, 3), cool, cool - rng.uniform(0, 5))
    red, green, blue = INKS_RGB[deck]
    ink: Bgr = (_tone(blue, rng), _tone(green, rng), _tone(red, rng))
    canvas = Canvas(width_px, WIDTH_MM, HEIGHT_MM, paper)
    aspect, draw = _OBJECTS[deck.removeprefix("blue-")]
    widest_mm = WIDTH_MM * rng.uniform(0.74, 0.82)
    high_mm = HEIGHT_MM * (rng.uniform(0.28, 0.34) if aspect > 1.2 else rng.uniform(0.34, 0.5))
    unit_mm = min(widest_mm / 2 / aspect, high_mm / 2)
    x, y = WIDTH_MM / 2 + rng.gauss(0, 0.4), HEIGHT_MM / 2 + rng.gauss(0, 0.6)
    habit = random.Random(f"{hand} {deck.removeprefix('blue-')}")
    pen = _Pen(canvas, manner, ink, paper, unit_mm, habit, rng)
    wide = math.sqrt(manner.stretch) if unit_mm * aspect * 2 * manner.stretch < WIDTH_MM * 0.88 else 1.0
    with canvas.placed(
        x, y, unit_mm * wide * (-1 if manner.mirrored else 1), unit_mm / math.sqrt(manner.stretch)
    ):
        draw(pen)
    return CardArt(canvas.finish(), (), "back", Family.BLITZ, WIDTH_MM, HEIGHT_MM, hand, deck=deck)


def _tone(channel: int, rng: random.Random) -> float:
    return min(255.0, max(0.0, channel + rng.uniform(-14, 14)))
