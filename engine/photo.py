"""Uploaded photographs: decoded within bounds, read by the eyes, summed up for the count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.evidence import encode_jpeg
from engine.overlay import short_name
from referee.cards import Card
from vision.sources import SourceError, decode_picture
from vision.types import SeenCard

Image = NDArray[np.uint8]
PhotoReader = Callable[[Any], list[SeenCard]]
"""BGR uint8 (H, W, 3) in, every card seen out."""

MOST_BYTES = 40_000_000
SHOWN_PX = 1400
KEPT_QUALITY = 95
_KNOWN_BGR, _UNKNOWN_BGR = (90, 220, 70), (60, 170, 255)


class PhotoError(ValueError):
    """A photograph that cannot be used; the message is one plain sentence that says what to do."""


@dataclass(frozen=True)
class PhotoResult:
    """The cards of one photograph, and the picture itself as JPEG for showing.

    `original` is the picture's file at full size: what a correction is cut out of.
    """

    cards: tuple[SeenCard, ...]
    jpeg: bytes
    size_px: tuple[int, int]
    scale: float
    original: bytes

    @cached_property
    def backs(self) -> Counter[str]:
        """How many backs of each deck."""
        return Counter(card.reading.deck for card in self.cards if card.reading.deck is not None)

    @cached_property
    def faces(self) -> tuple[Card, ...]:
        """The faces that were read."""
        return tuple(card.reading.card for card in self.cards if card.reading.card is not None)

    @property
    def unknown(self) -> int:
        """Cards of which neither face nor back could be read."""
        return sum(card.reading.card is None and card.reading.deck is None for card in self.cards)

    def corrected(self, index: int, card: Card | None = None, deck: str | None = None) -> PhotoResult:
        """This photograph with card `index` read by a person as that face or that back; neither: no card."""
        cards = list(self.cards)
        if card is None and deck is None:
            del cards[index]
        else:
            reading = replace(
                cards[index].reading,
                side="face" if card is not None else "back",
                number=None if card is None else card.number,
                colour=None if card is None else str(card.colour),
                deck=deck,
                confidence=1.0,
            )
            cards[index] = replace(cards[index], reading=reading)
        return replace(self, cards=tuple(cards))

    @cached_property
    def marked(self) -> bytes:
        """The picture as JPEG with each card outlined and named; an unread one shows `?`."""
        image = self._image()
        for card in self.cards:
            quad = np.round(card.detection.quad * self.scale).astype(np.int32)
            face, deck = card.reading.card, card.reading.deck
            name = short_name(face) if face is not None else deck or "?"
            colour = _KNOWN_BGR if name != "?" else _UNKNOWN_BGR
            cv2.polylines(image, [quad], True, colour, 2, cv2.LINE_AA)
            at = (int(quad[:, 0].min()), max(12, int(quad[:, 1].min()) - 4))
            cv2.putText(image, name, at, cv2.FONT_HERSHEY_DUPLEX, 0.5, (20, 20, 20), 3, cv2.LINE_AA)
            cv2.putText(image, name, at, cv2.FONT_HERSHEY_DUPLEX, 0.5, colour, 1, cv2.LINE_AA)
        return encode_jpeg(image, 85)

    def _image(self) -> Image:
        image = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None  # our own JPEG
        return np.asarray(image, np.uint8)

    def full_size(self) -> Image:
        """The picture as it was taken, BGR uint8 (H, W, 3); the corners of the cards are px of it."""
        return np.asarray(decode_picture(self.original, "The picture"), np.uint8)

    def least_sure_first(self) -> list[int]:
        """The cards' places, the unread and the least certain first."""
        return sorted(range(len(self.cards)), key=lambda i: self.cards[i].reading.confidence)

    def crop(self, index: int) -> bytes:
        """JPEG of the surroundings of card `index`."""
        image = self._image()
        quad = self.cards[index].detection.quad * self.scale
        low, high = quad.min(axis=0) - 8, quad.max(axis=0) + 8
        height, width = image.shape[:2]
        x0, x1 = (int(np.clip(v, 0, width)) for v in (low[0], high[0]))
        y0, y1 = (int(np.clip(v, 0, height)) for v in (low[1], high[1]))
        return encode_jpeg(np.asarray(image[y0 : max(y0 + 1, y1), x0 : max(x0 + 1, x1)], np.uint8), 90)


def decoded(data: bytes) -> Image:
    """The picture in an uploaded file, BGR uint8 (H, W, 3).

    Raises:
        PhotoError: if the file is empty, damaged or too large.
    """
    if len(data) > MOST_BYTES:
        raise PhotoError(f"The picture is larger than {MOST_BYTES // 1_000_000} MB; make it smaller.")
    try:
        return np.asarray(decode_picture(data, "The picture"), np.uint8)
    except SourceError as error:
        raise PhotoError(str(error)) from error


def read_upload(data: bytes, reader: PhotoReader | None) -> PhotoResult:
    """Read the cards of a picture file.

    Raises:
        PhotoError: if there is no reader, or the file is empty, damaged or too large.
    """
    if reader is None:
        raise PhotoError("Photographs cannot be read here; type the counts instead.")
    return _read(decoded(data), reader, data)


def read_image(image: Any, reader: PhotoReader | None) -> PhotoResult:
    """Read the cards of a picture, BGR uint8 (H, W, 3).

    Raises:
        PhotoError: if there is no reader.
    """
    if reader is None:
        raise PhotoError("Photographs cannot be read here; type the counts instead.")
    return _read(image, reader, encode_jpeg(np.asarray(image, np.uint8), KEPT_QUALITY))


def _read(image: Any, reader: PhotoReader, original: bytes) -> PhotoResult:
    cards = tuple(reader(image))
    height, width = image.shape[:2]
    scale = min(1.0, SHOWN_PX / max(height, width))
    shown = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    jpeg = encode_jpeg(np.asarray(shown, np.uint8), 88)
    return PhotoResult(cards, jpeg, (width, height), scale, original)
