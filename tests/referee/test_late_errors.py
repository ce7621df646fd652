"""Errors noticed late: what goes back, and what counts."""

from __future__ import annotations

import pytest

from referee.cards import Card
from referee.events import PlayEvent
from referee.fold import count_corrections
from referee.judge import judge_log
from referee.late_errors import cards_to_return, standing_errors, void_cards
from referee.rulesets import ruleset
from referee.rulings import Ruling
from tests.referee.logs import log

PILE = [Card.parse(text) for text in ("red1", "blue2", "blue3", "blue4")]
TEXT = "1 started d1 red1 seat=left\n4 landed d1 blue2 seat=top\n8 landed d1 blue3 seat=left"


def numbered(events: list[PlayEvent]) -> list[tuple[int, Ruling]]:
    return [(100 + n, ruling) for n, ruling in enumerate(judge_log(events, ruleset("dutch_blitz")))]


def test_what_goes_back() -> None:
    assert cards_to_return(PILE, 1, ruleset("dutch_blitz")) == tuple(PILE[:0:-1])
    assert cards_to_return(PILE, 1, ruleset("dutch_blitz", unwind="card_only")) == (PILE[1],)
    with pytest.raises(IndexError):
        cards_to_return(PILE, 4, ruleset("dutch_blitz"))


def test_late_errors_count_unless_the_table_voids_them() -> None:
    events = log(TEXT)
    rulings = numbered(events)
    assert [event.card for event, _ in standing_errors(events, rulings)] == [Card.parse("blue2")]
    assert void_cards(events, rulings, ruleset("dutch_blitz")) == {}
    strict = ruleset("dutch_blitz", late_error="void")
    assert void_cards(events, rulings, strict) == {"top": [Card.parse("blue2")]}
    returned = log(TEXT + "\n12 withdrawn d1 blue3\n13 withdrawn d1 blue2")
    assert void_cards(returned, numbered(returned), strict) == {}
    overruled = [
        *events,
        PlayEvent.from_json(
            {"seq": 9, "t": 9.0, "type": "correction", "action": "overrule", "of": [100], "by": "Ann"}
        ),
    ]
    assert void_cards(overruled, rulings, strict) == {}


def test_counts_put_right_after_the_round() -> None:
    data = {"t": 90.0, "type": "correction", "action": "count", "of": [], "by": "Ann", "seat": "left"}
    events = [PlayEvent.from_json(data | {"seq": 1, "count": {"played": 12}})]
    events.append(PlayEvent.from_json(data | {"seq": 2, "count": {"played": 13, "left": 1}}))
    assert count_corrections(events) == {"left": {"played": 13, "left": 1}}
    undo = {"seq": 3, "t": 91.0, "type": "correction", "action": "delete", "of": [2], "by": "Ann"}
    assert count_corrections([*events, PlayEvent.from_json(undo)]) == {"left": {"played": 12}}
