"""`enrol` and the commands that know what was enrolled, on rendered pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.cli.running import Run, wrong_use
from tests.datasets.shown import BACKS, back_art, picture_of


def save(path: Path, picture: np.ndarray) -> Path:
    cv2.imwrite(str(path), picture)
    return path


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One picture of each back, in a folder of its own."""
    folder = tmp_path_factory.mktemp("pictures")
    for name, seed in BACKS.items():
        (folder / name).mkdir()
        save(folder / name / "back.png", picture_of([back_art(seed)]))
    return folder


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two blue and one golden back on another table in other light."""
    cards = [back_art(BACKS[name]) for name in ("blue", "gold", "blue")]
    picture = picture_of(cards, width=100, cloth=(40, 70, 120), light=0.75)
    return save(tmp_path_factory.mktemp("spread") / "backs.png", picture)


def test_enrolled_decks_are_read_counted_listed_and_forgotten(
    blitzref: Run, pictures: Path, spread: Path, tmp_path: Path
) -> None:
    house = tmp_path / "house"
    at = ("--household", house)
    ran = blitzref("enrol", pictures / "blue" / "back.png", "--deck", "Anna's", *at, "--json")
    assert ran.status == 0
    assert ran.json == {
        "household": str(house),
        "deck": "Anna's",
        "backs": 1,
        "faces": [],
        "unread": 0,
        "others": 0,
        "alike": [],
    }
    ran = blitzref("enrol", pictures / "gold", "--deck", "Ben's", *at)
    assert (ran.status, ran.out.splitlines()[0]) == (0, "Ben's: 1 look at the back, no faces")

    cards = blitzref("read", spread, *at, "--json").json["images"][0]["cards"]
    assert [card["deck"] for card in cards] == ["Anna's", "Ben's", "Anna's"]
    counted = blitzref("count", spread, *at, "--ruleset", "nertz_std", "--json").json
    assert (counted["decks"], counted["unknown"]) == ({"Anna's": 2, "Ben's": 1}, 0)
    unknown = blitzref(
        "count", spread, "--household", tmp_path / "none", "--ruleset", "nertz_std", "--json"
    ).json
    assert (unknown["decks"], unknown["unknown"]) == ({}, 3)

    listed = blitzref("enrol", "--list", *at, "--json").json["decks"]
    assert [(deck["deck"], deck["backs"]) for deck in listed] == [("Anna's", 1), ("Ben's", 1)]
    assert blitzref("enrol", "--deck", "Ben's", "--remove", *at).out == "Ben's is forgotten.\n"
    cards = blitzref("read", spread, *at, "--json").json["images"][0]["cards"]
    assert [card["deck"] for card in cards] == ["Anna's", None, "Anna's"]


def test_decks_that_are_too_much_alike_end_with_status_1(
    blitzref: Run, pictures: Path, tmp_path: Path
) -> None:
    for name, status in (("mine", 0), ("yours", 1)):
        ran = blitzref("enrol", pictures / "blue", "--deck", name, "--household", tmp_path)
        assert ran.status == status
    assert "yours and mine are too much alike to be told apart" in ran.out


def test_a_film_of_a_back_is_enrolled(blitzref: Run, tmp_path: Path) -> None:
    path = tmp_path / "back.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 6.0, (1280, 960))
    picture = picture_of([back_art(BACKS["blue"])])
    for _ in range(6):
        film.write(picture)
    film.release()
    ran = blitzref("enrol", path, "--deck", "ours", "--household", tmp_path / "house", "--json")
    assert (ran.status, ran.json["faces"]) == (0, []) and ran.json["backs"] >= 1


WRONG = {
    "nothing to do": ([], "give a picture or camera"),
    "two things at once": (["back.png", "--list"], "give a picture or camera"),
    "no name": (["back.png"], "name the deck"),
    "nobody to forget": (["--remove"], "name the deck"),
    "an unknown deck to forget": (["--remove", "--deck", "x"], "no deck x is enrolled"),
    "an odd name": (["back.png", "--deck", "a/b"], "the sign '/'"),
    "a missing picture": (["none.png", "--deck", "x"], "none.png does not exist"),
    "a missing film": (["none.mp4", "--deck", "x"], "none.mp4 does not exist"),
    "an empty folder": ([".", "--deck", "x"], "holds no pictures"),
    "no picture": (["text.png", "--deck", "x"], "not a picture"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_use_is_told_in_one_line(
    what: str, blitzref: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, said = WRONG[what]
    monkeypatch.chdir(tmp_path)
    if what == "no picture":
        (tmp_path / "text.png").write_text("a card")
    wrong_use(blitzref("enrol", *arguments, "--household", tmp_path / "house"), said)
    assert not (tmp_path / "house").exists()


@pytest.mark.parametrize("command", ["enrol", "read", "count"])
def test_a_damaged_household_is_told_in_one_line(command: str, blitzref: Run, tmp_path: Path) -> None:
    house = tmp_path / "house"
    (house / "ours-12345678").mkdir(parents=True)
    (house / "ours-12345678" / "deck.json").write_text("{")
    source = save(tmp_path / "empty.png", picture_of([]))
    arguments = ["--list"] if command == "enrol" else [source]
    wrong_use(
        blitzref(command, *arguments, "--household", house), "ours-12345678 is damaged", "enrol it again"
    )
