"""The calls of a household as the set-up teaches them: recordings in, plain sentences out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path

import numpy as np

from engine.soundtrack import SoundError, blocks
from engine.words import HouseholdWords, learnt, open_hearing
from hearing.spectrum import RATE_HZ
from hearing.spotter import Role
from hearing.utterances import WANTED, WordError, cut
from vision.models import ModelError

MOST_S = 120.0
"""A longer recording is not one of a word said five times."""
_FAULTS = (WordError, SoundError, ModelError, OSError)


class TeachingError(ValueError):
    """A word cannot be taught, shown or forgotten; the message is one plain sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class TaughtWord:
    """A word that somebody taught; it ends the round, or `stops_play` for a correction."""

    word: str
    person: str
    stops_play: bool


class SpokenWords:
    """The taught words of one household.

    `why_deaf` tells why no call can be heard at this table, in one plain sentence; None where one can.
    """

    def __init__(self, household: Path, why_deaf: Callable[[], str | None]) -> None:
        self.why_deaf = why_deaf
        self._household = household
        self._hearing = cache(open_hearing)

    @property
    def wanted(self) -> int:
        """How often a word must be said."""
        return WANTED

    def taught(self) -> tuple[TaughtWord, ...]:
        """All words by name, then person.

        Raises:
            TeachingError: if one is damaged or was learnt by another version.
        """
        try:
            spotters = self._kept().spotters()
        except _FAULTS as error:
            raise TeachingError(str(error)) from error
        return tuple(TaughtWord(one.word, one.person, one.role is Role.STOP) for one in spotters)

    def times(self, recordings: Sequence[bytes]) -> int:
        """How often something is said in sound files.

        Raises:
            TeachingError: if one of them cannot be heard.
        """
        return len(self._utterances(recordings))

    def teach(self, word: str, person: str, stops_play: bool, recordings: Sequence[bytes]) -> TaughtWord:
        """Learn a word that is said five times in sound files; the files are not kept.

        Raises:
            TeachingError: if it cannot be learnt from that, or has no fit name.
        """
        utterances = self._utterances(recordings)
        try:
            role = Role.STOP if stops_play else Role.CALL
            spotter = learnt(utterances, word, person, role, self._hearing())
            self._kept().keep(spotter)
        except _FAULTS as error:
            raise TeachingError(str(error)) from error
        return TaughtWord(spotter.word, spotter.person, stops_play)

    def forget(self, word: str, person: str) -> None:
        """Forget what a person taught.

        Raises:
            TeachingError: if there is no such word, or it cannot be removed.
        """
        try:
            self._kept().remove(word, person)
        except _FAULTS as error:
            raise TeachingError(str(error)) from error

    def _kept(self) -> HouseholdWords:
        return HouseholdWords(self._household, self._hearing())

    def _utterances(self, recordings: Sequence[bytes]) -> list[np.ndarray]:
        return list(chain.from_iterable(cut(_sound(data)) for data in recordings))


def _sound(data: bytes) -> np.ndarray:
    """All sound of a file, mono float32 (samples,) at 16 kHz.

    Raises:
        TeachingError: if it holds none, or too much.
    """
    parts, samples = [np.zeros(0, np.float32)], 0
    try:
        for part, _ in blocks(BytesIO(data)):
            parts.append(part)
            samples += len(part)
            if samples > MOST_S * RATE_HZ:
                raise TeachingError(
                    f"the recording is longer than {MOST_S / 60:.0f} minutes; record only the word, said"
                    f" {WANTED} times"
                )
    except SoundError as error:
        raise TeachingError(str(error)) from error
    return np.concatenate(parts)
