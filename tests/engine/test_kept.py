"""Choices outlive the program, and a damaged file costs only the choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.hub import Mode
from engine.kept import FILE, MOST_PRESETS, KeptChoices
from engine.setup_file import SetupError, read_setup

SETUP = read_setup(
    {"ruleset": "dutch_blitz", "options": {"target": 100}, "players": [{"name": "Zoë 🂡", "seat": "left"}]}
)


def test_choices_are_there_again(tmp_path: Path) -> None:
    kept = KeptChoices(tmp_path)
    assert (kept.mode, kept.source, kept.presets()) == (Mode.REFEREE, None, ())
    kept.set_mode(Mode.COUNT_ONLY)
    kept.set_source("2")
    kept.keep_preset("Sunday", SETUP)
    kept.keep_preset("club", SETUP)
    again = KeptChoices(tmp_path)
    assert (again.mode, again.source, again.presets()) == (Mode.COUNT_ONLY, "2", ("club", "Sunday"))
    assert again.preset("Sunday") == SETUP
    again.drop_preset("Sunday")
    with pytest.raises(SetupError, match="no set-up 'Sunday'"):
        KeptChoices(tmp_path).preset("Sunday")


@pytest.mark.parametrize("text", ["{", "[]", "\xff", '{"presets": []}'])
def test_a_damaged_file_is_set_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="latin-1")
    kept = KeptChoices(tmp_path)
    assert kept.presets() == ()
    kept.set_source("1")
    assert KeptChoices(tmp_path).source == "1"
    assert (tmp_path / "choices.unreadable").exists()


def test_a_set_up_of_another_program_version_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"presets": {"old": {"colour": 1}}}')
    with pytest.raises(SetupError, match="unknown key 'colour'"):
        KeptChoices(tmp_path).preset("old")


def test_there_is_a_most(tmp_path: Path) -> None:
    kept = KeptChoices(tmp_path)
    for number in range(MOST_PRESETS):
        kept.keep_preset(str(number), SETUP)
    kept.keep_preset("7", SETUP)
    with pytest.raises(SetupError, match="delete one"):
        kept.keep_preset("one more", SETUP)


def test_a_full_disk_is_one_sentence_and_the_old_choice_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = KeptChoices(tmp_path)
    kept.set_source("1")

    def refuse(*values: object, **more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(SetupError, match="No space left"):
        kept.set_source("2")
    assert kept.source == "1"
