"""Each page with a made-up table: what it shows, what its buttons send, and that names stay names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from engine import serve
from engine.hub import (
    CameraHealth,
    CameraState,
    CountEntry,
    DraftScore,
    FlagView,
    MatchView,
    Phase,
    PileView,
    PlayerView,
    RoundResult,
    RoundView,
    Snapshot,
    SnapshotHub,
)
from engine.past import Case
from engine.photo import PhotoError, PhotoResult, read_upload
from engine.pipeline import Command, CommandKind
from engine.table import Outcome
from referee.cards import Card
from referee.events import EventType, PlayEvent
from referee.findings import Finding, Level
from referee.rulesets import Ruleset, ruleset
from tests.engine.fakes import play

NASTY = "<script>alert(1)</script>**Bo**"
PLAYERS = (PlayerView("Ann", "left", "pump"), PlayerView(NASTY, "right", "pail"))
RED7, BLUE8 = Card.parse("red7"), Card.parse("blue8")
FLAG = FlagView(
    seq=4,
    of=(3,),
    t_s=12.0,
    rule="E11",
    severity="foul",
    p=0.999,
    text="Blue 8 was put on red 7: the colours differ (E11).",
    option=None,
    pile="d1",
    card=BLUE8,
    stills={"before": "r00004-before.jpg", "after": "r00004-after.jpg"},
    play_seq=3,
    reading=BLUE8,
    alternatives=(Card.parse("blue3"), Card.parse("red8")),
)
ROUND = RoundView(
    round_id=1,
    phase=Phase.PLAYING,
    t_s=20.0,
    clock_s=19.0,
    piles=(PileView("d1", BLUE8), PileView("d2", None, unread=True), PileView("d3", RED7, complete=True)),
    feed=(
        PlayEvent(1, 1.0, EventType.ROUND_STARTED),
        replace(play(3.0, "started", "d1", "red7"), seq=2),
        replace(play(12.0, "landed", "d1", "blue8", "right"), seq=3),
        PlayEvent(5, 13.0, EventType.GOAL_COUNT, seat="left", extra={"count": 2}),
    ),
    flags=(FLAG,),
    landings=2,
    started_t_s=1.0,
    phase_seq=1,
    lines=5,
)
MATCH = MatchView(match_id=1, ruleset="dutch_blitz_2", target=75, players=PLAYERS)
SNAPSHOT = Snapshot(1, ROUND, MATCH, CameraHealth(CameraState.LIVE, "0", True, 29.7, 0.06, 3, (1920, 1080)))


DONE = Outcome(True)


@dataclass
class FakeTable:
    """A table that shows one snapshot and remembers what it was sent."""

    now: Snapshot = SNAPSHOT
    answer: Outcome = DONE
    sent: list[Command] = field(default_factory=list)
    can_read_photos: bool = True
    token: str = "t"

    def __post_init__(self) -> None:
        self.hub = SnapshotHub()
        self.hub.publish(self.now)

    @property
    def rules(self) -> Ruleset:
        return ruleset("dutch_blitz_2")

    def send(self, command: Command, wait_s: float = 1.0) -> Outcome:
        self.sent.append(command)
        return self.answer

    def case(self, round_id: int) -> Case:
        view = self.now.round
        return Case(view, view.feed, self.rules, self.now.match.players, f"/evidence/{round_id}", True)

    def read_photo(self, data: bytes) -> PhotoResult:
        return read_upload(data, lambda image: [])

    def read_still(self) -> PhotoResult:
        raise PhotoError("The camera has given no picture yet; try again in a moment.")


@pytest.fixture
def show() -> Iterator[Any]:
    """Runs one page around a made-up table."""

    def page(name: str, table: FakeTable) -> AppTest:
        serve.use_table(table)  # type: ignore[arg-type]
        script = f"from dashboard import {name}\n{name}.page()\n"
        shown = AppTest.from_string(script, default_timeout=20).run()
        assert not shown.exception
        return shown

    yield page
    serve.use_table(None)  # type: ignore[arg-type]


def html_of(shown: AppTest) -> str:
    """All HTML that a page wrote."""
    return "\n".join(str(element.proto.body) for element in shown.get("html"))


def with_round(**values: Any) -> Snapshot:
    return replace(SNAPSHOT, round=replace(ROUND, **values))


def press(shown: AppTest, label: str) -> AppTest:
    """Press the first button of that name."""
    button = next(button for button in shown.button if button.label == label)
    after = button.click().run()
    assert not after.exception
    return after


def test_live_shows_piles_feed_clock_and_camera(show: Any) -> None:
    body = html_of(show("live", FakeTable()))
    assert "/video.mjpg?s=t" in body
    assert "/card/blue8.svg" in body and "/card/unknown.svg" in body
    assert "0:19" in body and "Round 1" in body and "1920 × 1080" in body
    assert "Blue 8 goes down" in body and "the colours differ" in body


def test_live_never_coaches(show: Any) -> None:
    body = html_of(show("live", FakeTable())).lower()
    assert not [word for word in ("goal", "2 left", "can play", "could play", "missed") if word in body]


@pytest.mark.parametrize("name", ["live", "count", "review", "match"])
def test_names_are_shown_and_never_carried_out(show: Any, name: str) -> None:
    phase = Phase.ENDED if name == "count" else Phase.PLAYING
    shown = show(name, FakeTable(with_round(phase=phase)))
    assert "<script>" not in html_of(shown)


def test_blitz_and_dutch_are_sent_once_for_the_state_they_were_pressed_in(show: Any) -> None:
    table = FakeTable()
    shown = show("live", table)
    press(press(shown, "BLITZ!"), "BLITZ!")
    assert [command.kind for command in table.sent] == [CommandKind.CALL, CommandKind.CALL]
    assert len({command.id for command in table.sent}) == 1
    press(show("live", table), "Dutch! Stop")
    assert table.sent[-1].kind is CommandKind.DUTCH


def test_a_call_asks_who_made_it(show: Any) -> None:
    table = FakeTable(with_round(phase=Phase.CALLED, called_t_s=15.0, called_seq=5))
    shown = show("live", table)
    press(shown, "Ann")
    values = table.sent[0].values
    assert (values["of"], values["action"], values["event"]["seat"]) == ([5], "replace", "left")


def test_a_lost_camera_is_told_with_what_to_do(show: Any) -> None:
    camera = CameraHealth(CameraState.LOST, problem="camera 0 gives no picture")
    body = html_of(show("live", FakeTable(replace(SNAPSHOT, camera=camera))))
    assert "Plug it in again" in body


def test_an_empty_table_says_what_to_do(show: Any) -> None:
    empty = FakeTable(Snapshot())
    assert "The middle is empty" in html_of(show("live", empty))
    assert "Who is playing?" in html_of(show("count", empty))
    assert "Nothing to look at" in html_of(show("review", empty))
    assert "Who is playing?" in html_of(show("match", empty))


def test_a_refusal_is_shown_in_plain_words(show: Any) -> None:
    table = FakeTable(answer=Outcome(False, "the round is over."))
    shown = press(show("review", table), "It was fine")
    assert any("did not work" in warning.value for warning in shown.warning)


def test_review_takes_an_opinion_and_a_right_reading(show: Any) -> None:
    table = FakeTable()
    shown = show("review", table)
    body = html_of(shown)
    assert "A shared pile keeps one colour." in body and "E11" in body
    assert "/evidence/1/r00004-before.jpg" in body
    press(shown, "It was fine")
    press(show("review", table), "blue 3")
    said, fixed = table.sent
    assert (said.values["of"], said.values["action"]) == ([4], "overrule")
    assert fixed.values["event"]["card"] == {"number": 3, "colour": "blue"}


def test_rulings_name_players_and_not_seats(show: Any) -> None:
    text = "Card put down by the left seat after the call (E54)."
    body = html_of(show("review", FakeTable(with_round(flags=(replace(FLAG, text=text),)))))
    assert "put down by Ann after the call." in body


def test_review_undoes_the_last_change(show: Any) -> None:
    table = FakeTable(with_round(undoable=5))
    press(show("review", table), "Undo the last change")
    assert (table.sent[0].values["of"], table.sent[0].values["action"]) == ([5], "delete")


def test_review_shows_the_effect(show: Any) -> None:
    overruled = show("review", FakeTable(with_round(flags=(replace(FLAG, opinion="overrule"),))))
    assert any("The play stands" in caption.value for caption in overruled.caption)
    gone = show("review", FakeTable(with_round(flags=(replace(FLAG, stands=False),))))
    assert any("fell away" in info.value for info in gone.info)


def counting(**values: Any) -> Snapshot:
    return replace(with_round(phase=Phase.ENDED, **values))


def test_typed_counts_are_saved_at_once(show: Any) -> None:
    table = FakeTable(counting())
    shown = show("count", table)
    shown.number_input[0].set_value(3).run()
    assert table.sent[0].values["entries"] == [{"player": "Ann", "left": 3}]


def test_a_score_is_confirmed_only_when_it_is_whole(show: Any) -> None:
    missing = show("count", FakeTable(replace(counting(), draft=DraftScore(missing="Count Ann first."))))
    assert next(b for b in missing.button if b.label == "Confirm the score").disabled
    draft = DraftScore(
        {"Ann": 8, NASTY: -6},
        {"Ann": "14 - 2 x 3 = 8"},
        findings=(Finding(Level.WARNING, "count", "Count again."),),
    )
    table = FakeTable(replace(counting(), draft=draft))
    shown = show("count", table)
    body = html_of(shown)
    assert "14 - 2 x 3 = 8" in body and "Count again." in body and "Score so far" in body
    press(shown, "Confirm the score")
    assert table.sent[0].kind is CommandKind.CONFIRM


def test_the_camera_s_number_stays_beside_the_typed_one(show: Any) -> None:
    shown = show("count", FakeTable(counting(counts=(CountEntry("Ann", 15, 2, machine_played=14),))))
    assert any("camera counted 14" in caption.value for caption in shown.caption)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"not a picture", "not a picture that can be read"),
        (b"\xff\xd8\xff\xe0" + b"0" * 500, "cut off"),
        (b"0" * 40_000_001, "larger than 40 MB"),
    ],
)
def test_bad_pictures_are_told_in_one_sentence(data: bytes, says: str) -> None:
    with pytest.raises(PhotoError, match=says) as caught:
        read_upload(data, lambda image: [])
    assert str(caught.value).count(".") == 1 and "\n" not in str(caught.value)


RESULTS = (
    RoundResult(
        1, 1, {"Ann": 8, NASTY: -6}, {"Ann": "14 - 2 x 3 = 8"}, "Ann", (CountEntry("Ann", 14, 3),), 9
    ),
    RoundResult(2, 2, {"Ann": -2, NASTY: 12}, {}, NASTY, (), 9),
)


def test_match_shows_rounds_totals_and_negatives(show: Any) -> None:
    match = replace(MATCH, results=RESULTS, totals={"Ann": 6, NASTY: 6})
    body = html_of(show("match", FakeTable(replace(SNAPSHOT, match=match))))
    assert "of 75" in body and 'class=" neg"' in body and "-6" in body and "8 ✹" in body


def test_match_names_the_winner_and_offers_a_new_match(show: Any) -> None:
    match = replace(MATCH, results=RESULTS, totals={"Ann": 80, NASTY: 6}, winners=("Ann",), over=True)
    table = FakeTable(replace(with_round(phase=Phase.CONFIRMED), match=match))
    shown = show("match", table)
    assert "Ann wins!" in html_of(shown)
    press(shown, "Start a new match")
    assert table.sent[0].kind is CommandKind.NEW_MATCH


def test_a_score_can_be_taken_back(show: Any) -> None:
    match = replace(MATCH, results=RESULTS, totals={"Ann": 6, NASTY: 6})
    table = FakeTable(replace(with_round(phase=Phase.CONFIRMED), match=match))
    press(show("match", table), "Take the score back")
    assert table.sent[0].kind is CommandKind.REOPEN


def test_pages_keep_no_thread_camera_or_record(show: Any) -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in Path("dashboard").glob("*.py"))
    for word in ("import threading", "import sqlite3", "VideoCapture", "import cv2"):
        assert word not in source
