"""The running program in a real browser: every page opens, the picture is live, a whole round is counted."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
PATIENCE_S = 60
SETUP = """
[[players]]
name = "Ann"
seat = "left"
deck = "pump"
[[players]]
name = "Bo"
seat = "right"
deck = "pail"
"""
PROGRAM = """
import sys
from pathlib import Path
from engine.serve import serve
folder, port = Path(sys.argv[1]), int(sys.argv[2])
serve(setup=folder / "SETUP.toml", data_dir=folder / "data", port=port, open_browser=False,
      factory="tests.dashboard.fakes:drawn_parts", file_pace=float(sys.argv[3]))
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(folder: Path, port: int, pace: float) -> subprocess.Popen[bytes]:
    """The program as a process of its own, once it answers."""
    (folder / "SETUP.toml").write_text(SETUP, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), str(port), str(pace)],
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1):
                return process
        except OSError:
            assert process.poll() is None, "the program ended at once"
            time.sleep(0.1)
    raise AssertionError("the program does not answer")


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


def open_page(browser: Any, address: str, scheme: str = "light") -> Any:
    page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(address, wait_until="domcontentloaded")
    return page


def go(page: Any, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()


def test_a_round_from_the_first_card_to_the_score(browser: Any, tmp_path: Path, shots: Path) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    process = start(tmp_path, port, pace=1.0)
    try:
        outside: list[str] = []
        page = open_page(browser, address)
        page.on("request", lambda request: None if address in request.url else outside.append(request.url))
        page.get_by_text("Blue 7 goes down").wait_for()
        tabs = [open_page(browser, address) for _ in range(2)]
        for tab in (page, *tabs):
            tab.wait_for_function("(document.querySelector('.br-video img') || {}).naturalWidth > 0")
        page.screenshot(path=str(shots / "live-playing.png"))
        for tab in tabs:
            tab.close()
        page.get_by_text("Ann calls").wait_for()
        page.screenshot(path=str(shots / "live-called.png"))

        go(page, "Review")
        page.get_by_text("Blue 7 was put on red 3").first.wait_for()
        page.wait_for_function(
            "[...document.querySelectorAll('.br-pair img')].every(i => i.naturalWidth > 0)"
        )
        page.get_by_role("button", name="It was wrong").click()
        page.get_by_text("The table says: it was wrong").wait_for()
        page.screenshot(path=str(shots / "review.png"))

        go(page, "Count")
        page.get_by_role("button", name="End the round").or_(page.get_by_label("Ann").first).first.wait_for()
        if page.get_by_role("button", name="End the round").count():
            page.get_by_role("button", name="End the round").click()
        picture = tmp_path / "backs.png"
        picture.write_bytes(_png())
        page.locator("input[type=file]").set_input_files(str(picture))
        page.get_by_role("button", name="Take these counts").click()
        page.get_by_label("Ann").first.fill("0")
        page.get_by_label("Ann").first.press("Enter")
        page.get_by_label("Bo").first.fill("6")
        page.get_by_label("Bo").first.press("Enter")
        page.get_by_text("2 - 2 x 6 = -10").wait_for()
        page.screenshot(path=str(shots / "count.png"), full_page=True)
        page.get_by_role("button", name="Confirm the score").click()
        page.get_by_role("button", name="Take the score back").wait_for()

        go(page, "Match")
        page.get_by_text("of 75").wait_for()
        page.locator("canvas, .vega-embed svg").first.wait_for()
        page.screenshot(path=str(shots / "match.png"))
        assert outside == []
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_S)


def test_a_reload_and_a_kill_in_mid_round_lose_nothing(browser: Any, tmp_path: Path, shots: Path) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    process = start(tmp_path, port, pace=0.25)
    try:
        page = open_page(browser, address, "dark")
        page.get_by_text("Green 1 opens a pile").wait_for()
        page.reload(wait_until="domcontentloaded")
        page.get_by_text("Green 1 opens a pile").wait_for()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE_S)
    process = start(tmp_path, port, pace=1.0)
    try:
        page.reload(wait_until="domcontentloaded")
        page.get_by_text("Green 1 opens a pile").wait_for()
        page.get_by_text("Blue 7 goes down").wait_for()
        assert page.get_by_text("Red 1 opens a pile").count() == 1
        page.screenshot(path=str(shots / "live-dark.png"))
        page.close()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_S)


def _png() -> bytes:
    import cv2
    import numpy as np

    done, data = cv2.imencode(".png", np.full((300, 760, 3), (70, 110, 60), np.uint8))
    assert done
    return bytes(data)
