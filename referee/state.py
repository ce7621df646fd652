"""The table as the log tells it: any position, legal or not, with a one-line text form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
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
        return replace(self, cards=(*self.cards, card), unread=False, turned=False)

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
        return replace(self, piles=_placed(self.piles, pile))

    def with_seat(self, seat: SeatState) -> TableState:
        """This state with a seat added or replaced."""
        if any(known.name == seat.name for known in self.seats):
            return replace(self, seats=tuple(seat if old.name == seat.name else old for old in self.seats))
        return replace(self, seats=(*self.seats, seat))

    def with_side(self, seat: str, pile: PileState) -> TableState:
        """This state with a player's side pile added or replaced."""
        known = self.seat(seat)
        return self.with_seat(replace(known, sides=_placed(known.sides, pile)))

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
        try:
            state = cls(Phase(part))
            for part in words[1:]:
                key, _, value = part.partition(":")
                state = _read_part(state, key, value)
        except ValueError as error:
            raise StateError(f"the part {part!r} of the table state cannot be read") from error
        return state


def _read_part(state: TableState, key: str, value: str) -> TableState:
    match key:
        case "whistle":
            return replace(state, whistle_t=float(value))
        case "called":
            return replace(state, called_by=(*state.called_by, _named(value)))
        case "shared":
            return replace(state, piles=(*state.piles, PileState.from_text(value)))
        case "taken":
            return replace(state, taken=(*state.taken, PileState.from_text(value)))
        case "seat":
            return replace(state, seats=(*state.seats, SeatState(_named(value))))
    if not state.seats:
        raise ValueError(key)
    seat = state.seats[-1]
    match key:
        case "goal":
            count, _, top = value.partition(",")
            seat = replace(
                seat, goal=int(count) if count else None, goal_top=Card.parse(top) if top else None
            )
        case "wood":
            seat = replace(seat, wood=Card.parse(value))
        case "side":
            seat = replace(seat, sides=(*seat.sides, PileState.from_text(value)))
        case _:
            raise ValueError(key)
    return replace(state, seats=(*state.seats[:-1], seat))


def _placed(piles: tuple[PileState, ...], pile: PileState) -> tuple[PileState, ...]:
    if any(known.name == pile.name for known in piles):
        return tuple(pile if old.name == pile.name else old for old in piles)
    return (*piles, pile)


def _name(text: str) -> str:
    return quote(text, safe="") or "%"


def _named(text: str) -> str:
    return "" if text == "%" else unquote(text)
