"""What the dashboard costs: its start, its memory, its pages, and viewers beside the running engine."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from engine.bench import resident_mb
from engine.hub import Phase
from engine.parts import live_parts
from engine.record import FILE_NAME, Reader
from engine.serve import current_table
from engine.settings import ENV_PREFIX, Settings
from engine.setup_file import Setup
from engine.table import TableParts
from engine.table_command import Command, CommandKind
from vision.sources import open_source
from vision.types import Frame

START_LIMIT_S = 60.0
ROOT = Path(__file__).resolve().parents[1]
VIEWERS = 3
FIRST_FRAME = 60
"""The engine's rate is taken after so many frames, when it has warmed up."""
TURNS, TURN_S, NOTICED_S = 12, 6.0, 3.0
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
def _viewers(port: int, count: int) -> Iterator[Any]:
    """Tabs that look at the live page, in a process of their own."""
    command = [sys.executable, "-m", "dashboard.measure", "viewers", f"http://127.0.0.1:{port}", str(count)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


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


def bench_pages(film: Path, setup: Path) -> dict[str, dict[str, dict[str, float]]]:
    """The ms of each page's body at a rerun, waited for and computed, beside the engine at the recording."""
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
    costs: dict[str, dict[str, dict[str, float]]] = json.loads(answer.stdout)
    return costs


def bench_viewers(
    film: Path, setup: Path, port: int, progress: Callable[[int, int], None], turns: int = TURNS
) -> dict[str, float]:
    """Frames a second of the engine at its fastest, by turns with three tabs that look on and with none.

    What else the machine does comes and goes more slowly than the turns, so each turn is held against its
    neighbour, and the median of these is told.
    """
    factory = f"{__name__}:looped_parts"
    alone: list[Turn] = []
    watched: list[Turn] = []
    # The saved states tell how far the engine is; they come often here, with and without viewers.
    with (
        _program(film, setup, port, factory=factory, file_pace=0, checkpoint_s=0.1) as (folder, program),
        _viewers(port, VIEWERS) as viewers,
    ):
        record = folder / FILE_NAME
        _wait_for_frame(record, program, FIRST_FRAME)
        for turn in range(turns):
            progress(turn, turns)
            watched.append(_turn(record, program.pid))
            viewers.send_signal(signal.SIGSTOP)
            alone.append(_turn(record, program.pid))
            viewers.send_signal(signal.SIGCONT)
    pairs = list(zip(alone, watched, strict=True))
    return {
        "alone_frames_per_s": median(one.frames_per_s for one in alone),
        "with_viewers_frames_per_s": median(one.frames_per_s for one in watched),
        "slower_percent": median(100 * (1 - two.frames_per_s / one.frames_per_s) for one, two in pairs),
        "alone_cpu_ms_per_frame": median(one.cpu_ms_per_frame for one in alone),
        "with_viewers_cpu_ms_per_frame": median(one.cpu_ms_per_frame for one in watched),
    }


@dataclass(frozen=True, slots=True)
class Turn:
    """What the program did in one turn. Processor time tells its work even where others hold the machine."""

    frames_per_s: float
    cpu_ms_per_frame: float


def _turn(record: Path, pid: int) -> Turn:
    """One turn, once viewers that came or went have been noticed."""
    time.sleep(NOTICED_S)
    first, started, busy_s = _frame_reached(record), time.perf_counter(), _cpu_s(pid)
    time.sleep(TURN_S)
    frames = max(1, _frame_reached(record) - first)
    return Turn(frames / (time.perf_counter() - started), 1000 * (_cpu_s(pid) - busy_s) / frames)


def _cpu_s(pid: int) -> float:
    """Processor seconds that a process has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wait_for_frame(record: Path, program: Any, wanted: int) -> None:
    end = time.perf_counter() + PATIENCE_S
    while _frame_reached(record) < wanted:
        if program.poll() is not None or time.perf_counter() > end:
            raise TimeoutError(f"the engine has not reached frame {wanted}")
        time.sleep(0.1)


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
