"""Synthetic speech: many voices of eSpeak NG and Flite that call a word, say another, or talk at a table."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import gcd

import numpy as np
from scipy.signal import resample_poly

RATE_HZ = 16_000
WAV_HEADER_BYTES = 44
"""Both programs write the plainest RIFF header; the lengths in it are wrong when they write to a pipe."""


def listed(text: str, between: str | None = None) -> tuple[str, ...]:
    """The parts of a list that is written as one text."""
    return tuple(text.split(between))


ACCENTS = ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-gb-x-gbclan", "en-gb-x-gbcwmd", "en-029")
TIMBRES = listed(
    """adam Alex Alicia Andrea Andy Annie antonio belinda benjamin boris caleb david Denis Diogo ed edward
    edward2 Gene Gene2 gustave Henrique Hugo iven iven2 iven3 iven4 Jacky john kaukovalta Lee linda marcelo
    Marco Mario max Michael michel miguel Mike pablo paul pedro quincy rob robert sandro shelby steph steph2
    steph3 travis victor zac anika f1 f2 f3 f4 f5 m1 m2 m3 m4 m5 m6 m7 m8 norbert grandma grandpa aunty"""
)
FLITE = {"slt": "test", "rms": "train", "awb": "train", "kal16": "test"}


class SpeechError(ValueError):
    """Speech cannot be made here; the message is one plain sentence that says what to do."""


@dataclass(frozen=True)
class Voice:
    """A speaker. `pitch` 0-99 and `speed_wpm` as eSpeak takes them; Flite's are scaled from them."""

    engine: str
    timbre: str
    accent: str = ""
    pitch: int = 50
    speed_wpm: int = 165

    @property
    def name(self) -> str:
        """Engine, timbre and accent in one word."""
        return "-".join(part for part in (self.engine, self.timbre, self.accent) if part)


@cache
def voices(split: str) -> tuple[Voice, ...]:
    """The speakers of `train`, `validation` or `test`; no timbre is in two of them.

    Pitch and speed of each come from its place in the list, so that they are the same each time.
    """
    found = []
    for number, timbre in enumerate(TIMBRES):
        whose = "test" if number % 3 == 0 else "validation" if number % 12 == 1 else "train"
        if whose == split:
            rng = np.random.default_rng((71, number))
            accent = ACCENTS[number % len(ACCENTS)]
            found.append(
                Voice("espeak", timbre, accent, int(rng.integers(30, 71)), int(rng.integers(145, 190)))
            )
    found += [Voice("flite", timbre) for timbre, whose in FLITE.items() if whose == split]
    return tuple(found)


def say(text: str, voice: Voice) -> np.ndarray:
    """`text` as that voice says it: float32 (samples,) at 16 kHz in -1..1, silence at its ends cut off.

    Raises:
        SpeechError: if the program that speaks is not installed or says nothing.
    """
    return trimmed(_spoken(text, voice))


def say_each(words: Sequence[str], voice: Voice) -> list[np.ndarray]:
    """Each of `words` said alone, all in one breath of the program: as `say`, but far faster.

    Returns nothing where the pauses between the words cannot be told from those within them.

    Raises:
        SpeechError: as `say`.
    """
    samples = _spoken("\n\n".join(words) + "\n", voice)
    frame = RATE_HZ // 100
    loud = np.abs(samples[: len(samples) // frame * frame]).reshape(-1, frame).max(axis=1)
    sounding = np.flatnonzero(loud > loud.max() * 10 ** (-TRIM_DB / 20))
    breaks = np.flatnonzero(np.diff(sounding) > PAUSE_S * 100)
    starts, ends = [0, *(breaks + 1)], [*breaks, len(sounding) - 1]
    if len(starts) != len(words):
        return []
    return [
        trimmed(samples[sounding[start] * frame : (sounding[end] + 1) * frame])
        for start, end in zip(starts, ends, strict=True)
    ]


def _spoken(text: str, voice: Voice) -> np.ndarray:
    if voice.engine == "espeak":
        command = ["espeak-ng", "-v", f"{voice.accent}+{voice.timbre}", "-p", str(voice.pitch)]
        command += ["-s", str(voice.speed_wpm), "--stdout", text]
    else:
        f0 = {"slt": 170, "rms": 105, "awb": 120, "kal16": 105}[voice.timbre] * (0.6 + voice.pitch / 125)
        command = ["flite", "-voice", voice.timbre, "--setf", f"int_f0_target_mean={f0:.0f}", "--setf"]
        command += [f"duration_stretch={165 / voice.speed_wpm:.3f}", "-t", text, "-o", "/dev/stdout"]
    try:
        data = subprocess.run(command, check=True, capture_output=True).stdout
    except FileNotFoundError as error:
        raise SpeechError(f"{command[0]} is not installed; install espeak-ng and flite.") from error
    except subprocess.CalledProcessError as error:
        raise SpeechError(f"{command[0]} cannot say {text!r} with the voice {voice.name}.") from error
    rate_hz = int.from_bytes(data[24:28], "little")
    spoken = np.frombuffer(data[WAV_HEADER_BYTES:][: (len(data) - WAV_HEADER_BYTES) // 2 * 2], "<i2")
    if rate_hz == 0 or not np.any(spoken):
        raise SpeechError(f"{command[0]} says nothing of {text!r} with the voice {voice.name}.")
    common = gcd(rate_hz, RATE_HZ)
    samples = resample_poly(spoken.astype(np.float64) / 32768, RATE_HZ // common, rate_hz // common)
    return samples.astype(np.float32)


TRIM_DB = 40.0
"""What lies so far under the peak of a word is silence."""
PAUSE_S = 0.3
"""No sound within a word is silent for so long."""


def trimmed(samples: np.ndarray, below_peak_db: float = TRIM_DB) -> np.ndarray:
    """`samples` without what lies more than `below_peak_db` under their peak at both ends."""
    loud = np.flatnonzero(np.abs(samples) > np.abs(samples).max() * 10 ** (-below_peak_db / 20))
    return samples[loud[0] : loud[-1] + 1] if len(loud) else samples


def otherwise(voice: Voice, rng: np.random.Generator, spread: float = 1.0) -> Voice:
    """The same speaker at another moment: a little higher or lower, slower or faster."""
    pitch = int(np.clip(voice.pitch + rng.normal(0, 8 * spread), 1, 98))
    speed = int(np.clip(voice.speed_wpm * np.exp(rng.normal(0, 0.09 * spread)), 90, 300))
    return replace(voice, pitch=pitch, speed_wpm=speed)


def call(word: str, voice: Voice, rng: np.random.Generator, spread: float = 1.0) -> np.ndarray:
    """`word` as it is called out once, each time a little differently."""
    mark = ("!", "!", ".", "", "?!")[rng.integers(5)]
    return say(f"{word}{mark}", otherwise(voice, rng, spread))


NEAR_WORDS = {
    "blitz": "bits blink split lips blip bliss glitz list quits built blinds sits bleats fits kits pulls "
    "its brits bleach blips flicks licks plates",
    "nertz": "nerds hurts shirts nurse nuts next notes words dirt skirts hertz nets knits earth nerves",
    "dutch": "touch much such ditch duck dusk dodge clutch crutch dust hutch does judge catch",
    "hoorah": "hooray who are Laura aurora euro her aha drama hurry horror hero sofa",
    "ligretto stop": "allegretto stop|ligretto shop|regret it stop|let it stop|legato top|a little stop",
    "banana": "bandana|an anna|panama|manana|havana|cabana|bahama|vanilla",
    "ready": "red he|steady|already red|read it|redder|ruddy|freddy|reading|rally",
    "finished": "finish|fished|vanished|finnish|diminished|finest|furnished|in it",
}
"""Words that sound much like a call; those with bars are phrases."""


def near_words(word: str) -> tuple[str, ...]:
    """What sounds like `word` and is not it; empty for words that nobody thought of."""
    text = NEAR_WORDS.get(word, "")
    return tuple(text.split("|") if "|" in text else text.split())


_WHO = listed("I you we they she he Ann Ben mum dad grandma everybody nobody Cleo")
_CARDS = [
    f"{c} {n}" for c in ("red", "blue", "green", "yellow") for n in listed("one two three four five six")
]
_CARDS += [
    f"{n} of {s}" for s in listed("hearts spades clubs diamonds") for n in listed("ace king queen ten")
]
_THINGS = listed("tea cake homework football dog window train garden phone dinner shopping movie weather car")
_PLAIN = listed(
    "wait wait wait|no that was mine|oh come on|where did it go|I can't see anything|your turn to deal|"
    "who put that there|that is not fair|move your hand please|I had that card|hang on a second|"
    "can somebody turn the lamp on|did you see that|I was first|okay next round|let me count them|"
    "how many do you have left|shuffle properly this time|not so fast|you are cheating|give me that|"
    "what is the score|one two three four five|ten nine eight seven six|please pass the crisps|"
    "is there any more lemonade|mind the glass|the cat is on the table again|ha ha that was close|"
    "are we playing to seventy five|I think we should go home soon|this is the last one I promise|"
    "my pile is nearly empty|there is nothing I can do|turn three at a time|it goes on top of the other one",
    "|",
)
_FRAMES = listed(
    "who has the {card}|I need a {card}|{who} had the {card} already|put the {card} over there|"
    "the {card} goes on the {card}|{who} said something about the {thing}|did {who} bring the {thing}|"
    "I saw {who} near the {thing} yesterday|we could talk about the {thing} later|"
    "{who} never told me about the {thing} and the {thing}|that {card} is under the {thing}|"
    "tomorrow {who} must take the {thing} to school|quick before {who} plays the {card}|"
    "what colour was it {card} or {card}|{who} always wins when the {thing} is broken",
    "|",
)


def sentence(rng: np.random.Generator, near: Sequence[str] = (), near_share: float = 0.0) -> str:
    """Something said at a card table; with the probability `near_share` one of the words `near` is in it."""

    def one(items: Sequence[str]) -> str:
        return items[rng.integers(len(items))]

    if rng.random() < 0.4:
        text = one(_PLAIN)
    else:
        text = one(_FRAMES)
        for key, items in (("{card}", _CARDS), ("{who}", _WHO), ("{thing}", _THINGS)):
            while key in text:
                text = text.replace(key, one(items), 1)
    if near and rng.random() < near_share:
        words = text.split()
        words.insert(int(rng.integers(len(words) + 1)), one(near))
        text = " ".join(words)
    return text + one(("", ".", "!", "?"))


SHOUTED_SHARE, SHOUTED_DB = 0.1, 8.0
"""One sentence in ten is said so much louder."""


@dataclass(frozen=True)
class Talk:
    """Speech of several people: float32 (samples,) at 16 kHz, and who said what when (start and end, s)."""

    samples: np.ndarray
    said: tuple[tuple[float, float, str, str], ...]


def table_talk(
    length_s: float,
    speakers: Sequence[Voice],
    rng: np.random.Generator,
    *,
    near: Sequence[str] = (),
    near_share: float = 0.0,
    lines: int = 2,
) -> Talk:
    """`length_s` seconds of talk. Each of `lines` threads of talk is a sentence, a pause, a sentence ..."""
    out = np.zeros(int(length_s * RATE_HZ), np.float32)
    said = []
    for _ in range(lines):
        t = float(rng.uniform(0, 2))
        while t < length_s - 0.5:
            voice = speakers[rng.integers(len(speakers))]
            text = sentence(rng, near, near_share)
            louder_db = rng.normal(0, 3) + (SHOUTED_DB if rng.random() < SHOUTED_SHARE else 0.0)
            spoken = level(say(text, otherwise(voice, rng))) * 10 ** (louder_db / 20)
            start = int(t * RATE_HZ)
            part = spoken[: len(out) - start]
            out[start : start + len(part)] += part
            said.append((t, t + len(part) / RATE_HZ, voice.name, text))
            t += len(spoken) / RATE_HZ + float(rng.exponential(0.8)) + 0.1
    return Talk(out, tuple(sorted(said)))


def level(samples: np.ndarray, rms: float = 0.05) -> np.ndarray:
    """`samples` at that root mean square over their loud parts (within 25 dB of the loudest 20 ms)."""
    return (samples * (rms / max(loud_rms(samples), 1e-9))).astype(np.float32)


def loud_rms(samples: np.ndarray) -> float:
    """Root mean square over the 20 ms frames within 25 dB of the loudest one: speech without its pauses."""
    size = RATE_HZ // 50
    padded = np.pad(samples.astype(np.float64), (0, -len(samples) % size))
    power = (padded.reshape(-1, size) ** 2).mean(axis=1)
    loud = power[power >= power.max() * 10**-2.5]
    return float(np.sqrt(loud.mean())) if len(loud) else 0.0
