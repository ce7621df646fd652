"""The join code: who passes, how guessing is slowed down, and where a link may lead."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.joining import (
    ALPHABET,
    KEY_FILE,
    TRIES_EACH,
    TRIES_IN_ALL,
    WINDOW_S,
    Answer,
    Asker,
    JoinDoor,
    JoinError,
    join_link,
    kept_key,
    new_code,
    plain_code,
    safe_page,
    wanted_code,
)

PHONE, OTHER = "192.168.1.20", "192.168.1.21"


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.mark.parametrize("typed", ["K7M-2QX", "k7m2qx", " k7m 2qx "])
def test_a_code_is_right_however_it_is_written(typed: str) -> None:
    assert JoinDoor("K7M-2QX", b"key").enter(typed, PHONE) is Answer.RIGHT


@given(st.text())
def test_another_code_is_wrong(typed: str) -> None:
    right = plain_code(typed) == plain_code("K7M-2QX")
    assert (JoinDoor("K7M-2QX", b"key").enter(typed, PHONE) is Answer.RIGHT) == right


def test_after_some_wrong_codes_even_the_right_one_has_to_wait() -> None:
    clock = Clock()
    door = JoinDoor("K7M-2QX", b"key", clock)
    assert [door.enter("nonsense", PHONE) for _ in range(TRIES_EACH)] == [Answer.WRONG] * TRIES_EACH
    assert door.enter("K7M-2QX", PHONE) is Answer.LATER
    assert door.enter("K7M-2QX", OTHER) is Answer.RIGHT
    clock.now_s = WINDOW_S
    assert door.enter("K7M-2QX", PHONE) is Answer.RIGHT


def test_many_machines_together_guess_no_faster() -> None:
    clock = Clock()
    door = JoinDoor("K7M-2QX", b"key", clock)
    answers = [door.enter("nonsense", f"192.168.1.{i}") for i in range(2 * TRIES_IN_ALL)]
    assert answers.count(Answer.WRONG) == TRIES_IN_ALL
    assert door.enter("K7M-2QX", "192.168.2.1") is Answer.LATER
    clock.now_s = WINDOW_S
    assert door.enter("K7M-2QX", "192.168.2.1") is Answer.RIGHT


def test_a_cookie_is_good_for_its_own_code_and_key() -> None:
    door = JoinDoor("K7M-2QX", b"key")
    token = door.token()
    assert door.knows(token) and JoinDoor("k7m2qx", b"key").knows(token)
    assert door.token() != token
    assert not JoinDoor("K7M-2QY", b"key").knows(token)
    assert not JoinDoor("K7M-2QX", b"other key").knows(token)


@given(st.text())
def test_no_other_cookie_is_known(token: str) -> None:
    assert not JoinDoor("K7M-2QX", b"key").knows(token)


def test_the_key_is_kept_and_for_its_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    key = kept_key(folder)
    assert len(key) == 32 and kept_key(folder) == key
    assert stat.S_IMODE((folder / KEY_FILE).stat().st_mode) & 0o077 == 0


def test_a_made_up_code_is_long_enough_and_easy_to_read() -> None:
    codes = {new_code() for _ in range(50)}
    assert len(codes) == 50
    assert all(set(code) - {"-"} <= set(ALPHABET) and wanted_code(code) == code for code in codes)
    assert wanted_code("new") not in {"new", wanted_code("new")}


@pytest.mark.parametrize("given", ["", "12345", "a - b - c", "     "])
def test_a_short_code_is_refused_with_what_to_do(given: str) -> None:
    with pytest.raises(JoinError, match="--join new"):
        wanted_code(given)


@pytest.mark.parametrize(
    ("address", "host", "is_here"),
    [
        ("127.0.0.1", "127.0.0.1:8501", True),
        ("127.0.0.1", "localhost:8501", True),
        ("127.0.0.1", "localhost", True),
        ("::1", "[::1]:8501", True),
        ("127.0.0.1", "192.168.1.5:8501", False),
        ("127.0.0.1", "evil.example:8501", False),
        ("127.0.0.1", "localhost.evil.example", False),
        ("127.0.0.1", "", False),
        ("192.168.1.20", "127.0.0.1:8501", False),
        ("", "localhost:8501", False),
        ("testclient", "localhost:8501", False),
    ],
)
def test_this_computer_is_known_by_address_and_name(address: str, host: str, is_here: bool) -> None:
    assert Asker(address, host).is_here == is_here


@pytest.mark.parametrize(
    ("address", "is_near"),
    [("192.168.1.20", True), ("10.0.0.7", True), ("fd00::7", True), ("8.8.8.8", False), ("", False)],
)
def test_nobody_comes_in_over_the_internet(address: str, is_near: bool) -> None:
    assert Asker(address, "192.168.1.5:8501").is_near == is_near


@pytest.mark.parametrize(
    ("origin", "is_from_elsewhere"),
    [
        (None, False),
        ("http://192.168.1.5:8501", False),
        ("http://192.168.1.5:8502", True),
        ("https://evil.example", True),
        ("null", True),
    ],
)
def test_a_page_of_another_site_is_told_apart(origin: str | None, is_from_elsewhere: bool) -> None:
    assert Asker(PHONE, "192.168.1.5:8501", origin).is_from_elsewhere == is_from_elsewhere


@pytest.mark.parametrize(
    ("page", "leads_to"),
    [
        ("/count", "/count"),
        ("/", "/"),
        ("", "/"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/join?code=x", "/"),
        ("/a\r\nSet-Cookie: x", "/"),
    ],
)
def test_a_link_leads_to_a_page_of_this_program_only(page: str, leads_to: str) -> None:
    assert safe_page(page) == leads_to


def test_a_link_carries_the_code_and_the_page() -> None:
    link = join_link("http://192.168.1.5:8501", "a b&c=1", "/scoreboard?x=1")
    assert link == "http://192.168.1.5:8501/join?code=a%20b%26c%3D1&next=%2Fscoreboard%3Fx%3D1"
