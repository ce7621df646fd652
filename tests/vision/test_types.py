"""The vocabulary of the eyes: shapes are checked, corners have one order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.drawing import turned_box
from vision.types import Detection, Frame, Reading, order_quad

angles = st.floats(0, 360, allow_nan=False)


def edges(quad: np.ndarray) -> np.ndarray:
    return np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)


def signed_area(quad: np.ndarray) -> float:
    x, y = quad[:, 0].astype(float), quad[:, 1].astype(float)
    return float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2)


@settings(deadline=None)
@given(
    angle=angles,
    width=st.floats(20, 200),
    ratio=st.floats(1.1, 1.7),
    bend=st.lists(st.floats(-0.05, 0.05), min_size=8, max_size=8),
    order=st.permutations(range(4)),
)
def test_a_quad_goes_clockwise_from_a_short_edge(
    angle: float, width: float, ratio: float, bend: list[float], order: list[int]
) -> None:
    corners = turned_box((500, 400), (width, width * ratio), angle) + np.reshape(bend, (4, 2)) * width
    ordered = order_quad(corners[order])
    assert sorted(map(tuple, ordered.tolist())) == sorted(map(tuple, corners.astype(np.float32).tolist()))
    assert signed_area(ordered) > 0
    length = edges(ordered)
    assert length[0] + length[2] <= length[1] + length[3] + 1e-3
    assert ordered[:2, 1].sum() <= ordered[2:, 1].sum() + 1e-3


@settings(deadline=None)
@given(angle=angles, start=st.integers(0, 3), backwards=st.booleans())
def test_the_order_does_not_depend_on_where_the_corners_began(
    angle: float, start: int, backwards: bool
) -> None:
    corners = turned_box((300, 300), (57, 82), angle)
    given_corners = np.roll(corners, start, axis=0)
    if backwards:
        given_corners = given_corners[::-1]
    assert np.allclose(order_quad(given_corners), order_quad(corners))


@pytest.mark.parametrize("points", [np.zeros((3, 2)), np.zeros((5, 2)), np.zeros((4, 3)), [], [[1, 2]]])
def test_what_has_not_four_corners_is_no_quad(points: object) -> None:
    with pytest.raises(ValueError):
        order_quad(points)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(4,), (3, 2), (4, 3), (1, 4, 2)])
def test_a_detection_names_the_wrong_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(
        ValueError, match=r"\(4, 2\), not " + str(shape).replace("(", r"\(").replace(")", r"\)")
    ):
        Detection(np.zeros(shape, np.float32), None, 0.5)


@pytest.mark.parametrize(
    "image",
    [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 3), np.float32)],
    ids=["grey", "with alpha", "float"],
)
def test_a_frame_is_bgr_bytes(image: np.ndarray) -> None:
    with pytest.raises(ValueError, match="BGR uint8"):
        Frame(image, 0, 0.0)


@settings(deadline=None)
@given(angle=angles)
def test_width_and_length_are_those_of_the_card(angle: float) -> None:
    card = Detection(order_quad(turned_box((200, 200), (57, 82), angle)), "face", 0.9)
    assert card.width_px == pytest.approx(57, abs=0.01)
    assert card.length_px == pytest.approx(82, abs=0.01)
    assert card.centre == pytest.approx([200, 200], abs=0.01)


@pytest.mark.parametrize(
    ("reading", "card"),
    [
        (Reading("face", 7, "red"), "red7"),
        (Reading("face", 12, "hearts"), "QH"),
        (Reading("face", 7, None), None),
        (Reading("face", None, "red"), None),
        (Reading("back", deck="pump"), None),
        (Reading(None), None),
    ],
)
def test_a_reading_is_a_card_only_when_both_values_were_read(reading: Reading, card: str | None) -> None:
    assert (None if reading.card is None else str(reading.card)) == card
