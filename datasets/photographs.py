"""Photographs out of installed packages: table tops and things lying about, to train and measure with.

Nothing of them is kept in the repository. Which file belongs to which split is decided by its folder (for
pictures) or its name (for cut-out things), so that a test picture shows none that training saw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from datasets.camera import TableCamera, card_corners_mm

MIN_SIDE_PX = 250
"""Smaller pictures are icons."""
TILE_PX = 1024


def split_of(text: str) -> str:
    """`train` (80 %), `validation` or `test`, always the same for the same text."""
    value = int.from_bytes(hashlib.sha256(text.encode()).digest()[:2], "big") % 10
    return "train" if value < 8 else ("validation" if value == 8 else "test")


def picture_files(folders: Sequence[Path], split: str) -> tuple[Path, ...]:
    """The opaque photographs and textures under `folders` that belong to `split`, sorted."""
    found = []
    for folder in folders:
        for path in sorted([*folder.rglob("*.jpg"), *folder.rglob("*.png")]):
            parts = str(path.relative_to(folder))
            if any(word in parts for word in ("icon", "gui", "skins", "screenshot", "font")):
                continue
            if split_of(str(path.parent.name) + path.stem[:4]) == split:
                found.append(path)
    return tuple(found)


def thing_files(folders: Sequence[Path], split: str) -> tuple[Path, ...]:
    """The cut-out pictures of things under `folders` that belong to `split`, sorted."""
    return tuple(
        path
        for folder in folders
        for path in sorted(folder.rglob("*.png"))
        if split_of(path.stem) == split and "mirror" not in path.stem and "flip" not in path.stem
    )


def texture_tile(files: Sequence[Path], rng: np.random.Generator) -> np.ndarray | None:
    """A table top BGR uint8 (1024, 1024, 3) cut out of one of `files`; None if that one is too small."""
    picture = cv2.imread(str(files[int(rng.integers(len(files)))]), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.dtype != np.uint8 or picture.ndim != 3:
        return None
    if picture.shape[2] == 4:
        if (picture[..., 3] < 200).mean() > 0.02:
            return None
        picture = picture[..., :3]
    side = min(picture.shape[:2])
    if side < MIN_SIDE_PX:
        return None
    cut = int(side * rng.uniform(0.5, 1.0))
    y, x = (int(rng.integers(0, length - cut + 1)) for length in picture.shape[:2])
    part = np.ascontiguousarray(picture[y : y + cut, x : x + cut])
    method = cv2.INTER_AREA if cut > TILE_PX else cv2.INTER_CUBIC
    return cv2.resize(part, (TILE_PX, TILE_PX), interpolation=method)


@lru_cache(maxsize=160)
def _thing(path: Path) -> np.ndarray | None:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4 or picture.dtype != np.uint8:
        return None
    longest = max(picture.shape[:2])
    if longest > 360:
        scale = 360 / longest
        size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return picture


def put_photographed(
    picture: np.ndarray,
    covered: np.ndarray,
    camera: TableCamera,
    centre_mm: tuple[float, float],
    files: Sequence[Path],
    rng: np.random.Generator,
) -> None:
    """Lay a photographed thing of 40-220 mm at `centre_mm`; `covered` (int16 (H, W)) becomes 0 there."""
    sprite = _thing(files[int(rng.integers(len(files)))])
    if sprite is None:
        return
    longest_mm = rng.uniform(40, 220)
    scale = longest_mm / max(sprite.shape[:2])
    size_mm = (sprite.shape[1] * scale, sprite.shape[0] * scale)
    quad = camera.project(card_corners_mm(centre_mm, float(rng.uniform(0, 360)), size_mm)).astype(np.float32)
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 1, picture.shape[1::-1])
    if (high <= low).any():
        return
    height, width = sprite.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, quad - low.astype(np.float32))
    laid = cv2.warpPerspective(sprite, matrix, tuple(int(v) for v in high - low), flags=cv2.INTER_LINEAR)
    alpha = laid[..., 3:].astype(np.uint16)
    part = np.s_[low[1] : high[1], low[0] : high[0]]
    picture[part] = ((laid[..., :3] * alpha + picture[part] * (255 - alpha)) // 255).astype(np.uint8)
    covered[part][alpha[..., 0] > 127] = 0


@dataclass(frozen=True)
class Library:
    """Folders of photographs, cut-out things and fonts; all may be empty. Picklable."""

    pictures: tuple[Path, ...] = ()
    things: tuple[Path, ...] = ()
    fonts: tuple[Path, ...] = ()

    def picture_files(self, split: str) -> tuple[Path, ...]:
        """The photographs of `split`."""
        return picture_files([folder for folder in self.pictures if folder.is_dir()], split)

    def thing_files(self, split: str) -> tuple[Path, ...]:
        """The cut-out things of `split`."""
        return thing_files([folder for folder in self.things if folder.is_dir()], split)

    def font_families(self) -> tuple[tuple[Path, ...], ...]:
        """The font files, those of one folder together: they are one family. For training only."""
        families: dict[Path, list[Path]] = {}
        for folder in self.fonts:
            for path in sorted([*folder.rglob("*.ttf"), *folder.rglob("*.otf")]):
                if not any(word in path.stem for word in _NO_LATIN):
                    families.setdefault(path.parent, []).append(path)
        return tuple(tuple(paths) for paths in families.values())


_NO_LATIN = ("Noto", "Math", "Symbol", "Emoji", "Dingbat", "CJK", "Ornament", "D050000L", "Droid")
