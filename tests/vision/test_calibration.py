"""The table's plane from the sheet and from cards, against cameras of which everything is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.camera import TableCamera, card_corners_mm
from tests.vision.sheets import Shot, shoot
from vision.calibration import (
    CARD_SIZES_MM,
    GOOD_PX_PER_MM,
    LEAST_PX_PER_MM,
    CardSize,
    Plane,
    plane_of_cards,
    plane_of_sheet,
)
from vision.sheet import SIZE_MM, SheetSight, find_sheet

ROOT = Path(__file__).resolve().parents[2]


def off_mm(plane: Plane, camera: TableCamera, reach_mm: float) -> np.ndarray:
    """How far table points up to `reach_mm` from the middle are misplaced, but for turn and shift."""
    steps = np.linspace(-reach_mm, reach_mm, 5)
    true = np.array([(x, y) for x in steps for y in steps])
    seen = plane.to_mm(camera.project(true))
    a, b = seen - seen.mean(axis=0), true - true.mean(axis=0)
    u, _, v = np.linalg.svd(a.T @ b)
    return np.linalg.norm(a @ (u @ v) - b, axis=1)


def worst_scale(camera: TableCamera) -> float:
    width, height = camera.size_px
    corners = camera.unproject(np.array([[0, 0], [width, 0], [0, height], [width, height]], float))
    return min(camera.px_per_mm((float(x), float(y))) for x, y in corners)


def plane_in(shot: Shot) -> Plane:
    sheet = find_sheet(shot.image)
    assert sheet is not None
    return plane_of_sheet(sheet, shot.camera.size_px)


@pytest.mark.parametrize(
    ("seed", "tilt_deg", "azimuth_deg", "focal", "px_per_mm"),
    [
        (1, 0.0, 0.0, 0.8, 1.0),
        (2, 8.0, 200.0, 1.1, 1.3),
        (3, 22.0, 75.0, 0.75, 1.0),
        (4, 22.0, 250.0, 1.4, 1.6),
        (5, 38.0, 140.0, 0.95, 1.2),
    ],
)
def test_the_sheet_gives_plane_scale_and_tilt(
    seed: int, tilt_deg: float, azimuth_deg: float, focal: float, px_per_mm: float
) -> None:
    shot = shoot(seed, tilt_deg=tilt_deg, azimuth_deg=azimuth_deg, focal=focal, px_per_mm=px_per_mm)
    plane = plane_in(shot)
    camera = shot.camera
    assert off_mm(plane, camera, 100).max() < 1.0
    assert plane.px_per_mm() == pytest.approx(camera.px_per_mm((0, 0)), rel=0.02)
    assert plane.worst_px_per_mm() == pytest.approx(worst_scale(camera), rel=0.05)
    assert plane.tilt_deg == pytest.approx(tilt_deg, abs=2.0)
    # Table millimetres start in the middle of the picture, x grows to the right.
    assert plane.to_mm(np.array([[640.0, 360.0]])) == pytest.approx(np.zeros((1, 2)), abs=1e-6)
    assert plane.to_mm(np.array([[700.0, 360.0]]))[0, 0] > 0


def test_a_sheet_printed_too_small_is_corrected_by_its_ruler() -> None:
    sheet = find_sheet(shoot(6).image)
    assert sheet is not None
    whole, shrunk = (plane_of_sheet(sheet, (1280, 720), ruler) for ruler in (100.0, 95.0))
    assert shrunk.px_per_mm() / whole.px_per_mm() == pytest.approx(100 / 95, rel=1e-3)


def test_a_bent_lens_is_noticed_and_a_straight_one_is_not() -> None:
    camera = TableCamera.above((1280, 720), 3.0, tilt_deg=10, focal=0.9)
    x, y = np.meshgrid(np.arange(0, SIZE_MM[0] + 1, 36.0), np.arange(0, SIZE_MM[1] + 1, 36.0))
    own = np.column_stack([x.ravel(), y.ravel()])
    straight = camera.project(own - np.array(SIZE_MM) / 2)
    middle, reach = np.array([640.0, 360.0]), np.hypot(640, 360)
    noise = np.random.default_rng(3).normal(0, 0.1, own.shape)
    for bend_px in (0.0, -40.0):
        radial = straight - middle
        seen = middle + radial * (1 + bend_px / reach * (radial**2).sum(axis=1, keepdims=True) / reach**2)
        plane = plane_of_sheet(SheetSight(seen + noise, own, np.eye(3)), (1280, 720))
        assert plane.bend_px == pytest.approx(bend_px, abs=6)
        assert (abs(plane.bend_px) > 3 * plane.bend_sd_px) == (bend_px != 0)


def laid(camera: TableCamera, size: CardSize, count: int, noise_px: float, seed: int) -> list[np.ndarray]:
    """Corners of cards thrown on the table, found with some noise; one of them is no card."""
    rng = np.random.default_rng(seed)
    places = [(rng.uniform(-220, 220), rng.uniform(-130, 130), rng.uniform(0, 360)) for _ in range(count)]
    quads = [
        camera.project(card_corners_mm((x, y), turn, CARD_SIZES_MM[size])) + rng.normal(0, noise_px, (4, 2))
        for x, y, turn in places
    ]
    wrong = camera.project(card_corners_mm((0, 0), 15, (75.0, 82.0)))
    return [*quads, wrong]


@pytest.mark.parametrize("size", CARD_SIZES_MM)
@pytest.mark.parametrize("tilt_deg", [0.0, 24.0])
def test_cards_of_known_size_give_the_scale(size: CardSize, tilt_deg: float) -> None:
    camera = TableCamera.above((1280, 720), 1.5, tilt_deg=tilt_deg, azimuth_deg=60, focal=1.0)
    plane = plane_of_cards(laid(camera, size, 14, 1.0, 5), (1280, 720), (size,))
    assert plane is not None and plane.cards == size and plane.by == "cards"
    assert plane.px_per_mm() == pytest.approx(camera.px_per_mm((0, 0)), rel=0.02)
    assert 0.01 <= plane.scale_sd < 0.03
    assert abs(plane.tilt_deg - tilt_deg) < max(4.0, 3 * plane.tilt_sd_deg)


@pytest.mark.parametrize("size", ["poker", "bridge"])
def test_poker_and_bridge_cards_are_told_apart_by_their_shape(size: CardSize) -> None:
    camera = TableCamera.above((1280, 720), 1.5, tilt_deg=10, focal=1.0)
    plane = plane_of_cards(laid(camera, size, 10, 1.0, 6), (1280, 720), ("poker", "bridge"))
    assert plane is not None and plane.cards == size


def test_without_cards_there_is_no_plane() -> None:
    assert plane_of_cards([], (1280, 720), ("blitz",)) is None


def test_a_point_above_the_horizon_has_no_scale() -> None:
    low = TableCamera.above((1280, 720), 1.0, tilt_deg=80, focal=0.5)
    plane = replace(plane_in(shoot(8)), matrix=low.matrix)
    assert plane.px_per_mm((640.0, 719.0)) == 0.0 < plane.px_per_mm((640.0, 0.0))
    assert plane.worst_px_per_mm() == 0.0
    assert plane.worst_px_per_mm([(500, 20), (700, 20), (600, 300)]) > 0


def test_the_scale_at_a_point_is_that_of_the_camera() -> None:
    shot = shoot(7, tilt_deg=20)
    plane = plane_in(shot)
    for at in ((100.0, 100.0), (900.0, 650.0)):
        x, y = shot.camera.unproject(np.array([at]))[0]
        assert plane.px_per_mm(at) == pytest.approx(shot.camera.px_per_mm((float(x), float(y))), rel=0.03)


def test_the_bounds_are_those_at_which_the_reader_was_measured() -> None:
    card = (ROOT / "models" / "README.md").read_text(encoding="utf-8")
    assert "<45 px" in card and "60-90 px" in card
    assert pytest.approx(45 / 57.5) == LEAST_PX_PER_MM
    assert pytest.approx(60 / 57.5) == GOOD_PX_PER_MM
