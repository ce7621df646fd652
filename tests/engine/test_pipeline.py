"""The core of a table: deterministic, idempotent, and the same after reopening."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.clips import save_clip
from engine.evidence import EvidenceStore, FrameRing, pile_picture
from engine.hub import Phase
from engine.pipeline import Pipeline
from engine.pipeline_parts import PipelineParts, PipelineRules
from engine.table_command import Command, CommandError, CommandKind
from referee.cards import Card
from referee.events import EventType, PlayEvent
from referee.fold import effective_events
from referee.judge import Judge
from referee.rulesets import ruleset
from tests.engine.fakes import PLAYERS, Script, ScriptedWatcher, frames, play, round_script

RULES = ruleset("dutch_blitz")


def make_parts(folder: Path | None = None, script: Script | None = None) -> PipelineParts:
    told = round_script() if script is None else script
    ring = FrameRing(span_s=12, period_s=0.1, max_bytes=20_000_000, quality=80)
    store = None if folder is None else EvidenceStore(folder, max_bytes=20_000_000, quality=80)
    make_clip = None if store is None else lambda name, frames: save_clip(store, name, frames)
    return PipelineParts(lambda: ScriptedWatcher(told), lambda: Judge(RULES), PLAYERS, ring, store, make_clip)


def played(count: int = 220, folder: Path | None = None, script: Script | None = None) -> Pipeline:
    pipeline = Pipeline(make_parts(folder, script))
    for frame in frames(count):
        pipeline.step(frame)
    return pipeline


def lines(pipeline: Pipeline) -> list[dict[str, object]]:
    return [event.to_json() for event in pipeline.log]


def test_lines_are_numbered_in_order_and_the_same_each_time(tmp_path: Path) -> None:
    first, second = played(folder=tmp_path / "a"), played(folder=tmp_path / "b")
    assert [event.seq for event in first.log] == list(range(1, len(first.log) + 1))
    assert lines(first) == lines(second)


def test_the_first_play_opens_the_round_and_names_the_players() -> None:
    start = played(60).log[0]
    assert start.type is EventType.ROUND_STARTED
    assert [player["name"] for player in start.extra["players"]] == ["Ann", "Bo"]


def test_a_foul_is_logged_with_pictures_from_before_and_after(tmp_path: Path) -> None:
    pipeline = played(folder=tmp_path)
    [flag] = [flag for flag in pipeline.view().flags if flag.rule == "E11"]
    assert flag.severity == "foul"
    assert flag.reading == Card.parse("blue7")
    assert flag.alternatives == (Card.parse("blue1"),)
    assert set(flag.stills) == {"before", "after", "before_crop", "after_crop", "clip"}
    assert flag.seat == "right"
    assert all((tmp_path / name).stat().st_size > 0 for name in flag.stills.values())


def test_a_call_that_stands_ends_the_round_by_itself_before_the_cards_are_collected() -> None:
    collecting: Script = [(20.0, play(19.5, "started", "d9", "yellow4"))]
    pipeline = played(480, script=[*round_script(), *collecting])
    assert pipeline.phase is Phase.ENDED
    assert pipeline.view().called_seat == "left"
    assert not any(event.pile == "d9" for event in pipeline.log)


def test_a_command_is_carried_out_once_however_often_it_is_sent() -> None:
    pipeline = played(100)
    pause = Command(CommandKind.DUTCH, "same")
    assert next(event.type for event in pipeline.command(pause)) is EventType.PAUSED
    assert pipeline.command(pause) == ()
    assert pipeline.phase is Phase.PAUSED


def test_commands_that_make_no_sense_are_refused_in_one_sentence() -> None:
    pipeline = played(100)
    with pytest.raises(CommandError, match="while the round is playing"):
        pipeline.command(Command(CommandKind.CONFIRM, "a"))
    with pytest.raises(CommandError, match="no line 999"):
        correction = {"of": [999], "action": "overrule"}
        pipeline.command(Command(CommandKind.CORRECT, "b", values=correction))
    with pytest.raises(CommandError, match="cannot be corrected"):
        nonsense = {"of": [2], "action": "replace", "event": {"card": {"number": 77, "colour": "red"}}}
        pipeline.command(Command(CommandKind.CORRECT, "c", values=nonsense))
    assert pipeline.command(Command(CommandKind.PAUSE, "d"))


def test_an_opinion_is_kept_beside_the_ruling_and_the_last_one_counts() -> None:
    pipeline = played()
    seq = pipeline.view().flags[0].seq
    for i, action in enumerate(("overrule", "uphold")):
        pipeline.command(Command(CommandKind.CORRECT, str(i), values={"of": [seq], "action": action}))
    flag = pipeline.view().flags[0]
    assert (flag.opinion, flag.stands, flag.open) == ("uphold", True, False)


def test_a_corrected_reading_is_judged_again() -> None:
    pipeline = played()
    flag = next(flag for flag in pipeline.view().flags if flag.rule == "E11")
    fix = {"of": [flag.play_seq], "action": "replace", "event": {"card": {"number": 4, "colour": "red"}}}
    pipeline.command(Command(CommandKind.CORRECT, "fix", values=fix))
    after = next(f for f in pipeline.view().flags if f.seq == flag.seq)
    assert not after.stands
    assert pipeline.state.pile("d1") is not None
    assert pipeline.state.pile("d1").top == Card.parse("red4")


def test_the_last_change_can_be_undone_and_then_the_one_before() -> None:
    pipeline = played()
    flag = next(flag for flag in pipeline.view().flags if flag.rule == "E11")
    fix = {"of": [flag.play_seq], "action": "replace", "event": {"card": {"number": 4, "colour": "red"}}}
    pipeline.command(Command(CommandKind.CORRECT, "a", values={"of": [flag.seq], "action": "overrule"}))
    pipeline.command(Command(CommandKind.CORRECT, "b", values=fix))
    for i in range(2):
        undo = {"of": [pipeline.view().undoable], "action": "delete"}
        pipeline.command(Command(CommandKind.CORRECT, f"undo {i}", values=undo))
    after = next(f for f in pipeline.view().flags if f.seq == flag.seq)
    assert (after.stands, after.opinion, pipeline.view().undoable) == (True, None, None)


def test_counts_confirmation_and_its_undoing() -> None:
    pipeline = played(480)
    entries = [{"player": "Ann", "played": 4, "left": 0}, {"player": "Bo", "played": 3}]
    pipeline.command(Command(CommandKind.COUNT, "1", values={"entries": entries}))
    pipeline.command(Command(CommandKind.COUNT, "2", values={"entries": [{"player": "Bo", "left": 5}]}))
    ann, bo = pipeline.view().counts
    assert (ann.played, ann.left, bo.played, bo.left) == (4, 0, 3, 5)
    pipeline.command(Command(CommandKind.CONFIRM, "3"))
    assert pipeline.phase is Phase.CONFIRMED
    with pytest.raises(CommandError):
        pipeline.command(Command(CommandKind.COUNT, "4", values={"entries": entries}))
    pipeline.command(Command(CommandKind.REOPEN, "5"))
    assert pipeline.phase is Phase.ENDED


@pytest.mark.parametrize("cut", [30, 87, 100, 131, 175])
def test_reopened_in_mid_round_it_ends_up_with_the_same_lines_and_piles(cut: int) -> None:
    whole = played(220)
    first = played(cut)
    point = first.checkpoint()
    second = Pipeline(make_parts(), log=first.log, commands=first.commands, checkpoint=point)
    for frame in frames(220):
        if frame.index > point.frame_index:
            second.step(frame)
    assert lines(second) == lines(whole)
    assert second.state == whole.state
    assert second.view() == whole.view()


def test_a_live_table_waits_for_the_button_and_then_looks_afresh() -> None:
    pipeline = Pipeline(make_parts(), PipelineRules(auto_start=False))
    for frame in frames(40):
        pipeline.step(frame)
    assert pipeline.log == ()
    [start, *_] = pipeline.command(Command(CommandKind.START, "go"))
    assert (start.type, start.t) == (EventType.ROUND_STARTED, 39 / 20)


def test_a_round_that_was_not_over_goes_on_and_what_was_missed_is_a_gap() -> None:
    pipeline = played(480)
    assert pipeline.phase is Phase.ENDED
    kinds = [line.type for line in pipeline.command(Command(CommandKind.RESUME, "on"))]
    assert kinds[:2] == [EventType.RESUMED, EventType.GAP]
    assert pipeline.phase is Phase.PLAYING
    assert pipeline.view().called_by is None


def test_the_end_of_a_file_ends_the_round() -> None:
    pipeline = played(60)
    assert pipeline.finish()[-1].type in (EventType.ROUND_ENDED, EventType.RULING)
    assert pipeline.phase is Phase.ENDED


def test_the_table_is_pictured_at_the_call_and_at_the_end_with_each_pile(tmp_path: Path) -> None:
    view = played(480, tmp_path).view()
    at_call, at_end = view.pictures
    for name in (at_call, at_end, pile_picture(at_call, "d1"), pile_picture(at_end, "d2")):
        assert (tmp_path / name).stat().st_size > 0
    assert [(top.pile, str(top.card), top.taken) for top in view.pile_tops] == [
        ("d1", "blue7", False),
        ("d2", "green3", False),
    ]
    assert view.pile_tops[0].alternatives == (Card.parse("blue1"),)
    assert view.goals_seen == {"left": 0}


def test_pictures_of_a_call_that_was_played_over_are_not_shown(tmp_path: Path) -> None:
    pipeline = played(180, tmp_path)
    assert pipeline.phase is Phase.CALLED and len(pipeline.view().pictures) == 1
    pipeline.command(Command(CommandKind.RESUME, "on"))
    assert pipeline.view().pictures == ()


def test_no_tops_are_shown_while_the_round_is_on() -> None:
    assert played(100).view().pile_tops == ()


def test_a_top_set_right_is_the_one_that_counts() -> None:
    pipeline = played(480)
    top = pipeline.view().pile_tops[0]
    event = {"card": {"number": 4, "colour": "red"}}
    pipeline.command(
        Command(CommandKind.CORRECT, "a", values={"of": [top.plays[-1]], "action": "replace", "event": event})
    )
    pipeline.command(
        Command(CommandKind.COUNT, "b", values={"more_tops": [{"number": 2, "colour": "yellow"}]})
    )
    view = pipeline.view()
    assert view.tops is not None
    assert sorted(map(str, view.tops)) == ["green3", "red4", "yellow2"]
    assert view.pile_tops[0].card == Card.parse("red4")


def test_people_say_who_called_and_what_they_have_looked_at() -> None:
    pipeline = played(480)
    pipeline.command(
        Command(CommandKind.COUNT, "a", values={"called_by": "Bo", "answered": ["Count again."]})
    )
    view = pipeline.view()
    assert (view.called_by, view.called_seat) == ("Bo", None)
    assert view.answered == {"Count again."}
    pipeline.command(Command(CommandKind.COUNT, "b", values={"called_by": None}))
    assert pipeline.view().called_by is None
    with pytest.raises(CommandError, match="cannot be read"):
        pipeline.command(Command(CommandKind.COUNT, "c", values={"more_tops": ["no card"]}))


def read_otherwise(card: str, pile: str = "d1") -> PlayEvent:
    given = {"card": Card.parse(card).to_json(), "confidence": 0.995, "alternatives": []}
    extra = {"action": "replace", "event": given}
    return PlayEvent(0, 4.2, EventType.CORRECTION, pile=pile, source="vision", extra=extra)


def with_also(*told: tuple[float, PlayEvent]) -> Script:
    return sorted([*round_script(), *told], key=lambda item: item[0])


def cards_on(pipeline: Pipeline, pile: str = "d1") -> list[str]:
    return [str(e.card) for e in effective_events(pipeline.log) if e.pile == pile and e.card is not None]


def test_a_card_that_the_eyes_read_otherwise_later_is_corrected_and_judged_anew() -> None:
    pipeline = played(script=with_also((6.0, read_otherwise("red4"))))
    (fix,) = [line for line in pipeline.log if line.type is EventType.CORRECTION]
    (play,) = [line for line in pipeline.log if line.seq in fix.extra["of"]]
    assert (str(play.card), fix.source, fix.t) == ("blue7", "vision", 6.0)
    assert cards_on(pipeline) == ["red1", "red2", "red3", "red4"]
    assert [flag.stands for flag in pipeline.view().flags if flag.rule == "E11"] == [False]


def test_what_a_person_said_of_a_card_is_not_corrected_by_the_eyes() -> None:
    pipeline = Pipeline(make_parts(script=with_also((6.0, read_otherwise("red4")))))
    film = list(frames(220))
    for frame in film[:110]:
        pipeline.step(frame)
    (play,) = [line for line in pipeline.log if line.card == Card.parse("blue7") and line.seat]
    said = {"of": [play.seq], "action": "replace", "event": {"card": Card.parse("red5").to_json()}}
    pipeline.command(Command(CommandKind.CORRECT, "said", values=said))
    for frame in film[110:]:
        pipeline.step(frame)
    assert [line.source for line in pipeline.log if line.type is EventType.CORRECTION] == ["human"]
    assert cards_on(pipeline)[-1] == "red5"


def test_once_a_card_went_back_the_one_beneath_is_read_otherwise() -> None:
    back = play(4.9, "withdrawn", "d1", "blue7", "right")
    script = [
        *round_script(),
        (5.2, back),
        (6.0, read_otherwise("red4")),
        (6.1, read_otherwise("red4", "d9")),
    ]
    pipeline = played(script=script)
    (fix,) = [line for line in pipeline.log if line.type is EventType.CORRECTION]
    (corrected,) = [line for line in pipeline.log if line.seq in fix.extra["of"]]
    assert str(corrected.card) == "red3"
