"""How fast and how large: the demo round through the whole pipeline, stage by stage."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.hub import PlayerView
from engine.pipeline import Pipeline, PipelineParts
from engine.setup_file import load_setup
from engine.watcher import TableWatcher
from referee.judge import Judge
from referee.rulesets import ruleset
from vision.reading import Eyes
from vision.sources import open_source


class _Clocked:
    """Adds up the time spent in some functions, by name, in seconds."""

    def __init__(self) -> None:
        self.total_s: dict[str, float] = {}
        self.calls: dict[str, int] = {}

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, timed as `name`."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.total_s[name] = self.total_s.get(name, 0.0) + time.perf_counter() - started
                self.calls[name] = self.calls.get(name, 0) + 1

        return timed


def resident_mb(pid: int | str = "self") -> float | None:
    """Resident memory of a process in MB (10^6 bytes); None where the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    line = next((line for line in status.splitlines() if line.startswith("VmRSS")), None)
    return None if line is None else int(line.split()[1]) * 1024 / 1e6


def bench_round(film: Path, setup_file: Path, frames: int | None = None) -> dict[str, Any]:
    """Frames a second and ms per stage of a recorded round, as fast as it goes, and memory."""
    setup = load_setup(setup_file)
    rules = ruleset(setup.ruleset, **setup.options)
    players = tuple(PlayerView(p.name, p.seat, p.deck, p.team) for p in setup.players)
    clock = _Clocked()
    eyes = Eyes.load()
    eyes.finder.find = clock.wrap("find", eyes.finder.find)  # type: ignore[method-assign]
    eyes.read_found = clock.wrap("refine_and_read", eyes.read_found)  # type: ignore[method-assign]
    watcher = TableWatcher(rules, players, eyes=eyes)
    watcher.process = clock.wrap("watch", watcher.process)  # type: ignore[method-assign]
    pipeline = Pipeline(PipelineParts(lambda: watcher, lambda: Judge(rules), players))
    source = open_source(str(film))
    read = clock.wrap("decode", source.read)
    step = clock.wrap("step", pipeline.step)
    started = time.perf_counter()
    done = 0
    while (frame := read()) is not None and (frames is None or done < frames):
        step(frame)
        done += 1
    wall_s = time.perf_counter() - started
    source.close()
    per_frame = {name: 1000 * total / done for name, total in clock.total_s.items()}
    return {
        "frames": done,
        "frames_per_s": done / wall_s,
        "source_fps": source.fps,
        "ms_per_frame": {
            "decode": per_frame["decode"],
            "motion_and_piles": per_frame["watch"]
            - per_frame.get("find", 0)
            - per_frame.get("refine_and_read", 0),
            "find": per_frame.get("find", 0.0),
            "refine_and_read": per_frame.get("refine_and_read", 0.0),
            "infer_and_judge": per_frame["step"] - per_frame["watch"],
        },
        "finds": clock.calls.get("find", 0),
        "ms_per_find": 1000 * clock.total_s.get("find", 0.0) / max(clock.calls.get("find", 0), 1),
        "resident_mb": resident_mb(),
    }


def machine() -> str:
    """What the figures were taken on."""
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
