"""Whose arm brought a card, from remembered looks."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrivals import Moment, brought
from vision.patches import Patch
from vision.types import Arm

PLACE, WIDTH_PX = np.array([480.0, 270.0]), 60.0
QUAD = np.array([[220, 120], [260, 120], [260, 150], [220, 150]], np.float32)


def looks(*arms: tuple[Arm, ...], rested: int) -> list[Moment]:
    """Looks 0.066 s apart with these arms over a table; the card shows from the look `rested` on."""
    moments = []
    for number, over in enumerate(arms):
        small = np.full((270, 480, 3), 60, np.uint8)
        if number >= rested:
            small[120:150, 220:260] = 220
        hidden = np.zeros((270, 480), np.uint8)
        for one in over:
            start, end = ((round(x / 2), round(y / 2)) for x, y in (one.entry, one.tip))
            cv2.line(hidden, start, end, 1, 20)
        moments.append(Moment(0.066 * number, number, hidden > 0, small, over, 0.5))
    return moments


def arm(entry_x: float, off_px: float) -> Arm:
    return Arm((entry_x, 0.0), (480.0 + off_px, 270.0), 5000, (0.0, -1.0))


@pytest.mark.parametrize(
    ("second", "contested"), [((), False), ((arm(540, 200),), False), ((arm(900, 20),), True)]
)
def test_an_arm_seen_in_two_parts_is_one_and_another_at_the_place_is_a_rival(
    second: tuple[Arm, ...], contested: bool
) -> None:
    first = arm(450, 20)
    moments = looks((), (first,), (first, *second), (first,), (first,), (), rested=3)
    patch = Patch.take(moments[-1].small, QUAD)
    told = brought(moments, PLACE, WIDTH_PX, patch)
    assert told.contested is contested
    assert told.arm == first and told.t_s == pytest.approx(3 * 0.066, abs=0.07)


def test_an_arm_that_went_away_and_came_again_may_have_brought_two_cards() -> None:
    there, away = arm(450, 20), arm(450, 180)
    moments = looks((), (there,), (away,), (away,), (there,), (), rested=4)
    patch = Patch.take(moments[-1].small, QUAD)
    assert brought(moments, PLACE, WIDTH_PX, patch).contested
