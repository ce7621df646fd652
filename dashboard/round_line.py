"""The round from left to right: who played what, what nobody saw, and the flags that can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard import texts
from dashboard.widgets import FlagMark, Lane, Span, timeline
from engine.hub import FlagView
from engine.past import Case
from referee.events import EventType, PlayEvent, Zone
from referee.fold import effective_events

PLAYS = (EventType.STARTED, EventType.LANDED)
TICKS = 6
_KEPT = "round-line"


@dataclass(frozen=True, slots=True)
class RoundLine:
    """What is drawn, without the flags: it stays as it is until the log grows. Times in seconds."""

    start_s: float
    end_s: float
    lanes: tuple[Lane, ...]
    unseen: tuple[Span, ...]
    ticks: tuple[tuple[float, str], ...]

    def share(self, t_s: float) -> float:
        """Where a moment lies, 0-1."""
        return round(min(1.0, max(0.0, (t_s - self.start_s) / (self.end_s - self.start_s))), 4)


def round_line(case: Case, focus: FlagView | None) -> int | None:
    """Shows the round; the flag that was tapped just now."""
    line = _kept_line(case)
    if line is None:
        return None
    marks = [
        FlagMark(
            flag.seq,
            line.share(flag.t_s),
            flag.severity,
            f"{texts.clock(max(0.0, flag.t_s - line.start_s))} "
            f"{texts.sentence(flag.text, tuple(case.players))}",
            flag.open,
            focus is not None and flag.seq == focus.seq,
        )
        for flag in case.view.flags
    ]
    return timeline(line.lanes, line.unseen, marks, line.ticks, "timeline")


def _kept_line(case: Case) -> RoundLine | None:
    """The line of the round as it stood at the last run of the page, where nothing was added since."""
    # A shown round changes by a longer log; its clock moves on without one, which may wait for the next play.
    key = (case.evidence, case.view.lines, case.players)
    if st.session_state.get(f"{_KEPT}-key") != key:
        st.session_state[_KEPT], st.session_state[f"{_KEPT}-key"] = line_of(case), key
    kept: RoundLine | None = st.session_state[_KEPT]
    return kept


def line_of(case: Case) -> RoundLine | None:
    """What is drawn of a round; None before the first play."""
    view = case.view
    start = view.started_t_s or 0.0
    events = effective_events(case.log)
    plays = [event for event in events if event.zone is Zone.SHARED and event.type in PLAYS]
    if not plays:
        return None
    end = max(view.stopped_t_s or view.t_s, plays[-1].t, start + 1.0)
    bare = RoundLine(start, end, (), (), ())
    ticks = tuple((i / TICKS, texts.clock((end - start) * i / TICKS)) for i in range(TICKS + 1))
    return RoundLine(start, end, _lanes(case, plays, bare), _unseen(events, bare), ticks)


def _lanes(case: Case, plays: Sequence[PlayEvent], bare: RoundLine) -> tuple[Lane, ...]:
    """A lane for each player, and one for plays of which nobody saw whose they were."""
    lanes: dict[str, list[tuple[float, str, str]]] = {player.name: [] for player in case.players}
    names = {player.seat: player.name for player in case.players if player.seat is not None}
    for event in plays:
        who = names.get(event.seat or "") or texts.player_name(case.players, event.seat) or texts.NOT_SEEN_WHO
        kind = str(event.card.colour) if event.card is not None else "unknown"
        words = f"{texts.clock(event.t - bare.start_s)} {texts.card(event.card)}"
        lanes.setdefault(who, []).append((bare.share(event.t), kind, words))
    return tuple(Lane(name, tuple(own)) for name, own in lanes.items())


def _unseen(events: Sequence[PlayEvent], bare: RoundLine) -> tuple[Span, ...]:
    """The moments of which the referee knows that it missed something."""
    spans, lost_s = [], None
    for event in events:
        words = texts.unseen(event, max(0.0, event.t - bare.start_s))
        if event.type is EventType.CAMERA_LOST:
            lost_s = event.t
        elif event.type is EventType.CAMERA_BACK and lost_s is not None:
            spans.append(_span(bare, lost_s, event.t))
            lost_s = None
        elif words is not None:
            spans.append(Span(bare.share(event.t), bare.share(event.t), words))
    if lost_s is not None:
        spans.append(_span(bare, lost_s, bare.end_s))
    return tuple(spans)


def _span(bare: RoundLine, from_s: float, to_s: float) -> Span:
    words = texts.camera_was_lost(max(0.0, from_s - bare.start_s), max(0.0, to_s - bare.start_s))
    return Span(bare.share(from_s), bare.share(to_s), words)
