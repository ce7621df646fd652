"""Plays from settled tops."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.infer import Inference, PileGone, PileKnown, PileMoved, PileSeen, PileTurned, Signal
from referee.judge import judge_log
from referee.rulesets import ruleset


def seen(t: float, card: str | None, pile: str = "d1", **more: Any) -> PileSeen:
    return PileSeen(pile, t, None if card is None else Card.parse(card), **more)


def events(*items: Signal, preset: str = "dutch_blitz") -> list[PlayEvent]:
    plays = Inference(ruleset(preset))
    return [event for item in items for event in plays.see(item)]


def kinds(*items: Signal, preset: str = "dutch_blitz") -> list[str]:
    return [str(event.type) for event in events(*items, preset=preset)]


def test_start_landing_and_completion() -> None:
    tops = [seen(float(n), f"red{n}") for n in range(1, 11)]
    assert kinds(*tops) == ["started", *["landed"] * 9, "completed"]


def test_a_foul_is_recorded_as_seen() -> None:
    (_, play) = events(seen(1, "red1"), seen(2, "blue7", confidence=0.97, at=(5.0, 6.0), evidence=(10, 12)))
    assert (play.type, play.card, play.confidence) == (EventType.LANDED, Card.parse("blue7"), 0.97)
    assert (play.at, play.evidence, play.source, play.extra["seen"]) == (
        (5.0, 6.0),
        (10, 12),
        "vision",
        "continuous",
    )


def test_the_same_top_again_is_no_play() -> None:
    assert kinds(seen(1, "red1"), seen(2, "red1"), seen(3, "red1")) == ["started"]
    assert kinds(seen(1, "red1"), seen(2, "red1", arrived=True)) == ["started", "landed"]


def test_an_unread_top_is_a_gap_not_a_play() -> None:
    assert kinds(seen(1, "red1"), seen(2, None), seen(3, None), seen(4, "red4")) == [
        "started",
        "gap",
        "landed",
    ]
    assert events(seen(1, "red1"), seen(2, None), seen(4, "red4"))[2].extra["seen"] == "occluded"
    bumped = seen(2, "red1", arrived=False, again=True)
    assert kinds(seen(1, "red1"), seen(2, None, arrived=True), bumped) == ["started", "gap", "gap"]
    back = events(seen(1, "red1"), seen(2, None), seen(4, "red1"))
    assert [(str(event.type), event.extra) for event in back[1:]] == [("gap", {}), ("gap", {"ended": True})]
    assert kinds(seen(1, None), seen(2, "red4")) == ["gap", "started"]
    late = numbered(events(seen(1, None), seen(2, "red4")))
    assert judge_log(late, ruleset("dutch_blitz")) == []


def numbered(items: list[PlayEvent]) -> list[PlayEvent]:
    return [PlayEvent.from_json(item.to_json() | {"seq": seq}) for seq, item in enumerate(items, start=1)]


def test_the_earlier_card_back_on_top_is_a_withdrawal() -> None:
    (_, _, back) = events(seen(1, "red1"), seen(2, "blue5"), seen(2.8, "red1"))
    assert (back.type, back.card) == (EventType.WITHDRAWN, Card.parse("blue5"))
    unwound = events(seen(1, "red1"), seen(2, "blue5"), seen(3, "blue6"), seen(30, "red1"))
    assert [(str(e.type), str(e.card)) for e in unwound[3:]] == [
        ("withdrawn", "blue6"),
        ("withdrawn", "blue5"),
    ]
    assert kinds(seen(1, "red1"), seen(2, "red2"), seen(9, "red1", arrived=True)) == [
        "started",
        "landed",
        "landed",
    ]


def test_a_pile_that_may_come_back_to_a_number() -> None:
    swing = [seen(1, "AH"), seen(5, "2H"), seen(9, "3H")]
    assert kinds(*swing, seen(20, "2H"), preset="double_swinging_door")[-1] == "landed"
    assert kinds(*swing, seen(10, "2H"), preset="double_swinging_door")[-1] == "withdrawn"
    assert kinds(*swing, seen(20, "2H", arrived=False), preset="double_swinging_door")[-1] == "withdrawn"
    assert kinds(*swing, seen(20, "2H"), preset="nertz_std")[-1] == "withdrawn"


def test_piles_that_are_handled() -> None:
    items: list[Signal] = [
        seen(1, "red1"),
        PileMoved("d1", 2, (9.0, 9.0)),
        PileTurned("d1", 3, back="pump"),
        PileTurned("d1", 4),
        PileGone("d1", 5),
        PileGone("d1", 6),
        seen(7, "blue1"),
    ]
    made = events(*items)
    assert [str(e.type) for e in made] == ["started", "moved", "turned", "removed", "started"]
    assert made[1].at == (9.0, 9.0)
    assert made[2].extra == {"back": "pump"}
    assert kinds(PileMoved("d9", 1, (0.0, 0.0)), PileTurned("d9", 2)) == []


def test_side_piles_of_two_players_do_not_mix() -> None:
    own = [
        seen(1, "red7", "s1", zone=Zone.SIDE, seat="left"),
        seen(2, "green6", "s1", zone=Zone.SIDE, seat="top"),
        seen(3, "green6", "s1", zone=Zone.SIDE, seat="left"),
    ]
    assert kinds(*own) == ["started", "started", "landed"]
    tens = [seen(1, "red10", "s1", zone=Zone.SIDE, seat="left")]
    assert kinds(*tens) == ["started"]


def test_runners_up_reach_the_judge() -> None:
    plays = events(*to_five(), seen(9, "red8", confidence=0.9, alternatives=of(red6=0.04)))
    assert plays[-1].extra["alternatives"] == [{"number": 6, "colour": "red", "p": 0.04}]
    rulings = judge_log(numbered(plays), ruleset("dutch_blitz"))
    assert [(r.rule, str(r.severity), r.p) for r in rulings] == [("E12", "warning", 0.9)]


def to_five() -> list[PileSeen]:
    return [seen(float(n), f"red{n}") for n in range(1, 6)]


def of(**cards: float) -> tuple[tuple[Card, float], ...]:
    return tuple((Card.parse(card), p) for card, p in cards.items())


@pytest.mark.parametrize("confidence", [0.999, 0.9, 0.6])
def test_the_rules_choose_no_reading(confidence: float) -> None:
    others = {"alternatives": of(red6=0.999 - confidence)}
    (play,) = events(*to_five(), seen(9, "red7", confidence=confidence, **others))[5:]
    assert (play.type, str(play.card), play.confidence) == (EventType.LANDED, "red7", confidence)
    (unread,) = events(*to_five(), seen(9, None, alternatives=of(red6=0.6, red7=0.3)))[5:]
    assert (unread.type, unread.card) == (EventType.GAP, None)


def inferred(*items: Signal, preset: str = "dutch_blitz") -> list[tuple[str, str, float, str | None]]:
    made = events(*items, preset=preset)
    return [(str(e.type), str(e.card), e.t, e.seat) for e in made if e.extra.get("inferred") is True]


def test_an_unread_card_is_told_by_the_one_above_it() -> None:
    unread = seen(6.5, None, at=(7.0, 8.0), seat="left")
    assert inferred(*to_five(), unread, seen(9, "red7")) == [("landed", "red6", 6.5, "left")]
    assert inferred(seen(1, None), seen(2, "red2")) == [("started", "red1", 1, None)]
    assert inferred(*to_five(), unread, seen(9, "red8")) == []
    assert inferred(*to_five(), unread, seen(9, "red6")) == []
    assert inferred(*to_five(), unread, seen(6.5, "red7", again=True)) == []


def test_the_lawful_next_card_after_an_unread_one_is_that_one_read_late() -> None:
    late = seen(8.5, "red6", seat="top", at=(1.0, 2.0))
    unread = seen(6.5, None, seat="left", at=(7.0, 8.0), evidence=(60, 70))
    play = events(*to_five(), unread, late)[-1]
    assert (str(play.card), play.t, play.seat, play.at, play.evidence) == (
        "red6",
        6.5,
        "left",
        (7.0, 8.0),
        (60, 70),
    )
    (other,) = [e for e in events(*to_five(), unread, seen(8.5, "blue6", seat="top"))[6:] if e.card]
    assert (str(other.card), other.t, other.seat) == ("blue6", 8.5, "top")


def test_a_card_that_came_under_hands_is_told_by_the_one_above_it_and_by_nothing_else() -> None:
    def above(card: str, missed_t: float | None = 8.0, **more: Any) -> PileSeen:
        return seen(9, card, seat="top", seat_p=0.9, seen=False, missed_t=missed_t, **more)

    assert inferred(*to_five(), above("red7")) == [("landed", "red6", 8.0, None)]
    assert inferred(above("green2")) == [("started", "green1", 8.0, None)]
    assert inferred(*to_five(), above("red8")) == []
    assert inferred(*to_five(), above("blue7")) == []
    assert inferred(*to_five(), above("red7", None)) == []
    assert inferred(*to_five(), seen(9, "red7", missed_t=8.0)) == []
    assert inferred(*to_five(), above("red3", arrived=False)) == []


def test_of_two_cards_under_hands_the_lower_one_came_first() -> None:
    *_, lower, upper = events(*to_five(), seen(9, "red7", seat="top", seen=False, missed_t=9.6))
    assert [(str(e.card), e.t, e.seat) for e in (lower, upper)] == [("red6", 9, "top"), ("red7", 9.6, None)]
    assert {e.extra["seen"] for e in (lower, upper)} == {"occluded"}


def test_a_card_of_another_game_below_tells_nothing() -> None:
    strange = seen(7, "5H", arrived=True)
    assert inferred(*to_five(), strange, seen(9, "red7", seen=False, missed_t=8.0)) == []


def test_where_several_cards_fit_none_is_told() -> None:
    swing = [seen(1, "5H"), seen(9, "5H", arrived=True, seen=False, missed_t=8.0)]
    assert inferred(*swing, preset="double_swinging_door") == []


def test_a_card_that_reads_otherwise_by_now_is_corrected_once_it_is_clear() -> None:
    def again(card: str, confidence: float) -> PileSeen:
        return seen(5, card, confidence=confidence, again=True, arrived=True)

    assert events(*to_five(), again("red5", 0.999))[5:] == []
    assert events(*to_five(), again("red6", 0.995))[5:] == []
    (fix, play) = events(*to_five(), again("red6", 0.9995), seen(9, "red7"))[5:]
    assert (fix.type, fix.pile, fix.extra["action"]) == (EventType.CORRECTION, "d1", "replace")
    assert fix.extra["event"]["card"] == {"number": 6, "colour": "red"}
    assert (play.type, play.extra["seen"]) == (EventType.LANDED, "continuous")


def test_a_top_that_is_still_what_was_told_ends_the_gap_and_the_next_card_is_judged() -> None:
    def ruled(*between: Signal) -> list[str]:
        told = [*events(seen(1.0, "red1"), *between, seen(5.0, "red7"))]
        told.insert(1, PlayEvent(0, 2.0, EventType.CAMERA_MOVED))
        log = [PlayEvent.from_json(e.to_json() | {"seq": i}) for i, e in enumerate(told, start=1)]
        return [f"{r.rule} {r.severity}" for r in judge_log(log, ruleset("dutch_blitz")) if r.rule != "E71"]

    assert ruled() == []
    assert ruled(PileKnown("d1", 4.0, (5.0, 6.0))) == ["E12 foul"]
    assert ruled(PileKnown("d2", 4.0, (5.0, 6.0))) == []


def test_a_top_that_was_never_read_is_not_known_by_being_as_it_was() -> None:
    assert kinds(seen(1.0, "red1"), seen(2.0, None), PileKnown("d1", 3.0, (5.0, 6.0))) == ["started", "gap"]


def test_how_long_the_card_beneath_was_out_of_sight_is_told_where_nothing_else_lay_between() -> None:
    hidden = seen(2.0, "red7", seen=False, hidden_s=0.2)
    assert events(seen(1.0, "red1"), hidden)[-1].extra["hidden_s"] == 0.2
    assert "hidden_s" not in events(seen(1.0, "red1"), seen(1.5, None), hidden)[-1].extra
