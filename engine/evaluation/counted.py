"""How often a whole photograph is counted exactly, and whether the audit flags the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from datasets.cardbox import CardBox
from datasets.surfaces import Surfaces
from engine.count_findings import count_findings
from engine.dealing import Dealing
from engine.dealt_source import watch_dealing
from engine.evaluation.failures import Worst
from engine.evaluation.matching import Share
from engine.evaluation.staged import DealtFilm, fan_of_faces, photograph_of, spread_of_backs
from engine.looked_over import look_over
from engine.merging import Merged, merge
from referee.cards import BLITZ_COLOURS, DECKS, SUITS, Card
from referee.findings import Level
from referee.rulesets import Ruleset, ruleset
from vision.reading import Eyes
from vision.sources import Source

BACKS, FANNED, DEALT = (10, 50), (5, 13), (6, 14)
"""Fewest and most cards."""
MOST_PLAYED = 37
SHOWING, SHOWING_TIGHT = (0.4, 0.65), (0.15, 0.4)
"""How much of a fanned card the next leaves open, as a share of its length or width."""
SIZES_PX = ((1280, 960), (1600, 1200), (1920, 1080), (2560, 1920))
SPREADS = (
    "spreads of 10-50 backs",
    "spreads of 10-50 backs on a white cloth",
    "fans of 5-13 dutch blitz faces",
    "fans of 5-13 standard faces",
    "tight fans of 5-13 dutch blitz faces",
)


@dataclass
class CountedSet:
    """Counts of one kind of photograph. `flagged`: of those that are not exact; `doubted`: of the exact."""

    name: str
    photos: int = 0
    exact: Share = field(default_factory=Share)
    number_exact: Share = field(default_factory=Share)
    flagged: Share = field(default_factory=Share)
    doubted: Share = field(default_factory=Share)
    ids: Counter[str] = field(default_factory=Counter)
    misses: Counter[str] = field(default_factory=Counter)
    worst: Worst = field(default_factory=Worst)

    def add(self, count: Merged, true: Counter[str], tops: Sequence[Card], rules: Ruleset) -> int:
        """Hold one count against the truth (decks and faces by name); returns how many cards are wrong."""
        got = Counter({deck: number for deck, number in count.decks.items()})
        got.update(str(card) for cards in count.faces.values() for card in cards)
        findings = count_findings(count, rules, tops=tops)
        loud = {finding.id for finding in findings if finding.level in (Level.WARNING, Level.ERROR)}
        exact = got == true and count.unknown == 0
        self.photos += 1
        self.exact.add(exact)
        self.number_exact.add(got.total() + count.unknown == true.total())
        (self.doubted if exact else self.flagged).add(bool(loud))
        if not exact:
            self.ids.update(loud or {"nothing"})
            over = got.total() + count.unknown - true.total()
            self.misses[f"{over:+d} cards, {count.unknown} unread, {(got - true).total()} wrong"] += 1
        return (got - true).total() + (true - got).total()

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return {
            "set": self.name,
            "photos": self.photos,
            "exact": self.exact.value,
            "number_exact": self.number_exact.value,
            "flagged_of_inexact": self.flagged.value,
            "flagged_of_exact": self.doubted.value,
            "flagged_by": dict(self.ids.most_common()),
            "misses": dict(self.misses.most_common(20)),
        }


def tops_for(number: int, decks: int, colours: Sequence[Any], highest: int) -> list[Card]:
    """Tops of piles that hold `number` cards together, none higher than `highest`, as even as can be."""
    piles = max(-(-number // highest), min(len(colours) * decks, -(-number // 6)))
    heights = [number // piles + (i < number % piles) for i in range(piles)]
    return [Card(height, colours[i % len(colours)]) for i, height in enumerate(heights)]


def heaps(rng: np.random.Generator) -> list[tuple[str, int]]:
    """Decks and their numbers of backs, `BACKS` together."""
    total = int(rng.integers(BACKS[0], BACKS[1] + 1))
    decks = int(rng.integers(max(1, -(-total // MOST_PLAYED)), min(5, total // 3) + 1))
    cuts = np.sort(rng.choice(np.arange(1, total // 2), decks - 1, replace=False)) * 2
    sizes = np.diff([0, *cuts, total])
    if sizes.max() > MOST_PLAYED:
        sizes = np.full(decks, total // decks)
        sizes[0] += total % decks
    names = rng.permutation(len(DECKS))[:decks]
    return [(DECKS[name], int(size)) for name, size in zip(names, sizes, strict=True)]


def measure_spreads(
    eyes: Eyes, count: int, seed: int, name: str, progress: Callable[[int, int], None] | None = None
) -> CountedSet:
    """Count `count` rendered photographs of one of `SPREADS`, test split of the art and surfaces."""
    figures = CountedSet(name)
    fans, standard = "fans" in name, "standard" in name
    showing = SHOWING_TIGHT if "tight" in name else SHOWING
    box = CardBox("test", blitz_share=0.0 if standard else 1.0)
    surfaces = None if "white" in name else Surfaces("test")
    rules = ruleset("nertz_std" if standard else "dutch_blitz")
    for number in range(count):
        rng = np.random.default_rng((seed, SPREADS.index(name), number))
        kit = box.pick(rng)
        size_px = SIZES_PX[int(rng.integers(len(SIZES_PX)))]
        if fans:
            most = int(rng.integers(FANNED[0], FANNED[1] + 1))
            suits = rng.permutation(np.array(SUITS if standard else BLITZ_COLOURS)).tolist()
            tops = tops_for(most, 1, suits, 13 if standard else 10)
            cards = [Card(n, top.colour) for top in tops for n in range(1, top.number + 1)]
            mixed = [cards[i] for i in rng.permutation(len(cards))]
            placed = fan_of_faces(mixed, kit, rng, float(rng.uniform(*showing)))
            true = Counter(str(card) for card in cards)
        else:
            laid = heaps(rng)
            gap = float(rng.uniform(1.04, 1.2)) if rng.random() < 0.7 else float(rng.uniform(0.75, 1.0))
            placed = spread_of_backs(laid, kit, rng, gap)
            true = Counter(dict(laid))
            tops = tops_for(true.total(), len(laid), BLITZ_COLOURS, 10)
        scene = photograph_of(placed, size_px, surfaces, rng, fill=float(rng.uniform(0.75, 1.0)))
        seen = eyes.read_still(scene.image, str(rules.family))
        counted = merge([look_over("photograph", "photograph", "player", seen)])
        wrong = figures.add(counted, true, tops, rules)
        figures.worst.add(scene.image, seen, wrong, f"{true.total()} cards")
        if progress is not None:
            progress(number + 1, count)
    return figures


def measure_dealt(
    eyes: Eyes, count: int, seed: int, progress: Callable[[int, int], None] | None = None
) -> CountedSet:
    """Count the cards of `count` rendered films in which they are dealt one by one."""
    figures = CountedSet("films of cards dealt one by one")
    box, surfaces, rules = CardBox("test", blitz_share=1.0), Surfaces("test"), ruleset("dutch_blitz")
    for number in range(count):
        rng = np.random.default_rng((seed, 77, number))
        kit = box.pick(rng)
        most = int(rng.integers(DEALT[0], DEALT[1] + 1))
        tops = tops_for(most, 1, rng.permutation(np.array(BLITZ_COLOURS)).tolist(), 10)
        faces = [Card(n, top.colour) for top in tops for n in range(1, top.number + 1)]
        deck = DECKS[int(rng.integers(len(DECKS)))]
        up, heap = number % 2 == 0, number % 4 < 2
        cards = [(deck, faces[i] if up else None) for i in rng.permutation(len(faces))]
        film = DealtFilm(cards, kit, heap, each_s=float(rng.uniform(0.8, 1.3)))
        source = _film_source(film.frames(surfaces, rng), film.fps)
        dealt = list(watch_dealing(source, eyes, Dealing()))
        decks = Counter(one.deck for one in dealt if one.deck is not None)
        seen = tuple(one.card for one in dealt if one.card is not None)
        unknown = sum(one.card is None and one.deck is None for one in dealt)
        counted = Merged(dict(decks), {"player": seen} if seen else {}, unknown)
        figures.add(counted, Counter(map(str, faces)) if up else Counter({deck: most}), tops, rules)
        if progress is not None:
            progress(number + 1, count)
    return figures


def _film_source(frames: Iterator[np.ndarray], fps: float) -> Source:
    return Source("film", lambda: next(frames, None), lambda: None, fps=fps, live=False, count=None)
