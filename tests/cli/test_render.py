"""`render` and `deck`: pictures with their truth, the same for the same seed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from engine.soundtrack import read_sound
from hearing.spectrum import RATE_HZ
from tests.cli.running import Run, wrong_use
from vision.sources import load_picture, open_source

CARD_KEYS = {"quad", "side", "family", "number", "colour", "deck", "visible", "number_visible", "width_px"}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("family", ["blitz", "standard"])
def test_photographs_are_the_same_for_the_same_seed(family: str, blitzref: Run, tmp_path: Path) -> None:
    arguments = ("render", "--kind", "photo", "--count", 2, "--size", "480x360", "--family", family)
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        assert blitzref(*arguments, "--out", tmp_path / name, "--seed", seed).status == 0
    first = content(tmp_path / "a")
    assert first == content(tmp_path / "b")
    assert first["0000.jpg"] != content(tmp_path / "c")["0000.jpg"]
    truth = json.loads(first["truth.json"])
    assert set(truth) == {"0000.jpg", "0001.jpg"} == set(first) - {"truth.json"}
    assert load_picture(tmp_path / "a" / "0000.jpg").shape == (360, 480, 3)
    for picture in truth.values():
        assert picture["px_per_mm"] > 0
        for card in picture["cards"]:
            assert set(card) == CARD_KEYS
            assert len(card["quad"]) == 4 and card["family"] == family
            if card["side"] == "face":
                assert card["number"] and card["colour"] and card["deck"] is None
            else:
                assert card["number"] is None and card["colour"] is None and card["deck"]


def test_a_film_comes_with_setup_calls_and_truth(blitzref: Run, tmp_path: Path) -> None:
    arguments = ("render", "--kind", "video", "--seed", 2, "--size", "320x180", "--players", 2)
    ran = blitzref(*arguments, "--fps", 8, "--seconds", 3, "--out", tmp_path / "round")
    assert ran.status == 0
    names = set(content(tmp_path / "round"))
    assert {"round.mp4", "SETUP.toml", "calls.jsonl", "truth.json", "truth.jsonl", "backs.jpg"} <= names
    source = open_source(tmp_path / "round" / "round.mp4")
    assert source.fps == 8
    assert sum(1 for _ in source) > 30
    source.close()


@pytest.mark.skipif(
    shutil.which("espeak-ng") is None or shutil.which("flite") is None, reason="espeak-ng or flite is missing"
)
def test_a_call_is_spoken_where_the_truth_has_it(blitzref: Run, tmp_path: Path) -> None:
    arguments = ("render", "--kind", "video", "--seed", 2, "--size", "320x180", "--players", 2, "--fps", 8)
    out = tmp_path / "round"
    assert blitzref(*arguments, "--spoken", "blitz", "--out", out).status == 0
    assert (out / "calls.jsonl").read_text() == ""
    called_s = json.loads((out / "truth.json").read_text())["t_called"]
    samples = read_sound(out / "round.mp4")
    begin, end = (int((called_s + shift_s) * RATE_HZ) for shift_s in (0.0, 0.6))
    before = samples[begin - RATE_HZ // 2 : begin]
    assert np.square(samples[begin:end]).mean() > 3 * np.square(before).mean()


def test_a_deck_is_printed(blitzref: Run, tmp_path: Path) -> None:
    ran = blitzref("deck", tmp_path / "deck.pdf", "--paper", "letter", "--back", "plow")
    assert ran.status == 0
    assert (tmp_path / "deck.pdf").read_bytes().startswith(b"%PDF-")
    assert [path.name for path in tmp_path.iterdir()] == ["deck.pdf"]


def test_a_confuser_that_there_is_not_is_refused_with_those_there_are(blitzref: Run, tmp_path: Path) -> None:
    ran = blitzref("render", "--kind", "video", "--out", tmp_path / "round", "--confuser", "storm")
    wrong_use(ran, "storm", "bump", "nudge")
    assert list(tmp_path.iterdir()) == []
