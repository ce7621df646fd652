"""A page of the worst failures as pictures."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np

from vision.reading import draw_seen
from vision.types import SeenCard

TILE_PX = (640, 480)
COLUMNS = 3


class Worst:
    """The pictures of a set in which most was wrong, small, with what was seen drawn on them."""

    def __init__(self, most: int = 12) -> None:
        self._most = most
        self._tiles: list[tuple[int, np.ndarray]] = []

    def add(self, image: np.ndarray, seen: list[SeenCard], wrong: int, what: str = "") -> None:
        """Keep a picture BGR uint8 (H, W, 3) with `wrong` things wrong in it, if it is one of the worst."""
        full = len(self._tiles) >= self._most
        if wrong == 0 or (full and wrong <= self._tiles[-1][0]):
            return
        tile = _tile(draw_seen(image, seen), f"{wrong} wrong{': ' if what else ''}{what}")
        self._tiles = sorted([*self._tiles, (wrong, tile)], key=lambda one: -one[0])[: self._most]

    def sheet(self, folder: Path, name: str) -> Path | None:
        """Write the page of the set `name`; None where nothing failed."""
        tiles = [tile for _, tile in self._tiles]
        if not tiles:
            return None
        while len(tiles) % COLUMNS:
            tiles.append(np.full_like(tiles[0], 255))
        rows = [np.hstack(tiles[i : i + COLUMNS]) for i in range(0, len(tiles), COLUMNS)]
        folder.mkdir(parents=True, exist_ok=True)
        plain = re.sub(r"[^\w.]+", "-", name)
        path = folder / f"{plain}.jpg"
        cv2.imwrite(str(path), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 88])
        return path


def _tile(image: np.ndarray, text: str) -> np.ndarray:
    scale = min(TILE_PX[0] / image.shape[1], (TILE_PX[1] - 24) / image.shape[0])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    tile = np.full((TILE_PX[1], TILE_PX[0], 3), 255, np.uint8)
    tile[24 : 24 + small.shape[0], : small.shape[1]] = small
    cv2.putText(tile, text[:90], (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 180), 1, cv2.LINE_AA)
    return tile
