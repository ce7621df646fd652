"""A real PostgreSQL server of one's own: made in a new folder, on a free port, gone at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE_S = 120.0
DEBIAN = Path("/usr/lib/postgresql")


def _program(name: str) -> str | None:
    newest = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    return shutil.which(name) or (str(newest[-1]) if newest else None)


def _unprivileged() -> str | None:
    """The server refuses to run as root; then it runs as the user of its package."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return "nobody"


@dataclass
class Server:
    """A server that can be stopped and started again."""

    folder: Path
    port: int
    user: str | None

    @property
    def url(self) -> str:
        """Its address with a fresh database's name."""
        return f"postgresql://blitzref@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder} -F"
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-o", options, "-l", str(self.folder / "log"))
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self) -> None:
        """Stop it as a crash would."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", action="stop")

    def _run(self, program: str, *words: str, action: str = "start") -> None:
        found = _program(program)
        assert found is not None
        command = [found, action, *words] if program == "pg_ctl" else [found, *words]
        subprocess.run(
            command,
            check=True,
            user=self.user,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE_S,
        )

    def make(self) -> None:
        """Make the server's files."""
        words = ("-D", str(self.folder / "data"), "-U", "blitzref", "-A", "trust", "-E", "UTF8", "--no-sync")
        self._run("initdb", *words)


@contextmanager
def server() -> Iterator[Server]:
    """A running server; skipped where PostgreSQL is not installed."""
    if _program("initdb") is None or _program("pg_ctl") is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    user = _unprivileged()
    with tempfile.TemporaryDirectory(prefix="blitzref-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if user is not None:
            shutil.chown(folder, user)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        made = Server(folder, port, user)
        made.make()
        made.start()
        try:
            yield made
        finally:
            made.stop()
