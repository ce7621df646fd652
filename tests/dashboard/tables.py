"""Tables for the pages: one that shows whatever it is given, and a real one that has watched a round."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from engine.corrections import CorrectionStore
from engine.history import History
from engine.hub import (
    CameraHealth,
    CameraState,
    FlagView,
    MatchView,
    Phase,
    PileView,
    PlayerView,
    RoundView,
    Seen,
    Snapshot,
    SnapshotHub,
)
from engine.kept import KeptChoices
from engine.numbers import MatchNumbers
from engine.past import Case
from engine.photo import PhotoError, PhotoResult, read_upload
from engine.readiness import PictureReport
from engine.record import FILE_NAME, migrate
from engine.recordings import RecordingParts, Recordings
from engine.settings import Settings
from engine.setup_file import Setup, read_setup
from engine.spoken_words import SpokenWords
from engine.table import Outcome, Table, TableParts
from engine.table_command import Command, CommandKind
from engine.tally import Tally
from referee.cards import Card
from referee.events import EventType, PlayEvent
from referee.rulesets import Ruleset, ruleset
from tests.dashboard.fakes import see_photo
from tests.engine.fakes import FakeSource, ScriptedWatcher, parts, play, round_script

PATIENCE_S = 20.0
NASTY = "<script>alert(1)</script>**Bo**"
LONG = "Maximiliane-Alexandrine von und zu Hohenstein-Grafenegg, 60c"
EMOJI = "Zoë 🂡👩‍👧"
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
    seat="right",
    stills={"before": "r00004-before.jpg", "after": "r00004-after.jpg", "clip": "r00004.mp4"},
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
CAMERA = CameraHealth(CameraState.LIVE, "0", True, 29.7, 0.06, 3, (1920, 1080))
SNAPSHOT = Snapshot(1, ROUND, MATCH, CAMERA)
DONE = Outcome(True)


def with_round(**values: Any) -> Snapshot:
    """The made-up snapshot with another round."""
    return replace(SNAPSHOT, round=replace(ROUND, **values))


def with_match(**values: Any) -> Snapshot:
    """The made-up snapshot with another match."""
    return replace(SNAPSHOT, match=replace(MATCH, **values))


@dataclass
class FakeTable:
    """A table that shows one snapshot and remembers what it was sent."""

    folder: Path
    now: Snapshot = SNAPSHOT
    answer: Outcome = DONE
    sent: list[Command] = field(default_factory=list)
    can_read_photos: bool = True
    token: str = "t"
    photographs: tuple[str, ...] = ()
    report: PictureReport | None = None
    source_name: str = "0"

    def __post_init__(self) -> None:
        self.hub = SnapshotHub()
        self.hub.publish(self.now)
        migrate(self.folder / FILE_NAME)
        self.kept = KeptChoices(self.folder)
        self.history = History(self.folder)
        self.tally = Tally(lambda: self.hub.still, None)
        self.recordings = Recordings(self.folder / "recordings", None, Settings(data_dir=self.folder))
        self.house_rules: dict[str, Any] = {}
        self.corrections = CorrectionStore(self.folder / "corrections")
        self.can_teach_decks = False
        self.spoken_words: SpokenWords | None = None

    @property
    def rules(self) -> Ruleset:
        return ruleset("dutch_blitz_2")

    def send(self, command: Command, wait_s: float = 1.0) -> Outcome:
        self.sent.append(command)
        return self.answer

    def case(self, round_id: int) -> Case:
        view = self.now.round
        return Case(view, view.feed, self.rules, self.now.match.players, f"/evidence/{round_id}", True)

    def rounds(self) -> tuple[tuple[int, int], ...]:
        return ((self.now.round.number, self.now.round.round_id or 0),)

    def numbers(self) -> MatchNumbers:
        return MatchNumbers()

    def evidence(self, round_id: int, name: str) -> Path | None:
        return None

    def own_decks(self) -> tuple[str, ...]:
        return ()

    def read_photo(self, data: bytes) -> PhotoResult:
        return read_upload(data, lambda image: [])

    def read_still(self) -> PhotoResult:
        raise PhotoError("The camera has given no picture yet; try again in a moment.")


TWO = {
    "players": [
        {"name": "Ann", "seat": "left", "deck": "pump"},
        {"name": "Bo", "seat": "right", "deck": "pail"},
    ]
}


def table_parts(**values: Any) -> TableParts:
    """The parts of a real table around a made-up recording, with eyes that read photographs and films."""
    made = parts(lambda: FakeSource(400), read_photo=see_photo)
    films = RecordingParts(
        lambda path: FakeSource(400), lambda rules, players: ScriptedWatcher(round_script())
    )
    return replace(made, recordings=films, **values)


def played_table(folder: Path, setup: Setup | None = None, **values: Any) -> Table:
    """A real table that has watched its recording to the end; the caller stops it."""
    settings = Settings(data_dir=folder, file_pace=0.0)
    table = Table(table_parts(**values), settings, read_setup(TWO) if setup is None else setup)
    table.start()
    watch_to_the_end(table)
    return table


def wait_until(what: Callable[[], bool]) -> None:
    """Until `what` is true."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if what():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come about")


def watch_to_the_end(table: Table) -> None:
    """Until its recording has been watched, however slowly; one whose picture stands still has hung."""
    still, since = table.hub.still, time.monotonic()
    while table.hub.snapshot.camera.state is not CameraState.FINISHED:
        if table.hub.still is not still:
            still, since = table.hub.still, time.monotonic()
        problems = table.hub.snapshot.problems
        assert time.monotonic() - since < PATIENCE_S, f"the recording stands still: {problems}"
        time.sleep(0.01)


def carry_out(table: Table, *commands: tuple[CommandKind, dict[str, Any]]) -> None:
    """Each command must be done."""
    for kind, values in commands:
        seen: Seen = table.hub.snapshot.seen()
        outcome = table.send(Command.on(seen, kind, "test", values), PATIENCE_S)
        assert outcome.done, outcome.message


COUNTED = [{"player": "Ann", "played": 14, "left": 0}, {"player": "Bo", "played": 8, "left": 7}]


def html_of(shown: AppTest) -> str:
    """All HTML that a page wrote."""
    return "\n".join(str(element.proto.body) for element in shown.get("html"))


def data_of(shown: AppTest, name: str) -> Any:
    """What a page gave to one of its own elements: its data as JSON values, the first of that name."""
    for element in shown.get("bidi_component"):
        if element.proto.component_name.endswith(name):
            return json.loads(element.proto.json)
    raise AssertionError(f"there is no {name} on this page")


def words_of(shown: AppTest) -> str:
    """All that a page says in words."""
    kinds = ("caption", "warning", "info", "success", "markdown", "subheader", "title")
    return "\n".join(str(element.value) for kind in kinds for element in getattr(shown, kind))


def button(shown: AppTest, label: str) -> Any:
    """The first button of that name, as it reads: names are escaped for Markdown."""
    return next(one for one in shown.button if one.label.replace("\\", "") == label)


def unfolded(shown: AppTest, *keys: str) -> AppTest:
    """The page with parts of it unfolded."""
    for key in keys:
        shown.session_state[f"open-{key}"] = True
    after = shown.run()
    assert not after.exception
    return after


def press(shown: AppTest, label: str) -> AppTest:
    """Press the first button of that name."""
    after = button(shown, label).click().run()
    assert not after.exception
    return after
