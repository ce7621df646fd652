"""What is kept of a taught word: a small file without sound, and nothing once it is forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.words import Hearing, HouseholdWords
from hearing.spotter import Background, Role, Spotter
from hearing.utterances import WordError

TALK = np.random.default_rng(9).normal(0, 0.12, (2000, 64)).astype(np.float32)


def hearing(mark: str = "m") -> Hearing:
    """The hearing of a network that is never asked."""
    return Hearing(lambda windows: windows, Background(TALK), mark)


def spotter(word: str = "blitz", person: str = "Ann", seed: int = 1) -> Spotter:
    vectors = np.random.default_rng(seed).normal(size=(5, 64))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Spotter(word, person, Role.CALL, vectors.astype(np.float32), 0.43)


def test_a_word_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    kept = HouseholdWords(tmp_path / "new", hearing("m"))
    assert kept.spotters() == ()
    kept.keep(spotter())
    (back,) = kept.spotters()
    assert (back.word, back.person, back.role, back.length_s) == ("blitz", "Ann", Role.CALL, 0.43)
    np.testing.assert_allclose(back.vectors, spotter().vectors, atol=1e-4)


def test_only_five_vectors_are_stored_and_no_sound(tmp_path: Path) -> None:
    kept = HouseholdWords(tmp_path, hearing("m"))
    kept.keep(spotter())
    (path,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    data = json.loads(path.read_text())
    assert set(data) == {"version", "model", "word", "person", "role", "length_s", "vectors"}
    assert np.shape(data["vectors"]) == (5, 64)


def test_teaching_again_replaces_and_others_stay(tmp_path: Path) -> None:
    kept = HouseholdWords(tmp_path, hearing("m"))
    kept.keep(spotter())
    kept.keep(spotter(seed=2))
    kept.keep(spotter(person="Bo"))
    kept.keep(spotter(word="dutch"))
    assert [(one.word, one.person) for one in kept.spotters()] == [
        ("blitz", "Ann"),
        ("blitz", "Bo"),
        ("dutch", "Ann"),
    ]
    np.testing.assert_allclose(kept.spotters()[0].vectors, spotter(seed=2).vectors, atol=1e-4)


def test_a_forgotten_word_leaves_nothing(tmp_path: Path) -> None:
    kept = HouseholdWords(tmp_path, hearing("m"))
    for person in ("Ann", "ann ", "Bo"):
        kept.keep(spotter(person=person.strip()))
    kept.keep(spotter(word="blitzen"))
    assert kept.remove("Blitz", "Ann") == 1
    assert kept.remove("blitz") == 1
    assert [one.word for one in kept.spotters()] == ["blitzen"]
    assert kept.remove("blitzen") == 1
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    with pytest.raises(WordError, match="no word blitz was taught"):
        kept.remove("blitz")
    with pytest.raises(WordError, match="blitz' cannot be used"):
        kept.remove("../blitz")


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"version": 9}', "\x00", '{"version": 1, "vectors": [[1]]}']
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    kept = HouseholdWords(tmp_path, hearing("m"))
    kept.keep(spotter())
    (path,) = kept.folder.iterdir()
    path.write_text(text)
    with pytest.raises(WordError, match="damaged") as raised:
        kept.spotters()
    assert str(path) in str(raised.value)


def test_words_of_another_network_must_be_said_again(tmp_path: Path) -> None:
    HouseholdWords(tmp_path, hearing("old")).keep(spotter())
    with pytest.raises(WordError, match="Ann must say it again"):
        HouseholdWords(tmp_path, hearing("new")).spotters()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("in the way")
    with pytest.raises(WordError, match="cannot be written"):
        HouseholdWords(tmp_path, hearing("m")).keep(spotter())
    assert (tmp_path / "words").read_text() == "in the way"
