"""Without the code no other machine sees or changes anything: the real server, asked over the network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import app
from engine.joining import TRIES_EACH, network_address
from tests.dashboard.server import Server, ask, running

CODE = "K7M-2QX"
HTML = {"Accept": "text/html"}
PATHS = [
    *(route.path.replace("{round_id:int}", "1").replace("{name}", "red7") for route in app.ROUTES),
    *("/", "/count", "/review", "/match", "/index.html", "/evidence/1/r00001-before.jpg"),
    *("/_stcore/health", "/_stcore/host-config", "/_stcore/metrics", "/_stcore/upload_file/a/b"),
    *("/media/a.png", "/component/a/b", "/static/js/index.js", "/favicon.png", "/nothing"),
]


@pytest.fixture(scope="module")
def lan() -> str:
    """This machine's address in its network."""
    address = network_address()
    if address is None:
        pytest.skip("this machine is in no network, so nobody can be kept out of one")
    return address


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A program that others may join."""
    with running(tmp_path_factory.mktemp("shared"), join=CODE) as server:
        yield server


@pytest.fixture
def joined(shared: Server, lan: str) -> dict[str, str]:
    """The headers of a machine that has joined."""
    answer = ask(lan, shared.port, "/join?" + urlencode({"code": CODE}))
    assert answer.status == 303
    return {"Cookie": str(answer.headers["Set-Cookie"]).split(";")[0]}


def stream(host: str, port: int, headers: dict[str, str] | None = None) -> str:
    """What opening the pages' own connection brings."""
    try:
        with connect(f"ws://{host}:{port}/_stcore/stream", additional_headers=headers or {}):
            return "open"
    except InvalidStatus as error:
        return f"refused {error.response.status_code}"


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("path", PATHS)
def test_without_the_code_nothing_is_given_out(shared: Server, lan: str, path: str, method: str) -> None:
    answer = ask(lan, shared.port, path, method=method)
    assert answer.status == 403
    assert answer.read() in (b"", b"Open the first page and give the join code.")


@pytest.mark.parametrize("path", ["/", "/count", "/scoreboard", "/nothing"])
def test_a_browser_that_has_not_joined_sees_the_form_alone(shared: Server, lan: str, path: str) -> None:
    answer = ask(lan, shared.port, path, headers=HTML)
    body = answer.read().decode()
    assert answer.status == 403 and 'name="code"' in body and f'name="next" value="{path}"' in body
    assert "Ann" not in body and CODE not in body and "<script" not in body
    assert answer.headers["Cache-Control"] == "no-store"


def test_with_the_code_another_machine_sees_everything(
    shared: Server, lan: str, joined: dict[str, str]
) -> None:
    for path in ("/", "/_stcore/health", "/card/red7.svg", "/video.mjpg"):
        assert ask(lan, shared.port, path, headers=joined).status == 200
    assert stream(lan, shared.port, joined) == "open"


def test_this_computer_needs_no_code(shared: Server) -> None:
    for path in ("/", "/_stcore/health", "/card/red7.svg", "/video.mjpg"):
        assert ask("127.0.0.1", shared.port, path).status == 200
    assert stream("127.0.0.1", shared.port) == "open"
    answer = ask("127.0.0.1", shared.port, "/join?next=/count")
    assert (answer.status, answer.headers["Location"]) == (303, "/count")


def test_the_pages_own_connection_needs_the_code(shared: Server, lan: str) -> None:
    assert stream(lan, shared.port) == "refused 403"
    assert stream(lan, shared.port, {"Cookie": f"blitzref_join_{shared.port}=a.b"}) == "refused 403"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "127.0.0.1"},
        {"Host": "localhost", "X-Forwarded-For": "127.0.0.1"},
        {"Host": "localhost", "Forwarded": "for=127.0.0.1", "X-Real-IP": "127.0.0.1"},
    ],
)
def test_no_machine_passes_for_this_one(shared: Server, lan: str, headers: dict[str, str]) -> None:
    assert ask(lan, shared.port, "/_stcore/health", headers=headers).status == 403


def test_a_name_that_was_given_this_address_does_not_pass(shared: Server) -> None:
    headers = {"Host": f"evil.example:{shared.port}"}
    assert ask("127.0.0.1", shared.port, "/_stcore/health", headers=headers).status == 403
    assert ask("127.0.0.1", shared.port, "/video.mjpg", headers=headers).status == 403


def test_a_page_of_another_site_asks_in_vain(shared: Server, lan: str, joined: dict[str, str]) -> None:
    evil = {"Origin": "https://evil.example"}
    assert ask("127.0.0.1", shared.port, "/_stcore/health", headers=evil).status == 403
    assert stream("127.0.0.1", shared.port, evil) == "refused 403"
    assert stream(lan, shared.port, {**joined, **evil}) == "refused 403"
    own = {"Origin": f"http://{lan}:{shared.port}"}
    assert stream(lan, shared.port, {**joined, **own}) == "open"


def test_the_form_joins_and_goes_on_to_the_page(shared: Server, lan: str) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode({"code": "k7m 2qx", "next": "/count"})
    answer = ask(lan, shared.port, "/join", method="POST", headers=form, body=body)
    assert (answer.status, answer.headers["Location"]) == (303, "/count")
    cookie = str(answer.headers["Set-Cookie"])
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    away = ask(lan, shared.port, "/join?" + urlencode({"code": CODE, "next": "//evil.example"}))
    assert away.headers["Location"] == "/"


def test_a_form_that_is_no_code_is_not_read_to_its_end(shared: Server, lan: str) -> None:
    answer = ask(lan, shared.port, "/join", method="POST", body="code=" + "A" * 2_000_000)
    assert answer.status == 200 and b'name="code"' in answer.read()


def test_as_it_is_delivered_it_listens_on_this_computer_only(tmp_path: Path, lan: str) -> None:
    with running(tmp_path) as server:
        with pytest.raises(OSError):
            ask(lan, server.port, "/")
        headers = {"Host": f"evil.example:{server.port}", **HTML}
        answer = ask("127.0.0.1", server.port, "/", headers=headers)
        assert answer.status == 403 and answer.read() == b"This table is open on its own computer only."


def test_who_has_joined_stays_in_over_a_restart_and_guessing_is_slowed_down(tmp_path: Path, lan: str) -> None:
    with running(tmp_path, join=CODE) as server:
        answer = ask(lan, server.port, "/join?" + urlencode({"code": CODE}))
        token = str(answer.headers["Set-Cookie"]).split(";")[0].partition("=")[2]
        assert server.interrupt() == 0
        said = server.process.stdout.read() if server.process.stdout else ""
        assert f"http://{lan}:{server.port}" in said and CODE in said
    with running(tmp_path, join=CODE) as server:
        cookie = {"Cookie": f"blitzref_join_{server.port}={token}"}
        tries = [ask(lan, server.port, f"/join?code=AAA-AA{i}").status for i in range(TRIES_EACH + 3)]
        assert tries == [403] * TRIES_EACH + [429] * 3
        late = ask(lan, server.port, "/join?" + urlencode({"code": CODE}))
        assert late.status == 429 and "Set-Cookie" not in late.headers
        assert ask(lan, server.port, "/_stcore/health", headers=cookie).status == 200
