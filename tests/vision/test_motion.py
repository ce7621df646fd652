"""What moves over the table: arms are told from cards, light and shadows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.drawing import fill, grainy, table, turned_box
from vision.motion import Motion, MotionWatch

SIZE = (640, 360)
FPS = 15.0
SKIN = (140, 170, 214)
CLOTH = (60, 110, 60)
CARD = (40.0, 57.0)


class Film:
    """Frames with sensor noise, looked at one after another."""

    def __init__(self, noise: float = 2.0) -> None:
        self.watch = MotionWatch()
        self.table = table(SIZE, CLOTH)
        self.noise = noise
        self.frame = 0

    def put(self, at: tuple[float, float], angle: float = 0.0) -> None:
        self.table = fill(self.table, turned_box(at, CARD, angle), (240, 240, 240))
        self.table = fill(self.table, turned_box(at, (18, 30), angle), (40, 40, 200))

    def look(self, picture: np.ndarray | None = None) -> Motion:
        shown = grainy(self.table if picture is None else picture, self.noise, self.frame)
        motion = self.watch.look(shown, self.frame / FPS)
        self.frame += 1
        return motion

    def still(self, seconds: float) -> list[Motion]:
        return [self.look() for _ in range(round(seconds * FPS))]

    def with_arm(self, entry: tuple[float, float], tip: tuple[float, float]) -> Motion:
        start, end = (tuple(round(v) for v in point) for point in (entry, tip))
        return self.look(cv2.line(self.table.copy(), start, end, SKIN, 46))


def hidden_at(motion: Motion, at: tuple[float, float]) -> bool:
    x, y = (round(v * motion.scale) for v in at)
    return bool(motion.hidden[y - 2 : y + 3, x - 2 : x + 3].mean() > 0.2)


ENTRIES = {
    "left": ((-30, 180), lambda x, y: x < 8),
    "right": ((670, 150), lambda x, y: x > 632),
    "top": ((320, -30), lambda x, y: y < 8),
    "bottom": ((400, 390), lambda x, y: y > 352),
}


@pytest.mark.parametrize("side", ENTRIES)
def test_one_arm_enters_from_its_side_and_reaches_the_place(side: str) -> None:
    entry, on_side = ENTRIES[side]
    film = Film()
    film.still(1.0)
    tip = (300.0, 190.0)
    for share in np.linspace(0.3, 1.0, 6):
        motion = film.with_arm(entry, tuple(np.array(entry) + (np.array(tip) - entry) * share))
    (arm,) = motion.arms
    assert on_side(*arm.entry)
    assert np.hypot(arm.tip[0] - tip[0], arm.tip[1] - tip[1]) < 30
    assert hidden_at(motion, tip)
    assert motion.moving and not motion.relit
    assert not hidden_at(motion, (100.0, 60.0))


def test_two_arms_at_once_are_two() -> None:
    film = Film()
    film.still(1.0)
    for share in np.linspace(0.4, 1.0, 5):
        picture = cv2.line(film.table.copy(), (-30, 100), (round(220 * share), 130), SKIN, 40)
        cv2.line(picture, (670, 250), (round(670 - 250 * share), 240), SKIN, 40)
        motion = film.look(picture)
    assert len(motion.arms) == 2
    assert sorted(arm.entry[0] > 320 for arm in motion.arms) == [False, True]


def test_a_laid_card_soon_belongs_to_the_table() -> None:
    film = Film()
    film.still(1.0)
    for share in np.linspace(0.3, 1.0, 5):
        film.with_arm((-30, 180), (300 * share, 190))
    film.put((300, 190), 20)
    film.with_arm((-30, 180), (200, 185))
    film.with_arm((-30, 180), (60, 182))
    film.still(0.6)
    after = film.still(1.0)
    assert not any(m.arms for m in after)
    assert not any(hidden_at(m, (300, 190)) for m in after)
    assert not after[-1].moving


def test_an_arm_that_rests_on_the_table_stays_an_arm() -> None:
    film = Film()
    film.still(1.0)
    looks = [film.with_arm((-30, 180), (300, 190)) for _ in range(round(4 * FPS))]
    assert all(len(m.arms) == 1 and hidden_at(m, (300, 190)) for m in looks[1:])


def test_a_still_table_is_still() -> None:
    film = Film(noise=4.0)
    film.put((200, 120))
    film.still(0.2)
    looks = film.still(3.0)
    assert not any(m.moving or m.relit or m.arms or m.hidden.any() for m in looks)


@pytest.mark.parametrize("gain", [0.75, 0.9, 1.15, 1.3])
def test_an_exposure_step_hides_nothing(gain: float) -> None:
    film = Film()
    for at in ((120, 90), (300, 200), (500, 120)):
        film.put(at)
    film.still(1.0)
    film.table = np.clip(film.table.astype(np.float32) * gain, 0, 255).astype(np.uint8)
    looks = film.still(2.0)
    assert not any(m.arms for m in looks)
    assert max(float(m.hidden.mean()) for m in looks) < 0.05
    assert not looks[-1].hidden.any()


def test_a_light_switched_off_and_on_is_told() -> None:
    film = Film()
    film.put((300, 200))
    film.still(1.0)
    lit = film.table
    film.table = (lit * 0.08).astype(np.uint8)
    off = film.still(1.0)
    film.table = lit
    on = film.still(1.5)
    assert any(m.relit for m in off)
    assert all(m.hidden.all() for m in off if m.relit)
    assert not any(m.arms for m in [*off, *on])
    assert not on[-1].hidden.any() and not on[-1].relit


def test_the_first_look_judges_nothing() -> None:
    first = Film().look()
    assert first.relit and not first.hidden.any() and first.arms == ()


@pytest.mark.parametrize("depth", [0.1, 0.18])
def test_a_soft_shadow_that_wanders_over_the_table_is_no_arm(depth: float) -> None:
    film = Film()
    for at in ((120, 90), (300, 200), (500, 120)):
        film.put(at)
    film.still(1.0)
    x = np.arange(SIZE[0], dtype=np.float32)
    for step in range(45):
        edge = -60 + 16 * step
        dark = 1 - depth * np.exp(-(((x - edge) / 90) ** 2))
        motion = film.look((film.table * dark[None, :, None]).astype(np.uint8))
        assert motion.arms == ()
        assert not motion.relit
    after = film.still(1.5)
    assert not after[-1].hidden.any()


@pytest.mark.parametrize("size", [(320, 240), (640, 360), (1920, 1080)])
def test_places_are_told_in_the_pixels_of_the_picture(size: tuple[int, int]) -> None:
    watch = MotionWatch()
    plain = table(size, CLOTH)
    for frame in range(10):
        watch.look(plain, frame / FPS)
    tip = (round(size[0] * 0.45), round(size[1] * 0.5))
    motion = watch.look(cv2.line(plain.copy(), (-20, tip[1]), tip, SKIN, round(size[0] * 0.07)), 10 / FPS)
    (arm,) = motion.arms
    assert abs(arm.tip[0] - tip[0]) < 0.06 * size[0] and abs(arm.tip[1] - tip[1]) < 0.06 * size[0]
    assert motion.hidden.shape[1] == 480


def test_when_a_moving_cloth_is_taken_away_the_table_is_judged_again_at_once() -> None:
    film = Film()
    film.put((300, 180))
    film.still(3.0)
    cloth = np.full((SIZE[1], SIZE[0], 3), (60, 80, 100), np.uint8)
    cloth[:, ::16] = (150, 150, 170)
    for step in range(round(5 * FPS)):
        film.look(np.roll(cloth, 3 * step, axis=1))
    after = film.still(1.0)[-1]
    assert after.arms == ()
    assert after.hidden.mean() < 0.05


@pytest.mark.parametrize("gain", [0.72, 1.35])
def test_a_shadow_that_came_or_went_under_an_arm_is_no_arm(gain: float) -> None:
    film = Film()
    for at in ((120, 90), (300, 200), (500, 120)):
        film.put(at)
    film.still(1.0)
    film.with_arm((-30, 180), (300, 190))
    lit = film.table.astype(np.float32)
    lit[100:260, :380] *= gain
    film.table = np.clip(lit, 0, 255).astype(np.uint8)
    for _ in range(6):
        film.with_arm((-30, 180), (300, 190))
    after = film.still(1.2)
    assert not after[-1].hidden.any() and after[-1].arms == ()


def test_an_arm_as_grey_as_the_table_that_works_on_it_stays_an_arm() -> None:
    film = Film()
    film.table = table(SIZE, (120, 120, 120))
    film.still(1.0)
    for step in range(60):
        tip = (260 + 14 * (step % 4), 180 + 9 * (step % 3))
        start = (-30, 180)
        motion = film.look(cv2.line(film.table.copy(), start, tip, (92, 92, 92), 46))
        assert step == 0 or (len(motion.arms) == 1 and hidden_at(motion, (150, 180)))


def test_cards_on_the_border_are_no_arm_once_the_camera_is_known_to_have_moved() -> None:
    film = Film()
    for x in range(60, 620, 50):
        film.put((x, 10))
    film.still(1.0)
    film.table = cv2.warpAffine(
        film.table, np.array([[1.0, 0.04, 6.0], [-0.04, 1.0, 9.0]]), SIZE, borderMode=cv2.BORDER_REFLECT
    )
    hung = film.still(0.6)
    assert hung[-1].arms and hung[-1].hidden.any()
    film.watch.moved()
    after = [film.with_arm((670, 300), (560 - 14 * (step % 3), 290)) for step in range(12)]
    assert [len(m.arms) for m in after[2:]] == [1] * 10
    assert not any(hidden_at(m, (x, 10)) for m in after[2:] for x in (60, 210, 310))


BESIDE = (300.0, 200.0)


def beside_a_resting_arm() -> Film:
    """A card is pushed to a place, and the arm rests touching it."""
    film = Film()
    film.still(1.0)
    for x in np.linspace(500, BESIDE[0], 8):
        picture = fill(film.table.copy(), turned_box((float(x), BESIDE[1]), CARD, 0), (240, 240, 240))
        film.look(cv2.line(picture, (round(x) + 40, 390), (round(x) + 40, 200), SKIN, 46))
    film.put(BESIDE)
    for _ in range(round(1.8 * FPS)):
        film.with_arm((BESIDE[0] + 40, 390.0), (BESIDE[0] + 40, 200.0))
    return film


def test_a_card_left_beside_a_resting_arm_can_be_let_go() -> None:
    film = beside_a_resting_arm()
    arm = (BESIDE[0] + 40, 390.0), (BESIDE[0] + 40, 200.0)
    motion = film.with_arm(*arm)
    place = turned_box(BESIDE, CARD, 0) * motion.scale
    assert hidden_at(motion, (BESIDE[0] - 8, BESIDE[1])) and film.watch.holds(place)
    film.watch.let_go(place)
    motion = film.with_arm(*arm)
    assert not hidden_at(motion, (BESIDE[0] - 8, BESIDE[1])) and not film.watch.holds(place)
    assert hidden_at(motion, (BESIDE[0] + 40, 300.0)) and motion.arms


def test_a_moving_arm_and_a_bare_table_hold_no_card() -> None:
    film = Film()
    film.still(1.5)
    place = turned_box((300.0, 200.0), CARD, 0) * film.look().scale
    assert not film.watch.holds(place)
    for y in np.linspace(330, 200, 6):
        film.with_arm((300.0, 390.0), (300.0, float(y)))
    assert not film.watch.holds(place)
