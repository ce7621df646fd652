"""The truth of a drawn table is what is drawn."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets import art
from datasets.build import (
    FINDER_MIN_VISIBLE,
    STRADDLING_MOST_SHARED,
    WorldSpec,
    obb_lines,
    reader_samples,
    scenes,
    straddling,
    write_photos,
)
from datasets.camera import TableCamera
from datasets.cardbox import CardBox
from datasets.layouts import LAYOUTS, Placed, spread_of
from datasets.scene import CardTruth, Painter, Scene, map_unit
from engine.evaluation.matching import quad_iou
from referee.cards import Card, Family
from tests.datasets.worlds import CALM, kit, plain_kit, world
from vision.unwarp import unwarp

SIZE = (640, 480)
RED7 = Card(7, "red")  # type: ignore[arg-type]


def painter(tilt: float = 20.0) -> Painter:
    camera = TableCamera.above(SIZE, 1.4, tilt_deg=tilt, azimuth_deg=15, roll_deg=5)
    return Painter(np.full((SIZE[1], SIZE[0], 3), 40, np.uint8), camera, (0.0, 0.0, 0.0))


def at(x: float, y: float, angle: float = 0.0, card: Card | None = RED7, deck: str = "pump") -> Placed:
    return Placed((x, y), angle, plain_kit(), deck, card)


@pytest.mark.parametrize("angle", [0, 20, 45, 90, 133, 270])
def test_the_corners_lie_where_the_card_is_drawn(angle: float) -> None:
    table = painter()
    table.lay(at(20, -10, angle))
    (truth,) = table.truths()
    share = (table.picture[..., 0].astype(float) - 40) / 215
    ys, xs = np.mgrid[0 : SIZE[1], 0 : SIZE[0]] + 0.5
    centre = np.array([(share * xs).sum(), (share * ys).sum()]) / share.sum()
    moments = cv2.moments(truth.quad)
    assert share.sum() == pytest.approx(moments["m00"], rel=0.02)
    assert centre == pytest.approx(
        [moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]], abs=0.2
    )
    drawn = cv2.convexHull(np.argwhere(share > 0.5)[:, ::-1].astype(np.float32) + 0.5).reshape(-1, 2)
    for corner in truth.quad:
        assert np.linalg.norm(drawn - corner, axis=1).min() < 2.0
    assert truth.visible > 0.97 and truth.number_visible > 0.97
    assert (truth.card, truth.deck) == (RED7, None)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_the_visible_share_is_what_upper_cards_leave(share: float) -> None:
    table = painter(0)
    width = 57.5
    table.lay(at(0, 0))
    table.lay(at(width * share, 0, card=None))
    under, upper = table.truths()
    assert under.visible == pytest.approx(share, abs=0.03)
    assert upper.visible > 0.97
    assert (upper.card, upper.deck, upper.number_visible) == (None, "pump", 0.0)
    assert under.deck is None


def test_the_number_shows_while_one_of_its_places_does() -> None:
    table = painter(0)
    table.lay(at(0, 0))
    table.lay(at(30, 0))
    table.lay(at(0, 41, card=None))
    assert table.truths()[0].number_visible > 0.95
    table.lay(at(-20, -35, card=None))
    under = table.truths()[0]
    assert under.number_visible < 0.3


def test_what_lies_outside_the_picture_does_not_show() -> None:
    table = painter(0)
    edge = table.camera.unproject(np.array([[0.0, 240.0], [-900.0, 240.0]]))
    table.lay(at(*edge[0]))
    table.lay(at(*edge[1]))
    half, none = table.truths()
    assert half.visible == pytest.approx(0.5, abs=0.12)
    assert none.visible == 0


def test_map_unit_maps_the_corners_to_the_corners() -> None:
    quad = np.array([[10, 20], [70, 25], [80, 120], [5, 110]], np.float32)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    assert map_unit(quad, unit) == pytest.approx(quad, abs=1e-3)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_card_taken_out_by_its_corners_is_the_card(turn: float) -> None:
    def alone(view: object, deck: object, rng: object) -> list[Placed]:
        return [Placed((0, 0), turn, kit(), "pump", RED7)]

    scene = world().photo(
        np.random.default_rng(3),
        SIZE,
        card_width_px=130,
        layout=alone,
        kit=kit(),
        max_tilt_deg=15,
        clutter=False,
        light=CALM,
    )
    (truth,) = scene.cards
    crop = unwarp(scene.image, truth.quad, (96, 136))
    flat = kit().texture(RED7, "pump").levels[0]
    flat = cv2.resize(flat[..., :3], (96, 136), interpolation=cv2.INTER_AREA)
    inner = np.s_[8:-8, 8:-8]
    assert cv2.absdiff(crop[inner], flat[inner]).mean() < 14


def test_red_is_red_in_the_delivered_picture() -> None:
    def alone(view: object, deck: object, rng: object) -> list[Placed]:
        return [Placed((0, 0), 0, plain_kit((30, 30, 220)), "pump", RED7)]

    scene = world().photo(
        np.random.default_rng(3), SIZE, card_width_px=130, layout=alone, kit=kit(), clutter=False, light=CALM
    )
    x, y = scene.cards[0].quad.mean(axis=0).astype(int)
    blue, green, red = scene.image[y, x].astype(int)
    assert red > 150 > 80 > max(blue, green)


def digest(scene: Scene) -> str:
    words = hashlib.sha256(scene.image.tobytes())
    for truth in scene.cards:
        words.update(repr(truth.to_json()).encode())
    return words.hexdigest()


def test_the_same_seed_gives_the_same_pictures_and_another_seed_others() -> None:
    def drawn(seed: int) -> list[str]:
        return [digest(scene) for scene in scenes(WorldSpec("validation", seed, (320, 240)), 0, 3)]

    first = drawn(5)
    assert first == drawn(5)
    assert len(set(first)) == 3
    assert not set(first) & set(drawn(6))


@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_a_split_uses_its_own_drawings_alone(split: str) -> None:
    box = CardBox(split, kits_kept=40)
    rng = np.random.default_rng(2)
    names = {box.pick(rng).name for _ in range(60)}
    styles = {*art.SPLITS["faces"][split], *art.SPLITS["index_styles"][split]}
    faces = {name.split("/")[0] for name in names}
    assert faces <= styles
    assert faces & set(art.SPLITS["faces"][split]) and faces & set(art.SPLITS["index_styles"][split])
    assert {name.split("/")[1] for name in names} <= set(art.SPLITS["typefaces"][split])


@pytest.mark.parametrize(("share", "expected"), [(0.0, {None}), (1.0, set(art.LETTERS))])
def test_letters_of_other_countries_are_dealt_where_they_are_asked_for(
    share: float, expected: set[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    letters: set[str | None] = set()
    draw = art.own_standard_face

    def noting(card: Card, *how: Any) -> art.CardArt:
        letters.add(how[-1])
        return draw(card, *how)

    monkeypatch.setattr(art, "own_standard_face", noting)
    box = CardBox("test", blitz_share=0.0, kits_kept=24, foreign_share=share)
    rng = np.random.default_rng(3)
    for _ in range(24):
        box.pick(rng).draw_face(Card.parse("JC"))
    assert letters == expected


def test_no_drawing_is_in_two_splits() -> None:
    for kind, splits in art.SPLITS.items():
        names = [name for names in splits.values() for name in names]
        assert len(names) == len(set(names)), kind


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_are_finite_and_of_the_kit(name: str) -> None:
    for seed in range(25):
        rng = np.random.default_rng(seed)
        wide = float(rng.uniform(60, 900))
        view = (-wide, -wide * 0.7, wide, wide * 0.7)
        placed = LAYOUTS[name](view, kit(), rng)
        assert len(placed) <= 400
        for one in placed:
            assert np.isfinite([*one.centre_mm, one.angle_deg]).all()
            assert one.card is None or one.card in kit().cards
            assert one.deck in kit().decks


def test_a_spread_for_counting_shows_each_card_once() -> None:
    placed = spread_of([("pump", 13), ("pail", 4)], [RED7] * 6)(
        (-600, -400, 600, 400), kit(), np.random.default_rng(1)
    )
    backs = [one.deck for one in placed if one.card is None]
    assert (backs.count("pump"), backs.count("pail"), len(placed)) == (13, 4, 23)
    centres = np.array([one.centre_mm for one in placed])
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) + 1e3 * np.eye(len(centres))
    assert apart.min() > 50


@pytest.mark.parametrize("layout", ["round", "scatter", "heap", "empty"])
def test_labels_for_the_finder_lie_in_the_picture(layout: str) -> None:
    spec = WorldSpec("train", 11, (320, 320), layout=layout)
    for scene in scenes(spec, 0, 4):
        lines = obb_lines(scene)
        asked = [truth for truth in scene.cards if truth.visible >= FINDER_MIN_VISIBLE]
        assert len(lines) == len(asked)
        if layout == "empty":
            assert lines == [] and scene.cards == ()
        for line, truth in zip(lines, asked, strict=True):
            side, *values = line.split()
            assert side == ("1" if truth.card is None else "0")
            corners = np.array(values, float)
            assert len(corners) == 8 and (corners >= 0).all() and (corners <= 1).all()
            quad = (corners.reshape(4, 2) * 320).astype(np.float32)
            if (truth.quad > 0).all() and (truth.quad < 320).all():
                assert quad_iou(quad, truth.quad) > 0.98


def test_crops_for_the_reader_have_its_size_and_labels() -> None:
    scene = next(scenes(WorldSpec("train", 4, (480, 480), (60.0, 80.0), layout="grid"), 0, 1))

    def encode(truth: object) -> tuple[int, int, int, int]:
        return (0, 0, 0, 0) if truth is None else (1, 2, 3, 4)

    samples = list(reader_samples(scene, np.random.default_rng(1), unwarp, encode, (96, 136)))
    shown = [t for t in scene.cards if t.visible >= 0.3]
    assert 0.5 * len(shown) <= len(samples) <= len(shown) + 4
    for crop, label, width, visible in samples:
        assert crop.shape == (136, 96, 3) and crop.dtype == np.uint8
        assert label in ((0, 0, 0, 0), (1, 2, 3, 4))
        assert width > 16 and 0 <= visible <= 1
    again = list(reader_samples(scene, np.random.default_rng(1), unwarp, encode, (96, 136)))
    assert all((a[0] == b[0]).all() for a, b in zip(samples, again, strict=True))


def test_half_of_the_covered_cards_are_cut_out_more_loosely() -> None:
    def spread(visible: float) -> float:
        quad = np.array([[200, 100], [300, 100], [300, 242], [200, 242]], np.float32)
        truth = CardTruth(quad, Family.BLITZ, RED7, None, visible, 1.0, 100.0)
        scene = Scene(np.zeros((400, 500, 3), np.uint8), (truth,), 1.5)
        quads: list[np.ndarray] = []

        def keep(image: np.ndarray, quad: np.ndarray, size_px: tuple[int, int]) -> np.ndarray:
            quads.append(quad)
            return image

        def encode(truth: CardTruth | None) -> tuple[int, int, int, int]:
            return (0, 0, 0, 0) if truth is None else (1, 2, 3, 4)

        for seed in range(150):
            list(reader_samples(scene, np.random.default_rng(seed), keep, encode, (96, 136)))
        near = [q for q in quads if np.linalg.norm(q.mean(axis=0) - (250, 171)) < 40]
        return float(np.std([q.mean(axis=0) - (250, 171) for q in near]))

    assert spread(0.6) > 1.25 * spread(1.0)


def test_photographs_are_written_with_their_truth(tmp_path: Path) -> None:
    paths = write_photos(WorldSpec("test", 3, (320, 240), layout="few"), 2, tmp_path)
    assert [path.name for path in paths] == ["0000.jpg", "0001.jpg"]
    assert {path.name for path in tmp_path.iterdir()} == {"0000.jpg", "0001.jpg", "truth.json"}


def test_boxes_between_two_cards_hold_neither() -> None:
    scene = next(scenes(WorldSpec("train", 4, (480, 480), (60.0, 80.0), layout="grid"), 0, 1))
    found = list(straddling(scene.cards, np.random.default_rng(1)))
    assert len(found) == 2
    for quad, width_px in found:
        shares = sorted(quad_iou(quad, truth.quad) for truth in scene.cards)
        assert shares[-2] > 0.1 and shares[-1] < STRADDLING_MOST_SHARED + 0.1 and 60 <= width_px <= 90
