"""A camera that was moved: the one change of place that explains all cards at once."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

REACH = 0.8
"""A card is looked for this near (card widths) to where it was."""
AGREED = 0.12
"""Cards that come to lie this near (card widths) to where they should agree."""
LEAST_CARDS, LEAST_SHARE = 4, 0.6
"""So many cards, and this share of all that can be seen, must agree."""
LEAST_SHIFT = 0.03
"""A median change of place (card widths) below this is no nudge."""
RANSAC_ROUNDS = 500


def nudge(before: np.ndarray, found: np.ndarray, width_px: float) -> np.ndarray | None:
    """The similarity (2, 3) that takes cards at `before` (n, 2) px to where they are `found` (m, 2) px.

    None where no such change explains most of them, or where nothing moved.
    """
    if len(before) < LEAST_CARDS or len(found) < LEAST_CARDS:
        return None
    distance = np.linalg.norm(before[:, None] - found[None], axis=2)
    partner = distance.argmin(axis=1)
    near = distance.min(axis=1) < REACH * width_px
    if np.count_nonzero(near) < max(LEAST_CARDS, LEAST_SHARE * len(before)):
        return None
    cv2.setRNGSeed(1)
    matrix, agreed = cv2.estimateAffinePartial2D(
        before[near].astype(np.float32),
        found[partner[near]].astype(np.float32),
        method=cv2.RANSAC,
        ransacReprojThreshold=AGREED * width_px,
        maxIters=RANSAC_ROUNDS,
    )
    if matrix is None or np.count_nonzero(agreed) < max(LEAST_CARDS, LEAST_SHARE * len(before)):
        return None
    if not 0.9 < float(np.hypot(matrix[0, 0], matrix[1, 0])) < 1.1:
        return None
    shift = np.linalg.norm(moved(before, matrix) - before, axis=1)
    return matrix if float(np.median(shift)) > LEAST_SHIFT * width_px else None


def moved(points: np.ndarray | Sequence[Sequence[float]], matrix: np.ndarray) -> np.ndarray:
    """Points (n, 2) where the similarity (2, 3) takes them, float32."""
    return (np.asarray(points, np.float64) @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
