"""Clips show the moment in its own colours and at its own pace, and never hold up the game."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import av
import numpy as np
import pytest

from engine.clips import MOST_WAITING, ClipError, ClipWriter, encode_clip, save_clip
from engine.evidence import EvidenceStore, KeptFrame, encode_jpeg


def red(count: int, size: tuple[int, int] = (241, 427)) -> list[KeptFrame]:
    """Frames at uneven times, red with a grey level that grows."""
    frames = []
    for index in range(count):
        image = np.zeros((*size, 3), np.uint8)
        image[:, :, 2] = 200
        image[:, :, :2] = index
        frames.append(
            KeptFrame(index, 5.0 + 0.1 * index + (0.05 if index > 3 else 0), encode_jpeg(image, 95))
        )
    return frames


def test_a_clip_keeps_times_and_colours() -> None:
    with av.open(io.BytesIO(encode_clip(red(10)))) as container:
        frames = list(container.decode(video=0))
    assert [round(frame.time, 3) for frame in frames] == [
        0,
        0.1,
        0.2,
        0.3,
        0.45,
        0.55,
        0.65,
        0.75,
        0.85,
        0.95,
    ]
    blue, green, red_level = frames[0].to_ndarray(format="bgr24").mean(axis=(0, 1))
    assert red_level > 180 and blue < 30 and green < 30
    assert (frames[0].width, frames[0].height) == (426, 240)


def test_large_pictures_are_made_smaller() -> None:
    with av.open(io.BytesIO(encode_clip(red(2, (540, 1920))))) as container:
        assert container.streams.video[0].width == 960


def test_without_pictures_there_is_no_clip(tmp_path: Path) -> None:
    with pytest.raises(ClipError, match="no pictures"):
        encode_clip([])
    store = EvidenceStore(tmp_path, max_bytes=1_000_000, quality=80)
    assert not save_clip(store, "r00001.mp4", [])
    assert list(tmp_path.iterdir()) == []


def test_the_same_frames_give_the_same_file() -> None:
    assert encode_clip(red(5)) == encode_clip(red(5))


def test_clips_are_made_in_a_thread_of_their_own_and_the_row_stays_short(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow(EvidenceStore):
        def save_files(self, files: object) -> bool:
            begun.set()
            go_on.wait(20)
            return super().save_files(files)  # type: ignore[arg-type]

    store = Slow(tmp_path, max_bytes=1_000_000, quality=80)
    writer = ClipWriter()
    writer.start()
    writer.put(store, "r00000.mp4", red(3))
    assert begun.wait(20)
    for seq in range(1, MOST_WAITING + 3):
        writer.put(store, f"r{seq:05d}.mp4", red(3))
    assert writer.dropped == 2
    go_on.set()
    assert writer.stop(20)
    assert (tmp_path / "r00000.mp4").stat().st_size > 0
