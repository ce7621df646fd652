"""Our own deck at true size as a PDF: nine cards a page, backs behind them, cut marks, a check ruler."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from datasets.art import blitz_back, blitz_face
from datasets.art.faces import HEIGHT_MM, WIDTH_MM
from referee.cards import BLITZ_COLOURS, Card, Family, highest_number

DPI = 300
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
COLUMNS, ROWS = 3, 3
BLEED_MM = 1.5
RULER_MM = 50
_MARK_MM = 3.0
_SEED = 3

Picture = npt.NDArray[np.uint8]


def _px(mm: float) -> int:
    return round(mm * DPI / 25.4)


def card_corner_mm(paper: str, place: int, mirrored: bool) -> tuple[float, float]:
    """Left upper corner of a card on the page; places run row by row, mirrored ones from the right.

    A page that is turned over its long edge shows place k of the mirrored side behind place k of the other.
    """
    wide, high = PAPERS_MM[paper]
    step_x, step_y = WIDTH_MM + 2 * BLEED_MM, HEIGHT_MM + 2 * BLEED_MM
    row, column = divmod(place, COLUMNS)
    if mirrored:
        column = COLUMNS - 1 - column
    return (wide - COLUMNS * step_x) / 2 + column * step_x + BLEED_MM, (
        high - ROWS * step_y
    ) / 2 + row * step_y + BLEED_MM


def page(cards: Sequence[Picture], paper: str, caption: str, mirrored: bool = False) -> Picture:
    """One page, BGR uint8 at `DPI`, with up to nine card pictures of 57 x 82 mm and their bleed."""
    wide, high = PAPERS_MM[paper]
    sheet = np.full((_px(high), _px(wide), 3), 255, np.uint8)
    bleed = _px(BLEED_MM)
    for place, picture in enumerate(cards):
        x, y = (_px(mm) for mm in card_corner_mm(paper, place, mirrored))
        bled = cv2.copyMakeBorder(picture, bleed, bleed, bleed, bleed, cv2.BORDER_REPLICATE)
        sheet[y - bleed : y - bleed + bled.shape[0], x - bleed : x - bleed + bled.shape[1]] = bled
    _cut_marks(sheet, paper)
    _ruler(sheet, caption)
    return sheet


def _cut_marks(sheet: Picture, paper: str) -> None:
    """Hair lines in the margins, in line with every edge of the cards."""
    high, wide = sheet.shape[:2]
    first_x, first_y = card_corner_mm(paper, 0, False)
    last_x, last_y = card_corner_mm(paper, COLUMNS * ROWS - 1, False)
    gap, length = _px(BLEED_MM + 1.0), _px(_MARK_MM)
    top, bottom = _px(first_y) - gap, _px(last_y) + _px(HEIGHT_MM) + gap
    left, right = _px(first_x) - gap, _px(last_x) + _px(WIDTH_MM) + gap
    for place in range(COLUMNS):
        start = _px(card_corner_mm(paper, place, False)[0])
        for x in (start, start + _px(WIDTH_MM)):
            cv2.line(sheet, (x, max(0, top - length)), (x, top), (0, 0, 0), 1)
            cv2.line(sheet, (x, bottom), (x, min(high - 1, bottom + length)), (0, 0, 0), 1)
    for place in range(0, COLUMNS * ROWS, COLUMNS):
        start = _px(card_corner_mm(paper, place, False)[1])
        for y in (start, start + _px(HEIGHT_MM)):
            cv2.line(sheet, (max(0, left - length), y), (left, y), (0, 0, 0), 1)
            cv2.line(sheet, (right, y), (min(wide - 1, right + length), y), (0, 0, 0), 1)


def _ruler(sheet: Picture, caption: str) -> None:
    """A ruler of `RULER_MM` at the lower edge, to check that the printer kept the size."""
    high, wide = sheet.shape[:2]
    x0, y = (wide - _px(RULER_MM)) // 2 - _px(35), high - _px(5)
    cv2.line(sheet, (x0, y), (x0 + _px(RULER_MM), y), (0, 0, 0), 2)
    for mm in range(RULER_MM + 1):
        tall = 2.4 if mm % 10 == 0 else 1.2
        cv2.line(sheet, (x0 + _px(mm), y), (x0 + _px(mm), y - _px(tall)), (0, 0, 0), 2)
    said = f"{RULER_MM} mm. {caption}"
    cv2.putText(
        sheet, said, (x0 + _px(RULER_MM + 3), y), cv2.FONT_HERSHEY_SIMPLEX, 0.9, (60, 60, 60), 2, cv2.LINE_AA
    )


def _on_white(picture: Picture) -> Picture:
    """The picture with its stock (the tone of the corner) made pure white: the paper has its own."""
    stock = picture[0, 0].astype(np.float32)
    white: Picture = np.minimum(255, np.rint(picture * (255 / stock))).astype(np.uint8)
    return white


def _pages(paper: str, deck: str, style: str, typeface: str, hand: str) -> Iterator[Picture]:
    width_px = _px(WIDTH_MM)
    cards = [Card(n, colour) for colour in BLITZ_COLOURS for n in range(1, highest_number(Family.BLITZ) + 1)]
    back = _on_white(blitz_back(deck, hand, width_px, random.Random(_SEED)).image[:, :, :3])
    per_page = COLUMNS * ROWS
    sheets = -(-len(cards) // per_page)
    for number in range(sheets):
        these = cards[number * per_page : (number + 1) * per_page]
        faces = [
            blitz_face(c, style, typeface, width_px, random.Random(_SEED)).image[:, :, :3] for c in these
        ]
        caption = f"Print at 100 %, both sides, long edge. Deck {deck}, sheet {number + 1} of {sheets}"
        yield page(faces, paper, f"{caption}, faces")
        yield page([back] * len(these), paper, f"{caption}, backs", mirrored=True)


def deck_pdf(
    out: Path,
    paper: str = "a4",
    deck: str = "pump",
    style: str = "meadow",
    typeface: str = "grotesk",
    hand: str = "woodcutter",
) -> int:
    """Write the 40 faces of one deck, each sheet followed by its backs; returns the number of pages.

    The file appears only when it is complete.

    Raises:
        ValueError: if the paper, deck, style, typeface or hand is unknown.
        OSError: if the file cannot be written.
    """
    if paper not in PAPERS_MM:
        raise ValueError(f"{paper!r} is no paper size; use {' or '.join(PAPERS_MM)}")
    sheets = [Image.fromarray(sheet[:, :, ::-1]) for sheet in _pages(paper, deck, style, typeface, hand)]
    unfinished = out.with_name(f"{out.name}.part")
    try:
        sheets[0].save(unfinished, "PDF", resolution=DPI, quality=92, save_all=True, append_images=sheets[1:])
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)
    return len(sheets)
