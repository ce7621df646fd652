"""A player's own area: the goal pile tells itself apart from side piles and is counted as far as seen."""

from __future__ import annotations

import json

from engine.own_areas import BACK_S, UNSEEN_S, OwnAreas
from tests.engine.own_table import GOAL, SIDE, Table, known


def test_a_refill_from_a_place_tells_that_it_is_the_goal_pile() -> None:
    table = known()
    assert [count for _, count in table.told] == [9]


def test_a_side_pile_that_is_built_on_and_played_from_is_never_counted() -> None:
    table = Table()
    for card in ("green6", "red5", "green4"):
        table.shows(SIDE, card)
        table.wait(3.0)
    table.plays("green4")
    table.shows(SIDE, "red5")
    table.wait(3.0)
    assert table.told == []


def test_each_card_that_goes_from_the_goal_pile_is_one_less() -> None:
    table = known()
    for card, above in (("yellow3", "red2"), ("red2", "blue8")):
        table.plays(card)
        table.shows(GOAL, above)
        table.wait(5.0)
    assert [count for _, count in table.told] == [9, 8, 7]


def test_a_beaten_goal_card_that_comes_back_is_counted_again() -> None:
    table = known()
    table.plays("yellow3")
    table.shows(GOAL, "red2")
    table.wait(BACK_S / 2)
    table.shows(GOAL, "yellow3")
    table.plays("yellow3")
    table.shows(GOAL, "red2")
    table.wait(3.0)
    assert table.told[-1][1] == 8


def test_a_card_that_was_read_late_is_no_second_change() -> None:
    table = known()
    table.plays("yellow3")
    table.shows(GOAL, None)
    table.wait(1.0)
    table.shows(GOAL, "red2", again=True)
    table.wait(4.0)
    assert [count for _, count in table.told] == [9, 8]
    assert str(table.own.goal_of("bottom").top) == "red2"  # type: ignore[union-attr]


def test_a_bumped_goal_pile_that_could_not_be_read_for_a_while_has_lost_no_card() -> None:
    table = known()
    table.shows(GOAL, None)
    table.wait(1.0)
    table.shows(GOAL, "yellow3", again=True, arrived=False)
    table.wait(4.0)
    assert [count for _, count in table.told] == [9]


def test_the_last_card_gone_leaves_none() -> None:
    table = known()
    table.empties(GOAL)
    table.wait(3.0)
    assert table.told[-1][1] == 0


def test_a_goal_pile_out_of_sight_is_not_known_until_it_is_seen_again() -> None:
    table = known()
    table.seen_s = hidden_s = table.t
    table.wait(UNSEEN_S + 2.0)
    assert table.told[-1] == (round(hidden_s + UNSEEN_S + 0.1, 1), None)
    assert len(table.told) == 2
    again = OwnAreas(10, 2, lambda at: "bottom")
    again.restore(json.loads(json.dumps(table.own.dump())))
    assert again.places == table.own.places
    table.seen_s = None
    table.wait(1.0)
    assert [count for _, count in table.told] == [9, None, 9]


def test_what_is_no_goal_pile_may_be_out_of_sight() -> None:
    table = Table()
    table.seen_s = table.t
    table.wait(UNSEEN_S + 3.0)
    assert table.told == []
