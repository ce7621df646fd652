"""Cards beside the table do not count, at any size of the picture."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from tests.vision.drawing import turned_box
from vision.bounds import BoundedEyes, TableBounds
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
