"""Sharpens the corners of found cards: straight edges fitted to the picture near each side of a box."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

SAMPLES = 20
"""Profiles taken across each side."""
STEPS = 33
"""Points of a profile."""
REACH = 0.15
"""How far a profile reaches to both sides of the box, as a share of the card's width."""
MIN_REACH_PX = 3.0
MIN_STEP = 24.0
"""The least change (0-255, summed over three samples) that counts as an edge."""
PRIOR = 0.35
"""How much less an edge at the end of the reach counts than one on the box."""
MOST_STEP = 40.0
"""A larger change counts no more than this: loud print on a few profiles must not outvote a whole edge."""
BRIGHTENING = 0.5
"""How much a step counts that grows brighter outwards: cards have light margins, so it is rather print."""
AGREED = 0.12
"""How far (reaches) a step may lie from the line that most profiles agree on."""
MAX_SLOPE = 0.2
SLOPES = 17
"""So many slopes are tried for that line."""
_SHARES = np.linspace(0.1, 0.9, SAMPLES)
_FIRST, _SECOND = (index.astype(int) for index in np.triu_indices(SAMPLES, 5))
"""Pairs of profiles far enough apart to give a slope."""


def refine_quad(image: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """`refine_quads` for one quad."""
    return refine_quads(image, [quad])[0]


def refine_quads(image: np.ndarray, quads: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Quads float32 (4, 2) moved onto the cards' edges as far as the picture (BGR uint8) shows them.

    Each side is moved on its own: the straight line is sought on which most profiles across the side show a
    step, rather one that grows darker outwards, and is put exactly through the strongest steps beside it
    (Theil-Sen, then least squares of the inliers). A side whose edge is covered or weak stays where it was.
    """
    if len(quads) == 0:
        return []
    boxes = np.stack([np.asarray(q, np.float64) for q in quads])
    ends = np.roll(boxes, -1, axis=1)
    along = ends - boxes
    length = np.linalg.norm(along, axis=2, keepdims=True)
    along = along / np.maximum(length, 1e-6)
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    middles = (boxes + ends) / 2
    inside = ((middles - boxes.mean(axis=1, keepdims=True)) * outward).sum(axis=2, keepdims=True) < 0
    outward = np.where(inside, -outward, outward)
    width = np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)
    reach = np.maximum(MIN_REACH_PX, REACH * width)[:, None]

    where, strong = _steps(image, boxes, ends, outward, reach)
    x = _SHARES * length
    slope, shift, usable = _lines(
        x.reshape(-1, SAMPLES),
        where.reshape(-1, SAMPLES),
        strong.reshape(-1, SAMPLES),
        np.repeat(reach[:, 0], 4),
    )
    slope, shift, usable = (v.reshape(-1, 4, 1) for v in (slope, shift, usable))
    points = np.where(usable, boxes + outward * shift, boxes)
    directions = np.where(usable, along + outward * slope, along)
    return [_corners(*parts) for parts in zip(boxes, points, directions, reach[:, 0], strict=True)]


def _steps(
    image: np.ndarray, starts: np.ndarray, ends: np.ndarray, outward: np.ndarray, reach: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Per profile the offset of its strongest step in px, and whether it is strong: both (n, 4, SAMPLES)."""
    shape = (len(starts), 4, SAMPLES)
    offsets = np.linspace(-1, 1, STEPS)
    base = starts[:, :, None] + (ends - starts)[:, :, None] * _SHARES[:, None]
    across = (offsets * reach)[:, None, None, :, None] * outward[:, :, None, None]
    # Corners are counted from the edge of the first pixel, remap counts from its centre.
    points = base[..., None, :] + across - 0.5
    points = points.reshape(-1, STEPS, 2).astype(np.float32)
    profile = np.empty((len(points), STEPS, 3), np.uint8)
    for start in range(0, len(points), 16000):
        # OpenCV's remap takes no more than 32767 rows.
        part = np.s_[start : start + 16000]
        profile[part] = cv2.remap(
            image, points[part, :, 0], points[part, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    step = np.diff(profile.astype(np.int16), axis=1)
    wide = _over_three(np.abs(step).max(axis=2))
    brighter = _over_three(step.sum(axis=2)) >= 0
    middle = (offsets[1:-2] + offsets[2:-1]) / 2
    score = np.minimum(wide, MOST_STEP) * (1 - PRIOR * np.abs(middle)) * np.where(brighter, BRIGHTENING, 1.0)
    score *= wide > MIN_STEP
    length = np.linalg.norm(ends - starts, axis=2) / reach
    line = _agreed(score.reshape(-1, SAMPLES, len(middle)), length.ravel(), middle).reshape(-1, 1)
    near = np.where(np.abs(middle - line) <= AGREED, wide, 0)
    best = near.argmax(axis=1)
    strong = near.max(axis=1) > MIN_STEP
    where = middle[best] + _beside(wide, best) * (middle[1] - middle[0])
    return where.reshape(shape) * reach[..., None], strong.reshape(shape)


def _beside(wide: np.ndarray, best: np.ndarray) -> np.ndarray:
    """How far (in samples) the peak of a parabola through three neighbours lies beside `best`, both (m,)."""
    rows, inner = np.arange(len(best)), np.clip(best, 1, wide.shape[1] - 2)
    before, here, after = (wide[rows, inner + k].astype(np.float64) for k in (-1, 0, 1))
    bend = before - 2 * here + after
    peak = (bend < 0) & (inner == best)
    return np.where(peak, np.clip((before - after) / (2 * np.where(peak, bend, 1)), -0.5, 0.5), 0.0)


def _over_three(step: np.ndarray) -> np.ndarray:
    """Steps summed over three neighbours along the profile: robust to blur."""
    return np.asarray(step[:, :-2] + step[:, 1:-1] + step[:, 2:])


def _agreed(score: np.ndarray, length: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Where each profile crosses the straight line with the largest sum of `score` (m, SAMPLES, offsets).

    `length` (m,) of the sides and `middle` (offsets,) in reaches; returns (m, SAMPLES) in reaches.
    """
    count, gap = len(middle), middle[1] - middle[0]
    most = np.full(len(score), -1.0)
    line = np.zeros(score.shape[:2])
    for slope in np.linspace(-MAX_SLOPE, MAX_SLOPE, SLOPES):
        lean = slope * (_SHARES - 0.5) * length[:, None] / gap
        columns = np.arange(count) + np.round(lean).astype(int)[..., None]
        inside = (columns >= 0) & (columns < count)
        total = (np.take_along_axis(score, np.clip(columns, 0, count - 1), axis=2) * inside).sum(axis=1)
        better = total.max(axis=1) > most
        most = np.where(better, total.max(axis=1), most)
        crossing = middle[0] + (total.argmax(axis=1)[:, None] + lean) * gap
        line = np.where(better[:, None], crossing, line)
    return line


def _lines(
    x: np.ndarray, y: np.ndarray, strong: np.ndarray, reach: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Slope, shift and usability of a line through each row of (x, y): all (m,)."""
    pairs = strong[:, _FIRST] & strong[:, _SECOND]
    enough = strong.sum(axis=1) >= SAMPLES // 2
    slopes = np.where(pairs, (y[:, _FIRST] - y[:, _SECOND]) / (x[:, _FIRST] - x[:, _SECOND]), np.nan)
    slopes[~pairs.any(axis=1)] = 0.0
    slope = np.clip(np.nanmedian(slopes, axis=1), -MAX_SLOPE, MAX_SLOPE)
    rest = np.where(strong, y - slope[:, None] * x, np.nan)
    rest[~strong.any(axis=1)] = 0.0
    shift = np.nanmedian(rest, axis=1)
    near = strong & (np.abs(y - slope[:, None] * x - shift[:, None]) < np.maximum(1.0, 0.12 * reach)[:, None])
    count = np.maximum(near.sum(axis=1), 1)
    mean_x, mean_y = (x * near).sum(axis=1) / count, (y * near).sum(axis=1) / count
    spread = (near * (x - mean_x[:, None]) ** 2).sum(axis=1)
    fitted = (near * (x - mean_x[:, None]) * (y - mean_y[:, None])).sum(axis=1) / np.maximum(spread, 1e-6)
    many = near.sum(axis=1) >= max(6, SAMPLES // 3)
    slope = np.where(many, np.clip(fitted, -MAX_SLOPE, MAX_SLOPE), slope)
    shift = np.where(many, mean_y - slope * mean_x, shift)
    return slope, shift, enough


def _corners(quad: np.ndarray, points: np.ndarray, directions: np.ndarray, reach: float) -> np.ndarray:
    """Where the four lines meet; a corner that would jump too far stays, as does a quad that would break."""
    corners = quad.copy()
    for i in range(4):
        p, u, q, v = points[i - 1], directions[i - 1], points[i], directions[i]
        cross = u[0] * v[1] - u[1] * v[0]
        if abs(cross) < 1e-3:
            continue
        d = q - p
        corner = p + u * ((d[0] * v[1] - d[1] * v[0]) / cross)
        if np.hypot(*(corner - quad[i])) <= reach * 1.6:
            corners[i] = corner
    refined = corners.astype(np.float32)
    ratio = cv2.contourArea(refined) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
    return refined if 0.75 < ratio < 1.3 and cv2.isContourConvex(refined) else quad.astype(np.float32)
