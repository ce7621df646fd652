"""However much is pressed there is one capture; a closed tab and Ctrl-C leave nothing behind."""

from __future__ import annotations

import importlib
import pkgutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.testing.v1 import AppTest
from websockets.sync.client import connect

import dashboard
from engine import serve
from engine.record import FolderLock
from engine.settings import Settings
from tests.dashboard.counted import captures
from tests.dashboard.server import PATIENCE_S, SETUP, ask, running

COUNTED = "tests.dashboard.counted:counted_parts"
HANGING = "tests.dashboard.counted:hanging_parts"
PAGES = ("live", "count", "review", "match", "setup")
CHANGES = 50
STUCK_S = 3.0


@contextmanager
def unfolded(label: str, key: str, *, at_first: bool = False) -> Iterator[bool]:
    """A part of a page that is always open: most widgets are in parts that are closed at first."""
    with st.expander(label, True):
        yield True


def change(page: AppTest, turn: int) -> bool:
    """Change one of the page's widgets to another value; False where it has none that can be changed."""
    widgets: list[Any] = [*page.number_input, *page.selectbox, *page.text_input, *page.checkbox, *page.radio]
    widgets = [widget for widget in widgets if not widget.disabled]
    if not widgets:
        return False
    widget = widgets[turn % len(widgets)]
    match widget.type:
        case "number_input":
            least, most, step = widget.min or 0, widget.max or 9, widget.step or 1
            whole = float(step).is_integer()
            steps = turn % (1 + int((most - least) / step))
            widget.set_value(int(least + steps * step) if whole else float(least + steps * step))
        case "selectbox" | "radio":
            widget.set_value(widget.options[turn % len(widget.options)])
        case "checkbox":
            widget.set_value(not widget.value)
        case _:
            widget.set_value(f"Player {turn}")
    page.run()
    return True


def test_fifty_changes_leave_one_capture_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup, data = tmp_path / "SETUP.toml", tmp_path / "data"
    setup.write_text(SETUP, encoding="utf-8")
    for key, value in (("SETUP", setup), ("DATA_DIR", data), ("FACTORY", COUNTED)):
        monkeypatch.setenv(f"BLITZREF_{key}", str(value))
    names = [found.name for found in pkgutil.iter_modules(dashboard.__path__, "dashboard.")]
    # All are loaded before the first is changed: what is loaded later would keep the changed one.
    modules = [importlib.import_module(name) for name in names if name != "dashboard.main"]
    for module in modules:
        if hasattr(module, "section"):
            monkeypatch.setattr(module, "section", unfolded)
    serve.open_all(Settings())
    try:
        threads = threading.active_count()
        pages = [
            AppTest.from_string(f"from dashboard import {name}\n{name}.page()\n", default_timeout=120).run()
            for name in PAGES
        ]
        changed = 0
        for turn in range(4 * CHANGES):
            page = pages[turn % len(pages)]
            changed += change(page, turn)
            assert not page.exception
            if changed == CHANGES:
                break
        assert changed == CHANGES
        assert captures(data) == (1, 0)
        assert threading.active_count() == threads
    finally:
        serve.close_all()
    assert captures(data) == (1, 1)


def eventually(what: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)


def looking(port: int) -> socket.socket:
    """A viewer of the live picture, who has got one."""
    viewer = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    viewer.sendall(b"GET /video.mjpg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    seen = b""
    while b"image/jpeg" not in seen:
        seen += viewer.recv(65536)
    return viewer


def tabs_of(process: psutil.Process) -> int:
    """The open connections from browsers."""
    return sum(one.status == psutil.CONN_ESTABLISHED for one in process.net_connections("tcp"))


def open_tabs(port: int, stack: ExitStack) -> None:
    """Three tabs: the live picture and the pages' own connection of each."""
    for _ in range(3):
        stack.enter_context(looking(port))
        page = connect(f"ws://127.0.0.1:{port}/_stcore/stream", subprotocols=["streamlit"])
        stack.enter_context(page)


def test_closed_tabs_leave_nothing_and_ctrl_c_ends_everything(tmp_path: Path) -> None:
    with running(tmp_path, factory=COUNTED) as server:
        data, process = tmp_path / "data", psutil.Process(server.process.pid)
        with ExitStack() as tabs:
            open_tabs(server.port, tabs)
            assert tabs_of(process) == 6 and captures(data) == (1, 0)
        eventually(lambda: tabs_of(process) == 0)
        assert ask("127.0.0.1", server.port, "/_stcore/health").status == 200
        assert captures(data) == (1, 0)
        with ExitStack() as tabs:
            open_tabs(server.port, tabs)
            assert server.interrupt() == 0
        assert captures(data) == (1, 1)
        FolderLock(data).release()
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", server.port))


def test_ended_by_the_system_it_clears_away_what_ctrl_c_would(tmp_path: Path) -> None:
    with running(tmp_path, factory=COUNTED) as server:
        server.process.terminate()
        assert server.process.wait(PATIENCE_S) == 0
        assert captures(tmp_path / "data") == (1, 1)


def test_a_page_that_hangs_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with running(tmp_path, factory=HANGING) as server, ExitStack() as tabs:
        page = connect(f"ws://127.0.0.1:{server.port}/_stcore/stream", subprotocols=["streamlit"])
        start = BackMsg()
        start.rerun_script.query_string = ""
        tabs.enter_context(page).send(start.SerializeToString())
        eventually(lambda: (tmp_path / "data" / "hangs").exists())
        assert server.interrupt() == 0
        assert captures(tmp_path / "data") == (1, 1)


def asleep(port: int) -> socket.socket:
    """A viewer that takes nothing more, as a phone that fell asleep; returned once the server is stuck."""
    viewer = socket.socket()
    viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    viewer.connect(("127.0.0.1", port))
    viewer.sendall(b"GET /video.mjpg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    waiting, since_s = 0, time.monotonic()
    while not waiting or time.monotonic() - since_s < STUCK_S:
        now = unsent_bytes(port)
        if now != waiting:
            waiting, since_s = now, time.monotonic()
        time.sleep(0.1)
    return viewer


def unsent_bytes(port: int) -> int:
    """What the system still holds of what the server has sent."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return max((int(row[4].split(":")[0], 16) for row in rows if row[1].endswith(f":{port:04X}")), default=0)


@pytest.mark.skipif(
    not Path("/proc/net/tcp").exists(), reason="this system does not tell what is still unsent"
)
def test_a_phone_that_fell_asleep_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with running(tmp_path, factory=COUNTED) as server:
        viewer = asleep(server.port)
        assert server.interrupt() == 0
        assert captures(tmp_path / "data") == (1, 1)
        viewer.close()
