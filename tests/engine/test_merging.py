"""Photographs of one count merged: the laws that hold whatever was photographed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.merging import Merged, Photograph, merge, player_of
from referee.cards import BLITZ_COLOURS, Card

DECK = [Card(number, colour) for colour in BLITZ_COLOURS for number in range(1, 11)]
PLAYERS = ("Ann", "Bob", "Cem")
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)


@st.composite
def photographs(draw: st.DrawFn) -> list[Photograph]:
    """Up to six photographs, some of them the same file."""
    made = []
    for number in range(draw(st.integers(0, 6))):
        player = draw(st.sampled_from(PLAYERS))
        made.append(
            Photograph(
                f"{player}-{number}.jpg",
                f"digest {number}",
                player,
                tuple(draw(st.lists(st.sampled_from(("pump", "pail")), max_size=12))),
                tuple(draw(st.lists(st.sampled_from(DECK), max_size=12, unique=True))),
                draw(st.integers(0, 2)),
            )
        )
    return made


def counts(merged: Merged) -> tuple[object, ...]:
    return dict(merged.decks), dict(merged.faces), merged.unknown


@unhurried
@given(photographs(), st.randoms())
def test_the_order_of_the_photographs_does_not_matter(given_: list[Photograph], random: object) -> None:
    shuffled = list(given_)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merge(shuffled) == merge(given_)


@unhurried
@given(photographs(), st.data())
def test_a_photograph_given_twice_does_not_count_twice(given_: list[Photograph], data: st.DataObject) -> None:
    again = data.draw(st.lists(st.sampled_from(given_))) if given_ else []
    assert counts(merge([*given_, *again])) == counts(merge(given_))


@unhurried
@given(photographs())
def test_no_player_has_a_card_more_than_once(given_: list[Photograph]) -> None:
    for player, cards in merge(given_).faces.items():
        assert len(cards) == len(set(cards)) <= len(DECK)
        assert set(cards) == {card for p in given_ if p.player == player for card in p.faces}


@unhurried
@given(photographs())
def test_backs_and_unread_cards_add_up(given_: list[Photograph]) -> None:
    merged = merge(given_)
    assert merged.decks == Counter(deck for p in given_ for deck in p.backs)
    assert merged.unknown == sum(p.unread for p in given_)


@unhurried
@given(photographs())
def test_overlapping_photographs_of_faces_are_no_more_than_all_of_them_in_one(
    given_: list[Photograph],
) -> None:
    """Photographs cut from one spread give what one photograph of the spread gives."""
    for player in PLAYERS:
        own = tuple({card for p in given_ if p.player == player for card in p.faces})
        whole = merge([Photograph(f"{player}.jpg", "whole", player, (), own)])
        assert merge(given_).faces.get(player) == whole.faces.get(player)


def test_a_face_twice_in_one_photograph_stays_twice_for_the_audit_to_find() -> None:
    red7 = Card.parse("red7")
    one = Photograph("Ann.jpg", "a", "Ann", (), (red7, red7))
    other = Photograph("Ann-2.jpg", "b", "Ann", (), (red7,))
    assert merge([one, other]).faces == {"Ann": (red7, red7)}


def test_the_merge_says_how_it_was_made() -> None:
    red, blue = Card.parse("red7"), Card.parse("blue2")
    merged = merge(
        [
            Photograph("Ann.jpg", "a", "Ann", (), (red, blue)),
            Photograph("Ann-2.jpg", "b", "Ann", (), (red,)),
            Photograph("Ann-3.jpg", "b", "Ann", (), (red,)),
            Photograph("left.jpg", "c", "left", ("pump",) * 3),
            Photograph("right.jpg", "d", "right", ("pump", "pail")),
        ]
    )
    assert merged.how == (
        "Ann-3.jpg is the same picture as Ann-2.jpg: it is counted once.",
        "Ann: 2 photographs with 3 faces, red 7 in more than one, which a deck holds once: 2 cards.",
        "Backs are all alike, so each photograph is a heap of its own: left.jpg 3, right.jpg 2, together 5.",
    )


@pytest.mark.parametrize(
    ("stem", "player"),
    [
        ("Ann", "Ann"),
        ("Ann-2", "Ann"),
        ("Ann_02", "Ann"),
        ("Ann 2", "Ann"),
        ("Ann (12)", "Ann"),
        ("Ann(2)", "Ann"),
        ("Mary-Ann", "Mary-Ann"),
        ("Ann2", "Ann2"),
        ("IMG_1234", "IMG_1234"),
        ("20261130_2", "20261130_2"),
        ("12", "12"),
        ("Zoë-3", "Zoë"),
    ],
)
def test_a_running_number_does_not_make_another_player(stem: str, player: str) -> None:
    assert player_of(stem) == player
