"""Asks the routes as a server would, without one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from starlette.applications import Starlette


@dataclass
class Answer:
    """What a route gave."""

    status_code: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def text(self) -> str:
        """The body as text."""
        return self.content.decode()


def ask(app: Starlette, target: str, method: str = "GET") -> Answer:
    """The answer to one request."""
    path, _, query = target.partition("?")
    answer, asked = Answer(), list[bool]()
    scope = {
        "type": "http",
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
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

    asyncio.run(app(scope, receive, send))
    return answer
