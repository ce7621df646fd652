"""Sound along with the frames: a recording's own, a microphone's, or none, and never a crash."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from datasets.sound import add_sound, write_sound
from engine.ears import MicrophoneEars, SoundtrackEars, open_ears, recorded
from engine.soundtrack import SoundError, blocks, has_sound, read_sound
from hearing.listener import Heard
from hearing.microphone import Block, MicrophoneError
from hearing.spectrum import RATE_HZ
from hearing.spotter import Role

CLICK_S = 2.0


def clicked(length_s: float = 4.0, at_s: float = CLICK_S) -> np.ndarray:
    """Silence with one loud moment."""
    sound = np.zeros(int(length_s * RATE_HZ), np.float32)
    start = int(at_s * RATE_HZ)
    sound[start : start + 800] = 0.5 * np.sin(np.arange(800) * 0.4)
    return sound


def film(path: Path, sound: np.ndarray | None, seconds: int = 4) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for index in range(seconds * 10):
            frame = av.VideoFrame.from_ndarray(
                np.full((48, 64, 3), index * 3 % 256, np.uint8), format="bgr24"
            )
            frame.pts, frame.time_base = index, Fraction(1, 10)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    if sound is not None:
        add_sound(path, sound)
    return path


@dataclass
class Loudest:
    """A listener that hears a click; `changes`: at which of the looks its words are others."""

    heard: list[tuple[float, float]] = field(default_factory=list)
    problem: str | None = None
    has_words: bool = True
    changes: list[bool] = field(default_factory=list)

    def look(self, t_s: float) -> bool:
        return self.changes.pop(0) if self.changes else False

    def push(self, samples: np.ndarray, end_s: float) -> list[Heard]:
        self.heard.append((end_s - len(samples) / RATE_HZ, end_s))
        loud = np.flatnonzero(np.abs(samples) > 0.2)
        if not len(loud):
            return []
        return [Heard("click", Role.CALL, end_s - (len(samples) - loud[0]) / RATE_HZ, 0.9)]

    def finish(self) -> list[Heard]:
        return []


@pytest.mark.parametrize("suffix", [".wav", ".flac", ".ogg", ".m4a"])
def test_sound_files_of_all_kinds_keep_their_time(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    write_sound(path, clicked())
    sound = read_sound(path)
    assert has_sound(path)
    assert len(sound) / RATE_HZ == pytest.approx(4.0, abs=0.15)
    assert np.flatnonzero(np.abs(sound) > 0.2)[0] / RATE_HZ == pytest.approx(CLICK_S, abs=0.08)


def test_the_sound_of_a_film_is_heard_as_far_as_its_pictures_were_seen(tmp_path: Path) -> None:
    listener = Loudest()
    heard_by = SoundtrackEars(film(tmp_path / "a.mp4", clicked()), listener)  # type: ignore[arg-type]
    assert heard_by.hear(1.0) == []
    assert listener.heard[-1][1] <= 1.0
    (word, *_) = heard_by.hear(3.0)
    assert word.onset_s == pytest.approx(CLICK_S, abs=0.08)
    heard_by.finish()
    assert listener.heard[-1][1] == pytest.approx(4.0, abs=0.2)
    assert heard_by.problem is None


def test_a_film_taken_up_in_the_middle_is_not_heard_from_the_beginning(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", clicked(30.0, at_s=2.0), seconds=30)
    listener = Loudest()
    heard_by = SoundtrackEars(path, listener)  # type: ignore[arg-type]
    assert heard_by.hear(20.0) == []
    assert listener.heard[0][0] > 9.0


def test_a_film_twice_is_heard_alike(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", clicked())
    first, second = list(blocks(path)), list(blocks(path))
    assert [end_s for _, end_s in first] == [end_s for _, end_s in second]
    assert all(np.array_equal(a, b) for (a, _), (b, _) in zip(first, second, strict=True))


def test_what_holds_no_sound_is_told_in_one_sentence(tmp_path: Path) -> None:
    silent = film(tmp_path / "silent.mp4", None)
    (tmp_path / "text.wav").write_text("no sound")
    for path in (silent, tmp_path / "text.wav", tmp_path / "nowhere.wav"):
        assert not has_sound(path)
        with pytest.raises(SoundError) as raised:
            read_sound(path)
        assert str(path) in str(raised.value) and "\n" not in str(raised.value)
    whole = film(tmp_path / "a.mp4", clicked()).read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    heard_by = SoundtrackEars(tmp_path / "cut.mp4", Loudest())  # type: ignore[arg-type]
    assert heard_by.hear(9.0) == []
    assert heard_by.problem is not None and "cut.mp4" in heard_by.problem


def test_what_has_no_sound_has_no_ears(tmp_path: Path) -> None:
    assert open_ears("rtsp://camera/1", tmp_path) is None
    assert open_ears(str(tmp_path), tmp_path) is None
    assert open_ears(str(film(tmp_path / "silent.mp4", None)), tmp_path) is None
    assert isinstance(open_ears(str(film(tmp_path / "a.mp4", clicked())), tmp_path), SoundtrackEars)


@dataclass
class FakeMicrophone:
    """Gives what is left in `waiting` at each reading; `error`: refuses to open."""

    waiting: list[list[Block]] = field(default_factory=list)
    error: MicrophoneError | None = None
    now_s: float = 100.0
    is_open: bool = False

    def open(self) -> None:
        if self.error is not None:
            raise self.error
        self.is_open = True

    def now(self) -> float:
        return self.now_s

    def read(self) -> list[Block]:
        return self.waiting.pop(0) if self.waiting else []

    def close(self) -> None:
        self.is_open = False


def test_the_microphone_runs_on_the_clock_of_the_frames() -> None:
    microphone = FakeMicrophone([[Block(clicked(), 1000.0)]])
    heard_by = MicrophoneEars(microphone, Loudest())  # type: ignore[arg-type]
    # The frame of 12 s came in at 1000.5 s: the sound that ended at 1000 s ended at 11.5 s.
    (word, *_) = heard_by.hear(12.0, 1000.5)
    assert word.onset_s == pytest.approx(11.5 - 4.0 + CLICK_S, abs=0.01)
    heard_by.close()
    assert not microphone.is_open


def test_no_microphone_is_a_sentence_and_the_game_goes_on() -> None:
    missing = FakeMicrophone(error=MicrophoneError("no microphone was found; plug one in"))
    heard_by = MicrophoneEars(missing, Loudest())  # type: ignore[arg-type]
    for _ in range(3):
        assert heard_by.hear(1.0, 1.0) == []
    assert heard_by.problem == "Nothing is heard: no microphone was found; plug one in."


def test_a_microphone_that_came_later_is_tried_when_a_word_is_taught() -> None:
    microphone = FakeMicrophone(error=MicrophoneError("no microphone was found; plug one in"))
    heard_by = MicrophoneEars(microphone, Loudest(changes=[True, False, True]))  # type: ignore[arg-type]
    heard_by.hear(1.0, 1.0)
    microphone.error = None
    heard_by.hear(2.0, 2.0)
    assert not microphone.is_open and heard_by.problem is not None
    heard_by.hear(3.0, 3.0)
    assert microphone.is_open and heard_by.problem is None


def test_the_microphone_is_open_while_a_word_is_taught_and_no_longer() -> None:
    microphone, listener = FakeMicrophone(), Loudest(has_words=False)
    heard_by = MicrophoneEars(microphone, listener)  # type: ignore[arg-type]
    heard_by.hear(1.0, 1.0)
    assert not microphone.is_open
    listener.has_words = True
    heard_by.hear(2.0, 2.0)
    assert microphone.is_open
    listener.has_words = False
    heard_by.hear(3.0, 3.0)
    assert not microphone.is_open


def test_recording_ends_when_the_word_was_said_five_times() -> None:
    rng = np.random.default_rng(2)
    word = rng.normal(0, 0.1, RATE_HZ // 3).astype(np.float32)
    said = np.concatenate([np.zeros(RATE_HZ), *[np.concatenate([word, np.zeros(RATE_HZ)])] * 9])
    said = (said + rng.normal(0, 3e-4, len(said))).astype(np.float32)
    parts = [Block(said[at : at + 3200], 0.0) for at in range(0, len(said), 3200)]
    microphone = FakeMicrophone([[part] for part in parts])
    sound = recorded(microphone, 30.0, lambda seconds: None)  # type: ignore[arg-type]
    assert 6.5 < len(sound) / RATE_HZ < 8.0
    assert not microphone.is_open
