"""What is said of a camera's view of its table: each measure against its bound, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from vision.calibration import (
    CARD_SIZES_MM,
    GOOD_CARD_WIDTH_PX,
    GOOD_PX_PER_MM,
    LEAST_CARD_WIDTH_PX,
    LEAST_PX_PER_MM,
    Plane,
)
from vision.health import Flicker, Glare, Light, Sharpness
from vision.sheet import SheetSight

LEANS_DEG, LEANS_MUCH_DEG = 20.0, 45.0
"""The reader learned on cards seen at up to 45 degrees."""
BENDS_PX = 12.0
DARK_WHITE, DIM_WHITE = 85.0, 120.0
"""Brightness of white cards, 0-255; the reader hardly met darker ones than the second (`datasets.light`)."""
OVEREXPOSED = 0.01
"""Share of pixels at the end of the scale above which the print of bright cards suffers."""
UNEVEN = 2.6
"""One part of the table gets this many times the light of another: a hard shadow, or a lamp at one end."""
GRAINY = 6.0
FLICKERS, BANDS = 0.02, 0.015
"""Relative change from frame to frame: of the whole picture, of its rows."""
GLARE_MUCH, MANY_PATCHES = 0.05, 3
BLURRED_CARDS, SOFT_CARDS = 1 / 45, 1 / 70
"""Blur (standard deviation) in card widths; the reader learned on up to the first (`datasets.scene`)."""
SMEARED = 1.6
"""The worst direction is blurred this many times more than the best: something moved."""
SHAKES_MM, SHAKES_MUCH_MM = 0.4, 2.0


class Level(StrEnum):
    """How a check came out."""

    OK = "ok"
    ADVICE = "advice"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what was measured as `value` and in words, and what to do where the level is not OK.

    `text` and `advice` are one plain sentence each.
    """

    name: str
    level: Level
    value: float
    text: str
    advice: str = ""

    def to_json(self) -> dict[str, Any]:
        """The check as JSON values."""
        words = {"text": self.text, "advice": self.advice}
        return {"name": self.name, "level": str(self.level), "value": round(self.value, 4), **words}


def _level(*, failed: bool = False, advice: bool = False) -> Level:
    return Level.FAILED if failed else Level.ADVICE if advice else Level.OK


def _check(name: str, level: Level, value: float, text: str, advice: str) -> Check:
    return Check(name, level, value, text, "" if level is Level.OK else advice)


def black_check(image: np.ndarray) -> Check:
    """The one check of a picture that shows nothing."""
    advice = "Turn on a light, or take the cap off the camera."
    return Check("light", Level.FAILED, float(image.mean()), "The picture is black.", advice)


def view_check(
    sheet: SheetSight | None, quads: Sequence[np.ndarray], assumed: str | None, size_px: tuple[int, int]
) -> Check:
    """Whether the sheet, or else the cards `quads`, are there and whole; `assumed`: what cards they are."""
    if sheet is not None:
        cut = is_cut(sheet.outline_px, size_px)
        text = "The picture cuts the sheet off." if cut else "The sheet lies wholly in the picture."
        advice = "Move the sheet towards the middle."
        return _check("view", _level(advice=cut), float(len(sheet.corners_px)), text, advice)
    if not quads:
        text = "Neither the calibration sheet nor cards can be seen."
        advice = "Lay the printed sheet, or some cards face up, flat in the middle of the table."
        return Check("view", Level.FAILED, 0.0, text, advice)
    cuts = sum(is_cut(quad, size_px) for quad in quads)
    text = f"Measured by {len(quads)} cards, taken for {assumed}."
    advice = f"The picture cuts off {cuts} of them; move them inwards, or the camera back."
    return _check("view", _level(advice=cuts > 0), float(len(quads)), text, advice)


def is_cut(quad: np.ndarray, size_px: tuple[int, int]) -> bool:
    """Whether corners (n, 2) px reach the border of the picture."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool((low < 1).any() or (high > np.array(size_px) - 1).any())


def scale_check(plane: Plane, area_px: Sequence[tuple[float, float]] | None) -> Check:
    """Whether cards are large enough to be read: in the middle, and at the worst corner of `area_px`."""
    centre, worst = plane.px_per_mm(), plane.worst_px_per_mm(area_px)
    doubt = f" (+-{2 * plane.scale_sd:.0%})" if plane.by == "cards" else ""
    corner = "picture" if area_px is None else "table"
    text = (
        f"{centre:.2f}{doubt} px per mm in the middle and {worst:.2f} in the farthest corner of the {corner}."
    )
    least = f"{LEAST_PX_PER_MM:.2f} px per mm (a Dutch Blitz card {LEAST_CARD_WIDTH_PX:.0f} px wide)"
    good = f"{GOOD_PX_PER_MM:.2f} px per mm ({GOOD_CARD_WIDTH_PX:.0f} px)"
    if centre < LEAST_PX_PER_MM:
        advice = f"Numbers are read from {least} on; bring the camera nearer, or set it to larger pictures."
        return Check("scale", Level.FAILED, centre, text, advice)
    if worst < LEAST_PX_PER_MM:
        advice = f"Numbers are read from {least} on; keep cards away from that corner, or the camera upright."
        return Check("scale", Level.ADVICE, centre, text, advice)
    advice = f"From {good} on far fewer numbers stay unknown; bring the camera nearer if you can."
    return _check("scale", _level(advice=centre < GOOD_PX_PER_MM), centre, text, advice)


def tilt_check(plane: Plane) -> Check:
    """How far the camera leans."""
    level = _level(failed=plane.tilt_deg > LEANS_MUCH_DEG, advice=plane.tilt_deg > LEANS_DEG)
    doubt = max(1.0, 2 * plane.tilt_sd_deg)
    text = f"The camera leans by {plane.tilt_deg:.0f} degrees (+-{doubt:.0f})."
    return _check("tilt", level, plane.tilt_deg, text, "Hang it more above the middle of the table.")


def lens_check(plane: Plane) -> Check:
    """Whether the lens bends straight lines, as far as one picture tells."""
    bends = abs(plane.bend_px) > max(BENDS_PX, 3 * plane.bend_sd_px)
    text = f"The lens moves the picture's corners by some {abs(plane.bend_px):.0f} px."
    text = text if bends else "The lens shows no bend."
    return _check("lens", _level(advice=bends), plane.bend_px, text, "Keep cards out of the corners.")


def light_checks(light: Light) -> list[Check]:
    """Brightness, evenness and grain."""
    dark = light.white < DIM_WHITE
    over = not dark and light.clipped > OVEREXPOSED
    text = f"White things are {light.white:.0f} of 255 bright."
    if over:
        text = f"{light.clipped:.0%} of the picture is too bright to show anything."
    more, less = "Put more light on the table.", "Dim the light, or lower the camera's exposure."
    level = _level(failed=light.white < DARK_WHITE, advice=dark or over)
    uneven, grainy = light.uneven > UNEVEN, light.noise > GRAINY
    text_uneven = f"One part of the table gets {light.uneven:.1f} times the light of another."
    spread = "Spread the light, or move the lamp above the middle."
    amplified = "More light lets the camera turn its amplification down."
    return [
        _check("light", level, light.white, text, less if over else more),
        _check("evenness", _level(advice=uneven), light.uneven, text_uneven, spread),
        _check(
            "grain",
            _level(advice=grainy),
            light.noise,
            "The picture is grainy." if grainy else "The picture is clean.",
            amplified,
        ),
    ]


def glare_check(glare: Glare, size_px: tuple[int, int]) -> Check:
    """Whether lamps are mirrored on the table, and where."""
    covered = sum(width**2 for _, _, width in glare.patches) / (size_px[0] * size_px[1])
    where = " and the ".join(_where(x / size_px[0], y / size_px[1]) for x, y, _ in glare.patches[:2])
    text = f"A lamp or a window is mirrored at the {where}." if glare.patches else "Nothing is mirrored."
    advice = "Move it, or the camera, aside."
    if len(glare.patches) >= MANY_PATCHES:
        # White cards that are blown out look like that, too.
        text = f"Nothing can be seen in {len(glare.patches)} bright places."
        advice = "Lower the camera's exposure or dim the light; move lamps that are mirrored."
    level = _level(failed=covered > GLARE_MUCH, advice=bool(glare.patches))
    return _check("glare", level, covered, text, advice)


def _where(x: float, y: float) -> str:
    """A place in the picture in words; x and y 0-1."""
    down = ("top", "middle", "bottom")[min(int(y * 3), 2)]
    across = ("left", "", "right")[min(int(x * 3), 2)]
    return f"{down} {across}".strip()


def sharpness_check(sharpness: Sharpness, px_per_mm: float) -> Check:
    """Whether the picture is in focus and was not smeared."""
    card_px = CARD_SIZES_MM["blitz"][0] * px_per_mm
    best, worst = sharpness.best / card_px, sharpness.worst / card_px
    blur_mm = sharpness.best / px_per_mm
    if best <= BLURRED_CARDS and worst > SMEARED * best and worst > SOFT_CARDS:
        text = "The picture is smeared in one direction."
        advice = "Fix the camera and keep the table still, or give more light for a shorter exposure."
        return Check("sharpness", Level.ADVICE, blur_mm, text, advice)
    level = _level(failed=best > BLURRED_CARDS, advice=best > SOFT_CARDS)
    text = "The picture is sharp." if level is Level.OK else "The picture is out of focus."
    return _check("sharpness", level, blur_mm, text, "Turn the lens, or let the camera focus on the table.")


def flicker_check(flicker: Flicker) -> Check:
    """Whether the light changes from frame to frame."""
    flickers = flicker.whole > FLICKERS or flicker.bands > BANDS
    text = "The light flickers." if flickers else "The light is steady."
    advice = "Set the camera to the mains frequency (50 or 60 Hz), or use another lamp."
    return _check("flicker", _level(advice=flickers), max(flicker.whole, flicker.bands), text, advice)


def steadiness_check(shake_mm: float) -> Check:
    """Whether the camera stands still."""
    level = _level(failed=shake_mm > SHAKES_MUCH_MM, advice=shake_mm > SHAKES_MM)
    text = "The camera stands still." if level is Level.OK else f"The picture shakes by {shake_mm:.1f} mm."
    return _check("steadiness", level, shake_mm, text, "Fix the camera's stand and keep the table still.")
