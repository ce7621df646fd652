"""What describes a card must not change with a half turn, and views of it must be cards in other light."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest

from datasets import art
from vision.likeness import BACK, FACE, FINE_PX, SIZE_PX, STRANGERS, Aspect, even, view


def fine(seed: int) -> np.ndarray:
    """A drawn back as it is kept, BGR uint8 (272, 192, 3)."""
    drawn = art.own_standard_back(seed, 256, random.Random(1)).image
    return cv2.resize(np.ascontiguousarray(drawn[..., :3]), FINE_PX, interpolation=cv2.INTER_AREA)


ASPECTS = pytest.mark.parametrize("aspect", [BACK, FACE], ids=["back", "face"])


@ASPECTS
@pytest.mark.parametrize("seed", [2, 6, 9])
def test_a_half_turn_changes_nothing(aspect: Aspect, seed: int) -> None:
    crop = even(fine(seed), aspect)
    turned = np.ascontiguousarray(crop[::-1, ::-1])
    for part, other in zip(aspect.describe(crop), aspect.describe(turned), strict=True):
        assert part.dtype == np.float32 and np.isfinite(part).all()
        assert np.abs(part - other).max() < 0.05


@ASPECTS
def test_descriptions_have_one_length_whatever_is_shown(aspect: Aspect) -> None:
    rng = np.random.default_rng(3)
    crops = [
        np.zeros((136, 96, 3), np.uint8),
        np.full((136, 96, 3), 255, np.uint8),
        rng.integers(0, 255, (136, 96, 3), dtype=np.uint8),
        even(fine(5), aspect),
    ]
    lengths = {tuple(len(part) for part in aspect.describe(crop)) for crop in crops}
    assert len(lengths) == 1


@ASPECTS
def test_near_and_far_cards_come_to_one_sharpness(aspect: Aspect) -> None:
    near = fine(8)
    far = cv2.resize(near, (90, 128), interpolation=cv2.INTER_AREA)
    assert even(near, aspect).shape == (SIZE_PX[1], SIZE_PX[0], 3)
    assert np.abs(even(near, aspect).astype(int) - even(far, aspect)).mean() < 6


def test_the_same_seed_draws_the_same_view_and_another_one_another() -> None:
    card = fine(4)
    views = [view(card, np.random.default_rng(seed), BACK) for seed in (1, 1, 2)]
    assert views[0].shape == (SIZE_PX[1], SIZE_PX[0], 3) and views[0].dtype == np.uint8
    assert (views[0] == views[1]).all() and (views[0] != views[2]).any()


def test_strangers_look_otherwise_and_leave_the_card_as_it_is() -> None:
    card = fine(3)
    before = card.copy()
    for draw in STRANGERS:
        drawn = draw(card)
        assert drawn.shape == card.shape and drawn.dtype == np.uint8
        assert np.abs(drawn.astype(int) - card).mean() > 2
    assert (card == before).all()
