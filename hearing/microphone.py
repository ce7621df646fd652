"""The microphone of this computer through the optional package sounddevice."""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from hearing.resampling import Resampler
from hearing.spectrum import RATE_HZ

QUEUE_BLOCKS = 600
"""Blocks kept for a reader that does not come: about half a minute; the oldest are dropped."""
BLOCK_S = 0.05
MOST_LATENCY_S = 2.0
NO_PACKAGE = (
    "the microphone needs the extra audio (pip install 'blitzref[audio]'); the call button works without"
)
NO_LIBRARY = "the microphone needs PortAudio (Debian: libportaudio2); the call button works without"
NO_DEVICE = "no microphone was found; plug one in, or use the call button"


class MicrophoneError(RuntimeError):
    """There is no microphone to listen with; the message is one plain sentence that says what to do."""


@dataclass(frozen=True)
class Block:
    """Sound float32 (samples,) at 16 kHz and the moment on the clock (s) of its last sample."""

    samples: np.ndarray
    end_s: float


def _sounddevice() -> Any:
    try:
        return import_module("sounddevice")
    except ImportError as error:
        raise MicrophoneError(NO_PACKAGE) from error
    except OSError as error:
        # The package is there, the library that it loads is not.
        raise MicrophoneError(NO_LIBRARY) from error


def _found(sounddevice: Any, device: int | str | None) -> Any:
    """What is known of an input.

    Raises:
        MicrophoneError: if there is none.
    """
    try:
        return sounddevice.query_devices(device, "input")
    except (ValueError, OSError, sounddevice.PortAudioError) as error:
        raise MicrophoneError(NO_DEVICE) from error


def check_microphone() -> None:
    """See that there is a microphone, without listening to it.

    Raises:
        MicrophoneError: if the package, its library or a microphone is missing.
    """
    _found(_sounddevice(), None)


class Microphone:
    """One open input. Its callback only puts blocks into a queue.

    `clock` (s, monotonic) times the blocks. `device`: number or a part of the name; None: the usual one.
    """

    def __init__(self, clock: Callable[[], float], device: int | str | None = None) -> None:
        self._clock, self._device = clock, device
        self._blocks: queue.Queue[tuple[np.ndarray, float]] = queue.Queue(QUEUE_BLOCKS)
        self._stream: Any = None
        self._rate_hz = RATE_HZ
        self._resampler = Resampler(RATE_HZ)
        self.dropped = 0

    def open(self) -> None:
        """Begin to listen.

        Raises:
            MicrophoneError: if the package, its library or a microphone is missing or refuses.
        """
        sounddevice = _sounddevice()
        about = _found(sounddevice, self._device)
        try:
            self._rate_hz = int(about["default_samplerate"]) or RATE_HZ
            self._resampler = Resampler(self._rate_hz)
            self._stream = sounddevice.InputStream(
                samplerate=self._rate_hz,
                blocksize=int(BLOCK_S * self._rate_hz),
                channels=1,
                dtype="float32",
                device=self._device,
                callback=self._came,
            )
            self._stream.start()
        except (ValueError, OSError, sounddevice.PortAudioError) as error:
            self._stream = None
            raise MicrophoneError(NO_DEVICE) from error

    def _came(self, samples: np.ndarray, count: int, times: Any, status: Any) -> None:
        block_s = count / self._rate_hz
        # How long ago the first sample was spoken; some drivers do not tell.
        ago_s = times.currentTime - times.inputBufferAdcTime
        end_s = self._clock() + (block_s - ago_s if 0.0 < ago_s < MOST_LATENCY_S else 0.0)
        while True:
            try:
                self._blocks.put_nowait((samples[:, 0].copy(), end_s))
                return
            except queue.Full:
                self.dropped += 1
                try:
                    self._blocks.get_nowait()
                except queue.Empty:
                    continue

    def now(self) -> float:
        """The time on the clock of the blocks, s."""
        return self._clock()

    def read(self) -> list[Block]:
        """What came in since the last call."""
        blocks: list[Block] = []
        while True:
            try:
                samples, end_s = self._blocks.get_nowait()
            except queue.Empty:
                return blocks
            blocks.append(Block(self._resampler.push(samples), end_s))

    def close(self) -> None:
        """Give the device back; may be called twice."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()
