"""How well taught calls are heard over table talk, and how often talk is taken for one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from datasets.noises import at_snr, card_noise, reverberated, room_tone
from datasets.speech import RATE_HZ, Voice, call, level, loud_rms, near_words, table_talk, voices
from datasets.word_set import HELD_OUT
from engine.evaluation.matching import Share
from engine.words import Hearing, teach
from hearing.listener import Heard, Listener
from hearing.spotter import Role, Spotter
from hearing.utterances import WANTED, WordError

KNOWN = ("blitz", "nertz", "dutch", "hoorah")
"""Calls that the network was taught with, by other voices; those of HELD_OUT it never heard."""
SNRS_DB: dict[str, float | None] = {"clean": None, "20 dB": 20.0, "10 dB": 10.0, "5 dB": 5.0}
"""How far a call lies above the talk and the cards, both measured without their pauses."""
AT_A_TABLE = 4
"""People of a household who teach their word."""
CALLS = 3
"""Times that each of them calls at each level."""
GAP_S = 4.0
TOLERANCE_S = 0.5
"""A call is matched by its onset within this time, as logs are compared."""
TEACHING_SNR_DB, CLEAN_SNR_DB = 25.0, 40.0
CARDS_SNR_DB = 12.0
"""Cards and room lie so far under the talk."""
NEAR_SHARE = 0.05
"""Share of the sentences that hold a word much like a call."""
BLOCK = RATE_HZ // 10
AT_ONCE_S = 60.0


@dataclass
class HearingFigures:
    """What was counted. `missed` by level, of taught and of held-out words; `false_calls` in the talk."""

    missed: dict[str, dict[str, Share]] = field(
        default_factory=lambda: {kind: {level: Share() for level in SNRS_DB} for kind in ("taught", "new")}
    )
    not_taught: Share = field(default_factory=Share)
    households: int = 0
    hours: float = 0.0
    false_calls: dict[str, int] = field(default_factory=dict)
    mistaken: list[str] = field(default_factory=list)
    late_s: list[float] = field(default_factory=list)

    @property
    def false_per_hour(self) -> float:
        """False calls an hour of talk at one table."""
        return sum(self.false_calls.values()) / max(1e-9, self.hours * self.households)

    def called(self, kind: str, level: str, onsets_s: Sequence[float], heard: Sequence[Heard]) -> None:
        """Count which of the calls were heard."""
        for onset_s in onsets_s:
            off_s = [abs(one.onset_s - onset_s) for one in heard]
            missed = not off_s or min(off_s) > TOLERANCE_S
            self.missed[kind][level].add(missed)
            if not missed:
                self.late_s.append(min(off_s))

    def to_json(self) -> dict[str, Any]:
        """The figures for `--json`."""
        off = np.percentile(self.late_s, [50, 95]).round(3).tolist() if self.late_s else None
        return {
            "missed": {
                kind: {level: str(share) for level, share in shares.items()}
                for kind, shares in self.missed.items()
            },
            "not_taught": str(self.not_taught),
            "households": self.households,
            "hours_of_talk": round(self.hours, 3),
            "false_calls": self.false_calls,
            "false_calls_per_hour": round(self.false_per_hour, 3),
            "onset_off_s_p50_p95": off,
            "mistaken": self.mistaken,
        }


def measure_hearing(
    hearing: Hearing, minutes: int, seed: int, progress: Callable[[int, int], None], households: int = 1
) -> HearingFigures:
    """Teach `households` of test voices each word, let them call, and listen to `minutes` of talk.

    Raises:
        SpeechError: if the programs that speak are not installed.
    """
    figures = HearingFigures()
    speakers = voices("test")
    rng = np.random.default_rng(seed)
    beds = [_talk(speakers, rng).sound for _ in range(3)]
    words = (*KNOWN, *HELD_OUT)
    steps = households * len(words) + minutes
    tables: list[list[Spotter]] = []
    for turn in range(households):
        taught: list[Spotter] = []
        for number, word in enumerate(words):
            # The next turn has other people say the word.
            first = (turn + number) * AT_A_TABLE
            people = [speakers[(first + at) * 5 % len(speakers)] for at in range(AT_A_TABLE)]
            taught += _household(figures, hearing, word, people, beds, rng)
            progress(turn * len(words) + number + 1, steps)
        tables.append(taught)
    figures.households = sum(len({spotter.word for spotter in taught}) for taught in tables)
    for minute in range(minutes):
        talk = _talk(speakers, rng)
        figures.hours += len(talk.sound) / RATE_HZ / 3600
        for taught in tables:
            for heard in _listen(Listener(taught, hearing.embed, hearing.background), talk.sound):
                figures.false_calls[heard.word] = figures.false_calls.get(heard.word, 0) + 1
                figures.mistaken.append(f"{heard.word} {heard.p:.2f}: {talk.at(heard.onset_s)}")
        progress(steps - minutes + minute + 1, steps)
    return figures


def _household(
    figures: HearingFigures,
    hearing: Hearing,
    word: str,
    people: Sequence[Voice],
    beds: Sequence[np.ndarray],
    rng: np.random.Generator,
) -> list[Spotter]:
    """What is learnt of the word as these people teach it; their calls over `beds` are counted."""
    kind = "taught" if word in KNOWN else "new"
    household: list[Spotter] = []
    called: list[tuple[str, np.ndarray, list[float]]] = []
    for voice in people:
        teaching, calls = _teaching(word, voice, rng), []
        for name, snr_db in SNRS_DB.items():
            bed = beds[int(rng.integers(len(beds)))]
            calls.append((name, *_calling(word, voice, snr_db, bed, rng)))
        try:
            household.append(teach(teaching, word, voice.name, Role.CALL, hearing))
            called += calls
        except WordError:
            figures.not_taught.add(True)
            continue
        figures.not_taught.add(False)
    # As at a table, the words of all of them are listened for.
    for name, sound, onsets_s in called:
        listener = Listener(household, hearing.embed, hearing.background)
        figures.called(kind, name, onsets_s, _listen(listener, sound))
    return household


@dataclass(frozen=True, eq=False)
class _Bed:
    """Talk and cards: float32 (samples,), and who said what when."""

    sound: np.ndarray
    said: tuple[tuple[float, float, str, str], ...]

    def at(self, t_s: float) -> str:
        """What is being said there."""
        return " / ".join(text for start, end, _, text in self.said if start - 0.2 < t_s < end)


def _talk(speakers: Sequence[Voice], rng: np.random.Generator) -> _Bed:
    """A minute of talk of five people, one, two or three at a time, with cards and room."""
    present = [speakers[i] for i in rng.choice(len(speakers), 5, replace=False)]
    near = tuple(word for call in (*KNOWN, *HELD_OUT) for word in near_words(call))
    talk = table_talk(
        AT_ONCE_S, present, rng, near=near, near_share=NEAR_SHARE, lines=int(rng.integers(1, 4))
    )
    sound = level(reverberated(talk.samples, rng), 0.05)
    cards = card_noise(len(sound), rng) + 0.05 * room_tone(len(sound), rng)
    return _Bed(sound + at_snr(0.05, cards, CARDS_SNR_DB), talk.said)


def _teaching(word: str, voice: Voice, rng: np.random.Generator) -> np.ndarray:
    """The voice says the word five times in a quiet room: float32 (samples,)."""
    pause = np.zeros(RATE_HZ, np.float32)
    parts = [pause]
    for _ in range(WANTED):
        parts += [level(call(word, voice, rng), 0.1), pause]
    recording = reverberated(np.concatenate(parts), rng)
    noise = at_snr(loud_rms(recording), room_tone(len(recording), rng), TEACHING_SNR_DB)
    return np.asarray(recording + noise)


def _calling(
    word: str, voice: Voice, snr_db: float | None, bed: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, list[float]]:
    """The voice calls now and then over `bed`, or in a quiet room: the sound, and the onsets in s."""
    gap = int(GAP_S * RATE_HZ)
    sound = np.zeros((CALLS + 1) * gap, np.float32)
    onsets_s = []
    for number in range(CALLS):
        at = number * gap + int(rng.integers(RATE_HZ, gap - RATE_HZ // 2))
        spoken = level(reverberated(np.pad(call(word, voice, rng), (0, RATE_HZ // 2)), rng), 0.1)
        sound[at : at + len(spoken)] += spoken
        onsets_s.append(at / RATE_HZ)
    first = int(rng.integers(len(bed) - len(sound)))
    noise = room_tone(len(sound), rng) if snr_db is None else bed[first : first + len(sound)]
    return sound + at_snr(0.1, noise, CLEAN_SNR_DB if snr_db is None else snr_db), onsets_s


def _listen(listener: Listener, sound: np.ndarray) -> list[Heard]:
    heard = []
    for at in range(0, len(sound), BLOCK):
        part = sound[at : at + BLOCK]
        heard += listener.push(part, (at + len(part)) / RATE_HZ)
    return heard + listener.finish()
