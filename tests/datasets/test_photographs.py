"""Table tops and things out of installed packages: which split, and what a scene does with them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import surfaces
from datasets.build import WorldSpec, scenes
from datasets.camera import TableCamera
from datasets.photographs import Library, put_photographed, split_of, texture_tile


def test_every_name_has_one_split_and_all_occur() -> None:
    splits = [split_of(f"name{i}") for i in range(300)]
    assert splits == [split_of(f"name{i}") for i in range(300)]
    assert {"train", "validation", "test"} == set(splits)
    assert 0.7 < splits.count("train") / 300 < 0.9


def test_no_file_is_in_two_splits(tmp_path: Path) -> None:
    for i in range(40):
        cv2.imwrite(str(tmp_path / f"{i:02d}wood.png"), np.full((300, 300, 3), i, np.uint8))
    library = Library((tmp_path,), (tmp_path,))
    for files in (library.picture_files, library.thing_files):
        parts = [set(files(split)) for split in ("train", "validation", "test")]
        assert sum(map(len, parts)) == 40
        assert not parts[0] & parts[1] and not parts[1] & parts[2] and not parts[0] & parts[2]


def test_small_and_cut_out_pictures_are_no_table_tops(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    small, hollow, good = (tmp_path / f"{n}.png" for n in ("small", "hollow", "good"))
    cv2.imwrite(str(small), np.zeros((90, 90, 3), np.uint8))
    cv2.imwrite(str(hollow), np.zeros((400, 400, 4), np.uint8))
    cv2.imwrite(str(good), np.full((400, 500, 3), 77, np.uint8))
    assert texture_tile([small], rng) is None
    assert texture_tile([hollow], rng) is None
    tile = texture_tile([good], rng)
    assert tile is not None and tile.shape == (1024, 1024, 3) and abs(int(tile.mean()) - 77) <= 1


def test_a_thing_hides_what_it_covers(tmp_path: Path) -> None:
    path = tmp_path / "mug.png"
    cv2.imwrite(str(path), np.full((80, 60, 4), (10, 200, 30, 255), np.uint8))
    camera = TableCamera.above((400, 300), 1.5)
    picture, covered = np.zeros((300, 400, 3), np.uint8), np.full((300, 400), 7, np.int16)
    put_photographed(picture, covered, camera, (0.0, 0.0), [path], np.random.default_rng(1))
    hidden = covered == 0
    assert hidden.sum() > 500
    assert np.abs(picture[cv2.erode(hidden.astype(np.uint8), np.ones((5, 5))) > 0] - (10, 200, 30)).max() < 3
    assert (picture[cv2.dilate(hidden.astype(np.uint8), np.ones((7, 7))) == 0] == 0).all()


def test_scenes_with_a_library_depend_on_their_number_alone(tmp_path: Path) -> None:
    for i in range(20):
        cv2.imwrite(str(tmp_path / f"{i:02d}.png"), np.full((300, 300, 3), 8 * i, np.uint8))
    spec = WorldSpec("train", 3, (200, 200), large_share=0.5, stock=Library((tmp_path,), (tmp_path,)))
    first, again = ([scene.image for scene in scenes(spec, 0, 3)] for _ in range(2))
    for a, b in zip(first, again, strict=True):
        assert (a == b).all()


def test_drawn_tops_of_every_kind_stay_beside_photographed_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "top.png"), np.full((300, 300, 3), 9, np.uint8))
    drawn: set[str] = set()
    plain = np.zeros((1024, 1024, 3), np.uint8)
    for name in surfaces.KINDS:
        monkeypatch.setitem(surfaces.KINDS, name, lambda rng, name=name: drawn.add(name) or plain)
    bank = surfaces.Surfaces("train", 80, [tmp_path / "top.png"])
    rng = np.random.default_rng(0)
    photographed = sum(bank.lay(np.eye(3), (8, 8), rng).mean() > 2 for _ in range(80))
    assert drawn == set(surfaces.KINDS)
    assert 20 < photographed < 60
