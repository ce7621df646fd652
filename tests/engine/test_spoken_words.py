"""Teaching calls out of recordings: one of five times, or five of one, and every mistake in one sentence."""

from __future__ import annotations

import wave
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from engine import ears
from engine.ears import NO_SOUND, why_deaf
from engine.soundtrack import read_sound
from engine.spoken_words import SpokenWords, TaughtWord, TeachingError
from engine.words import FOLDER
from hearing.microphone import MicrophoneError
from hearing.spectrum import RATE_HZ
from hearing.utterances import cut
from tests.hearing.make_speech import FOLDER as SPEECH


def wav(sound: np.ndarray) -> bytes:
    """A recording as a browser gives it."""
    file = BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(RATE_HZ)
        written.writeframes((np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes())
    return file.getvalue()


@pytest.fixture
def words(tmp_path: Path) -> SpokenWords:
    return SpokenWords(tmp_path, lambda: None)


def said(word: str) -> bytes:
    return (SPEECH / f"taught-{word}.ogg").read_bytes()


def test_a_word_is_taught_listed_and_forgotten(words: SpokenWords) -> None:
    assert words.taught() == ()
    assert words.times([said("blitz")]) == words.wanted
    taught = words.teach(" Blitz", "Ann", False, [said("blitz")])
    assert taught == TaughtWord("blitz", "Ann", False)
    words.teach("banana", "Bo", True, [said("banana")])
    assert words.taught() == (TaughtWord("banana", "Bo", True), taught)
    words.forget("blitz", "Ann")
    assert [one.word for one in words.taught()] == ["banana"]
    with pytest.raises(TeachingError, match="no word blitz was taught by Ann"):
        words.forget("blitz", "Ann")


def test_five_recordings_of_one_time_each_are_as_good_as_one_of_five(words: SpokenWords) -> None:
    quiet = np.random.default_rng(1).normal(0, 3e-4, RATE_HZ).astype(np.float32)
    single = [
        wav(np.concatenate([quiet, one, quiet])) for one in cut(read_sound(SPEECH / "taught-blitz.ogg"))
    ]
    assert [words.times(single[:count]) for count in (0, 1, 4)] == [0, 1, 4]
    with pytest.raises(TeachingError, match="heard 4 times, 5 are needed"):
        words.teach("blitz", "Ann", False, single[:4])
    assert words.teach("blitz", "Ann", False, single).word == "blitz"


@pytest.mark.parametrize(
    ("word", "data", "says"),
    [
        ("blitz", b"", "holds no sound"),
        ("blitz", b"\x00PK kittens", "holds no sound"),
        ("blitz", wav(np.zeros(RATE_HZ, np.float32)), "heard 0 times"),
        ("blitz", wav(np.zeros(125 * RATE_HZ, np.float32)), "longer than 2 minutes"),
        ("../blitz", said("blitz"), "'../blitz' cannot be used"),
        (" ", said("blitz"), "cannot be used"),
    ],
)
def test_what_cannot_be_learnt_is_told_in_one_sentence(
    words: SpokenWords, tmp_path: Path, word: str, data: bytes, says: str
) -> None:
    with pytest.raises(TeachingError, match=says) as raised:
        words.teach(word, "Ann", False, [data])
    assert "\n" not in str(raised.value)
    assert not (tmp_path / FOLDER).exists()


def test_a_damaged_word_is_named(words: SpokenWords, tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "blitz.json").write_text("{}")
    with pytest.raises(TeachingError, match="damaged"):
        words.taught()


def test_whether_anything_can_be_heard_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise MicrophoneError("no microphone was found; plug one in, or use the call button")

    monkeypatch.setattr(ears, "check_microphone", missing)
    assert why_deaf("0") == "no microphone was found; plug one in, or use the call button"
    monkeypatch.setattr(ears, "check_microphone", lambda: None)
    assert why_deaf("0") is None
    assert why_deaf("rtsp://camera/1") == NO_SOUND and why_deaf(str(tmp_path)) == NO_SOUND
    assert why_deaf(str(SPEECH / "talk.ogg")) is None
