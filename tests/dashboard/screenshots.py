"""Pictures of every page on the bundled example round: `python -m tests.dashboard.screenshots docs`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from engine.example import BUNDLE, CALLS, FILM, SETUP
from engine.hub import Phase
from engine.pipeline import Command, CommandKind
from engine.serve import current_table, free_port, serve

PATIENCE_S = 1200.0
"""A slow machine plays the example slowly, since it skips no picture."""
SETTLE_S = 4.0
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
ROUNDS = ((11, 2, 14, 0, 9, 4, 7, 6), (8, 5, 10, 3, 15, 0, 12, 1), (16, 0, 9, 2, 6, 7, 13, 1))
"""Further rounds of the match, so that its chart shows something: cards played and left, player by player."""


def score_rounds(go: Path) -> None:
    """Once `go` is there: score the round on the table and some more."""
    while not go.exists():
        time.sleep(0.2)
    table = current_table()
    assert table is not None
    told = 0

    def tell(kind: CommandKind, **values: Any) -> None:
        nonlocal told
        told += 1
        outcome = table.send(Command(kind, f"picture-{told}", values=values), 60)
        assert outcome.done, outcome.message

    names = [player.name for player in table.hub.snapshot.match.players]
    for numbers in ROUNDS:
        if table.hub.snapshot.round.phase is Phase.CONFIRMED:
            tell(CommandKind.NEXT_ROUND)
            tell(CommandKind.START)
            tell(CommandKind.END)
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        entries = [
            {"player": name, "played": played, "left": left}
            for name, (played, left) in zip(names, pairs, strict=True)
        ]
        caller = next(entry["player"] for entry in entries if entry["left"] == 0)
        tell(CommandKind.COUNT, entries=entries, called_by=caller)
        tell(CommandKind.CONFIRM)


def serve_example(folder: str, port: int) -> None:
    """The program with the example on the table."""
    threading.Thread(target=score_rounds, args=(Path(folder) / "go",), daemon=True).start()
    serve(str(BUNDLE / FILM), BUNDLE / SETUP, Path(folder), port, False, calls=BUNDLE / CALLS)


class Camera:
    """Takes the pictures."""

    def __init__(self, browser: Browser, port: int, folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self._address = f"http://127.0.0.1:{port}"

    def open(self, path: str, scheme: str = "light", size: dict[str, int] | None = None) -> Page:
        """A page, once it stands still."""
        page = self._browser.new_page(viewport=size or WIDE, color_scheme=scheme)
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(f"{self._address}{path}", wait_until="domcontentloaded")
        page.locator("h1, .br-clock").first.wait_for()
        page.wait_for_timeout(SETTLE_S * 1000)
        return page

    def take(self, page: Page, name: str, *, whole: bool = False) -> None:
        """One picture."""
        page.screenshot(path=str(self._folder / f"{name}.png"), full_page=whole)


def take_all(camera: Camera, go: Path) -> None:
    """The pages as a game goes on."""
    live = camera.open("/")
    live.get_by_text("Look at it").first.wait_for()
    camera.take(live, "dashboard")
    for scheme, size, name in (("dark", WIDE, "live-dark"), ("light", PHONE, "live-phone")):
        page = camera.open("/", scheme, size)
        camera.take(page, name)
        page.close()
    setup = camera.open("/setup")
    setup.get_by_role("button", name="Check the picture").click()
    setup.get_by_text("Sheet or cards").wait_for()
    setup.wait_for_timeout(SETTLE_S * 1000)
    camera.take(setup, "setup")
    setup.close()
    live.get_by_text("Count the round").wait_for()
    live.close()
    for path, name in (("/review", "review"), ("/count", "count")):
        page = camera.open(path)
        camera.take(page, name)
        page.close()
    middle = camera.open("/count")
    middle.get_by_text("3 Middle").click()
    middle.get_by_role("button", name="Use backs.jpg").click()
    middle.get_by_role("button", name="Take these counts").click()
    middle.wait_for_timeout(SETTLE_S * 1000)
    camera.take(middle, "count-middle")
    phone = camera.open("/count", "dark", PHONE)
    camera.take(phone, "count-phone")
    phone.close()
    middle.close()
    go.touch()
    match = camera.open("/match")
    match.get_by_text("lead changes").wait_for()
    match.wait_for_timeout(2 * SETTLE_S * 1000)
    camera.take(match, "match")
    match.close()


def wait_for(port: int) -> None:
    """Until the dashboard answers."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the dashboard does not answer")


def main(folder: Path) -> None:
    """Start the example and photograph its pages into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port(8701)
    with tempfile.TemporaryDirectory() as data:
        program = f"from tests.dashboard.screenshots import serve_example; serve_example({data!r}, {port})"
        process = subprocess.Popen([sys.executable, "-c", program])
        try:
            wait_for(port)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"),
                    args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
                )
                take_all(Camera(browser, port, folder), Path(data) / "go")
                browser.close()
        finally:
            process.terminate()
            process.wait(60)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
