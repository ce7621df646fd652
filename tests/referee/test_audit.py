"""The audit: each signature of a wrong count gives its question."""

from __future__ import annotations

import pytest

from datasets.simulate import full_deck
from referee.audit import audit_round, audit_scores, cards_implied, pile_height, predicted_faces
from referee.audit_parts import check_deck, check_flips, check_hand_size, check_side_pile, check_wood_order
from referee.cards import Card
from referee.rulesets import ruleset
from referee.scoring import PlayerCount
from tests.referee.logs import log

RULES = ruleset("dutch_blitz")
TOPS = [Card.parse(c) for c in ["red10", "red4", "blue7", "blue1", "green6", "yellow10", "yellow2"]]


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


def texts(*args: object, **more: object) -> list[str]:
    return [finding.text for finding in audit_round(*args, ruleset=RULES, **more)]  # type: ignore[arg-type]


def test_counts_that_agree_are_passed_in_silence() -> None:
    assert texts(TOPS, {"pump": 17, "pail": 13, "plow": 10}) == []


@pytest.mark.parametrize(
    ("backs", "said"),
    [
        (39, "The tops say 40 cards, 39 backs were counted: look for a stuck, dropped or hidden card."),
        (30, "look for a completed pile moved aside and forgotten."),
        (20, "look for 2 completed piles moved aside and forgotten."),
        (42, "look for side or wood cards that were swept into the middle."),
    ],
)
def test_sum_of_the_tops(backs: int, said: str) -> None:
    (text,) = texts(TOPS, {"pump": backs - 20, "pail": 10, "plow": 10})
    assert text.endswith(said)


def test_missing_and_extra_faces_are_named() -> None:
    tops = cards("red3 blue2")
    faces = {"Ann": cards("red1 red2 blue1"), "Ben": cards("blue2 green9")}
    found = audit_round(tops, None, faces, ruleset=RULES)
    assert [(f.id, f.text) for f in found] == [
        ("I4", "Missing from the count: red 3."),
        (
            "I4",
            "Counted, but not on any pile by its top: green 9: side or wood cards swept in, or a pile's top"
            " misread.",
        ),
    ]


def test_double_and_foreign_cards() -> None:
    found = audit_round(None, None, {"Ann": cards("red1 red1 KH")}, ruleset=RULES)
    assert [f.id for f in found] == ["I5", "E70"]
    assert "red 1 more than once" in found[0].text


def test_more_piles_than_decks() -> None:
    found = audit_round(cards("red3 red2 red1"), {"pump": 3, "pail": 3}, ruleset=RULES)
    assert [f.id for f in found] == ["I5"]


def test_deck_is_whole() -> None:
    deck = full_deck(RULES)
    assert check_deck(deck, RULES) == []
    assert [f.text for f in check_deck([*deck[1:], deck[5]], RULES)] == [
        "In this deck red 1 is missing.",
        "In this deck red 6 is there too often.",
    ]
    assert check_deck(full_deck(ruleset("nertz_std")), ruleset("nertz_std")) == []


def test_entered_counts() -> None:
    players = [PlayerCount("Ann", 38, 1, called=True), PlayerCount("Ben", 39, 11)]
    found = audit_round(None, None, ruleset=RULES, players=players)
    assert [(f.id, str(f.level)) for f in found] == [
        ("I8", "warning"), ("I6", "error"), ("I7", "error"), ("I12", "warning"),
    ]  # fmt: skip
    fine = [PlayerCount("Ann", 37, 0, called=True), PlayerCount("Ben", 3, 10)]
    assert audit_round(None, None, ruleset=RULES, players=fine) == []
    stuck = [PlayerCount("Ann", 7, 2), PlayerCount("Ben", 3, 10)]
    assert [str(f.level) for f in audit_round(None, None, ruleset=RULES, players=stuck)] == ["info"]
    quick = [PlayerCount("Ann", 2, 0, called=True), PlayerCount("Ben", 3, 10)]
    assert [f.text for f in audit_round(None, None, ruleset=RULES, players=quick)] == [
        "Ann called with only 2 played cards: possible, but rare."
    ]
    two = ruleset("dutch_blitz_2")
    at_most = [PlayerCount("Ann", 35, 0, called=True), PlayerCount("Ben", 36, 1)]
    assert [f.id for f in audit_round(None, None, ruleset=two, players=at_most)] == ["I8"]


def test_false_call_lets_a_goal_pile_grow() -> None:
    nertz = ruleset("nertz_std")
    players = [PlayerCount("Ann", 10, 15), PlayerCount("Ben", 12, 0, called=True)]
    assert [f.id for f in audit_round(None, None, ruleset=nertz, players=players)] == ["I7"]
    assert audit_round(None, None, ruleset=nertz, players=players, false_calls=1) == []


LOG = """
1 started d1 red1 seat=Ann
2 landed d1 red2 seat=Ben
3 landed d1 red3 seat=Ann
4 started d2 blue1 seat=Ben
5 landed d2 blue2 seat=Ben
"""


def test_log_against_the_count() -> None:
    tops = cards("red3 blue2")
    assert texts(tops, {"Ann": 2, "Ben": 3}, None, log(LOG)) == []
    (text,) = texts(tops, {"Ann": 3, "Ben": 2}, None, log(LOG))
    assert text == "Ann has 1 more and Ben 1 fewer than were seen played: check the backs in those two heaps."
    skipped = LOG.replace("3 landed d1 red3 seat=Ann\n", "3 landed d1 red4 seat=Ann\n")
    found = audit_round(cards("red4 blue2"), {"Ann": 3, "Ben": 3}, None, log(skipped), ruleset=RULES)
    assert [(f.id, str(f.level)) for f in found] == [("I4", "info"), ("I3", "info")]
    assert "red 3 was skipped, or its landing was not seen" in found[0].text


def test_pile_that_the_freeze_photo_does_not_show() -> None:
    found = audit_round(cards("red3"), {"Ann": 1, "Ben": 2}, None, log(LOG), ruleset=RULES)
    assert "I13" in [f.id for f in found]


def test_goal_pile_that_grew() -> None:
    grown = LOG + "6 goal_count seat=Ann count=4\n7 goal_count seat=Ann count=5"
    assert [f.id for f in audit_round(None, None, None, log(grown), ruleset=RULES)] == ["I7"]
    assert audit_round(None, None, None, log(grown), ruleset=RULES, false_calls=1) == []


def test_parity_of_a_double_swinging_pile() -> None:
    rules = ruleset("double_swinging_door")
    text = "1 started d1 AH\n2 landed d1 2H\n3 landed d1 3H\n4 landed d1 {}"
    assert audit_round(None, None, None, log(text.format("2H")), ruleset=rules) == []
    assert [f.id for f in audit_round(None, None, None, log(text.format("5H")), ruleset=rules)] == ["I2"]
    race = text.format("2H") + "\n5 landed d1 2H\n6 withdrawn d1 2H\n7 landed d1 3H"
    assert audit_round(None, None, None, log(race), ruleset=rules) == []
    down = "1 started d1 AH\n2 landed d1 KH\n3 landed d1 QH\n4 landed d1 {}"
    assert audit_round(None, None, None, log(down.format("KH")), ruleset=rules) == []
    assert [f.id for f in audit_round(None, None, None, log(down.format("10H")), ruleset=rules)] == ["I2"]


def test_sheet() -> None:
    assert [f.id for f in audit_scores(TOPS, [0, 3, 2], [20, 10, 1], RULES)] == ["I14"]
    assert audit_scores(TOPS, [0, 3, 2], [17, 7, 6], RULES) == []
    nertz = ruleset("nertz_std")
    assert audit_scores([], [0, 0, 0, 0], [-30, 10, 10, 10], nertz, [-30, 10, 10, 10]) == []
    assert [f.id for f in audit_scores([], [0, 0], [-30, 10], nertz, [-30, 10])] == ["I15"]
    (text,) = texts(None, None, totals={"Ann": (12, -6, 12), "Ben": (3, 4, 7)})
    assert text.endswith("12 and -6 make 6: a negative score seems to have been left out.")


@pytest.mark.parametrize(
    ("preset", "pile", "height"),
    [
        ("dutch_blitz", "red7", 7),
        ("nertz_std", "QH", 12),
        ("swinging_door", "AH 2H 3H", 3),
        ("swinging_door", "AH KH QH JH", 4),
        ("starter9", "9H 10H JH", 3),
        ("starter9", "9H 8H 7H", 3),
        ("starter9", "9H 10H JH QH KH AH 2H 3H", 8),
        ("starter9", "9H 8H 7H 6H 5H 4H 3H", 7),
        ("double_swinging_door", "AH 2H 3H 2H", None),
        ("swinging_door", "5H", None),
    ],
)
def test_height_of_a_pile(preset: str, pile: str, height: int | None) -> None:
    rules = ruleset(preset)
    assert pile_height(cards(pile), rules) == height
    implied = cards_implied(cards(pile), rules)
    if len(pile.split()) > 1 and height is not None:
        assert implied == tuple(cards(pile))


def test_predicted_faces() -> None:
    faces = predicted_faces(cards("red2 red1 blue3"), RULES)
    assert faces is not None
    assert sorted(map(str, faces.elements())) == ["blue1", "blue2", "blue3", "red1", "red1", "red2"]
    assert predicted_faces([cards("AH 2H 3H 2H")], ruleset("double_swinging_door")) is None


def test_side_pile_tells_its_bottom() -> None:
    assert check_side_pile(cards("red7 green6 blue5"), RULES) == (7, None)
    bottom, finding = check_side_pile(cards("red7 blue6"), RULES)
    assert bottom == 7
    assert finding is not None
    assert finding.id == "I9"


def test_order_of_the_hand() -> None:
    first = cards("red1 blue4 green2 yellow9 red5")
    assert check_wood_order([first, cards("blue4 yellow9 red5")]) is None
    assert check_wood_order([first, cards("green2 yellow9 red1 blue4")]) is None
    shuffled = check_wood_order([first, cards("yellow9 blue4 red1 red5")])
    assert shuffled is not None
    assert shuffled.id == "I10"
    assert check_wood_order([first, cards("yellow9 red1")]) is None


def test_turns_and_hand_size() -> None:
    assert check_flips(27, 9, RULES) is None
    assert check_flips(25, 9, RULES) is None
    assert "instead of 9" in str(check_flips(27, 12, RULES))
    assert check_hand_size(27, RULES) is None
    assert "not 28" in str(check_hand_size(28, RULES))
