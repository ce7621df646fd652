"""Which parts of the table are the players' own: bands along the borders where cards were dealt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.tracks import Track

Area = tuple[float, float, float, float]
"""x0, y0, x1, y1 in px."""


@dataclass(frozen=True)
class AreaSettings:
    """Lengths in card widths, unless it is said otherwise."""

    depth: float = 0.42
    """First cards nearer to a border than this share of the picture's height are a player's own."""
    margin: float = 0.43
    """An own area reaches this far beyond its first cards towards the middle ..."""
    side: float = 2.9
    """... and this far along the border: wood piles come to lie there."""


def own_areas(
    first: Sequence[Track], shape: tuple[int, int], settings: AreaSettings | None = None
) -> list[Area]:
    """The own areas of a table (H, W) px on which these cards lay first."""
    s = settings or AreaSettings()
    height, width = shape
    sides: dict[str, list[Track]] = {"bottom": [], "top": [], "left": [], "right": []}
    for track in first:
        x, y = track.centre
        gaps = {"left": x, "right": width - x, "top": y, "bottom": height - y}
        side, gap = min(gaps.items(), key=lambda item: item[1])
        if gap < s.depth * height:
            sides[side].append(track)
    areas = []
    for side, tracks in sides.items():
        if len(tracks) < 2:
            continue
        points = np.concatenate([t.quad for t in tracks])
        w = float(np.median([t.width_px for t in tracks]))
        deep, wide = s.margin * w, s.side * w
        x0, y0 = (float(v) for v in points.min(axis=0))
        x1, y1 = (float(v) for v in points.max(axis=0))
        if side in ("top", "bottom"):
            near, far = (-1.0, y1 + deep) if side == "top" else (y0 - deep, height + 1.0)
            areas.append((x0 - wide, near, x1 + wide, far))
        else:
            near, far = (-1.0, x1 + deep) if side == "left" else (x0 - deep, width + 1.0)
            areas.append((near, y0 - wide, far, y1 + wide))
    return areas
