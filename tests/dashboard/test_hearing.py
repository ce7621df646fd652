"""The set-up teaches calls: recorded in the page or out of a file; without a microphone all else works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.hearing import may_record
from engine.spoken_words import TaughtWord, TeachingError
from tests.dashboard.conftest import Show
from tests.dashboard.tables import FakeTable, button, press, unfolded, words_of

NO_MICROPHONE = "no microphone was found; plug one in, or use the call button"


@dataclass
class FakeWords:
    """Words that are learnt at once; each byte of a recording is one time that the word was said."""

    reason: str | None = None
    known: list[TaughtWord] = field(default_factory=list)
    wanted: int = 5

    def why_deaf(self) -> str | None:
        return self.reason

    def taught(self) -> tuple[TaughtWord, ...]:
        if any(one.word == "damaged" for one in self.known):
            raise TeachingError("the taught word in damaged.json is damaged; delete that file")
        return tuple(self.known)

    def times(self, recordings: list[bytes]) -> int:
        if b"kittens" in recordings:
            raise TeachingError("the recording holds no sound that can be read; give a WAV file.")
        return sum(len(one) for one in recordings)

    def teach(self, word: str, person: str, stops_play: bool, recordings: list[bytes]) -> TaughtWord:
        assert self.times(recordings) >= self.wanted
        if word == "odd":
            raise TeachingError("time 3 does not sound like the others; say the same word each time")
        self.known.append(TaughtWord(word, person, stops_play))
        return self.known[-1]

    def forget(self, word: str, person: str) -> None:
        found = [one for one in self.known if (one.word, one.person) == (word, person)]
        if not found:
            raise TeachingError(f"no word {word} was taught by {person}")
        self.known.remove(found[0])


Page = Callable[[FakeWords | None], AppTest]


@pytest.fixture
def page(show: Show, fake: Callable[..., FakeTable]) -> Page:
    def opened(words: FakeWords | None) -> AppTest:
        table = fake()
        table.spoken_words = words  # type: ignore[assignment]
        return unfolded(show("setup", table), "calls")

    return opened


def said(shown: AppTest) -> str:
    return words_of(shown).replace("\\", "")


def field_of(shown: AppTest, key: str) -> Any:
    return next(one for one in shown.text_input if one.key == key)


def record(shown: AppTest, *recordings: bytes) -> AppTest:
    """Record in the page, one after another."""
    for data in recordings:
        shown.audio_input[0].set_value(("said.wav", data, "audio/wav"))
        shown.run()
        assert not shown.exception
    return shown


def test_no_microphone_is_told_and_words_can_be_taught_all_the_same(page: Page) -> None:
    words = FakeWords(NO_MICROPHONE)
    shown = page(words)
    assert f"No call is heard at this table: {NO_MICROPHONE}." in said(shown)
    assert "No word is taught yet." in said(shown)
    shown.file_uploader[0].set_value([("blitz.mp3", b"12345", "audio/mpeg")])
    field_of(shown.run(), "call-word").set_value("blitz").run()
    shown = press(shown, "Learn this word")
    assert words.known == [TaughtWord("blitz", "somebody", False)]
    assert "is known now." in said(shown) and "heard from now on" not in said(shown)


def test_a_browser_that_refuses_the_microphone_is_foreseen(page: Page) -> None:
    assert "If it was refused, allow it beside the address of this page" in said(page(FakeWords()))


def test_a_word_is_recorded_time_by_time_learnt_and_forgotten(page: Page) -> None:
    words = FakeWords()
    shown = page(words)
    assert "A call that is taught here is heard" in said(shown)
    field_of(shown, "call-word").set_value("hoorah")
    field_of(shown, "call-person").set_value("Ann *A*")
    shown = record(shown.run(), b"1", b"1", b"12")
    assert "Recorded 4 of 5 times." in said(shown) and button(shown, "Learn this word").disabled
    shown = record(shown, b"1")
    assert "Recorded 5 times: enough." in said(shown)
    shown.toggle(key="call-stops").set_value(True).run()
    shown = press(shown, "Learn this word")
    assert words.known == [TaughtWord("hoorah", "Ann *A*", True)]
    assert "hoorah, said by Ann *A*, stops play" in said(shown)
    assert "heard from now on" in said(shown) and "Recorded 0 of 5 times." in said(shown)
    press(shown, "Forget it")
    assert words.known == []


def test_without_a_word_nothing_can_be_learnt_and_recordings_can_be_dropped(page: Page) -> None:
    shown = record(page(FakeWords()), b"12345")
    assert button(shown, "Learn this word").disabled
    shown = press(shown, "Record anew")
    assert "Recorded 0 of 5 times." in said(shown)


@pytest.mark.parametrize(
    ("data", "says"), [(b"kittens", "holds no sound that can be read"), (b"", "Nothing was said in this")]
)
def test_a_recording_that_cannot_be_used_is_told_and_does_not_count(
    page: Page, data: bytes, says: str
) -> None:
    shown = record(page(FakeWords()), b"12")
    shown.file_uploader[0].set_value([("a.wav", data, "audio/wav")])
    shown.run()
    assert not shown.exception
    assert says in said(shown) and "Recorded 2 of 5 times." in said(shown)


def test_a_word_that_cannot_be_learnt_is_told_and_recorded_anew(page: Page) -> None:
    words = FakeWords()
    shown = page(words)
    field_of(shown, "call-word").set_value("odd")
    shown = press(record(shown.run(), b"12345"), "Learn this word")
    assert "time 3 does not sound like the others" in said(shown) and words.known == []
    assert "Recorded 0 of 5 times." in said(shown)


def test_a_damaged_word_is_told_and_one_that_is_gone_already_does_no_harm(page: Page) -> None:
    assert "damaged.json is damaged" in said(page(FakeWords(known=[TaughtWord("damaged", "Ann", False)])))
    words = FakeWords(known=[TaughtWord("blitz", "Ann", False)])
    shown = page(words)
    assert "blitz, said by Ann, ends the round" in said(shown)
    words.known.clear()
    assert "no word blitz was taught by Ann" in said(press(shown, "Forget it"))


@pytest.mark.parametrize(
    ("url", "may"),
    [
        ("http://localhost:8501/setup", True),
        ("http://127.0.0.1:8501/setup", True),
        ("http://[::1]:8501/setup", True),
        ("https://table.example/setup", True),
        (None, True),
        ("http://192.168.1.20:8501/setup", False),
        ("http://table.local/setup", False),
    ],
)
def test_a_page_listens_only_where_browsers_let_it(url: str | None, may: bool) -> None:
    assert may_record(url) is may


def test_a_table_that_listens_to_nothing_says_nothing_of_calls(page: Page) -> None:
    assert not page(None).audio_input
