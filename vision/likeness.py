"""How a card looks, in numbers that light, blur and a loose outline change little; and how it might look.

An `Aspect` describes crops, `view` draws one as another camera in another room might see it, and `STRANGERS`
draw cards that are much like it and still others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

SIZE_PX = (96, 136)
"""Width and height of the crops that are compared."""
FINE_PX = (192, 272)
"""Width and height of the crops that are kept as examples."""
Parts = tuple[np.ndarray, ...]
"""Groups of numbers that describe a crop, each float32 (m,)."""
_LIFT = 12.0
"""Added before logarithms: below it a pixel is noise."""
_DIRECTIONS = 8
_CELLS = (4, 6)
_COLOUR_CELLS = (6, 8)
_LIGHT_CELLS = (12, 16)
_SPECTRUM = 128
_RINGS = (0.015, 0.03, 0.05, 0.075, 0.105, 0.14, 0.18, 0.23, 0.3)
"""Edges of the rings of the spectrum, in cycles a pixel."""
_TINTS = 7
"""The histogram of tints has so many bins each way."""
_END = 0.3
"""A face is told by its ends: this share of its length, where the numbers stand."""
_END_CELLS = (9, 4)


@dataclass(frozen=True)
class Aspect:
    """What is compared: `describe` gives the numbers of an even crop.

    `width_px`: all crops are brought to the sharpness of cards so wide, so that near and far ones compare.
    """

    width_px: int
    describe: Callable[[np.ndarray], Parts]

    @property
    def even_px(self) -> tuple[int, int]:
        """Width and height that carry this sharpness."""
        return self.width_px, round(self.width_px * SIZE_PX[1] / SIZE_PX[0])


def even(crop: np.ndarray, aspect: Aspect) -> np.ndarray:
    """A crop BGR uint8 (H, W, 3) as uint8 (136, 96, 3) of even sharpness."""
    small = cv2.resize(crop, aspect.even_px, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, SIZE_PX, interpolation=cv2.INTER_LINEAR), np.uint8)


def back_parts(crop: np.ndarray) -> Parts:
    """How the back in an even crop BGR uint8 (136, 96, 3) looks; the same upside down.

    Colour layout against the card's own white and against the camera's; layout of light; directions of
    edges (after Dalal and Triggs 2005); spectrum; mean tint; histogram of tints.
    """
    pixels = cv2.GaussianBlur(crop, (0, 0), 0.8).astype(np.float32)
    white = np.log(np.quantile(pixels.reshape(-1, 3), 0.9, axis=0) + _LIFT)
    blue, green, red = cv2.split(np.asarray(cv2.log(pixels + _LIFT)))
    light = (blue + green + red) / 3 - np.float32(white.mean())
    casts = red - green, blue - green
    tone = white[2] - white[1], white[0] - white[1]
    tints = casts[0] - np.float32(tone[0]), casts[1] - np.float32(tone[1])
    contrast = (light - light.mean()) / (light.std() + 0.05)
    colours = np.concatenate([_both_ways(plane, _COLOUR_CELLS) for plane in (light, *tints)])
    cast = np.concatenate([_both_ways(plane, _COLOUR_CELLS) for plane in casts])
    tint = [float(casts[0].mean()), float(casts[1].mean()), *tone]
    edges, busy = _edges(light, *tints)
    return _single(
        colours,
        cast,
        _both_ways(contrast, _LIGHT_CELLS),
        edges,
        np.array([busy]),
        _spectrum(light),
        np.array(tint),
        _histogram(*tints),
    )


def face_parts(crop: np.ndarray) -> Parts:
    """How the face in an even crop BGR uint8 (136, 96, 3) looks; the same upside down.

    As for backs, and the edges at both ends of the card finely: there it says which card it is.
    """
    blue, green, red = cv2.split(np.asarray(cv2.log(crop.astype(np.float32) + _LIFT)))
    light = np.asarray((blue + green + red) / 3)
    end = round(crop.shape[0] * _END)
    upper, lower = light[:end], light[::-1, ::-1][:end]
    fine = [_edge_cells(_slopes(np.ascontiguousarray(half)), _END_CELLS) for half in (upper, lower)]
    both = (fine[0] + fine[1]) / 2
    return *back_parts(crop), *_single(np.sqrt(both / (np.linalg.norm(both) + 1e-3)).ravel())


def _single(*parts: np.ndarray) -> Parts:
    return tuple(np.asarray(part, np.float32) for part in parts)


def _both_ways(plane: np.ndarray, cells: tuple[int, int]) -> np.ndarray:
    """A plane's means over cells, in a form that a half turn does not change."""
    small = cv2.resize(plane, cells, interpolation=cv2.INTER_AREA)
    turned = small[::-1, ::-1]
    half = cells[1] // 2
    return np.concatenate(
        [((small + turned) / 2)[:half].ravel(), (np.abs(small - turned) / 2)[:half].ravel()]
    )


def _edges(light: np.ndarray, *tints: np.ndarray) -> tuple[np.ndarray, float]:
    """Directions of the strongest edges over cells, and how busy the picture is."""
    across, down = _slopes(light)
    strength = cv2.magnitude(across, down)
    for plane in tints:
        x, y = _slopes(plane)
        own = cv2.magnitude(x, y)
        stronger = (own > strength).astype(np.uint8)
        for plane_of_all, plane_of_tint in ((across, x), (down, y), (strength, own)):
            cv2.copyTo(plane_of_tint, stronger, plane_of_all)
    cells = _edge_cells((across, down), _CELLS)
    turned, half = cells[::-1, ::-1], _CELLS[1] // 2
    parts = [((cells + turned) / 2)[:half].ravel(), (np.abs(cells - turned) / 2)[:half].ravel()]
    busy = float(np.log(cells.sum(axis=2).mean() + 0.01))
    return np.sqrt(np.concatenate(parts) / (np.linalg.norm(cells) + 1e-3)), busy


def _edge_cells(slopes: tuple[np.ndarray, np.ndarray], size: tuple[int, int]) -> np.ndarray:
    """Strength of edges per cell and direction, float32 (rows, columns, directions)."""
    across, down = slopes
    strength = np.minimum(cv2.magnitude(across, down), 1.0)
    angle = (np.arctan2(down, across) % np.pi) * (_DIRECTIONS / np.pi)
    cells = np.empty((size[1], size[0], _DIRECTIONS), np.float32)
    for k in range(_DIRECTIONS):
        off = np.abs(angle - k)
        near = np.maximum(1 - np.minimum(off, _DIRECTIONS - off), 0)
        cells[..., k] = cv2.resize(strength * near, size, interpolation=cv2.INTER_AREA)
    return cells


def _slopes(plane: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3)


def _spectrum(light: np.ndarray) -> np.ndarray:
    """Energy per ring and direction: a pattern's step and slant, wherever it lies."""
    window = np.outer(np.hanning(light.shape[0]), np.hanning(light.shape[1]))
    energy = np.abs(np.fft.rfft2((light - light.mean()) * window, s=(_SPECTRUM, _SPECTRUM))) ** 2
    sums = np.bincount(_spectrum_bins(), weights=energy.ravel(), minlength=(len(_RINGS) + 1) * _DIRECTIONS)
    inner = np.sqrt(sums[_DIRECTIONS : len(_RINGS) * _DIRECTIONS])
    return np.asarray(np.sqrt(inner / (np.linalg.norm(inner) + 1e-6)))


@cache
def _spectrum_bins() -> np.ndarray:
    down, across = np.fft.fftfreq(_SPECTRUM)[:, None], np.fft.rfftfreq(_SPECTRUM)[None]
    ring = np.digitize(np.hypot(across, down), _RINGS)
    slant = np.floor((np.arctan2(down, across) % np.pi) * (_DIRECTIONS / np.pi)).astype(int) % _DIRECTIONS
    return np.asarray((ring * _DIRECTIONS + slant).ravel())


def _histogram(*tints: np.ndarray) -> np.ndarray:
    first, second = (np.rint(np.clip((t + 0.9) / 1.8, 0, 1) * (_TINTS - 1)).astype(int) for t in tints)
    counts = np.bincount((first * _TINTS + second).ravel(), minlength=_TINTS * _TINTS)
    smooth = cv2.GaussianBlur(counts.reshape(_TINTS, _TINTS).astype(np.float32), (0, 0), 0.8)
    return np.asarray(np.sqrt(smooth / smooth.sum()).ravel())


BACK = Aspect(48, back_parts)
FACE = Aspect(64, face_parts)


def view(fine: np.ndarray, rng: np.random.Generator, aspect: Aspect) -> np.ndarray:
    """An even crop uint8 (136, 96, 3) of the card `fine` (272, 192, 3) in other light, through another lens.

    The spread of each fault is that of rooms, cameras and found outlines: corners off by 3 % of the width,
    now and then by 10-20 %; exposure and gamma; tint of the lamp; shadow, glare, a covered part; blur,
    sharpening, noise and compression.
    """
    width, height = SIZE_PX
    scale = fine.shape[1] / width
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(_loose(target, rng) * np.float32(scale), target)
    outside = tuple(float(v) for v in rng.uniform(10, 220, 3))
    flat = cv2.warpPerspective(
        cv2.GaussianBlur(fine, (0, 0), 0.45 * scale),
        matrix,
        SIZE_PX,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=outside,
    )
    lit = np.clip(_lit(flat.astype(np.float32), rng), 0, 255)
    lit = 255 * cv2.pow(lit / 255, float(np.exp(rng.normal(0, 0.16))))
    small = cv2.resize(lit, aspect.even_px, interpolation=cv2.INTER_AREA)
    blur = min(abs(float(rng.normal(0.2, 1.0))) * aspect.width_px / 80, aspect.width_px / 40)
    if blur > 0.25:
        small = cv2.GaussianBlur(small, (0, 0), blur)
    if rng.random() < 0.4:
        small += float(rng.uniform(0.2, 1.0)) * (small - cv2.GaussianBlur(small, (0, 0), 1.0))
    small += rng.normal(0, rng.uniform(0.5, 5), small.shape).astype(np.float32)
    _, data = cv2.imencode(
        ".jpg", np.clip(small, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))]
    )
    decoded = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return np.asarray(cv2.resize(decoded, SIZE_PX, interpolation=cv2.INTER_LINEAR), np.uint8)


def _loose(quad: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Corners as a finder may give them."""
    chance = rng.random()
    amount = 0.03 if chance < 0.65 else 0.09 if chance < 0.92 else 0.2
    centre, width = quad.mean(axis=0), quad[1, 0] - quad[0, 0]
    angle = rng.normal(0, amount * 0.35)
    c, s = np.cos(angle), np.sin(angle)
    grown = (quad - centre) @ np.array([[c, s], [-s, c]]) * (1 + rng.normal(0, amount * 0.5, (1, 2)))
    moved = (
        grown
        + centre
        + rng.normal(0, amount * width * 0.25, 2)
        + rng.normal(0, amount * width * 0.22, (4, 2))
    )
    return np.asarray(moved, np.float32)


def _lit(card: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A float32 crop in some light: exposure, tint, slope, at times a shadow, glare or something on it."""
    height, width = card.shape[:2]
    y, x = (grid.astype(np.float32) for grid in np.mgrid[0:height, 0:width])
    slope = rng.normal(0, 0.1, 2)
    lit = card * (1 + slope[0] * (x / width - 0.5) + slope[1] * (y / height - 0.5))[..., None]
    if rng.random() < 0.12:
        edge = _side(x, y, rng) - rng.normal(0, 25)
        shade = rng.uniform(0.15, 0.4) / (1 + np.exp(-np.clip(edge / rng.uniform(1, 6), -40, 40)))
        lit *= (1 - shade)[..., None]
    if rng.random() < 0.12:
        away = (x - rng.uniform(0, width)) ** 2 + (y - rng.uniform(0, height)) ** 2
        glare = rng.uniform(0.3, 1) * np.exp(-((away / rng.uniform(8, 35) ** 2) ** 2))
        lit += (255 - lit) * glare[..., None]
    warm = rng.normal(0, 0.08)
    gains = np.exp(rng.normal(-0.02, 0.24) + np.array([-warm, 0, warm]) + rng.normal(0, 0.02, 3))
    lit = lit * gains
    if rng.random() < 0.12:
        lit[_side(x, y, rng) > rng.uniform(20, 50)] = rng.uniform(10, 240, 3)
    return np.asarray(lit, np.float32)


def _side(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Distance in px from a line through the middle at any angle."""
    angle = rng.uniform(0, 2 * np.pi)
    return np.asarray((x - x.mean()) * np.cos(angle) + (y - y.mean()) * np.sin(angle))


def _other_hue(degrees: int) -> Callable[[np.ndarray], np.ndarray]:
    def draw(card: np.ndarray) -> np.ndarray:
        hsv = cv2.cvtColor(card, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + degrees // 2) % 180
        return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)

    return draw


def _other_step(factor: float) -> Callable[[np.ndarray], np.ndarray]:
    def draw(card: np.ndarray) -> np.ndarray:
        height, width = card.shape[:2]
        matrix = np.array([[factor, 0, width / 2 * (1 - factor)], [0, factor, height / 2 * (1 - factor)]])
        grown = cv2.warpAffine(card, matrix, (width, height), borderMode=cv2.BORDER_REFLECT_101)
        return np.asarray(grown, np.uint8)

    return draw


def _plain(card: np.ndarray) -> np.ndarray:
    blurred = cv2.GaussianBlur(card, (0, 0), card.shape[1] * 0.15, borderType=cv2.BORDER_REFLECT_101)
    return np.asarray(blurred, np.uint8)


def _other_margin(card: np.ndarray) -> np.ndarray:
    """The card without its light margin, or with one where it had none."""
    height, width = card.shape[:2]
    rim = round(width * 0.07)
    light = float(np.quantile(card, 0.95))
    inside = np.zeros((height, width), bool)
    inside[rim:-rim, rim:-rim] = True
    if float(card[~inside].min(axis=1).mean()) > 0.75 * light:
        return np.asarray(cv2.resize(card[rim:-rim, rim:-rim], (width, height)), np.uint8)
    drawn = card.copy()
    drawn[~inside] = np.uint8(light)
    return drawn


def _across(card: np.ndarray) -> np.ndarray:
    height, width = card.shape[:2]
    return np.asarray(cv2.resize(np.ascontiguousarray(np.rot90(card)), (width, height)), np.uint8)


STRANGERS: tuple[Callable[[np.ndarray], np.ndarray], ...] = (
    *(_other_hue(degrees) for degrees in (60, 120, 180, 240, 300)),
    _other_step(1.5),
    _other_step(0.67),
    _plain,
    _other_margin,
    _across,
)
"""Ways to turn a card into one much like it that is another: hue, step of the pattern, margin, direction."""
