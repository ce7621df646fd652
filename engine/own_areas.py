"""The players' own areas: which place is which pile, the goal cards left, and when a change is understood.

Places tell themselves apart by what happens on them. Where the top goes to the middle and a card shows
that was never seen, it lay beneath: a goal pile. Where a card comes from another place of the same player,
or fills an emptied place, it was brought: a side pile. Where no card was dealt and one after another is
turned up, the wood pile lies. What is played there is told by `own_plays`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.own_plays import WOOD, Change, Origin, Place, Role, plays_of, read_again
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
LEAST_TURNED = 2
"""So many cards more that came from nowhere else, and a place where none was dealt is the wood pile."""


@dataclass
class OwnAreas:
    """Follows the own places of all seats. `goal_size` cards lie on each goal pile at the start, `side_piles`
    beside it; `places` are those on which cards were dealt, `woods` those on which they came later."""

    goal_size: int
    side_piles: int
    seat_of: Callable[[tuple[float, float]], str]
    places: list[Place] = field(default_factory=list)
    woods: list[Place] = field(default_factory=list)
    reach_px: float = 0.0
    _landed: list[tuple[float, Card, str | None]] = field(default_factory=list)
    _changes: list[Change] = field(default_factory=list)
    _open: list[Change] = field(default_factory=list)

    def nearest(self, at: tuple[float, float]) -> Place | None:
        """The place at these pixels: one that was dealt, else one of the others."""
        return self._within(self.places, at) or self._within(self.woods, at)

    def _within(self, places: Iterable[Place], at: tuple[float, float]) -> Place | None:
        best = min(places, key=lambda p: np.hypot(p.at[0] - at[0], p.at[1] - at[1]), default=None)
        if best is None or np.hypot(best.at[0] - at[0], best.at[1] - at[1]) > self.reach_px:
            return None
        return best

    def landed(self, card: Card | None, t_s: float, seat: str | None = None) -> None:
        """A card came to rest on a shared pile; `seat`: who brought it, if that is known."""
        if card is not None:
            self._landed.append((t_s, card, seat))

    def rested(self, sight: Rested, width_px: float, now_s: float) -> list[PlayEvent]:
        """A card shows on top of an own place."""
        card = sight.reading.card
        if sight.reading.side != "face":
            return []
        if sight.first:
            seat = self.seat_of(sight.at)
            name = f"s{1 + sum(place.seat == seat for place in self.places)}"
            self.places.append(_laid(sight, seat, name))
            self.reach_px = 0.8 * width_px
            return []
        place = self.nearest(sight.at)
        if place is None or place in self.woods:
            # Hands that turn the next cards are over it nearly always: when it came cannot be told.
            sight = replace(sight, t_s=now_s)
        if place is None:
            if not sight.again:
                self.woods.append(_laid(sight, self.seat_of(sight.at), WOOD))
            return []
        if sight.again and sight.arrived and place.shown:
            return self._read_again(place, sight)
        events = []
        if place.emptied_s is not None:
            if place.told:
                # It had been taken for a goal pile that ran out: that is no longer known.
                events.append(self._count(place, sight.t_s, None))
            place.side += 3
            place.emptied_s, place.told = None, False
        soon = sight.again or sight.t_s - place.changed_s < BACK_S
        back = soon and len(place.shown) > 1 and card == place.shown[-2]
        if back and card is not None and not place.is_told:
            place.shown.pop()
            place.changes -= 1
            self._open = [c for c in self._open if c.place is not place]
        else:
            self._changed(place, sight.t_s, sight)
            place.shown = [*place.shown, card][-8:]
        place.changed_s, place.top_p = sight.t_s, sight.reading.confidence
        return events

    def _read_again(self, place: Place, sight: Rested) -> list[PlayEvent]:
        """The card on top of a place, read otherwise than it was told."""
        place.shown[-1], place.top_p = sight.reading.card, sight.reading.confidence
        if place in self.woods and len(place.shown) == 1:
            place.since_s = sight.t_s
        waiting = next((c for c in reversed(self._open) if c.place is place and not c.is_empty), None)
        if waiting is not None:
            waiting.sight, waiting.t_s = sight, sight.t_s
            waiting.is_new = place.top not in (None, *place.shown[:-1])
            return []
        role = self.role_of(place)
        return [] if role in (None, Role.GOAL) else read_again(place, role, sight)

    def left(self, sight: Left) -> None:
        """An own place is empty."""
        place = self.nearest(sight.at)
        if place is None or place.emptied_s is not None:
            return
        place.emptied_s = sight.t_s
        self._changed(place, sight.t_s, sight)
        place.shown = [None] if place in self.woods else [*place.shown, None]
        place.changed_s = sight.t_s

    def _changed(self, place: Place, t_s: float, sight: Rested | Left) -> None:
        place.changes += 1
        shows = sight if isinstance(sight, Rested) else None
        is_new = shows is not None and shows.reading.card not in (None, *place.shown)
        change = Change(place, t_s, place.top, place.top_p, shows, sight.frames, is_new)
        self._changes.append(change)
        self._open.append(change)

    def advance(self, t_s: float) -> list[PlayEvent]:
        """Understand what happened long enough ago: plays on side and wood piles, and goal cards left."""
        events = []
        due = [c for c in self._open if t_s - c.t_s >= DECIDE_S]
        for change in sorted(due, key=lambda c: c.t_s):
            events += self._settle(change)
        events += self._ran_out(t_s)
        self._landed = [one for one in self._landed if t_s - one[0] < 2 * TOGETHER_S + DECIDE_S]
        self._changes = [c for c in self._changes if t_s - c.t_s < 2 * TOGETHER_S + DECIDE_S]
        return events

    def _settle(self, change: Change) -> list[PlayEvent]:
        """Say what a change amounts to; where its card went is told first."""
        if change not in self._open:
            return []
        events = []
        for earlier in self._open[: self._open.index(change)]:
            if earlier.place is change.place:
                events += self._settle(earlier)
        self._open.remove(change)
        for other in [c for c in self._open if c.after is not None and c.after == change.before]:
            if _together(other, change):
                events += self._settle(other)
        change.is_told = True
        place, before = change.place, self.goal_of(change.place.seat)
        self._understand(change)
        role = self.role_of(place)
        if role in (Role.SIDE, Role.WOOD):
            events += self._plays(change, role)
        goal = self.goal_of(place.seat)
        if goal is None or goal.emptied_s is not None or (goal is before and goal is not place):
            return events
        if goal.unsure or goal.left != self.goal_size - goal.changes:
            events.append(self._left(goal, goal.changed_s))
        return events

    def _plays(self, change: Change, role: Role) -> list[PlayEvent]:
        elsewhere = any(
            card == change.before and abs(t - change.t_s) <= TOGETHER_S and seat in (None, change.place.seat)
            for t, card, seat in self._landed
        )
        moved = any(c.after == change.before and _together(c, change) for c in self._changes)
        left = change.before is not None and (elsewhere or moved)
        source = None if change.after is None else self._source(change)
        origin = None
        if source is not None:
            # A card is never told to come from where the log has it no more.
            origin = Origin(source.place, None if source.is_told else self.role_of(source.place))
        return plays_of(change, role, left=left, origin=origin)

    def _source(self, change: Change) -> Change | None:
        """The change of another place of the seat from which the card that shows now came."""
        fitting = (c for c in self._changes if c.before == change.after and _together(c, change))
        return next(fitting, None)

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

    def _understand(self, change: Change) -> None:
        place, before, after = change.place, change.before, change.after
        if after is not None:
            source = self._source(change)
            if source is not None:
                place.side += 3
                source.place.goal += 3
                return
        place.turned += change.is_new
        played = any(card == before and abs(t - change.t_s) <= TOGETHER_S for t, card, _ in self._landed)
        if played and change.is_new:
            place.goal += 2

    def goal_of(self, seat: str) -> Place | None:
        """The goal pile of a seat, if it is known by now."""
        ranked = sorted((p for p in self.places if p.seat == seat), key=lambda p: p.side - p.goal)
        if len(ranked) < 2:
            return None
        first, second = ranked[0], ranked[1]
        lead = (first.goal - first.side) - (second.goal - second.side)
        return first if first.goal > first.side and lead >= LEAST_LEAD else None

    def role_of(self, place: Place) -> Role | None:
        """What lies on a place, if it is known by now."""
        if place in self.woods:
            others = [p.turned for p in self.woods if p.seat == place.seat and p is not place]
            return Role.WOOD if place.turned - max(others, default=0) >= LEAST_TURNED else None
        goal = self.goal_of(place.seat)
        if goal is place:
            return Role.GOAL
        if goal is None and place.side <= place.goal:
            return None
        told = sum(p.is_told for p in self.places if p.seat == place.seat and p is not place)
        return Role.SIDE if told < self.side_piles else None

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
        places, woods = ([place.to_json() for place in kind] for kind in (self.places, self.woods))
        return {"reach_px": self.reach_px, "places": places, "woods": woods}

    def restore(self, data: dict[str, Any]) -> None:
        """The inverse of `dump`, also of an earlier version that knew no wood piles."""
        self.reach_px = float(data["reach_px"])
        self.places = [Place.from_json(place) for place in data["places"]]
        self.woods = [Place.from_json(place) for place in data.get("woods", ())]


def _laid(sight: Rested, seat: str, name: str) -> Place:
    """A place on which a card lies that is the first one there."""
    return Place(
        seat,
        sight.at,
        [sight.reading.card],
        sight.t_s,
        name=name,
        since_s=sight.t_s,
        top_p=sight.reading.confidence,
    )


def _together(one: Change, other: Change) -> bool:
    """Whether a card can have gone between the places of two changes."""
    same_seat = one.place.seat == other.place.seat and one.place is not other.place
    return same_seat and abs(one.t_s - other.t_s) <= TOGETHER_S
