"""Labelled photographs as training examples: corners out of upright boxes, and variations that keep them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.training.labels import IGNORE
from engine.training.photographs import (
    Labelled,
    add_to_finder_set,
    add_to_reader_set,
    label_lines,
    labelled_photographs,
    varied,
)
from vision.finder import Finder
from vision.types import Detection
from vision.unwarp import unwarp

QUAD = np.array([[140, 80], [220, 110], [180, 230], [100, 200]], np.float32)


class OneCard(Finder):
    """A finder that always gives the same answer."""

    def __init__(self, *quads: np.ndarray) -> None:
        self._quads = quads

    def find_in_still(self, image: np.ndarray) -> list[Detection]:
        return [Detection(quad.astype(np.float32), "face", 0.5) for quad in self._quads]


def picture() -> np.ndarray:
    image = np.full((300, 320, 3), 30, np.uint8)
    cv2.fillConvexPoly(image, QUAD.astype(np.int32), (250, 250, 250), cv2.LINE_AA)
    return image


def write(folder: Path, *boxes: tuple[str, float, float, float, float]) -> None:
    cv2.imwrite(str(folder / "a.JPG"), picture())
    things = "".join(
        f"<object><name>{name}</name><bndbox><xmin>{x0}</xmin><ymin>{y0}</ymin><xmax>{x1}</xmax>"
        f"<ymax>{y1}</ymax></bndbox></object>"
        for name, x0, y0, x1, y1 in boxes
    )
    (folder / "a.xml").write_text(f"<annotation>{things}</annotation>")


def test_a_box_gets_the_corners_of_the_answer_that_fits(tmp_path: Path) -> None:
    write(tmp_path, ("queen", 100, 80, 220, 230))
    (one,) = labelled_photographs(tmp_path, OneCard(QUAD + 60, QUAD + 2))
    assert one.numbers == (12,)
    assert np.abs(one.quads[0] - QUAD).max() < 6


def test_a_photograph_with_a_box_that_nothing_fits_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, ("queen", 100, 80, 220, 230), ("ace", 5, 5, 60, 90))
    assert list(labelled_photographs(tmp_path, OneCard(QUAD))) == []


@pytest.mark.parametrize("seed", range(12))
def test_the_corners_move_with_the_picture(seed: int) -> None:
    one = Labelled(picture(), (QUAD,), (12,))
    made = varied(one, 416, np.random.default_rng(seed))
    assert made.image.shape == (416, 416, 3)
    inner = cv2.fillConvexPoly(np.zeros((416, 416), np.uint8), np.round(made.quads[0]).astype(np.int32), 1)
    inner = cv2.erode(inner, np.ones((9, 9), np.uint8)).astype(bool)
    if inner.any():
        assert made.image[inner].mean() > 150


def test_sets_grow_by_the_copies_asked_for(tmp_path: Path) -> None:
    for part in ("images", "labels"):
        (tmp_path / part).mkdir()
    rng = np.random.default_rng(1)
    one = Labelled(picture(), (QUAD,), (12,))
    assert add_to_finder_set([one], 3, 128, tmp_path, rng) == 3
    assert len(list((tmp_path / "images").iterdir())) == len(list((tmp_path / "labels").iterdir())) == 3
    assert add_to_reader_set([one], 4, (96, 136), unwarp, tmp_path, rng) == 4
    block = np.load(tmp_path / "photographs.npz", allow_pickle=False)
    assert block["crops"].shape == (4, 136, 96, 3)
    assert block["targets"].tolist() == [[1, 11, IGNORE, IGNORE]] * 4
    assert block["crops"].mean() > 200


def test_a_card_that_left_the_picture_is_not_labelled() -> None:
    assert len(label_lines(Labelled(picture(), (QUAD,), (12,)))) == 1
    assert label_lines(Labelled(picture(), (QUAD - 190,), (12,))) == []
