"""The players' own areas, as far as a log shows them."""

from __future__ import annotations

import pytest

from referee.cards import Card
from referee.fold import fold
from referee.legality import check_side
from referee.rulesets import parse_option, ruleset
from tests.referee.logs import judged, log, noted, told

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
    under = '5 started d1 red1 seat=left from={"zone":"side","pile":"s1"}'
    assert ("E36", "warning") not in told(buried + "1 started d2 blue1\n4 gap d2\n" + under)
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


def test_a_group_lies_where_it_was_moved() -> None:
    """Cards that are built on it fit the group, not what it covers; and it has to fit itself."""
    piles = "0 round_started\n1 started s1 {} zone=side seat=left\n1 started s2 QS zone=side seat=left\n"
    moved = "3 moved s1 zone=side seat=left to=s2\n"
    built = "5 landed s2 10S zone=side seat=left\n20 gap"
    assert told(piles.format("JH") + moved + built, "nertz_std") == []
    assert told(piles.format("JC") + moved + "20 gap", "nertz_std") == [("E31", "foul")]
    assert told(piles.format("9H") + moved + "20 gap", "nertz_std") == [("E30", "foul")]
    table = fold(log(piles.format("JH") + moved + built)).seat("left").sides
    assert [(pile.name, [str(card) for card in pile.cards]) for pile in table] == [
        ("s2", ["QS", "JH", "10S"])
    ]
    one_by_one = "3 removed s1 JH zone=side seat=left\n3 landed s2 JH zone=side seat=left\n"
    assert told(piles.format("JH") + moved + one_by_one + built, "nertz_std") == []
    part = "2 landed s1 QH zone=side seat=left\n2.5 landed s1 JC zone=side seat=left\n"
    some = moved.replace("moved s1", "moved s1 QH").replace("to=s2", "to=s3")
    table = fold(log(piles.format("KS") + part + some)).seat("left").sides
    assert {pile.name: pile.top for pile in table if pile.top} == {
        "s1": Card.parse("KS"), "s2": Card.parse("QS"), "s3": Card.parse("JC"),
    }  # fmt: skip
    emptied = "2.7 removed s2 QS zone=side seat=left\n"
    gone = "3 withdrawn s1 JC zone=side seat=left\n3 withdrawn s1 QH zone=side seat=left\n"
    must = ruleset("nertz_std", refill="must")
    (ruling,) = judged(piles.format("KS") + part + emptied + some.replace("s3", "s2") + gone + "20 gap", must)
    assert (ruling.rule, str(ruling.card)) == ("E34", "QH"), "the king still lies on the first place"
    assert "filled with queen of hearts" in ruling.text
    top = some.replace("QH", "JC").replace("to=s3", "to=s2")
    assert (
        told(piles.format("KS") + part + top + "5 landed s2 9D zone=side seat=left\n20 gap", "nertz_std")
        == []
    )


def test_a_place_that_a_group_has_left_is_refilled() -> None:
    gone = LIVE.replace("green5", "green8") + "5 moved s1 zone=side seat=left to=s3\n"
    assert noted(gone + "20 gap") == ["E33"]
    assert noted(gone + "6 started s1 red2 zone=side seat=left\n20 gap") == []
    on = ruleset("dutch_blitz", group_moves="on")
    back = gone + "6 moved s3 green8 zone=side seat=left to=s1\n7 moved s1 zone=side seat=left to=s3\n20 gap"
    assert noted(back, on) == ["E34", "E34", "E33"], "a group is no goal card, and one place stays empty"


def test_a_side_pile_too_many_in_a_log_without_a_start() -> None:
    four = SIDE + "".join(f"{n} started s{n} blue{n} zone=side seat=left\n" for n in (2, 3, 4))
    assert told(four) == [("E35", "foul")]
    assert told(four + "9 started d1 red1") == [("E35", "foul")]
    assert told(four + "9 round_started\n20 gap") == [("E01", "warning")]


def test_a_layout_that_was_counted_badly_is_not_told() -> None:
    count = "1 goal_count seat=left count=9{}\n3 round_started"
    assert told(count.format("")) == [("E01", "warning")]
    assert noted(count.format(" confidence=0.5")) == []
    assert noted(count.format(" seen=occluded")) == []


def test_a_card_that_leaves_from_under_another() -> None:
    wood = "1 landed w red4 zone=wood seat=left\n"
    assert told(LIVE + wood + "3 withdrawn w red2 zone=wood seat=left") == [("E37", "warning")]
    twice = "3 withdrawn w red1 zone=wood seat=left\n3 started d1 red1 seat=left from=wood"
    assert told(LIVE + wood + twice) == [("E37", "warning")]
    assert told(LIVE + wood + "3 withdrawn w red4 zone=wood seat=left") == []
    goal = "1 landed g red4 zone=goal seat=left\n"
    assert told(LIVE + goal + "3 withdrawn g red2 zone=goal seat=left") == [("E36", "warning")]
    side = LIVE + "3 landed s1 green6 zone=side seat=left\n"
    under = "5 withdrawn s1 red7 zone=side seat=left\n"
    assert told(side + under) == [("E36", "warning")]
    assert told(side + "4 withdrawn s1 green6 zone=side seat=left\n" + under) == []
    assert told(side + "4 gap d1\n" + under) == [], "green 6 may have gone to the hidden pile"


def test_a_refill_whose_card_was_seen_on_the_wood_pile() -> None:
    emptied = LIVE + "2 landed w red4 zone=wood seat=left\n4 removed s3 zone=side seat=left\n"
    filled = "5.5 started s3 {} zone=side seat=left"
    left = "5 withdrawn w red4 zone=wood seat=left\n"
    assert told(emptied + filled.format("red4")) == [("E34", "warning")]
    assert told(emptied + left + filled.format("red4")) == [("E34", "warning")]
    assert told(emptied + left + filled.format("green4")) == []
    assert told(emptied + left + filled.format("red4"), ruleset("dutch_blitz", refill="may")) == []


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
    # Told by the first shared play, the start comes after goal cards have gone to side piles.
    assert told("1 goal_count seat=left count=9\n3 round_started source=auto") == []
    assert told("1 goal_count seat=left count=11\n3 round_started source=auto") == [("E01", "warning")]
    assert told(two + " source=auto") == []


def test_two_players_have_five_side_piles_whatever_the_name_of_the_game() -> None:
    fourth = LIVE.replace("0 round_started", '0 round_started players=["left","right"]')
    fourth += "9 started s4 red2 zone=side seat=left\n10 started s5 red3 zone=side seat=left\n"
    assert told(fourth) == []
    assert told(fourth + "12 started s6 red4 zone=side seat=left") == [("E35", "foul")]
    chosen = ruleset("dutch_blitz", side_piles=4)
    assert told(fourth, chosen) == [("E35", "foul")]


WOOD = "zone=wood seat=left"


def turns(tens: int, cards: str, turned: int = 3) -> str:
    """Turns of the hand in the seconds `tens`1, `tens`2 ..., then the wood is turned over."""
    lines = [
        f"{tens}{n} landed w {card} {WOOD} turned={turned}" for n, card in enumerate(cards.split(), start=1)
    ]
    return "\n".join([*lines, f"{tens}9.5 turned w {WOOD}"]) + "\n"


ORDER = "red4 blue9 green2 yellow8 red7"


@pytest.mark.parametrize(
    ("second", "heard"),
    [
        ("red4 blue9 green2 yellow8 red7", []),
        ("green2 yellow8 red7 red4 blue9", []),
        ("blue9 yellow8 red7", []),
        ("red4 green9 green2 yellow3 red7", []),
        ("blue9 green2 red4 yellow8 red7", []),
        ("red7 yellow8 green2 blue9 red4", [("E40", "warning")]),
        ("blue9 red4 yellow8 green2", [("E40", "warning")]),
    ],
    ids=[
        "same",
        "begun elsewhere",
        "cards played",
        "others on top",
        "one card elsewhere",
        "turned round",
        "mixed",
    ],
)
def test_order_of_the_hand_over_two_passes(second: str, heard: list[tuple[str, str]]) -> None:
    assert told(LIVE + turns(1, ORDER) + turns(2, second)) == heard
    assert told(LIVE + turns(1, ORDER) + turns(2, second).replace(WOOD, f"{WOOD} confidence=0.8")) == []


def test_what_may_change_the_order_of_the_hand() -> None:
    mixed = turns(2, "blue9 red4 yellow8 green2")
    beneath = f"19.8 moved w red7 {WOOD} to=hand\n"
    assert told(LIVE + turns(1, ORDER) + beneath + mixed) == []
    assert told(LIVE + turns(1, ORDER) + "19.8 round_ended\n19.9 round_started\n" + mixed) == []
    assert told(LIVE + turns(1, ORDER) + mixed.replace(WOOD, "zone=wood seat=top")) == []


def test_shuffled_packets() -> None:
    assert told(LIVE + f"9 moved w {WOOD} shuffled=true") == [("E40", "warning")]
    goal = "zone=goal seat=left"
    tops = LIVE + f"2 landed g red4 {goal}\n5 landed g blue6 {goal}\n8 landed g red4 {goal}"
    assert told(tops) == [("E40", "warning")]
    assert told(tops.replace("8 landed g red4", "8 landed g red9")) == []
    played = f"4.2 landed d1 red4 seat=left from=goal\n4.5 landed g blue6 {goal}\n"
    back = f"5 withdrawn d1 red4 seat=left\n8 landed g red4 {goal}"
    first = f"0 started d1 red1\n1 landed d1 red2\n2 landed d1 red3\n3 landed g red4 {goal}\n"
    assert told(first + played + back) == []
    assert told(tops.replace("8 landed", "7 called seat=left\n8 landed"), "nertz_std") == []


def test_turns_of_a_whole_pass() -> None:
    by_twos = turns(1, "red4 blue9 green2 yellow8 red7", turned=2)
    assert noted(LIVE + by_twos) == ["E39"] * 6
    assert told(LIVE + by_twos) == [("E39", "warning")]
    assert noted(LIVE + by_twos, ruleset("dutch_blitz", flip_count=2)) == []
    assert noted(LIVE + turns(1, ORDER)) == []
    assert told(LIVE + turns(1, " ".join([ORDER] * 3))) == []
    last = turns(1, "red4 blue9 green2 yellow8").replace("yellow8 zone=wood seat=left turned=3",
                                                         "yellow8 zone=wood seat=left turned=1")  # fmt: skip
    end_not_seen = "\n".join(last.splitlines()[:-1]) + "\n" + turns(2, "green9 red2 blue6 green1")
    assert "turned=1" in end_not_seen
    assert told(LIVE + end_not_seen) == []


def stuck(turns_each: int, start: int = 2) -> str:
    """Two players turn their hands by turns, twice a second."""
    lines = []
    for n in range(turns_each):
        for half, seat in enumerate(("left", "top")):
            card = f"{('red', 'blue', 'green', 'yellow')[n % 4]}{n % 10 + 1}"
            lines.append(f"{start + n + half / 2} landed w {card} zone=wood seat={seat} turned=3")
    return "\n".join(lines) + "\n"


def test_everybody_has_turned_the_whole_hand_since_the_last_play() -> None:
    begun = '0 round_started players=["left","top","right"]\n1 started d1 red1 seat=left\n'
    two = begun.replace(',"right"', "")
    five = ruleset("dutch_blitz", side_piles=3)
    assert noted(two + stuck(10), five) == ["E65"]
    assert noted(two + stuck(14), five) == ["E65"], "told once"
    assert noted(two + stuck(9), five) == []
    assert noted(begun + stuck(10), five) == [], "the third has not turned his"
    assert noted(two + stuck(6) + "8.7 landed d1 red2 seat=left\n" + stuck(6, 9), five) == []
    assert noted(two + stuck(6) + "8.7 gap\n" + stuck(6, 9), five) == [], "a play may have been missed"
    called = two + "1.2 goal_count seat=left count=0\n1.4 called seat=left\n"
    assert noted(called + stuck(10), "dutch_blitz+until_no_play") == ["E50", "E67"]
    assert noted(two + "".join(stuck(1, at) for at in range(10, 120, 30))) == ["E65"], "turning is no play"


def test_a_wood_card_that_the_last_turn_covered() -> None:
    wood = f"2 landed w red1 {WOOD} turned=3\n4 landed w red4 {WOOD} turned=3\n"
    missed = LIVE + wood + "6 started d1 red1 seat=left from=wood"
    assert told(missed) == [("E41", "warning")]
    deeper = wood.replace("4 landed", f"3 landed w blue8 {WOOD} turned=3\n4 landed")
    assert told(LIVE + deeper + "6 started d1 red1 seat=left from=wood") == [("E37", "warning")]
    assert told(missed.replace("4 landed", f"3 gap w {WOOD}\n4 landed")) == [("E37", "warning")]
    ones = LIVE + wood.replace("red4", "blue1") + "6 started d1 blue1 seat=left from=wood\n"
    assert told(ones + "8 started d2 red1 seat=left from=wood") == []
    uncovered = f"6 withdrawn w blue1 {WOOD}\n7 landed w red1 {WOOD}\n"
    assert told(ones + uncovered + "8 started d2 red1 seat=left from=wood") == []
    assert told(ones + uncovered + "8 started d2 green1 seat=left from=wood") == [("E37", "warning")]


def test_a_top_that_may_have_gone_unseen() -> None:
    """While a pile was hidden the wood or goal top may have been played there."""
    wood = LIVE + f"1 started d1 red1\n2 landed w red9 {WOOD} turned=3\n"
    goal = LIVE + "1 started d1 red1\n2 landed g red9 zone=goal seat=left\n"
    for text, source, rule in ((wood, "wood", "E37"), (goal, "goal", "E36")):
        played = f"5 started d2 blue1 seat=left from={source}"
        assert told(text + played) == [(rule, "warning")]
        assert told(text + "3 gap d1\n" + played) == []
        assert told(text + "3 landed d1 red3 seen=occluded\n" + played) == []
        later = text.replace("2 landed", "3 gap d1\n3.5 landed")
        assert told(later + played) == [(rule, "warning")]


def test_a_goal_pile_that_was_laid_out_before_the_start() -> None:
    laid = "1 started g red9 zone=goal seat=left\n2 round_started\n5 started d1 red1 seat=left from=goal"
    assert told(laid) == [("E36", "warning")]
    next_round = laid.replace("2 round_started", "2 round_started\n3 round_ended\n4 round_started")
    assert told(next_round) == []


def test_a_goal_card_that_is_not_known_to_be_covered() -> None:
    text = LIVE + "2 landed g red1 zone=goal seat=left\n5 started d1 red1 seat=left from=goal\n"
    assert told(text + "8 landed d1 red2 seat=left from=goal") == []
    assert told(LIVE + "2 landed g red4 zone=goal seat=left\n3 gap g zone=goal seat=left\n"
                "5 started d1 red1 seat=left from=goal") == []  # fmt: skip


def test_a_wood_card_beneath_the_hand() -> None:
    turned = f"2 landed w red4 {WOOD} turned=3\n"
    beneath = f"6 moved w red4 {WOOD} to=hand\n"
    played = "5 started d1 red1 seat=top\n"
    assert told(LIVE + turned + played + beneath) == [("E66", "warning")]
    assert told(LIVE + turned + beneath) == []
    assert told(LIVE + turned + played + f"5.5 landed w red8 {WOOD} turned=3\n" + beneath) == []
    assert told(LIVE + turned + played + "5.4 withdrawn d1 red1 seat=top\n" + beneath) == []
    assert told(LIVE + played + beneath) == [], "whether he has turned his hand was not seen"
    alone = ruleset("dutch_blitz", stall_scope="any")
    assert told(LIVE + turned + played + beneath, alone) == []
    assert told(LIVE + turned + played.replace("top", "left") + beneath, alone) == [("E66", "warning")]
    (ruling,) = judged(LIVE + turned + beneath, ruleset("dutch_blitz", stall_rule="none"))
    assert (ruling.rule, ruling.option) == ("E66", "stall_rule")
    together = f"4 moved w green5 zone=wood seat=top to=hand\n{played}"
    assert told(LIVE + turned + together + beneath) == []
    called = "4 goal_count seat=top count=0\n4.5 called seat=top\n"
    assert "E66" not in noted(LIVE + turned + called + beneath)
    on = ruleset("dutch_blitz+until_no_play")
    off = ruleset("dutch_blitz+until_no_play", unp_bottom_card="off")
    assert told(LIVE + turned + called + beneath, on) == []
    assert told(LIVE + turned + called + beneath, off) == [("E66", "warning")]
    own = called.replace("top", "left") + "5 started d1 red1 seat=top\n" + beneath
    assert told(LIVE + turned + own, on) == [("E66", "warning")]
    rests = ruleset("dutch_blitz+until_no_play", unp_blitzer_plays="off")
    assert told(LIVE + turned + own, rests) == [], "who does not play on does not turn his hand either"


OPENINGS = [
    ("dutch_blitz", "goal", None),
    ("dutch_blitz", "wood", "refill"),
    ("dutch_blitz", "side:1", "refill"),
    ("dutch_blitz", None, None),
    ("nertz_std", "goal", None),
    ("nertz_std", "wood", None),
    ("nertz_std", "side:1", None),
    ("nertz_std space_fill=goal_only", "goal", None),
    ("nertz_std space_fill=goal_only", "wood", "space_fill"),
    ("nertz_std space_fill=goal_only", "side", "space_fill"),
    ("dutch_blitz refill=may", "wood", None),
    ("dutch_blitz refill=may", "side:0", None),
    ("dutch_blitz unp_posts_take_wood=on", "wood", "refill"),
    ("ligretto", "side:1", "refill"),
]


@pytest.mark.parametrize(("game", "source", "option"), OPENINGS)
def test_what_may_open_an_empty_place(game: str, source: str | None, option: str | None) -> None:
    preset, *options = game.split()
    rules = ruleset(preset, **dict(parse_option(text) for text in options))
    card = Card.parse("red5" if rules.deck_size == 40 else "5H")
    verdict = check_side(None, card, rules, source)
    assert (verdict.rule, verdict.option) == ((None, None) if option is None else ("E34", option))


@pytest.mark.parametrize(
    ("posts", "source", "goal_left", "option"),
    [
        ("on", "wood", 0, None),
        ("on", "wood", None, None),
        ("on", "wood", 2, "refill"),
        ("on", "side:1", 0, "refill"),
        ("off", "wood", 0, "unp_posts_take_wood"),
        ("off", "wood", None, "refill"),
    ],
)
def test_what_may_open_an_empty_place_without_a_stop(
    posts: str, source: str, goal_left: int | None, option: str | None
) -> None:
    rules = ruleset("dutch_blitz+until_no_play", unp_posts_take_wood=posts)
    verdict = check_side(None, Card.parse("red5"), rules, source, goal_left)
    assert (verdict.ok, verdict.option) == (option is None, option)


def test_an_empty_place_filled_from_another_side_pile() -> None:
    emptied = LIVE + "4 removed s3 green5 zone=side seat=left\n"
    filled = '5 started s3 red7 zone=side seat=left from={"zone":"side","pile":"s1"}\n'
    assert told(emptied + filled) == [("E34", "warning")]
    assert told(emptied + filled, ruleset("dutch_blitz", refill="may")) == []
    assert told(emptied + filled.replace('"side"', '"goal"')) == []
    moved = "5 moved s1 zone=side seat=left to=s3\n"
    assert told(emptied + moved) == [("E34", "warning")]
    fits = LIVE.replace("green5", "green8")
    assert told(fits + moved) == [], "a lone card goes on another pile"
    assert told(emptied + moved.replace("to=s3", "to=s7")) == [], "that place was not seen empty"
    nertz = emptied.replace("red7", "KH").replace("blue3", "3S").replace("green5", "5D") + moved
    assert told(nertz, "nertz_std") == []
    assert told(nertz, ruleset("nertz_std", space_fill="goal_only")) == [("E34", "warning")]
