"""Sounds of a room in which cards are played, and speech mixed with them at a chosen level."""

from __future__ import annotations

import numpy as np
from scipy.signal import fftconvolve, lfilter

from datasets.speech import RATE_HZ, loud_rms

KINDS = ("room", "cards", "music", "babble")


def room_tone(length: int, rng: np.random.Generator) -> np.ndarray:
    """`length` samples of pink-like noise with mains hum: ventilation, a fridge, the street."""
    spectrum = np.fft.rfft(rng.normal(0, 1, length))
    frequency = np.fft.rfftfreq(length, 1 / RATE_HZ)
    slope = rng.uniform(0.35, 0.8)
    noise = np.fft.irfft(spectrum / np.maximum(frequency, 40) ** slope, length)
    noise /= noise.std() + 1e-12
    t = np.arange(length) / RATE_HZ
    for harmonic in (1, 2, 3):
        noise += rng.uniform(0, 0.25) * np.sin(2 * np.pi * 50 * harmonic * t + rng.uniform(0, 6))
    return noise.astype(np.float32)


def card_noise(length: int, rng: np.random.Generator, per_s: float = 4.0) -> np.ndarray:
    """`length` samples of cards slapped on a table, slid, and now and then shuffled."""
    out = np.zeros(length + RATE_HZ)
    for _ in range(rng.poisson(per_s * length / RATE_HZ)):
        at = int(rng.integers(length))
        kind = rng.random()
        if kind < 0.6:
            out[at:] += _burst(len(out) - at, rng, decay_s=rng.uniform(0.008, 0.03), low=rng.random() < 0.6)
        elif kind < 0.95:
            out[at:] += 0.25 * _burst(len(out) - at, rng, decay_s=rng.uniform(0.05, 0.15), attack_s=0.05)
        else:
            for step in range(int(rng.integers(10, 30))):
                here = at + int(step * rng.uniform(0.012, 0.02) * RATE_HZ)
                if here < len(out):
                    out[here:] += 0.3 * _burst(len(out) - here, rng, decay_s=0.004)
    return out[:length].astype(np.float32)


def _burst(
    room: int, rng: np.random.Generator, decay_s: float, attack_s: float = 0.001, low: bool = False
) -> np.ndarray:
    length = min(room, int(6 * decay_s * RATE_HZ) + int(attack_s * RATE_HZ))
    t = np.arange(length) / RATE_HZ
    envelope = np.minimum(t / attack_s, 1) * np.exp(-np.maximum(t - attack_s, 0) / decay_s)
    noise = rng.normal(0, 1, length) * envelope
    if low:
        noise = noise + 3 * lfilter([0.08], [1, -0.92], noise)
    out = np.zeros(room)
    out[:length] = noise * 10 ** (rng.normal(0, 5) / 20)
    return out


def music(length: int, rng: np.random.Generator) -> np.ndarray:
    """`length` samples of chords, a bass, a tune with vibrato and a beat."""
    t = np.arange(length) / RATE_HZ
    out = np.zeros(length)
    beat_s = rng.uniform(0.4, 0.7)
    root = rng.uniform(110, 165)
    scale = np.array([0, 2, 4, 5, 7, 9, 11])
    for begin in np.arange(0, length / RATE_HZ, beat_s):
        start, stop = int(begin * RATE_HZ), min(length, int((begin + beat_s) * RATE_HZ))
        here = t[start:stop] - begin
        fade = np.exp(-here / rng.uniform(0.2, 0.8))
        degree = scale[rng.integers(7)]
        for interval, strength in (
            (-12, 0.8),
            (0, 0.5),
            (4, 0.4),
            (7, 0.4),
            (12 + scale[rng.integers(7)], 0.9),
        ):
            f0 = root * 2 ** ((degree + interval) / 12)
            wobble = 0.006 * np.sin(2 * np.pi * 5.5 * here)
            for harmonic in range(1, 7):
                out[start:stop] += (
                    strength / harmonic**1.2 * fade * np.sin(2 * np.pi * f0 * harmonic * here * (1 + wobble))
                )
        hit = rng.normal(0, 1, stop - start) * np.exp(-here / 0.03)
        out[start:stop] += 0.8 * hit
    return out.astype(np.float32)


def reverberated(samples: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """`samples` as a microphone on the table or across it hears them in a living room.

    Exponentially decaying noise after the direct sound (Polack 1988): reverberation time 0.2-0.45 s, the
    direct sound 0-9 dB above all echoes, as at 0.5-1.5 m in a furnished room.
    """
    reverberation_s = rng.uniform(0.2, 0.45)
    length = int(reverberation_s * RATE_HZ)
    tail = rng.normal(0, 1, length) * np.exp(-6.9 * np.arange(length) / length)
    tail[: int(0.002 * RATE_HZ)] = 0
    tail *= 10 ** (-rng.uniform(0, 9) / 20) / np.sqrt((tail**2).sum())
    tail[0] = 1
    return fftconvolve(samples, tail)[: len(samples)].astype(np.float32)


def at_snr(signal_rms: float, noise: np.ndarray, snr_db: float) -> np.ndarray:
    """`noise` scaled so that `signal_rms` lies `snr_db` above it (speech pauses in noise do not count)."""
    return (noise * (signal_rms / max(loud_rms(noise), 1e-9) * 10 ** (-snr_db / 20))).astype(np.float32)
