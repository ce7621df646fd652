"""Keeps a long evening from filling the memory, where the C library is glibc; with others nothing is done.

Freed pieces between others that are in use stay with the process. Each thread may get a heap ("arena") of its
own, and each keeps as much as it once held, so the memory grows for hours though nothing is lost.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

M_ARENA_MAX = -8
"""The number of the option in glibc's malloc.h; see mallopt(3)."""
ARENAS = 2


@cache
def _glibc() -> Any:
    """The C library, or None where it is another one."""
    try:
        library = ctypes.CDLL(None)
        return library if library.gnu_get_libc_version and library.malloc_trim else None
    except (AttributeError, OSError, TypeError):
        return None


def share_heaps() -> None:
    """Let all threads that begin from now on share two heaps."""
    library = _glibc()
    if library is not None:
        library.mallopt(M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Give the system back what was freed; threads that need memory wait for some milliseconds."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)
