"""What many looks at one card say together."""

from __future__ import annotations

import numpy as np
import pytest

from referee.cards import Card
from vision.tracks import MOST_READINGS, Track, vote
from vision.types import Reading

QUAD = np.array([[0, 0], [60, 0], [60, 86], [0, 86]], np.float32)
UNREAD_FACE = Reading("face", None, "green", confidence=0.99)


def green(number: int, confidence: float) -> Reading:
    return Reading("face", number, "green", confidence=confidence)


def test_looks_that_gave_no_card_do_not_outvote_those_that_did() -> None:
    told = vote([UNREAD_FACE] * 6 + [green(4, 0.98)] * 5)
    assert told.card == Card.parse("green4")
    assert told.confidence > 0.8


@pytest.mark.parametrize("looks", [[green(8, 0.8), UNREAD_FACE, UNREAD_FACE], [green(6, 0.9), green(9, 0.9)]])
def test_one_look_among_unread_ones_or_looks_that_disagree_are_no_sure_reading(looks: list[Reading]) -> None:
    told = vote(looks)
    assert told.card is None or told.confidence <= 0.8


def test_two_looks_alone_are_never_sure_enough_for_a_foul() -> None:
    assert vote([green(8, 0.999)] * 2).confidence < 0.99 <= vote([green(8, 0.999)] * 3).confidence


def test_looks_that_hold_it_for_another_card_leave_a_reading_in_doubt() -> None:
    six, five = Card.parse("green6"), Card.parse("green5")
    read = Reading("face", 6, "green", confidence=0.84, alternatives=((five, 0.1),))
    unread = Reading("face", None, "green", confidence=0.99, alternatives=((five, 0.49), (six, 0.43)))
    told = vote([read] * 3 + [unread] * 6 + [green(5, 0.9)] * 2)
    assert told.card is None
    assert {card for card, _ in told.alternatives} == {five, six}
    assert vote([read] * 5 + [unread]).confidence < vote([read] * 6).confidence


def test_looks_that_favour_a_card_but_hold_it_for_unreadable_give_none() -> None:
    unread = Reading("face", None, "red", confidence=0.98, alternatives=((Card.parse("red5"), 0.42),))
    assert vote([unread] * 12).card is None
    assert vote([unread] * 9 + [Reading("face", 2, "red", confidence=0.64)]).card is None


def test_what_else_it_may_be_is_told_by_all_looks() -> None:
    five = Card.parse("green5")
    told = vote(
        [Reading("face", 6, "green", confidence=0.9, alternatives=((five, 0.08),))] * 2 + [green(6, 0.99)]
    )
    assert told.card == Card.parse("green6")
    ((other, p),) = told.alternatives
    assert other == five and 0.05 < p < 0.06


def test_a_card_read_late_replaces_the_looks_that_gave_nothing() -> None:
    track = Track(QUAD, "face", 0, 0.0, 0.0)
    for look in range(MOST_READINGS):
        track.read(UNREAD_FACE, 0.1 * look)
    for look in range(MOST_READINGS):
        track.read(green(4, 0.97), 2 + 0.1 * look)
    assert track.reading().card == Card.parse("green4")
    assert track.reading().confidence > 0.97
    assert len(track.readings) == MOST_READINGS
