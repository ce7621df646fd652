"""Pictures of single decks on a plain table, as somebody takes them who enrols."""

from __future__ import annotations

import random

import cv2
import numpy as np

from datasets import art
from tests.vision.drawing import table, turned_box

SIZE = (1280, 960)
BACKS = {"blue": 118, "dark red": 9, "gold": 48}
"""Drawn backs with a white margin, by the colour of their drawing."""


def back_art(seed: int) -> np.ndarray:
    """A drawn standard back, BGRA uint8."""
    return art.own_standard_back(seed, 256, random.Random(1)).image


def picture_of(
    cards: list[np.ndarray],
    *,
    width: float = 170.0,
    angle: float = 12.0,
    cloth: tuple[int, int, int] = (60, 80, 40),
    light: float = 1.0,
) -> np.ndarray:
    """Cards BGRA uint8 side by side on a plain table, BGR uint8 (960, 1280, 3); `light` is the exposure."""
    picture = table(SIZE, cloth, noise=1.5).astype(np.float32)
    columns = min(max(len(cards), 1), 5)
    rows = -(-len(cards) // columns)
    for index, card in enumerate(cards):
        height, across = card.shape[:2]
        size = (width, width * height / across)
        x = SIZE[0] / 2 + (index % columns - (columns - 1) / 2) * size[0] * 1.25
        y = SIZE[1] / 2 + (index // columns - (rows - 1) / 2) * size[1] * 1.15
        quad = turned_box((x, y), size, angle if len(cards) == 1 else 2.0)
        corners = np.array([[0, 0], [across, 0], [across, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(corners - 0.5, quad - 0.5)
        small = cv2.GaussianBlur(card, (0, 0), max(0.4 * across / width, 0.1))
        laid = cv2.warpPerspective(small, matrix, SIZE, flags=cv2.INTER_LINEAR).astype(np.float32)
        alpha = laid[..., 3:] / 255
        picture = picture * (1 - alpha) + laid[..., :3] * alpha
    return np.clip(picture * light, 0, 255).astype(np.uint8)
