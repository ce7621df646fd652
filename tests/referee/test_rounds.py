"""Round and match files, scored without a camera."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from referee.bonuses import FinishedPile
from referee.cards import Colour
from referee.match import Match, MatchError, match_to_json
from referee.penalties import FalseCall
from referee.rounds import RoundError, read_round, score_json, write_round
from referee.rulesets import OptionError, ruleset
from referee.scoring import PlayerCount, ScoringError, score_round, transfers

ROUND: dict[str, Any] = {
    "ruleset": "dutch_blitz",
    "players": [
        {"name": "Ann", "deck": "pump", "played": 14, "left": 3},
        {"name": "Ben", "deck": "pail", "played": 17, "left": 0},
        {"name": "Cid", "deck": "plow", "played": 8, "left": 7},
    ],
    "tops": [
        {"colour": "red", "number": 10},
        {"colour": "blue", "number": 10},
        {"colour": "green", "number": 10},
        {"colour": "yellow", "number": 9},
    ],
    "called_by": "Ben",
    "t_called": 183.2,
}


def test_a_round_is_scored_with_its_arithmetic() -> None:
    scored = score_json(ROUND)
    assert [(p["score"], p["text"]) for p in scored["players"]] == [
        (8, "14 - 2 x 3 = 8"), (17, "17 - 2 x 0 = 17"), (-6, "8 - 2 x 7 = -6"),
    ]  # fmt: skip
    assert scored["agrees"] is True
    assert scored["audit"] == []


def test_round_trip() -> None:
    written = write_round(read_round(ROUND))
    assert json.loads(json.dumps(written)) == written
    assert [player["score"] for player in written["players"]] == [8, 17, -6]
    again = read_round(written)
    assert again.players == read_round(ROUND).players
    assert (again.tops, again.called_by, again.t_called) == (
        read_round(ROUND).tops, "Ben", 183.2,
    )  # fmt: skip
    assert write_round(again) == written


def test_disagreement_is_said() -> None:
    wrong = copy.deepcopy(ROUND)
    wrong["players"][0]["score"] = 11
    assert score_json(wrong)["agrees"] is False
    assert "14 - 2 x 3 = 8" in score_json(wrong)["warnings"][0]
    lost = copy.deepcopy(ROUND)
    lost["players"][0]["played"] = 13
    assert [f["id"] for f in score_json(lost)["audit"]] == ["I3"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": None}, "players should be a list"),
        ({"players": []}, "at least one player"),
        ({"players": [{"played": 1}]}, "each player needs a name"),
        ({"players": [{"name": "A", "played": "x", "left": 0}]}, "played of A should be a whole number"),
        ({"players": [{"name": "A"}, {"name": "A"}]}, "two players are called A"),
        ({"called_by": "Zoe"}, "called_by names 'Zoe'"),
        ({"top": []}, "a round has no key top; did you mean tops?"),
        ({"tops": [{"number": 3}]}, "a card cannot be read"),
        ({"tops": ["purple3"]}, "a card cannot be read"),
        ({"tops": [{"number": 3.5, "colour": "red"}]}, "a card cannot be read"),
        ({"players": [{"name": " ", "played": 1, "left": 0}]}, "each player needs a name"),
        ({"players": [{"name": "A", "called": "no"}]}, "called of A should be true or false"),
        ({"t_called": "soon"}, "t_called should be a number"),
        ({"finished": [{"three": "Ann"}]}, "counted in starter9 and evil_jacks, not in dutch_blitz"),
    ],
)
def test_what_a_file_has_wrong(change: dict[str, Any], said: str) -> None:
    with pytest.raises(RoundError, match=said):
        score_json(ROUND | change)


def test_wrong_rulesets_and_counts() -> None:
    with pytest.raises(OptionError, match="did you mean dutch_blitz"):
        score_json(ROUND | {"ruleset": "dutchblitz"})
    with pytest.raises(ScoringError, match="have not been counted"):
        score_json(ROUND | {"players": [{"name": "Ann", "played": 3}]} | {"called_by": None})
    with pytest.raises(RoundError, match="the file should be an object"):
        score_json([])


def test_match_file() -> None:
    first = {"players": [{"name": "Ann", "played": 30, "left": 0}, {"name": "Ben", "played": 9, "left": 2}]}
    second = {"players": [{"name": "Ann", "played": 9, "left": 2}, {"name": "Ben", "played": 35, "left": 0}]}
    scored = score_json({"rounds": [first, second], "target": 36})
    assert scored["totals"] == {"Ann": 35, "Ben": 40}
    assert (scored["over"], scored["winners"], scored["target"]) == (True, ["Ben"], 36)
    with pytest.raises(MatchError, match="the match is over"):
        score_json({"rounds": [first, second, first], "target": 20})
    with pytest.raises(RoundError, match="did you mean rounds"):
        score_json({"rounds": [], "round": []})
    assert score_json({"rounds": []})["totals"] == {}


def test_the_options_of_a_match_hold_in_its_rounds() -> None:
    players = [
        {"name": "Ann", "played": ["AH", "2H"], "left": ["AC"]},
        {"name": "Ben", "played": [], "left": []},
    ]
    aces = {"ruleset": "nertz_std", "options": {"face_scheme": "aces20"}}

    def totals(match: dict[str, Any], **own: Any) -> dict[str, int]:
        found: dict[str, int] = score_json(match | {"rounds": [{"players": players} | own]})["totals"]
        return found

    assert totals(aces) == {"Ann": 10, "Ben": 0}
    assert totals(aces, ruleset="nertz_std") == {"Ann": 10, "Ben": 0}
    assert totals(aces, options={"face_scheme": "flat"}) == {"Ann": 10, "Ben": 0}
    assert totals({}, **aces) == {"Ann": 10, "Ben": 0}
    assert totals(aces, options={"bone_value": "flat"}) == {"Ann": 20, "Ben": 0}
    with pytest.raises(RoundError, match="a round of dutch_blitz does not belong to a match of nertz_std"):
        totals(aces, ruleset="dutch_blitz")
    blitz = {"players": [{"name": n, "played": 9, "left": 0} for n in "AB"], "ruleset": "dutch_blitz_2"}
    assert score_json({"ruleset": "dutch_blitz", "rounds": [blitz]})["totals"] == {"A": 9, "B": 9}


@pytest.mark.parametrize("options", [{"target": [1]}, {"target": {}}, {"target": 1e999}, {"name": 3}])
def test_options_of_a_wrong_form(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=r"the option target cannot be|there is no option name"):
        score_json(ROUND | {"options": options})


def test_an_exported_match_is_scored_from_its_records() -> None:
    match = (
        Match(ruleset("dutch_blitz", target=20)).join("Ann", "odd").join("Ben").round({"Ann": 8, "Ben": -6})
    )
    match = (
        match.rename("Ben", "Benno").round({"Ann": 5, "Benno": 30}, "Benno").edit(1, {"Benno": -4}, by="Ann")
    )
    data = json.loads(match_to_json(match))
    scored = score_json(data)
    assert scored["totals"] == {"odd": 13, "Benno": 26}
    assert (scored["over"], scored["winners"], scored["agrees"]) == (True, ["Benno"], True)
    assert [player["score"] for player in scored["rounds"][0]["players"]] == [8, -4]
    data["standing"]["totals"]["odd"] = 14
    assert score_json(data)["agrees"] is False
    with pytest.raises(MatchError, match="this is no match record"):
        score_json(data | {"format": "another"})


def test_match_file_with_teams_ties_and_newcomers() -> None:
    def round_(**played: int) -> dict[str, Any]:
        return {"players": [{"name": name, "played": count, "left": 0} for name, count in played.items()]}

    teams = {"odd": ["A", "C"], "even": ["B", "D"]}
    scored = score_json({"rounds": [round_(A=10, B=9, C=2, D=3)], "target": 12, "teams": teams})
    assert scored["totals"] == {"odd": 12, "even": 12}
    assert scored["deciding"] is True
    came = score_json({"rounds": [round_(A=10, B=9), round_(A=1, B=2, C=30)], "target": 30})
    assert came["winners"] == ["C"]


def test_faces_valued_round() -> None:
    data = {
        "ruleset": "swinging_door",
        "players": [
            {
                "name": "Ann",
                "played_cards": ["AH", "KH", "QH", "JH", "10H", "9H", "2H"],
                "left": ["AS", "QS", "9S"],
            },
            {"name": "Ben", "played": 0, "left": 0, "called": True},
        ],
    }
    assert [p["score"] for p in score_json(data)["players"]] == [55, 0]
    with pytest.raises(ScoringError, match="needed face up"):
        score_json({"ruleset": "swinging_door", "players": [{"name": "Ann", "played": 7, "left": 3}]})


def test_false_calls_and_finished_piles_in_a_file() -> None:
    players = [
        {"name": name, "played": played, "left": left}
        for name, played, left in (("A", 12, 4), ("B", 18, 0), ("C", 9, 6), ("D", 14, 2))
    ]
    data = {"ruleset": "nertz_std", "players": players, "called_by": "B", "false_calls": [{"caller": "A"}]}
    assert [p["score"] for p in score_json(data)["players"]] == [50, 215, 40, 130]
    pile = {"three": "B", "up": True, "jack": "A", "suit": "spades"}
    jacks = {"ruleset": "evil_jacks", "players": players, "called_by": "B", "finished": [pile]}
    assert [p["score"] for p in score_json(jacks)["players"]] == [35, 235, 45, 135]
    eyed = jacks | {"options": {"one_eyed": "reward"}}
    assert [p["score"] for p in score_json(eyed)["players"]] == [125, 205, 15, 105]
    written = write_round(read_round(eyed))
    assert read_round(written).score() == read_round(eyed).score()
    with pytest.raises(RoundError, match="is no suit"):
        score_json(jacks | {"finished": [pile | {"suit": "cups"}]})


def test_limits_and_warnings() -> None:
    strict = ruleset("dutch_blitz", played_limit="strict")
    many = [PlayerCount("Ann", 38, 0, called=True)]
    with pytest.raises(ScoringError, match="37 is the most"):
        score_round(strict, many)
    assert "37 is the most" in score_round(ruleset("dutch_blitz"), many).warnings[0]
    assert score_round(ruleset("dutch_blitz+until_no_play"), many).warnings == ()
    with pytest.raises(ScoringError, match="more than the 40 cards"):
        score_round(ruleset("dutch_blitz"), [PlayerCount("Ann", 38, 3)])
    with pytest.raises(ScoringError, match="the goal pile starts with 10"):
        score_round(ruleset("dutch_blitz"), [PlayerCount("Ann", 3, 11)])
    with pytest.raises(ScoringError, match="cannot have -1"):
        score_round(ruleset("dutch_blitz"), [PlayerCount("Ann", -1, 3)])
    bonus = ruleset("nertz_std", call_bonus=25)
    assert score_round(bonus, [PlayerCount("Ann", 12, 0, called=True)]).scores == (145,)
    assert score_round(bonus, [PlayerCount("Ann", 12, 2, called=True)]).scores == (100,)
    caller = score_round(ruleset("dutch_blitz"), [PlayerCount("Ann", 12, 2, called=True)])
    assert "called but has 2 goal cards left" in caller.warnings[0]


def test_bonuses_do_not_break_the_sum_of_what_players_paid_each_other() -> None:
    """A false call, and the bonus for the next right one; 53 cards lie in the middle."""
    scores = {"A": (12, 4, 50), "B": (18, 0, 215), "C": (9, 6, 40), "D": (14, 2, 130)}
    sheet: dict[str, Any] = {
        "ruleset": "nertz_std",
        "players": [{"name": n, "played": p, "left": left, "score": s} for n, (p, left, s) in scores.items()],
        "tops": [{"colour": c, "number": n} for c, n in (("hearts", 13), ("clubs", 13), ("spades", 13),
                                                         ("diamonds", 13), ("hearts", 1))],
        "false_calls": [{"caller": "A"}],
        "called_by": "B",
    }  # fmt: skip
    assert (score_json(sheet)["agrees"], score_json(sheet)["audit"]) == (True, [])
    sheet["players"][2]["score"] = 30
    assert [finding["id"] for finding in score_json(sheet)["audit"]] == ["I14"]
    called = copy.deepcopy(ROUND)
    called["options"] = {"call_bonus": 10}
    for player, score in zip(called["players"], (8, 27, -6), strict=True):
        player["score"] = score
    assert score_json(called)["agrees"] is True


def test_what_players_pay_each_other_adds_up() -> None:
    jack = FinishedPile(three=1, up=True, jack=0, suit=Colour.SPADES)
    for mode, keeps in (("off", True), ("reward", True), ("reward", False), ("punish", True)):
        rules = ruleset("evil_jacks", one_eyed=mode, ej_three_keeps_40=keeps)
        players = [PlayerCount(name, 5, 2) for name in "ABCD"]
        paid = transfers(rules, players, [FalseCall(2)], [jack])
        assert sum(paid) == 0
        assert paid[0] == (45 if mode == "reward" else -45) + 10
        scored = score_round(rules, players, false_calls=[FalseCall(2)], finished=[jack])
        assert sum(scored.scores) == 4 * 30 + (40 if keeps else 0)
    own = [PlayerCount("A", 5, 0, called=True), PlayerCount("B", 5, 1)]
    assert transfers(ruleset("nertz_std"), own, [FalseCall(0)]) == [0, 0]


def test_a_false_call_may_cost_points_in_every_game() -> None:
    rules = ruleset("dutch_blitz", false_call="transfer", points_per_player=2, next_correct_bonus=3)
    players = [PlayerCount("A", 5, 2), PlayerCount("B", 5, 0, called=True), PlayerCount("C", 5, 1)]
    assert score_round(rules, players, false_calls=[FalseCall(0)]).scores == (-3, 10, 5)
    plain = ruleset("dutch_blitz", false_call="transfer")
    assert score_round(plain, players, false_calls=[FalseCall(0)]).scores == (1, 5, 3)
