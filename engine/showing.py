"""Cards shown to be enrolled: what pictures and films show of them, and which faces they surely are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import BLITZ_COLOURS, SUITS, Card, Colour, Family, highest_number
from vision.likeness import FINE_PX
from vision.outline import card_outlines
from vision.reading import Eyes
from vision.refine import refine_quads
from vision.types import Detection, Reading, SeenCard
from vision.unwarp import unwarp

Image = NDArray[np.uint8]
Quad = NDArray[np.float32]

MIN_WIDTH_PX = 60.0
"""A narrower card shows too little of its drawing to be an example."""
READ_SURELY = 0.9
"""A face counts as known if it was read so surely."""
SAME_OUTLINE = 0.88
"""Intersection over union from which two outlines are of one card, and both right."""
APART = 0.1
"""Outlines that share less are of two cards."""
FEW_CARDS = 3
"""A picture with more cards is not cut out as well: what stands off from the table may be several cards."""


@dataclass(frozen=True, slots=True)
class Look:
    """A card in picture `picture`, unwarped BGR uint8 (272, 192, 3); `card` is the face that it surely is."""

    picture: int
    crop: Image
    width_px: float
    reading: Reading
    card: Card | None = None


@dataclass
class Shown:
    """Takes in pictures and keeps the looks at cards whose outline two ways of finding it agree on.

    `unclear`: cards without such an outline; `small`: too narrow ones. `eyes` should know no gallery.
    """

    eyes: Eyes
    looks: list[Look] = field(default_factory=list)
    pictures: int = 0
    unclear: int = 0
    small: int = 0
    film: bool = False
    _before: list[Quad] = field(default_factory=list)

    def photograph(self, picture: Image) -> None:
        """Take in a photograph BGR uint8 (H, W, 3): found as it is, turned, and by what stands off."""
        seen = self.eyes.read_still(picture)
        others = self._found_turned(picture)
        if len(seen) <= FEW_CARDS:
            cut = card_outlines(picture)
            seen += self._found_otherwise(picture, seen, others, cut)
            others = [*others, *cut]
        self._take_in(picture, seen, others)

    def frame(self, picture: Image) -> None:
        """Take in a frame of a film BGR uint8 (H, W, 3): a card's outline is the one that it keeps."""
        self.film = True
        seen = self.eyes.read_found(picture, self.eyes.finder.find(picture))
        self._take_in(picture, seen, self._before)
        self._before = [card.detection.quad for card in seen]

    def _found_turned(self, picture: Image) -> list[Quad]:
        turned = np.ascontiguousarray(np.rot90(picture))
        quads = refine_quads(turned, [d.quad for d in self.eyes.finder.find_in_still(turned)])
        width = picture.shape[1]
        return [np.stack([width - quad[:, 1], quad[:, 0]], axis=1).astype(np.float32) for quad in quads]

    def _found_otherwise(
        self, picture: Image, seen: Sequence[SeenCard], others: Sequence[Quad], cut: Sequence[Quad]
    ) -> list[SeenCard]:
        """Cards that were overlooked, and on which both other ways agree."""
        known = [card.detection.quad for card in seen]
        fresh = [quad for quad in cut if agrees(quad, others) and not agrees(quad, known, APART)]
        readings = self.eyes.reader.read(picture, fresh, both_ends=True)
        return [
            SeenCard(Detection(quad, reading.side, 1.0), reading)
            for quad, reading in zip(fresh, readings, strict=True)
        ]

    def _take_in(self, picture: Image, seen: Sequence[SeenCard], others: Sequence[Quad]) -> None:
        for card in seen:
            quad = card.detection.quad
            if not agrees(quad, others):
                self.unclear += 1
            elif card.detection.width_px < MIN_WIDTH_PX:
                self.small += 1
            else:
                crop = np.asarray(unwarp(picture, quad, FINE_PX), np.uint8)
                self.looks.append(Look(self.pictures, crop, card.detection.width_px, card.reading))
        self.pictures += 1


def agrees(quad: Quad, others: Sequence[Quad], least: float = SAME_OUTLINE) -> bool:
    """Whether one of `others` is the same outline as `quad`: their intersection over union is `least`."""
    return any(_share(quad, other) >= least for other in others)


def _share(a: Quad, b: Quad) -> float:
    """Intersection over union of two convex quads (4, 2), 0-1."""
    shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    union = cv2.contourArea(a) + cv2.contourArea(b) - shared
    return float(shared / union) if union > 0 else 0.0


def backs_and_faces(looks: Sequence[Look]) -> tuple[list[Look], list[Look]]:
    """The looks at backs, and those at faces with the card that each surely is.

    What cannot be read at all is a face that is not read, or a back where no face is shown: a drawing that
    the reader does not know. A face that seems to lie twice in one picture was misread once; neither look is
    named.
    """
    backs = [look for look in looks if look.reading.side == "back"]
    faces = [_named(look) for look in looks if look.reading.side == "face"]
    unread = [look for look in looks if look.reading.side is None]
    twice = Counter((look.picture, look.card) for look in faces)
    faces = [replace(look, card=None) if twice[look.picture, look.card] > 1 else look for look in faces]
    return (backs, [*faces, *unread]) if faces else ([*backs, *unread], [])


def _named(look: Look) -> Look:
    return replace(look, card=look.reading.card if look.reading.confidence >= READ_SURELY else None)


def by_elimination(faces: Sequence[Look]) -> list[Look]:
    """The faces with those named that must be the missing ones of a whole deck or suit.

    That is certain only of a spread in one picture, or of pictures of one card each, in which every card of
    the deck or suit is seen once.
    """
    places: dict[int, list[int]] = {}
    for index, look in enumerate(faces):
        places.setdefault(look.picture, []).append(index)
    groups = list(places.values())
    if groups and all(len(group) == 1 for group in groups):
        groups = [[index for group in groups for index in group]]
    named = list(faces)
    for group in groups:
        for index, card in zip(group, _complete([faces[i] for i in group]), strict=True):
            named[index] = replace(named[index], card=card)
    return named


def _complete(looks: Sequence[Look]) -> list[Card | None]:
    """The cards of a group, the unread ones filled in as far as only one card is left for them."""
    cards = [look.card for look in looks]
    known = [card for card in cards if card is not None]
    left = _missing(known, len(cards))
    open_ = [index for index, card in enumerate(cards) if card is None]
    if left is None or len(left) != len(open_):
        return cards
    filled = list(cards)
    while open_:
        options = {i: [card for card in left if _may_be(looks[i].reading, card)] for i in open_}
        takers = Counter(card for cards_of in options.values() for card in cards_of)
        if not all(options.values()) or any(takers[card] == 0 for card in left):
            # A reading is wrong: then nothing is certain.
            return cards
        sure = next(
            (
                (index, card)
                for index, cards_of in options.items()
                for card in cards_of
                if len(cards_of) == 1 or takers[card] == 1
            ),
            None,
        )
        if sure is None:
            return filled
        filled[sure[0]] = sure[1]
        open_.remove(sure[0])
        left.remove(sure[1])
    return filled


def _missing(known: Sequence[Card], count: int) -> list[Card] | None:
    """The cards besides `known` in a whole suit or deck of `count` cards; None if it is no such set."""
    if not known or len(set(known)) < len(known) or len({card.family for card in known}) > 1:
        return None
    family = known[0].family
    colours: Sequence[Colour] = BLITZ_COLOURS if family is Family.BLITZ else SUITS
    highest = highest_number(family)
    if count == highest and len({card.colour for card in known}) == 1:
        colours = [known[0].colour]
    elif count != highest * len(colours):
        return None
    whole = [Card(number, colour) for colour in colours for number in range(1, highest + 1)]
    return [card for card in whole if card not in known]


def _may_be(reading: Reading, card: Card) -> bool:
    """Whether what was read of a face does not speak against this card."""
    return reading.number in (None, card.number) and reading.colour in (None, str(card.colour))
