"""Arms that reach over the table: forearm, sleeve, palm and fingers, in all tones."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.camera import TableCamera

SKIN_TONES_BGR = (
    (190, 205, 240),
    (165, 190, 228),
    (140, 170, 214),
    (110, 142, 196),
    (84, 116, 170),
    (62, 90, 140),
    (46, 66, 108),
    (34, 46, 76),
)


@dataclass(frozen=True)
class ArmLook:
    """How an arm looks: BGR tones, where the sleeve ends (mm from the fingertips) and the hand's size."""

    skin: tuple[float, float, float]
    sleeve: tuple[float, float, float]
    sleeve_from_mm: float
    scale: float
    spread_deg: float
    stripes: bool

    @classmethod
    def random(cls, rng: np.random.Generator) -> ArmLook:
        """Any person: tones, sleeves from bare arm to the wrist, a child's or a grown-up's hand."""
        tone = np.array(SKIN_TONES_BGR[rng.integers(len(SKIN_TONES_BGR))]) + rng.normal(0, 8, 3)
        return cls(
            skin=tuple(float(v) for v in np.clip(tone, 15, 250)),  # type: ignore[arg-type]
            sleeve=tuple(float(v) for v in rng.uniform(10, 230, 3)),  # type: ignore[arg-type]
            sleeve_from_mm=float(rng.choice([190, 230, 300, 480, 2000])),
            scale=float(rng.uniform(0.75, 1.1)),
            spread_deg=float(rng.uniform(3, 13)),
            stripes=bool(rng.random() < 0.25),
        )


def put_arm(
    picture: np.ndarray,
    covered: np.ndarray | None,
    camera: TableCamera,
    tip_mm: tuple[float, float],
    from_mm: tuple[float, float],
    look: ArmLook,
) -> np.ndarray:
    """Draw an arm that comes from `from_mm` and whose fingertips are at `tip_mm`.

    `picture` BGR uint8 is changed in place; `covered` int16 (H, W) becomes 0 where the arm lies. Returns
    the arm's mask, bool (H, W).
    """
    tip, origin = np.asarray(tip_mm, float), np.asarray(from_mm, float)
    along = tip - origin
    along /= max(np.linalg.norm(along), 1e-6)
    across = np.array([-along[1], along[0]])
    s = look.scale
    mask = np.zeros(picture.shape[:2], np.uint8)
    sleeve_mask = np.zeros_like(mask)

    def tube(target: np.ndarray, start: np.ndarray, end: np.ndarray, r0: float, r1: float) -> None:
        direction = end - start
        direction = direction / max(np.linalg.norm(direction), 1e-6)
        side = np.array([-direction[1], direction[0]])
        angle = np.linspace(-np.pi / 2, np.pi / 2, 9)
        cap = end + r1 * (np.cos(angle)[:, None] * direction + np.sin(angle)[:, None] * side)
        base = np.stack([start + r0 * side, start - r0 * side])
        cv2.fillPoly(
            target,
            [np.round(camera.project(np.vstack([base, cap])) * 16).astype(np.int32)],
            255,
            cv2.LINE_AA,
            4,
        )

    wrist = tip - along * 165 * s
    knuckles = tip - along * 78 * s
    for k, (lag, radius) in enumerate(((16, 8.5), (3, 9), (0, 9), (12, 8))):
        spread = np.radians((k - 1.5) * look.spread_deg)
        direction = along * np.cos(spread) + across * np.sin(spread)
        root = knuckles + across * (k - 1.5) * 19 * s
        tube(mask, root, root + direction * (70 - lag) * s, 10.5 * s, radius * s)
    thumb_root = wrist + along * 38 * s - across * 32 * s
    tube(mask, thumb_root, thumb_root + (along * 0.8 - across * 0.6) * 52 * s, 14 * s, 10 * s)
    tube(mask, wrist, knuckles, 30 * s, 41 * s)
    tube(mask, origin, wrist + along * 8, 46 * s, 29 * s)
    reach = np.linalg.norm(tip - origin)
    if look.sleeve_from_mm < reach:
        tube(sleeve_mask, origin, tip - along * look.sleeve_from_mm, 62 * s, 44 * s)
    everything = cv2.max(mask, sleeve_mask)
    x0, y0, w, h = cv2.boundingRect(everything)
    if w == 0 or h == 0:
        return everything > 127
    part = np.s_[y0 : y0 + h, x0 : x0 + w]
    # Round shading: dark towards the rim, from the distance to it.
    depth = cv2.distanceTransform((everything[part] > 127).astype(np.uint8), cv2.DIST_L2, 3)
    thick = max(float(np.percentile(depth[depth > 0], 90)) if (depth > 0).any() else 1.0, 1.0)
    shade = 0.62 + 0.42 * np.sqrt(np.clip(depth / thick, 0, 1))
    colour = np.empty((h, w, 3), np.float32)
    colour[:] = look.skin
    cloth = sleeve_mask[part] > 127
    if look.stripes:
        bands = (np.arange(h)[:, None] + np.arange(w)[None, :]) // 6 % 2
        colour[cloth] = np.where(bands[..., None], look.sleeve, np.array(look.sleeve) * 0.6)[cloth]
    else:
        colour[cloth] = look.sleeve
    colour *= shade[..., None]
    alpha = everything[part].astype(np.float32)[..., None] / 255
    picture[part] = np.clip(picture[part] * (1 - alpha) + colour * alpha, 0, 255).astype(np.uint8)
    inside = everything > 127
    if covered is not None:
        covered[inside] = 0
    return inside
