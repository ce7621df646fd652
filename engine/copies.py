"""What a table's record holds, as plain rows, so that it can be copied elsewhere bit by bit."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

MOST_LINES = 5000
"""Lines of one kind that are copied at a time; a round has some hundreds."""

_LINES = {
    "events": "SELECT rowid, round_id, seq, t_s, type, '', line FROM events",
    "corrections": "SELECT rowid, round_id, seq, t_s, action, by, line FROM corrections",
    "counts": "SELECT rowid, round_id, seq, t_s, 'count', by, line FROM counts",
}
KINDS = tuple(_LINES)
"""The three tables of lines: facts, opinions, counts."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match; `options` and `players` are JSON text."""

    id: int
    source: str
    ruleset: str
    options: str
    started_at: str
    players: str


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round."""

    id: int
    match_id: int
    number: int
    started_at: str


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line of a round's log: `word` is its type or action, `line` the whole of it as JSON text."""

    place: int
    round_id: int
    seq: int
    t_s: float
    word: str
    said_by: str
    line: str


@dataclass(frozen=True, slots=True)
class Copy:
    """What a record holds at one moment: all matches and rounds, and the lines after given places by kind."""

    matches: tuple[MatchRow, ...]
    rounds: tuple[RoundRow, ...]
    lines: Mapping[str, tuple[LineRow, ...]] = field(default_factory=dict)


@contextmanager
def _opened(record: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"{record.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("BEGIN")
        yield connection
    finally:
        connection.close()


def record_uid(record: Path) -> str:
    """What tells this record from any other.

    Raises:
        sqlite3.Error: if it cannot be read.
    """
    with _opened(record) as connection:
        return str(connection.execute("SELECT uid FROM identity").fetchone()[0])


def copy_after(record: Path, places: Mapping[str, int]) -> Copy:
    """The record's matches and rounds, and of each kind the lines after that place, all as of one moment.

    The lines' tables are only ever appended to, so a place that was reached never has to be looked at again.

    Raises:
        sqlite3.Error: if it cannot be read.
    """
    with _opened(record) as connection:
        lines = {
            kind: tuple(
                LineRow(*row)
                for row in connection.execute(
                    f"{query} WHERE rowid > ? ORDER BY rowid LIMIT {MOST_LINES}", (places[kind],)
                )
            )
            for kind, query in _LINES.items()
        }
        rounds = connection.execute("SELECT id, match_id, number, started_at FROM rounds ORDER BY id")
        matches = connection.execute(
            "SELECT id, source, ruleset, options, started_at FROM matches ORDER BY id"
        )
        return Copy(
            tuple(
                MatchRow(id_, source, rules, options, since, _players(connection, id_))
                for id_, source, rules, options, since in matches.fetchall()
            ),
            tuple(RoundRow(*row) for row in rounds),
            lines,
        )


def _players(connection: sqlite3.Connection, match_id: int) -> str:
    rows = connection.execute("SELECT * FROM players WHERE match_id = ? ORDER BY place", (match_id,))
    names = [column[0] for column in rows.description]
    people = [dict(zip(names, row, strict=True)) for row in rows]
    return json.dumps(
        [{key: one[key] for key in names if key not in ("match_id", "place")} for one in people]
    )
