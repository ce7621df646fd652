"""Eyes to events: what the camera saw becomes plays of the log, with seats and goal piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.hub import PlayerView
from engine.overlay import Overlay, OverlayHand, OverlayPile
from engine.own_areas import OwnAreas
from referee.events import EventType, PlayEvent, Zone
from referee.infer import Inference, PileGone, PileKnown, PileMoved, PileSeen, PileTurned
from referee.rulesets import Ruleset
from vision.reading import Eyes
from vision.sights import Confirmed, Covered, Left, Nudged, Rested, Shifted, Sight, Turned
from vision.types import Frame
from vision.watching import TableWatch

SIDES = ("bottom", "left", "top", "right")
NUDGED_PILES, NUDGED_SHARE = 3, 0.4
"""So many piles, and this share of all, do not move at once: the camera or the table did."""
SEAT_DECIDED_P = 0.6
"""Below this the seat of a play stays unsaid."""
BODY_HEIGHTS, BODY_SPREAD = 0.35, 0.28
"""How far behind the border of the picture players sit, and how far they are spread, in picture heights."""
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
        self._own = OwnAreas(rules.number("goal_size"), rules.number("side_piles"), self._seat_at)
        self._t_s = 0.0
        self._size: tuple[int, int] = (1, 1)

    def process(self, frame: Frame) -> list[PlayEvent]:
        """Look at the next frame."""
        self._t_s = frame.t_s
        self._size = (frame.image.shape[1], frame.image.shape[0])
        events: list[PlayEvent] = []
        sights = self._watch.process(frame)
        nudged = [sight.t_s for sight in sights if isinstance(sight, Nudged)]
        if nudged:
            events.append(self._camera_moved(nudged[0]))
            sights = [sight for sight in sights if not isinstance(sight, Nudged)]
        shifted = [sight for sight in sights if isinstance(sight, Shifted)]
        if len(shifted) >= max(NUDGED_PILES, NUDGED_SHARE * len(self._watch.piles.piles)):
            events.append(self._camera_moved(min(sight.t_s for sight in shifted)))
            sights = [sight for sight in sights if not isinstance(sight, Shifted)]
        for sight in sights:
            events += self._events(sight)
        events += self._own.advance(frame.t_s)
        events += self._own.watch(self._watch.piles.own_seen(), frame.t_s)
        while self._script and self._script[0].t <= frame.t_s:
            events.append(replace(self._script.pop(0), seq=0))
        return events

    @staticmethod
    def _camera_moved(t_s: float) -> PlayEvent:
        return PlayEvent(0, round(t_s, 3), EventType.CAMERA_MOVED, confidence=0.9, source="vision")

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
        hands = tuple(
            OverlayHand(a.entry, a.tip, self._seat_of(a.entry, a.outward)[0]) for a in self._watch.arms
        )
        return Overlay(piles, hands)

    def dump(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "watch": self._watch.dump(),
            "t_s": self._t_s,
            "size": list(self._size),
            "own": self._own.dump(),
        }

    def restore(self, data: dict[str, Any]) -> None:
        """The inverse of `dump`."""
        self._watch.restore(data["watch"])
        self._t_s = float(data["t_s"])
        self._size = (int(data["size"][0]), int(data["size"][1]))
        self._script = [event for event in self._script if event.t > self._t_s]
        self._own.restore(data["own"])
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
            if sight.own:
                return self._own.rested(sight, self._watch.piles.piles[sight.pile].top.width_px, self._t_s)
            return self._shared_rested(sight)
        if isinstance(sight, Covered):
            return [_covered(sight)]
        if isinstance(sight, Confirmed):
            known = PileKnown(sight.pile, round(sight.t_s, 3), sight.at, evidence=sight.frames)
            return [] if sight.own else self._inference.see(known)
        if isinstance(sight, Left):
            if sight.own:
                self._own.left(sight)
                return []
            return self._inference.see(PileGone(sight.pile, sight.t_s, evidence=sight.frames))
        if isinstance(sight, Shifted):
            return self._inference.see(PileMoved(sight.pile, sight.t_s, sight.at, evidence=sight.frames))
        assert isinstance(sight, Turned)
        return self._inference.see(
            PileTurned(sight.pile, sight.t_s, sight.deck, sight.at, evidence=sight.frames)
        )

    def _shared_rested(self, sight: Rested) -> list[PlayEvent]:
        seat, p = (None, 0.0) if sight.entry is None else self._seat_of(sight.entry, sight.outward)
        p *= sight.entry_share
        reading = sight.reading
        if sight.arrived:
            self._own.landed(reading.card, sight.t_s, seat if p >= SEAT_DECIDED_P else None)
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
                arrived=sight.arrived,
                missed_t=None if sight.missed_s is None else round(sight.missed_s, 3),
                bare_t=None if sight.bare_s is None else round(sight.bare_s, 3),
                hidden_s=None if sight.stood_s is None else round(max(sight.t_s - sight.stood_s, 0.0), 3),
                again=sight.again,
            )
        )

    # --- seats -----------------------------------------------------------------------------------------

    def seats(self) -> tuple[str, ...]:
        """The seats in use, as far as they are known."""
        if self._given_seats:
            return self._given_seats
        dealt = {place.seat for place in self._own.places}
        return tuple(side for side in SIDES if side in dealt) or SIDES

    def _seat_at(self, at: tuple[float, float]) -> str:
        """The seat in front of which a place lies."""
        return self._nearest_seat(at, (0.0, 0.0), self._given_seats or SIDES)[0]

    def _seat_of(
        self, at: tuple[float, float], outward: tuple[float, float] = (0.0, 0.0)
    ) -> tuple[str, float]:
        """The seat to which an arm belongs that enters at a point of the picture and comes from `outward` (a
        unit vector), and the probability of that seat. Without a direction: the seat nearest to the point.

        Each player's body is taken to be spread around the place behind the middle of his side.
        """
        return self._nearest_seat(at, outward, self.seats())

    def _nearest_seat(
        self, at: tuple[float, float], outward: tuple[float, float], names: Sequence[str]
    ) -> tuple[str, float]:
        height = self._size[1]
        # In picture heights: a wide table's left and right seats are farther away.
        behind = BODY_HEIGHTS if any(outward) else 0.0
        body = np.array([at[0] / height, at[1] / height]) + behind * np.array(outward)
        squared = {name: float(np.sum((body - self._behind(name, behind)) ** 2)) for name in names}
        best = min(names, key=lambda name: squared[name])
        weights = [np.exp((squared[best] - squared[name]) / (2 * BODY_SPREAD**2)) for name in names]
        return best, float(1 / sum(weights))

    def _behind(self, seat: str, behind: float) -> np.ndarray:
        """The place `behind` a seat's side of the picture, (x, y) in picture heights."""
        width, height = self._size
        x, y = self._anchors[seat]
        beyond = {(0, 1): 1 - y, (0, -1): y, (-1, 0): x, (1, 0): 1 - x}
        dx, dy = min(beyond, key=lambda side: beyond[side])
        return np.array([x * width / height + dx * behind, y + dy * behind])


def _covered(sight: Covered) -> PlayEvent:
    if sight.over:
        return PlayEvent(0, round(sight.t_s, 3), EventType.CAMERA_BACK, source="vision")
    extra = {"reason": "covered"}
    return PlayEvent(0, round(sight.t_s, 3), EventType.CAMERA_LOST, source="vision", extra=extra)
