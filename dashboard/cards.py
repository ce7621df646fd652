"""Cards drawn as SVG: a big number that reads from two metres, the colour also as a letter and a shape.

Pages show them as pictures from the routes `/card/NAME.svg` and `/sign.svg`: Streamlit strips inline SVG.
"""

from __future__ import annotations

from html import escape

from dashboard import texts
from dashboard.theme import FACE, SHAPE
from referee.cards import Card, Colour, Family

_SVG = "http://www.w3.org/2000/svg"
_PETALS = "".join(
    f'<path d="M50 76 C43 66 43 56 50 46 C57 56 57 66 50 76Z" transform="rotate({angle} 50 76)"/>'
    for angle in range(0, 360, 60)
)
_RING = f'<g fill="{{ink}}" opacity="{{opacity}}">{_PETALS}</g>'
_RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"}
_RED_SUIT, _BLACK_SUIT = "#C22F2F", "#23201D"


UNKNOWN = "unknown"


def card_html(card: Card | None, width_px: int, *, dim: bool = False) -> str:
    """A card as an HTML picture; None is a card that could not be read; `dim` one that is hidden just now."""
    name, words = UNKNOWN if card is None else str(card), texts.card(card)
    fade = " dim" if dim else ""
    return (
        f'<img class="br-card{fade}" src="/card/{name}.svg" alt="{escape(words)}"'
        f' width="{width_px}" height="{round(width_px * 1.44)}">'
    )


def card_svg(name: str) -> str:
    """The SVG file of a card by its short name, or of the unknown card.

    Raises:
        ValueError: if the name is no card.
    """
    card = None if name == UNKNOWN else Card.parse(name)
    body = _unknown() if card is None else _blitz(card) if card.family is Family.BLITZ else _standard(card)
    return f'<svg xmlns="{_SVG}" viewBox="0 0 100 144">{body}</svg>'


def _text(x: float, y: float, size: float, text: str, fill: str, extra: str = "") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" font-weight="800"'
        f' font-family="Rockwell, Georgia, P052, serif" fill="{fill}" {extra}>{text}</text>'
    )


def _frame(fill: str, edge: str) -> str:
    box = 'x="1.5" y="1.5" width="97" height="141" rx="11"'
    return f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="3"/>'


def _blitz(card: Card) -> str:
    letter, shape = str(card.colour)[0].upper(), SHAPE[card.colour]
    ink = "#2A2118" if card.colour is Colour.YELLOW else "#FFFFFF"
    size = 54 if card.number < 10 else 46
    return (
        _frame(FACE[card.colour], "#FFFDF6")
        + '<circle cx="50" cy="76" r="39" fill="#FFFDF6"/>'
        + '<circle cx="50" cy="76" r="35" fill="none" stroke="#2A2118" stroke-width="1.6"'
        ' stroke-dasharray="1 4.5" stroke-linecap="round"/>'
        + _RING.format(ink=FACE[card.colour], opacity="0.16")
        + _text(50, 76 + size * 0.345, size, str(card.number), "#1B1510")
        + _text(17, 25, 20, letter, ink)
        + _text(83, 25, 18, shape, ink)
        + _text(17, 137, 18, shape, ink)
        + _text(83, 137, 20, letter, ink)
    )


def _standard(card: Card) -> str:
    ink = _RED_SUIT if card.is_red else _BLACK_SUIT
    rank, suit = _RANKS.get(card.number, str(card.number)), SHAPE[card.colour]
    return (
        _frame("#FFFDF6", "#CFC4AE")
        + _text(50, 74, 62 if len(rank) == 1 else 52, rank, ink)
        + _text(50, 124, 52, suit, ink)
    )


def _unknown() -> str:
    return _frame("#B8AE9C", "#FFFDF6") + _text(50, 96, 64, "?", "#FFFDF6")


def sign_html(size_px: int) -> str:
    """The six-petal sign of the house, as an ornament."""
    return f'<img class="br-sign" src="/sign.svg" alt="" width="{size_px}" height="{size_px}">'


def sign_svg(colour: str = "#B23A2A") -> str:
    """The SVG file of the sign."""
    return (
        f'<svg xmlns="{_SVG}" viewBox="15 41 70 70">'
        f'<circle cx="50" cy="76" r="33" fill="none" stroke="{colour}" stroke-width="3"/>'
        f'<g fill="{colour}">{_PETALS}</g></svg>'
    )
