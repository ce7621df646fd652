"""How fast and how large: the demo round through the whole pipeline, stage by stage."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.hub import PlayerView
from engine.pipeline import Pipeline
from engine.pipeline_parts import PipelineParts
from engine.round_fold import PLAYS
from engine.setup_file import load_setup
from engine.watcher import TableWatcher
from referee.events import EventType, PlayEvent, Zone
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


def spread(values: Sequence[float]) -> dict[str, float]:
    """How many values there are, the middle one and the one below which 95 of 100 lie; none: `n` alone."""
    if not values:
        return {"n": 0}
    return {"n": len(values), "p50": percentile(values, 50), "p95": percentile(values, 95)}


def percentile(values: Sequence[float], percent: float) -> float:
    """The value below which so many of a hundred lie."""
    return float(np.percentile(values, percent))


@dataclass
class Lags:
    """Seconds from a landing, by the film's clock, until it was in the log, and until a ruling on it was.

    Only landings on shared piles count: an own area is told of when hands leave it in sight. The time of the
    step that told counts in full; what else a slow machine waits for does not.
    """

    landing_to_log_s: list[float] = field(default_factory=list)
    landing_to_ruling_s: list[float] = field(default_factory=list)

    def add(self, t_s: float, took_s: float, told: Iterable[PlayEvent], log: Sequence[PlayEvent]) -> None:
        """What the step on the frame of `t_s` told, which took `took_s`; `log` is the whole round's."""
        for line in told:
            if line.type in PLAYS and line.zone is Zone.SHARED:
                self.landing_to_log_s.append(t_s - line.t + took_s)
            elif line.type is EventType.RULING:
                plays = [log[seq - 1].t for seq in line.extra["of"] if log[seq - 1].type in PLAYS]
                if plays:
                    self.landing_to_ruling_s.append(t_s - max(plays) + took_s)


def resident_mb(pid: int | str = "self") -> float | None:
    """Resident memory of a process in MB (10^6 bytes); None where the system does not tell."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    line = next((line for line in status.splitlines() if line.startswith("VmRSS")), None)
    return None if line is None else int(line.split()[1]) * 1024 / 1e6


def bench_round(film: Path, setup_file: Path, frames: int | None = None) -> dict[str, Any]:
    """Frames a second, ms per stage and lags of a recorded round, as fast as it goes, and memory."""
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
    done, lags = 0, Lags()
    while (frame := read()) is not None and (frames is None or done < frames):
        began = time.perf_counter()
        told = step(frame)
        if told:
            lags.add(frame.t_s, time.perf_counter() - began, told, pipeline.log)
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
        "landing_to_log_s": spread(lags.landing_to_log_s),
        "landing_to_ruling_s": spread(lags.landing_to_ruling_s),
        "resident_mb": resident_mb(),
    }


def machine() -> str:
    """What the figures were taken on."""
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
