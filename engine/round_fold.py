"""A round as its log tells it: where it stands, who called, what was counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.counting import changed_after_confirming, fold_counts, fold_notes
from engine.hub import Phase, RoundView
from engine.listening import only_heard
from referee.events import EventType, PlayEvent, Zone
from referee.fold import effective_events, standing_corrections

PLAYS = frozenset({EventType.STARTED, EventType.LANDED})
STOPS = frozenset({EventType.CALLED, EventType.ROUND_ENDED})
PHASE_AFTER = {
    EventType.ROUND_STARTED: Phase.PLAYING,
    EventType.RESUMED: Phase.PLAYING,
    EventType.PAUSED: Phase.PAUSED,
    EventType.CALLED: Phase.CALLED,
    EventType.ROUND_ENDED: Phase.ENDED,
}
"""What an event makes of the phase of its round."""


def fold_phase(log: Iterable[PlayEvent]) -> tuple[Phase, int]:
    """Where a round stands, and the line that brought it there (0 before any)."""
    lines = list(log)
    phase, seq = Phase.WAITING, 0
    for event in effective_events(lines):
        if event.type in PHASE_AFTER and PHASE_AFTER[event.type] is not phase:
            phase, seq = PHASE_AFTER[event.type], event.seq
    confirmations = [line for line in standing_corrections(lines) if "confirmed" in line.extra]
    if confirmations and phase is Phase.ENDED:
        seq = max(seq, confirmations[-1].seq)
        phase = Phase.CONFIRMED if confirmations[-1].extra["confirmed"] else Phase.ENDED
    return phase, seq


def standing_call(events: Iterable[PlayEvent]) -> PlayEvent | None:
    """The call that stands, if any."""
    found = None
    for event in events:
        if event.type is EventType.CALLED:
            found = event
        elif event.type is EventType.RESUMED:
            found = None
    return found


def fold_round(log: Sequence[PlayEvent]) -> RoundView:
    """A round as its log tells it, without the piles, the feed and the flags."""
    events = effective_events(log)
    called = standing_call(events)
    started = next((e.t for e in events if e.type is EventType.ROUND_STARTED), None)
    ended = next((e.t for e in reversed(events) if e.type is EventType.ROUND_ENDED), None)
    phase, phase_seq = fold_phase(log)
    notes = fold_notes(log)
    by = None if called is None or only_heard(called) else called.extra.get("by")
    caller = by or (None if called is None else called.seat)
    return RoundView(
        phase=phase,
        phase_seq=phase_seq,
        lines=len(log),
        undoable=_last_change(log),
        landings=sum(e.type in PLAYS and e.zone is Zone.SHARED for e in events),
        corrections=sum(e.type is EventType.CORRECTION and bool(e.extra.get("of")) for e in log),
        called_by=notes.called_by if notes.caller_named else caller,
        called_seat=None if called is None or notes.caller_named else called.seat,
        called_seq=None if called is None else called.seq,
        called_t_s=None if called is None else called.t,
        false_calls=_false_calls(events),
        started_t_s=started,
        stopped_t_s=ended if called is None else called.t,
        counts=fold_counts(log),
        pictures=_pictures(events),
        more_tops=notes.more_tops,
        answered=notes.answered,
        goals_seen=_goals_seen(events),
        changed_late=changed_after_confirming(log),
    )


def _pictures(events: Iterable[PlayEvent]) -> tuple[str, ...]:
    """The pictures of the table at the call that stands and at the end."""
    names: list[str] = []
    for event in events:
        if event.type is EventType.RESUMED:
            names = []
        elif event.type in STOPS and "still" in event.extra:
            names.append(str(event.extra["still"]))
    return tuple(names)


def _goals_seen(events: Iterable[PlayEvent]) -> dict[str, int]:
    """The goal cards last seen, by seat, as far as they are known."""
    seen: dict[str, int] = {}
    for event in events:
        if event.type is EventType.GOAL_COUNT and event.seat is not None:
            if event.goal_left is None:
                seen.pop(event.seat, None)
            else:
                seen[event.seat] = event.goal_left
    return seen


def _false_calls(events: Iterable[PlayEvent]) -> tuple[str, ...]:
    """The seats whose call was followed by playing on."""
    false: list[str] = []
    called: str | None = None
    for event in events:
        if event.type is EventType.CALLED:
            # What was only heard accuses nobody.
            called = None if only_heard(event) else event.seat
        elif event.type is EventType.RESUMED and called is not None:
            false.append(called)
            called = None
    return tuple(false)


def _last_change(log: Sequence[PlayEvent]) -> int | None:
    """The line of the last standing change of a play or opinion on a ruling; counts are changed by typing."""
    corrections = {line.seq for line in log if line.type is EventType.CORRECTION}
    for line in reversed(standing_corrections(log)):
        of = line.extra.get("of")
        if of and not corrections & set(of):
            return line.seq
    return None
