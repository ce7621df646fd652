"""The table as the log tells it: any position, legal or not, with a one-line text form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from urllib.parse import quote, unquote

from referee.cards import Card


class Phase(StrEnum):
    """Where the round stands."""

    SETUP = "setup"
    LIVE = "live"
    PAUSED = "paused"
    CALLED = "called"
    ENDED = "ended"


class StateError(ValueError):
    """A text that is no table state; the message names the part that cannot be read."""


_FLAGS = ("unread", "complete", "turned", "aside")


@dataclass(frozen=True, slots=True)
class PileState:
    """One pile. `cards` are the cards SEEN on it, bottom first: after a gap some may be missing.

    `unread`: its top is not known at the moment. `complete`, `turned`, `aside`: what was seen done with it.
    `at`: image pixels (x, y).
    """

    name: str
    cards: tuple[Card, ...] = ()
    unread: bool = False
    complete: bool = False
    turned: bool = False
    aside: bool = False
    at: tuple[float, float] | None = None

    @property
    def top(self) -> Card | None:
        """The exposed card as last seen; None if none was read."""
        return self.cards[-1] if self.cards else None

    def put(self, card: Card | None) -> PileState:
        """This pile with one more card; None is a card that could not be read."""
        if card is None:
            return replace(self, unread=True)
        return PileState(self.name, (*self.cards, card), complete=self.complete, aside=self.aside, at=self.at)

    def take(self, card: Card | None) -> PileState:
        """This pile without the topmost `card` (its top if None or not among the seen cards)."""
        cards = list(self.cards)
        if card in cards:
            del cards[len(cards) - 1 - cards[::-1].index(card)]
        elif cards and card is None:
            cards.pop()
        return replace(self, cards=tuple(cards), complete=False)

    def text(self) -> str:
        """`d1=red1,red2!turned@10.0,20.0`."""
        flags = "".join(f"!{flag}" for flag in _FLAGS if getattr(self, flag))
        at = "" if self.at is None else f"@{self.at[0]!r},{self.at[1]!r}"
        return f"{_name(self.name)}={','.join(map(str, self.cards))}{flags}{at}"

    @classmethod
    def from_text(cls, text: str) -> PileState:
        """The inverse of `text`."""
        name, _, rest = text.partition("=")
        rest, _, at = rest.partition("@")
        cards, *flags = rest.split("!")
        if not name or not set(flags) <= set(_FLAGS):
            raise ValueError(text)
        where = tuple(float(part) for part in at.split(",")) if at else None
        return cls(
            _named(name),
            tuple(Card.parse(card) for card in cards.split(",") if card),
            at=(where[0], where[1]) if where else None,
            **{flag: True for flag in flags},
        )


@dataclass(frozen=True, slots=True)
class SeatState:
    """One player's own area as far as it is known: None and empty are what was never seen."""

    name: str
    goal: int | None = None
    goal_top: Card | None = None
    wood: Card | None = None
    sides: tuple[PileState, ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """The table at one moment. `taken` are shared piles that left the middle; their cards still count.

    >>> state = TableState(piles=(PileState("d1", (Card.parse("red1"),)),))
    >>> TableState.from_text(state.to_text()) == state
    True
    """

    phase: Phase = Phase.SETUP
    piles: tuple[PileState, ...] = ()
    taken: tuple[PileState, ...] = ()
    seats: tuple[SeatState, ...] = ()
    called_by: tuple[str, ...] = ()
    whistle_t: float | None = None

    def pile(self, name: str) -> PileState | None:
        """The shared pile of that name."""
        return next((pile for pile in self.piles if pile.name == name), None)

    def seat(self, name: str) -> SeatState:
        """The seat of that name; an empty one if nothing is known of it yet."""
        return next((seat for seat in self.seats if seat.name == name), SeatState(name))

    def side_pile(self, seat: str, name: str) -> PileState | None:
        """A player's side pile."""
        return next((pile for pile in self.seat(seat).sides if pile.name == name), None)

    def tops(self) -> tuple[Card, ...]:
        """The top of every shared pile, those taken away included; piles never read are left out."""
        return tuple(pile.top for pile in (*self.piles, *self.taken) if pile.top is not None)

    def with_pile(self, pile: PileState) -> TableState:
        """This state with a shared pile added or replaced."""
        return self._with(_placed(self.piles, pile), self.seats)

    def with_seat(self, seat: SeatState) -> TableState:
        """This state with a seat added or replaced."""
        for at, known in enumerate(self.seats):
            if known.name == seat.name:
                return self._with(self.piles, (*self.seats[:at], seat, *self.seats[at + 1 :]))
        return self._with(self.piles, (*self.seats, seat))

    def with_side(self, seat: str, pile: PileState) -> TableState:
        """This state with a player's side pile added or replaced."""
        known = self.seat(seat)
        sides = _placed(known.sides, pile)
        return self.with_seat(SeatState(known.name, known.goal, known.goal_top, known.wood, sides))

    def _with(self, piles: tuple[PileState, ...], seats: tuple[SeatState, ...]) -> TableState:
        """Quicker than `replace`, which a fold calls for every event."""
        return TableState(self.phase, piles, self.taken, seats, self.called_by, self.whistle_t)

    def to_text(self) -> str:
        """One line that `from_text` reads back to an equal state."""
        parts = [str(self.phase)]
        if self.whistle_t is not None:
            parts.append(f"whistle:{self.whistle_t!r}")
        parts += [f"called:{_name(seat)}" for seat in self.called_by]
        parts += [f"shared:{pile.text()}" for pile in self.piles]
        parts += [f"taken:{pile.text()}" for pile in self.taken]
        for seat in self.seats:
            parts.append(f"seat:{_name(seat.name)}")
            if seat.goal is not None or seat.goal_top is not None:
                top = "" if seat.goal_top is None else f",{seat.goal_top}"
                parts.append(f"goal:{'' if seat.goal is None else seat.goal}{top}")
            if seat.wood is not None:
                parts.append(f"wood:{seat.wood}")
            parts += [f"side:{pile.text()}" for pile in seat.sides]
        return " ".join(parts)

    @classmethod
    def from_text(cls, text: str) -> TableState:
        """The inverse of `to_text`.

        Raises:
            StateError: naming the part that cannot be read.
        """
        words = text.split()
        if not words:
            raise StateError("an empty text is no table state")
        part = words[0]
        reader = _Reader()
        try:
            phase = Phase(part)
            for part in words[1:]:
                key, _, value = part.partition(":")
                reader.take(key, value)
        except ValueError as error:
            raise StateError(f"the part {part!r} of the table state cannot be read") from error
        return cls(
            phase,
            tuple(reader.piles),
            tuple(reader.taken),
            tuple(
                SeatState(name, goal, goal_top, wood, tuple(sides))
                for name, (goal, goal_top, wood), sides in reader.seats
            ),
            tuple(reader.called_by),
            reader.whistle_t,
        )


class _Reader:
    """The parts of a state's text as they come. `seats`: name, [goal, goal top, wood], side piles."""

    def __init__(self) -> None:
        self.piles: list[PileState] = []
        self.taken: list[PileState] = []
        self.called_by: list[str] = []
        self.whistle_t: float | None = None
        self.seats: list[tuple[str, list[Any], list[PileState]]] = []

    def take(self, key: str, value: str) -> None:
        """One part.

        Raises:
            ValueError: if there is no such part, or its value cannot be read.
        """
        match key:
            case "whistle":
                self.whistle_t = float(value)
            case "called":
                self.called_by.append(_named(value))
            case "shared":
                self.piles.append(PileState.from_text(value))
            case "taken":
                self.taken.append(PileState.from_text(value))
            case "seat":
                self.seats.append((_named(value), [None, None, None], []))
            case "goal" | "wood" | "side" if self.seats:
                _, values, sides = self.seats[-1]
                if key == "goal":
                    count, _, top = value.partition(",")
                    values[:2] = [int(count) if count else None, Card.parse(top) if top else None]
                elif key == "wood":
                    values[2] = Card.parse(value)
                else:
                    sides.append(PileState.from_text(value))
            case _:
                raise ValueError(key)


def _placed(piles: tuple[PileState, ...], pile: PileState) -> tuple[PileState, ...]:
    for at, known in enumerate(piles):
        if known.name == pile.name:
            return (*piles[:at], pile, *piles[at + 1 :])
    return (*piles, pile)


def _name(text: str) -> str:
    return quote(text, safe="") or "%"


def _named(text: str) -> str:
    return "" if text == "%" else unquote(text)
