"""How good a picture of the table is: light, glare, sharpness, and how steady the camera stands.

Only measures; what is too much, and what to do then, is said elsewhere. Brightness is 0-255.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

BLACK_LEVEL = 18.0
"""Mean brightness below which a picture shows nothing: the light is off or the lens is covered."""
BLOWN_LEVEL = 253
"""A pixel whose colours all reach this is blown out: print beneath it cannot be seen."""
_GAMMA = 2.2
_LOOK_WIDTH_PX = 640
_RIM_PX, _RIM_SHARE = 2, 0.06
_SOFT_LEVEL, _FADE, _SOFT_SHARE = 190, 20, 0.3
"""Of the rim of a reflection, beyond the blur of an edge, this share is still this bright, and by so much
brighter than what lies around."""
_MIN_PATCH_MM = 16.0
"""Smaller bright spots are the white between the pictures of a card."""
_WHITE_RANK = 85
"""Of cards and of the sheet at least so much (percent) is not brighter than their white."""
_GRID = (6, 4)
_SAME_CHROMA = 0.03
_DARK_TONE = 20.0
"""Darker tones are too coarse to compare."""
_PROFILE_STEPS = 41
_MIN_CONTRAST = 40.0
_SHARPEST = 0.35
"""Of many edges the sharp ones tell the focus; the others lie on print or under a hand."""


@dataclass(frozen=True)
class Light:
    """Brightness: `mean`, and `white`, that of white things.

    `clipped`: share of pixels at the end of the scale; `noise`: standard deviation from pixel to pixel;
    `uneven`: how many times more light the brightest part of the table gets than the darkest.
    """

    mean: float
    white: float
    clipped: float
    noise: float
    uneven: float


@dataclass(frozen=True)
class Glare:
    """`share` of the table that is blown out; `patches` reflections x, y, width in px, the largest first."""

    share: float
    patches: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class Flicker:
    """Relative change of brightness from frame to frame: `whole` of the picture, `bands` of its rows."""

    whole: float
    bands: float


@dataclass(frozen=True)
class Sharpness:
    """Blur as the standard deviation of a Gaussian in px, in the sharpest and in the worst direction."""

    best: float
    worst: float


def is_black(image: np.ndarray) -> bool:
    """Whether a picture BGR uint8 (H, W, 3) shows nothing."""
    return bool(image[::16, ::16].mean() < BLACK_LEVEL)


def inside(shape: tuple[int, ...], area_px: Sequence[tuple[float, float]] | None) -> np.ndarray:
    """Bool (H, W): the pixels inside the polygon `area_px`; all of them without one."""
    if area_px is None:
        return np.ones(shape[:2], bool)
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(np.asarray(area_px, float)).astype(np.int32)], 1)
    return mask > 0


def light_on(image: np.ndarray, area: np.ndarray, white: np.ndarray | None = None) -> Light:
    """The light on the table: `image` BGR uint8 (H, W, 3), `area` bool (H, W).

    `white` bool (H, W): where cards or a sheet lie, on which something is white; without it the whole picture
    is searched for its brightest parts.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    values = grey[area]
    return Light(
        mean=float(values.mean()),
        white=float(np.percentile(values, 98) if white is None else np.percentile(grey[white], _WHITE_RANK)),
        clipped=float((image.min(axis=2)[area] >= BLOWN_LEVEL).mean()),
        noise=_noise(grey, area),
        uneven=_unevenness(image, area),
    )


def _noise(grey: np.ndarray, area: np.ndarray) -> float:
    """Noise of the flatter half of the picture (Immerkaer, "Fast noise variance estimation", 1996)."""
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    rough = np.abs(cv2.filter2D(grey.astype(np.float32), -1, kernel))
    flat = cv2.boxFilter(rough, -1, (9, 9))
    usable = area & (grey > 8) & (grey < 247)
    if not usable.any():
        return 0.0
    calm = usable & (flat <= np.median(flat[usable]))
    return float(np.sqrt(np.pi / 2) / 6 * rough[calm].mean())


def _unevenness(image: np.ndarray, area: np.ndarray) -> float:
    """Most to least light over the parts of the table that have its commonest colour."""
    height, width = image.shape[:2]
    columns, rows = _GRID
    tones = []
    for row in range(rows):
        for column in range(columns):
            part = np.s_[
                height * row // rows : height * (row + 1) // rows,
                width * column // columns : width * (column + 1) // columns,
            ]
            pixels = image[part][area[part]]
            if len(pixels) > 0.5 * area[part].size:
                tones.append(np.median(pixels, axis=0))
    if len(tones) < 4:
        return 1.0
    linear = (np.maximum(np.array(tones), _DARK_TONE) / 255) ** _GAMMA
    chroma = linear / linear.sum(axis=1, keepdims=True)
    alike = np.abs(chroma - np.median(chroma, axis=0)).max(axis=1) < _SAME_CHROMA
    if alike.sum() < 4:
        return 1.0
    low, high = np.percentile(linear[alike].sum(axis=1), (5, 95))
    return float(high / low)


def glare_on(image: np.ndarray, area: np.ndarray, px_per_mm: float) -> Glare:
    """Reflections that blow out the table: `image` BGR uint8 (H, W, 3), `area` bool (H, W)."""
    scale = min(1.0, _LOOK_WIDTH_PX / image.shape[1])
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    where = cv2.resize(area.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    blown = (small.min(axis=2) >= BLOWN_LEVEL) & where
    if not blown.any():
        return Glare(0.0, ())
    grey = small.mean(axis=2)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(blown.astype(np.uint8), connectivity=8)
    patches = []
    for label in range(1, count):
        x, y, width, height, area_px = (int(v) for v in stats[label])
        across = float(np.sqrt(area_px))
        if across < _MIN_PATCH_MM * px_per_mm * scale:
            continue
        far = _RIM_PX + max(1.0, _RIM_SHARE * across)
        reach = round(far + 0.6 * across)
        part = np.s_[max(y - reach, 0) : y + height + reach, max(x - reach, 0) : x + width + reach]
        away = cv2.distanceTransform((labels[part] != label).astype(np.uint8), cv2.DIST_L2, 5)
        rim = grey[part][(away > _RIM_PX) & (away <= far) & where[part]]
        around = grey[part][(away > far + 0.4 * across) & where[part]]
        # A white card ends at an edge; a reflection fades out, at least where it reaches beyond a card.
        if len(rim) == 0 or len(around) == 0:
            continue
        fading = (rim > _SOFT_LEVEL) & (rim > np.median(around) + _FADE)
        if fading.mean() > _SOFT_SHARE:
            centre_x, centre_y = centres[label]
            patches.append(((centre_x + 0.5) / scale, (centre_y + 0.5) / scale, across / scale))
    patches.sort(key=lambda patch: -patch[2])
    return Glare(float(blown.sum() / where.sum()), tuple(patches))


def sharpness_at(image: np.ndarray, edges: np.ndarray, reach_px: float) -> Sharpness | None:
    """Blur at straight edges (n, 2, 2) px, start and end of each; None where too few edges show.

    The steepest slope of a step of height h blurred by a Gaussian is h / (sigma sqrt(2 pi)).
    """
    blurs, directions = [], []
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    offsets = np.linspace(-reach_px, reach_px, _PROFILE_STEPS)
    for start, end in np.asarray(edges, float):
        along = end - start
        length = float(np.hypot(*along))
        if length < 4:
            continue
        normal = np.array([along[1], -along[0]]) / length
        base = start + along * np.linspace(0.2, 0.8, 9)[:, None]
        points = (base[:, None] + offsets[None, :, None] * normal - 0.5).astype(np.float32)
        inner = (points >= 0).all() and (points < np.array(grey.shape[::-1]) - 1).all()
        if not inner:
            continue
        profiles = cv2.remap(grey, points[..., 0], points[..., 1], cv2.INTER_LINEAR).astype(np.float64)
        profile = np.median(_centred(profiles), axis=0)
        height = float(np.ptp(profile))
        if height < _MIN_CONTRAST:
            continue
        slope = float(np.abs(np.gradient(profile, offsets)).max())
        blurs.append(height / (slope * np.sqrt(2 * np.pi)))
        directions.append(float(np.arctan2(normal[1], normal[0])))
    if len(blurs) < 4:
        return None
    return _along_and_across(np.array(blurs), np.array(directions))


def _centred(profiles: np.ndarray) -> np.ndarray:
    """Profiles (n, steps), each shifted so that its steepest point is in the middle."""
    steep = np.abs(np.diff(profiles, axis=1)).argmax(axis=1)
    middle = profiles.shape[1] // 2
    columns = np.clip(np.arange(profiles.shape[1]) + (steep - middle)[:, None], 0, profiles.shape[1] - 1)
    return np.take_along_axis(profiles, columns, axis=1)


def _along_and_across(blurs: np.ndarray, directions: np.ndarray) -> Sharpness:
    """The blur of the sharp edges, and that of the edges at right angles to them: movement smears one way."""
    bins = np.floor(np.mod(directions, np.pi) / (np.pi / 4)).astype(int) % 4
    typical = [
        float(np.quantile(blurs[bins == k], _SHARPEST)) for k in range(4) if (bins == k).sum() >= 2
    ] or [float(np.quantile(blurs, _SHARPEST))]
    return Sharpness(min(typical), max(typical))


def flicker_over(frames: Sequence[np.ndarray]) -> Flicker:
    """How the brightness of consecutive frames (each BGR uint8 (H, W, 3)) changes; hands count little.

    Lamps on alternating current darken some rows of a rolling shutter: bands that wander over the picture.
    """
    if len(frames) < 3:
        return Flicker(0.0, 0.0)
    rows = []
    for frame in frames:
        small = cv2.resize(frame, (48, 96), interpolation=cv2.INTER_AREA)
        rows.append(np.maximum(small.mean(axis=2, dtype=np.float32), 2.0))
    # The ratio to the frame before; its median over a row ignores what moves over part of the row.
    ratios = np.array([np.median(b / a, axis=1) for a, b in pairwise(rows)])
    whole = np.median(ratios, axis=1)
    bands = cv2.blur((ratios / whole[:, None]).astype(np.float32), (9, 1))
    return Flicker(float(np.median(np.abs(whole - 1))), float(np.median(bands.std(axis=1))))


def shake_over(frames: Sequence[np.ndarray]) -> float:
    """How far the whole picture moves from frame to frame, px: the 90th percentile (phase correlation)."""
    if len(frames) < 2:
        return 0.0
    scale = min(1.0, _LOOK_WIDTH_PX / frames[0].shape[1])
    size = (round(frames[0].shape[1] * scale), round(frames[0].shape[0] * scale))
    window = cv2.createHanningWindow(size, cv2.CV_32F)
    smalls = [
        cv2.cvtColor(cv2.resize(f, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY).astype(np.float32)
        for f in frames
    ]
    shifts = [np.hypot(*cv2.phaseCorrelate(a, b, window)[0]) for a, b in pairwise(smalls)]
    return float(np.quantile(shifts, 0.9)) / scale
