"""What was learnt of a word, and how near a sound must be to it: held against talk at a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from hearing.embedding import SIZE

SURE_P = 0.5
"""From this probability on a word counts as heard."""
BAR, WIDTH = 0.50, 0.035
"""Likeness at which a call is as likely as talk, and in which the odds grow e times: of validation voices,
where talk passed the bar 0.25 times an hour for a table's word that the network knows, 0.6 for a new one."""
LOUDER_COUNTS, MOST_LOUDER_DB = 0.01, 12.0
"""A call is called out: the bar is so much lower for each dB over what is loud at the table, up to so many.
Of the same voices; more would have let any shout pass that is only somewhat like the word."""
RIDGE = 3.0
"""Added to the spread of the talk in each direction, in parts of its mean: few of them are well known."""
TOGETHER = 0.3
"""So much counts how all people of a household say the word; the rest how one of them does."""
NEAREST_SHARE, NEAREST_COUNTS = 0.9995, 0.5
"""Talk that comes nearer a word than this share of all raises its bar by half of how near that is."""


class Role(StrEnum):
    """What a word does at the table: it calls the end of the round, or stops play for a correction."""

    CALL = "call"
    STOP = "stop"


@dataclass(frozen=True, eq=False)
class Spotter:
    """One person's word. `vectors` float32 (utterances, 64), each of length 1.

    `length_s`: from its onset to where a single look is surest.
    """

    word: str
    person: str
    role: Role
    vectors: np.ndarray
    length_s: float


class Background:
    """Talk at a table, which every word must stand out from: vectors (n, 64) in the order of time."""

    def __init__(self, vectors: np.ndarray) -> None:
        self.vectors = vectors.astype(np.float32)
        self.middle = self.vectors.mean(axis=0)
        spread = np.cov(self.vectors.T)
        self._against = np.linalg.inv(spread + RIDGE * np.trace(spread) / SIZE * np.eye(SIZE))

    def direction(self, vector: np.ndarray) -> np.ndarray:
        """The direction (64,) in which `vector` stands out most from the talk (Fisher 1936).

        Its product with a vector less `middle` is 1 for `vector` itself and 0 on average for talk.
        """
        direction = self._against @ (vector - self.middle)
        return np.asarray(direction / (direction @ (vector - self.middle)), np.float32)


class Sought:
    """A word to listen for, as all people of a household say it."""

    def __init__(self, spotters: Sequence[Spotter], background: Background, smoothed: int) -> None:
        self.spotters = tuple(spotters)
        self._middle = background.middle
        people = np.stack([_pointing(spotter) for spotter in spotters])
        own = np.stack([background.direction(person) for person in people])
        all_people = background.direction(people.mean(axis=0))
        self._directions = ((1 - TOGETHER) * own + TOGETHER * all_people).T
        talk = smooth(self.likeness(background.vectors).max(axis=1), smoothed)
        self._raised = NEAREST_COUNTS * float(np.quantile(talk, NEAREST_SHARE))

    def likeness(self, vectors: np.ndarray) -> np.ndarray:
        """How much vectors (n, 64) are like the word as each person says it: float32 (n, people)."""
        return np.asarray((vectors - self._middle) @ self._directions)

    def p(self, likeness: np.ndarray, louder_db: np.ndarray) -> np.ndarray:
        """Probability that the word ends where it has that smoothed likeness; both (n,).

        `louder_db` (n,): how far the sound there lies over what is loud at the table.
        """
        bar = BAR + self._raised - LOUDER_COUNTS * np.clip(louder_db, 0, MOST_LOUDER_DB)
        return np.asarray(1 / (1 + np.exp(np.clip((bar - likeness) / WIDTH, -60, 60))))


def smooth(values: np.ndarray, count: int) -> np.ndarray:
    """The mean of each value and the `count` - 1 before it: (n - count + 1,)."""
    return np.asarray(np.lib.stride_tricks.sliding_window_view(values, count).mean(axis=1))


def _pointing(spotter: Spotter) -> np.ndarray:
    """Where the utterances of a person point: float32 (64,), of length 1."""
    middle = spotter.vectors.mean(axis=0)
    return np.asarray(middle / np.linalg.norm(middle), np.float32)
