"""What several rooms' tests need from outside: real photographs and a browser, each optional."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REAL_PHOTOS = "BLITZREF_REAL"
CHROMIUM = "BLITZREF_CHROMIUM"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


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
def chromium() -> str:
    """The path of a Chromium for the browser test; without one the test is skipped."""
    named = os.environ.get(CHROMIUM)
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found:
        return found
    if named:
        pytest.fail(f"{CHROMIUM} names {named}, which is no program")
    pytest.skip(f"no Chromium here: install it, or name it in {CHROMIUM}")
