"""A real browser on another address of the network: the form, the scoreboard, the whole table after it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.joining import network_address
from tests.dashboard.server import PATIENCE_S, running

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
CODE = "K7M-2QX"


@pytest.fixture
def phone() -> Iterator[Any]:
    """A tab of a phone's size."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.set_default_timeout(PATIENCE_S * 1000)
        yield page
        browser.close()


def test_a_phone_joins_and_sees_the_same_table(phone: Any, tmp_path: Path) -> None:
    lan = network_address()
    if lan is None:
        pytest.skip("this machine is in no network, so no phone can join")
    with running(tmp_path, join=CODE) as server:
        base = f"http://{lan}:{server.port}"
        outside: list[str] = []
        phone.on("request", lambda request: None if base in request.url else outside.append(request.url))
        phone.goto(f"{base}/scoreboard")
        assert phone.get_by_text("Ann").count() == 0
        phone.get_by_label("Join code").fill("AAA-AAA")
        phone.get_by_role("button", name="Join").click()
        phone.get_by_text("That is not the code").wait_for()
        phone.get_by_label("Join code").fill("k7m 2qx")
        phone.get_by_role("button", name="Join").click()
        phone.get_by_text("Ann").wait_for()
        assert phone.url == f"{base}/scoreboard"
        # It keeps itself up to date: the round goes on to its end without a touch.
        phone.get_by_text("Counting").wait_for()
        phone.goto(base, wait_until="domcontentloaded")
        phone.wait_for_function("(document.querySelector('img[src*=\"video.mjpg\"]') || {}).naturalWidth > 0")
        phone.get_by_text("The round is over").first.wait_for()
        assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert [url for url in outside if not url.startswith(("data:", "blob:"))] == []
