"""One engine per process: opening and closing its table, and starting the dashboard around it."""

from __future__ import annotations

import os
import runpy
import signal
import socket
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from engine.club import FILE_NAME as CLUB_FILE
from engine.club import ClubLink, table_folder
from engine.club_database import ClubError
from engine.joining import (
    ALL_HOSTS,
    HOST,
    JoinDoor,
    JoinError,
    join_link,
    kept_key,
    network_address,
    wanted_code,
)
from engine.kept import with_kept_source
from engine.memory import share_heaps
from engine.parts import find_factory
from engine.record import FILE_NAME
from engine.settings import ENV_PREFIX, Settings
from engine.setup_file import load_setup
from engine.table import Table

APP = Path(__file__).parent.parent / "app.py"
PORTS_TRIED = 20

_tables: list[Table] = []
_doors: list[JoinDoor] = []
_clubs: list[ClubLink] = []
_closing = threading.Lock()


class ServeError(ValueError):
    """The dashboard cannot be started; the message is one plain sentence."""


def open_table(settings: Settings | None = None) -> Table:
    """Open this process's table, or return the one that is open.

    Raises:
        SetupError, RecordError, SourceError, OptionError: each with one plain sentence.
    """
    if not _tables:
        settings = with_kept_source(settings or Settings())
        setup = load_setup(settings.setup)
        table = Table(find_factory(settings.factory)(settings, setup), settings, setup)
        use_table(table)
        table.start()
    return _tables[0]


def open_club(settings: Settings) -> None:
    """Tell the club of the open table, if the settings name the table and its club.

    Raises:
        ClubError: if the club cannot be used.
    """
    if _clubs or settings.table is None or settings.club is None:
        return
    invited, hub = invitation(settings), _tables[0].hub
    link = ClubLink(
        settings.club,
        settings.table,
        settings.data_dir / FILE_NAME,
        lambda: hub.snapshot,
        address(settings) if invited is None else invited.address,
    )
    _clubs.append(link)
    link.start()


def current_club() -> ClubLink | None:
    """The club of the open table, if it is in one."""
    return _clubs[0] if _clubs else None


def open_all(settings: Settings | None = None) -> None:
    """Open this process's table, the door for others, and the way to the club; what is open stays so.

    Raises:
        SetupError, RecordError, SourceError, OptionError, JoinError, ClubError: each with one plain sentence.
    """
    settings = settings or Settings()
    open_table(settings)
    if current_door() is None:
        open_door(settings)
    open_club(settings)


def close_all() -> None:
    """Stop the open table, tell the club so, and shut the door; whoever comes second waits for the first."""
    with _closing:
        close_table()
        while _clubs:
            _clubs.pop().stop()
        _doors.clear()


def address(settings: Settings) -> str:
    """Where the dashboard is found on this computer."""
    return f"http://{HOST}:{settings.port}"


def listening_host(settings: Settings) -> str:
    """Where the server listens: on this computer only, unless others may join."""
    return HOST if settings.join is None else ALL_HOSTS


def open_door(settings: Settings) -> None:
    """Let other machines in by the code of the settings, if there is one.

    Raises:
        JoinError: if the code is too short, or its key cannot be kept.
    """
    if settings.join is None:
        return
    try:
        _doors[:] = [JoinDoor(wanted_code(settings.join), kept_key(settings.data_dir))]
    except OSError as error:
        raise JoinError(
            f"the data folder {settings.data_dir} cannot be written; give another one."
        ) from error


def current_door() -> JoinDoor | None:
    """The door for other machines; None where this computer only may see the table."""
    return _doors[0] if _doors else None


@dataclass(frozen=True, slots=True)
class Invitation:
    """What somebody else needs to see the table: its address in the network, and the code."""

    address: str
    code: str

    def link(self, page: str = "/") -> str:
        """The link that joins and opens a page."""
        return join_link(self.address, self.code, page)


def invitation(settings: Settings) -> Invitation | None:
    """How others join; None where they may not, or where this machine is in no network."""
    door, host = current_door(), network_address()
    return None if door is None or host is None else Invitation(f"http://{host}:{settings.port}", door.code)


def use_table(table: Table) -> None:
    """Make `table` the one that the pages show."""
    _tables[:] = [table]


def current_table() -> Table | None:
    """The open table, if any."""
    return _tables[0] if _tables else None


def close_table() -> None:
    """Stop the open table."""
    while _tables:
        _tables.pop().stop()


def free_port(first: int, host: str = HOST) -> int:
    """The first port from `first` that nobody listens on at `host`.

    Raises:
        ServeError: if the next twenty are all taken.
    """
    for port in range(first, first + PORTS_TRIED):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise ServeError(f"the ports {first} to {first + PORTS_TRIED - 1} are all in use; give another --port.")


def serve(
    source: str | None = None,
    setup: Path | None = None,
    data_dir: Path | None = None,
    port: int = 8501,
    open_browser: bool = True,
    *,
    calls: Path | None = None,
    factory: str | None = None,
    file_pace: float | None = None,
    join: str | None = None,
    table: str | None = None,
    club: str | None = None,
    household: Path | None = None,
    hearing: bool | None = None,
) -> None:
    """Run the dashboard until Ctrl-C. What is None comes from the settings.

    It listens on this computer only, or with `join` (a code, or `new`) on the home network, where every
    request needs the code. `calls` is a log whose calls are told along with a silent recording.
    `table` names this table in a club of several, each with a folder of its own in `data_dir`; `club` is the
    club's database, left out a file in `data_dir`. `household` holds the enrolled decks and
    the taught words; without `hearing` those are not listened for.

    Raises:
        ServeError, SetupError, RecordError, SourceError, OptionError, LogError, JoinError, ClubError: each
            with one plain sentence.
    """
    usual = Settings()
    join, table, club = join or usual.join, table or usual.table, club or usual.club
    code = None if join is None else wanted_code(join)
    if table is not None:
        folder = data_dir or usual.data_dir
        data_dir, club = table_folder(folder, table), club or str((folder / CLUB_FILE).absolute())
    elif club is not None:
        raise ClubError("a club tells its tables apart by their names; name this one with --table.")
    given = {
        "source": source,
        "setup": setup,
        "data_dir": data_dir,
        "calls": calls,
        "factory": factory,
        "file_pace": file_pace,
        "join": code,
        "table": table,
        "club": club,
        "household": household,
        "hearing": hearing,
        "port": free_port(port, HOST if code is None else ALL_HOSTS),
        "open_browser": open_browser,
    }
    for key, value in given.items():
        if value is not None:
            os.environ[f"{ENV_PREFIX}{key.upper()}"] = str(value)
    share_heaps()
    # Asked to end by the system, it clears away what Ctrl-C would.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # All opens first, so that a wrong setup is told here, in one line, and not in a browser.
    try:
        open_all()
        _tell(invitation(Settings()))
        sys.argv = [str(APP)]
        runpy.run_path(str(APP), run_name="__main__")
    except KeyboardInterrupt:
        # The server ends by itself at a signal, and passes it on when it is done.
        pass
    finally:
        close_all()


def leave() -> NoReturn:
    """End the process after `serve`: pages that still run would be waited for, and hold nothing."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _tell(invited: Invitation | None) -> None:
    if invited is not None:
        print(f"Other machines in this network: {invited.address}   join code {invited.code}", flush=True)
    elif current_door() is not None:
        print("This machine is in no network now, so nobody else can join.", file=sys.stderr, flush=True)
