"""Households that enrol their decks from one picture each, and how well these are told apart in others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from datasets import art
from datasets.cardbox import BRIDGE_SIZE_MM, POKER_SIZE_MM, CardBox, DeckKit, blitz_kit, own_standard_kit
from datasets.layouts import Layout, Placed, View
from datasets.light import Light
from datasets.scene import CardTruth, Scene, TableWorld
from engine.enrolling import Enrolled, enrol_photographs
from engine.evaluation.matching import Share, match
from engine.household import EnrolmentError, Household
from referee.cards import DECKS, Card, Family
from vision.enrolment import Gallery
from vision.reading import Eyes
from vision.types import Reading

SPLIT = "test"
KINDS = ("standard", "blitz")
"""Drawn standard backs that no model knows; Dutch Blitz backs and faces by hands that no model saw."""
DECKS_EACH = (4, 5, 6)
"""How many decks the households enrol, in turn ..."""
STRANGE_DECKS = 2
"""... and how many more lie on their tables that they did not."""
TRIES = 4
"""Pictures taken of a back before it is given up; the first one that is accepted is the only one kept."""
SCENES_EACH = 5
MIN_WIDTH_PX, MIN_VISIBLE = 60.0, 0.9
FACES_WIDTH_PX = 45.0
STILL_PX, TABLE_PX = (1280, 960), (1280, 960)


@dataclass
class EnrolmentSet:
    """The figures of one kind of household; `plain` is without, `known` with enrolment."""

    name: str
    households: int = 0
    decks: int = 0
    pictures: int = 0
    refused: int = 0
    alike: int = 0
    found: Share = field(default_factory=Share)
    plain: Share = field(default_factory=Share)
    plain_abstained: Share = field(default_factory=Share)
    known: Share = field(default_factory=Share)
    known_abstained: Share = field(default_factory=Share)
    strangers_named: Share = field(default_factory=Share)
    faces_plain: Share = field(default_factory=Share)
    faces_plain_abstained: Share = field(default_factory=Share)
    faces_known: Share = field(default_factory=Share)
    faces_known_abstained: Share = field(default_factory=Share)
    confusions: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON values."""
        shares = {key: value for key, value in vars(self).items() if isinstance(value, Share)}
        return {
            "set": self.name,
            "households": self.households,
            "decks": self.decks,
            "pictures": self.pictures,
            "refused": self.refused,
            "alike": self.alike,
            **{
                key: None if s.value is None else [round(s.value, 4), s.right, s.total]
                for key, s in shares.items()
            },
            "confusions": dict(self.confusions.most_common(12)),
        }


def measure_enrolment(
    eyes: Eyes,
    kind: str,
    households: int,
    seed: int,
    *,
    split: str = SPLIT,
    progress: Callable[[int, int], None] | None = None,
) -> EnrolmentSet:
    """Figures over `households` of a kind of `KINDS`, each with its own decks, rooms and cameras."""
    figures = EnrolmentSet(f"{kind} decks enrolled, unseen art")
    world = TableWorld(split, CardBox(split), surfaces=16)
    plain = Eyes(eyes.finder, eyes.reader)
    for number in range(households):
        rng = np.random.default_rng((seed, number))
        kit = (_standard_kit if kind == "standard" else _blitz_kit)(rng, split)
        with TemporaryDirectory(prefix="blitzref-household-") as folder:
            household = Household(Path(folder))
            names = _enrol_backs(figures, household, kit, world, rng, plain, DECKS_EACH[number % 3])
            if kind == "blitz":
                _enrol_faces(household, kit, world, rng, plain, names[0])
            gallery = Gallery(household.exemplars(), eyes.reader)
            known = Eyes(eyes.finder, eyes.reader, gallery)
            strange = [deck for deck in kit.decks if deck not in names][:STRANGE_DECKS]
            for _ in range(SCENES_EACH):
                width_px = float(np.exp(rng.uniform(np.log(55), np.log(140))))
                lay = _thrown([*names, *strange], 14, 0.35 if kind == "blitz" else 0.0)
                scene = world.photo(rng, TABLE_PX, card_width_px=width_px, kit=kit, layout=lay)
                _add(figures, scene, plain, known, names)
        figures.households += 1
        if progress is not None:
            progress(number + 1, households)
    return figures


def _standard_kit(rng: np.random.Generator, split: str) -> DeckKit:
    """Twelve drawn backs whose patterns belong to the split."""
    patterns = [art.BACK_PATTERNS.index(name) for name in art.SPLITS["standard_backs"][split]]
    designs = rng.choice(10**6, 12, replace=False) * len(art.BACK_PATTERNS) + rng.choice(patterns, 12)
    seed = int(rng.integers(2**31 - 1))

    def back(deck: str) -> art.CardArt:
        return art.own_standard_back(int(deck.removeprefix("deck-")), 256, random.Random(seed))

    style = str(rng.choice(art.SPLITS["index_styles"][split]))
    typeface = next(name for name in art.SPLITS["typefaces"][split] if name in art.INDEX_TYPEFACES)
    size = POKER_SIZE_MM if seed % 3 else BRIDGE_SIZE_MM
    face = own_standard_kit(style, typeface, seed).draw_face
    return DeckKit(Family.STANDARD, size, tuple(f"deck-{number}" for number in designs), face, back)


def _blitz_kit(rng: np.random.Generator, split: str) -> DeckKit:
    """The twelve Dutch Blitz backs by one hand of the split, in a random order."""
    hand, style, typeface = (
        str(rng.choice(art.SPLITS[key][split])) for key in ("hands", "faces", "typefaces")
    )
    kit = blitz_kit(style, typeface, hand, int(rng.integers(2**31 - 1)))
    return replace(kit, decks=tuple(str(deck) for deck in rng.permutation(DECKS)))


def _enrol_backs(
    figures: EnrolmentSet,
    household: Household,
    kit: DeckKit,
    world: TableWorld,
    rng: np.random.Generator,
    eyes: Eyes,
    wanted: int,
) -> list[str]:
    """Enrol so many decks, each from one picture; one that is too much like another is left in its box."""
    names: list[str] = []
    for deck in kit.decks:
        if len(names) == wanted:
            break
        enrolled = _enrol_back(figures, household, kit, world, rng, eyes, deck)
        if enrolled is None:
            continue
        if enrolled.alike:
            figures.alike += 1
            household.remove(deck)
            continue
        names.append(deck)
    figures.decks += len(names)
    return names


def _enrol_back(
    figures: EnrolmentSet,
    household: Household,
    kit: DeckKit,
    world: TableWorld,
    rng: np.random.Generator,
    eyes: Eyes,
    deck: str,
) -> Enrolled | None:
    for _ in range(TRIES):
        scene = _calm_photo(world, rng, kit, float(rng.uniform(150, 320)), [(None, deck)])
        figures.pictures += 1
        try:
            return enrol_photographs([scene.image], deck, household, eyes)
        except EnrolmentError:
            figures.refused += 1
    return None


def _enrol_faces(
    household: Household, kit: DeckKit, world: TableWorld, rng: np.random.Generator, eyes: Eyes, deck: str
) -> None:
    """Show the deck's faces, a suit a picture."""
    suits = [kit.cards[start : start + 10] for start in range(0, len(kit.cards), 10)]
    pictures = [_calm_photo(world, rng, kit, 130.0, [(card, deck) for card in suit]).image for suit in suits]
    try:
        enrol_photographs(pictures, deck, household, eyes)
    except EnrolmentError:
        return


def _calm_photo(
    world: TableWorld,
    rng: np.random.Generator,
    kit: DeckKit,
    width_px: float,
    cards: Sequence[tuple[Card | None, str]],
) -> Scene:
    """A picture as somebody takes it who wants it to be good: cards apart, no glare, little tilt."""
    light = Light.random(rng, STILL_PX[0] / 640)
    light = replace(light, motion_px=0.0, glare=(), shadow=None, blur_px=min(light.blur_px, 1.2))
    light = replace(light, noise=min(light.noise, 4.0))

    def lay(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
        w_mm, h_mm = kit.size_mm
        middle_x, middle_y = (view[0] + view[2]) / 2, (view[1] + view[3]) / 2
        columns = min(len(cards), 5)
        rows = -(-len(cards) // columns)
        turn = float(rng.uniform(0, 360)) if len(cards) == 1 else float(rng.normal(0, 3))
        return [
            Placed(
                (
                    middle_x + (index % columns - (columns - 1) / 2) * w_mm * 1.2 + float(rng.normal(0, 1.5)),
                    middle_y + (index // columns - (rows - 1) / 2) * h_mm * 1.15 + float(rng.normal(0, 1.5)),
                ),
                turn + 180.0 * float(rng.random() < 0.5),
                kit,
                deck,
                card,
            )
            for index, (card, deck) in enumerate(cards)
        ]

    return world.photo(
        rng,
        STILL_PX,
        card_width_px=width_px,
        kit=kit,
        layout=lay,
        max_tilt_deg=15,
        clutter=False,
        light=light,
        turn_deg=None if len(cards) == 1 else 0.0,
    )


def _thrown(decks: Sequence[str], count: int, face_share: float) -> Layout:
    """Cards of these decks anywhere on the table, mostly apart."""

    def lay(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
        h_mm = kit.size_mm[1]
        placed: list[Placed] = []
        for _ in range(count * 20):
            x = float(rng.uniform(view[0] + h_mm / 2, view[2] - h_mm / 2))
            y = float(rng.uniform(view[1] + h_mm / 2, view[3] - h_mm / 2))
            gap = h_mm * (1.08 if rng.random() < 0.8 else 0.6)
            if any(np.hypot(x - p.centre_mm[0], y - p.centre_mm[1]) < gap for p in placed):
                continue
            card = kit.cards[int(rng.integers(len(kit.cards)))] if rng.random() < face_share else None
            deck = decks[int(rng.integers(len(decks)))]
            placed.append(Placed((x, y), float(rng.uniform(0, 360)), kit, deck, card))
            if len(placed) == count:
                break
        return placed

    return lay


def _add(figures: EnrolmentSet, scene: Scene, plain: Eyes, known: Eyes, names: Sequence[str]) -> None:
    """Read one picture with and without the examples."""
    found = plain.finder.find_in_still(scene.image)
    readings = []
    for eyes in (plain, known):
        seen = eyes.read_found(scene.image, found, both_ends=True)
        pairs = match([s.detection.quad for s in seen], [t.quad for t in scene.cards])
        readings.append({j: seen[i].reading for i, j, _ in pairs})
    height, width = scene.image.shape[:2]
    for index, truth in enumerate(scene.cards):
        inside = bool((truth.quad > 0).all() and (truth.quad < (width, height)).all())
        if truth.card is not None:
            if truth.number_visible >= MIN_VISIBLE and truth.width_px >= FACES_WIDTH_PX:
                _add_face(figures, truth.card, *(r.get(index) for r in readings))
        elif inside and truth.visible >= MIN_VISIBLE and truth.width_px >= MIN_WIDTH_PX:
            figures.found.add(index in readings[0])
            _add_back(figures, truth, names, *(r.get(index) for r in readings))


def _add_face(figures: EnrolmentSet, card: Card, plain: Reading | None, known: Reading | None) -> None:
    for reading, right, abstained in (
        (plain, figures.faces_plain, figures.faces_plain_abstained),
        (known, figures.faces_known, figures.faces_known_abstained),
    ):
        if reading is None:
            continue
        abstained.add(reading.card is None)
        if reading.card is not None:
            right.add(reading.card == card)


def _add_back(
    figures: EnrolmentSet,
    truth: CardTruth,
    names: Sequence[str],
    plain: Reading | None,
    known: Reading | None,
) -> None:
    assert truth.deck is not None
    if truth.deck not in names:
        if known is not None:
            figures.strangers_named.add(known.deck in names)
        return
    for reading, right, abstained in (
        (plain, figures.plain, figures.plain_abstained),
        (known, figures.known, figures.known_abstained),
    ):
        if reading is None:
            continue
        abstained.add(reading.deck is None)
        if reading.deck is not None:
            right.add(reading.deck == truth.deck)
    if known is not None and known.deck not in (None, truth.deck):
        figures.confusions[f"{truth.deck}->{known.deck}"] += 1
