"""One suite for every preset and every option that changes play: random rounds, then the invariants."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import lru_cache

import pytest

from datasets.simulate import (
    SeatDeal,
    SimPlay,
    Tempo,
    counts_of,
    deal,
    full_deck,
    inject,
    play_round,
)
from datasets.simulated_log import events_of
from referee.audit import audit_round, audit_scores
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone, read_log, write_line
from referee.fold import apply, fold
from referee.implied import cards_implied, predicted_faces
from referee.judge import judge_log
from referee.legality import check_shared, check_side, is_complete
from referee.options import OPTIONS, OptionValue
from referee.rulesets import Ruleset, for_players, name_of, players_of, preset_names, ruleset
from referee.schemes import scheme_of
from referee.scoring import PlayerCount, score_round
from referee.state import TableState

PLAY_OPTIONS = (
    "side_piles", "goal_size", "side_building", "goal_direct", "refill", "space_fill", "flip_count",
    "remainder", "s9_direction", "dsd_ace_to_king", "dsd_two_king", "dsd_king_two", "stall_rule",
    "call_mandatory", "until_no_play", "stall_scope", "empty_pile_ends", "unp_posts_take_wood",
)  # fmt: skip


def choices_of(key: str) -> list[OptionValue]:
    option = OPTIONS[key]
    if option.choices:
        return list(option.choices)
    if isinstance(option.default, bool):
        return [True, False]
    return {"side_piles": [4, 6], "goal_size": [10, 12], "flip_count": [1, 2]}[key]


def variants() -> list[Ruleset]:
    """Each preset, and each preset with each other choice of each option that changes play."""
    found: dict[str, Ruleset] = {}
    for preset in preset_names():
        players = max(players_of(ruleset(preset))[0], 3 if preset != "dutch_blitz_2" else 2)
        plain = for_players(ruleset(preset), players)
        found[name_of(plain)] = plain
        for key in PLAY_OPTIONS:
            if preset in OPTIONS[key].presets:
                for value in choices_of(key):
                    changed = for_players(ruleset(preset, **{key: value}), players)
                    found[name_of(changed)] = changed
    return list(found.values())


def table_size(rules: Ruleset) -> int:
    return {"dutch_blitz_2": 2, "dutch_blitz_8": 6}.get(rules.preset, 3)


@lru_cache(maxsize=1000)
def played(
    rules: Ruleset, seed: int, policies: tuple[str, ...] = ()
) -> tuple[list[SeatDeal], list[SimPlay], list[PlayEvent]]:
    rng = random.Random(seed)
    deals = deal(rules, table_size(rules), rng)
    plays = play_round(rules, table_size(rules), rng, Tempo(most_s=150.0), deals, policies=policies)
    return deals, plays, events_of(deals, plays, rules)


VARIANTS = variants()
each_variant = pytest.mark.parametrize("rules", VARIANTS, ids=name_of)
each_preset = pytest.mark.parametrize("preset", preset_names())


class Area:
    """One player's cards, followed play by play."""

    def __init__(self, deal: SeatDeal) -> None:
        self.deck = Counter([*deal.goal, *deal.hand, *(card for side in deal.sides for card in side)])
        self.goal = list(deal.goal)
        self.sides = [list(side) for side in deal.sides]
        self.loose = Counter(deal.hand)
        self.played: list[Card] = []

    def pile(self, source: str) -> list[Card]:
        return self.goal if source == "goal" else self.sides[int(source.partition(":")[2])]

    def give(self, play: SimPlay) -> Card:
        assert play.card is not None
        if play.source == "wood":
            assert self.loose[play.card] == 1
            self.loose[play.card] -= 1
        else:
            assert self.pile(play.source).pop() == play.card, "only the exposed card may be played"
        return play.card

    def cards(self) -> Counter[Card]:
        held = Counter([*self.goal, *(card for side in self.sides for card in side), *self.played])
        return held + self.loose


def check_lawful_round(rules: Ruleset, seed: int, policies: tuple[str, ...] = ()) -> None:
    """Cards are conserved (I5, I6), every play is legal, goal piles only shrink (I7), nobody is told off."""
    deals, plays, log = played(rules, seed, policies)
    areas = [Area(seat) for seat in deals]
    piles: dict[str, list[Card]] = {}
    for play in plays:
        area = areas[play.seat_index]
        before = len(area.goal)
        if play.kind == "play":
            pile = piles.get(play.target_pile, [])
            card = area.give(play)
            assert check_shared(pile, card, rules).ok
            assert play.opens is (not pile)
            piles[play.target_pile] = [*pile, card]
            area.played.append(card)
        elif play.kind in ("side", "refill"):
            side = area.pile(play.target_pile)
            card = area.give(play)
            assert check_side(side, card, rules, play.source).ok
            assert (play.kind == "refill") is (not side)
            side.append(card)
        elif play.kind == "group":
            assert rules.is_on("group_moves")
            moved = [area.pile(play.source).pop() for _ in play.cards][::-1]
            assert tuple(moved) == play.cards
            assert check_side(area.pile(play.target_pile), moved[0], rules).ok
            area.pile(play.target_pile).extend(moved)
        assert len(area.goal) <= before
        assert play.kind == "turn_over" or play.goal_left == len(area.goal) or play.kind == "call"
        assert area.cards() == area.deck
    for pile in piles.values():
        implied = cards_implied(pile, rules)
        assert implied is None or implied == tuple(pile)
        assert len(pile) <= scheme_of(rules).full_height
    if rules["refill"] == "must" and rules.is_on("goal_direct"):
        assert all(len(area.played) <= rules.most_played for area in areas)
    assert [r.text for r in judge_log(log, rules) if r.severity != "info"] == []
    counts = counts_of(plays, deals)
    assert counts == [(len(area.played), len(area.goal)) for area in areas]
    if predicted_faces(piles.values(), rules) is not None:
        faces = {f"seat{index}": area.played for index, area in enumerate(areas)}
        findings = audit_round(list(piles.values()), None, faces, log, ruleset=rules)
        assert [f.text for f in findings] == []


@each_variant
def test_lawful_round(rules: Ruleset) -> None:
    check_lawful_round(rules, 1)


@each_preset
def test_lawful_rounds_of_strong_and_weak_players(preset: str) -> None:
    rules = for_players(ruleset(preset), {"dutch_blitz_2": 2, "dutch_blitz_8": 6}.get(preset, 3))
    policies = tuple(("strong", "weak", "a")[seat % 3] for seat in range(table_size(rules)))
    for seed in range(3):
        check_lawful_round(rules, seed, policies)


@each_variant
def test_log_replays_to_the_same_state(rules: Ruleset) -> None:
    _, plays, log = played(rules, 1)
    lines = [write_line(event) for event in log]
    again = list(read_log(lines))
    assert again == log
    assert fold(again) == fold(log)
    state = TableState()
    for number, event in enumerate(log):
        state = apply(state, event)
        if number % 5 == 0:
            assert TableState.from_text(state.to_text()) == state
    assert state == fold(log)
    landed = Counter(play.card for play in plays if play.kind == "play")
    assert Counter(card for pile in state.piles for card in pile.cards) == landed


@each_preset
def test_mistakes_are_told_by_their_rule(preset: str) -> None:
    """A round with one mistake of each kind: each gives its own rule once, and nothing else is told."""
    rules = for_players(ruleset(preset), {"dutch_blitz_2": 2, "dutch_blitz_8": 6}.get(preset, 4))
    made: Counter[str] = Counter()
    for seed, rule in enumerate(
        ("E10", "E11", "E12", "E13", "E14", "E15", "E16", "E30", "E31", "E51", "E52", "E54", "slip")
    ):
        round_ = inject(rules, table_size(rules), random.Random(seed), [rule])
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
def test_two_independent_plays_commute(preset: str) -> None:
    """Plays on different piles by different players give the same table and score in either order."""
    rules = for_players(ruleset(preset), {"dutch_blitz_2": 2, "dutch_blitz_8": 6}.get(preset, 4))
    deals, _, log = played(rules, 2)
    swapped = 0
    order = list(log)
    for index in range(len(order) - 1):
        one, other = order[index], order[index + 1]
        plays_both = all(e.type is EventType.LANDED and e.zone is Zone.SHARED for e in (one, other))
        if plays_both and one.pile != other.pile and one.seat != other.seat:
            order[index], order[index + 1] = replace(other, t=one.t), replace(one, t=other.t)
            swapped += 1
    before, after = fold(log), fold(order)
    assert after == before
    if preset == "dutch_blitz":
        assert swapped > 0

    def score(events: list[PlayEvent]) -> tuple[int, ...]:
        landed = Counter(
            e.seat
            for e in events
            if e.zone is Zone.SHARED and e.type in (EventType.STARTED, EventType.LANDED)
        )
        landed -= Counter(e.seat for e in events if e.zone is Zone.SHARED and e.type is EventType.WITHDRAWN)
        goal = fold(events)
        counts = [
            PlayerCount(f"seat{i}", landed[f"seat{i}"], goal.seat(f"seat{i}").goal) for i in range(len(deals))
        ]
        return score_round(replace_scheme(rules), counts).scores

    assert score(order) == score(log)


def replace_scheme(rules: Ruleset) -> Ruleset:
    """The same rules with flat card values, so that counts are enough."""
    if not rules.counts_faces:
        return rules
    return ruleset(rules.preset, face_scheme="flat")


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


def test_scores_add_up_to_the_tops() -> None:
    rules = ruleset("dutch_blitz")
    deals, plays, log = played(rules, 5)
    tops = [pile.cards for pile in fold(log).piles]
    counts = [
        PlayerCount(f"seat{i}", played_, left) for i, (played_, left) in enumerate(counts_of(plays, deals))
    ]
    scores = score_round(rules, counts).scores
    lefts = [count.left_count for count in counts]
    assert audit_scores(tops, lefts, scores, rules) == []
    wrong = [scores[0] + 1, *scores[1:]]
    assert [f.id for f in audit_scores(tops, lefts, wrong, rules)] == ["I14"]


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
        elif event.type not in (EventType.WITHDRAWN, EventType.COMPLETED):
            seen.append(event)
    return seen


@each_preset
def test_an_observer_who_misses_landings_accuses_nobody(preset: str) -> None:
    players = max(players_of(ruleset(preset))[0], 2 if preset == "dutch_blitz_2" else 3)
    rules = for_players(ruleset(preset), players)
    gaps = 0
    for seed in range(4):
        _, plays, log = played(rules, seed)
        lost = {(round(play.t, 3), play.target_pile) for play in plays if play.kind == "lost"}
        blind = half_blind([e for e in log if (e.t, e.pile) not in lost], random.Random(seed))
        gaps += sum(event.type is EventType.GAP for event in blind)
        assert [r.text for r in judge_log(blind, rules) if r.severity != "info"] == []
    assert gaps > 0
