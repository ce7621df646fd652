"""The program as a process of its own, on a free port, for tests that need the real server."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

PATIENCE_S = 180.0
SETUP = """
[[players]]
name = "Ann"
seat = "left"
deck = "pump"
[[players]]
name = "Bo"
seat = "right"
deck = "pail"
"""
PROGRAM = """
import sys
from pathlib import Path
from engine.serve import leave, serve
folder, port, join, factory = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] or None, sys.argv[4]
serve(setup=folder / "SETUP.toml", data_dir=folder / "data", port=port, open_browser=False,
      factory=factory, join=join, file_pace=float(sys.argv[5]))
leave()
"""
DRAWN = "tests.dashboard.fakes:drawn_parts"


@dataclass(frozen=True)
class Server:
    """A running program."""

    process: subprocess.Popen[str]
    port: int

    def interrupt(self) -> int:
        """Ctrl-C; the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE_S)


def free_port() -> int:
    """A port that nobody listens on, at any address."""
    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    folder: Path, *, join: str = "", factory: str = DRAWN, setup: str = SETUP, pace: float = 1.0
) -> Iterator[Server]:
    """The program, once it answers; ended at the end if it still runs. `pace`: speed of a recording."""
    (folder / "SETUP.toml").write_text(setup, encoding="utf-8")
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), str(port), join, factory, str(pace)],
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        _wait_for(process, port)
        yield Server(process, port)
    finally:
        process.kill()
        process.communicate()


def _wait_for(process: subprocess.Popen[str], port: int) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        assert process.poll() is None, "the program ended at once"
        try:
            if ask("127.0.0.1", port, "/_stcore/health").status == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the program does not answer")


def ask(
    host: str,
    port: int,
    path: str,
    *,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    body: str | None = None,
) -> HTTPResponse:
    """One request on a connection of its own; the answer with its body not yet read."""
    connection = HTTPConnection(host, port, timeout=PATIENCE_S)
    connection.request(method, path, body, headers or {})
    return connection.getresponse()
