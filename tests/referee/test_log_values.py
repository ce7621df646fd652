"""Log lines as people write them: what is not known is left out, what cannot be is said in one sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.events import LogError, PlayEvent, read_log
from referee.fold import CorrectionError, effective_events

LINE: dict[str, Any] = {
    "seq": 1, "t": 1.5, "type": "started", "pile": "d1", "card": {"number": 1, "colour": "red"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("seq", 1.5, "seq should be a whole number, not 1.5"),
        ("seq", "a", "seq should be a whole number, not 'a'"),
        ("t", "3", "t should be a number, not '3'"),
        ("t", None, "t should be a number, not None"),
        ("t", True, "t should be a number, not True"),
        ("t", float("nan"), "t should be a number, not nan"),
        ("t", 10**400, "t should be a number, not 1000"),
        ("type", "land", "there is no type 'land'; did you mean landed?"),
        ("type", [], "there is no type []; give one of round_started"),
        ("zone", "shard", "there is no zone 'shard'; did you mean shared?"),
        ("zone", "", "there is no zone ''"),
        ("pile", {}, "pile should be a name, not {}"),
        ("seat", ["left"], "seat should be a name"),
        ("confidence", 5, "confidence should be a number from 0 to 1, not 5"),
        ("seat_p", -0.1, "seat_p should be a number from 0 to 1"),
        ("at", [1], "at should be a pair of numbers, not [1]"),
        ("at", [1, "x"], "at should be a number, not 'x'"),
        ("evidence", [1, 2], "evidence should have the frames before and after"),
        ("card", "red3", "'red3' is no card: give its number and colour"),
        ("card", {"number": 3.7, "colour": "red"}, "3.7 is no card's number"),
        ("card", {"number": True, "colour": "red"}, "True is no card's number"),
        ("card", {"number": 11, "colour": "red"}, "there is no red 11"),
        ("card", {"number": 1, "colour": "Red"}, "there is no colour 'Red': give one of red, blue"),
    ],
)
def test_what_cannot_be_is_said_with_its_line(key: str, value: Any, said: str) -> None:
    with pytest.raises(LogError) as caught:
        list(read_log([json.dumps(LINE), json.dumps(LINE | {key: value})]))
    assert str(caught.value).startswith(f"line 2 of the log cannot be read: {said}")


@pytest.mark.parametrize("key", ["seq", "t", "type"])
def test_what_each_line_needs(key: str) -> None:
    with pytest.raises(LogError, match=f"the key '{key}' is missing"):
        PlayEvent.from_json({k: v for k, v in LINE.items() if k != key})


@pytest.mark.parametrize("text", ["{", "[" * 100_000, '{"seq": ' + "9" * 5000 + "}", "[1]"])
def test_what_is_no_line(text: str) -> None:
    with pytest.raises(LogError, match="line 1 of the log cannot be read: it is not"):
        list(read_log([text]))


@pytest.mark.parametrize("card", [None, {"number": None, "colour": "red"}, {"number": 3, "colour": None}])
def test_a_card_that_was_not_read_is_no_guess(card: Any) -> None:
    assert PlayEvent.from_json(LINE | {"card": card}).card is None


def test_names_that_are_numbers() -> None:
    read = PlayEvent.from_json(LINE | {"pile": 3, "seat": 1, "seq": 7.0})
    assert (read.pile, read.seat, read.seq) == ("3", "1", 7)


@pytest.mark.parametrize("of", ["x", ["x"], [1.5], {}])
def test_a_correction_of_what_is_no_event(of: Any) -> None:
    line = {"seq": 2, "t": 3, "type": "correction", "action": "delete", "of": of}
    with pytest.raises(CorrectionError, match="the correction 2 cannot be applied: of should be a whole"):
        effective_events([PlayEvent.from_json(LINE), PlayEvent.from_json(line)])
