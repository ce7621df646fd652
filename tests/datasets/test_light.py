"""What the camera does to a picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.light import expose
from tests.datasets.worlds import CALM


def test_grain_is_of_its_strength_in_every_colour() -> None:
    grey = np.full((120, 160, 3), 128, np.uint8)
    for seed in range(4):
        shown = expose(grey, replace(CALM, noise=6.0), np.random.default_rng(seed)).astype(float)
        spread = shown.std(axis=(0, 1))
        assert (spread > 2).all() and spread.max() < 1.2 * spread.min()
        assert abs(np.corrcoef(shown[..., 0].ravel(), shown[..., 2].ravel())[0, 1]) < 0.1
