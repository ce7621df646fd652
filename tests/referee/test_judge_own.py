"""The players' own areas, as far as a log shows them."""

from __future__ import annotations

import pytest

from referee.rulesets import ruleset
from tests.referee.logs import judged, noted, told

SIDE = "1 started s1 red7 zone=side seat=left\n"
LIVE = (
    "0 round_started\n"
    + SIDE
    + "1 started s2 blue3 zone=side seat=left\n1 started s3 green5 zone=side seat=left\n"
)


@pytest.mark.parametrize(
    ("card", "heard"),
    [
        ("green6", []),
        ("yellow6", []),
        ("blue6", [("E31", "foul")]),
        ("green5", [("E30", "foul")]),
        ("green8", [("E30", "foul")]),
    ],
)
def test_side_pile(card: str, heard: list[tuple[str, str]]) -> None:
    assert told(SIDE + f"5 landed s1 {card} zone=side seat=left") == heard


def test_side_pile_of_the_standard_deck() -> None:
    queen = "1 started s1 QS zone=side seat=left\n5 landed s1 {} zone=side seat=left"
    assert told(queen.format("JH"), "nertz_std") == []
    assert told(queen.format("JC"), "nertz_std") == [("E31", "foul")]
    (ruling,) = judged(queen.format("JC"), "nertz_std")
    assert (
        ruling.text
        == "Jack of clubs was put on queen of spades on a side pile: both are red or both are black (E31)."
    )


def test_hidden_or_unsure_side_cards_are_no_foul() -> None:
    assert told(SIDE + "5 landed s1 blue6 zone=side seat=left confidence=0.8") == []
    assert told(SIDE + "5 landed s1 green5 zone=side seat=left seen=occluded") == []
    assert told(SIDE + "3 gap s1 zone=side seat=left\n5 landed s1 green5 zone=side seat=left") == []
    assert (
        told(SIDE + "5 landed s1 blue6 zone=side seat=left\n5.8 withdrawn s1 blue6 zone=side seat=left") == []
    )


def test_table_without_side_building() -> None:
    (ruling,) = judged(SIDE + "5 landed s1 green6 zone=side seat=left", "ligretto")
    assert (ruling.rule, ruling.option) == ("E30", "side_building")


def test_one_side_pile_too_many() -> None:
    assert told(LIVE + "9 started s4 red2 zone=side seat=left") == [("E35", "foul")]
    assert told(LIVE + "8 removed s3 zone=side seat=left\n9 started s4 red2 zone=side seat=left") == []
    assert told(LIVE + "9 started s4 red2 zone=side seat=left", ruleset("dutch_blitz", side_piles=4)) == []


def test_what_looks_like_a_pile_too_many_is_no_foul_for_the_camera() -> None:
    fourth = LIVE + "9 started s4 red2 zone=side seat=left source=vision"
    assert told(fourth) == [("E35", "warning")]


def test_a_hidden_space_is_not_called_empty() -> None:
    hidden = LIVE + "10 removed s3 zone=side seat=left seen=occluded\n14 started d1 red1 seat=left"
    assert "E33" not in noted(hidden)


def test_late_refill_is_noted_then_told() -> None:
    late = "{0} removed s3 zone=side seat=left\n{1} started d{0} red1 seat=left\n"
    late += "{2} started s3 green4 zone=side seat=left\n"
    once = LIVE + late.format(10, 11, 12)
    assert told(once) == []
    assert "E33" in noted(once)
    assert told(once + late.format(20, 21, 22)) == [("E33", "warning")]
    in_time = (
        LIVE
        + "10 removed s3 zone=side seat=left\n11 started s3 green4 zone=side seat=left\n"
        + "12 started d1 red1 seat=left"
    )
    assert "E33" not in noted(in_time)
    assert "E33" in noted(LIVE + "10 removed s3 zone=side seat=left\n14 started d1 red1 seat=top")


def test_no_refill_after_the_call_or_where_it_is_free() -> None:
    over = LIVE + "9 goal_count seat=left count=0\n10 removed s3 zone=side seat=left\n16 round_ended"
    assert "E33" not in noted(over)
    called = LIVE + "10 removed s3 zone=side seat=left\n11 called seat=top\n20 gap"
    assert "E33" not in noted(called)
    assert "E33" not in noted(
        LIVE + "10 removed s3 zone=side seat=left\n20 gap", ruleset("dutch_blitz", refill="may")
    )


def test_where_a_card_came_from() -> None:
    wood = "2 landed w red4 zone=wood seat=left\n"
    goal = "2 landed g red4 zone=goal seat=left\n"
    assert told(LIVE + wood + "5 started d1 red1 seat=left from=wood") == [("E37", "warning")]
    assert told(LIVE + wood + "5 started d1 red1 seat=left from=hand") == [("E38", "warning")]
    assert told(LIVE + goal + "5 started d1 red1 seat=left from=goal") == [("E36", "warning")]
    buried = LIVE + "3 landed s1 green6 zone=side seat=left\n"
    buried = buried.replace("s1 red7", "s1 red1").replace("s1 green6", "s1 green2")
    assert ("E36", "warning") in told(buried + '5 started d1 red1 seat=left from={"zone":"side","pile":"s1"}')
    assert told(LIVE + wood.replace("red4", "red1") + "5 started d1 red1 seat=left from=wood") == []


def test_goal_card_straight_to_the_middle() -> None:
    text = LIVE + "2 landed g red1 zone=goal seat=left\n5 started d1 red1 seat=left from=goal"
    assert told(text) == []
    (ruling,) = judged(text, ruleset("dutch_blitz", goal_direct="off"))
    assert (ruling.rule, ruling.option) == ("E36", "goal_direct")


def test_refill_from_the_wood_pile() -> None:
    text = LIVE + "2 landed w red4 zone=wood seat=left\n4 removed s3 zone=side seat=left\n"
    text += "5 started s3 red4 zone=side seat=left from=wood"
    assert told(text) == [("E34", "warning")]
    assert told(text.replace("from=wood", "from=goal")) == []


def test_group_moves() -> None:
    text = SIDE + "3 landed s1 green6 zone=side seat=left\n5 moved s1 zone=side seat=left to=s2"
    assert told(text) == [("E32", "warning")]
    assert told(text.replace(" to=s2", "")) == []
    assert told(text, ruleset("dutch_blitz", group_moves="on")) == []


def test_turning_fewer_than_three() -> None:
    assert noted("1 landed w red4 zone=wood seat=left turned=1") == ["E39"]
    assert noted("1 landed w red4 zone=wood seat=left turned=3") == []
    assert noted("1 landed w red4 zone=wood seat=left turned=1 hand_left=1") == []
    assert noted("1 landed w red4 zone=wood seat=left turned=1", ruleset("dutch_blitz", flip_count=1)) == []


def test_another_players_area() -> None:
    assert told(SIDE + "4 landed s1 green6 zone=side seat=left by_seat=top") == [("E42", "warning")]


def test_wrong_layout_before_the_start() -> None:
    assert told("1 goal_count seat=left count=9\n3 round_started") == [("E01", "warning")]
    assert told("1 goal_count seat=left count=10\n3 round_started") == []
    two = SIDE + "2 started s2 blue3 zone=side seat=left\n3 round_started"
    assert told(two) == [("E01", "warning")]


def test_two_players_have_five_side_piles_whatever_the_name_of_the_game() -> None:
    fourth = LIVE.replace("0 round_started", '0 round_started players=["left","right"]')
    fourth += "9 started s4 red2 zone=side seat=left\n10 started s5 red3 zone=side seat=left\n"
    assert told(fourth) == []
    assert told(fourth + "12 started s6 red4 zone=side seat=left") == [("E35", "foul")]
    chosen = ruleset("dutch_blitz", side_piles=4)
    assert told(fourth, chosen) == [("E35", "foul")]
