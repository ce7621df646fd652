"""A card seen at any angle comes out upright, and fine print does not turn into false print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawing import turned_box
from vision.unwarp import unwarp

SIZE = (96, 136)
PLACES = {"top left": (20, 26), "top right": (70, 26), "bottom left": (20, 104), "bottom right": (70, 104)}
COLOURS = {
    "top left": (0, 0, 200),
    "top right": (0, 200, 0),
    "bottom left": (200, 0, 0),
    "bottom right": (0, 200, 200),
}


def card() -> np.ndarray:
    """A white card with a block of another colour in each corner, BGR uint8 (136, 96, 3)."""
    picture = np.full((SIZE[1], SIZE[0], 3), 240, np.uint8)
    for place, (x, y) in PLACES.items():
        cv2.rectangle(picture, (x - 12, y - 14), (x + 12, y + 14), COLOURS[place], -1)
    return picture


def laid(texture: np.ndarray, quad: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    height, width = texture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners, quad.astype(np.float32) - 0.5)
    return cv2.warpPerspective(
        texture, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=(60, 90, 60)
    )


def says_where(crop: np.ndarray) -> None:
    for place, (x, y) in PLACES.items():
        patch = crop[y - 6 : y + 7, x - 6 : x + 7].reshape(-1, 3).mean(axis=0)
        assert np.abs(patch - COLOURS[place]).max() < 40, place


@pytest.mark.parametrize("angle", range(0, 360, 30))
@pytest.mark.parametrize("width", [60, 96, 210])
def test_a_card_comes_out_upright(angle: int, width: int) -> None:
    quad = turned_box((300, 300), (width, width * 136 / 96), angle)
    says_where(unwarp(laid(card(), quad, (600, 600)), quad, SIZE))


def test_a_card_seen_at_a_slant_comes_out_upright() -> None:
    quad = np.array([[210, 120], [330, 150], [400, 330], [180, 290]], np.float32)
    says_where(unwarp(laid(card(), quad, (600, 500)), quad, SIZE))


def test_a_card_half_outside_the_picture_keeps_what_shows() -> None:
    quad = turned_box((2, 300), (180, 255), 0)
    crop = unwarp(laid(card(), quad, (600, 600)), quad, SIZE)
    for place in ("top right", "bottom right"):
        x, y = PLACES[place]
        assert np.abs(crop[y, x].astype(int) - COLOURS[place]).max() < 40, place


@pytest.mark.parametrize("centre", [(-400, 300), (300, -400), (1200, 300), (300, 1200)])
def test_a_card_outside_the_picture_is_still_a_crop(centre: tuple[int, int]) -> None:
    crop = unwarp(np.full((600, 600, 3), 90, np.uint8), turned_box(centre, (300, 425), 20), SIZE)
    assert crop.shape == (136, 96, 3)
    assert (crop == 90).all()


@pytest.mark.parametrize("angle", [0, 17, 90])
def test_fine_print_turns_grey_and_not_into_bands(angle: int) -> None:
    large = np.full((SIZE[1] * 8, SIZE[0] * 8, 3), 255, np.uint8)
    large[:, ::3] = 0
    large[:, 1::3] = 0
    quad = turned_box((640, 640), (SIZE[0] * 8, SIZE[1] * 8), angle)
    seen = laid(large, quad, (1280, 1280))
    inner = unwarp(seen, quad, SIZE)[10:-10, 10:-10]
    assert inner.std() < 12
    assert abs(float(inner.mean()) - 85) < 12
