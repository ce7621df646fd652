"""One photograph of the table world, with exact truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.camera import TableCamera, card_corners_mm
from datasets.cardbox import CardBox, DeckKit, Texture
from datasets.hands import ArmLook, put_arm
from datasets.layouts import LAYOUTS, Layout, Placed, View
from datasets.light import Light, compress, expose
from datasets.photographs import Library, put_photographed
from datasets.surfaces import Surfaces
from datasets.things import put_thing
from referee.cards import Card, Family

SHADOW_PAD = 0.25
"""Margin of the shadow sprite around the card, as a share of its width."""


@dataclass(frozen=True)
class CardTruth:
    """What is true of one card in a picture.

    `quad` float32 (4, 2) pixels, the whole card's corners, also where they are covered or outside;
    `visible` the share of the card's area that shows; `number_visible` the larger share of its printed
    numbers that shows (0 face down).
    """

    quad: np.ndarray
    family: Family
    card: Card | None
    deck: str | None
    visible: float
    number_visible: float
    width_px: float

    def to_json(self) -> dict[str, object]:
        """The truth as one object of `truth.json`."""
        return {
            "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in self.quad],
            "side": "back" if self.card is None else "face",
            "family": str(self.family),
            "number": None if self.card is None else self.card.number,
            "colour": None if self.card is None else str(self.card.colour),
            "deck": self.deck,
            "visible": round(self.visible, 4),
            "number_visible": round(self.number_visible, 4),
            "width_px": round(self.width_px, 2),
        }


@dataclass(frozen=True)
class Scene:
    """A picture BGR uint8 (H, W, 3) with the truth of every card, in stacking order."""

    image: np.ndarray
    cards: tuple[CardTruth, ...]
    px_per_mm: float


class Painter:
    """Lays cards on a picture of the table and keeps track of what covers what.

    `picture` BGR uint8 (H, W, 3) in the table's own colours; `covered` int16 (H, W) holds the number
    (from 1) of the card that shows at a pixel, 0 where none does.
    """

    def __init__(self, picture: np.ndarray, camera: TableCamera, shadow: tuple[float, float, float]) -> None:
        self.picture = picture
        self.camera = camera
        self.covered = np.zeros(picture.shape[:2], np.int16)
        self._shadow = shadow
        self.quads: list[np.ndarray] = []
        self.placed: list[Placed] = []

    def lay(self, placed: Placed, lift_mm: float = 0.0) -> int:
        """Draw one card on top of all others; returns its number. A lifted card throws a longer shadow."""
        corners_mm = card_corners_mm(placed.centre_mm, placed.angle_deg, placed.kit.size_mm)
        quad = self.camera.project(corners_mm).astype(np.float32)
        texture = placed.kit.texture(placed.card, placed.deck)
        self._shade(corners_mm, placed.kit.size_mm, lift_mm)
        paste(self.picture, texture, quad)
        self.quads.append(quad)
        self.placed.append(placed)
        number = len(self.quads)
        cv2.fillConvexPoly(self.covered, np.round(quad * 16).astype(np.int32), number, cv2.LINE_8, 4)
        return number

    def _shade(self, corners_mm: np.ndarray, size_mm: tuple[float, float], lift_mm: float) -> None:
        dx, dy, depth = self._shadow
        if depth <= 0:
            return
        reach = 1 + lift_mm * 0.6
        centre = corners_mm.mean(axis=0)
        grow = 1 + 2 * SHADOW_PAD
        wide = (corners_mm - centre) * np.array([grow, grow]) + centre + np.array([dx, dy]) * reach
        quad = self.camera.project(wide).astype(np.float32)
        sprite = _SHADOW_SPRITE
        box = _clip(quad, self.picture.shape)
        if box is None:
            return
        x0, y0, x1, y1 = box
        alpha = _warp(sprite, quad - (x0, y0), (x1 - x0, y1 - y0))
        part = self.picture[y0:y1, x0:x1]
        weight = (255 - alpha.astype(np.uint16) * int(depth * 255) // 255).astype(np.uint16)
        part[:] = (part * weight[..., None] // 255).astype(np.uint8)

    def truths(self, count: int | None = None) -> tuple[CardTruth, ...]:
        """The truth of every card laid so far."""
        return tuple(self._truth(i) for i in range(len(self.quads) if count is None else count))

    def _truth(self, index: int) -> CardTruth:
        placed, quad = self.placed[index], self.quads[index]
        texture = placed.kit.texture(placed.card, placed.deck)
        number_visible = 0.0
        if placed.card is not None:
            for x0, y0, x1, y1 in texture.number_boxes:
                box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
                number_visible = max(number_visible, self._share(map_unit(quad, box), index + 1))
        edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        return CardTruth(
            quad=quad,
            family=placed.kit.family,
            card=placed.card,
            deck=placed.deck if placed.card is None else None,
            visible=self._share(quad, index + 1),
            number_visible=number_visible,
            width_px=float((edges[0] + edges[2]) / 2),
        )

    def _share(self, polygon: np.ndarray, number: int) -> float:
        """Share of `polygon` (n, 2) px in which card `number` shows; outside the picture is covered."""
        area = cv2.contourArea(polygon.astype(np.float32))
        box = _clip(polygon, self.picture.shape)
        if box is None or area < 1:
            return 0.0
        x0, y0, x1, y1 = box
        inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(inside, np.round((polygon - (x0, y0)) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        drawn = max(float(inside.sum()), area)
        seen = np.count_nonzero(inside.astype(bool) & (self.covered[y0:y1, x0:x1] == number))
        return float(min(1.0, seen / drawn))


def _shadow_sprite() -> np.ndarray:
    sprite = np.zeros((120, 90), np.uint8)
    pad_x, pad_y = int(90 * SHADOW_PAD / (1 + 2 * SHADOW_PAD)), int(120 * SHADOW_PAD / (1 + 2 * SHADOW_PAD))
    sprite[pad_y:-pad_y, pad_x:-pad_x] = 255
    return cv2.GaussianBlur(sprite, (0, 0), 3.0)


_SHADOW_SPRITE = _shadow_sprite()


def map_unit(quad: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Pixels float32 (n, 2) of points given as shares 0-1 of the card with corners `quad`."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, quad.astype(np.float32))
    return cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float32), matrix).reshape(-1, 2)


def _clip(polygon: np.ndarray, shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    x0, y0 = np.floor(polygon.min(axis=0)).astype(int) - 1
    x1, y1 = np.ceil(polygon.max(axis=0)).astype(int) + 2
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, shape[1]), min(y1, shape[0])
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _warp(texture: np.ndarray, quad: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    height, width = texture.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, quad.astype(np.float32) - 0.5)
    return cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR)


def paste(picture: np.ndarray, texture: Texture, quad: np.ndarray) -> None:
    """Blend a card's texture into `picture` so that its corners come to `quad`."""
    box = _clip(quad, picture.shape)
    if box is None:
        return
    x0, y0, x1, y1 = box
    edges = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    width = float(max(edges[0], edges[2]))
    sprite = _warp(texture.for_width(width), quad - (x0, y0), (x1 - x0, y1 - y0))
    alpha = sprite[..., 3:].astype(np.uint16)
    part = picture[y0:y1, x0:x1]
    part[:] = ((sprite[..., :3] * alpha + part * (255 - alpha)) // 255).astype(np.uint8)


class TableWorld:
    """A stream of photographs of one split's decks, surfaces and lights, all from one seed."""

    def __init__(
        self,
        split: str,
        box: CardBox,
        *,
        surfaces: int = 28,
        library: Library | None = None,
        start: int = 0,
        surface: str | None = None,
    ) -> None:
        """`library` adds photographed table tops and things; `start` is where the stream of tops begins;
        `surface` is the only kind of them, where it is given."""
        self._box = box
        self._things: tuple[Path, ...] = () if library is None else library.thing_files(split)
        photographs = () if library is None or surface is not None else library.picture_files(split)
        self._surfaces = Surfaces(split, surfaces, photographs, start, surface)

    def _put_thing(self, painter: Painter, view: View, rng: np.random.Generator) -> None:
        at = _anywhere(view, rng)
        if self._things and rng.random() < 0.5:
            put_photographed(painter.picture, painter.covered, painter.camera, at, self._things, rng)
        else:
            put_thing(painter.picture, painter.covered, painter.camera, at, rng)

    def photo(
        self,
        rng: np.random.Generator,
        size_px: tuple[int, int] = (640, 640),
        *,
        card_width_px: float | None = None,
        layout: str | Layout | None = None,
        kit: DeckKit | None = None,
        max_tilt_deg: float = 45.0,
        clutter: bool = True,
        light: Light | None = None,
        turn_deg: float | None = None,
    ) -> Scene:
        """One picture; what is not given is drawn at random. `card_width_px` is the width at the centre.

        `layout` is the name of one of the layouts, `empty`, or a function of the same form. `turn_deg` turns
        the table under the camera.
        """
        kit = kit or self._box.pick(rng)
        if card_width_px is None:
            card_width_px = float(np.exp(rng.uniform(np.log(26), np.log(150))))
            if rng.random() < 0.08:
                card_width_px = float(rng.uniform(150, 0.62 * min(size_px)))
        if layout is None:
            names = ("round", "scatter", "grid", "fans", "few", "heap", "empty")
            layout = str(rng.choice(names, p=[0.27, 0.2, 0.2, 0.12, 0.08, 0.06, 0.07]))
        tilt = (
            float(abs(rng.normal(0, 0.45)) * max_tilt_deg)
            if rng.random() < 0.8
            else float(rng.uniform(0, max_tilt_deg))
        )
        azimuth = float(rng.uniform(0, 360)) if rng.random() < 0.3 else float(rng.normal(0, 15))
        camera = TableCamera.above(
            size_px,
            card_width_px / kit.size_mm[0],
            tilt_deg=min(tilt, max_tilt_deg),
            azimuth_deg=azimuth if turn_deg is None else turn_deg,
            roll_deg=float(rng.normal(0, 6)),
            focal=float(rng.uniform(0.7, 1.7)),
        )
        picture = self._surfaces.lay(camera.matrix, size_px, rng)
        angle = rng.uniform(0, 2 * np.pi)
        length = rng.uniform(0.3, 4.0)
        painter = Painter(
            picture,
            camera,
            (float(np.cos(angle) * length), float(np.sin(angle) * length), float(rng.uniform(0, 0.65))),
        )
        view = camera.view_mm()
        if clutter and rng.random() < 0.45:
            for _ in range(int(rng.integers(1, 5))):
                self._put_thing(painter, view, rng)
        if layout != "empty":
            lay_out = LAYOUTS[layout] if isinstance(layout, str) else layout
            for placed in lay_out(view, kit, rng):
                painter.lay(placed)
        if clutter and rng.random() < 0.25:
            for _ in range(int(rng.integers(1, 3))):
                self._put_thing(painter, view, rng)
        if clutter and rng.random() < 0.3:
            for _ in range(int(rng.integers(1, 4))):
                put_arm(
                    picture,
                    painter.covered,
                    camera,
                    _anywhere(view, rng),
                    _outside(view, rng),
                    ArmLook.random(rng),
                )
        light = light or Light.random(rng, size_px[0] / 640)
        light = replace(
            light,
            blur_px=min(light.blur_px, card_width_px / 45),
            motion_px=min(light.motion_px, card_width_px / 12),
        )
        image = compress(expose(picture, light, rng), light.jpeg)
        return Scene(image, painter.truths(), camera.px_per_mm((0.0, 0.0)))


def _anywhere(view: tuple[float, float, float, float], rng: np.random.Generator) -> tuple[float, float]:
    return float(rng.uniform(view[0], view[2])), float(rng.uniform(view[1], view[3]))


def _outside(view: tuple[float, float, float, float], rng: np.random.Generator) -> tuple[float, float]:
    side = rng.integers(0, 4)
    x, y = _anywhere(view, rng)
    width, height = view[2] - view[0], view[3] - view[1]
    if side == 0:
        return view[0] - width * 0.3, y
    if side == 1:
        return view[2] + width * 0.3, y
    return (x, view[1] - height * 0.3) if side == 2 else (x, view[3] + height * 0.3)
