"""The microphone: blocks with their times, and one plain sentence where there is none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearing import microphone
from hearing.microphone import QUEUE_BLOCKS, Microphone, MicrophoneError, check_microphone
from hearing.resampling import Resampler


class FakeStream:
    """An input stream whose blocks are given by hand."""

    def __init__(self, **asked: Any) -> None:
        self.asked, self.started, self.closed = asked, False, 0

    def start(self) -> None:
        self.started = True

    def close(self) -> None:
        self.closed += 1


class PortAudioError(Exception):
    """What sounddevice raises."""


def fake(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> list[FakeStream]:
    streams: list[FakeStream] = []

    def make(**asked: Any) -> FakeStream:
        streams.append(FakeStream(**asked))
        return streams[-1]

    module = {
        "query_devices": lambda device, kind: {"default_samplerate": 48_000.0},
        "InputStream": make,
        "PortAudioError": PortAudioError,
        **changes,
    }
    monkeypatch.setattr(microphone, "import_module", lambda name: SimpleNamespace(**module))
    return streams


def times(ago_s: float) -> SimpleNamespace:
    return SimpleNamespace(currentTime=100.0, inputBufferAdcTime=100.0 - ago_s)


def test_blocks_come_at_16_khz_with_the_time_of_their_last_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = fake(monkeypatch)
    heard = Microphone(lambda: 50.0)
    heard.open()
    assert streams[0].started and streams[0].asked["samplerate"] == 48_000
    tell = streams[0].asked["callback"]
    tell(np.ones((4800, 1), np.float32), 4800, times(0.15), None)
    tell(np.ones((4800, 1), np.float32), 4800, times(0.0), None)
    first, second = heard.read()
    assert first.end_s == pytest.approx(49.95)
    assert second.end_s == 50.0
    assert len(first.samples) + len(second.samples) == pytest.approx(3200, abs=40)
    assert heard.read() == []
    heard.close()
    heard.close()
    assert streams[0].closed == 1


def test_nobody_who_reads_costs_old_sound_and_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = fake(monkeypatch)
    heard = Microphone(lambda: 0.0)
    heard.open()
    for number in range(QUEUE_BLOCKS + 7):
        streams[0].asked["callback"](np.full((480, 1), number, np.float32), 480, times(0.0), None)
    assert heard.dropped == 7
    assert len(heard.read()) == QUEUE_BLOCKS


def refuse(error: Exception) -> Any:
    def refusing(*_: Any, **__: Any) -> Any:
        raise error

    return refusing


def test_without_the_extra_without_portaudio_and_without_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    for error in (ImportError("no module"), OSError("PortAudio library not found")):
        monkeypatch.setattr(microphone, "import_module", refuse(error))
        with pytest.raises(MicrophoneError) as raised:
            Microphone(lambda: 0.0).open()
        said.append(str(raised.value))
    changes = [
        {"query_devices": refuse(ValueError("No input device matching 'x'"))},
        {"InputStream": refuse(PortAudioError("Invalid number of channels"))},
    ]
    for change in changes:
        fake(monkeypatch, **change)
        with pytest.raises(MicrophoneError) as raised:
            Microphone(lambda: 0.0).open()
        said.append(str(raised.value))
    assert said[0] != said[1] and said[2] == said[3]
    for sentence in said:
        assert "\n" not in sentence and "call button" in sentence


def test_a_microphone_is_looked_for_without_listening_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = fake(monkeypatch)
    check_microphone()
    assert streams == []
    fake(monkeypatch, query_devices=refuse(PortAudioError("Error querying device -1")))
    with pytest.raises(MicrophoneError, match="no microphone was found"):
        check_microphone()


@given(
    st.sampled_from([8_000, 16_000, 22_050, 44_100, 48_000, 96_000]),
    st.lists(st.integers(0, 4000), min_size=1, max_size=12),
)
def test_resampling_does_not_depend_on_the_blocks(rate_hz: int, sizes: list[int]) -> None:
    sound = np.random.default_rng(1).normal(0, 0.1, sum(sizes)).astype(np.float32)
    whole = Resampler(rate_hz).push(sound)
    piecewise = Resampler(rate_hz)
    parts = [piecewise.push(part) for part in np.split(sound, np.cumsum(sizes)[:-1])]
    np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-6)


@pytest.mark.parametrize("rate_hz", [8_000, 22_050, 44_100, 48_000])
def test_a_tone_keeps_its_pitch_and_loudness_and_nothing_is_folded_down(rate_hz: int) -> None:
    t = np.arange(rate_hz) / rate_hz
    tone = Resampler(rate_hz).push(np.sin(2 * np.pi * 1000 * t).astype(np.float32))
    middle = tone[2000:12_000]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    assert np.argmax(spectrum) * 16_000 / len(middle) == pytest.approx(1000, abs=2)
    assert np.sqrt(2 * (middle**2).mean()) == pytest.approx(1.0, abs=0.02)
    if rate_hz > 22_050:
        high = Resampler(rate_hz).push(np.sin(2 * np.pi * 11_000 * t).astype(np.float32))[2000:12_000]
        assert np.sqrt((high**2).mean()) < 0.01
