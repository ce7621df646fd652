"""Matches: totals, ties, teams, comings and goings, edits, undo, export and import."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.match import (
    Match,
    MatchError,
    match_from_csv,
    match_from_json,
    match_to_csv,
    match_to_json,
    replay,
)
from referee.rulesets import OptionError, ruleset


def match_of(*names: str, preset: str = "dutch_blitz", **options: Any) -> Match:
    match = Match(ruleset(preset, **options))
    for name in names:
        match = match.join(name)
    return match


def test_totals_and_winner() -> None:
    match = match_of("Ann", "Ben", target=20).round({"Ann": 8, "Ben": -6}).round({"Ann": 5, "Ben": 30})
    assert match.standing.totals == {"Ann": 13, "Ben": 24}
    assert (match.standing.over, match.standing.winners) == (True, ("Ben",))
    with pytest.raises(MatchError, match="the match is over"):
        match.round({"Ann": 1, "Ben": 1})
    assert match.undo().standing.over is False


def test_rounds_instead_of_a_target() -> None:
    match = match_of("Ann", "Ben", rounds=2).round({"Ann": 90, "Ben": 3})
    assert not match.standing.over
    assert match.round({"Ann": -90, "Ben": 3}).standing.winners == ("Ben",)


def test_deciding_round_repeats_while_level() -> None:
    match = match_of("A", "B", "C", target=10).round({"A": 10, "B": 10, "C": 2})
    again = match.round({"A": 3, "B": 3, "C": 1})
    assert again.standing.deciding
    assert again.round({"A": -2, "B": 1, "C": 20}).standing.winners == ("C",)
    assert [played.deciding for played in again.rounds] == [False, True]


def test_deciding_round_of_the_tied_only() -> None:
    match = match_of("A", "B", "C", target=10, deciding_players="tied").round({"A": 10, "B": 10, "C": 2})
    assert match.standing.deciding_players == ("A", "B")
    assert match.round({"A": 1, "B": 2}).standing.winners == ("B",)
    below_target = match.round({"A": -9, "B": -8})
    assert not below_target.standing.over


def test_tie_by_hands_called() -> None:
    level = match_of("A", "B", target=20, tie="hands_called").round({"A": 5, "B": 9}, called_by="B")
    assert level.round({"A": 20, "B": 16}, called_by="B").standing.winners == ("B",)
    assert level.round({"A": 20, "B": 16}, called_by="A").standing.deciding


def test_teams_share_one_total() -> None:
    match = Match(ruleset("dutch_blitz", target=30))
    for name, team in (("A", "odd"), ("B", "even"), ("C", "odd"), ("D", "even")):
        match = match.join(name, team)
    match = match.round({"A": 12, "B": 9, "C": -4, "D": -6})
    assert match.standing.totals == {"odd": 8, "even": 3}
    match = match.round({"A": 12, "B": 9, "C": 14, "D": 20})
    assert match.standing.winners == ("odd",)
    assert match.team("C", None).standing.totals == {"odd": 24, "even": 32, "C": 10}


def test_shared_deck_counts_once_a_team() -> None:
    match = Match(ruleset("dutch_blitz+shared_deck")).join("A", "odd").join("B", "even").join("C", "odd")
    match = match.round({"A": 12, "B": 9})
    assert match.standing.totals == {"odd": 12, "even": 9}


def test_people_come_and_go_between_rounds() -> None:
    match = match_of("Ann", "Ben", target=20).round({"Ann": 19, "Ben": 5}).join("Cid")
    with pytest.raises(MatchError, match="the round has no score for Cid"):
        match.round({"Ann": 1, "Ben": 1})
    match = match.leave("Ann").rename("Ben", "Benno").round({"Benno": 6, "Cid": 9}, called_by="Cid")
    assert match.players == ("Benno", "Cid")
    assert match.standing.totals == {"Ann": 19, "Benno": 11, "Cid": 9}
    assert match.rounds[0].scores == {"Ann": 19, "Benno": 5}
    back = match.join("Ann").round({"Ann": 2, "Benno": 0, "Cid": 0})
    assert back.standing.winners == ("Ann",)


def test_a_player_who_left_cannot_win() -> None:
    match = match_of("Ann", "Ben", target=20).round({"Ann": 19, "Ben": 5}).leave("Ann")
    match = match.join("Cid").round({"Ben": 16, "Cid": 2})
    assert match.standing.winners == ("Ben",)


def test_edits_are_records_and_can_be_taken_back() -> None:
    match = match_of("Ann", "Ben").round({"Ann": 8, "Ben": 6}).round({"Ann": 1, "Ben": 2})
    edited = match.edit(1, {"Ann": 18}, by="Ben")
    assert edited.standing.totals == {"Ann": 19, "Ben": 8}
    assert [played.edited for played in edited.rounds] == [True, False]
    assert edited.undo().standing == match.standing
    assert edited.undo().undo(len(edited.records)).standing == edited.standing
    assert len(edited.undo().records) == len(match.records) + 2
    assert match.undo(2).rounds == match_of("Ann", "Ben").round({"Ann": 1, "Ben": 2}).rounds


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"type": "join", "name": "Ann"}, "there is a player Ann already"),
        ({"type": "join", "name": " "}, "a player needs a name"),
        ({"type": "leave", "name": "Zoe"}, "there is no player Zoe"),
        ({"type": "rename", "name": "Ann", "new": "Ben"}, "take a name that nobody has"),
        ({"type": "edit", "round": 3, "scores": {"Ann": 1}}, "there is no round 3"),
        ({"type": "round", "scores": {"Ann": 1}}, "the round has no score for Ben"),
        ({"type": "round", "scores": {"Ann": 1, "Ben": 1}, "called_by": "Zoe"}, "there is no player Zoe"),
        ({"type": "undo", "of": 99}, "there is no record 99 to undo"),
        ({"type": "dance"}, "'dance' is no match record"),
        ({"type": []}, "is no match record"),
        ({"type": "join", "name": 3}, "name of a join should be a name, not 3"),
        ({"type": "undo", "of": "x"}, "of of an undo should be a whole number, not 'x'"),
        ({"type": "undo", "of": 0.5}, "of of an undo should be a whole number"),
        ({"type": "round", "scores": [1, 2]}, "should give a number for each player"),
        ({"type": "round", "scores": {"Ann": "x", "Ben": 1}}, "scores of Ann should be a whole number"),
        ({"type": "round", "scores": {"Ann": 1.5, "Ben": 1}}, "scores of Ann should be a whole number"),
        ({"type": "round", "scores": {"Ann": 1, "Ben": 1}, "penalties": {"Ann": "x"}}, "penalties of Ann"),
        ({"type": "edit", "round": "x", "scores": {}}, "the number of a round should be a whole number"),
    ],
)
def test_records_that_do_not_fit(record: dict[str, Any], said: str) -> None:
    match = match_of("Ann", "Ben")
    with pytest.raises(MatchError, match=said):
        match.append(record)
    assert len(match.records) == 2


def test_nothing_to_undo_and_table_full() -> None:
    with pytest.raises(MatchError, match="nothing to undo"):
        Match(ruleset("dutch_blitz")).undo()
    with pytest.raises(MatchError, match="at most 8 can play"):
        match_of(*"ABCDEFGHI")


def test_pot_of_all_penalties_and_end() -> None:
    match = match_of("A", "B", preset="nertz_std+lotto", lotto_base="gross", target=500)
    match = match.round({"A": 100, "B": 50}, penalties={"A": 30, "B": 60})
    assert match.standing.pot == 90
    ended = match.round({"A": 310, "B": 10}, penalties={"A": 0, "B": 40})
    assert ended.standing.totals == {"A": 500, "B": 60}
    assert (ended.standing.over, ended.standing.pot) == (True, 0)


def sample() -> Match:
    match = Match(ruleset("dutch_blitz", target=30)).join("Ann", "odd").join("Ben").join("Cid", "odd")
    match = match.round({"Ann": 8, "Ben": -6, "Cid": 0}, called_by="Ann").rename("Cid", "Cidney")
    return match.round({"Ann": 1, "Ben": 9, "Cidney": 4}, called_by="Ben").edit(2, {"Ann": 3}, by="Ben")


def test_json_round_trip() -> None:
    match = sample()
    again = match_from_json(match_to_json(match))
    assert again == match
    assert again.standing == match.standing
    assert replay(match.rules, match.records).standing == match.standing
    data = json.loads(match_to_json(match))
    assert data["standing"]["totals"] == {"odd": 15, "Ben": 3}
    assert data["options"] == {"target": 30}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is not JSON"),
        ("{}", "this is no match record"),
        ("[" * 100_000, "it is not JSON"),
        (
            '{"format": "blitzref-match/1", "ruleset": "dutch_blitz", "records": [{"type": "join"}]}',
            "name of a",
        ),
        ('{"format": "blitzref-match/1", "ruleset": "dutch_blitz", "records": ["x"]}', "objects in braces"),
        (
            '{"format": "blitzref-match/1", "ruleset": "dutch_blitz", "options": [1], "records": []}',
            "objects in braces",
        ),
        (
            '{"format": "blitzref-match/1", "ruleset": "dutch_blitz", "records": [{"type": "x"}]}',
            "no match record",
        ),
    ],
)
def test_a_file_that_is_no_match(text: str, said: str) -> None:
    with pytest.raises(MatchError, match=said):
        match_from_json(text)
    with pytest.raises(OptionError, match="there is no ruleset chess"):
        match_from_json('{"format": "blitzref-match/1", "ruleset": "chess", "records": []}')


def test_sheet_round_trip() -> None:
    match = match_of("Ann", "Ben, the elder").round({"Ann": 8, "Ben, the elder": -6}, called_by="Ann")
    match = match.round({"Ann": -1, "Ben, the elder": 7})
    sheet = match_to_csv(match)
    assert sheet.splitlines()[0] == 'round,called_by,edited,Ann,"Ben, the elder"'
    again = match_from_csv(sheet, match.rules)
    assert again.standing == match.standing
    assert [played.scores for played in again.rounds] == [played.scores for played in match.rounds]
    with pytest.raises(MatchError, match="the total of Ann is 8, but the rounds add up to 7"):
        match_from_csv(sheet.replace("total,,,7", "total,,,8"), match.rules)
    with pytest.raises(MatchError, match="line 2 of the sheet cannot be read"):
        match_from_csv(sheet.replace("-6", "six"), match.rules)
    with pytest.raises(MatchError, match="should start with the columns"):
        match_from_csv("Ann,Ben\n1,2\n", match.rules)


def test_sheet_of_a_lotto_match() -> None:
    match = match_of("A", "B", preset="nertz_std", lotto=True, lotto_base="gross")
    match = match.round({"A": 150, "B": -60}, "A", {"A": 0, "B": 130}).round({"A": 30, "B": 90}, "B")
    assert [dict(played.added) for played in match.rounds] == [{"A": 0, "B": 0}, {"A": 0, "B": 130}]
    again = match_from_csv(match_to_csv(match), match.rules)
    assert again.standing == match.standing
    assert again.rounds == match.rounds


def test_sheet_of_teams_and_of_people_who_come_and_go() -> None:
    match = Match(ruleset("dutch_blitz", target=500)).join("Ann", "odd").join("Ben").join("Cid", "odd")
    match = match.round({"Ann": 8, "Ben": -6, "Cid": 0}, "Ann").edit(1, {"Ben": -4}, by="Ann")
    match = match.leave("Cid").join("Dora").round({"Ann": 1, "Ben": 2, "Dora": 9}).leave("Ann").join("Cid")
    match = match.round({"Ben": 5, "Cid": 7, "Dora": 1}, "Dora")
    sheet = match_to_csv(match)
    again = match_from_csv(sheet, match.rules)
    assert again.standing == match.standing
    assert again.rounds == match.rounds
    assert again.players == match.players
    assert match_to_csv(again) == sheet


@pytest.mark.parametrize("players", ["all", "tied"])
def test_sheet_of_a_match_with_a_deciding_round(players: str) -> None:
    match = match_of(*"ABC", target=20, deciding_players=players).round({"A": 21, "B": 21, "C": 3})
    last = {"A": 1, "B": 2} if players == "tied" else {"A": 1, "B": 2, "C": 9}
    match = match.round(last)
    assert match.standing.winners == ("B",)
    again = match_from_csv(match_to_csv(match), match.rules)
    assert (again.standing, again.rounds, again.players) == (match.standing, match.rounds, match.players)


def test_sheet_of_a_shared_deck() -> None:
    match = Match(ruleset("dutch_blitz+shared_deck")).join("A", "odd").join("B", "even").join("C", "odd")
    match = match.round({"A": 12, "B": 9})
    again = match_from_csv(match_to_csv(match), match.rules)
    assert (again.standing, again.players) == (match.standing, match.players)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(-20, 40), min_size=3, max_size=3), max_size=12))
def test_totals_are_the_sum_of_the_rounds(rows: list[list[int]]) -> None:
    match = match_of(*"ABC", target=60)
    added = [0, 0, 0]
    for row in rows:
        if match.standing.over:
            break
        match = match.round(dict(zip("ABC", row, strict=True)))
        added = [total + score for total, score in zip(added, row, strict=True)]
    standing = match.standing
    assert list(standing.totals.values()) == added
    assert standing.over is (max(added) >= 60 and added.count(max(added)) == 1 and bool(match.rounds))
    assert standing.deciding is (max(added) >= 60 and added.count(max(added)) > 1)
    assert match_from_json(match_to_json(match)).standing == standing
