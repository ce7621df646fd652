"""Cards beside the table do not count, at any size of the picture."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.vision.drawing import turned_box
from vision.bounds import BoundedEyes, TableBounds
from vision.calibration import project
from vision.types import Detection, order_quad

CORNERS = ((100.0, 50.0), (540.0, 50.0), (600.0, 340.0), (40.0, 340.0))
BOUNDS = TableBounds(CORNERS, (640, 360))


def card(x: float, y: float) -> Detection:
    return Detection(order_quad(turned_box((x, y), (40, 57), 10)), "face", 0.9)


def test_the_centre_of_a_card_decides() -> None:
    inside, beside = [card(300, 200), card(102, 60)], [card(60, 60), card(620, 200), card(300, 355)]
    assert BOUNDS.keep([*inside, *beside], (360, 640, 3)) == inside


def test_corners_grow_with_the_picture_and_say_nothing_of_one_of_another_shape() -> None:
    assert len(BOUNDS.keep([card(900, 600), card(120, 120)], (1080, 1920, 3))) == 1
    assert len(BOUNDS.keep([card(900, 600), card(120, 120)], (1440, 1920, 3))) == 2


def seen_at(mm: tuple[float, float], size_mm: tuple[float, float]) -> Detection:
    """A card as a camera that looks down at a slant sees it."""
    corners = project(np.array(SLANT), turned_box(mm, size_mm, 20))
    return Detection(order_quad(corners), "face", 0.9)


SLANT = ((0.5, 0.02, 60.0), (0.0, 0.42, 40.0), (0.0, -0.0006, 1.0))


@pytest.mark.parametrize("size", [1.0, 2.0])
@pytest.mark.parametrize("grown", [1, 3])
def test_a_box_of_another_size_than_the_cards_has_is_no_card(size: float, grown: int) -> None:
    places = [(100.0 + 150 * i, 60.0 + 130 * k) for i in range(4) for k in range(3)]
    cards = [seen_at(at, (57.5 * size, 82 * size)) for at in places]
    areas = [cv2.contourArea(card.quad) for card in cards]
    assert max(areas) > 1.5 * min(areas)
    others = [seen_at((500, 200), (100 * size, 140 * size)), seen_at((300, 300), (40 * size, 57 * size))]
    bounds = TableBounds(None, (640, 360), SLANT)
    scaled = [replace(card, quad=card.quad * grown) for card in (*cards, *others)]
    assert bounds.keep(scaled, (360 * grown, 640 * grown, 3)) == scaled[: len(cards)]
    assert bounds.keep(others, (360, 640, 3)) == others


def test_bounded_eyes_see_the_table_alone_and_know_new_decks_at_once() -> None:
    found = [card(300, 200), card(10, 10)]
    finder = SimpleNamespace(find=lambda image: found, find_in_still=lambda image: found, settings="as set")
    inner = SimpleNamespace(finder=finder, reader="a reader", gallery=None)
    eyes = BoundedEyes(inner, BOUNDS)  # type: ignore[arg-type]
    picture = np.zeros((360, 640, 3), np.uint8)
    assert eyes.finder.find(picture) == eyes.finder.find_in_still(picture) == found[:1]
    assert (eyes.finder.settings, eyes.reader, eyes.gallery) == ("as set", "a reader", None)
    inner.gallery = "decks"
    assert eyes.gallery == "decks"
