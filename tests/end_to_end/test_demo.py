"""`demo --headless`: the bundled round agrees with its truth, and a changed truth is noticed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from engine.commands import watching
from engine.watch import Watched
from tests.cli.running import Run
from vision.reading import Eyes


def changed(truth: dict[str, Any], what: str) -> dict[str, Any]:
    """The truth with one number of it changed."""
    truth = json.loads(json.dumps(truth))
    if what == "score":
        truth["players"][1]["score"] += 1
    elif what == "tops":
        truth["tops"][0]["number"] = truth["tops"][0]["number"] % 10 + 1
    else:
        truth["infringements"].clear()
    return truth


def test_the_demo_agrees_with_its_truth_and_with_no_other(
    blitzref: Run, eyes: Eyes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept: list[Watched] = []
    real = watching.run

    def run(*arguments: Any, **named: Any) -> Watched:
        if not kept:
            kept.append(real(*arguments, **named))
        return kept[0]

    monkeypatch.setattr(watching, "run", run)
    right = blitzref("demo", "--headless")
    assert right.status == 0, right.out
    assert json.loads(right.out.splitlines()[-1]) == {"right": True}

    copy = tmp_path / "bundle"
    shutil.copytree(watching.BUNDLE, copy)
    truth = json.loads((copy / "truth.json").read_text())
    for what in ("score", "tops", "infringements"):
        (copy / "truth.json").write_text(json.dumps(changed(truth, what)))
        wrong = blitzref("demo", "--headless", "--bundle", copy)
        assert wrong.status == 1
        assert "NOT AS IT SHOULD BE" in wrong.out
        assert json.loads(wrong.out.splitlines()[-1]) == {"right": False}
