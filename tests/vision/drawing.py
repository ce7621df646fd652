"""Tables and cards drawn plainly, with corners known exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

BGR = tuple[int, int, int]
WHITE: BGR = (245, 245, 245)
SUPER = 4
"""Pictures are drawn this much larger and reduced, so that edges are where they are said to be."""


def turned_box(centre: Sequence[float], size: tuple[float, float], angle_deg: float) -> np.ndarray:
    """Corners float32 (4, 2) of a box of `size` (w, h) px: top-left first, clockwise."""
    w, h = size
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    own = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    return (own @ np.array([[c, s], [-s, c]]) + np.asarray(centre)).astype(np.float32)


def table(
    size: tuple[int, int], colour: BGR = (60, 110, 60), noise: float = 0.0, seed: int = 0
) -> np.ndarray:
    """A table of one colour, BGR uint8, with sensor noise."""
    picture = np.full((size[1], size[0], 3), colour, np.float32)
    if noise:
        picture += np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def grainy(picture: np.ndarray, noise: float, seed: int) -> np.ndarray:
    """A copy with sensor noise of this standard deviation."""
    grain = np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def fill(picture: np.ndarray, quad: np.ndarray, colour: BGR) -> np.ndarray:
    """A copy with the quad painted, its edges at sub-pixel places."""
    height, width = picture.shape[:2]
    large = np.zeros((height * SUPER, width * SUPER), np.uint8)
    # Corners are counted from the edge of the first pixel, drawing counts from its centre.
    points = quad * SUPER - 0.5
    cv2.fillConvexPoly(large, np.round(points * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    alpha = (
        cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    )
    return np.round(picture * (1 - alpha) + np.array(colour, np.float32) * alpha).astype(np.uint8)


def inset(quad: np.ndarray, share: float) -> np.ndarray:
    """The quad with each edge moved inwards by `share` of its width."""
    width = float(np.linalg.norm(quad[1] - quad[0]))
    length = float(np.linalg.norm(quad[2] - quad[1]))
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    inner = unit.copy()
    inner[:, 0] = np.where(unit[:, 0] > 0, 1 - share, share)
    inner[:, 1] = np.where(unit[:, 1] > 0, 1 - share * width / length, share * width / length)
    matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    return cv2.perspectiveTransform(inner.reshape(-1, 1, 2), matrix).reshape(-1, 2)
