"""The web application: the pages, the live picture and the evidence pictures around one table."""

from __future__ import annotations

import asyncio
import signal
import threading
import webbrowser
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import Any

import segno
import streamlit as st
import uvicorn
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from dashboard import texts
from dashboard.cards import card_svg, sign_svg
from dashboard.exports import match_text, packed
from dashboard.gate import JoinGate
from dashboard.scoreboard import page_html, part_html
from dashboard.theme import OPTIONS
from engine.hub import Snapshot
from engine.joining import HOST, network_address, safe_page
from engine.memory import give_back
from engine.serve import address, close_all, current_table, invitation, listening_host, open_all
from engine.settings import Settings

ROOT = Path(__file__).parent
POLL_S = 0.04
REPEAT_S = 2.0
BROWSER_AFTER_S = 0.7
GRACE_S = 1.0
"""So long the server may take to say good-bye to every browser."""
TIDY_S = 60.0
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
    """One evidence picture or clip of a round."""
    table = current_table()
    path = (
        None
        if table is None
        else table.evidence(int(request.path_params["round_id"]), request.path_params["name"])
    )
    return _picture(path)


def _picture(path: Path | None) -> Response:
    if path is None:
        return Response(texts.NOTHING_THERE, status_code=404, media_type="text/plain")
    return FileResponse(path, media_type="video/mp4" if path.suffix == ".mp4" else "image/jpeg")


async def recording(request: Request) -> Response:
    """One evidence picture or clip of a recording."""
    table, names = current_table(), request.path_params
    path = None if table is None else table.recordings.evidence(names["key"], names["name"])
    return _picture(path)


async def bundle(request: Request) -> Response:
    """A round or a recording with all that belongs to it, as a ZIP file."""
    path = await run_in_threadpool(packed, request.path_params["kind"], request.path_params["key"])
    if path is None:
        return Response(texts.NOTHING_THERE, status_code=404, media_type="text/plain")
    return FileResponse(path, media_type="application/zip", background=BackgroundTask(path.unlink))


async def match_file(request: Request) -> Response:
    """The record of a match: a score sheet to print, CSV or JSON."""
    made = await run_in_threadpool(
        match_text, int(request.path_params["match_id"]), request.path_params["form"]
    )
    if made is None:
        return Response(texts.NOTHING_THERE, status_code=404, media_type="text/plain")
    text, media_type = made
    return Response(text, media_type=media_type, headers={"Cache-Control": "no-store"})


async def scoreboard(request: Request) -> Response:
    """The scoreboard for a television."""
    return HTMLResponse(page_html(_snapshot()), headers={"Cache-Control": "no-store"})


async def scoreboard_part(request: Request) -> Response:
    """What has changed on the scoreboard."""
    return HTMLResponse(part_html(_snapshot()), headers={"Cache-Control": "no-store"})


def _snapshot() -> Snapshot:
    table = current_table()
    return Snapshot() if table is None else table.hub.snapshot


async def invitation_picture(request: Request) -> Response:
    """The link that joins, as a picture for a phone's camera."""
    invited = invitation(Settings())
    if invited is None:
        return Response(texts.NOTHING_THERE, status_code=404, media_type="text/plain")
    link = invited.link(safe_page(request.query_params.get("page", "/")))
    picture = BytesIO()
    segno.make(link, error="m").save(picture, kind="svg", scale=8, border=4, dark="#1B1815", light="#FFFFFF")
    return Response(picture.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


async def card(request: Request) -> Response:
    """A card drawn as SVG."""
    try:
        svg = card_svg(request.path_params["name"])
    except ValueError:
        return Response(texts.NOTHING_THERE, status_code=404, media_type="text/plain")
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


async def sign(request: Request) -> Response:
    """The sign of the house as SVG."""
    return Response(sign_svg(), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


@asynccontextmanager
async def lifespan(app: st.App) -> AsyncIterator[None]:
    """Open the table with the server and close it with the server."""
    settings = Settings()
    open_all(settings)
    tidying = asyncio.create_task(_give_back_memory())
    _end_pictures_on_signal()
    if settings.open_browser:
        asyncio.get_running_loop().call_later(BROWSER_AFTER_S, webbrowser.open, address(settings))
    try:
        yield
    finally:
        ending.set()
        tidying.cancel()
        await run_in_threadpool(close_all)


async def _give_back_memory() -> None:
    while True:
        await asyncio.sleep(TIDY_S)
        await run_in_threadpool(give_back)


def _end_pictures_on_signal() -> None:
    """The server waits for open answers before it ends, and the live picture never ends by itself."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        before: Any = signal.getsignal(number)

        def handle(received: int, frame: FrameType | None, before: Any = before) -> None:
            ending.set()
            # The table ends while the server says good-bye.
            loop.call_soon_threadsafe(loop.run_in_executor, None, close_all)
            server = getattr(before, "__self__", None)
            if isinstance(server, uvicorn.Server):
                loop.call_soon_threadsafe(loop.call_later, GRACE_S, _let_go, server)
            if callable(before):
                before(received, frame)

        signal.signal(number, handle)


def _let_go(server: uvicorn.Server) -> None:
    """Drop what takes nothing more, as a phone that fell asleep: the server would wait for it for ever."""
    for connection in list(server.server_state.connections):
        if connection.transport is not None:
            connection.transport.abort()


ROUTES = [
    Route("/video.mjpg", video),
    Route("/card/{name}.svg", card),
    Route("/sign.svg", sign),
    Route("/scoreboard", scoreboard),
    Route("/scoreboard/part", scoreboard_part),
    Route("/invitation.svg", invitation_picture),
    Route("/evidence/{round_id:int}/{name}", evidence),
    Route("/recording/{key}/{name}", recording),
    Route("/bundle/{kind}/{key}.zip", bundle),
    Route("/match/{match_id:int}.{form}", match_file),
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
            # A full collection after every rerun of every tab would hold up the engine, some 50 ms each.
            "runner.postScriptGC": False,
            "server.maxUploadSize": 40,
            "browser.gatherUsageStats": False,
            "client.toolbarMode": "minimal",
            "client.showErrorDetails": "none",
        }
    )
