"""Our own standard 52-card faces and backs: no package and no picture file is needed."""

from __future__ import annotations

import colorsys
import math
import random
from dataclasses import dataclass

import numpy as np

from datasets.art.canvas import Bgr, Canvas, arc, box, rounded_box, smooth
from datasets.art.card_art import Box, CardArt, turned
from datasets.art.courts import choose_dress, draw_court
from datasets.art.suits import CUTS, draw_suit
from datasets.art.typefaces import Outline, outline
from referee.cards import ACE, JACK, KING, QUEEN, Card, Colour, Family

HEIGHT_MM = 88.0


@dataclass(frozen=True, slots=True)
class IndexStyle:
    """How a deck sets its indices; pairs are ranges in millimetres or fractions.

    `squeeze` stretches the rank sideways, `inset_mm` is from the long edge to the middle of the index.
    """

    width_mm: float = 63.0
    rank_mm: tuple[float, float] = (8.0, 10.0)
    squeeze: tuple[float, float] = (0.85, 1.0)
    sign_ratio: tuple[float, float] = (0.55, 0.75)
    gap_mm: tuple[float, float] = (0.8, 1.6)
    top_mm: tuple[float, float] = (3.5, 5.0)
    inset_mm: tuple[float, float] = (5.0, 6.0)
    corners: int = 2
    pip_mm: tuple[float, float] = (12.0, 16.0)
    columns: float = 0.215
    rows: float = 0.325
    letters: str = "english"
    pip_frame: bool = False
    four_colours: bool = False
    court: str = "woodcut"
    centre: str = "pips"
    """What number cards show in the middle: pips, one large sign, or nothing."""


INDEX_STYLES: dict[str, IndexStyle] = {
    "poker": IndexStyle(),
    "bridge": IndexStyle(width_mm=57.0, rank_mm=(7.0, 9.0), inset_mm=(4.4, 5.2), pip_mm=(9.0, 10.5)),
    "casino": IndexStyle(
        rank_mm=(10.0, 13.0),
        squeeze=(0.95, 1.25),
        sign_ratio=(0.7, 0.95),
        top_mm=(2.5, 4.0),
        inset_mm=(6.2, 8.0),
        pip_mm=(6.5, 8.5),
        columns=0.16,
        rows=0.27,
        pip_frame=True,
        gap_mm=(0.6, 1.4),
    ),
    "jumbo": IndexStyle(
        rank_mm=(14.0, 19.0),
        squeeze=(0.8, 1.0),
        sign_ratio=(0.6, 0.8),
        top_mm=(3.0, 4.5),
        inset_mm=(8.5, 10.0),
        pip_mm=(7.5, 9.5),
        columns=0.15,
        rows=0.27,
    ),
    "rhine": IndexStyle(
        width_mm=59.0,
        rank_mm=(6.5, 8.5),
        squeeze=(0.8, 1.0),
        sign_ratio=(0.5, 0.7),
        inset_mm=(4.4, 5.4),
        corners=4,
        pip_mm=(9.0, 11.0),
        columns=0.185,
        letters="dutch",
        court="framed",
    ),
    "paris": IndexStyle(
        width_mm=57.0,
        rank_mm=(6.5, 8.5),
        sign_ratio=(0.55, 0.75),
        inset_mm=(4.4, 5.4),
        corners=2,
        letters="french",
        pip_mm=(10.0, 12.0),
        court="framed",
    ),
    "skat": IndexStyle(
        width_mm=59.0,
        rank_mm=(7.0, 9.0),
        squeeze=(0.8, 0.95),
        inset_mm=(4.6, 5.6),
        corners=4,
        letters="german",
        pip_mm=(9.0, 10.5),
        columns=0.18,
    ),
    "four_colour": IndexStyle(
        rank_mm=(9.0, 12.0), sign_ratio=(0.65, 0.85), inset_mm=(5.6, 6.8), four_colours=True, columns=0.18
    ),
    "magnum": IndexStyle(
        rank_mm=(16.0, 21.0),
        squeeze=(0.7, 0.95),
        sign_ratio=(0.5, 0.7),
        top_mm=(3.0, 4.0),
        inset_mm=(9.0, 10.5),
        pip_mm=(0.0, 0.0),
        court="framed",
        centre="sign",
    ),
    "solo": IndexStyle(
        rank_mm=(8.0, 15.0),
        squeeze=(0.8, 1.0),
        sign_ratio=(0.5, 0.9),
        inset_mm=(5.0, 8.0),
        pip_mm=(0.0, 0.0),
        centre="sign",
    ),
    "bare": IndexStyle(
        rank_mm=(8.0, 16.0),
        squeeze=(0.8, 1.05),
        sign_ratio=(0.5, 0.9),
        inset_mm=(5.0, 8.5),
        pip_mm=(0.0, 0.0),
        centre="none",
        letters="german",
        court="plain",
    ),
    "tournament": IndexStyle(
        rank_mm=(8.5, 10.5),
        squeeze=(0.75, 0.92),
        sign_ratio=(0.55, 0.75),
        top_mm=(3.0, 4.5),
        inset_mm=(4.8, 5.8),
        pip_mm=(9.0, 11.0),
        court="plain",
    ),
    "travel": IndexStyle(
        width_mm=57.0,
        rank_mm=(9.0, 12.0),
        squeeze=(0.8, 1.0),
        sign_ratio=(0.6, 0.9),
        inset_mm=(5.2, 6.4),
        corners=4,
        pip_mm=(7.5, 9.0),
        columns=0.14,
        rows=0.29,
    ),
}

LETTERS = {
    "english": {ACE: "A", JACK: "J", QUEEN: "Q", KING: "K"},
    "german": {ACE: "A", JACK: "B", QUEEN: "D", KING: "K"},
    "dutch": {ACE: "A", JACK: "B", QUEEN: "D", KING: "H"},
    "french": {ACE: "A", JACK: "V", QUEEN: "D", KING: "R"},
}
"""What aces and courts are marked with, by country."""

_FRAME_INKS: tuple[Bgr, ...] = ((190, 110, 40), (150, 90, 40), (30, 30, 30), (60, 60, 160))

_L, _M, _R = -1.0, 0.0, 1.0
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((_M, 0),),
    2: ((_M, -1), (_M, 1)),
    3: ((_M, -1), (_M, 0), (_M, 1)),
    4: ((_L, -1), (_R, -1), (_L, 1), (_R, 1)),
    5: ((_L, -1), (_R, -1), (_M, 0), (_L, 1), (_R, 1)),
    6: ((_L, -1), (_R, -1), (_L, 0), (_R, 0), (_L, 1), (_R, 1)),
    7: ((_L, -1), (_R, -1), (_M, -0.5), (_L, 0), (_R, 0), (_L, 1), (_R, 1)),
    8: ((_L, -1), (_R, -1), (_M, -0.5), (_L, 0), (_R, 0), (_M, 0.5), (_L, 1), (_R, 1)),
    9: ((_L, -1), (_R, -1), (_L, -1 / 3), (_R, -1 / 3), (_M, 0), (_L, 1 / 3), (_R, 1 / 3), (_L, 1), (_R, 1)),
    10: (
        (_L, -1),
        (_R, -1),
        (_M, -2 / 3),
        (_L, -1 / 3),
        (_R, -1 / 3),
        (_L, 1 / 3),
        (_R, 1 / 3),
        (_M, 2 / 3),
        (_L, 1),
        (_R, 1),
    ),
}
"""Where the pips of each number stand: columns -1, 0, 1 and rows -1 (top) to 1 (bottom)."""


def _jitter(rng: random.Random, base: Bgr, by: float) -> Bgr:
    b, g, r = (min(255.0, max(0.0, channel + rng.uniform(-by, by))) for channel in base)
    return (b, g, r)


def _suit_inks(look: IndexStyle, rng: random.Random) -> dict[Colour, Bgr]:
    red = (rng.uniform(24, 60), rng.uniform(20, 52), rng.uniform(185, 232))
    grey = rng.uniform(16, 46)
    black = _jitter(rng, (grey, grey, grey), 4)
    inks: dict[Colour, Bgr] = {
        Colour.HEARTS: red,
        Colour.DIAMONDS: red,
        Colour.CLUBS: black,
        Colour.SPADES: black,
    }
    if look.four_colours:
        inks[Colour.CLUBS] = _jitter(rng, (52, 128, 24), 18)
        inks[Colour.DIAMONDS] = _jitter(rng, (196, 92, 24), 24)
    return inks


def own_standard_face(
    card: Card, style: str, typeface: str, width_px: int, rng: random.Random, letters: str | None = None
) -> CardArt:
    """One face of a standard deck, equal for equal arguments and generator state.

    Args:
        card: a standard card.
        style: a name of `INDEX_STYLES`; gives the card's size, national letters, corners and sizes.
        typeface: a name of `TYPEFACES` or the path of a font file.
        width_px: width of the picture; the height follows.
        rng: draws sizes and inks. Use one seed for all cards of a deck to get a deck that belongs together.
        letters: a name of `LETTERS` in place of the style's own.

    Raises:
        ValueError: if the card is of a Dutch Blitz deck, or the style, typeface or letters are unknown.
    """
    if card.family is not Family.STANDARD:
        raise ValueError(f"{card} is no standard card")
    if style not in INDEX_STYLES:
        raise ValueError(f"{style!r} is no index style; known are {', '.join(INDEX_STYLES)}")
    look = INDEX_STYLES[style]
    letters = letters or look.letters
    if letters not in LETTERS:
        raise ValueError(f"{letters!r} are no letters; known are {', '.join(LETTERS)}")
    deck = _settle(look, rng)
    canvas = Canvas(width_px, look.width_mm, HEIGHT_MM, deck.paper)
    ink = deck.inks[card.colour]
    text = outline(typeface, LETTERS[letters].get(card.number, str(card.number)))
    if card.number in (JACK, QUEEN, KING):
        _court(canvas, card, look, deck, ink)
    else:
        _pips(canvas, card, look, deck, ink)
    upper = _index(canvas, card, deck, ink, text, look.corners)
    boxes = (*upper, *(turned(b) for b in upper))
    return CardArt(
        canvas.finish(),
        boxes,
        "face",
        Family.STANDARD,
        look.width_mm,
        HEIGHT_MM,
        f"{style}/{typeface}",
        card=card,
    )


@dataclass(frozen=True, slots=True)
class _Deck:
    """What all cards of one printed deck share; lengths in millimetres."""

    paper: Bgr
    inks: dict[Colour, Bgr]
    frame_ink: Bgr
    cut: str
    rank: float
    squeeze: float
    sign: float
    gap: float
    top: float
    inset: float
    pip: float
    has_frame: bool
    ace: float
    spade_ace: float
    seed: int


def _settle(look: IndexStyle, rng: random.Random) -> _Deck:
    rank = rng.uniform(*look.rank_mm)
    frame_ink = (215.0, 185.0, 150.0) if look.pip_frame else rng.choice(_FRAME_INKS)
    return _Deck(
        paper=_jitter(rng, (247, 249, 250), 3),
        inks=_suit_inks(look, rng),
        frame_ink=_jitter(rng, frame_ink, 15),
        cut=rng.choice(CUTS),
        rank=rank,
        squeeze=rng.uniform(*look.squeeze),
        sign=rank * rng.uniform(*look.sign_ratio),
        gap=rng.uniform(*look.gap_mm),
        top=rng.uniform(*look.top_mm),
        inset=rng.uniform(*look.inset_mm),
        pip=min(rng.uniform(*look.pip_mm), look.rows * HEIGHT_MM * 2 / 3 * 0.78),
        has_frame=look.pip_frame and rng.random() < 0.7,
        ace=rng.choice((1.0, 1.0, 1.3)),
        spade_ace=rng.choice((1.0, 1.4, 2.2)),
        seed=rng.getrandbits(32),
    )


def _index(canvas: Canvas, card: Card, deck: _Deck, ink: Bgr, text: Outline, corners: int) -> tuple[Box, ...]:
    """Draw the indices and return the boxes of those at the upper edge, rank and sign together."""
    wide, high = canvas.width_mm, canvas.height_mm
    room_mm = 2 * (deck.inset - 1.2)
    rank_w = min(deck.squeeze * deck.rank * text.width, room_mm)
    half_mm = max(rank_w, deck.sign * 0.9) / 2
    bottom = deck.top + text.height * deck.rank + deck.gap + deck.sign
    middles = (deck.inset, wide - deck.inset) if corners == 4 else (deck.inset,)
    for turn in (0, 180):
        x, y = (0.0, 0.0) if turn == 0 else (wide, high)
        with canvas.placed(x, y, angle_deg=turn):
            for middle in middles:
                with canvas.placed(middle - rank_w / 2, deck.top, rank_w / text.width, deck.rank):
                    canvas.fill(text.polygons, ink)
                draw_suit(canvas, card.colour, deck.cut, middle, bottom - deck.sign / 2, deck.sign, ink)
    return tuple(
        ((m - half_mm) / wide, deck.top / high, (m + half_mm) / wide, bottom / high) for m in middles
    )


def _pips(canvas: Canvas, card: Card, look: IndexStyle, deck: _Deck, ink: Bgr) -> None:
    x, y = canvas.width_mm / 2, canvas.height_mm / 2
    column, row = look.columns * canvas.width_mm, look.rows * canvas.height_mm
    if deck.has_frame:
        half_w, half_h = column + deck.pip * 0.7, row + deck.pip * 0.75
        canvas.stroke(box(x - half_w, y - half_h, x + half_w, y + half_h), 0.5, deck.frame_ink, True)
    if look.centre == "sign":
        draw_suit(canvas, card.colour, deck.cut, x, y, 24.0, ink)
    elif look.centre == "none":
        return
    elif card.number == ACE:
        size = deck.pip * (deck.spade_ace if card.colour is Colour.SPADES else deck.ace)
        draw_suit(canvas, card.colour, deck.cut, x, y, size, ink)
        if size > deck.pip * 2:
            draw_suit(canvas, card.colour, deck.cut, x, y + size * 0.02, size * 0.62, deck.paper)
            draw_suit(canvas, card.colour, deck.cut, x, y + size * 0.03, size * 0.45, ink)
    else:
        column = min(column, x - deck.inset - deck.pip * 0.5)
        for cx, cy in PIPS[card.number]:
            draw_suit(
                canvas, card.colour, deck.cut, x + cx * column, y + cy * row, deck.pip, ink, turn=cy > 0.01
            )


def _court(canvas: Canvas, card: Card, look: IndexStyle, deck: _Deck, ink: Bgr) -> None:
    x, y = canvas.width_mm / 2, canvas.height_mm / 2
    clear = deck.inset + max(deck.rank * deck.squeeze * 0.42, deck.sign * 0.45) + 0.8
    half_w = min(canvas.width_mm * (look.columns + 0.1 if look.columns < 0.2 else 0.345), x - clear)
    half_h = half_w * 1.5 if look.rows < 0.3 else min(canvas.height_mm * 0.41, half_w * 1.64)
    rng = random.Random(f"{deck.seed}{card}")
    canvas.fill(box(x - half_w, y - half_h, x + half_w, y + half_h), deck.paper)
    with canvas.placed(x, y, half_w * 1.96, half_h * 1.32):
        draw_court(canvas, card.number, choose_dress(rng, look.court == "plain"), rng)
    frame = box(x - half_w, y - half_h, x + half_w, y + half_h)
    if look.court == "framed":
        frame = rounded_box(x - half_w, y - half_h, x + half_w, y + half_h, 3.0)
    canvas.stroke(frame, 0.4, deck.frame_ink, True)
    size = min(max(6.0, deck.pip * 0.85), half_w * 0.55)
    for turn in (0, 180):
        with canvas.placed(x, y, angle_deg=turn):
            draw_suit(canvas, card.colour, deck.cut, size * 0.62 - half_w, size * 0.72 - half_h, size, ink)


BACK_PATTERNS = (
    "lattice",
    "stripes",
    "medallion",
    "plain",
    "scales",
    "dots",
    "rays",
    "checks",
    "waves",
    "tiles",
)


def own_standard_back(seed: int, width_px: int, rng: random.Random) -> CardArt:
    """A standard deck's back. `seed` fixes the design (pattern, hue, border), `rng` only the print's faults.

    The deck is called `standard-SEED`.
    """
    design = random.Random(f"standard-back-{seed}")
    wide = design.choice((57.0, 63.0))
    pattern = BACK_PATTERNS[seed % len(BACK_PATTERNS)]
    hue = design.random() if design.random() < 0.5 else design.choice((0.0, 0.6, 0.98, 0.57))
    dark = _hsv(hue, design.uniform(0.55, 0.95), design.uniform(0.35, 0.8))
    light = (
        (245.0, 246.0, 246.0) if design.random() < 0.7 else _hsv(hue + design.uniform(-0.1, 0.1), 0.25, 0.95)
    )
    border = design.choice((0.0, 3.0, 4.0, 5.0, 6.0))
    canvas = Canvas(width_px, wide, HEIGHT_MM, (247, 248, 248) if border else dark)
    dx, dy = rng.gauss(0, 0.25), rng.gauss(0, 0.25)
    with canvas.placed(dx, dy):
        panel = rounded_box(border, border, wide - border, HEIGHT_MM - border, design.choice((0.5, 2.0, 3.0)))
        if border == 0.0:
            panel = box(-2, -2, wide + 2, HEIGHT_MM + 2)
        canvas.fill(panel, dark)
        _pattern(canvas, pattern, border, dark, light, design)
        if border:
            canvas.stroke(
                rounded_box(border, border, wide - border, HEIGHT_MM - border, 2.0),
                design.uniform(0.4, 1.4),
                dark,
                True,
            )
            _margin(canvas, border, (247, 248, 248))
            if design.random() < 0.5:
                inner = border + 1.8
                canvas.stroke(
                    rounded_box(inner, inner, wide - inner, HEIGHT_MM - inner, 1.5), 0.5, light, True
                )
    return CardArt(
        canvas.finish(), (), "back", Family.STANDARD, wide, HEIGHT_MM, pattern, deck=f"standard-{seed}"
    )


def _hsv(hue: float, saturation: float, value: float) -> Bgr:
    r, g, b = colorsys.hsv_to_rgb(hue % 1.0, saturation, value)
    return (b * 255, g * 255, r * 255)


def _margin(canvas: Canvas, border: float, paper: Bgr) -> None:
    """Cover whatever the pattern drew outside the panel."""
    w, h = canvas.width_mm, canvas.height_mm
    outer = box(-5, -5, w + 5, h + 5)
    canvas.fill(
        [outer, rounded_box(border - 0.4, border - 0.4, w - border + 0.4, h - border + 0.4, 2.2)], paper
    )


def _pattern(canvas: Canvas, kind: str, border: float, dark: Bgr, light: Bgr, design: random.Random) -> None:
    w, h = canvas.width_mm, canvas.height_mm
    step = design.uniform(2.5, 6.0)
    xs, ys = np.arange(-h, w + h, step), np.arange(-step, h + 2 * step, step)
    if kind == "lattice":
        for x in xs:
            canvas.stroke([(x, 0), (x + h, h)], step * 0.18, light)
            canvas.stroke([(x + h, 0), (x, h)], step * 0.18, light)
    elif kind == "stripes":
        tilt = design.choice((0.0, 0.0, h, -h))
        for x in xs:
            canvas.stroke([(x, 0), (x + tilt, h)], step * 0.4, light)
    elif kind == "medallion":
        for r in np.arange(24, 3, -design.uniform(2.2, 4.0)):
            n = design.choice((8, 12, 16))
            a = np.linspace(0, 2 * math.pi, 160)
            rr = r * (1 + 0.07 * np.cos(n * a))
            ring = np.stack([w / 2 + rr * np.cos(a) * 0.9, h / 2 + rr * np.sin(a)], axis=1)
            canvas.stroke(ring, 0.6, light, True)
        for cx, cy in ((0.2, 0.14), (0.8, 0.14), (0.2, 0.86), (0.8, 0.86)):
            for k in range(8):
                with canvas.placed(cx * w, cy * h, 1, angle_deg=45 * k):
                    canvas.fill(smooth([(0, 0), (-1, -2.5), (0, -5), (1, -2.5)], closed=True), light)
    elif kind == "plain":
        if design.random() < 0.5:
            canvas.fill(
                np.array([(w / 2, h * 0.3), (w * 0.72, h / 2), (w / 2, h * 0.7), (w * 0.28, h / 2)]), light
            )
    elif kind == "scales":
        for j, y in enumerate(ys):
            for x in np.arange(-step, w + step, step):
                canvas.stroke(
                    arc(x + (j % 2) * step / 2, y, step / 2, step / 2, 0, 180, steps=12), step * 0.12, light
                )
    elif kind == "dots":
        for j, y in enumerate(ys):
            for x in np.arange(-step, w + step, step):
                canvas.disc(x + (j % 2) * step / 2, y, step * 0.22, light)
    elif kind == "rays":
        for k in range(36):
            start, end = math.radians(k * 10), math.radians(k * 10 + 4)
            canvas.fill(
                np.array(
                    [
                        (w / 2, h / 2),
                        (w / 2 + 70 * math.cos(start), h / 2 + 70 * math.sin(start)),
                        (w / 2 + 70 * math.cos(end), h / 2 + 70 * math.sin(end)),
                    ]
                ),
                light,
            )
        canvas.disc(w / 2, h / 2, design.uniform(6, 12), dark)
        canvas.disc(w / 2, h / 2, 4, light)
    elif kind == "checks":
        for j, y in enumerate(ys):
            for x in np.arange(-2 * step, w + step, 2 * step):
                left = x + (j % 2) * step
                canvas.fill(box(left, y, left + step, y + step), light)
    elif kind == "waves":
        x = np.linspace(0, w, 80)
        for y in ys:
            canvas.stroke(np.stack([x, y + step * 0.4 * np.sin(x / step * 1.6)], axis=1), step * 0.2, light)
    else:
        for y in np.arange(-step, h + 2 * step, 2 * step):
            for x in np.arange(-step, w + 2 * step, 2 * step):
                with canvas.placed(x, y, step * 0.95):
                    canvas.stroke(np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]), 0.14, light, True)
                    canvas.fill(smooth([(0, -0.5), (0.2, 0), (0, 0.5), (-0.2, 0)], closed=True), light)
