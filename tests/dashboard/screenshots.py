"""Pictures of every page on the bundled example round: `python -m tests.dashboard.screenshots docs`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import threading
import time
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

import engine.serve
from dashboard import texts
from engine.club import FILE_NAME as CLUB_FILE
from engine.club import ClubLink
from engine.example import BUNDLE, CALLS, FILM, SETUP
from engine.hub import CameraHealth, CameraState, MatchView, Phase, PlayerView, RoundView, Snapshot
from engine.record import migrate
from engine.serve import current_table, free_port, serve
from engine.table_command import Command, CommandKind
from tests.dashboard.tables import FLAG

PATIENCE_S = 3600.0
"""A slow machine plays the example slowly, since it skips no picture."""
SETTLE_S = 4.0
WIDEST_PX, COLOURS = 1200, 256
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
LOW = {"width": 1440, "height": 500}
ROUNDS = ((11, 2, 14, 0, 9, 4, 7, 6), (8, 5, 10, 3, 15, 0, 12, 1), (16, 0, 9, 2, 6, 7, 13, 1))
"""Further rounds of the match, so that its chart shows something: cards played and left, player by player."""


def score_rounds(folder: Path) -> None:
    """Once `go` is in the folder: score the round on the table and some more, and say so by `scored`."""
    while not (folder / "go").exists():
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
            {"player": name, "played": played, "left": left, "faces": None, "faces_left": None}
            for name, (played, left) in zip(names, pairs, strict=True)
        ]
        caller = next(entry["player"] for entry in entries if entry["left"] == 0)
        tell(CommandKind.COUNT, entries=entries, called_by=caller)
        tell(CommandKind.CONFIRM)
    (folder / "scored").touch()


def another_table(folder: Path) -> ClubLink:
    """A second table of the club, at which somebody has a question."""
    record = folder / "another.sqlite3"
    migrate(record)
    players = (PlayerView("Dora"), PlayerView("Emil"), PlayerView("Fay"))
    totals = {"Dora": 41, "Emil": -7, "Fay": 63}
    view = RoundView(round_id=1, number=4, phase=Phase.PAUSED, clock_s=73.0, flags=(FLAG,))
    match = MatchView(match_id=1, ruleset="nertz_std", target=100, players=players, totals=totals)
    now = Snapshot(1, view, match, CameraHealth(CameraState.LIVE, "0", True, 29.7, 0.06, 0, (1920, 1080)))
    return ClubLink(str(folder / CLUB_FILE), "Table 2", record, lambda: now, "http://192.168.1.21:8501")


def serve_example(folder: str, port: int) -> None:
    """The program with the example on one table of a club."""
    data = Path(folder)
    # The picture shows an address as homes have it, not that of the machine that made it.
    engine.serve.network_address = lambda: "192.168.1.20"
    threading.Thread(target=score_rounds, args=(data,), daemon=True).start()
    other = another_table(data)
    other.start()
    try:
        serve(
            str(BUNDLE / FILM),
            BUNDLE / SETUP,
            data,
            port,
            False,
            calls=BUNDLE / CALLS,
            table="Table 1",
            join="new",
        )
    finally:
        other.stop()


class Camera:
    """Takes the pictures."""

    def __init__(self, browser: Browser, port: int, folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self._address = f"http://127.0.0.1:{port}"

    def open(self, path: str, scheme: str = "light", size: dict[str, int] | None = None) -> Page:
        """A page, once it stands still."""
        touch = size is PHONE
        page = self._browser.new_page(
            viewport=size or WIDE, color_scheme=scheme, is_mobile=touch, has_touch=touch
        )
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(f"{self._address}{path}", wait_until="domcontentloaded")
        page.locator("h1, .br-clock, .clock").first.wait_for()
        self.settle(page)
        return page

    def settle(self, page: Page) -> None:
        """Until nothing is still to come: every part is there, and every picture in it."""
        page.wait_for_timeout(SETTLE_S * 1000)
        page.wait_for_function(
            "!document.querySelector('[data-testid=stSkeleton]')"
            " && [...document.images].every(one => one.naturalWidth > 0)"
        )

    def take(self, page: Page, name: str) -> None:
        """One picture, small enough for a repository: a palette, and no wider than a README shows it."""
        with Image.open(BytesIO(page.screenshot())) as shot:
            picture = shot.convert("RGB")
        picture.thumbnail((WIDEST_PX, 10 * WIDEST_PX), Image.Resampling.LANCZOS)
        # The other ways of choosing a palette give the green and the blue cards one colour between them.
        palette = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2)
        palette.save(self._folder / f"{name}.png", optimize=True)

    def shoot(self, path: str, name: str, scheme: str = "light", size: dict[str, int] | None = None) -> None:
        """Open a page, take its picture, close it."""
        page = self.open(path, scheme, size)
        self.take(page, name)
        page.close()

    def wait_for_the_end(self) -> None:
        """Until the scoreboard says that the round is over; no page is open meanwhile, which takes time."""
        word = texts.PHASES[Phase.ENDED]
        while True:
            with urlopen(f"{self._address}/scoreboard/part") as part:
                if f">{word}<" in part.read().decode():
                    return
            time.sleep(1.0)


def take_round(camera: Camera) -> None:
    """The pages while the round is on."""
    live = camera.open("/")
    live.get_by_role("button", name="Later").wait_for()
    camera.settle(live)
    camera.take(live, "dashboard")
    live.close()
    camera.shoot("/", "live-dark", "dark")
    camera.shoot("/", "live-phone", size=PHONE)
    setup = camera.open("/setup")
    setup.get_by_role("button", name="Check the picture").click()
    setup.get_by_text("Sheet or cards").wait_for()
    camera.settle(setup)
    camera.take(setup, "setup")
    setup.close()
    camera.shoot("/screens", "screens")
    camera.shoot("/club", "club", size=LOW)


def take_count(camera: Camera) -> None:
    """The pages once the round is over."""
    camera.shoot("/review", "review")
    camera.shoot("/review", "review-dark", "dark")
    camera.shoot("/review", "review-phone", size=PHONE)
    camera.shoot("/count", "count")
    middle = camera.open("/count")
    middle.get_by_role("button", name="On to: Goal piles").click()
    middle.get_by_role("button", name="Dan", exact=True).click()
    middle.get_by_role("button", name="Use goal-Ann.jpg").click()
    middle.get_by_role("button", name="Take these:").click()
    middle.get_by_role("button", name="On to: Middle").click()
    middle.get_by_role("button", name="Use backs.jpg").click()
    middle.get_by_role("button", name="Take these counts").click()
    camera.settle(middle)
    camera.take(middle, "count-middle")
    middle.close()
    camera.shoot("/count", "count-phone", "dark", PHONE)


def take_match(camera: Camera) -> None:
    """The pages after some rounds."""
    for scheme, size, name in (("light", WIDE, "match"), ("dark", PHONE, "match-phone")):
        match = camera.open("/match", scheme, size)
        match.get_by_text("lead changes").wait_for()
        match.locator("canvas, .vega-embed svg").first.wait_for()
        camera.settle(match)
        camera.take(match, name)
        match.close()
    board = camera.open("/scoreboard")
    camera.take(board, "scoreboard")
    board.close()


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
                camera = Camera(browser, port, folder)
                take_round(camera)
                camera.wait_for_the_end()
                take_count(camera)
                (Path(data) / "go").touch()
                while not (Path(data) / "scored").exists():
                    time.sleep(0.2)
                take_match(camera)
                browser.close()
        finally:
            process.terminate()
            process.wait(60)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
