"""The record: append-only, whole batches, copied before a migration."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from engine.hub import PlayerView
from engine.record import (
    FILE_NAME,
    MIGRATIONS,
    Batch,
    Checkpoint,
    FolderLock,
    NewMatch,
    NewPlayers,
    NewRound,
    Reader,
    RecordError,
    Writer,
    migrate,
)
from referee.events import EventType, PlayEvent
from tests.engine.fakes import PLAYERS, play

NOW = "2026-01-01T00:00:00+00:00"


def opened(tmp_path: Path) -> tuple[Path, Writer]:
    path = tmp_path / FILE_NAME
    migrate(path)
    writer = Writer(path)
    writer.write(
        [
            NewMatch(1, "fake", "dutch_blitz", {"target": 75}, NOW),
            NewPlayers(1, PLAYERS),
            NewRound(1, 1, 1, NOW),
        ]
    )
    return path, writer


def line(seq: int, action: str | None = None) -> PlayEvent:
    if action is None:
        return PlayEvent(**{**_values(play(1.0, "landed", "d1", "red2")), "seq": seq})
    return PlayEvent(seq, 2.0, EventType.CORRECTION, extra={"of": [1], "action": action, "by": "Ann"})


def _values(event: PlayEvent) -> dict[str, object]:
    return {name: getattr(event, name) for name in event.__dataclass_fields__}


def test_facts_opinions_and_counts_lie_apart_and_are_read_as_one_log(tmp_path: Path) -> None:
    path, writer = opened(tmp_path)
    lines = (line(1), line(2, "overrule"), line(3), line(4, "count"))
    writer.write([Batch(1, lines, "c1", Checkpoint(4, 33, 1.5, '{"a": 1}'))])
    reader = Reader(path)
    assert [event.to_json() for event in reader.log(1)] == [event.to_json() for event in lines]
    assert reader.commands(1) == {"c1"}
    assert reader.checkpoint(1) == Checkpoint(4, 33, 1.5, '{"a": 1}')
    stored = reader.match(1)
    assert stored is not None and stored.players == PLAYERS and stored.options == {"target": 75}
    with sqlite3.connect(path) as connection:
        rows = [
            connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("events", "corrections")
        ]
    assert rows == [2, 1]


@pytest.mark.parametrize("statement", ["UPDATE events SET line = ''", "DELETE FROM events"])
def test_the_log_cannot_be_changed(tmp_path: Path, statement: str) -> None:
    path, writer = opened(tmp_path)
    writer.write([Batch(1, (line(1),))])
    with sqlite3.connect(path) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)


def test_a_batch_is_written_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path, writer = opened(tmp_path)
    writer.write([Batch(1, (line(1),), "once")])
    with pytest.raises(sqlite3.IntegrityError):
        writer.write([Batch(1, (line(2), line(1)))])
    with pytest.raises(sqlite3.IntegrityError):
        writer.write([Batch(1, (line(2),), "once")])
    assert len(Reader(path).log(1)) == 1


def test_names_that_look_like_commands_are_only_names(tmp_path: Path) -> None:
    path, writer = opened(tmp_path)
    name = "x'); DROP TABLE players; --"
    writer.write([NewPlayers(1, (PlayerView(name), PlayerView("Bo")))])
    stored = Reader(path).match(1)
    assert stored is not None and stored.players[0].name == name


def test_an_older_record_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    path, writer = opened(tmp_path)
    writer.write([Batch(1, (line(1),))])
    writer.close()
    newer = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, newer)
    (newer / "0099_more.sql").write_text("ALTER TABLE tables ADD COLUMN place TEXT;", encoding="utf-8")
    assert migrate(path, newer) == 99
    assert len(Reader(path).log(1)) == 1
    [copy] = tmp_path.glob(f"{FILE_NAME}.v*")
    assert len(Reader(copy).log(1)) == 1
    with pytest.raises(RecordError, match="newer blitzref"):
        migrate(path)


def test_a_failed_migration_changes_nothing(tmp_path: Path) -> None:
    path, writer = opened(tmp_path)
    writer.close()
    broken = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, broken)
    (broken / "0099_bad.sql").write_text("CREATE TABLE a (b INTEGER); NONSENSE;", encoding="utf-8")
    with pytest.raises(RecordError):
        migrate(path, broken)
    with sqlite3.connect(path) as connection:
        assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'a'").fetchall()


def test_a_file_that_is_no_record_is_told(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(b"not a database, not at all, but long enough to be taken for one" * 40)
    with pytest.raises(RecordError, match="cannot be read"):
        migrate(path)


def test_a_second_program_is_kept_out_of_the_folder(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    with pytest.raises(RecordError, match="in use"):
        FolderLock(tmp_path)
    lock.release()
    FolderLock(tmp_path).release()
