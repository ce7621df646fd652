"""Eyes that know the truth of a film: what follows piles and judges is tested apart from the networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from datasets.rounds import RoundFilm
from datasets.scene import CardTruth
from vision.types import Detection, Frame, Reading, SeenCard, order_quad

FOUND_VISIBLE, READ_VISIBLE = 0.45, 0.75


class OracleEyes:
    """Finder and reader in one: gives the cards of the frame at hand, a little off, from the film's truth."""

    def __init__(self, noise_px: float = 0.7, seed: int = 1) -> None:
        self.truth: tuple[CardTruth, ...] = ()
        self.finder = self
        self._noise_px = noise_px
        self._rng = np.random.default_rng(seed)
        self._shown: dict[bytes, CardTruth] = {}

    def find(self, image: np.ndarray) -> list[Detection]:
        """The cards of which enough shows."""
        found = []
        self._shown = {}
        height, width = image.shape[:2]
        for truth in self.truth:
            centre = truth.quad.mean(axis=0)
            if truth.visible < FOUND_VISIBLE or not ((centre > 0) & (centre < (width, height))).all():
                continue
            quad = order_quad(truth.quad) + self._rng.normal(0, self._noise_px, (4, 2)).astype(np.float32)
            detection = Detection(quad, "back" if truth.card is None else "face", 0.9)
            self._shown[quad.tobytes()] = truth
            found.append(detection)
        return found

    def read_found(self, image: np.ndarray, found: Sequence[Detection], **_: Any) -> list[SeenCard]:
        """The truth of these cards, unread where too little shows."""
        return [SeenCard(d, self._reading(self._shown[d.quad.tobytes()])) for d in found]

    def _reading(self, truth: CardTruth) -> Reading:
        if truth.card is None:
            return Reading("back", deck=truth.deck, confidence=0.97)
        if truth.number_visible < READ_VISIBLE:
            return Reading("face", None, str(truth.card.colour), confidence=0.9)
        return Reading("face", truth.card.number, str(truth.card.colour), confidence=0.99)


def as_it_is(picture: np.ndarray, t_s: float) -> np.ndarray:
    """The picture unchanged."""
    return picture


class FilmSource:
    """A film as a source that tells the eyes what is true of each frame; nothing is encoded.

    `lit` changes each picture by its time; `still_s`: the first picture is shown so long, and nothing else.
    """

    live = False

    def __init__(
        self,
        film: RoundFilm,
        eyes: OracleEyes,
        lit: Callable[[np.ndarray, float], np.ndarray] = as_it_is,
        still_s: float | None = None,
    ) -> None:
        self.fps = film.look.fps
        self._film, self._eyes, self._lit, self._still_s = film, eyes, lit, still_s

    def __iter__(self) -> Iterator[Frame]:
        for index, picture in enumerate(self._pictures()):
            t_s = index / self.fps
            yield Frame(self._lit(picture, t_s), index, t_s)

    def _pictures(self) -> Iterator[np.ndarray]:
        for picture in self._film.frames():
            self._eyes.truth = self._film.truth_of_cards()
            if self._still_s is None:
                yield picture
                continue
            for _ in range(round(self._still_s * self.fps)):
                yield picture
            return

    def close(self) -> None:
        """Nothing to give back."""
