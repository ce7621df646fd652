"""`read` and `count` with the trained eyes, on rendered photographs."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.cardbox import CardBox
from datasets.layouts import Layout, spread_of
from datasets.light import Light
from datasets.scene import TableWorld
from referee.cards import Card
from tests.cli.running import Run, write
from tests.datasets.worlds import kit
from vision.reading import Eyes

NAMES = "red1 red6 red9 blue2 blue5 green7 green10 yellow3 yellow4 yellow8"
FACES = [Card.parse(text) for text in NAMES.split()]
LIGHT = Light(kelvin=4800, noise=1.5, blur_px=0.5, jpeg=92)


def photograph(path: Path, layout: Layout, width_px: float = 110.0, seed: int = 5) -> Path:
    world = TableWorld("test", CardBox("test"), surfaces=3)
    scene = world.photo(
        np.random.default_rng(seed),
        (1600, 1200),
        card_width_px=width_px,
        layout=layout,
        kit=kit(),
        max_tilt_deg=8,
        clutter=False,
        light=LIGHT,
        turn_deg=2.0,
    )
    cv2.imwrite(str(path), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    return path


@pytest.fixture(scope="module")
def backs(eyes: Eyes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eleven backs of one deck and six of another."""
    return photograph(tmp_path_factory.mktemp("backs") / "backs.jpg", spread_of([("pump", 11), ("pail", 6)]))


@pytest.fixture(scope="module")
def faces(eyes: Eyes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten faces in two rows."""
    return photograph(tmp_path_factory.mktemp("faces") / "Ann.jpg", spread_of([("pump", 0)], FACES), 150.0)


def test_faces_are_read_in_the_documented_form(blitzref: Run, faces: Path) -> None:
    ran = blitzref("read", faces, "--json")
    assert ran.status == 0
    (image,) = ran.json["images"]
    assert (image["path"], image["width"], image["height"]) == (str(faces), 1600, 1200)
    assert len(image["cards"]) == len(FACES)
    for card in image["cards"]:
        assert card.keys() == {"quad", "side", "number", "colour", "deck", "confidence", "alternatives"}
        assert len(card["quad"]) == 4 and all(len(point) == 2 for point in card["quad"])
        assert card["side"] == "face" and card["deck"] is None
        assert 0 <= card["confidence"] <= 1
        for other in card["alternatives"]:
            assert other.keys() == {"number", "colour", "p"} and 0 <= other["p"] <= 1
    read = [Card.from_json(c) for c in image["cards"] if c["number"] is not None and c["colour"] is not None]
    assert len(read) >= len(FACES) - 1
    assert set(read) <= set(FACES)


def test_a_photograph_turned_by_quarters_reads_the_same(blitzref: Run, faces: Path, tmp_path: Path) -> None:
    picture = cv2.imread(str(faces))
    read = []
    for turn in range(4):
        path = tmp_path / f"{turn}.png"
        cv2.imwrite(str(path), np.rot90(picture, turn).copy())
        (image,) = blitzref("read", path, "--json").json["images"]
        read.append(sorted((c["colour"] or "?", c["number"] or 0) for c in image["cards"]))
    known = [{card for card in cards if "?" not in card and 0 not in card} for cards in read]
    assert len(set.union(*known)) <= len(FACES)
    assert len(set.intersection(*known)) >= len(FACES) - 2


def test_an_empty_table_has_no_card(blitzref: Run, eyes: Eyes, tmp_path: Path) -> None:
    path = photograph(tmp_path / "empty.jpg", lambda *_: [])
    assert blitzref("read", path, "--json").json["images"][0]["cards"] == []


def tops(path: Path, *heights: int) -> Path:
    """A log whose piles end at these numbers."""
    lines = []
    colours = ("red", "blue", "green", "yellow")
    for pile, height in enumerate(heights):
        for number in range(1, height + 1):
            kind = "started" if number == 1 else "landed"
            card = {"number": number, "colour": colours[pile % 4]}
            seq = len(lines) + 1
            lines.append({"seq": seq, "t": float(seq), "type": kind, "pile": f"d{pile + 1}", "card": card})
    return write(path, *lines)


def test_backs_are_counted_and_agree_with_the_tops(blitzref: Run, backs: Path, tmp_path: Path) -> None:
    ran = blitzref("count", backs, "--tops", tops(tmp_path / "log.jsonl", 10, 5, 2), "--json")
    assert ran.json["decks"] == {"pump": 11, "pail": 6}
    assert (ran.json["unknown"], ran.json["faces"], len(ran.json["images"])) == (0, {}, 1)
    assert [f for f in ran.json["audit"] if f["level"] in ("warning", "error")] == []
    assert ran.status == 0


@pytest.mark.parametrize("heights", [(10, 5, 1), (10, 5, 3)])
def test_one_card_more_or_less_than_the_tops_is_named(
    heights: tuple[int, ...], blitzref: Run, backs: Path, tmp_path: Path
) -> None:
    ran = blitzref("count", backs, "--tops", tops(tmp_path / "log.jsonl", *heights), "--json")
    assert ran.status == 1
    assert "I3" in [
        finding["id"] for finding in ran.json["audit"] if finding["level"] in ("warning", "error")
    ]
    assert all(finding.keys() >= {"level", "id", "text"} for finding in ran.json["audit"])


def test_faces_are_counted_for_the_player_that_the_file_is_named_after(blitzref: Run, faces: Path) -> None:
    ran = blitzref("count", faces, "--json")
    assert set(ran.json["faces"]) == {"Ann"}
    assert len(ran.json["faces"]["Ann"]) + ran.json["unknown"] == len(FACES)
