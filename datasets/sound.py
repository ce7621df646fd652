"""Sound for recorded rounds: the call at the moment of the truth, over table talk and the noise of cards."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from datasets.noises import at_snr, card_noise, reverberated, room_tone
from datasets.speech import RATE_HZ, Voice, call, level, near_words, table_talk
from referee.events import EventType, PlayEvent

AAC_FRAME = 1024
OPUS_BITS_PER_S = 12_000


@dataclass(frozen=True)
class Spoken:
    """A word said by a voice, its onset at `t_s`."""

    t_s: float
    word: str
    voice: Voice


def scene(
    length_s: float,
    spoken: Sequence[Spoken],
    rng: np.random.Generator,
    *,
    talkers: Sequence[Voice] = (),
    snr_db: float = 10.0,
) -> np.ndarray:
    """Sound float32 (samples,) at 16 kHz: the spoken words over talk, cards and the room.

    `snr_db`: how far a spoken word lies above everything else (loud parts, without pauses). Without
    `talkers` nobody talks.
    """
    length = int(length_s * RATE_HZ)
    noise = card_noise(length, rng) + 0.05 * room_tone(length, rng)
    if talkers:
        near = near_words(spoken[0].word) if spoken else ()
        talk = table_talk(length_s, talkers, rng, near=near, near_share=0.05)
        noise = 0.3 * noise + level(reverberated(talk.samples, rng), 0.3)
    out = at_snr(0.1, noise, snr_db)
    for one in spoken:
        said = level(reverberated(np.pad(call(one.word, one.voice, rng), (0, RATE_HZ // 5)), rng), 0.1)
        start = int(one.t_s * RATE_HZ)
        part = said[: max(0, length - start)]
        out[start : start + len(part)] += part
    return (out * min(1.0, 0.9 / max(float(np.abs(out).max()), 1e-9))).astype(np.float32)


def write_sound(path: Path, samples: np.ndarray) -> None:
    """Write float32 (samples,) at 16 kHz; the form by the name: .wav, .flac, .ogg (Opus), .m4a."""
    codec = {".wav": "pcm_s16le", ".flac": "flac", ".ogg": "libopus", ".m4a": "aac"}[path.suffix]
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=RATE_HZ, layout="mono")
        if codec == "libopus":
            stream.bit_rate = OPUS_BITS_PER_S
        _encode(container, stream, samples)


def _encode(container: av.container.OutputContainer, stream: av.AudioStream, samples: np.ndarray) -> None:
    pcm = (np.clip(samples, -1, 1) * 32767).astype("<i2")
    fifo = av.AudioFifo()
    frame = av.AudioFrame.from_ndarray(pcm[None], format="s16", layout="mono")
    frame.sample_rate, frame.pts, frame.time_base = RATE_HZ, 0, Fraction(1, RATE_HZ)
    resampler = av.AudioResampler(format=stream.format, layout="mono", rate=RATE_HZ)
    for part in (*resampler.resample(frame), *resampler.resample(None)):
        fifo.write(part)
    size = stream.codec_context.frame_size or AAC_FRAME
    while (part := fifo.read(size, partial=True)) is not None:
        container.mux(stream.encode(part))
    container.mux(stream.encode(None))


def add_sound(film: Path, samples: np.ndarray) -> None:
    """Give the MP4 file `film` a sound track, from its first picture on; its pictures stay as they are."""
    handle, name = tempfile.mkstemp(suffix=film.suffix, dir=film.parent)
    os.close(handle)
    try:
        with av.open(str(film)) as before, av.open(name, "w", format="mp4") as after:
            pictures = before.streams.video[0]
            copied = after.add_stream_from_template(pictures)
            sound = after.add_stream("aac", rate=RATE_HZ, layout="mono")
            for packet in before.demux(pictures):
                if packet.dts is not None:
                    packet.stream = copied
                    after.mux(packet)
            _encode(after, sound, samples)
        os.replace(name, film)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def add_calls(
    film: Path,
    truth: Sequence[PlayEvent],
    word: str,
    voices: Sequence[Voice],
    rng: np.random.Generator,
    *,
    talkers: Sequence[Voice] = (),
    snr_db: float = 10.0,
) -> tuple[Spoken, ...]:
    """Make each call of `truth` heard in `film`, spoken by the voice of its seat; returns what is spoken.

    `voices` belong to the seats in the order of their names.

    Raises:
        SpeechError: if no program that speaks is installed.
    """
    with av.open(str(film)) as container:
        length_s = (container.duration or 0) / av.time_base
    seats = sorted({event.seat or "" for event in truth})
    spoken = tuple(
        Spoken(event.t, word, voices[seats.index(event.seat or "") % len(voices)])
        for event in truth
        if event.type is EventType.CALLED
    )
    add_sound(film, scene(length_s, spoken, rng, talkers=talkers, snr_db=snr_db))
    return spoken
