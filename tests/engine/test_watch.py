"""Watching a recording without a browser: the products, and nothing half-written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.settings import Settings
from engine.watch import watch
from referee.events import read_log
from referee.rulesets import ruleset
from tests.engine.fakes import PLAYERS, FakeSource, ScriptedWatcher, folder_of, round_script
from vision.types import Frame

RULES = ruleset("dutch_blitz_2")


def eyes() -> ScriptedWatcher:
    return ScriptedWatcher(round_script())


def test_the_log_the_round_and_the_evidence_are_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    watched = watch(FakeSource(400), RULES, eyes, Settings(), players=PLAYERS, out=out)
    assert folder_of(out) == {"events.jsonl", "round.json", "evidence"}
    assert folder_of(tmp_path) == {"out"}
    lines = (out / "events.jsonl").read_text(encoding="utf-8").splitlines()
    assert [e.to_json() for e in read_log(lines)] == [e.to_json() for e in watched.log]
    flag = next(json.loads(line) for line in lines if '"foul"' in line)
    assert flag["rule"] == "E11"
    assert set(flag["stills"].values()) <= folder_of(out / "evidence")
    data = json.loads((out / "round.json").read_text(encoding="utf-8"))
    assert data["called_by"] == "Ann" and data["t_called"] == 8.4
    assert [(p["name"], p["played"], p["left"]) for p in data["players"]] == [("Ann", 4, 0), ("Bo", 3, None)]
    assert data["tops"] == [{"number": 7, "colour": "blue"}, {"number": 3, "colour": "green"}]


def test_watching_twice_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b", "b"):
        watch(FakeSource(400), RULES, eyes, Settings(), players=PLAYERS, out=tmp_path / name)
    for name in ("events.jsonl", "round.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_fault_on_the_way_leaves_nothing(tmp_path: Path) -> None:
    class Broken(FakeSource):
        def __iter__(self) -> Iterator[Frame]:
            yield from list(super().__iter__())[:50]
            raise ValueError("the film is cut off; copy it again.")

    with pytest.raises(ValueError, match="cut off"):
        watch(Broken(400), RULES, eyes, Settings(), out=tmp_path / "out")
    assert folder_of(tmp_path) == set()


def test_ctrl_c_ends_the_watching_and_keeps_what_was_seen(tmp_path: Path) -> None:
    class Stopped(FakeSource):
        def __iter__(self) -> Iterator[Frame]:
            yield from list(super().__iter__())[:80]
            raise KeyboardInterrupt

    source = Stopped(400)
    watched = watch(source, RULES, eyes, Settings(), out=tmp_path / "out")
    assert watched.log and source.closed == 1
    assert folder_of(tmp_path / "out") == {"events.jsonl", "round.json", "evidence"}


def test_without_players_the_seats_that_played_are_named() -> None:
    watched = watch(FakeSource(400), RULES, eyes, Settings())
    assert [player["name"] for player in watched.round_json["players"]] == ["left", "right"]
