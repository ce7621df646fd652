"""Other screens: the scoreboard that cannot be pressed, the invitation, and the club with all its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest

import app
from dashboard import club
from dashboard.scoreboard import page_html, part_html
from engine import serve
from engine.club import ClubTable, ClubView, PlayerStatus, TableStatus
from engine.hub import CameraState, MatchView, Phase, PlayerView, RoundResult, RoundView, Snapshot
from engine.joining import JoinDoor
from engine.settings import Settings
from engine.setup_file import Setup
from engine.table import Table
from tests.dashboard.asgi import ask
from tests.engine.fakes import FakeSource, parts

NASTY = "<script>alert(1)</script>**Bo**"
LONG = "Maximiliane-Alexandrine von und zu Hohenstein-Grafenegg, 60c"
PLAYERS = (PlayerView("Ann", "left", "pump"), PlayerView(NASTY, "right", "pail"), PlayerView(LONG))
RESULTS = (
    RoundResult(1, 1, {"Ann": 8, NASTY: -6, LONG: 3}, {}, "Ann"),
    RoundResult(2, 2, {"Ann": -2, NASTY: 12, LONG: 3}, {}, NASTY),
)
NOW = Snapshot(
    1,
    RoundView(number=3, phase=Phase.PLAYING, clock_s=61.0),
    MatchView(
        1,
        target=75,
        players=PLAYERS,
        results=RESULTS,
        totals={"Ann": 6, NASTY: -6, LONG: 6},
    ),
)


def rows(html: str) -> list[str]:
    """The rows of the scoreboard as plain words."""
    return [re.sub(r"<[^>]+>", " ", row) for row in re.findall(r"<li.*?</li>", html)]


def test_the_scoreboard_ranks_everybody_with_ties_and_negatives() -> None:
    found = [" ".join(row.split()) for row in rows(part_html(NOW))]
    assert found[0] == "1 Ann −2 6"
    assert found[1].startswith("1 Maximiliane") and found[1].endswith("+3 6")
    assert found[2].startswith("3 ") and found[2].endswith("+12 ✹ −6")
    html = part_html(NOW)
    assert "Round 3" in html and "Playing" in html and "1:01" in html and "75" in html


def test_the_scoreboard_cannot_be_pressed_and_runs_no_names() -> None:
    html = page_html(NOW)
    assert "<script>alert" not in html and "&lt;script&gt;" in html
    assert not re.search(r"<(a|button|form|input|select|textarea)\b|onclick", html)
    assert not re.search(r"https?://", html)


def test_the_scoreboard_does_not_coach_and_accuses_nobody() -> None:
    words = re.sub(r"<[^>]+>", " ", part_html(NOW)).lower()
    assert not [word for word in ("goal", "foul", "flag", "look at") if word in words]


def test_teams_share_one_line() -> None:
    players = tuple(
        PlayerView(name, team=team) for name, team in (("Ann", "North"), ("Bo", "South"), ("Cy", "North"))
    )
    results = (RoundResult(1, 1, {"Ann": 8, "Bo": 3, "Cy": 4}, {}, "Cy"),)
    match = MatchView(1, players=players, results=results, totals={"North": 12, "South": 3})
    found = [" ".join(row.split()) for row in rows(part_html(replace(NOW, match=match)))]
    assert found == ["1 North +12 ✹ 12", "2 South +3 3"]


def test_an_empty_scoreboard_and_a_won_match() -> None:
    assert "Nobody is playing yet" in part_html(Snapshot())
    won = replace(NOW.match, winners=("Ann",), over=True)
    assert "Ann wins!" in part_html(replace(NOW, match=won))


@pytest.fixture
def routes(tmp_path: Path) -> Iterator[Starlette]:
    """The routes around a table that was never started."""
    table = Table(parts(lambda: FakeSource(1)), Settings(data_dir=tmp_path), Setup())
    serve.use_table(table)
    yield Starlette(routes=app.ROUTES)
    serve.close_all()


def test_the_scoreboard_is_served_whole_and_in_part(routes: Starlette) -> None:
    whole, part = ask(routes, "/scoreboard"), ask(routes, "/scoreboard/part")
    assert whole.status_code == part.status_code == 200
    assert "/scoreboard/part" in whole.text and part.text in whole.text
    assert ask(routes, "/scoreboard", "POST").status_code == 405


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that others may join."""
    monkeypatch.setenv("BLITZREF_JOIN", "K7M-2QX")
    monkeypatch.setattr(serve, "_doors", [JoinDoor("K7M-2QX", b"key")])
    monkeypatch.setattr(serve, "network_address", lambda: "192.168.1.5")


def shown(name: str) -> AppTest:
    page = AppTest.from_string(f"from dashboard import {name}\n{name}.page()\n", default_timeout=60).run()
    assert not page.exception
    return page


def html_of(page: AppTest) -> str:
    return "\n".join(str(element.proto.body) for element in page.get("html"))


def test_a_table_that_is_not_shared_says_how_it_would_be(routes: Starlette) -> None:
    assert "--join new" in html_of(shown("screens"))
    assert ask(routes, "/invitation.svg").status_code == 404


@pytest.mark.usefixtures("shared")
def test_the_invitation_shows_address_code_and_picture(routes: Starlette) -> None:
    html = html_of(shown("screens"))
    assert "192.168.1.5:8501" in html and "K7M-2QX" in html
    assert "/invitation.svg?page=%2Fscoreboard" in html
    whole, board = ask(routes, "/invitation.svg"), ask(routes, "/invitation.svg?page=/scoreboard")
    assert whole.headers["content-type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(whole.text).tag == "{http://www.w3.org/2000/svg}svg"
    assert whole.text != board.text
    assert ask(routes, "/invitation.svg?page=https://evil.example").text == whole.text


@pytest.mark.usefixtures("shared")
def test_a_machine_in_no_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "network_address", lambda: None)
    assert "in no network" in html_of(shown("screens"))


def test_the_picture_leads_a_phone_to_the_table(routes: Starlette, shared: None, tmp_path: Path) -> None:
    import cv2
    import segno

    link = serve.invitation(Settings())
    assert link is not None
    picture = tmp_path / "code.png"
    segno.make(link.link("/scoreboard"), error="m").save(str(picture), scale=8)
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.imread(str(picture)))
    assert text == "http://192.168.1.5:8501/join?code=K7M-2QX&next=%2Fscoreboard"


STATUS = TableStatus(
    phase="playing",
    round_number=2,
    ruleset="dutch_blitz",
    players=(PlayerStatus("Ann", 12), PlayerStatus(NASTY, -4)),
    camera=CameraState.LIVE,
    fps_hz=29.7,
    address="http://192.168.1.6:8501",
)


@pytest.mark.parametrize(
    ("status", "is_open", "age_s", "word", "urgent"),
    [
        (STATUS, True, 1.0, "Playing", False),
        (replace(STATUS, open_flags=2), True, 1.0, "Disputed", True),
        (replace(STATUS, camera=CameraState.LOST), True, 1.0, "Playing", True),
        (replace(STATUS, phase="ended"), True, 1.0, "Counting", False),
        (replace(STATUS, phase="of a newer kind"), True, 1.0, "of a newer kind", False),
        (replace(STATUS, camera="dreaming"), True, 1.0, "Playing", False),
        (replace(STATUS, camera_problem="The picture is dark."), True, 1.0, "Playing", True),
        (STATUS, True, 60.0, "Not heard of", True),
        (replace(STATUS, open_flags=2), False, 9999.0, "Closed", False),
    ],
)
def test_a_table_that_needs_somebody_stands_out(
    status: TableStatus, is_open: bool, age_s: float, word: str, urgent: bool
) -> None:
    assert club.state(ClubTable("One", status, is_open, age_s)) == (word, urgent)


@dataclass
class FakeLink:
    """A club as seen from one table."""

    view: ClubView


def test_the_club_shows_each_table(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = (
        ClubTable("One", replace(STATUS, open_flags=1), True, 1.0),
        ClubTable(LONG[:20], replace(STATUS, camera=CameraState.LOST, players=()), True, 40.0),
        ClubTable("Old", STATUS, False, 600.0),
    )
    view = ClubView("club.sqlite3", "One", tables, "The club cannot be reached just now.")
    monkeypatch.setattr(club, "current_club", lambda: FakeLink(view))
    page = shown("club")
    html = html_of(page)
    assert html.count("<section") == 3 and html.count('class="urgent"') == 2
    for words in ("One play to look at", "The camera is lost", "Heard 40 s ago", "Closed", "this table"):
        assert words in html
    assert "The camera is on, 30 pictures a second." in html
    assert "<script>" not in html and "http://192.168.1.6:8501/scoreboard" in html
    assert any("cannot be reached" in warning.value.replace("\\", "") for warning in page.warning)
    assert not page.button


def test_a_table_in_no_club_says_how_to_get_into_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club, "current_club", lambda: None)
    assert "--table" in html_of(shown("club"))
