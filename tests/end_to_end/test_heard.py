"""A film's own sound through the real ears: what is heard is a claim, and the eyes decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.sound import add_sound
from engine.ears import SoundtrackEars, open_ears
from engine.settings import Settings
from engine.soundtrack import read_sound
from engine.watch import Watched, watch
from engine.words import HouseholdWords, open_hearing, teach
from hearing.spotter import Role
from referee.events import EventType, PlayEvent, Zone
from referee.rulesets import ruleset
from tests.engine.fakes import PLAYERS, Script, ScriptedWatcher
from tests.engine.test_ears import film
from tests.engine.test_listening import game
from tests.hearing.make_speech import FOLDER, ONSETS_S
from vision.sources import open_source

CALLED = FOLDER / "called-blitz.ogg"


@pytest.fixture(scope="module")
def household(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("household")
    hearing = open_hearing()
    sound = read_sound(FOLDER / "taught-blitz.ogg")
    HouseholdWords(folder, hearing).keep(teach(sound, "Blitz", "Ann", Role.CALL, hearing))
    return folder


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = film(tmp_path_factory.mktemp("film") / "round.mp4", None, seconds=40)
    add_sound(path, read_sound(CALLED))
    return path


def watched(recording: Path, household: Path, script: Script) -> Watched:
    ears = open_ears(str(recording), household)
    assert isinstance(ears, SoundtrackEars)
    script = sorted(script, key=lambda told: told[0])
    source = open_source(str(recording))
    rules = ruleset("dutch_blitz")
    return watch(source, rules, lambda: ScriptedWatcher(script), Settings(), players=PLAYERS, ears=ears)


def emptied(t: float) -> tuple[float, PlayEvent]:
    return t + 0.6, PlayEvent(0, t, EventType.GOAL_COUNT, zone=Zone.GOAL, seat="left", extra={"count": 0})


def test_words_said_during_play_end_nothing_and_accuse_nobody(recording: Path, household: Path) -> None:
    log = watched(recording, household, game(39.5)).log
    calls = [event for event in log if event.type is EventType.CALLED]
    assert calls and all(event.source == "audio" for event in calls)
    assert all(any(abs(call.t - onset_s) <= 0.5 for onset_s in ONSETS_S) for call in calls)
    (ended,) = [event for event in log if event.type is EventType.ROUND_ENDED]
    assert ended.t > 39
    assert not [e for e in log if e.type is EventType.RULING and e.extra["severity"] != "info"]


def test_the_call_with_an_emptied_pile_ends_the_round(recording: Path, household: Path) -> None:
    onset_s = ONSETS_S[2]
    script = [*game(onset_s - 0.2), emptied(onset_s - 0.1)]
    log = watched(recording, household, script).log
    stands = [event for event in log if event.type is EventType.CALLED][-1]
    assert stands.t == pytest.approx(onset_s, abs=0.5)
    assert (stands.source, stands.seat) == ("audio", "left")
    (ended,) = [event for event in log if event.type is EventType.ROUND_ENDED]
    assert onset_s + 6 < ended.t < onset_s + 12


def test_heard_twice_the_log_is_the_same(recording: Path, household: Path) -> None:
    first, second = (watched(recording, household, game(20)) for _ in range(2))
    assert [event.to_json() for event in first.log] == [event.to_json() for event in second.log]
