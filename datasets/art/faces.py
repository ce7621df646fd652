"""Dutch-Blitz-like faces in our own drawing: one solid colour, black figures, a hex sign, a small number."""

from __future__ import annotations

import random

from datasets.art.canvas import Bgr, Canvas, rounded_box
from datasets.art.card_art import Box, CardArt, turned
from datasets.art.face_styles import STYLES, vary
from datasets.art.figures import boy, girl
from datasets.art.signs import draw_ornament, draw_sign
from datasets.art.typefaces import outline
from referee.cards import Card, Colour, Family

WIDTH_MM, HEIGHT_MM = 57.0, 82.0

INKS_RGB: dict[Colour, tuple[tuple[int, int, int], ...]] = {
    Colour.RED: ((216, 60, 15), (204, 55, 55), (222, 84, 22), (190, 36, 40)),
    Colour.BLUE: ((0, 136, 192), (41, 117, 183), (24, 100, 176), (52, 146, 205)),
    Colour.GREEN: ((1, 152, 71), (0, 140, 76), (30, 128, 60), (24, 160, 92)),
    Colour.YELLOW: ((255, 213, 4), (202, 135, 0), (240, 190, 20), (224, 165, 10)),
}
"""Corners of the range that a colour's ink is mixed from: printings differ from orange-red to dull yellow."""


def mix_ink(colour: Colour, rng: random.Random) -> Bgr:
    """An ink of a face colour, drawn inside the range of `INKS_RGB`."""
    shares = [rng.random() ** 2 + 1e-3 for _ in INKS_RGB[colour]]
    total = sum(shares)
    red, green, blue = (
        sum(s * ink[i] for s, ink in zip(shares, INKS_RGB[colour], strict=True)) / total for i in range(3)
    )
    return (blue, green, red)


def blitz_face(card: Card, style: str, typeface: str, width_px: int, rng: random.Random) -> CardArt:
    """One face of 57 x 82 mm, equal for equal arguments and generator state.

    Args:
        card: a Dutch Blitz card.
        style: a name of `FACE_STYLES`.
        typeface: a name of `TYPEFACES` or the path of a font file.
        width_px: width of the picture; the height follows.
        rng: draws ink, sizes, print misregistration and the white edge.

    Raises:
        ValueError: if the card is of a standard deck, or the style or typeface is unknown.
    """
    if card.family is not Family.BLITZ:
        raise ValueError(f"{card} is no Dutch Blitz card")
    if style not in STYLES:
        raise ValueError(f"{style!r} is no face style; known are {', '.join(STYLES)}")
    look = vary(STYLES[style], rng)
    colour = mix_ink(card.colour, rng)
    black, white = _greyish(rng, 14, 46), _greyish(rng, 236, 250)
    has_edge = rng.random() < look.white_edge_p
    canvas = Canvas(width_px, WIDTH_MM, HEIGHT_MM, white if has_edge else colour)
    if has_edge:
        edge = rng.uniform(0.6, 1.9)
        dx, dy = rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3)
        canvas.fill(
            rounded_box(edge + dx, edge + dy, WIDTH_MM - edge + dx, HEIGHT_MM - edge + dy, 2.2), colour
        )
    shift_x, shift_y = rng.gauss(0, 0.1), rng.gauss(0, 0.1)
    digit_mm = rng.uniform(0.08, 0.13) * HEIGHT_MM
    figure_w, figure_h = rng.uniform(0.165, 0.195) * WIDTH_MM, rng.uniform(0.205, 0.235) * HEIGHT_MM
    figure_x, figure_y = rng.uniform(0.06, 0.08) * WIDTH_MM, rng.uniform(0.035, 0.05) * HEIGHT_MM
    radius = rng.uniform(0.33, 0.36) * WIDTH_MM
    drop = rng.random()
    ornament_x = rng.uniform(0.065, 0.085) * WIDTH_MM
    ornament_h = rng.uniform(3.4, 4.6)
    pale = white if rng.random() < 0.5 else colour
    person = boy if card.is_boy else girl
    text = outline(typeface, str(card.number))
    widest_mm = 0.40 * WIDTH_MM
    digit_mm = max(digit_mm, 0.08 * HEIGHT_MM / text.height)
    stretch = min(rng.uniform(0.92, 1.1), widest_mm / (text.width * digit_mm))
    wide_mm = digit_mm * stretch * text.width
    lowest = HEIGHT_MM / 2 - radius - 1.0
    top = 3.0 + drop * max(0.0, lowest - 3.0 - digit_mm * text.height) * 0.9
    left = (WIDTH_MM - wide_mm) / 2
    if look.frame != "none":
        _frame(canvas, look.frame, black)
    with canvas.placed(WIDTH_MM / 2, HEIGHT_MM / 2):
        with canvas.placed(shift_x, shift_y):
            draw_sign(canvas, look.sign, radius, black, white, colour)
        for side in (-1, 1):
            with canvas.placed(side * (WIDTH_MM / 2 - ornament_x), 0, side * 3.4, ornament_h):
                draw_ornament(canvas, look.sign.ornament, black, colour)
    for turn in (0, 180):
        x, y = (0, 0) if turn == 0 else (WIDTH_MM, HEIGHT_MM)
        with canvas.placed(x, y, 1, angle_deg=turn):
            with canvas.placed(figure_x, figure_y, figure_w / 10, figure_h / 18):
                person(canvas, look.figure, black, pale)
            with canvas.placed(WIDTH_MM - figure_x, figure_y, -figure_w / 10, figure_h / 18):
                person(canvas, look.figure, black, pale)
            with canvas.placed(left, top, digit_mm * stretch, digit_mm):
                canvas.fill(text.polygons, black)
    upper: Box = (
        left / WIDTH_MM,
        top / HEIGHT_MM,
        1 - left / WIDTH_MM,
        (top + digit_mm * text.height) / HEIGHT_MM,
    )
    return CardArt(
        canvas.finish(),
        (upper, turned(upper)),
        "face",
        Family.BLITZ,
        WIDTH_MM,
        HEIGHT_MM,
        f"{style}/{typeface}",
        card=card,
    )


def _frame(canvas: Canvas, kind: str, black: Bgr) -> None:
    for inset in (1.6,) if kind == "line" else (1.3, 2.2):
        outline_mm = rounded_box(inset, inset, WIDTH_MM - inset, HEIGHT_MM - inset, 3.0 - inset / 2)
        canvas.stroke(outline_mm, 0.35, black, True)


def _greyish(rng: random.Random, low: float, high: float) -> Bgr:
    grey = rng.uniform(low, high)
    return (grey + rng.uniform(-4, 4), grey + rng.uniform(-4, 4), grey + rng.uniform(-4, 4))
