"""Table tops: of any kind, or of the one that was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.surfaces import KINDS, ON_REQUEST, SURFACE_SIZE_PX, Surfaces

LOOK = np.array([[0.3, 0, 0], [0, 0.3, 0], [0, 0, 1]])
SIZE_PX = (160, 120)


@pytest.mark.parametrize("kind", [*KINDS, *ON_REQUEST])
def test_a_top_is_a_picture_that_its_random_numbers_decide(kind: str) -> None:
    draw = (KINDS | ON_REQUEST)[kind]
    tile = draw(np.random.default_rng(3))
    assert tile.shape == (SURFACE_SIZE_PX, SURFACE_SIZE_PX, 3) and tile.dtype == np.uint8
    assert (tile == draw(np.random.default_rng(3))).all()
    assert (tile != draw(np.random.default_rng(4))).any()


def test_only_the_kind_that_was_asked_for_is_laid() -> None:
    def white_share(kind: str | None) -> list[float]:
        tops, rng = Surfaces("train", 12, kind=kind), np.random.default_rng(1)
        return [float((tops.lay(LOOK, SIZE_PX, rng).min(axis=2) > 130).mean()) for _ in range(12)]

    assert min(white_share("paper")) > 0.1
    assert min(white_share(None)) < 0.02


def test_tops_on_request_are_not_laid_unasked() -> None:
    assert not set(ON_REQUEST) & set(KINDS)
