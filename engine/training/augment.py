"""Changes to the reader's crops at every showing: no card is seen twice in the same way."""

from __future__ import annotations

import cv2
import numpy as np

from referee.cards import BLITZ_COLOURS, JACK
from vision.reader import UNKNOWN_COLOUR, UNKNOWN_NUMBER

STRANGE_MIDDLES = 0.3
"""Share of standard faces that are shown with the middle of another one: the index alone tells which."""
STRANGE_COURTS = 0.6
"""The same for courts, which every country draws in its own way."""
MIDDLE = ((0.05, 0.95, 0.27, 0.73), (0.38, 0.62, 0.05, 0.95))
"""What lies between the indices of a standard card: (y0, y1, x0, x1) as shares of the crop."""
FOREIGN_SHARE = 0.25
"""Of these middles so many are of anything at all: courts are drawn in every country's way."""
FOUR_CORNERS_SHARE = 0.15
"""Share of standard faces that get their index in all four corners, as some countries print it."""
INDEX = (0.29, 0.2)
"""The corner that holds the index of a standard card: (height, width) as shares of the crop."""
MIX_MIN_WIDTH_PX = 55.0
"""On narrower cards the index alone cannot be read."""
CORNER_SHIFT = 0.035
"""Standard deviation of how far each corner of a crop is moved, as a share of the crop's width."""
STRETCH = 0.05
"""Standard deviation of the change of width and of height: digits of other proportions."""
THICKER_SHARE = 0.2
"""Share of crops whose strokes are made thicker or thinner: digits of another weight."""
SOFT_SHARE, NOISE_SHARE = 0.2, 0.3
NOISE_MOST = 0.06
"""The strongest grain, of the full brightness."""


def augment(
    batch: np.ndarray, targets: np.ndarray, widths: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Crops uint8 (n, h, w, 3) as float32 0-1: bent, tinted, thickened, blurred, grainy, partly covered.

    Args:
        targets: int (n, 4), which tell standard faces apart (their middles may be exchanged).
        widths: card widths in the picture (n,), px.
    """
    count, height, width = batch.shape[:3]
    batch = batch.copy()
    _of_other_decks(batch, targets, widths, rng)
    for n in range(count):
        batch[n] = _thickened(_bent(batch[n], rng), rng)
    batch = batch.astype(np.float32) / 255
    flip = rng.random(count) < 0.5
    batch[flip] = batch[flip, ::-1, ::-1]
    gain = np.exp(rng.normal(0, 0.08, (count, 1, 1, 3))).astype(np.float32)
    lift = rng.normal(0, 0.04, (count, 1, 1, 1)).astype(np.float32)
    batch = batch * gain + lift
    for i in np.flatnonzero(rng.random(count) < NOISE_SHARE):
        strength = rng.uniform(0, NOISE_MOST)
        # A card that was small in the picture has coarse grain.
        coarse = max(1.0, width / max(float(widths[i]), 24.0))
        grain = rng.standard_normal((round(height / coarse), round(width / coarse), 3), np.float32)
        batch[i] += strength * cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR)
    batch = np.clip(batch, 0, 1)
    for i in np.flatnonzero(rng.random(count) < 0.12):
        _cover(batch[i], rng)
    return batch


def _of_other_decks(
    batch: np.ndarray, targets: np.ndarray, widths: np.ndarray, rng: np.random.Generator
) -> None:
    """Give some standard faces in `batch` (n, h, w, 3), changed in place, another middle or more indices."""
    suited = (targets[:, 2] >= len(BLITZ_COLOURS)) & (targets[:, 2] < UNKNOWN_COLOUR)
    standard = np.flatnonzero(suited & (widths >= MIX_MIN_WIDTH_PX))
    if len(standard) == 0:
        return
    height, width = batch.shape[1:3]
    four = standard[rng.random(len(standard)) < FOUR_CORNERS_SHARE]
    high, wide = round(INDEX[0] * height), round(INDEX[1] * width)
    batch[four, :high, -wide:] = batch[four, :high, :wide]
    batch[four, -high:, :wide] = batch[four, -high:, -wide:]
    numbers = targets[standard, 1]
    courts = (numbers >= JACK - 1) & (numbers < UNKNOWN_NUMBER)
    chosen = standard[rng.random(len(standard)) < np.where(courts, STRANGE_COURTS, STRANGE_MIDDLES)]
    foreign = rng.random(len(chosen)) < FOREIGN_SHARE
    givers = np.where(foreign, rng.integers(len(batch), size=len(chosen)), rng.choice(standard, len(chosen)))
    others = batch[givers]
    for y0, y1, x0, x1 in MIDDLE:
        rows = slice(round(y0 * height), round(y1 * height))
        columns = slice(round(x0 * width), round(x1 * width))
        batch[chosen, rows, columns] = others[:, rows, columns]


def _bent(crop: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The crop through slightly wrong corners."""
    height, width = crop.shape[:2]
    own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    stretch = 1 + rng.normal(0, STRETCH, 2)
    middle = (width / 2, height / 2)
    there = (own - middle) * stretch + middle + rng.normal(0, CORNER_SHIFT * width, (4, 2))
    bend = cv2.getPerspectiveTransform(own, there.astype(np.float32))
    return cv2.warpPerspective(
        crop, bend, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _thickened(crop: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Now and then with heavier or lighter strokes, now and then out of focus."""
    chance = rng.random()
    if chance < THICKER_SHARE:
        kernel = np.ones((2, 2) if chance < 0.6 * THICKER_SHARE else (3, 3), np.uint8)
        crop = cv2.erode(crop, kernel) if rng.random() < 0.5 else cv2.dilate(crop, kernel)
    if rng.random() < SOFT_SHARE:
        crop = cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.4, 1.4))
    return crop


def _cover(crop: np.ndarray, rng: np.random.Generator) -> None:
    """A finger or chip between the numbers: the middle of the card tells nothing about its number."""
    h, w = crop.shape[:2]
    ph, pw = int(rng.integers(8, h // 3)), int(rng.integers(8, w // 2))
    y, x = int(rng.integers(0, h - ph)), int(rng.integers(w // 3, w - pw)) if w - pw > w // 3 else 0
    if 0.3 * h < y and y + ph < 0.7 * h:
        crop[y : y + ph, x : x + pw] = rng.uniform(0, 1, 3)
