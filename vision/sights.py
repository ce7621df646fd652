"""What the eyes report of a table that they watch: cards that came to rest, left, moved or were turned."""

from __future__ import annotations

from dataclasses import dataclass

from vision.types import Reading


@dataclass(frozen=True, slots=True)
class Rested:
    """A card came to rest on `pile`. `t_s` is when it did so, even if it could be read only later.

    `own`: it lies in a player's own area, not in the middle. `first`: it was there when the eyes opened.
    `entry`: where the arm that brought it entered the picture, px; `outward`: the direction from which it
    came; `entry_share`: how surely it was that arm.
    `seen`: the pile was in sight all the time but for that arm.
    `missed_s`: when another card may have come unseen, where hands lay over the pile.
    `arrived`: brought (True), or an earlier card that shows again (False).
    `again`: it was told before and has lain there since; only the reading is new.
    `stood_s`: when its place was last seen to look as before it came, if it was seen so; `bare_s`: when it
    was last seen to be bare, of a card that opens a pile.
    `frames`: the last frame without and the first frame with it.
    """

    pile: str
    reading: Reading
    t_s: float
    at: tuple[float, float]
    frames: tuple[int, int]
    own: bool = False
    first: bool = False
    entry: tuple[float, float] | None = None
    outward: tuple[float, float] = (0.0, 0.0)
    entry_share: float = 0.0
    seen: bool = True
    missed_s: float | None = None
    stood_s: float | None = None
    bare_s: float | None = None
    arrived: bool = True
    again: bool = False


@dataclass(frozen=True, slots=True)
class _OfPile:
    pile: str
    t_s: float
    at: tuple[float, float]
    frames: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Confirmed(_OfPile):
    """The top of `pile`, over which something may have happened unseen, is still what was told."""

    own: bool = False


@dataclass(frozen=True, slots=True)
class Left(_OfPile):
    """The place of `pile` can be seen and is empty."""

    own: bool = False


@dataclass(frozen=True, slots=True)
class Shifted(_OfPile):
    """`pile` lies elsewhere now, with the same card on top."""


@dataclass(frozen=True, slots=True)
class Turned(_OfPile):
    """A back shows on top of `pile`; `deck` names it where it was read."""

    deck: str | None


@dataclass(frozen=True, slots=True)
class Nudged:
    """The camera or the table moved: every card lies elsewhere in the picture, none was played."""

    t_s: float


@dataclass(frozen=True, slots=True)
class Covered:
    """Something lies before the camera (since `t_s`), or went away again (`over`): nothing could be seen."""

    t_s: float
    over: bool = False


Sight = Rested | Confirmed | Left | Shifted | Turned | Nudged | Covered
