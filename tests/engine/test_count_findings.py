"""What speaks against a count: one test a diagnosis, and none for a count that is right."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import pytest

from engine.count_findings import cards_in, count_findings
from engine.looked_over import look_over
from engine.merging import Merged, Photograph, merge
from engine.setup_file import PlayerSetup, Setup
from referee.cards import BLITZ_COLOURS, Card
from referee.findings import Finding, Level
from referee.rulesets import ruleset
from vision.types import Detection, Reading, SeenCard, order_quad

RULES = ruleset("dutch_blitz")
TOPS = [Card.parse(name) for name in ("red10", "blue5", "green2")]
"""17 cards."""
ALL = [Card(n, Card.parse(f"{top.colour}1").colour) for top in TOPS for n in range(1, top.number + 1)]


def backs(deck: str, number: int, name: str = "backs.jpg") -> Photograph:
    return Photograph(name, name, "backs", (deck,) * number)


def faces(player: str, cards: Sequence[Card]) -> Photograph:
    return Photograph(f"{player}.jpg", player, player, (), tuple(cards))


def loud(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return [(f.id, f.text) for f in findings if f.level in (Level.WARNING, Level.ERROR)]


def found(*photographs: Photograph, **known: object) -> list[tuple[str, str]]:
    return loud(count_findings(merge(photographs), RULES, **known))  # type: ignore[arg-type]


def test_nothing_is_said_of_a_count_that_agrees() -> None:
    assert found(backs("pump", 11), backs("pail", 4, "b"), backs("plow", 2, "c"), tops=TOPS) == []
    assert found(faces("Ann", ALL[:8]), faces("Bob", ALL[8:12]), faces("Cem", ALL[12:]), tops=TOPS) == []


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (7, "look for a completed pile moved aside and forgotten"),
        (16, "look for a stuck, dropped or hidden card"),
        (15, "look for a stuck, dropped or hidden card"),
        (19, "look for side or wood cards that were swept into the middle"),
    ],
)
def test_backs_that_disagree_with_the_tops_are_diagnosed(number: int, said: str) -> None:
    photographs = [backs("pump", number - 2), backs("pail", 1, "b"), backs("plow", 1, "c")]
    ((rests_on, text),) = found(*photographs, tops=TOPS)
    assert rests_on == "I3" and said in text
    assert f"17 cards, {number} backs were counted" in text


def test_faces_and_backs_together_are_held_against_the_tops_by_number() -> None:
    some = [backs("pump", 9), faces("Ann", ALL[:4]), faces("Bob", ALL[4:8])]
    assert found(*some, tops=TOPS) == []
    ((rests_on, text),) = found(*some[:2], faces("Bob", ALL[4:7]), tops=TOPS)
    assert rests_on == "I3" and "16 backs were counted" in text
    twice = [*some[:2], faces("Bob", [ALL[4], ALL[4], ALL[5], ALL[6]])]
    assert [rests_on for rests_on, _ in found(*twice, tops=TOPS)] == ["I5"]


def test_a_missing_face_and_one_too_many_are_named() -> None:
    without = [card for card in ALL if card != Card.parse("red9")]
    photographs = [
        faces("Ann", without[:6]),
        faces("Bob", without[6:]),
        faces("Cem", [Card.parse("yellow3")]),
    ]
    texts = [text for rests_on, text in found(*photographs, tops=TOPS) if rests_on == "I4"]
    assert any("red 9" in text and "Missing" in text for text in texts)
    assert any("yellow 3" in text for text in texts)


def test_a_face_twice_in_one_photograph_is_told() -> None:
    ((rests_on, text),) = found(faces("Ann", [Card.parse("red7"), Card.parse("red7")]))
    assert rests_on == "I5" and "red 7" in text


def test_unread_cards_are_told() -> None:
    ((rests_on, text),) = found(Photograph("a", "a", "a", ("pump",) * 3, (), 2))
    assert rests_on == "unread" and text.startswith("2 cards could not be read")


def test_unread_cards_that_make_up_for_a_shortfall_explain_it() -> None:
    short = Photograph("a", "a", "a", ("pump",) * 15, (), 2), backs("pail", 1, "b"), backs("plow", 1, "c")
    assert [rests_on for rests_on, _ in found(*short, tops=[*TOPS, Card.parse("yellow2")])] == ["unread"]
    assert [rests_on for rests_on, _ in found(*short, tops=[*TOPS, Card.parse("yellow3")])] == [
        "I3",
        "unread",
    ]


def test_more_backs_than_a_deck_has_and_more_than_can_be_played() -> None:
    ((rests_on, text),) = found(backs("pump", 41))
    assert rests_on == "I5" and "a deck holds 40" in text
    tops = [Card(10, colour) for colour in BLITZ_COLOURS[:3]] + [Card(8, BLITZ_COLOURS[3])]
    decks = (backs("pump", 38),)
    assert [rests_on for rests_on, _ in found(*decks, tops=tops)] == ["I8"]
    assert found(*decks) == []


def test_the_same_heap_in_two_pictures_is_found_by_its_number() -> None:
    photographs = [backs("pump", 12, "a.jpg"), backs("pail", 5, "b.jpg"), backs("pail", 5, "c.jpg")]
    texts = [text for rests_on, text in found(*photographs, tops=TOPS[:3]) if "same heap" in text]
    assert [text.split()[0] for text in texts] == ["b.jpg", "c.jpg"]


def test_a_deck_with_which_nobody_plays_is_told() -> None:
    setup = Setup(players=(PlayerSetup(name="Ann", deck="pump"), PlayerSetup(name="Bob", deck="pail")))
    assert found(backs("pump", 3), backs("pail", 3, "b"), setup=setup) == []
    ((rests_on, text),) = found(backs("pump", 3), backs("blue-pail", 1, "b"), setup=setup)
    assert rests_on == "I5" and "1 back of blue-pail, but nobody plays with that deck" in text


def test_the_goal_pile_is_held_against_its_size_and_the_played_cards() -> None:
    cards = ALL[:3]
    goal = merge([faces("Ann", cards), Photograph("Ann-2.jpg", "x", "Ann", ("pump",) * 9)])
    assert cards_in(goal) == 12
    texts = found(faces("Ann", ALL[2:5]), goals={"Ann": goal})
    assert [rests_on for rests_on, _ in texts] == ["I7", "I5"]
    assert "12 goal cards left; the goal pile starts with 10" in texts[0][1]
    assert "red 3" in texts[1][1]
    assert found(faces("Ann", ALL[5:7]), goals={"Ann": merge([faces("Ann", cards)])}) == []


def test_a_card_dealt_past_twice_is_told() -> None:
    ((rests_on, text),) = found(faces("Ann", ALL[:4]), again=[ALL[2], ALL[2]])
    assert rests_on == "I5" and text.startswith("red 3 came by more than once and is counted once")


def seen(reading: Reading, x: float, y: float) -> SeenCard:
    quad = order_quad(cv2.boxPoints(((x, y), (82.0, 57.0), 90.0)))
    return SeenCard(Detection(quad, reading.side, 0.9), reading)


def rows(decks: Sequence[str], wide: float = 64.0) -> list[SeenCard]:
    """Backs in rows of five."""
    return [
        seen(Reading("back", deck=deck, confidence=0.98), 40 + wide * (i % 5), 60 + 92 * (i // 5))
        for i, deck in enumerate(decks)
    ]


def odd(cards: Sequence[SeenCard]) -> list[tuple[str, str]]:
    return found(look_over("a.jpg", "a", "a", cards))


def test_a_back_among_those_of_another_deck_is_told() -> None:
    assert odd(rows(["pump"] * 15)) == []
    assert odd(rows(["pump"] * 10 + ["pail"] * 5)) == []
    assert odd(rows(["pump"] * 11 + ["pail"] * 4)) == []
    ((rests_on, text),) = odd(rows(["pump"] * 7 + ["pail"] + ["pump"] * 7))
    assert rests_on == "I6" and text.startswith("1 back of pail lies among those of pump")
    assert odd([*rows(["pump"] * 10), seen(Reading("back", deck="pail", confidence=0.98), 700, 60)]) == []


def test_a_card_turned_over_among_the_rest_is_told() -> None:
    face = Reading("face", 7, "red", None, 0.98)
    ((rests_on, text),) = odd([*rows(["pump"] * 9), seen(face, 500, 60)])
    assert rests_on == "turned" and text.startswith("1 card lies the other way up")
    assert (
        odd(
            [*rows(["pump"] * 4), *(seen(Reading("face", n, "red", None, 0.98), 500, 90 * n) for n in (1, 2))]
        )
        == []
    )


def test_a_card_read_with_little_certainty_is_pointed_out() -> None:
    doubtful = look_over("a", "a", "a", [seen(Reading("face", 7, "red", None, 0.66), 60, 60)])
    (finding,) = count_findings(merge([doubtful]), RULES)
    assert (finding.level, finding.id) == (Level.INFO, "doubt")
    assert finding.text.startswith("1 card was read with little certainty")


def test_an_empty_count_has_nothing_against_it() -> None:
    assert loud(count_findings(Merged(), RULES)) == []
