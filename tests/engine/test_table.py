"""The running table: threads, the camera's troubles, double clicks, and going on after a kill."""

from __future__ import annotations

import gc
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.evidence import DISK_FULL, is_evidence_name
from engine.hub import CameraState, Phase, Snapshot
from engine.record import FILE_NAME, Reader, RecordError, Writer
from engine.scores import export_match
from engine.settings import Settings
from engine.setup_file import Setup, read_setup
from engine.table import Table, TableParts
from engine.table_command import Command, CommandKind
from referee.events import EventType, PlayEvent
from tests.engine.fakes import FakeSource, ScriptedWatcher, parts, picture, round_script
from vision.types import Frame

PATIENCE_S = 20.0
TWO = {
    "players": [
        {"name": "Ann", "seat": "left", "deck": "pump"},
        {"name": "Bo", "seat": "right", "deck": "pail"},
    ]
}


def setup_of(data: dict[str, Any] = TWO) -> Setup:
    return read_setup(data)


def settings_of(folder: Path, **values: Any) -> Settings:
    return Settings(data_dir=folder, file_pace=0.0, **values)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Opens tables and closes them at the end."""
    tables: list[Table] = []

    def start(made: TableParts, **values: Any) -> Table:
        table = Table(made, settings_of(tmp_path, **values), setup_of())
        tables.append(table)
        table.start()
        return table

    yield start
    for table in tables:
        table.stop()


def wait_for(table: Table, what: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot of which `what` is true."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if what(table.hub.snapshot):
            return table.hub.snapshot
        time.sleep(0.01)
    raise AssertionError(f"it did not come about: {table.hub.snapshot.round.phase}")


def finished(now: Snapshot) -> bool:
    return now.camera.state is CameraState.FINISHED


def types(log: tuple[PlayEvent, ...]) -> list[EventType]:
    return [event.type for event in log]


def test_a_recording_is_watched_to_its_end_and_written_down(
    run: Callable[..., Table], tmp_path: Path
) -> None:
    table = run(parts(lambda: FakeSource(400)))
    now = wait_for(table, finished)
    assert now.round.phase is Phase.ENDED
    assert now.round.called_seat == "left"
    assert [flag.rule for flag in now.round.flags] == ["E11"]
    assert now.camera.dropped == 0
    table.stop()
    log = Reader(tmp_path / FILE_NAME).log(1)
    assert log[-len(now.round.feed) :] == now.round.feed
    still = now.round.flags[0].stills["after"]
    assert table.evidence(1, still) is not None


@pytest.mark.parametrize("name", ["../record.sqlite3", "..%2Flock", "/etc/passwd", "r00001-before.png", ""])
def test_no_picture_outside_the_evidence_folder_is_given_out(run: Callable[..., Table], name: str) -> None:
    assert run(parts(lambda: FakeSource(5))).evidence(1, name) is None


def test_a_round_that_cannot_be_scored_is_not_confirmed(run: Callable[..., Table]) -> None:
    table = run(parts(lambda: FakeSource(400)))
    wait_for(table, finished)
    entries = [{"player": "Ann", "played": 14, "left": 0}]
    assert table.send(Command(CommandKind.COUNT, "count", values={"entries": entries}), PATIENCE_S).done
    refused = table.send(Command(CommandKind.CONFIRM, "yes"), PATIENCE_S)
    assert not refused.done and "cannot be scored" in refused.message and "Bo" in refused.message
    assert table.hub.snapshot.round.phase is Phase.ENDED


def test_counting_confirming_and_the_next_round(run: Callable[..., Table]) -> None:
    table = run(parts(lambda: FakeSource(400)))
    wait_for(table, finished)
    entries = [{"player": "Ann", "played": 14, "left": 0}, {"player": "Bo", "played": 8, "left": 7}]
    assert table.send(Command(CommandKind.COUNT, "count", values={"entries": entries}), PATIENCE_S).done
    assert table.hub.snapshot.draft.scores == {"Ann": 14, "Bo": -6}
    assert table.hub.snapshot.match.results == ()
    assert table.send(Command(CommandKind.CONFIRM, "yes"), PATIENCE_S).done
    assert table.hub.snapshot.match.totals == {"Ann": 14, "Bo": -6}
    assert table.hub.snapshot.match.results[0].called_by == "Ann"
    for _ in range(2):
        assert table.send(Command(CommandKind.NEXT_ROUND, "next"), PATIENCE_S).done
    too_early = table.send(Command(CommandKind.NEXT_ROUND, "next of a stale tab"), PATIENCE_S)
    assert "confirm the score" in too_early.message
    now = table.hub.snapshot
    assert (now.round.number, now.round.phase, now.match.totals["Bo"]) == (2, Phase.WAITING, -6)
    fix = {"entries": [{"player": "Bo", "left": 6}], "round_id": 1}
    assert table.send(Command(CommandKind.COUNT, "fix", values=fix), PATIENCE_S).done
    assert table.hub.snapshot.match.totals == {"Ann": 14, "Bo": -4}
    assert table.hub.snapshot.match.results[0].changed


COUNTED = [{"player": "Ann", "played": 14, "left": 0}, {"player": "Bo", "played": 8, "left": 7}]


def carry_out(table: Table, *commands: tuple[CommandKind, dict[str, Any]]) -> None:
    """Each command must be done."""
    for kind, values in commands:
        outcome = table.send(Command(kind, f"{time.monotonic_ns()}", values=values), PATIENCE_S)
        assert outcome.done, outcome.message


def test_the_eyes_of_a_round_are_freed_when_the_next_one_begins(run: Callable[..., Table]) -> None:
    kept: list[weakref.ref[ScriptedWatcher]] = []
    made = parts(lambda: FakeSource(400))

    def in_a_circle(*about: Any) -> Any:
        watcher: Any = made.make_watcher(*about)
        watcher.itself = watcher
        kept.append(weakref.ref(watcher))
        return watcher

    gc.disable()
    try:
        table = run(replace(made, make_watcher=in_a_circle))
        wait_for(table, finished)
        carry_out(table, (CommandKind.COUNT, {"entries": COUNTED}), (CommandKind.CONFIRM, {}))
        assert kept[0]() is not None
        carry_out(table, (CommandKind.NEXT_ROUND, {}))
        wait_for(table, lambda now: now.round.number == 2)
        assert kept[0]() is None
    finally:
        gc.enable()


def test_an_earlier_round_is_taken_out_put_back_and_corrected(run: Callable[..., Table]) -> None:
    table = run(parts(lambda: FakeSource(400)))
    wait_for(table, finished)
    carry_out(
        table,
        (CommandKind.COUNT, {"entries": COUNTED}),
        (CommandKind.CONFIRM, {}),
        (CommandKind.NEXT_ROUND, {}),
        (CommandKind.REOPEN, {"round_id": 1}),
    )
    assert table.hub.snapshot.match.results == ()
    carry_out(table, (CommandKind.CONFIRM, {"round_id": 1}))
    assert table.hub.snapshot.match.totals == {"Ann": 14, "Bo": -6}
    case = table.case(1)
    assert case is not None and not case.is_current
    flag = case.view.flags[0]
    carry_out(table, (CommandKind.CORRECT, {"round_id": 1, "of": [flag.seq], "action": "overrule"}))
    after = table.case(1)
    assert after is not None and after.view.flags[0].opinion == "overrule"
    assert table.rounds() == ((2, 2), (1, 1))
    assert table.case(77) is None
    refused = table.send(Command(CommandKind.START, "x", values={"round_id": 1}), PATIENCE_S)
    assert "a round that is over" in refused.message


def test_an_earlier_round_is_put_back_as_it_was_seen_and_only_if_it_can_be_scored(
    run: Callable[..., Table],
) -> None:
    table = run(parts(lambda: FakeSource(400)))
    wait_for(table, finished)
    carry_out(
        table,
        (CommandKind.COUNT, {"entries": COUNTED}),
        (CommandKind.CONFIRM, {}),
        (CommandKind.NEXT_ROUND, {}),
    )

    def refusal(kind: CommandKind, **values: Any) -> str:
        told = Command(kind, f"{time.monotonic_ns()}", values={"round_id": 1, **values})
        return table.send(told, PATIENCE_S).message

    unknown = [{"player": "Bo", "played": None, "left": None}]
    assert "cannot be scored" in refusal(CommandKind.COUNT, entries=unknown)
    assert table.hub.snapshot.match.totals == {"Ann": 14, "Bo": -6}
    changed = [{"player": "Bo", "left": 6}]
    carry_out(
        table,
        (CommandKind.REOPEN, {"round_id": 1}),
        (CommandKind.COUNT, {"round_id": 1, "entries": changed}),
    )
    assert "changed meanwhile" in refusal(CommandKind.CONFIRM, scores={"Ann": 14, "Bo": -6})
    carry_out(table, (CommandKind.CONFIRM, {"round_id": 1, "scores": {"Ann": 14, "Bo": -4}}))
    assert table.hub.snapshot.match.totals == {"Ann": 14, "Bo": -4}


def test_a_score_that_was_changed_meanwhile_is_not_confirmed(run: Callable[..., Table]) -> None:
    table = run(parts(lambda: FakeSource(400)))
    wait_for(table, finished)
    carry_out(table, (CommandKind.COUNT, {"entries": COUNTED}))
    shown = dict(table.hub.snapshot.draft.scores)
    carry_out(table, (CommandKind.COUNT, {"entries": [{"player": "Bo", "left": 6}]}))
    stale = table.send(Command(CommandKind.CONFIRM, "stale", values={"scores": shown}), PATIENCE_S)
    assert "changed meanwhile" in stale.message
    carry_out(table, (CommandKind.CONFIRM, {"scores": {"Ann": 14, "Bo": -4}}))


def test_other_rules_judge_and_score_what_was_played(run: Callable[..., Table], tmp_path: Path) -> None:
    table = run(parts(lambda: FakeSource(400)))
    wait_for(table, finished)
    carry_out(
        table,
        (CommandKind.COUNT, {"entries": COUNTED}),
        (CommandKind.RULES, {"ruleset": "dutch_blitz", "options": {"goal_penalty": 3, "target": 100}}),
    )
    now = table.hub.snapshot
    assert now.draft.scores == {"Ann": 14, "Bo": -13}
    assert (now.match.ruleset, now.match.target) == ("dutch_blitz_2", 100)
    nertz = table.send(Command(CommandKind.RULES, "n", values={"ruleset": "nertz_std"}), PATIENCE_S)
    assert "start a new match" in nertz.message
    wrong = table.send(
        Command(CommandKind.RULES, "w", values={"ruleset": "dutch_blitz", "options": {"x": 1}}), PATIENCE_S
    )
    assert "no option x" in wrong.message
    table.stop()
    stored = Reader(tmp_path / FILE_NAME).match(1)
    assert stored is not None and stored.options["target"] == 100


def test_a_wrong_card_does_not_count_once_the_table_says_so_where_the_rules_say_so(
    run: Callable[..., Table],
) -> None:
    table = run(parts(lambda: FakeSource(400)))
    now = wait_for(table, finished)
    carry_out(
        table,
        (CommandKind.COUNT, {"entries": COUNTED}),
        (CommandKind.RULES, {"ruleset": "dutch_blitz", "options": {"late_error": "void"}}),
    )
    assert table.hub.snapshot.draft.scores["Bo"] == -6
    carry_out(table, (CommandKind.CORRECT, {"of": [now.round.flags[0].seq], "action": "uphold"}))
    draft = table.hub.snapshot.draft
    assert draft.scores["Bo"] == -7
    assert "blue 7 put down wrongly" in draft.arithmetic["Bo"]


def test_who_is_counted_has_a_score_before_the_others_are(run: Callable[..., Table]) -> None:
    table = run(parts(lambda: FakeSource(400)))
    wait_for(table, finished)
    carry_out(table, (CommandKind.COUNT, {"entries": COUNTED[:1]}))
    draft = table.hub.snapshot.draft
    assert draft.scores == {"Ann": 14}
    assert draft.missing is not None and "Bo" in draft.missing


def test_an_earlier_match_is_taken_up_again_and_is_the_one_after_a_restart(
    run: Callable[..., Table], tmp_path: Path
) -> None:
    made = parts(lambda: FakeSource(10_000, live=True, pause=_slowly), live=True, script=list)
    table = run(made)
    wait_for(table, lambda now: now.camera.state is CameraState.LIVE)
    carry_out(
        table,
        (CommandKind.START, {}),
        (CommandKind.END, {}),
        (CommandKind.COUNT, {"entries": COUNTED}),
        (CommandKind.CONFIRM, {}),
        (CommandKind.NEW_MATCH, {}),
        (CommandKind.START, {}),
    )
    on = table.send(Command(CommandKind.RESUME_MATCH, "r", values={"match_id": 1}), PATIENCE_S)
    assert "still on" in on.message
    carry_out(table, (CommandKind.END, {}), (CommandKind.RESUME_MATCH, {"match_id": 1}))
    assert table.hub.snapshot.match.totals == {"Ann": 14, "Bo": -6}
    missing = table.send(Command(CommandKind.RESUME_MATCH, "r2", values={"match_id": 9}), PATIENCE_S)
    assert "not in the record" in missing.message
    table.stop()
    again = Table(made, settings_of(tmp_path), setup_of())
    try:
        assert again.hub.snapshot.match.match_id == 1
        assert again.hub.snapshot.round.phase is Phase.CONFIRMED
    finally:
        again.stop()


def test_without_a_setup_the_last_game_and_its_people_are_played_on(tmp_path: Path) -> None:
    made = parts(lambda: FakeSource(10_000, live=True, pause=_slowly), live=True, script=list)
    first = Table(made, settings_of(tmp_path), Setup())
    first.start()
    try:
        players = [{"name": "Ann", "seat": "left"}, {"name": "Bo", "team": "Reds"}, {"name": "Cy"}]
        carry_out(
            first,
            (CommandKind.PLAYERS, {"players": players}),
            (CommandKind.RULES, {"ruleset": "nertz_std", "options": {"target": 300}}),
            (CommandKind.MODE, {"mode": "count_only"}),
            (CommandKind.START, {}),
        )
        start = first.hub.snapshot.round.feed[0]
        assert [player["name"] for player in start.extra["players"]] == ["Ann", "Bo", "Cy"]
    finally:
        first.stop()
    again = Table(made, settings_of(tmp_path), Setup())
    try:
        now = again.hub.snapshot
        assert (now.match.ruleset, now.match.target, now.mode) == ("nertz_std", 300, "count_only")
        assert now.match.players[1].team == "Reds"
    finally:
        again.stop()


def test_two_presses_are_one_call(run: Callable[..., Table]) -> None:
    table = run(parts(lambda: FakeSource(10_000, live=True, pause=_slowly), live=True))
    wait_for(table, lambda now: now.camera.state is CameraState.LIVE)
    assert table.send(Command(CommandKind.START, "go"), PATIENCE_S).done
    for _ in range(3):
        assert table.send(Command(CommandKind.CALL, "blitz"), PATIENCE_S).done
    log = table.hub.snapshot.round.feed
    assert types(log).count(EventType.CALLED) == 1
    refused = table.send(Command(CommandKind.CONFIRM, "early"), PATIENCE_S)
    assert not refused.done and "confirm" in refused.message


def _slowly(index: int) -> None:
    time.sleep(0.01)


def unplugged(
    run: Callable[..., Table], frames: int
) -> tuple[Table, Snapshot, threading.Event, list[FakeSource]]:
    """A started table whose camera was lost after `frames`, how it looked, what plugs it in, its sources."""
    plugged = threading.Event()
    opened: list[FakeSource] = []

    def open_source() -> FakeSource:
        if opened and not plugged.is_set():
            raise OSError("camera 0 gives no picture; plug the camera in.")
        opened.append(FakeSource(frames if not opened else 10_000, live=True, pause=_slowly))
        return opened[-1]

    table = run(parts(open_source, live=True), camera_lost_s=0.3, camera_retry_s=0.05)
    wait_for(table, lambda now: now.camera.state is CameraState.LIVE)
    table.send(Command(CommandKind.START, "go"), PATIENCE_S)
    return table, wait_for(table, lambda now: now.camera.state is CameraState.LOST), plugged, opened


def test_a_camera_that_falls_silent_is_told_and_goes_on_with_the_same_round(
    run: Callable[..., Table],
) -> None:
    table, lost, plugged, opened = unplugged(run, 20)
    assert lost.camera.problem == "camera 0 gives no picture; plug the camera in."
    plugged.set()
    back = wait_for(table, lambda now: now.camera.state is CameraState.LIVE)
    seen = types(back.round.feed)
    assert seen.index(EventType.CAMERA_LOST) < seen.index(EventType.CAMERA_BACK)
    assert back.round.number == 1 and back.round.t_s >= lost.round.t_s
    assert all(source.closed for source in opened[:-1])


def test_a_camera_unplugged_in_mid_round_and_plugged_in_again_loses_and_doubles_no_play(
    run: Callable[..., Table],
) -> None:
    table, lost, plugged, _ = unplugged(run, 60)
    assert 0 < lost.round.landings < 7
    plugged.set()
    now = wait_for(table, lambda now: now.round.called_seat is not None)
    log = now.round.feed
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    played = [str(event.card) for event in log if event.type in (EventType.STARTED, EventType.LANDED)]
    assert played == ["red1", "green1", "red2", "green2", "red3", "blue7", "green3"]
    assert [types(log).count(kind) for kind in (EventType.ROUND_STARTED, EventType.CAMERA_LOST)] == [1, 1]
    assert [flag.rule for flag in now.round.flags if flag.severity == "foul"] == ["E11"]


def test_a_camera_that_repeats_its_last_picture_is_lost(run: Callable[..., Table]) -> None:
    class Frozen(FakeSource):
        def __iter__(self) -> Iterator[Frame]:
            for index in range(100_000):
                time.sleep(0.01)
                yield Frame(picture(min(index, 10)), index, index / 20)

    table = run(parts(lambda: Frozen(0, live=True), live=True), camera_lost_s=0.3)
    wait_for(table, lambda now: now.camera.state is CameraState.LIVE)
    assert wait_for(table, lambda now: now.camera.state is CameraState.LOST)


def test_a_camera_that_hangs_is_given_up_and_opened_anew(run: Callable[..., Table]) -> None:
    release = threading.Event()
    opened: list[FakeSource] = []

    def open_source() -> FakeSource:
        first = not opened
        pause = (lambda index: release.wait(PATIENCE_S) if index == 5 else None) if first else _slowly
        opened.append(FakeSource(10_000, live=True, pause=pause))  # type: ignore[arg-type]
        return opened[-1]

    table = run(parts(open_source, live=True), camera_lost_s=0.2)
    wait_for(table, lambda now: now.camera.state is CameraState.LOST)
    wait_for(table, lambda now: now.camera.state is CameraState.LIVE)
    assert len(opened) == 2
    release.set()


def test_a_slow_pipeline_drops_frames_and_counts_them(run: Callable[..., Table]) -> None:
    class SlowEyes(ScriptedWatcher):
        def process(self, frame: Frame) -> list[PlayEvent]:
            time.sleep(0.05)
            return []

    made = parts(lambda: FakeSource(100_000, live=True, pause=lambda index: time.sleep(0.002)), live=True)
    table = run(TableParts("slow", True, made.open_source, lambda rules, players: SlowEyes([])))
    now = wait_for(table, lambda now: now.camera.dropped > 20)
    assert now.camera.lag_s < 1.0


def test_a_fault_in_the_eyes_costs_a_fresh_look_and_not_the_round(run: Callable[..., Table]) -> None:
    made = parts(lambda: FakeSource(400))
    broken = {"left": 1}

    def make_watcher(rules: Any, players: Any) -> Any:
        watcher: Any = made.make_watcher(rules, players)
        look = watcher.process

        def process(frame: Frame) -> list[PlayEvent]:
            if frame.index == 50 and broken["left"]:
                broken["left"] = 0
                raise ZeroDivisionError("a fault")
            return list(look(frame))

        watcher.process = process
        return watcher

    table = run(TableParts("broken", False, made.open_source, make_watcher))
    now = wait_for(table, finished)
    assert any("afresh" in problem for problem in now.problems)
    assert EventType.GAP in types(now.round.feed)


def test_a_command_with_a_fault_is_refused_and_the_table_goes_on(run: Callable[..., Table]) -> None:
    table = run(parts(lambda: FakeSource(400)))
    wait_for(table, finished)
    broken = table.send(Command(CommandKind.COUNT, "x", values={"entries": [{"no": "player"}]}), PATIENCE_S)
    assert not broken.done
    entries = [{"player": "Ann", "played": 14, "left": 0}]
    assert table.send(Command(CommandKind.COUNT, "y", values={"entries": entries}), PATIENCE_S).done


def test_a_late_recording_skips_frames_as_a_camera_would_if_it_is_told_to(tmp_path: Path) -> None:
    class SlowEyes(ScriptedWatcher):
        def process(self, frame: Frame) -> list[PlayEvent]:
            time.sleep(0.02)
            return super().process(frame)

    made = parts(lambda: FakeSource(400))
    made = TableParts("late", False, made.open_source, lambda rules, players: SlowEyes(round_script()))
    table = Table(made, Settings(data_dir=tmp_path, file_pace=20.0, file_late_s=0.05), setup_of())
    table.start()
    try:
        now = wait_for(table, finished)
    finally:
        table.stop()
    assert now.camera.dropped > 0
    assert now.round.landings == 7


def test_a_black_picture_is_told(run: Callable[..., Table]) -> None:
    class Black(FakeSource):
        def __iter__(self) -> Iterator[Frame]:
            for frame in super().__iter__():
                yield Frame(frame.image // 20, frame.index, frame.t_s)

    table = run(parts(lambda: Black(400)))
    now = wait_for(table, finished)
    assert [problem for problem in now.problems if "almost black" in problem]


def test_a_full_disk_is_told_and_nothing_is_lost_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = threading.Event()
    write = Writer.write

    def refuse(self: Writer, entries: Any) -> None:
        if not room.is_set():
            raise sqlite3.OperationalError("database or disk is full")
        write(self, entries)

    monkeypatch.setattr(Writer, "write", refuse)
    table = Table(parts(lambda: FakeSource(400)), settings_of(tmp_path), setup_of())
    table.start()
    try:
        now = wait_for(table, lambda now: finished(now) and bool(now.problems))
        assert "disk is full" in now.problems[0]
        room.set()
        wait_for(table, lambda now: not now.problems)
    finally:
        table.stop()
    log = Reader(tmp_path / FILE_NAME).log(1)
    assert log[-1].type is EventType.ROUND_ENDED
    assert [event.seq for event in log] == list(range(1, len(log) + 1))


def test_a_disk_too_full_for_pictures_costs_no_play_and_no_ruling(
    run: Callable[..., Table], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if is_evidence_name(self.name):
            write(self, data[:10])
            raise OSError(28, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    table = run(parts(lambda: FakeSource(400)))
    now = wait_for(table, finished)
    assert DISK_FULL in now.problems
    (flag,) = [flag for flag in now.round.flags if flag.rule == "E11"]
    assert (flag.severity, flag.stills) == ("foul", {})
    assert now.round.landings == 7 and now.round.phase is Phase.ENDED
    assert [path for path in tmp_path.rglob("*") if is_evidence_name(path.name)] == []


def test_a_match_is_exported(run: Callable[..., Table], tmp_path: Path) -> None:
    table = run(parts(lambda: FakeSource(400)))
    wait_for(table, finished)
    entries = [{"player": "Ann", "played": 14, "left": 0}, {"player": "Bo", "played": 8, "left": 7}]
    for kind, values in ((CommandKind.COUNT, {"entries": entries}), (CommandKind.CONFIRM, {})):
        assert table.send(Command(kind, kind, values=values), PATIENCE_S).done
    table.stop()
    assert export_match(tmp_path, None, "csv").splitlines()[-1] == "total,,,14,-6"
    assert json.loads(export_match(tmp_path, 1, "json"))["standing"]["totals"] == {"Ann": 14, "Bo": -6}
    with pytest.raises(RecordError, match="no match 9"):
        export_match(tmp_path, 9, "csv")
    with pytest.raises(RecordError, match="no record"):
        export_match(tmp_path / "elsewhere", None, "csv")


def test_a_folder_in_use_is_refused(run: Callable[..., Table], tmp_path: Path) -> None:
    run(parts(lambda: FakeSource(5)))
    with pytest.raises(RecordError, match="in use"):
        Table(parts(lambda: FakeSource(5)), settings_of(tmp_path), setup_of())


CHILD = """
import sys, time
from pathlib import Path
from tests.engine.fakes import FakeSource, parts
from tests.engine.test_table import settings_of, setup_of
from engine.table import Table
def pause(index):
    time.sleep(0.005)
    if index == 150:
        time.sleep(0.5)
        print("here", flush=True)
        time.sleep(60)
table = Table(parts(lambda: FakeSource(400, pause=pause)), settings_of(Path(sys.argv[1])), setup_of())
table.start()
time.sleep(120)
"""


def test_killed_in_mid_round_it_goes_on_with_the_same_piles_events_and_scores(tmp_path: Path) -> None:
    whole = _whole_round(tmp_path / "whole")
    folder = tmp_path / "killed"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"here"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    reader = Reader(folder / FILE_NAME)
    before = reader.log(1)
    reader.close()
    assert EventType.LANDED in types(before) and EventType.CALLED not in types(before)

    table = Table(parts(lambda: FakeSource(400)), settings_of(folder), setup_of())
    piles = table.hub.snapshot.round.piles
    assert piles and table.hub.snapshot.round.feed[-1].seq == len(before)
    table.start()
    try:
        now = wait_for(table, finished)
    finally:
        table.stop()
    log = Reader(folder / FILE_NAME).log(1)
    assert log[: len(before)] == before
    assert [_plain(event) for event in log] == [_plain(event) for event in whole]
    assert now.round.phase is Phase.ENDED


def _plain(event: PlayEvent) -> dict[str, Any]:
    """A line without its pictures: frames from before the kill are gone from memory."""
    line = event.to_json()
    line.pop("stills", None)
    return line


def _whole_round(folder: Path) -> tuple[PlayEvent, ...]:
    table = Table(parts(lambda: FakeSource(400)), settings_of(folder), setup_of())
    table.start()
    try:
        wait_for(table, finished)
    finally:
        table.stop()
    return Reader(folder / FILE_NAME).log(1)


def test_a_confirmed_match_is_there_again_after_reopening(run: Callable[..., Table], tmp_path: Path) -> None:
    made = parts(
        lambda: FakeSource(10_000, live=True, pause=_slowly), live=True, script=lambda: round_script()[:0]
    )
    table = run(made)
    wait_for(table, lambda now: now.camera.state is CameraState.LIVE)
    entries = [{"player": "Ann", "played": 14, "left": 0}, {"player": "Bo", "played": 8, "left": 7}]
    for kind, values in (
        (CommandKind.START, {}),
        (CommandKind.END, {}),
        (CommandKind.COUNT, {"entries": entries}),
        (CommandKind.CONFIRM, {}),
    ):
        assert table.send(Command(kind, kind, values=values), PATIENCE_S).done
    table.stop()
    again = Table(made, settings_of(tmp_path), setup_of())
    try:
        assert again.hub.snapshot.match.totals == {"Ann": 14, "Bo": -6}
        assert again.hub.snapshot.round.phase is Phase.CONFIRMED
    finally:
        again.stop()
