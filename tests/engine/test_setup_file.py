"""SETUP.toml: read strictly, and every mistake told in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.setup_file import Setup, SetupError, load_setup

GOOD = """
ruleset = "dutch_blitz"
[options]
target = 100
[[players]]
name = "Ann"
seat = "bottom"
deck = "pump"
[[players]]
name = "Bo"
[camera]
source = "round.mp4"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "SETUP.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_whole_setup_is_read(tmp_path: Path) -> None:
    setup = load_setup(written(tmp_path, GOOD))
    assert (setup.ruleset, setup.options, setup.camera.source) == (
        "dutch_blitz",
        {"target": 100},
        "round.mp4",
    )
    assert [(p.name, p.seat, p.deck) for p in setup.players] == [
        ("Ann", "bottom", "pump"),
        ("Bo", None, None),
    ]


def test_everything_may_be_left_out(tmp_path: Path) -> None:
    assert load_setup(written(tmp_path, "")) == load_setup(None) == Setup()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('rulset = "hoorah"', "unknown key 'rulset': did you mean 'ruleset'?"),
        ('[[players]]\nname = "Ann"\nseet = "top"', "unknown key 'seet' of player 1: did you mean 'seat'?"),
        ("[camera]\nsorce = 1", "unknown key 'sorce' in [camera]: did you mean 'source'?"),
        (
            '[[players]]\nname = "A"\nseat = "botom"',
            "unknown seat 'botom' of player 1: did you mean 'bottom'?",
        ),
        ("[[players]]\nseat = 'top'", "the key 'name' of player 1 is missing"),
        ('[[players]]\nname = "A"\n[[players]]\nname = "A"', "two players have the same name 'A'"),
        ("zzzzzz = 1", "unknown key 'zzzzzz': the keys there are ruleset, options, players, camera, calibration."),
        ("ruleset = 7", "the value of 'ruleset' cannot be used"),
        ("a = [", "is not TOML"),
    ],
)
def test_mistakes_name_the_key_and_the_nearest_right_one(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(SetupError) as caught:
        load_setup(written(tmp_path, text))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="cannot be read"):
        load_setup(tmp_path / "none.toml")
