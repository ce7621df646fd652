"""Our own digits and index letters: skeletons walked by an elliptical pen, turned into outlines.

Units: the height of a lining digit is 1, y points down, the origin is the top left of the glyph's box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from datasets.art.canvas import Points, arc, box, smooth

_GLYPH_PX = 400
_MARGIN_PX = 160


@dataclass(frozen=True, slots=True)
class Typeface:
    """How the pen and the hand behave. Lengths are in digit heights.

    `weight` is the width of an upright stroke, `contrast` that of a level stroke relative to it, `power` the
    squareness of bowls (2 round, 4 squarish). `letter_serif`, where set, replaces `serif` on letters.
    """

    width: float = 0.58
    weight: float = 0.16
    contrast: float = 0.9
    slant: float = 0.0
    power: float = 2.2
    serif: str = "none"
    round_ends: bool = False
    balls: bool = False
    open_four: bool = False
    flat_three: bool = False
    straight_six: bool = False
    one: str = "flag"
    seven: str = "straight"
    curled_two: bool = False
    old_style: bool = False
    letter_serif: str = ""
    crossed_q: bool = False


DRAWN: dict[str, Typeface] = {
    "grotesk": Typeface(width=0.58, weight=0.18, contrast=0.86),
    "condensed": Typeface(width=0.42, weight=0.15, contrast=0.85, power=2.8),
    "slab": Typeface(width=0.62, weight=0.17, contrast=0.72, serif="slab", one="foot", seven="serif"),
    "fat": Typeface(width=0.7, weight=0.27, contrast=0.62, power=2.4),
    "rounded": Typeface(
        width=0.56, weight=0.15, contrast=1.0, round_ends=True, straight_six=True, open_four=True
    ),
    "bodoni": Typeface(
        width=0.6, weight=0.19, contrast=0.28, serif="hair", balls=True, one="foot", seven="curved"
    ),
    "almanac": Typeface(
        width=0.6,
        weight=0.15,
        contrast=0.5,
        serif="hair",
        balls=True,
        one="foot",
        seven="curved",
        curled_two=True,
        old_style=True,
    ),
    "square": Typeface(width=0.54, weight=0.17, contrast=0.95, power=4.5, flat_three=True, one="flag"),
    "poster": Typeface(
        width=0.5, weight=0.21, contrast=0.6, power=3.2, serif="slab", one="foot", flat_three=True
    ),
    "italic": Typeface(
        width=0.56, weight=0.15, contrast=0.6, slant=0.2, balls=True, one="flag", seven="curved"
    ),
    "light": Typeface(width=0.56, weight=0.1, contrast=0.9, straight_six=True, one="plain", round_ends=True),
    "index": Typeface(width=0.54, weight=0.15, contrast=0.7, power=2.5, serif="slab", one="foot"),
    "narrow_index": Typeface(width=0.42, weight=0.14, contrast=0.72, power=3.0, serif="slab", one="foot"),
    "bicycle": Typeface(
        width=0.55, weight=0.115, contrast=0.95, power=2.3, one="flag", letter_serif="slab", crossed_q=True
    ),
    "croupier": Typeface(
        width=0.7,
        weight=0.125,
        contrast=0.85,
        serif="slab",
        one="foot",
        seven="serif",
        power=2.4,
        crossed_q=True,
    ),
    "clarendon": Typeface(
        width=0.64, weight=0.2, contrast=0.45, serif="slab", balls=True, one="foot", seven="curved"
    ),
    "spindle": Typeface(
        width=0.44, weight=0.105, contrast=0.9, power=2.6, letter_serif="hair", straight_six=True
    ),
    "tall_sans": Typeface(width=0.46, weight=0.16, contrast=0.8, power=2.6, one="flag", straight_six=True),
}

Stroke = tuple[Points, float]
"""A skeleton line and a factor on the pen's width."""


class _Skeleton:
    """Builds the skeleton strokes, serif blocks and balls of one glyph."""

    def __init__(self, face: Typeface, wide: float = 1.0) -> None:
        self.face = face
        self.s = face.weight / 2
        self.t = face.weight * face.contrast / 2
        self.w = face.width * wide
        self.strokes: list[Stroke] = []
        self.solids: list[Points] = []

    @property
    def left(self) -> float:
        return self.s

    @property
    def right(self) -> float:
        return self.w - self.s

    @property
    def top(self) -> float:
        return self.t

    @property
    def low(self) -> float:
        return 1 - self.t

    def line(self, *points: Sequence[float], thick: float = 1.0) -> None:
        self.strokes.append((np.asarray(points, dtype=np.float64), thick))

    def curve(self, points: Points, thick: float = 1.0) -> None:
        self.strokes.append((points, thick))

    def ball(self, x: float, y: float, size: float = 1.0) -> None:
        """A drop at a stroke's end; small ones keep an opening open."""
        if self.face.balls:
            r = self.s * size
            self.solids.append(arc(x, y, r, r))

    def serif(self, x: float, y: float, reach: float | None = None) -> None:
        """A level serif centred on a stem's end; y is 0 or 1."""
        if self.face.serif == "none":
            return
        tall = max(2 * self.t, 0.07) if self.face.serif == "slab" else max(2 * self.t * 0.8, 0.035)
        half = reach if reach is not None else self.s + 0.11
        y0, y1 = (0.0, tall) if y < 0.5 else (1 - tall, 1.0)
        self.solids.append(box(x - half, y0, x + half, y1))

    def beak(self, x: float, y: float, down: bool) -> None:
        """An upright tick at the end of a level bar."""
        if self.face.serif == "none":
            return
        deep = 0.2 if self.face.serif == "slab" else 0.22
        thin = max(2 * self.t * 0.8, 0.05)
        y0, y1 = (y - self.t, y + deep) if down else (y - deep, y + self.t)
        self.solids.append(box(x - thin / 2, y0, x + thin / 2, y1))


def _digit_0(k: _Skeleton) -> None:
    k.curve(arc(k.w / 2, 0.5, k.w / 2 - k.s, 0.5 - k.t, 0, 360, k.face.power, 72))


def _digit_1(k: _Skeleton) -> None:
    narrow = {"plain": 0.5, "flag": 0.72, "foot": 0.8}[k.face.one]
    k.w *= narrow
    x = k.w / 2 if k.face.one != "flag" else k.w - k.s - 0.02
    k.line((x, -0.2), (x, 1.2))
    if k.face.one == "flag":
        k.line((x, 0.02 + k.t), (x - 0.12, 0.15 + k.t), (0.02, 0.2 + k.t), thick=0.85)
    if k.face.one == "foot":
        k.line((x, k.t * 0.9), (x - k.s - 0.12, 0.13 + k.t), thick=0.8)
        tall = max(2 * k.t, 0.07) if k.face.serif == "slab" else max(1.6 * k.t, 0.05)
        k.solids.append(box(0.02, 1 - tall, k.w - 0.02, 1))


def _digit_2(k: _Skeleton) -> None:
    ry = 0.29 - k.t / 2
    bow = arc(k.w / 2, k.top + ry, k.w / 2 - k.s, ry, 195, 385, k.face.power)
    if k.face.curled_two:
        tail = smooth([bow[-1], (k.w * 0.62, 0.62), (k.left + 0.04, k.low - 0.04)])
        k.curve(np.vstack([bow[:-1], tail]))
        k.curve(
            smooth(
                [
                    (k.left, k.low - 0.02),
                    (k.w * 0.3, k.low - 0.1),
                    (k.w * 0.65, k.low),
                    (k.w - k.t, k.low - 0.12),
                ]
            )
        )
    else:
        corner = (k.left + 0.02, k.low)
        tail = smooth([bow[-1], (k.w * 0.66, 0.6), (k.w * 0.38, 0.78), corner])
        k.curve(np.vstack([bow[:-1], tail]))
        k.line((k.left - k.s * 0.6, k.low), (k.w - 0.01, k.low))
        k.beak(k.w - 0.03, k.low, down=False)
    k.ball(bow[0][0] + k.s * 0.3, bow[0][1])


def _digit_3(k: _Skeleton) -> None:
    mid = 0.47
    if k.face.flat_three:
        k.line((0.02, k.top), (k.right, k.top), (k.w * 0.45, mid - 0.02))
        lower = arc(
            k.w / 2 - 0.01,
            (mid + k.low) / 2 - 0.02,
            k.w / 2 - k.s,
            (k.low - mid) / 2 + 0.03,
            -100,
            165,
            k.face.power,
        )
        k.curve(lower)
        k.beak(0.04, k.top, down=True)
        k.ball(lower[-1][0] + k.s * 0.3, lower[-1][1])
        return
    ry_up, ry_low = (mid - k.top) / 2, (k.low - mid) / 2
    upper = arc(k.w / 2 - 0.01, k.top + ry_up, (k.w / 2 - k.s) * 0.92, ry_up, 198, 450, k.face.power)
    lower = arc(k.w / 2 - 0.01, mid + ry_low, k.w / 2 - k.s, ry_low, -90, 163, k.face.power)
    k.curve(upper)
    k.curve(lower)
    k.line((k.w * 0.36, mid), (k.w * 0.52, mid))
    k.ball(upper[0][0] + k.s * 0.3, upper[0][1])
    k.ball(lower[-1][0] + k.s * 0.3, lower[-1][1])


def _digit_4(k: _Skeleton) -> None:
    k.w *= 1.06
    bar = 0.7
    stem = k.w * 0.72
    if k.face.open_four:
        k.line((k.w * 0.36, -0.05), (k.left * 0.9, bar), (k.w - 0.01, bar))
        k.line((stem, 0.32), (stem, 1.2))
    else:
        k.line((stem, k.top - 0.02), (k.left * 0.8, bar), (k.w - 0.01, bar), thick=0.9)
        k.line((stem, 0.0), (stem, 1.2))
    k.serif(stem, 1.0, k.s + 0.1)


def _digit_5(k: _Skeleton) -> None:
    x = k.left + 0.035
    k.line((k.w - 0.03, k.top), (x, k.top), (x - 0.02, 0.46))
    cy, ry = 0.665 - k.t / 3, 1 - k.t - (0.665 - k.t / 3)
    bowl = arc(k.w / 2 - 0.01, cy, k.w / 2 - k.s + 0.01, ry, 218, 523, k.face.power)
    k.curve(bowl)
    k.beak(k.w - 0.05, k.top, down=False) if k.face.balls else None
    k.ball(bowl[-1][0] + k.s * 0.3, bowl[-1][1])


def _digit_6(k: _Skeleton) -> None:
    cy, ry = 0.665, 0.335 - k.t
    k.curve(arc(k.w / 2, cy, k.w / 2 - k.s, ry, 0, 360, k.face.power, 60))
    if k.face.straight_six:
        k.line((k.w * 0.72, -0.1), (k.left + 0.05, cy - ry * 0.5))
        k.curve(smooth([(k.left + 0.06, cy - ry * 0.52), (k.left + 0.005, cy - ry * 0.2), (k.left, cy)]))
        return
    end_deg = 312 if k.face.balls else 328
    back = arc(k.w / 2, 0.5, k.w / 2 - k.s, 0.5 - k.t, 90, end_deg, k.face.power)
    k.curve(back)
    k.ball(back[-1][0] - k.s * 0.2, back[-1][1] + k.s * 0.1, 0.75)


def _digit_7(k: _Skeleton) -> None:
    k.line((0.02, k.top), (k.right + k.s * 0.6, k.top))
    foot = k.w * 0.36
    if k.face.seven == "curved":
        k.curve(smooth([(k.right, k.top), (k.w * 0.6, 0.36), (k.w * 0.42, 0.7), (foot, 1.02), (foot, 1.2)]))
    else:
        k.line((k.right, k.top), (foot, 1.0), (foot - (k.right - foot) * 0.2, 1.2))
    if k.face.seven == "serif" or k.face.serif != "none":
        k.beak(0.045, k.top, down=True)


def _digit_8(k: _Skeleton) -> None:
    mid = 0.465
    ry_up, ry_low = (mid - k.top) / 2, (k.low - mid) / 2
    k.curve(arc(k.w / 2, k.top + ry_up, (k.w / 2 - k.s) * 0.9, ry_up, 0, 360, k.face.power, 60))
    k.curve(arc(k.w / 2, mid + ry_low, k.w / 2 - k.s, ry_low, 0, 360, k.face.power, 60))


def _letter_a(k: _Skeleton) -> None:
    k.w = k.w * 1.25
    mid = k.w / 2
    k.line((mid + 0.02, -0.08), (k.left * 0.75, 1.0), (k.left * 0.75 - 0.03, 1.1), thick=0.8)
    k.line((mid - 0.01, -0.08), (k.w - k.left * 0.9, 1.0), (k.w - k.left * 0.9 + 0.03, 1.1))
    k.line((k.w * 0.25, 0.66), (k.w * 0.75, 0.66))
    k.serif(k.left + 0.02, 1.0, 0.13)
    k.serif(k.w - k.left - 0.02, 1.0, 0.13)


def _letter_j(k: _Skeleton) -> None:
    x = k.w - k.s - 0.06
    bottom = arc((x + k.left) / 2, 0.74, (x - k.left) / 2, 0.26 - k.t, 0, 170, 2.2)
    k.curve(np.vstack([[[x, -0.2]], bottom]))
    k.serif(x, 0.0, k.s + 0.12)
    k.ball(bottom[-1][0] + k.s * 0.2, bottom[-1][1])


def _letter_q(k: _Skeleton) -> None:
    k.w *= 1.2
    k.curve(arc(k.w / 2, 0.49, k.w / 2 - k.s, 0.49 - k.t, 0, 360, k.face.power, 72))
    if k.face.crossed_q:
        tail = [
            (k.w * 0.2, 0.8),
            (k.w * 0.42, 0.74),
            (k.w * 0.66, 0.88),
            (k.w * 0.98, 0.97),
            (k.w * 1.04, 0.9),
        ]
        k.curve(smooth(tail), thick=0.8)
    else:
        k.line((k.w * 0.48, 0.66), (k.w - 0.01, 0.99), thick=0.95)


def _letter_k(k: _Skeleton) -> None:
    k.w *= 1.2
    x = k.left + 0.05
    k.line((x, -0.2), (x, 1.2))
    k.line((k.right - 0.02 + 0.05, -0.08), (x, 0.6), thick=0.8)
    k.line((k.w * 0.42, 0.4), (k.right, 1.0), (k.right + 0.05, 1.1))
    k.serif(x, 0.0)
    k.serif(x, 1.0)
    k.serif(k.right - 0.04, 0.0, 0.12)
    k.serif(k.right - 0.01, 1.0, 0.12)


def _bowl(k: _Skeleton, x: float, y0: float, y1: float, right: float) -> None:
    ry = (y1 - y0) / 2
    start = right - min(ry * 1.1, (right - x) * 0.7)
    k.curve(np.vstack([[[x, y0]], arc(start, y0 + ry, right - start, ry, -90, 90, 2.2), [[x, y1]]]))


def _letter_b(k: _Skeleton) -> None:
    k.w *= 1.1
    x = k.left + 0.04
    k.line((x, -0.2), (x, 1.2))
    _bowl(k, x, k.top, 0.47, k.right - 0.03)
    _bowl(k, x, 0.47, k.low, k.right)
    k.serif(x - 0.03, 0.0, k.s + 0.06)
    k.serif(x - 0.03, 1.0, k.s + 0.06)


def _letter_d(k: _Skeleton) -> None:
    k.w *= 1.2
    x = k.left + 0.04
    k.line((x, -0.2), (x, 1.2))
    _bowl(k, x, k.top, k.low, k.right)
    k.serif(x - 0.03, 0.0, k.s + 0.06)
    k.serif(x - 0.03, 1.0, k.s + 0.06)


def _letter_h(k: _Skeleton) -> None:
    k.w *= 1.2
    for x in (k.left + 0.04, k.right - 0.04):
        k.line((x, -0.2), (x, 1.2))
        k.serif(x, 0.0, k.s + 0.08)
        k.serif(x, 1.0, k.s + 0.08)
    k.line((k.left, 0.49), (k.right, 0.49))


def _letter_v(k: _Skeleton) -> None:
    k.w *= 1.2
    mid = k.w / 2
    k.line((k.left - 0.03, -0.1), (k.left, 0.0), (mid + 0.01, 1.05))
    k.line((k.right + 0.03, -0.1), (k.right, 0.0), (mid - 0.01, 1.05), thick=0.8)
    k.serif(k.left + 0.02, 0.0, 0.13)
    k.serif(k.right - 0.02, 0.0, 0.13)


def _letter_r(k: _Skeleton) -> None:
    k.w *= 1.15
    x = k.left + 0.04
    k.line((x, -0.2), (x, 1.2))
    _bowl(k, x, k.top, 0.52, k.right - 0.03)
    k.line((k.w * 0.5, 0.52), (k.right, 1.0), (k.right + 0.05, 1.1))
    k.serif(x - 0.01, 0.0, k.s + 0.07)
    k.serif(x, 1.0)


_DRAW = {
    "0": _digit_0,
    "1": _digit_1,
    "2": _digit_2,
    "3": _digit_3,
    "4": _digit_4,
    "5": _digit_5,
    "6": _digit_6,
    "7": _digit_7,
    "8": _digit_8,
    "A": _letter_a,
    "J": _letter_j,
    "Q": _letter_q,
    "K": _letter_k,
    "B": _letter_b,
    "D": _letter_d,
    "H": _letter_h,
    "V": _letter_v,
    "R": _letter_r,
}


def _walk(mask: npt.NDArray[np.uint8], skeleton: _Skeleton, to_px: float) -> None:
    """Sweep the elliptical pen along the strokes."""
    for points, thick in skeleton.strokes:
        s, t = skeleton.s * thick, skeleton.t * (thick if skeleton.face.contrast > 0.8 else 1.0)
        step = np.diff(points, axis=0)
        length = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-9)
        normal = np.stack([-step[:, 1] / length, step[:, 0] / length], axis=1)
        half = np.hypot(normal[:, 0] * s, normal[:, 1] * t)[:, None] * normal
        for a, b, h in zip(points[:-1], points[1:], half, strict=True):
            quad = np.stack([a + h, b + h, b - h, a - h])
            cv2.fillConvexPoly(mask, _fixed(quad, to_px), 255, cv2.LINE_8, 4)
        closed = np.allclose(points[0], points[-1])
        joints = points if skeleton.face.round_ends or closed else points[1:-1]
        for joint in joints:
            cv2.fillConvexPoly(
                mask, _fixed(arc(joint[0], joint[1], s, t, steps=24), to_px), 255, cv2.LINE_8, 4
            )
    for solid in skeleton.solids:
        cv2.fillPoly(mask, [_fixed(solid, to_px)], 255, cv2.LINE_8, 4)


def _fixed(points: Points, to_px: float) -> npt.NDArray[np.int32]:
    return np.round((points * to_px + _MARGIN_PX) * 16).astype(np.int32)


@dataclass(frozen=True, slots=True)
class Outline:
    """A drawn text: even-odd polygons in digit heights, ink box starting at (0, 0), `width` by `height`."""

    polygons: tuple[Points, ...]
    width: float
    height: float


def _mask_to_outline(mask: npt.NDArray[np.uint8], unit_px: float) -> Outline:
    contours, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    polygons = [cv2.approxPolyDP(c, 0.7, True)[:, 0, :] / unit_px for c in contours if len(c) > 8]
    every = np.vstack(polygons)
    origin = every.min(axis=0)
    width, height = (every.max(axis=0) - origin).tolist()
    return Outline(tuple(p - origin for p in polygons), width, height)


@lru_cache(maxsize=512)
def _drawn_glyph(name: str, symbol: str) -> npt.NDArray[np.uint8]:
    """One glyph's coverage in a frame `_MARGIN_PX` around a box of `_GLYPH_PX` height; ends clipped level."""
    face = DRAWN[name]
    if face.letter_serif and symbol.isalpha():
        face = replace(face, serif=face.letter_serif)
    skeleton = _Skeleton(face)
    _DRAW["6" if symbol == "9" else symbol](skeleton)
    wide_px = round(max(skeleton.w, 0.3) * _GLYPH_PX)
    mask: npt.NDArray[np.uint8] = np.zeros((_GLYPH_PX + 2 * _MARGIN_PX, wide_px + 2 * _MARGIN_PX), np.uint8)
    _walk(mask, skeleton, _GLYPH_PX)
    mask[:_MARGIN_PX] = 0
    mask[_MARGIN_PX + _GLYPH_PX :] = 0
    if symbol == "9":
        mask = mask[::-1, ::-1]
    if face.slant:
        high, wide = mask.shape
        shear = np.array([[1, -face.slant, face.slant * high / 2], [0, 1, 0]])
        mask = np.asarray(cv2.warpAffine(mask, shear, (wide, high)), np.uint8)
    return mask


def _join(
    masks: Sequence[npt.NDArray[np.uint8]], gap_px: int, drops_px: Sequence[int]
) -> npt.NDArray[np.uint8]:
    """Set glyph masks of equal height side by side, `gap_px` apart by their ink, each lowered by its drop."""
    cut = []
    for mask, drop in zip(masks, drops_px, strict=True):
        columns = np.flatnonzero(mask.max(axis=0))
        piece = mask[:, columns[0] : columns[-1] + 1]
        cut.append(np.roll(piece, drop, axis=0))
        cut.append(np.zeros((mask.shape[0], gap_px), np.uint8))
    joined = np.hstack(cut[:-1])
    return np.pad(joined, 2)


_DESCENDING = frozenset("34579")
_SHORT = frozenset("012")


def _old_style(mask: npt.NDArray[np.uint8], symbol: str) -> npt.NDArray[np.uint8]:
    """Shrink 0 1 2 to the small height; 3 4 5 7 9 keep their size and hang below the line."""
    if symbol not in _SHORT:
        return mask
    high, wide = mask.shape
    k, base = 0.78, _MARGIN_PX + _GLYPH_PX
    move = np.array([[k + 0.08, 0, 0], [0, k, base * (1 - k)]])
    return np.asarray(cv2.warpAffine(mask, move, (wide, high)), np.uint8)


def _drawn_outline(name: str, text: str) -> Outline:
    face = DRAWN[name]
    masks = [_drawn_glyph(name, symbol) for symbol in text]
    drops = [0] * len(text)
    if face.old_style and text.isdigit():
        masks = [_old_style(m, symbol) for m, symbol in zip(masks, text, strict=True)]
        drops = [round(0.18 * _GLYPH_PX) if symbol in _DESCENDING else 0 for symbol in text]
    gap = round((0.07 + 0.04 * (face.serif != "none")) * _GLYPH_PX)
    joined = _join(masks, gap, drops)
    return _mask_to_outline(np.where(joined > 127, 255, 0).astype(np.uint8), _GLYPH_PX)


def _font_outline(font: ImageFont.FreeTypeFont, text: str) -> Outline:
    """The outline of text in a loaded font; one unit is the height of its digit 0."""
    zero = font.getbbox("0")
    unit_px = zero[3] - zero[1]
    left, top, right, bottom = font.getbbox(text)
    picture = Image.new("L", (round(right - left) + 40, round(bottom - top) + 40), 0)
    ImageDraw.Draw(picture).text((20 - left, 20 - top), text, font=font, fill=255)
    return _mask_to_outline(np.where(np.asarray(picture) > 127, 255, 0).astype(np.uint8), unit_px)


PILLOW = "pillow"
"""Name of the typeface that Pillow carries in its wheel."""


@lru_cache(maxsize=2048)
def outline(typeface: str, text: str) -> Outline:
    """The outline of a number or an index letter.

    `typeface` is a name of `TYPEFACES`, or the path of a font file (see `draws_cards`).

    Raises:
        ValueError: if the typeface is neither.
    """
    if typeface in DRAWN:
        return _drawn_outline(typeface, text)
    if typeface == PILLOW:
        font = ImageFont.load_default(420)
        if not isinstance(font, ImageFont.FreeTypeFont):
            raise ValueError("this Pillow was built without FreeType: choose another typeface")
        return _font_outline(font, text)
    if Path(typeface).is_file():
        return _font_outline(ImageFont.truetype(typeface, 420), text)
    raise ValueError(f"{typeface!r} is no typeface; known are {', '.join([*DRAWN, PILLOW])}")


@lru_cache(maxsize=2048)
def draws_cards(path: Path) -> bool:
    """Whether a font file draws all digits and index letters, each differently; for training only."""
    try:
        font = ImageFont.truetype(str(path), 40)
        shapes = {bytes(font.getmask(symbol)) for symbol in "0123456789AJQKBDHVR"}
    except OSError:
        return False
    return len(shapes) == 19 and b"" not in shapes
