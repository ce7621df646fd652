"""One engine per process: opening and closing its table, and starting the dashboard around it."""

from __future__ import annotations

import os
import runpy
import socket
import sys
from pathlib import Path

from engine.parts import find_factory
from engine.settings import ENV_PREFIX, Settings
from engine.setup_file import load_setup
from engine.table import Table

HOST = "127.0.0.1"
APP = Path(__file__).parent.parent / "app.py"
PORTS_TRIED = 20

_tables: list[Table] = []


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
    """Where the dashboard is found."""
    return f"http://{HOST}:{settings.port}"


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


def free_port(first: int) -> int:
    """The first port from `first` that nobody listens on.

    Raises:
        ServeError: if the next twenty are all taken.
    """
    for port in range(first, first + PORTS_TRIED):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
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
) -> None:
    """Run the dashboard on this computer only, until Ctrl-C. What is None comes from the settings.

    `calls` is a log whose calls are told along with a recording, which has no sound.

    Raises:
        ServeError, SetupError, RecordError, SourceError, OptionError, LogError: each with one plain sentence.
    """
    given = {
        "source": source,
        "setup": setup,
        "data_dir": data_dir,
        "calls": calls,
        "factory": factory,
        "file_pace": file_pace,
        "port": free_port(port),
        "open_browser": open_browser,
    }
    for key, value in given.items():
        if value is not None:
            os.environ[f"{ENV_PREFIX}{key.upper()}"] = str(value)
    # The table opens first, so that a wrong setup is told here, in one line, and not in a browser.
    open_table()
    try:
        sys.argv = [str(APP)]
        runpy.run_path(str(APP), run_name="__main__")
    finally:
        close_table()
