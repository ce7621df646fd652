"""Cards that lie alone on a table, outlined by what stands off from it: a second opinion for the finder."""

from __future__ import annotations

import cv2
import numpy as np

from vision.refine import refine_quads
from vision.types import order_quad

LONG_PX = 320
"""The picture is cut at this size."""
RIM = 0.05
"""This share of the picture along its border is taken for table."""
PASSES = 4
MIN_AREA = 0.01
"""A smaller piece, as a share of the picture, is no card."""
MIN_FIT = 0.9
"""How well a piece must fill its four corners, or they it."""
RATIOS = (0.5, 0.92)
"""Width to length of a card, at a slant too."""


def card_outlines(image: np.ndarray) -> list[np.ndarray]:
    """Quads float32 (4, 2) px of card-shaped pieces that stand off from the table, BGR uint8 (H, W, 3).

    Iterated graph cuts after Rother, Kolmogorov and Blake 2004, from the colours along the border.
    """
    scale = LONG_PX / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    rim = round(RIM * LONG_PX)
    mask = np.full((height, width), cv2.GC_BGD, np.uint8)
    mask[rim:-rim, rim:-rim] = cv2.GC_PR_FGD
    cv2.setRNGSeed(1)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(small, mask, (0, 0, 1, 1), *models, PASSES, cv2.GC_INIT_WITH_MASK)
    ahead = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    pieces, _ = cv2.findContours(
        cv2.morphologyEx(ahead, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)),
        cv2.RETR_EXTERNAL,
        cv2.CHAIN_APPROX_NONE,
    )
    found = [_four_corners(piece) for piece in pieces if cv2.contourArea(piece) > MIN_AREA * height * width]
    return refine_quads(image, [order_quad(quad / scale) for quad in found if quad is not None])


def _four_corners(piece: np.ndarray) -> np.ndarray | None:
    """The quad (4, 2) that a contour fills, None if it has another shape than a card."""
    hull = cv2.convexHull(piece)
    around = cv2.arcLength(hull, True)
    low, high = 0.0, 0.2
    quad = None
    for _ in range(20):
        middle = (low + high) / 2
        corners = cv2.approxPolyDP(hull, middle * around, True)
        if len(corners) > 4:
            low = middle
        else:
            high = middle
            quad = corners if len(corners) == 4 else quad
    if quad is None:
        return None
    fit = cv2.contourArea(piece) / max(cv2.contourArea(quad), 1.0)
    points = quad.reshape(4, 2).astype(np.float32)
    edges = np.linalg.norm(np.roll(points, -1, axis=0) - points, axis=1)
    sides = sorted((float(edges[0] + edges[2]), float(edges[1] + edges[3])))
    card_like = min(fit, 1 / fit) >= MIN_FIT and RATIOS[0] <= sides[0] / sides[1] <= RATIOS[1]
    return points if card_like else None
