"""The card drawings: repeatable, of the right colours, with numbers where they are said to be."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import art
from datasets.art.faces import INKS_RGB
from datasets.art.packages import PACKAGE_SPLITS
from datasets.art.sheet import SYSTEM_FOLDERS
from datasets.art.typefaces import outline
from referee.cards import BLITZ_COLOURS, DECKS, SUITS, Card, Colour

WIDTH_PX = 160


def face(text: str = "red7", style: str = "meadow", typeface: str = "grotesk", seed: int = 0) -> art.CardArt:
    return art.blitz_face(Card.parse(text), style, typeface, WIDTH_PX, random.Random(seed))


def own(text: str = "QH", style: str = "poker", typeface: str = "bicycle", seed: int = 0) -> art.CardArt:
    return art.own_standard_face(Card.parse(text), style, typeface, WIDTH_PX, random.Random(seed))


def cut(card: art.CardArt, box: art.Box) -> np.ndarray:
    high, wide = card.image.shape[:2]
    x0, y0, x1, y1 = box
    return card.image[round(y0 * high) : round(y1 * high), round(x0 * wide) : round(x1 * wide), :3]


DRAWERS = {
    "face": lambda seed: face(seed=seed),
    "back": lambda seed: art.blitz_back("plow", "sketcher", WIDTH_PX, random.Random(seed)),
    "own face": lambda seed: own(seed=seed),
    "own back": lambda seed: art.own_standard_back(4, WIDTH_PX, random.Random(seed)),
}


@pytest.mark.parametrize("name", DRAWERS)
def test_equal_seeds_draw_equal_cards_and_others_do_not(name: str) -> None:
    first, again, other = (DRAWERS[name](seed).image for seed in (5, 5, 6))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("name", DRAWERS)
def test_only_the_corners_are_transparent(name: str) -> None:
    card = DRAWERS[name](1)
    alpha = card.image[:, :, 3]
    high, wide = alpha.shape
    assert high == round(wide * card.height_mm / card.width_mm)
    assert (alpha[[0, 0, -1, -1], [0, -1, 0, -1]] == 0).all()
    assert alpha[0, wide // 2] == alpha[high // 2, 0] == 255
    radius_px = 3.0 * wide / card.width_mm
    missing = (255 - alpha.astype(float)).sum() / 255
    assert missing == pytest.approx((4 - np.pi) * radius_px**2, rel=0.12)


@pytest.mark.parametrize("style", art.FACE_STYLES)
@pytest.mark.parametrize("colour", BLITZ_COLOURS)
def test_the_ground_of_a_face_lies_in_its_colour_range(style: str, colour: Colour) -> None:
    low, high = np.min(INKS_RGB[colour], axis=0), np.max(INKS_RGB[colour], axis=0)
    for seed in range(3):
        card = face(f"{colour}3", style, seed=seed)
        beside_sign = cut(card, (0.30, 0.255, 0.34, 0.27)).reshape(-1, 3)
        ground_rgb = np.median(beside_sign, axis=0)[::-1]
        assert (ground_rgb >= low - 2).all() and (ground_rgb <= high + 2).all()


@pytest.mark.parametrize("style", art.FACE_STYLES)
def test_a_face_looks_the_same_upside_down(style: str) -> None:
    inside = face("green10", style, seed=2).image[8:-8, 8:-8, :3]
    image = cv2.blur(inside.astype(float), (7, 7))
    assert np.abs(image - image[::-1, ::-1]).mean() < 4


@pytest.mark.parametrize("typeface", art.TYPEFACES)
def test_the_number_fills_its_box_and_nothing_else_touches_it(typeface: str) -> None:
    for number in range(1, 11):
        card = face(f"yellow{number}", "orchard", typeface, seed=number)
        upper, lower = card.number_boxes
        assert lower == pytest.approx((1 - upper[2], 1 - upper[3], 1 - upper[0], 1 - upper[1]))
        dark = cut(card, upper).max(axis=2) < 90
        assert dark.any(axis=0).mean() > 0.7 and dark.any(axis=1).mean() > 0.9
        margin_x, margin_y = 0.02, 0.012
        around = (upper[0] - margin_x, upper[1] - margin_y, upper[2] + margin_x, upper[3] + margin_y)
        ring_dark = (cut(card, around).max(axis=2) < 90).sum() - dark.sum()
        assert ring_dark <= 0.12 * dark.sum()


@pytest.mark.parametrize("style", art.FACE_STYLES)
def test_numbers_have_the_height_of_real_ones(style: str) -> None:
    for seed in range(8):
        _, y0, _, y1 = face("blue5", style, seed=seed).number_boxes[0]
        assert 0.079 <= y1 - y0 <= 0.131


@pytest.mark.parametrize("typeface", art.TYPEFACES)
def test_all_digits_and_letters_of_a_typeface_differ(typeface: str) -> None:
    masks = {}
    for symbol in [*map(str, range(1, 11)), *"AJQKBDHVR"]:
        drawn = outline(typeface, symbol)
        mask = np.zeros((48, 48), np.uint8)
        scale = np.array([40 / drawn.width, 40 / drawn.height])
        cv2.fillPoly(mask, [np.round(p * scale + 4).astype(np.int32) for p in drawn.polygons], 1)
        masks[symbol] = mask
    for (_, one), (_, other) in combinations(masks.items(), 2):
        assert (one != other).mean() > 0.04


@pytest.mark.parametrize("typeface", art.TYPEFACES)
def test_six_has_its_bowl_below_and_nine_above(typeface: str) -> None:
    """A swapped 6 and 9 would train the reader to confuse them."""
    for symbol, bowl_below in (("6", True), ("9", False)):
        drawn = outline(typeface, symbol)
        counter = min(drawn.polygons[:], key=lambda p: abs(cv2.contourArea(p.astype(np.float32))))
        middle = counter[:, 1].mean() / drawn.height
        assert bool(middle > 0.5) is bowl_below


def test_the_twelve_backs_differ_and_are_not_the_same_upside_down() -> None:
    for hand in art.BACK_HANDS:
        backs = [art.blitz_back(d, hand, 80, random.Random(0)).image[:, :, :3].astype(float) for d in DECKS]
        for one, other in combinations(backs, 2):
            assert np.abs(one - other).mean() > 0.8
        for back in backs:
            assert np.abs(back - back[::-1, ::-1]).mean() > 1.0


@pytest.mark.parametrize("hand", art.BACK_HANDS)
def test_a_back_is_a_white_card_with_one_thin_drawing_in_the_middle(hand: str) -> None:
    for deck in DECKS:
        image = art.blitz_back(deck, hand, WIDTH_PX, random.Random(1)).image[:, :, :3]
        inked = np.abs(image.astype(int) - image[4, WIDTH_PX // 2].astype(int)).max(axis=2) > 40
        rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
        assert rows[0] > 0.2 * image.shape[0] and rows[-1] < 0.8 * image.shape[0]
        assert columns[0] > 0.04 * WIDTH_PX and columns[-1] < 0.96 * WIDTH_PX
        assert 0.004 < inked.mean() < 0.2


@pytest.mark.parametrize("style", art.INDEX_STYLES)
def test_standard_indices_are_inked_in_their_boxes(style: str) -> None:
    for text in ("AS", "10D", "QH", "KC", "2S", "JD"):
        card = own(text, style, seed=3)
        assert len(card.number_boxes) in (2, 4)
        for box in card.number_boxes:
            assert 0 <= box[0] < box[2] <= 1 and 0 <= box[1] < box[3] <= 1
            assert (cut(card, box).min(axis=2) < 130).mean() > 0.15


@pytest.mark.parametrize("number", range(2, 11))
def test_a_pip_card_shows_as_many_pips_as_its_number(number: int) -> None:
    card = art.own_standard_face(Card(number, Colour.DIAMONDS), "poker", "bicycle", 320, random.Random(9))
    inked = (card.image[:, :, :3].min(axis=2) < 130).astype(np.uint8)
    high, wide = inked.shape
    for x0, y0, x1, y1 in card.number_boxes:
        inked[int(y0 * high) - 2 : int(y1 * high) + 3, int(x0 * wide) - 2 : int(x1 * wide) + 3] = 0
    count, _ = cv2.connectedComponents(inked)
    assert count - 1 == number


def in_letters(text: str, letters: str | None) -> np.ndarray:
    return art.own_standard_face(Card.parse(text), "poker", "bicycle", 160, random.Random(4), letters).image


@pytest.mark.parametrize("letters", ["german", "dutch", "french"])
def test_the_letters_of_a_country_change_the_indices_of_its_courts_alone(letters: str) -> None:
    assert np.array_equal(in_letters("JC", None), in_letters("JC", "english"))
    changed = in_letters("JC", letters) != in_letters("JC", "english")
    rows, columns = np.nonzero(changed.any(axis=2))
    away = np.minimum(columns, 159 - columns)
    assert len(rows) and away.max() < 40
    assert np.array_equal(in_letters("7C", letters), in_letters("7C", "english"))


def test_letters_of_no_country_are_refused() -> None:
    with pytest.raises(ValueError, match="klingon"):
        in_letters("JC", "klingon")


def test_every_standard_card_can_be_drawn_and_differs() -> None:
    seen = {own(str(Card(n, suit))).image.tobytes() for suit in SUITS for n in range(1, 14)}
    assert len(seen) == 52


def test_own_backs_of_different_seeds_differ() -> None:
    backs = [art.own_standard_back(seed, 60, random.Random(0)) for seed in range(20)]
    assert len({back.image.tobytes() for back in backs}) == 20
    assert len({back.deck for back in backs}) == 20


ALL_NAMES = {
    "faces": art.FACE_STYLES,
    "typefaces": art.TYPEFACES,
    "hands": art.BACK_HANDS,
    "index_styles": tuple(art.INDEX_STYLES),
    "standard_backs": art.BACK_PATTERNS,
    "standard_decks": tuple(name for part in PACKAGE_SPLITS.values() for name in part),
}


@pytest.mark.parametrize("kind", art.SPLITS)
def test_splits_are_disjoint_and_leave_nothing_out(kind: str) -> None:
    parts = art.SPLITS[kind]
    assert set(parts) == {"train", "validation", "test"} and all(parts.values())
    every = [name for part in parts.values() for name in part]
    assert sorted(every) == sorted(ALL_NAMES[kind])


@pytest.mark.parametrize(
    "draw",
    [
        lambda: face("red7", style="nowhere"),
        lambda: face("red7", typeface="nowhere"),
        lambda: face("7H"),
        lambda: own("red7"),
        lambda: own(style="nowhere"),
        lambda: art.blitz_back("cart", "etcher", WIDTH_PX, random.Random(0)),
        lambda: art.blitz_back("pump", "nobody", WIDTH_PX, random.Random(0)),
    ],
)
def test_unknown_names_are_refused(draw) -> None:
    with pytest.raises(ValueError):
        draw()


def test_package_decks_are_found_only_where_their_sheets_lie(tmp_path: Path) -> None:
    assert art.standard_deck_names([tmp_path]) == []
    (tmp_path / "anglo.svgz").touch()
    assert art.standard_deck_names([tmp_path]) == ["gnome-anglo"]
    with pytest.raises(FileNotFoundError, match="prepare_standard_decks"):
        art.standard_face(Card.parse("QH"), "gnome-anglo", 100, random.Random(0), tmp_path / "cache")


@pytest.mark.skipif(
    not art.standard_deck_names(SYSTEM_FOLDERS[1:]), reason="the card sheets of kdegames are not installed"
)
def test_a_package_deck_is_rasterised_once_and_read_back(tmp_path: Path) -> None:
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    (sheets / "svg-standard").symlink_to(SYSTEM_FOLDERS[1] / "svg-standard")
    assert art.prepare_standard_decks([sheets], tmp_path / "cache") == ["kde-standard"]
    stamp = (tmp_path / "cache" / "kde-standard.png").stat().st_mtime_ns
    art.prepare_standard_decks([sheets], tmp_path / "cache")
    assert (tmp_path / "cache" / "kde-standard.png").stat().st_mtime_ns == stamp
    rng = random.Random(0)
    red, black = (
        art.standard_face(Card.parse(text), "kde-standard", 120, rng, tmp_path / "cache")
        for text in ("9H", "9S")
    )
    ink = cut(red, red.number_boxes[0]).reshape(-1, 3)
    assert (ink[:, 2].astype(int) - ink[:, 0] > 120).mean() > 0.1
    dark = cut(black, black.number_boxes[0]).max(axis=2)
    assert (dark < 90).mean() > 0.1
    assert art.standard_back("kde-standard", 120, rng, tmp_path / "cache").deck == "kde-standard"


def test_a_file_that_is_no_font_draws_no_cards(tmp_path: Path) -> None:
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    assert not art.draws_cards(tmp_path / "broken.ttf")
    assert not art.draws_cards(tmp_path / "missing.ttf")
