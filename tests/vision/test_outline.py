"""Cards cut out by what stands off from the table."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawing import WHITE, fill, inset, table, turned_box
from vision.outline import card_outlines


def corner_error(found: np.ndarray, true: np.ndarray) -> float:
    return float(np.linalg.norm(found[:, None] - true[None], axis=2).min(axis=1).max())


@pytest.mark.parametrize("angle", [0.0, 28.0, 90.0])
def test_a_card_with_a_drawing_is_outlined_by_its_outer_edge(angle: float) -> None:
    quad = turned_box((640, 480), (260, 364), angle)
    picture = fill(table((1280, 960), noise=2.0), quad, WHITE)
    picture = fill(picture, inset(quad, 0.08), (60, 40, 170))
    (found,) = card_outlines(picture)
    assert corner_error(found, quad) < 4


def test_an_empty_table_has_no_outline() -> None:
    assert card_outlines(table((1280, 960), noise=3.0)) == []


def test_what_has_another_shape_than_a_card_is_left_out() -> None:
    picture = table((1280, 960), noise=2.0)
    picture = fill(picture, turned_box((640, 480), (120, 700), 10.0), WHITE)
    assert card_outlines(picture) == []
