"""What one table does in the club's database: hold its name, copy its record, read how all tables are.

Lines of a log are only ever appended; the database itself refuses to change one. How far a record was copied
is kept beside its lines and moves in the same transaction, so that nothing is copied twice or left out.
"""

from __future__ import annotations

from typing import Any

from engine.club_database import ClubError, Database
from engine.copies import KINDS, Copy, MatchRow

SILENT_S = 15.0
"""A table that said nothing for so long no longer holds its name."""
SHOWN_S = 24 * 3600.0
"""A table that said nothing for a day is no longer shown."""


class ClubStore:
    """The club's database in the hands of one table. For one thread at a time."""

    def __init__(self, database: Database, table: str, uid: str) -> None:
        """Take the table's name.

        Raises:
            ClubError: if another record has it and was heard of just now.
            Busy: if the database cannot be reached just now.
        """
        self._database, self._table, self._uid = database, table, uid
        self._sent: dict[int, tuple[Any, ...]] = {}
        self._last_round = 0
        now_s = database.now_s
        with database.whole():
            taken = database.run(
                "INSERT INTO club_tables (name, record, status, is_open, beat_s)"
                f" VALUES (?, ?, ?, 1, {now_s}) ON CONFLICT (name)"
                " DO UPDATE SET record = excluded.record, is_open = 1, beat_s = excluded.beat_s"
                " WHERE club_tables.record = excluded.record OR club_tables.is_open = 0"
                f" OR club_tables.beat_s < excluded.beat_s - {SILENT_S}",
                (table, uid, "{}"),
            )
            if not taken:
                raise ClubError(f"another program already runs the table {table!r}; give another --table.")
            database.run(
                "INSERT INTO records (uid, table_name) VALUES (?, ?)"
                " ON CONFLICT (uid) DO UPDATE SET table_name = excluded.table_name",
                (uid, table),
            )

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    def places(self) -> dict[str, int]:
        """How far the record was copied, by kind of line."""
        query = f"SELECT {', '.join(f'{kind}_at' for kind in KINDS)} FROM records WHERE uid = ?"
        return dict(zip(KINDS, map(int, self._database.rows(query, (self._uid,))[0]), strict=True))

    def post(self, copy: Copy, status: str, *, is_open: bool = True) -> None:
        """Add what is new in the record, and say how the table is.

        Raises:
            ClubError: if another record has taken the table's name.
            Busy: if the database cannot be reached just now; nothing is kept then.
        """
        database = self._database
        with database.whole():
            held = database.run(
                f"UPDATE club_tables SET status = ?, is_open = ?, beat_s = {database.now_s}"
                " WHERE name = ? AND record = ?",
                (status, int(is_open), self._table, self._uid),
            )
            if not held:
                raise ClubError(f"another program now runs the table {self._table!r}; give another --table.")
            self._post_heads(copy)
            for kind, lines in copy.lines.items():
                if lines:
                    database.run_many(
                        f"INSERT INTO {kind} (record, round_id, seq, t_s, word, said_by, line)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?)",
                        [(self._uid, r.round_id, r.seq, r.t_s, r.word, r.said_by, r.line) for r in lines],
                    )
                    database.run(
                        f"UPDATE records SET {kind}_at = ? WHERE uid = ?", (lines[-1].place, self._uid)
                    )
        self._sent = {match.id: _values(match) for match in copy.matches}
        self._last_round = max((one.id for one in copy.rounds), default=0)

    def _post_heads(self, copy: Copy) -> None:
        for match in copy.matches:
            if self._sent.get(match.id) != _values(match):
                self._database.run(
                    "INSERT INTO matches (record, id, source, ruleset, options, started_at, players)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (record, id)"
                    " DO UPDATE SET source = excluded.source,"
                    " ruleset = excluded.ruleset, options = excluded.options, players = excluded.players",
                    (self._uid, *_values(match)),
                )
        fresh = [one for one in copy.rounds if one.id > self._last_round]
        if fresh:
            self._database.run_many(
                "INSERT INTO rounds (record, id, match_id, number, started_at) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                [(self._uid, one.id, one.match_id, one.number, one.started_at) for one in fresh],
            )

    def tables(self) -> list[tuple[str, str, bool, float]]:
        """Name, status, whether it is open, and seconds since it was heard of, of each table, by name.

        Raises:
            Busy: if the database cannot be reached just now.
        """
        now_s = self._database.now_s
        rows = self._database.rows(
            f"SELECT name, status, is_open, {now_s} - beat_s FROM club_tables"
            f" WHERE beat_s > {now_s} - {SHOWN_S} ORDER BY name"
        )
        return [(str(name), str(status), bool(is_open), float(age)) for name, status, is_open, age in rows]


def _values(match: MatchRow) -> tuple[Any, ...]:
    return (match.id, match.source, match.ruleset, match.options, match.started_at, match.players)
