"""What the dashboard costs: its start, its memory, its pages, and viewers beside the running engine."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from engine.bench import resident_mb
from engine.hub import Phase
from engine.parts import live_parts
from engine.pipeline import Command, CommandKind
from engine.record import FILE_NAME, Reader
from engine.serve import current_table
from engine.settings import ENV_PREFIX, Settings
from engine.setup_file import Setup
from engine.table import TableParts
from vision.sources import open_source
from vision.types import Frame

START_LIMIT_S = 60.0
ROOT = Path(__file__).resolve().parents[1]
VIEWERS = 3
FIRST_FRAME, FRAMES = 60, 360
"""Frames over which the engine's rate is taken, after it has warmed up."""
PATIENCE_S = 600.0
WARM_UP = 0.2
"""Share of a long run after which the memory counts as that of a program that has settled."""


@contextmanager
def _program(film: Path, setup: Path, port: int, **settings: object) -> Iterator[tuple[Path, Any]]:
    """The dashboard as a process of its own: its data folder and the process."""
    with tempfile.TemporaryDirectory(prefix="blitzref-bench-") as folder:
        command = [sys.executable, "-m", "engine.cli", "app", "--source", str(film), "--setup", str(setup)]
        command += ["--data", folder, "--port", str(port), "--no-browser"]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=_environment(**settings),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield Path(folder), process
        finally:
            _end(process)


def _environment(**settings: object) -> dict[str, str]:
    return os.environ | {f"{ENV_PREFIX}{key.upper()}": str(value) for key, value in settings.items()}


def _end(process: Any) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()


@contextmanager
def _viewers(port: int, count: int) -> Iterator[None]:
    """Tabs that look at the live page, in a process of their own."""
    if count == 0:
        yield
        return
    command = [sys.executable, "-m", "dashboard.measure", "viewers", f"http://127.0.0.1:{port}", str(count)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        _end(process)


def bench_dashboard(film: Path, setup: Path, watch_s: float, port: int) -> dict[str, Any]:
    """Seconds from the start of the program to the first live picture, and to its end; memory meanwhile."""
    started = time.perf_counter()
    with _program(film, setup, port) as (_, process), _viewers(port, VIEWERS):
        first_s = _first_picture(f"http://127.0.0.1:{port}/video.mjpg", started)
        peak = 0.0
        until = time.perf_counter() + watch_s
        while time.perf_counter() < until and process.poll() is None:
            peak = max(peak, resident_mb(process.pid) or 0.0)
            time.sleep(0.25)
        stop = time.perf_counter()
        _end(process)
        return {
            "first_picture_s": first_s,
            "resident_peak_mb": peak,
            "stop_with_viewers_s": time.perf_counter() - stop,
        }


def _first_picture(address: str, started: float) -> float | None:
    """Seconds until the stream gave a whole JPEG; None if it did not within the limit."""
    while time.perf_counter() - started < START_LIMIT_S:
        try:
            with urlopen(address, timeout=5) as stream:
                data = b""
                while b"\xff\xd9" not in data:
                    part = stream.read(4096)
                    if not part:
                        break
                    data += part
                else:
                    return time.perf_counter() - started
        except (URLError, OSError):
            pass
        time.sleep(0.05)
    return None


def bench_pages(film: Path, setup: Path) -> dict[str, dict[str, float]]:
    """Median ms of each page's body, waited for and computed, beside the engine at the recording."""
    with tempfile.TemporaryDirectory(prefix="blitzref-bench-") as folder:
        answer = subprocess.run(
            [sys.executable, "-m", "dashboard.measure", "pages"],
            cwd=ROOT,
            env=_environment(source=film, setup=setup, data_dir=folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
            timeout=PATIENCE_S,
        )
    costs: dict[str, dict[str, float]] = json.loads(answer.stdout)
    return costs


def bench_viewers(film: Path, setup: Path, port: int, repeats: int = 3) -> dict[str, float]:
    """Frames a second of the engine at its fastest without anybody and with three tabs, taken in turn."""
    rates: dict[int, list[float]] = {0: [], VIEWERS: []}
    for _ in range(repeats):
        for count in rates:
            rates[count].append(_engine_rate(film, setup, port, count))
    alone, watched = median(rates[0]), median(rates[VIEWERS])
    return {
        "alone_frames_per_s": alone,
        "with_viewers_frames_per_s": watched,
        "slower_percent": 100 * (1 - watched / alone),
    }


def _engine_rate(film: Path, setup: Path, port: int, viewers: int) -> float:
    # The saved states tell how far the engine is; they come often here, alone and with viewers.
    with _program(film, setup, port, file_pace=0, checkpoint_s=0.1) as (folder, _), _viewers(port, viewers):
        first = _frames_done(folder / FILE_NAME, FIRST_FRAME)
        last = _frames_done(folder / FILE_NAME, FIRST_FRAME + FRAMES)
    return (last[0] - first[0]) / (last[1] - first[1])


def _frames_done(record: Path, wanted: int) -> tuple[int, float]:
    """The frame that the engine has reached, once it has reached `wanted`, and when that was seen."""
    end = time.perf_counter() + PATIENCE_S
    while time.perf_counter() < end:
        reached = _frame_reached(record)
        if reached >= wanted:
            return reached, time.perf_counter()
        time.sleep(0.02)
    raise TimeoutError(f"the engine has not reached frame {wanted}")


def _frame_reached(record: Path) -> int:
    """The frame of the last saved state, -1 before the first."""
    try:
        reader = Reader(record)
    except sqlite3.OperationalError:
        return -1
    try:
        point = reader.checkpoint(reader.last_round_id())
    except sqlite3.OperationalError:
        # The record is just being made.
        return -1
    finally:
        reader.close()
    return -1 if point is None else point.frame_index


def bench_long(film: Path, setup: Path, minutes: float, port: int) -> dict[str, float]:
    """How memory grows while the recording is played over and over, counted, scored and looked at."""
    factory = f"{__name__}:looped_parts"
    with _program(film, setup, port, factory=factory) as (folder, process), _viewers(port, VIEWERS):
        begun = time.perf_counter()
        end, settled = begun + 60 * minutes, begun + 60 * minutes * WARM_UP
        first = last = peak = 0.0
        while time.perf_counter() < end and process.poll() is None:
            time.sleep(1.0)
            last = resident_mb(process.pid) or 0.0
            peak = max(peak, last)
            if not first and time.perf_counter() >= settled:
                first = last
        reader = Reader(folder / FILE_NAME)
        rounds = reader.last_round_id()
        reader.close()
    return {
        "minutes": (time.perf_counter() - begun) / 60,
        "rounds": rounds,
        "resident_settled_mb": first,
        "resident_end_mb": last,
        "resident_peak_mb": peak,
        "growth_mb": last - first,
    }


class LoopedFilm:
    """A recording that begins anew at its end, where somebody counts and confirms the round."""

    live = False

    def __init__(self, film: str) -> None:
        self._film = film
        self._source = open_source(film)
        self.fps = self._source.fps

    def __iter__(self) -> Iterator[Frame]:
        """The frames, numbered and timed on and on."""
        index, begun_s = 0, 0.0
        while True:
            t_s = 0.0
            for frame in self._source:
                t_s = frame.t_s
                yield Frame(frame.image, index, begun_s + t_s)
                index += 1
            begun_s += t_s + 1 / self.fps
            self._source.close()
            _score_round()
            self._source = open_source(self._film)

    def close(self) -> None:
        """Give the file back."""
        self._source.close()


def _score_round() -> None:
    table = current_table()
    if table is None:
        return
    players = table.hub.snapshot.match.players
    entries = [{"player": player.name, "played": 12 + i, "left": i} for i, player in enumerate(players)]
    for kind, values in (
        (CommandKind.END, {}),
        (CommandKind.COUNT, {"entries": entries}),
        (CommandKind.CONFIRM, {}),
    ):
        table.send(Command.on(table.hub.snapshot.seen(), kind, "bench", values))
    now = table.hub.snapshot
    if now.round.phase is Phase.CONFIRMED:
        on = CommandKind.NEW_MATCH if now.match.over else CommandKind.NEXT_ROUND
        table.send(Command.on(now.seen(), on, "bench", {}))


def looped_parts(settings: Settings, setup: Setup) -> TableParts:
    """The parts of a table on a recording that never ends."""
    made = live_parts(settings, setup)
    film = str(settings.source)
    return replace(made, open_source=lambda: LoopedFilm(film))
