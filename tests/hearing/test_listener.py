"""Blocks to words: when a word is heard, when it is not, and that the cut of the blocks does not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearing.embedding import FRAMES, SIZE, levelled
from hearing.learning import learn
from hearing.listener import SMOOTHED, Heard, Listener
from hearing.spectrum import RATE_HZ, spectra
from hearing.spotter import MOST_LOUDER_DB, Background, Role, Sought, Spotter
from hearing.utterances import WordError

LOW_HZ, HIGH_HZ = 500.0, 3000.0
WORD_S = 0.4


def tone(hz: float, length_s: float, rms: float = 0.1) -> np.ndarray:
    t = np.arange(int(length_s * RATE_HZ)) / RATE_HZ
    return (rms * np.sqrt(2) * np.sin(2 * np.pi * hz * t)).astype(np.float32)


def rising(rms: float = 0.1) -> np.ndarray:
    """A "word": a low tone, then a high one."""
    return np.concatenate([tone(LOW_HZ, WORD_S / 2, rms), tone(HIGH_HZ, WORD_S / 2, rms)])


def embed(windows: np.ndarray) -> np.ndarray:
    """Stands for the network: which of two tones sounds in each fifth of the last 0.4 s."""
    seen = levelled(windows)[:, -40:, BANDS_OF_TONES]
    fifths = seen.reshape(len(windows), 5, 8, 2).mean(axis=2).reshape(len(windows), 10)
    vectors = np.where(fifths > 0.2, 1.0, -1.0) @ MIX / np.sqrt(10)
    return vectors.astype(np.float32)


BANDS_OF_TONES = [int(spectra(tone(hz, 0.1)).mean(axis=0).argmax()) for hz in (LOW_HZ, HIGH_HZ)]
MIX = np.linalg.qr(np.random.default_rng(0).normal(size=(SIZE, 10)))[0].T


TALK = Background(np.random.default_rng(9).normal(0, 0.12, (5000, SIZE)))
"""Vectors of sounds that are nothing like the word."""


def padded(sound: np.ndarray) -> np.ndarray:
    return np.pad(sound, int(0.04 * RATE_HZ))


@pytest.fixture(scope="module")
def spotter() -> Spotter:
    return learn(
        "blitz", "Ann", Role.CALL, [padded(rising(rms)) for rms in (0.05, 0.1, 0.1, 0.2, 0.3)], embed
    )


def quiet(length_s: float, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 3e-4, int(length_s * RATE_HZ)).astype(np.float32)


def with_words(length_s: float, *words: tuple[float, np.ndarray]) -> np.ndarray:
    sound = quiet(length_s)
    for at_s, word in words:
        sound[int(at_s * RATE_HZ) :][: len(word)] += word
    return sound


def listen(spotters: list[Spotter], sound: np.ndarray, sizes: list[int], start_s: float = 0.0) -> list[Heard]:
    listener, heard, at = Listener(spotters, embed, TALK), [], 0
    while at < len(sound):
        part = sound[at : at + sizes[len(heard) % len(sizes)]]
        at += len(part)
        heard += listener.push(part, start_s + at / RATE_HZ)
    return heard + listener.finish()


def test_a_word_is_heard_once_with_its_onset(spotter: Spotter) -> None:
    (heard,) = listen([spotter], with_words(6, (3.0, rising())), [1600])
    assert (heard.word, heard.role) == ("blitz", Role.CALL)
    assert heard.onset_s == pytest.approx(3.0, abs=0.1)
    assert heard.p > 0.9


def test_distance_does_not_matter_but_silence_does(spotter: Spotter) -> None:
    for rms in (0.3, 0.05):
        assert len(listen([spotter], with_words(6, (3.0, rising(rms))), [1600])) == 1
    assert listen([spotter], with_words(6, (3.0, rising(2e-4))), [1600]) == []


def test_what_does_not_stand_out_over_the_room_is_not_weighed(spotter: Spotter) -> None:
    loud = with_words(20, *[(0.2 + 0.4 * i, rising(0.1)) for i in range(48)])
    heard = listen([spotter], loud, [1600])
    # Once the room is known to be that loud, the same sound is no call.
    assert all(one.onset_s < 6 for one in heard)


def test_what_is_only_somewhat_like_the_word_must_be_louder_than_the_talk(spotter: Spotter) -> None:
    def least_alike(talk_rms: float) -> float:
        """How like the word the same sound must be after talk of that loudness."""
        talk = [(0.5 * at, tone(1500.0, 0.4, talk_rms)) for at in range(10)]
        sound = with_words(8, *talk, (5.2, rising()))
        for share in np.arange(0.3, 1.0, 0.03, np.float32):
            listener = Listener([spotter], lambda windows, share=share: share * embed(windows), TALK)
            if [*listener.push(sound, 8.0), *listener.finish()]:
                return float(share)
        raise AssertionError("the word itself is not heard")

    assert least_alike(0.01) < least_alike(0.1)


def test_a_call_that_drowns_out_the_talk_counts_no_more_than_one_that_is_loud(spotter: Spotter) -> None:
    sought = Sought([spotter], TALK, SMOOTHED)
    said, loud, louder, muffled = sought.p(np.full(4, 0.5), np.array([0.0, MOST_LOUDER_DB, 40.0, -20.0]))
    assert said < loud == louder and muffled == said


def test_another_sound_is_not_the_word(spotter: Spotter) -> None:
    falling = rising()[::-1].copy()
    assert listen([spotter], with_words(6, (3.0, falling)), [1600]) == []


def test_a_word_at_the_very_beginning_and_at_the_very_end(spotter: Spotter) -> None:
    sound = with_words(5.1, (0.05, rising()), (4.5, rising()))
    assert [round(one.onset_s, 1) for one in listen([spotter], sound, [800])] == pytest.approx(
        [0.05, 4.5], abs=0.11
    )


def test_a_word_repeated_at_once_is_one_and_later_another(spotter: Spotter) -> None:
    sound = with_words(9, (2.0, rising()), (2.7, rising()), (6.0, rising()))
    assert [round(one.onset_s) for one in listen([spotter], sound, [1600])] == [2, 6]


def test_of_several_people_with_one_word_one_is_told(spotter: Spotter) -> None:
    other = learn("blitz", "Bo", Role.CALL, [padded(rising())] * 5, embed)
    assert len(listen([spotter, other], with_words(6, (3.0, rising())), [1600])) == 1


def test_a_hole_in_the_sound_moves_the_clock_along(spotter: Spotter) -> None:
    listener = Listener([spotter], embed, TALK)
    sound = with_words(4, (2.0, rising()))
    heard = [*listener.push(sound, 4.0), *listener.push(sound, 14.0), *listener.finish()]
    assert [round(one.onset_s, 1) for one in heard] == [2.0, 12.0]


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(1, 9000), min_size=1, max_size=6), st.floats(0, 1e4))
def test_the_cut_of_the_blocks_changes_nothing(sizes: list[int], start_s: float) -> None:
    taught = learn("blitz", "Ann", Role.CALL, [padded(rising())] * 5, embed)
    sound = with_words(5, (1.0, rising()), (3.3, rising()))
    sizes = [max(400, size) for size in sizes]
    whole = listen([taught], sound, [len(sound)], start_s)
    pieces = listen([taught], sound, sizes, start_s)
    assert len(whole) == 2
    assert [(one.word, one.p) for one in pieces] == [(one.word, one.p) for one in whole]
    np.testing.assert_allclose([h.onset_s for h in pieces], [h.onset_s for h in whole], atol=1e-6)


def test_an_utterance_unlike_the_others_is_refused() -> None:
    odd = [padded(rising())] * 4 + [padded(rising()[::-1].copy())]
    with pytest.raises(WordError, match="time 5"):
        learn("blitz", "Ann", Role.CALL, odd, embed)


def test_levelled_windows_do_not_depend_on_the_distance() -> None:
    near, far = (spectra(np.pad(rising(rms), (0, RATE_HZ)))[:FRAMES][None] for rms in (0.3, 0.03))
    np.testing.assert_allclose(levelled(near), levelled(far), atol=0.01)
