"""Light, glare, sharpness and steadiness of pictures that were made good or bad on purpose."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.light import Light, expose
from datasets.scene import Scene
from tests.datasets.worlds import world
from tests.vision.drawing import grainy
from vision.health import (
    flicker_over,
    glare_on,
    inside,
    is_black,
    light_on,
    shake_over,
    sharpness_at,
)

GOOD = Light(kelvin=5000, balance=0.9, noise=0.0, jpeg=92, blur_px=0.4)


def photo(light: Light = GOOD, seed: int = 3) -> Scene:
    """A round on a table under this light."""
    rng = np.random.default_rng(seed)
    # A world of its own: one that other tests have used may hold other decks.
    return world.__wrapped__().photo(
        rng, (960, 540), card_width_px=60, layout="round", light=light, max_tilt_deg=10, clutter=False
    )


def whole(image: np.ndarray) -> np.ndarray:
    return inside(image.shape, None)


def edges(scene: Scene) -> np.ndarray:
    quads = np.stack([card.quad for card in scene.cards if card.visible > 0.9])
    return np.stack([quads, np.roll(quads, -1, axis=1)], axis=2).reshape(-1, 2, 2)


def test_black_is_black_and_dark_is_not() -> None:
    image = photo().image
    assert is_black(image // 30) and not is_black(image // 4)


def test_the_inside_of_a_polygon() -> None:
    mask = inside((40, 60, 3), ((10, 5), (49, 5), (49, 34), (10, 34)))
    assert mask[20, 30] and not mask[20, 5] and not mask[38, 30]
    assert mask.sum() == pytest.approx(40 * 30, rel=0.01)


def test_the_white_of_things_follows_the_exposure() -> None:
    whites = [
        light_on(s.image, whole(s.image)).white
        for s in (photo(replace(GOOD, exposure=e)) for e in (0.08, 0.3, 1))
    ]
    assert whites[0] < 85 < whites[1] < 150 < whites[2]


def test_too_bright_a_picture_is_clipped() -> None:
    good, bright = (photo(replace(GOOD, exposure=e)).image for e in (1.0, 2.4))
    assert light_on(good, whole(good)).clipped < 0.005
    assert light_on(bright, whole(bright)).clipped > 0.01


def test_noise_is_measured() -> None:
    image = photo().image
    for noise in (2.0, 9.0):
        # Three colours are averaged into one grey, with weights whose squares sum to 0.448.
        measured = light_on(grainy(image, noise, 1), whole(image)).noise
        assert measured == pytest.approx(noise * np.sqrt(0.448), rel=0.35)


@pytest.mark.parametrize(
    "light",
    [
        replace(GOOD, field=((0.05, 0.05, 0.3, 2.5),)),
        replace(GOOD, shadow=(0.3, 0.0, 0.03, 0.65)),
    ],
    ids=["a lamp at one end", "a hard shadow"],
)
def test_uneven_light_is_measured(light: Light) -> None:
    even = np.full((540, 960, 3), (70, 110, 80), np.uint8)
    lit = expose(even, light, np.random.default_rng(1))
    assert light_on(even, whole(even)).uneven == pytest.approx(1.0)
    assert light_on(lit, whole(lit)).uneven > 2.5


def test_a_mirrored_lamp_is_found_where_it_is_and_white_cards_are_none() -> None:
    for seed in (1, 2, 3):
        calm = photo(seed=seed)
        assert glare_on(calm.image, whole(calm.image), calm.px_per_mm).patches == ()
        glaring = photo(replace(GOOD, glare=((0.3, 0.25, 0.06, 1.0),)), seed=seed)
        glare = glare_on(glaring.image, whole(glaring.image), glaring.px_per_mm)
        assert glare.patches and 0 < glare.share < 0.1
        x, y, width = glare.patches[0]
        assert np.hypot(x - 0.3 * 960, y - 0.25 * 960) < 40
        assert 25 < width < 140


def test_glare_outside_the_table_does_not_count() -> None:
    glaring = photo(replace(GOOD, glare=((0.3, 0.25, 0.06, 1.0),)))
    right = inside(glaring.image.shape, ((480, 0), (959, 0), (959, 539), (480, 539)))
    assert glare_on(glaring.image, right, glaring.px_per_mm).patches == ()


@pytest.mark.parametrize("blur_px", [0.8, 2.0])
def test_blur_is_measured_in_pixels(blur_px: float) -> None:
    measured = []
    for seed in (2, 3, 4, 5):
        scene = photo(replace(GOOD, blur_px=0.0), seed)
        found = sharpness_at(cv2.GaussianBlur(scene.image, (0, 0), blur_px), edges(scene), 6.0)
        assert found is not None and found.worst < 1.5 * found.best
        measured.append(found.best)
    # Print near the rim makes single tables look sharper than they are.
    assert np.median(measured) == pytest.approx(np.hypot(blur_px, 0.45), rel=0.3)


def test_a_smear_shows_in_one_direction_only() -> None:
    scene = photo(replace(GOOD, blur_px=0.0))
    smeared = cv2.blur(scene.image, (9, 1))
    measured = sharpness_at(smeared, edges(scene), 7.0)
    assert measured is not None
    assert measured.worst > 1.8 * measured.best
    assert measured.best < 1.3


def test_without_edges_no_sharpness_is_claimed() -> None:
    plain = np.full((200, 300, 3), 90, np.uint8)
    box = np.array([[50, 50], [150, 50], [150, 150], [50, 150]], float)
    assert sharpness_at(plain, np.stack([box, np.roll(box, -1, axis=0)], axis=1), 5.0) is None
    assert sharpness_at(plain, np.zeros((0, 2, 2)), 5.0) is None


def film(change: str) -> list[np.ndarray]:
    """Twelve frames at 30 Hz of one table, with noise and a hand that moves over it."""
    image = photo().image
    frames = []
    for number in range(12):
        frame = image.astype(np.float32)
        rows = np.arange(frame.shape[0])[:, None, None] / frame.shape[0]
        if change == "lamp":
            frame = frame * (1 + 0.06 * np.sin(2 * np.pi * 10 * number / 30))
        elif change == "bands":
            frame = frame * (1 + 0.08 * np.sin(2 * np.pi * (2 * rows + 10.7 * number / 30)))
        elif change == "shake":
            shift = np.array([[1, 0, 2.5 * (-1) ** number], [0, 1, 1.0 * (number % 3)]], np.float32)
            frame = cv2.warpAffine(frame, shift, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        frame[100:400, 40 * number : 40 * number + 120] = (120, 150, 200)
        frames.append(grainy(frame, 2.0, number))
    return frames


def test_flicker_bands_and_shaking_are_told_apart() -> None:
    still, lamp, bands, shake = (film(change) for change in ("none", "lamp", "bands", "shake"))
    assert flicker_over(still).whole < 0.005 and flicker_over(still).bands < 0.01
    assert flicker_over(lamp).whole > 0.02 and flicker_over(lamp).bands < 0.01
    assert flicker_over(bands).bands > 0.02
    assert shake_over(still) < 0.3 and shake_over(lamp) < 0.3
    assert shake_over(shake) == pytest.approx(np.hypot(5, 1), rel=0.3)


def test_too_few_frames_show_no_change() -> None:
    image = photo().image
    assert flicker_over([image]).whole == flicker_over([image, image]).bands == 0.0
    assert shake_over([image]) == 0.0
