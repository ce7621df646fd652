"""Eyes to events: what the camera saw becomes plays of the log, with seats and goal piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.hub import PlayerView
from engine.overlay import Overlay, OverlayHand, OverlayPile
from referee.events import EventType, PlayEvent, Zone
from referee.infer import Inference, PileGone, PileMoved, PileSeen, PileTurned
from referee.rulesets import Ruleset
from vision.reading import Eyes
from vision.sights import Left, Rested, Shifted, Sight, Turned
from vision.types import Frame
from vision.watching import TableWatch

SIDES = ("bottom", "left", "top", "right")
GOAL_EMPTY_AFTER_S = 1.2
"""An own place that is seen empty this long is taken for an emptied goal pile, not for a late refill."""
NUDGED_PILES, NUDGED_SHARE = 3, 0.4
"""So many piles, and this share of all, do not move at once: the camera or the table did."""
SEAT_DECIDED_P = 0.6
"""Below this the seat of a play stays unsaid."""
ANCHORS = {
    "bottom": (0.5, 1.0),
    "bottom-left": (0.25, 1.0),
    "left": (0.0, 0.5),
    "top-left": (0.25, 0.0),
    "top": (0.5, 0.0),
    "top-right": (0.75, 0.0),
    "right": (1.0, 0.5),
    "bottom-right": (0.75, 1.0),
}
"""Where each seat lies on the border of the picture, as shares of its width and height."""


@dataclass
class Place:
    """A dealt place of a seat: `emptied_s` while it is empty; once `refilled` it is a side pile."""

    seat: str
    at: tuple[float, float]
    emptied_s: float | None = None
    refilled: bool = False
    told: bool = False


@dataclass
class Goals:
    """Which own places are empty. A side pile is refilled at once; a goal pile that ran out stays empty."""

    places: list[Place] = field(default_factory=list)
    reach_px: float = 0.0

    def nearest(self, at: tuple[float, float]) -> Place | None:
        """The dealt place at these pixels."""
        best = min(self.places, key=lambda p: np.hypot(p.at[0] - at[0], p.at[1] - at[1]), default=None)
        if best is None or np.hypot(best.at[0] - at[0], best.at[1] - at[1]) > self.reach_px:
            return None
        return best


class TableWatcher:
    """Implements the pipeline's watcher over a `TableWatch`.

    `players`: their seats; without them the sides at which cards were dealt, else all four sides.
    `script`: events of another log (calls of a recorded round) that are told when their time comes.
    `anchors`: where seats lie that are not at their usual places, as shares of the picture.
    """

    def __init__(
        self,
        rules: Ruleset,
        players: Sequence[PlayerView] = (),
        *,
        eyes: Eyes | None = None,
        script: Sequence[PlayEvent] = (),
        anchors: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        self._watch = TableWatch(eyes or Eyes.load())
        self._inference = Inference(rules)
        self._given_seats = tuple(player.seat for player in players if player.seat is not None)
        self._script = sorted(script, key=lambda e: e.t)
        self._anchors = {**ANCHORS, **(anchors or {})}
        self._goals = Goals()
        self._t_s = 0.0
        self._size: tuple[int, int] = (1, 1)

    def process(self, frame: Frame) -> list[PlayEvent]:
        """Look at the next frame."""
        self._t_s = frame.t_s
        self._size = (frame.image.shape[1], frame.image.shape[0])
        events: list[PlayEvent] = []
        sights = self._watch.process(frame)
        shifted = [sight for sight in sights if isinstance(sight, Shifted)]
        if len(shifted) >= max(NUDGED_PILES, NUDGED_SHARE * len(self._watch.piles.piles)):
            t = round(min(sight.t_s for sight in shifted), 3)
            events.append(PlayEvent(0, t, EventType.CAMERA_MOVED, confidence=0.9, source="vision"))
            sights = [sight for sight in sights if not isinstance(sight, Shifted)]
        for sight in sights:
            events += self._events(sight)
        events += self._goal_counts()
        while self._script and self._script[0].t <= frame.t_s:
            events.append(replace(self._script.pop(0), seq=0))
        return events

    def finish(self) -> list[PlayEvent]:
        """The source ended."""
        rest, self._script = self._script, []
        return [replace(event, seq=0) for event in rest if event.t <= self._t_s + 1.0]

    def overlay(self) -> Overlay:
        """What is seen right now, for drawing."""
        piles = tuple(
            OverlayPile(
                p.name, p.top.quad.astype(np.float32), p.told, Zone.SIDE if p.own else Zone.SHARED, None
            )
            for p in self._watch.piles.piles.values()
        )
        hands = tuple(OverlayHand(a.entry, a.tip, self._seat_of(a.entry)[0]) for a in self._watch.arms)
        return Overlay(piles, hands)

    def dump(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "watch": self._watch.dump(),
            "t_s": self._t_s,
            "size": list(self._size),
            "reach_px": self._goals.reach_px,
            "places": [[p.seat, list(p.at), p.emptied_s, p.refilled, p.told] for p in self._goals.places],
        }

    def restore(self, data: dict[str, Any]) -> None:
        """The inverse of `dump`."""
        self._watch.restore(data["watch"])
        self._t_s = float(data["t_s"])
        self._size = (int(data["size"][0]), int(data["size"][1]))
        self._script = [event for event in self._script if event.t > self._t_s]
        self._goals.reach_px = float(data["reach_px"])
        self._goals.places = [Place(s, (a[0], a[1]), e, r, told) for s, a, e, r, told in data["places"]]
        for pile in self._watch.piles.piles.values():
            if not pile.own and pile.told is not None:
                # The log has these plays already; the inference only needs to know what lies there.
                at = pile.top.centre
                self._inference.see(
                    PileSeen(pile.name, self._t_s, pile.told, at=(float(at[0]), float(at[1])), seen=False)
                )

    # --- sights to events ------------------------------------------------------------------------------

    def _events(self, sight: Sight) -> list[PlayEvent]:
        if isinstance(sight, Rested):
            return self._own_rested(sight) if sight.own else self._shared_rested(sight)
        if isinstance(sight, Left):
            if sight.own:
                self._own_left(sight)
                return []
            return self._inference.see(PileGone(sight.pile, sight.t_s, evidence=sight.frames))
        if isinstance(sight, Shifted):
            return self._inference.see(PileMoved(sight.pile, sight.t_s, sight.at, evidence=sight.frames))
        assert isinstance(sight, Turned)
        return self._inference.see(
            PileTurned(sight.pile, sight.t_s, sight.deck, sight.at, evidence=sight.frames)
        )

    def _shared_rested(self, sight: Rested) -> list[PlayEvent]:
        seat, p = (None, 0.0) if sight.entry is None else self._seat_of(sight.entry)
        p *= sight.entry_share
        reading = sight.reading
        return self._inference.see(
            PileSeen(
                sight.pile,
                round(sight.t_s, 3),
                reading.card,
                confidence=round(reading.confidence, 4),
                alternatives=reading.alternatives,
                at=sight.at,
                seat=seat if p >= SEAT_DECIDED_P else None,
                seat_p=round(p, 3) if p >= SEAT_DECIDED_P else None,
                evidence=sight.frames,
                seen=sight.seen,
                arrived=sight.arrived if sight.arrived else False,
            )
        )

    def _own_rested(self, sight: Rested) -> list[PlayEvent]:
        if sight.first:
            if sight.reading.side == "face":
                seat, _ = self._seat_of(sight.at)
                self._goals.places.append(Place(seat, sight.at))
                self._goals.reach_px = self._reach_px(sight.pile)
            return []
        place = self._goals.nearest(sight.at)
        if place is None or place.emptied_s is None:
            return []
        place.emptied_s = None
        if place.told:
            # It had been taken for the goal pile: that is no longer known.
            place.told = False
            place.refilled = True
            return [self._count(place.seat, None)]
        place.refilled = True
        return []

    def _own_left(self, sight: Left) -> None:
        place = self._goals.nearest(sight.at)
        if place is not None and not place.refilled:
            place.emptied_s = sight.t_s

    def _goal_counts(self) -> list[PlayEvent]:
        events = []
        for place in self._goals.places:
            if place.emptied_s is None or place.told or self._t_s - place.emptied_s < GOAL_EMPTY_AFTER_S:
                continue
            place.told = True
            events.append(self._count(place.seat, 0, place.emptied_s))
        return events

    def _count(self, seat: str, count: int | None, t_s: float | None = None) -> PlayEvent:
        t = self._t_s if t_s is None else t_s
        return PlayEvent(
            0,
            round(t, 3),
            EventType.GOAL_COUNT,
            zone=Zone.GOAL,
            seat=seat,
            confidence=0.9,
            source="vision",
            extra={"count": count},
        )

    def _reach_px(self, pile: str) -> float:
        top = self._watch.piles.piles[pile].top
        return 0.8 * top.width_px

    # --- seats -----------------------------------------------------------------------------------------

    def seats(self) -> tuple[str, ...]:
        """The seats in use, as far as they are known."""
        if self._given_seats:
            return self._given_seats
        dealt = {place.seat for place in self._goals.places}
        return tuple(side for side in SIDES if side in dealt) or SIDES

    def _seat_of(self, at: tuple[float, float]) -> tuple[str, float]:
        """The seat nearest to a point of the picture, and how clearly it is that one (0.5-1)."""
        width, height = self._size
        # Distances in picture heights: a wide table's left and right seats are farther away.
        names = self.seats()
        distance = sorted(
            (float(np.hypot((at[0] / width - ax) * width / height, at[1] / height - ay)), name)
            for name, (ax, ay) in self._anchors.items()
            if name in names
        )
        if len(distance) == 1:
            return distance[0][1], 1.0
        nearest, second = distance[0][0], distance[1][0]
        return distance[0][1], float(second / max(nearest + second, 1e-6))
