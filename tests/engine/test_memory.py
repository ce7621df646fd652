"""Freed memory goes back to the system though pieces between are still in use."""

from __future__ import annotations

import platform

import pytest

from engine.bench import resident_mb
from engine.memory import give_back, share_heaps

PIECES, PIECE_BYTES = 4000, 20_000


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_what_was_freed_goes_back_though_pieces_between_are_in_use() -> None:
    share_heaps()
    held, kept = [], []
    for _ in range(PIECES):
        held.append(bytes(PIECE_BYTES))
        kept.append(bytes(1000))
    held.clear()
    freed = resident_mb()
    give_back()
    after = resident_mb()
    assert freed is not None and after is not None
    assert freed - after > 0.5 * PIECES * PIECE_BYTES / 1e6
    assert len(kept) == PIECES
