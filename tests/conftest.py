"""What several rooms' tests need from outside: real photographs, which are optional."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vision.reading import Eyes

ROOT = Path(__file__).resolve().parent.parent
REAL_PHOTOS = "BLITZREF_REAL"


@pytest.fixture(scope="session")
def real_photos() -> Path:
    """The folder of real photographs with their `truth.json`; without it the test is skipped."""
    named = os.environ.get(REAL_PHOTOS)
    folder = Path(named) if named else ROOT.parent / "shared" / "real"
    if (folder / "truth.json").is_file() or any(folder.glob("*/truth.json")):
        return folder
    if named:
        pytest.fail(f"{REAL_PHOTOS} names {folder}, which holds no truth.json")
    pytest.skip(f"no real photographs here: name their folder in {REAL_PHOTOS}")


@pytest.fixture(scope="session")
def eyes() -> Eyes:
    """The trained finder and reader."""
    return Eyes.load()
