"""Several tables and one club: nothing is copied twice or lost, on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import club_database, club_store
from engine.club import ClubLink, PlayerStatus, TableStatus, status_of, table_folder
from engine.club_database import Busy, ClubError, open_database, place_in_words
from engine.club_store import ClubStore
from engine.copies import KINDS, copy_after, record_uid
from engine.hub import CameraHealth, CameraState, MatchView, Phase, RoundView, Snapshot
from engine.record import FILE_NAME, Batch, NewMatch, NewPlayers, NewRound, Writer, migrate
from referee.events import EventType, PlayEvent, write_line
from tests.engine.fakes import PLAYERS, play
from tests.engine.postgres import Server, server

PATIENCE_S = 60.0
NOW = "2026-01-01T00:00:00+00:00"
SNAPSHOT = Snapshot(
    7,
    RoundView(number=3, phase=Phase.PLAYING, clock_s=61.0),
    MatchView(match_id=1, target=75, players=PLAYERS, totals={"Ann": 12, "Bo": -4}),
    CameraHealth(CameraState.LIVE),
)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    with server() as made:
        yield made


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty club."""
    if request.param == "sqlite":
        yield str(tmp_path / "club" / "club.sqlite3")
    else:
        url = request.getfixturevalue("postgres").url
        yield url
        empty(url)


def empty(url: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA IF EXISTS blitzref CASCADE")


class Record:
    """A table's record that grows line by line."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE_NAME
        migrate(self.path)
        self._writer = Writer(self.path)
        self._writer.write([NewMatch(1, "fake", "dutch_blitz", {"target": 75}, NOW), NewPlayers(1, PLAYERS)])
        self.logs: dict[int, list[PlayEvent]] = {}
        self.new_round()

    @property
    def uid(self) -> str:
        return record_uid(self.path)

    def new_round(self) -> None:
        number = len(self.logs) + 1
        self.logs[number] = []
        self._writer.write([NewRound(number, 1, number, NOW)])

    def add(self, kind: str = "landed", round_id: int | None = None) -> None:
        log = self.logs[round_id or max(self.logs)]
        seq = len(log) + 1
        if kind == "landed":
            line = replace(play(float(seq), "landed", "d1", "red2"), seq=seq)
        else:
            extra = {"of": [], "action": kind, "by": "Ann"}
            line = PlayEvent(seq, float(seq), EventType.CORRECTION, extra=extra)
        log.append(line)
        self._writer.write([Batch(round_id or max(self.logs), (line,))])

    def lines(self) -> list[tuple[int, int, str]]:
        return [(one, line.seq, write_line(line)) for one, log in self.logs.items() for line in log]

    def close(self) -> None:
        self._writer.close()


def kept(place: str, uid: str) -> list[tuple[Any, ...]]:
    """The log of a record as the club has it."""
    with closing(open_database(place)) as database:
        return database.rows(
            "SELECT round_id, seq, line FROM log WHERE record = ? ORDER BY round_id, seq", (uid,)
        )


def join(place: str, table: str, record: Record) -> ClubStore:
    return ClubStore(open_database(place), table, record.uid)


def post(store: ClubStore, record: Record) -> None:
    store.post(copy_after(record.path, store.places()), "{}")


def eventually(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def test_facts_opinions_and_counts_are_copied_apart(place: str, tmp_path: Path) -> None:
    record = Record(tmp_path / "a")
    for kind in ("landed", "overrule", "landed", "count"):
        record.add(kind)
    with closing(join(place, "One", record)) as store:
        post(store, record)
        record.new_round()
        record.add()
        record.add("count", round_id=1)
        post(store, record)
        post(store, record)
    assert kept(place, record.uid) == sorted(record.lines())
    with closing(open_database(place)) as database:
        sizes = [database.rows(f"SELECT count(*) FROM {kind}")[0][0] for kind in KINDS]
        match = database.rows("SELECT ruleset, options, players FROM matches")
    assert sizes == [3, 1, 2]
    assert match[0][:2] == ("dutch_blitz", '{"target": 75}') and '"Ann"' in match[0][2]


@pytest.mark.parametrize("statement", ["UPDATE events SET line = ''", "DELETE FROM events"])
def test_the_club_keeps_every_line(place: str, tmp_path: Path, statement: str) -> None:
    record = Record(tmp_path / "a")
    record.add()
    with closing(join(place, "One", record)) as store:
        post(store, record)
    with closing(open_database(place)) as database, pytest.raises(Exception, match="append-only"):
        database.run(statement)
    assert len(kept(place, record.uid)) == 1


def test_tables_that_write_at_once_do_not_disturb_one_another(place: str, tmp_path: Path) -> None:
    records = [Record(tmp_path / name) for name in "abc"]
    for record in records:
        record.close()
    faults: list[BaseException] = []

    def work(i: int) -> None:
        try:
            writer = Writer(records[i].path)
            with closing(join(place, f"Table {i}", records[i])) as store:
                for seq in range(1, 31):
                    line = replace(play(float(seq), "landed", "d1", "red2"), seq=seq)
                    writer.write([Batch(1, (line,))])
                    records[i].logs[1].append(line)
                    post(store, records[i])
            writer.close()
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert faults == []
    for record in records:
        assert kept(place, record.uid) == record.lines()


class Cut(Exception):
    """The line to the club is cut in the middle of a transaction."""


STEPS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from(["landed", "count", "round", "post", "again", "cut"])),
    max_size=25,
)


@settings(max_examples=15, deadline=None)
@given(STEPS)
def test_whatever_is_cut_off_nothing_is_doubled_or_lost(steps: list[tuple[int, str]]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        place = str(folder / "club.sqlite3")
        records = [Record(folder / str(i)) for i in range(2)]
        stores = [join(place, f"Table {i}", record) for i, record in enumerate(records)]
        for i, step in steps:
            match step:
                case "landed" | "count":
                    records[i].add(step)
                case "round":
                    records[i].new_round()
                case "post":
                    post(stores[i], records[i])
                case "again":
                    stores[i].close()
                    stores[i] = join(place, f"Table {i}", records[i])
                case "cut":
                    with pytest.raises(Cut):
                        _post_until_cut(stores[i], records[i])
                    stores[i].close()
                    stores[i] = join(place, f"Table {i}", records[i])
        for store, record in zip(stores, records, strict=True):
            post(store, record)
            store.close()
            record.close()
        for record in records:
            assert kept(place, record.uid) == record.lines()


def _post_until_cut(store: ClubStore, record: Record) -> None:
    database = store._database
    whole = database.whole

    class Whole:
        def __enter__(self) -> None:
            self._inner = whole()
            self._inner.__enter__()

        def __exit__(self, *error: object) -> None:
            cut = Cut()
            self._inner.__exit__(Cut, cut, None)
            raise cut

    database.whole = Whole  # type: ignore[method-assign]
    post(store, record)


def test_a_server_that_dies_loses_nothing(postgres: Server, tmp_path: Path) -> None:
    record = Record(tmp_path / "a")
    link = ClubLink(postgres.url, "One", record.path, lambda: SNAPSHOT, post_s=0.05)
    link.start()
    try:
        record.add()
        eventually(lambda: bool(link.view.tables))
        postgres.stop()
        for _ in range(5):
            record.add()
        eventually(lambda: "cannot be reached" in (link.view.problem or ""))
        postgres.start()
        record.add("count")
        eventually(lambda: link.view.problem is None and len(kept(postgres.url, record.uid)) == 7)
    finally:
        link.stop()
    assert kept(postgres.url, record.uid) == record.lines()
    empty(postgres.url)


def test_each_table_sees_all_tables(place: str, tmp_path: Path) -> None:
    links = []
    for i, name in enumerate(("Two", "One")):
        record = Record(tmp_path / name)
        record.close()
        shown = replace(SNAPSHOT, round=replace(SNAPSHOT.round, number=i + 1))
        links.append(ClubLink(place, name, record.path, lambda shown=shown: shown, "http://x", post_s=0.05))
    for link in links:
        link.start()
    eventually(lambda: all(len(link.view.tables) == 2 for link in links))
    expected = [("One", True, 2), ("Two", True, 1)]
    eventually(lambda: [(o.name, o.is_open, o.status.round_number) for o in links[0].view.tables] == expected)
    tables = links[0].view.tables
    assert tables[0].status.players == (PlayerStatus("Ann", 12), PlayerStatus("Bo", -4))
    assert tables[0].age_s < PATIENCE_S
    links[1].stop()
    eventually(lambda: [one.is_open for one in links[0].view.tables] == [False, True])
    links[0].stop()


def test_a_table_s_name_is_held_by_one_program(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Record(tmp_path / "a"), Record(tmp_path / "b")
    held = join(place, "One", first)
    with pytest.raises(ClubError, match="already runs"):
        join(place, "One", second)
    join(place, "One", first).close()
    monkeypatch.setattr(club_store, "SILENT_S", -1.0)
    join(place, "One", second).close()
    with pytest.raises(ClubError, match="now runs"):
        post(held, first)
    held.close()


def test_a_table_that_was_closed_gives_its_name_free(place: str, tmp_path: Path) -> None:
    first, second = Record(tmp_path / "a"), Record(tmp_path / "b")
    with closing(join(place, "One", first)) as store:
        store.post(copy_after(first.path, store.places()), "{}", is_open=False)
    join(place, "One", second).close()


def test_programs_that_start_at_once_make_the_club_once(place: str, tmp_path: Path) -> None:
    faults: list[BaseException] = []

    def work() -> None:
        try:
            open_database(place).close()
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert faults == []
    with closing(open_database(place)) as database:
        assert database.rows("SELECT version FROM club_version") == [(1,)]


def test_a_club_of_a_newer_program_is_left_alone(place: str) -> None:
    with closing(open_database(place)) as database:
        database.run("INSERT INTO club_version (version) VALUES (99)")
    with pytest.raises(ClubError, match="newer blitzref"):
        open_database(place)


def test_a_file_that_is_no_club_is_told(tmp_path: Path) -> None:
    path = tmp_path / "club.sqlite3"
    path.write_bytes(b"not a database, not at all, but long enough to be taken for one" * 40)
    with pytest.raises(ClubError, match="no club database"):
        open_database(str(path))


@pytest.mark.parametrize(
    "place",
    [
        "postgresql://ann:secret@[bad",
        "postgresql://ann:secret@127.0.0.1:1/club",
        "mysql://ann:secret@127.0.0.1/club",
    ],
)
def test_a_wrong_address_is_told_without_its_password(place: str, tmp_path: Path) -> None:
    record = Record(tmp_path / "a")
    with pytest.raises(ClubError) as caught:
        ClubLink(place, "One", record.path, lambda: SNAPSHOT)
    assert "secret" not in str(caught.value) and "\n" not in str(caught.value)
    assert "secret" not in place_in_words("postgresql://ann:secret@host:5432/club")


def test_a_club_that_is_busy_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club_database, "WAIT_S", 0.05)
    place = str(tmp_path / "club.sqlite3")
    record = Record(tmp_path / "a")
    record.add()
    link = ClubLink(place, "One", record.path, lambda: SNAPSHOT, post_s=0.05)
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        link.start()
        eventually(lambda: "locked" in (link.view.problem or ""))
        other.execute("ROLLBACK")
    eventually(lambda: link.view.problem is None)
    link.stop()
    assert kept(place, record.uid) == record.lines()


def test_a_record_begun_anew_is_another_one(place: str, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        record = Record(tmp_path / folder)
        record.add()
        with closing(join(place, "One", record)) as store:
            store.post(copy_after(record.path, store.places()), "{}", is_open=False)
        assert kept(place, record.uid) == record.lines()
    with closing(open_database(place)) as database:
        assert database.rows("SELECT count(*) FROM records") == [(2,)]


def test_a_status_is_read_back_and_an_unknown_part_left_out() -> None:
    status = status_of(SNAPSHOT, "http://x:8501")
    assert TableStatus.from_text(status.to_text()) == status
    assert TableStatus.from_text('{"phase": "paused", "moon": 1}') == TableStatus(phase="paused")


@pytest.mark.parametrize("name", ["..", "a/b", "C:\\x", "Tisch 3 🂡", "."])
def test_any_name_is_a_folder_of_its_own_inside(tmp_path: Path, name: str) -> None:
    folder = table_folder(tmp_path, name)
    assert folder.parent == tmp_path / "tables" and folder.name.startswith("table-")
    folder.mkdir(parents=True)


@pytest.mark.parametrize("name", ["", "   ", "x" * 21, "a\nb"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ClubError, match="--table"):
        table_folder(tmp_path, name)


def test_a_club_that_is_away_is_busy(tmp_path: Path) -> None:
    with pytest.raises(Busy):
        open_database("postgresql://blitzref@127.0.0.1:1/club")
