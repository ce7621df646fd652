"""Real photographs as training examples: boxes that somebody drew, turned into the corners of cards.

The boxes (Pascal VOC, one XML a picture, the class is the rank) stand upright, cards do not: the corners come
from a finder that is asked for every faint answer, where one fits a box well. A photograph of which some box
stays without corners is left out, so that no visible card is taught to be none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np

from datasets.build import Unwarp, jitter
from engine.training.labels import IGNORE
from vision.finder import Finder, FinderSettings
from vision.reader import KINDS
from vision.refine import refine_quads

MIN_FIT = 0.75
"""Least overlap (IoU) of a drawn box with the upright box around a card's corners."""
RANKS = {"nine": 9, "ten": 10, "jack": 11, "queen": 12, "king": 13, "ace": 1}


@dataclass(frozen=True)
class Labelled:
    """A photograph BGR uint8 (H, W, 3) with the corners (4, 2) px and the number of each card."""

    image: np.ndarray
    quads: tuple[np.ndarray, ...]
    numbers: tuple[int, ...]


EVERY_ANSWER = FinderSettings(
    min_score=0.1,
    min_score_still=0.1,
    max_overlap=1.0,
    max_overlap_still=1.0,
    least_size=0.0,
    once_share=1.0,
)
"""Faint and doubled answers as well: only what fits a drawn box is taken."""


def labelled_photographs(folder: Path, finder: Finder | None = None) -> Iterator[Labelled]:
    """The photographs under `folder` all of whose boxes could be given corners, by the present finder."""
    finder = finder or Finder.load(EVERY_ANSWER)
    for truth in sorted(folder.glob("*.xml")):
        tree = ElementTree.parse(truth)
        picture = next(
            (p for p in folder.glob(f"{truth.stem}.*") if p.suffix.lower() in (".jpg", ".png")), None
        )
        image = None if picture is None else cv2.imread(str(picture))
        if image is None:
            continue
        boxes, numbers = [], []
        for thing in tree.iter("object"):
            corners = [
                float(thing.findtext(f"bndbox/{key}", "0")) for key in ("xmin", "ymin", "xmax", "ymax")
            ]
            boxes.append(corners)
            numbers.append(RANKS[str(thing.findtext("name"))])
        found = [d.quad for d in finder.find_in_still(image)]
        chosen = [_best(np.array(box), found) for box in boxes]
        if boxes and all(quad is not None for quad in chosen):
            sharp = refine_quads(image, [quad for quad in chosen if quad is not None])
            yield Labelled(image, tuple(sharp), tuple(numbers))


def _best(box: np.ndarray, quads: list[np.ndarray]) -> np.ndarray | None:
    fits = [_fit(box, quad) for quad in quads]
    if not fits or max(fits) < MIN_FIT:
        return None
    return quads[int(np.argmax(fits))]


def _fit(box: np.ndarray, quad: np.ndarray) -> float:
    low, high = quad.min(axis=0), quad.max(axis=0)
    inner = np.minimum(box[2:], high) - np.maximum(box[:2], low)
    if (inner <= 0).any():
        return 0.0
    both = float(inner.prod())
    return both / (float((box[2:] - box[:2]).prod()) + float((high - low).prod()) - both)


def varied(photograph: Labelled, side_px: int, rng: np.random.Generator) -> Labelled:
    """The photograph turned, scaled, moved, slanted and relit into a square picture of `side_px`."""
    height, width = photograph.image.shape[:2]
    centre = np.array([width, height]) / 2
    scale = side_px / max(width, height) * float(np.exp(rng.uniform(np.log(0.6), np.log(1.7))))
    angle = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.7 else float(rng.normal(0, 0.1))
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    shift = side_px / 2 + rng.uniform(-0.15, 0.15, 2) * side_px
    matrix = np.array([[c, -s, 0], [s, c, 0], [*rng.normal(0, 1.2e-4, 2), 1]])
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]]) @ matrix
    matrix = matrix @ np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1]])
    rim = rng.uniform(0, 255, 3).tolist()
    image = cv2.warpPerspective(
        photograph.image, matrix, (side_px, side_px), flags=cv2.INTER_AREA, borderValue=rim
    )
    gain = np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.15))
    image = np.clip(image.astype(np.float32) * gain + rng.normal(0, rng.uniform(0.5, 5), image.shape), 0, 255)
    blur = float(abs(rng.normal(0, 0.5)))
    picture = image.astype(np.uint8) if blur < 0.3 else cv2.GaussianBlur(image.astype(np.uint8), (0, 0), blur)
    moved = [
        cv2.perspectiveTransform(q.reshape(1, 4, 2).astype(np.float32), matrix)[0] for q in photograph.quads
    ]
    return Labelled(picture, tuple(moved), photograph.numbers)


def label_lines(photograph: Labelled, min_inside: float = 0.35) -> list[str]:
    """Label lines `0 x1 y1 ... x4 y4` (0-1 of the picture) of the cards that are still in the picture."""
    height, width = photograph.image.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    lines = []
    for quad in photograph.quads:
        area, inside = cv2.intersectConvexConvex(quad.astype(np.float32), frame)
        if inside is None or area < min_inside * cv2.contourArea(quad.astype(np.float32)):
            continue
        if (quad < 0).any() or (quad > (width, height)).any():
            quad = np.clip(cv2.boxPoints(cv2.minAreaRect(inside)), 0, (width, height))
        lines.append("0 " + " ".join(f"{v:.5f}" for v in (quad / (width, height)).ravel()))
    return lines


def add_to_finder_set(
    photographs: list[Labelled], copies: int, side_px: int, out: Path, rng: np.random.Generator
) -> int:
    """Write `copies` varied versions of each photograph beside the pictures under `out`; returns how many."""
    for number in range(copies * len(photographs)):
        made = varied(photographs[number % len(photographs)], side_px, rng)
        cv2.imwrite(
            str(out / "images" / f"photo{number:05d}.jpg"), made.image, [cv2.IMWRITE_JPEG_QUALITY, 90]
        )
        (out / "labels" / f"photo{number:05d}.txt").write_text("\n".join(label_lines(made)) + "\n")
    return copies * len(photographs)


def add_to_reader_set(
    photographs: list[Labelled],
    copies: int,
    size_px: tuple[int, int],
    unwarp: Unwarp,
    out: Path,
    rng: np.random.Generator,
) -> int:
    """Write a block of crops of the photographed cards beside those under `out`; returns how many.

    The suit is not known and not asked; neither is the number where others of the fan cover both indices,
    which the boxes cannot tell: the reader's loss forgives the few.
    """
    crops, targets, widths = [], [], []
    for photograph in photographs:
        for quad, number in zip(photograph.quads, photograph.numbers, strict=True):
            for _ in range(copies):
                bent = jitter(np.roll(quad, 2 * int(rng.integers(2)), axis=0), rng, 0.1)
                crops.append(unwarp(photograph.image, bent, size_px))
                targets.append((KINDS.index("face"), number - 1, IGNORE, IGNORE))
                widths.append(float(np.linalg.norm(quad[1] - quad[0])))
    np.savez(
        out / "photographs.npz",
        crops=np.stack(crops),
        targets=np.array(targets, np.int8),
        widths=np.array(widths, np.float32),
        visible=np.ones(len(crops), np.float32),
    )
    return len(crops)
