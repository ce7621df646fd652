"""Tables staged for the count: spreads of backs, fans of faces, and cards dealt past the camera."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from datasets.camera import TableCamera, card_corners_mm
from datasets.cardbox import DeckKit
from datasets.hands import ArmLook, put_arm
from datasets.layouts import Placed
from datasets.light import Light, compress, expose, illumination
from datasets.scene import Painter, Scene
from datasets.surfaces import Surfaces
from referee.cards import Card

MARGIN = 0.03
"""Left free around a spread, as a share of the picture."""
HEAP_GAP_MM = 25.0
"""Between the heaps of two decks."""
WHITE_LEVEL, MOST_WHITE = 250, 0.1
"""A camera meters so that no more than this share of a picture is as bright as that."""
WHITE_BGR = (238.0, 240.0, 242.0)


def spread_of_backs(
    heaps: Sequence[tuple[str, int]], kit: DeckKit, rng: np.random.Generator, gap: float = 1.1
) -> list[Placed]:
    """Rows of ten backs for each (deck, count), `gap` card widths from centre to centre."""
    w_mm, h_mm = kit.size_mm
    placed = []
    y = 0.0
    for deck, count in heaps:
        for start in range(0, count, 10):
            for column in range(min(10, count - start)):
                at = (column * w_mm * gap + float(rng.normal(0, 1.3)), y + float(rng.normal(0, 1.3)))
                turn = 180.0 * (rng.random() < 0.4) + float(rng.normal(0, 2.5))
                placed.append(Placed(at, turn, kit, deck, None))
            y += h_mm * float(rng.uniform(1.05, 1.15))
        y += HEAP_GAP_MM
    return placed


def rows_of_faces(
    cards: Sequence[Card], columns: int, kit: DeckKit, rng: np.random.Generator
) -> list[Placed]:
    """Cards apart from each other in rows."""
    w_mm, h_mm = kit.size_mm
    placed = []
    for number, card in enumerate(cards):
        row, column = divmod(number, columns)
        at = (column * w_mm * 1.2 + float(rng.normal(0, 2)), row * h_mm * 1.15 + float(rng.normal(0, 2)))
        placed.append(Placed(at, float(rng.normal(0, 4)), kit, kit.decks[0], card))
    return placed


def fan_of_faces(
    cards: Sequence[Card], kit: DeckKit, rng: np.random.Generator, showing: float
) -> list[Placed]:
    """One hand of cards, each with the share `showing` of its length left open by the next; straight or arc.

    A Dutch Blitz card has its number at the short ends, so cards overlap along their length; a standard card
    has it in the corner, so they may overlap along their width as well.
    """
    w_mm, h_mm = kit.size_mm
    along = h_mm if kit.family == "blitz" or rng.random() < 0.3 else w_mm
    step, bend = along * showing, float(rng.normal(0, 3.0)) if rng.random() < 0.5 else 0.0
    placed, at, turn = [], np.zeros(2), 0.0
    for card in cards:
        wobble = rng.normal(0, 0.8, 2)
        placed.append(
            Placed((float(at[0] + wobble[0]), float(at[1] + wobble[1])), turn, kit, kit.decks[0], card)
        )
        angle = np.radians(turn + (90.0 if along == h_mm else 0.0))
        at = at + step * np.array([np.cos(angle), np.sin(angle)])
        turn += bend + float(rng.normal(0, 0.6))
    return placed


def photograph_of(
    placed: Sequence[Placed],
    size_px: tuple[int, int],
    surfaces: Surfaces | None,
    rng: np.random.Generator,
    *,
    fill: float = 0.9,
    widest_px: float = 400.0,
    max_tilt_deg: float = 20.0,
) -> Scene:
    """A photograph of all these cards, which together fill up to the share `fill` of the picture.

    Without `surfaces` they lie on a plain white cloth.
    """
    corners = np.concatenate([card_corners_mm(p.centre_mm, p.angle_deg, p.kit.size_mm) for p in placed])
    extent = corners.max(axis=0) - corners.min(axis=0)
    centre = corners.min(axis=0) + extent / 2
    # Whoever takes a picture turns the camera the way the cards lie.
    across = (extent[0] > extent[1]) != (size_px[0] > size_px[1])
    quarter = 90.0 * across + 180.0 * int(rng.integers(2))
    camera = TableCamera.above(
        size_px,
        1.0,
        tilt_deg=float(min(abs(rng.normal(0, 0.45)), 1.0) * max_tilt_deg),
        azimuth_deg=float(rng.normal(0, 4.0)) + quarter,
        roll_deg=float(rng.normal(0, 3.0)),
        focal=float(rng.uniform(0.8, 1.7)),
        centre_mm=(float(centre[0]), float(centre[1])),
    )
    camera = _fitted(camera, corners, placed[0].kit.size_mm[0], fill, widest_px)
    picture = _white(size_px, rng) if surfaces is None else surfaces.lay(camera.matrix, size_px, rng)
    angle, length = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 3.0)
    shadow = (float(np.cos(angle) * length), float(np.sin(angle) * length), float(rng.uniform(0.15, 0.6)))
    painter = Painter(picture, camera, shadow)
    for one in placed:
        painter.lay(one)
    light = Light.random(rng, size_px[0] / 640)
    width_px = painter.truths(1)[0].width_px
    light = replace(light, blur_px=min(light.blur_px, width_px / 60), motion_px=0.0)
    return Scene(
        compress(_metered(painter.picture, light, rng), max(light.jpeg, 75)),
        painter.truths(),
        camera.px_per_mm((float(centre[0]), float(centre[1]))),
    )


def _metered(picture: np.ndarray, light: Light, rng: np.random.Generator) -> np.ndarray:
    """What a camera delivers that shortens the exposure until no more than a part of the picture is white."""
    taken = expose(picture, light, rng)
    while float((taken.min(axis=2) >= WHITE_LEVEL).mean()) > MOST_WHITE and light.exposure > 0.3:
        light = replace(light, exposure=0.8 * light.exposure)
        taken = expose(picture, light, rng)
    return taken


def _fitted(
    camera: TableCamera, corners_mm: np.ndarray, card_mm: float, fill: float, widest_px: float
) -> TableCamera:
    """The camera with its picture enlarged and moved so that the corners (n, 2) fill that share of it."""
    width, height = camera.size_px
    points = camera.project(corners_mm)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = fill * (1 - 2 * MARGIN) * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
    scale = min(scale, widest_px / card_mm)
    middle = (low + high) / 2
    move = np.array(
        [[scale, 0, width / 2 - scale * middle[0]], [0, scale, height / 2 - scale * middle[1]], [0, 0, 1]]
    )
    return TableCamera(move @ camera.matrix, camera.size_px)


def _white(size_px: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """A plain white cloth, BGR uint8 (H, W, 3): the weave and a few soft folds."""
    width, height = size_px
    folds = cv2.resize(
        rng.uniform(-1, 1, (5, 7)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    weave = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 0.8)
    cloth = np.array(WHITE_BGR, np.float32) + rng.normal(0, 4, 3).astype(np.float32)
    relief = 1 + 0.02 * folds + 0.012 * weave
    return np.clip(cloth * relief[..., None], 0, 255).astype(np.uint8)


@dataclass(frozen=True)
class DealtFilm:
    """Cards dealt one by one by an arm from the lower edge: `cards` are (deck, face or None face down)."""

    cards: Sequence[tuple[str, Card | None]]
    kit: DeckKit
    heap: bool
    size_px: tuple[int, int] = (960, 540)
    table_mm: float = 520.0
    fps: float = 10.0
    each_s: float = 1.0

    def frames(self, surfaces: Surfaces, rng: np.random.Generator) -> Iterator[np.ndarray]:
        """The pictures, BGR uint8 (H, W, 3), one every 1 / fps s."""
        width, height = self.size_px
        px_per_mm = width / self.table_mm
        camera = TableCamera.above(self.size_px, px_per_mm, tilt_deg=float(rng.uniform(0, 8)))
        light = replace(Light.random(rng, width / 640), glare=(), motion_px=0.0, noise=2.0)
        light = replace(light, blur_px=min(light.blur_px, 0.8))
        field = illumination(light, self.size_px)
        table = surfaces.lay(camera.matrix, self.size_px, rng)
        settled = Painter(table, camera, (1.5, 1.5, 0.4))
        look = ArmLook.random(rng)
        low_mm = height / px_per_mm / 2

        def shown(picture: np.ndarray) -> np.ndarray:
            return expose(picture, light, rng, field)

        yield from (shown(settled.picture) for _ in range(int(0.6 * self.fps)))
        for number, (deck, card) in enumerate(self.cards):
            at = self._place(number, rng)
            carried = Placed(at, float(rng.normal(0, 5.0)), self.kit, deck, card)
            laid = False
            for step in range(round(self.each_s * self.fps)):
                t = (step + 1) / self.fps / self.each_s
                if t >= 0.45 and not laid:
                    settled.lay(carried)
                    laid = True
                share = t / 0.45 if t < 0.45 else max(0.0, 1 - (t - 0.45) / 0.3)
                picture = settled.picture.copy()
                if share > 0:
                    y = low_mm + 120 + (at[1] - low_mm - 120) * share
                    if not laid:
                        moving = replace(carried, centre_mm=(at[0], y))
                        Painter(picture, camera, (1.5, 1.5, 0.4)).lay(moving, lift_mm=10.0)
                    tip = (at[0] + 8.0, y + 30.0)
                    put_arm(picture, None, camera, tip, (at[0] + 60.0, low_mm + 500.0), look)
                yield shown(picture)
        yield from (shown(settled.picture) for _ in range(int(0.8 * self.fps)))

    def _place(self, number: int, rng: np.random.Generator) -> tuple[float, float]:
        """Where a card is laid, in mm: on the heap in the middle, or in rows of six."""
        w_mm, h_mm = self.kit.size_mm
        mess = rng.normal(0, 4.0, 2)
        if self.heap:
            return float(mess[0]), float(mess[1]) - 20.0
        row, column = divmod(number, 6)
        x, y = (column - 2.5) * w_mm * 1.25, (row - 1) * h_mm * 1.1
        return float(x + mess[0] / 3), float(y + mess[1] / 3)
