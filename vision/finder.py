"""Finds cards: an oriented-box network over a picture, or over a pyramid of tiles for stills."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import onnxruntime

from vision.boxes import joined, of_one_size, suppress, turned_back
from vision.models import open_model
from vision.types import Detection, Side, order_quad

SIDES: tuple[Side, Side] = ("face", "back")
LIVE_MODEL, STILL_MODEL = "finder.onnx", "finder-still.onnx"
STRIDE_PX = 32
PAD_GREY = 114


@dataclass(frozen=True)
class FinderSettings:
    """Thresholds of the finder."""

    min_score: float = 0.4
    """A box below this is no card."""
    min_score_still: float = 0.45
    """The same in a still, of the mean of two looks: what only one of them takes for a card is less sure."""
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
    once_share: float = 0.75
    """So much of its score a box keeps that is found in a still one way up only."""


class Finder:
    """The card finder; one per thread. `still` is the network for photographs, without it `live` is.

    >>> Finder.load().find(np.zeros((480, 640, 3), np.uint8))
    []
    """

    def __init__(
        self,
        live: onnxruntime.InferenceSession,
        settings: FinderSettings | None = None,
        *,
        still: onnxruntime.InferenceSession | None = None,
    ) -> None:
        self._live, self._still = live, still or live
        self.settings = settings or FinderSettings()

    @classmethod
    def load(cls, settings: FinderSettings | None = None, *, threads: int = 1) -> Finder:
        """The finder with the models that came with the program: a quick one, and one that sees more."""
        live, still = (open_model(name, threads=threads) for name in (LIVE_MODEL, STILL_MODEL))
        return cls(live, settings, still=still)

    def find(self, image: np.ndarray) -> list[Detection]:
        """Cards in a live picture BGR uint8 (H, W, 3), seen once, reduced to the live size; best first."""
        boxes = self._look(self._live, image, self.settings.live_side_px / max(image.shape[:2]))
        sure = boxes[boxes[:, 5] >= self.settings.min_score]
        sure = sure[suppress(sure, self.settings.max_overlap)]
        return self._detections(sure[of_one_size(sure, list(range(len(sure))), self.settings.least_size)])

    def find_in_still(self, image: np.ndarray) -> list[Detection]:
        """Cards in a photograph of any size, looked at twice: as it is and turned by a quarter.

        Boxes of less than `min_score_still` are faint: whoever reads them must be sure.
        """
        upright = self._rows_of_still(image)
        turned = self._rows_of_still(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE))
        back = turned_back(turned, image.shape[0])
        rows, look = joined(upright, back, self.settings.max_overlap, self.settings.once_share)
        rows = rows[suppress(rows, self.settings.max_overlap_still, look, self.settings.max_overlap)]
        sure = np.flatnonzero(rows[:, 5] >= self.settings.min_score_still)
        faint = np.flatnonzero(
            (rows[:, 5] < self.settings.min_score_still) & (rows[:, 5] >= self.settings.faint_score)
        )
        return self._detections(rows[of_one_size(rows, list(sure), self.settings.least_size) + list(faint)])

    def _rows_of_still(self, image: np.ndarray) -> np.ndarray:
        """Boxes of a photograph: the whole picture first, then tiles at up to full resolution.

        A card that fills the picture is found in a copy of half the live size. It stops at the resolution at
        which the cards found are large enough: finer tiles would only find pictures printed on them.
        """
        side = self.settings.live_side_px
        scale = min(1.0, side / max(image.shape[:2]))
        looks = [self._look(self._still, image, share * scale) for share in (0.5, 1.0)]
        while (
            not self._large_enough(np.concatenate(looks), scale) and scale < self.settings.max_magnification
        ):
            scale = min(2 * scale, self.settings.max_magnification)
            tiles = _tiles(image.shape[:2], side / scale, self.settings.tile_overlap)
            looks += [self._look_tile(image, tile, scale) for tile in tiles]
        rows = np.concatenate(looks)
        look = np.repeat(np.arange(len(looks)), [len(one) for one in looks])
        return rows[suppress(rows, self.settings.max_overlap_still, look, self.settings.max_overlap)]

    def _large_enough(self, rows: np.ndarray, scale: float) -> bool:
        """Whether most of the cards found are wide enough at this scale to be found well."""
        sure = rows[rows[:, 5] >= self.settings.sure_score]
        if len(sure) == 0:
            return False
        return bool(np.median(sure[:, 2:4].min(axis=1)) * scale >= self.settings.enough_width_px)

    def _look(self, network: onnxruntime.InferenceSession, image: np.ndarray, scale: float) -> np.ndarray:
        return _rows_scaled(self._run(network, _resized(image, scale)), scale)

    def _look_tile(self, image: np.ndarray, tile: tuple[int, int, int, int], scale: float) -> np.ndarray:
        x0, y0, x1, y1 = tile
        rows = self._look(self._still, image[y0:y1, x0:x1], scale)
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

    def _run(self, network: onnxruntime.InferenceSession, picture: np.ndarray) -> np.ndarray:
        """Rows (n, 7): x, y, w, h in px of `picture`, angle in radians, score, class."""
        height, width = picture.shape[:2]
        padded = np.full(
            (-(-height // STRIDE_PX) * STRIDE_PX, -(-width // STRIDE_PX) * STRIDE_PX, 3), PAD_GREY, np.uint8
        )
        padded[:height, :width] = picture
        blob = cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True)
        raw = network.run(None, {network.get_inputs()[0].name: blob})[0][0]
        scores = raw[4 : 4 + len(SIDES)]
        classes = scores.argmax(axis=0)
        best = scores.max(axis=0)
        keep = np.flatnonzero(best >= min(self.settings.faint_score, self.settings.min_score))
        keep = keep[np.argsort(-best[keep], kind="stable")][:600]
        rows = np.column_stack([raw[:4, keep].T, raw[4 + len(SIDES), keep], best[keep], classes[keep]])
        return rows.astype(np.float32)

    def _detections(self, rows: np.ndarray) -> list[Detection]:
        found = []
        for x, y, w, h, angle, score, side in rows:
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


def _tiles(shape: tuple[int, ...], side: float, overlap: float) -> list[tuple[int, int, int, int]]:
    """Boxes x0, y0, x1, y1 of about `side` px that cover a picture of (H, W)."""

    def starts(length: int) -> list[tuple[int, int]]:
        if length <= side * 1.05:
            return [(0, length)]
        count = int(np.ceil((length - side * overlap) / (side * (1 - overlap))))
        step = (length - side) / max(count - 1, 1)
        return [(round(i * step), min(length, round(i * step + side))) for i in range(count)]

    return [(x0, y0, x1, y1) for y0, y1 in starts(shape[0]) for x0, x1 in starts(shape[1])]
