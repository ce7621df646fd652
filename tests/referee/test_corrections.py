"""Corrections are appended, never edits: facts refold, opinions do not, and each can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

from referee.cards import Card
from referee.events import EventType, PlayEvent
from referee.fold import CorrectionError, effective_events, fold, opinions
from referee.judge import judge_log
from referee.rulesets import ruleset
from tests.referee.logs import log

RULES = ruleset("dutch_blitz")
WRONG = log(
    "1 started d1 red1\n4 landed d1 red2\n8 landed d1 blue3 confidence=0.99 seat=left\n12 landed d1 red4"
)


def correction(seq: int, action: str, of: list[int], **more: Any) -> PlayEvent:
    data = {"seq": seq, "t": 50.0, "type": "correction", "action": action, "of": of, "by": "Ann", "at_s": 1.0}
    return PlayEvent.from_json(data | more)


def rules_told(events: list[PlayEvent]) -> list[str]:
    return [ruling.rule for ruling in judge_log(events, RULES)]


def test_a_replaced_card_is_judged_anew() -> None:
    assert rules_told(WRONG) == ["E11", "E11"]
    mended = [*WRONG, correction(5, "replace", [3], card={"number": 3, "colour": "red"})]
    assert rules_told(mended) == []
    third = effective_events(mended)[2]
    assert (third.seq, third.card, third.confidence) == (3, Card.parse("red3"), None)
    assert fold(mended).piles[0].top == Card.parse("red4")
    assert effective_events(WRONG) == WRONG


def test_delete_insert_and_undo() -> None:
    deleted = [*WRONG, correction(5, "delete", [3])]
    assert rules_told(deleted) == ["E12"]
    event = {"t": 8.5, "type": "landed", "pile": "d1", "card": {"number": 3, "colour": "red"}}
    inserted = [*deleted, correction(6, "insert", [], event=event)]
    assert rules_told(inserted) == []
    assert [item.seq for item in effective_events(inserted)] == [1, 2, 6, 4]
    undone = [*inserted, correction(7, "delete", [6])]
    assert rules_told(undone) == ["E12"]
    redone = [*undone, correction(8, "delete", [7])]
    assert effective_events(redone) == effective_events(inserted)
    assert len(redone) == len(WRONG) + 4


def test_seat_pile_and_count_can_be_replaced() -> None:
    moved = [*WRONG, correction(5, "replace", [3], pile="d2", seat="top")]
    third = effective_events(moved)[2]
    assert (third.pile, third.seat) == ("d2", "top")
    counts = log("1 goal_count seat=left count=3\n2 called seat=left")
    assert rules_told(counts) == ["E51"]
    assert rules_told([*counts, correction(3, "replace", [1], count=0)]) == ["E50"]
    retyped = [*WRONG, correction(5, "replace", [3], event={"type": "withdrawn", "card": None})]
    assert effective_events(retyped)[2].type is EventType.WITHDRAWN


def test_opinions_change_no_facts() -> None:
    said = [
        *WRONG,
        correction(5, "overrule", [9]),
        correction(6, "uphold", [10]),
        correction(7, "unclear", [9]),
    ]
    assert effective_events(said) == WRONG
    assert opinions(said) == {9: "unclear", 10: "uphold"}
    assert opinions([*said, correction(8, "delete", [7])]) == {9: "overrule", 10: "uphold"}


def test_rulings_in_the_log_are_not_events() -> None:
    ruling = PlayEvent.from_json({"seq": 9, "t": 9.0, "type": "ruling", "of": [3], "rule": "E11"})
    assert effective_events([*WRONG, ruling]) == WRONG


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (correction(5, "erase", [3]), "the correction 5 has the action 'erase': give one of"),
        (correction(5, "insert", []), "the correction 5 inserts nothing"),
        (correction(5, "replace", [3], event=[1]), "is not an object"),
        (correction(5, "insert", [], event={"type": "landed", "card": {"number": 40}}), "cannot be applied"),
    ],
)
def test_a_correction_that_makes_no_sense_is_named(bad: PlayEvent, said: str) -> None:
    with pytest.raises(CorrectionError, match=said):
        effective_events([*WRONG, bad])
