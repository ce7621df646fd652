"""The part of the set-up that teaches spoken calls: recorded in the page, or out of a sound file."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st

from dashboard import texts
from dashboard.desk import note, plain, section, table
from engine.joining import LOOPBACK_NAMES
from engine.spoken_words import SpokenWords, TaughtWord, TeachingError

SUFFIXES = ["wav", "mp3", "m4a", "ogg", "flac", "webm"]
LONGEST_NAME = 40
MOST_UPLOAD_MB = 20
_RECORDED, _TURN = "call-recorded", "call-turn"


@dataclass(frozen=True, slots=True)
class _Recording:
    """A sound file, and how often something is said in it."""

    data: bytes
    times: int


def calls() -> None:
    """Whether there is a microphone, which words are known, and a place to teach one."""
    words = table().spoken_words
    if words is None:
        return
    with section(texts.CALLS, "calls") as is_open:
        if not is_open:
            return
        reason = words.why_deaf()
        st.caption(plain(texts.CALLS_HEARD if reason is None else texts.no_calls_heard(reason)))
        _known(words)
        st.caption(texts.CALLS_HELP)
        _teach(words)


def _known(words: SpokenWords) -> None:
    try:
        taught = words.taught()
    except TeachingError as error:
        st.warning(plain(texts.refused(str(error))))
        return
    for one in taught:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(plain(texts.taught_word(one.word, one.person, one.stops_play)))
            st.button(
                texts.FORGET_WORD, key=f"forget-word-{one.word}-{one.person}", on_click=_forget, args=(one,)
            )
    if not taught:
        st.caption(texts.NO_WORDS)


def _forget(one: TaughtWord) -> None:
    words = table().spoken_words
    try:
        if words is not None:
            words.forget(one.word, one.person)
    except TeachingError as error:
        note(texts.refused(str(error)))


def _teach(words: SpokenWords) -> None:
    turn = st.session_state.setdefault(_TURN, 0)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        word = st.text_input(
            texts.WORD, max_chars=LONGEST_NAME, key="call-word", placeholder=texts.WORD_EXAMPLE
        ).strip()
        person = st.text_input(texts.WHO_SAYS_IT, max_chars=LONGEST_NAME, key="call-person").strip()
    stops_play = st.toggle(texts.STOPS_PLAY, key="call-stops", help=texts.STOPS_PLAY_HELP)
    # A new key empties the recorder, so that the next time can be said at once.
    sound, file = f"call-sound-{turn}", f"call-file-{turn}"
    if may_record(st.context.url):
        st.audio_input(texts.SAY_IT, key=sound, on_change=_take, args=(sound,))
        # The browser tells the page nothing of a refusal.
        st.caption(texts.IF_REFUSED)
    else:
        st.caption(texts.NO_RECORDING)
    st.file_uploader(
        texts.SOUND_FILE,
        type=SUFFIXES,
        max_upload_size=MOST_UPLOAD_MB,
        key=file,
        on_change=_take,
        args=(file,),
    )
    times = sum(one.times for one in _recorded())
    st.caption(texts.heard_times(times, words.wanted))
    with st.container(horizontal=True):
        enough = bool(word) and times >= words.wanted
        st.button(
            texts.LEARN_WORD,
            type="primary",
            key="call-learn",
            disabled=not enough,
            on_click=_learn,
            args=(word, person or texts.SOMEBODY, stops_play),
        )
        st.button(texts.SAY_ANEW, key="call-anew", disabled=not times, on_click=_start_over)


def may_record(url: str | None) -> bool:
    """Whether a browser lets the page at `url` listen: only encrypted, or on its own computer.

    (W3C Secure Contexts, 3.1; an address that is not known is taken for one of these.)
    """
    address = urlsplit(url or "")
    return address.scheme != "http" or address.netloc.removesuffix(f":{address.port}") in LOOPBACK_NAMES


def _recorded() -> list[_Recording]:
    found: list[_Recording] = st.session_state.setdefault(_RECORDED, [])
    return found


def _start_over() -> None:
    st.session_state[_RECORDED] = []
    st.session_state[_TURN] += 1


def _take(key: str) -> None:
    """Take a new recording in, if anything is said in it."""
    words, given = table().spoken_words, st.session_state[key]
    if words is None or given is None:
        return
    data = given.getvalue()
    try:
        times = words.times([data])
    except TeachingError as error:
        note(texts.refused(str(error)))
        times = 0
    else:
        note("" if times else texts.NOTHING_SAID)
    if times:
        _recorded().append(_Recording(data, times))
    st.session_state[_TURN] += 1


def _learn(word: str, person: str, stops_play: bool) -> None:
    words = table().spoken_words
    if words is None:
        return
    try:
        one = words.teach(word, person, stops_play, [one.data for one in _recorded()])
    except TeachingError as error:
        note(texts.refused(str(error)))
    else:
        note(texts.word_learnt(one.word, one.person, is_heard=words.why_deaf() is None))
    _start_over()
