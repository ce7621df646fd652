"""The figures of speed and memory exist and are consistent; how large they are is nobody's promise here."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine import bench_eyes
from engine.bench_eyes import beside_stock, read_whole
from vision.reading import Eyes


def test_the_ratio_is_of_the_two_times_of_one_run(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = np.full((1080, 1920, 3), 90, np.uint8)
    looked = []
    monkeypatch.setattr(bench_eyes, "stock_finder", lambda: looked.append)
    figures = beside_stock(frame, 1)
    assert len(looked) == 3 and looked[0] is frame
    assert figures["finder_1080p_ms"] > 0 and figures["reader_ms_per_card"] > 0
    ratio = figures["finder_1080p_ms"] / figures["stock_yolo11n_obb_640_1080p_ms"]
    assert figures["finder_over_stock"] == ratio
    monkeypatch.setattr(bench_eyes, "stock_finder", lambda: None)
    assert beside_stock(frame, 1).keys() == {"finder_1080p_ms", "reader_ms_per_card"}


def test_a_photograph_is_read_whole(eyes: Eyes, tmp_path: Path) -> None:
    path = tmp_path / "empty.png"
    cv2.imwrite(str(path), np.full((200, 320, 3), 60, np.uint8))
    figures = read_whole(path, repeats=1)
    assert figures["cards"] == 0 and figures["ms"] > 0
    assert figures["peak_mb"] is None or figures["peak_mb"] > 50
