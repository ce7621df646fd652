"""The SQLite record: append-only facts, opinions and counts; refolding them gives the same round."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.hub import PlayerView
from referee.events import EventType, PlayEvent, read_log, write_line

MIGRATIONS = Path(__file__).parent / "migrations"
FILE_NAME = "record.sqlite3"


class RecordError(ValueError):
    """A record that cannot be used; the message is one plain sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The eyes' `state` (JSON text) after frame `frame_index` (time `t_s`), when the log ended at `seq`.

    `finished` is True once the source had no more frames.
    """

    seq: int
    frame_index: int
    t_s: float
    state: str
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """What one step of a round adds to the record; written as a whole or not at all."""

    round_id: int
    lines: tuple[PlayEvent, ...] = ()
    command_id: str | None = None
    checkpoint: Checkpoint | None = None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match to open. `started_at` ISO 8601."""

    match_id: int
    source: str
    ruleset: str
    options: dict[str, Any]
    started_at: str


@dataclass(frozen=True, slots=True)
class NewPlayers:
    """Who plays a match, replacing what was said before."""

    match_id: int
    players: tuple[PlayerView, ...]


@dataclass(frozen=True, slots=True)
class ChangedMatch:
    """A match that goes on under other rules or on another source."""

    match_id: int
    source: str
    ruleset: str
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NewRound:
    """A round to open. `started_at` ISO 8601."""

    round_id: int
    match_id: int
    number: int
    started_at: str


Entry = Batch | NewMatch | NewPlayers | ChangedMatch | NewRound


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as read back."""

    round_id: int
    number: int
    log: tuple[PlayEvent, ...]


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match as read back, its rounds in order."""

    match_id: int
    source: str
    ruleset: str
    options: dict[str, Any]
    players: tuple[PlayerView, ...]
    rounds: tuple[StoredRound, ...]
    started_at: str = ""


def _migrations(folder: Path) -> list[tuple[int, Path]]:
    found = []
    for path in sorted(folder.glob("*.sql")):
        number = re.match(r"(\d{4})_", path.name)
        if number:
            found.append((int(number[1]), path))
    return found


def migrate(path: Path, migrations: Path = MIGRATIONS) -> int:
    """Bring the record at `path` to the newest form; an older one is copied beside itself first.

    Returns the version reached.

    Raises:
        RecordError: if the file is no record or comes from a newer program.
    """
    steps = _migrations(migrations)
    newest = steps[-1][0]
    existed = path.exists() and path.stat().st_size > 0
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > newest:
            raise RecordError(
                f"the record {path} is from a newer blitzref; update the program or give another folder."
            )
        connection.execute("PRAGMA journal_mode = WAL")
        if existed and version < newest:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            shutil.copy2(path, path.with_name(f"{path.name}.v{version}"))
        for number, step in steps:
            if number > version:
                script = step.read_text(encoding="utf-8")
                connection.executescript(f"BEGIN;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")
        return newest
    except sqlite3.DatabaseError as error:
        raise RecordError(
            f"the record {path} cannot be read ({error}); move it away or give another folder."
        ) from error
    finally:
        connection.close()


class FolderLock:
    """Keeps a second program out of a data folder; the system frees it even after a crash."""

    def __init__(self, folder: Path) -> None:
        """Take the folder.

        Raises:
            RecordError: if another program has it, or it cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # One thread opens and another may close; the connection does nothing in between.
            self._connection = sqlite3.connect(
                folder / "lock", timeout=0.5, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise RecordError(
                f"the data folder {folder} is in use by another blitzref; close that or give another folder."
            ) from error
        except OSError as error:
            raise RecordError(f"the data folder {folder} cannot be written; give another one.") from error

    def release(self) -> None:
        """Give the folder back."""
        self._connection.close()


class Writer:
    """The only connection that writes; belongs to one thread."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA foreign_keys = ON")
        # NORMAL in WAL loses nothing when the program dies, and costs 0.06 ms instead of 3.8 ms a commit.
        self._connection.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def write(self, entries: Iterable[Entry]) -> None:
        """Write the entries in one transaction.

        Raises:
            sqlite3.Error: if the disk will not take them; nothing of them is kept then.
        """
        with self._transaction():
            for entry in entries:
                self._put(entry)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _put(self, entry: Entry) -> None:
        run = self._connection.execute
        match entry:
            case NewMatch():
                options = json.dumps(entry.options)
                run("INSERT INTO tables (id, name) VALUES (1, 'table') ON CONFLICT DO NOTHING")
                run(
                    "INSERT INTO matches (id, table_id, source, ruleset, options, started_at)"
                    " VALUES (?, 1, ?, ?, ?, ?)",
                    (
                        entry.match_id,
                        entry.source,
                        entry.ruleset,
                        options,
                        entry.started_at,
                    ),
                )
            case NewPlayers():
                run("DELETE FROM players WHERE match_id = ?", (entry.match_id,))
                for place, player in enumerate(entry.players):
                    run(
                        "INSERT INTO players (match_id, place, name, seat, deck, team)"
                        " VALUES (?, ?, ?, ?, ?, ?)",
                        (entry.match_id, place, player.name, player.seat, player.deck, player.team),
                    )
            case ChangedMatch():
                run(
                    "UPDATE matches SET source = ?, ruleset = ?, options = ? WHERE id = ?",
                    (entry.source, entry.ruleset, json.dumps(entry.options), entry.match_id),
                )
            case NewRound():
                run(
                    "INSERT INTO rounds (id, match_id, number, started_at) VALUES (?, ?, ?, ?)",
                    (entry.round_id, entry.match_id, entry.number, entry.started_at),
                )
            case Batch():
                self._put_batch(entry)

    def _put_batch(self, batch: Batch) -> None:
        run = self._connection.execute
        if batch.command_id is not None:
            run("INSERT INTO commands (id, round_id) VALUES (?, ?)", (batch.command_id, batch.round_id))
        for event in batch.lines:
            head = (batch.round_id, event.seq, event.t)
            by, line = str(event.extra.get("by", "")), write_line(event)
            if event.type is not EventType.CORRECTION:
                run(
                    "INSERT INTO events (round_id, seq, t_s, type, line) VALUES (?, ?, ?, ?, ?)",
                    (*head, str(event.type), line),
                )
            elif event.extra.get("action") == "count":
                run(
                    "INSERT INTO counts (round_id, seq, t_s, by, line) VALUES (?, ?, ?, ?, ?)",
                    (*head, by, line),
                )
            else:
                run(
                    "INSERT INTO corrections (round_id, seq, t_s, action, by, line)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    (*head, str(event.extra.get("action", "")), by, line),
                )
        if batch.checkpoint is not None:
            point = batch.checkpoint
            run(
                "INSERT OR REPLACE INTO checkpoints (round_id, seq, frame_index, t_s, finished, state)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    batch.round_id,
                    point.seq,
                    point.frame_index,
                    point.t_s,
                    int(point.finished),
                    point.state,
                ),
            )


class Reader:
    """A connection that only reads; each thread opens its own."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def last_match_id(self) -> int:
        """The highest match number, 0 if there is none."""
        return self._number("SELECT coalesce(max(id), 0) FROM matches")

    def used_match_id(self) -> int:
        """The match that was used last: each opening and each command leaves its mark; 0 if there is none."""
        return self._number(
            "SELECT coalesce((SELECT rounds.match_id FROM commands"
            " JOIN rounds ON rounds.id = commands.round_id ORDER BY commands.rowid DESC LIMIT 1),"
            " (SELECT max(id) FROM matches), 0)"
        )

    def match_sizes(self) -> dict[int, tuple[int, int]]:
        """How many log lines and commands each match has, the newest match first."""
        rows = self._connection.execute(
            "SELECT id,"
            " (SELECT count(*) FROM log JOIN rounds ON rounds.id = log.round_id WHERE match_id = matches.id),"
            " (SELECT count(*) FROM commands JOIN rounds ON rounds.id = commands.round_id"
            " WHERE match_id = matches.id) FROM matches ORDER BY id DESC"
        )
        return {int(match_id): (int(lines), int(commands)) for match_id, lines, commands in rows}

    def last_round_id(self) -> int:
        """The highest round number, 0 if there is none."""
        return self._number("SELECT coalesce(max(id), 0) FROM rounds")

    def _number(self, query: str, values: Sequence[Any] = ()) -> int:
        return int(self._connection.execute(query, values).fetchone()[0])

    def match(self, match_id: int) -> StoredMatch | None:
        """A match with its rounds and logs, or None."""
        row = self._connection.execute(
            "SELECT source, ruleset, options, started_at FROM matches WHERE id = ?", (match_id,)
        ).fetchone()
        if row is None:
            return None
        players = tuple(
            PlayerView(*player)
            for player in self._connection.execute(
                "SELECT name, seat, deck, team FROM players WHERE match_id = ? ORDER BY place", (match_id,)
            )
        )
        rounds = tuple(
            StoredRound(round_id, number, self.log(round_id))
            for round_id, number in self._connection.execute(
                "SELECT id, number FROM rounds WHERE match_id = ? ORDER BY number", (match_id,)
            ).fetchall()
        )
        return StoredMatch(match_id, row[0], row[1], json.loads(row[2]), players, rounds, row[3])

    def log(self, round_id: int) -> tuple[PlayEvent, ...]:
        """Every line of a round in order of `seq`."""
        rows = self._connection.execute("SELECT line FROM log WHERE round_id = ? ORDER BY seq", (round_id,))
        return tuple(read_log(row[0] for row in rows))

    def commands(self, round_id: int) -> frozenset[str]:
        """The ids of the commands already carried out in a round."""
        rows = self._connection.execute("SELECT id FROM commands WHERE round_id = ?", (round_id,))
        return frozenset(row[0] for row in rows)

    def checkpoint(self, round_id: int) -> Checkpoint | None:
        """The last saved state of the eyes in a round, or None."""
        row = self._connection.execute(
            "SELECT seq, frame_index, t_s, state, finished FROM checkpoints WHERE round_id = ?", (round_id,)
        ).fetchone()
        return None if row is None else Checkpoint(row[0], row[1], row[2], row[3], bool(row[4]))
