"""The log that a perfect observer of a simulated round would write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from datasets.simulate import SeatDeal, SimPlay
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.legality import is_complete
from referee.rulesets import Ruleset


def events_of(
    deals: Sequence[SeatDeal], plays: Sequence[SimPlay], rules: Ruleset, seats: Sequence[str] | None = None
) -> list[PlayEvent]:
    """The log of a perfect observer: every change of the shared piles, goal and side piles, and the call.

    `seats`: the seats' names; without them `seat0`, `seat1` ...
    """
    names = seats or [f"seat{seat.seat_index}" for seat in deals]
    events = [_event(0.0, "round_started", extra={"ruleset": rules.preset, "players": list(names)})]
    for seat in deals:
        name = names[seat.seat_index]
        events.append(_event(0.0, "goal_count", seat=name, extra={"count": len(seat.goal)}))
        for index, side in enumerate(seat.sides):
            events.append(_event(0.0, "started", f"side:{index}", side[-1], Zone.SIDE, name))
    goal_left = {seat.seat_index: len(seat.goal) for seat in deals}
    piles: dict[str, list[Card]] = {}
    heights = {(s.seat_index, f"side:{i}"): len(side) for s in deals for i, side in enumerate(s.sides)}
    for play in plays:
        name = names[play.seat_index]
        if play.kind == "call":
            events.append(_event(play.t, "called", seat=name, extra={"by": "log"}))
        elif play.kind in ("play", "lost"):
            kind = "started" if play.opens else "landed"
            events.append(_event(play.t, kind, play.target_pile, play.card, Zone.SHARED, name))
            pile = piles.setdefault(play.target_pile, [])
            if play.kind == "play" and play.card is not None:
                pile.append(play.card)
                if is_complete(pile, rules):
                    events.append(_event(play.t, "completed", play.target_pile, play.card))
        elif play.kind == "withdraw":
            events.append(_event(play.t, "withdrawn", play.source, play.card, Zone.SHARED, name))
        elif play.kind == "group":
            events += _group(play, name)
            heights[play.seat_index, play.source] -= len(play.cards)
            heights[play.seat_index, play.target_pile] += len(play.cards)
        elif play.kind in ("side", "refill"):
            key = (play.seat_index, play.target_pile)
            kind = "landed" if heights[key] else "started"
            heights[key] += 1
            events.append(_event(play.t, kind, play.target_pile, play.card, Zone.SIDE, name))
        if play.source.startswith("side:") and play.kind in ("play", "side"):
            key = (play.seat_index, play.source)
            heights[key] -= 1
            left = "withdrawn" if heights[key] else "removed"
            events.append(_event(play.t, left, play.source, play.card, Zone.SIDE, name))
        if play.kind != "call" and play.goal_left != goal_left[play.seat_index]:
            goal_left[play.seat_index] = play.goal_left
            events.append(_event(play.t, "goal_count", seat=name, extra={"count": play.goal_left}))
    return [replace(event, seq=seq) for seq, event in enumerate(events, start=1)]


def _group(play: SimPlay, seat: str) -> list[PlayEvent]:
    """Several cards move together between side piles: that they did, and then each card's change."""
    events = [_event(play.t, "moved", play.source, play.card, Zone.SIDE, seat, {"to": play.target_pile})]
    for card in play.cards[::-1]:
        events.append(_event(play.t, "withdrawn", play.source, card, Zone.SIDE, seat))
    if play.uncovered is None:
        events[-1] = replace(events[-1], type=EventType.REMOVED)
    for card in play.cards:
        events.append(_event(play.t, "landed", play.target_pile, card, Zone.SIDE, seat))
    return events


def _event(
    t: float,
    kind: str,
    pile: str | None = None,
    card: Card | None = None,
    zone: Zone = Zone.SHARED,
    seat: str | None = None,
    extra: dict[str, Any] | None = None,
) -> PlayEvent:
    return PlayEvent(
        0, round(t, 3), EventType(kind), pile, card, zone, seat, source="simulation", extra=extra or {}
    )
