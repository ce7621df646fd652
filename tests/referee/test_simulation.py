"""The simulator against exact odds and what the sources counted."""

from __future__ import annotations

import math
import random
from math import comb

import pytest

from datasets.policies import play_hand, tables_of
from datasets.simulate import Mistake, deal, inject, play_round, statistics
from datasets.simulated_log import events_of
from referee.rulesets import OptionError, Ruleset, for_players, players_of, preset_names, ruleset

COUNTED = {
    2: {"hands_to_target_mean": 6.6, "points_mean": 10.6, "negative_share": 0.12,
        "caller_top_share": 0.96, "winning_total_mean": 81.5},
    3: {"hands_to_target_mean": 6.5, "points_mean": 9.3, "negative_share": 0.162,
        "caller_top_share": 0.937, "winning_total_mean": 81.5},
    4: {"hands_to_target_mean": 8.9, "points_mean": 6.0, "negative_share": 0.23,
        "caller_top_share": 0.94, "winning_total_mean": 81.5},
}  # fmt: skip
TOLERANCE = {
    "hands_to_target_mean": 0.4, "points_mean": 1.0, "negative_share": 0.02,
    "caller_top_share": 0.015, "winning_total_mean": 1.5,
}  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_thousand_games_as_the_sources_counted_them(players: int) -> None:
    rules = for_players(ruleset("dutch_blitz"), players)
    found = statistics(rules, players, 2000, seed=11)
    assert found["games"] == 2000
    for key, expected in COUNTED[players].items():
        assert found[key] == pytest.approx(expected, abs=TOLERANCE[key]), key
    hands = found["hands"] * players
    exposed = rules.number("side_piles") + 1
    exact = {
        "one_visible_share": 1 - comb(36, exposed) / comb(40, exposed),
        "no_one_in_goal_share": comb(36, 10) / comb(40, 10),
    }
    for key, p in exact.items():
        assert abs(found[key] - p) < 4 * math.sqrt(p * (1 - p) / hands), key
    assert {2: 0.09, 3: 0.02, 4: 0.0}[players] < found["stall_share"] < {2: 0.15, 3: 0.05, 4: 0.01}[players]


@pytest.mark.parametrize("preset", preset_names())
def test_hands_of_every_preset_stay_within_the_deck(preset: str) -> None:
    players = max(players_of(ruleset(preset))[0], 3 if preset != "dutch_blitz_2" else 2)
    rules = for_players(ruleset(preset), players)
    tables = tables_of(rules)
    rng = random.Random(5)
    for _ in range(30):
        hand = play_hand(rules, tables, players, rng)
        assert all(0 <= played <= rules.most_played for played in hand.played) or rules["refill"] == "may"
        assert all(
            0 <= left <= rules.number("goal_size") and played + left <= rules.deck_size
            for played, left in zip(hand.played, hand.left, strict=True)
        )
        assert (hand.caller is None) or hand.left[hand.caller] == 0
        if not rules.counts_faces and rules.scheme == "ascending":
            unit, penalty = rules.number("card_points"), rules.number("goal_penalty")
            expected = [unit * p - penalty * left for p, left in zip(hand.played, hand.left, strict=True)]
            assert list(hand.scores) == expected


def test_statistics_are_reproducible_and_shares() -> None:
    rules = ruleset("nertz_std")
    found = statistics(rules, 4, 5, seed=3)
    assert statistics(rules, 4, 5, seed=3) == found
    assert statistics(rules, 4, 5, seed=4) != found
    assert all(0 <= value <= 1 for key, value in found.items() if key.endswith("_share"))
    with pytest.raises(ValueError, match="at least one game"):
        statistics(rules, 4, 0, seed=1)
    assert statistics(ruleset("dutch_blitz", rounds=3, tie="shared"), 4, 2, seed=1)["hands"] == 6


def test_play_until_nobody_can() -> None:
    stopped, on = ruleset("dutch_blitz"), ruleset("dutch_blitz+until_no_play")
    more = statistics(on, 4, 30, seed=6)["points_mean"] - statistics(stopped, 4, 30, seed=6)["points_mean"]
    assert more > 0
    rests = ruleset("dutch_blitz+until_no_play", unp_blitzer_plays="off")

    def after_the_call(rules: Ruleset, by_caller: bool) -> int:
        count = 0
        for seed in range(6):
            plays = play_round(rules, 4, random.Random(seed))
            call = next(play for play in plays if play.kind == "call")
            later = [play for play in plays if play.t > call.t and play.kind == "play"]
            count += sum((play.seat_index == call.seat_index) is by_caller for play in later)
        return count

    assert after_the_call(on, by_caller=True) > 0
    assert after_the_call(rests, by_caller=True) == 0
    assert after_the_call(rests, by_caller=False) > 0
    assert any(play_hand(on, tables_of(on), 4, random.Random(s)).left.count(0) > 1 for s in range(40))


def test_two_players_take_their_variant() -> None:
    assert statistics(ruleset("dutch_blitz"), 2, 20, seed=1) == statistics(
        ruleset("dutch_blitz_2"), 2, 20, seed=1
    )
    with pytest.raises(OptionError, match="not by 9"):
        statistics(ruleset("dutch_blitz"), 9, 1, seed=1)


def test_same_seed_same_round() -> None:
    rules = ruleset("dutch_blitz")
    one = play_round(rules, 4, random.Random(8))
    assert play_round(rules, 4, random.Random(8)) == one
    rng = random.Random(8)
    assert play_round(rules, 4, rng, deals=deal(rules, 4, rng)) == one
    assert [play.t for play in one] == sorted(play.t for play in one)
    assert all(play.t_start <= play.t for play in one)
    assert sum(play.kind == "call" for play in one) == 1
    assert [play for play in one if play.kind == "lost"], "a table of four has contested plays"


def test_each_lost_card_goes_back_where_it_came_from() -> None:
    plays = play_round(ruleset("dutch_blitz"), 4, random.Random(8))
    lost = [play for play in plays if play.kind == "lost"]
    back = [play for play in plays if play.kind == "withdraw"]
    assert sorted((p.seat_index, p.card, p.target_pile, p.source) for p in lost) == sorted(
        (p.seat_index, p.card, p.source, p.target_pile) for p in back
    )


def test_mistakes_come_with_their_truth() -> None:
    round_ = inject(ruleset("dutch_blitz"), 4, random.Random(2), ["E11", "E12", "E51"])
    assert sorted(play.mistake for play in round_.truth) == ["E11", "E12", "E51"]
    log = events_of(round_.deals, round_.plays, ruleset("dutch_blitz"), ["A", "B", "C", "D"])
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    assert {event.seat for event in log if event.seat} == set("ABCD")
    none = play_round(ruleset("dutch_blitz"), 4, random.Random(2), mistakes=[Mistake("E16")])
    assert [play for play in none if play.mistake] == []
