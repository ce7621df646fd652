"""From a device's sample rate to the 16 kHz of the hearing, block by block."""

from __future__ import annotations

from math import gcd

import numpy as np

from hearing.spectrum import RATE_HZ

TAPS_PER_PHASE = 24
"""Length of the windowed-sinc filter in input samples at the lower of the two rates."""


class Resampler:
    """Polyphase windowed-sinc resampling (Oppenheim & Schafer, Discrete-Time Signal Processing, 4.6).

    The output does not depend on how the input is cut into blocks.
    """

    def __init__(self, rate_hz: int) -> None:
        common = gcd(rate_hz, RATE_HZ)
        self._up, self._down = RATE_HZ // common, rate_hz // common
        half = TAPS_PER_PHASE // 2 * max(1, -(-self._down // self._up))
        # One filter a phase: row p holds the weights of the 2 * half input samples around output phase p.
        offset = np.arange(-half + 1, half + 1)[None, :] - (np.arange(self._up) / self._up)[:, None]
        cutoff = 0.95 * min(1.0, self._up / self._down)
        window = 0.5 + 0.5 * np.cos(np.pi * np.clip(offset / half, -1, 1))
        taps = cutoff * np.sinc(cutoff * offset) * window
        self._taps = (taps / taps.sum(axis=1, keepdims=True)).astype(np.float32)
        self._half = half
        self._kept = np.zeros(half - 1, np.float32)
        self._phase = 0
        self._direct = self._up == self._down

    def push(self, samples: np.ndarray) -> np.ndarray:
        """The 16 kHz samples that `samples` (float32, at the device's rate) complete."""
        if self._direct:
            return samples.astype(np.float32)
        data = np.concatenate([self._kept, samples.astype(np.float32)])
        width = 2 * self._half
        count = max(0, ((len(data) - width + 1) * self._up - self._phase - 1) // self._down + 1)
        position = self._phase + self._down * np.arange(count)
        start, phase = position // self._up, position % self._up
        windows = (
            np.lib.stride_tricks.sliding_window_view(data, width)[start] if count else np.zeros((0, width))
        )
        out = np.einsum("nw,nw->n", windows, self._taps[phase]).astype(np.float32)
        after = self._phase + self._down * count
        used = after // self._up
        self._kept, self._phase = data[used:], after % self._up
        return np.asarray(out)
