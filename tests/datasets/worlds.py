"""Small worlds that are quick to draw."""

from __future__ import annotations

from functools import cache

import numpy as np

from datasets.art import CardArt
from datasets.cardbox import BLITZ_SIZE_MM, CardBox, DeckKit, blitz_kit
from datasets.light import Light
from datasets.scene import TableWorld
from referee.cards import DECKS, Card, Family

CALM = Light(kelvin=5000, balance=1.0, noise=0.0, jpeg=95)
"""Even white light, no noise."""


@cache
def world(split: str = "test") -> TableWorld:
    """The table world with few surfaces."""
    return TableWorld(split, CardBox(split, kits_kept=2), surfaces=2)


@cache
def kit() -> DeckKit:
    """One drawn Dutch Blitz deck."""
    return blitz_kit("harvest", "poster", "engraver", 3)


def plain_kit(white: tuple[int, int, int] = (255, 255, 255)) -> DeckKit:
    """Cards of one colour with sharp corners, numbers in the upper left and lower right."""

    def blank(what: Card | str) -> CardArt:
        picture = np.empty((364, 256, 4), np.uint8)
        picture[:] = (*white, 255)
        boxes = ((0.05, 0.04, 0.25, 0.2), (0.75, 0.8, 0.95, 0.96))
        if isinstance(what, Card):
            return CardArt(picture, boxes, "face", Family.BLITZ, *BLITZ_SIZE_MM, "plain", card=what)
        return CardArt(picture, (), "back", Family.BLITZ, *BLITZ_SIZE_MM, "plain", deck=what)

    return DeckKit(Family.BLITZ, BLITZ_SIZE_MM, DECKS, blank, blank, "plain")
