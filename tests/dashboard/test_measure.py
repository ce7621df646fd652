"""What measures the dashboard: pages are found, viewers look on, and a recording is played over and over."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import cv2
import psutil
import pytest

from dashboard.measure import page_names
from engine import bench_desk, serve
from engine.bench_desk import LoopedFilm
from engine.hub import Phase
from engine.settings import Settings
from engine.table import Table
from tests.dashboard.server import running
from tests.dashboard.test_captures import COUNTED, eventually, tabs_of
from tests.engine.fakes import FakeSource, parts, picture
from tests.engine.test_table import finished, setup_of, wait_for


def test_every_page_is_measured() -> None:
    assert {"live", "count", "review", "match", "screens", "club"} <= set(page_names())


def test_viewers_look_at_the_picture_and_keep_the_page_up_to_date(tmp_path: Path) -> None:
    with running(tmp_path, factory=COUNTED) as server:
        words = ["viewers", f"http://127.0.0.1:{server.port}", "2"]
        viewers = subprocess.Popen(
            [sys.executable, "-m", "dashboard.measure", *words], env={**os.environ, "PYTHONPATH": os.getcwd()}
        )
        try:
            eventually(lambda: tabs_of(psutil.Process(server.process.pid)) == 4)
            assert viewers.poll() is None
        finally:
            viewers.kill()
            viewers.wait()


def film(path: Path, frames: int) -> str:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 20.0, (640, 360))
    for index in range(frames):
        writer.write(picture(index))
    writer.release()
    return str(path)


def test_a_looped_recording_goes_on_and_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[int] = []
    monkeypatch.setattr(bench_desk, "_score_round", lambda: scored.append(1))
    looped = LoopedFilm(film(tmp_path / "round.mp4", 6))
    frames = list(islice(looped, 20))
    looped.close()
    assert [frame.index for frame in frames] == list(range(20)) and len(scored) == 3
    times = [frame.t_s for frame in frames]
    assert times == sorted(set(times))


def test_a_round_that_is_over_is_scored_and_the_next_one_opened(tmp_path: Path) -> None:
    table = Table(parts(lambda: FakeSource(400)), Settings(data_dir=tmp_path, file_pace=0.0), setup_of())
    serve.use_table(table)
    table.start()
    try:
        wait_for(table, finished)
        bench_desk._score_round()
        now = wait_for(table, lambda now: now.round.number == 2)
        assert now.round.phase is Phase.WAITING and now.match.totals == {"Ann": 12, "Bo": 11}
    finally:
        serve.close_all()
