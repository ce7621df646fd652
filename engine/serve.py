"""One engine per process: opening and closing its table, and starting the dashboard around it."""

from __future__ import annotations

import os
import runpy
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

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
from engine.parts import find_factory
from engine.settings import ENV_PREFIX, Settings
from engine.setup_file import load_setup
from engine.table import Table

APP = Path(__file__).parent.parent / "app.py"
PORTS_TRIED = 20

_tables: list[Table] = []
_doors: list[JoinDoor] = []


class ServeError(ValueError):
    """The dashboard cannot be started; the message is one plain sentence."""


def open_table(settings: Settings | None = None) -> Table:
    """Open this process's table, or return the one that is open.

    Raises:
        SetupError, RecordError, SourceError, OptionError: each with one plain sentence.
    """
    if not _tables:
        settings = settings or Settings()
        setup = load_setup(settings.setup)
        table = Table(find_factory(settings.factory)(settings, setup), settings, setup)
        use_table(table)
        table.start()
    return _tables[0]


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
        _doors.clear()
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
) -> None:
    """Run the dashboard until Ctrl-C. What is None comes from the settings.

    It listens on this computer only, or with `join` (a code, or `new`) on the home network, where every
    request needs the code. `calls` is a log whose calls are told along with a recording, which has no sound.

    Raises:
        ServeError, SetupError, RecordError, SourceError, OptionError, LogError, JoinError: each with one
            plain sentence.
    """
    join = join or Settings().join
    code = None if join is None else wanted_code(join)
    given = {
        "source": source,
        "setup": setup,
        "data_dir": data_dir,
        "calls": calls,
        "factory": factory,
        "file_pace": file_pace,
        "join": code,
        "port": free_port(port, HOST if code is None else ALL_HOSTS),
        "open_browser": open_browser,
    }
    for key, value in given.items():
        if value is not None:
            os.environ[f"{ENV_PREFIX}{key.upper()}"] = str(value)
    # The table opens first, so that a wrong setup is told here, in one line, and not in a browser.
    open_table()
    try:
        open_door(Settings())
        _tell(invitation(Settings()))
        sys.argv = [str(APP)]
        runpy.run_path(str(APP), run_name="__main__")
    finally:
        close_table()
        _doors.clear()


def _tell(invited: Invitation | None) -> None:
    if invited is not None:
        print(f"Other machines in this network: {invited.address}   join code {invited.code}", flush=True)
    elif current_door() is not None:
        print("This machine is in no network now, so nobody else can join.", file=sys.stderr, flush=True)
