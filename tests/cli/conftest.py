"""The program as a fixture."""

from __future__ import annotations

import pytest

from tests.cli.running import Run, running


@pytest.fixture
def blitzref(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the program."""
    return running(monkeypatch, capfd)
