"""A staged table: cards that are put, moved and taken by drawn arms, and read without a network."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from referee.cards import Card
from tests.vision.drawing import turned_box
from vision.motion import Motion
from vision.piles import PileWatch
from vision.sights import Sight
from vision.types import Arm, Detection, Reading, SeenCard, order_quad

SIZE = (1280, 720)
SMALL = (480, 270)
SCALE = SMALL[0] / SIZE[0]
FPS = 15.0
LOOK_EVERY = 2
CARD = (60.0, 86.0)
HOMES = {"bottom": (700.0, 719.0), "top": (600.0, 0.0), "left": (0.0, 300.0), "right": (1279.0, 380.0)}
"""Where each player's arm enters the picture."""
CLOTH = (60, 110, 60)
SKIN = (140, 170, 214)
COLOURS = {"red": (40, 40, 200), "blue": (200, 80, 40), "green": (70, 160, 60), "yellow": (60, 210, 230)}


@dataclass
class Lying:
    """A card on the staged table; `read` is what the eyes make of it, `found` whether the finder sees it."""

    card: Card | None
    at: tuple[float, float]
    angle: float = 0.0
    deck: str | None = None
    found: bool = True
    reading: Reading | None = None

    @property
    def quad(self) -> np.ndarray:
        return order_quad(turned_box(self.at, CARD, self.angle))

    def seen(self, jitter: np.ndarray) -> SeenCard:
        if self.reading is not None:
            reading = self.reading
        elif self.card is None:
            reading = Reading("back", deck=self.deck, confidence=0.97)
        else:
            reading = Reading("face", self.card.number, str(self.card.colour), confidence=0.97)
        return SeenCard(Detection(self.quad + jitter, reading.side, 0.9), reading)


@dataclass
class Stage:
    """Time goes on with `play`; sights are kept with what was told."""

    watch: PileWatch = field(default_factory=PileWatch)
    cards: list[Lying] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)
    arms: dict[str, tuple[float, float]] = field(default_factory=dict)
    frame: int = 0
    light: float = 1.0
    relit: bool = False
    covered: bool = False
    """Whether something of the table's own colour is held under the camera."""
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(4))

    @property
    def t(self) -> float:
        return self.frame / FPS

    def lay(self, card: str, at: tuple[float, float], angle: float = 0.0) -> Lying:
        """Put a card on top of everything; `back:pump` is a back."""
        kind, _, deck = card.partition(":")
        face = None if kind == "back" else Card.parse(card)
        self.cards.append(Lying(face, at, angle, deck or None))
        return self.cards[-1]

    def dealt(self) -> Stage:
        """Three own cards in front of each of two players and an empty middle, watched for a while."""
        for k in range(3):
            self.lay(f"green{k + 4}", (500.0 + 70 * k, 650.0))
            self.lay(f"yellow{k + 4}", (560.0 + 70 * k, 70.0))
        self.play(1.6)
        self.sights.clear()
        return self

    def play(self, seconds: float) -> None:
        """Let time go on with everything as it is."""
        for _ in range(round(seconds * FPS)):
            self._frame()

    def reach(self, seat: str, at: tuple[float, float], seconds: float = 0.4) -> None:
        """The arm of a seat goes from where it is to `at` (from its home, if it is away)."""
        start = np.array(self.arms.get(seat, HOMES[seat]))
        steps = max(1, round(seconds * FPS))
        for step in range(1, steps + 1):
            x, y = start + (np.array(at) - start) * step / steps
            self.arms[seat] = (float(x), float(y))
            self._frame()

    def leave(self, seat: str, seconds: float = 0.3) -> None:
        """The arm goes home and is gone."""
        self.reach(seat, HOMES[seat], seconds)
        del self.arms[seat]

    def put(self, seat: str, card: str, at: tuple[float, float], angle: float = 0.0) -> float:
        """An arm brings a card and leaves; returns when the card came to rest."""
        self.reach(seat, at)
        self.lay(card, at, angle)
        rest = self.t
        self.leave(seat)
        return rest

    def take(self, seat: str, lying: Lying) -> float:
        """An arm takes a card away; returns when it was gone."""
        self.reach(seat, lying.at)
        self.cards = [card for card in self.cards if card is not lying]
        gone = self.t
        self.leave(seat)
        return gone

    def _frame(self) -> None:
        arms, labels, hidden = self._arms()
        motion = Motion(
            np.ones_like(hidden) if self.relit else hidden,
            arms,
            SCALE,
            self._picture(labels),
            bool(arms),
            self.relit,
        )
        self.watch.note(motion, self.frame, self.t)
        if self.frame % LOOK_EVERY == 0:
            seen = [] if self.relit or self.covered else self._seen(labels)
            self.sights += self.watch.see(seen, motion, self.frame, self.t, (SIZE[1], SIZE[0]))
        self.relit = False
        self.frame += 1

    def _arms(self) -> tuple[tuple[Arm, ...], np.ndarray, np.ndarray]:
        labels = np.zeros((SMALL[1], SMALL[0]), np.int32)
        arms = []
        for number, (seat, tip) in enumerate(self.arms.items(), start=1):
            mask = np.zeros((SMALL[1], SMALL[0]), np.uint8)
            start, end = (tuple(round(v * SCALE) for v in point) for point in (HOMES[seat], tip))
            cv2.line(mask, start, end, 1, 34)
            labels[mask > 0] = number
            arms.append(Arm(HOMES[seat], tip, int((mask > 0).sum() / SCALE**2)))
        hidden = cv2.dilate((labels > 0).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
        return tuple(arms), labels, hidden

    def _picture(self, labels: np.ndarray) -> np.ndarray:
        picture = np.full((SMALL[1], SMALL[0], 3), CLOTH, np.uint8)
        for card in () if self.covered else self.cards:
            quad = np.round(card.quad * SCALE).astype(np.int32)
            cv2.fillConvexPoly(picture, quad, (235, 235, 235))
            if card.card is None:
                colour, size = (120, 90, 50), 0.8
            else:
                colour, size = COLOURS[str(card.card.colour)], 0.3 + 0.05 * card.card.number
            inner = card.quad.mean(axis=0) + (card.quad - card.quad.mean(axis=0)) * size
            cv2.fillConvexPoly(picture, np.round(inner * SCALE).astype(np.int32), colour)
        picture[labels > 0] = SKIN
        noisy = picture * self.light + self.rng.normal(0, 1.0, picture.shape)
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def _seen(self, labels: np.ndarray) -> list[SeenCard]:
        """The cards of which at least half shows between upper cards and arms."""
        owner = np.zeros((SMALL[1], SMALL[0]), np.int32)
        areas = []
        for number, card in enumerate(self.cards, start=1):
            mask = np.zeros_like(owner)
            cv2.fillConvexPoly(mask, np.round(card.quad * SCALE).astype(np.int32), number)
            areas.append(int((mask > 0).sum()))
            owner[mask > 0] = number
        owner[labels > 0] = 0
        return [
            card.seen(self.rng.normal(0, 0.4, (4, 2)).astype(np.float32))
            for number, (card, area) in enumerate(zip(self.cards, areas, strict=True), start=1)
            if card.found and (owner == number).sum() >= 0.5 * area
        ]
