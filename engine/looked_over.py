"""The cards seen in one photograph, looked over for the count: what they are and what is odd among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from engine.merging import Photograph
from vision.types import SeenCard

DOUBTFUL_P = 0.75
"""A card read with less certainty is doubtful."""
NEIGHBOURS, FEWEST = 4, 3
"""A stray back has another deck than its nearest neighbours, of which there are at least so many near it."""
NEAR_LENGTHS = 1.5
"""How far a neighbour's centre lies at most, in card lengths."""
TURNED_SHARE = 0.2
"""If no more than this share lies the other way up, it was turned over by mistake."""


def look_over(name: str, digest: str, player: str, cards: Sequence[SeenCard]) -> Photograph:
    """What a photograph shows, as the count takes it."""
    backs = [card for card in cards if card.reading.deck is not None]
    faces = [card for card in cards if card.reading.card is not None]
    sides = Counter(card.reading.side for card in cards if card.reading.side is not None)
    fewer = min(sides.values()) if len(sides) == 2 else 0
    return Photograph(
        name,
        digest,
        player,
        tuple(sorted(str(card.reading.deck) for card in backs)),
        tuple(sorted(card.reading.card for card in faces if card.reading.card is not None)),
        len(cards) - len(backs) - len(faces),
        sum(card.reading.confidence < DOUBTFUL_P for card in (*backs, *faces)),
        _strays(backs),
        fewer if fewer <= TURNED_SHARE * sides.total() else 0,
    )


def _strays(backs: Sequence[SeenCard]) -> tuple[tuple[str, str], ...]:
    """Backs all of whose near neighbours show one other deck: (deck, that of the neighbours)."""
    if len(backs) <= FEWEST:
        return ()
    centres = np.array([card.detection.centre for card in backs])
    strays = []
    for card, centre in zip(backs, centres, strict=True):
        apart = np.linalg.norm(centres - centre, axis=1)
        nearest = np.argsort(apart, kind="stable")[1 : NEIGHBOURS + 1]
        near = [int(i) for i in nearest if apart[i] <= NEAR_LENGTHS * card.detection.length_px]
        around = {str(backs[i].reading.deck) for i in near}
        if len(near) >= FEWEST and len(around) == 1 and card.reading.deck not in around:
            strays.append((str(card.reading.deck), around.pop()))
    return tuple(sorted(strays))
