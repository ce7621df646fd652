"""`judge`, `score`, `rules`, `simulate`: the games without a camera, in the documented forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.rulesets import preset_names
from tests.cli.running import Run, write, wrong_use


def line(seq: int, t: float, kind: str, pile: str, number: int, colour: str, **more: Any) -> dict[str, Any]:
    return {
        "seq": seq,
        "t": t,
        "type": kind,
        "pile": pile,
        "card": {"number": number, "colour": colour},
        **more,
    }


WRONG_COLOUR = [
    line(1, 1.0, "started", "d1", 1, "red"),
    line(2, 2.0, "landed", "d1", 2, "red"),
    line(3, 3.0, "started", "d2", 1, "green", weather="fine"),
    line(4, 4.0, "landed", "d1", 3, "blue"),
    line(5, 6.0, "landed", "d2", 2, "green"),
]
RULING_KEYS = {"type", "of", "rule", "severity", "p", "text", "option", "t", "pile", "card"}


def test_one_wrong_colour_is_one_foul_in_the_documented_form(blitzref: Run, tmp_path: Path) -> None:
    log = write(tmp_path / "events.jsonl", *WRONG_COLOUR)
    ran = blitzref("judge", log, "--json")
    assert (ran.status, ran.err) == (0, "")
    rulings = [json.loads(text) for text in ran.out.splitlines()]
    for ruling in rulings:
        assert ruling.keys() >= RULING_KEYS
        assert ruling["type"] == "ruling" and ruling["severity"] in ("foul", "warning", "info")
    (foul,) = [ruling for ruling in rulings if ruling["severity"] == "foul"]
    assert (foul["rule"], foul["of"], foul["pile"]) == ("E11", [4], "d1")
    assert foul["card"] == {"number": 3, "colour": "blue"}
    assert 0.9 < foul["p"] <= 1
    assert "Blue 3" in foul["text"] and "red 2" in foul["text"] and "E11" in foul["text"]
    assert "\n" not in foul["text"]


def test_a_lawful_log_has_no_foul_and_status_0(blitzref: Run, tmp_path: Path) -> None:
    log = write(tmp_path / "events.jsonl", *WRONG_COLOUR[:3])
    ran = blitzref("judge", log, "--json")
    assert ran.status == 0
    assert [r for r in map(json.loads, ran.out.splitlines()) if r["severity"] == "foul"] == []
    assert blitzref("judge", log).status == 0


def test_judging_again_gives_the_same_lines_also_with_the_rulings_in_the_log(
    blitzref: Run, tmp_path: Path
) -> None:
    first = blitzref("judge", write(tmp_path / "a.jsonl", *WRONG_COLOUR), "--json").out
    told = [{"seq": 6 + i, **json.loads(text)} for i, text in enumerate(first.splitlines())]
    again = blitzref("judge", write(tmp_path / "b.jsonl", *WRONG_COLOUR, *told), "--json").out
    assert again == first


def test_a_person_is_shown_the_same_foul(blitzref: Run, tmp_path: Path) -> None:
    ran = blitzref("judge", write(tmp_path / "events.jsonl", *WRONG_COLOUR))
    assert ran.status == 0
    assert sum("foul" in text and "E11" in text for text in ran.out.splitlines()) == 1


@pytest.mark.parametrize(
    "bad",
    [
        "not json",
        "[1, 2]",
        '{"seq": 3, "t": 1.0}',
        '{"seq": 3, "t": "soon", "type": "landed"}',
        '{"seq": 3, "t": 1.0, "type": "danced"}',
        '{"seq": 3, "t": 1.0, "type": "landed", "pile": "d1", "card": {"number": 11, "colour": "red"}}',
        '{"seq": 3, "t": 1.0, "type": "landed", "pile": "d1", "card": {"number": 4, "colour": "pink"}}',
        '{"seq": 3, "t": 1.0, "type": "landed", "pile": "d1", "card": 4}',
        '{"seq": 3, "t": 1.0, "type": "landed", "zone": "moon"}',
    ],
)
def test_a_bad_line_is_named_with_its_number(bad: str, blitzref: Run, tmp_path: Path) -> None:
    log = write(tmp_path / "events.jsonl", WRONG_COLOUR[0], "", bad, WRONG_COLOUR[1])
    wrong_use(blitzref("judge", log, "--json"), "line 3")


def test_a_log_that_is_no_text_is_told(blitzref: Run, tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_bytes(b"\xff\xfe\x00\x01" * 50)
    wrong_use(blitzref("judge", tmp_path / "events.jsonl"), "events.jsonl cannot be read as text")
    wrong_use(blitzref("judge", tmp_path))


ROUND: dict[str, Any] = {
    "ruleset": "dutch_blitz",
    "players": [
        {"name": "Ann", "deck": "pump", "played": 14, "left": 0},
        {"name": "Bo", "deck": "pail", "played": 11, "left": 3},
        {"name": "Cy", "deck": "plow", "played": 9, "left": 6},
        {"name": "Di", "deck": "carriage", "played": 12, "left": 2},
    ],
    "called_by": "Ann",
}


def with_scores(*scores: int) -> dict[str, Any]:
    players = [dict(player, score=score) for player, score in zip(ROUND["players"], scores, strict=True)]
    return {**ROUND, "players": players}


def test_a_good_round_is_scored(blitzref: Run, tmp_path: Path) -> None:
    ran = blitzref("score", write(tmp_path / "round.json", ROUND), "--json")
    assert ran.status == 0
    assert [player["score"] for player in ran.json["players"]] == [14, 5, -3, 8]
    assert blitzref("score", write(tmp_path / "round.json", with_scores(14, 5, -3, 8))).status == 0


def test_a_wrong_written_score_is_status_1_and_named(blitzref: Run, tmp_path: Path) -> None:
    ran = blitzref("score", write(tmp_path / "round.json", with_scores(14, 6, -3, 8)))
    assert ran.status == 1
    assert "Bo" in ran.out and "6" in ran.out and "5" in ran.out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("no json", "is not JSON"),
        ("[]", "no JSON object"),
        ('{"playerz": []}', "playerz"),
        ('{"players": []}', "at least one player"),
        ('{"players": [{"name": "Ann", "played": -3, "left": 0}]}', "Ann"),
        ('{"players": [{"name": "Ann", "played": "many", "left": 0}]}', "Ann"),
        ('{"ruleset": "poker", "players": [{"name": "Ann", "played": 3, "left": 0}]}', "poker"),
    ],
)
def test_a_bad_round_is_told_in_one_line(content: str, said: str, blitzref: Run, tmp_path: Path) -> None:
    wrong_use(blitzref("score", write(tmp_path / "round.json", content)), said)


def test_the_rules_are_listed_in_words_and_as_json(blitzref: Run) -> None:
    listed = blitzref("rules")
    assert listed.status == 0
    assert set(preset_names()) <= set(listed.out.split())
    data = blitzref("rules", "--json").json
    assert set(data["rulesets"]) == set(preset_names())
    assert set(data["rules"]) == set(preset_names())
    for sentences in data["rules"].values():
        assert "E11" in sentences and all(text.strip() for text in sentences.values())
    for options in data["rulesets"].values():
        assert all(option.keys() >= {"option", "default", "sentence"} for option in options)
    one = blitzref("rules", "nertz_std", "--json").json
    assert list(one["rulesets"]) == ["nertz_std"]
    assert "E11" in blitzref("rules", "nertz_std").out


def test_simulated_games_give_flat_figures_and_the_same_for_the_same_seed(blitzref: Run) -> None:
    arguments = ("simulate", "--ruleset", "dutch_blitz", "--players", 4, "--games", 20, "--seed", 3, "--json")
    ran = blitzref(*arguments)
    assert ran.status == 0
    figures = ran.json
    assert all(isinstance(value, int | float | str) for value in figures.values())
    shares = [value for key, value in figures.items() if "share" in key]
    assert shares and all(0 <= value <= 1 for value in shares)
    assert blitzref(*arguments).out == ran.out
    assert blitzref(*arguments[:-2], 4, "--json").out != ran.out
