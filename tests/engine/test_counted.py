"""Photographs and dealt cards become counts: by their backs, by their owner, and what speaks against them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.counted import CountedPhoto, own_entry, owner_of, picture_findings, played_entries
from engine.dealing import Dealing, Dealt
from engine.merging import Photograph
from engine.photo import PhotoResult
from engine.tally import Tallied, Tally
from referee.cards import Card
from referee.rulesets import ruleset
from tests.engine.fakes import PLAYERS
from vision.types import Detection, Reading, SeenCard

RULES = ruleset("dutch_blitz_2")
RED7, RED8 = Card.parse("red7"), Card.parse("red8")


def shown(
    name: str = "a.jpg", backs: tuple[str, ...] = (), faces: tuple[Card, ...] = (), **more: Any
) -> Photograph:
    return Photograph(name, name, "Ann", backs, faces, **more)


def test_backs_go_to_the_players_of_these_decks() -> None:
    heaps = [shown("a.jpg", ("pump",) * 4 + ("pail",)), shown("b.jpg", ("pump",) * 2 + ("hat",))]
    assert played_entries(heaps, PLAYERS) == [
        {"player": "Ann", "played": 6, "machine_played": 6},
        {"player": "Bo", "played": 1, "machine_played": 1},
    ]


def test_a_picture_s_owner_is_known_by_its_name_or_by_its_backs() -> None:
    for name in ("Bo.jpg", "goal-bo.png", "BO-2.jpg"):
        owner = owner_of(name, ["pump"], PLAYERS)
        assert owner is not None and owner.name == "Bo"
    by_back = owner_of("IMG_1234.jpg", ["pump", "pump"], PLAYERS)
    assert by_back is not None and by_back.name == "Ann"
    assert owner_of("IMG_1234.jpg", ["pump", "pail"], PLAYERS) is None
    assert owner_of("IMG_1234.jpg", [], PLAYERS) is None


def test_one_player_s_cards_count_by_their_faces_only_if_all_were_read() -> None:
    faces = [RED7.to_json(), RED8.to_json()]
    assert own_entry([shown(faces=(RED7, RED8))], "Ann", left=True) == {
        "player": "Ann",
        "left": 2,
        "faces_left": faces,
    }
    assert own_entry([shown(faces=(RED7, RED8), unread=1)], "Ann", left=True) == {"player": "Ann", "left": 3}
    played = own_entry([shown(faces=(RED7, RED8))], "Ann", left=False)
    assert (played["played"], played["machine_played"], played["faces"]) == (2, 2, faces)


def test_what_speaks_against_the_pictures_is_said() -> None:
    texts = [finding.text for finding in picture_findings([shown(backs=("hat",), unread=2)], PLAYERS, RULES)]
    assert any("2 cards could not be read" in text for text in texts)
    assert any("nobody plays with that deck" in text for text in texts)
    assert picture_findings([shown(backs=("pump",) * 5)], PLAYERS, RULES) == ()


def test_a_photograph_is_looked_over_as_its_owner_s() -> None:
    quad = np.array([[0, 0], [50, 0], [50, 70], [0, 70]], np.float32)
    card = SeenCard(Detection(quad, "face", 0.9), Reading("face", 7, "red", confidence=0.99))
    photo = CountedPhoto("a.jpg", "d", PhotoResult((card,), b"", (640, 480), 1.0, b""))
    assert (photo.of("Bo").player, photo.of("Bo").faces) == ("Bo", (RED7,))


def wait_for_end(tally: Tally) -> Tallied:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if not tally.now.running:
            return tally.now
        time.sleep(0.01)
    raise AssertionError("the dealing does not end")


def test_dealt_cards_are_tallied_until_they_are_told_to_stop() -> None:
    stills = [np.full((4, 4, 3), value, np.uint8) for value in range(3)]
    seen: list[int] = []
    come = threading.Event()

    def watch(source: Any, dealing: Dealing) -> Iterator[Dealt]:
        for frame in source:
            seen.append(int(frame.image[0, 0, 0]))
            yield Dealt(frame.t_s, None, "pump")
            come.set()
        yield Dealt(99.0, RED7, None)

    tally = Tally(lambda: stills[min(len(seen), 2)], watch)
    tally.start()
    assert come.wait(20)
    tally.stop()
    now = wait_for_end(tally)
    assert now.cards[-1].card == RED7 and seen == sorted(set(seen))
    picture = now.photograph("one by one", "Ann")
    assert set(picture.backs) == {"pump"} and picture.faces == (RED7,)
    tally.clear()
    assert tally.now == Tallied()


def test_a_fault_of_the_eyes_ends_the_dealing_with_a_sentence() -> None:
    def watch(source: Any, dealing: Dealing) -> Iterator[Dealt]:
        yield Dealt(1.0, None, None)
        raise ZeroDivisionError

    tally = Tally(lambda: None, watch)
    tally.start()
    now = wait_for_end(tally)
    assert len(now.cards) == 1 and now.fault is not None and "photograph" in now.fault
    assert now.photograph("x", "").unread == 1


def test_where_nothing_watches_nothing_is_started() -> None:
    tally = Tally(lambda: None, None)
    tally.start()
    assert not tally.can_watch and not tally.now.running
