"""The five times that a person said the word, cut out of what was recorded."""

from __future__ import annotations

import numpy as np

from hearing.spectrum import RATE_HZ, frame_rms

FRAME = RATE_HZ // 100
WANTED = 5
OVER_QUIET_DB = 10.0
UNDER_LOUDEST_DB = 22.0
"""A word is what rises this far over the quiet of the recording and lies within this of its loudest."""
SOFT_OVER_QUIET_DB, SOFT_UNDER_LOUDEST_DB = 6.0, 36.0
STOP_S = 0.1
PAUSE_S = 0.3
"""A shorter gap lies within a word, as before the t of "nertz" or between two words of a call."""
SHORTEST_S, LONGEST_S = 0.15, 1.5
MARGIN_S = 0.04
MOST_SPREAD = 2.2
"""The longest utterance of a word is at most so many times as long as the shortest."""
CLIPPED = 0.999
MOST_CLIPPED = 0.01


class WordError(ValueError):
    """A word cannot be learnt from a recording; the message is one plain sentence that says what to do."""


def cut(samples: np.ndarray) -> list[np.ndarray]:
    """The utterances in a recording, in order: each float32 (samples,) at 16 kHz with a small margin."""
    rms = frame_rms(samples, FRAME)
    if not len(rms) or rms.max() < 1e-4:
        return []
    db = 20 * np.log10(np.maximum(rms, 1e-6))
    # Ten milliseconds are too short a look at a low voice.
    db = np.convolve(np.pad(db, 1, mode="edge"), np.ones(3) / 3, mode="valid")
    quiet = float(np.percentile(db, 10))
    bar = max(quiet + OVER_QUIET_DB, float(db.max()) - UNDER_LOUDEST_DB)
    # The soft end of a word, as of "nertz", belongs to it: it begins where the word was loud.
    soft = db >= max(quiet + SOFT_OVER_QUIET_DB, float(db.max()) - SOFT_UNDER_LOUDEST_DB)
    pause = int(PAUSE_S * RATE_HZ / FRAME)
    found_at: list[list[int]] = []
    for at in np.flatnonzero(db >= bar):
        if found_at and at - found_at[-1][1] <= pause:
            found_at[-1][1] = int(at)
        else:
            found_at.append([int(at), int(at)])
    found = []
    for first, last in found_at:
        start, end = _reach(soft, first, -1), _reach(soft, last, 1) + 1
        margin = int(MARGIN_S * RATE_HZ)
        if (end - start) * FRAME >= SHORTEST_S * RATE_HZ:
            found.append(samples[max(0, start * FRAME - margin) : end * FRAME + margin].astype(np.float32))
    return found


def _reach(soft: np.ndarray, at: int, step: int) -> int:
    """The last soft frame from `at` on in that direction, over gaps of no more than a stop consonant."""
    gap = int(STOP_S * RATE_HZ / FRAME)
    reached = at
    while 0 <= at + step < len(soft) and abs(at + step - reached) <= gap:
        at += step
        if soft[at]:
            reached = at
    return reached


def checked(utterances: list[np.ndarray], wanted: int = WANTED) -> list[np.ndarray]:
    """The utterances if a word can be learnt from them.

    Raises:
        WordError: if there are too few, or they are no single word said alike, or too loud.
    """
    if len(utterances) < wanted:
        raise WordError(
            f"the word was heard {len(utterances)} times, {wanted} are needed; say it {wanted} times with a"
            " pause of a second after each"
        )
    lengths_s = np.array([len(one) / RATE_HZ - 2 * MARGIN_S for one in utterances])
    if lengths_s.max() > LONGEST_S:
        raise WordError(
            f"something of {lengths_s.max():.1f} s was heard; say the word alone, with a pause of a second"
            " after each time, in a quiet room"
        )
    if lengths_s.max() > MOST_SPREAD * lengths_s.min():
        odd = int(np.argmax(np.abs(np.log(lengths_s / np.median(lengths_s))))) + 1
        raise WordError(f"time {odd} is much longer or shorter than the others; say the word alike each time")
    clipped = [float((np.abs(one) >= CLIPPED).mean()) for one in utterances]
    if max(clipped) > MOST_CLIPPED:
        raise WordError("the recording is too loud; sit farther from the microphone or turn it down")
    return utterances
