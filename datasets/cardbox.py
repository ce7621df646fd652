"""The decks of one scene: pictures of cards at several sizes, kept while they are in use."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np

from datasets import art
from referee.cards import BLITZ_COLOURS, DECKS, SUITS, Card, Family

BLITZ_SIZE_MM = (57.5, 82.0)
POKER_SIZE_MM = (63.0, 88.0)
BRIDGE_SIZE_MM = (57.0, 88.0)
OTHER_BACKS = tuple(f"other-{i}" for i in range(4))
"""Backs that are none of the twelve known decks."""


class Texture:
    """A card's picture as a pyramid, the largest first: BGRA uint8, each half as wide as the last."""

    def __init__(self, source: art.CardArt) -> None:
        self.number_boxes = source.number_boxes
        self.levels = [source.image]
        while self.levels[-1].shape[1] > 48:
            previous = self.levels[-1]
            size = (previous.shape[1] // 2, previous.shape[0] // 2)
            self.levels.append(cv2.resize(previous, size, interpolation=cv2.INTER_AREA))

    def for_width(self, width_px: float) -> np.ndarray:
        """The smallest level that is not magnified at `width_px`."""
        for level in reversed(self.levels):
            if level.shape[1] >= width_px * 0.95:
                return level
        return self.levels[0]


@dataclass
class DeckKit:
    """One style of cards and the backs that go with it; textures are drawn when first asked for."""

    family: Family
    size_mm: tuple[float, float]
    decks: tuple[str, ...]
    draw_face: Callable[[Card], art.CardArt]
    draw_back: Callable[[str], art.CardArt]
    name: str = ""
    _textures: dict[object, Texture] = field(default_factory=dict, repr=False)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every face of the deck."""
        colours = BLITZ_COLOURS if self.family is Family.BLITZ else SUITS
        highest = 10 if self.family is Family.BLITZ else 13
        return tuple(Card(number, colour) for colour in colours for number in range(1, highest + 1))

    def texture(self, card: Card | None, deck: str) -> Texture:
        """The picture of a face, or of a deck's back where `card` is None."""
        key: object = deck if card is None else card
        if key not in self._textures:
            self._textures[key] = Texture(self.draw_back(deck) if card is None else self.draw_face(card))
        return self._textures[key]


def blitz_kit(style: str, typeface: str, hand: str, seed: int, *, width_px: int = 256) -> DeckKit:
    """Our own Dutch Blitz deck: one face style, one typeface, one drawing hand, all twelve backs."""

    def face(card: Card) -> art.CardArt:
        return art.blitz_face(card, style, typeface, width_px, random.Random(seed))

    def back(deck: str) -> art.CardArt:
        return art.blitz_back(deck, hand, width_px, random.Random(seed))

    return DeckKit(Family.BLITZ, BLITZ_SIZE_MM, DECKS, face, back, f"{style}/{typeface}/{hand}")


def own_standard_kit(
    style: str, typeface: str, seed: int, *, width_px: int = 256, letters: str | None = None
) -> DeckKit:
    """Our own 52-card deck of an index style, with the letters of any country if they are named."""

    def face(card: Card) -> art.CardArt:
        return art.own_standard_face(card, style, typeface, width_px, random.Random(seed), letters)

    def back(deck: str) -> art.CardArt:
        return art.own_standard_back(seed * 31 + int(deck.rsplit("-", 1)[1]), width_px, random.Random(seed))

    size = POKER_SIZE_MM if seed % 3 else BRIDGE_SIZE_MM
    return DeckKit(Family.STANDARD, size, OTHER_BACKS, face, back, f"{style}/{typeface}")


def package_kit(deck_name: str, seed: int, cache: Path, *, width_px: int = 256) -> DeckKit:
    """A 52-card deck out of an installed package of free card pictures; half the time with a back of ours."""

    def face(card: Card) -> art.CardArt:
        return art.standard_face(card, deck_name, width_px, random.Random(seed), cache)

    def back(deck: str) -> art.CardArt:
        number = int(deck.rsplit("-", 1)[1])
        if number == 0:
            return art.standard_back(deck_name, width_px, random.Random(seed), cache)
        return art.own_standard_back(seed * 31 + number, width_px, random.Random(seed))

    size = POKER_SIZE_MM if seed % 3 else BRIDGE_SIZE_MM
    return DeckKit(Family.STANDARD, size, OTHER_BACKS, face, back, deck_name)


class CardBox:
    """All decks of one split; `pick` deals a kit, and the kits in use are renewed slowly to bound memory."""

    def __init__(
        self,
        split: str,
        *,
        blitz_share: float = 0.55,
        package_cache: Path | None = None,
        kits_kept: int = 12,
        renewed: float = 1 / 16,
        font_families: Sequence[Sequence[Path]] = (),
        foreign_share: float = 0.0,
    ) -> None:
        self._split = split
        self._blitz_share = blitz_share
        self._cache = package_cache
        self._kept: dict[Family, list[DeckKit]] = {Family.BLITZ: [], Family.STANDARD: []}
        self._kits_kept = kits_kept
        self._renewed = renewed
        self._fonts = font_families
        self._foreign_share = foreign_share
        self._packages = tuple(
            name
            for name in art.SPLITS["standard_decks"][split]
            if package_cache is not None and (package_cache / f"{name}.json").exists()
        )

    def pick(self, rng: np.random.Generator) -> DeckKit:
        """A kit of either family; now and then a new one, in place of an old one."""
        family = Family.BLITZ if rng.random() < self._blitz_share else Family.STANDARD
        kept = self._kept[family]
        if len(kept) < self._kits_kept:
            kept.append(self._new(family, rng))
            return kept[-1]
        index = int(rng.integers(len(kept)))
        if rng.random() < self._renewed:
            kept[index] = self._new(family, rng)
        return kept[index]

    def _new(self, family: Family, rng: np.random.Generator) -> DeckKit:
        seed = int(rng.integers(2**31 - 1))

        def one(names: Sequence[str]) -> str:
            return names[rng.integers(len(names))]

        if family is Family.BLITZ:
            typeface = self._font(rng) or one(art.SPLITS["typefaces"][self._split])
            style, hand = one(art.SPLITS["faces"][self._split]), one(art.SPLITS["hands"][self._split])
            return blitz_kit(style, typeface, hand, seed)
        if self._packages and self._cache and rng.random() < 0.5:
            return package_kit(one(self._packages), seed, self._cache)
        drawn = [name for name in art.SPLITS["typefaces"][self._split] if name in art.INDEX_TYPEFACES]
        typeface = self._font(rng) or one(drawn)
        style = one(art.SPLITS["index_styles"][self._split])
        foreign = self._foreign_share > 0 and rng.random() < self._foreign_share
        return own_standard_kit(style, typeface, seed, letters=one(tuple(art.LETTERS)) if foreign else None)

    def _font(self, rng: np.random.Generator) -> str | None:
        """A font file of a random family, in two cases of three; None where there is none that will do."""
        if not self._fonts or rng.random() < 1 / 3:
            return None
        family = self._fonts[rng.integers(len(self._fonts))]
        path = family[rng.integers(len(family))]
        return str(path) if art.draws_cards(path) else None
