"""The count: tops, goal piles, photographs, questions, live totals, and one confirmation."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard import count, photos
from engine.hub import CountEntry, DraftScore, Phase, PlayerView, Snapshot, TopView
from engine.photo import PhotoError, read_upload
from engine.table import Table
from engine.table_command import CommandKind
from referee.cards import Card
from referee.events import EventType
from referee.findings import Finding, Level
from tests.dashboard.conftest import Show
from tests.dashboard.tables import (
    COUNTED,
    NASTY,
    FakeTable,
    button,
    carry_out,
    data_of,
    html_of,
    press,
    with_round,
    words_of,
)

Fake = Callable[..., FakeTable]


def counting(**values: Any) -> Snapshot:
    return with_round(phase=Phase.ENDED, **values)


def at_step(shown: AppTest, step: str) -> AppTest:
    """The page at another step."""
    shown.session_state["count-step-1"] = step
    after = shown.run()
    assert not after.exception
    return after


def test_without_players_or_while_the_round_is_on_it_says_what_to_do(show: Show, fake: Fake) -> None:
    assert "Who is playing?" in html_of(show("count", fake(Snapshot())))
    table = fake()
    shown = show("count", table)
    assert "still on" in html_of(shown)
    press(shown, "End the round")
    assert table.sent[0].kind is CommandKind.END


def test_a_round_is_counted_from_its_tops_to_the_confirmed_score(show: Show, played: Table) -> None:
    shown = show("count", played)
    assert [tile["name"] for tile in data_of(shown, "tiles")["tiles"]] == ["blue 7", "green 3"]
    shown = press(shown, "On to: Goal piles")
    shown.number_input[0].set_value(0).run()
    shown.number_input[1].set_value(7).run()
    assert "14" not in html_of(shown)
    shown = at_step(shown, "middle")
    shown.number_input[0].set_value(14).run()
    assert "14 - 2 x 0 = 14" in html_of(shown)
    assert button(shown, "Confirm the score").disabled
    shown.number_input[1].set_value(8).run()
    assert "8 - 2 x 7 = -6" in html_of(shown)
    shown = press(shown, "Confirm the score")
    assert played.hub.snapshot.round.phase is Phase.CONFIRMED
    assert "Round 1 is scored" in html_of(shown) and "+14" in html_of(shown)
    assert 'href="/match"' in html_of(shown)
    press(shown, "Take the score back")
    assert played.hub.snapshot.round.phase is Phase.ENDED


def test_what_is_missing_is_one_tap_away_and_the_way_on_stands_out_once_a_step_is_done(
    show: Show, played: Table
) -> None:
    shown = press(show("count", played), "Count the goal piles")
    assert not [one for one in shown.button if one.label == "Count the goal piles"]
    assert button(shown, "On to: Middle").proto.type == "secondary"
    entries = [{"player": "Ann", "left": 0}, {"player": "Bo", "left": 7}]
    carry_out(played, (CommandKind.COUNT, {"entries": entries}))
    shown = shown.run()
    assert button(shown, "On to: Middle").proto.type == "primary"
    shown = press(shown, "Count the cards of the middle")
    assert len(shown.number_input) == 2 and button(shown, "On to: Check").proto.type == "secondary"


def test_a_tapped_top_is_put_right_with_the_likeliest_first(show: Show, played: Table) -> None:
    shown = show("count", played)
    wrong = next(tile["id"] for tile in data_of(shown, "tiles")["tiles"] if tile["name"] == "blue 7")
    shown.session_state["top-1"] = wrong
    shown = press(shown.run(), "blue 1")
    assert sorted(map(str, played.hub.snapshot.round.tops or ())) == ["blue1", "green3"]
    assert played.hub.snapshot.round.corrections == 1


def test_a_missed_pile_is_added_and_one_that_is_none_is_dropped(show: Show, played: Table) -> None:
    shown = show("count", played)
    shown = press(shown, "Add this pile")
    assert played.hub.snapshot.round.more_tops == (Card.parse("red1"),)
    shown.session_state["top-1"] = "more-0"
    shown = press(shown.run(), "There is no such pile")
    assert played.hub.snapshot.round.more_tops == ()
    green = next(top for top in played.hub.snapshot.round.pile_tops if str(top.card) == "green3")
    shown.session_state["top-1"] = str(green.plays[-1])
    press(shown.run(), "There is no such pile")
    assert [str(top) for top in played.hub.snapshot.round.tops or ()] == ["blue7"]


def test_tops_that_could_not_be_read_stand_out(show: Show, fake: Fake) -> None:
    tops = (TopView("d1", None, (3,)), TopView("d2", Card.parse("red4"), (4,), taken=True))
    shown = show("count", fake(counting(pile_tops=tops)))
    assert [(tile["note"], tile["kind"]) for tile in data_of(shown, "tiles")["tiles"]] == [
        ("look at it", "doubt"),
        ("taken away", ""),
    ]


def test_who_called_is_said_with_one_tap(show: Show, played: Table) -> None:
    shown = at_step(show("count", played), "goals")
    press(shown, "Bo")
    assert played.hub.snapshot.round.called_by == "Bo"
    assert played.hub.snapshot.round.counts == (CountEntry("Bo", left=0),)
    press(at_step(show("count", played), "goals"), "Ann")
    assert {entry.player: entry.left for entry in played.hub.snapshot.round.counts} == {"Ann": 0, "Bo": None}
    press(at_step(show("count", played), "goals"), "Nobody")
    assert played.hub.snapshot.round.called_by is None


def test_a_goal_pile_that_is_counted_stays_so_whoever_called(show: Show, played: Table) -> None:
    carry_out(played, (CommandKind.COUNT, {"entries": COUNTED}))
    press(at_step(show("count", played), "goals"), "Bo")
    assert {entry.player: entry.left for entry in played.hub.snapshot.round.counts}["Bo"] == 7


def test_what_the_camera_saw_of_the_goal_piles_is_taken_with_one_tap(show: Show, played: Table) -> None:
    shown = at_step(show("count", played), "goals")
    press(shown, "The camera last saw: Ann 0. Take it")
    assert played.hub.snapshot.round.counts == (CountEntry("Ann", left=0),)


def test_what_the_camera_saw_takes_the_place_of_faces(show: Show, fake: Fake) -> None:
    read = CountEntry("Ann", 5, 1, faces_left=(Card.parse("red7"),))
    table = fake(counting(goals_seen={"left": 3}, counts=(read,)))
    press(at_step(show("count", table), "goals"), "The camera last saw: Ann 3. Take it")
    assert table.sent[0].values["entries"] == [{"player": "Ann", "left": 3, "faces_left": None}]


def test_a_typed_number_takes_the_place_of_faces(show: Show, fake: Fake) -> None:
    table = fake(counting())
    shown = at_step(show("count", table), "goals")
    shown.number_input[0].set_value(3).run()
    assert table.sent[0].values["entries"] == [{"player": "Ann", "left": 3, "faces_left": None}]


def test_the_camera_s_number_stays_beside_the_typed_one(show: Show, fake: Fake) -> None:
    table = fake(counting(counts=(CountEntry("Ann", 15, 2, machine_played=14),)))
    shown = at_step(show("count", table), "middle")
    assert any("camera counted 14" in caption.value for caption in shown.caption)


def png(size: tuple[int, int] = (300, 760)) -> bytes:
    done, data = cv2.imencode(".png", np.full((*size, 3), (70, 110, 60), np.uint8))
    assert done
    return bytes(data)


def with_photographs(show: Show, table: Any, step: str, *files: tuple[str, bytes]) -> AppTest:
    """The page at a step with photographs taken in."""
    shown = show("count", table)
    shown.session_state["photos-of"] = 1
    shots: dict[str, photos.Shot] = {}
    for name, data in files:
        try:
            shot = photos.Shot(name, name, table.read_photo(data))
        except PhotoError as error:
            shot = photos.Shot(name, name, fault=str(error))
        shots[f"beside-{name}"] = shot
    shown.session_state["photos"] = {step: shots}
    return at_step(shown, step)


def test_backs_become_counts_after_one_tap_and_doubts_are_put_right(show: Show, played: Table) -> None:
    shown = with_photographs(show, played, "middle", ("backs.png", png()))
    body = html_of(shown)
    assert "pump <b>4</b>" in body and "pail <b>2</b>" in body and "not readable <b>1</b>" in body
    shown = press(shown, "back: pail")
    shown = press(shown, "Take these counts: Ann 4, Bo 3")
    assert [(e.player, e.played, e.machine_played) for e in played.hub.snapshot.round.counts] == [
        ("Ann", 4, 4),
        ("Bo", 3, 3),
    ]
    assert "✓ Taken\\: Ann 4, Bo 3" in words_of(shown)
    assert not [one for one in shown.button if one.label.startswith("Take these")]


def test_a_correction_is_kept_as_a_picture_once_that_is_allowed(show: Show, played: Table) -> None:
    shown = press(with_photographs(show, played, "middle", ("backs.png", png())), "back: pail")
    assert played.corrections.corrections() == []
    shown = press(shown, "Keep them")
    shots: dict[str, photos.Shot] = shown.session_state["photos"]["middle"]
    photos._correct(shots, "beside-backs.png", 0, None, "hat")
    [kept] = played.corrections.corrections()
    assert (kept.label.deck, kept.label.card) == ("hat", None)


def test_the_same_photograph_twice_counts_once(show: Show, played: Table) -> None:
    shown = with_photographs(show, played, "middle", ("a.png", png()), ("b.png", png()))
    assert button(shown, "Take these counts: Ann 8, Bo 4")
    shots: dict[str, photos.Shot] = shown.session_state["photos"]["middle"]
    shots["beside-b.png"] = replace(shots["beside-b.png"], digest=shots["beside-a.png"].digest)
    assert button(shown.run(), "Take these counts: Ann 4, Bo 2")


def test_a_goal_pile_by_photograph_knows_its_owner_by_the_file_s_name(show: Show, played: Table) -> None:
    shown = with_photographs(show, played, "goals", ("goal-Bo.jpg", png()))
    press(shown, "Bo has 7 cards left")
    assert played.hub.snapshot.round.counts == (CountEntry("Bo", left=7),)


def test_several_goal_piles_are_taken_with_one_tap(show: Show, played: Table) -> None:
    own = ("goal-Ann.jpg", png()), ("goal-Bo.jpg", png())
    press(with_photographs(show, played, "goals", *own), "Take these: Ann 7 left, Bo 7 left")
    lefts = {entry.player: entry.left for entry in played.hub.snapshot.round.counts}
    assert lefts == {"Ann": 7, "Bo": 7}


def test_the_caller_needs_no_picture_of_a_goal_pile(show: Show, played: Table) -> None:
    three = (*played.hub.snapshot.match.players, PlayerView("Cleo", "top", "plow"))
    people = [{"name": one.name, "seat": one.seat, "deck": one.deck} for one in three]
    carry_out(played, (CommandKind.PLAYERS, {"players": people}), (CommandKind.COUNT, {"called_by": "Cleo"}))
    own = ("goal-Ann.jpg", png()), ("goal-Bo.jpg", png())
    press(with_photographs(show, played, "goals", *own), "Take these: Ann 7 left, Bo 7 left, Cleo 0 left")
    assert [entry.left for entry in played.hub.snapshot.round.counts] == [7, 7, 0]


def test_goal_piles_that_nobody_owns_for_sure_are_not_taken_together(show: Show, played: Table) -> None:
    shown = with_photographs(show, played, "goals", ("goal-Ann.jpg", png()), ("pile.jpg", png()))
    assert not [one.label for one in shown.button if one.label.startswith("Take these")]


def test_the_pictures_beside_a_recording_come_with_one_tap_and_are_explained(show: Show, fake: Fake) -> None:
    names = ("backs.jpg", "goal-Ann.jpg", "goal-Bo.jpg")
    table = fake(counting(), photographs=names)
    table.read_beside = lambda name: table.read_photo(png())  # type: ignore[attr-defined]
    shown = at_step(show("count", table), "goals")
    assert "brings pictures" in words_of(shown)
    shown = press(shown, "Use goal-Ann.jpg, goal-Bo.jpg")
    assert set(shown.session_state["photos"]["goals"]) == {"beside-goal-Ann.jpg", "beside-goal-Bo.jpg"}
    assert "brings pictures" not in words_of(shown)


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.jpg", b"", "is empty"),
        ("cards.jpg", b"PK\x03\x04 a zip by another name", "not a picture that can be read"),
        ("half.jpg", b"\xff\xd8\xff\xe0" + b"0" * 500, "cut off"),
        ("huge.jpg", b"0" * 40_000_001, "larger than 40 MB"),
    ],
)
def test_a_bad_picture_is_told_in_one_sentence_and_the_rest_stays(
    show: Show, played: Table, name: str, data: bytes, says: str
) -> None:
    with pytest.raises(PhotoError, match=says) as caught:
        read_upload(data, lambda image: [])
    assert str(caught.value).count(".") == 1 and "\n" not in str(caught.value)
    shown = with_photographs(show, played, "middle", ("backs.png", png()), (name, data))
    assert any(says in warning.value for warning in shown.warning)
    assert button(shown, "Take these counts: Ann 4, Bo 2")


def test_an_upload_is_read_once_and_a_fault_names_the_file(
    show: Show, played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photos, "table", lambda: played)
    kept: dict[str, photos.Shot] = {}
    monkeypatch.setattr(photos.st, "spinner", lambda words: nullcontext())
    photos._read(kept, "1", "kitten.zip.jpg", b"PK")
    assert kept["1"].fault.startswith("kitten.zip.jpg: ")


def test_one_question_at_a_time_is_answered_or_leads_to_its_answer(show: Show, played: Table) -> None:
    carry_out(played, (CommandKind.COUNT, {"entries": COUNTED}))
    shown = at_step(show("count", played), "check")
    questions = [f for f in played.hub.snapshot.draft.findings if f.level in (Level.WARNING, Level.ERROR)]
    assert questions and html_of(shown).count('class="br-banner warning"') == 1
    for _ in questions:
        shown = press(at_step(shown, "check"), "It is right all the same")
    assert "Nothing speaks against this count" in html_of(at_step(shown, "check"))
    assert played.hub.snapshot.round.answered == {question.text for question in questions}


def test_a_question_shows_the_picture_that_raised_it_and_the_way_there(show: Show, fake: Fake) -> None:
    finding = Finding(Level.WARNING, "I3", "The tops say 30 cards, 29 backs were counted: look for a card.")
    draft = DraftScore({"Ann": 8, NASTY: -6}, {}, findings=(finding,))
    shown = at_step(show("count", fake(replace(counting(), draft=draft))), "check")
    assert "29 backs" in html_of(shown)
    after = press(shown, "Count the middle again")
    assert after.session_state["count-step-1"] == "middle"


def test_piles_are_not_called_by_the_log_s_names(show: Show, fake: Fake) -> None:
    text = "Pile d3 goes from yellow 4 to yellow 6: yellow 5 was skipped, or its landing was not seen."
    for level in (Level.INFO, Level.WARNING):
        draft = DraftScore({"Ann": 8, NASTY: -6}, {}, findings=(Finding(level, "I4", text),))
        shown = at_step(show("count", fake(replace(counting(), draft=draft))), "check")
        said = html_of(shown) + words_of(shown)
        assert "A pile goes from yellow 4 to yellow 6" in said and "d3" not in said


def test_a_question_shows_the_photographs_that_were_counted(show: Show, played: Table) -> None:
    counted = [{**COUNTED[0], "played": 1}, *COUNTED[1:]]
    carry_out(played, (CommandKind.COUNT, {"entries": counted}))
    shown = with_photographs(show, played, "middle", ("backs.png", png()))
    asked = at_step(shown, "check")
    assert "br-banner warning" in html_of(asked)
    assert [picture.proto.imgs[0].caption for picture in asked.get("image")] == ["backs\\.png"]


def test_a_score_is_confirmed_as_it_is_shown_and_only_when_it_is_whole(show: Show, fake: Fake) -> None:
    missing = show("count", fake(replace(counting(), draft=DraftScore(missing="Count Ann first."))))
    assert button(missing, "Confirm the score").disabled and "Count Ann first" in words_of(missing)
    table = fake(replace(counting(), draft=DraftScore({"Ann": 8, NASTY: -6}, {"Ann": "14 - 2 x 3 = 8"})))
    press(show("count", table), "Confirm the score")
    assert table.sent[0].kind is CommandKind.CONFIRM
    assert table.sent[0].values == {"scores": {"Ann": 8, NASTY: -6}}


def test_two_scorekeepers_confirm_once(show: Show, played: Table) -> None:
    carry_out(played, (CommandKind.COUNT, {"entries": COUNTED}))
    first, second = show("count", played), show("count", played)
    press(first, "Confirm the score")
    button(second, "Confirm the score").click().run()
    lines = [line for line in played._pipeline.log if line.extra.get("confirmed")]
    assert len(lines) == 1
    assert played.hub.snapshot.match.totals == {"Ann": 14, "Bo": -6}


def test_pictures_beside_a_recording_are_offered(show: Show, fake: Fake) -> None:
    table = fake(counting(), photographs=("backs.jpg",))
    table.read_beside = lambda name: table.read_photo(png())  # type: ignore[attr-defined]
    shown = press(at_step(show("count", table), "middle"), "Use backs.jpg")
    assert "No card was found" in html_of(shown)


def test_dealt_cards_are_tallied_and_taken(show: Show, played: Table) -> None:
    from engine.dealing import Dealt
    from engine.tally import Tallied, Tally

    played.tally = Tally(lambda: played.hub.still, lambda source, dealing: iter(()))
    played.tally.now = Tallied(
        cards=(Dealt(1.0, None, "pump"), Dealt(2.0, None, "pump"), Dealt(3.0, None, None))
    )
    shown = at_step(show("count", played), "middle")
    assert "<b>3</b>" in html_of(shown) and "pump <b>2</b>" in html_of(shown)
    press(shown, "Take these counts: Ann 2")
    assert played.hub.snapshot.round.counts[0].played == 2


def test_steps_are_ticked_when_nothing_is_missing(played: Table) -> None:
    assert count._done_steps(played.hub.snapshot) == {"tops"}
    carry_out(played, (CommandKind.COUNT, {"entries": COUNTED}))
    assert count._done_steps(played.hub.snapshot) == {"tops", "goals", "middle"}


def test_the_table_s_picture_is_kept_at_the_call(played: Table, tmp_path: Path) -> None:
    calls = [e for e in played._pipeline.log if e.type is EventType.CALLED]
    assert played.evidence(1, calls[0].extra["still"]) is not None
