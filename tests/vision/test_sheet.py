"""The printed sheet: drawn true to size, found wherever it lies, and never found where it is not."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.datasets.worlds import world
from tests.vision.sheets import WHITE, shoot
from vision.sheet import CORNERS, SIZE_MM, SQUARE_MM, draw_board, find_sheet


def test_the_board_has_whole_squares_of_its_size() -> None:
    board = draw_board(10)
    assert board.shape == (round(SIZE_MM[1] * 10), round(SIZE_MM[0] * 10))
    assert set(np.unique(board)) == {0, 255}
    side = round(SQUARE_MM * 10)
    # Along the upper edge black and white squares take turns, each as wide as it should be.
    steps = np.flatnonzero(np.diff(board[5].astype(int))) + 1
    assert steps.tolist() == [side * k for k in range(1, 5)]


@pytest.mark.parametrize("turn_deg", [0, 90, 180, 285])
@pytest.mark.parametrize("px_per_mm", [0.6, 1.0, 2.2])
def test_the_corners_are_found_where_they_are(turn_deg: float, px_per_mm: float) -> None:
    shot = shoot(3, px_per_mm=px_per_mm, turn_deg=turn_deg, tilt_deg=15)
    sheet = find_sheet(shot.image)
    assert sheet is not None and len(sheet.corners_px) == CORNERS
    off = np.linalg.norm(sheet.corners_px - shot.sheet_to_px(sheet.corners_mm), axis=1)
    assert off.max() < 0.8
    assert (off / px_per_mm).mean() < 0.3


def test_a_sheet_that_is_partly_covered_or_cut_off_still_gives_its_corners() -> None:
    shot = shoot(4)
    covered = shot.image.copy()
    x, y = shot.sheet_to_px(np.array([[SIZE_MM[0] * 0.8, SIZE_MM[1] * 0.8]]))[0]
    cv2.circle(covered, (round(x), round(y)), 60, (120, 150, 190), -1)
    sheet = find_sheet(covered)
    assert sheet is not None and 6 <= len(sheet.corners_px) < CORNERS
    assert np.linalg.norm(sheet.corners_px - shot.sheet_to_px(sheet.corners_mm), axis=1).max() < 0.8
    cut = shoot(4, at_mm=(-470.0, 0.0))
    beyond = find_sheet(cut.image)
    assert beyond is not None
    assert beyond.outline_px[:, 0].min() < 0
    true = cut.sheet_to_px(np.array([[0, 0], [SIZE_MM[0], 0], SIZE_MM, [0, SIZE_MM[1]]]))
    assert np.abs(beyond.outline_px - true).max() < 8


@pytest.mark.parametrize(
    "light", [replace(WHITE, blur_px=1.8), replace(WHITE, exposure=0.25)], ids=["soft", "dim"]
)
def test_a_blurred_or_dim_sheet_is_not_missed(light: object) -> None:
    assert find_sheet(shoot(5, px_per_mm=1.0, light=light).image) is not None  # type: ignore[arg-type]


def test_a_table_full_of_cards_is_no_sheet() -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        assert find_sheet(world().photo(rng, (640, 480), card_width_px=60, layout="round").image) is None
