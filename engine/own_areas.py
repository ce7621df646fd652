"""The players' own areas: which dealt place is the goal pile, and how many cards are left on it.

Places tell themselves apart by what happens on them. Where the top goes to the middle and a card shows
that was never seen, it lay beneath: a goal pile. Where a card comes from another place of the same player,
or fills an emptied place, it was brought: a side pile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from vision.sights import Left, Rested

DECIDE_S = 1.8
"""A change is understood this much later: a landing is told only after it was read."""
TOGETHER_S = 2.5
"""A card that leaves one place comes to rest on another one within this time."""
EMPTY_AFTER_S = 1.2
"""An own place that is seen empty this long is taken for an emptied goal pile, not for a late refill."""
REFILL_S = 6.0
LEAST_LEAD = 2
"""The goal pile is known once this much more speaks for it than for any other place."""
UNSEEN_S = 2.5
"""A goal pile last in sight so long ago may have lost cards; a still table is looked at every 2 s."""
BACK_S = 4.0
"""A goal card that comes back to its pile within this time was beaten."""


@dataclass
class Place:
    """A dealt place of a seat. `shown`: what lay on top, the present top last; `goal`, `side`: what speaks
    for either; `changes`: how many tops went; `emptied_s`: since when it is empty; `told` that it ran out;
    `left`: the goal cards told last; `unsure`: told that they are not known, as the place is out of sight."""

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

    @property
    def top(self) -> Card | None:
        """What lies on top, if that was read."""
        return self.shown[-1] if self.shown else None

    def to_json(self) -> dict[str, Any]:
        """The place as JSON values."""
        shown = [None if card is None else card.to_json() for card in self.shown]
        return {**vars(self), "at": list(self.at), "shown": shown}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Place:
        """The inverse of `to_json`."""
        shown = [None if card is None else Card.from_json(card) for card in data["shown"]]
        return cls(**{**data, "at": (data["at"][0], data["at"][1]), "shown": shown})


@dataclass(frozen=True)
class _Change:
    place: Place
    t_s: float
    before: Card | None
    after: Card | None
    """None: the place is empty, or what shows could not be read."""


@dataclass
class OwnAreas:
    """Follows the dealt places of all seats; `goal_size` cards lie on each goal pile at the start."""

    goal_size: int
    seat_of: Callable[[tuple[float, float]], str]
    places: list[Place] = field(default_factory=list)
    reach_px: float = 0.0
    _landed: list[tuple[float, Card]] = field(default_factory=list)
    _changes: list[_Change] = field(default_factory=list)
    _open: list[_Change] = field(default_factory=list)

    def nearest(self, at: tuple[float, float]) -> Place | None:
        """The dealt place at these pixels."""
        best = min(self.places, key=lambda p: np.hypot(p.at[0] - at[0], p.at[1] - at[1]), default=None)
        if best is None or np.hypot(best.at[0] - at[0], best.at[1] - at[1]) > self.reach_px:
            return None
        return best

    def landed(self, card: Card | None, t_s: float) -> None:
        """A card came to rest on a shared pile."""
        if card is not None:
            self._landed.append((t_s, card))

    def rested(self, sight: Rested, width_px: float) -> list[PlayEvent]:
        """A card shows on top of an own place."""
        card = sight.reading.card
        if sight.first:
            if sight.reading.side == "face":
                self.places.append(Place(self.seat_of(sight.at), sight.at, [card], sight.t_s))
                self.reach_px = 0.8 * width_px
            return []
        place = self.nearest(sight.at)
        if place is None or sight.reading.side != "face":
            return []
        if sight.again and sight.arrived and place.shown:
            place.shown[-1] = card
            return []
        events = []
        if place.emptied_s is not None:
            if place.told:
                # It had been taken for a goal pile that ran out: that is no longer known.
                events.append(self._count(place, sight.t_s, None))
            place.side += 3
            place.emptied_s, place.told = None, False
        soon = sight.again or sight.t_s - place.changed_s < BACK_S
        back = soon and len(place.shown) > 1 and card == place.shown[-2]
        if back and card is not None:
            place.shown.pop()
            place.changes -= 1
            self._open = [c for c in self._open if c.place is not place]
        else:
            self._changed(place, sight.t_s, card)
            place.shown = [*place.shown, card][-8:]
        place.changed_s = sight.t_s
        return events

    def left(self, sight: Left) -> None:
        """An own place is empty."""
        place = self.nearest(sight.at)
        if place is None or place.emptied_s is not None:
            return
        place.emptied_s = sight.t_s
        self._changed(place, sight.t_s, None)
        place.shown.append(None)
        place.changed_s = sight.t_s

    def _changed(self, place: Place, t_s: float, after: Card | None) -> None:
        place.changes += 1
        change = _Change(place, t_s, place.top, after)
        self._changes.append(change)
        self._open.append(change)

    def advance(self, t_s: float) -> list[PlayEvent]:
        """Understand what happened long enough ago; says what is now known of goal piles."""
        events = []
        for change in [c for c in self._open if t_s - c.t_s >= DECIDE_S]:
            self._open.remove(change)
            before = self.goal_of(change.place.seat)
            self._understand(change)
            goal = self.goal_of(change.place.seat)
            if goal is None or goal.emptied_s is not None or (goal is before and goal is not change.place):
                continue
            if goal.unsure or goal.left != self.goal_size - goal.changes:
                events.append(self._left(goal, goal.changed_s))
        events += self._ran_out(t_s)
        self._landed = [(t, card) for t, card in self._landed if t_s - t < 2 * TOGETHER_S + DECIDE_S]
        self._changes = [c for c in self._changes if t_s - c.t_s < 2 * TOGETHER_S + DECIDE_S]
        return events

    def watch(self, seen: Iterable[tuple[tuple[float, float], float]], t_s: float) -> list[PlayEvent]:
        """Take in when the top of each own place was last in sight, and say which goal piles are out of it.

        `seen`: the place (x, y) px and the time in s.
        """
        events = []
        for at, seen_s in seen:
            place = self.nearest(at)
            if place is None or place.emptied_s is not None or self.goal_of(place.seat) is not place:
                continue
            hidden = t_s - max(seen_s, place.changed_s) > UNSEEN_S
            if hidden and not place.unsure:
                events.append(self._count(place, t_s, None))
                place.unsure = True
            elif place.unsure and not hidden:
                events.append(self._left(place, t_s))
        return events

    def _left(self, goal: Place, t_s: float) -> PlayEvent:
        """How many cards are left on a goal pile that is in sight."""
        goal.unsure = False
        left = self.goal_size - goal.changes
        return self._count(goal, t_s, left if left > 0 else None)

    def _understand(self, change: _Change) -> None:
        place, before, after = change.place, change.before, change.after
        if after is not None:
            for other in self._changes:
                same_seat = other.place.seat == place.seat and other.place is not place
                if same_seat and other.before == after and abs(other.t_s - change.t_s) <= TOGETHER_S:
                    place.side += 3
                    other.place.goal += 3
                    return
        played = any(card == before and abs(t - change.t_s) <= TOGETHER_S for t, card in self._landed)
        new = after is not None and after not in place.shown[:-1]
        if played and new:
            place.goal += 2

    def goal_of(self, seat: str) -> Place | None:
        """The goal pile of a seat, if it is known by now."""
        ranked = sorted((p for p in self.places if p.seat == seat), key=lambda p: p.side - p.goal)
        if len(ranked) < 2:
            return None
        first, second = ranked[0], ranked[1]
        lead = (first.goal - first.side) - (second.goal - second.side)
        return first if first.goal > first.side and lead >= LEAST_LEAD else None

    def _ran_out(self, t_s: float) -> list[PlayEvent]:
        events = []
        for place in self.places:
            waited = place.emptied_s is not None and t_s - place.emptied_s >= EMPTY_AFTER_S
            if not waited or place.told or place.side > place.goal:
                continue
            if self.goal_of(place.seat) not in (None, place):
                continue
            assert place.emptied_s is not None
            place.told = True
            events.append(self._count(place, place.emptied_s, 0))
        return events

    @staticmethod
    def _count(place: Place, t_s: float, count: int | None) -> PlayEvent:
        place.left = count
        return PlayEvent(
            0,
            round(t_s, 3),
            EventType.GOAL_COUNT,
            zone=Zone.GOAL,
            seat=place.seat,
            confidence=0.9,
            source="vision",
            extra={"count": count},
        )

    def dump(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {"reach_px": self.reach_px, "places": [place.to_json() for place in self.places]}

    def restore(self, data: dict[str, Any]) -> None:
        """The inverse of `dump`."""
        self.reach_px = float(data["reach_px"])
        self.places = [Place.from_json(place) for place in data["places"]]
