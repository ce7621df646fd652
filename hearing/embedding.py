"""Speech as vectors: a network maps 1.2 seconds of sound to a direction that stands for the word at its end.

The same word points the same way whoever says it and whatever is said around it; other words, parts of words
and noise point elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hearing.spectrum import BANDS

MODEL = "hearing.onnx"
TALK, TALK_SCALE = "hearing-talk.npy", 127.0
"""Vectors of talk at a table, whole numbers of that scale: int8 (n, 64)."""
FRAMES = 120
"""Spectra that one vector sees: 1.2 s. A word ends at the end of them."""
SIZE = 64
LEVEL_OF_NOTHING_DB = -90.0
"""Bands of the silence before the first sound."""
TOP_SHARE = 0.05
"""The strongest cells, which set the level: the distance to the microphone does not matter."""
RANGE_DB = 50.0
SCALE_DB = 25.0
AT_ONCE = 64

Embed = Callable[[np.ndarray], np.ndarray]
"""Windows of spectra in dB, float32 (n, 120, 32), to vectors of length 1, float32 (n, 64)."""


def levelled(windows: np.ndarray) -> np.ndarray:
    """Windows in dB as the network sees them: loud cells at 1, RANGE_DB below that and less at -1."""
    count = round(TOP_SHARE * FRAMES * BANDS)
    flat = windows.reshape(len(windows), FRAMES * BANDS)
    top = np.partition(flat, -count, axis=1)[:, -count][:, None, None]
    return np.asarray(np.maximum(windows - top, -RANGE_DB).clip(max=10.0) / SCALE_DB + 1, np.float32)


def embedding(session: Any) -> Embed:
    """The network of an onnxruntime session as a function."""
    name = session.get_inputs()[0].name

    def embed(windows: np.ndarray) -> np.ndarray:
        parts = [
            session.run(None, {name: levelled(windows[at : at + AT_ONCE])})[0]
            for at in range(0, len(windows), AT_ONCE)
        ]
        return np.concatenate([np.zeros((0, SIZE), np.float32), *parts])

    return embed


def windows_before(frames: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The windows of `frames` (n, 32) that end before `ends` (each at least FRAMES): (ends, 120, 32)."""
    views = np.lib.stride_tricks.sliding_window_view(frames, FRAMES, axis=0)
    return np.asarray(views[ends - FRAMES].transpose(0, 2, 1))
