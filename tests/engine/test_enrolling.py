"""Decks enrolled from pictures with the trained eyes: known afterwards, added to, replaced, forgotten."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from datasets import art
from engine.enrolling import HouseholdEyes, enrol, enrol_photographs, load_gallery
from engine.household import EnrolmentError, Household
from engine.showing import Shown
from referee.cards import Card
from tests.datasets.shown import BACKS, back_art, picture_of
from vision.reading import Eyes

RED = [Card.parse(f"red{number}") for number in range(1, 11)]


@cache
def back(name: str, light: float = 1.0) -> np.ndarray:
    return picture_of([back_art(BACKS[name])], light=light)


def face_art(card: Card) -> np.ndarray:
    return art.blitz_face(card, "harvest", "slab", 256, random.Random(2)).image


@pytest.fixture
def household(tmp_path: Path) -> Household:
    return Household(tmp_path / "house")


def decks_read(eyes: Eyes, picture: np.ndarray) -> list[str | None]:
    return [card.reading.deck for card in eyes.read_still(picture)]


def test_a_back_shown_once_is_known_from_then_on_and_forgotten_when_removed(
    household: Household, eyes: Eyes
) -> None:
    for name in BACKS:
        enrolled = enrol_photographs([back(name)], name, household, eyes)
        assert (enrolled.deck, enrolled.backs, enrolled.faces, enrolled.alike) == (name, 1, (), ())
    known = Eyes(eyes.finder, eyes.reader, load_gallery(household.folder, eyes.reader))
    spread = picture_of([back_art(BACKS[name]) for name in BACKS], width=100, cloth=(40, 70, 120), light=0.7)
    assert decks_read(eyes, spread) == [None] * 3
    assert decks_read(known, spread) == list(BACKS)
    household.remove("gold")
    fewer = Eyes(eyes.finder, eyes.reader, load_gallery(household.folder, eyes.reader))
    assert decks_read(fewer, spread) == ["blue", "dark red", None]


def test_no_deck_is_no_gallery(household: Household, eyes: Eyes) -> None:
    assert load_gallery(household.folder, eyes.reader) is None


def test_enrolling_again_adds_looks_and_anew_replaces_them(household: Household, eyes: Eyes) -> None:
    assert enrol_photographs([back("blue")], "ours", household, eyes).backs == 1
    assert enrol_photographs([back("blue", 0.75)], "ours", household, eyes).backs == 2
    with pytest.raises(EnrolmentError, match=r"not the back that is enrolled as ours; .*--anew"):
        enrol_photographs([back("gold")], "ours", household, eyes)
    assert household.decks()[0].backs == 2
    assert enrol_photographs([back("gold")], "ours", household, eyes, anew=True).backs == 1


def test_two_decks_that_are_too_much_alike_are_named(household: Household, eyes: Eyes) -> None:
    enrol_photographs([back("blue")], "mine", household, eyes)
    assert enrol_photographs([back("blue", 0.8)], "yours", household, eyes).alike == ("mine",)
    assert [deck.name for deck in household.decks()] == ["mine", "yours"]


def test_pictures_that_show_nothing_to_keep_are_told_plainly(household: Household, eyes: Eyes) -> None:
    empty = picture_of([])
    far = picture_of([back_art(BACKS["blue"])], width=42)
    for picture, said in ((empty, "no card was found"), (far, "less than 60 pixels wide")):
        with pytest.raises(EnrolmentError, match=said):
            enrol_photographs([picture], "ours", household, eyes)
    both = picture_of([back_art(BACKS["blue"]), back_art(BACKS["gold"])])
    with pytest.raises(EnrolmentError, match="do not look alike"):
        enrol_photographs([both], "ours", household, eyes)
    assert household.decks() == ()


def test_a_spread_of_a_suit_is_kept_face_by_face(household: Household, eyes: Eyes) -> None:
    enrolled = enrol_photographs(
        [picture_of([face_art(card) for card in RED], width=180)], "ours", household, eyes
    )
    assert set(enrolled.faces) <= set(RED)
    assert len(enrolled.faces) + enrolled.unread == len(RED) and len(enrolled.faces) >= 6
    for exemplar in household.exemplars():
        assert exemplar.card in RED and exemplar.crop.shape == (272, 192, 3)


def test_a_film_keeps_cards_whose_outline_holds_still(household: Household, eyes: Eyes) -> None:
    shown = Shown(eyes)
    moving = [picture_of([back_art(BACKS["blue"])], angle=angle) for angle in (0.0, 25.0, 50.0)]
    for picture in moving:
        shown.frame(picture)
    with pytest.raises(EnrolmentError, match="outline of the card is not clear"):
        enrol(shown, "ours", household)
    shown.frame(moving[-1])
    assert enrol(shown, "ours", household).backs == 1


def test_all_eyes_of_a_table_learn_of_a_new_deck(household: Household, eyes: Eyes) -> None:
    known = HouseholdEyes(household)
    first, second = known.load(), known.load()
    assert first is not second and first.gallery is None
    enrol_photographs([back("gold")], "ours", household, eyes)
    known.refresh()
    assert first.gallery is second.gallery is known.load().gallery
    assert decks_read(second, back("gold", 0.8)) == ["ours"]
    household.remove("ours")
    known.refresh()
    assert decks_read(first, back("gold", 0.8)) == [None]
