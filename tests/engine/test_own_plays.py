"""Plays on side and wood piles: told as far as they were seen, and judged only where nothing else can be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.own_areas import DECIDE_S, TOGETHER_S, OwnAreas
from engine.own_plays import COVERED_S
from referee.events import EventType, PlayEvent, Zone
from referee.judge import judge_log
from referee.rulesets import ruleset
from tests.engine.own_table import GOAL, OTHER, SIDE, Table, known

WOOD = (820.0, 650.0)
PASSES_S = DECIDE_S + 2 * TOGETHER_S
"""After so long nothing is taken for a part of what happened before."""


def told_line(e: PlayEvent) -> str:
    """A play in short: type, pile, card, where from."""
    return " ".join(str(word) for word in (e.type, e.pile, e.card, e.came_from[0]) if word is not None)


def told(table: Table, zone: Zone = Zone.SIDE) -> list[str]:
    """The plays of a zone in short."""
    return [told_line(event) for event in table.log if event.zone is zone]


def rulings(table: Table) -> list[str]:
    start = PlayEvent(0, 0.0, EventType.ROUND_STARTED, source="auto")
    lines = [start, *sorted(table.log, key=lambda e: e.t)]
    log = [PlayEvent.from_json(e.to_json() | {"seq": seq}) for seq, e in enumerate(lines, start=1)]
    return [f"{r.rule} {r.severity}" for r in judge_log(log, ruleset("dutch_blitz"))]


def builds(table: Table, card: str = "yellow3", **more: Any) -> None:
    """The goal pile's top goes on the blue 9 of the other side pile."""
    sight = {"seen": True, "stood_s": table.t - 0.2} | more
    table.shows(OTHER, card, **sight)
    table.shows(GOAL, "red2")
    table.wait(PASSES_S)


def test_a_refill_is_told_with_what_lay_there_and_where_it_came_from() -> None:
    table = known()
    assert told(table) == ["started s2 red7", "removed s2 red7", "started s2 green5 goal"]
    assert [e.extra.get("dealt") for e in table.log] == [True, None, None]
    table.wait(PASSES_S)
    assert rulings(table) == []


def test_nothing_is_told_of_a_place_as_long_as_it_may_be_the_goal_pile() -> None:
    table = Table()
    for above in ("yellow3", "red2"):
        table.shows(GOAL, above)
        table.wait(PASSES_S)
    assert told(table) == []


def test_a_card_of_the_goal_pile_on_a_side_pile_is_told_before_the_goal_cards_left() -> None:
    table = known()
    table.wait(PASSES_S)
    table.log.clear()
    builds(table)
    assert told(table) == ["started s3 blue9", "landed s3 yellow3 goal"]
    assert table.told[-1][1] == 8


def test_a_wrong_card_on_a_side_pile_is_a_foul_where_all_of_it_was_seen() -> None:
    table = known()
    table.wait(PASSES_S)
    builds(table)
    assert rulings(table) == ["E30 foul"]


@pytest.mark.parametrize(
    "less",
    [
        {"p": 0.98},
        {"seen": False},
        {"stood_s": None},
        {"stood_s": 0.0},
        {"arrived": False},
    ],
)
def test_what_was_seen_less_well_accuses_nobody(less: dict[str, Any]) -> None:
    table = known()
    table.wait(PASSES_S)
    builds(table, **less)
    assert "landed s3 yellow3 goal" in told(table)
    assert rulings(table) == []


def test_a_lower_card_that_was_not_read_surely_accuses_nobody() -> None:
    table = known()
    table.wait(PASSES_S)
    table.own.places[2].top_p = 0.98
    builds(table)
    assert rulings(table) == []


def test_a_card_from_nowhere_accuses_nobody() -> None:
    table = known()
    table.wait(PASSES_S)
    table.shows(OTHER, "green4", stood_s=table.t - COVERED_S / 2)
    table.wait(PASSES_S)
    assert told(table)[-1] == "landed s3 green4"
    assert rulings(table) == []


def test_a_card_over_one_that_could_not_be_read_accuses_nobody() -> None:
    table = known()
    table.wait(PASSES_S)
    table.shows(OTHER, None)
    table.wait(PASSES_S)
    builds(table)
    assert told(table)[-3:] == ["started s3 blue9", "gap s3", "landed s3 yellow3 goal"]
    assert rulings(table) == []


def test_a_card_that_was_read_late_is_told_when_it_was_read() -> None:
    table = known()
    table.shows(OTHER, None)
    table.wait(PASSES_S)
    table.shows(OTHER, "green8", again=True)
    table.wait(PASSES_S)
    assert told(table)[-2:] == ["gap s3", "landed s3 green8"]


def test_a_card_that_reads_otherwise_later_corrects_what_was_told() -> None:
    table = known()
    table.shows(OTHER, "green6", p=0.95)
    table.wait(PASSES_S)
    table.shows(OTHER, "green8", p=0.9999, again=True)
    correction = table.log[-1]
    assert (correction.type, correction.pile, correction.zone) == (EventType.CORRECTION, "s3", Zone.SIDE)
    assert correction.extra["event"]["card"] == {"number": 8, "colour": "green"}


def test_cards_that_leave_a_side_pile_are_taken_off_it_topmost_first() -> None:
    table = known()
    for card in ("green8", "red7"):
        table.shows(OTHER, card, stood_s=table.t)
        table.wait(PASSES_S)
    table.shows(OTHER, "blue9", arrived=False)
    table.wait(PASSES_S)
    assert told(table)[-2:] == ["withdrawn s3 red7", "withdrawn s3 green8"]
    assert rulings(table) == []


def test_a_card_that_went_to_the_middle_was_not_covered_by_the_one_that_shows() -> None:
    table = known()
    table.wait(PASSES_S)
    table.plays("blue9")
    table.shows(OTHER, "yellow3", stood_s=table.t - 1.0)
    table.shows(GOAL, "red2")
    table.wait(PASSES_S)
    assert told(table)[-3:] == ["started s3 blue9", "removed s3 blue9", "started s3 yellow3 goal"]
    assert rulings(table) == []


def test_a_card_goes_from_one_side_pile_to_another() -> None:
    table = known()
    table.wait(PASSES_S)
    table.shows(OTHER, "green5", stood_s=table.t - 0.2)
    table.empties(SIDE)
    table.wait(PASSES_S)
    assert told(table)[-3:] == ["started s3 blue9", "landed s3 green5 side", "removed s2 green5"]


def test_never_more_side_piles_are_told_than_there_are() -> None:
    table = known()
    table.shows((400.0, 650.0), "red1", first=True)
    for at, card in ((OTHER, "green8"), ((400.0, 650.0), "blue8"), (OTHER, "red7")):
        table.shows(at, card)
        table.wait(PASSES_S)
    assert {e.pile for e in table.log if e.zone is Zone.SIDE} == {"s2", "s3"}


def test_wood_tops_are_told_once_it_is_clear_that_cards_are_turned_there() -> None:
    table = known()
    for card in ("red4", "yellow8"):
        table.shows(WOOD, card)
        table.wait(PASSES_S)
    assert told(table, Zone.WOOD) == []
    table.shows(WOOD, "blue2")
    table.wait(PASSES_S)
    table.plays("blue2")
    table.shows(WOOD, "green1")
    table.wait(PASSES_S)
    table.empties(WOOD)
    table.wait(PASSES_S)
    assert told(table, Zone.WOOD) == [
        "started wood yellow8",
        "landed wood blue2",
        "withdrawn wood blue2",
        "landed wood green1",
        "turned wood",
    ]
    assert rulings(table) == []


def test_a_place_is_the_same_after_it_was_kept() -> None:
    table = known()
    table.shows(WOOD, "red4")
    table.wait(PASSES_S)
    again = OwnAreas(10, 2, lambda at: "bottom")
    again.restore(json.loads(json.dumps(table.own.dump())))
    assert (again.places, again.woods) == (table.own.places, table.own.woods)


def test_what_an_earlier_version_kept_can_still_be_read() -> None:
    kept = known().own.dump()
    del kept["woods"]
    for place in kept["places"]:
        del place["cards"], place["is_told"]
    again = OwnAreas(10, 2, lambda at: "bottom")
    again.restore(kept)
    assert [place.top for place in again.places] == [place.top for place in known().own.places]
    assert again.woods == [] and not any(place.is_told or place.cards for place in again.places)


def test_a_play_through_of_one_players_area() -> None:
    """Refills, builds from the goal and the wood pile, a move between side piles, and plays to the middle."""
    table = known()
    table.wait(PASSES_S)
    for card in ("red4", "green6", "yellow8"):
        table.shows(WOOD, card)
        table.wait(1.0)
    table.wait(PASSES_S)
    table.shows(OTHER, "yellow8", stood_s=table.t - 0.2)
    table.shows(WOOD, "blue1")
    table.wait(PASSES_S)
    table.plays("blue1")
    table.shows(WOOD, "green9")
    table.wait(PASSES_S)
    table.shows(SIDE, "red4", stood_s=table.t - 0.2)
    table.wait(PASSES_S)
    table.plays("red4")
    table.shows(SIDE, "green5", arrived=False)
    table.wait(PASSES_S)
    table.plays("green5")
    table.empties(SIDE)
    table.shows(SIDE, "yellow3")
    table.shows(GOAL, "red2")
    table.wait(PASSES_S)
    assert [f"{e.zone} {told_line(e)}" for e in table.log] == [
        "side started s2 red7",
        "side removed s2 red7",
        "side started s2 green5 goal",
        "wood started wood green6",
        "wood landed wood yellow8",
        "side started s3 blue9",
        "side landed s3 yellow8 wood",
        "wood withdrawn wood yellow8",
        "wood landed wood blue1",
        "wood withdrawn wood blue1",
        "wood landed wood green9",
        "side landed s2 red4",
        "side withdrawn s2 red4",
        "side removed s2 green5",
        "side started s2 yellow3 goal",
    ]
    assert [count for _, count in table.told] == [9, 8]
    assert rulings(table) == []
