"""How well a camera sees its table: the plane, and a list of checks. One picture is enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from engine.calibration_checks import (
    Check,
    Level,
    black_check,
    flicker_check,
    glare_check,
    lens_check,
    light_checks,
    scale_check,
    sharpness_check,
    steadiness_check,
    tilt_check,
    view_check,
)
from referee.cards import Family
from vision.calibration import (
    CARD_SIZES_MM,
    GOOD_PX_PER_MM,
    LEAST_PX_PER_MM,
    CardSize,
    Plane,
    plane_of_cards,
    plane_of_sheet,
)
from vision.health import Glare, flicker_over, glare_on, inside, is_black, light_on, shake_over, sharpness_at
from vision.sheet import SQUARE_MM, SQUARES, SheetSight, find_sheet
from vision.types import SeenCard

Polygon = tuple[tuple[float, float], ...]

CARD_NAMES: dict[CardSize, str] = {
    "blitz": "Dutch Blitz cards",
    "poker": "poker cards",
    "bridge": "bridge cards",
}
SURE_SCORE = 0.75
"""A found card of which nothing could be read is measured if the finder is this sure of it ..."""
ENOUGH_UNREAD = 4
"""... and there are so many: a single one may be a phone or a tile."""
EDGE_REACH_MM = 3.2
"""How far a profile reaches across the edge of a square of the sheet: a marker begins at 4 mm."""
SCALE_UNKNOWN = 1.0
"""Pixels per mm by which reflections are sized where nothing tells the scale."""

NO_GLARE = Glare(0.0, ())


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What a camera sees of its table. `plane` is None where neither sheet nor cards were found.

    `assumed` says which cards the scale rests on; `outlines` are the measured sheet or cards, each (4, 2) px;
    `area_px` is the table as it was given.
    """

    size_px: tuple[int, int]
    plane: Plane | None
    assumed: str | None
    checks: tuple[Check, ...]
    outlines: tuple[np.ndarray, ...] = ()
    glare: Glare = NO_GLARE
    area_px: Polygon | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return all(check.level is not Level.FAILED for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        known = {} if self.plane is None else self._plane_json(self.plane)
        return {
            "ok": self.ok,
            "size_px": list(self.size_px),
            "assumed": self.assumed,
            **known,
            "checks": [check.to_json() for check in self.checks],
        }

    def _plane_json(self, plane: Plane) -> dict[str, Any]:
        return {
            "by": plane.by,
            "px_per_mm": round(plane.px_per_mm(), 4),
            "px_per_mm_sd": round(plane.px_per_mm() * plane.scale_sd, 4),
            "worst_px_per_mm": round(plane.worst_px_per_mm(self.area_px), 4),
            "least_px_per_mm": round(LEAST_PX_PER_MM, 4),
            "good_px_per_mm": round(GOOD_PX_PER_MM, 4),
            "tilt_deg": round(plane.tilt_deg, 2),
            "tilt_sd_deg": round(plane.tilt_sd_deg, 2),
            "bend_px": round(plane.bend_px, 1),
            "plane": matrix_json(plane),
        }


def matrix_json(plane: Plane) -> list[list[float]]:
    """Table mm to pixels as three rows of numbers."""
    return [[float(f"{value:.9g}") for value in row] for row in plane.matrix]


def calibrate(
    image: np.ndarray,
    find_cards: Callable[[np.ndarray], Sequence[SeenCard]],
    *,
    film: Sequence[np.ndarray] = (),
    area_px: Polygon | None = None,
    cards: CardSize | None = None,
    ruler_mm: float = 100.0,
    sheet: SheetSight | None = None,
) -> CalibrationReport:
    """Measure and check one picture BGR uint8 (H, W, 3) of a table.

    `find_cards` is asked where no sheet is found. `film`: consecutive frames of the same camera, for flicker
    and shaking. `area_px`: the table's corners, where they are known. `cards`: what the cards are, where that
    is known. `ruler_mm`: what the sheet's ruler of 100 mm really measures. `sheet`: if it was found already.
    """
    size_px = (int(image.shape[1]), int(image.shape[0]))
    if is_black(image):
        return CalibrationReport(size_px, None, None, (black_check(image),), area_px=area_px)
    sheet = sheet or find_sheet(image)
    assumed: str | None = None
    quads: list[np.ndarray] = []
    if sheet is not None:
        plane: Plane | None = plane_of_sheet(sheet, size_px, ruler_mm)
        edges = _square_edges(sheet)
    else:
        seen = find_cards(image)
        quads = _measurable(seen)
        plane = plane_of_cards(quads, size_px, _sizes(seen, cards))
        if plane is not None:
            assumed = _assumed(plane, known=cards is not None or _family(seen) is not None)
        edges = _card_edges(quads)
    area = inside(image.shape, area_px)
    px_per_mm = SCALE_UNKNOWN if plane is None else plane.px_per_mm()
    glare = glare_on(image, area, px_per_mm)
    checks = [view_check(sheet, quads, assumed, size_px)]
    if plane is not None:
        checks += [scale_check(plane, area_px), tilt_check(plane), lens_check(plane)]
        sharpness = sharpness_at(image, edges, EDGE_REACH_MM * px_per_mm)
        checks += [] if sharpness is None else [sharpness_check(sharpness, px_per_mm)]
    outlines = tuple(quads) if sheet is None else (sheet.outline_px,)
    checks += [*light_checks(light_on(image, area, _covered(image, outlines))), glare_check(glare, size_px)]
    if len(film) > 2:
        checks += [flicker_check(flicker_over(film)), steadiness_check(shake_over(film) / px_per_mm)]
    return CalibrationReport(size_px, plane, assumed, tuple(checks), outlines, glare, area_px)


def _square_edges(sheet: SheetSight) -> np.ndarray:
    """The edges between the squares of the sheet, (n, 2, 2) px."""
    columns, rows = SQUARES
    across = [((c, r), (c + 1, r)) for r in range(1, rows) for c in range(columns)]
    down = [((c, r), (c, r + 1)) for c in range(1, columns) for r in range(rows)]
    ends_mm = np.array(across + down, float) * SQUARE_MM
    return sheet.to_px(ends_mm.reshape(-1, 2)).reshape(-1, 2, 2)


def _card_edges(quads: Sequence[np.ndarray]) -> np.ndarray:
    """The edges of the cards, (n, 2, 2) px."""
    if len(quads) == 0:
        return np.zeros((0, 2, 2))
    corners = np.stack(quads)
    return np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2, 2)


def _covered(image: np.ndarray, outlines: Sequence[np.ndarray]) -> np.ndarray | None:
    """Bool (H, W): what lies inside the outlines; None if nothing of the picture does."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 1)
    return mask > 0 if mask.any() else None


def _measurable(seen: Sequence[SeenCard]) -> list[np.ndarray]:
    """The corners of what is surely a card."""
    read = [card.detection.quad for card in seen if _is_read(card)]
    unread = [
        card.detection.quad for card in seen if not _is_read(card) and card.detection.score >= SURE_SCORE
    ]
    return read + unread if read or len(unread) >= ENOUGH_UNREAD else []


def _is_read(card: SeenCard) -> bool:
    return card.reading.colour is not None or card.reading.deck is not None


def _family(seen: Sequence[SeenCard]) -> Family | None:
    """The family that most cards show; the backs that are known by name are those of Dutch Blitz."""
    families = [card.reading.card.family for card in seen if card.reading.card is not None]
    families += [Family.BLITZ for card in seen if card.reading.deck is not None]
    return max(sorted(set(families)), key=families.count) if families else None


def _sizes(seen: Sequence[SeenCard], cards: CardSize | None) -> tuple[CardSize, ...]:
    if cards is not None:
        return (cards,)
    return ("poker", "bridge") if _family(seen) is Family.STANDARD else ("blitz",)


def _assumed(plane: Plane, *, known: bool) -> str:
    assert plane.cards is not None
    wide, long = CARD_SIZES_MM[plane.cards]
    words = f"{CARD_NAMES[plane.cards]} of {wide:g} x {long:g} mm"
    return words if known else f"{words} (none could be read; poker cards are a tenth larger)"


# -- how it is shown ----------------------------------------------------------------------------------------

_COLOURS = {Level.OK: (90, 200, 80), Level.ADVICE: (40, 180, 250), Level.FAILED: (60, 60, 240)}
_GRID_COLOUR, _OUTLINE_COLOUR, _AREA_COLOUR = (200, 200, 120), (255, 160, 40), (230, 90, 230)
_GRID_MM = 100.0
_MOST_LINES = 12


def draw_report(image: np.ndarray, report: CalibrationReport) -> np.ndarray:
    """A copy of the picture with what was measured: outlines, a grid of 100 mm, reflections, the checks."""
    shown = image.copy()
    unit = max(1, round(image.shape[1] / 1000))
    if report.plane is not None:
        for line in _grid(report.plane):
            cv2.polylines(shown, [line], False, _GRID_COLOUR, unit, cv2.LINE_AA)
    for outline in report.outlines:
        _outline(shown, outline, _OUTLINE_COLOUR, 2 * unit)
    if report.area_px is not None:
        _outline(shown, np.array(report.area_px), _AREA_COLOUR, 2 * unit)
    for x, y, width in report.glare.patches:
        middle = (round(x), round(y))
        cv2.circle(shown, middle, round(0.75 * width), _COLOURS[Level.ADVICE], 2 * unit, cv2.LINE_AA)
    _write(shown, report.checks, unit)
    return shown


def _write(shown: np.ndarray, checks: Sequence[Check], unit: int) -> None:
    """The checks in the upper left on a dark ground, advice below what it is about."""
    lines = [
        (words, check.level)
        for check in checks
        for words in (check.text, f"   {check.advice}")
        if words.strip()
    ]
    height, line_px = (10 + 22 * len(lines)) * unit, 22 * unit
    shown[:height] //= 3
    for number, (words, level) in enumerate(lines):
        at = (12 * unit, (number + 1) * line_px)
        font = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(shown, words, at, font, 0.45 * unit, _COLOURS[level], unit, cv2.LINE_AA)


def _outline(shown: np.ndarray, corners: np.ndarray, colour: tuple[int, int, int], thick: int) -> None:
    cv2.polylines(shown, [np.round(corners).astype(np.int32)], True, colour, thick, cv2.LINE_AA)


def _grid(plane: Plane) -> list[np.ndarray]:
    """Lines every 100 mm over the table, each int32 (n, 2) px."""
    across_mm = float(np.hypot(*plane.size_px)) / plane.px_per_mm()
    count = min(_MOST_LINES, int(across_mm / _GRID_MM / 2) + 1)
    steps = np.arange(-count, count + 1) * _GRID_MM
    lines = []
    for step in steps:
        still = np.full_like(steps, step)
        for points_mm in (np.column_stack([steps, still]), np.column_stack([still, steps])):
            lines.append(np.clip(np.round(plane.to_px(points_mm)), -1e5, 1e5).astype(np.int32))
    return lines
