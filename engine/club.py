"""Several tables of one club: each engine tells the others how its table is, and copies its record to them.

The table's own record stays the truth. The club's database may be away for an hour: the game goes on, and
what was missed is copied afterwards.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from urllib.parse import quote

from engine.club_database import Busy, ClubError, open_database, place_in_words
from engine.club_store import ClubStore
from engine.copies import copy_after, record_uid
from engine.hub import CameraState, Phase, Snapshot

FILE_NAME = "club.sqlite3"
POST_S = 2.0
STOP_S = 3.0
LONGEST_NAME = 20
"""Characters of a table's name: written as a folder's name it must not get too long for the disk."""
AWAY = "The club cannot be reached just now ({reason}); the game goes on, and it is told later."
STOPPED = "This table no longer tells the club how it is, after a fault; start the program again."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PlayerStatus:
    """A player, or a team, and the points so far."""

    name: str
    total: int


@dataclass(frozen=True, slots=True)
class TableStatus:
    """What a table tells the club. `address`: where its pages are found; `camera` a `CameraState`."""

    phase: str = Phase.WAITING
    round_number: int = 1
    ruleset: str = ""
    target: int | None = None
    players: tuple[PlayerStatus, ...] = ()
    winners: tuple[str, ...] = ()
    over: bool = False
    called_by: str | None = None
    open_flags: int = 0
    clock_s: float = 0.0
    camera: str = CameraState.STARTING
    camera_problem: str | None = None
    is_live: bool = True
    fps_hz: float = 0.0
    problems: tuple[str, ...] = ()
    address: str | None = None

    def to_text(self) -> str:
        """As JSON text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> TableStatus:
        """From JSON text; what this program does not know is left out, and what is missing is as usual."""
        said = json.loads(text)
        known = {field.name: said[field.name] for field in fields(cls) if field.name in said}
        known["players"] = tuple(PlayerStatus(p["name"], p["total"]) for p in known.get("players", ()))
        for key in ("winners", "problems"):
            known[key] = tuple(known.get(key, ()))
        return cls(**known)


def status_of(now: Snapshot, address: str | None = None) -> TableStatus:
    """The status of a table that looks like `now`."""
    view, match = now.round, now.match
    return TableStatus(
        phase=view.phase.value,
        round_number=view.number,
        ruleset=match.ruleset,
        target=match.target,
        players=tuple(PlayerStatus(side, match.totals.get(side, 0)) for side in match.sides),
        winners=match.winners,
        over=match.over,
        called_by=view.called_by,
        open_flags=sum(flag.open for flag in view.flags),
        clock_s=view.clock_s,
        camera=now.camera.state.value,
        camera_problem=now.camera.problem,
        is_live=now.camera.is_live,
        fps_hz=round(now.camera.fps_hz, 1),
        problems=now.problems,
        address=address,
    )


@dataclass(frozen=True, slots=True)
class ClubTable:
    """A table of the club. `age_s`: seconds since it was heard of; `is_open`: its program runs."""

    name: str
    status: TableStatus
    is_open: bool
    age_s: float


@dataclass(frozen=True, slots=True)
class ClubView:
    """All tables of the club as last seen from here. `problem`: one plain sentence, or None."""

    place: str
    here: str
    tables: tuple[ClubTable, ...] = ()
    problem: str | None = None


def table_folder(data_dir: Path, name: str) -> Path:
    """Where a named table of this computer keeps its record.

    Raises:
        ClubError: if the name cannot be one.
    """
    if not 1 <= len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise ClubError(f"a table's name has 1 to {LONGEST_NAME} characters; give another --table.")
    return data_dir / "tables" / f"table-{quote(name.strip(), safe='')}"


class ClubLink:
    """A thread that tells the club of this table and keeps a view of all tables."""

    def __init__(
        self,
        place: str,
        table: str,
        record: Path,
        snapshot: Callable[[], Snapshot],
        address: str | None = None,
        *,
        post_s: float = POST_S,
    ) -> None:
        """Reach the club, so that a wrong address is told at once.

        Raises:
            ClubError: if the club cannot be used, or another program runs a table of that name.
        """
        self._place, self._table, self._record = place, table, record
        self._snapshot, self._address, self._post_s = snapshot, address, post_s
        self._uid = record_uid(record)
        self._view = ClubView(place_in_words(place), table)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)
        try:
            self._store: ClubStore | None = self._reach()
            self._places = self._store.places()
        except Busy as error:
            raise ClubError(f"the club at {self._view.place} cannot be reached: {error}.") from error

    @property
    def view(self) -> ClubView:
        """All tables as last seen."""
        return self._view

    def start(self) -> None:
        """Begin to tell."""
        self._thread.start()

    def stop(self) -> None:
        """Say good-bye to the club and end; not for long where it does not answer."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(STOP_S)

    def _reach(self) -> ClubStore:
        database = open_database(self._place)
        try:
            return ClubStore(database, self._table, self._uid)
        except BaseException:
            database.close()
            raise

    def _run(self) -> None:
        try:
            while True:
                ending = self._stop.is_set()
                self._tell(is_open=not ending)
                if ending:
                    break
                self._stop.wait(self._post_s)
        except Exception:
            # The last stop of a thread: without it the page would go on showing tables as they once were.
            log.exception("the thread of the club ended")
            self._view = replace(self._view, problem=STOPPED)
        finally:
            self._let_go()

    def _tell(self, *, is_open: bool) -> None:
        try:
            if self._store is None:
                if not is_open:
                    return
                self._store = self._reach()
                self._places = self._store.places()
            copy = copy_after(self._record, self._places)
            status = status_of(self._snapshot(), self._address).to_text()
            self._store.post(copy, status, is_open=is_open)
            places = {kind: lines[-1].place for kind, lines in copy.lines.items() if lines}
            self._places = {**self._places, **places}
            self._view = replace(self._view, tables=self._tables(self._store), problem=None)
        except Busy as error:
            self._let_go()
            self._view = replace(self._view, problem=AWAY.format(reason=error))
        except sqlite3.OperationalError as error:
            self._view = replace(self._view, problem=AWAY.format(reason=error))
        except ClubError as error:
            self._let_go()
            text = str(error)
            self._view = replace(self._view, problem=f"{text[0].upper()}{text[1:]}")

    def _tables(self, store: ClubStore) -> tuple[ClubTable, ...]:
        return tuple(
            ClubTable(name, TableStatus.from_text(status), is_open, age_s)
            for name, status, is_open, age_s in store.tables()
        )

    def _let_go(self) -> None:
        """Close the connection: what became of the last words is not known, so it is asked again."""
        if self._store is not None:
            self._store.close()
            self._store = None
