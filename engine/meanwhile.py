"""What happened between the moment somebody looked at a page and the moment a button was pressed there.

Two people may keep score at once, and a page may be old. What they say is held against what others said
meanwhile: the same thing said twice is said once, and nobody overwrites what he has not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.counting import fold_counts, fold_notes
from engine.hub import CountEntry, Phase
from engine.round_fold import fold_phase, fold_round
from engine.table_command import Command, CommandError, CommandKind
from referee.cards import Card
from referee.events import EventType, PlayEvent

LEADS_TO = {
    CommandKind.START: Phase.PLAYING,
    CommandKind.CALL: Phase.CALLED,
    CommandKind.DUTCH: Phase.PAUSED,
    CommandKind.PAUSE: Phase.PAUSED,
    CommandKind.RESUME: Phase.PLAYING,
    CommandKind.END: Phase.ENDED,
    CommandKind.CONFIRM: Phase.CONFIRMED,
    CommandKind.REOPEN: Phase.ENDED,
}
"""Where a round stands once a button of its course has been pressed."""
COURSE = frozenset({*LEADS_TO, CommandKind.NEXT_ROUND})

MOVED_ON = "somebody else was faster and the round has moved on; look at the page once more."
CALLED_ALREADY = "{who} called already; the first call counts."
COUNT_CHANGED = "somebody else has changed the count of {player} meanwhile; look at it once more."
SAID_OTHERWISE = "somebody else has said something else of this meanwhile; look at it once more."
SCORE_CHANGED = "the count has been changed meanwhile; look at it once more."


def said_already(log: Sequence[PlayEvent], seen_lines: int, command: Command) -> bool:
    """Whether others said the same since the log had `seen_lines` lines, so that nothing is left to do.

    Raises:
        CommandError: if others said or did something else that the command would overturn unseen.
    """
    if seen_lines >= len(log):
        return False
    before = log[:seen_lines]
    if command.kind in COURSE:
        return _course_moved_on(before, log, command)
    if command.kind is CommandKind.COUNT:
        return _counted_already(before, log, command.values)
    if command.kind is CommandKind.CORRECT:
        return _corrected_already(log[seen_lines:], command.values)
    return False


def _course_moved_on(before: Sequence[PlayEvent], log: Sequence[PlayEvent], command: Command) -> bool:
    was, now = fold_round(before), fold_round(log)
    if command.kind is CommandKind.CONFIRM and _score_of(before) != _score_of(log):
        raise CommandError(SCORE_CHANGED)
    if fold_phase(before) == fold_phase(log):
        return False
    if now.phase is not LEADS_TO.get(command.kind) or now.phase is was.phase:
        raise CommandError(MOVED_ON)
    who = command.values.get("player") or command.values.get("seat")
    if command.kind is CommandKind.CALL and who not in (None, now.called_by, now.called_seat):
        raise CommandError(CALLED_ALREADY.format(who=now.called_by or "somebody else"))
    return True


def _score_of(log: Sequence[PlayEvent]) -> tuple[Any, ...]:
    """What a score hangs on, apart from the rules."""
    view = fold_round(log)
    return (view.counts, view.called_by, view.called_seat, view.false_calls, view.more_tops)


def _counted_already(
    before: Sequence[PlayEvent], log: Sequence[PlayEvent], values: Mapping[str, Any]
) -> bool:
    after = [*log, PlayEvent(len(log) + 1, 0.0, EventType.CORRECTION, extra=_count_extra(values))]
    try:
        wanted, wanted_notes = fold_counts(after), fold_notes(after)
    except (KeyError, TypeError, ValueError):
        # What cannot be read is told by whoever writes it down.
        return False
    was, now = fold_counts(before), fold_counts(log)
    for entry in wanted:
        old, present = _entry_of(was, entry.player), _entry_of(now, entry.player)
        for name in ("played", "left", "machine_played", "faces", "faces_left"):
            if _overturns(getattr(old, name), getattr(present, name), getattr(entry, name)):
                raise CommandError(COUNT_CHANGED.format(player=entry.player))
    notes_were, notes = fold_notes(before), fold_notes(log)
    for name in ("caller_named", "called_by", "more_tops"):
        if _overturns(getattr(notes_were, name), getattr(notes, name), getattr(wanted_notes, name)):
            raise CommandError(SCORE_CHANGED)
    is_news = wanted != now or wanted_notes != notes
    return not is_news and (was != now or notes_were != notes)


def _overturns(seen: object, now: object, wanted: object) -> bool:
    """Whether `wanted` would take the place of something that was not seen."""
    return wanted != now and now != seen


def _count_extra(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"of": [], "action": "count", **values}


def _entry_of(counts: Sequence[CountEntry], player: str) -> CountEntry:
    return next((entry for entry in counts if entry.player == player), CountEntry(player))


def _corrected_already(since: Sequence[PlayEvent], values: Mapping[str, Any]) -> bool:
    """Opinions on the same lines: an equal one leaves nothing to say."""
    about = set(values.get("of", ()))
    others = [
        line for line in since if line.type is EventType.CORRECTION and about & set(line.extra.get("of", ()))
    ]
    if not others:
        return False
    if _same(others[-1].extra, values):
        return True
    raise CommandError(SAID_OTHERWISE)


def _same(said: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    return all(_plain(said.get(key)) == _plain(value) for key, value in values.items())


def _plain(value: Any) -> Any:
    """A value as the log writes it."""
    if isinstance(value, Card):
        return value.to_json()
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
