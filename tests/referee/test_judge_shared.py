"""Shared piles: each infringement of a log gives its rule and no other; the innocent ones give none."""

from __future__ import annotations

import pytest

from referee.judge import TOURNAMENT, Judge, JudgeSettings
from referee.rule_texts import Severity
from referee.rulesets import RULESET_VERSION, ruleset
from tests.referee.logs import ORDINARY, judged, log, noted, told

RED_TO_5 = """
1 started d1 red1
3 landed d1 red2
5 landed d1 red3
7 landed d1 red4
9 landed d1 red5
"""
RED_TO_10 = RED_TO_5 + "".join(f"{2 * n - 1} landed d1 red{n}\n" for n in range(6, 11))

FOULS = {
    "start with a 3": ("dutch_blitz", "5 started d1 red3", "E10"),
    "start with a king": ("nertz_std", "5 started d1 KH", "E10"),
    "start with an ace": ("starter9", "5 started d1 AH", "E10"),
    "wrong colour": ("dutch_blitz", RED_TO_5 + "12 landed d1 blue6\n20 landed d1 blue7", "E11"),
    "wrong suit": ("nertz_std", "1 started d1 AH\n4 landed d1 2D", "E11"),
    "wrong colour and number": ("dutch_blitz", RED_TO_5 + "12 landed d1 blue9", "E11"),
    "skipped number": ("dutch_blitz", RED_TO_5 + "12 landed d1 red7\n14 landed d1 red8", "E12"),
    "skip of three": ("nertz_modern", "1 started d1 AH\n4 landed d1 5H", "E12"),
    "lower number": ("dutch_blitz", RED_TO_5 + "12 landed d1 red3\n15 landed d1 red4", "E14"),
    "wrong way swinging": ("swinging_door", "1 started d1 AH\n4 landed d1 2H\n7 landed d1 KH", "E14"),
    "back on a down pile": (
        "swinging_door",
        "1 started d1 AH\n4 landed d1 KH\n7 landed d1 QH\n9 landed d1 KH",
        "E14",
    ),
    "wrong trend from a 9": ("starter9", "1 started d1 9H\n4 landed d1 10H\n7 landed d1 8H", "E14"),
    "double swing skips": ("double_swinging_door", "1 started d1 AH\n4 landed d1 2H\n7 landed d1 5H", "E12"),
    "king on 2 not agreed": (
        "double_swinging_door",
        "1 started d1 AH\n4 landed d1 2H\n7 landed d1 KH",
        "E12",
    ),
    "on a complete pile": ("dutch_blitz", RED_TO_10 + "25 landed d1 red1", "E15"),
    "ace on a pile": ("swinging_door", "1 started d1 AH\n4 landed d1 2H\n7 landed d1 AH", "E16"),
    "ace on a double pile": (
        "double_swinging_door",
        "1 started d1 AH\n4 landed d1 2H\n7 landed d1 AH",
        "E16",
    ),
}
FOULS["on a dead pile"] = (
    "starter9",
    "1 started d1 9H\n"
    + "".join(f"{2 + 2 * i} landed d1 {n}H\n" for i, n in enumerate((8, 7, 6, 5, 4, 3)))
    + "40 landed d1 2H",
    "E15",
)


@pytest.mark.parametrize("case", FOULS, ids=str)
def test_one_mistake_gives_one_foul(case: str) -> None:
    rules, text, rule = FOULS[case]
    assert told(text, rules) == [(rule, "foul")]


def test_play_goes_on_from_what_was_seen() -> None:
    text = RED_TO_5 + "12 landed d1 blue6\n15 landed d1 blue7\n18 landed d1 blue8"
    assert told(text) == [("E11", "foul")]
    assert told("1 started d1 red4\n4 landed d1 red5\n9 landed d1 red6") == [("E10", "foul")]


def test_the_ruling_says_why_in_one_sentence() -> None:
    (ruling,) = judged(RED_TO_5 + "12 landed d1 blue6")
    assert ruling.text == "Blue 6 was put on red 5: the colours differ (E11)."
    assert (ruling.of, ruling.t, ruling.pile, str(ruling.card)) == ((6,), 12.0, "d1", "blue6")
    assert ruling.ruleset_version == RULESET_VERSION
    (skip,) = judged(RED_TO_5 + "12 landed d1 red7")
    assert skip.text == "Red 7 was put on red 5: the 6 between was skipped (E12)."


def test_the_option_that_would_allow_it_is_named() -> None:
    text = "1 started d1 AH\n4 landed d1 2H\n7 landed d1 KH"
    assert judged(text, "double_swinging_door")[0].option == "dsd_two_king"
    assert told(text, "double_swinging_door+dsd_two_king") == []


INNOCENT = {
    "lawful play": RED_TO_10,
    "lost race withdrawn": RED_TO_5 + "12 landed d1 red6 seat=left\n12.1 landed d1 red6 seat=top\n"
    "13 withdrawn d1 red6 seat=top\n15 landed d1 red7",
    "slow lost race": RED_TO_5 + "12 landed d1 red6\n12.3 landed d1 red6\n14.2 withdrawn d1 red6",
    "lost race pulled out from below": RED_TO_5
    + "12 landed d1 red6\n12.3 landed d1 red6\n13.2 landed d1 red7\n14 withdrawn d1 red6\n18 landed d1 red8",
    "lost race while others build on": RED_TO_5
    + "12 landed d1 red6\n12.3 landed d1 red7\n12.5 landed d1 red6\n"
    + "14.2 withdrawn d1 red6\n17 landed d1 red8",
    "lost race of three": RED_TO_5 + "12 landed d1 red6\n12.1 landed d1 red6\n12.2 landed d1 red6\n"
    "13 withdrawn d1 red6\n13.5 withdrawn d1 red6\n16 landed d1 red7",
    "lost race of three, the first goes back first": RED_TO_5 + "12 landed d1 red6\n12.2 landed d1 red6\n"
    "13 landed d1 red6\n13.6 withdrawn d1 red6\n14.4 withdrawn d1 red6\n16 landed d1 red7",
    "lost race of three with seats": RED_TO_5 + "12 landed d1 red6 seat=left\n12.2 landed d1 red6 seat=top\n"
    "13 landed d1 red6 seat=right\n13.6 withdrawn d1 red6 seat=right\n14.1 withdrawn d1 red6 seat=top",
    "lost race, and the winner pulls out his": RED_TO_5 + "12 landed d1 red6 seat=left\n"
    "12.2 landed d1 red6 seat=top\n13 withdrawn d1 red6 seat=left\n16 landed d1 red7",
    "lost race for the last card": RED_TO_10 + "19.2 landed d1 red10\n20 withdrawn d1 red10",
    "lost race for the first card": "1 started d1 red1\n1.2 landed d1 red1\n2 withdrawn d1 red1\n"
    "4 landed d1 red2",
    "mistake taken back": RED_TO_5 + "12 landed d1 blue6\n12.9 withdrawn d1 blue6\n15 landed d1 red6",
    "winner steps back too": RED_TO_5 + "12 landed d1 red6\n12.4 withdrawn d1 red6\n12.9 landed d1 red6",
    "completed pile moved": RED_TO_10 + "22 completed d1\n24 moved d1\n26 started d2 red1\n28 landed d2 red2",
    "completed pile turned": RED_TO_10 + "22 completed d1\n24 turned d1 back=pump\n26 started d2 blue1",
    "completed pile taken, its place used": RED_TO_10 + "22 completed d1\n24 removed d1\n26 started d1 blue1",
    "new 1 where a moved pile lay": RED_TO_10 + "22 completed d1\n24 moved d1\n26 landed d1 blue1",
    "bumped pile": RED_TO_5 + "12 moved d1 at=[40,40]\n14 landed d1 red6",
    "bumped pile under a new name": RED_TO_5 + "12 removed d1\n12.2 started d9 red5\n14 landed d9 red6",
    "bumped pile, seen elsewhere before its place was seen empty": RED_TO_5
    + "12 started d9 red5\n12.3 removed d1\n14 landed d9 red6",
    "off-centre beside the only pile": "1 started d1 red1 at=[100,100]\n5 started d7 red2 at=[150,130]",
    "pile drifts": RED_TO_5 + "10 moved d1\n10.5 moved d1\n11 moved d1\n12 landed d1 red6",
    "off-centre landing": "1 started d1 red1 at=[100,100]\n2 started d2 blue1 at=[400,100]\n"
    "3 started d3 green1 at=[100,400]\n5 started d7 red2 at=[150,130]\n8 landed d7 red3",
    "off-centre landing, size known": "0 round_started card_length_px=100\n1 started d1 red1 at=[100,100]\n"
    "5 started d7 red2 at=[200,100]",
    "landing missed after a gap": RED_TO_5 + "11 gap d1\n14 landed d1 red8\n17 landed d1 red9",
    "landing missed while covered": RED_TO_5 + "14 landed d1 red8 seen=occluded",
    "a pile that was there before anybody looked": "1 landed d1 red4\n5 landed d1 red5",
    "landings on piles without a name": "1 started\n3 landed",
    "right once the wrong card below went back": RED_TO_5
    + "12 landed d1 blue6 seat=left\n12.3 landed d1 red6 seat=top\n12.8 withdrawn d1 blue6 seat=left\n"
    + "15 landed d1 red7",
    "two who came in the wrong order": RED_TO_5
    + "12 landed d1 red7 seat=left\n12.3 landed d1 red6 seat=top\n12.8 withdrawn d1 red7 seat=left\n"
    + "13 landed d1 red7 seat=left",
    "very fast two singles": RED_TO_5 + "11 landed d1 red6 seat=left\n11.2 landed d1 red7 seat=left",
    "two cards that a camera read at once": RED_TO_5
    + "11 landed d1 red6 seat=left source=vision\n11 started d2 blue1 seat=left source=vision",
    "same top again after a gap": RED_TO_5 + "11 gap d1\n14 landed d1 red5\n19 landed d1 red6",
    "a pile that came in a gap": "1 started d1 red1\n4 gap\n9 started d2 blue4\n11 landed d2 blue5",
    "unread top": RED_TO_5 + "11 landed d1\n14 landed d1 red7",
    "put back at once": RED_TO_5 + "12 landed d1 red6\n20 withdrawn d1 red6\n20.6 landed d1 red6",
    "weak reading": RED_TO_5 + "12 landed d1 blue6 confidence=0.55",
}
UP_TO_KING = "".join(f"{n} {'landed' if n > 1 else 'started'} d1 {n}H\n" for n in range(1, 11))
UP_TO_KING += "11 landed d1 JH\n12 landed d1 QH\n13 landed d1 KH\n"
UP_TO_THREE = (
    "1 started d1 9H\n2 landed d1 10H\n3 landed d1 JH\n4 landed d1 QH\n5 landed d1 KH\n6 landed d1 AH\n"
)
UP_TO_THREE += "7 landed d1 2H\n8 landed d1 3H\n"
DOWN_TO_3 = "1 started d1 9H\n" + "".join(f"{10 - n} landed d1 {n}H\n" for n in range(8, 2, -1))
INNOCENT_ELSEWHERE = {
    "lost race for a king": ("nertz_std", UP_TO_KING + "13.4 landed d1 KH\n14.5 withdrawn d1 KH"),
    "completed pile moved, an ace where it lay": (
        "nertz_std",
        UP_TO_KING + "15 completed d1\n16 moved d1\n20 landed d1 AS\n22 landed d1 2S",
    ),
    "completed pile turned over": ("swinging_door", UP_TO_KING + "15 turned d1 back=pump\n20 started d2 AS"),
    "dead pile taken": ("starter9", DOWN_TO_3 + "12 completed d1\n14 removed d1\n18 started d1 9S"),
    "lost race for the 3": ("evil_jacks", DOWN_TO_3 + "7.3 landed d1 3H\n8.4 withdrawn d1 3H"),
    "bumped pile that swings": (
        "double_swinging_door",
        "1 started d1 AH\n3 landed d1 2H\n5 landed d1 3H\n7 moved d1 at=[9,9]\n9 landed d1 2H\n"
        "11 landed d1 3H",
    ),
    "off-centre landing of a down card": (
        "swinging_door",
        "0 round_started card_length_px=100\n1 started d1 AH at=[100,100]\n3 landed d1 KH\n"
        "5 started d7 QH at=[190,120]\n9 landed d1 JH seen=occluded",
    ),
    "landing missed on a pile that swings": (
        "double_swinging_door",
        "1 started d1 AH\n3 landed d1 2H\n5 gap d1\n9 landed d1 4H",
    ),
    "landing missed on an up pile": (
        "starter9",
        "1 started d1 9H\n3 landed d1 10H\n5 gap d1\n9 landed d1 QH",
    ),
}
"""The same confusers in the other games: game and log."""


@pytest.mark.parametrize("case", INNOCENT, ids=str)
def test_the_innocent_are_left_alone(case: str) -> None:
    assert set(noted(INNOCENT[case])) <= ORDINARY


@pytest.mark.parametrize("case", INNOCENT_ELSEWHERE, ids=str)
def test_the_innocent_of_other_games_are_left_alone(case: str) -> None:
    game, text = INNOCENT_ELSEWHERE[case]
    assert set(noted(text, game)) <= ORDINARY


def test_a_runner_up_that_fits_is_too_little_to_tell_anybody() -> None:
    nine = (
        RED_TO_5 + "12 landed d1 red9 confidence={} alternatives=" + '[{{"number":6,"colour":"red","p":{}}}]'
    )
    assert noted(nine.format(0.7, 0.29)) == ["E12"]
    assert told(nine.format(0.7, 0.29)) == []
    assert noted(nine.format(0.55, 0.44)) == []


def test_lost_race_is_noted_with_its_order() -> None:
    (ruling,) = judged(INNOCENT["lost race withdrawn"])
    assert (ruling.rule, ruling.severity) == ("E25", Severity.INFO)
    assert ruling.of == (6, 7, 8)
    (ruling,) = judged(RED_TO_5 + "12 landed d1 red6\n12.05 landed d1 red6\n13 withdrawn d1 red6")
    assert "too close to tell" in ruling.text
    three = judged(INNOCENT["lost race of three with seats"])
    assert [ruling.text.split(" came ")[1][:5] for ruling in three] == ["1.0 s", "0.2 s"]


def test_same_number_twice_climbs() -> None:
    doubled = RED_TO_5 + "12 landed d1 red6\n12.5 landed d1 red6\n"
    assert told(doubled + "20 started d2 blue1") == [("E13", "warning")]
    assert told(doubled) == [("E13", "warning")]
    assert told(doubled + "13 landed d1 red7\n30 landed d1 red8") == [("E13", "foul")]
    assert told(doubled + "16 landed d1 red7") == [("E13", "warning"), ("E13", "foul")]


def test_a_gap_turns_a_foul_into_a_warning() -> None:
    assert told(RED_TO_5 + "11 gap d1\n14 landed d1 blue6") == [("E11", "warning")]
    assert told(RED_TO_5 + "11 gap d1\n14 landed d1 red3") == [("E14", "warning")]
    assert told(RED_TO_5 + "11 gap d1\n12 gap d1 red5 ended=true\n14 landed d1 blue6") == [("E11", "foul")]


def test_an_unsure_reading_turns_a_foul_into_a_warning() -> None:
    assert told(RED_TO_5 + "12 landed d1 blue6 confidence=0.95") == [("E11", "warning")]
    assert noted(RED_TO_5 + "12 landed d1 blue6 confidence=0.7") == ["E11"]
    unsure_top = RED_TO_5.replace("red5", "red5 confidence=0.93")
    assert told(unsure_top + "12 landed d1 blue6") == [("E11", "warning")]


def test_a_gap_is_no_excuse_for_ever() -> None:
    late = "1 started d1 red1\n4 gap\n{} started d2 blue4"
    assert told(late.format(9)) == []
    assert told(late.format(30)) == [("E10", "foul")]
    away = "1 started d1 red1\n4 camera_lost\n6 camera_back\n{} started d2 blue4"
    assert told(away.format(12)) == []
    assert told(away.format(30)) == [("E10", "foul")]


def test_seen_start_far_from_any_pile_is_a_foul() -> None:
    far = "0 round_started card_length_px=100\n1 started d1 red1 at=[100,100]\n5 started d7 red2 at=[400,100]"
    assert told(far) == [("E10", "foul")]
    near_but_other_colour = far.replace("d7 red2 at=[400,100]", "d7 blue2 at=[200,100]")
    assert told(near_but_other_colour) == [("E10", "foul")]


def test_a_pile_whose_place_was_seen_bare_since_the_gap_did_not_begin_in_it() -> None:
    start = "1 started d1 red1\n4 {}\n9 started d2 blue4{}"
    for gap in ("gap", "camera_moved", "camera_lost\n5 camera_back"):
        assert ("E10", "foul") in told(start.format(gap, " bare_t=8.5"))
        for before in ("", " bare_t=3.5", " bare_t=8.5 seen=occluded"):
            assert "E10" not in [rule for rule, _ in told(start.format(gap, before))]


def test_so_many_cards_cannot_have_come_unseen_in_a_moment() -> None:
    unseen = RED_TO_5 + "14 landed d1 red{} seen=occluded hidden_s={}"
    assert told(unseen.format(9, 0.2)) == [("E12", "warning")]
    for number, hidden_s in ((7, 0.2), (9, 2.0), (5, 0.2)):
        assert told(unseen.format(number, hidden_s)) == []
    assert told(RED_TO_5 + "11 gap d1\n14 landed d1 red9 seen=occluded hidden_s=0.2") == []


def test_a_card_beside_a_pile_on_which_it_is_wrong_too_is_a_warning() -> None:
    beside = "0 round_started card_length_px=100\n1 started d1 red1 at=[100,100]\n2 landed d1 red2\n"
    assert told(beside + "5 started d7 red9 at=[200,100]") == [("E10", "warning")]
    for innocent in ("3", "2"):
        assert told(beside + f"5 started d7 red{innocent} at=[200,100]") == []
    assert told(beside + "3 gap d1\n5 started d7 red9 at=[200,100]") == []
    assert told(beside + "5 started d7 red9 at=[200,100] seen=occluded") == []


def test_a_card_that_may_be_the_top_itself_is_told_of_less_surely() -> None:
    glimpse = (
        RED_TO_5
        + "12 landed d1 red1 confidence=0.8 alternatives="
        + '[{{"number":{},"colour":"red","p":0.19}}]'
    )
    assert told(glimpse.format(9)) == [("E14", "warning")]
    assert told(glimpse.format(5)) == []


def test_taking_a_lawful_card_back_is_a_warning() -> None:
    assert told(RED_TO_5 + "20 withdrawn d1 red5\n25 started d2 blue1") == [("E23", "warning")]


def test_unwinding_a_wrong_card_is_no_fault() -> None:
    wrong = RED_TO_5 + "12 landed d1 blue6\n14 landed d1 blue7\n"
    unwound = wrong + "20 withdrawn d1 blue7\n21 withdrawn d1 blue6\n24 landed d1 red6"
    assert told(unwound) == [("E11", "foul")]
    paused = (
        wrong
        + "19 paused reason=dutch\n20 withdrawn d1 blue7\n21 withdrawn d1 blue6\n23 resumed\n"
        + "24 landed d1 red6"
    )
    assert told(paused) == [("E11", "foul")]
    assert "E62" in noted(paused)


def test_how_a_card_was_put_down() -> None:
    assert told("1 started d1 red1\n4 landed d1 red2 thrown=true") == [("E19", "warning")]
    assert told("1 started d1 red1\n4 landed d1 red2 cards_at_once=2") == [("E17", "warning")]
    both = "1 started d1 red1 seat=left hand=left\n1.3 started d2 blue1 seat=left hand=right"
    assert told(both) == [("E18", "warning")]
    assert told(both, ruleset("dutch_blitz", hands="two")) == []
    assert told(both.replace("1.3", "1.9")) == []
    assert told(both.replace("seat=left hand=right", "seat=top hand=right")) == []


def test_play_before_the_start() -> None:
    text = "1 started d1 red1\n3 round_started\n5 landed d1 red2"
    assert told(text) == [("E02", "warning")]
    assert told("1 started d1 red1\n5 landed d1 red2") == []
    (ruling,) = judged(text.replace("3 round", "1.2 round"))
    assert (ruling.rule, str(ruling.severity)) == ("E02", "info")
    assert "too close to call" in ruling.text


def test_handled_piles_are_noted() -> None:
    assert noted(INNOCENT["completed pile moved"]) == ["E61"]
    assert noted(INNOCENT["bumped pile"]) == ["E63"]
    (ruling,) = judged(INNOCENT["completed pile turned"], ruleset("dutch_blitz", complete_pile="leave"))
    assert ruling.option == "complete_pile"


def test_up_piles_from_nine_are_noted_for_the_count() -> None:
    assert noted(UP_TO_THREE, "evil_jacks") == ["E68", "E68"]
    assert noted(UP_TO_THREE, "starter9") == ["E68"]


def test_what_the_camera_did_not_see_is_nobodys_fault() -> None:
    away = RED_TO_5 + "10 camera_lost\n12 camera_back\n14 landed d1 red7\n16 started d4 blue4"
    (ruling,) = judged(away)
    assert (ruling.rule, str(ruling.severity)) == ("E71", "info")
    assert told(RED_TO_5 + "10 camera_lost") == [("E71", "warning")]


def test_who_was_first_where_time_cannot_tell() -> None:
    race = RED_TO_5 + "12 landed d1 red6\n{} landed d1 red6\n13 withdrawn d1 red6"
    again = ruleset("dutch_blitz", dead_heat="replay")
    for close, option, said in (
        ("12.05", "dead_heat", "both are played again"),
        ("12.4", None, "the lower card"),
    ):
        (ruling,) = judged(race.format(close), again)
        assert (ruling.rule, ruling.option) == ("E25", option)
        assert said in ruling.text
    (ruling,) = judged(race.format("12.05"), ruleset("dutch_blitz", dead_heat="table"))
    assert "the table says which one counts" in ruling.text


def test_more_equal_cards_than_decks() -> None:
    started = "0 round_started players={}\n1 started d1 red1\n4 started d2 red1\n7 started d3 red1\n"
    two = started.format('["left","top"]')
    (ruling,) = judged(two + "12 gap")
    assert (ruling.rule, str(ruling.severity)) == ("E70", "warning")
    assert noted(started.format('["left","top","right"]') + "12 gap") == []
    assert noted(started.format("[]") + "12 gap") == []
    assert noted(two + "8 withdrawn d3 red1\n12 gap") == []
    assert noted(two.replace("7 started d3 red1", "7 started d3 red1 confidence=0.5") + "12 gap") == []


def test_two_cards_of_one_player_at_the_same_moment() -> None:
    one = RED_TO_5 + "11 landed d1 red6 seat=left\n"
    assert told(one + "11 landed d1 red7 seat=left") == [("E17", "warning")]
    assert told(one + "11.05 started d2 blue1 seat=left") == [("E18", "warning")]
    assert told(one + "11.05 started d2 blue1 seat=left", ruleset("dutch_blitz", hands="two")) == []
    assert told(one + "11.05 started d2 blue1 seat=top") == []


def test_a_stop_in_which_a_card_goes_back() -> None:
    stop = RED_TO_5 + "12 landed d1 blue6\n19 paused\n{}23 resumed\n24 landed d1 red6"
    back = "20 withdrawn d1 blue6\n"
    assert [r for r in noted(stop.format(back)) if r != "E11"] == ["E62"]
    assert [r for r in noted(RED_TO_5 + "19 paused\n23 resumed") if r != "E11"] == []


def test_an_option_is_named_only_where_it_would_have_helped() -> None:
    start = "1 started d1 9H\n2 landed d1 10H\n4 landed d1 {}"
    assert judged(start.format("9H"), "starter9")[0].option == "s9_direction"
    assert judged(start.format("9S"), "starter9")[0].option is None


def test_the_camera_is_told_of_not_the_players() -> None:
    assert told(RED_TO_5 + "12 camera_moved") == [("E71", "warning")]
    assert told(RED_TO_5 + "12 camera_lost\n20 started d2 blue1") == [("E71", "warning")]
    assert told(RED_TO_5 + "12 camera_lost\n14 camera_back") == []
    assert told(RED_TO_5 + "12 gap reason=spill") == [("E64", "warning")]


def test_silence_is_noted_once() -> None:
    quiet = RED_TO_5 + "300 landed d1 red6"
    assert noted(quiet) == ["E65"]


def test_rulings_wait_for_their_grace() -> None:
    judge = Judge(ruleset("dutch_blitz"))
    for item in log(RED_TO_5 + "12 landed d1 blue6"):
        assert judge.feed(item) == []
    assert judge.advance(12.9) == []
    assert [ruling.rule for ruling in judge.advance(13.1)] == ["E11"]
    assert judge.finish() == []


def test_a_tournament_lowers_the_bar_for_its_human_referee() -> None:
    text = RED_TO_5 + "12 landed d1 blue6 confidence=0.975"
    assert told(text) == [("E11", "warning")]
    assert told(text, settings=TOURNAMENT) == [("E11", "foul")]


def test_caps_can_be_lowered() -> None:
    settings = JudgeSettings(caps=(("E12", Severity.WARNING),))
    assert told(RED_TO_5 + "12 landed d1 red7", settings=settings) == [("E12", "warning")]


def test_ordinary_events_can_be_reported() -> None:
    settings = JudgeSettings(report_ordinary=True)
    rulings = judged("0 round_started\n1 started d1 red1\n2 completed d1", settings=settings)
    assert [ruling.rule for ruling in rulings] == ["E03", "E24", "E60"]


def test_foreign_card_is_no_crash() -> None:
    assert noted("1 started d1 KH\n3 landed d1 red2") == ["E70"]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("11 gap d1 reason=card seat=left\n13 landed d1 red6 seat=left", ["E21"]),
        ("11 gap d1 reason=card seat=left\n13 gap d1 red5 ended=true", ["E21"]),
        ("11 gap d1 reason=card seat=left\n12 landed d1 red6 seat=left", []),
        ("11 gap d1 reason=hand seat=left\n13 gap d1 red5 ended=true", ["E22"]),
        ("11 gap d1 reason=hand seat=left\n12 gap d1 red5 ended=true", []),
        ("11 gap d1 reason=hand seat=left\n13 landed d1 red6 seat=left", []),
        ("11 gap d1 reason=hand seat=left\n12 started d2 blue1 seat=left\n13 gap d1 red5 ended=true", []),
        ("11 gap d1 reason=hand seat=left\n12 started d2 blue1 seat=top\n13 gap d1 red5 ended=true", ["E22"]),
        ("11 gap d1 reason=hand\n12 started d2 blue1 seat=top\n13 gap d1 red5 ended=true", []),
        ("11 gap d1 reason=hand\n12 paused reason=dutch\n13 gap d1 red5 ended=true", ["E62"]),
        ("11 gap d1\n13 gap d1 red5 ended=true", []),
    ],
)
def test_a_pile_that_is_covered(text: str, rules: list[str]) -> None:
    assert noted(RED_TO_5 + text) == rules
    assert told(RED_TO_5 + text) == []
