"""What was shown: backs apart from faces, and faces named by elimination only where that is certain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.showing import Look, agrees, backs_and_faces, by_elimination
from referee.cards import BLITZ_COLOURS, SUITS, Card
from tests.vision.drawing import turned_box
from vision.types import Reading

CROP = np.zeros((272, 192, 3), np.uint8)
BLITZ = [Card(number, colour) for colour in BLITZ_COLOURS for number in range(1, 11)]
STANDARD = [Card(number, suit) for suit in SUITS for number in range(1, 14)]
RED = BLITZ[:10]


def face(card: Card | None, picture: int = 0, number: int | None = None, colour: str | None = None) -> Look:
    """A face that was read as `card`, or of which no more than number or colour was read."""
    if card is not None:
        return Look(
            picture, CROP, 100.0, Reading("face", card.number, str(card.colour), confidence=0.97), card
        )
    return Look(picture, CROP, 100.0, Reading("face", number, colour, confidence=0.5))


def cards(looks: list[Look]) -> list[Card | None]:
    return [look.card for look in looks]


@pytest.mark.parametrize("deck", [BLITZ, STANDARD], ids=["blitz", "standard"])
def test_the_one_unread_card_of_a_whole_deck_is_the_missing_one(deck: list[Card]) -> None:
    looks = [face(card) for card in deck]
    looks[17] = face(None)
    assert cards(by_elimination(looks)) == deck


def test_the_missing_card_of_a_suit_is_told_but_not_of_a_few_cards() -> None:
    assert cards(by_elimination([*map(face, RED[:9]), face(None, colour="red")])) == RED
    assert by_elimination([*map(face, RED[:8]), face(None)])[-1].card is None
    assert by_elimination([*map(face, [*RED[:8], BLITZ[12]]), face(None)])[-1].card is None


def test_two_unread_cards_are_told_only_as_far_as_what_was_read_of_them_decides() -> None:
    left = [face(card) for card in BLITZ if card not in (BLITZ[4], BLITZ[25])]
    by_colour = by_elimination([*left, face(None, colour="green"), face(None)])
    assert cards(by_colour)[-2:] == [BLITZ[25], BLITZ[4]]
    assert cards(by_elimination([*left, face(None), face(None)]))[-2:] == [None, None]


def test_nothing_is_told_where_a_reading_must_be_wrong() -> None:
    one_twice = [face(card) for card in [*RED[:8], RED[0]]]
    assert by_elimination([*one_twice, face(None)])[-1].card is None
    against = [*map(face, RED[:9]), face(None, number=3)]
    assert by_elimination(against)[-1].card is None


def test_pictures_of_one_card_each_are_one_spread_and_several_spreads_are_not() -> None:
    singles = [face(card, picture) for picture, card in enumerate(RED[:9])]
    assert by_elimination([*singles, face(None, 9)])[-1].card == RED[9]
    halves = [face(card, index // 5) for index, card in enumerate(RED[:9])]
    assert by_elimination([*halves, face(None, 1)])[-1].card is None


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_elimination_never_names_a_card_wrongly(data: st.DataObject) -> None:
    deck = data.draw(st.sampled_from([BLITZ, STANDARD, RED]))
    unread = data.draw(st.sets(st.integers(0, len(deck) - 1), max_size=5))
    dropped = data.draw(st.sets(st.integers(0, len(deck) - 1), max_size=1))
    looks, true = [], []
    for index, card in enumerate(deck):
        if index in dropped:
            continue
        true.append(card)
        if index in unread:
            number = card.number if data.draw(st.booleans()) else None
            colour = str(card.colour) if data.draw(st.booleans()) else None
            looks.append(face(None, number=number, colour=colour))
        else:
            looks.append(face(card))
    told = cards(by_elimination(looks))
    assert all(said in (None, right) for said, right in zip(told, true, strict=True))
    if dropped:
        assert told == cards(looks)
    elif len(unread) == 1:
        assert told == true


def test_what_cannot_be_read_is_a_back_only_where_no_face_is_shown() -> None:
    strange = Look(0, CROP, 100.0, Reading(None))
    back = Look(0, CROP, 100.0, Reading("back"))
    assert backs_and_faces([strange, back]) == ([back, strange], [])
    backs, faces = backs_and_faces([strange, back, face(RED[0])])
    assert backs == [back] and cards(faces) == [RED[0], None]


def test_an_unsure_face_and_one_that_lies_twice_in_a_picture_are_not_known() -> None:
    unsure = Look(0, CROP, 100.0, Reading("face", 3, "red", confidence=0.7))
    _, faces = backs_and_faces([unsure, face(RED[5]), face(RED[5]), face(RED[6]), face(RED[6], 1)])
    assert cards(faces) == [None, None, None, RED[6], RED[6]]


def test_outlines_agree_wherever_they_begin_and_not_where_one_is_the_inner_frame() -> None:
    quad = turned_box((300, 300), (100, 140), 30)
    assert agrees(quad, [turned_box((900, 300), (100, 140), 30), np.roll(quad, 2, axis=0)[::-1] + 1])
    assert not agrees(quad, [turned_box((300, 300), (84, 122), 30)])
    assert not agrees(quad, [])
