"""`blitzref voice`: a call is taught, tried, listed and forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from hearing import microphone
from tests.cli.running import Run, wrong_use
from tests.hearing.make_speech import FOLDER, ONSETS_S, WORDS


def teach(blitzref: Run, household: Path, word: str, *more: object) -> None:
    ran = blitzref("voice", FOLDER / f"taught-{word}.ogg", "--word", word, "--household", household, *more)
    assert ran.status == 0, ran.err


@pytest.mark.parametrize("word", WORDS)
def test_a_taught_call_is_heard_over_talk(blitzref: Run, tmp_path: Path, word: str) -> None:
    teach(blitzref, tmp_path, word, "--person", "Ann")
    heard = blitzref("voice", FOLDER / f"called-{word}.ogg", "--try", "--household", tmp_path, "--json").json
    found = [one["t"] for one in heard["heard"] if one["word"] == word]
    matched = [onset_s for onset_s in ONSETS_S if any(abs(t - onset_s) <= 0.5 for t in found)]
    # Synthetic speech 10 dB over talk: not every call is heard, but no other sound is taken for one.
    assert len(matched) >= 2
    assert len(found) == len(matched)
    assert all(0.5 <= one["p"] <= 1 for one in heard["heard"])


def test_talk_holds_no_call(blitzref: Run, tmp_path: Path) -> None:
    for word in WORDS:
        teach(blitzref, tmp_path, word)
    ran = blitzref("voice", FOLDER / "talk.ogg", "--try", "--household", tmp_path)
    assert (ran.status, ran.out) == (0, "none of the taught words was heard\n")


def test_words_are_listed_and_forgotten(blitzref: Run, tmp_path: Path) -> None:
    teach(blitzref, tmp_path, "blitz", "--person", "Ann")
    teach(blitzref, tmp_path, "blitz", "--person", "Bo")
    teach(blitzref, tmp_path, "banana", "--stop")
    listed = blitzref("voice", "--list", "--household", tmp_path, "--json").json
    assert [(one["word"], one["person"], one["role"]) for one in listed["words"]] == [
        ("banana", "somebody", "stop"),
        ("blitz", "Ann", "call"),
        ("blitz", "Bo", "call"),
    ]
    assert (
        blitzref("voice", "--word", "blitz", "--person", "Ann", "--remove", "--household", tmp_path).status
        == 0
    )
    assert blitzref("voice", "--word", "Blitz", "--remove", "--household", tmp_path, "--json").json == {
        "removed": 1
    }
    assert blitzref("voice", "--list", "--household", tmp_path).out == "banana: somebody, stops play\n"
    wrong_use(blitzref("voice", "--word", "blitz", "--remove", "--household", tmp_path), "no word blitz")


def test_wrong_use_is_one_plain_line_and_keeps_nothing(blitzref: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    talk, nowhere = FOLDER / "talk.ogg", tmp_path / "nowhere.wav"
    wrong_use(blitzref("voice", "--household", kept), "give --word")
    wrong_use(blitzref("voice", "--try", "--household", kept), "give --word")
    wrong_use(blitzref("voice", talk, "--try", "--household", kept), "no word was taught yet")
    wrong_use(blitzref("voice", nowhere, "--word", "blitz", "--household", kept), str(nowhere))
    wrong_use(blitzref("voice", talk, "--word", "../x", "--household", kept), "name")
    wrong_use(blitzref("voice", talk, "--word", "blitz", "--household", kept), "say")
    assert not kept.exists()


def test_no_microphone_is_a_sentence(blitzref: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(microphone, "import_module", missing)
    ran = blitzref("voice", "--word", "blitz", "--household", tmp_path)
    assert ran.status == 2
    assert "Traceback" not in ran.err
    assert "extra audio" in ran.err.splitlines()[-1]
