"""Table tops drawn from noise: wood, felt, cloth, stone, carpet, paper. All pictures BGR uint8."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.photographs import texture_tile

SURFACE_SIZE_PX = 1024
"""Edge of a surface tile in pixels; one tile covers `SURFACE_SPAN_MM` of the table and is mirrored beyond."""
SURFACE_SPAN_MM = 900.0

_WOODS = (
    (58, 104, 158),
    (92, 142, 186),
    (124, 172, 205),
    (38, 56, 110),
    (30, 48, 70),
    (140, 178, 200),
    (60, 84, 120),
)
_FELTS = (
    (52, 96, 24),
    (70, 118, 38),
    (120, 62, 24),
    (96, 40, 20),
    (34, 34, 34),
    (40, 30, 110),
    (90, 90, 90),
    (60, 70, 10),
)
_CLOTHS = (
    (236, 238, 240),
    (214, 222, 228),
    (200, 188, 170),
    (180, 196, 224),
    (60, 60, 180),
    (150, 110, 60),
    (120, 160, 120),
)


def _noise(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Smooth noise in -1..1, float32, from a grid of `height` x `width` random values."""
    grid = rng.uniform(-1, 1, (height, width)).astype(np.float32)
    return cv2.resize(grid, (SURFACE_SIZE_PX, SURFACE_SIZE_PX), interpolation=cv2.INTER_CUBIC)


def _tinted(base: tuple[int, int, int], rng: np.random.Generator, spread: float = 18.0) -> np.ndarray:
    return np.clip(np.array(base, np.float32) + rng.normal(0, spread, 3), 5, 250).astype(np.float32)


def _shade(colour: np.ndarray, relief: np.ndarray) -> np.ndarray:
    """`colour` (3,) or (H, W, 3) made lighter and darker by `relief` (H, W), 0 = unchanged."""
    return np.clip(colour * (1 + relief[..., None]), 0, 255).astype(np.uint8)


def wood(rng: np.random.Generator) -> np.ndarray:
    """Planks with grain and rings."""
    stretch = int(rng.integers(2, 7))
    grain = (
        0.10 * _noise(rng, 220, stretch) + 0.07 * _noise(rng, 600, stretch * 3) + 0.05 * _noise(rng, 1024, 40)
    )
    y = np.linspace(0, rng.uniform(6, 22), SURFACE_SIZE_PX, dtype=np.float32)[:, None]
    rings = np.sin(2 * np.pi * (y + 0.8 * _noise(rng, 5, 3))) * rng.uniform(0.02, 0.12)
    relief = grain * rng.uniform(0.5, 1.4) + rings
    base = _tinted(_WOODS[rng.integers(len(_WOODS))], rng)
    planks = int(rng.integers(0, 7))
    for edge in np.sort(rng.integers(0, SURFACE_SIZE_PX, planks)):
        relief[edge : edge + int(rng.integers(1, 4))] -= rng.uniform(0.15, 0.5)
        relief[edge:] += rng.uniform(-0.08, 0.08)
    picture = _shade(base, relief)
    return np.ascontiguousarray(picture.transpose(1, 0, 2)) if rng.random() < 0.5 else picture


def felt(rng: np.random.Generator) -> np.ndarray:
    """A card cloth: one colour, fine fibres."""
    relief = 0.05 * _noise(rng, 6, 6) + rng.normal(0, rng.uniform(0.02, 0.09), (SURFACE_SIZE_PX,) * 2).astype(
        np.float32
    )
    return _shade(_tinted(_FELTS[rng.integers(len(_FELTS))], rng), cv2.GaussianBlur(relief, (3, 3), 0))


def cloth(rng: np.random.Generator) -> np.ndarray:
    """A table cloth: plain, checked, striped or dotted, with folds."""
    base = _tinted(_CLOTHS[rng.integers(len(_CLOTHS))], rng, 10)
    picture = np.tile(base, (SURFACE_SIZE_PX, SURFACE_SIZE_PX, 1))
    other = np.clip(base + rng.normal(0, 70, 3), 10, 250).astype(np.float32)
    period = int(rng.integers(24, 190))
    kind = rng.integers(0, 5)
    axis = np.arange(SURFACE_SIZE_PX) // period % 2
    if kind == 1:
        picture[axis == 1] = other
    elif kind == 2:
        weight = (axis[:, None] + axis[None, :])[..., None] / 2
        picture = picture * (1 - weight) + other * weight
    elif kind == 3:
        for x in range(period // 2, SURFACE_SIZE_PX, period):
            for y in range(period // 2, SURFACE_SIZE_PX, period):
                cv2.circle(
                    picture,
                    (x, y),
                    max(2, period // int(rng.integers(4, 9))),
                    other.tolist(),
                    -1,
                    cv2.LINE_AA,
                )
    elif kind == 4:
        for _ in range(int(rng.integers(20, 70))):
            centre = tuple(int(v) for v in rng.integers(0, SURFACE_SIZE_PX, 2))
            size = (int(rng.integers(8, 60)), int(rng.integers(8, 60)))
            colour = np.clip(other + rng.normal(0, 30, 3), 0, 255).tolist()
            cv2.ellipse(picture, centre, size, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
    weave = rng.normal(0, 0.02, (SURFACE_SIZE_PX,) * 2).astype(np.float32)
    return _shade(picture, weave + 0.07 * rng.random() * _noise(rng, 5, 9))


def stone(rng: np.random.Generator) -> np.ndarray:
    """Marble, granite, laminate: clouds, veins and speckles."""
    base = _tinted((int(rng.integers(40, 230)),) * 3, rng, 14)
    relief = 0.12 * _noise(rng, 5, 5) + 0.08 * _noise(rng, 24, 24) + 0.05 * _noise(rng, 120, 120)
    veins = np.abs(_noise(rng, 6, 6) + 0.4 * _noise(rng, 20, 20))
    relief -= rng.uniform(0, 0.5) * np.exp(-veins * 22)
    speckle = rng.normal(0, rng.uniform(0.0, 0.16), (SURFACE_SIZE_PX // 2,) * 2).astype(np.float32)
    relief += cv2.resize(speckle, (SURFACE_SIZE_PX,) * 2, interpolation=cv2.INTER_LINEAR)
    return _shade(base, relief)


def carpet(rng: np.random.Generator) -> np.ndarray:
    """Loops of a carpet or rug: strong texture at the scale of millimetres, sometimes bands of a pattern."""
    base = _tinted(tuple(int(v) for v in rng.integers(30, 200, 3)), rng, 10)
    size = int(rng.integers(180, 500))
    relief = rng.uniform(0.12, 0.35) * _noise(rng, size, size) + 0.08 * _noise(rng, 8, 8)
    picture = np.tile(base, (SURFACE_SIZE_PX, SURFACE_SIZE_PX, 1))
    for _ in range(int(rng.integers(0, 6))):
        x0, x1 = np.sort(rng.integers(0, SURFACE_SIZE_PX, 2))
        picture[:, x0:x1] = np.clip(picture[:, x0:x1] + rng.normal(0, 30, 3), 5, 250)
    return _shade(picture, relief)


def paper(rng: np.random.Generator) -> np.ndarray:
    """A newspaper or sheet: columns of grey lines, headlines and picture boxes (many false edges)."""
    picture = np.full((SURFACE_SIZE_PX, SURFACE_SIZE_PX, 3), int(rng.integers(190, 245)), np.float32)
    picture *= np.array([rng.uniform(0.9, 1), rng.uniform(0.95, 1), 1], np.float32)
    column = int(rng.integers(120, 260))
    pitch = int(rng.integers(8, 16))
    for x in range(10, SURFACE_SIZE_PX - column // 2, column + 14):
        y = 10
        while y < SURFACE_SIZE_PX - 20:
            if rng.random() < 0.04:
                height = int(rng.integers(50, 200))
                colour = rng.uniform(40, 200, 3).tolist()
                cv2.rectangle(picture, (x, y), (x + column, y + height), colour, -1)
                y += height + pitch
                continue
            if rng.random() < 0.05:
                height, step = pitch * 2, pitch * 2
                ink = 30.0
            else:
                height, step, ink = pitch // 2, 0, float(rng.uniform(50, 110))
            at = x
            while at < x + column - 10:
                word = int(rng.integers(6, 40)) + step
                cv2.rectangle(picture, (at, y), (min(at + word, x + column), y + height), (ink,) * 3, -1)
                at += word + int(rng.integers(4, 9))
            y += pitch + step
    return _shade(cv2.GaussianBlur(picture, (3, 3), 0), 0.05 * _noise(rng, 4, 4))


def glass(rng: np.random.Generator) -> np.ndarray:
    """A dark or grey glossy top with reflections of lamps and windows."""
    base = _tinted((int(rng.integers(20, 120)),) * 3, rng, 12)
    relief = 0.25 * _noise(rng, 4, 4)
    picture = np.tile(base, (SURFACE_SIZE_PX, SURFACE_SIZE_PX, 1))
    for _ in range(int(rng.integers(0, 4))):
        centre = tuple(int(v) for v in rng.integers(0, SURFACE_SIZE_PX, 2))
        box = cv2.boxPoints((centre, tuple(rng.uniform(40, 320, 2)), float(rng.uniform(0, 90)))).astype(
            np.int32
        )
        cv2.fillPoly(picture, [box], np.clip(base + rng.uniform(20, 110), 0, 255).tolist(), cv2.LINE_AA)
    return _shade(cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(2, 14))), relief)


def board(rng: np.random.Generator) -> np.ndarray:
    """The squares of a chess or game board, with a rim, lines and a slight grain."""
    light = _tinted(_WOODS[rng.integers(len(_WOODS))], rng, 25) * 1.3
    dark = light * rng.uniform(0.15, 0.75)
    period = int(rng.integers(40, 130))
    axis = (np.arange(SURFACE_SIZE_PX) - 40) // period
    odd = (axis[:, None] + axis[None, :]) % 2 == 1
    picture = np.where(odd[..., None], dark, light)
    rim = int(rng.integers(0, 90))
    if rim > 10:
        picture[:rim] = picture[:, :rim] = dark * 0.8
    if rng.random() < 0.5:
        for at in range(40, SURFACE_SIZE_PX, period):
            picture[at : at + 2] = picture[:, at : at + 2] = dark * rng.uniform(0.3, 1.0)
    relief = 0.06 * _noise(rng, 4, 4) + 0.05 * _noise(rng, 300, 6)
    return _shade(np.clip(picture, 0, 250), relief)


def quilt(rng: np.random.Generator) -> np.ndarray:
    """Patchwork, floor tiles, boxes side by side: many plain rectangles of a card's shape, and no card."""
    gap = _tinted((int(rng.integers(20, 245)),) * 3, rng, 12)
    picture = np.tile(gap, (SURFACE_SIZE_PX, SURFACE_SIZE_PX, 1))
    wide, high = int(rng.integers(36, 170)), int(rng.integers(36, 200))
    seam = int(rng.integers(1, 9))
    inks = rng.uniform(15, 245, (int(rng.integers(2, 9)), 3))
    shift = int(rng.integers(0, wide)) if rng.random() < 0.5 else 0
    for row, y in enumerate(range(0, SURFACE_SIZE_PX, high)):
        for x in range(-(row * shift) % wide - wide, SURFACE_SIZE_PX, wide):
            ink = np.clip(inks[rng.integers(len(inks))] + rng.normal(0, 12, 3), 5, 250)
            left, right = max(x + seam, 0), max(x + wide - seam, 0)
            picture[y + seam : y + high - seam, left:right] = ink
            if rng.random() < 0.15:
                inner = picture[
                    y + 3 * seam : y + high - 3 * seam, left + 2 * seam : max(right - 2 * seam, 0)
                ]
                inner[:] = inks[rng.integers(len(inks))]
    weave = rng.normal(0, 0.03, (SURFACE_SIZE_PX,) * 2).astype(np.float32)
    return _shade(np.clip(picture, 0, 250), weave + 0.08 * _noise(rng, 5, 5))


KINDS: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "wood": wood,
    "felt": felt,
    "cloth": cloth,
    "stone": stone,
    "carpet": carpet,
    "paper": paper,
    "glass": glass,
    "board": board,
}

ON_REQUEST: dict[str, Callable[[np.random.Generator], np.ndarray]] = {"quilt": quilt}
"""Tops that are only made where they are asked for by name: lessons in what is no card."""

_SPLIT_SEEDS = {"train": 1, "validation": 2, "test": 3}


RENEWED = 1 / 6
"""How often a table top gives its place in the bank to a new one."""


class Surfaces:
    """A bank of `count` table tops of one split that is renewed slowly; splits share no random stream.

    With `photographs` (files of the same split) every second top is cut out of one of them.
    """

    def __init__(
        self,
        split: str,
        count: int = 28,
        photographs: Sequence[Path] = (),
        start: int = 0,
        kind: str | None = None,
    ) -> None:
        """`start` tells apart the renewals of banks that are drawn side by side; `kind` names the only kind
        of tops."""
        self._kinds = list(KINDS.values()) if kind is None else [(KINDS | ON_REQUEST)[kind]]
        self._photographs = photographs
        self._split = _SPLIT_SEEDS[split]
        self._count = count
        self._renewals = np.random.default_rng((self._split, start, 1))
        self._tiles: dict[int, np.ndarray] = {}

    def _new(self, number: int) -> np.ndarray:
        """Top `number` of the split, always the same."""
        rng = np.random.default_rng((self._split, number))
        if self._photographs and rng.random() < 0.5:
            tile = texture_tile(self._photographs, rng)
            if tile is not None:
                return tile
        return self._kinds[number % len(self._kinds)](rng)

    def _pick(self, rng: np.random.Generator) -> np.ndarray:
        place = int(rng.integers(self._count))
        if place not in self._tiles:
            self._tiles[place] = self._new(place)
        elif self._renewals.random() < RENEWED:
            self._tiles[place] = self._new(int(self._renewals.integers(self._count, 10**6)))
        return self._tiles[place]

    def lay(self, matrix: np.ndarray, size_px: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
        """One table top seen through `matrix` (table mm to px), BGR uint8 (H, W, 3)."""
        tile = self._pick(rng)
        scale = SURFACE_SIZE_PX / SURFACE_SPAN_MM * rng.uniform(0.6, 1.8)
        turn = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(turn) * scale, np.sin(turn) * scale
        to_tile = np.array([[c, -s, rng.uniform(0, 1000)], [s, c, rng.uniform(0, 1000)], [0, 0, 1]])
        tile_to_picture = matrix @ np.linalg.inv(to_tile)
        picture = cv2.warpPerspective(
            tile, tile_to_picture, size_px, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
        )
        gain = rng.uniform(0.75, 1.2)
        return cv2.convertScaleAbs(picture, alpha=gain)
