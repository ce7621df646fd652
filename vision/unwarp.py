"""A card seen at any angle, laid flat."""

from __future__ import annotations

import cv2
import numpy as np


def unwarp(image: np.ndarray, quad: np.ndarray, size_px: tuple[int, int]) -> np.ndarray:
    """The card with corners `quad` (from a short edge, clockwise) unwarped to `size_px` (w, h).

    Shrinking is done on a reduced copy of the picture first, so that fine print does not alias.
    """
    width, height = size_px
    edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    factor = float(min(edges[0] + edges[2], (edges[1] + edges[3]) * width / height)) / (2 * width)
    quad = quad.astype(np.float32)
    if factor > 1.5:
        x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 4, 0)
        x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 5
        part = image[y0:y1, x0:x1]
        if part.size:
            size = (max(1, round(part.shape[1] / factor)), max(1, round(part.shape[0] / factor)))
            scale = np.array([size[0] / part.shape[1], size[1] / part.shape[0]], np.float32)
            image, quad = (
                cv2.resize(part, size, interpolation=cv2.INTER_AREA),
                (quad - (x0, y0)).astype(np.float32) * scale,
            )
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(quad - 0.5, target)
    return cv2.warpPerspective(
        image, matrix, size_px, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
