"""Backs and faces known by example: told apart in other light, unknown where it is not clear."""

from __future__ import annotations

import random
from functools import cache

import cv2
import numpy as np
import pytest

from datasets import art
from referee.cards import Card
from tests.vision.drawing import table, turned_box
from vision.enrolment import Exemplar, Gallery
from vision.likeness import BACK, FACE, FINE_PX, view
from vision.reader import Reader
from vision.reading import Eyes
from vision.types import Reading

BACKS = {"waves": 8, "rays": 46, "dots": 15, "lattice": 30}
"""Drawn backs of quite different patterns."""
NEW = Reading("back", confidence=0.6)


@cache
def fine(seed: int) -> np.ndarray:
    return flat(art.own_standard_back(seed, 256, random.Random(1)).image)


def flat(drawn: np.ndarray) -> np.ndarray:
    return cv2.resize(np.ascontiguousarray(drawn[..., :3]), FINE_PX, interpolation=cv2.INTER_AREA)


def face(text: str, typeface: str = "slab") -> np.ndarray:
    return flat(art.blitz_face(Card.parse(text), "harvest", typeface, 256, random.Random(2)).image)


@pytest.fixture(scope="module")
def reader(eyes: Eyes) -> Reader:
    return eyes.reader


def gallery(reader: Reader, *names: str) -> Gallery:
    return Gallery([Exemplar(name, fine(BACKS[name]), 200.0) for name in names], reader)


@pytest.fixture(scope="module")
def three(reader: Reader) -> Gallery:
    return gallery(reader, "waves", "rays", "dots")


def laid(card: np.ndarray, width: float = 90.0, angle: float = 20.0) -> tuple[np.ndarray, np.ndarray]:
    """A picture of a table with one card, and the card's corners."""
    quad = turned_box((160, 120), (width, width * 1.4), angle)
    picture = table((320, 240))
    height, across = card.shape[:2]
    corners = np.array([[0, 0], [across, 0], [across, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners - 0.5, quad - 0.5)
    small = cv2.warpPerspective(card, matrix, (320, 240), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((height, across), 255, np.uint8), matrix, (320, 240))
    picture[mask > 127] = small[mask > 127]
    return picture, quad


def test_enrolled_backs_are_told_apart_in_other_light(three: Gallery) -> None:
    rng = np.random.default_rng(77)
    assert three.backs is not None
    accepted = 0
    for name in three.decks:
        for match in three.backs.match([view(fine(BACKS[name]), rng, BACK) for _ in range(20)]):
            accepted += match.accepted
            assert not match.accepted or match.label == name
    assert accepted >= 40


def test_a_back_that_is_not_enrolled_is_not_named(three: Gallery) -> None:
    rng = np.random.default_rng(78)
    assert three.backs is not None
    strange = [view(fine(BACKS["lattice"]), rng, BACK) for _ in range(20)]
    assert sum(match.accepted for match in three.backs.match(strange)) <= 1


def test_the_same_drawing_in_another_colour_is_another_back(reader: Reader) -> None:
    card = fine(BACKS["rays"])
    hsv = cv2.cvtColor(card, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + 60) % 180
    other = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    both = Gallery([Exemplar("one", card, 200.0), Exemplar("two", other, 200.0)], reader)
    assert both.alike() == [] and both.backs is not None
    rng = np.random.default_rng(79)
    for name, drawn in (("one", card), ("two", other)):
        found = both.backs.match([view(drawn, rng, BACK) for _ in range(12)])
        assert {match.label for match in found if match.accepted} == {name}
    alone = Gallery([Exemplar("one", card, 200.0)], reader)
    assert alone.backs is not None
    assert not any(match.accepted for match in alone.backs.match([view(other, rng, BACK) for _ in range(12)]))


def test_one_back_under_two_names_is_alike_and_never_named(reader: Reader) -> None:
    card = fine(BACKS["dots"])
    twins = Gallery([Exemplar("mine", card, 200.0), Exemplar("yours", card, 200.0)], reader)
    assert twins.alike() == [("mine", "yours")] and twins.backs is not None
    rng = np.random.default_rng(80)
    found = twins.backs.match([view(card, rng, BACK) for _ in range(12)])
    assert sum(match.accepted for match in found) <= 1
    assert all(match.near for match in found[:1])


def test_a_deck_that_was_removed_is_not_named_any_more(reader: Reader, three: Gallery) -> None:
    without = gallery(reader, "waves", "dots")
    picture, quad = laid(fine(BACKS["rays"]))
    assert three.answer(picture, [quad], [NEW])[0].deck == "rays"
    assert without.answer(picture, [quad], [NEW])[0].deck is None


@pytest.mark.parametrize("turn", [0, 2])
@pytest.mark.parametrize("width", [62.0, 110.0])
def test_a_card_on_a_table_is_named_either_way_up(three: Gallery, turn: int, width: float) -> None:
    for name in three.decks:
        picture, quad = laid(fine(BACKS[name]), width, 35.0)
        (answer,) = three.answer(picture, [np.roll(quad, turn, axis=0)], [NEW])
        assert (answer.side, answer.deck) == ("back", name)
        assert 0.5 < answer.confidence <= 0.99


def test_a_card_that_could_not_be_read_at_all_may_be_an_enrolled_back(three: Gallery) -> None:
    picture, quad = laid(fine(BACKS["waves"]))
    assert three.answer(picture, [quad], [Reading(None)])[0].deck == "waves"


def test_a_narrow_card_and_a_face_keep_their_reading(three: Gallery) -> None:
    picture, quad = laid(fine(BACKS["waves"]), 30.0)
    assert three.answer(picture, [quad], [NEW]) == [NEW]
    read = Reading("face", 7, "red", confidence=0.8)
    picture, quad = laid(fine(BACKS["waves"]))
    assert three.answer(picture, [quad], [read]) == [read]


def test_a_back_that_the_reader_knows_apart_is_not_taken_for_the_enrolled_one(three: Gallery) -> None:
    picture, quad = laid(fine(BACKS["rays"]))
    known = Reading("back", deck="pump", confidence=0.97)
    # No view of the enrolled back is read as a pump: then the card is neither.
    assert three.answer(picture, [quad], [known])[0].deck is None
    pump = art.blitz_back("pump", "etcher", 256, random.Random(3)).image[..., :3]
    far, corners = laid(pump)
    assert three.answer(far, [corners], [known]) == [known]


CARDS = [f"{colour}{number}" for colour in ("red", "blue") for number in (1, 3, 6, 7, 9, 10)]


@pytest.fixture(scope="module")
def known_faces(reader: Reader) -> Gallery:
    return Gallery([Exemplar("ours", face(text), 150.0, Card.parse(text)) for text in CARDS], reader)


def test_a_face_that_was_not_read_is_known_by_example(known_faces: Gallery) -> None:
    rng = np.random.default_rng(81)
    assert known_faces.faces is not None and known_faces.backs is None
    right = 0
    for text in CARDS:
        for match in known_faces.faces.match([view(face(text), rng, FACE) for _ in range(6)]):
            right += match.accepted
            assert not match.accepted or match.label == Card.parse(text)
    assert right >= 0.4 * 6 * len(CARDS)


def test_a_face_is_answered_with_its_runner_up_kept(known_faces: Gallery) -> None:
    picture, quad = laid(face("red9"), 110.0, 5.0)
    six, nine = Card.parse("red6"), Card.parse("red9")
    unread = Reading("face", None, "red", confidence=0.5, alternatives=((six, 0.5), (nine, 0.4)))
    (answer,) = known_faces.answer(picture, [quad], [unread])
    assert answer.card == nine and answer.alternatives == ((six, 0.5),)
    (answer,) = known_faces.answer(picture, [quad], [Reading("face", 6, "red", confidence=0.7)])
    assert answer.card == nine and answer.alternatives[0][0] == six
    (answer,) = known_faces.answer(picture, [quad], [Reading("face", 9, "red", confidence=0.7)])
    assert answer.card == nine and answer.confidence >= 0.7


def test_nothing_is_learnt_of_nothing(reader: Reader) -> None:
    empty = Gallery([], reader)
    picture, quad = laid(fine(BACKS["waves"]))
    assert empty.answer(picture, [quad], [NEW]) == [NEW]
    assert (empty.decks, empty.alike(), empty.learn()) == ((), [], 0)


def test_what_is_learnt_depends_on_the_examples_alone(reader: Reader, three: Gallery) -> None:
    again = gallery(reader, "waves", "rays", "dots")
    picture, quad = laid(fine(BACKS["dots"]))
    assert again.answer(picture, [quad], [NEW]) == three.answer(picture, [quad], [NEW])
