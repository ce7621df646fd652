"""The log that a perfect observer of a simulated round would write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from datasets.simulate import SeatDeal, SimPlay
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.legality import is_complete
from referee.rulesets import Ruleset


@dataclass
class _Area:
    """What the observer keeps of one player: heights of the side piles, hand and wood cards, goal cards."""

    name: str
    heights: dict[str, int]
    hand: int
    wood: int
    goal: int


class _Observer:
    """Writes down what happens."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.log: list[PlayEvent] = []
        self.piles: dict[str, list[Card]] = {}

    def note(
        self,
        t: float,
        kind: EventType,
        pile: str | None = None,
        card: Card | None = None,
        zone: Zone = Zone.SHARED,
        seat: str | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        """One line of the log."""
        seq, t = len(self.log) + 1, round(t, 3)
        self.log.append(
            PlayEvent(seq, t, kind, pile, card, zone, seat, source="simulation", extra=extra or {})
        )

    def dealt(self, seat: SeatDeal, name: str) -> _Area:
        """A player's cards after the deal."""
        self.note(0.0, EventType.GOAL_COUNT, seat=name, extra={"count": len(seat.goal)})
        self.note(0.0, EventType.STARTED, "goal", seat.goal[-1], Zone.GOAL, name)
        for index, side in enumerate(seat.sides):
            extra = {"dealt": True}
            self.note(0.0, EventType.STARTED, f"side:{index}", side[-1], Zone.SIDE, name, extra)
        heights = {f"side:{index}": len(side) for index, side in enumerate(seat.sides)}
        return _Area(name, heights, len(seat.hand), 0, len(seat.goal))

    def play(self, play: SimPlay, area: _Area) -> None:
        """One change at the table."""
        match play.kind:
            case "play" | "lost":
                self._shared(play, area)
            case "withdraw":
                self.note(play.t, EventType.WITHDRAWN, play.source, play.card, Zone.SHARED, area.name)
                if play.target_pile in ("goal", "wood"):
                    zone = Zone(play.target_pile)
                    self.note(play.t, EventType.LANDED, play.target_pile, play.card, zone, area.name)
            case "side" | "refill":
                extra = {"from": _source(play)}
                self._on_side(play.t, play.target_pile, play.card, area, extra)
            case "group":
                self._group(play, area)
            case "call":
                self.note(play.t, EventType.CALLED, seat=area.name, extra={"by": "log"})
            case "turn_over":
                self._over(play.t, area)
            case "flip":
                self._flip(play, area)
            case "bottom" if play.source == "wood":
                self._beneath(play, area)
        if play.kind in ("play", "side", "refill"):
            self._leaves(play, area)
        if play.kind != "call" and play.goal_left != area.goal:
            area.goal = play.goal_left
            self.note(play.t, EventType.GOAL_COUNT, seat=area.name, extra={"count": play.goal_left})

    def _shared(self, play: SimPlay, area: _Area) -> None:
        """A card reaches a shared pile, for good or too late."""
        kind = EventType.STARTED if play.opens else EventType.LANDED
        extra = {"from": _source(play)}
        self.note(play.t, kind, play.target_pile, play.card, Zone.SHARED, area.name, extra)
        if play.kind == "play" and play.card is not None:
            pile = self.piles.setdefault(play.target_pile, [])
            pile.append(play.card)
            if is_complete(pile, self.rules):
                self.note(play.t, EventType.COMPLETED, play.target_pile, play.card)

    def _on_side(
        self, t: float, pile: str, card: Card | None, area: _Area, extra: dict[str, Any] | None = None
    ) -> None:
        """A card comes to a side pile, or opens it."""
        kind = EventType.LANDED if area.heights[pile] else EventType.STARTED
        area.heights[pile] += 1
        self.note(t, kind, pile, card, Zone.SIDE, area.name, extra)

    def _leaves(self, play: SimPlay, area: _Area) -> None:
        """The card has left its own place, and what lay under it shows."""
        if play.source.startswith("side:"):
            area.heights[play.source] -= 1
            left = EventType.WITHDRAWN if area.heights[play.source] else EventType.REMOVED
            self.note(play.t, left, play.source, play.card, Zone.SIDE, area.name)
            return
        zone = Zone(play.source)
        area.wood -= zone is Zone.WOOD
        left = EventType.REMOVED if play.uncovered is None else EventType.WITHDRAWN
        self.note(play.t, left, play.source, play.card, zone, area.name)
        if play.uncovered is not None:
            self.note(play.t, EventType.LANDED, play.source, play.uncovered, zone, area.name)

    def _over(self, t: float, area: _Area) -> None:
        """The wood becomes the hand."""
        area.hand, area.wood = area.hand + area.wood, 0
        self.note(t, EventType.TURNED, "wood", None, Zone.WOOD, area.name)

    def _flip(self, play: SimPlay, area: _Area) -> None:
        """Hand cards are turned."""
        if area.hand < len(play.cards):
            self._over(play.t, area)
        extra = {"turned": len(play.cards), "hand_left": area.hand}
        area.hand, area.wood = area.hand - len(play.cards), area.wood + len(play.cards)
        self.note(play.t, EventType.LANDED, "wood", play.card, Zone.WOOD, area.name, extra)

    def _beneath(self, play: SimPlay, area: _Area) -> None:
        """The top wood card goes beneath the hand."""
        area.hand, area.wood = area.hand + 1, area.wood - 1
        self.note(play.t, EventType.MOVED, "wood", play.card, Zone.WOOD, area.name, {"to": "hand"})
        if play.uncovered is not None:
            self.note(play.t, EventType.LANDED, "wood", play.uncovered, Zone.WOOD, area.name)

    def _group(self, play: SimPlay, area: _Area) -> None:
        """Several cards move together between side piles: that they did, and then each card's change."""
        extra = {"to": play.target_pile}
        self.note(play.t, EventType.MOVED, play.source, play.card, Zone.SIDE, area.name, extra)
        for card in play.cards[::-1]:
            area.heights[play.source] -= 1
            left = EventType.WITHDRAWN if area.heights[play.source] else EventType.REMOVED
            self.note(play.t, left, play.source, card, Zone.SIDE, area.name)
        for card in play.cards:
            self._on_side(play.t, play.target_pile, card, area)


def _source(play: SimPlay) -> Any:
    """Where the card came from, as the log says it."""
    return {"zone": "side", "pile": play.source} if play.source.startswith("side:") else play.source


def events_of(
    deals: Sequence[SeatDeal], plays: Sequence[SimPlay], rules: Ruleset, seats: Sequence[str] | None = None
) -> list[PlayEvent]:
    """The log of a perfect observer: every change of the shared piles and the players' areas, and the call.

    `seats`: the seats' names; without them `seat0`, `seat1` ...
    """
    names = seats or [f"seat{seat.seat_index}" for seat in deals]
    observer = _Observer(rules)
    start = {"ruleset": rules.preset, "players": list(names)}
    observer.note(0.0, EventType.ROUND_STARTED, extra=start)
    areas = {seat.seat_index: observer.dealt(seat, names[seat.seat_index]) for seat in deals}
    for play in plays:
        observer.play(play, areas[play.seat_index])
    return observer.log
