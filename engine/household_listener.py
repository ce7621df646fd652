"""Listens for the words that a household has taught by now: one taught during a game is heard in it."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from engine.words import HouseholdWords, open_hearing, word_files
from hearing.listener import Heard, Listener
from hearing.utterances import WordError
from vision.models import ModelError

LOOK_EVERY_S = 1.0
"""So often, on the clock of the frames, the folder of the words is looked at."""

Stamp = tuple[tuple[str, int, int], ...]
"""Names, times of writing (ns) and sizes (bytes) of the files of the words."""


class HouseholdListener:
    """A listener for the words in a folder of a household, which may come and go.

    `problem`: why the words cannot be listened for, in one plain sentence. The network is loaded once a word
    is taught.
    """

    def __init__(self, household: Path) -> None:
        self.problem: str | None = None
        self._household = household
        self._looked_s: float | None = None
        self._stamp: Stamp = ()
        self._listener: Listener | None = None

    @property
    def has_words(self) -> bool:
        """Whether there is anything to listen for."""
        return self._listener is not None

    def look(self, t_s: float) -> bool:
        """See which words are taught at `t_s`; whether they have changed."""
        if self._looked_s is not None and abs(t_s - self._looked_s) < LOOK_EVERY_S:
            return False
        self._looked_s = t_s
        stamp = _stamp(self._household)
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        self._learn()
        return True

    def _learn(self) -> None:
        self.problem = None
        try:
            # Once nothing is taught any more, not even the network is needed.
            hearing = open_hearing() if self._stamp else None
            spotters = () if hearing is None else HouseholdWords(self._household, hearing).spotters()
        except (WordError, ModelError, OSError) as error:
            self.problem = f"Nothing is heard: {error}."
            hearing, spotters = None, ()
        if hearing is None or not spotters:
            self._listener = None
        elif self._listener is None:
            self._listener = Listener(spotters, hearing.embed, hearing.background)
        else:
            self._listener.listen_for(spotters)

    def push(self, samples: np.ndarray, end_s: float) -> list[Heard]:
        """The next sound, as `hearing.listener.Listener.push` takes it; nothing while no word is taught."""
        return [] if self._listener is None else self._listener.push(samples, end_s)

    def finish(self) -> list[Heard]:
        """The sound is over."""
        return [] if self._listener is None else self._listener.finish()


def _stamp(household: Path) -> Stamp:
    found = []
    for path in word_files(household):
        try:
            told = os.stat(path)
        except OSError:
            # Forgotten just now.
            continue
        found.append((path.name, told.st_mtime_ns, told.st_size))
    return tuple(found)
