"""`blitzref judge` on a log with one infringement gives that rule and no other; the innocent give none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from engine.cli import program_for
from referee.events import write_line
from referee.judge import JudgeSettings
from referee.options import OPTIONS, shown
from referee.rule_texts import NOT_IN_A_LOG, RULES
from referee.rulesets import RULESET_VERSION, describe, preset_names
from referee.rulesets import ruleset as make_ruleset
from tests.referee.logs import ORDINARY, log, noted
from tests.referee.test_judge_calls import EMPTY, START
from tests.referee.test_judge_own import LIVE, ORDER, SIDE, WOOD, turns
from tests.referee.test_judge_shared import (
    FOULS,
    INNOCENT,
    INNOCENT_ELSEWHERE,
    RED_TO_5,
    UP_TO_THREE,
)

LATE_REFILL = (
    "10 removed s3 zone=side seat=left\n11 started d1 red1 seat=left\n"
    "12 started s3 green4 zone=side seat=left\n"
)
OTHERS = {
    "E01": "1 goal_count seat=left count=9\n3 round_started",
    "E02": "1 started d1 red1\n3 round_started\n5 landed d1 red2",
    "E13": RED_TO_5 + "12 landed d1 red6\n12.5 landed d1 red6\n20 started d2 blue1",
    "E17": "1 started d1 red1\n4 landed d1 red2 cards_at_once=2",
    "E18": "1 started d1 red1 seat=left hand=left\n1.3 started d2 blue1 seat=left hand=right",
    "E19": "1 started d1 red1\n4 landed d1 red2 thrown=true",
    "E20": EMPTY.replace("3 landed d1 red2", "3 landed d1 red2 askew=true"),
    "E21": RED_TO_5 + "11 gap d1 reason=card seat=left\n13 landed d1 red6 seat=left",
    "E22": RED_TO_5 + "11 gap d1 reason=hand seat=left\n13 gap d1 red5 ended=true",
    "E23": RED_TO_5 + "20 withdrawn d1 red5\n25 started d2 blue1",
    "E30": SIDE + "5 landed s1 green5 zone=side seat=left",
    "E31": SIDE + "5 landed s1 blue6 zone=side seat=left",
    "E32": SIDE + "3 landed s1 green6 zone=side seat=left\n5 moved s1 zone=side seat=left to=s2",
    "E33": LIVE + LATE_REFILL + LATE_REFILL.replace("10 ", "20 ").replace("11 ", "21 ")
    .replace("12 ", "22 ").replace("started d1", "started d2"),
    "E34": LIVE + "2 landed w red4 zone=wood seat=left\n4 removed s3 zone=side seat=left\n"
    "5 started s3 red4 zone=side seat=left from=wood",
    "E35": LIVE + "9 started s4 red2 zone=side seat=left",
    "E36": LIVE + "2 landed g red4 zone=goal seat=left\n5 started d1 red1 seat=left from=goal",
    "E37": LIVE + "2 landed w red4 zone=wood seat=left\n5 started d1 red1 seat=left from=wood",
    "E38": LIVE + "5 started d1 red1 seat=left from=hand",
    "E39": LIVE + turns(1, ORDER, turned=2),
    "E40": LIVE + turns(1, ORDER) + turns(2, " ".join(reversed(ORDER.split()))),
    "E41": LIVE + f"2 landed w red1 {WOOD} turned=3\n4 landed w red4 {WOOD} turned=3\n"
    "6 started d1 red1 seat=left from=wood",
    "E42": SIDE + "4 landed s1 green6 zone=side seat=left by_seat=top",
    "E51": START + "9 goal_count seat=left count=3\n10 called seat=left\n12 landed d1 red3",
    "E52": START + "9 goal_count seat=left count=0\n13 landed d1 red3",
    "E54": EMPTY + "10.8 landed d1 red3",
    "E55": EMPTY + "10.4 landed d1 red3 released_t=9.9",
    "E56": EMPTY + "13 removed d1\n30 gap",
    "E64": RED_TO_5 + "12 gap reason=spill",
    "E66": LIVE + f"2 landed w red4 {WOOD} turned=3\n5 started d1 red1 seat=top\n"
    f"6 moved w red4 {WOOD} to=hand",
    "E70": "1 started d1 KH\n3 landed d1 red2",
    "E71": RED_TO_5 + "12 camera_moved",
}  # fmt: skip
"""A log with each infringement that a log can show and that is none of the shared piles alone."""
EVENTS = {
    "E25": ("dutch_blitz", INNOCENT["lost race withdrawn"]),
    "E50": ("dutch_blitz", EMPTY),
    "E53": ("dutch_blitz", START + "8 goal_count seat=left count=0\n8.5 goal_count seat=top count=0\n"
            "10 called seat=left\n10.1 called seat=top"),
    "E61": ("dutch_blitz", INNOCENT["completed pile turned"]),
    "E62": ("dutch_blitz", RED_TO_5 + "19 paused reason=dutch\n23 resumed"),
    "E63": ("dutch_blitz", INNOCENT["bumped pile"]),
    "E65": ("dutch_blitz", RED_TO_5 + "300 landed d1 red6"),
    "E67": ("dutch_blitz+until_no_play", EMPTY + "12 landed d1 red3\n300 gap"),
    "E68": ("starter9", UP_TO_THREE),
}  # fmt: skip
"""A log with each event that is noted: game and log."""
IF_ASKED = {"E03": "0 round_started", "E24": "1 started d1 red1", "E60": RED_TO_5 + "11 completed d1"}
"""What is noted only where ordinary events are asked for."""
CASES = [(rule, "dutch_blitz", text) for rule, text in OTHERS.items()]
CASES += [(rule, str(game), text) for game, text, rule in FOULS.values()]


def judged(folder: Path, text: str, game: str) -> list[dict[str, Any]]:
    """The rulings that the command prints."""
    path = folder / "events.jsonl"
    path.write_text("".join(write_line(event) + "\n" for event in log(text)), encoding="utf-8")
    done = CliRunner().invoke(program_for(["judge"]), ["judge", str(path), "--ruleset", game, "--json"])
    assert done.exit_code == 0, done.output
    rulings = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(ruling["ruleset_version"] == RULESET_VERSION for ruling in rulings)
    return rulings


def told(folder: Path, text: str, game: str) -> set[str]:
    """The rules that the command says were broken, at whatever level."""
    return {ruling["rule"] for ruling in judged(folder, text, game)} - ORDINARY


@pytest.mark.parametrize(("rule", "game", "text"), CASES, ids=[f"{rule}-{game}" for rule, game, _ in CASES])
def test_each_infringement_gives_its_own_rule(tmp_path: Path, rule: str, game: str, text: str) -> None:
    assert told(tmp_path, text, game) == {rule}


@pytest.mark.parametrize("rule", EVENTS)
def test_each_event_is_noted_by_its_own_rule(tmp_path: Path, rule: str) -> None:
    game, text = EVENTS[rule]
    rulings = judged(tmp_path, text, game)
    assert {ruling["severity"] for ruling in rulings} == {"info"}
    assert {ruling["rule"] for ruling in rulings} - {"E50"} == {rule} - {"E50"}
    assert rule in {ruling["rule"] for ruling in rulings}


@pytest.mark.parametrize("rule", IF_ASKED)
def test_ordinary_events_are_noted_where_they_are_asked_for(rule: str) -> None:
    settings = JudgeSettings(report_ordinary=True)
    assert rule in noted(IF_ASKED[rule], settings=settings)
    assert rule not in noted(IF_ASKED[rule])


def test_each_rule_is_judged_from_a_log_or_listed_as_not_seen() -> None:
    judged_here = {rule for rule, _, _ in CASES} | EVENTS.keys() | IF_ASKED.keys()
    assert EVENTS.keys() | IF_ASKED.keys() == ORDINARY
    assert judged_here | NOT_IN_A_LOG.keys() == RULES.keys()
    assert not judged_here & NOT_IN_A_LOG.keys()
    assert all(reason for reason in NOT_IN_A_LOG.values())


@pytest.mark.parametrize("case", INNOCENT, ids=str)
def test_the_innocent_are_not_told_off(tmp_path: Path, case: str) -> None:
    assert told(tmp_path, INNOCENT[case], "dutch_blitz") == set()


@pytest.mark.parametrize("case", INNOCENT_ELSEWHERE, ids=str)
def test_the_innocent_of_other_games_are_not_told_off(tmp_path: Path, case: str) -> None:
    game, text = INNOCENT_ELSEWHERE[case]
    assert told(tmp_path, text, game) == set()


def test_the_rules_that_are_printed_are_those_of_the_game() -> None:
    printed = CliRunner().invoke(program_for(["rules"]), ["rules", "nertz_std", "--json"])
    rules = json.loads(printed.stdout)["rules"]["nertz_std"]
    assert rules["E35"] == "A player has at most 5 side piles."
    assert rules["E52"] == 'Who has emptied the goal pile may call "Nertz" at any time.'
    text = CliRunner().invoke(program_for(["rules"]), ["rules", "hoorah"]).stdout
    assert "{" not in text
    assert "Never judged: a log tells of cards" in " ".join(text.split())
    assert '"Hoorah" ends the round' in text


@pytest.mark.parametrize("preset", preset_names())
def test_each_option_is_printed_with_default_choices_and_sentence(preset: str) -> None:
    """The points C1-C37 among them: each of these is an option by a test of the rulesets."""
    printed = CliRunner().invoke(program_for(["rules"]), ["rules", preset], env={"COLUMNS": "400"}).stdout
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in printed.splitlines() if "│" in line]
    rows = {row.option: row for row in describe(make_ruleset(preset))}
    assert rows.keys() == {key for key, option in OPTIONS.items() if preset in option.presets}
    assert lines == [[row.option, shown(row.default), row.choices, row.sentence] for row in rows.values()]
    data = json.loads(CliRunner().invoke(program_for(["rules"]), ["rules", preset, "--json"]).stdout)
    assert [row["option"] for row in data["rulesets"][preset]] == list(rows)
    assert all(row.keys() >= {"default", "choices", "sentence"} for row in data["rulesets"][preset])


def test_an_option_that_does_not_fit_ends_with_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text("", encoding="utf-8")
    done = CliRunner().invoke(program_for(["judge"]), ["judge", str(path), "--set", "one_eyed=reward"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "does not fit dutch_blitz: it belongs to evil_jacks, the game in which jacks" in done.stderr


def test_policies_on_the_command_line() -> None:
    run = ["simulate", "--players", "3", "--games", "5", "--policy", "strong,a,weak"]
    figures = json.loads(CliRunner().invoke(program_for(run), [*run, "--json"]).stdout)
    assert {"hands_to_target_mean", "stall_share", "strong_points_mean", "weak_win_share"} <= set(figures)
    assert all(isinstance(value, int | float) for value in figures.values())
    wrong = CliRunner().invoke(program_for(run), [*run[:-1], "strong,b,weak"])
    assert wrong.exit_code == 2
    assert wrong.stdout == ""
