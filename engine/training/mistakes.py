"""What the finder wrongly takes for cards, as lessons for the reader: it is the one that must say no."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from datasets.build import Unwarp, WorldSpec, jitter, scenes
from engine.evaluation.matching import quad_iou
from engine.training.labels import encode
from vision.finder import Finder, FinderSettings
from vision.refine import refine_quads

FAINT = FinderSettings(min_score=0.25, min_score_still=0.25)
MOST_SHARED = 0.15
"""A box that overlaps a true card more (IoU) may be called one."""
EMPTY_SHARE = 0.5
"""So many of the scenes show no card at all."""


def add_mistakes(
    spec: WorldSpec,
    count: int,
    size_px: tuple[int, int],
    unwarp: Unwarp,
    out: Path,
    finder: Finder | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write crops of boxes without a card in `count` scenes to `mistakes.npz` under `out`; returns how many.

    Args:
        spec: the scenes; half of them are drawn without cards.
        finder: the finder that errs; without it the program's own at a low threshold.
    """
    finder = finder or Finder.load(FAINT)
    rng = np.random.default_rng((spec.seed, 11))
    none = encode(None)
    crops, widths = [], []
    empty = round(count * EMPTY_SHARE)
    for layout, share in (("empty", empty), (spec.layout, count - empty)):
        for number, scene in enumerate(scenes(replace(spec, layout=layout), 0, share)):
            true = [card.quad for card in scene.cards]
            wrong = [
                found.quad
                for found in finder.find_in_still(scene.image)
                if all(quad_iou(found.quad, quad) < MOST_SHARED for quad in true)
            ]
            for quad in refine_quads(scene.image, wrong):
                turned = np.roll(quad, 2 * int(rng.integers(2)), axis=0)
                crops.append(unwarp(scene.image, jitter(turned, rng, 0.06), size_px))
                widths.append(float(np.linalg.norm(quad[1] - quad[0])))
            if progress is not None and number % 50 == 0:
                progress(len(crops))
    if crops:
        np.savez(
            out / "mistakes.npz",
            crops=np.stack(crops),
            targets=np.tile(np.array(none, np.int8), (len(crops), 1)),
            widths=np.array(widths, np.float32),
            visible=np.zeros(len(crops), np.float32),
        )
    return len(crops)
