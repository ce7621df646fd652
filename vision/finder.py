"""Finds cards: an oriented-box network over a picture, or over a pyramid of tiles for stills."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import onnxruntime

from vision.models import open_model
from vision.types import Detection, Side, order_quad

SIDES: tuple[Side, Side] = ("face", "back")
STRIDE_PX = 32
PAD_GREY = 114


@dataclass(frozen=True)
class FinderSettings:
    """Thresholds of the finder."""

    min_score: float = 0.4
    """A box below this is no card."""
    faint_score: float = 0.25
    """In a still a box down to this is given as well; it counts only if the card on it can be read."""
    max_overlap: float = 0.5
    """Two boxes that overlap more (probabilistic IoU) are the same card."""
    max_overlap_still: float = 0.7
    """Two boxes of one look at a still may overlap up to this: cards lie on each other there for good."""
    live_side_px: int = 640
    """The longer side of the picture that the network sees live."""
    tile_overlap: float = 0.25
    """How far neighbouring tiles of a still overlap, as a share of the tile."""
    enough_width_px: float = 46.0
    """A still is looked at more closely until its cards are this wide in the network's picture."""
    sure_score: float = 0.6
    max_magnification: float = 1.5
    """A still is never enlarged more than this."""
    least_size: float = 0.75
    """Of two boxes in each other one is no card if the inner is narrower than this share of the outer."""


class Finder:
    """The card finder; one per thread.

    >>> Finder.load().find(np.zeros((480, 640, 3), np.uint8))
    []
    """

    def __init__(self, session: onnxruntime.InferenceSession, settings: FinderSettings | None = None) -> None:
        self._session = session
        self._input = session.get_inputs()[0].name
        self.settings = settings or FinderSettings()

    @classmethod
    def load(cls, settings: FinderSettings | None = None, *, threads: int = 1) -> Finder:
        """The finder with the model that came with the program."""
        return cls(open_model("finder.onnx", threads=threads), settings)

    def find(self, image: np.ndarray) -> list[Detection]:
        """Cards in a live picture BGR uint8 (H, W, 3), seen once, reduced to the live size; best first."""
        boxes = self._look(image, self.settings.live_side_px / max(image.shape[:2]))
        sure = boxes[boxes[:, 5] >= self.settings.min_score]
        return self._detections(sure, within=self.settings.max_overlap)

    def find_in_still(self, image: np.ndarray) -> list[Detection]:
        """Cards in a photograph of any size: the whole picture first, then tiles at up to full resolution.

        A card that fills the picture is found in a copy of half the live size. It stops at the resolution at
        which the cards found are large enough: finer tiles would only find pictures printed on them.
        Boxes of less than `min_score` are faint: whoever reads them must be sure.
        """
        side = self.settings.live_side_px
        scale = min(1.0, side / max(image.shape[:2]))
        looks = [self._look(image, scale / 2), self._look(image, scale)]
        while (
            not self._large_enough(np.concatenate(looks), scale) and scale < self.settings.max_magnification
        ):
            scale = min(2 * scale, self.settings.max_magnification)
            tiles = _tiles(image.shape[:2], side / scale, self.settings.tile_overlap)
            looks += [self._look_tile(image, tile, scale) for tile in tiles]
        return self._detections(*looks, within=self.settings.max_overlap_still)

    def _large_enough(self, rows: np.ndarray, scale: float) -> bool:
        """Whether most of the cards found are wide enough at this scale to be found well."""
        sure = rows[rows[:, 5] >= self.settings.sure_score]
        if len(sure) == 0:
            return False
        return bool(np.median(sure[:, 2:4].min(axis=1)) * scale >= self.settings.enough_width_px)

    def _look(self, image: np.ndarray, scale: float) -> np.ndarray:
        return _rows_scaled(self._run(_resized(image, scale)), scale)

    def _look_tile(self, image: np.ndarray, tile: tuple[int, int, int, int], scale: float) -> np.ndarray:
        x0, y0, x1, y1 = tile
        rows = _rows_scaled(self._run(_resized(image[y0:y1, x0:x1], scale)), scale)
        # A card that a tile cuts is seen whole by a neighbour or by the coarser level.
        margin = 2.0 / scale
        reach = np.hypot(rows[:, 2], rows[:, 3]) / 2
        cut = (
            ((rows[:, 0] - reach * 0.8 < margin) & (x0 > 0))
            | ((rows[:, 1] - reach * 0.8 < margin) & (y0 > 0))
            | ((rows[:, 0] + reach * 0.8 > x1 - x0 - margin) & (x1 < image.shape[1]))
            | ((rows[:, 1] + reach * 0.8 > y1 - y0 - margin) & (y1 < image.shape[0]))
        )
        rows = rows[~cut]
        rows[:, 0] += x0
        rows[:, 1] += y0
        return rows

    def _run(self, picture: np.ndarray) -> np.ndarray:
        """Rows (n, 7): x, y, w, h in px of `picture`, angle in radians, score, class."""
        height, width = picture.shape[:2]
        padded = np.full(
            (-(-height // STRIDE_PX) * STRIDE_PX, -(-width // STRIDE_PX) * STRIDE_PX, 3), PAD_GREY, np.uint8
        )
        padded[:height, :width] = picture
        blob = cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True)
        raw = self._session.run(None, {self._input: blob})[0][0]
        scores = raw[4 : 4 + len(SIDES)]
        classes = scores.argmax(axis=0)
        best = scores.max(axis=0)
        keep = np.flatnonzero(best >= min(self.settings.faint_score, self.settings.min_score))
        keep = keep[np.argsort(-best[keep], kind="stable")][:600]
        rows = np.column_stack([raw[:4, keep].T, raw[4 + len(SIDES), keep], best[keep], classes[keep]])
        return rows.astype(np.float32)

    def _detections(self, *looks: np.ndarray, within: float) -> list[Detection]:
        found = []
        rows = np.concatenate(looks)
        look = np.repeat(np.arange(len(looks)), [len(one) for one in looks])
        kept = suppress(rows, within, look, self.settings.max_overlap)
        sure = [index for index in kept if rows[index, 5] >= self.settings.min_score]
        faint = [index for index in kept if rows[index, 5] < self.settings.min_score]
        kept = _of_one_size(rows, sure, self.settings.least_size) + faint
        for x, y, w, h, angle, score, side in rows[kept]:
            quad = cv2.boxPoints(((float(x), float(y)), (float(w), float(h)), float(np.degrees(angle))))
            found.append(Detection(order_quad(quad), SIDES[int(side)], float(score)))
        return found


def _resized(image: np.ndarray, scale: float) -> np.ndarray:
    if abs(scale - 1) < 1e-3:
        return image
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    if scale < 0.7:
        return cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)


def _rows_scaled(rows: np.ndarray, scale: float) -> np.ndarray:
    rows = rows.copy()
    rows[:, :4] /= scale
    return rows


def _of_one_size(rows: np.ndarray, kept: list[int], least_size: float) -> list[int]:
    """`kept` without boxes that lie in each other at sizes that cards of one table cannot have.

    Where a box holds the centres of much narrower ones, either it is a card and they are pictures printed on
    it, or they are cards and it spans several of them: the surer side stays.
    """
    wide = rows[:, 2:4].min(axis=1)
    alive = dict.fromkeys(kept, True)
    for outer in sorted(kept, key=lambda index: -wide[index]):
        narrow = [index for index in kept if alive[index] and wide[index] < least_size * wide[outer]]
        others = np.array(narrow, int)
        if not alive[outer] or len(others) == 0:
            continue
        dx, dy = rows[others, 0] - rows[outer, 0], rows[others, 1] - rows[outer, 1]
        cos, sin = np.cos(rows[outer, 4]), np.sin(rows[outer, 4])
        across, along = np.abs(dx * cos + dy * sin), np.abs(dy * cos - dx * sin)
        inner = others[(across < rows[outer, 2] / 2) & (along < rows[outer, 3] / 2)]
        if len(inner) == 0:
            continue
        if np.median(rows[inner, 5]) > rows[outer, 5]:
            alive[outer] = False
        else:
            alive.update(dict.fromkeys(inner.tolist(), False))
    return [index for index in kept if alive[index]]


def _tiles(shape: tuple[int, ...], side: float, overlap: float) -> list[tuple[int, int, int, int]]:
    """Boxes x0, y0, x1, y1 of about `side` px that cover a picture of (H, W)."""

    def starts(length: int) -> list[tuple[int, int]]:
        if length <= side * 1.05:
            return [(0, length)]
        count = int(np.ceil((length - side * overlap) / (side * (1 - overlap))))
        step = (length - side) / max(count - 1, 1)
        return [(round(i * step), min(length, round(i * step + side))) for i in range(count)]

    return [(x0, y0, x1, y1) for y0, y1 in starts(shape[0]) for x0, x1 in starts(shape[1])]


def suppress(
    rows: np.ndarray, max_overlap: float, look: np.ndarray | None = None, across: float = 0.5
) -> list[int]:
    """Indices of the boxes to keep, best first: greedy suppression by their probabilistic IoU.

    Boxes of different looks (`look` (n,) numbers them) may overlap by no more than `across`.

    The overlap is the Hellinger distance of Gaussians that stand for the boxes (Murrugarra-Llerena et al.,
    "Probabilistic Intersection-over-Union for training and evaluation of oriented object detectors", 2024).
    """
    order = np.argsort(-rows[:, 5], kind="stable")
    a, b, c = _covariance(rows)
    x, y = rows[:, 0].astype(np.float64), rows[:, 1].astype(np.float64)
    kept: list[int] = []
    alive = np.ones(len(rows), bool)
    for index in order:
        if not alive[index]:
            continue
        kept.append(int(index))
        sa, sb, sc = a + a[index], b + b[index], c + c[index]
        dx, dy = x - x[index], y - y[index]
        determinant = sa * sb - sc * sc + 1e-9
        distance = (sa * dy * dy + sb * dx * dx - 2 * sc * dx * dy) / determinant / 4
        own = np.sqrt(np.maximum(a * b - c * c, 0) * max(a[index] * b[index] - c[index] ** 2, 0))
        distance += np.log(determinant / (4 * own + 1e-9) + 1e-9) / 2
        overlap = 1 - np.sqrt(np.clip(1 - np.exp(-np.clip(distance, 0, 100)), 0, 1))
        most = max_overlap if look is None else np.where(look == look[index], max_overlap, across)
        alive &= overlap <= most
    return kept


def _covariance(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    wide, high = rows[:, 2].astype(np.float64) ** 2 / 12, rows[:, 3].astype(np.float64) ** 2 / 12
    cos, sin = np.cos(rows[:, 4].astype(np.float64)), np.sin(rows[:, 4].astype(np.float64))
    return wide * cos**2 + high * sin**2, wide * sin**2 + high * cos**2, (wide - high) * cos * sin
