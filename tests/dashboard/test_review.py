"""The review: queue, filters, what an answer changes, corrections of any round, recordings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.cases import Chosen
from dashboard.round_line import line_of
from engine.hub import Phase, RoundView, Snapshot
from engine.past import Case
from engine.recordings import Job
from engine.table import Outcome, Table
from engine.table_command import CommandKind
from referee.cards import Card
from referee.events import EventType, PlayEvent
from referee.rulesets import ruleset
from tests.dashboard.conftest import Show
from tests.dashboard.tables import (
    BLUE8,
    COUNTED,
    FLAG,
    NASTY,
    PLAYERS,
    RED7,
    ROUND,
    FakeTable,
    button,
    carry_out,
    data_of,
    html_of,
    press,
    unfolded,
    wait_until,
    with_round,
    words_of,
)
from tests.engine.fakes import play

Fake = Callable[..., FakeTable]
WARNING = replace(
    FLAG, seq=9, t_s=4.0, rule="E12", severity="warning", text="A 2 was skipped (E12).", seat="left", of=(2,)
)


def test_an_empty_review_says_what_comes_here(show: Show, fake: Fake) -> None:
    assert "Nothing to look at" in html_of(show("review", fake(Snapshot())))


def test_a_flag_is_shown_with_its_rule_pictures_film_and_timeline(show: Show, fake: Fake) -> None:
    shown = show("review", fake())
    body = html_of(shown)
    assert "A shared pile keeps one colour." in body and "E11" in body
    assert "/evidence/1/r00004-before.jpg" in body
    assert '<video src="/evidence/1/r00004.mp4"' in body
    line = data_of(shown, "timeline")
    assert [lane["name"] for lane in line["lanes"]] == ["Ann", NASTY]
    assert [mark[1] for mark in line["lanes"][0]["marks"]] == ["red"]
    [flag] = line["flags"]
    assert (flag["seq"], flag["severity"], flag["chosen"], flag["open"]) == (4, "foul", True, True)
    assert 0 < flag["share"] <= 1


def test_the_timeline_owns_up_to_what_was_not_seen() -> None:
    def event(seq: int, t_s: float, kind: EventType, **values: Any) -> PlayEvent:
        return PlayEvent(seq, t_s, kind, **values)

    log = (
        event(1, 0.0, EventType.ROUND_STARTED),
        replace(play(2.0, "started", "d1", "red1"), seq=2),
        event(3, 4.0, EventType.GAP, pile="d1"),
        event(4, 5.0, EventType.CAMERA_LOST),
        event(5, 7.0, EventType.CAMERA_BACK),
        event(6, 7.5, EventType.GAP, pile="d1", card=RED7, extra={"ended": True}),
        event(7, 8.0, EventType.CAMERA_LOST),
        event(8, 10.0, EventType.GAP, extra={"reason": "ended"}),
    )
    view = RoundView(1, phase=Phase.ENDED, t_s=10.0, started_t_s=0.0, stopped_t_s=10.0, lines=len(log))
    line = line_of(Case(view, log, ruleset("dutch_blitz_2"), PLAYERS, "/evidence/1"))
    assert line is not None
    assert [(span.start, span.end, span.words) for span in line.unseen] == [
        (0.4, 0.4, "0:04 a card came that could not be read"),
        (0.5, 0.7, "0:05 to 0:07: the camera was lost"),
        (0.8, 1.0, "0:08 to 0:10: the camera was lost"),
    ]


def test_the_timeline_grows_with_the_round(show: Show, fake: Fake) -> None:
    table = fake()
    shown = show("review", table)
    assert sum(len(lane["marks"]) for lane in data_of(shown, "timeline")["lanes"]) == 2
    another = replace(play(18.0, "started", "d4", "red1", "left"), seq=6)
    table.now = with_round(feed=(*ROUND.feed, another), lines=ROUND.lines + 1)
    assert sum(len(lane["marks"]) for lane in data_of(shown.run(), "timeline")["lanes"]) == 3


def test_an_opinion_and_its_key(show: Show, fake: Fake) -> None:
    table = fake()
    shown = show("review", table)
    keys = {label: button(shown, label).proto.shortcut.lower() for label in ("It was wrong", "It was fine")}
    assert keys == {"It was wrong": "w", "It was fine": "f"}
    press(shown, "It was fine")
    assert (table.sent[0].values["of"], table.sent[0].values["action"]) == ([4], "overrule")


def test_a_card_is_offered_only_as_one_of_the_game_s_own(show: Show, fake: Fake) -> None:
    maybe = (Card.parse("3S"), Card.parse("blue3"), BLUE8)
    shown = show("review", fake(with_round(flags=(replace(FLAG, alternatives=maybe),))))
    labels = [one.label for one in shown.button]
    assert "blue 3" in labels and "3 of spades" not in labels and "blue 8" not in labels


def test_one_play_is_shown_without_filters(show: Show, fake: Fake) -> None:
    labels = [box.label for box in show("review", fake()).selectbox]
    assert "Rule" not in labels
    labels = [box.label for box in show("review", fake(with_round(flags=(WARNING, FLAG)))).selectbox]
    assert "Rule" in labels


def test_the_gravest_open_flag_comes_first_and_the_rest_wait_in_a_queue(show: Show, fake: Fake) -> None:
    said = replace(FLAG, seq=7, t_s=1.0, opinion="overrule")
    shown = show("review", fake(with_round(flags=(said, WARNING, FLAG))))
    assert "Blue 8 was put on red 7" in html_of(shown)
    queue = data_of(shown, "tiles")["tiles"]
    assert [tile["id"] for tile in queue] == ["7", "4", "9"]
    assert queue[1]["chosen"] and "it was fine" in queue[0]["note"]
    assert "A 2 was skipped" in html_of(press(shown, "Next"))
    shown.session_state["review-focus"] = 7
    assert "The play stands" in words_of(shown.run())


@pytest.mark.parametrize(
    ("field", "value", "left"),
    [
        ("Player", "Ann", ["9"]),
        ("Player", NASTY, ["4"]),
        ("Rule", "E12", ["9"]),
        ("How grave", "foul", ["4"]),
        ("Player", None, ["4", "9"]),
    ],
)
def test_flags_are_filtered(show: Show, fake: Fake, field: str, value: str | None, left: list[str]) -> None:
    other = replace(WARNING, seq=10, opinion="unclear") if value is None else None
    flags = (FLAG, WARNING, *([other] if other else []))
    shown = show("review", fake(with_round(flags=flags)))
    next(box for box in shown.selectbox if box.label == field).set_value(value).run()
    shown.toggle[0].set_value(True).run()
    if len(left) > 1:
        assert [tile["id"] for tile in data_of(shown, "tiles")["tiles"]] == left
    else:
        assert [flag["seq"] for flag in data_of(shown, "timeline")["flags"] if flag["chosen"]] == [
            int(left[0])
        ]


def test_filters_that_leave_nothing_say_so(show: Show, fake: Fake) -> None:
    said = replace(FLAG, opinion="uphold"), replace(WARNING, opinion="overrule")
    shown = show("review", fake(with_round(flags=said)))
    shown.toggle[0].set_value(True).run()
    assert "All flagged plays are settled" in html_of(shown)


def test_rulings_name_players_and_not_seats(show: Show, fake: Fake) -> None:
    text = "Card put down by the left seat after the call (E54)."
    body = html_of(show("review", fake(with_round(flags=(replace(FLAG, text=text),)))))
    assert "put down by Ann after the call." in body


def test_what_fell_away_is_told(show: Show, fake: Fake) -> None:
    gone = show("review", fake(with_round(flags=(replace(FLAG, stands=False),))))
    assert any("fell away" in info.value for info in gone.info)


def test_a_refusal_is_shown_in_plain_words(show: Show, fake: Fake) -> None:
    shown = press(show("review", fake(answer=Outcome(False, "the round is over."))), "It was fine")
    assert any("did not work" in warning.value for warning in shown.warning)


def test_the_effect_on_the_score_is_told_before_anything_is_said(show: Show, played: Table) -> None:
    assert "Nothing is counted yet" in words_of(show("review", played))
    carry_out(
        played,
        (CommandKind.COUNT, {"entries": COUNTED}),
        (CommandKind.RULES, {"ruleset": "dutch_blitz", "options": {"late_error": "void"}}),
    )
    shown = show("review", played)
    said = words_of(shown).replace("\\", "")
    assert "“It was wrong”: Score: Bo -6 → -7." in said
    assert "“It was fine”: The score stays as it is." in said
    assert played.hub.snapshot.draft.scores["Bo"] == -6
    press(shown, "It was wrong")
    assert played.hub.snapshot.draft.scores["Bo"] == -7


def test_a_right_reading_shows_its_effect_and_changes_after_a_second_tap(show: Show, played: Table) -> None:
    shown = show("review", played)
    for name, value in (("colour", "red"), ("number", 4)):
        box = next(
            one for one in shown.selectbox if one.key and one.key.startswith("pick-") and name in one.key
        )
        shown = box.set_value(value).run()
    shown = press(shown, "Change the card")
    assert "If it is red 4" in html_of(shown) and "One flag would fall away" in html_of(shown)
    assert played.hub.snapshot.round.corrections == 0
    shown = press(shown, "It is red 4")
    assert played.hub.snapshot.round.corrections == 1
    assert [flag.stands for flag in played.hub.snapshot.round.flags if flag.rule == "E11"][:1] == [False]
    press(shown, "Undo the last change")
    assert played.hub.snapshot.round.flags[0].stands


def test_a_tried_reading_can_be_left(show: Show, played: Table) -> None:
    shown = press(press(show("review", played), "blue 1"), "Leave it")
    assert "If it is blue 1" not in html_of(shown)


def next_round(table: Table) -> None:
    carry_out(
        table,
        (CommandKind.COUNT, {"entries": COUNTED}),
        (CommandKind.CONFIRM, {}),
        (CommandKind.NEXT_ROUND, {}),
    )


def test_an_earlier_round_is_reviewed_and_corrected(show: Show, played: Table) -> None:
    next_round(played)
    shown = show("review", played)
    assert "Nothing to look at" in html_of(shown)
    shown.selectbox[0].set_value(Chosen(round_id=1)).run()
    assert "Blue 7 was put on red 3" in html_of(shown)
    press(shown, "Can't tell")
    case = played.case(1)
    assert case is not None and case.view.flags[0].opinion == "unclear"


def test_a_tab_that_is_behind_does_not_speak_of_the_next_round(show: Show, played: Table) -> None:
    shown = show("review", played)
    next_round(played)
    after = button(shown, "It was fine").click().run()
    case = played.case(1)
    assert case is not None and case.view.flags[0].opinion is None
    assert any("another round" in warning.value for warning in after.warning)


def test_other_house_rules_are_tried_without_changing_anything(show: Show, played: Table) -> None:
    carry_out(played, (CommandKind.COUNT, {"entries": COUNTED}))
    before = played._pipeline.log
    shown = unfolded(show("review", played), "again")
    field = next(one for one in shown.number_input if "left in the goal pile" in one.label)
    field.set_value(3).run()
    shown = press(shown, "Judge again")
    assert "Bo -6 → -13" in words_of(shown).replace("\\", "")
    assert played._pipeline.log == before


def test_the_round_can_be_taken_away(show: Show, played: Table) -> None:
    shown = unfolded(show("review", played), "take-away")
    assert 'href="/bundle/round/1.zip"' in html_of(shown)
    assert shown.get("download_button")


def test_another_play_is_changed_by_hand(show: Show, played: Table) -> None:
    press(unfolded(show("review", played), "plays"), "It did not happen")
    assert played.hub.snapshot.round.landings == 6


def watched(table: Table, shown: AppTest) -> AppTest:
    """Once the recording is watched to its end."""
    wait_until(lambda: table.recordings.job is not None and not table.recordings.job.running)
    return shown.run()


def test_a_recorded_video_is_watched_and_reviewed_the_same_way(show: Show, played: Table) -> None:
    shown = unfolded(show("review", played), "films-False")
    next(one for one in shown.text_input if one.key == "film-path").set_value("Sunday Night.mp4").run()
    shown = watched(played, press(shown, "Watch it"))
    shown = press(shown, "Review it")
    assert "Blue 7 was put on red 3" in html_of(shown)
    assert "/recording/sunday-night/" in html_of(shown)
    shown = press(shown, "It was wrong")
    assert played.recordings.case("sunday-night").view.flags[0].opinion == "uphold"
    assert played.hub.snapshot.round.flags[0].opinion is None
    press(unfolded(shown, "films-False"), "Delete it for good")
    assert played.recordings.names() == {}


def test_progress_is_shown_and_can_be_cancelled(show: Show, played: Table) -> None:
    played.recordings.job = Job("Sunday", 120, 480)
    shown = show("review", played)
    assert shown.get("progress")[0].proto.value == 25
    assert "120 of 480" in shown.get("progress")[0].proto.text
    press(shown, "Cancel")


def test_a_video_that_cannot_be_watched_is_told(show: Show, fake: Fake, played: Table) -> None:
    played.recordings.job = Job("Sunday", running=False, fault="it is no video.")
    assert "Sunday: it is no video." in words_of(show("review", played)).replace("\\", "")


def test_names_stay_names(show: Show, fake: Fake) -> None:
    shown = show("review", fake())
    assert "<script>" not in html_of(shown)
