"""Piles over time, without a network: what counts as a play, and what does not."""

from __future__ import annotations

import json

import numpy as np
import pytest

from referee.cards import Card
from tests.vision.stage import FPS, HOMES, Stage
from vision.arrivals import HISTORY_S
from vision.piles import PileWatch
from vision.sights import Confirmed, Covered, Left, Rested, Shifted, Turned
from vision.types import Reading

HERE, THERE = (560.0, 330.0), (780.0, 400.0)


@pytest.fixture
def stage() -> Stage:
    return Stage().dealt()


def opened(stage: Stage, card: str = "red1", at: tuple[float, float] = HERE, seat: str = "left") -> str:
    """Open a pile; returns its name."""
    stage.put(seat, card, at)
    stage.play(0.8)
    (sight,) = stage.sights
    assert isinstance(sight, Rested)
    stage.sights.clear()
    return sight.pile


def only(stage: Stage, kind: type) -> list:
    assert all(isinstance(sight, kind) for sight in stage.sights), stage.sights
    return stage.sights


def test_the_dealt_cards_are_the_players_own() -> None:
    stage = Stage()
    for k in range(3):
        stage.lay(f"green{k + 4}", (500.0 + 70 * k, 650.0))
        stage.lay(f"yellow{k + 4}", (560.0 + 70 * k, 70.0))
    stage.lay("red1", HERE)
    stage.play(2.0)
    first = only(stage, Rested)
    assert len(first) == 7
    assert all(sight.first and not sight.seen for sight in first)
    assert sorted(sight.pile for sight in first if not sight.own) == ["d1"]
    assert sorted(sight.pile for sight in first if sight.own) == [f"o{i}" for i in range(1, 7)]


def test_nothing_happens_on_a_still_table(stage: Stage) -> None:
    opened(stage)
    stage.play(6.0)
    assert stage.sights == []


@pytest.mark.parametrize("seat", HOMES)
def test_a_card_on_a_free_place_opens_a_pile_and_is_told_whose_arm_brought_it(
    stage: Stage, seat: str
) -> None:
    rest = stage.put(seat, "red1", HERE, angle=30)
    stage.play(0.8)
    (sight,) = only(stage, Rested)
    assert (str(sight.reading.card), sight.own, sight.first, sight.arrived, sight.seen) == (
        "red1",
        False,
        False,
        True,
        True,
    )
    assert sight.entry == HOMES[seat]
    assert sight.entry_share > 0.9
    assert sight.t_s == pytest.approx(rest, abs=0.15)
    assert sight.at == pytest.approx(HERE, abs=2)
    before, after = sight.frames
    assert before < after and abs(after / FPS - rest) < 0.8


@pytest.mark.parametrize(("shift", "angle"), [((0, 0), 0), ((12, -9), 24), ((-25, 10), 75), ((0, 30), -14)])
def test_a_card_on_a_pile_lands_on_that_pile(stage: Stage, shift: tuple[float, float], angle: float) -> None:
    pile = opened(stage)
    rest = stage.put("right", "red2", (HERE[0] + shift[0], HERE[1] + shift[1]), angle)
    stage.play(0.8)
    (sight,) = only(stage, Rested)
    assert (sight.pile, str(sight.reading.card)) == (pile, "red2")
    assert sight.entry == HOMES["right"]
    assert sight.t_s == pytest.approx(rest, abs=0.15)


def test_the_time_is_that_of_the_rest_also_when_the_hand_stays(stage: Stage) -> None:
    opened(stage)
    stage.reach("right", HERE)
    stage.lay("red2", HERE, 20)
    rest = stage.t
    stage.reach("right", (HERE[0] + 260, HERE[1] + 20), 1.2)
    stage.leave("right")
    stage.play(0.8)
    (sight,) = only(stage, Rested)
    assert sight.t_s == pytest.approx(rest, abs=0.4)


def test_a_hand_that_rests_on_a_pile_is_no_event(stage: Stage) -> None:
    pile = opened(stage)
    stage.reach("right", HERE)
    stage.play(1.0)
    stage.leave("right")
    stage.play(2.0)
    assert stage.sights == []
    stage.put("left", "red2", HERE, 15)
    stage.play(0.8)
    assert [s.pile for s in only(stage, Rested)] == [pile]


def test_hands_that_sweep_over_all_piles_are_no_event(stage: Stage) -> None:
    opened(stage)
    opened(stage, "blue1", THERE)
    for seat, over in (("right", HERE), ("left", THERE), ("top", HERE), ("bottom", THERE)):
        stage.reach(seat, over, 0.3)
        stage.play(0.3)
        stage.leave(seat, 0.3)
    stage.play(1.5)
    assert stage.sights == []


def test_a_card_taken_back_shows_the_earlier_one(stage: Stage) -> None:
    pile = opened(stage)
    stage.put("right", "red2", HERE, 12)
    stage.play(0.8)
    stage.sights.clear()
    gone = stage.take("right", stage.cards[-1])
    stage.play(2.0)
    (sight,) = only(stage, Rested)
    assert (sight.pile, str(sight.reading.card), sight.arrived) == (pile, "red1", False)
    assert sight.t_s == pytest.approx(gone, abs=0.6)


def test_the_only_card_taken_away_leaves_an_empty_place(stage: Stage) -> None:
    pile = opened(stage)
    stage.take("right", stage.cards[-1])
    stage.play(2.0)
    (sight,) = only(stage, Left)
    assert (sight.pile, sight.own) == (pile, False)
    stage.sights.clear()
    assert opened(stage, "blue1") != pile


@pytest.mark.parametrize("shift", [(13.0, 5.0), (-20.0, 18.0)])
def test_a_bumped_pile_is_the_same_pile(stage: Stage, shift: tuple[float, float]) -> None:
    pile = opened(stage)
    stage.reach("right", HERE)
    lying = stage.cards[-1]
    lying.at, lying.angle = (HERE[0] + shift[0], HERE[1] + shift[1]), 14.0
    stage.leave("right")
    stage.play(2.0)
    (sight,) = only(stage, Shifted)
    assert sight.pile == pile
    assert sight.at == pytest.approx(lying.at, abs=2)


def test_a_pile_moved_over_the_table_is_the_same_pile(stage: Stage) -> None:
    pile = opened(stage)
    stage.reach("right", HERE)
    stage.cards[-1].at = (HERE[0] + 110, HERE[1] - 30)
    stage.reach("right", (HERE[0] + 300, HERE[1] - 30), 0.3)
    stage.play(1.0)
    stage.leave("right")
    stage.play(2.0)
    shifted = [s for s in stage.sights if isinstance(s, Shifted)]
    assert [s.pile for s in shifted] == [pile]
    assert not [s for s in stage.sights if isinstance(s, Rested)]


def test_a_pile_turned_over_shows_its_back(stage: Stage) -> None:
    pile = opened(stage)
    stage.reach("right", HERE)
    stage.cards.pop()
    stage.lay("back:pump", HERE, 3)
    stage.leave("right")
    stage.play(1.5)
    (sight,) = only(stage, Turned)
    assert (sight.pile, sight.deck) == (pile, "pump")


def test_an_under_card_that_was_missed_goes_below_and_is_no_event(stage: Stage) -> None:
    pile = opened(stage)
    stage.cards[-1].found = False
    stage.put("right", "red2", (HERE[0] + 26, HERE[1] + 4), 6)
    stage.play(0.8)
    stage.sights.clear()
    stage.cards[-2].found = True
    under = stage.lay("red9", (HERE[0] - 20, HERE[1] + 2), -20)
    stage.cards.insert(-2, stage.cards.pop())
    under.found = False
    stage.play(1.2)
    stage.sights.clear()
    under.found = True
    stage.play(1.5)
    assert stage.sights == []
    assert str(stage.watch.piles[pile].top.reading().card) == "red2"


@pytest.mark.parametrize("between", [0.0, 0.13, 0.27])
def test_two_cards_within_300_ms_are_told_in_order(stage: Stage, between: float) -> None:
    first, second = opened(stage), opened(stage, "blue1", THERE, "right")
    stage.reach("left", HERE, 0.3)
    stage.reach("right", THERE, 0.2)
    stage.lay("red2", HERE, 9)
    a = stage.t
    stage.play(between)
    stage.lay("blue2", THERE, -7)
    b = stage.t
    stage.leave("left", 0.25)
    stage.leave("right", 0.25)
    stage.play(1.0)
    told = {s.pile: s for s in only(stage, Rested)}
    assert {p: str(s.reading.card) for p, s in told.items()} == {first: "red2", second: "blue2"}
    assert told[first].entry == HOMES["left"] and told[second].entry == HOMES["right"]
    assert told[first].t_s == pytest.approx(a, abs=0.3)
    assert told[second].t_s == pytest.approx(b, abs=0.3)


def test_two_cards_on_one_pile_quickly_after_another_are_both_told(stage: Stage) -> None:
    pile = opened(stage)
    stage.put("left", "red2", HERE, 10)
    stage.play(0.45)
    stage.put("right", "red3", HERE, -12)
    stage.play(1.0)
    assert [(s.pile, str(s.reading.card)) for s in only(stage, Rested)] == [(pile, "red2"), (pile, "red3")]


@pytest.mark.parametrize(("shown_s", "held_s"), [(0.15, 0.0), (0.3, 0.0), (0.0, 1.2)])
def test_a_start_seen_for_a_moment_before_the_next_card_covers_it_is_told(
    stage: Stage, shown_s: float, held_s: float
) -> None:
    stage.put("left", "blue1", HERE, 6)
    stage.play(shown_s)
    stage.reach("right", HERE)
    stage.lay("blue2", HERE, -12)
    stage.play(held_s)
    stage.leave("right")
    stage.play(1.0)
    first, second = only(stage, Rested)
    assert [str(first.reading.card), str(second.reading.card)] == ["blue1", "blue2"]
    assert first.pile == second.pile and first.t_s < second.t_s


def test_a_start_that_was_seen_and_not_read_leaves_the_next_card_in_doubt(stage: Stage) -> None:
    stage.reach("left", HERE)
    stage.lay("blue1", HERE, 6).reading = Reading("face", None, "blue", confidence=0.9)
    stage.leave("left")
    stage.play(0.15)
    stage.put("right", "blue2", HERE, -12)
    stage.play(1.0)
    *unread, sight = only(stage, Rested)
    assert str(sight.reading.card) == "blue2"
    assert not sight.seen or [s.reading.card for s in unread] == [None]


def test_the_second_of_two_equal_cards_is_told_though_a_third_covers_it_at_once(stage: Stage) -> None:
    pile = opened(stage, "yellow2")
    stage.put("left", "yellow2", (HERE[0] + 18, HERE[1] + 10), 20)
    stage.play(0.2)
    stage.put("right", "yellow3", HERE, -12)
    stage.play(1.0)
    told = [(s.pile, str(s.reading.card), s.arrived) for s in only(stage, Rested)]
    assert told == [(pile, "yellow2", True), (pile, "yellow3", True)]


def test_a_card_that_lies_as_an_unread_one_further_down_is_told(stage: Stage) -> None:
    pile = opened(stage)
    stage.reach("left", HERE)
    stage.lay("red2", HERE, 12).reading = Reading("face", None, "red", confidence=0.9)
    stage.leave("left")
    stage.play(2.0)
    stage.put("left", "red3", HERE, -14)
    stage.play(1.0)
    stage.put("right", "red4", HERE, 12)
    stage.play(1.0)
    told = [(s.pile, str(s.reading.card)) for s in only(stage, Rested)]
    assert told == [(pile, "None"), (pile, "red3"), (pile, "red4")]


def test_a_card_that_nobody_brought_is_told_in_doubt(stage: Stage) -> None:
    stage.lay("red4", HERE)
    stage.play(1.5)
    (sight,) = only(stage, Rested)
    assert (str(sight.reading.card), sight.seen, sight.entry) == ("red4", False, None)


def test_a_card_that_cannot_be_read_is_told_as_unknown_once(stage: Stage) -> None:
    stage.reach("right", HERE)
    stage.lay("red4", HERE).reading = Reading("face", None, None, confidence=0.4)
    stage.leave("right")
    stage.play(3.0)
    (sight,) = only(stage, Rested)
    assert sight.reading.card is None


def test_a_bumped_card_that_could_not_be_read_for_a_while_did_not_come_twice(stage: Stage) -> None:
    pile = opened(stage)
    lying = stage.cards[-1]
    stage.reach("right", HERE)
    lying.at, lying.angle = (HERE[0] + 14, HERE[1] + 9), 12.0
    lying.reading = Reading("face", None, None, confidence=0.4)
    stage.leave("right")
    stage.play(2.0)
    lying.reading = None
    stage.play(2.0)
    unread, read = only(stage, Rested)
    assert (unread.reading.card, unread.arrived) == (None, True)
    assert (str(read.reading.card), read.arrived, read.again) == ("red1", False, True)
    assert stage.watch.piles[pile].told == Card.parse("red1")


def test_a_card_that_reads_otherwise_by_now_is_told_again_as_the_same(stage: Stage) -> None:
    pile = opened(stage)
    stage.reach("right", HERE)
    lying = stage.lay("red2", HERE, 12.0)
    lying.reading = Reading("face", None, None, confidence=0.4)
    stage.leave("right")
    stage.play(3.0)
    (first,) = only(stage, Rested)
    stage.sights.clear()
    stage.watch.piles[pile].told = Card.parse("red5")
    lying.reading = None
    stage.play(8.0)
    (again,) = only(stage, Rested)
    assert (str(again.reading.card), again.again, again.t_s) == ("red2", True, first.t_s)


def test_readings_that_disagree_are_unknown(stage: Stage) -> None:
    stage.reach("right", HERE)
    lying = stage.lay("red6", HERE)
    stage.leave("right")
    for look in range(12):
        lying.reading = Reading("face", 6 if look % 2 else 9, "red", confidence=0.9)
        stage.play(2 / FPS)
    told = [s.reading.card for s in stage.sights if isinstance(s, Rested) and s.reading.card is not None]
    assert len(told) <= 1


@pytest.mark.parametrize(
    ("reads", "known"),
    [
        (None, True),
        (Reading("face", None, None, confidence=0.4), False),
        (Reading("face", 7, "red", confidence=0.8), False),
    ],
)
def test_a_change_of_light_leaves_a_pile_in_doubt_until_it_reads_as_before(
    stage: Stage, reads: Reading | None, known: bool
) -> None:
    pile = opened(stage)
    (card,) = [lying for lying in stage.cards if lying.at == HERE]
    stage.relit, stage.light, card.reading = True, 0.6, reads
    stage.play(2.0)
    assert [sight.pile for sight in only(stage, Confirmed) if not sight.own] == [pile] * known
    stage.sights.clear()
    stage.put("left", "red2", HERE, 15)
    stage.play(0.8)
    (sight,) = [sight for sight in stage.sights if isinstance(sight, Rested)]
    assert (sight.pile, sight.seen) == (pile, known)


def test_the_piles_keep_their_names_over_a_restart(stage: Stage) -> None:
    first, second = opened(stage), opened(stage, "blue1", THERE, "right")
    kept = json.loads(json.dumps(stage.watch.dump()))
    again = Stage(PileWatch(), stage.cards, frame=stage.frame)
    again.watch.restore(kept, stage.t)
    again.play(2.0)
    assert {first, second} <= {sight.pile for sight in only(again, Confirmed)}
    again.sights.clear()
    assert set(again.watch.piles) == set(stage.watch.piles)
    again.put("left", "red2", HERE, 10)
    again.play(0.8)
    (sight,) = only(again, Rested)
    assert (sight.pile, sight.seen) == (first, True)
    again.sights.clear()
    third = opened(again, "green1", (640.0, 250.0))
    assert third not in (first, second)


def test_what_lay_on_a_pile_while_nobody_looked_is_told_without_a_seat(stage: Stage) -> None:
    pile = opened(stage)
    kept = stage.watch.dump()
    again = Stage(PileWatch(), stage.cards, frame=stage.frame + 600)
    again.watch.restore(kept, stage.t)
    again.lay("red2", HERE, 18)
    again.play(1.5)
    (sight,) = [sight for sight in again.sights if isinstance(sight, Rested)]
    assert (sight.pile, str(sight.reading.card), sight.seen, sight.entry) == (pile, "red2", False, None)


def test_a_dump_is_plain_json(stage: Stage) -> None:
    opened(stage)
    dump = stage.watch.dump()
    assert json.loads(json.dumps(dump)) == json.loads(json.dumps(restored(dump).dump()))


def restored(dump: dict) -> PileWatch:
    """A watch that was restored from a dump."""
    watch = PileWatch()
    watch.restore(json.loads(json.dumps(dump)))
    return watch


def test_memory_stays_bounded_over_a_long_round(stage: Stage) -> None:
    opened(stage)
    for number in range(2, 9):
        stage.put("right", f"red{number}", (HERE[0] + number % 3, HERE[1]), 9 * number)
        stage.play(0.5)
    for pile in stage.watch.piles.values():
        assert len(pile.tracks) <= 5
        assert all(len(track.readings) <= 12 for track in pile.tracks)
    assert len(stage.watch._history) <= round(HISTORY_S * FPS) + 2
    assert np.isfinite(stage.watch.piles["d1"].top.quad).all()


def test_neat_players_lay_each_card_exactly_on_the_last(stage: Stage) -> None:
    pile = opened(stage)
    for number in range(2, 7):
        stage.put("right" if number % 2 else "left", f"red{number}", HERE)
        stage.play(0.6)
    told = [(s.pile, str(s.reading.card), s.arrived) for s in only(stage, Rested)]
    assert told == [(pile, f"red{number}", True) for number in range(2, 7)]


def test_a_card_taken_back_from_a_neat_pile_is_told(stage: Stage) -> None:
    pile = opened(stage)
    stage.put("right", "red3", HERE)
    stage.play(0.8)
    stage.sights.clear()
    stage.take("right", stage.cards[-1])
    stage.play(2.0)
    (sight,) = only(stage, Rested)
    assert (sight.pile, str(sight.reading.card), sight.arrived) == (pile, "red1", False)


@pytest.mark.parametrize("looks", [1, 3, 8])
def test_a_card_misread_for_a_while_on_a_still_table_is_no_play(stage: Stage, looks: int) -> None:
    opened(stage, "red6")
    stage.play(1.0)
    stage.cards[-1].reading = Reading("face", 9, "red", confidence=0.95)
    stage.play(looks * 2 / FPS)
    stage.cards[-1].reading = None
    stage.play(2.0)
    assert stage.sights == []


def test_a_card_covered_before_it_could_be_seen_leaves_the_next_in_doubt(stage: Stage) -> None:
    pile = opened(stage)
    stage.reach("left", HERE, 0.3)
    stage.lay("red2", HERE, 11)
    stage.reach("right", (HERE[0] + 20, HERE[1]), 0.3)
    stage.leave("left", 0.2)
    stage.lay("red3", HERE, -8)
    stage.leave("right", 0.3)
    stage.play(0.8)
    (sight,) = only(stage, Rested)
    assert (sight.pile, str(sight.reading.card), sight.seen) == (pile, "red3", False)


def nudge(stage: Stage, angle: float) -> None:
    """Turn the camera by an angle in degrees about the middle of the picture."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    stage.relit = True
    for lying in stage.cards:
        x, y = np.array(lying.at) - (640, 360)
        lying.at = (float(640 + c * x - s * y), float(360 + s * x + c * y))
        lying.angle += angle


@pytest.mark.parametrize("nudge_deg", [1.0, 2.0, -2.0])
def test_a_nudged_camera_makes_no_card_land(stage: Stage, nudge_deg: float) -> None:
    """Every card seems to move at once: whatever is told, it is no play."""
    opened(stage)
    opened(stage, "blue1", THERE, "right")
    stage.put("left", "red2", HERE, 20)
    stage.play(0.8)
    stage.sights.clear()
    nudge(stage, nudge_deg)
    stage.play(3.0)
    assert [s for s in stage.sights if isinstance(s, Rested) and not s.own] == []
    assert [s for s in stage.sights if isinstance(s, Left) and not s.own] == []
    stage.sights.clear()
    stage.put("right", "blue2", THERE, 10)
    stage.play(0.8)
    assert [str(s.reading.card) for s in only(stage, Rested)] == ["blue2"]


def test_a_card_that_came_just_before_the_camera_was_nudged_is_told_all_the_same(stage: Stage) -> None:
    opened(stage)
    opened(stage, "blue1", THERE, "right")
    stage.reach("left", HERE)
    lying = stage.lay("red9", HERE, 4)
    stage.leave("left")
    stage.play(1 / FPS)
    nudge(stage, 2.0)
    lying.reading = Reading("face", None, None, confidence=0.4)
    stage.play(0.4)
    lying.reading = None
    stage.play(2.0)
    told = [sight for sight in stage.sights if isinstance(sight, Rested) and not sight.own]
    assert [(str(sight.reading.card), sight.again) for sight in told] == [("red9", False)]


@pytest.mark.parametrize("seconds", [0.5, 5.0])
def test_a_covered_camera_takes_no_card_away_and_what_came_meanwhile_is_told_in_doubt(
    stage: Stage, seconds: float
) -> None:
    pile = opened(stage)
    stage.covered = True
    stage.play(seconds)
    stage.lay("red2", HERE, 12.0)
    stage.lay("red4", THERE)
    stage.covered = False
    stage.play(1.5)
    rested = [sight for sight in stage.sights if isinstance(sight, Rested)]
    assert {(str(s.reading.card), s.pile == pile, s.seen) for s in rested} == {
        ("red2", True, False),
        ("red4", False, False),
    }
    told = [sight for sight in stage.sights if not isinstance(sight, Rested | Confirmed)]
    assert [(type(s), s.over) for s in told] == ([(Covered, False), (Covered, True)] if seconds > 1 else [])


def test_a_table_that_stays_empty_was_cleared(stage: Stage) -> None:
    opened(stage)
    stage.covered = True
    stage.play(25.0)
    kinds = [type(sight) for sight in stage.sights]
    assert kinds[0] is Covered and kinds.count(Left) == 7


def test_cards_collected_pile_after_pile_are_seen_to_leave(stage: Stage) -> None:
    opened(stage)
    for lying in list(stage.cards):
        stage.cards.remove(lying)
        stage.play(1.2)
    assert [type(sight) for sight in stage.sights] == [Left] * 7


def test_a_place_that_was_bare_before_its_first_card_is_told_to_have_been_so(stage: Stage) -> None:
    reached_s = stage.t
    stage.put("left", "red1", HERE)
    stage.play(0.8)
    stage.put("left", "red2", HERE, 12)
    stage.play(0.8)
    first, second = only(stage, Rested)
    assert first.bare_s is not None and reached_s - 0.5 <= first.bare_s < first.t_s
    assert second.bare_s is None
