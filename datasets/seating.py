"""Where everything lies on the table of a round: seats, own areas, shared piles. Table millimetres."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

SEATS_BY_PLAYERS = {
    2: ("bottom", "top"),
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
    5: ("bottom", "left", "top-left", "top-right", "right"),
    6: ("bottom-left", "left", "top-left", "top-right", "right", "bottom-right"),
    7: ("bottom", "bottom-left", "left", "top-left", "top-right", "right", "bottom-right"),
    8: ("bottom", "bottom-left", "left", "top-left", "top", "top-right", "right", "bottom-right"),
}
SLOT_GAP_MM = 66.0
PILE_GAP_MM = 104.0
EDGE_MM = 10.0


@dataclass(frozen=True)
class Seat:
    """A player's side of the table: `middle` of its edge, `inward` unit vector, `turn_deg` of the cards."""

    name: str
    middle_mm: tuple[float, float]
    inward: tuple[float, float]
    turn_deg: float

    def at(self, along_mm: float, depth_mm: float) -> tuple[float, float]:
        """The point `along_mm` to the player's right and `depth_mm` in from the edge."""
        ix, iy = self.inward
        # The player looks inward: the right hand is the inward direction turned clockwise in the picture.
        return (
            self.middle_mm[0] - iy * along_mm + ix * depth_mm,
            self.middle_mm[1] + ix * along_mm + iy * depth_mm,
        )


@dataclass(frozen=True)
class Seating:
    """The places of one round on a table of `half_mm` (half width, half height)."""

    half_mm: tuple[float, float]
    seats: tuple[Seat, ...]
    card_mm: tuple[float, float]
    side_piles: int

    @classmethod
    def around(
        cls, half_mm: tuple[float, float], players: int, card_mm: tuple[float, float], side_piles: int
    ) -> Seating:
        """Seats for 2-8 players on a table seen from above."""
        names = SEATS_BY_PLAYERS[players]
        seats = []
        for name in names:
            side = name.split("-")[0]
            shift = 0.5 if "right" in name.split("-")[1:] else -0.5 if "left" in name.split("-")[1:] else 0.0
            w, h = half_mm
            if side in ("top", "bottom"):
                y = h if side == "bottom" else -h
                seats.append(
                    Seat(
                        name,
                        (shift * w, y),
                        (0.0, -1.0 if side == "bottom" else 1.0),
                        0.0 if side == "bottom" else 180.0,
                    )
                )
            else:
                x = w if side == "right" else -w
                seats.append(
                    Seat(
                        name,
                        (x, 0.0),
                        (-1.0 if side == "right" else 1.0, 0.0),
                        -90.0 if side == "right" else 90.0,
                    )
                )
        return cls(half_mm, tuple(seats), card_mm, side_piles)

    def slot(self, seat: Seat, place: str) -> tuple[float, float]:
        """Centre of a seat's `side:0` ..., `goal`, `hand` or `wood`: in this order from the left."""
        order = [f"side:{i}" for i in range(self.side_piles)] + ["goal", "hand", "wood"]
        along = (order.index(place) - (len(order) - 1) / 2) * SLOT_GAP_MM
        return seat.at(along, EDGE_MM + self.card_mm[1] / 2)

    def pile_places(self, rng: np.random.Generator) -> list[tuple[float, float]]:
        """Places for shared piles, in the order in which they are taken: near the middle first."""
        margin = EDGE_MM + self.card_mm[1] * 1.75
        names = {seat.name.split("-")[0] for seat in self.seats}
        reach_x = self.half_mm[0] - (margin if names & {"left", "right"} else self.card_mm[1])
        reach_y = self.half_mm[1] - margin
        columns, rows = max(1, int(2 * reach_x / PILE_GAP_MM)), max(1, int(2 * reach_y / PILE_GAP_MM) + 1)
        places = [
            (
                float((i - (columns - 1) / 2) * PILE_GAP_MM + rng.uniform(-7, 7)),
                float((j - (rows - 1) / 2) * PILE_GAP_MM + rng.uniform(-7, 7)),
            )
            for i in range(columns)
            for j in range(rows)
        ]
        return sorted(places, key=lambda p: math.hypot(p[0] * 0.6, p[1]) + rng.uniform(0, 120))
