"""Sound block by block to heard words: the same words however the sound is cut into blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hearing.embedding import FRAMES, LEVEL_OF_NOTHING_DB, SIZE, Embed, windows_before
from hearing.spectrum import BANDS, FRAME_S, RATE_HZ, WINDOW, SpectrumStream, loudness_db
from hearing.spotter import SURE_P, Background, Role, Sought, Spotter, smooth

EVERY = 4
"""A word is looked for at every fourth spectrum: each 40 ms."""
LOOK_S = EVERY * FRAME_S
SMOOTHED = 5
"""A word must be like the sound over so many looks: what is like it for a moment alone is not it."""
LATE_S = (SMOOTHED - 1) / 2 * LOOK_S
"""The looks at a word are surest so long after the single one that is."""
BATCH = 8
"""So many looks at a time: a word is understood at most a third of a second later than it could be."""
SILENT_DB = -25.0
"""Level of a spectrum below which there is nothing to hear: about -65 dB of full scale."""
OVER_FLOOR_DB = 4.0
"""A call stands out at least so far over the quiet moments of the last seconds."""
FLOOR_S = 8.0
FLOOR_SHARE, LOUD_SHARE = 0.2, 0.8
"""The quiet and the loud moments among the last ones are those below and above these shares of all."""
LOUD_WITHIN_S = 0.4
SETTLE_S = 0.2
"""A better moment may follow within this time; then the word is over."""
REFRACTORY_S = 1.5
"""A word that is heard again so soon is the same one."""
JUMP_S = 0.25
"""If the time of a block is so far off, something is missing before it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A word that was heard: its onset in seconds of the clock of the blocks, and its probability."""

    word: str
    role: Role
    onset_s: float
    p: float


@dataclass(frozen=True, slots=True)
class _Moment:
    """A moment at which a word may have ended; spectra counted from the first one, the end left out."""

    end: int
    onset: int
    p: float
    spotter: Spotter


class Listener:
    """Listens for the words of `spotters`; those of one word are one word, whoever says it."""

    def __init__(self, spotters: Sequence[Spotter], embed: Embed, background: Background) -> None:
        self._embed, self._background = embed, background
        self._sought = _sought(spotters, background)
        self._room = max(FRAMES, int(FLOOR_S / FRAME_S)) + BATCH * EVERY
        self._reset()

    def _reset(self) -> None:
        self._stream = SpectrumStream()
        # Before the first sound there was silence.
        self._frames = np.full((FRAMES, BANDS), LEVEL_OF_NOTHING_DB, np.float32)
        self._levels = loudness_db(self._frames)
        self._first = -FRAMES
        """Number of the first spectrum that is kept."""
        self._looked = 0
        """All ends up to this one have been looked at."""
        self._vectors = np.full((SMOOTHED - 1, SIZE), np.nan, np.float32)
        """Of the last looks; not a number where there was nothing to hear."""
        self._end_s: float | None = None
        self._best: dict[str, _Moment] = {}
        self._told: dict[str, int] = {}

    def listen_for(self, spotters: Sequence[Spotter]) -> None:
        """Listen for these words from now on; what was said before is not gone through again."""
        self._sought = _sought(spotters, self._background)
        words = {spotter.word for spotter in spotters}
        self._best = {word: moment for word, moment in self._best.items() if word in words}

    def push(self, samples: np.ndarray, end_s: float) -> list[Heard]:
        """The next sound, mono float32 (samples,) at 16 kHz in -1..1, whose last sample is at `end_s`."""
        heard: list[Heard] = []
        if self._end_s is not None and abs(end_s - len(samples) / RATE_HZ - self._end_s) > JUMP_S:
            heard = self.finish()
            self._reset()
        self._end_s = end_s
        new = self._stream.push(samples)
        self._frames = np.concatenate([self._frames, new])
        self._levels = np.concatenate([self._levels, loudness_db(new)])
        while self._first + len(self._frames) >= self._looked + BATCH * EVERY:
            heard += self._look(self._looked + EVERY * np.arange(1, BATCH + 1))
        spare = len(self._frames) - self._room
        if spare > 0:
            self._frames, self._levels = self._frames[spare:], self._levels[spare:]
            self._first += spare
        return heard

    def finish(self) -> list[Heard]:
        """The sound is over: look at what is left and tell what was waiting."""
        ends = np.arange(self._looked + EVERY, self._first + len(self._frames) + 1, EVERY)
        heard = self._look(ends) if len(ends) else []
        heard += [self._tell(moment) for moment in self._best.values()]
        self._best.clear()
        return heard

    def _look(self, ends: np.ndarray) -> list[Heard]:
        """Look for all words that end before the spectra `ends`, in the order of time."""
        heard: list[Heard] = []
        over_quiet, louder_db = self._stands_out(ends)
        loud = np.flatnonzero(over_quiet)
        new = np.full((len(ends), SIZE), np.nan, np.float32)
        new[loud] = self._embed(windows_before(self._frames, ends[loud] - self._first))
        vectors = np.concatenate([self._vectors, new])
        self._vectors = vectors[len(ends) :]
        likeness = [sought.likeness(vectors) for sought in self._sought]
        found = [
            sought.p(smooth(like.max(axis=1), SMOOTHED), louder_db)
            for sought, like in zip(self._sought, likeness, strict=True)
        ]
        for i, end in enumerate(ends):
            for word in [word for word, best in self._best.items() if end > best.end + SETTLE_S / FRAME_S]:
                heard.append(self._tell(self._best.pop(word)))
            for sought, like, p in zip(self._sought, likeness, found, strict=True):
                if p[i] >= SURE_P:
                    nearest = sought.spotters[int(like[i + SMOOTHED - 1].argmax())]
                    self._weigh(nearest, float(p[i]), int(end))
        self._looked = int(ends[-1])
        return heard

    def _stands_out(self, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Whether what ends there is louder than silence and than the quiet moments before: bool (ends,).

        And how far it lies over the loud moments, dB, float64 (ends,); 0 as long as nothing is known of them.
        """
        out, louder_db = np.zeros(len(ends), bool), np.zeros(len(ends))
        recent, span = int(FLOOR_S / FRAME_S), int(LOUD_WITHIN_S / FRAME_S)
        for i, end in enumerate(ends):
            since = max(0, int(end) - recent) - self._first
            before = self._levels[max(0, since) : int(end) - self._first]
            now = before[-span:].max()
            out[i] = now >= SILENT_DB
            if len(before) > 2 * span:
                quiet, usual = np.quantile(before, (FLOOR_SHARE, LOUD_SHARE))
                out[i] &= now >= quiet + OVER_FLOOR_DB
                louder_db[i] = now - usual
        return out, louder_db

    def _weigh(self, spotter: Spotter, p: float, end: int) -> None:
        best = self._best.get(spotter.word)
        told = self._told.get(spotter.word)
        onset = end - round((spotter.length_s + LATE_S) / FRAME_S)
        if told is not None and onset - told < REFRACTORY_S / FRAME_S:
            return
        if best is None or p > best.p:
            self._best[spotter.word] = _Moment(end, onset, p, spotter)

    def _tell(self, moment: _Moment) -> Heard:
        spotter = moment.spotter
        self._told[spotter.word] = moment.onset
        assert self._end_s is not None
        newest = self._first + len(self._frames)
        # The newest whole spectrum begins one hop before what waits for the next one.
        newest_s = self._end_s - self._stream.kept / RATE_HZ
        centre_s = (WINDOW / 2) / RATE_HZ
        onset_s = newest_s + (moment.onset - newest) * FRAME_S + centre_s - FRAME_S / 2
        return Heard(spotter.word, spotter.role, float(onset_s), round(moment.p, 4))


def _sought(spotters: Sequence[Spotter], background: Background) -> tuple[Sought, ...]:
    """The words to listen for, each with all who say it."""
    words = dict.fromkeys(spotter.word for spotter in spotters)
    return tuple(
        Sought([spotter for spotter in spotters if spotter.word == word], background, SMOOTHED)
        for word in words
    )
