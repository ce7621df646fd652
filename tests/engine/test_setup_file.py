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
team = "Reds"
[camera]
source = "round.mp4"
[calibration]
size_px = [1920, 1080]
by = "sheet"
px_per_mm = 1.5
plane = [[1.5, 0, 960], [0, 1.5, 540], [0, 0, 1]]
table_px = [[100, 90], [1800, 90], [1850, 1000], [60, 1000]]
[calibration.seats_px]
bottom = [700, 1079]
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
    assert [(p.name, p.seat, p.deck, p.team) for p in setup.players] == [
        ("Ann", "bottom", "pump", None),
        ("Bo", None, None, "Reds"),
    ]
    assert setup.calibration.size_px == (1920, 1080)
    assert setup.calibration.table_px is not None and len(setup.calibration.table_px) == 4
    assert setup.calibration.seats_px == {"bottom": (700, 1079)}
    assert setup.calibration.seat_shares == {"bottom": (700 / 1920, 1079 / 1080)}


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
        (
            "zzzzzz = 1",
            "unknown key 'zzzzzz': the keys there are ruleset, options, players, camera, calibration.",
        ),
        ("ruleset = 7", "the value of 'ruleset' cannot be used"),
        ("a = [", "is not TOML"),
        ("[calibration]\nsize = [640, 480]", "unknown key 'size' of [calibration]: did you mean 'size_px'?"),
        (
            "[calibration.seats_px]\nbotom = [1, 2]",
            "unknown seat 'botom' of [calibration]: did you mean 'bottom'?",
        ),
        ("[calibration.seats_px]\nbottom = [1]", "the value of 'bottom' of [calibration] is too short"),
        (
            "[calibration]\ntable_px = [[0, 0], [9, 0], [9, 9]]",
            "the value of 'table_px' of [calibration] is too short",
        ),
        (
            "[calibration]\ntable_px = [[0, 0], [9, 9], [9, 0], [0, 9]]",
            "four corners in order around the table",
        ),
        (
            "[calibration]\ntable_px = [[0, 0], [9, 0], [9, nan], [0, 9]]",
            "four corners in order around the table",
        ),
        ("[calibration.seats_px]\nbottom = [1, 2]", "need size_px beside them"),
        ("[calibration]\nsize_px = [9, 9]", "size_px is below 64 pixels"),
        ("[calibration]\nplane = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "plane needs size_px"),
        (
            "[calibration]\nsize_px = [640, 480]\nplane = [[1, 0, 0], [2, 0, 0], [0, 0, 1]]",
            "plane cannot be the view of a table",
        ),
        ("[calibration]\npx_per_mm = -1", "the value of 'px_per_mm' of [calibration] cannot be used"),
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
