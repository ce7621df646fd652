"""The finder around its network: what is one card, and where it lies in a picture of any size."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from tests.vision.drawing import table, turned_box
from vision.boxes import suppress
from vision.finder import Finder, FinderSettings
from vision.types import Detection, order_quad

MOST = FinderSettings().max_overlap
FACE, BACK = (30, 30, 220), (220, 30, 30)


def row(x: float, y: float, w: float, h: float, angle_deg: float, score: float) -> list[float]:
    return [x, y, w, h, math.radians(angle_deg), score, 0]


CARD = (100.0, 100.0, 40.0, 57.0, 20.0, 0.9)

PAIRS = {
    "identical": ((100, 100, 40, 57, 20, 0.8), 1),
    "a little off": ((103, 98, 41, 56, 23, 0.8), 1),
    "half a turn": ((100, 100, 40, 57, 200, 0.8), 1),
    "the other edge called short": ((100, 100, 57, 40, 110, 0.8), 1),
    "beside it": ((143, 116, 40, 57, 20, 0.8), 2),
    "a shingle, a third showing": ((119, 107, 40, 57, 20, 0.8), 2),
    "far away": ((400, 300, 40, 57, 20, 0.8), 2),
    "the same place, across": ((100, 100, 20, 120, 110, 0.8), 2),
}


@pytest.mark.parametrize("name", PAIRS)
def test_two_boxes_are_one_card_or_two(name: str) -> None:
    other, count = PAIRS[name]
    kept = suppress(np.array([row(*other), row(*CARD)], np.float32), MOST)
    assert kept == ([1] if count == 1 else [1, 0])


@pytest.mark.parametrize("angle", [0, 0.01, 44.99, 45, 89.99, 90, 90.01, 179.99, 180, 359.99])
def test_boxes_near_the_axes_are_told_apart_and_joined(angle: float) -> None:
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    boxes = [
        row(200, 200, 40, 57, angle, 0.9),
        row(201, 200, 40, 57, angle - 0.5, 0.8),
        row(201, 199, 57, 40, angle + 90, 0.7),
        row(200 + 44 * c, 200 + 44 * s, 40, 57, angle, 0.6),
    ]
    assert suppress(np.array(boxes, np.float32), MOST) == [0, 3]


def test_the_best_of_many_stays_and_the_order_is_by_score() -> None:
    boxes = [row(100 + k * 0.5, 100, 40, 57, k, 0.5 + 0.01 * k) for k in range(20)]
    boxes += [row(300, 100, 40, 57, 0, 0.95)]
    assert suppress(np.array(boxes, np.float32), MOST) == [20, 19]


def test_nothing_is_suppressed_of_nothing() -> None:
    assert suppress(np.zeros((0, 7), np.float32), MOST) == []


class BlobSession:
    """Stands for the network: red (face) and blue (back) blocks are cards, larger ones more surely."""

    def __init__(self, least_px: float = 12.0) -> None:
        self.least_px = least_px
        self.shapes: list[tuple[int, ...]] = []

    def get_inputs(self) -> list[object]:
        class Input:
            name = "images"

        return [Input()]

    def run(self, _: object, feed: dict[str, np.ndarray]) -> list[np.ndarray]:
        blob = feed["images"]
        assert blob.dtype == np.float32 and blob.min() >= 0 and blob.max() <= 1
        self.shapes.append(blob.shape)
        red, _green, blue = blob[0]
        rows = []
        for side, mask in enumerate((red - blue > 0.4, blue - red > 0.4)):
            contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            for contour in contours:
                (x, y), (w, h), angle = cv2.minAreaRect(contour)
                if min(w, h) + 1 >= self.least_px:
                    sure = min(0.95, 0.5 + min(w, h) / 150)
                    scores = [sure, 0.0] if side == 0 else [0.0, sure]
                    rows.append([x, y, w + 1, h + 1, *scores, math.radians(angle)])
        noise = [5.0, 5.0, 20.0, 30.0, 0.1, 0.1, 0.0]
        return [np.array([*rows, noise], np.float32).T[None]]


def finder(session: BlobSession) -> Finder:
    return Finder(session)  # type: ignore[arg-type]


def test_films_and_photographs_are_looked_at_by_networks_of_their_own() -> None:
    live, still = BlobSession(), BlobSession()
    both = Finder(live, still=still)  # type: ignore[arg-type]
    picture, _ = spread((640, 480), 60, 1)
    both.find(picture)
    assert len(live.shapes) == 1 and not still.shapes
    both.find_in_still(picture)
    assert len(live.shapes) == 1 and len(still.shapes) >= 4


def spread(size: tuple[int, int], width: float, seed: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """A picture with cards apart on a grid, at all angles, faces and backs in turn."""
    picture, quads = table(size), []
    rng = np.random.default_rng(seed)
    step = width * 2.2
    for y in np.arange(step / 2, size[1] - step / 2, step):
        for x in np.arange(step / 2, size[0] - step / 2, step):
            quads.append(order_quad(turned_box((x, y), (width, width * 1.426), rng.uniform(0, 180))))
            paint(picture, quads[-1], FACE if len(quads) % 2 else BACK)
    return picture, quads


def paint(picture: np.ndarray, quad: np.ndarray, colour: tuple[int, int, int]) -> None:
    cv2.fillConvexPoly(picture, np.round(quad * 16).astype(np.int32), colour, cv2.LINE_AA, 4)


def assert_found(found: list[Detection], quads: list[np.ndarray], within_px: float) -> None:
    """Each card once, its corners in place; which of the two short edges is called first is open."""
    assert len(found) == len(quads)
    for number, quad in enumerate(quads):
        nearest = min(found, key=lambda d: float(np.linalg.norm(d.centre - quad.mean(axis=0))))
        off = min(np.linalg.norm(np.roll(nearest.quad, turn, axis=0) - quad, axis=1).max() for turn in (0, 2))
        assert off < within_px
        assert nearest.side == ("back" if number % 2 else "face")


@pytest.mark.parametrize("size", [(640, 640), (640, 360), (1280, 720), (720, 1280), (333, 517)])
def test_a_live_picture_is_seen_once_and_boxes_come_back_in_its_own_pixels(size: tuple[int, int]) -> None:
    session = BlobSession()
    picture, quads = spread(size, 60, 3)
    assert_found(finder(session).find(picture), quads, 4.0)
    assert len(session.shapes) == 1
    height, width = session.shapes[0][2:]
    assert height % 32 == 0 and width % 32 == 0 and max(height, width) <= 640


@pytest.mark.parametrize(
    ("size", "width"), [((800, 600), 70), ((2000, 1500), 90), ((4000, 3000), 120), ((3000, 900), 110)]
)
def test_in_a_still_of_any_size_each_card_is_found_once_and_whole(
    size: tuple[int, int], width: float
) -> None:
    picture, quads = spread(size, width, 5)
    assert_found(finder(BlobSession()).find_in_still(picture), quads, 8.0)


def test_small_cards_of_a_large_still_are_found_in_its_tiles() -> None:
    picture, quads = spread((2400, 1800), 40, 7)
    assert_found(finder(BlobSession(least_px=18)).find_in_still(picture), quads, 6.0)


def test_a_card_that_fills_the_still_is_found_whole() -> None:
    quad = order_quad(turned_box((1500, 1000), (1200, 1711), 12))
    picture = table((3000, 2000))
    paint(picture, quad, FACE)
    assert_found(finder(BlobSession()).find_in_still(picture), [quad], 20.0)


@pytest.mark.parametrize("size", [(640, 480), (2000, 1500), (40, 40)])
def test_an_empty_table_shows_no_card(size: tuple[int, int]) -> None:
    empty = finder(BlobSession())
    assert empty.find(table(size, noise=8.0)) == []
    assert empty.find_in_still(table(size, noise=8.0)) == []


def test_two_looks_at_one_card_agree_less_than_one_look_at_two() -> None:
    # Three fifths of the lower card show: IoU 0.5 as boxes, more as Gaussians.
    boxes = np.array([row(100, 100, 40, 57, 0, 0.9), row(116, 100, 40, 57, 0, 0.8)], np.float32)
    assert suppress(boxes, 0.7, np.array([0, 0]), 0.5) == [0, 1]
    assert suppress(boxes, 0.7, np.array([0, 1]), 0.5) == [0]
