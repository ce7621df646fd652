"""The two kinds of database to which the tables of a club write: a SQLite file, a PostgreSQL server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

MIGRATIONS = Path(__file__).parent / "migrations" / "club"
WAIT_S = 5
"""How long a statement waits for another table, or for the server."""
MIGRATION_LOCK = 0x626C6974
"""Any number, so that two programs do not bring the database up to date at once."""


class ClubError(ValueError):
    """A club that cannot be used; the message is one plain sentence."""


class Busy(Exception):
    """The database cannot be reached just now; it is worth trying again. The message says why."""


class Database(Protocol):
    """What the two kinds of database have in common. Statements mark values by `?`."""

    now_s: str
    """The database's clock in seconds, as an expression."""

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Carry out a statement; returns the number of rows that it changed."""
        ...

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Carry out a statement for each row of values."""
        ...

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        ...

    def whole(self) -> Any:
        """A context in which all is done or nothing; another writer waits."""
        ...

    def version(self) -> int:
        """The form that the database has, 0 where it is new; within `whole`."""
        ...

    def bring_up(self, script: str, own: str) -> None:
        """Carry out a migration: its common part and the part for this kind; within `whole`."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...

    kind: str
    """`sqlite` or `postgresql`."""


class SqliteDatabase:
    """A file that the tables of one computer share."""

    kind = "sqlite"
    now_s = "((julianday('now') - 2440587.5) * 86400.0)"

    def __init__(self, path: Path) -> None:
        """Open or make the file.

        Raises:
            Busy: if it cannot be opened.
        """
        with _sqlite_trouble():
            # One thread opens it and another goes on with it; they never use it at once.
            self._connection = sqlite3.connect(
                path, isolation_level=None, timeout=WAIT_S, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("PRAGMA foreign_keys = ON")

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Carry out a statement."""
        with _sqlite_trouble():
            return self._connection.execute(statement, values).rowcount

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Carry out a statement for each row."""
        with _sqlite_trouble():
            self._connection.executemany(statement, rows)

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with _sqlite_trouble():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def whole(self) -> Iterator[None]:
        """All or nothing."""
        self.run("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.rollback()
            raise
        self.run("COMMIT")

    def version(self) -> int:
        """The form of the file."""
        self.run("CREATE TABLE IF NOT EXISTS club_version (version BIGINT NOT NULL)")
        return int(self.rows("SELECT coalesce(max(version), 0) FROM club_version")[0][0])

    def bring_up(self, script: str, own: str) -> None:
        """Carry out a migration statement by statement: as a script, SQLite would end the transaction."""
        statement = ""
        for line in f"{script}\n{own}".splitlines(keepends=True):
            statement += line
            if sqlite3.complete_statement(statement):
                self.run(statement)
                statement = ""

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


@contextmanager
def _sqlite_trouble() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise Busy(str(error)) from error
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.IntegrityError):
            raise
        raise ClubError("this file is no club database; give another one with --club.") from error


class PostgresDatabase:
    """A server that the tables of several computers share; needs the extra `club`."""

    kind = "postgresql"
    now_s = "extract(epoch from clock_timestamp())::double precision"

    def __init__(self, url: str) -> None:
        """Connect to the server.

        Raises:
            ClubError: if the URL is none, or the extra is missing.
            Busy: if the server does not answer.
        """
        try:
            import psycopg
        except ImportError as error:
            raise ClubError(
                "PostgreSQL needs a further library: install blitzref with the extra club, .[club]."
            ) from error
        self._psycopg = psycopg
        try:
            psycopg.conninfo.conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise ClubError(
                "this is no address of a club database; it looks like postgresql://name:word@host:5432/club."
            ) from error
        with self._trouble():
            self._connection = psycopg.connect(
                url,
                autocommit=True,
                connect_timeout=WAIT_S,
                tcp_user_timeout=WAIT_S * 1000,
                application_name="blitzref",
                options=f"-c statement_timeout={WAIT_S}s -c search_path=blitzref",
            )

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        try:
            yield
        except self._psycopg.OperationalError as error:
            raise Busy(" ".join(str(error).split()).rstrip(".?")) from error
        except self._psycopg.errors.InsufficientPrivilege as error:
            raise ClubError(
                "this name may not write to the club database; ask who looks after it."
            ) from error

    def run(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Carry out a statement."""
        with self._trouble():
            return int(self._connection.execute(_marked(statement), values).rowcount)

    def run_many(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Carry out a statement for each row."""
        with self._trouble(), self._connection.cursor() as cursor:
            cursor.executemany(_marked(statement), rows)

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self._trouble():
            return list(self._connection.execute(_marked(query), values).fetchall())

    @contextmanager
    def whole(self) -> Iterator[None]:
        """All or nothing."""
        with self._trouble(), self._connection.transaction():
            yield

    def version(self) -> int:
        """The form of the database; another program that brings it up to date is waited for."""
        self.run("SELECT pg_advisory_xact_lock(?)", (MIGRATION_LOCK,))
        self.run("CREATE SCHEMA IF NOT EXISTS blitzref")
        self.run("CREATE TABLE IF NOT EXISTS club_version (version BIGINT NOT NULL)")
        return int(self.rows("SELECT coalesce(max(version), 0) FROM club_version")[0][0])

    def bring_up(self, script: str, own: str) -> None:
        """Carry out a migration."""
        with self._trouble():
            self._connection.execute(script)
            self._connection.execute(own)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _marked(statement: str) -> str:
    return statement.replace("?", "%s")


def place_in_words(place: str) -> str:
    """Where the club's database is, without name and password."""
    _, is_address, rest = place.partition("://")
    return rest.partition("?")[0].rpartition("@")[2] if is_address else place


def open_database(place: str) -> Database:
    """The database at `place`, a file or a `postgresql://` address, brought up to date.

    Raises:
        ClubError: if it cannot be used.
        Busy: if it cannot be reached just now.
    """
    if place.startswith(("postgresql://", "postgres://")):
        database: Database = PostgresDatabase(place)
    elif "://" in place:
        raise ClubError("the club's database is a file or a postgresql:// address; give one of these.")
    else:
        path = Path(place)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ClubError(f"the folder {path.parent} cannot be written; give another --club.") from error
        database = SqliteDatabase(path)
    try:
        _migrate(database)
    except BaseException:
        database.close()
        raise
    return database


def _migrate(database: Database, folder: Path = MIGRATIONS) -> None:
    steps = {int(path.name[:4]): path for path in folder.glob("*.sql") if path.name.count(".") == 1}
    with database.whole():
        version = database.version()
        if version > max(steps):
            raise ClubError("the club's database is from a newer blitzref; update the program.")
        for number, path in sorted(steps.items()):
            if number > version:
                own = path.with_name(f"{path.stem}.{database.kind}.sql")
                database.bring_up(
                    path.read_text(encoding="utf-8"),
                    own.read_text(encoding="utf-8") if own.exists() else "",
                )
                database.run("INSERT INTO club_version (version) VALUES (?)", (number,))
