"""The call: right, false, missed, doubled, and what is played after it."""

from __future__ import annotations

import pytest

from referee.judge import Judge
from referee.rulesets import ruleset
from tests.referee.logs import judged, log, noted, told

START = '0 round_started players=["left","top"]\n1 started d1 red1\n3 landed d1 red2\n'
EMPTY = START + "9 goal_count seat=left count=0\n10 called seat=left\n"


def test_right_call() -> None:
    (ruling,) = judged(EMPTY)
    assert (ruling.rule, str(ruling.severity), ruling.seat) == ("E50", "info", "left")


@pytest.mark.parametrize(
    ("preset", "severity"),
    [("dutch_blitz", "warning"), ("nertz_std", "foul"), ("nertz_modern", "foul"), ("hoorah", "foul")],
)
def test_false_call(preset: str, severity: str) -> None:
    text = "1 started d1 {0}\n9 goal_count seat=left count=3\n10 called seat=left\n12 started d2 {0}"
    text = text.format("red1" if preset == "dutch_blitz" else "AH")
    assert told(text, preset) == [("E51", severity)]
    (ruling,) = judged(text, preset)
    word = ruleset(preset)["call_word"]
    assert ruling.text == f'The left seat called "{word}" with 3 cards left in its goal pile (E51).'


def test_a_goal_count_that_comes_late_still_clears_the_caller() -> None:
    text = START + "9 goal_count seat=left count=1\n10 called seat=left\n10.6 goal_count seat=left count=0"
    assert noted(text) == ["E50"]


def test_a_goal_card_that_left_after_the_count_is_counted_off() -> None:
    one = (
        START + "5 goal_count seat=left count={}\n6 landed d1 red3 seat=left from=goal\n6.1 called seat=left"
    )
    assert noted(one.format(1)) == ["E50"]
    assert told(one.format(2)) == [("E51", "warning")]
    both = one.format(2).replace("6.1", "6 withdrawn g red3 zone=goal seat=left\n6.1")
    assert told(both) == [("E51", "warning")], "one card was told of twice"
    back = one.format(1).replace("6.1", "6.1 withdrawn d1 red3 seat=left\n7")
    assert told(back) == [("E51", "warning")], "the beaten card went back on the goal pile"
    gone = START + "5 goal_count seat=left count=3\n6 removed g zone=goal seat=left\n7 called seat=left"
    (ruling,) = judged(gone)
    assert (ruling.rule, ruling.seat) == ("E50", "left")
    assert told(
        gone + "\n9 round_ended\n10 round_started\n12 goal_count seat=left count=3\n13 called seat=left"
    ) == [("E51", "warning")]


def test_unknown_goal_pile_accuses_nobody() -> None:
    assert told(START + "10 called seat=left by=voice") == []
    assert noted(START + "10 called seat=left by=voice") == ["E50"]
    assert told(START + "9 goal_count seat=left count=2 seen=occluded\n10 called seat=left") == []
    assert told(START + "9 goal_count seat=top count=5\n10 called") == []


def test_call_of_nobody_in_particular() -> None:
    counts = START + "8 goal_count seat=left count=2\n9 goal_count seat=top count={}\n10 called by=voice\n"
    assert told(counts.format(4)) == [("E51", "warning")]
    (ruling,) = judged(counts.format(0))
    assert (ruling.rule, ruling.seat) == ("E50", "top")


def test_who_shouted_cannot_be_heard() -> None:
    goals = "8 goal_count seat=left count=2\n9 goal_count seat=top count={}\n10 called seat=left{}\n20 gap"
    (ruling,) = judged(START + goals.format(0, " by=voice"))
    assert (ruling.rule, ruling.seat) == ("E50", "top")
    assert ("E51", "warning") in told(START + goals.format(0, " by=button"))
    nertz = (START + goals).replace("red1", "AH").replace("red2", "2H")
    assert told(nertz.format(3, ""), "nertz_std") == [("E51", "foul")]
    assert told(nertz.format(3, " by=voice"), "nertz_std") == [("E51", "warning")]


def test_missed_call() -> None:
    text = START + "9 goal_count seat=left count=0\n"
    assert told(text + "13 landed d1 red3") == [("E52", "warning")]
    assert told(text + "11 landed d1 red3") == []
    assert told(text + "11 called seat=left\n14 round_ended") == []
    assert told(text + "11 round_ended\n14 gap") == []
    nertz = text.replace("red1", "AH").replace("red2", "2H")
    assert told(nertz + "20 landed d1 3H", "nertz_std") == []
    assert told(nertz + "20 landed d1 3H", ruleset("nertz_std", call_mandatory="on")) == [("E52", "warning")]


@pytest.mark.parametrize("count", ["null", '"?"'])
def test_a_goal_pile_that_is_no_longer_known_accuses_nobody(count: str) -> None:
    """An emptied place that was a side pile after all: the earlier count is forgotten."""
    missed = START + f"9 goal_count seat=left count=0\n10 goal_count seat=left count={count}\n"
    assert told(missed + "14 landed d1 red3\n20 gap") == []
    false = START + f"8 goal_count seat=left count=2\n9 goal_count seat=left count={count}\n"
    assert told(false + "10 called seat=left\n20 gap") == []
    assert noted(false + "10 called seat=left\n20 gap") == ["E50"]
    others = START + "8 goal_count seat=top count=2\n8.5 goal_count seat=left count=2\n"
    others += f"9 goal_count seat=left count={count}\n"
    assert told(others + "10 called\n20 gap") == []
    again = missed + "11 goal_count seat=left count=0\n"
    assert told(again + "16 landed d1 red3") == [("E52", "warning")]


def test_the_tables_own_word_is_said() -> None:
    rules = ruleset("dutch_blitz", call_word="Ready")
    (ruling,) = judged(EMPTY, rules)
    assert ruling.text == 'The call of "Ready" by the left seat is right: its goal pile is empty (E50).'
    missed = judged(START + "9 goal_count seat=left count=0\n13 landed d1 red3", rules)
    assert missed[0].text.endswith('nobody has called "Ready" (E52).')


def test_two_calls_together_both_stand() -> None:
    text = START + "8 goal_count seat=left count=0\n8.5 goal_count seat=top count=0\n"
    text += "10 called seat=left\n10.1 called seat=top"
    assert noted(text) == ["E50", "E53"]
    assert noted(EMPTY + "10.4 called seat=left") == ["E50"]


@pytest.mark.parametrize(
    ("late", "heard"),
    [("10.2", []), ("10.4", [("E54", "warning")]), ("10.8", [("E54", "foul")]), ("14", [("E54", "foul")])],
)
def test_play_after_the_call(late: str, heard: list[tuple[str, str]]) -> None:
    assert told(EMPTY + f"{late} landed d1 red3") == heard


def test_landing_with_the_call_counts() -> None:
    assert noted(EMPTY + "10 landed d1 red3") == ["E50"]
    assert noted(EMPTY + "10.2 landed d1 red3") == ["E50", "E54"]


def test_play_after_a_false_call_is_play() -> None:
    text = START + "9 goal_count seat=left count=3\n10 called seat=left\n11 landed d1 red3\n"
    assert told(text) == [("E51", "warning")]
    assert told(text + "14 landed d1 blue4") == [("E51", "warning"), ("E11", "foul")]


def test_wrong_card_after_the_call_is_one_fault() -> None:
    assert told(EMPTY + "11 landed d1 blue9") == [("E54", "foul")]


def test_a_late_card_taken_back_at_once_is_no_fault() -> None:
    assert told(EMPTY + "10.8 landed d1 red3\n11.5 withdrawn d1 red3") == []


def test_a_word_alone_is_too_little_for_a_foul() -> None:
    text = START + "10 called by=voice confidence=0.99\n12 landed d1 red3"
    assert told(text) == [("E54", "warning")]
    assert told(text.replace("voice", "button")) == [("E54", "foul")]


def test_count_rules_for_cards_on_their_way() -> None:
    nertz = EMPTY.replace("red1", "AH").replace("red2", "2H")
    in_air = "10.4 landed d1 3H released_t=9.9"
    assert told(nertz + in_air, "nertz_std") == []
    assert told(nertz + in_air, ruleset("nertz_std", count_rule="landed")) == [("E55", "warning")]
    assert told(nertz + "10.4 landed d1 3H", "nertz_std") == []
    assert told(nertz + "10.9 landed d1 3H", "nertz_std") == [("E54", "foul")]
    (_, ruling) = judged(nertz + "10.4 landed d1 3H", "nertz_std")
    assert (ruling.rule, ruling.option) == ("E55", "count_rule")


def test_without_a_stop_play_goes_on() -> None:
    assert told(EMPTY + "12 landed d1 red3\n14 landed d1 blue4", "dutch_blitz+until_no_play") == [
        ("E11", "foul")
    ]


def test_middle_stays_until_it_is_counted() -> None:
    assert told(EMPTY + "13 removed d1\n30 gap") == [("E56", "warning")]
    assert told(EMPTY + "13 withdrawn d1 red2\n30 gap") == [("E56", "warning")]
    more = EMPTY.replace("3 landed", "3 started d2 blue1\n3.1 started d3 green1\n4 landed")
    assert told(more + "13 removed d1\n14 removed d2\n15 removed d3\n30 gap") == []
    assert told(EMPTY + "12 round_ended\n13 removed d1\n30 gap") == []


def test_next_round_starts_clean() -> None:
    text = EMPTY + "14 round_ended\n15 removed d1\n20 round_started\n22 started d1 blue1\n24 landed d1 blue2"
    assert noted(text) == ["E50"]


def test_an_empty_pile_ends_the_round_where_that_is_agreed() -> None:
    rules = ruleset("dutch_blitz", empty_pile_ends="on")
    text = START + "9 goal_count seat=left count=0\n10 landed d1 red3\n16 gap"
    assert told(text, rules) == [("E54", "foul")]
    assert "after a goal pile was empty" in judged(text, rules)[0].text


def test_the_end_without_a_stop_is_asked_for() -> None:
    text = EMPTY + "12 landed d1 red3\n300 gap"
    assert noted(text, "dutch_blitz+until_no_play") == ["E50", "E67"]


def test_a_card_on_two_piles_must_be_settled_at_the_call() -> None:
    askew = EMPTY.replace("3 landed d1 red2", "3 landed d1 red2 askew=true")
    assert told(askew) == [("E20", "warning")]
    assert told(askew.replace("10 called seat=left", "")) == []


def test_a_call_that_is_understood_late_still_ends_the_round_in_time() -> None:
    text = START + "9 goal_count seat=left count=0\n10.8 landed d1 red3\n10 called seat=left by=voice\n13 gap"
    assert told(text) == [("E54", "foul")]
    assert told(text.replace("10.8", "9.9")) == []


def test_a_landing_that_was_read_late_gets_its_whole_grace() -> None:
    judge = Judge(ruleset("dutch_blitz"))
    early = log("1 started d1 red1\n5 started d2 blue1\n2 landed d1 blue2\n2.6 withdrawn d1 blue2")
    heard = [ruling for item in early[:3] for ruling in judge.feed(item)]
    heard += judge.advance(5.4)
    heard += judge.feed(early[3])
    assert heard + judge.advance(20) + judge.finish() == []


def test_a_call_on_a_goal_card_that_lies_wrongly() -> None:
    text = START + "7 landed d1 blue5 seat=left from=goal\n7 goal_count seat=left count=0\n"
    assert told(text + "9 called seat=left\n20 gap") == [("E11", "foul"), ("E51", "warning")]
    another = text + "8 started s1 red7 zone=side seat=left from=goal\n"
    assert told(another + "9 called seat=left\n20 gap") == [("E11", "foul")], "nobody objected in time"
    back = text + "8.5 withdrawn d1 blue5\n8.6 goal_count seat=left count=1\n"
    assert told(
        back + "9 landed d1 red3 seat=left from=goal\n9 goal_count seat=left count=0\n9.5 called seat=left"
    ) == [("E11", "foul")]
