"""The routes beside the pages: cards, evidence pictures, the live picture."""

from __future__ import annotations

import asyncio
import io
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import cv2
import numpy as np
import pytest
from starlette.applications import Starlette

import app
from engine import serve
from engine.settings import Settings
from engine.setup_file import Setup
from engine.table import Table
from engine.table_command import CommandKind
from tests.dashboard.tables import COUNTED, carry_out, played_table, wait_until
from tests.engine.fakes import FakeSource, parts


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A table that was never started, with one evidence picture."""
    made = Table(parts(lambda: FakeSource(1)), Settings(data_dir=tmp_path), Setup())
    folder = tmp_path / "evidence" / "round-1"
    folder.mkdir(parents=True)
    (folder / "r00001-before.jpg").write_bytes(b"\xff\xd8 picture")
    serve.use_table(made)
    yield made
    serve.close_table()


@dataclass
class Answer:
    """What a route gave."""

    status_code: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def text(self) -> str:
        return self.content.decode()


class Client:
    """Asks the routes as a server would, without one."""

    def get(self, path: str) -> Answer:
        answer, asked = Answer(), list[bool]()
        scope = {
            "type": "http",
            "method": "GET",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [],
        }

        async def receive() -> dict[str, Any]:
            if asked:
                await asyncio.Event().wait()
            asked.append(True)
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.status_code = message["status"]
                answer.headers = {key.decode(): value.decode() for key, value in message["headers"]}
            else:
                answer.content += message.get("body", b"")

        asyncio.run(Starlette(routes=app.ROUTES)(scope, receive, send))
        return answer


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.mark.parametrize("name", ["red7", "QH", "10D", "unknown"])
def test_cards_are_drawn_with_their_colour_as_a_letter_or_a_shape(client: Client, name: str) -> None:
    answer = client.get(f"/card/{name}.svg")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert {"red7": "▲", "QH": "♥", "10D": "♦", "unknown": "?"}[name] in answer.text


@pytest.mark.parametrize("name", ["red77", "%3Cscript%3E", "joker"])
def test_what_is_no_card_is_not_drawn(client: Client, name: str) -> None:
    answer = client.get(f"/card/{name}.svg")
    assert answer.status_code == 404 and "<" not in answer.text


def test_an_evidence_picture_is_given_out(client: Client, table: Table) -> None:
    assert client.get("/evidence/1/r00001-before.jpg").content == b"\xff\xd8 picture"


@pytest.mark.parametrize(
    "path",
    [
        "/evidence/1/r00002-before.jpg",
        "/evidence/2/r00001-before.jpg",
        "/evidence/1/..%2F..%2Frecord.sqlite3",
        "/evidence/1/%2e%2e/%2e%2e/record.sqlite3",
        "/evidence/x/r00001-before.jpg",
    ],
)
def test_nothing_else_is(client: Client, table: Table, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404 and b"SQLite" not in answer.content


def test_a_clip_is_given_out_as_a_film(client: Client, table: Table, tmp_path: Path) -> None:
    (tmp_path / "evidence" / "round-1" / "r00001.mp4").write_bytes(b"film")
    answer = client.get("/evidence/1/r00001.mp4")
    assert (answer.content, answer.headers["content-type"]) == (b"film", "video/mp4")


def test_a_round_is_packed_with_its_pictures_and_the_file_is_cleared_away(
    client: Client, table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "packing"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    answer = client.get("/bundle/round/1.zip")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as bundle:
        assert "evidence/r00001-before.jpg" in bundle.namelist()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "path",
    [
        "/bundle/round/7.zip",
        "/bundle/round/x.zip",
        "/bundle/recording/..%2F..%2Fetc.zip",
        "/bundle/recording/nothing.zip",
        "/bundle/else/1.zip",
        "/recording/nothing/r00001.mp4",
        "/recording/..%2Fevidence/r00001-before.jpg",
        "/match/9.csv",
        "/match/1.exe",
    ],
)
def test_what_is_not_there_is_not_given_out(client: Client, table: Table, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404 and b"<" not in answer.content


def test_a_match_is_given_out_as_a_sheet(client: Client, tmp_path: Path) -> None:
    table = played_table(tmp_path / "other")
    serve.use_table(table)
    try:
        carry_out(table, (CommandKind.COUNT, {"entries": COUNTED}), (CommandKind.CONFIRM, {}))
        wait_until(lambda: "-6" in client.get("/match/1.csv").text)
        answer = client.get("/match/1.html")
        assert "14 - 2 x 0 = 14" in answer.text and answer.headers["content-type"].startswith("text/html")
    finally:
        serve.close_table()


def test_the_live_picture_keeps_its_colours(table: Table) -> None:
    red = np.zeros((64, 64, 3), np.uint8)
    red[:, :, 2] = 220
    done, data = cv2.imencode(".jpg", red)
    assert done
    table.hub.publish_picture(bytes(data))

    async def first() -> bytes:
        pictures = app.live_pictures()
        try:
            return await anext(pictures)
        finally:
            await pictures.aclose()

    part = asyncio.run(first())
    shown = cv2.imdecode(np.frombuffer(part.split(b"\r\n\r\n", 1)[1], np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    blue, _, red_level = shown.mean(axis=(0, 1))
    assert red_level > 200 and blue < 20
    assert table.hub.is_watched
