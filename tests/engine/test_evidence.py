"""Evidence stays within its memory and its disk, and a full disk does not stop the game."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from engine.evidence import DISK_FULL, EvidenceStore, FrameRing, is_evidence_name, trim_rounds
from tests.engine.fakes import folder_of, frames


def filled(count: int = 100, **limits: float) -> FrameRing:
    values = {"span_s": 10.0, "period_s": 0.1, "max_bytes": 10_000_000, **limits}
    ring = FrameRing(quality=80, **values)  # type: ignore[arg-type]
    for frame in frames(count):
        ring.add(frame)
    return ring


def test_frames_are_thinned_to_their_period() -> None:
    assert len(filled(100)) == 50
    assert len(filled(100, period_s=0.0)) == 100


def test_the_ring_holds_neither_more_bytes_nor_a_longer_time_than_allowed() -> None:
    assert filled(200, max_bytes=60_000).size_bytes <= 60_000
    ring = filled(200, span_s=2.0)
    oldest, newest = ring.at_or_before(0), ring.at_or_after(10_000)
    assert oldest is not None and newest is not None
    assert newest.t_s - oldest.t_s <= 2.0


def test_the_nearest_frame_on_the_right_side_is_found() -> None:
    ring = filled(100)
    before, after = ring.at_or_before(41), ring.at_or_after(41)
    assert before is not None and after is not None
    assert (before.index, after.index) == (40, 42)
    assert FrameRing(span_s=1, period_s=0, max_bytes=1, quality=80).at_or_before(3) is None


def test_stills_are_whole_pictures_and_a_crop_around_the_place(tmp_path: Path) -> None:
    ring, store = filled(100), EvidenceStore(tmp_path, max_bytes=10_000_000, quality=80)
    before, after = ring.at_or_before(20), ring.at_or_after(60)
    assert before is not None and after is not None
    stills = store.save(7, before, after, (630.0, 5.0), 200.0)
    assert stills is not None
    assert folder_of(tmp_path) == set(stills.to_json().values())
    crop = cv2.imread(str(tmp_path / str(stills.after_crop)))
    assert crop is not None and crop.shape == (200, 200, 3)


def test_the_oldest_pictures_make_room(tmp_path: Path) -> None:
    ring, store = filled(100), EvidenceStore(tmp_path, max_bytes=40_000, quality=80)
    kept = ring.at_or_before(20)
    assert kept is not None
    for seq in range(1, 40):
        store.save(seq, kept, kept, None, 100.0)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 40_000
    assert "r00039-after.jpg" in folder_of(tmp_path)


def test_a_full_disk_is_told_and_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring, store = filled(100), EvidenceStore(tmp_path, max_bytes=10_000_000, quality=80)
    kept = ring.at_or_before(20)
    assert kept is not None
    write = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if "after" in self.name:
            write(self, data[:10])
            raise OSError(28, "No space left on device")
        return write(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert store.save(1, kept, kept, None, 100.0) is None
    assert store.problem == DISK_FULL
    assert folder_of(tmp_path) == set()
    monkeypatch.undo()
    assert store.save(2, kept, kept, None, 100.0) is not None
    assert store.problem is None


def test_the_frames_of_a_span_of_time_are_found() -> None:
    assert [kept.index for kept in filled(100).between(1.0, 1.3)] == [20, 22, 24, 26]


def test_evidence_has_names_of_one_form() -> None:
    assert all(map(is_evidence_name, ["r00012-before.jpg", "r00012.mp4", "t00400-d3.jpg"]))
    assert not any(map(is_evidence_name, ["../r00012.mp4", "record.sqlite3", "r1.jpg", "r00001-x.png", ""]))


def test_the_oldest_rounds_make_room_and_the_newest_stays(tmp_path: Path) -> None:
    for number in (2, 9, 10):
        (tmp_path / f"round-{number}").mkdir()
        (tmp_path / f"round-{number}" / "r00001-before.jpg").write_bytes(b"0" * 600)
    trim_rounds(tmp_path, 1300)
    assert folder_of(tmp_path) == {"round-9", "round-10"}
    trim_rounds(tmp_path, 1)
    assert folder_of(tmp_path) == {"round-10"}
