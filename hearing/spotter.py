"""What was learnt of one person's word: where it points, and how near a sound must be."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

SURE_P = 0.5
"""From this probability on a word counts as heard."""
CALLS_PER_H = 3.0
"""How often a word is called; on validation voices it gave 0.7 false calls an hour of talk and a word."""
USUAL, SPREAD = 0.84, 0.11
"""How much a call 10 dB over talk points the way of the word: mean and spread, of validation voices."""
SEPARATE = 25
"""Talk comes near a word at most once in so many vectors: a second."""
RAREST = 12
"""The tail of the talk is drawn through so many of its nearest misses."""
LEAST_SCALE = 0.02


class Role(StrEnum):
    """What a word does at the table: it calls the end of the round, or stops play for a correction."""

    CALL = "call"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Rarity:
    """How near talk comes: once an hour up to `once_an_hour`, e times as rarely each `scale` above."""

    once_an_hour: float
    scale: float


@dataclass(frozen=True, eq=False)
class Spotter:
    """One person's word, ready to be listened for.

    `vectors` float32 (utterances, 64), each of length 1; `length_s`: from its onset to where it is surest.
    """

    word: str
    person: str
    role: Role
    vectors: np.ndarray
    length_s: float
    rarity: Rarity

    def likeness(self, vectors: np.ndarray) -> np.ndarray:
        """How much vectors (n, 64) point the way of the word: float32 (n,), 1 at the most."""
        return likeness(self.vectors, vectors)

    def p(self, vectors: np.ndarray) -> np.ndarray:
        """Probability that the word ends at vectors (n, 64): float32 (n,).

        Bayes, of how calls and talk are spread. A sound nearer than the usual call is no less one than that.
        """
        like = self.likeness(vectors).astype(np.float64)
        z = np.maximum(0.0, USUAL - like) / SPREAD
        call = CALLS_PER_H * np.exp(-0.5 * z * z) / (SPREAD * np.sqrt(2 * np.pi))
        above = np.clip((like - self.rarity.once_an_hour) / self.rarity.scale, -60, 60)
        talk = np.exp(-above) / self.rarity.scale
        return np.asarray(call / (call + talk), np.float32)


def likeness(word: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """How much vectors (n, 64) point the way of the utterances `word` (utterances, 64): float32 (n,)."""
    middle = word.mean(axis=0)
    return np.asarray(vectors @ (middle / np.linalg.norm(middle)), np.float32)


def rarity(word: np.ndarray, talk: np.ndarray, step_s: float) -> Rarity:
    """How near talk comes to the utterances `word` (utterances, 64).

    `talk` float32 (n, 64): vectors of talk without the word, `step_s` apart. Its nearest misses have an
    exponential tail, whose scale is their mean distance to the last of them (Hill).
    """
    like = likeness(word, talk).copy()
    nearest: list[float] = []
    for _ in range(RAREST + 1):
        at = int(like.argmax())
        nearest.append(float(like[at]))
        like[max(0, at - SEPARATE) : at + SEPARATE + 1] = -1.0
    last, above = nearest[-1], nearest[:-1]
    scale = max(LEAST_SCALE, float(np.mean(above)) - last)
    hours = len(talk) * step_s / 3600
    return Rarity(last + scale * float(np.log(len(above) / hours)), scale)
