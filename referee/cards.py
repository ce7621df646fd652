"""Cards, face colours and deck backs: the vocabulary that every room shares."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from numbers import Integral
from typing import Any


class Family(StrEnum):
    """Which kind of deck a card belongs to."""

    BLITZ = "blitz"
    STANDARD = "standard"


class Colour(StrEnum):
    """The FACE colour of a card: four Dutch Blitz colours and the four standard suits."""

    RED = "red"
    BLUE = "blue"
    GREEN = "green"
    YELLOW = "yellow"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"
    CLUBS = "clubs"
    SPADES = "spades"

    @property
    def family(self) -> Family:
        """The deck family that this colour occurs in."""
        return Family.BLITZ if self in BLITZ_COLOURS else Family.STANDARD


BLITZ_COLOURS = (Colour.RED, Colour.BLUE, Colour.GREEN, Colour.YELLOW)
SUITS = (Colour.HEARTS, Colour.DIAMONDS, Colour.CLUBS, Colour.SPADES)
BOY_COLOURS = frozenset({Colour.RED, Colour.BLUE})
RED_SUITS = frozenset({Colour.HEARTS, Colour.DIAMONDS})

ACE, JACK, QUEEN, KING = 1, 11, 12, 13
_RANK_LETTERS = {ACE: "A", JACK: "J", QUEEN: "Q", KING: "K"}
_RANK_WORDS = {ACE: "ace", JACK: "jack", QUEEN: "queen", KING: "king"}
_LETTER_RANKS = {letter: rank for rank, letter in _RANK_LETTERS.items()}
_SUIT_LETTERS = {Colour.HEARTS: "H", Colour.DIAMONDS: "D", Colour.CLUBS: "C", Colour.SPADES: "S"}
_LETTER_SUITS = {letter: suit for suit, letter in _SUIT_LETTERS.items()}

DRAWINGS = ("pump", "carriage", "plow", "pail", "wheelbarrow", "hat", "can", "churn")
"""The pictures on the backs, in the order used throughout."""

DECKS = (
    "pump",
    "carriage",
    "plow",
    "pail",
    "blue-pump",
    "blue-carriage",
    "blue-plow",
    "blue-pail",
    "wheelbarrow",
    "hat",
    "can",
    "churn",
)
"""Names of the twelve known backs: the original box, the blue expansion, the third pack."""


def highest_number(family: Family) -> int:
    """The highest card number of a deck: 10 in Dutch Blitz, 13 (king) in a standard deck."""
    return 10 if family is Family.BLITZ else 13


@dataclass(frozen=True, order=True, slots=True)
class Card:
    """One card face. `number` 1-13 (ace 1, jack 11, queen 12, king 13; 1-10 in Dutch Blitz).

    >>> str(Card.parse("red7")), str(Card.parse("QH")), Card.parse("QH").words
    ('red7', 'QH', 'queen of hearts')

    Raises:
        ValueError: if the number does not occur in the colour's family.
    """

    number: int
    colour: Colour

    def __post_init__(self) -> None:
        object.__setattr__(self, "colour", Colour(self.colour))
        if not 1 <= self.number <= highest_number(self.colour.family):
            raise ValueError(f"there is no {self.colour} {self.number}")

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read `red7`, `7 red`, `QH`, `10d`; the inverse of `str`.

        Raises:
            ValueError: if the text names no card.
        """
        return cls(*_named(text))

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Card:
        """Read `{"number": 7, "colour": "red"}`.

        Raises:
            ValueError: if a key is missing or a value names no card.
        """
        if not isinstance(data, dict) or not {"number", "colour"} <= data.keys():
            raise ValueError(f"{data!r} is no card: give its number and colour")
        number, colour = data["number"], data["colour"]
        if isinstance(number, bool) or not isinstance(number, Integral):
            raise ValueError(f"{number!r} is no card's number: give a whole number")
        try:
            known = Colour(colour)
        except ValueError as error:
            raise ValueError(f"there is no colour {colour!r}: give one of {', '.join(Colour)}") from error
        return cls(int(number), known)

    def to_json(self) -> dict[str, Any]:
        """The inverse of `from_json`."""
        return {"number": self.number, "colour": str(self.colour)}

    @property
    def family(self) -> Family:
        """The deck family that this card belongs to."""
        return self.colour.family

    @property
    def is_boy(self) -> bool:
        """True for the red and blue Dutch Blitz cards, which show a boy; yellow and green show a girl."""
        return self.colour in BOY_COLOURS

    @property
    def is_red(self) -> bool:
        """True for hearts and diamonds."""
        return self.colour in RED_SUITS

    @property
    def words(self) -> str:
        """What a player would say: `red 7`, `queen of hearts`."""
        if self.family is Family.BLITZ:
            return f"{self.colour} {self.number}"
        return f"{_RANK_WORDS.get(self.number, str(self.number))} of {self.colour}"

    def __str__(self) -> str:
        if self.family is Family.BLITZ:
            return f"{self.colour}{self.number}"
        return f"{_RANK_LETTERS.get(self.number, str(self.number))}{_SUIT_LETTERS[self.colour]}"


@lru_cache(maxsize=1024)
def _named(text: str) -> tuple[int, Colour]:
    """Number and colour of a card's text; logs and states name the same few cards again and again."""
    squeezed = text.strip().replace(" ", "").lower()
    colours = r"(?P<colour>red|blue|green|yellow)"
    for pattern in (colours + r"(?P<rank>\d+)", r"(?P<rank>\d+)" + colours):
        found = re.fullmatch(pattern, squeezed)
        if found:
            return int(found["rank"]), Colour(found["colour"])
    found = re.fullmatch(r"(?P<rank>[ajqk]|\d+)(?P<suit>[hdcs])", squeezed)
    if not found:
        raise ValueError(f"{text!r} is no card; write for example red7 or QH")
    rank = found["rank"].upper()
    number = _LETTER_RANKS[rank] if rank in _LETTER_RANKS else int(rank)
    return number, _LETTER_SUITS[found["suit"].upper()]
