"""The running program in a real browser: from an empty table to a printed score, as a new user would."""

from __future__ import annotations

import os
import shutil
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.record import FILE_NAME, Reader
from tests.dashboard.server import DRAWN, PATIENCE_S, running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
CAMERA = "tests.dashboard.fakes:camera_parts"
NASTY = "<img src=x onerror=window.pwned=1>"
LONG = "Maximiliane-Alexandrine von und zu Hohenstein-Grafenegg II🂡"
PHONE = {"width": 390, "height": 844}
PAGES = ("Live", "Count", "Review", "Match", "Set-up")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield opened
        opened.close()


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Where screenshots go: BLITZREF_SHOTS, or away with the test."""
    folder = Path(os.environ.get("BLITZREF_SHOTS", tmp_path / "shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def open_page(browser: Any, address: str, scheme: str = "light", size: dict[str, int] | None = None) -> Any:
    """A tab; one of a phone's size is one of a phone."""
    page = browser.new_page(
        viewport=size or {"width": 1440, "height": 900},
        color_scheme=scheme,
        is_mobile=size is PHONE,
        has_touch=size is PHONE,
    )
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(address, wait_until="domcontentloaded")
    return page


def go(page: Any, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    heading = page.get_by_role("heading", name=name, exact=True)
    (page.locator(".br-clock") if name == "Live" else heading).first.wait_for()


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def ready(page: Any, name: str) -> Any:
    """A line of the set-up list that is green."""
    return page.locator(".br-checks .ready", has_text=name)


def names_and_seats(page: Any) -> None:
    """The set-up, with names that a page must not carry out."""
    page.get_by_text("Nobody is named yet").wait_for()
    names = page.get_by_label("Name", exact=True)
    names.nth(0).fill(NASTY)
    names.nth(1).fill(LONG)
    press(page, "Save the players")
    ready(page, "Players").wait_for()
    for seat in ("left", "right"):
        page.locator(f"button.br-place.{seat}.free").click()
        page.locator(f"button.br-place.{seat}:not(.free)").wait_for()
    ready(page, "Seats").wait_for()
    press(page, "See whose backs lie where")
    ready(page, "Decks").wait_for()
    press(page, "Check the picture")
    page.locator(".br-checks").get_by_text("Distance").wait_for()


def uploads(page: Any, folder: Path) -> None:
    """Files that are no photographs are told in plain words, and nothing is lost."""
    bad = {"empty.jpg": b"", "kittens.jpg": _zip_file()}
    for name, data in bad.items():
        (folder / name).write_bytes(data)
    with (folder / "huge.jpg").open("wb") as huge:
        huge.truncate(200_000_000)
    (folder / "backs.png").write_bytes(_png())
    page.get_by_text("Sort the cards by their backs").wait_for()
    files = page.locator("input[type=file]").last
    files.set_input_files([str(folder / name) for name in ("huge.jpg", *bad, "backs.png")])
    page.get_by_text("must be 40.0MB or smaller").wait_for()
    page.get_by_text("kittens.jpg: The picture is not a picture that can be read").wait_for()
    page.get_by_text("empty.jpg: The picture is empty").wait_for()


def test_a_new_user_comes_from_an_empty_table_to_a_score(browser: Any, tmp_path: Path, shots: Path) -> None:
    with running(tmp_path, factory=CAMERA, setup="") as server:
        address = f"http://127.0.0.1:{server.port}"
        outside: list[str] = []
        page = open_page(browser, address)
        page.on("request", lambda request: None if address in request.url else outside.append(request.url))
        page.get_by_text("First time at this table?").wait_for()
        go(page, "Set-up")
        names_and_seats(page)
        page.screenshot(path=str(shots / "setup.png"), full_page=True)

        go(page, "Live")
        press(page, "Start the round")
        page.get_by_text("Blue 7 goes down").wait_for()
        tabs = [open_page(browser, address) for _ in range(2)]
        for tab in (page, *tabs):
            tab.wait_for_function("(document.querySelector('.br-video img') || {}).naturalWidth > 0")
        page.get_by_role("alertdialog").first.wait_for()
        page.screenshot(path=str(shots / "live-foul.png"))
        page.wait_for_function("document.querySelectorAll('.br-feed .foul, .br-feed .warning').length >= 2")
        page.keyboard.press("Space")
        page.get_by_text("Hands off the table").first.wait_for()
        for tab in tabs:
            tab.get_by_text("Hands off the table").first.wait_for()
            tab.close()
        page.get_by_text("Who called?").wait_for()
        page.get_by_role("button", name=NASTY).first.click()
        press(page, "End the round")
        page.get_by_text("Count the round").wait_for()

        go(page, "Review")
        page.get_by_text("Blue 7 was put on red 3").first.wait_for()
        page.wait_for_function(
            "[...document.querySelectorAll('.br-pair img')].every(i => i.naturalWidth > 0)"
        )
        page.wait_for_function("(document.querySelector('video') || {}).videoWidth > 0")
        press(page, "It was wrong")
        page.get_by_text("The table says: it was wrong").wait_for()
        press(page, "Next")
        page.get_by_text("The table says: it was wrong").wait_for(state="hidden")
        page.keyboard.press("f")
        page.get_by_text("The table says: it was fine").wait_for()
        page.screenshot(path=str(shots / "review.png"), full_page=True)

        go(page, "Count")
        page.locator(".br-tiles button", has_text="blue 7").click()
        press(page, "blue 1")
        page.locator(".br-tiles button", has_text="blue 1").wait_for()
        press(page, "On to: Goal piles")
        for place, left in enumerate(("0", "6")):
            field = page.locator("input[type=number]").nth(place)
            field.fill(left)
            field.press("Enter")
        press(page, "On to: Middle")
        uploads(page, tmp_path)
        press(page, "Take these counts")
        page.get_by_text("2 - 2 x 6 = -10").wait_for()
        page.screenshot(path=str(shots / "count.png"), full_page=True)
        press(page, "Confirm the score")
        page.get_by_text("Round 1 is scored").wait_for()

        go(page, "Match")
        page.get_by_text("of 75").wait_for()
        page.locator("canvas, .vega-embed svg").first.wait_for()
        page.screenshot(path=str(shots / "match.png"), full_page=True)
        press(page, "Take the score back")
        page.get_by_text("No round is scored yet").wait_for()
        go(page, "Count")
        press(page, "Confirm the score")
        page.get_by_text("Round 1 is scored").wait_for()

        go(page, "Review")
        press(page, "Undo the last change")
        page.get_by_text("Take the round away").click()
        with page.expect_download() as coming:
            page.get_by_text("Log, clips and pictures (ZIP)").click()
        with zipfile.ZipFile(coming.value.path()) as bundle:
            names = bundle.namelist()
        assert "events.jsonl" in names and any(name.endswith(".mp4") for name in names)

        phone = open_page(browser, address, "dark", PHONE)
        phone.get_by_text("Round 1 is scored").wait_for()
        for path in ("/", "/count", "/review", "/match", "/setup", "/screens", "/scoreboard"):
            phone.goto(f"{address}{path}", wait_until="domcontentloaded")
            phone.locator("h1, .br-clock, .clock").first.wait_for()
            phone.wait_for_timeout(1500)
            assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
            assert phone.evaluate("window.innerWidth") == PHONE["width"], path
            phone.screenshot(path=str(shots / f"phone{path.replace('/', '-')}.png"), full_page=True)
        for tab in (page, phone):
            assert tab.evaluate("window.pwned === undefined")
        assert [url for url in outside if not url.startswith(("data:", "blob:"))] == []


def test_the_big_buttons_stand_above_the_piles_on_a_phone(browser: Any, tmp_path: Path, shots: Path) -> None:
    with running(tmp_path, factory=CAMERA) as server:
        page = open_page(browser, f"http://127.0.0.1:{server.port}", "dark", PHONE)
        press(page, "Start the round")
        blitz = page.get_by_role("button", name="BLITZ!")
        blitz.wait_for()
        pile = page.locator(".br-pile").first
        pile.wait_for()
        page.screenshot(path=str(shots / "phone-live.png"), full_page=True)
        above, below = blitz.bounding_box(), pile.bounding_box()
        assert above is not None and below is not None
        assert above["y"] + above["height"] <= below["y"]
        assert above["width"] > 0.8 * PHONE["width"]
        assert blitz.locator("kbd").is_hidden()
        page.get_by_role("alertdialog").first.wait_for()
        page.get_by_role("button", name="Later").wait_for()
        dialog, blitz_now = page.locator(".st-key-foul").bounding_box(), blitz.bounding_box()
        assert dialog is not None and blitz_now is not None
        assert dialog["y"] + dialog["height"] <= blitz_now["y"]


def test_a_phone_sees_each_step_of_the_count_from_its_beginning(browser: Any, tmp_path: Path) -> None:
    with running(tmp_path, factory=DRAWN, pace=0) as server:
        page = open_page(browser, f"http://127.0.0.1:{server.port}", "light", PHONE)
        page.get_by_role("link", name="Count the round").click()
        for button in ("Count the goal piles", "On to: Middle"):
            press(page, button)
            page.wait_for_function(
                "() => {const at = document.querySelector('.br-top').getBoundingClientRect().top;"
                " return at > 0 && at < window.innerHeight}"
            )
            page.get_by_role("button", name=button).wait_for(state="hidden")


def test_two_scorekeepers_who_press_twice_confirm_once(browser: Any, tmp_path: Path) -> None:
    with running(tmp_path, factory=DRAWN, pace=0) as server:
        address = f"http://127.0.0.1:{server.port}"
        first = open_page(browser, address)
        first.get_by_role("link", name="Count the round").click()
        for button, numbers in (("Count the goal piles", "07"), ("Count the cards of the middle", "98")):
            press(first, button)
            first.get_by_role("button", name=button).wait_for(state="hidden")
            for place, number in enumerate(numbers):
                field = first.locator("input[type=number]").nth(place)
                field.fill(number)
                field.press("Enter")
        first.get_by_text("8 - 2 x 7 = -6").wait_for()
        second = open_page(browser, f"{address}/count")
        second.get_by_text("8 - 2 x 7 = -6").wait_for()
        first.get_by_role("button", name="Confirm the score").dblclick()
        press(second, "Confirm the score")
        for page in (first, second):
            page.get_by_text("Round 1 is scored").wait_for()
            page.close()
        assert server.interrupt() == 0
    reader = Reader(tmp_path / "data" / FILE_NAME)
    log = reader.log(1)
    reader.close()
    assert sum("confirmed" in line.extra for line in log) == 1


def test_a_reload_and_a_kill_in_mid_round_lose_nothing(browser: Any, tmp_path: Path, shots: Path) -> None:
    with running(tmp_path, factory=DRAWN, pace=0.25) as server:
        page = open_page(browser, f"http://127.0.0.1:{server.port}", "dark")
        page.get_by_text("Green 1 opens a pile").wait_for()
        page.reload(wait_until="domcontentloaded")
        page.get_by_text("Green 1 opens a pile").wait_for()
        server.process.send_signal(signal.SIGKILL)
        server.process.wait(PATIENCE_S)
    with running(tmp_path, factory=DRAWN, pace=1.0) as server:
        page.goto(f"http://127.0.0.1:{server.port}", wait_until="domcontentloaded")
        page.get_by_text("Green 1 opens a pile").wait_for()
        page.get_by_text("Blue 7 goes down").wait_for()
        assert page.get_by_text("Red 1 opens a pile").count() == 1
        page.screenshot(path=str(shots / "live-dark.png"))
        page.close()


def _png() -> bytes:
    done, data = cv2.imencode(".png", np.full((300, 760, 3), (70, 110, 60), np.uint8))
    assert done
    return bytes(data)


def _zip_file() -> bytes:
    """A ZIP file, whatever it is called."""
    return b"PK\x03\x04" + bytes(300)
