"""One round per preset, compared with its text: a change of the rules shows as a diff."""

from __future__ import annotations

import pytest

from referee.rulesets import preset_names
from tests.referee.golden import FOLDER, play_through


@pytest.mark.parametrize("preset", preset_names())
def test_golden_play_through(preset: str) -> None:
    written = (FOLDER / f"{preset}.txt").read_text(encoding="utf-8")
    assert play_through(preset) == written, "if the change is meant: python -m tests.referee.golden"


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(preset_names())
