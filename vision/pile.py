"""A pile of cards on the table, how its place looks, and the thresholds by which it is followed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from referee.cards import Card
from vision.tracks import Track


@dataclass(frozen=True)
class PileSettings:
    """Thresholds of the association. Lengths in card widths, times in seconds, changes in grey levels."""

    settle_looks: int = 2
    """A card counts as at rest after this many looks ..."""
    settle_s: float = 0.12
    """... over at least this time."""
    unread_looks: int = 10
    """A card that could not be read is told as unknown after this many looks. The first are the worst, with
    the hand's shadow and what a film's coding leaves of it."""
    told_confidence: float = 0.99
    """A card read less surely is told only after `unread_looks`, or when another one covers it."""
    same_shift: float = 0.16
    """A found card this near to a track is that card ..."""
    same_turn_deg: float = 9.0
    steady_shift: float = 0.35
    """... and this near if the place looks as before: boxes of cards on messy piles jump."""
    steady_turn_deg: float = 25.0
    on_pile: float = 0.75
    """A card whose centre is nearer than this to a pile's top lies on that pile."""
    gone_s: float = 0.7
    """A place that can be seen and shows no card for this long is judged."""
    hidden_share: float = 0.12
    """A found card of which more lies under arms or movement is not judged."""
    judged_share: float = 0.6
    """A place of which less can be seen is not compared."""
    changed_level: float = 15.0
    """Mean change above which a place looks otherwise than before."""
    unsure_factor: float = 1.6
    unsure_level: float = 2.0
    """A change this much above the noise of the place leaves it to the reader."""
    move_reach: float = 2.2
    """A pile that vanishes while its top comes to rest this near was moved."""
    move_wait_s: float = 2.0
    """So long a card on a free place waits if it may be a pile that an arm still covers."""
    glimpse_s: float = 3.0
    glimpse_confidence: float = 0.75
    """A card seen before another covered it must be read at least this surely; it is remembered so long."""
    first_s: float = 1.0
    """What is found in this time from the first look was there before."""
    bump_shift: float = 0.16
    bump_turn_deg: float = 9.0
    """A card that lies this far from where it lay was bumped."""
    stir_s: float = 2.0
    """A place that changed and at which nothing is found is looked at closely for so long."""
    agree_looks: int = 2
    agree_confidence: float = 0.9
    """Read so often so surely as it was told, a top that was in doubt is what it was."""
    fresh: float = 0.0006
    """This share of the picture that looks otherwise than the still table calls for a look."""


class View(Enum):
    """How the place of a card looks, against how it looked when the card was seen there."""

    HIDDEN = "hidden"
    BLANK = "blank"
    """It can be seen, but how it looked before is not known."""
    SAME = "same"
    UNSURE = "unsure"
    CHANGED = "changed"


@dataclass(eq=False)
class Pile:
    """A place with cards: `tracks` bottom first, as far as they were seen."""

    name: str
    tracks: list[Track]
    own: bool
    told: Card | None = None
    turned: bool = False
    doubted: bool = False
    """Whether something may have happened here unseen since the last sight."""
    agreed: int = 0
    """How often the top has been read since as what was told."""

    @property
    def top(self) -> Track:
        return self.tracks[-1]

    def doubt(self) -> None:
        """Something may have happened here unseen."""
        self.doubted, self.agreed = True, 0
