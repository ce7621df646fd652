"""Corners are moved onto the card's edges, and stay where they are without an edge."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.evaluation.matching import quad_iou
from tests.vision.drawing import WHITE, fill, grainy, inset, table, turned_box
from vision.refine import refine_quad, refine_quads
from vision.types import order_quad

SIZE = (320, 320)
CARD = (100.0, 143.0)


def jittered(quad: np.ndarray, amount: float, seed: int) -> np.ndarray:
    """The quad as a finder gives it: each corner off by up to `amount` card widths."""
    width = float(np.linalg.norm(quad[1] - quad[0]))
    off = np.random.default_rng(seed).uniform(-amount, amount, (4, 2)) * width
    return (quad + off).astype(np.float32)


def error_px(found: np.ndarray, true: np.ndarray) -> float:
    return float(np.linalg.norm(found - true, axis=1).max())


@pytest.mark.parametrize("angle", [*range(0, 180, 15), 1, 89, 91, 179])
@pytest.mark.parametrize("noise", [0.0, 6.0])
def test_corners_come_within_a_pixel(angle: int, noise: float) -> None:
    true = order_quad(turned_box((160.3, 159.6), CARD, angle))
    picture = grainy(fill(table(SIZE), true, WHITE), noise, angle)
    start = jittered(true, 0.06, angle)
    assert error_px(refine_quad(picture, start), true) < 1.0


@pytest.mark.parametrize("angle", [*range(-8, 9, 2), *range(82, 99, 2)])
def test_corners_do_not_flicker_near_the_axes(angle: int) -> None:
    true = order_quad(turned_box((160, 160), (70, 100), angle))
    picture = grainy(fill(table(SIZE), true, WHITE), 3.0, angle + 10)
    start = order_quad(cv2.boxPoints(cv2.minAreaRect(jittered(true, 0.03, angle + 10))))
    assert error_px(refine_quad(picture, start), true) < 3.0


@pytest.mark.parametrize("cloth", [(60, 110, 60), (40, 40, 150), (30, 30, 30), (205, 210, 215)])
@pytest.mark.parametrize("frame_at", [0.04, 0.07, 0.1])
@pytest.mark.parametrize("angle", [0, 33])
def test_a_printed_frame_is_not_taken_for_the_edge(
    cloth: tuple[int, int, int], frame_at: float, angle: int
) -> None:
    true = order_quad(turned_box((160, 160), CARD, angle))
    picture = fill(table(SIZE, cloth), true, WHITE)
    picture = fill(picture, inset(true, frame_at), (40, 40, 160))
    picture = fill(picture, inset(true, frame_at + 0.03), WHITE)
    picture = grainy(picture, 2.0, 3)
    for seed in range(6):
        assert quad_iou(refine_quad(picture, jittered(true, 0.04, seed)), true) > 0.9


def test_without_an_edge_the_quad_stays() -> None:
    quad = order_quad(turned_box((160, 160), CARD, 20))
    for colour in ((60, 110, 60), (62, 112, 62)):
        picture = grainy(fill(table(SIZE), quad, colour), 0.7, 1)
        assert error_px(refine_quad(picture, quad), quad) < 0.01


def test_a_side_that_a_hand_covers_stays_and_the_others_move() -> None:
    true = turned_box((160, 160), CARD, 0)
    picture = fill(table(SIZE), true, WHITE)
    picture[:, 190:] = (110, 140, 190)
    start = (true + np.array([[-4, -4], [4, -4], [4, 4], [-4, 4]])).astype(np.float32)
    found = refine_quad(picture, start)
    assert np.abs(found[[0, 3], 0] - true[[0, 3], 0]).max() < 1.0
    assert np.abs(found[1:3, 0] - start[1:3, 0]).max() < 1.0


@pytest.mark.parametrize("shift", [(-150, 0), (150, 0), (0, -150), (140, 140)])
def test_a_card_half_outside_the_picture_is_left_finite(shift: tuple[int, int]) -> None:
    quad = order_quad(turned_box((160 + shift[0], 160 + shift[1]), CARD, 10))
    found = refine_quad(fill(table(SIZE), quad, WHITE), jittered(quad, 0.03, 1))
    assert found.shape == (4, 2) and found.dtype == np.float32
    assert np.isfinite(found).all()


def test_several_cards_at_once_are_the_same_as_one_by_one() -> None:
    picture = table((640, 320))
    quads = []
    for number, (x, angle) in enumerate([(90, 0), (260, 30), (430, 85), (560, 120)]):
        true = order_quad(turned_box((x, 160), (60 + 6 * number, 86 + 9 * number), angle))
        picture = fill(picture, true, WHITE)
        quads.append(jittered(true, 0.04, number))
    alone = [refine_quad(picture, quad) for quad in quads]
    assert np.allclose(np.stack(refine_quads(picture, quads)), np.stack(alone), atol=0.01)
    assert refine_quads(picture, []) == []


def test_a_neighbour_beside_the_card_is_not_taken_for_its_edge() -> None:
    true = order_quad(turned_box((110, 160), CARD, 0))
    picture = fill(table(SIZE), true, WHITE)
    for side in (-1, 1):
        picture = fill(picture, true + np.array([side * CARD[0] * 1.07, 0], np.float32), WHITE)
    for seed in range(8):
        assert error_px(refine_quad(grainy(picture, 2.0, seed), jittered(true, 0.04, seed)), true) < 1.5
