"""Random rounds of every preset and every choice of every option, and what must hold of each."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasets.simulate import deal, full_deck, inject
from datasets.simulated_log import events_of
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.fold import fold
from referee.judge import judge_log
from referee.legality import check_shared, is_complete
from referee.rulesets import Ruleset, for_players, preset_names, ruleset
from tests.referee import conformance_run
from tests.referee.conformance import (
    TABLES,
    Game,
    Traced,
    by_name,
    check_log,
    check_score,
    check_verdict,
    checked,
    deeds_of,
    independent,
    play,
    table_size,
)

each_preset = pytest.mark.parametrize("preset", preset_names())


def rules_of(preset: str) -> Ruleset:
    """The preset as this suite's table plays it."""
    return for_players(ruleset(preset), table_size(ruleset(preset)))


@lru_cache(maxsize=200)
def game_of(preset: str, seed: int) -> Game:
    """One lawful round."""
    rules = rules_of(preset)
    return play(rules, table_size(rules), seed)


@each_preset
def test_each_choice_of_each_option_holds(preset: str) -> None:
    """The short form of the long run."""
    broken = {
        str(rules.values): list(failures) for rules, _, failures in conformance_run.run(preset, 2) if failures
    }
    assert broken == {}


@each_preset
@pytest.mark.parametrize("seed", range(len(TABLES)))
def test_lawful_rounds_of_all_players(preset: str, seed: int) -> None:
    game = game_of(preset, seed)
    check_log(game, seed)
    check_verdict(rules_of(preset), game)
    check_score(rules_of(preset), game, random.Random(seed))


def test_options_that_are_asked_for_are_remembered() -> None:
    plain = ruleset("dutch_blitz")
    traced = Traced(plain.preset, plain.values)
    assert traced.asked == set()
    assert traced["target"] == plain["target"]
    assert traced.number("side_piles") == 3
    assert not traced.is_on("lotto")
    assert traced.asked == {"target", "side_piles", "lotto"}
    assert traced != plain
    assert len(list(traced.options)) == len(plain.options)
    assert traced.asked >= plain.options.keys()


def test_a_wrong_play_is_found_out() -> None:
    """The suite itself: a card from under another, a card that does not fit, one that comes from nowhere."""
    rules, game = rules_of("nertz_std"), game_of("nertz_std", 0)
    shared = next(at for at, done in enumerate(game.plays) if done.kind == "play" and done.source == "goal")
    done = game.plays[shared]
    assert done.card is not None
    other = Card(done.card.number % 13 + 1, done.card.colour)
    for wrong in (
        replace(done, card=other),
        replace(done, source="wood"),
        replace(done, target_pile="d99"),
        replace(done, goal_left=done.goal_left + 1),
        replace(done, kind="refill", target_pile="side:0"),
    ):
        with pytest.raises(AssertionError):
            checked(rules, game.deals, [*game.plays[:shared], wrong, *game.plays[shared + 1 :]])
    flip = next(at for at, done in enumerate(game.plays) if done.kind == "flip")
    swapped = replace(game.plays[flip], cards=game.plays[flip].cards[::-1])
    with pytest.raises(AssertionError, match="the hand keeps its order"):
        checked(rules, game.deals, [*game.plays[:flip], swapped, *game.plays[flip + 1 :]])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(preset_names()), st.integers(0, 9), st.floats(0, 1))
def test_two_independent_plays_commute(preset: str, seed: int, place: float) -> None:
    """In either order they are lawful and lead to the same table and the same score."""
    rules, game = rules_of(preset), game_of(preset, seed)
    done = [one for one in game.plays if one.kind != "call"]
    start = int(place * (len(done) - 2))
    kinds = ("play", "side", "refill", "group", "flip", "turn_over", "bottom")
    at = next(
        at
        for at in (*range(start, len(done) - 1), *range(start))
        if done[at].kind in kinds
        and done[at + 1].kind in kinds
        and done[at].seat_index != done[at + 1].seat_index
        and (done[at].target_pile != done[at + 1].target_pile or done[at].kind != "play")
    )
    one, other = done[at], done[at + 1]
    order = [replace(other, t=one.t), replace(one, t=other.t)]
    index = game.plays.index(one)
    swapped = checked(rules, game.deals, [*game.plays[:index], *order, *game.plays[index + 2 :]])
    assert by_name(fold(swapped.log)) == by_name(fold(game.log))
    scores = [check_score(rules, played, random.Random(seed)).scores for played in (game, swapped)]
    assert scores[0] == scores[1]


def test_there_are_independent_plays_in_the_logs() -> None:
    deeds = deeds_of(game_of("dutch_blitz", 0).log)
    assert sum(independent(one, other) for one, other in pairwise(deeds)) > 20


@each_preset
def test_mistakes_are_told_by_their_rule(preset: str) -> None:
    """A round with one mistake of each kind: each gives its own rule once, and nothing else is told."""
    players = {"dutch_blitz_2": 2, "dutch_blitz_8": 6}.get(preset, 4)
    rules = for_players(ruleset(preset), players)
    made: Counter[str] = Counter()
    for seed, rule in enumerate(
        ("E10", "E11", "E12", "E13", "E14", "E15", "E16", "E30", "E31", "E51", "E52", "E54", "slip")
    ):
        round_ = inject(rules, players, random.Random(seed), [rule])
        log = events_of(round_.deals, round_.plays, rules)
        rulings = [ruling for ruling in judge_log(log, rules) if ruling.severity != "info"]
        truth = {play.mistake for play in round_.truth}
        if not rules.is_on("call_mandatory"):
            truth.discard("E52")
        assert {ruling.rule for ruling in rulings} == truth
        assert sum(ruling.severity == "foul" for ruling in rulings) <= 1
        made.update(truth)
    assert sum(made.values()) >= 8


@each_preset
def test_deck_and_deal(preset: str) -> None:
    rules = ruleset(preset)
    deck = full_deck(rules)
    assert len(set(deck)) == len(deck) == rules.deck_size
    for seat in deal(rules, 3, random.Random(3)):
        assert len(seat.goal) == rules["goal_size"]
        assert len(seat.sides) == rules["side_piles"]
        assert len(seat.hand) == rules.hand_size
        assert sorted([*seat.goal, *seat.hand, *(side[0] for side in seat.sides)]) == sorted(deck)


def test_hand_sizes_of_the_table_of_presets() -> None:
    sizes = {preset: ruleset(preset).hand_size for preset in preset_names()}
    assert sizes == {
        "dutch_blitz_2": 25, "dutch_blitz": 27, "dutch_blitz_8": 27, "nertz_std": 34, "nertz_modern": 35,
        "hoorah": 35, "swinging_door": 34, "double_swinging_door": 34, "starter9": 34, "evil_jacks": 34,
        "ligretto": 27,
    }  # fmt: skip
    assert [for_players(ruleset("ligretto"), n).hand_size for n in (2, 3, 4, 6)] == [25, 26, 27, 27]


@each_preset
def test_every_reachable_pile_ends_where_it_should(preset: str) -> None:
    """Walk all piles that can be built: legality agrees with completeness, and nobody builds on an end."""
    rules = ruleset(preset)
    deck = full_deck(rules)
    colour = deck[0].colour
    same = [card for card in deck if card.colour is colour]
    other = [card for card in deck if card.colour is not colour]
    seen: set[tuple[int, ...]] = set()
    heights = set()
    waiting: list[list[Card]] = [[card] for card in same if check_shared(None, card, rules).ok]
    assert len(waiting) == 1
    while waiting:
        pile = waiting.pop()
        nexts = [card for card in same if check_shared(pile, card, rules).ok]
        assert not any(check_shared(pile, card, rules).ok for card in other)
        if rules.scheme != "double_swinging":
            assert is_complete(pile, rules) is (not nexts)
        if not nexts:
            heights.add((pile[-1].number, len(pile)))
        key = tuple(card.number for card in pile[-2:])
        if key not in seen:
            seen.add(key)
            waiting += [[*pile, card] for card in nexts]
    expected = {
        "swinging": {(13, 13), (2, 13)},
        "double_swinging": set(),
        "nine": {(3, 8), (3, 7)},
    }
    assert heights == expected.get(rules.scheme, {(rules.deck_size // 4, rules.deck_size // 4)})


def half_blind(log: list[PlayEvent], rng: random.Random) -> list[PlayEvent]:
    """The log of an observer who misses landings but knows it: a gap, or an occluded next landing."""
    seen: list[PlayEvent] = []
    covered: set[str] = set()
    for event in log:
        shared = event.zone is Zone.SHARED and event.pile is not None
        if shared and event.type is EventType.LANDED and rng.random() < 0.15:
            if rng.random() < 0.5:
                seen.append(PlayEvent(event.seq, event.t, EventType.GAP, event.pile))
            else:
                covered.add(str(event.pile))
        elif shared and event.type is EventType.LANDED and event.pile in covered:
            covered.discard(str(event.pile))
            seen.append(replace(event, extra={**event.extra, "seen": "occluded"}))
        elif not shared or event.type not in (EventType.WITHDRAWN, EventType.COMPLETED):
            seen.append(event)
    return seen


@each_preset
def test_an_observer_who_misses_landings_accuses_nobody(preset: str) -> None:
    rules, gaps = rules_of(preset), 0
    for seed in range(4):
        game = game_of(preset, seed)
        lost = {(round(done.t, 3), done.target_pile) for done in game.plays if done.kind == "lost"}
        blind = half_blind([e for e in game.log if (e.t, e.pile) not in lost], random.Random(seed))
        gaps += sum(event.type is EventType.GAP for event in blind)
        assert [r.text for r in judge_log(blind, rules) if r.severity != "info"] == []
    assert gaps > 0
