"""What happens over a table and is no play: bumped, moved and turned piles, resting hands, light, a nudge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.camera import TableCamera

HANDS = ("rest", "reach", "bump", "move", "turn")
"""Done by a hand that carries no card."""
LIGHTS = ("dim", "shadow")
KINDS = (*HANDS, *LIGHTS, "nudge")
QUIET_BEFORE_S, QUIET_AFTER_S = 0.9, 1.4
"""A pile is handled only while nobody plays on it."""
REACH_S, REST_S, MOVE_S = 0.5, 2.2, 0.6
DIM_S, DIM_FADE_S, DIM_TO = 4.0, 0.8, 0.62
SHADOW_S, SHADOW_DEPTH, SHADOW_WIDE = 3.0, 0.22, 0.12
"""A shadow's time over the table, depth, and softness in picture widths."""


@dataclass(frozen=True)
class Confuser:
    """Something of `KINDS` that begins at `t` s."""

    kind: str
    t: float


@dataclass(frozen=True)
class Handled:
    """What a hand does: it is at `places` (time in s, mm), and the pile moves `by` (mm, mm, deg)."""

    places: tuple[tuple[float, tuple[float, float]], ...]
    by: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turns: bool = False


def handled(
    kind: str,
    t: float,
    at_mm: tuple[float, float],
    to_mm: tuple[float, float],
    rng: np.random.Generator,
) -> Handled:
    """How a hand goes about a pile at `at_mm`; `to_mm`: a free place."""
    if kind == "rest":
        return Handled(((t, at_mm), (t + REST_S, at_mm)))
    if kind == "reach":
        angle = rng.uniform(0, 2 * math.pi)
        beside = (at_mm[0] + 90 * math.cos(angle), at_mm[1] + 90 * math.sin(angle))
        return Handled(((t, at_mm), (t + 0.3, beside)))
    if kind == "bump":
        angle, far = rng.uniform(0, 2 * math.pi), rng.uniform(8, 22)
        by = (far * math.cos(angle), far * math.sin(angle), float(rng.normal(0, 8)))
        return Handled(((t, at_mm), (t + 0.15, (at_mm[0] + by[0], at_mm[1] + by[1]))), by)
    if kind == "move":
        by = (to_mm[0] - at_mm[0], to_mm[1] - at_mm[1], float(rng.normal(0, 6)))
        return Handled(((t, at_mm), (t + MOVE_S, to_mm)), by)
    return Handled(((t, at_mm), (t + 0.35, at_mm)), turns=True)


def nudged(camera: TableCamera, rng: np.random.Generator) -> TableCamera:
    """The camera after somebody touched its stand: turned by about two degrees and shifted a little."""
    width, height = camera.size_px
    turn = math.radians(float(rng.choice([-1, 1])) * float(rng.uniform(1.2, 2.2)))
    shift = rng.uniform(-0.006, 0.006, 2) * width
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = width / 2, height / 2
    about = np.array(
        [
            [cos, -sin, x - cos * x + sin * y + shift[0]],
            [sin, cos, y - sin * x - cos * y + shift[1]],
            [0, 0, 1],
        ]
    )
    matrix = about @ camera.matrix
    return TableCamera(matrix / matrix[2, 2], camera.size_px)


def lit_at(picture: np.ndarray, t: float, lights: list[Confuser]) -> np.ndarray:
    """The picture BGR uint8 in the light of the time `t`."""
    for light in lights:
        since = t - light.t
        if light.kind == "dim" and 0 < since < DIM_S:
            fade = min(since / DIM_FADE_S, (DIM_S - since) / DIM_FADE_S, 1.0)
            picture = cv2.convertScaleAbs(picture, alpha=1 - (1 - DIM_TO) * fade)
        elif light.kind == "shadow" and 0 < since < SHADOW_S:
            edge = -2 * SHADOW_WIDE + (1 + 4 * SHADOW_WIDE) * since / SHADOW_S
            x = np.arange(picture.shape[1], dtype=np.float32) / picture.shape[1]
            dark = 1 - SHADOW_DEPTH * np.exp(-(((x - edge) / SHADOW_WIDE) ** 2))
            field = np.repeat(np.tile(dark, (picture.shape[0], 1))[..., None], 3, axis=2)
            picture = cv2.multiply(picture, field, dtype=cv2.CV_8U)
    return picture
