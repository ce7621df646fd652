"""The calibration sheet as a PDF page at true size: the board, a ruler and what to do with them."""

from __future__ import annotations

from pathlib import Path
from time import gmtime

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.sheet import SIZE_MM, draw_board

PX_PER_MM = 10
"""Whole pixels a millimetre, so that nothing on the page is rounded."""
RULER_MM = 100
TOP_MM = 12.0
_RULER_GAP_MM, _RULER_HIGH_MM = 12.0, 6.0
_TEXT_MM, _SMALL_MM = 4.4, 3.4
_LINE = 1.35
TITLE = "blitzref calibration sheet"
STEPS = (
    "1. Print at 100 % (no fit to page), then measure the ruler above: it must be 100 mm long.",
    "2. Lay the sheet flat in the middle of the table, all of it in the camera's picture.",
    "3. Light the table as for a game and run: blitzref calibrate 0",
    "4. If the ruler is not 100 mm long, add its length, such as: --ruler 97.5",
)


def sheet_page(paper_mm: tuple[float, float]) -> np.ndarray:
    """One page in black and white, uint8 (H, W), for paper of this width and height."""
    wide, high = (round(mm * PX_PER_MM) for mm in paper_mm)
    page = Image.new("L", (wide, high), 255)
    board = Image.fromarray(draw_board(PX_PER_MM))
    left = (wide - board.width) // 2
    top = round(TOP_MM * PX_PER_MM)
    page.paste(board, (left, top))
    pen = ImageDraw.Draw(page)
    y = top + round((SIZE_MM[1] + _RULER_GAP_MM) * PX_PER_MM)
    _ruler(pen, (wide - RULER_MM * PX_PER_MM) // 2, y)
    y += round(7 * PX_PER_MM)
    for text, size_mm in ((TITLE, _TEXT_MM), *((step, _SMALL_MM) for step in STEPS)):
        pen.text((left, y), text, fill=0, font=ImageFont.load_default(size_mm * PX_PER_MM))
        y += round(size_mm * _LINE * PX_PER_MM)
    return np.where(np.asarray(page) < 128, 0, 255).astype(np.uint8)


def _ruler(pen: ImageDraw.ImageDraw, x: int, y: int) -> None:
    """A ruler of `RULER_MM` whose line lies below (x, y), with a tick every millimetre."""
    length = RULER_MM * PX_PER_MM
    # The outer edges of the first and the last tick are 100 mm apart.
    pen.rectangle((x, y, x + length - 1, y + 2), fill=0)
    for mm in range(RULER_MM + 1):
        tall = _RULER_HIGH_MM if mm % 50 == 0 else 4.0 if mm % 10 == 0 else 3.0 if mm % 5 == 0 else 2.0
        at = min(x + mm * PX_PER_MM, x + length - 2)
        pen.rectangle((at, y - round(tall * PX_PER_MM), at + 1, y), fill=0)
    font = ImageFont.load_default(_SMALL_MM * PX_PER_MM)
    for mm, anchor in ((0, "rs"), (RULER_MM, "ls")):
        side = -8 if mm == 0 else 8
        pen.text((x + mm * PX_PER_MM + side, y), f"{mm} mm", fill=0, font=font, anchor=anchor)


def write_sheet(out: Path, paper_mm: tuple[float, float]) -> None:
    """Write the sheet as a PDF, the same bytes each time; the file appears only when it is complete.

    Raises:
        OSError: if the file cannot be written.
    """
    page = Image.fromarray(sheet_page(paper_mm)).convert("1", dither=Image.Dither.NONE)
    epoch = gmtime(0)
    unfinished = out.with_name(f"{out.name}.part")
    try:
        page.save(
            unfinished,
            "PDF",
            resolution=PX_PER_MM * 25.4,
            title=TITLE,
            creationDate=epoch,
            modDate=epoch,
        )
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)
