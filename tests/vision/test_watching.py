"""A table over time, where what lies still must be told from arms that lie still."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.vision.drawing import fill, grainy, table, turned_box
from vision.sights import Shifted, Sight
from vision.types import Detection, Frame, Reading, SeenCard
from vision.watching import TableWatch

SIZE, CARD, SKIN = (640, 360), (40.0, 57.0), (140, 170, 214)
FPS = 15.0
BEFORE, AFTER = (230.0, 200.0), (270.0, 200.0)


class OneCard:
    """Eyes that know where the only card lies; one of its ends may lie under a hand."""

    def __init__(self) -> None:
        self.at = BEFORE
        self.one_end = False
        self.finder = SimpleNamespace(
            find=lambda image: [Detection(turned_box(self.at, CARD, 0), "face", 0.9)]
        )

    def read_found(
        self, image: np.ndarray, found: Sequence[Detection], *, both_ends: bool = False
    ) -> list[SeenCard]:
        sure = Reading("face", 9, "blue", confidence=0.5 if both_ends and self.one_end else 0.999)
        return [SeenCard(card, sure) for card in found]


def pushed_beside(eyes: OneCard) -> list[Sight]:
    """An arm pushes the card aside and rests touching it for three seconds."""
    watch, sights, frame = TableWatch(eyes), [], 0  # type: ignore[arg-type]

    def look(picture: np.ndarray) -> None:
        nonlocal frame
        sights.extend(watch.process(Frame(grainy(picture, 2.0, frame), frame, frame / FPS)))
        frame += 1

    def shown(arm_x: float | None) -> np.ndarray:
        picture = fill(table(SIZE), turned_box(eyes.at, CARD, 0), (240, 240, 240))
        picture = fill(picture, turned_box(eyes.at, (18, 30), 0), (200, 60, 40))
        if arm_x is not None:
            cv2.line(picture, (round(arm_x), 390), (round(arm_x), 200), SKIN, 46)
        return picture

    for _ in range(round(2 * FPS)):
        look(shown(None))
    for x in np.linspace(BEFORE[0], AFTER[0], 12):
        eyes.at = (float(x), AFTER[1])
        look(shown(x + 44))
    for _ in range(round(3 * FPS)):
        look(shown(AFTER[0] + 44))
    return sights


@pytest.mark.parametrize("one_end", [False, True])
def test_a_card_beside_a_resting_arm_is_told_only_if_both_ends_can_be_read(one_end: bool) -> None:
    eyes = OneCard()
    eyes.one_end = one_end
    moved = [sight for sight in pushed_beside(eyes) if isinstance(sight, Shifted)]
    assert [sight.at for sight in moved] == ([] if one_end else [pytest.approx(AFTER, abs=1.0)])
