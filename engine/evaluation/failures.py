"""A page of the worst failures as pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from engine.evaluation.photos import PhotoSet
from engine.evaluation.synthetic import SyntheticSet
from vision.reading import Eyes, draw_seen
from vision.sources import load_picture, open_source

TILE_PX = (640, 480)


def failure_sheet(out: Path, figures: PhotoSet | SyntheticSet, eyes: Eyes, most: int = 12) -> Path | None:
    """Write the worst pictures of a set with what was seen drawn on them; None where nothing failed."""
    tiles = []
    if isinstance(figures, SyntheticSet):
        for scene, seen, wrong in figures.failures[:most]:
            tiles.append(_tile(draw_seen(scene.image, seen), f"{wrong} wrong"))
    else:
        for path, wrong, what in sorted(figures.failures, key=lambda f: -f[1])[:most]:
            name, _, frame = path.partition("#")
            if frame:
                source = open_source(name)
                image = next(f.image for f in source if f.index == int(frame))
                source.close()
                seen = eyes.read_found(image, eyes.finder.find(image))
            else:
                image = load_picture(Path(path))
                seen = eyes.read_still(image)
            tiles.append(_tile(draw_seen(image, seen), f"{wrong} wrong: {what}"))
    if not tiles:
        return None
    while len(tiles) % 3:
        tiles.append(np.full_like(tiles[0], 255))
    out.mkdir(parents=True, exist_ok=True)
    sheet = np.vstack([np.hstack(tiles[i : i + 3]) for i in range(0, len(tiles), 3)])
    path_out = out / f"{figures.name.replace('/', '-').replace(' ', '-')}.jpg"
    cv2.imwrite(str(path_out), sheet, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return path_out


def _tile(image: np.ndarray, text: str) -> np.ndarray:
    scale = min(TILE_PX[0] / image.shape[1], (TILE_PX[1] - 24) / image.shape[0])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    tile = np.full((TILE_PX[1], TILE_PX[0], 3), 255, np.uint8)
    tile[24 : 24 + small.shape[0], : small.shape[1]] = small
    cv2.putText(tile, text[:90], (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 180), 1, cv2.LINE_AA)
    return tile
