"""Sound as a row of spectra: 32 bands in decibels, a hundred times a second."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy import fft

RATE_HZ = 16_000
HOP = 160
"""Samples from one spectrum to the next: 10 ms."""
WINDOW = 400
"""Samples that one spectrum sees: 25 ms."""
BANDS = 32
LOWEST_HZ, HIGHEST_HZ = 120.0, 7400.0
FRAME_S = HOP / RATE_HZ
_FFT = 512
_LEAST = np.float32(1e-9)
"""Power of the quietest band that is told apart from silence."""


@cache
def _bands() -> np.ndarray:
    """Triangles (bands, bins) of equal width in mel, m = 2595 log10(1 + f / 700) (O'Shaughnessy)."""

    def mel(hz: float) -> float:
        return 2595 * float(np.log10(1 + hz / 700))

    edges = 700 * (10 ** (np.linspace(mel(LOWEST_HZ), mel(HIGHEST_HZ), BANDS + 2) / 2595) - 1)
    hz = np.fft.rfftfreq(_FFT, 1 / RATE_HZ)
    low, mid, high = (edges[i : i + BANDS, None] for i in range(3))
    rise, fall = (hz - low) / (mid - low), (high - hz) / (high - mid)
    return np.clip(np.minimum(rise, fall), 0, None).astype(np.float32)


@cache
def _hann() -> np.ndarray:
    return np.asarray(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW), np.float32)


def spectra(samples: np.ndarray) -> np.ndarray:
    """Bands in dB, float32 (frames, 32), of mono sound (samples,) at 16 kHz in -1..1.

    Frame k sees WINDOW samples from k * HOP.
    """
    if len(samples) < WINDOW:
        return np.zeros((0, BANDS), np.float32)
    framed = np.lib.stride_tricks.sliding_window_view(samples.astype(np.float32), WINDOW)[::HOP]
    bins = fft.rfft(framed * _hann(), _FFT, axis=1)
    return np.asarray(10 * np.log10((bins.real**2 + bins.imag**2) @ _bands().T + _LEAST), np.float32)


def loudness_db(frames: np.ndarray) -> np.ndarray:
    """Level of each spectrum over all bands, dB, float32 (frames,); the same unit as the bands."""
    return np.asarray(10 * np.log10((10 ** (frames / 10)).sum(axis=1)), np.float32)


class SpectrumStream:
    """Spectra of sound that comes in blocks; the same however it is cut."""

    def __init__(self) -> None:
        self._kept = np.zeros(0, np.float32)

    def push(self, samples: np.ndarray) -> np.ndarray:
        """The spectra that these samples complete, float32 (frames, 32)."""
        data = np.concatenate([self._kept, samples])
        frames = spectra(data)
        self._kept = data[len(frames) * HOP :]
        return frames

    @property
    def kept(self) -> int:
        """Samples that wait for their frame."""
        return len(self._kept)


def frame_rms(samples: np.ndarray, frame: int = RATE_HZ // 50) -> np.ndarray:
    """Root mean square of each whole frame (20 ms): float64 (frames,)."""
    whole = samples[: len(samples) // frame * frame].astype(np.float64).reshape(-1, frame)
    return np.asarray(np.sqrt((whole**2).mean(axis=1)))


def loud_rms(samples: np.ndarray) -> float:
    """Root mean square over the frames within 25 dB of the loudest one: speech without its pauses."""
    rms = frame_rms(samples)
    if not len(rms):
        return 0.0
    loud = rms[rms >= rms.max() * 10 ** (-25 / 20)]
    return float(np.sqrt((loud**2).mean()))
