"""The simulated players: lawful whatever their policy, and stronger and weaker by what they choose."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from datasets.choices import (
    GOAL,
    MIDDLE,
    NONE,
    WOOD,
    Move,
    View,
    lawful_moves,
    policies_of,
    strong,
    wander,
    weak,
)
from datasets.policies import full_deck, play_hand, statistics, tables_of
from datasets.simulate import counts_of, deal, play_round
from referee.cards import Card
from referee.legality import check_shared, check_side
from referee.rulesets import Ruleset, for_players, players_of, preset_names, ruleset
from tests.referee.conformance import check_verdict, checked

GAMES = 200
APART = 4
"""Standard errors of the difference that one policy must be better by."""


def better_by(figures: dict[str, float | int], one: str, other: str) -> float:
    """The lead in mean points in standard errors."""
    error = (figures[f"{one}_points_error"] ** 2 + figures[f"{other}_points_error"] ** 2) ** 0.5
    return (figures[f"{one}_points_mean"] - figures[f"{other}_points_mean"]) / error


@pytest.mark.parametrize(
    ("preset", "policy"),
    [
        ("dutch_blitz_2", "strong,a"),
        ("dutch_blitz", "strong,a,weak"),
        ("dutch_blitz", "strong,a,a,weak"),
        ("dutch_blitz_8", "strong,strong,strong,a,a,a,weak,weak"),
        ("nertz_std", "strong,a,a,weak"),
        ("nertz_modern", "strong,a,weak"),
        ("hoorah", "strong,a,a,weak"),
        ("swinging_door", "strong,a,a,weak"),
        ("double_swinging_door", "strong,a,a,weak"),
    ],
)
def test_strong_beats_a_beats_weak(preset: str, policy: str) -> None:
    players = policy.count(",") + 1
    found = statistics(ruleset(preset), players, GAMES, seed=5, policy=policy)
    assert better_by(found, "strong", "a") > APART
    assert found["strong_win_share"] > found["a_win_share"]
    if "weak" in policy:
        assert better_by(found, "a", "weak") > APART
        assert found["a_win_share"] > found["weak_win_share"]


@pytest.mark.parametrize("preset", ["starter9", "evil_jacks"])
def test_strong_beats_a_where_bonuses_decide(preset: str) -> None:
    """The bonuses of single piles make these rounds so uneven that more games are needed."""
    found = statistics(ruleset(preset), 4, 500, seed=5, policy="strong,a,a,weak")
    assert better_by(found, "strong", "a") > 3
    assert better_by(found, "a", "weak") > APART


def test_without_side_building_there_is_little_to_choose() -> None:
    found = statistics(ruleset("ligretto"), 4, GAMES, seed=5, policy="strong,a,a,weak")
    assert abs(better_by(found, "strong", "a")) < 3
    assert better_by(found, "a", "weak") > APART


@pytest.mark.parametrize("players", [2, 5, 8])
@pytest.mark.parametrize("preset", [name for name in preset_names() if name[-2:] not in ("_2", "_8")])
def test_mixed_tables_of_every_size(preset: str, players: int) -> None:
    """Dutch Blitz takes its variant for two and for more than four players by itself."""
    policy = ",".join(("strong", "weak", "a", "random")[seat % 4] for seat in range(players))
    found = statistics(ruleset(preset), players, 2, seed=2, policy=policy)
    assert found == statistics(ruleset(preset), players, 2, seed=2, policy=policy)
    assert sum(found[f"{name}_seats"] for name in set(policy.split(","))) == players
    wins = sum(found[f"{name}_win_share"] * found[f"{name}_seats"] for name in set(policy.split(",")))
    assert wins == pytest.approx(1)


def test_policies_are_given_for_all_or_for_each() -> None:
    assert policies_of("strong", 3) == ("strong",) * 3
    assert policies_of(" Strong, a,weak", 3) == ("strong", "a", "weak")
    with pytest.raises(ValueError, match="did you mean strong"):
        policies_of("stron", 4)
    with pytest.raises(ValueError, match="2 policies for 4 players"):
        policies_of("a,a", 4)
    assert statistics(ruleset("dutch_blitz"), 4, 5, 1) == statistics(
        ruleset("dutch_blitz"), 4, 5, 1, policy="a,a,a,a"
    )


def index(rules: Ruleset, card: str) -> int:
    return full_deck(rules).index(Card.parse(card)) if card else NONE


def view_of(rules: Ruleset, goal: str, sides: list[str], wood: str, live: str = "") -> View:
    taken = {index(rules, card) for card in live.split()}
    piles = [[index(rules, card) for card in side.split()] for side in sides]
    return View(index(rules, goal), piles, index(rules, wood), taken.__contains__)


CHOICES = {
    "the goal card goes first": ("dutch_blitz", "red1", ["blue1", "red9", "red3"], "", "red1 blue1",
                                 (GOAL, MIDDLE)),
    "an empty place is filled at once": ("dutch_blitz", "red1", ["blue9", "", "red3"], "", "red1", (GOAL, 1)),
    "wood that the goal card follows on": ("dutch_blitz", "red3", ["blue4", "red9", "red8"], "red2",
                                           "blue4 red2", (WOOD, MIDDLE)),
    "a place is emptied for a goal card": ("dutch_blitz", "red1", ["blue5", "green6", "red9"], "blue8", "",
                                           (0, 1)),
    "wood does not use up a place": ("dutch_blitz", "red1", ["blue9", "red9", "red6"], "green5", "", None),
    "wood goes to a side pile for the goal card": ("dutch_blitz", "red4", ["blue9", "red9", "red6"], "green5",
                                                   "", (WOOD, 2)),
    "a group empties a place": ("nertz_std", "2H", ["KH", "QS JH", "8D", "8H", "8C"], "", "", (1, 0, 2)),
    "single cards where groups are not agreed": ("nertz_std group_moves=off", "2H",
                                                 ["KH", "QS JH", "8D", "8H", "8C"], "", "", None),
}  # fmt: skip


@pytest.mark.parametrize("case", CHOICES, ids=str)
def test_what_strong_chooses(case: str) -> None:
    game, goal, sides, wood, live, expected = CHOICES[case]
    preset, _, option = game.partition(" ")
    rules = ruleset(preset, **dict([option.split("=")] if option else []))
    chosen = strong(view_of(rules, goal, sides, wood, live), tables_of(rules).building, random.Random(1))
    assert chosen == (None if expected is None else Move(*expected))


def test_random_plays_anything_that_is_lawful() -> None:
    rules = ruleset("nertz_std")
    view = view_of(rules, "2H", ["KH", "QS JH", "", "8H", "8C"], "7D", "2H 7D")
    moves = set(lawful_moves(view, tables_of(rules).building))
    assert {Move(1, 0, 2), Move(1, 2), Move(1, 2, 2), Move(GOAL, 2), Move(WOOD, 2), Move(WOOD, 4)} <= moves
    rng = random.Random(3)
    chosen = Counter(wander(view, tables_of(rules).building, rng) for _ in range(2000))
    assert set(chosen) == moves | {None}
    assert max(chosen.values()) < 2 * min(chosen.values())
    blitz = ruleset("dutch_blitz")
    view = view_of(blitz, "red1", ["blue9", "", "red3"], "", "red1")
    assert {wander(view, tables_of(blitz).building, rng) for _ in range(9)} == {Move(GOAL, 1)}


def test_what_may_fill_an_empty_place_once_the_goal_pile_is_empty() -> None:
    for posts, filled in (("on", {Move(WOOD, 1)}), ("off", set())):
        rules = ruleset("dutch_blitz+until_no_play", unp_posts_take_wood=posts)
        view = view_of(rules, "", ["blue9", "", "red3"], "green5")
        assert set(lawful_moves(view, tables_of(rules).building)) == filled
        view = view_of(rules, "red7", ["blue9", "", "red3"], "green5")
        assert set(lawful_moves(view, tables_of(rules).building)) == {Move(GOAL, 1)}
    only = ruleset("nertz_std", space_fill="goal_only")
    view = view_of(only, "AS", ["KH", "", "9D", "6S", "3C"], "5C")
    assert set(lawful_moves(view, tables_of(only).building)) == {Move(GOAL, 1)}


def test_weak_plays_wood_first_and_overlooks() -> None:
    rules = ruleset("dutch_blitz")
    view = view_of(rules, "red1", ["blue1", "red9", "red3"], "green1", "red1 blue1 green1")
    rng = random.Random(3)
    chosen = Counter(weak(view, tables_of(rules).building, rng) for _ in range(1000))
    assert set(chosen) == {Move(WOOD, MIDDLE), Move(0, MIDDLE), Move(GOAL, MIDDLE), None}
    assert [move for move, _ in chosen.most_common(3)] == [
        Move(WOOD, MIDDLE), Move(0, MIDDLE), Move(GOAL, MIDDLE),
    ]  # fmt: skip


@pytest.mark.parametrize("preset", preset_names())
def test_the_moves_offered_are_those_that_the_rules_allow(preset: str) -> None:
    """Random own areas: a move is offered just if the referee calls it lawful."""
    rules = ruleset(preset)
    deck = full_deck(rules)
    rng = random.Random(7)
    for _ in range(60):
        cards = list(range(len(deck)))
        rng.shuffle(cards)
        sides: list[list[int]] = [[cards.pop()] for _ in range(rules.number("side_piles"))]
        goal, wood, top = cards.pop(), cards.pop(), deck[cards.pop()]
        for side in sides:
            fits = [card for card in cards if check_side([deck[side[-1]]], deck[card], rules).ok]
            if fits and rng.random() < 0.6:
                side.append(fits[0])
                cards.remove(fits[0])
        view = View(goal, sides, wood, lambda card, top=top: check_shared([top], deck[card], rules).ok)
        offered = set(lawful_moves(view, tables_of(rules).building))
        exposed = {GOAL: goal, WOOD: wood, **{number: side[-1] for number, side in enumerate(sides)}}
        for source, card in exposed.items():
            assert (Move(source, MIDDLE) in offered) is check_shared([top], deck[card], rules).ok
            for number, side in enumerate(sides):
                pile = [deck[below] for below in side]
                allowed = number != source and check_side(pile, deck[card], rules).ok
                assert (Move(source, number) in offered) is allowed
        groups = [move for move in offered if move.count > 1]
        assert not groups or rules.is_on("group_moves")
        for source, target, count in groups:
            pile = [deck[below] for below in sides[target]]
            assert check_side(pile, deck[sides[source][-count]], rules).ok


@pytest.mark.parametrize("preset", preset_names())
def test_timed_rounds_of_mixed_tables_are_lawful(preset: str) -> None:
    players = max(players_of(ruleset(preset))[0], {"dutch_blitz_2": 2}.get(preset, 4))
    rules = for_players(ruleset(preset), players)
    policies = tuple(("strong", "a", "weak")[seat % 3] for seat in range(players))
    kinds: Counter[str] = Counter()
    for seed in range(4):
        rng = random.Random(seed)
        deals = deal(rules, players, rng)
        plays = play_round(rules, players, rng, deals=deals, policies=policies)
        kinds.update(play.kind for play in plays)
        game = checked(rules, deals, plays)
        assert counts_of(plays, deals) == [(len(area.played), len(area.goal)) for area in game.areas]
        check_verdict(rules, game)
        assert play_round(rules, players, random.Random(seed), policies=policies) == plays
    assert kinds["lost"] or players == 2, "players contest the same places"
    assert (kinds["group"] > 0) is (rules.is_on("group_moves"))


def test_weak_players_are_slower() -> None:
    """Turning the hand takes a weak player longer, so that fewer turns come about in the same time."""
    rules = ruleset("dutch_blitz")

    def turns_a_minute(policy: str) -> float:
        turns = seconds = 0.0
        for seed in range(5):
            plays = play_round(rules, 4, random.Random(seed), policies=(policy,) * 4)
            turns += sum(play.kind == "flip" for play in plays) / 4
            seconds += plays[-1].t
        return turns / seconds

    assert turns_a_minute("weak") < turns_a_minute("a")


def test_one_stuck_player_is_enough_where_that_is_agreed() -> None:
    """With `stall_scope=any` a player moves the own card while others play on; and games change."""
    alone, together = ruleset("dutch_blitz_2", stall_scope="any"), ruleset("dutch_blitz_2")
    assert statistics(alone, 2, 40, seed=3) != statistics(together, 2, 40, seed=3)
    assert (
        statistics(alone, 2, 200, seed=3)["stall_share"] < statistics(together, 2, 200, seed=3)["stall_share"]
    )

    def uneven(rules: Ruleset) -> int:
        """By how much the players differ in how often they moved their card."""
        differ = 0
        for seed in range(25):
            plays = play_round(rules, 2, random.Random(seed))
            moved = Counter(play.seat_index for play in plays if play.kind == "bottom")
            differ += abs(moved[0] - moved[1])
        return differ

    assert uneven(alone) > uneven(together)


def test_burning_and_no_rule_at_all() -> None:
    rules = {rule: ruleset("dutch_blitz_2", stall_rule=rule) for rule in ("bottom_card", "burn", "none")}
    hands = {
        rule: [play_hand(given, tables_of(given), 2, random.Random(seed)) for seed in range(120)]
        for rule, given in rules.items()
    }
    stuck = {rule: sum(hand.caller is None for hand in played) for rule, played in hands.items()}
    assert stuck["burn"] < stuck["none"]
    assert stuck["bottom_card"] < stuck["none"]
    assert hands["burn"] != hands["bottom_card"]
