"""From a table's own colours to what a camera delivers: light, lens, sensor and compression."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

_KELVIN_RGB = {
    2700: (1.0, 0.70, 0.42),
    3500: (1.0, 0.80, 0.60),
    4500: (1.0, 0.91, 0.80),
    5500: (1.0, 0.98, 0.95),
    6500: (0.96, 0.97, 1.0),
}
"""White of a lamp as linear RGB gains; rounded from the Planckian locus in sRGB."""


def kelvin_gains_bgr(kelvin: float) -> np.ndarray:
    """BGR gains float32 (3,) of a lamp of 2700-6500 K, linear between the tabulated temperatures."""
    keys = np.array(sorted(_KELVIN_RGB))
    table = np.array([_KELVIN_RGB[int(k)] for k in keys])
    rgb = np.array([np.interp(kelvin, keys, table[:, i]) for i in range(3)])
    return (rgb / rgb.mean())[::-1].astype(np.float32)


@dataclass(frozen=True)
class Light:
    """The light on a table and the camera that looks at it."""

    kelvin: float = 5000.0
    balance: float = 0.8
    """How far the camera corrects the lamp's tint: 0 not at all, 1 wholly."""
    exposure: float = 1.0
    gamma: float = 1.0
    field: tuple[tuple[float, float, float, float], ...] = ()
    """Lamps as (x, y, radius, gain) in picture widths."""
    glare: tuple[tuple[float, float, float, float], ...] = ()
    """Glare patches as (x, y, radius, strength 0-1) in picture widths."""
    shadow: tuple[float, float, float, float] | None = None
    """A hard shadow's edge: (angle_rad, offset, softness, depth)."""
    blur_px: float = 0.0
    motion_px: float = 0.0
    motion_deg: float = 0.0
    noise: float = 2.0
    sharpen: float = 0.0
    jpeg: int = 85

    @classmethod
    def random(cls, rng: np.random.Generator, scale: float = 1.0) -> Light:
        """Any room and any camera; `scale` is the picture's width over 640, for blur in pixels."""
        lamps = tuple(
            (
                float(rng.uniform(-0.3, 1.3)),
                float(rng.uniform(-0.3, 1.0)),
                float(rng.uniform(0.25, 0.9)),
                float(rng.uniform(0.15, 0.9)),
            )
            for _ in range(int(rng.integers(0, 3)))
        )
        glare = tuple(
            (
                float(rng.uniform(0, 1)),
                float(rng.uniform(0, 0.8)),
                float(rng.uniform(0.01, 0.09)),
                float(rng.uniform(0.2, 1.0)),
            )
            for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.3 else 0)
        )
        shadow = None
        if rng.random() < 0.25:
            shadow = (
                float(rng.uniform(0, 2 * np.pi)),
                float(rng.uniform(-0.4, 0.4)),
                float(rng.uniform(0.002, 0.08)),
                float(rng.uniform(0.2, 0.6)),
            )
        return cls(
            kelvin=float(rng.uniform(2700, 6500)),
            balance=float(np.clip(rng.normal(0.8, 0.25), 0, 1.1)),
            exposure=float(np.exp(rng.normal(-0.05, 0.28))),
            gamma=float(np.exp(rng.normal(0, 0.16))),
            field=lamps,
            glare=glare,
            shadow=shadow,
            blur_px=float(abs(rng.normal(0.35, 0.5)) * scale),
            motion_px=float(rng.uniform(1, 6) * scale) if rng.random() < 0.15 else 0.0,
            motion_deg=float(rng.uniform(0, 180)),
            noise=float(rng.uniform(0.5, 7)),
            sharpen=float(rng.uniform(0.2, 1.2)) if rng.random() < 0.45 else 0.0,
            jpeg=int(rng.integers(60, 96)),
        )


def illumination(light: Light, size_px: tuple[int, int], grid: int = 8) -> np.ndarray:
    """The light's field, float32 (H, W), around 1; computed on a grid of every `grid`-th pixel."""
    width, height = size_px
    small_w, small_h = -(-width // grid), -(-height // grid)
    x = (np.arange(small_w, dtype=np.float32) + 0.5) / small_w
    y = ((np.arange(small_h, dtype=np.float32) + 0.5) / small_h * height / width)[:, None]
    field = np.ones((small_h, small_w), np.float32)
    for cx, cy, radius, gain in light.field:
        field += gain * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * radius * radius))
    field /= field.mean()
    if light.shadow is not None:
        angle, offset, softness, depth = light.shadow
        side = (x - 0.5) * np.cos(angle) + (y - 0.5 * height / width) * np.sin(angle) - offset
        field *= 1 - depth / (1 + np.exp(-np.clip(side / softness, -40, 40)))
    return cv2.resize(field, size_px, interpolation=cv2.INTER_LINEAR)


def expose(
    table: np.ndarray, light: Light, rng: np.random.Generator, field: np.ndarray | None = None
) -> np.ndarray:
    """What the camera delivers of `table` (BGR uint8, own colours), before compression.

    `field` may carry a ready `illumination`. The gains are applied to gamma-coded values with exponent
    1/2.2 of the linear gain, which is exact for a pure power curve.
    """
    height, width = table.shape[:2]
    lit = table.astype(np.float32)
    lamp = kelvin_gains_bgr(light.kelvin)
    gains = (lamp ** (1 - light.balance) * light.exposure) ** (1 / 2.2)
    field = illumination(light, (width, height)) if field is None else field
    lit *= cv2.pow(field, 1 / 2.2)[..., None]
    lit *= gains.astype(np.float32)
    for cx, cy, radius, strength in light.glare:
        _add_glare(lit, cx * width, cy * width, radius * width, strength)
    if light.blur_px > 0.25:
        lit = cv2.GaussianBlur(lit, (0, 0), light.blur_px)
    if light.motion_px > 1:
        lit = cv2.filter2D(lit, -1, motion_kernel(light.motion_px, light.motion_deg))
    if light.sharpen > 0:
        soft = cv2.GaussianBlur(lit, (0, 0), 1.2)
        lit = cv2.addWeighted(lit, 1 + light.sharpen, soft, -light.sharpen, 0)
    np.clip(lit, 0, 255, out=lit)
    if abs(light.gamma - 1) > 0.02:
        lit = 255 * cv2.pow(lit / 255, light.gamma)
    if light.noise > 0:
        grain = np.empty(lit.shape, np.float32)
        cv2.setRNGSeed(int(rng.integers(2**31 - 1)))
        cv2.randn(grain, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
        if rng.random() < 0.5:
            grain = cv2.GaussianBlur(grain, (3, 3), 0) * 1.8
        lit += grain * (light.noise * (0.4 + 0.6 * (1 - lit / 320)))
    return np.clip(lit, 0, 255).astype(np.uint8)


def _add_glare(lit: np.ndarray, cx: float, cy: float, radius: float, strength: float) -> None:
    reach = int(radius * 3) + 1
    x0, y0 = max(int(cx) - reach, 0), max(int(cy) - reach, 0)
    x1, y1 = min(int(cx) + reach, lit.shape[1]), min(int(cy) + reach, lit.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    x = np.arange(x0, x1, dtype=np.float32) - cx
    y = (np.arange(y0, y1, dtype=np.float32) - cy)[:, None]
    weight = strength * np.exp(-(((x * x + y * y) / (radius * radius)) ** 2))
    lit[y0:y1, x0:x1] += (275 - lit[y0:y1, x0:x1]) * weight[..., None]


def motion_kernel(length_px: float, angle_deg: float) -> np.ndarray:
    """A straight smear of `length_px`, float32, sums to 1."""
    size = int(length_px) | 1
    size = max(size, 3)
    kernel = np.zeros((size, size), np.float32)
    half = (size - 1) / 2
    dx, dy = np.cos(np.radians(angle_deg)) * half, np.sin(np.radians(angle_deg)) * half
    cv2.line(kernel, (round(half - dx), round(half - dy)), (round(half + dx), round(half + dy)), 1.0, 1)
    return kernel / kernel.sum()


def compress(picture: np.ndarray, quality: int) -> np.ndarray:
    """The picture after a JPEG of `quality`."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the picture could not be compressed")
    return cv2.imdecode(data, cv2.IMREAD_COLOR)
