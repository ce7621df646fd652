"""From five utterances to a spotter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hearing.embedding import FRAMES, LEVEL_OF_NOTHING_DB, Embed, windows_before
from hearing.spectrum import BANDS, FRAME_S, RATE_HZ, spectra
from hearing.spotter import Role, Spotter
from hearing.utterances import MARGIN_S, WordError

LATE_S = (0.0, 0.04, 0.08)
"""A word is looked at so long after its end: the network was taught with such an end."""
LEAST_ALIKE = 0.5
"""Utterances of one word point the same way at least so much."""
AFTER_S = 0.2


def learn(word: str, person: str, role: Role, utterances: Sequence[np.ndarray], embed: Embed) -> Spotter:
    """Learn a word of `utterances` as `hearing.utterances.cut` gives them: mono float32 at 16 kHz.

    Raises:
        WordError: if one of them is not like the others.
    """
    vectors = np.stack([_vector(one, embed) for one in utterances])
    alike = vectors @ vectors.T
    others = (alike.sum(axis=1) - 1) / (len(vectors) - 1)
    if others.min() < LEAST_ALIKE:
        odd = int(others.argmin()) + 1
        raise WordError(f"time {odd} does not sound like the others; say the same word each time")
    usual_s = float(np.median([len(one) / RATE_HZ for one in utterances])) - 2 * MARGIN_S
    length_s = usual_s + float(np.mean(LATE_S))
    return Spotter(word, person, role, vectors, length_s)


def _vector(utterance: np.ndarray, embed: Embed) -> np.ndarray:
    """Where an utterance points: float32 (64,), of length 1."""
    silence = np.full((FRAMES, BANDS), LEVEL_OF_NOTHING_DB, np.float32)
    sound = np.pad(utterance, (0, int(AFTER_S * RATE_HZ)))
    frames = np.concatenate([silence, spectra(sound)])
    end_s = len(utterance) / RATE_HZ - MARGIN_S
    ends = FRAMES + np.array([round((end_s + late_s) / FRAME_S) for late_s in LATE_S])
    mean = embed(windows_before(frames, np.minimum(ends, len(frames)))).mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean), np.float32)
