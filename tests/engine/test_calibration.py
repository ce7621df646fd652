"""The report on a camera's view: what it says of good and bad pictures, with a sheet and with cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.light import Light
from datasets.scene import Scene
from engine.calibration import CalibrationReport, calibrate, draw_report
from engine.calibration_checks import Check, Level
from referee.cards import Card
from tests.datasets.worlds import kit, world
from tests.vision.sheets import WHITE, Shot, shoot
from vision.calibration import LEAST_PX_PER_MM
from vision.reading import Eyes
from vision.types import Detection, Reading, SeenCard, order_quad


def nothing(image: np.ndarray) -> Sequence[SeenCard]:
    return []


def check(report: CalibrationReport, name: str) -> Check:
    return next(check for check in report.checks if check.name == name)


def faults(report: CalibrationReport) -> list[str]:
    return [check.name for check in report.checks if check.level is not Level.OK]


def plain(report: CalibrationReport) -> None:
    """Every check is one sentence in words, and says what to do where something is wrong."""
    for each in report.checks:
        assert each.text.endswith(".") and "\n" not in each.text
        assert bool(each.advice) == (each.level is not Level.OK)


def of_sheet(shot: Shot, **more: object) -> CalibrationReport:
    report = calibrate(shot.image, nothing, **more)  # type: ignore[arg-type]
    plain(report)
    return report


def test_a_good_picture_of_the_sheet_has_nothing_to_say() -> None:
    shot = shoot(1, px_per_mm=1.5, tilt_deg=8)
    report = of_sheet(shot)
    assert report.ok and faults(report) == []
    data = report.to_json()
    assert data["by"] == "sheet" and data["assumed"] is None
    assert data["px_per_mm"] == pytest.approx(shot.camera.px_per_mm((0, 0)), rel=0.02)
    assert data["tilt_deg"] == pytest.approx(8, abs=2)
    assert data["least_px_per_mm"] == pytest.approx(45 / 57.5, abs=1e-4)
    assert np.array(data["plane"]).shape == (3, 3)


def test_too_few_pixels_are_refused_with_the_number() -> None:
    report = of_sheet(shoot(2, px_per_mm=0.7, tilt_deg=0))
    scale = check(report, "scale")
    assert not report.ok and scale.level is Level.FAILED
    assert scale.value == pytest.approx(0.7, rel=0.02)
    assert "0.70" in scale.text and f"{LEAST_PX_PER_MM:.2f}" in scale.advice and "45 px" in scale.advice


@pytest.mark.parametrize(
    ("px_per_mm", "tilt_deg", "area_px", "level", "says"),
    [
        (0.9, 0.0, None, Level.ADVICE, "1.04 px per mm (60 px)"),
        (0.95, 30.0, None, Level.ADVICE, "that corner"),
        (1.2, 30.0, ((500.0, 250.0), (800.0, 250.0), (800.0, 450.0), (500.0, 450.0)), Level.OK, ""),
    ],
)
def test_corners_count_as_far_as_the_table_reaches(
    px_per_mm: float, tilt_deg: float, area_px: object, level: Level, says: str
) -> None:
    scale = check(of_sheet(shoot(3, px_per_mm=px_per_mm, tilt_deg=tilt_deg), area_px=area_px), "scale")
    assert scale.level is level and says in scale.advice
    assert ("of the table" in scale.text) == (area_px is not None)


@pytest.mark.parametrize(
    ("change", "name", "level"),
    [
        ({"light": replace(WHITE, exposure=0.06)}, "light", Level.FAILED),
        ({"light": replace(WHITE, exposure=0.16)}, "light", Level.ADVICE),
        ({"light": replace(WHITE, glare=((0.25, 0.3, 0.05, 1.0),))}, "glare", Level.ADVICE),
        ({"light": replace(WHITE, glare=((0.25, 0.3, 0.18, 1.0),))}, "glare", Level.FAILED),
        ({"light": replace(WHITE, blur_px=2.2), "px_per_mm": 1.2}, "sharpness", Level.FAILED),
        ({"light": replace(WHITE, motion_px=9.0, motion_deg=30.0)}, "sharpness", Level.ADVICE),
        ({"noise": 14.0}, "grain", Level.ADVICE),
        ({"tilt_deg": 33.0}, "tilt", Level.ADVICE),
        ({"tilt_deg": 52.0}, "tilt", Level.FAILED),
        ({"at_mm": (-350.0, 0.0)}, "view", Level.ADVICE),
    ],
)
def test_each_fault_is_named(change: dict[str, object], name: str, level: Level) -> None:
    values = {"px_per_mm": 1.6, "tilt_deg": 5.0, **change}
    report = of_sheet(shoot(4, **values))  # type: ignore[arg-type]
    assert check(report, name).level is level
    assert report.ok == (level is not Level.FAILED)


def test_glare_is_said_to_be_where_it_is() -> None:
    report = of_sheet(shoot(5, light=replace(WHITE, glare=((0.85, 0.1, 0.04, 1.0),))))
    assert "top right" in check(report, "glare").text


def test_a_black_picture_gets_one_check() -> None:
    report = calibrate(np.zeros((360, 640, 3), np.uint8), nothing)
    assert not report.ok and [c.name for c in report.checks] == ["light"]
    assert "cap" in report.checks[0].advice


def test_a_table_without_sheet_and_cards_gets_advice() -> None:
    table = world().photo(np.random.default_rng(4), (640, 480), layout="empty", light=GOOD, clutter=False)
    report = calibrate(table.image, nothing)
    plain(report)
    assert not report.ok and report.plane is None
    assert "Lay the printed sheet, or some cards" in check(report, "view").advice
    assert "px_per_mm" not in report.to_json()


# -- with cards ---------------------------------------------------------------------------------------------

GOOD = Light(kelvin=5000, balance=0.9, noise=0.0, jpeg=92, blur_px=0.4)


def round_on_table(seed: int = 3, card_width_px: float = 80.0) -> Scene:
    return world().photo(
        np.random.default_rng(seed),
        (1280, 720),
        card_width_px=card_width_px,
        layout="round",
        light=GOOD,
        max_tilt_deg=10,
        clutter=False,
        kit=kit(),
    )


def seen(scene: Scene, *, read: bool = True) -> list[SeenCard]:
    """The cards of a scene as the eyes give them."""
    found = []
    for truth in scene.cards:
        if truth.visible < 0.95:
            continue
        card = truth.card or Card.parse("red1")
        reading = Reading("face", card.number, str(card.colour), confidence=0.9) if read else Reading(None)
        found.append(SeenCard(Detection(order_quad(truth.quad), "face", 0.9), reading))
    return found


def test_cards_of_dutch_blitz_give_the_scale_and_are_said_to_be_assumed() -> None:
    scene = round_on_table()
    report = calibrate(scene.image, lambda image: seen(scene))
    assert report.plane is not None
    assert report.plane.px_per_mm() == pytest.approx(scene.px_per_mm, rel=0.02)
    assert report.assumed == "Dutch Blitz cards of 57.5 x 82 mm"
    assert report.assumed in check(report, "view").text
    assert "+-" in check(report, "scale").text
    assert report.to_json()["px_per_mm_sd"] > 0


def test_unread_cards_are_assumed_aloud_and_a_few_are_not_enough() -> None:
    scene = round_on_table()
    unread = seen(scene, read=False)
    report = calibrate(scene.image, lambda image: unread)
    assert report.assumed is not None and "none could be read" in report.assumed
    assert calibrate(scene.image, lambda image: unread[:3]).plane is None


def test_what_the_cards_are_can_be_said() -> None:
    scene = round_on_table()
    blitz, poker = (
        calibrate(scene.image, lambda image: seen(scene), cards=size).plane for size in ("blitz", "poker")
    )
    assert blitz is not None and poker is not None
    assert poker.px_per_mm() / blitz.px_per_mm() == pytest.approx(57.5 / 63.5, rel=0.02)


def test_the_eyes_find_the_scale_of_a_drawn_round(eyes: Eyes) -> None:
    scene = round_on_table(5, 70.0)
    report = calibrate(scene.image, eyes.read_still)
    assert report.plane is not None
    assert report.plane.px_per_mm() == pytest.approx(scene.px_per_mm, rel=0.04)


# -- over time, and as a picture ----------------------------------------------------------------------------


def test_a_film_tells_of_flicker_and_shaking() -> None:
    shot = shoot(6)
    dimmed = [np.clip(shot.image * (1 + 0.08 * (-1) ** k), 0, 255).astype(np.uint8) for k in range(6)]
    shaken = [np.roll(shot.image, 3 * (-1) ** k, axis=1) for k in range(6)]
    still = of_sheet(shot, film=[shot.image] * 6)
    assert check(still, "flicker").level is check(still, "steadiness").level is Level.OK
    assert check(of_sheet(shot, film=dimmed), "flicker").level is Level.ADVICE
    shaking = of_sheet(shot, film=shaken)
    assert check(shaking, "steadiness").level is Level.FAILED
    assert check(shaking, "steadiness").value == pytest.approx(6 / 1.2, rel=0.1)


def test_the_drawn_report_marks_the_sheet_and_keeps_the_picture() -> None:
    shot = shoot(7, light=replace(WHITE, glare=((0.8, 0.45, 0.05, 1.0),)))
    before = shot.image.copy()
    report = of_sheet(shot)
    drawn = draw_report(shot.image, report)
    assert (shot.image == before).all() and drawn.shape == before.shape
    changed = np.abs(drawn.astype(int) - before).max(axis=2) > 60
    around = np.zeros(changed.shape, np.uint8)
    cv2.polylines(around, [np.round(report.outlines[0]).astype(np.int32)], True, 1, 1)
    assert changed[around > 0].mean() > 0.95
