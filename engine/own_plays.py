"""What is played in the players' own areas, as far as it was seen: side piles card by card, and wood tops.

A card that covers another one on a side pile is told as watched, and so may be judged, only where nothing
else can have happened: both were read surely, the lower one was seen lying there until just before the
upper one came, and the upper one was seen to leave another place of the same player. What is told else is
told as `occluded`, which accuses nobody.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.infer import READ_AGAIN_P, SOURCE
from vision.sights import Rested

SURE_P = 0.99
"""A card that takes part in an accusation is read this surely, which takes several looks."""
COVERED_S = 0.4
"""In so little time nobody carries a card to the middle and another one to the place that it left."""
WOOD = "wood"


class Role(Enum):
    """What lies on a place, as far as it is known."""

    GOAL = "goal"
    SIDE = "side"
    WOOD = "wood"


@dataclass
class Place:
    """A place of a seat's own area. `shown`: what lay on top, the present top last; `goal`, `side`: what
    speaks for either; `changes`: how many tops went; `emptied_s`: since when it is empty; `told` that it ran
    out; `left`: the goal cards told last; `unsure`: told that they are not known, as the place is out of
    sight. `name`: its name among the places of the seat; `since_s`: when it was first seen; `turned`: cards
    that came from nowhere else.

    `is_told`: its plays are in the log; `cards`: those that lie there as the log has it, bottom first;
    `unread`: the log says that the top is not known; `top_p`: how surely the top was read.
    """

    seat: str
    at: tuple[float, float]
    shown: list[Card | None] = field(default_factory=list)
    changed_s: float = 0.0
    goal: int = 0
    side: int = 0
    changes: int = 0
    emptied_s: float | None = None
    told: bool = False
    left: int | None = None
    unsure: bool = False
    name: str = WOOD
    since_s: float = 0.0
    turned: int = 0
    is_told: bool = False
    cards: list[Card] = field(default_factory=list)
    unread: bool = False
    top_p: float = 0.0

    @property
    def top(self) -> Card | None:
        """What lies on top, if that was read."""
        return self.shown[-1] if self.shown else None

    def to_json(self) -> dict[str, Any]:
        """The place as JSON values."""
        shown = [None if card is None else card.to_json() for card in self.shown]
        cards = [card.to_json() for card in self.cards]
        return {**vars(self), "at": list(self.at), "shown": shown, "cards": cards}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Place:
        """The inverse of `to_json`."""
        shown = [None if card is None else Card.from_json(card) for card in data["shown"]]
        cards = [Card.from_json(card) for card in data.get("cards", ())]
        return cls(**{**data, "at": (data["at"][0], data["at"][1]), "shown": shown, "cards": cards})


@dataclass(eq=False)
class Change:
    """The top of a place is another one, or none. `before_p`: how surely the earlier top was read; `sight`:
    what shows since then, None where the place `is_empty`; `is_new`: that lay not there before; `is_told`:
    what it amounts to is in the log."""

    place: Place
    t_s: float
    before: Card | None
    before_p: float
    sight: Rested | None
    frames: tuple[int, int]
    is_new: bool = False
    is_told: bool = False

    @property
    def after(self) -> Card | None:
        """The card that shows, if it was read."""
        return None if self.sight is None else self.sight.reading.card

    @property
    def is_empty(self) -> bool:
        """Whether nothing lies there."""
        return self.sight is None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a card came from: another place of the seat, and what lies there."""

    place: Place
    role: Role | None


def plays_of(change: Change, role: Role, *, left: bool, origin: Origin | None) -> list[PlayEvent]:
    """The plays that a change of a side or wood pile amounts to.

    `left`: the card that lay there before was seen to come to rest elsewhere. `origin`: where the card that
    shows now was seen to leave.
    """
    place = change.place
    events = [] if place.is_told else _opened(change, role)
    place.is_told = True
    if change.is_empty:
        return [*events, *_emptied(change, role, left=left)]
    if change.after is None:
        place.unread = True
        return [*events, _event(change, role, EventType.GAP, None)]
    if role is Role.WOOD:
        return [*events, *_wood_plays(change, change.after, left=left)]
    return [*events, *_side_plays(change, change.after, left=left, origin=origin)]


def _side_plays(change: Change, card: Card, *, left: bool, origin: Origin | None) -> list[PlayEvent]:
    place, events = change.place, []
    if card in place.cards:
        while place.cards[-1] != card:
            events.append(_leaves(change, Role.SIDE))
        if place.unread and not events:
            events.append(_event(change, Role.SIDE, EventType.GAP, card, extra={"ended": True}))
        place.unread = False
        return events
    covers = _just_covered(change)
    if left and not covers and place.cards and place.cards[-1] == change.before:
        events.append(_leaves(change, Role.SIDE))
    extra = _seen(covers and origin is not None and _is_sure(change))
    if origin is not None and origin.role is not None:
        is_side = origin.role is Role.SIDE
        extra["from"] = {"zone": "side", "pile": origin.place.name} if is_side else origin.role.value
    return [*events, _comes(change, Role.SIDE, card, extra)]


def _wood_plays(change: Change, card: Card, *, left: bool) -> list[PlayEvent]:
    """Of a wood pile the log tells the top alone: a card that was turned, or lay under one that left."""
    place = change.place
    lay = bool(place.cards) and place.cards[-1] == change.before
    events = [_leaves(change, Role.WOOD)] if left and lay else []
    place.cards = []
    return [*events, _comes(change, Role.WOOD, card, _seen(False))]


def _comes(change: Change, role: Role, card: Card, extra: dict[str, Any]) -> PlayEvent:
    place, sight = change.place, change.sight
    assert sight is not None
    kind = EventType.LANDED if place.cards or place.unread or role is Role.WOOD else EventType.STARTED
    if sight.reading.alternatives:
        extra = {**extra, "alternatives": _runners_up(sight)}
    place.cards, place.unread = [*place.cards, card], False
    return _event(change, role, kind, card, confidence=round(sight.reading.confidence, 4), extra=extra)


def _leaves(change: Change, role: Role) -> PlayEvent:
    """The top card is gone from where the log has it."""
    place = change.place
    last = len(place.cards) == 1 and role is Role.SIDE
    kind = EventType.REMOVED if last else EventType.WITHDRAWN
    return _event(change, role, kind, place.cards.pop(), extra=_seen(False))


def read_again(place: Place, role: Role, sight: Rested) -> list[PlayEvent]:
    """A card that lies there since it was told, read otherwise, or at all, only by now."""
    card = sight.reading.card
    if card is None or not place.is_told or (place.cards and card == place.cards[-1] and not place.unread):
        return []
    change = Change(place, sight.t_s, None, 0.0, sight, sight.frames)
    if place.unread:
        return plays_of(change, role, left=False, origin=None)
    if not place.cards or card in place.cards or sight.reading.confidence < READ_AGAIN_P:
        return []
    place.cards[-1] = card
    given = {"card": card.to_json(), "confidence": round(sight.reading.confidence, 4)}
    given["alternatives"] = _runners_up(sight)
    extra = {"action": "replace", "event": given}
    return [_event(change, role, EventType.CORRECTION, None, extra=extra)]


def _opened(change: Change, role: Role) -> list[PlayEvent]:
    """What lay on a place before its first change that is told."""
    place, before = change.place, change.before
    if before is None:
        return []
    place.cards = [before]
    extra = {**_seen(False), "dealt": True} if role is Role.SIDE else _seen(False)
    p = round(change.before_p, 4)
    opened = _event(change, role, EventType.STARTED, before, confidence=p, extra=extra)
    return [replace(opened, t=round(place.since_s, 3))]


def _emptied(change: Change, role: Role, *, left: bool) -> list[PlayEvent]:
    place = change.place
    card = place.cards[-1] if place.cards and not place.unread else None
    place.cards, place.unread = [], False
    if role is Role.WOOD and not left:
        return [_event(change, role, EventType.TURNED, None)]
    return [_event(change, role, EventType.REMOVED, card, extra=_seen(False))]


def _just_covered(change: Change) -> bool:
    """Whether the card before was seen lying there until just before the one that shows came."""
    sight = change.sight
    return sight is not None and sight.stood_s is not None and sight.t_s - sight.stood_s <= COVERED_S


def _is_sure(change: Change) -> bool:
    sight, place = change.sight, change.place
    assert sight is not None
    lies = bool(place.cards) and place.cards[-1] == change.before and not place.unread
    read = min(sight.reading.confidence, change.before_p) >= SURE_P
    return lies and read and sight.seen and sight.arrived and not sight.again


def _event(change: Change, role: Role, kind: EventType, card: Card | None, **more: Any) -> PlayEvent:
    place = change.place
    return PlayEvent(
        0,
        round(change.t_s, 3),
        kind,
        pile=place.name,
        card=card,
        zone=Zone(role.value),
        seat=place.seat,
        at=place.at,
        source=SOURCE,
        evidence=change.frames,
        **more,
    )


def _seen(watched: bool) -> dict[str, Any]:
    return {"seen": "continuous" if watched else "occluded"}


def _runners_up(sight: Rested) -> list[dict[str, Any]]:
    return [card.to_json() | {"p": round(p, 4)} for card, p in sight.reading.alternatives]
