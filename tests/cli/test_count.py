"""`count` of several photographs, of goal piles and of cards dealt past a film."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.bundles import write_film
from datasets.light import Light
from datasets.surfaces import Surfaces
from engine.evaluation import staged
from engine.evaluation.staged import DealtFilm, photograph_of, rows_of_faces, spread_of_backs
from referee.cards import Card
from tests.cli.running import Run, write, wrong_use
from tests.datasets.worlds import kit
from vision.reading import Eyes

CALM = Light(kelvin=4800, noise=1.5, blur_px=0.5, jpeg=92)
FACES = [
    Card.parse(name) for name in ["red1", "blue2", "green3", "yellow4", "red5", "blue6", "green7", "yellow8"]
]


@pytest.fixture(scope="module")
def pictures(eyes: Eyes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two overlapping photographs of Ann's faces, one of Bob's, and two heaps of backs, in calm light."""
    folder = tmp_path_factory.mktemp("pictures")
    rng = np.random.default_rng(3)
    surfaces = Surfaces("test", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(staged.Light, "random", lambda *_: CALM)

        def take(name: str, placed: list[staged.Placed]) -> None:
            scene = photograph_of(placed, (1280, 960), surfaces, rng, fill=0.8, widest_px=150, max_tilt_deg=4)
            cv2.imwrite(str(folder / name), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 95])

        take("Ann.jpg", rows_of_faces(FACES[:6], 3, kit(), rng))
        take("Ann-2.jpg", rows_of_faces(FACES[3:], 3, kit(), rng))
        take("Bob.jpg", rows_of_faces(FACES[:2], 2, kit(), rng))
        take("heap.jpg", spread_of_backs([("pump", 6)], kit(), rng))
        take("other.jpg", spread_of_backs([("pump", 3), ("plow", 4)], kit(), rng))
    return folder


def names(cards: list[dict[str, object]]) -> list[str]:
    return sorted(f"{card['colour']}{card['number']}" for card in cards)


def test_overlapping_photographs_of_one_player_are_one_count(blitzref: Run, pictures: Path) -> None:
    ran = blitzref("count", pictures / "Ann.jpg", pictures / "Ann-2.jpg", pictures / "Bob.jpg", "--json")
    assert names(ran.json["faces"]["Ann"]) == sorted(map(str, FACES))
    assert names(ran.json["faces"]["Bob"]) == sorted(map(str, FACES[:2]))
    assert [text for text in ran.json["merged"] if text.startswith("Ann: 2 photographs with 11 faces")]
    turned = blitzref("count", pictures / "Bob.jpg", pictures / "Ann-2.jpg", pictures / "Ann.jpg", "--json")
    assert [turned.json[key] for key in ("faces", "merged", "unknown")] == [
        ran.json[key] for key in ("faces", "merged", "unknown")
    ]


def test_all_faces_can_be_given_to_one_player(blitzref: Run, pictures: Path) -> None:
    ran = blitzref("count", pictures / "Ann.jpg", pictures / "Bob.jpg", "--player", "Cem", "--json")
    assert {name: len(cards) for name, cards in ran.json["faces"].items()} == {"Cem": 6}


def test_heaps_add_up_and_the_same_file_counts_once(blitzref: Run, pictures: Path, tmp_path: Path) -> None:
    again = shutil.copy(pictures / "heap.jpg", tmp_path / "again.jpg")
    ran = blitzref("count", pictures / "heap.jpg", pictures / "other.jpg", again, "--json")
    assert ran.json["decks"] == {"plow": 4, "pump": 9}
    assert len(ran.json["images"]) == 3
    assert any("the same picture" in text for text in ran.json["merged"])


def test_a_deck_that_nobody_plays_with_is_told(blitzref: Run, pictures: Path, tmp_path: Path) -> None:
    setup = tmp_path / "SETUP.toml"
    setup.write_text('[[players]]\nname = "Ann"\ndeck = "pump"\n[[players]]\nname = "Bob"\ndeck = "pail"\n')
    ran = blitzref("count", pictures / "other.jpg", "--setup", setup, "--json")
    assert ran.status == 1
    assert any("plow, but nobody plays" in finding["text"] for finding in ran.json["audit"])


def test_goal_piles_are_counted_by_player(blitzref: Run, pictures: Path) -> None:
    ran = blitzref("count", pictures / "heap.jpg", "--goal", pictures / "Bob.jpg", "--json")
    left = ran.json["left"]["Bob"]
    assert (left["count"], names(left["faces"]), left["unknown"]) == (2, ["blue2", "red1"], 0)
    assert ran.json["faces"] == {}
    assert (
        "Bob: 2 goal cards left"
        in blitzref("count", pictures / "heap.jpg", "--goal", pictures / "Bob.jpg").out
    )


@pytest.fixture(scope="module")
def dealt(eyes: Eyes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film in which four faces and three backs are dealt, each beside the last."""
    path = tmp_path_factory.mktemp("dealt") / "Ann.mp4"
    cards = [("pump", card) for card in FACES[:4]] + [("pump", None)] * 3
    film = DealtFilm(cards, kit(), heap=False)
    rng = np.random.default_rng(5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(staged.Light, "random", lambda *_: CALM)
        write_film(path, film.frames(Surfaces("test", 1), rng), film.size_px, film.fps, crf=20)
    return path


def test_cards_dealt_past_a_film_are_counted_one_by_one(blitzref: Run, dealt: Path, tmp_path: Path) -> None:
    lines = [
        {"seq": seq, "t": seq, "type": "started", "pile": f"d{seq}", "card": FACES[0].to_json()}
        for seq in range(1, 9)
    ]
    ran = blitzref("count", dealt, "--one-by-one", "--tops", write(tmp_path / "log.jsonl", *lines), "--json")
    assert names(ran.json["faces"]["Ann"]) == sorted(map(str, FACES[:4]))
    assert ran.json["decks"] == {"pump": 3} and ran.json["unknown"] == 0
    times = [one["t"] for one in ran.json["dealt"]]
    assert times == sorted(times) and len(times) == 7
    assert [one["deck"] for one in ran.json["dealt"]] == [None] * 4 + ["pump"] * 3
    texts = [finding["text"] for finding in ran.json["audit"] if finding["id"] == "I3"]
    assert ran.status == 1 and any("8 cards, 7 backs were counted" in text for text in texts)


def test_dealing_is_watched_at_one_source(blitzref: Run, dealt: Path, tmp_path: Path) -> None:
    wrong_use(blitzref("count", dealt, dealt, "--one-by-one"), "single source")
    wrong_use(blitzref("count", tmp_path / "none.mp4", "--one-by-one"), "does not exist")
