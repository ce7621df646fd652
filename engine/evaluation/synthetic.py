"""Rendered tables whose art, typefaces and surfaces the models never saw."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from datasets.build import WorldSpec, scenes
from engine.evaluation.placed import PlacedSet
from vision.reading import Eyes


def measure(
    eyes: Eyes,
    count: int,
    seed: int,
    *,
    blitz_share: float,
    name: str,
    package_cache: Path | None = None,
    layout: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PlacedSet:
    """Figures over `count` rendered photographs of the test split, of all layouts or of `layout`."""
    figures = PlacedSet(name)
    spec = WorldSpec("test", seed, (1280, 960), (35.0, 150.0), blitz_share, package_cache, layout=layout)
    for number, scene in enumerate(scenes(spec, 0, count)):
        figures.add(scene.image, scene.cards, eyes.read_still(scene.image))
        if progress is not None:
            progress(number + 1, count)
    return figures
