"""Plays from settled tops."""

from __future__ import annotations

from typing import Any

from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.infer import Inference, PileGone, PileMoved, PileSeen, PileTurned, Signal
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
    assert kinds(seen(1, "red1"), seen(2, None), seen(3, None), seen(4, "red3")) == [
        "started",
        "gap",
        "landed",
    ]
    assert events(seen(1, "red1"), seen(2, None), seen(4, "red3"))[2].extra["seen"] == "occluded"
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
    six = ((Card.parse("red6"), 0.4),)
    plays = events(
        *(seen(float(n), f"red{n}") for n in range(1, 6)),
        seen(9, "red8", confidence=0.6, alternatives=six),
    )
    assert plays[-1].extra["alternatives"] == [{"number": 6, "colour": "red", "p": 0.4}]
    rulings = judge_log(numbered(plays), ruleset("dutch_blitz"))
    assert [(r.rule, str(r.severity), r.p) for r in rulings] == [("E12", "info", 0.6)]
