"""The camera above the table: millimetres to pixels and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.camera import TableCamera, card_corners_mm


@settings(deadline=None, max_examples=60)
@given(
    px_per_mm=st.floats(0.3, 4),
    tilt=st.floats(0, 50),
    azimuth=st.floats(0, 360),
    roll=st.floats(-20, 20),
    focal=st.floats(0.7, 1.8),
    centre=st.tuples(st.floats(-300, 300), st.floats(-300, 300)),
)
def test_pixels_come_back_to_the_same_millimetres(
    px_per_mm: float, tilt: float, azimuth: float, roll: float, focal: float, centre: tuple[float, float]
) -> None:
    camera = TableCamera.above(
        (1280, 720),
        px_per_mm,
        tilt_deg=tilt,
        azimuth_deg=azimuth,
        roll_deg=roll,
        focal=focal,
        centre_mm=centre,
    )
    assert camera.project(np.array([centre]))[0] == pytest.approx([640, 360], abs=1e-6)
    span = 150 / px_per_mm
    points = np.array(centre) + np.array([[0, 0], [span, 0], [-span, span], [0.3 * span, -0.7 * span]])
    assert np.allclose(camera.unproject(camera.project(points)), points, atol=1e-6 * (1 + span))


def test_from_straight_above_a_card_has_its_size() -> None:
    camera = TableCamera.above((1920, 1080), 1.6)
    quad = camera.project(card_corners_mm((50, -30), 0, (57.5, 82)))
    assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(57.5 * 1.6)
    assert np.linalg.norm(quad[2] - quad[1]) == pytest.approx(82 * 1.6)
    assert quad[0][0] < quad[1][0] and quad[0][1] < quad[3][1]
    assert camera.px_per_mm((50, -30)) == pytest.approx(1.6)


def test_a_tilted_camera_sees_the_near_side_larger() -> None:
    camera = TableCamera.above((1280, 720), 1.0, tilt_deg=30)
    scales = [camera.px_per_mm((0.0, y)) for y in (-200.0, 0.0, 200.0)]
    assert scales == sorted(scales) or scales == sorted(scales, reverse=True)
    assert max(scales) > 1.2 * min(scales)


@pytest.mark.parametrize("angle", [0, 30, 90, 200, 359])
def test_the_corners_of_a_turned_card_stay_in_order(angle: float) -> None:
    corners = card_corners_mm((10, 20), angle, (57.5, 82))
    assert corners.mean(axis=0) == pytest.approx([10, 20])
    x, y = corners.T
    assert np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2 == pytest.approx(57.5 * 82)
    across = corners[1] - corners[0]
    assert np.degrees(np.arctan2(across[1], across[0])) % 360 == pytest.approx(angle % 360)


def test_the_view_lies_in_the_picture() -> None:
    camera = TableCamera.above((1280, 720), 1.0, tilt_deg=25, azimuth_deg=10, roll_deg=4)
    x0, y0, x1, y1 = camera.view_mm()
    assert x0 < 0 < x1 and y0 < 0 < y1
    middle = camera.project(np.array([[(x0 + x1) / 2, (y0 + y1) / 2]]))[0]
    assert 0 < middle[0] < 1280 and 0 < middle[1] < 720
