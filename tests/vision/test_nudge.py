"""A moved camera is told from moved cards."""

from __future__ import annotations

import numpy as np
import pytest

from vision.nudge import moved, nudge

WIDTH_PX = 60.0
CARDS = np.array([[200 + 130 * i, 150 + 140 * k] for i in range(5) for k in range(3)], np.float32)


def turned(points: np.ndarray, degrees: float, shift: tuple[float, float]) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return ((points - (480, 270)) @ np.array([[c, s], [-s, c]]) + (480, 270) + shift).astype(np.float32)


@pytest.mark.parametrize(
    ("degrees", "shift"), [(2.0, (0, 0)), (-2.0, (8, -5)), (0.0, (14, 9)), (1.0, (-9, 3))]
)
def test_the_one_change_that_explains_all_cards_is_found(degrees: float, shift: tuple[float, float]) -> None:
    found = turned(CARDS, degrees, shift)
    matrix = nudge(CARDS, found[::-1], WIDTH_PX)
    assert matrix is not None
    assert np.abs(moved(CARDS, matrix) - found).max() < 1.0


def test_cards_that_came_and_went_meanwhile_do_not_hide_it() -> None:
    found = np.concatenate([turned(CARDS, 2.0, (4, 4))[3:], [[900, 60], [60, 500]]]).astype(np.float32)
    matrix = nudge(CARDS, found, WIDTH_PX)
    assert matrix is not None
    assert np.abs(moved(CARDS, matrix) - turned(CARDS, 2.0, (4, 4))).max() < 1.5


def test_a_few_bumped_cards_or_none_at_all_are_no_moved_camera() -> None:
    bumped = CARDS.copy()
    bumped[:4] += 20
    assert nudge(CARDS, bumped, WIDTH_PX) is None
    assert nudge(CARDS, CARDS, WIDTH_PX) is None
    assert nudge(CARDS[:2], turned(CARDS[:2], 2.0, (0, 0)), WIDTH_PX) is None
    scattered = CARDS + np.random.default_rng(1).uniform(-40, 40, CARDS.shape).astype(np.float32)
    assert nudge(CARDS, scattered, WIDTH_PX) is None
