"""Pictures of every page on the bundled demo round: `python -m tests.dashboard.screenshots docs`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Page, sync_playwright

from engine.commands.watching import BUNDLE, CALLS, FILM, SETUP
from engine.serve import free_port

START_S = 60.0
PLAYED_S = 26.0
"""So long the demo runs before the first picture: piles lie in the middle and a flag was raised."""
SIZE_PX = {"width": 1440, "height": 900}


def wait_for(port: int) -> None:
    """Until the dashboard answers."""
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        try:
            with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the dashboard does not answer")


def shoot(page: Page, port: int, path: str, out: Path) -> None:
    """One page into `out`, after its live parts have come."""
    page.goto(f"http://127.0.0.1:{port}{path}", wait_until="domcontentloaded")
    page.wait_for_timeout(5000)
    page.screenshot(path=str(out))


def main(folder: Path) -> None:
    """Start the demo and photograph its pages into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port(8701)
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-c", PROGRAM, data, str(port)]
        process = subprocess.Popen(command)
        try:
            wait_for(port)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"),
                    args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
                )
                page = browser.new_page(viewport=SIZE_PX)
                page.goto(f"http://127.0.0.1:{port}/", wait_until="domcontentloaded")
                page.wait_for_timeout(int(PLAYED_S * 1000))
                page.screenshot(path=str(folder / "dashboard.png"))
                for name in ("count", "review", "match"):
                    shoot(page, port, f"/{name}", folder / f"{name}.png")
                browser.close()
        finally:
            process.terminate()
            process.wait(20)


PROGRAM = f"""
import sys
from pathlib import Path
from engine.serve import serve
bundle, data, port = Path({str(BUNDLE)!r}), Path(sys.argv[1]), int(sys.argv[2])
serve(str(bundle / {FILM!r}), bundle / {SETUP!r}, data, port, False, calls=bundle / {CALLS!r})
"""

if __name__ == "__main__":
    main(Path(sys.argv[1]))
