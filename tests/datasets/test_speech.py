"""Synthetic speech: the voices of the splits are apart, and the sets that hearing learns from are whole."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from datasets.noises import at_snr, card_noise, room_tone
from datasets.speech import (
    RATE_HZ,
    SpeechError,
    Voice,
    level,
    loud_rms,
    near_words,
    say,
    say_each,
    table_talk,
    voices,
)
from datasets.vocabulary import invented
from datasets.word_set import HELD_OUT, build_words, teaching_words

SPEAKS = pytest.mark.skipif(
    shutil.which("espeak-ng") is None or shutil.which("flite") is None, reason="espeak-ng or flite is missing"
)


def test_no_voice_is_in_two_splits() -> None:
    timbres = [{voice.timbre for voice in voices(split)} for split in ("train", "validation", "test")]
    assert all(len(one) >= 6 for one in timbres)
    assert sum(map(len, timbres)) == len(set.union(*timbres))


def test_held_out_words_are_not_taught_and_every_word_once() -> None:
    words = teaching_words(50, 1)
    assert len(set(words)) == len(words)
    for word in HELD_OUT:
        assert word not in words and not set(near_words(word)) & set(words)
    assert {"blitz", "nertz", "dutch", "hoorah"} <= set(words)
    assert invented(50, 1) == invented(50, 1) != invented(50, 2)


def test_noise_lies_as_far_below_as_asked() -> None:
    rng = np.random.default_rng(1)
    for noise in (room_tone(RATE_HZ * 3, rng), card_noise(RATE_HZ * 3, rng)):
        assert loud_rms(at_snr(0.1, noise, 10.0)) == pytest.approx(0.1 / 10**0.5, rel=0.01)


@SPEAKS
def test_a_word_is_said_the_same_alone_and_among_others() -> None:
    voice = voices("test")[0]
    words = ["blitz!", "dutch.", "hoorah"]
    said = say_each(words, voice)
    assert len(said) == 3
    for word, one in zip(words, said, strict=True):
        assert len(one) == pytest.approx(len(say(word, voice)), abs=RATE_HZ * 0.08)


@SPEAKS
def test_talk_is_as_long_as_asked_and_says_who_said_what() -> None:
    talk = table_talk(6.0, voices("test")[:3], np.random.default_rng(4), lines=1)
    assert len(talk.samples) == 6 * RATE_HZ
    for start_s, end_s, _, text in talk.said:
        assert 0 <= start_s < end_s <= 6.0 and text
        part = talk.samples[int(start_s * RATE_HZ) : int(end_s * RATE_HZ)]
        assert np.abs(part).max() > 0.01
    assert loud_rms(level(talk.samples, 0.2)) == pytest.approx(0.2, rel=0.01)


@SPEAKS
def test_the_words_of_a_set_are_kept_and_read_back(tmp_path: Path) -> None:
    words = ("blitz", "dutch", "[['bl0sk]]", "garden")
    made = build_words(tmp_path / "words.npz", words, "validation", 2, 3, lambda text: None)
    kept = build_words(tmp_path / "words.npz", words, "validation", 2, 3, lambda text: None)
    assert len(made) == len(kept) == 20
    assert np.array_equal(made.sound, kept.sound) and np.array_equal(made.labels, kept.labels)
    # A call is said four times in a round, any other word once.
    assert np.bincount(made.labels).tolist() == [8, 8, 2, 2]
    assert all(len(made.one(number)) > 0.1 * RATE_HZ for number in range(len(made)))


def test_a_program_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SpeechError, match="install espeak-ng and flite"):
        say("blitz", Voice("espeak", "f1", "en-us"))
