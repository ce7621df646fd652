"""Our own card drawings as textures: Dutch-Blitz-like faces and backs, standard faces and backs.

>>> import random
>>> from referee.cards import Card
>>> blitz_face(Card.parse("red7"), "meadow", "grotesk", 128, random.Random(1)).image.shape
(184, 128, 4)
"""

from __future__ import annotations

from datasets.art.backs import HANDS, blitz_back
from datasets.art.card_art import Box, CardArt
from datasets.art.face_styles import STYLES
from datasets.art.faces import blitz_face
from datasets.art.packages import (
    PACKAGE_SPLITS,
    prepare_standard_decks,
    standard_back,
    standard_deck_names,
    standard_face,
)
from datasets.art.standard import BACK_PATTERNS, INDEX_STYLES, LETTERS, own_standard_back, own_standard_face
from datasets.art.typefaces import DRAWN, PILLOW, draws_cards

FACE_STYLES = tuple(STYLES)
TYPEFACES = (*DRAWN, PILLOW)
BACK_HANDS = tuple(HANDS)
INDEX_TYPEFACES = (
    "bicycle",
    "croupier",
    "index",
    "narrow_index",
    "grotesk",
    "condensed",
    "slab",
    "bodoni",
    "spindle",
    "tall_sans",
    "clarendon",
    "pillow",
)
"""The typefaces that come close to the indices of common decks; the others are for variety."""

SPLITS: dict[str, dict[str, tuple[str, ...]]] = {
    "faces": {
        "train": ("meadow", "barn", "market", "quilt", "mill", "orchard", "sampler", "smithy", "pasture"),
        "validation": ("chapel", "brook"),
        "test": ("harvest", "lantern"),
    },
    "typefaces": {
        "train": (
            "grotesk",
            "condensed",
            "slab",
            "fat",
            "rounded",
            "bodoni",
            "square",
            "italic",
            "light",
            "index",
            "narrow_index",
            "bicycle",
            "croupier",
        ),
        "validation": ("almanac", "tall_sans", "spindle"),
        "test": ("poster", "clarendon", "pillow"),
    },
    "hands": {
        "train": ("etcher", "woodcutter", "draughtsman", "sketcher", "penman", "printmaker", "miniaturist"),
        "validation": ("stippler", "child"),
        "test": ("signwriter", "engraver"),
    },
    "index_styles": {
        "train": (
            "poker",
            "bridge",
            "casino",
            "jumbo",
            "rhine",
            "paris",
            "four_colour",
            "travel",
            "solo",
            "bare",
        ),
        "validation": ("skat", "magnum"),
        "test": ("tournament",),
    },
    "standard_backs": {
        "train": ("lattice", "stripes", "medallion", "plain", "scales", "dots"),
        "validation": ("rays", "checks"),
        "test": ("waves", "tiles"),
    },
    "standard_decks": PACKAGE_SPLITS,
}
"""Which drawings may be trained on, and which are kept for validation and test."""

__all__ = [
    "BACK_HANDS",
    "BACK_PATTERNS",
    "FACE_STYLES",
    "INDEX_STYLES",
    "INDEX_TYPEFACES",
    "LETTERS",
    "SPLITS",
    "TYPEFACES",
    "Box",
    "CardArt",
    "blitz_back",
    "blitz_face",
    "draws_cards",
    "own_standard_back",
    "own_standard_face",
    "prepare_standard_decks",
    "standard_back",
    "standard_deck_names",
    "standard_face",
]
