"""Readings that people put right, as training examples of the reader."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.build import Unwarp, jitter
from engine.corrections import Correction, CorrectionStore, Label
from engine.training.labels import IGNORE
from referee.cards import DECKS
from vision.reader import COLOURS, KINDS, UNKNOWN_DECK

BLOCK = "corrections.npz"
COPIES = 24
"""Crops of each correction, each cut out a little differently."""
LOOSE = 0.1


def encode_label(label: Label) -> tuple[int, int, int, int]:
    """(kind, number, colour, deck) indices of what a person said."""
    if label.card is not None:
        return KINDS.index("face"), label.card.number - 1, COLOURS.index(str(label.card.colour)), IGNORE
    if label.deck is not None:
        deck = DECKS.index(label.deck) if label.deck in DECKS else UNKNOWN_DECK
        return KINDS.index("back"), IGNORE, IGNORE, deck
    return KINDS.index("none"), IGNORE, IGNORE, IGNORE


def add_corrections(
    folder: Path, size_px: tuple[int, int], unwarp: Unwarp, out: Path, rng: np.random.Generator
) -> int:
    """Write a block of crops of the corrections in `folder`, which holds some, beside those under `out`.

    Returns how many crops were written.
    """
    crops, targets, widths = [], [], []
    for correction in CorrectionStore(folder).corrections():
        image = cv2.imread(str(correction.picture))
        if image is None:
            continue
        quad = correction.quad
        for _ in range(COPIES):
            bent = jitter(np.roll(quad, 2 * int(rng.integers(2)), axis=0), rng, LOOSE)
            crops.append(unwarp(image, bent, size_px))
            targets.append(encode_label(correction.label))
            widths.append(_width_px(correction))
    np.savez(
        out / BLOCK,
        crops=np.stack(crops),
        targets=np.array(targets, np.int8),
        widths=np.array(widths, np.float32),
        visible=np.ones(len(crops), np.float32),
    )
    return len(crops)


def _width_px(correction: Correction) -> float:
    quad = correction.quad
    return float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[3] - quad[2])) / 2
