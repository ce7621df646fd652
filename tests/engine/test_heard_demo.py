"""The bundled round with a false call at each place: none ends it, and the call at its end still does."""

from __future__ import annotations

from functools import cache

import pytest

from engine.example import BUNDLE
from engine.hub import Phase, PlayerView
from engine.listening import IN_MOTION_S
from engine.pipeline import Pipeline
from engine.pipeline_parts import PipelineParts
from engine.setup_file import load_setup
from hearing.listener import Heard
from hearing.spotter import Role
from referee.events import EventType, PlayEvent, Zone, read_log
from referee.judge import Judge
from referee.rulesets import ruleset
from tests.engine.fakes import ScriptedWatcher, picture
from tests.engine.test_listening import FakeEars, shown
from vision.types import Frame

TOLD_AFTER_S = 0.4
RATE_HZ = 5
AFTER_S = 14.0
APART = 6
"""In one round every sixth place has a false call; play goes on for some cards between them."""


@cache
def demo() -> tuple[list[PlayEvent], float]:
    """What happens in the bundled round, without its call, and when that is."""
    with (BUNDLE / "truth.jsonl").open(encoding="utf-8") as lines:
        events = list(read_log(lines))
    (called,) = [event for event in events if event.type is EventType.CALLED]
    return [event for event in events if event is not called], called.t


def places() -> list[float]:
    """The moments of all plays into the middle."""
    return [event.t for event in demo()[0] if event.zone is Zone.SHARED]


def before_the_call() -> list[float]:
    """Those of them at which no goal pile is about to be empty: later on, the word is the call."""
    empty_s = next(event.t for event in demo()[0] if event.goal_left == 0)
    return [t for t in places() if t < empty_s - IN_MOTION_S - 0.1]


def played(words: list[float], *, emptied: bool = True) -> Pipeline:
    """The round, watched by eyes that see all of it, with a call heard at `words` (s)."""
    events, end_s = demo()
    script = [
        (event.t + TOLD_AFTER_S, event)
        for event in events
        if emptied or event.type is not EventType.GOAL_COUNT or event.goal_left != 0
    ]
    setup = load_setup(BUNDLE / "SETUP.toml")
    players = tuple(PlayerView(player.name, player.seat, player.deck) for player in setup.players)
    rules = ruleset("dutch_blitz")
    heard = [Heard("blitz", Role.CALL, t, 0.99) for t in words]
    pipeline = Pipeline(
        PipelineParts(lambda: ScriptedWatcher(script), lambda: Judge(rules), players, ears=FakeEars(heard))
    )
    for index in range(int((end_s + AFTER_S) * RATE_HZ)):
        pipeline.step(Frame(picture(index), index, index / RATE_HZ))
    return pipeline


def ends(pipeline: Pipeline) -> list[float]:
    return [event.t for event in pipeline.log if event.type is EventType.ROUND_ENDED]


def test_the_call_at_its_end_ends_the_round() -> None:
    end_s = demo()[1]
    pipeline = played([end_s])
    assert pipeline.phase is Phase.ENDED and pipeline.view().called_by == "right"
    assert ends(pipeline) == [pytest.approx(end_s + 8.0, abs=1.0)]


@pytest.mark.parametrize("first", range(APART))
def test_a_false_call_at_each_place_ends_nothing_and_accuses_nobody(first: int) -> None:
    end_s = demo()[1]
    usual = set(shown(played([end_s])))
    false = [t + 0.05 for t in before_the_call()[first::APART]]
    pipeline = played([*false, end_s])
    assert pipeline.phase is Phase.ENDED and pipeline.view().called_by == "right"
    (ended_s,) = ends(pipeline)
    assert ended_s > end_s
    # A foul that follows a false call may be missed; none is made up.
    assert set(shown(pipeline)) <= usual and pipeline.view().false_calls == ()
    landed = [event for event in pipeline.log if event.type in (EventType.LANDED, EventType.STARTED)]
    assert len(landed) == len([e for e in demo()[0] if e.type in (EventType.LANDED, EventType.STARTED)])


def test_where_the_last_goal_card_was_not_seen_the_table_is_asked() -> None:
    pipeline = played([demo()[1]], emptied=False)
    assert pipeline.phase is Phase.CALLED and ends(pipeline) == []
