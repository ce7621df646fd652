"""A card at rest: where it lies, how its place looks, and what all looks at it together say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from referee.cards import Card
from vision.arrivals import Brought
from vision.patches import Patch
from vision.types import Reading

ENOUGH_LOOKS = 3
"""So many unsure looks together may give a reading ..."""
MIN_MEAN, MIN_MEAN_UNSURE = 0.6, 0.75
"""... if the mean probability of the card is at least this; the second where no single look was sure."""
FEW_LOOKS_AT_MOST = {1: 0.8, 2: 0.95}
"""A hand may still cover part of a card at the first looks: they alone never make a reading sure."""
MIN_LEAD = 0.35
"""... and it leads the runner-up by this much."""
MOST_ALTERNATIVES = 4
MOST_READINGS = 12
"""Later looks replace earlier ones from so many on."""
UNREAD_WEIGHT = 0.25
"""A look at a face that gave no card counts this much: mostly its box was off, which says little."""
WELL_READ = 0.99
"""A card read this surely needs no further look while it lies still."""


@dataclass(eq=False)
class Track:
    """A card at rest. `patch`: how its place looks while the card lies on top and can be seen.

    `clear_s`, `clear_frame`: when it was last seen to lie there unchanged.
    """

    quad: np.ndarray
    side: str | None
    first_frame: int
    first_s: float
    last_s: float
    looks: int = 1
    readings: list[Reading] = field(default_factory=list)
    before_frame: int = 0
    last_frame: int = 0
    patch: Patch | None = None
    reported: bool = False
    second: bool = False
    """Whether the pile's top showed beneath it: of two equal cards this is the second."""
    brought: Brought | None = None
    gone_since: float | None = None
    """Since when its place can be seen and looks otherwise."""
    doubts: list[Reading] = field(default_factory=list)
    """Readings since its place began to look a little otherwise."""
    noise: float = 4.0
    """Mean change of its place from look to look, grey levels."""
    read_s: float = 0.0
    clear_s: float = 0.0
    clear_frame: int = 0

    def __post_init__(self) -> None:
        self._told: tuple[int, Reading] | None = None
        self.place(self.quad)

    def place(self, quad: np.ndarray) -> None:
        """Take `quad` float32 (4, 2) px for where the card lies."""
        self.quad = quad
        self.centre = np.asarray(quad.mean(axis=0))
        self.width_px = float((np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[3] - quad[2])) / 2)

    def read(self, reading: Reading, t_s: float) -> None:
        """Count one more look at the card."""
        if reading.side is None:
            return
        self.read_s = t_s
        if len(self.readings) >= MOST_READINGS:
            # The oldest one that gave nothing, else the oldest: the hand's shadow was still on it.
            self.readings.pop(next((i for i, r in enumerate(self.readings) if _gave_nothing(r)), 0))
        self.readings.append(reading)
        self._told = None

    def reading(self) -> Reading:
        """What all looks together say; unread where none can tell or they disagree."""
        if self._told is None or self._told[0] != len(self.readings):
            self._told = len(self.readings), vote(self.readings)
        return self._told[1]

    @property
    def well_read(self) -> bool:
        """Whether more looks would add nothing."""
        if not self.readings:
            return False
        told = self.reading()
        if told.side == "back":
            return len(self.readings) >= ENOUGH_LOOKS
        return told.card is not None and told.confidence >= WELL_READ


def _gave_nothing(reading: Reading) -> bool:
    return reading.card is None and reading.side == "face"


def vote(readings: Sequence[Reading]) -> Reading:
    """The reading of all looks at one card.

    Every look gives each card it thinks possible a probability; their mean decides, so that several
    unsure looks that favour the same card add up to a reading. It is as sure as its two surest looks
    together, less what the looks that do not agree hold against it.
    """
    faces = [r for r in readings if r.side == "face"]
    backs = [r for r in readings if r.side == "back"]
    if len(backs) >= len(faces):
        return max(backs or readings, key=lambda r: r.confidence)
    weights = [1.0 if look.card is not None else UNREAD_WEIGHT for look in faces]
    looks = [_chances(look, weight) for look, weight in zip(faces, weights, strict=True)]
    chance: Counter[Card] = Counter()
    for look in looks:
        chance.update(look)
    total = sum(weights)
    ranked = [(card, p / total) for card, p in chance.most_common(1 + MOST_ALTERNATIVES)]
    best = max(faces, key=lambda r: r.confidence)
    if not ranked:
        return best
    card, mean = ranked[0]
    rival = ranked[1][1] if len(ranked) > 1 else 0.0
    agreeing = sorted((r.confidence for r in faces if r.card == card), reverse=True)
    enough = bool(agreeing) or len(faces) >= ENOUGH_LOOKS
    if not enough or mean < (MIN_MEAN if agreeing else MIN_MEAN_UNSURE) or mean - rival < MIN_LEAD:
        unread = replace(best, number=None, confidence=mean) if best.card is not None else best
        return replace(unread, alternatives=tuple(ranked[:MOST_ALTERNATIVES]))
    against = sum(
        max((p for other, p in look.items() if other != card), default=0.0)
        for face, look in zip(faces, looks, strict=True)
        if face.card != card
    )
    sure = 1 - float(np.prod([1 - p for p in agreeing[:2]])) if agreeing else mean
    sure = min(sure, FEW_LOOKS_AT_MOST.get(len(agreeing), 1.0)) * chance[card] / (chance[card] + against)
    return Reading(
        "face", card.number, str(card.colour), confidence=float(sure), alternatives=tuple(ranked[1:])
    )


def _chances(look: Reading, weight: float) -> dict[Card, float]:
    """What one look at a face thinks possible, as far as it counts."""
    chances = {card: weight * p for card, p in look.alternatives}
    if look.card is not None:
        chances[look.card] = weight * look.confidence
    return chances


def centres_of(tracks: Sequence[Track]) -> np.ndarray:
    """Centres of the tracks in px, float32 (n, 2)."""
    return np.array([track.centre for track in tracks], np.float32).reshape(-1, 2)


def nearest(centres: np.ndarray, centre: np.ndarray, reach: float) -> list[int]:
    """Indices of the `centres` nearer to `centre` than `reach`, nearest first."""
    distance = np.hypot(*(centres - centre).T)
    near = np.flatnonzero(distance < reach)
    return [int(index) for index in near[np.argsort(distance[near], kind="stable")]]


def turn_between(a: np.ndarray, b: np.ndarray) -> float:
    """Angle in degrees between the long edges of two cards, 0-90."""

    def angle(q: np.ndarray) -> float:
        d = (q[2] - q[1]) + (q[3] - q[0])
        return float(np.degrees(np.arctan2(d[1], d[0])))

    difference = abs(angle(a) - angle(b)) % 180
    return min(difference, 180 - difference)


def shared_area(a: np.ndarray, b: np.ndarray) -> float:
    """Area in px that two quads share."""
    area, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return float(area)
