"""A whole photograph: every card found, sharpened and read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from referee.cards import DECKS, Family
from vision.enrolment import Gallery
from vision.finder import Finder
from vision.ghosts import SURE_SCORE, without_ghosts
from vision.reader import Reader
from vision.refine import refine_quads
from vision.types import UNREAD, Detection, Reading, SeenCard, order_quad

SECOND_ANGLES_DEG = (-40.0, -30.0, -20.0, -10.0, 0.0, 10.0, 20.0, 30.0, 40.0)
"""Angles at which an unread card is looked at again."""

ENOUGH_SIZES = 2
"""So many enrolled backs must be known in a picture to tell how large its cards are."""


class Eyes:
    """Finder and reader together, and the examples of a household if there are some; one per thread.

    A gallery may be shared by all threads, and `gallery` be set to another one between two pictures.
    """

    def __init__(self, finder: Finder, reader: Reader, gallery: Gallery | None = None) -> None:
        self.finder = finder
        self.reader = reader
        self.gallery = gallery

    @classmethod
    def load(cls, *, threads: int = 1, gallery: Gallery | None = None) -> Eyes:
        """Both models as they came with the program."""
        return cls(Finder.load(threads=threads), Reader.load(threads=threads), gallery)

    def read_still(self, image: np.ndarray, family: str | None = None) -> list[SeenCard]:
        """Every card of a photograph BGR uint8 (H, W, 3), from top to bottom and left to right.

        `family` (`blitz` or `standard`) says which decks are on the table, where that is known.
        """
        found = self.finder.find_in_still(image)
        seen = self.read_found(image, found, family=family, both_ends=True)
        return without_ghosts(seen, self.finder.settings.min_score_still)

    def read_found(
        self, image: np.ndarray, found: list[Detection], *, family: str | None = None, both_ends: bool = False
    ) -> list[SeenCard]:
        """The readings of cards found in `image`; what turns out to be no card is left out."""
        quads = refine_quads(image, [d.quad for d in found])
        readings = self.reader.read(image, quads, both_ends=both_ends)
        gallery = self.gallery
        if gallery is not None:
            readings = gallery.answer(image, quads, readings)
            self._fit_unknown(image, gallery, quads, readings)
        self._turn_unread(image, found, quads, readings)
        sharp = [replace(d, quad=quad) for d, quad in zip(found, quads, strict=True)]
        seen = []
        for detection, reading in zip(sharp, readings, strict=True):
            if family is not None:
                reading = _of_family(reading, family, () if gallery is None else gallery.decks)
            if reading.side is None:
                if detection.score < SURE_SCORE:
                    continue
                reading = UNREAD
            seen.append(SeenCard(replace(detection, side=reading.side), reading))
        return sorted(
            seen, key=lambda s: (round(float(s.detection.centre[1]) / 40), float(s.detection.centre[0]))
        )

    def _fit_unknown(
        self, image: np.ndarray, gallery: Gallery, quads: list[np.ndarray], readings: list[Reading]
    ) -> None:
        """Look again at the backs that are no enrolled one, as cards of the usual size in the same place.

        The finder may have outlined the panel inside a back's margin. `quads` and `readings` are changed
        where the usual size gives an enrolled back.
        """
        well = [quad for quad, reading in zip(quads, readings, strict=True) if reading.deck in gallery.decks]
        unknown = [i for i, r in enumerate(readings) if r.side != "face" and r.deck is None]
        if len(well) < ENOUGH_SIZES or not unknown:
            return
        sizes = np.array([_size_px(quad) for quad in well])
        usual = []
        for index in unknown:
            near = np.linalg.norm([q.mean(axis=0) - quads[index].mean(axis=0) for q in well], axis=1)
            usual.append(_turned(quads[index], 0.0, np.median(sizes[np.argsort(near)[:5]], axis=0)))
        fitted = refine_quads(image, usual)
        answers = gallery.answer(image, fitted, [readings[index] for index in unknown])
        for index, quad, answer in zip(unknown, fitted, answers, strict=True):
            if answer.deck is not None:
                quads[index], readings[index] = quad, answer

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


def _of_family(reading: Reading, family: str, enrolled: Sequence[str]) -> Reading:
    """The reading without values that do not occur in `family`; a back of `enrolled` may be of either."""
    alternatives = tuple((card, p) for card, p in reading.alternatives if card.family == family)
    card = reading.card
    if card is not None and card.family != family:
        return replace(reading, number=None, colour=None, alternatives=alternatives)
    foreign = family == Family.STANDARD and reading.deck in DECKS and reading.deck not in enrolled
    return replace(reading, alternatives=alternatives, deck=None if foreign else reading.deck)


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
