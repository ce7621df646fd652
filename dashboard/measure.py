"""What the pages cost: one page body beside the running engine, and tabs that look on, for the bench.

python -m dashboard.measure pages             ms of each page's body, p50 and p95; the settings name the table
python -m dashboard.measure viewers URL N     N tabs that look at a running program until they are ended
"""

from __future__ import annotations

import asyncio
import importlib
import json
import pkgutil
import sys
import time
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest
from websockets.asyncio.client import ClientConnection, connect

import dashboard
from engine.bench import spread
from engine.serve import close_all, current_table, open_all

RUNS = 40
PATIENCE_S = 120.0
PLAYED_S = 12.0
"""So much of the recording is watched before the pages are measured: piles lie and rulings were made."""
TIMED = """
from time import perf_counter, thread_time
import streamlit as st
from dashboard import {name}
started, started_cpu = perf_counter(), thread_time()
{name}.page()
st.session_state["took"] = (1000 * (perf_counter() - started), 1000 * (thread_time() - started_cpu))
"""


def page_names() -> list[str]:
    """The modules that are a page."""
    names = [found.name for found in pkgutil.iter_modules(dashboard.__path__) if found.name != "main"]
    return [name for name in names if hasattr(importlib.import_module(f"dashboard.{name}"), "page")]


def page_costs() -> dict[str, dict[str, dict[str, float]]]:
    """The ms of each page's body beside the running engine: as it is waited for, and as computed."""
    open_all()
    try:
        _wait_for_play()
        costs = {}
        for name in page_names():
            page = AppTest.from_string(TIMED.format(name=name), default_timeout=PATIENCE_S)
            took = [page.run().session_state["took"] for _ in range(RUNS)]
            costs[name] = {"wall": spread([one for one, _ in took]), "cpu": spread([one for _, one in took])}
        return costs
    finally:
        close_all()


def _wait_for_play() -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        table = current_table()
        if table is not None and table.hub.snapshot.round.t_s >= PLAYED_S:
            return
        time.sleep(0.1)


async def _look(address: str) -> None:
    """The live picture, as a browser takes it."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(f"GET /video.mjpg HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
    while await reader.read(1 << 16):
        pass


async def _rerun(tab: ClientConnection, fragment: str, every_s: float) -> None:
    """Ask for a part of the page again and again, as the page does."""
    message = BackMsg()
    message.rerun_script.fragment_id = fragment
    message.rerun_script.is_auto_rerun = True
    while True:
        await asyncio.sleep(every_s)
        await tab.send(message.SerializeToString())


async def _read(address: str) -> None:
    """The live page, with the parts of it that are kept up to date."""
    parts = urlsplit(address)
    start = BackMsg()
    start.rerun_script.query_string = ""
    async with connect(
        f"ws://{parts.netloc}/_stcore/stream", subprotocols=["streamlit"], max_size=None
    ) as tab:
        await tab.send(start.SerializeToString())
        repeated: dict[str, asyncio.Task[None]] = {}
        async for data in tab:
            said = ForwardMsg()
            said.ParseFromString(data if isinstance(data, bytes) else data.encode())
            fragment = said.auto_rerun.fragment_id
            if said.HasField("auto_rerun") and fragment not in repeated:
                again = _rerun(tab, fragment, said.auto_rerun.interval)
                repeated[fragment] = asyncio.create_task(again)


async def _wait_for(address: str) -> None:
    parts = urlsplit(address)
    while True:
        try:
            _, writer = await asyncio.open_connection(parts.hostname, parts.port)
        except OSError:
            await asyncio.sleep(0.2)
        else:
            writer.close()
            return


async def _look_on(address: str, tabs: int) -> None:
    await _wait_for(address)
    await asyncio.gather(*(watch(address) for _ in range(tabs) for watch in (_look, _read)))


if __name__ == "__main__":
    if sys.argv[1] == "pages":
        print(json.dumps(page_costs()))
    else:
        asyncio.run(_look_on(sys.argv[2], int(sys.argv[3])))
