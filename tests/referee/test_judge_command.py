"""`blitzref judge` on a log with one infringement gives that rule and no other; the innocent give none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine.cli import program
from referee.events import write_line
from tests.referee.logs import log
from tests.referee.test_judge_calls import EMPTY, START
from tests.referee.test_judge_own import LIVE, SIDE
from tests.referee.test_judge_shared import FOULS, INNOCENT, RED_TO_5

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
    "E42": SIDE + "4 landed s1 green6 zone=side seat=left by_seat=top",
    "E51": START + "9 goal_count seat=left count=3\n10 called seat=left\n12 landed d1 red3",
    "E52": START + "9 goal_count seat=left count=0\n13 landed d1 red3",
    "E54": EMPTY + "10.8 landed d1 red3",
    "E55": EMPTY + "10.4 landed d1 red3 released_t=9.9",
    "E56": EMPTY + "13 removed d1\n30 gap",
    "E64": RED_TO_5 + "12 gap reason=spill",
    "E71": RED_TO_5 + "12 camera_moved",
}  # fmt: skip
CASES = [(rule, "dutch_blitz", text) for rule, text in OTHERS.items()]
CASES += [(rule, str(game), text) for game, text, rule in FOULS.values()]


def told(folder: Path, text: str, game: str) -> set[str]:
    """The rules of the fouls and warnings that the command prints."""
    path = folder / "events.jsonl"
    path.write_text("".join(write_line(event) + "\n" for event in log(text)), encoding="utf-8")
    done = CliRunner().invoke(program, ["judge", str(path), "--ruleset", game, "--json"])
    assert done.exit_code == 0, done.output
    rulings = [json.loads(line) for line in done.stdout.splitlines()]
    return {ruling["rule"] for ruling in rulings if ruling["severity"] != "info"}


@pytest.mark.parametrize(("rule", "game", "text"), CASES, ids=[f"{rule}-{game}" for rule, game, _ in CASES])
def test_each_infringement_gives_its_own_rule(tmp_path: Path, rule: str, game: str, text: str) -> None:
    assert told(tmp_path, text, game) == {rule}


@pytest.mark.parametrize("case", INNOCENT, ids=str)
def test_the_innocent_are_not_told_off(tmp_path: Path, case: str) -> None:
    assert told(tmp_path, INNOCENT[case], "dutch_blitz") == set()


def test_the_rules_that_are_printed_are_those_of_the_game() -> None:
    printed = CliRunner().invoke(program, ["rules", "nertz_std", "--json"])
    rules = json.loads(printed.stdout)["rules"]["nertz_std"]
    assert rules["E35"] == "A player has at most 5 side piles."
    assert rules["E52"] == 'Who has emptied the goal pile may call "Nertz" at any time.'
    text = CliRunner().invoke(program, ["rules", "hoorah"]).stdout
    assert "{" not in text
    assert '"Hoorah" ends the round' in text


def test_policies_on_the_command_line() -> None:
    run = ["simulate", "--players", "3", "--games", "5", "--policy", "strong,a,weak"]
    figures = json.loads(CliRunner().invoke(program, [*run, "--json"]).stdout)
    assert {"hands_to_target_mean", "stall_share", "strong_points_mean", "weak_win_share"} <= set(figures)
    assert all(isinstance(value, int | float) for value in figures.values())
    wrong = CliRunner().invoke(program, [*run[:-1], "strong,b,weak"])
    assert wrong.exit_code == 2
    assert wrong.stdout == ""
