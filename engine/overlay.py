"""What the eyes see right now, in a form that can be drawn onto the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import BLITZ_COLOURS, Card, Colour
from referee.events import Zone

Image = NDArray[np.uint8]

_BGR: dict[Colour, tuple[int, int, int]] = {
    Colour.RED: (50, 70, 225),
    Colour.BLUE: (215, 150, 40),
    Colour.GREEN: (80, 175, 60),
    Colour.YELLOW: (40, 205, 250),
    Colour.HEARTS: (50, 70, 225),
    Colour.DIAMONDS: (50, 70, 225),
    Colour.CLUBS: (40, 40, 40),
    Colour.SPADES: (40, 40, 40),
}
_UNKNOWN_BGR = (150, 150, 150)
_INK, _PAPER = (30, 26, 24), (250, 250, 250)
_FONT = cv2.FONT_HERSHEY_DUPLEX


@dataclass(frozen=True, slots=True)
class OverlayPile:
    """One pile: `quad` (4, 2) image pixels around its top card, `card` None where it is not readable."""

    pile: str
    quad: NDArray[np.float32]
    card: Card | None = None
    zone: Zone = Zone.SHARED
    height: int | None = None


@dataclass(frozen=True, slots=True)
class OverlayHand:
    """A hand over the table: where it reaches in and its tip, image pixels, and the seat it came from."""

    entry: tuple[float, float]
    tip: tuple[float, float]
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Overlay:
    """Everything that is drawn on a frame."""

    piles: tuple[OverlayPile, ...] = ()
    hands: tuple[OverlayHand, ...] = ()


NOTHING = Overlay()


def short_name(card: Card) -> str:
    """A card as a letter and a number, so that colour is never the only sign: `R7`, `QH`."""
    return f"{str(card.colour)[0].upper()}{card.number}" if card.colour in BLITZ_COLOURS else str(card)


def draw(image: Image, overlay: Overlay, width_px: int) -> Image:
    """A copy of `image` (H, W, 3) BGR, at most `width_px` wide, with piles and hands drawn on it."""
    scale = min(1.0, width_px / image.shape[1])
    if scale < 1.0:
        size = (width_px, round(image.shape[0] * scale))
        # Averaging takes four times as long, and shows only where more than every other pixel is left out.
        how = cv2.INTER_LINEAR if scale >= 0.5 else cv2.INTER_AREA
        picture: Any = cv2.resize(image, size, interpolation=how)
    else:
        picture = image.copy()
    stroke = max(2, round(picture.shape[1] / 500))
    for hand in overlay.hands:
        entry = tuple(round(v * scale) for v in hand.entry)
        tip = tuple(round(v * scale) for v in hand.tip)
        cv2.line(picture, entry, tip, _PAPER, stroke, cv2.LINE_AA)
        cv2.circle(picture, tip, stroke * 3, _PAPER, -1, cv2.LINE_AA)
    for pile in overlay.piles:
        colour = _UNKNOWN_BGR if pile.card is None else _BGR[pile.card.colour]
        corners = np.round(pile.quad * scale).astype(np.int32)
        cv2.polylines(picture, [corners], True, _INK, stroke + 2, cv2.LINE_AA)
        cv2.polylines(picture, [corners], True, colour, stroke, cv2.LINE_AA)
        if pile.zone is Zone.SHARED:
            _label(picture, corners, "?" if pile.card is None else short_name(pile.card), colour)
    return picture  # type: ignore[no-any-return]


def _label(picture: Image, corners: NDArray[np.int32], text: str, colour: tuple[int, int, int]) -> None:
    """A filled tag with the card's short name at the pile's highest corner."""
    size = picture.shape[1] / 1500
    (width, height), _ = cv2.getTextSize(text, _FONT, size, 1)
    x, y = (int(v) for v in corners[int(corners[:, 1].argmin())])
    pad = max(3, height // 2)
    left = int(np.clip(x - width // 2 - pad, 0, max(0, picture.shape[1] - width - 2 * pad)))
    top = max(0, y - height - 2 * pad)
    dark = sum(colour) < 200
    cv2.rectangle(picture, (left, top), (left + width + 2 * pad, top + height + 2 * pad), colour, -1)
    at = (left + pad, top + height + pad)
    cv2.putText(picture, text, at, _FONT, size, _PAPER if dark else _INK, 1, cv2.LINE_AA)
