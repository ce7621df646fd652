"""A short rendered round with one wrong colour, watched by the real eyes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from datasets.bundles import BundleSpec, make_bundle
from referee.events import PlayEvent, read_log
from tests.cli.running import Run, running
from vision.reading import Eyes


@dataclass(frozen=True)
class Bundle:
    """A recorded round in a folder, with its truth."""

    folder: Path
    truth: dict[str, Any]
    events: tuple[PlayEvent, ...]


@pytest.fixture(scope="session")
def bundle(eyes: Eyes, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Some fifteen seconds of two players at 1.6 pixels a millimetre, with one E11."""
    folder = tmp_path_factory.mktemp("bundle") / "round"
    spec = BundleSpec(5, 2, size_px=(1280, 720), table_mm=800.0, mistakes=("E11",), most_s=14.0)
    make_bundle(spec, folder)
    truth = json.loads((folder / "truth.json").read_text())
    events = tuple(read_log((folder / "truth.jsonl").read_text().splitlines()))
    return Bundle(folder, truth, events)


@pytest.fixture
def blitzref(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the program."""
    return running(monkeypatch, capfd)
