"""A household's own cards, told apart by example: backs that no model was trained on, and faces of its decks.

From every example many views are drawn as other light and other cameras would show it. They say which of the
numbers that describe a card vary and which tell cards apart (a linear discriminant after Fisher 1936 with a
shrunken covariance), how far a card may be from its examples, and how clearly it must be nearest. No limit
belongs to one model: with another reader they come out of the same views anew.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from referee.cards import Card
from vision.likeness import BACK, FACE, SIZE_PX, STRANGERS, Aspect, even, view
from vision.reader import Reader, is_squarish
from vision.types import Reading
from vision.unwarp import unwarp

Embed = Callable[[np.ndarray], np.ndarray]
"""Crops BGR uint8 (n, 136, 96, 3) in, float32 (n, m) out: what the reader's network makes of a card."""
Label = TypeVar("Label", bound=Hashable)
SUREST = 0.99
"""No example makes an answer surer than this."""


@dataclass(frozen=True)
class Exemplar:
    """One look at a card of `deck`: `crop` BGR uint8 (272, 192, 3), the card's corners in its corners.

    `width_px` is how wide the card was in its picture; `card` None is the back.
    """

    deck: str
    crop: np.ndarray
    width_px: float
    card: Card | None = None


@dataclass(frozen=True)
class EnrolmentSettings:
    """When an example is accepted; chosen on drawn decks of the validation split, never on test art.

    Margins are shares of the way from a rival (0 in the middle between both) to the card's own examples (1).
    """

    min_width_px: float = 40.0
    """A narrower card is not compared."""
    back_views: int = 32
    face_views: int = 14
    """Views drawn of each card; half of them say how cards vary, the others set the limits."""
    stranger_views: int = 5
    back_margin: float = 0.3
    """Margin against every other enrolled card."""
    face_margin: float = 0.5
    stranger_margin: float = 0.2
    """Margin against cards that are much like it and are not enrolled."""
    sure: float = 0.9
    """So sure an answer must be besides."""
    slack: float = 1.3
    """How much farther than nearly all of its views a card may be."""
    alike: float = 2.5
    """Two decks whose views lie nearer than this, in spreads, are too much alike."""
    seed: int = 1


@dataclass(frozen=True)
class Rule:
    """How cards are compared: the aspect, the views drawn of each, and the margin against other ones."""

    aspect: Aspect
    views: int
    margin: float


@dataclass(frozen=True)
class Match(Generic[Label]):
    """The label whose examples are nearest, whether it is `accepted`, and how surely it is right (0-1).

    `near`: the examples are near enough, though perhaps others are as near.
    """

    label: Label
    accepted: bool
    near: bool
    confidence: float


class Kinds(Generic[Label]):
    """Cards of several kinds with examples of each: decks by their backs, or faces.

    `labels` may repeat: kinds of one label, such as the same face in two decks, are no rivals. `examples`
    are crops uint8 (272, 192, 3) of each kind; `strangers` are ways to draw cards that are none of them.
    """

    def __init__(
        self,
        labels: Sequence[Label],
        examples: Sequence[Sequence[np.ndarray]],
        embed: Embed,
        rule: Rule,
        settings: EnrolmentSettings,
        strangers: Sequence[Callable[[np.ndarray], np.ndarray]] = (),
    ) -> None:
        self.labels = tuple(labels)
        self._embed, self._rule, self._settings = embed, rule, settings
        rng = np.random.default_rng(settings.seed)

        def views_of(crops: Sequence[np.ndarray], count: int) -> list[np.ndarray]:
            # Every other view is held out: both halves see every example.
            return [view(crops[i // 2 % len(crops)], rng, rule.aspect) for i in range(count)]

        own = [views_of(crops, rule.views) for crops in examples]
        odd = [
            views_of([draw(crop) for crop in crops], settings.stranger_views)
            for crops in examples
            for draw in strangers
        ]
        parts = self._describe([one for many in own for one in many])
        self._scale = _scales(parts, np.repeat(np.arange(len(own)), rule.views))
        cards = self._join(parts).reshape(len(own), rule.views, -1)
        if odd:
            drawn = self._join(self._describe([one for many in odd for one in many]))
            self._fit(cards, drawn.reshape(len(odd), settings.stranger_views, -1))
        else:
            self._fit(cards, cards[:0])

    def _fit(self, cards: np.ndarray, odd: np.ndarray) -> None:
        """Learn from views (kinds, views, m) and from views of strangers (strangers, views, m)."""
        fitting, held = cards[:, ::2], cards[:, 1::2]
        spread = [fitting - fitting.mean(axis=1, keepdims=True)]
        means = [fitting.mean(axis=1)]
        if len(odd):
            # The mean of few views lies too near to them.
            grow = np.sqrt(odd.shape[1] / (odd.shape[1] - 1))
            spread.append((odd - odd.mean(axis=1, keepdims=True)) * grow)
            means.append(odd.mean(axis=1))
        self._white = _whitening(np.concatenate([part.reshape(-1, cards.shape[2]) for part in spread]))
        self._means = np.concatenate(means) @ self._white
        count = len(self.labels)
        away = np.stack([self._distances(views) for views in held])
        own = np.stack([away[k, :, k] for k in range(count)])
        lead = away - own[:, :, None]
        self._reach = np.quantile(own, 0.95, axis=1)
        self._lead = np.median(lead, axis=1)
        self._clear = self._lead / (lead.std(axis=1) + 1e-9)
        # A stranger that looks like an enrolled card says nothing about it.
        self._rival = self._clear >= self._settings.alike
        self._rival[:, :count] = [[a != b for b in self.labels] for a in self.labels]

    def _describe(self, crops: Sequence[np.ndarray]) -> list[np.ndarray]:
        """One array (n, m) for each group of numbers that belong together."""
        upright = np.stack(crops)
        turned = np.ascontiguousarray(upright[:, ::-1, ::-1])
        joint = self._embed(upright) + self._embed(turned)
        joint = np.sign(joint) * np.sqrt(np.abs(joint))
        joint /= np.linalg.norm(joint, axis=1, keepdims=True) + 1e-6
        rows = [self._rule.aspect.describe(crop) for crop in upright]
        return [joint, *(np.stack(group) for group in zip(*rows, strict=True))]

    def _join(self, parts: Sequence[np.ndarray]) -> np.ndarray:
        scaled = [(part - mean) / size for part, (mean, size) in zip(parts, self._scale, strict=True)]
        return np.concatenate(scaled, axis=1)

    def _distances(self, described: np.ndarray) -> np.ndarray:
        """Squared distances (n, kinds and strangers) of described cards (n, m)."""
        away = (described @ self._white)[:, None] - self._means[None]
        return np.asarray((away**2).sum(axis=2))

    def match(self, crops: Sequence[np.ndarray]) -> list[Match[Label]]:
        """The nearest kind of each crop BGR uint8 (any size, upright or upside down)."""
        if not len(crops):
            return []
        away = self._distances(self._join(self._describe([even(c, self._rule.aspect) for c in crops])))
        return [self._judge(row) for row in away]

    def _judge(self, row: np.ndarray) -> Match[Label]:
        count = len(self.labels)
        best = int(row[:count].argmin())
        rival = self._rival[best]
        lead = (row[rival] - row[best]) / np.maximum(self._lead[best][rival], 1e-9)
        # Two bells of equal spread: the logarithm of the odds is twice the lead times the square of their
        # distance in spreads, which is not trusted beyond 4.
        odds = 2 * lead * np.clip(self._clear[best][rival], 0, 4) ** 2
        sure = SUREST if not len(odds) else float(1 / (1 + np.exp(-np.clip(odds.min(), -30, 30))))
        wanted = np.where(np.flatnonzero(rival) < count, self._rule.margin, self._settings.stranger_margin)
        near = bool(row[best] <= self._settings.slack * self._reach[best])
        # Between kinds that are alike a lead means little: there the odds decide.
        clear = bool((lead >= wanted).all()) and sure >= self._settings.sure
        return Match(self.labels[best], near and clear, near, min(sure, SUREST))

    def alike(self) -> list[tuple[Label, Label]]:
        """Pairs of labels that cannot be told apart well."""
        return [
            (b, a)
            for i, a in enumerate(self.labels)
            for j, b in enumerate(self.labels[:i])
            if a != b and min(self._clear[i, j], self._clear[j, i]) < self._settings.alike
        ]


def _scales(parts: Sequence[np.ndarray], owner: np.ndarray) -> list[tuple[np.ndarray, float]]:
    """Mean (m,) of each group of numbers (n, m), and how much it varies within its owners (n,)."""
    scales = []
    for part in parts:
        means = np.stack([part[owner == k].mean(axis=0) for k in range(owner.max() + 1)])
        within = ((part - means[owner]) ** 2).sum(axis=1).mean()
        scales.append((part.mean(axis=0), float(np.sqrt(within)) + 1e-6))
    return scales


SHRINK, RIDGE = 0.3, 2.0
"""Shares of the diagonal in the covariance, and of its mean variance added to all."""


def _whitening(spread: np.ndarray) -> np.ndarray:
    """The matrix (m, m) after which differences within a kind, rows (n, m), have even variance."""
    covariance = spread.T @ spread / len(spread)
    variances = np.diag(covariance)
    shrunken = (1 - SHRINK) * covariance + np.diag(SHRINK * variances + RIDGE * variances.mean())
    return np.asarray(np.linalg.cholesky(np.linalg.inv(shrunken)))


class Gallery:
    """All examples of a household. What is learnt from them is learnt when it is first asked for."""

    def __init__(
        self, exemplars: Sequence[Exemplar], reader: Reader, settings: EnrolmentSettings | None = None
    ) -> None:
        self.settings = settings or EnrolmentSettings()
        self._exemplars = tuple(exemplars)
        self._reader = reader

    @property
    def decks(self) -> tuple[str, ...]:
        """The names of the enrolled decks."""
        return tuple(dict.fromkeys(exemplar.deck for exemplar in self._exemplars))

    @cached_property
    def backs(self) -> Kinds[str] | None:
        """The backs, None where none was enrolled."""
        crops: dict[str, list[np.ndarray]] = {}
        for exemplar in self._exemplars:
            if exemplar.card is None:
                crops.setdefault(exemplar.deck, []).append(exemplar.crop)
        if not crops:
            return None
        rule = Rule(BACK, self.settings.back_views, self.settings.back_margin)
        return Kinds(
            tuple(crops), tuple(crops.values()), self._reader.embeddings, rule, self.settings, STRANGERS
        )

    @cached_property
    def faces(self) -> Kinds[Card] | None:
        """The faces of all decks, None where fewer than two were enrolled."""
        crops: dict[tuple[str, Card], list[np.ndarray]] = {}
        for exemplar in self._exemplars:
            if exemplar.card is not None:
                crops.setdefault((exemplar.deck, exemplar.card), []).append(exemplar.crop)
        if len(crops) < 2:
            return None
        rule = Rule(FACE, self.settings.face_views, self.settings.face_margin)
        return Kinds(
            [card for _, card in crops], tuple(crops.values()), self._reader.embeddings, rule, self.settings
        )

    def learn(self) -> int:
        """Learn now what is otherwise learnt at the first card, which takes seconds; says how many kinds."""
        return sum(len(kinds.labels) for kinds in (self.backs, self.faces) if kinds is not None)

    def alike(self) -> list[tuple[str, str]]:
        """Pairs of decks whose backs cannot be told apart well."""
        return [] if self.backs is None else self.backs.alike()

    def answer(
        self, image: np.ndarray, quads: Sequence[np.ndarray], readings: Sequence[Reading]
    ) -> list[Reading]:
        """`readings` of the cards with corners `quads` (each (4, 2) px) in `image`, by the examples too.

        What clearly looks like an example is that card, whatever the reader, which never saw it, said.
        """
        answers = list(readings)
        wide = [i for i, quad in enumerate(quads) if _width_px(quad) >= self.settings.min_width_px]
        faces = [i for i in wide if readings[i].side == "face"]
        for i, face in zip(faces, self._match_faces(image, [quads[i] for i in faces]), strict=True):
            answers[i] = _as_face(answers[i], face)
        backs = [i for i in wide if answers[i].card is None]
        for i, back in zip(backs, self._match_backs(image, [quads[i] for i in backs]), strict=True):
            answers[i] = self._as_back(answers[i], back)
        return answers

    def _match_backs(self, image: np.ndarray, quads: Sequence[np.ndarray]) -> list[Match[str] | None]:
        if not quads or self.backs is None:
            return [None] * len(quads)
        matches = self.backs.match([unwarp(image, quad, SIZE_PX) for quad in quads])
        # Of a card seen at a slant the short edge is in doubt: the surer of both answers stands.
        slanted = [i for i, quad in enumerate(quads) if is_squarish(quad)]
        others = self.backs.match([unwarp(image, np.roll(quads[i], -1, axis=0), SIZE_PX) for i in slanted])
        for i, other in zip(slanted, others, strict=True):
            matches[i] = max(matches[i], other, key=lambda m: (m.accepted, m.near, m.confidence))
        return [*matches]

    def _match_faces(self, image: np.ndarray, quads: Sequence[np.ndarray]) -> list[Match[Card] | None]:
        if not quads or self.faces is None:
            return [None] * len(quads)
        return [*self.faces.match([unwarp(image, quad, SIZE_PX) for quad in quads])]

    def _as_back(self, reading: Reading, match: Match[str] | None) -> Reading:
        """What was read of a card, or the enrolled back that it is."""
        if match is None or reading.deck == match.label or not match.near:
            return reading
        # The reader may know the printed backs by heart, and this one apart from the enrolled one.
        known = reading.deck is not None and reading.deck not in self._said[match.label]
        if match.accepted and not known:
            return Reading("back", deck=match.label, confidence=match.confidence)
        return replace(reading, deck=None)

    @cached_property
    def _said(self) -> dict[str, set[str | None]]:
        """What the reader says of views of each enrolled back: with unknown art it may be one of its own."""
        rng = np.random.default_rng(self.settings.seed)
        said: dict[str, set[str | None]] = {}
        for exemplar in self._exemplars:
            if exemplar.card is None:
                views = np.stack([view(exemplar.crop, rng, BACK) for _ in range(self.settings.back_views)])
                answers = [self._reader.interpret(p) for p in self._reader.probabilities(views)]
                said.setdefault(exemplar.deck, set()).update(answer.deck for answer in answers)
        return said


def _as_face(reading: Reading, match: Match[Card] | None) -> Reading:
    """What was read of a face, or the enrolled one that it is."""
    if match is None or not match.accepted:
        return reading
    card = match.label
    if reading.card == card:
        return replace(reading, confidence=max(reading.confidence, match.confidence))
    others = [(other, p) for other, p in reading.alternatives if other != card]
    if reading.card is not None:
        others.insert(0, (reading.card, 1 - match.confidence))
    return Reading(
        "face", card.number, str(card.colour), confidence=match.confidence, alternatives=tuple(others)
    )


def _width_px(quad: np.ndarray) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[3] - quad[2])) / 2
