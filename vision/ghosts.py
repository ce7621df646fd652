"""Boxes of a photograph that cannot be cards: gaps, pictures printed on cards, faint doubles."""

from __future__ import annotations

import cv2
import numpy as np

from vision.types import SeenCard

GHOST_COVERED = 0.5
"""An unread box of which more lies on read cards is none, unless the finder is sure of it."""
COLOURED_SCORE = 0.6
"""A card of which only the colour can be read counts from this score, covered or not: gaps have no colour."""
COLOURED_CONFIDENCE = 0.9
GHOST_AREA = 2.0
"""Nor is one that is this much larger or smaller than the read cards around it, if there are enough."""
FEW_AREA = 3.0
"""The same where there are fewer: a table seen at a slant alone makes near cards twice as large."""
ENOUGH_TO_COMPARE = 4
SURE_SCORE = 0.75
"""A box that the finder is this sure of is reported even if nothing could be read on it."""
FAINT_CONFIDENCE = 0.8
"""A faint box is a card only if it is read at least this surely."""
LONE_SCORE = 0.6
"""Where the finder is this sure of no box at all, the picture shows a table without cards."""
DENIED_SCORE = 0.85
"""Where no card is read, what the reader takes for none is one only if the finder is as sure as this."""
HALVES_SCORE = 0.65
"""A back that the finder is less sure of, and that lies mostly on surer cards, is made of their halves."""
TWIN_SHARED = 0.45
"""Two boxes that overlap more (IoU) and say the same are one card."""
PLACE_SHARED = 0.6
"""So are two that overlap more than this, whatever they say: a card covered so far shows too little."""


def without_ghosts(seen: list[SeenCard], min_score: float) -> list[SeenCard]:
    """The cards of `seen` without what cannot be one beside the others.

    Left out are faint boxes (below `min_score`) that are not read surely; all but surely read faces where no
    box is a sure one; mugs, papers and boxes where no card is read; of two boxes of one card the fainter;
    backs that are made of halves of their neighbours; unread boxes that lie mostly on read cards or are of
    quite another size: gaps between cards and pictures printed on them look like that.
    """
    seen = [
        card
        for card in seen
        if card.detection.score >= min_score
        or (_is_read(card) and card.reading.confidence >= FAINT_CONFIDENCE)
    ]
    if all(card.detection.score < LONE_SCORE for card in seen):
        seen = [c for c in seen if c.reading.card is not None and c.reading.confidence >= FAINT_CONFIDENCE]
    if not any(_is_read(card) for card in seen):
        seen = [c for c in seen if c.reading.side is not None or c.detection.score >= DENIED_SCORE]
    seen = [card for card in seen if not any(_is_fainter_twin(card, other) for other in seen)]
    seen = [card for card in seen if not _is_of_halves(card, seen)]
    read = [card.detection.quad for card in seen if _is_read(card)]
    return [card for card in seen if _is_read(card) or not _is_ghost(card, read)]


def _is_read(card: SeenCard) -> bool:
    return card.reading.card is not None or card.reading.deck is not None


def _says(card: SeenCard) -> tuple[object, ...]:
    return card.reading.card, card.reading.deck


def _sureness(card: SeenCard) -> tuple[bool, float, tuple[float, ...]]:
    return _is_read(card), card.detection.score, tuple(float(v) for v in card.detection.centre)


def _is_fainter_twin(card: SeenCard, other: SeenCard) -> bool:
    """Whether `other`, of which more is sure, is the same card."""
    if card is other or _sureness(card) >= _sureness(other):
        return False
    same = _is_read(card) and _says(card) == _says(other)
    own, its = card.detection.quad, other.detection.quad
    shared = cv2.intersectConvexConvex(own, its)[0]
    union = cv2.contourArea(own) + cv2.contourArea(its) - shared
    return bool(shared > (TWIN_SHARED if same else PLACE_SHARED) * union)


def _is_of_halves(card: SeenCard, seen: list[SeenCard]) -> bool:
    """Whether a back lies mostly on read cards of which the finder is surer."""
    own, score = card.detection.quad, card.detection.score
    if card.reading.deck is None or score >= HALVES_SCORE:
        return False
    surer = [other.detection.quad for other in seen if _is_read(other) and other.detection.score > score]
    shared = sum(cv2.intersectConvexConvex(own, quad)[0] for quad in surer)
    return bool(shared > GHOST_COVERED * cv2.contourArea(own))


def _is_ghost(card: SeenCard, read: list[np.ndarray]) -> bool:
    score = card.detection.score
    if score >= SURE_SCORE or not read:
        return False
    own = card.detection.quad
    area = max(cv2.contourArea(own), 1.0)
    coloured = card.reading.colour is not None and card.reading.confidence >= COLOURED_CONFIDENCE
    if not (coloured and score >= COLOURED_SCORE):
        shared = sum(cv2.intersectConvexConvex(own, other)[0] for other in read)
        if shared > GHOST_COVERED * area:
            return True
    near = sorted(read, key=lambda quad: float(np.linalg.norm(quad.mean(axis=0) - card.detection.centre)))[:5]
    ratio = area / float(np.median([cv2.contourArea(quad) for quad in near]))
    most = GHOST_AREA if len(read) >= ENOUGH_TO_COMPARE else FEW_AREA
    return not 1 / most < ratio < most
