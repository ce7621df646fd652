"""Double clicks, two scorekeepers at once and old tabs: nothing is doubled, and nothing is lost unseen."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.hub import Phase, Snapshot
from engine.meanwhile import said_already
from engine.record import FILE_NAME, Reader
from engine.round_fold import fold_phase, fold_round
from engine.settings import Settings
from engine.setup_file import Setup, read_setup
from engine.table import Outcome, Table
from engine.table_command import Command, CommandError, CommandKind
from referee.events import EventType, PlayEvent
from tests.engine.fakes import FPS_HZ, Script, parts, picture, play
from vision.types import Frame

PATIENCE_S = 30.0
BY = "dashboard"
KIND = CommandKind
SETUP = {
    "players": [
        {"name": "Ann", "seat": "left", "deck": "pump"},
        {"name": "Bo", "seat": "right", "deck": "pail"},
    ]
}


class HandCamera:
    """A live camera that gives a frame whenever it is asked to."""

    fps, live = FPS_HZ, True

    def __init__(self) -> None:
        self._wanted = threading.Semaphore(0)
        self._closed = False
        self._index = 0

    def __iter__(self) -> Iterator[Frame]:
        while True:
            self._wanted.acquire()
            if self._closed:
                return
            yield Frame(picture(self._index), self._index, self._index / FPS_HZ)
            self._index += 1

    def give(self) -> None:
        self._wanted.release()

    def close(self) -> None:
        self._closed = True
        self._wanted.release()


def script() -> Script:
    """A card every two frames, one colour up and up, so that no play is ever a foul."""
    plays = []
    for pile in range(8):
        for number in range(1, 11):
            t_s = len(plays) * 2 / FPS_HZ
            kind = "started" if number == 1 else "landed"
            plays.append((t_s, play(t_s, kind, f"d{pile}", f"{('red', 'blue')[pile % 2]}{number}")))
    return plays


@dataclass
class Desk:
    """A table with its camera in hand, and the tabs that look at it."""

    table: Table
    camera: HandCamera
    tabs: list[Snapshot]

    def look(self, tab: int) -> Snapshot:
        self.tabs[tab] = self.table.hub.snapshot
        return self.tabs[tab]

    def press(self, tab: int, kind: CommandKind, **values: Any) -> Outcome:
        return self.table.send(Command.on(self.tabs[tab].seen(), kind, BY, values), PATIENCE_S)

    def frame(self) -> None:
        """One more frame, once it was looked at."""
        before_s = self.table.hub.snapshot.round.t_s
        self.camera.give()
        end = time.monotonic() + PATIENCE_S
        while self.table.hub.snapshot.round.t_s <= before_s and time.monotonic() < end:
            time.sleep(0.001)

    @property
    def log(self) -> tuple[PlayEvent, ...]:
        case = self.table.case(self.table.hub.snapshot.round.round_id or 0)
        assert case is not None
        return case.log

    def count(self, name: str) -> dict[str, int | None]:
        return {entry.player: getattr(entry, name) for entry in self.table.hub.snapshot.round.counts}


@contextmanager
def desk(folder: Path, tabs: int = 2) -> Iterator[Desk]:
    camera = HandCamera()
    made = parts(lambda: camera, live=True, script=script)
    table = Table(made, Settings(data_dir=folder, camera_lost_s=30.0), setup())
    table.start()
    try:
        found = Desk(table, camera, [])
        found.camera.give()
        end = time.monotonic() + PATIENCE_S
        while table.hub.snapshot.camera.size_px is None and time.monotonic() < end:
            time.sleep(0.001)
        found.tabs = [table.hub.snapshot] * tabs
        yield found
    finally:
        camera.close()
        table.stop()


def setup() -> Setup:
    return read_setup(SETUP)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as made:
        yield made


def started(two: Desk, *kinds: CommandKind) -> None:
    for kind in (KIND.START, *kinds):
        two.look(0)
        assert two.press(0, kind).done
    two.look(0)
    two.look(1)


def test_a_double_click_is_one_click(two: Desk) -> None:
    started(two)
    for kind in (KIND.DUTCH, KIND.RESUME, KIND.CALL, KIND.RESUME, KIND.END):
        two.look(0)
        assert two.press(0, kind).done
        lines = len(two.log)
        assert two.press(0, kind).done
        assert len(two.log) == lines


def test_the_same_button_in_two_tabs_is_pressed_once(two: Desk) -> None:
    started(two)
    two.frame()
    two.look(0)
    two.frame()
    two.look(1)
    assert two.press(0, KIND.DUTCH).done and two.press(1, KIND.DUTCH).done
    assert [event.type for event in two.log].count(EventType.PAUSED) == 1


def test_an_old_tab_does_not_end_a_round_that_goes_on(two: Desk) -> None:
    started(two, KIND.CALL)
    assert two.press(0, KIND.RESUME).done
    refused = two.press(1, KIND.END)
    assert not refused.done and "moved on" in refused.message
    assert two.table.hub.snapshot.round.phase is Phase.PLAYING
    two.look(1)
    assert two.press(1, KIND.END).done


def test_two_people_who_call_at_once_are_told_who_was_first(two: Desk) -> None:
    started(two)
    assert two.press(0, KIND.CALL, player="Ann", seat="left").done
    refused = two.press(1, KIND.CALL, player="Bo", seat="right")
    assert not refused.done and "Ann called already" in refused.message
    assert two.table.hub.snapshot.round.called_by == "Ann"


def counting(two: Desk) -> None:
    started(two, KIND.END)


def entry(player: str, **values: Any) -> list[dict[str, Any]]:
    return [{"player": player, **values}]


def test_two_people_may_count_different_players_at_once(two: Desk) -> None:
    counting(two)
    assert two.press(0, KIND.COUNT, entries=entry("Ann", played=14)).done
    assert two.press(1, KIND.COUNT, entries=entry("Bo", played=8)).done
    assert two.press(1, KIND.COUNT, entries=entry("Ann", left=2)).done
    assert two.count("played") == {"Ann": 14, "Bo": 8} and two.count("left") == {"Ann": 2, "Bo": None}


def test_a_number_that_was_not_seen_is_not_overwritten(two: Desk) -> None:
    counting(two)
    assert two.press(0, KIND.COUNT, entries=entry("Ann", played=14)).done
    refused = two.press(1, KIND.COUNT, entries=entry("Ann", played=15))
    assert not refused.done and "count of Ann" in refused.message
    assert two.count("played") == {"Ann": 14}
    two.look(1)
    assert two.press(1, KIND.COUNT, entries=entry("Ann", played=15)).done
    assert two.count("played") == {"Ann": 15}


def test_the_same_number_from_two_people_is_written_once(two: Desk) -> None:
    counting(two)
    assert two.press(0, KIND.COUNT, entries=entry("Ann", played=14)).done
    lines = len(two.log)
    assert two.press(1, KIND.COUNT, entries=entry("Ann", played=14)).done
    assert len(two.log) == lines


def test_a_count_that_cannot_be_read_is_still_told(two: Desk) -> None:
    counting(two)
    assert two.press(0, KIND.COUNT, entries=entry("Ann", played=14)).done
    refused = two.press(1, KIND.COUNT, entries=[{"left": 3}])
    assert not refused.done and "cannot be read" in refused.message


def test_a_score_is_confirmed_as_it_was_seen(two: Desk) -> None:
    counting(two)
    both = [*entry("Ann", played=14, left=0), *entry("Bo", played=8, left=6)]
    assert two.press(0, KIND.COUNT, entries=both).done
    two.look(0)
    two.look(1)
    assert two.press(0, KIND.COUNT, entries=entry("Bo", played=9)).done
    refused = two.press(1, KIND.CONFIRM)
    assert not refused.done and "changed meanwhile" in refused.message
    two.look(0)
    two.look(1)
    assert two.press(1, KIND.CONFIRM).done
    assert two.press(0, KIND.CONFIRM).done
    assert sum("confirmed" in line.extra for line in two.log) == 1


def test_an_old_tab_does_not_count_into_the_next_round(two: Desk) -> None:
    counting(two)
    both = [*entry("Ann", played=14, left=0), *entry("Bo", played=8, left=6)]
    assert two.press(0, KIND.COUNT, entries=both).done
    two.look(0)
    assert two.press(0, KIND.CONFIRM).done
    two.look(0)
    two.look(1)
    assert two.press(0, KIND.NEXT_ROUND).done and two.press(1, KIND.NEXT_ROUND).done
    assert two.table.hub.snapshot.round.number == 2
    refused = two.press(1, KIND.COUNT, entries=entry("Ann", played=1))
    assert not refused.done and "another round" in refused.message
    assert two.table.hub.snapshot.round.counts == ()


@pytest.mark.parametrize(("second", "done"), [("overrule", False), ("uphold", True)])
def test_two_opinions_on_one_play(two: Desk, second: str, done: bool) -> None:
    started(two)
    two.frame()
    two.look(0)
    two.look(1)
    about = [two.log[-1].seq]
    assert two.press(0, KIND.CORRECT, of=about, action="uphold").done
    lines = len(two.log)
    outcome = two.press(1, KIND.CORRECT, of=about, action=second)
    assert outcome.done is done and len(two.log) == lines
    assert outcome.done or "meanwhile" in outcome.message


def test_opinions_on_different_plays_do_not_hinder_one_another(two: Desk) -> None:
    started(two)
    for _ in range(6):
        two.frame()
    two.look(0)
    two.look(1)
    seqs = [event.seq for event in two.log if event.type in (EventType.STARTED, EventType.LANDED)]
    assert two.press(0, KIND.CORRECT, of=[seqs[0]], action="delete").done
    assert two.press(1, KIND.CORRECT, of=[seqs[1]], action="delete").done


def test_what_is_undone_twice_is_undone_once(two: Desk) -> None:
    started(two)
    two.frame()
    two.look(0)
    assert two.press(0, KIND.CORRECT, of=[two.log[-1].seq], action="delete").done
    two.look(0)
    two.look(1)
    undoable = two.tabs[0].round.undoable
    two.frame()
    assert two.press(0, KIND.CORRECT, of=[undoable], action="delete").done
    lines = len(two.log)
    assert two.press(1, KIND.CORRECT, of=[undoable], action="delete").done
    assert len(two.log) == lines


def test_players_that_were_not_seen_are_not_replaced(two: Desk) -> None:
    names = [{"name": "Cy"}, {"name": "Di"}]
    assert two.press(0, KIND.PLAYERS, players=names).done
    assert two.press(1, KIND.PLAYERS, players=names).done
    refused = two.press(1, KIND.PLAYERS, players=[{"name": "Ed"}, {"name": "Flo"}])
    assert not refused.done and "changed the match" in refused.message
    assert [player.name for player in two.table.hub.snapshot.match.players] == ["Cy", "Di"]
    two.look(1)
    assert two.press(1, KIND.PLAYERS, players=[{"name": "Ed"}, {"name": "Flo"}]).done


def test_a_choice_may_be_taken_back_at_once(two: Desk) -> None:
    modes = []
    for mode in ("count_only", "referee", "count_only"):
        two.look(0)
        assert two.press(0, KIND.MODE, mode=mode).done
        modes.append(two.table.hub.snapshot.mode.value)
    assert modes == ["count_only", "referee", "count_only"]


def test_many_hands_on_one_button(two: Desk) -> None:
    started(two)
    outcomes: list[Outcome] = []
    together = threading.Barrier(8)

    def hand() -> None:
        together.wait()
        outcomes.append(two.press(0, KIND.DUTCH))

    threads = [threading.Thread(target=hand) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert [outcome.done for outcome in outcomes] == [True] * 8
    assert [event.type for event in two.log].count(EventType.PAUSED) == 1


BUTTONS = st.one_of(
    st.tuples(
        st.sampled_from(
            [KIND.START, KIND.CALL, KIND.DUTCH, KIND.RESUME, KIND.END, KIND.CONFIRM, KIND.REOPEN]
        ),
        st.just({}),
    ),
    st.builds(
        lambda player, name, value: (KIND.COUNT, {"entries": entry(player, **{name: value})}),
        st.sampled_from(["Ann", "Bo"]),
        st.sampled_from(["played", "left"]),
        st.integers(0, 3),
    ),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("look"), st.integers(0, 2)),
        st.tuples(st.just("press"), st.integers(0, 2), BUTTONS, st.booleans()),
        st.tuples(st.just("frame")),
    ),
    max_size=40,
)


@settings(max_examples=15, deadline=None)
@given(STEPS)
def test_whoever_presses_what_when_each_thing_is_written_once(steps: list[tuple[Any, ...]]) -> None:
    with TemporaryDirectory() as name, desk(Path(name), tabs=3) as three:
        counts: dict[tuple[str, str], int | None] = {}
        for step in steps:
            match step:
                case ("look", tab):
                    three.look(tab)
                case ("frame",):
                    three.frame()
                case ("press", tab, (kind, values), twice):
                    seen, before = three.tabs[tab], three.log
                    outcome = three.press(tab, kind, **values)
                    added = three.log[len(before) :]
                    if kind is KIND.COUNT:
                        _check_count(counts, values, seen, outcome)
                    elif added:
                        # Whoever changed the course of the round saw the phase that he changed.
                        assert fold_phase(before) == (seen.round.phase, seen.round.phase_seq)
                    assert outcome.done or not added
                    if twice:
                        lines = len(three.log)
                        assert three.press(tab, kind, **values).done or not outcome.done
                        assert len(three.log) == lines or not outcome.done
        log = three.log
        three.table.stop()
        assert Reader(Path(name) / FILE_NAME).log(1) == log
        turns = [event.type for event in log if event.type in fold_types()]
        assert all(one is not following for one, following in pairwise(turns))
        plays = [str(e.card) for e in log if e.type in (EventType.STARTED, EventType.LANDED)]
        assert len({(e.pile, str(e.card)) for e in log if e.pile and e.card}) == len(plays)
        view = fold_round(log)
        assert {(e.player, n): getattr(e, n) for e in view.counts for n in ("played", "left")} == {
            (player, name): counts.get((player, name))
            for player in {player for player, _ in counts}
            for name in ("played", "left")
        }


def fold_types() -> set[EventType]:
    return {
        EventType.ROUND_STARTED,
        EventType.PAUSED,
        EventType.RESUMED,
        EventType.CALLED,
        EventType.ROUND_ENDED,
    }


def _check_count(
    counts: dict[tuple[str, str], int | None], values: dict[str, Any], seen: Snapshot, outcome: Outcome
) -> None:
    """A number that was taken was either already there or put in the place of one that was seen."""
    [said] = values["entries"]
    [name] = set(said) - {"player"}
    key = (said["player"], name)
    shown = next((getattr(e, name) for e in seen.round.counts if e.player == said["player"]), None)
    if outcome.done:
        assert counts.get(key) in (shown, said[name])
        counts[key] = said[name]


def test_nothing_is_held_against_a_command_that_names_no_page() -> None:
    assert said_already([], 0, Command(KIND.START, "x")) is False


@pytest.mark.parametrize("kind", [KIND.START, KIND.END])
def test_a_phase_that_comes_back_is_another_one(kind: CommandKind) -> None:
    log = [
        PlayEvent(1, 0.0, EventType.ROUND_STARTED),
        PlayEvent(2, 1.0, EventType.PAUSED),
        PlayEvent(3, 2.0, EventType.RESUMED),
    ]
    with pytest.raises(CommandError, match="moved on"):
        said_already(log, 1, Command(kind, "x"))
