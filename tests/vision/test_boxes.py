"""Boxes of two looks at one picture."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.boxes import joined, turned_back

LEAST, ONCE = 0.5, 0.75


def rows(*boxes: tuple[float, ...]) -> np.ndarray:
    """Boxes (x, y, w, h, angle in degrees, score, class)."""
    return np.array([[*b[:4], math.radians(b[4]), *b[5:]] for b in boxes], np.float32).reshape(-1, 7)


def corners(row: np.ndarray) -> np.ndarray:
    """Corners (4, 2) of a box in an order that does not depend on how it is written."""
    x, y, w, h, angle = (float(v) for v in row[:5])
    points = cv2.boxPoints(((x, y), (w, h), math.degrees(angle)))
    return points[np.lexsort((np.round(points[:, 1], 1), np.round(points[:, 0], 1)))]


@pytest.mark.parametrize("angle", [0.0, 30.0, 89.0, 120.0])
def test_a_box_is_turned_back_to_where_it_was(angle: float) -> None:
    upright = rows((130, 40, 40, 57, angle, 0.9, 1))
    points = cv2.boxPoints(((130, 40), (40, 57), angle))
    height = 200
    turned = np.stack([height - points[:, 1], points[:, 0]], axis=1).astype(np.float32)
    (x, y), (w, h), turn = cv2.minAreaRect(turned)
    back = turned_back(rows((x, y, w, h, turn, 0.9, 1)), height)
    assert corners(back[0]) == pytest.approx(corners(upright[0]), abs=0.1)


@pytest.mark.parametrize("angle", [0.0, 44.0, 91.0, 179.0, 270.0])
def test_a_box_of_both_looks_is_their_mean_however_it_is_written(angle: float) -> None:
    one = rows((100, 100, 40, 57, angle, 0.9, 0))
    for other in ((104, 100, 42, 57, angle, 0.9, 1), (104, 100, 57, 42, angle + 90, 0.9, 1)):
        both, _ = joined(one, rows(other), LEAST, ONCE)
        assert corners(both[0]) == pytest.approx(corners(rows((102, 100, 41, 57, angle, 0, 0))[0]), abs=0.1)
        assert both.shape == (1, 7) and both[0, 5] == pytest.approx(0.9)
    nearer, _ = joined(one, rows((104, 100, 40, 57, angle, 0.3, 1)), LEAST, ONCE)
    assert (nearer[0, 0], nearer[0, 5], nearer[0, 6]) == (pytest.approx(101), pytest.approx(0.6), 0)


def test_a_box_of_one_look_alone_counts_less() -> None:
    one = rows((100, 100, 40, 57, 0, 0.8, 0), (300, 100, 40, 57, 0, 0.6, 0))
    other = rows((300, 101, 40, 57, 0, 0.6, 0), (500, 100, 40, 57, 0, 0.4, 1))
    both, look = joined(one, other, LEAST, ONCE)
    found = {
        round(float(row[0])): (round(float(row[5]), 3), int(n)) for row, n in zip(both, look, strict=True)
    }
    assert found == {100: (0.6, 0), 300: (0.6, 0), 500: (0.3, 1)}
    empty = np.zeros((0, 7), np.float32)
    assert joined(empty, empty, LEAST, ONCE)[0].shape == (0, 7)
    assert len(joined(one, empty, LEAST, ONCE)[0]) == len(joined(empty, one, LEAST, ONCE)[0]) == 2


def test_no_box_has_two_partners() -> None:
    one = rows((100, 100, 40, 57, 0, 0.9, 0), (106, 100, 40, 57, 0, 0.8, 0))
    both, _ = joined(one, rows((103, 100, 40, 57, 0, 0.9, 0)), LEAST, ONCE)
    assert sorted(round(float(score), 2) for score in both[:, 5]) == [0.6, 0.9]


@pytest.mark.parametrize("angle", [0.0, 30.0, 135.0])
def test_nearly_square_boxes_are_not_turned_by_half_their_quarter(angle: float) -> None:
    one, other = rows((100, 100, 50, 52, angle, 0.9, 0)), rows((100, 100, 52, 50, angle, 0.9, 0))
    both, _ = joined(one, other, LEAST, ONCE)
    assert corners(both[0]) == pytest.approx(corners(rows((100, 100, 51, 51, angle, 0, 0))[0]), abs=0.1)
