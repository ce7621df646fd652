"""The door in front of everything: pages, pictures, uploads and the pages' own connection.

It stands outside of Streamlit, so that whoever has not joined is sent nothing but the form.
"""

from __future__ import annotations

from html import escape
from http import HTTPStatus
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from dashboard import texts
from engine.joining import Answer, Asker, JoinDoor, safe_page
from engine.serve import current_door

PATH = "/join"
MOST_BYTES = 4096
"""Of a filled-in form."""
KEPT_S = 30 * 24 * 3600
NOT_WANTED = 1008
"""The close code of a connection that is not wanted, RFC 6455 section 7.4.1."""
HEADERS = {
    "Cache-Control": "no-store",
    # Not `no-referrer`: with it a browser hides where a form comes from, and the door asks that.
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    ),
}


class JoinGate:
    """Lets this computer pass, and other machines that have joined."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, answer it with the form, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        refusal = await _refusal(asked, Request(scope, receive) if scope["type"] == "http" else None)
        if refusal is None:
            # Its origin was judged here; to judge it once more, Streamlit would ask the internet for this
            # machine's address.
            headers = [(name, value) for name, value in scope["headers"] if name != b"origin"]
            await self._app({**scope, "headers": headers}, receive, send)
        elif scope["type"] == "http":
            await refusal(scope, receive, send)
        else:
            await WebSocketClose(NOT_WANTED)(scope, receive, send)


async def _refusal(asked: HTTPConnection, request: Request | None) -> Response | None:
    """What is answered in place of what was asked for; None lets it pass."""
    asker, door = _asker(asked), current_door()
    if asker.is_from_elsewhere:
        return _refuse(texts.FROM_ELSEWHERE)
    joining = request is not None and asked.url.path == PATH
    if asker.is_here:
        return _go_to(asked.query_params.get("next", "")) if joining else None
    if door is None or not asker.is_near:
        return _refuse(texts.THIS_COMPUTER_ONLY)
    if request is not None and joining:
        return await _join(request, door, asker)
    if door.knows(asked.cookies.get(_cookie_name(asked), "")):
        return None
    if request is not None and request.method == "GET" and "text/html" in asked.headers.get("accept", ""):
        return _form(HTTPStatus.FORBIDDEN, asked.url.path)
    return _refuse(texts.JOIN_FIRST)


async def _join(request: Request, door: JoinDoor, asker: Asker) -> Response:
    """The form, or what becomes of the code in it."""
    given = await _filled_in(request) if request.method == "POST" else dict(request.query_params)
    page, code = given.get("next", ""), given.get("code", "")
    if not code:
        return _form(HTTPStatus.OK, page)
    match door.enter(code, asker.address):
        case Answer.WRONG:
            return _form(HTTPStatus.FORBIDDEN, page, texts.WRONG_CODE)
        case Answer.LATER:
            return _form(HTTPStatus.TOO_MANY_REQUESTS, page, texts.TOO_MANY_CODES)
    answer = _go_to(page)
    answer.set_cookie(
        _cookie_name(request), door.token(), max_age=KEPT_S, httponly=True, samesite="lax", path="/"
    )
    return answer


async def _filled_in(request: Request) -> dict[str, str]:
    """The fields of a form; nothing of one that is larger than a code can be."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return {}
    return {key: values[0] for key, values in parse_qs(body.decode("utf-8", "replace")).items()}


def _form(status: HTTPStatus, page: str, fault: str = "") -> Response:
    return HTMLResponse(form_html(safe_page(page), fault), status, HEADERS)


def _refuse(sentence: str) -> Response:
    return PlainTextResponse(sentence, HTTPStatus.FORBIDDEN, {"Cache-Control": "no-store"})


def _go_to(page: str) -> Response:
    return RedirectResponse(safe_page(page), HTTPStatus.SEE_OTHER, {"Cache-Control": "no-store"})


def _asker(asked: HTTPConnection) -> Asker:
    origin = asked.headers.get("origin")
    return Asker(
        asked.client.host if asked.client is not None else "",
        asked.headers.get("host", "").lower(),
        None if origin is None else origin.lower(),
    )


def _cookie_name(asked: HTTPConnection) -> str:
    """Browsers keep the cookies of one machine together, whatever the port; several tables may run there."""
    server = asked.scope.get("server") or ("", 0)
    return f"blitzref_join_{server[1]}"


def form_html(page: str, fault: str) -> str:
    """The page that asks for the code; it shows nothing of the table."""
    note = f'<p role="alert">{escape(fault)}</p>' if fault else ""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(texts.JOIN)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
  :root {{ color-scheme: light dark; }}
  body {{ margin: 0; min-height: 100vh; display: grid; place-items: center;
    background: #FBF6EC; color: #2A2118; font: 1.15rem/1.5 "Avenir Next", "Segoe UI", Arial, sans-serif; }}
  form {{ width: min(26rem, 88vw); text-align: center; }}
  h1 {{ font: 700 2.2rem/1.2 "Iowan Old Style", Palatino, Georgia, serif; margin: 0 0 .4rem; }}
  input, button {{ box-sizing: border-box; width: 100%; font: inherit; padding: .7rem; border-radius: .8rem;
    margin: .4rem 0; }}
  input {{ font-size: 1.8rem; text-align: center; letter-spacing: .14em; text-transform: uppercase;
    border: 2px solid #B7A27C; background: #fff; color: #2A2118; }}
  button {{ border: 0; background: #B23A2A; color: #fff; font-weight: 700; }}
  p[role=alert] {{ color: #B23A2A; font-weight: 700; }}
  @media (prefers-color-scheme: dark) {{ body {{ background: #1B1815; color: #F3EADB; }}
    p[role=alert] {{ color: #F09A86; }} }}
</style></head>
<body><form method="post" action="{PATH}"><h1>{escape(texts.JOIN)}</h1>
<p>{escape(texts.JOIN_HELP)}</p>{note}
<input name="code" aria-label="{escape(texts.JOIN_CODE)}" autocomplete="off" autocapitalize="characters"
  spellcheck="false" maxlength="60" required autofocus>
<input type="hidden" name="next" value="{escape(page)}">
<button>{escape(texts.JOIN_BUTTON)}</button></form></body></html>
"""
