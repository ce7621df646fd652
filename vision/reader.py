"""Reads a found card: what kind, which number, which colour, which back, or that it cannot tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnxruntime

from referee.cards import DECKS, Card, Colour, Family, highest_number
from vision.models import open_model
from vision.types import UNREAD, Reading, Side
from vision.unwarp import unwarp

CROP_SIZE_PX = (96, 136)
"""Width and height of the crop that the network sees: 0.706, the shape of a Dutch Blitz card."""
KINDS = ("none", "face", "back")
COLOURS = tuple(str(colour) for colour in Colour)
UNKNOWN_NUMBER, UNKNOWN_COLOUR, UNKNOWN_DECK = 13, len(COLOURS), len(DECKS)
MAX_BATCH = 32
SQUARE_RATIO = 1.22
"""Below this length to width (a card seen at a slant) it is not certain which edge is the short one."""


@dataclass(frozen=True)
class ReaderSettings:
    """When a value is accepted: chosen on photographs of the development sets, never on test art."""

    min_kind: float = 0.5
    min_number: float = 0.65
    min_number_blitz: float = 0.85
    """Two small digits are all that tells a Dutch Blitz number: no pips, no court."""
    min_colour: float = 0.6
    min_deck: float = 0.6
    alternatives: int = 4


@dataclass(frozen=True)
class Probabilities:
    """The answers for one card: `kind` (3,), `number` (14,), `colour` (9,), `deck` (13,); each sums to 1."""

    kind: np.ndarray
    number: np.ndarray
    colour: np.ndarray
    deck: np.ndarray


class Reader:
    """The card reader; one per thread."""

    def __init__(self, session: onnxruntime.InferenceSession, settings: ReaderSettings | None = None) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        self.settings = settings or ReaderSettings()

    @classmethod
    def load(cls, settings: ReaderSettings | None = None, *, threads: int = 1) -> Reader:
        """The reader with the model that came with the program."""
        return cls(open_model("reader.onnx", threads=threads), settings)

    def probabilities(self, crops: np.ndarray) -> list[Probabilities]:
        """Answers for `crops` BGR uint8 (n, 136, 96, 3)."""
        answers: list[Probabilities] = []
        for start in range(0, len(crops), MAX_BATCH):
            batch = crops[start : start + MAX_BATCH].astype(np.float32).transpose(0, 3, 1, 2) / 255
            kind, number, colour, deck = (
                _softmax(head) for head in self._session.run(None, {self._input: batch})[:4]
            )
            answers += [Probabilities(*row) for row in zip(kind, number, colour, deck, strict=True)]
        return answers

    def embeddings(self, crops: np.ndarray) -> np.ndarray:
        """What the network makes of `crops` BGR uint8 (n, 136, 96, 3) before it answers, float32 (n, 160)."""
        batches = [crops[start : start + MAX_BATCH] for start in range(0, len(crops), MAX_BATCH)]
        return np.concatenate(
            [
                self._session.run(
                    ["embedding"], {self._input: batch.astype(np.float32).transpose(0, 3, 1, 2) / 255}
                )[0]
                for batch in batches
            ]
        )

    def read(
        self, image: np.ndarray, quads: Sequence[np.ndarray], *, both_ends: bool = False
    ) -> list[Reading]:
        """What the cards with corners `quads` (each (4, 2) px) in `image` BGR uint8 (H, W, 3) say.

        `both_ends` reads each card the other way up as well and takes the mean, at twice the cost. A card
        so foreshortened that its short edge is in doubt is read both ways and the surer answer stands.
        """
        views: list[np.ndarray] = []
        owner: list[tuple[int, int]] = []
        for index, quad in enumerate(quads):
            turns = [0, 1] if is_squarish(quad) else [0]
            for turn in turns:
                for half in (0, 2) if both_ends else (0,):
                    views.append(unwarp(image, np.roll(quad, -turn - half, axis=0), CROP_SIZE_PX))
                    owner.append((index, turn))
        if not views:
            return []
        answers = self.probabilities(np.stack(views))
        readings = []
        for index in range(len(quads)):
            options = [
                self.interpret(
                    _mean([a for a, key in zip(answers, owner, strict=True) if key == (index, turn)])
                )
                for turn in (0, 1)
                if (index, turn) in owner
            ]
            readings.append(max(options, key=lambda r: (r.side is not None, r.confidence)))
        return readings

    def interpret(self, p: Probabilities) -> Reading:
        """The reading that the probabilities allow, with None for what they do not."""
        kind = int(p.kind.argmax())
        if kind == 0 or p.kind[kind] < self.settings.min_kind:
            return UNREAD
        side: Side = "face" if kind == 1 else "back"
        if side == "back":
            deck = int(p.deck.argmax())
            known = deck != UNKNOWN_DECK and p.deck[deck] >= self.settings.min_deck
            return Reading(
                side, deck=DECKS[deck] if known else None, confidence=float(p.deck[deck] * p.kind[kind])
            )
        return self._face(p)

    def _face(self, p: Probabilities) -> Reading:
        number, colour = int(p.number.argmax()), int(p.colour.argmax())
        colour_read = colour != UNKNOWN_COLOUR and p.colour[colour] >= self.settings.min_colour
        blitz = colour_read and Colour(COLOURS[colour]).family is Family.BLITZ
        least = self.settings.min_number_blitz if blitz else self.settings.min_number
        number_read = number != UNKNOWN_NUMBER and p.number[number] >= least
        if number_read and colour_read and number + 1 > highest_number(Colour(COLOURS[colour]).family):
            number_read = False
        joint = np.outer(p.number[:UNKNOWN_NUMBER], p.colour[:UNKNOWN_COLOUR])
        ranked = np.argsort(-joint, axis=None, kind="stable")[: self.settings.alternatives + 6]
        chosen = (number, colour) if number_read and colour_read else None
        others: list[tuple[Card, float]] = []
        for flat in ranked:
            n, c = divmod(int(flat), UNKNOWN_COLOUR)
            if (n, c) == chosen or n + 1 > highest_number(Colour(COLOURS[c]).family):
                continue
            others.append((Card(n + 1, Colour(COLOURS[c])), float(joint[n, c])))
        confidence = p.kind[1]
        if number_read:
            confidence = confidence * p.number[number]
        if colour_read:
            confidence = confidence * p.colour[colour]
        return Reading(
            "face",
            number=number + 1 if number_read else None,
            colour=COLOURS[colour] if colour_read else None,
            confidence=float(confidence),
            alternatives=tuple(others[: self.settings.alternatives]),
        )


def is_squarish(quad: np.ndarray) -> bool:
    """Whether a card (4, 2) is so foreshortened that it is not certain which edge is the short one."""
    edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return bool(edges[1] + edges[3] < SQUARE_RATIO * (edges[0] + edges[2]))


def _softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))


def _mean(answers: list[Probabilities]) -> Probabilities:
    if len(answers) == 1:
        return answers[0]
    return Probabilities(
        *(
            np.mean([getattr(a, name) for a in answers], axis=0)
            for name in ("kind", "number", "colour", "deck")
        )
    )
