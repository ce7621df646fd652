"""What the eyes cost: the finder beside a stock network, whole photographs, and the memory for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.training.stock import stock_finder
from vision.finder import Finder
from vision.reader import Reader
from vision.reading import Eyes
from vision.sources import load_picture

CARDS_AT_ONCE = 16


def bench_eyes(frame: np.ndarray, photographs: Mapping[str, Path], repeats: int = 15) -> dict[str, Any]:
    """Median ms on one thread.

    `frame` BGR uint8 (1080, 1920, 3) is looked at in turn by the finder and by the stock network, so that
    both meet the same load; `photographs` are read whole, each in a process of its own for its memory.
    """
    return {
        **beside_stock(frame, repeats),
        "photographs": {name: _apart(path) for name, path in photographs.items()},
    }


def beside_stock(frame: np.ndarray, repeats: int) -> dict[str, Any]:
    """The finder on a frame, the reader on its cards, and the stock network where it is installed."""
    cv2.setNumThreads(1)
    finder, reader, stock = Finder.load(), Reader.load(), stock_finder()
    crops = np.random.default_rng(1).integers(0, 255, (CARDS_AT_ONCE, 136, 96, 3), dtype=np.uint8)
    actions: dict[str, Callable[[], object]] = {
        "finder_1080p_ms": lambda: finder.find(frame),
        "reader_ms_per_card": lambda: reader.probabilities(crops),
    }
    if stock is not None:
        actions["stock_yolo11n_obb_640_1080p_ms"] = lambda: stock(frame)
    times: dict[str, list[float]] = {name: [] for name in actions}
    for turn in range(repeats + 2):
        for name, action in actions.items():
            started = time.perf_counter()
            action()
            # The first two turns warm up.
            if turn >= 2:
                times[name].append(1000 * (time.perf_counter() - started))
    figures: dict[str, Any] = {name: float(np.median(taken)) for name, taken in times.items()}
    figures["reader_ms_per_card"] /= CARDS_AT_ONCE
    if stock is not None:
        figures["finder_over_stock"] = figures["finder_1080p_ms"] / figures["stock_yolo11n_obb_640_1080p_ms"]
    return figures


def _apart(path: Path) -> dict[str, Any]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(read_whole, path).result()


def read_whole(path: Path, repeats: int = 3) -> dict[str, Any]:
    """Median ms of reading a photograph, how many cards it gave, and this process's peak memory."""
    cv2.setNumThreads(1)
    image, eyes = load_picture(path), Eyes.load()
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        seen = eyes.read_still(image)
        taken.append(1000 * (time.perf_counter() - started))
    return {"ms": float(np.median(taken)), "cards": len(seen), "peak_mb": peak_mb()}


def peak_mb() -> float | None:
    """The most memory this process held so far in MB (10^6 bytes); None where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6
