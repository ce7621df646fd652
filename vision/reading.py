"""A whole photograph: every card found, sharpened and read."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.finder import Finder
from vision.reader import Reader
from vision.refine import refine_quads
from vision.types import UNREAD, Detection, Reading, SeenCard, order_quad

SECOND_ANGLES_DEG = (-40.0, -30.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0, 40.0)
"""Angles at which an unread card is looked at again."""
GHOST_COVERED = 0.5
"""An unread box of which more lies on read cards is none."""
GHOST_AREA = 2.0
"""Nor is one that is this much larger or smaller than the read cards around it, if there are enough."""
ENOUGH_TO_COMPARE = 4
SURE_SCORE = 0.75
"""A box that the finder is this sure of is reported even if nothing could be read on it."""


class Eyes:
    """Finder and reader together; one per thread."""

    def __init__(self, finder: Finder, reader: Reader) -> None:
        self.finder = finder
        self.reader = reader

    @classmethod
    def load(cls, *, threads: int = 1) -> Eyes:
        """Both models as they came with the program."""
        return cls(Finder.load(threads=threads), Reader.load(threads=threads))

    def read_still(self, image: np.ndarray, family: str | None = None) -> list[SeenCard]:
        """Every card of a photograph BGR uint8 (H, W, 3), from top to bottom and left to right.

        `family` (`blitz` or `standard`) says which decks are on the table, where that is known.
        """
        found = self.finder.find_in_still(image)
        return _without_ghosts(self.read_found(image, found, family=family, both_ends=True))

    def read_found(
        self, image: np.ndarray, found: list[Detection], *, family: str | None = None, both_ends: bool = False
    ) -> list[SeenCard]:
        """The readings of cards found in `image`; what turns out to be no card is left out."""
        quads = refine_quads(image, [d.quad for d in found])
        readings = self.reader.read(image, quads, both_ends=both_ends)
        self._turn_unread(image, found, quads, readings)
        sharp = [replace(d, quad=quad) for d, quad in zip(found, quads, strict=True)]
        seen = []
        for detection, reading in zip(sharp, readings, strict=True):
            if family is not None:
                reading = _of_family(reading, family)
            if reading.side is None:
                if detection.score < SURE_SCORE:
                    continue
                reading = UNREAD
            seen.append(SeenCard(replace(detection, side=reading.side), reading))
        return sorted(
            seen, key=lambda s: (round(float(s.detection.centre[1]) / 40), float(s.detection.centre[0]))
        )

    def _turn_unread(
        self, image: np.ndarray, found: list[Detection], quads: list[np.ndarray], readings: list[Reading]
    ) -> None:
        """Look again at the faces that could not be read, as cards of the usual size at other angles.

        On a messy pile the finder's box can take its angle from the cards below. `quads` and `readings` are
        changed where another angle gives a reading.
        """
        well = [quad for quad, reading in zip(quads, readings, strict=True) if reading.card is not None]
        unread = [i for i, r in enumerate(readings) if r.side != "back" and r.card is None]
        if not unread or not well:
            return
        sizes = np.array([_size_px(quad) for quad in well])
        turned, owner = [], []
        for index in unread:
            near = np.linalg.norm([q.mean(axis=0) - found[index].centre for q in well], axis=1)
            size = np.median(sizes[np.argsort(near)[:5]], axis=0)
            for angle in SECOND_ANGLES_DEG:
                turned.append(_turned(found[index].quad, angle, size))
                owner.append(index)
        sharp = refine_quads(image, turned)
        for index, quad, reading in zip(owner, sharp, self.reader.read(image, sharp), strict=True):
            if reading.card is not None and reading.confidence > (
                readings[index].confidence if readings[index].card else 0
            ):
                quads[index], readings[index] = quad, reading


def _without_ghosts(seen: list[SeenCard]) -> list[SeenCard]:
    """The cards without unread boxes that lie mostly on read cards or are of quite another size.

    Neither can be a card of the same table: gaps between cards and pictures printed on them look like that.
    """

    def is_read(card: SeenCard) -> bool:
        return card.reading.card is not None or card.reading.deck is not None

    read = [card.detection.quad for card in seen if is_read(card)]
    areas = np.array([cv2.contourArea(quad) for quad in read])

    def ghost(card: SeenCard) -> bool:
        own = card.detection.quad
        area = max(cv2.contourArea(own), 1.0)
        if sum(cv2.intersectConvexConvex(own, other)[0] for other in read) > GHOST_COVERED * area:
            return True
        if len(read) < ENOUGH_TO_COMPARE or card.detection.score >= SURE_SCORE:
            return False
        near = np.argsort([np.linalg.norm(quad.mean(axis=0) - card.detection.centre) for quad in read])[:5]
        ratio = area / float(np.median(areas[near]))
        return not 1 / GHOST_AREA < ratio < GHOST_AREA

    return [card for card in seen if is_read(card) or not ghost(card)]


def _size_px(quad: np.ndarray) -> tuple[float, float]:
    """Width and length of a card in pixels."""
    edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(edges[0] + edges[2]) / 2, float(edges[1] + edges[3]) / 2


def _turned(quad: np.ndarray, angle_deg: float, size: np.ndarray) -> np.ndarray:
    """A card of `size` px with the centre of `quad`, turned by `angle_deg` against it."""
    along = (quad[2] - quad[1]) + (quad[3] - quad[0])
    axis = float(np.degrees(np.arctan2(along[1], along[0]))) + angle_deg
    x, y = (float(v) for v in quad.mean(axis=0))
    return order_quad(cv2.boxPoints(((x, y), (float(size[1]), float(size[0])), axis)))


def _of_family(reading: Reading, family: str) -> Reading:
    """The reading without values that do not occur in `family`."""
    alternatives = tuple((card, p) for card, p in reading.alternatives if card.family == family)
    card = reading.card
    if card is not None and card.family != family:
        return replace(reading, number=None, colour=None, alternatives=alternatives)
    return replace(reading, alternatives=alternatives)


def draw_seen(image: np.ndarray, seen: list[SeenCard]) -> np.ndarray:
    """A copy of the picture with every card outlined and named; unread values show as `?`."""
    shown = image.copy()
    scale = max(0.4, image.shape[1] / 1800)
    for card in seen:
        quad = np.round(card.detection.quad).astype(np.int32)
        known = card.reading.card is not None or card.reading.deck is not None
        colour = (80, 220, 60) if known else (40, 160, 255)
        cv2.polylines(shown, [quad], True, colour, max(1, round(2 * scale)), cv2.LINE_AA)
        reading = card.reading
        if reading.side == "back":
            text = reading.deck or "back?"
        else:
            text = f"{reading.colour or '?'} {reading.number or '?'}"
        at = (int(quad[:, 0].min()), int(quad[:, 1].min()) - 4)
        cv2.putText(
            shown,
            text,
            at,
            cv2.FONT_HERSHEY_SIMPLEX,
            scale * 0.6,
            (0, 0, 0),
            max(2, round(4 * scale)),
            cv2.LINE_AA,
        )
        cv2.putText(
            shown,
            text,
            at,
            cv2.FONT_HERSHEY_SIMPLEX,
            scale * 0.6,
            colour,
            max(1, round(1.5 * scale)),
            cv2.LINE_AA,
        )
    return shown
