"""What a correction would change is told before it is made, and nothing is written meanwhile."""

from __future__ import annotations

import pytest

from engine.past import Case, changed_lines
from engine.reconsider import effect_of_correction, effect_of_opinion, rejudged
from engine.table_command import Command, CommandError, CommandKind
from referee.rulesets import Ruleset, ruleset
from tests.engine.fakes import PLAYERS
from tests.engine.test_pipeline import played

COUNTS = [{"player": "Ann", "played": 14, "left": 0}, {"player": "Bo", "played": 8, "left": 7}]
RULES = ruleset("dutch_blitz_2")


def case(rules: Ruleset = RULES, counted: bool = True) -> Case:
    pipeline = played(480)
    if counted:
        pipeline.command(Command(CommandKind.COUNT, "count", values={"entries": COUNTS}))
    return Case(pipeline.view(), pipeline.log, rules, PLAYERS, "/evidence/1")


def test_an_opinion_changes_no_score_by_itself() -> None:
    one = case()
    seq = one.view.flags[0].seq
    for action in ("uphold", "overrule"):
        effect = effect_of_opinion(one, seq, action)
        assert effect.scores == {} and effect.counted


def test_where_wrong_cards_are_void_upholding_costs_the_card() -> None:
    one = case(ruleset("dutch_blitz_2", late_error="void"))
    seq = one.view.flags[0].seq
    assert effect_of_opinion(one, seq, "uphold").scores == {"Bo": (-6, -7)}
    assert effect_of_opinion(one, seq, "overrule").scores == {}


def test_nothing_counted_is_said() -> None:
    one = case(counted=False)
    assert not effect_of_opinion(one, one.view.flags[0].seq, "uphold").counted


def test_a_right_reading_takes_the_flag_away_and_a_wrong_one_raises_another() -> None:
    one = case()
    flag = one.view.flags[0]
    right = {"of": [flag.play_seq], "action": "replace", "event": {"card": {"number": 4, "colour": "red"}}}
    assert [gone.seq for gone in effect_of_correction(one, right).fallen] == [flag.seq]
    assert effect_of_correction(one, right).raised == ()
    skipped = {"of": [flag.play_seq], "action": "replace", "event": {"card": {"number": 6, "colour": "red"}}}
    assert [new.rule for new in effect_of_correction(one, skipped).raised] == ["E12"]
    with pytest.raises(CommandError):
        effect_of_correction(one, {"of": [999], "action": "delete"})


def test_other_rules_judge_the_same_log() -> None:
    one = case()
    effect = rejudged(one, ruleset("dutch_blitz_2", goal_penalty=3))
    assert effect.scores == {"Bo": (-6, -13)} and effect.fallen == () and effect.raised == ()
    nertz = rejudged(one, ruleset("nertz_std"))
    assert nertz.raised or nertz.fallen


def test_a_round_that_is_over_takes_corrections_but_no_play() -> None:
    one = case()
    with pytest.raises(CommandError, match="a round that is over"):
        changed_lines(one.log, RULES, PLAYERS, Command(CommandKind.CALL, "x"))
    entries = [{"player": "Ann", "played": 3, "left": 0}]
    lines = changed_lines(
        one.log, RULES, PLAYERS, Command(CommandKind.COUNT, "c", values={"entries": entries})
    )
    assert [line.extra["entries"] for line in lines] == [entries]
    assert lines[0].seq == len(one.log) + 1
