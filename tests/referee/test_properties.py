"""Whatever the log says: it folds, it is judged, and every text form reads back."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.cards import BLITZ_COLOURS, SUITS, Card
from referee.events import EventType, PlayEvent, Zone, read_log, write_line
from referee.fold import apply, effective_events, fold
from referee.infer import Inference, PileGone, PileMoved, PileSeen, PileTurned, Signal
from referee.judge import Judge, judge_log
from referee.legality import check_shared, check_side
from referee.rulesets import preset_names, ruleset
from referee.rulings import Ruling
from referee.state import Phase, PileState, SeatState, TableState

blitz_cards = st.builds(Card, st.integers(1, 10), st.sampled_from(BLITZ_COLOURS))
standard_cards = st.builds(Card, st.integers(1, 13), st.sampled_from(SUITS))
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=6)
piles = st.sampled_from(["d1", "d2", "d3"])
seats = st.sampled_from(["left", "top", None])
probabilities = st.one_of(st.none(), st.floats(0, 1))
few = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def event_lists(cards: st.SearchStrategy[Card]) -> st.SearchStrategy[list[PlayEvent]]:
    """Any events in any order, most of them senseless."""
    kinds = st.sampled_from([kind for kind in EventType if kind not in ("correction", "ruling")])
    extras: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
        [
            {},
            {"count": 0},
            {"count": 4},
            {"seen": "occluded"},
            {"ended": True},
            {"by": "voice"},
            {"turned": 1},
            {"turned": 3, "hand_left": 9},
            {"from": "wood"},
            {"from": "goal"},
            {"from": {"zone": "side", "pile": "d2"}},
            {"reason": "hand"},
            {"reason": "card"},
            {"to": "hand"},
            {"to": "d2"},
            {"shuffled": True},
        ]
    )
    parts = st.tuples(
        st.floats(0, 3), kinds, piles, st.one_of(st.none(), cards), st.sampled_from(Zone), seats,
        probabilities, extras,
    )  # fmt: skip

    def build(rows: list[Any]) -> list[PlayEvent]:
        t, events = 0.0, []
        for seq, (step, kind, pile, card, zone, seat, confidence, extra) in enumerate(rows, start=1):
            t = round(t + step, 3)
            events.append(
                PlayEvent(seq, t, kind, pile, card, zone, seat, confidence=confidence, extra=dict(extra))
            )
        return events

    return st.lists(parts, max_size=25).map(build)


@few
@given(st.data(), st.sampled_from(preset_names()))
def test_any_log_is_folded_and_judged_the_same_way_twice(data: st.DataObject, preset: str) -> None:
    rules = ruleset(preset)
    log = data.draw(event_lists(blitz_cards if rules.deck_size == 40 else standard_cards))
    state = TableState()
    for event in log:
        state = apply(state, event)
        assert TableState.from_text(state.to_text()) == state
    again = list(read_log(write_line(event) for event in log))
    assert fold(again) == state
    rulings = judge_log(log, rules)
    assert judge_log(again, rules) == rulings
    for ruling in rulings:
        back = Ruling.from_json(json.loads(json.dumps(ruling.to_json())))
        assert (back.rule, back.text, back.severity, back.of) == (
            ruling.rule, ruling.text, ruling.severity, ruling.of,
        )  # fmt: skip
        assert ruling.text.endswith(f"({ruling.rule}).")
        assert "cheat" not in ruling.text.lower()


@few
@given(event_lists(blitz_cards))
def test_judging_step_by_step_equals_judging_at_once(log: list[PlayEvent]) -> None:
    rules = ruleset("dutch_blitz")
    judge = Judge(rules)
    rulings: list[Ruling] = []
    for event in log:
        rulings += judge.advance(event.t)
        rulings += judge.feed(event)
    rulings += judge.finish()
    assert rulings == judge_log(log, rules)
    assert judge.state == fold(log)


@few
@given(event_lists(blitz_cards))
def test_unsure_events_accuse_nobody(log: list[PlayEvent]) -> None:
    """With every reading below one half, nothing is told to the table."""
    unsure = [
        PlayEvent(e.seq, e.t, e.type, e.pile, e.card, e.zone, e.seat, confidence=0.4, extra=e.extra)
        for e in log
    ]
    assert [r for r in judge_log(unsure, ruleset("dutch_blitz")) if r.severity != "info"] == []


@few
@given(
    st.sampled_from(
        [
            "count",
            "cards_at_once",
            "card_length_px",
            "released_t",
            "turned",
            "hand_left",
            "from",
            "to",
            "alternatives",
            "players",
            "hand",
            "reason",
            "seen",
            "by_seat",
            "shuffled",
            "ended",
        ]
    ),
    st.sampled_from([None, "x", -1, 0.5, [], {}, [1], {"zone": 3}, True]),
    st.sampled_from(Zone),
)
def test_keys_of_a_wrong_form_are_no_crash(key: str, value: Any, zone: Zone) -> None:
    kinds = (
        "round_started",
        "goal_count",
        "started",
        "landed",
        "called",
        "landed",
        "moved",
        "paused",
        "resumed",
        "gap",
        "gap",
        "turned",
        "withdrawn",
        "removed",
    )
    card = Card.parse("red1")
    log = [
        PlayEvent(n, float(n), EventType(kind), "d1", card, zone, "left", extra={key: value})
        for n, kind in enumerate(kinds, start=1)
    ]
    for ruling in judge_log(log, ruleset("dutch_blitz")):
        assert ruling.text


@few
@given(st.lists(blitz_cards, max_size=6), blitz_cards)
def test_blitz_verdicts_name_what_is_wrong(pile: list[Card], card: Card) -> None:
    rules = ruleset("dutch_blitz")
    shared = check_shared(pile, card, rules)
    lawful = (
        card.number == 1
        if not pile
        else (card.colour is pile[-1].colour and card.number == pile[-1].number + 1)
    )
    assert shared.ok is lawful
    if pile:
        assert ("E11" in shared.why) is (card.colour is not pile[-1].colour)
        assert ("E15" in shared.why) is (pile[-1].number == 10)
        side = check_side(pile, card, rules)
        assert ("E30" in side.why) is (card.number != pile[-1].number - 1)
        assert ("E31" in side.why) is (card.is_boy == pile[-1].is_boy)


pile_states = st.builds(
    PileState,
    name=names,
    cards=st.lists(st.one_of(blitz_cards, standard_cards), max_size=4).map(tuple),
    unread=st.booleans(),
    complete=st.booleans(),
    turned=st.booleans(),
    aside=st.booleans(),
    at=st.one_of(st.none(), st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))),
)
pile_lists = st.lists(pile_states, max_size=3).map(tuple)
states = st.builds(
    TableState,
    phase=st.sampled_from(Phase),
    piles=pile_lists,
    taken=pile_lists,
    seats=st.lists(
        st.builds(
            SeatState,
            name=names,
            goal=st.one_of(st.none(), st.integers(0, 16)),
            goal_top=st.one_of(st.none(), blitz_cards),
            wood=st.one_of(st.none(), standard_cards),
            sides=pile_lists,
        ),
        max_size=3,
    ).map(tuple),
    called_by=st.lists(names, max_size=2).map(tuple),
    whistle_t=st.one_of(st.none(), st.floats(0, 1e4)),
)


@few
@given(states)
def test_any_state_has_a_text_form(state: TableState) -> None:
    text = state.to_text()
    assert "\n" not in text
    assert TableState.from_text(text) == state


sights: st.SearchStrategy[Signal] = st.one_of(
    st.builds(
        PileSeen, piles, st.floats(0, 60), st.one_of(st.none(), blitz_cards), seen=st.booleans(),
        arrived=st.sampled_from([None, None, True, False]),
    ),
    st.builds(PileGone, piles, st.floats(0, 60)),
    st.builds(PileMoved, piles, st.floats(0, 60), st.just((1.0, 2.0))),
    st.builds(PileTurned, piles, st.floats(0, 60)),
)  # fmt: skip


@few
@given(st.lists(sights, max_size=25))
def test_what_was_seen_is_what_the_log_shows(seen: list[Signal]) -> None:
    """After each readable sight the folded log has that very card on top: no rule chose another."""
    plays = Inference(ruleset("dutch_blitz"))
    log: list[PlayEvent] = []
    for item in seen:
        log += plays.see(item)
        if isinstance(item, PileSeen) and item.card is not None:
            pile = fold(log).pile(item.pile)
            assert pile is not None
            assert pile.top == item.card
            assert not pile.unread


@few
@given(event_lists(blitz_cards))
def test_a_log_without_corrections_stands_as_it_is(log: list[PlayEvent]) -> None:
    assert effective_events(log) == log
