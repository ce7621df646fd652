"""`corrections`: what is kept, and how to be rid of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.corrections import CorrectionStore, Label
from referee.cards import Card
from tests.cli.running import Run, wrong_use
from vision.types import Reading


def test_the_command_shows_allows_and_removes(blitzref: Run, tmp_path: Path) -> None:
    def run(*arguments: str) -> dict[str, object]:
        return dict(blitzref("corrections", "--data", tmp_path, "--json", *arguments).json)

    assert run()["allowed"] is None
    assert run("--keep")["allowed"] is True
    quad = np.array([[50, 50], [110, 50], [110, 130], [50, 130]], np.float32)
    image, label = np.zeros((200, 200, 3), np.uint8), Label(Card.parse("red9"))
    assert CorrectionStore(tmp_path / "corrections").add(image, quad, label, Reading("face"), "now")
    shown = run()
    assert (shown["kept"], shown["allowed"]) == (1, True)
    assert run("--no-keep")["kept"] == 1
    assert run("--remove")["removed"] == 1
    assert run() | {"folder": ""} == {"folder": "", "allowed": None, "kept": 0, "mb": 0.0, "removed": 0}
    wrong_use(blitzref("corrections", "--data", tmp_path, "--remove", "--keep"), "do not go together")
