"""Training and test sets out of the table world: pictures for the finder, unwarped crops for the reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from datasets.cardbox import CardBox
from datasets.photographs import Library
from datasets.scene import CardTruth, Scene, TableWorld

FINDER_MIN_VISIBLE = 0.3
"""A card of which less shows is not asked of the finder."""

COVERED_VISIBLE = 0.9
"""Of a card of which less shows the finder must guess the corners that it does not see."""
COVERED_LOOSER = 2.0
"""Every second such card is cut out this much more loosely."""

STRADDLING_MOST_SHARED = 0.5
"""A box that shares this much (IoU) with a card may pass for it."""

FOREIGN_SHARE = 0.5
"""In training so many of our own standard decks take the letters of their courts from any country."""

Found = tuple[np.ndarray, float]
"""(quad, card width in px)."""
Unwarp = Callable[[np.ndarray, np.ndarray, tuple[int, int]], np.ndarray]
"""(picture, quad, (w, h)) -> the card unwarped."""
Labels = tuple[int, int, int, int]
Encode = Callable[[CardTruth | None], Labels]
"""What the reader should answer for a card, or where there is none: (kind, number, colour, deck) indices."""


@dataclass(frozen=True)
class WorldSpec:
    """What a stream of scenes is made from; picklable, so that several processes can draw it."""

    split: str
    seed: int
    size_px: tuple[int, int] = (416, 416)
    width_px: tuple[float, float] = (20.0, 170.0)
    blitz_share: float = 0.55
    package_cache: Path | None = None
    max_tilt_deg: float = 45.0
    layout: str | None = None
    large_share: float = 0.0
    """Share of pictures whose cards are wider than `width_px`, up to 0.8 of the picture."""
    stock: Library | None = None
    surface: str | None = None
    """The only kind of table tops, by its name in `datasets.surfaces`."""


def scenes(spec: WorldSpec, first: int, count: int) -> Iterator[Scene]:
    """Scenes `first` .. `first + count - 1` of the stream; each depends on the seed and its number alone
    as far as layout and light go (the decks at hand depend on the block that is drawn)."""
    families = spec.stock.font_families() if spec.stock and spec.split == "train" else ()
    box = CardBox(
        spec.split,
        blitz_share=spec.blitz_share,
        package_cache=spec.package_cache,
        font_families=families,
        foreign_share=FOREIGN_SHARE if spec.split == "train" else 0.0,
    )
    world = TableWorld(spec.split, box, library=spec.stock, start=first, surface=spec.surface)
    for number in range(first, first + count):
        rng = np.random.default_rng((spec.seed, number))
        low, high = spec.width_px
        width = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        if rng.random() < spec.large_share:
            width = float(rng.uniform(high, max(high, 0.8 * min(spec.size_px))))
        yield world.photo(
            rng, spec.size_px, card_width_px=width, max_tilt_deg=spec.max_tilt_deg, layout=spec.layout
        )


def _pool(workers: int) -> ProcessPoolExecutor:
    """Fresh processes: forked ones hang in OpenCV's thread pool."""
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def _blocks(count: int, workers: int) -> list[tuple[int, int]]:
    block = -(-count // max(workers * 4, 1))
    return [(start, min(block, count - start)) for start in range(0, count, block)]


def obb_lines(scene: Scene) -> list[str]:
    """Label lines `class x1 y1 ... x4 y4` (0-1 of the picture; class 0 face, 1 back) of what can be found."""
    height, width = scene.image.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    lines = []
    for truth in scene.cards:
        if truth.visible < FINDER_MIN_VISIBLE:
            continue
        quad = truth.quad
        if (quad < 0).any() or (quad > (width, height)).any():
            area, inside = cv2.intersectConvexConvex(quad, frame)
            if area <= 0 or inside is None:
                continue
            quad = np.clip(cv2.boxPoints(cv2.minAreaRect(inside)), 0, (width, height))
        values = " ".join(f"{v:.5f}" for v in (quad / (width, height)).ravel())
        lines.append(f"{0 if truth.card is not None else 1} {values}")
    return lines


def _finder_block(block: tuple[int, int], spec: WorldSpec, out: Path) -> int:
    cv2.setNumThreads(1)
    first, count = block
    for number, scene in enumerate(scenes(spec, first, count), start=first):
        cv2.imwrite(str(out / "images" / f"{number:06d}.jpg"), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        (out / "labels" / f"{number:06d}.txt").write_text("\n".join(obb_lines(scene)) + "\n")
    return count


def build_finder_set(spec: WorldSpec, count: int, out: Path, workers: int = 2) -> Iterator[int]:
    """Write `count` pictures and labels under `out`; yields how many were finished at each step."""
    for part in ("images", "labels"):
        (out / part).mkdir(parents=True, exist_ok=True)
    (out / "making.json").write_text(
        json.dumps({"spec": spec.__dict__, "count": count}, indent=1, default=str)
    )
    with _pool(workers) as pool:
        yield from pool.map(partial(_finder_block, spec=spec, out=out), _blocks(count, workers))


def jitter(quad: np.ndarray, rng: np.random.Generator, amount: float) -> np.ndarray:
    """`quad` as a finder might give it: shifted, scaled, turned and bent by up to `amount` of the width."""
    centre = quad.mean(axis=0)
    width = float(np.linalg.norm(quad[1] - quad[0]))
    angle = rng.normal(0, amount * 0.35)
    c, s = np.cos(angle), np.sin(angle)
    grown = (quad - centre) @ np.array([[c, s], [-s, c]]) * (1 + rng.normal(0.01, amount * 0.5, (1, 2)))
    bent = (
        grown
        + centre
        + rng.normal(0, amount * width * 0.25, 2)
        + rng.normal(0, amount * width * 0.22, (4, 2))
    )
    return bent.astype(np.float32)


def reader_samples(
    scene: Scene,
    rng: np.random.Generator,
    unwarp: Unwarp,
    encode: Encode,
    size_px: tuple[int, int],
    amount: float = 0.1,
) -> Iterator[tuple[np.ndarray, Labels, float, float]]:
    """Crops of a scene with their labels, card width in px and visible share; a few show no card."""
    height, width = scene.image.shape[:2]
    for truth in scene.cards:
        centre = truth.quad.mean(axis=0)
        inside = bool(((centre > 0) & (centre < (width, height))).all())
        if truth.visible < 0.3 or not inside or truth.width_px < 16:
            continue
        guessed = truth.visible < COVERED_VISIBLE and rng.random() < 0.5
        quad = jitter(truth.quad, rng, amount * COVERED_LOOSER if guessed else amount)
        if rng.random() < 0.5:
            quad = np.roll(quad, 2, axis=0)
        if rng.random() < 0.04:
            # A quarter turn: the network must say that this is no card the right way up.
            quad = np.roll(quad, 1, axis=0)
            yield unwarp(scene.image, quad, size_px), encode(None), truth.width_px, truth.visible
            continue
        yield unwarp(scene.image, quad, size_px), encode(truth), truth.width_px, truth.visible
    for _ in range(2):
        centre = rng.uniform(0, (width, height))
        if any(np.linalg.norm(centre - t.quad.mean(axis=0)) < t.width_px for t in scene.cards):
            continue
        half = rng.uniform(15, 60)
        angle = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(angle), np.sin(angle)
        box = (
            np.array([[-1, -1.42], [1, -1.42], [1, 1.42], [-1, 1.42]]) * half @ np.array([[c, s], [-s, c]])
            + centre
        )
        yield unwarp(scene.image, box.astype(np.float32), size_px), encode(None), half * 2, 0.0
    for quad, width_px in straddling(scene.cards, rng):
        yield unwarp(scene.image, quad, size_px), encode(None), width_px, 0.0


def straddling(cards: Sequence[CardTruth], rng: np.random.Generator, most: int = 2) -> Iterator[Found]:
    """Boxes of one card's size that lie half on one card and half on its neighbour: no card, up to `most`."""
    for index in rng.permutation(len(cards))[: 4 * most]:
        one = cards[int(index)]
        middle = one.quad.mean(axis=0)
        near = [
            other
            for other in cards
            if 0.6 < float(np.linalg.norm(other.quad.mean(axis=0) - middle)) / max(one.width_px, 1.0) < 1.9
        ]
        if not near or one.width_px < 16:
            continue
        other = near[int(rng.integers(len(near)))]
        quad = (one.quad + rng.uniform(0.4, 0.6) * (other.quad.mean(axis=0) - middle)).astype(np.float32)
        if all(_overlap(quad, card.quad) < STRADDLING_MOST_SHARED for card in cards):
            yield jitter(quad, rng, 0.05), one.width_px
            most -= 1
            if not most:
                return


def _overlap(one: np.ndarray, other: np.ndarray) -> float:
    """Intersection over union of two convex quads."""
    shared = float(cv2.intersectConvexConvex(one, other)[0])
    return shared / max(cv2.contourArea(one) + cv2.contourArea(other) - shared, 1e-6)


def _reader_block(
    block: tuple[int, int],
    spec: WorldSpec,
    out: Path,
    unwarp: Unwarp,
    encode: Encode,
    size_px: tuple[int, int],
) -> int:
    cv2.setNumThreads(1)
    first, count = block
    crops, targets, widths, shares = [], [], [], []
    for number, scene in enumerate(scenes(spec, first, count), start=first):
        rng = np.random.default_rng((spec.seed, number, 7))
        for picture, target, width, share in reader_samples(scene, rng, unwarp, encode, size_px):
            crops.append(picture)
            targets.append(target)
            widths.append(width)
            shares.append(share)
    np.savez(
        out / f"{first:06d}.npz",
        crops=np.stack(crops),
        targets=np.array(targets, np.int8),
        widths=np.array(widths, np.float32),
        visible=np.array(shares, np.float32),
    )
    return count


def build_reader_set(
    spec: WorldSpec,
    count: int,
    out: Path,
    unwarp: Unwarp,
    encode: Encode,
    size_px: tuple[int, int],
    workers: int = 2,
    block: int = 200,
) -> Iterator[int]:
    """Write the crops of `count` scenes as `.npz` blocks under `out`; yields scenes finished at each step.

    `unwarp` is the reader's own function, so that it is trained on what it will be given.
    """
    out.mkdir(parents=True, exist_ok=True)
    (out / "making.json").write_text(
        json.dumps({"spec": spec.__dict__, "count": count, "size_px": size_px}, indent=1, default=str)
    )
    blocks = [(start, min(block, count - start)) for start in range(0, count, block)]
    with _pool(workers) as pool:
        yield from pool.map(
            partial(_reader_block, spec=spec, out=out, unwarp=unwarp, encode=encode, size_px=size_px), blocks
        )


def load_reader_set(folder: Path) -> dict[str, np.ndarray]:
    """All blocks of a reader set: `crops` uint8 (n, h, w, 3), `targets` int8 (n, 4), `widths`, `visible`."""
    blocks = [np.load(path, allow_pickle=False) for path in sorted(folder.glob("*.npz"))]
    if not blocks:
        raise ValueError(f"there are no crops in {folder}; build them first")
    loaded = {
        key: np.concatenate([block[key] for block in blocks]) for key in ("targets", "widths", "visible")
    }
    crops: np.ndarray | None = None
    start = 0
    for block in blocks:
        # One block at a time: all of them twice would not fit beside a training run.
        part = block["crops"]
        if crops is None:
            crops = np.empty((len(loaded["widths"]), *part.shape[1:]), np.uint8)
        crops[start : start + len(part)] = part
        start += len(part)
    assert crops is not None
    return {"crops": crops, **loaded}


def write_photos(spec: WorldSpec, count: int, out: Path) -> Sequence[Path]:
    """`count` pictures with `truth.json` under `out`: what `render --kind photo` makes."""
    out.mkdir(parents=True, exist_ok=True)
    truth: dict[str, object] = {}
    paths = []
    for number, scene in enumerate(scenes(spec, 0, count)):
        path = out / f"{number:04d}.jpg"
        cv2.imwrite(str(path), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        truth[path.name] = {
            "px_per_mm": round(scene.px_per_mm, 3),
            "cards": [t.to_json() for t in scene.cards],
        }
        paths.append(path)
    (out / "truth.json").write_text(json.dumps(truth, indent=1))
    return paths
