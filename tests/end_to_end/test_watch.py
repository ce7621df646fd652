"""`watch` with the trained eyes: from a film to a log with its rulings and pictures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from datasets.bundles import FILM, SETUP
from referee.cards import Card
from referee.events import EventType, PlayEvent, read_log
from tests.cli.running import Ran, Run
from tests.end_to_end.conftest import Bundle
from tests.end_to_end.test_oracle import landings, pairs, severe
from vision.reading import Eyes
from vision.sources import load_picture


def watched(blitzref: Run, bundle: Bundle, out: Path) -> Ran:
    ran: Ran = blitzref(
        "watch", bundle.folder / FILM, "--setup", bundle.folder / SETUP, "--out", out, "--json"
    )
    assert ran.status == 0
    return ran


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_one_wrong_colour_is_one_foul_with_pictures_and_twice_the_same(
    blitzref: Run, bundle: Bundle, tmp_path: Path
) -> None:
    ran = watched(blitzref, bundle, tmp_path / "a")
    log = tuple(read_log((tmp_path / "a" / "events.jsonl").read_text().splitlines()))
    assert [event.seq for event in log] == sorted({event.seq for event in log})

    (true,) = bundle.truth["infringements"]
    (foul,) = severe(log)
    assert (foul.extra["rule"], foul.extra["severity"]) == ("E11", "foul")
    assert true["t"] - 1 <= foul.t <= true["t"] + 6
    assert foul.card == Card.from_json(true["card"])
    lower = [e for e in landings(bundle.events) if e.pile == true["pile"] and e.t < true["t"]][-1]
    assert lower.card is not None and foul.card is not None
    for words in (foul.card.words, lower.card.words, "(e11)"):
        assert words in foul.extra["text"].lower()
    (fault,) = [e for e in log if e.seq in foul.extra["of"]]
    assert fault.pile == foul.pile and fault.card == foul.card
    place = next(e.at for e in bundle.events if e.t == true["t"] and e.pile == true["pile"] and e.at)
    assert fault.at is not None
    assert np.hypot(fault.at[0] - place[0], fault.at[1] - place[1]) < 1.1 * 57.5 * 1.6

    stills = [name for name in foul.extra["stills"].values() if name.endswith(".jpg")]
    assert len(stills) >= 2
    for name in stills:
        assert min(load_picture(tmp_path / "a" / "evidence" / name).shape[:2]) > 32

    played = [e for e in landings(bundle.events) if not _beaten(e, bundle.events)]
    found = pairs(played, landings(log), 57.5 * 1.6)
    assert len(found) >= len(played) - 1
    assert all(other.seat in (event.seat, None) for event, other in found)
    assert json.loads((tmp_path / "a" / "round.json").read_text()) == ran.json
    assert [player["name"] for player in ran.json["players"]] == [p["name"] for p in bundle.truth["players"]]

    watched(blitzref, bundle, tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    judged = blitzref("judge", tmp_path / "a" / "events.jsonl", "--json")
    again = [json.loads(line) for line in judged.out.splitlines()]
    assert [r["rule"] for r in again if r["severity"] == "foul"] == ["E11"]


def _beaten(event: PlayEvent, events: tuple[PlayEvent, ...]) -> bool:
    """Whether the card went back at once."""
    return any(
        e.type is EventType.WITHDRAWN
        and (e.pile, e.card) == (event.pile, event.card)
        and 0 < e.t - event.t < 1.5
        for e in events
    )


def test_hands_without_cards_play_nothing(
    blitzref: Run, eyes: Eyes, real_photos: Path, tmp_path: Path
) -> None:
    films = sorted(
        path for path in (real_photos / "hands").iterdir() if path.suffix in (".avi", ".mp4", ".mov")
    )
    assert films
    for film in films[:3]:
        out = tmp_path / film.stem
        assert blitzref("watch", film, "--out", out).status == 0
        log = tuple(read_log((out / "events.jsonl").read_text().splitlines()))
        assert [e.to_json() for e in log if e.card is not None] == []
        assert severe(log) == []
