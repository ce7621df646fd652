"""What the reader is asked to say of a card."""

from __future__ import annotations

from datasets.scene import CardTruth
from referee.cards import DECKS, Family
from vision.reader import COLOURS, KINDS, UNKNOWN_COLOUR, UNKNOWN_DECK, UNKNOWN_NUMBER

IGNORE = -1
"""The value does not apply: the number of a back, the deck of a face."""
NUMBER_MIN_VISIBLE = 0.72
"""A printed number of which less shows counts as unreadable."""
NUMBER_MIN_WIDTH_PX = 36.0
"""On a narrower card a printed number is four pixels high: nobody could read it."""


def encode(truth: CardTruth | None) -> tuple[int, int, int, int]:
    """(kind, number, colour, deck) indices of a card, or of a place without a card."""
    if truth is None:
        return KINDS.index("none"), IGNORE, IGNORE, IGNORE
    if truth.card is None:
        known = truth.family is Family.BLITZ and truth.deck in DECKS
        deck = DECKS.index(truth.deck) if known and truth.deck else UNKNOWN_DECK
        return KINDS.index("back"), IGNORE, IGNORE, deck
    readable = truth.number_visible >= NUMBER_MIN_VISIBLE and truth.width_px >= NUMBER_MIN_WIDTH_PX
    hidden_suit = truth.family is Family.STANDARD and not readable and truth.visible < 0.5
    return (
        KINDS.index("face"),
        truth.card.number - 1 if readable else UNKNOWN_NUMBER,
        UNKNOWN_COLOUR if hidden_suit else COLOURS.index(str(truth.card.colour)),
        IGNORE,
    )
