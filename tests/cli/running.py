"""The program run in this process: what it prints, and its exit status."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine.cli import main


@dataclass(frozen=True)
class Ran:
    """Exit status and both streams, also what libraries in C wrote to them."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON value."""
        return json.loads(self.out)


Run = Callable[..., Ran]


def running(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """A function that runs `blitzref` with its arguments."""

    def run(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["blitzref", *(str(a) for a in arguments)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, out, err)

    return run


def wrong_use(ran: Ran, *said: str) -> None:
    """Status 2, nothing on standard output, one plain line that says these words."""
    assert ran.status == 2
    assert ran.out == ""
    lines = ran.err.strip().splitlines()
    assert len(lines) == 1, ran.err
    assert lines[0].startswith("blitzref: ")
    for words in said:
        assert words in lines[0]
    assert "Traceback" not in ran.err


def write(path: Path, *lines: object) -> Path:
    """A file of JSON lines (or of text as it is)."""
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{line}\n" for line in text))
    return path
