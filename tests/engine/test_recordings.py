"""Recorded rounds: watched to the end or called off, looked at again, corrected and taken away."""

from __future__ import annotations

import io
import json
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bundle import subtitles, write_bundle
from engine.recordings import Job, RecordingError, RecordingParts, Recordings
from engine.settings import Settings
from engine.table_command import Command, CommandError, CommandKind
from referee.rulesets import ruleset
from tests.engine.fakes import PLAYERS, FakeSource, ScriptedWatcher, folder_of, round_script
from vision.sources import SourceError
from vision.types import Frame

RULES = ruleset("dutch_blitz_2")
PATIENCE_S = 20.0


def recordings(folder: Path, open_file: object = None) -> Recordings:
    parts = RecordingParts(
        open_file or (lambda path: FakeSource(220)),  # type: ignore[arg-type]
        lambda rules, players: ScriptedWatcher(round_script()),
    )
    return Recordings(folder / "recordings", parts, Settings(data_dir=folder))


def finished(made: Recordings) -> Job:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if made.job is not None and not made.job.running:
            return made.job
        time.sleep(0.01)
    raise AssertionError("the recording is not watched to its end")


def watched(folder: Path) -> tuple[Recordings, str]:
    made = recordings(folder)
    made.start(Path("Sunday Night.mp4"), "Sunday Night", RULES, PLAYERS)
    key = finished(made).key
    assert key is not None
    return made, key


def test_a_recording_is_watched_and_looked_at_like_any_round(tmp_path: Path) -> None:
    made, key = watched(tmp_path)
    assert made.names() == {"sunday-night": "Sunday Night"}
    case = made.case(key)
    assert [flag.rule for flag in case.view.flags] == ["E11"]
    assert (case.players, case.rules) == (PLAYERS, RULES)
    clip = made.evidence(key, case.view.flags[0].stills["clip"])
    assert clip is not None and clip.stat().st_size > 0
    assert made.evidence(key, "../events.jsonl") is None
    assert made.evidence("../recordings/sunday-night", "r00001-before.jpg") is None
    again = recordings(tmp_path)
    assert again.case(key).log == case.log


def test_a_correction_is_one_more_line_and_is_made_once(tmp_path: Path) -> None:
    made, key = watched(tmp_path)
    seq = made.case(key).view.flags[0].seq
    before = len(made.case(key).log)
    for _ in range(2):
        values = {"of": [seq], "action": "overrule"}
        made.send(key, Command(CommandKind.CORRECT, "once", values=values))
    case = made.case(key)
    assert case.view.flags[0].opinion == "overrule"
    assert len(case.log) == before + 1
    assert recordings(tmp_path).case(key).view.flags[0].opinion == "overrule"
    with pytest.raises(CommandError, match="no line 999"):
        made.send(key, Command(CommandKind.CORRECT, "x", values={"of": [999], "action": "overrule"}))
    with pytest.raises(RecordingError, match="no recording"):
        made.send("nothing", Command(CommandKind.CORRECT, "y", values=values))


def test_a_watching_that_is_called_off_leaves_nothing(tmp_path: Path) -> None:
    begun = threading.Event()

    class Endless(FakeSource):
        def __iter__(self) -> Iterator[Frame]:
            while True:
                for frame in super().__iter__():
                    begun.set()
                    yield frame

    made = recordings(tmp_path, lambda path: Endless(50))
    upload = made.take_in("long.mp4", b"video")
    made.start(upload, "long", RULES, PLAYERS)
    assert begun.wait(PATIENCE_S)
    with pytest.raises(RecordingError, match="still being watched"):
        made.start(upload, "second", RULES, PLAYERS)
    made.cancel()
    assert made.job is None
    assert folder_of(tmp_path / "recordings") <= {"incoming"} and not upload.exists()


def test_what_cannot_be_watched_is_told_in_one_sentence(tmp_path: Path) -> None:
    def refuse(path: str) -> FakeSource:
        raise SourceError("x.mp4 gives no picture; give a video file such as MP4 or AVI.")

    made = recordings(tmp_path, refuse)
    with pytest.raises(RecordingError, match="gives no picture"):
        made.start(Path("x.mp4"), "x", RULES, PLAYERS)
    assert made.job is None
    for name, data, says in (("cards.zip", b"PK", "no video by its name"), ("a.mp4", b"", "is empty")):
        with pytest.raises(RecordingError, match=says):
            made.take_in(name, data)
    nothing = Recordings(tmp_path / "other", None, Settings(data_dir=tmp_path))
    assert not nothing.can_watch
    with pytest.raises(RecordingError, match="cannot be watched"):
        nothing.start(Path("x.mp4"), "x", RULES, PLAYERS)


def test_a_fault_on_the_way_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    class Broken(FakeSource):
        def __iter__(self) -> Iterator[Frame]:
            yield from super().__iter__()
            raise ZeroDivisionError

    made = recordings(tmp_path, lambda path: Broken(30))
    made.start(Path("x.mp4"), "x", RULES, PLAYERS)
    job = finished(made)
    assert job.fault is not None and "\n" not in job.fault and made.names() == {}


def test_what_a_killed_program_left_is_cleared_away(tmp_path: Path) -> None:
    folder = tmp_path / "recordings"
    (folder / "incoming").mkdir(parents=True)
    (folder / ".game-ab12").mkdir()
    (folder / "incoming" / "x.mp4").write_bytes(b"0")
    recordings(tmp_path)
    assert folder_of(folder) == set()


def test_two_of_one_name_lie_side_by_side_and_can_be_deleted(tmp_path: Path) -> None:
    made, first = watched(tmp_path)
    made.start(Path("Sunday Night.mp4"), "Sunday Night", RULES, PLAYERS)
    second = finished(made).key
    assert second == "sunday-night-2"
    made.delete(first)
    assert list(made.names()) == [second]
    with pytest.raises(RecordingError, match="no recording"):
        made.case(first)


def test_a_damaged_recording_is_told(tmp_path: Path) -> None:
    _, key = watched(tmp_path)
    path = tmp_path / "recordings" / key / "events.jsonl"
    path.write_text(path.read_text(encoding="utf-8") + "{broken", encoding="utf-8")
    with pytest.raises(RecordingError, match="watch the video once more"):
        recordings(tmp_path).case(key)


def test_a_round_is_taken_away_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    made, key = watched(tmp_path)
    case = made.case(key)
    out = io.BytesIO()
    write_bundle(case, made.evidence_folder(key), out)
    with zipfile.ZipFile(out) as bundle:
        names = bundle.namelist()
        assert bundle.testzip() is None
        log = bundle.read("events.jsonl").decode().splitlines()
        assert json.loads(bundle.read("round.json"))["ruleset"] == "dutch_blitz_2"
    assert len(log) == len(case.log)
    assert f"evidence/{case.view.flags[0].stills['clip']}" in names
    empty = io.BytesIO()
    write_bundle(case, tmp_path / "nowhere", empty)
    with zipfile.ZipFile(empty) as bundle:
        assert sorted(bundle.namelist()) == ["events.jsonl", "round.json", "rulings.srt"]


def test_subtitles_stand_at_the_time_of_the_play(tmp_path: Path) -> None:
    made, key = watched(tmp_path)
    text = subtitles(made.case(key).log)
    assert text.startswith("1\n00:00:04,200 --> 00:00:08,200\nBlue 7 was put on red 3")
