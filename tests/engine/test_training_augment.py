"""The reader's crops are shown differently each time, and keep what they say."""

from __future__ import annotations

import numpy as np

from engine.training.augment import MIDDLE, augment
from engine.training.labels import encode
from referee.cards import BLITZ_COLOURS, QUEEN
from vision.reader import CROP_SIZE_PX, UNKNOWN_NUMBER

WIDTH, HEIGHT = CROP_SIZE_PX


def crops(count: int, level: int = 120) -> np.ndarray:
    """Grey crops with a black bar where the upper number stands."""
    batch = np.full((count, HEIGHT, WIDTH, 3), level, np.uint8)
    batch[:, 10:24, 20:40] = 0
    return batch


def test_no_two_showings_are_alike_and_all_stay_in_range() -> None:
    targets, widths = np.tile(encode(None), (16, 1)), np.full(16, 80.0)
    once = augment(crops(16), targets, widths, np.random.default_rng(1))
    twice = augment(crops(16), targets, widths, np.random.default_rng(2))
    assert once.shape == (16, HEIGHT, WIDTH, 3) and once.dtype == np.float32
    assert once.min() >= 0 and once.max() <= 1
    assert all(np.abs(a - b).max() > 0.05 for a, b in zip(once, twice, strict=True))
    again = augment(crops(16), targets, widths, np.random.default_rng(1))
    assert (once == again).all()


def test_what_stands_at_one_end_stays_at_an_end() -> None:
    targets, widths = np.tile(encode(None), (40, 1)), np.full(40, 80.0)
    shown = augment(crops(40), targets, widths, np.random.default_rng(3)).mean(axis=3)
    darkest = np.array([np.unravel_index(one.argmin(), one.shape) for one in shown])
    upper = (abs(darkest[:, 0] - 17) < 14) & (abs(darkest[:, 1] - 30) < 18)
    lower = (abs(darkest[:, 0] - (HEIGHT - 17)) < 14) & (abs(darkest[:, 1] - (WIDTH - 30)) < 18)
    assert (upper | lower).mean() > 0.9 and upper.any() and lower.any()


def test_only_the_middles_of_standard_faces_are_exchanged() -> None:
    rng = np.random.default_rng(4)
    levels = np.repeat(np.arange(8) * 24 + 30, HEIGHT * WIDTH * 3).astype(np.uint8)
    batch = levels.reshape(8, HEIGHT, WIDTH, 3)
    strange = {name: 0 for name in ("standard", "court", "unreadable", "blitz")}
    for name, number, colour in (
        ("standard", 5, len(BLITZ_COLOURS)),
        ("court", QUEEN - 1, len(BLITZ_COLOURS)),
        ("unreadable", UNKNOWN_NUMBER, len(BLITZ_COLOURS)),
        ("blitz", 5, 0),
    ):
        targets = np.tile((1, number, colour, -1), (8, 1))
        for _ in range(30):
            shown = augment(batch, targets, np.full(8, 80.0), rng)
            y0, y1, x0, x1 = (
                round(v * s) for v, s in zip(MIDDLE[0], (HEIGHT, HEIGHT, WIDTH, WIDTH), strict=True)
            )
            middle = np.median(
                shown[:, (y0 + y1) // 2 - 4 : (y0 + y1) // 2 + 4, x0 + 8 : x1 - 8], axis=(1, 2)
            )
            corner = np.median(shown[:, 14:24, 8:16], axis=(1, 2))
            strange[name] += int((np.abs(middle - corner).mean(axis=1) > 0.07).sum())
    assert strange["blitz"] < 8 < 30 < strange["standard"]
    assert strange["court"] > 1.4 * max(strange["standard"], strange["unreadable"])
