"""Wrong use and unreadable input: one plain line, status 2, nothing left behind; and help with an example."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cli import COMMANDS
from tests.cli.running import Run, write, wrong_use

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "train"])
def test_every_command_has_help_with_an_example(command: str, blitzref: Run) -> None:
    ran = blitzref(command, "--help")
    assert ran.status == 0
    assert f"Example: blitzref {command}" in " ".join(ran.out.split())
    assert ran.err == ""


def test_the_help_of_the_program_names_every_command(blitzref: Run) -> None:
    ran = blitzref("--help")
    assert ran.status == 0 and all(f" {command} " in ran.out for command in COMMANDS)


def test_a_command_loads_its_own_parts_alone() -> None:
    code = "import sys, engine.cli as cli; cli.program_for(['rules']); print('cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("kind", ["finder", "reader"])
def test_training_has_help_with_an_example(kind: str, blitzref: Run) -> None:
    ran = blitzref("train", kind, "--help")
    assert ran.status == 0 and f"Example: blitzref train {kind}" in " ".join(ran.out.split())


def noise_jpeg() -> bytes:
    picture = np.random.default_rng(1).integers(0, 255, (240, 320, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


BAD = {
    "text": (b"my cards\n", "not a picture"),
    "empty": (b"", "is empty"),
    "cut": (noise_jpeg()[:-900], "cut off"),
    "cut png": (cv2.imencode(".png", np.zeros((90, 90, 3), np.uint8))[1].tobytes()[:60], "not a picture"),
    "one pixel": (cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1].tobytes(), "1 x 1"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("command", ["read", "count"])
def test_a_bad_photograph_is_told_before_any_model_is_loaded(
    command: str, kind: str, blitzref: Run, tmp_path: Path
) -> None:
    content, said = BAD[kind]
    path = tmp_path / "table.jpg"
    path.write_bytes(content)
    wrong_use(blitzref(command, path), "table.jpg", said)
    wrong_use(blitzref(command, path, "--json"), "table.jpg", said)


WRONG = {
    "a missing photograph": (["read", "none.jpg"], "none.jpg does not exist"),
    "a folder as photograph": (["read", "."], "cannot be opened"),
    "a family of no deck": (["read", "a.jpg", "--family", "tarot"], "blitz or --family standard"),
    "nothing to read": (["read"], "--help"),
    "an unknown option": (["simulate", "--colour", "red"], "--colour"),
    "an unknown command": (["referee"], "referee"),
    "an unknown ruleset": (["rules", "dutch_blits"], "dutch_blitz"),
    "an unknown ruleset to judge": (["judge", "log.jsonl", "--ruleset", "poker"], "poker"),
    "an unknown house rule": (["judge", "log.jsonl", "--set", "targett=75"], "target"),
    "a house rule without a value": (["judge", "log.jsonl", "--set", "target"], "target"),
    "a missing log": (["judge", "none.jsonl"], "none.jsonl does not exist"),
    "a missing round": (["score", "none.json"], "none.json does not exist"),
    "nine players": (["simulate", "--players", "9"], "--players"),
    "a word for a number": (["simulate", "--games", "many"], "--games"),
    "a film that is not there": (["watch", "none.mp4"], "none.mp4 does not exist"),
    "a camera that is not there": (["watch", "97"], "camera 97"),
    "a setup that is not there": (["watch", "log.jsonl", "--setup", "none.toml"], "none.toml"),
    "calls that are not there": (["watch", "log.jsonl", "--calls", "none.jsonl"], "none.jsonl"),
    "an unknown layout": (["render", "--kind", "photo", "--out", "new", "--layout", "circle"], "circle"),
    "an unknown kind": (["render", "--kind", "painting", "--out", "new"], "painting"),
    "no size": (["render", "--kind", "photo", "--out", "new", "--size", "big"], "1280x720"),
    "an odd size of a film": (["render", "--kind", "video", "--out", "new", "--size", "321x241"], "even"),
    "a mistake that no rule knows": (
        ["render", "--kind", "video", "--out", "new", "--size", "320x240", "--mistake", "E99"],
        "E99",
    ),
    "an unknown back": (["deck", "new.pdf", "--back", "cart"], "cart"),
    "an unknown paper": (["deck", "new.pdf", "--paper", "a3"], "a3"),
    "a bundle that is none": (["demo", "--headless", "--bundle", "."], "SETUP.toml"),
    "a folder to evaluate that is none": (["evaluate", "none"], "none is no folder"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_use_is_one_plain_line(
    name: str, blitzref: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, said = WRONG[name]
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "log.jsonl", {"seq": 1, "t": 0.0, "type": "round_started"})
    if name == "a bundle that is none":
        write(tmp_path / "round.mp4", "")
    before = sorted(path.name for path in tmp_path.iterdir())
    wrong_use(blitzref(*arguments), said)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("content", [b"no film\n", b"", bytes(5000)])
def test_watching_what_is_no_film_leaves_nothing(content: bytes, blitzref: Run, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    wrong_use(blitzref("watch", path, "--out", tmp_path / "out"), "notes.txt gives no picture")
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_the_program_runs_as_a_module_and_says_nothing_else() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine.cli", "judge", "none.jsonl"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "blitzref: none.jsonl does not exist; give the path of an events.jsonl\n"
