"""A table whose camera writes down each opening and closing, and goes on until it is closed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from dashboard import live
from engine.settings import Settings
from engine.setup_file import Setup
from engine.table import TableParts
from tests.dashboard.fakes import draw_table, see_photo
from tests.engine.fakes import FPS_HZ, ScriptedWatcher, round_script
from vision.types import Frame

LOG = "captures.log"


class CountedCamera:
    """A live camera."""

    fps, live = FPS_HZ, True

    def __init__(self, log: Path) -> None:
        self._log, self._closed = log, threading.Event()
        self._write("open")

    def __iter__(self) -> Iterator[Frame]:
        watcher = ScriptedWatcher(round_script())
        index = 0
        while not self._closed.wait(1 / FPS_HZ):
            frame = Frame(draw_table(watcher.piles, index), index, index / FPS_HZ)
            watcher.process(frame)
            yield frame
            index += 1

    def close(self) -> None:
        """Give the camera back."""
        if not self._closed.is_set():
            self._closed.set()
            self._write("close")

    def _write(self, word: str) -> None:
        with self._log.open("a", encoding="utf-8") as file:
            file.write(f"{word}\n")


def captures(folder: Path) -> tuple[int, int]:
    """How often the camera of a data folder was opened, and how often closed."""
    words = (folder / LOG).read_text(encoding="utf-8").split()
    return words.count("open"), words.count("close")


def counted_parts(settings: Settings, setup: Setup) -> TableParts:
    """The parts of such a table."""
    log = settings.data_dir / LOG
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    return TableParts(
        "counted",
        True,
        lambda: CountedCamera(log),
        lambda rules, players: ScriptedWatcher(round_script()),
        see_photo,
    )


def hanging_parts(settings: Settings, setup: Setup) -> TableParts:
    """As `counted_parts`, with a live page that never comes to its end; it says so by `hangs`."""

    def page() -> None:
        (settings.data_dir / "hangs").touch()
        threading.Event().wait()

    live.page = page
    return counted_parts(settings, setup)
