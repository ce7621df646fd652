"""Words taught, taught anew and forgotten while the listener runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine import household_listener
from engine.household_listener import HouseholdListener
from engine.soundtrack import read_sound
from engine.words import FOLDER, HouseholdWords, open_hearing, teach
from hearing.spectrum import RATE_HZ
from hearing.spotter import Role
from tests.hearing.make_speech import FOLDER as SPEECH
from tests.hearing.make_speech import ONSETS_S, WORDS


def taught(household: Path, word: str) -> HouseholdWords:
    hearing = open_hearing()
    words = HouseholdWords(household, hearing)
    words.keep(teach(read_sound(SPEECH / f"taught-{word}.ogg"), word, "Ann", Role.CALL, hearing))
    return words


def hear(listener: HouseholdListener, word: str, start_s: float) -> list[float]:
    """Onsets of what is heard where the word is called from `start_s` on, counted from there."""
    sound = read_sound(SPEECH / f"called-{word}.ogg")
    heard = []
    for at in range(0, len(sound), RATE_HZ // 10):
        part = sound[at : at + RATE_HZ // 10]
        end_s = start_s + (at + len(part)) / RATE_HZ
        listener.look(end_s)
        heard += listener.push(part, end_s)
    return [one.onset_s - start_s for one in heard if one.word == word]


def test_a_word_is_heard_from_when_it_is_taught_until_it_is_forgotten(tmp_path: Path) -> None:
    first, second = WORDS
    listener = HouseholdListener(tmp_path)
    assert hear(listener, first, 0.0) == [] and not listener.has_words
    taught(tmp_path, first)
    onsets_s = hear(listener, first, 100.0)
    assert len(onsets_s) >= 2
    assert all(min(abs(t - onset_s) for onset_s in ONSETS_S) <= 0.5 for t in onsets_s)
    assert hear(listener, second, 200.0) == []
    words = taught(tmp_path, second)
    assert len(hear(listener, second, 300.0)) >= 2
    words.remove(first)
    assert hear(listener, first, 400.0) == [] and listener.has_words
    words.remove(second)
    assert hear(listener, second, 500.0) == [] and not listener.has_words
    assert listener.problem is None and listener.finish() == []


def test_the_folder_is_looked_at_once_a_second_and_read_when_it_changed(tmp_path: Path) -> None:
    listener = HouseholdListener(tmp_path)
    taught(tmp_path, "blitz")
    assert listener.look(10.0)
    taught(tmp_path, "banana")
    assert not listener.look(10.5)
    assert listener.look(11.0)
    assert not listener.look(12.0)


def test_without_a_taught_word_the_network_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(household_listener, "open_hearing")
    listener = HouseholdListener(tmp_path)
    assert not listener.look(0.0)
    assert listener.push(np.zeros(RATE_HZ, np.float32), 1.0) == []


def test_a_damaged_word_makes_deaf_is_told_and_is_mended_by_deleting_it(tmp_path: Path) -> None:
    taught(tmp_path, "blitz")
    damaged = tmp_path / FOLDER / "blitzen.json"
    damaged.write_text("{}")
    listener = HouseholdListener(tmp_path)
    listener.look(0.0)
    assert listener.problem is not None and listener.problem.startswith("Nothing is heard: ")
    assert str(damaged) in listener.problem and not listener.has_words
    damaged.unlink()
    listener.look(1.0)
    assert listener.problem is None and listener.has_words
