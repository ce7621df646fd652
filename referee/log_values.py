"""The values of a log line, each read strictly: what cannot be is an error that says what to write."""

from __future__ import annotations

import math
from enum import StrEnum
from numbers import Integral, Real
from typing import Any, TypeVar

from referee.cards import Card
from referee.options import nearest


class LogError(ValueError):
    """A log line that cannot be read; the message names the line and says what to do."""


def read_number(value: Any, key: str) -> float:
    """A finite number of a log line.

    Raises:
        LogError: if it is none.
    """
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            if math.isfinite(found := float(value)):
                return found
        except OverflowError:
            pass
    raise LogError(f"{key} should be a number, not {short(value)}")


def read_whole(value: Any, key: str) -> int:
    """A whole number of a log line.

    Raises:
        LogError: if it is none.
    """
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise LogError(f"{key} should be a whole number, not {short(value)}")


def read_probability(value: Any, key: str) -> float | None:
    """A number from 0 to 1, or None.

    Raises:
        LogError: if it is none.
    """
    if value is None:
        return None
    found = read_number(value, key)
    if not 0 <= found <= 1:
        raise LogError(f"{key} should be a number from 0 to 1, not {short(value)}")
    return found


def read_name(value: Any, key: str) -> str | None:
    """A name, or None; a number is as good as its text.

    Raises:
        LogError: if it is none.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(value)
    raise LogError(f"{key} should be a name, not {short(value)}")


_Word = TypeVar("_Word", bound=StrEnum)


def read_word(value: Any, words: type[_Word], key: str) -> _Word:
    """One of the words that a key may have.

    Raises:
        LogError: if it is none.
    """
    try:
        return words(value)
    except ValueError as error:
        known = [str(word) for word in words]
        hint = nearest(value, known) if isinstance(value, str) else ""
        raise LogError(
            f"there is no {key} {short(value)}{hint or '; give one of ' + ', '.join(known)}"
        ) from error


def read_card(value: Any) -> Card | None:
    """The card, or None where its number or colour could not be read.

    Raises:
        LogError: if it names no card.
    """
    if value is None or (
        isinstance(value, dict) and None in (value.get("number", 0), value.get("colour", 0))
    ):
        return None
    try:
        return Card.from_json(value)
    except ValueError as error:
        raise LogError(str(error)) from error


def read_place(value: Any) -> tuple[float, float] | None:
    """A place in the picture (x, y), or None.

    Raises:
        LogError: if it is none.
    """
    if value is None:
        return None
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise LogError(f"at should be a pair of numbers, not {short(value)}")
    return read_number(value[0], "at"), read_number(value[1], "at")


def read_frames(value: Any) -> tuple[int, int] | None:
    """The frame indices before and after, or None.

    Raises:
        LogError: if it is none.
    """
    if value is None:
        return None
    if not isinstance(value, dict) or not {"before", "after"} <= value.keys():
        raise LogError(f"evidence should have the frames before and after, not {short(value)}")
    return read_whole(value["before"], "before"), read_whole(value["after"], "after")


def short(value: Any) -> str:
    """A value as it is quoted in a sentence."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
