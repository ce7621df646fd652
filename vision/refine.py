"""Sharpens the corners of a found card: straight edges fitted to the picture near each side of the box."""

from __future__ import annotations

import cv2
import numpy as np

SAMPLES = 24
"""Profiles taken along each side."""
REACH = 0.14
"""How far a profile reaches to both sides of the box, as a share of the card's width."""
MIN_STEP = 8.0
"""The least change of brightness or colour (0-255) that counts as an edge."""


def refine_quad(image: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """`quad` float32 (4, 2) moved onto the card's edges as far as the picture (BGR uint8) shows them.

    Each side is moved on its own; a side whose edge is covered or weak stays where it was. Card edges are
    found as the outermost strong step across the side that most profiles agree on.
    """
    width = float(np.linalg.norm(quad[1] - quad[0]))
    reach = max(3.0, REACH * width)
    steps = int(np.clip(np.ceil(reach * 2), 9, 41))
    lines = [_side(image, quad[i], quad[(i + 1) % 4], quad.mean(axis=0), reach, steps) for i in range(4)]
    corners = []
    for i in range(4):
        corner = _cross(lines[i - 1], lines[i])
        if corner is None or np.linalg.norm(corner - quad[i]) > reach * 1.6:
            corner = quad[i]
        corners.append(corner)
    refined = np.array(corners, np.float32)
    ratio = cv2.contourArea(refined) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
    return refined if 0.75 < ratio < 1.3 and cv2.isContourConvex(refined) else quad.astype(np.float32)


def _side(
    image: np.ndarray, start: np.ndarray, end: np.ndarray, centre: np.ndarray, reach: float, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """A line (point, direction) along the card's edge between two corners."""
    along = end - start
    along = along / max(float(np.linalg.norm(along)), 1e-6)
    outward = np.array([along[1], -along[0]])
    if np.dot(outward, (start + end) / 2 - centre) < 0:
        outward = -outward
    shares = np.linspace(0.12, 0.88, SAMPLES)[:, None]
    base = start + (end - start) * shares
    offsets = np.linspace(-reach, reach, steps)
    points = (base[:, None, :] + outward * offsets[None, :, None]).astype(np.float32)
    profile = cv2.remap(image, points[..., 0], points[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    step = np.abs(np.diff(cv2.GaussianBlur(profile, (3, 1), 0).astype(np.float32), axis=1)).max(axis=2)
    # The jump over three samples is robust to blur; a mild preference for the box keeps neighbours out.
    wide = step[:, :-2] + step[:, 1:-1] + step[:, 2:]
    middle = (offsets[1:-2] + offsets[2:-1]) / 2
    prior = 1 - 0.35 * np.abs(middle) / reach
    score = wide * prior
    best = score.argmax(axis=1)
    strong = wide[np.arange(SAMPLES), best] > MIN_STEP
    if strong.sum() < SAMPLES // 2:
        return (start + end) / 2, along
    where = middle[best][strong]
    at = shares[strong, 0] * float(np.linalg.norm(end - start))
    slope, shift = _robust_line(at, where, reach)
    point = start + outward * shift
    direction = along + outward * slope
    return point, direction / np.linalg.norm(direction)


def _robust_line(x: np.ndarray, y: np.ndarray, reach: float) -> tuple[float, float]:
    """Slope and intercept through the pairs that agree: Theil-Sen over all pairs, then least squares of the inliers."""
    i, j = np.triu_indices(len(x), 1)
    far = np.abs(x[i] - x[j]) > 0.2 * (x.max() - x.min() + 1e-6)
    slope = float(np.median((y[i] - y[j])[far] / (x[i] - x[j])[far])) if far.any() else 0.0
    slope = float(np.clip(slope, -0.2, 0.2))
    shift = float(np.median(y - slope * x))
    inliers = np.abs(y - slope * x - shift) < max(1.0, 0.12 * reach)
    if inliers.sum() >= max(6, len(x) // 3):
        slope, shift = (float(v) for v in np.polyfit(x[inliers], y[inliers], 1))
    return slope, shift


def _cross(first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]) -> np.ndarray | None:
    (p, u), (q, v) = first, second
    matrix = np.column_stack([u, -v])
    if abs(np.linalg.det(matrix)) < 1e-3:
        return None
    return p + u * np.linalg.solve(matrix, q - p)[0]
