"""What hearing learns from: many words by many voices, talk, and the noises of a room, kept in two files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from datasets.noises import card_noise, music, reverberated, room_tone
from datasets.speech import (
    ACCENTS,
    NEAR_WORDS,
    RATE_HZ,
    Voice,
    level,
    near_words,
    otherwise,
    say,
    say_each,
    table_talk,
    voices,
)
from datasets.vocabulary import CALLS, vocabulary

AT_ONCE = 25
SPREAD = 1.4
"""Voices are varied somewhat more than a person varies."""
FLITE_SHARE = 0.3
"""Share of the words that each Flite voice says: it starts anew for each."""
CALLS_AGAIN = 3
"""What tables call out is said so many times more in each round."""
MARKS = ("!", "!", ".", "?", "")
PCM = 32_767


@dataclass(frozen=True, eq=False)
class WordSet:
    """Words said: `sound` int16 (samples,) at 16 kHz, `starts` (n + 1,) into it, `labels` (n,): the word."""

    words: tuple[str, ...]
    sound: np.ndarray
    starts: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)

    def one(self, number: int) -> np.ndarray:
        """The utterance float32 (samples,)."""
        return self.sound[self.starts[number] : self.starts[number + 1]].astype(np.float32) / PCM


def build_words(
    path: Path, words: tuple[str, ...], split: str, rounds: int, seed: int, say_so: Callable[[str], None]
) -> WordSet:
    """Let the voices of `split` say all `words` in each of `rounds`; kept in `path`, and read from there.

    Raises:
        SpeechError: if the programs that speak are not installed.
    """
    if path.exists():
        with np.load(path) as kept:
            return WordSet(words, kept["sound"], kept["starts"], kept["labels"])
    sounds: list[np.ndarray] = []
    labels: list[int] = []
    for number in range(rounds):
        for label, sound in said_once(words, split, np.random.default_rng((seed, number))):
            labels.append(label)
            sounds.append(sound)
        say_so(f"words for {split}: round {number + 1} of {rounds}")
    starts = np.cumsum([0, *(len(one) for one in sounds)])
    found = WordSet(words, np.concatenate(sounds), starts, np.array(labels))
    np.savez(path, sound=found.sound, starts=found.starts, labels=found.labels)
    return found


def said_once(
    words: tuple[str, ...], split: str, rng: np.random.Generator
) -> Iterator[tuple[int, np.ndarray]]:
    """One round: the numbers of the words and how voices of `split` say them, int16 (samples,).

    A voice speaks with any of the accents: there are more accents than its own at a table.
    """
    speakers = voices(split)
    calls = [number for number, word in enumerate(words) if word in CALLS]
    order = rng.permutation([*range(len(words)), *calls * CALLS_AGAIN])
    for at in range(0, len(order), AT_ONCE):
        chosen = order[at : at + AT_ONCE]
        voice = otherwise(speakers[rng.integers(len(speakers))], rng, SPREAD)
        if voice.accent:
            voice = replace(voice, accent=ACCENTS[rng.integers(len(ACCENTS))])
        for i, one in _said([words[i] for i in chosen], voice, rng).items():
            yield int(chosen[i]), np.round(level(one, 0.1).clip(-1, 1) * PCM).astype(np.int16)


def _said(words: list[str], voice: Voice, rng: np.random.Generator) -> dict[int, np.ndarray]:
    """What the voice says of `words`, by their number."""
    marked = [word + MARKS[rng.integers(len(MARKS))] for word in words]
    if voice.engine == "espeak":
        return dict(enumerate(say_each(marked, voice)))
    real = [i for i, word in enumerate(words) if not word.startswith("[[") and rng.random() < FLITE_SHARE]
    return {i: say(marked[i], voice) for i in real}


def build_sounds(
    path: Path, split: str, minutes: int, seed: int, near_share: float = 0.3
) -> dict[str, np.ndarray]:
    """Talk and noises by name, each float32 (samples,) at one loudness; kept in `path`.

    `near_share`: share of the sentences that hold a word much like a call.
    """
    if path.exists():
        with np.load(path) as kept:
            return {name: kept[name].astype(np.float32) for name in kept.files}
    rng = np.random.default_rng(seed)
    speakers = voices(split)
    near = tuple(word for call in NEAR_WORDS for word in near_words(call))
    found: dict[str, list[np.ndarray]] = {"talk": [], "babble": []}
    for number in range(minutes):
        present = [speakers[i] for i in rng.choice(len(speakers), min(5, len(speakers)), replace=False)]
        name, lines = ("babble", 4) if number % 4 == 3 else ("talk", 1 + number % 3)
        talk = table_talk(60, present, rng, near=near, near_share=near_share, lines=lines).samples
        found[name].append(level(reverberated(talk, rng), 0.1))
    length = 60 * RATE_HZ
    found["room"] = [level(room_tone(length, rng), 0.1)]
    found["cards"] = [level(card_noise(length, rng), 0.1)]
    found["music"] = [level(music(length, rng), 0.1)]
    whole = {name: np.concatenate(parts).astype(np.float16) for name, parts in found.items() if parts}
    np.savez(path, **whole)
    return {name: one.astype(np.float32) for name, one in whole.items()}


HELD_OUT = ("banana", "ready", "finished")
"""Calls that no network may know: what a house makes up must be heard as well."""


def teaching_words(invented_count: int, seed: int) -> tuple[str, ...]:
    """The words that hearing is taught with."""
    return vocabulary(invented_count, seed, HELD_OUT)
