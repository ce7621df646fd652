"""Rendered tables whose art, typefaces and surfaces the models never saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.build import WorldSpec, scenes
from datasets.scene import CardTruth, Scene
from engine.evaluation.matching import Share, match
from vision.reading import Eyes
from vision.types import SeenCard

BANDS = ("<45", "45-60", "60-90", ">90")
FOUND_MIN_VISIBLE = 0.4
FOUND_MIN_WIDTH_PX = 45.0
READ_MIN_VISIBLE = 0.9
"""Of a number of which less shows no reading is asked."""


def band(width_px: float) -> str:
    """The width band of a card."""
    return (
        BANDS[0] if width_px < 45 else BANDS[1] if width_px < 60 else BANDS[2] if width_px <= 90 else BANDS[3]
    )


@dataclass
class SyntheticSet:
    """Figures on rendered pictures, numbers and abstention per width band."""

    name: str
    photos: int = 0
    found: Share = field(default_factory=Share)
    precision: Share = field(default_factory=Share)
    number: dict[str, Share] = field(default_factory=lambda: {b: Share() for b in BANDS})
    number_abstained: dict[str, Share] = field(default_factory=lambda: {b: Share() for b in BANDS})
    colour: Share = field(default_factory=Share)
    colour_abstained: Share = field(default_factory=Share)
    deck: Share = field(default_factory=Share)
    deck_abstained: Share = field(default_factory=Share)
    empty: Share = field(default_factory=Share)
    confusions: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[Scene, list[SeenCard], int]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON values."""

        def shares(table: dict[str, Share]) -> dict[str, float | None]:
            return {key: None if s.value is None else round(s.value, 4) for key, s in table.items()}

        return {
            "set": self.name,
            "photos": self.photos,
            "found_recall": self.found.value,
            "found_precision": self.precision.value,
            "number_right_of_accepted": shares(self.number),
            "number_abstained": shares(self.number_abstained),
            "colour_right_of_accepted": self.colour.value,
            "colour_abstained": self.colour_abstained.value,
            "deck_right_of_accepted": self.deck.value,
            "deck_abstained": self.deck_abstained.value,
            "empty_pictures_without_card": self.empty.value,
            "confusions": dict(self.confusions.most_common(20)),
        }


def measure(
    eyes: Eyes,
    count: int,
    seed: int,
    *,
    blitz_share: float,
    name: str,
    package_cache: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SyntheticSet:
    """Figures over `count` rendered photographs of the test split."""
    figures = SyntheticSet(name)
    spec = WorldSpec("test", seed, (1280, 960), (35.0, 150.0), blitz_share, package_cache)
    for number, scene in enumerate(scenes(spec, 0, count)):
        seen = eyes.read_still(scene.image)
        wrong = _add(figures, scene, seen)
        if wrong:
            figures.failures = sorted([*figures.failures, (scene, seen, wrong)], key=lambda f: -f[2])[:12]
        if progress is not None:
            progress(number + 1, count)
    return figures


def _add(figures: SyntheticSet, scene: Scene, seen: list[SeenCard]) -> int:
    """Add one picture; returns how much was wrong with it."""
    figures.photos += 1
    if not scene.cards:
        figures.empty.add(not seen)
    height, width = scene.image.shape[:2]
    true = [_in_picture(t.quad, width, height) for t in scene.cards]
    pairs = {j: i for i, j, _ in match([s.detection.quad for s in seen], true)}
    wrong = 0
    for j, truth in enumerate(scene.cards):
        inside = bool((truth.quad > 0).all() and (truth.quad < (width, height)).all())
        if truth.visible >= FOUND_MIN_VISIBLE and truth.width_px >= FOUND_MIN_WIDTH_PX and inside:
            figures.found.add(j in pairs)
            wrong += j not in pairs
        if j in pairs:
            wrong += _reading(figures, truth, seen[pairs[j]])
    for i in range(len(seen)):
        real = i in pairs.values()
        figures.precision.add(real)
        wrong += not real
    return wrong


def _in_picture(quad: np.ndarray, width: int, height: int) -> np.ndarray:
    """The box of the part of a card that lies in the picture; its corners where it lies in it wholly."""
    if (quad >= 0).all() and (quad <= (width, height)).all():
        return quad
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    _, inside = cv2.intersectConvexConvex(quad.astype(np.float32), frame)
    if inside is None or len(inside) < 3:
        return quad
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(inside)), np.float32)


def _reading(figures: SyntheticSet, truth: CardTruth, seen: SeenCard) -> int:
    reading, wrong = seen.reading, 0
    if truth.card is None:
        if (
            truth.deck is not None
            and not truth.deck.startswith("other")
            and truth.visible >= READ_MIN_VISIBLE
            and truth.width_px >= 60
        ):
            figures.deck_abstained.add(reading.deck is None)
            if reading.deck is not None:
                figures.deck.add(reading.deck == truth.deck)
                if reading.deck != truth.deck:
                    figures.confusions[f"{truth.deck}->{reading.deck}"] += 1
                    wrong += 1
        return wrong
    if truth.number_visible >= READ_MIN_VISIBLE:
        key = band(truth.width_px)
        figures.number_abstained[key].add(reading.number is None)
        if reading.number is not None:
            figures.number[key].add(reading.number == truth.card.number)
            if reading.number != truth.card.number:
                figures.confusions[f"{truth.card.number}->{reading.number} ({key} px)"] += 1
                wrong += 1
    if truth.width_px >= FOUND_MIN_WIDTH_PX and truth.visible >= 0.5:
        figures.colour_abstained.add(reading.colour is None)
        if reading.colour is not None:
            figures.colour.add(reading.colour == str(truth.card.colour))
            if reading.colour != str(truth.card.colour):
                figures.confusions[f"{truth.card.colour}->{reading.colour}"] += 1
                wrong += 1
    return wrong
