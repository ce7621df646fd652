"""A heard call is weighed by what is seen: it ends a round only where a goal pile was seen empty."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from engine.hub import Phase
from engine.pipeline import Pipeline
from engine.pipeline_parts import PipelineParts
from engine.table_command import Command, CommandKind
from hearing.listener import Heard
from hearing.spotter import Role
from referee.events import EventType, PlayEvent, Zone
from referee.judge import Judge
from referee.rulesets import ruleset
from tests.engine.fakes import PLAYERS, Script, ScriptedWatcher, frames, play

RULES = ruleset("dutch_blitz")
LATE_S = 0.6
"""A word is understood so long after its onset."""


@dataclass
class FakeEars:
    """Hears what it was given, each a little after its onset."""

    words: list[Heard]
    problem: str | None = None
    asked_s: list[float] = field(default_factory=list)

    def hear(self, t_s: float, came_at_s: float | None = None) -> list[Heard]:
        self.asked_s.append(t_s)
        due = [word for word in self.words if word.onset_s + LATE_S <= t_s]
        self.words = [word for word in self.words if word not in due]
        return due

    def finish(self) -> list[Heard]:
        due, self.words = self.words, []
        return due

    def close(self) -> None:
        pass


def call(t: float, p: float = 0.97, role: Role = Role.CALL) -> Heard:
    return Heard("blitz", role, t, p)


def goal(t: float, seat: str, count: int | None) -> PlayEvent:
    return PlayEvent(0, t, EventType.GOAL_COUNT, zone=Zone.GOAL, seat=seat, extra={"count": count})


def game(until_s: float = 6.0) -> Script:
    """One pile that grows lawfully every half second from 1 s on, ten cards high at the most, then others."""
    script: Script = []
    t, colour = 1.0, 0
    while t < until_s:
        for number in range(1, 11):
            name = ("red", "blue", "green", "yellow")[colour % 4]
            kind = "started" if number == 1 else "landed"
            script.append((t + 0.2, play(t, kind, f"d{colour}", f"{name}{number}")))
            t += 0.5
            if t >= until_s:
                break
        colour += 1
    return script


def listened(
    words: list[Heard], script: Script, seconds: float, commands: dict[float, Command] | None = None
) -> Pipeline:
    script = sorted(script, key=lambda told: told[0])
    parts = PipelineParts(
        lambda: ScriptedWatcher(script), lambda: Judge(RULES), PLAYERS, ears=FakeEars(list(words))
    )
    pipeline = Pipeline(parts)
    due = dict(commands or {})
    for frame in frames(int(seconds * 20)):
        pipeline.step(frame)
        for t in [t for t in due if t <= frame.t_s]:
            pipeline.command(due.pop(t))
    return pipeline


def of(pipeline: Pipeline, *kinds: EventType) -> list[PlayEvent]:
    return [event for event in pipeline.log if event.type in kinds]


def shown(pipeline: Pipeline) -> list[str]:
    return [flag.rule for flag in pipeline.view().flags]


def test_a_heard_call_with_an_empty_goal_pile_is_a_call_like_any_other() -> None:
    pipeline = listened([call(6.2)], [*game(), (6.9, goal(6.1, "left", 0))], 16)
    (called,) = of(pipeline, EventType.CALLED)
    assert (called.t, called.seat, called.source, called.confidence) == (6.2, "left", "audio", 0.97)
    assert called.extra["by"] == "voice"
    assert pipeline.phase is Phase.ENDED
    assert pipeline.view().called_by == "left"
    assert shown(pipeline) == []


@pytest.mark.parametrize(
    "counts", [[], [goal(3.0, "left", 4), goal(3.1, "right", 2)], [goal(3.0, "left", None)]]
)
def test_a_heard_call_alone_never_ends_a_round(counts: list[PlayEvent]) -> None:
    script = [*game(), *[(count.t, count) for count in counts]]
    pipeline = listened([call(6.2, 0.999)], script, 60)
    (called,) = of(pipeline, EventType.CALLED)
    assert called.t == 6.2 and called.confidence is not None and called.confidence < 0.6
    assert pipeline.phase is Phase.CALLED
    assert shown(pipeline) == []


def test_a_heard_call_in_doubt_is_a_question_that_the_table_answers() -> None:
    end = {20.0: Command(CommandKind.END, "end")}
    assert listened([call(6.2)], game(), 21, end).phase is Phase.ENDED
    play_on = {20.0: Command(CommandKind.RESUME, "on")}
    resumed = listened([call(6.2)], game(), 40, play_on)
    assert resumed.phase is Phase.PLAYING
    assert resumed.view().false_calls == ()


def test_naming_the_caller_makes_a_heard_call_stand() -> None:
    pipeline = listened([call(6.2)], game(), 12)
    (called,) = of(pipeline, EventType.CALLED)
    event = {"seat": "right", "by": "Bo"}
    values = {"of": [called.seq], "action": "replace", "event": event}
    pipeline.command(Command(CommandKind.CORRECT, "who", values=values))
    for frame in list(frames(300))[241:]:
        pipeline.step(frame)
    assert pipeline.phase is Phase.ENDED
    assert pipeline.view().called_by == "Bo"


def test_play_that_goes_on_answers_the_question_by_itself_and_accuses_nobody() -> None:
    pipeline = listened([call(4.2)], game(20), 21)
    assert [event.type for event in of(pipeline, EventType.CALLED, EventType.RESUMED)] == [
        EventType.CALLED,
        EventType.RESUMED,
    ]
    assert pipeline.phase is Phase.PLAYING
    assert shown(pipeline) == []
    landed = of(pipeline, EventType.LANDED, EventType.STARTED)
    assert len(landed) == len(game(20))


def test_play_that_goes_on_speaks_even_against_a_goal_pile_that_seemed_empty() -> None:
    pipeline = listened([call(4.2)], [*game(20), (4.4, goal(4.1, "left", 0))], 21)
    assert pipeline.phase is Phase.PLAYING
    assert not of(pipeline, EventType.ROUND_ENDED)


def test_a_goal_pile_that_is_emptied_after_the_word_does_not_confirm_it() -> None:
    pipeline = listened([call(6.2)], [*game(), (8.6, goal(8.5, "left", 0))], 30)
    (called,) = of(pipeline, EventType.CALLED)
    assert called.seat is None and pipeline.phase is Phase.CALLED


@pytest.mark.parametrize("earlier_s", [0.5, 2.0, 2.9, 4.5, 7.0])
def test_a_word_in_doubt_does_not_keep_a_confirmed_call_from_counting(earlier_s: float) -> None:
    early = call(14.0 - earlier_s)
    pipeline = listened([early, call(14.0)], [*game(7.0), (14.2, goal(13.9, "left", 0))], 26)
    assert pipeline.phase is Phase.ENDED and pipeline.view().called_by == "left"
    stands = of(pipeline, EventType.CALLED)[-1]
    # The early word is the call itself where the last goal card was on its way already.
    assert stands.t == (early.onset_s if earlier_s < 1.0 else 14.0)
    assert shown(pipeline) == []


def test_a_word_after_a_call_in_doubt_changes_nothing_while_no_goal_pile_is_empty() -> None:
    words = [call(6.2), call(12.0), call(19.0)]
    pipeline = listened(words, [*game(), (11.0, goal(10.9, "left", 3))], 40)
    assert [event.t for event in of(pipeline, EventType.CALLED)] == [6.2]
    assert pipeline.phase is Phase.CALLED


def test_after_the_button_and_between_rounds_a_word_is_only_talk() -> None:
    pressed = {6.0: Command(CommandKind.CALL, "call", values={"seat": "left"})}
    pipeline = listened(
        [call(0.2), call(5.9), call(9.0), call(30.0)], [*game(), (5.8, goal(5.7, "left", 0))], 40, pressed
    )
    assert [event.source for event in of(pipeline, EventType.CALLED)] == ["button"]
    assert pipeline.phase is Phase.ENDED


def test_a_second_word_is_not_a_second_call() -> None:
    pipeline = listened([call(6.2), call(8.0), call(9.5)], game(), 20)
    assert len(of(pipeline, EventType.CALLED)) == 1


def test_the_stop_word_stops_play_until_it_is_played_on() -> None:
    pipeline = listened([call(4.2, role=Role.STOP)], game(4.1), 12)
    (paused,) = of(pipeline, EventType.PAUSED)
    assert (paused.t, paused.source, paused.extra["reason"]) == (4.2, "audio", "dutch")
    assert pipeline.phase is Phase.PAUSED
    wrong = listened([call(4.2, role=Role.STOP)], game(20), 21)
    assert wrong.phase is Phase.PLAYING
    assert shown(wrong) == []


def test_a_word_at_the_very_end_of_a_recording_is_still_logged() -> None:
    pipeline = listened([call(6.9)], game(), 7.0)
    pipeline.finish()
    assert [event.type for event in of(pipeline, EventType.CALLED, EventType.ROUND_ENDED)] == [
        EventType.CALLED,
        EventType.ROUND_ENDED,
    ]


def test_listening_twice_gives_the_same_log() -> None:
    script = [*game(12), (9.2, goal(9.0, "left", 0))]
    first, second = (listened([call(4.0), call(9.1)], script, 20) for _ in range(2))
    assert [e.to_json() for e in first.log] == [e.to_json() for e in second.log]
