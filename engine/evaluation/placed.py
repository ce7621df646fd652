"""Pictures whose every card is known with its place: rendered ones, and photographs labelled like them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from datasets.scene import CardTruth
from engine.evaluation.confusion import ALIKE, COLOURS, ConfusionTable
from engine.evaluation.failures import Worst
from engine.evaluation.matching import Share, match
from referee.cards import Card, Colour, Family
from vision.types import SeenCard

BANDS = ("<45", "45-60", "60-90", ">90")
FOUND_MIN_VISIBLE = 0.4
FOUND_MIN_WIDTH_PX = 45.0
SHOWN_MIN_VISIBLE = 0.3
"""A found card is paired with a card of which less shows only if no other lies there: on a pile all cards
have nearly the same corners, and the one that was seen is the upper one."""
READ_MIN_VISIBLE = 0.9
"""Of a number of which less shows no reading is asked."""
COLOUR_MIN_VISIBLE = 0.5
DECK_MIN_WIDTH_PX = 60.0
UNNAMED_BACKS = "other"
"""Backs that are none of the known decks are named with this."""


def band(width_px: float) -> str:
    """The width band of a card."""
    return (
        BANDS[0] if width_px < 45 else BANDS[1] if width_px < 60 else BANDS[2] if width_px <= 90 else BANDS[3]
    )


def _bands() -> dict[str, Share]:
    return {key: Share() for key in BANDS}


@dataclass
class PlacedSet:
    """Figures on pictures of one set; found cards, numbers and abstention per width band."""

    name: str
    photos: int = 0
    found: Share = field(default_factory=Share)
    precision: Share = field(default_factory=Share)
    found_in: dict[str, Share] = field(default_factory=_bands)
    number: dict[str, Share] = field(default_factory=_bands)
    number_abstained: dict[str, Share] = field(default_factory=_bands)
    colour: Share = field(default_factory=Share)
    colour_abstained: Share = field(default_factory=Share)
    deck: Share = field(default_factory=Share)
    deck_abstained: Share = field(default_factory=Share)
    empty: Share = field(default_factory=Share)
    confusions: Counter[str] = field(default_factory=Counter)
    numbers: ConfusionTable = field(default_factory=lambda: ConfusionTable(ALIKE))
    colours: ConfusionTable = field(default_factory=lambda: ConfusionTable(COLOURS))
    worst: Worst = field(default_factory=Worst)

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON values."""

        def shares(table: dict[str, Share]) -> dict[str, float | None]:
            return {key: None if s.value is None else round(s.value, 4) for key, s in table.items()}

        return {
            "set": self.name,
            "photos": self.photos,
            "found_recall": self.found.value,
            "found_precision": self.precision.value,
            "found_recall_by_width": shares(self.found_in),
            "number_right_of_accepted": shares(self.number),
            "number_abstained": shares(self.number_abstained),
            "colour_right_of_accepted": self.colour.value,
            "colour_abstained": self.colour_abstained.value,
            "deck_right_of_accepted": self.deck.value,
            "deck_abstained": self.deck_abstained.value,
            "empty_pictures_without_card": self.empty.value,
            "confusions": dict(self.confusions.most_common(20)),
            "number_table": self.numbers.to_json(),
            "colour_table": self.colours.to_json(),
        }

    def add(self, image: np.ndarray, truths: Sequence[CardTruth], seen: list[SeenCard]) -> int:
        """Hold one picture BGR uint8 (H, W, 3) against its truth; returns how much was wrong with it."""
        self.photos += 1
        if not truths:
            self.empty.add(not seen)
        height, width = image.shape[:2]
        pairs = _pairs(
            [s.detection.quad for s in seen],
            [_in_picture(t.quad, width, height) for t in truths],
            [t.visible >= SHOWN_MIN_VISIBLE for t in truths],
        )
        wrong = 0
        for j, truth in enumerate(truths):
            inside = bool((truth.quad > 0).all() and (truth.quad < (width, height)).all())
            if truth.visible >= FOUND_MIN_VISIBLE and inside:
                self.found_in[band(truth.width_px)].add(j in pairs)
                if truth.width_px >= FOUND_MIN_WIDTH_PX:
                    self.found.add(j in pairs)
                    wrong += j not in pairs
            if j in pairs:
                wrong += self._reading(truth, seen[pairs[j]])
        for i in range(len(seen)):
            real = i in pairs.values()
            self.precision.add(real)
            wrong += not real
        self.worst.add(image, seen, wrong)
        return wrong

    def _reading(self, truth: CardTruth, seen: SeenCard) -> int:
        return self._deck(truth, seen) if truth.card is None else self._face(truth, truth.card, seen)

    def _deck(self, truth: CardTruth, seen: SeenCard) -> int:
        known = truth.deck is not None and not truth.deck.startswith(UNNAMED_BACKS)
        if not known or truth.visible < READ_MIN_VISIBLE or truth.width_px < DECK_MIN_WIDTH_PX:
            return 0
        read = seen.reading.deck
        self.deck_abstained.add(read is None)
        if read is None:
            return 0
        self.deck.add(read == truth.deck)
        if read != truth.deck:
            self.confusions[f"{truth.deck}->{read}"] += 1
        return int(read != truth.deck)

    def _face(self, truth: CardTruth, card: Card, seen: SeenCard) -> int:
        reading, wrong = seen.reading, 0
        if truth.number_visible >= READ_MIN_VISIBLE:
            key = band(truth.width_px)
            self.number_abstained[key].add(reading.number is None)
            self.numbers.add(card.number, reading.number)
            if reading.number is not None:
                self.number[key].add(reading.number == card.number)
                if reading.number != card.number:
                    self.confusions[f"{card.number}->{reading.number} ({key} px)"] += 1
                    wrong += 1
        if truth.width_px >= FOUND_MIN_WIDTH_PX and truth.visible >= COLOUR_MIN_VISIBLE:
            self.colour_abstained.add(reading.colour is None)
            self.colours.add(card.colour, reading.colour)
            if reading.colour is not None:
                self.colour.add(reading.colour == str(card.colour))
                if reading.colour != str(card.colour):
                    self.confusions[f"{card.colour}->{reading.colour}"] += 1
                    wrong += 1
        return wrong


def _pairs(found: list[np.ndarray], true: list[np.ndarray], shown: list[bool]) -> dict[int, int]:
    """Which of `found` each of `true` is: {true: found}; those that are `shown` choose first."""
    pairs: dict[int, int] = {}
    for turn in (True, False):
        free = [i for i in range(len(found)) if i not in pairs.values()]
        wanted = [j for j in range(len(true)) if shown[j] is turn]
        for i, j, _ in match([found[i] for i in free], [true[j] for j in wanted]):
            pairs[wanted[j]] = free[i]
    return pairs


def _in_picture(quad: np.ndarray, width: int, height: int) -> np.ndarray:
    """The box of the part of a card that lies in the picture; its corners where it lies in it wholly."""
    if (quad >= 0).all() and (quad <= (width, height)).all():
        return quad
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    _, inside = cv2.intersectConvexConvex(quad.astype(np.float32), frame)
    if inside is None or len(inside) < 3:
        return quad
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(inside)), np.float32)


def truth_of(card: dict[str, Any]) -> CardTruth:
    """A card of `truth.json` with its corners, as `render --kind photo` writes it.

    Of its values only `quad` is needed; shares that are left out are 1.

    Raises:
        ValueError: if it has no four corners, or names no card.
    """
    quad = np.array(card.get("quad"), np.float32)
    if quad.shape != (4, 2):
        raise ValueError("a card's quad has four corners [x, y]")
    face = card.get("number") is not None
    named = Card.from_json(card) if face else None
    colour = named.colour if named is not None else None
    family = Family(card["family"]) if "family" in card else (colour or Colour.RED).family
    edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return CardTruth(
        quad,
        family,
        named,
        None if face else card.get("deck"),
        float(card.get("visible", 1.0)),
        float(card.get("number_visible", 1.0 if face else 0.0)),
        float(card.get("width_px", (edges[0] + edges[2]) / 2)),
    )
