"""Contact sheets of everything this package draws, for looking at: `python -m datasets.art.sheet OUT.png`."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets import art
from referee.cards import DECKS, Card

_TABLE_GREY = 118
_WIDTH_PX = 150
_PER_ROW = 12
SYSTEM_FOLDERS = (Path("/usr/share/aisleriot/cards"), Path("/usr/share/carddecks"))
"""Where Debian puts the card sheets that `packages` knows."""


def on_table(image: npt.NDArray[np.uint8], marks: Sequence[art.Box] = ()) -> npt.NDArray[np.uint8]:
    """A BGRA texture (H, W, 4) laid on grey, BGR (H, W, 3), with the given boxes outlined."""
    share = image[:, :, 3:].astype(np.float32) / 255
    flat = (image[:, :, :3] * share + _TABLE_GREY * (1 - share)).astype(np.uint8)
    high, wide = flat.shape[:2]
    for x0, y0, x1, y1 in marks:
        corner, opposite = (round(x0 * wide), round(y0 * high)), (round(x1 * wide), round(y1 * high))
        cv2.rectangle(flat, corner, opposite, (255, 0, 255), 1)
    return flat


def rows_of(cards: Sequence[tuple[str, art.CardArt]]) -> npt.NDArray[np.uint8]:
    """Cards of equal width in rows with a caption each, BGR."""
    tall = max(card.image.shape[0] for _, card in cards) + 20
    tiles = []
    for caption, card in cards:
        tile = np.full((tall, _WIDTH_PX + 6, 3), _TABLE_GREY, np.uint8)
        tile[: card.image.shape[0], : card.image.shape[1]] = on_table(card.image, card.number_boxes)
        cv2.putText(
            tile, caption, (2, tall - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.38, (255, 255, 255), 1, cv2.LINE_AA
        )
        tiles.append(tile)
    empty = np.full_like(tiles[0], _TABLE_GREY)
    tiles += [empty] * (-len(tiles) % _PER_ROW)
    return np.vstack([np.hstack(tiles[i : i + _PER_ROW]) for i in range(0, len(tiles), _PER_ROW)])


def contact_sheet(cache: Path | None = None) -> npt.NDArray[np.uint8]:
    """Every style, typeface, hand and back; the package decks too if a cache folder is given."""
    rng = random.Random(1)
    blitz = [Card.parse(text) for text in ("red7", "blue6", "green10", "yellow9")]
    standard = [Card.parse(text) for text in ("AS", "7D", "QH", "10C", "KS", "JD")]
    groups = [
        [(s, art.blitz_face(c, s, "grotesk", _WIDTH_PX, rng)) for s in art.FACE_STYLES for c in blitz],
        [(t, art.blitz_face(c, "meadow", t, _WIDTH_PX, rng)) for t in art.TYPEFACES for c in blitz],
        [(h, art.blitz_back(d, h, _WIDTH_PX, rng)) for h in art.BACK_HANDS for d in DECKS],
        [
            (
                s,
                art.own_standard_face(
                    c, s, art.INDEX_TYPEFACES[i % len(art.INDEX_TYPEFACES)], _WIDTH_PX, random.Random(i)
                ),
            )
            for i, s in enumerate(art.INDEX_STYLES)
            for c in standard
        ],
        [(f"seed {k}", art.own_standard_back(k, _WIDTH_PX, rng)) for k in range(24)],
    ]
    if cache is not None:
        for name in art.prepare_standard_decks(SYSTEM_FOLDERS, cache):
            group = [(name, art.standard_face(c, name, _WIDTH_PX, rng, cache)) for c in standard]
            groups.append([*group, (name, art.standard_back(name, _WIDTH_PX, rng, cache))])
    return np.vstack([rows_of(group) for group in groups])


def main(arguments: Sequence[str]) -> int:
    """Write the sheet to the first argument; a second one names a cache folder for package decks."""
    if not 1 <= len(arguments) <= 2:
        print("Name the picture to write, for example: python -m datasets.art.sheet OUT.png", file=sys.stderr)
        return 2
    sheet = contact_sheet(Path(arguments[1]) if len(arguments) == 2 else None)
    if not cv2.imwrite(arguments[0], sheet):
        print(f"{arguments[0]} cannot be written: give a path that ends in .png or .jpg", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
