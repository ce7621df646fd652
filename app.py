"""The web application: the pages, the live picture and the evidence pictures around one table."""

from __future__ import annotations

import asyncio
import signal
import threading
import webbrowser
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from dashboard.cards import card_svg, sign_svg
from dashboard.gate import JoinGate
from dashboard.theme import OPTIONS
from engine.joining import HOST, network_address
from engine.serve import address, close_all, current_table, listening_host, open_all
from engine.settings import Settings

ROOT = Path(__file__).parent
POLL_S = 0.04
REPEAT_S = 2.0
BROWSER_AFTER_S = 0.7
BOUNDARY = "frame"

ending = threading.Event()


async def live_pictures() -> AsyncGenerator[bytes, None]:
    """The drawn pictures one after another; a still one is repeated, so that a closed tab is noticed."""
    shown, since_s = 0, 0.0
    while not ending.is_set():
        table = current_table()
        if table is None:
            return
        table.hub.watch()
        number, jpeg = table.hub.picture
        if number and (number != shown or since_s >= REPEAT_S):
            shown, since_s = number, 0.0
            head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            yield head.encode() + jpeg + b"\r\n"
        await asyncio.sleep(POLL_S)
        since_s += POLL_S


async def video(request: Request) -> Response:
    """The live picture as MJPEG; each tab reads the same pictures."""
    return StreamingResponse(
        live_pictures(),
        media_type=f"multipart/x-mixed-replace; boundary={BOUNDARY}",
        # A named encoding keeps the compression middleware from holding pictures back.
        headers={"Cache-Control": "no-store", "Content-Encoding": "identity"},
    )


async def evidence(request: Request) -> Response:
    """One evidence picture of a round."""
    table = current_table()
    path = (
        None
        if table is None
        else table.evidence(int(request.path_params["round_id"]), request.path_params["name"])
    )
    if path is None:
        return Response("There is no such picture.", status_code=404, media_type="text/plain")
    return FileResponse(path, media_type="image/jpeg")


async def card(request: Request) -> Response:
    """A card drawn as SVG."""
    try:
        svg = card_svg(request.path_params["name"])
    except ValueError:
        return Response("There is no such card.", status_code=404, media_type="text/plain")
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


async def sign(request: Request) -> Response:
    """The sign of the house as SVG."""
    return Response(sign_svg(), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Open the table with the server and close it with the server."""
    settings = Settings()
    open_all(settings)
    _end_pictures_on_signal()
    if settings.open_browser:
        asyncio.get_running_loop().call_later(BROWSER_AFTER_S, webbrowser.open, address(settings))
    try:
        yield
    finally:
        ending.set()
        await run_in_threadpool(close_all)


def _end_pictures_on_signal() -> None:
    """The server waits for open answers before it ends, and the live picture never ends by itself."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        before: Any = signal.getsignal(number)

        def handle(received: int, frame: FrameType | None, before: Any = before) -> None:
            ending.set()
            if callable(before):
                before(received, frame)

        signal.signal(number, handle)


ROUTES = [
    Route("/video.mjpg", video),
    Route("/card/{name}.svg", card),
    Route("/sign.svg", sign),
    Route("/evidence/{round_id:int}/{name}", evidence),
]

app = st.App(
    ROOT / "dashboard" / "main.py", routes=ROUTES, middleware=[Middleware(JoinGate)], lifespan=lifespan
)

if __name__ == "__main__":
    chosen = Settings()
    app.run(
        config={
            **OPTIONS,
            "server.address": listening_host(chosen),
            "server.port": chosen.port,
            # Without a name, Streamlit would ask the internet for this machine's address.
            "browser.serverAddress": HOST if chosen.join is None else network_address() or HOST,
            "server.headless": True,
            "server.fileWatcherType": "none",
            "server.maxUploadSize": 40,
            "browser.gatherUsageStats": False,
            "client.toolbarMode": "minimal",
            "client.showErrorDetails": "none",
        }
    )
