"""Five times the word, cut out of a recording, or a sentence that says what to do."""

from __future__ import annotations

import numpy as np
import pytest

from hearing.spectrum import RATE_HZ
from hearing.utterances import MARGIN_S, WordError, checked, cut

RNG = np.random.default_rng(3)


def burst(length_s: float, rms: float = 0.1) -> np.ndarray:
    return RNG.normal(0, rms, int(length_s * RATE_HZ)).astype(np.float32)


def recording(*bursts: np.ndarray, pause_s: float = 0.8, noise: float = 5e-4) -> np.ndarray:
    parts = [np.zeros(RATE_HZ, np.float32)]
    for one in bursts:
        parts += [one, np.zeros(int(pause_s * RATE_HZ), np.float32)]
    whole = np.concatenate(parts)
    return (whole + RNG.normal(0, noise, len(whole))).astype(np.float32)


def test_each_utterance_is_cut_out_with_a_margin() -> None:
    lengths_s = (0.3, 0.35, 0.4, 0.3, 0.45)
    found = cut(recording(*(burst(length_s) for length_s in lengths_s)))
    assert [len(one) / RATE_HZ - 2 * MARGIN_S for one in found] == pytest.approx(lengths_s, abs=0.04)
    assert len(checked(found)) == 5


def test_a_stop_within_a_word_does_not_part_it() -> None:
    word = np.concatenate([burst(0.25), np.zeros(int(0.07 * RATE_HZ), np.float32), burst(0.1, 0.01)])
    assert len(cut(recording(*[word] * 5))) == 5
    assert all(len(one) / RATE_HZ > 0.42 for one in cut(recording(*[word] * 5)))


@pytest.mark.parametrize("length", [0, 100, RATE_HZ * 3])
def test_silence_holds_no_words(length: int) -> None:
    assert cut(np.zeros(length, np.float32)) == []


@pytest.mark.parametrize(
    ("bursts", "said"),
    [
        ([0.4] * 3, "heard 3 times, 5 are needed"),
        ([0.4] * 4 + [2.4], "something of 2.4 s"),
        ([0.4] * 4 + [1.2], "time 5 is much longer"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused_in_one_sentence(bursts: list[float], said: str) -> None:
    with pytest.raises(WordError, match=said) as raised:
        checked(cut(recording(*(burst(length_s) for length_s in bursts))))
    assert "\n" not in str(raised.value)


def test_a_recording_that_is_too_loud_is_refused() -> None:
    clipped = [burst(0.4, 1.0).clip(-1, 1) for _ in range(5)]
    with pytest.raises(WordError, match="too loud"):
        checked(cut(recording(*clipped).clip(-1, 1)))
