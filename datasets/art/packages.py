"""Standard decks from the SVG sheets of installed packages, rasterised once into a folder of the caller.

Nothing of these decks is kept in the repository. Known are the sheets of Debian's `gnome-cards-data`
(`/usr/share/aisleriot/cards`, one 13 x 5 grid per file) and `kdegames-card-data-kf5`
(`/usr/share/carddecks`, one named element per card); rasterising needs `rsvg-convert` (librsvg2-bin).
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets.art.canvas import rounded_alpha
from datasets.art.card_art import Box, CardArt, turned
from referee.cards import Card, Colour, Family

CELL_WIDTH_PX = 320
HEIGHT_MM = 88.0
_MAKING = 3
"""Raised when sheets are rasterised differently, so that an older cache is made anew."""
_ROWS = (Colour.CLUBS, Colour.DIAMONDS, Colour.HEARTS, Colour.SPADES)
_KDE_RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")

PACKAGE_SPLITS: dict[str, tuple[str, ...]] = {
    "train": (
        "gnome-ancient_french",
        "gnome-anglo",
        "gnome-anglo_bitmap",
        "gnome-anglo_modern",
        "gnome-atlasnye",
        "gnome-anglo_poker",
        "gnome-bellot",
        "gnome-dondorf",
        "gnome-gnomangelo",
        "gnome-neoclassical",
        "gnome-neoclassical_4_color",
        "gnome-paris",
        "gnome-rheinland",
        "gnome-simplistic",
        "gnome-tango",
        "gnome-tigullio",
        "kde-standard",
    ),
    "validation": ("gnome-lattmann", "gnome-orell", "gnome-plastic"),
    "test": ("gnome-berlin", "gnome-ornamental", "gnome-tarocco", "kde-nicu-white"),
}
"""French-suited 52-card decks that can be read; decks by the same hand stand in the same part."""

_FALLBACK_BOX: Box = (0.02, 0.02, 0.18, 0.27)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A rasterised deck: BGRA cells in a 13 x 5 grid, the back at row 4, column 0."""

    picture: npt.NDArray[np.uint8]
    cell_height_px: int
    index: Box
    four_corners: bool

    def cell(self, row: int, column: int) -> npt.NDArray[np.uint8]:
        h = self.cell_height_px
        return self.picture[row * h : (row + 1) * h, column * CELL_WIDTH_PX : (column + 1) * CELL_WIDTH_PX]


def _find(name: str, folders: Sequence[Path]) -> Path | None:
    """The SVG sheet of a deck, searched under the given folders."""
    kind, deck = name.split("-", 1)
    for folder in folders:
        if kind == "gnome":
            path = folder / f"{deck}.svgz"
            if path.is_file():
                return path
        else:
            sheets = sorted((folder / f"svg-{deck}").glob("*.svgz"))
            if sheets:
                return sheets[0]
    return None


def standard_deck_names(folders: Sequence[Path]) -> list[str]:
    """The known readable decks whose sheets lie under the folders, sorted."""
    every = (name for names in PACKAGE_SPLITS.values() for name in names)
    return sorted(name for name in every if _find(name, folders))


def prepare_standard_decks(folders: Sequence[Path], cache: Path) -> list[str]:
    """Rasterise the decks found under `folders` that `cache` lacks; returns the names that it then holds.

    Raises:
        FileNotFoundError: if a deck must be rasterised and `rsvg-convert` is not installed.
        subprocess.CalledProcessError: if it fails on a sheet.
    """
    cache.mkdir(parents=True, exist_ok=True)
    names = standard_deck_names(folders)
    for name in names:
        path = _find(name, folders)
        if path is not None and not _is_current(cache / f"{name}.json"):
            _rasterise(name, path, cache)
    return names


def _is_current(facts: Path) -> bool:
    return facts.is_file() and json.loads(facts.read_text(encoding="utf-8")).get("making") == _MAKING


def _convert(*arguments: str) -> npt.NDArray[np.uint8]:
    done = subprocess.run(["rsvg-convert", *arguments], check=True, capture_output=True)
    return np.asarray(cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED), np.uint8)


def _rasterise(name: str, path: Path, cache: Path) -> None:
    cells = _grid_cells(path) if name.startswith("gnome-") else _element_cells(path)
    first = _trimmed(cells[0, 1])
    rim, paper = _outline_share(first), np.median(first[first[:, :, 3] > 250], axis=0)
    height_px = round(CELL_WIDTH_PX * min(1.62, max(1.36, first.shape[0] / first.shape[1])))
    picture = np.zeros((5 * height_px, 13 * CELL_WIDTH_PX, 4), np.uint8)
    for (row, column), cell in cells.items():
        bare = _without_rim(_trimmed(cell), rim, paper if row < 4 else None)
        fitted = cv2.resize(bare, (CELL_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
        y, x = row * height_px, column * CELL_WIDTH_PX
        picture[y : y + height_px, x : x + CELL_WIDTH_PX] = fitted
    index, four = _find_index(picture[:height_px, CELL_WIDTH_PX : 2 * CELL_WIDTH_PX])
    cv2.imwrite(str(cache / f"{name}.png"), picture)
    facts = {"making": _MAKING, "cell_height_px": height_px, "index": index, "four_corners": four}
    (cache / f"{name}.json").write_text(json.dumps(facts), encoding="utf-8")


def _grid_cells(path: Path) -> dict[tuple[int, int], npt.NDArray[np.uint8]]:
    """Cells of a sheet with 13 columns; rows clubs, diamonds, hearts, spades, then jokers and the back."""
    size = _convert("-w", "1300", str(path)).shape
    cell_h = round(400 * size[0] / size[1] * 13 / 5)
    sheet = _convert("-w", str(400 * 13), "-h", str(cell_h * 5), str(path))
    cells = {}
    for row in range(5):
        for column in range(13):
            cells[row, column] = sheet[row * cell_h : (row + 1) * cell_h, column * 400 : (column + 1) * 400]
    back = cells[4, 2]
    return {key: cell for key, cell in cells.items() if key[0] < 4} | {(4, 0): back}


def _element_cells(path: Path) -> dict[tuple[int, int], npt.NDArray[np.uint8]]:
    """Cells of a sheet whose cards are elements named like `10_club`."""
    cells = {}
    for row, suit in enumerate(_ROWS):
        for column, rank in enumerate(_KDE_RANKS):
            cells[row, column] = _convert(f"--export-id={rank}_{suit.value[:-1]}", "-w", "400", str(path))
    cells[4, 0] = _convert("--export-id=back", "-w", "400", str(path))
    return cells


def _trimmed(cell: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The cell without its transparent margin."""
    solid = cell[:, :, 3] > 128
    rows, columns = np.flatnonzero(solid.mean(axis=1) > 0.4), np.flatnonzero(solid.mean(axis=0) > 0.4)
    if rows.size == 0 or columns.size == 0:
        return cell
    return cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _outline_share(two_of_clubs: npt.NDArray[np.uint8]) -> float:
    """Thickness of the line round the card as a share of its width: screen art has one, real cards not."""
    grey = two_of_clubs[:, :, :3].mean(axis=2)
    high, wide = grey.shape
    paper = float(np.median(grey))
    profile = grey[round(0.42 * high) : round(0.58 * high), : round(0.05 * wide)].mean(axis=0)
    dark = np.flatnonzero(profile < paper - 25)
    return float(dark[-1] + 2) / wide if dark.size else 0.0


def _without_rim(
    cell: npt.NDArray[np.uint8], rim: float, paper: npt.NDArray[np.float64] | None
) -> npt.NDArray[np.uint8]:
    """The cell without the line round it; the rounded corners are filled with the paper, if one is given."""
    cut = round(rim * cell.shape[1])
    if cut == 0:
        return cell
    bare = cell[cut:-cut, cut:-cut].copy()
    if paper is not None:
        corner = round(0.04 * bare.shape[1])
        for rows in (slice(0, corner), slice(-corner, None)):
            for columns in (slice(0, corner), slice(-corner, None)):
                bare[rows, columns] = paper
    return bare


def _find_index(two_of_clubs: npt.NDArray[np.uint8]) -> tuple[Box, bool]:
    """Where the upper left index stands, from a two: its pips keep clear of the side columns.

    Also tells whether the upper right corner carries an index too.
    """
    high, wide = two_of_clubs.shape[:2]
    grey = cv2.cvtColor(two_of_clubs[:, :, :3], cv2.COLOR_BGR2GRAY)
    paper = float(np.median(grey))
    ink = (grey < paper - 70) & (two_of_clubs[:, :, 3] > 128)
    inset = round(0.025 * wide)
    left = ink[inset : round(0.42 * high), inset : round(0.3 * wide)]
    right = ink[inset : round(0.42 * high), round(0.7 * wide) : wide - inset]
    rows, columns = np.flatnonzero(left.any(axis=1)), np.flatnonzero(left.any(axis=0))
    if rows.size == 0 or rows[-1] > 0.38 * high:
        return _FALLBACK_BOX, False
    x0, x1 = (columns[0] + inset) / wide, (columns[-1] + inset + 1) / wide
    y0, y1 = (rows[0] + inset) / high, (rows[-1] + inset + 1) / high
    if x1 > 0.27 or x1 - x0 < 0.05 or y1 - y0 < 0.08:
        return _FALLBACK_BOX, False
    return (x0, y0, x1, y1), bool(right.sum() > 0.5 * left.sum())


@lru_cache(maxsize=12)
def _sheet(name: str, cache: Path) -> _Sheet:
    facts_path = cache / f"{name}.json"
    if not facts_path.is_file():
        raise FileNotFoundError(f"deck {name!r} is not in {cache}: run prepare_standard_decks first")
    facts = json.loads(facts_path.read_text(encoding="utf-8"))
    picture = np.asarray(cv2.imread(str(cache / f"{name}.png"), cv2.IMREAD_UNCHANGED), np.uint8)
    x0, y0, x1, y1 = facts["index"]
    return _Sheet(picture, facts["cell_height_px"], (x0, y0, x1, y1), facts["four_corners"])


def _texture(cell: npt.NDArray[np.uint8], width_px: int, rng: random.Random) -> npt.NDArray[np.uint8]:
    """The cell at the wanted width, flattened on paper of a slightly random tone, with rounded corners."""
    high_px = round(width_px * cell.shape[0] / cell.shape[1])
    how = cv2.INTER_AREA if width_px < cell.shape[1] else cv2.INTER_CUBIC
    scaled = cv2.resize(cell, (width_px, high_px), interpolation=how).astype(np.float32)
    share = scaled[:, :, 3:] / 255.0
    paper = np.array([rng.uniform(244, 254), rng.uniform(246, 254), rng.uniform(246, 254)], np.float32)
    flat = (scaled[:, :, :3] * share + 255.0 * (1 - share)) * (paper / 255.0)
    alpha = rounded_alpha(width_px, high_px, 3.0 * width_px / 60.0)
    return np.dstack([np.clip(flat, 0, 255).astype(np.uint8), alpha])


def standard_face(card: Card, deck_name: str, width_px: int, rng: random.Random, cache: Path) -> CardArt:
    """One face of a deck that `prepare_standard_decks` put into `cache`.

    `number_boxes` come from the deck's two of clubs and are the same for all its cards.

    Raises:
        FileNotFoundError: if the cache lacks the deck.
        ValueError: if the card is of a Dutch Blitz deck.
    """
    if card.family is not Family.STANDARD:
        raise ValueError(f"{card} is no standard card")
    sheet = _sheet(deck_name, cache)
    image = _texture(sheet.cell(_ROWS.index(card.colour), card.number - 1), width_px, rng)
    x0, y0, x1, y1 = sheet.index
    boxes: tuple[Box, ...] = ((x0, y0, x1, y1),)
    if sheet.four_corners:
        boxes += ((1 - x1, y0, 1 - x0, y1),)
    width_mm = HEIGHT_MM * CELL_WIDTH_PX / sheet.cell_height_px
    both = (*boxes, *(turned(b) for b in boxes))
    return CardArt(image, both, "face", Family.STANDARD, width_mm, HEIGHT_MM, deck_name, card=card)


def standard_back(deck_name: str, width_px: int, rng: random.Random, cache: Path) -> CardArt:
    """The back of a deck that `prepare_standard_decks` put into `cache`.

    Raises:
        FileNotFoundError: if the cache lacks the deck.
    """
    sheet = _sheet(deck_name, cache)
    image = _texture(sheet.cell(4, 0), width_px, rng)
    width_mm = HEIGHT_MM * CELL_WIDTH_PX / sheet.cell_height_px
    return CardArt(image, (), "back", Family.STANDARD, width_mm, HEIGHT_MM, deck_name, deck=deck_name)
