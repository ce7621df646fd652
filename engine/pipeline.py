"""The deterministic core of a table: frames and commands in, numbered log lines out. No thread, no clock.

Every time in here is the frame's clock. The log is the truth: the state, the rulings and the counts shown are
a fold over it, so a correction appends and refolds, and a restart reopens and refolds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import Any, Protocol

import numpy as np

from engine.clips import AFTER_S, BEFORE_S
from engine.counting import changed_after_confirming, fold_counts, fold_notes
from engine.ears import Ears
from engine.evidence import EvidenceStore, FrameRing, KeptFrame
from engine.hub import FlagView, Phase, PileView, PlayerView, RoundView, Seen, TopView
from engine.listening import HeardCalls, is_confirmed, only_heard, play_goes_on, said
from engine.overlay import Overlay
from engine.record import Checkpoint
from hearing.listener import Heard
from hearing.spotter import Role
from referee.cards import Card
from referee.events import EventType, LogError, PlayEvent, Zone
from referee.fold import CorrectionError, apply, effective_events, opinions, standing_corrections
from referee.rulings import Ruling
from referee.state import PileState, TableState
from vision.types import Frame

SHOWN = ("warning", "foul")
"""Severities that get evidence and a place on the review page."""

PLAYS = frozenset({EventType.STARTED, EventType.LANDED})
STOPS = frozenset({EventType.CALLED, EventType.ROUND_ENDED})
CROP_PX = 360.0
"""Side of an evidence crop where no card is seen that gives the scale."""
CROP_CARDS = 2.4
"""Side of an evidence crop in card lengths: the pile, its neighbours' edges and a hand."""


class Watcher(Protocol):
    """The eyes: frames in, play events out. `seq` of the events is 0, the pipeline numbers them."""

    def process(self, frame: Frame) -> list[PlayEvent]:
        """Look at the next frame."""
        ...

    def finish(self) -> list[PlayEvent]:
        """The source ended: say what was still being waited for."""
        ...

    def overlay(self) -> Overlay:
        """What is seen right now, for drawing."""
        ...

    def dump(self) -> dict[str, Any]:
        """The state as JSON values, so that a restarted program goes on with the same pile ids."""
        ...

    def restore(self, data: dict[str, Any]) -> None:
        """The inverse of `dump`."""
        ...


class Arbiter(Protocol):
    """What the pipeline needs of `referee.judge.Judge`."""

    def feed(self, event: PlayEvent) -> list[Ruling]:
        """Judge the next event."""
        ...

    def advance(self, t: float) -> list[Ruling]:
        """Let time pass up to `t` seconds."""
        ...

    def finish(self) -> list[Ruling]:
        """The log ended."""
        ...


class CommandKind(StrEnum):
    """What a person can tell the table."""

    START = "start"
    CALL = "call"
    DUTCH = "dutch"
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"
    CORRECT = "correct"
    COUNT = "count"
    CONFIRM = "confirm"
    REOPEN = "reopen"
    NEXT_ROUND = "next_round"
    NEW_MATCH = "new_match"
    PLAYERS = "players"
    RULES = "rules"
    RESUME_MATCH = "resume_match"
    MODE = "mode"


class CommandError(ValueError):
    """A command that makes no sense now; the message is one plain sentence."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command. The same `id` is carried out once, however often it is sent.

    `seen` is what was looked at when it was given; with it, nothing is overturned that others did meanwhile.

    `values` by kind: CALL `seat`, `player`; CORRECT `of` (list of seq), `action` and its payload; COUNT
    `entries`, each with `player` and `played`, `left`, `machine_played`, `faces`, `faces_left` as far as
    known, and what was said beside the numbers (`called_by`, `more_tops`, `answered`); CONFIRM `scores` as
    they were shown; each of these `round_id` for an earlier round; PLAYERS `players`; RULES `ruleset`,
    `options`; RESUME_MATCH `match_id`; MODE `mode`. The kinds from NEXT_ROUND on concern the match and are
    carried out by the table.
    """

    kind: CommandKind
    id: str
    by: str = "table"
    values: Mapping[str, Any] = field(default_factory=dict)
    seen: Seen | None = None

    @classmethod
    def on(cls, seen: Seen, kind: CommandKind, by: str, values: Mapping[str, Any]) -> Command:
        """The command of a button: pressed twice on the same picture with the same values, it is the same.

        The values count, so that of two people who type different numbers at once neither is taken for the
        other's second press.
        """
        told = [seen.edition, seen.version, seen.round_id, seen.lines, kind, dict(values)]
        said = json.dumps(told, sort_keys=True, default=str)
        return cls(kind, sha256(said.encode()).hexdigest()[:24], by, values, seen)


@dataclass(frozen=True, slots=True)
class PipelineParts:
    """What a pipeline is made of; the watcher and the judge are made anew for each round or refold.

    `make_clip` takes the name and the frames of a ruling's clip; None: no clips are made. `ears` hear the
    spoken calls; None: calls come from the button alone.
    """

    make_watcher: Callable[[], Watcher]
    make_judge: Callable[[], Arbiter]
    players: tuple[PlayerView, ...] = ()
    ring: FrameRing | None = None
    evidence: EvidenceStore | None = None
    make_clip: Callable[[str, Sequence[KeptFrame]], object] | None = None
    ears: Ears | None = None


@dataclass(frozen=True, slots=True)
class PipelineRules:
    """How a round begins and ends by itself.

    `auto_start`: the first play opens the round (files; a live table has a button). `call_settle_s`: a call
    that was not taken back within this time ends the round, so that collecting the cards is not judged as
    play; None where play goes on after the call. `judge_lag_s`: the judge's time stays this far behind the
    frames, since a landing is told of only after it was read.
    """

    auto_start: bool = True
    call_settle_s: float | None = 8.0
    judge_lag_s: float = 0.5
    feed_lines: int = 40


_PHASE_AFTER = {
    EventType.ROUND_STARTED: Phase.PLAYING,
    EventType.RESUMED: Phase.PLAYING,
    EventType.PAUSED: Phase.PAUSED,
    EventType.CALLED: Phase.CALLED,
    EventType.ROUND_ENDED: Phase.ENDED,
}


def fold_phase(log: Iterable[PlayEvent]) -> tuple[Phase, int]:
    """Where a round stands, and the line that brought it there (0 before any)."""
    lines = list(log)
    phase, seq = Phase.WAITING, 0
    for event in effective_events(lines):
        if event.type in _PHASE_AFTER and _PHASE_AFTER[event.type] is not phase:
            phase, seq = _PHASE_AFTER[event.type], event.seq
    confirmations = [line for line in standing_corrections(lines) if "confirmed" in line.extra]
    if confirmations and phase is Phase.ENDED:
        seq = max(seq, confirmations[-1].seq)
        phase = Phase.CONFIRMED if confirmations[-1].extra["confirmed"] else Phase.ENDED
    return phase, seq


def _standing_call(events: Iterable[PlayEvent]) -> PlayEvent | None:
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
    called = _standing_call(events)
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


class Pipeline:
    """One round at one table.

    `log`, `commands` and `checkpoint` reopen a round that was being played; left out, the round is new.
    """

    def __init__(
        self,
        parts: PipelineParts,
        rules: PipelineRules | None = None,
        *,
        log: Iterable[PlayEvent] = (),
        commands: Iterable[str] = (),
        checkpoint: Checkpoint | None = None,
        start_s: float = 0.0,
    ) -> None:
        self._parts, self._rules = parts, rules or PipelineRules()
        self._log: list[PlayEvent] = list(log)
        self._commands = set(commands)
        self._t_s = max([start_s, *(event.t for event in self._log)])
        self._frame_index = -1
        self._frame: Frame | None = None
        self._watcher = parts.make_watcher()
        if checkpoint is not None:
            self._watcher.restore(json.loads(checkpoint.state))
            self._frame_index = checkpoint.frame_index
            self._t_s = max(self._t_s, checkpoint.t_s)
        self._state = TableState()
        self._judge = parts.make_judge()
        self._standing: set[tuple[str, tuple[int, ...]]] = set()
        self._clips_due: list[tuple[str, float]] = []
        self._phase, self._phase_seq = Phase.WAITING, 0
        self._heard = HeardCalls()
        self._refold()
        self._view: RoundView | None = None

    @property
    def log(self) -> tuple[PlayEvent, ...]:
        """Every line so far."""
        return tuple(self._log)

    @property
    def state(self) -> TableState:
        """The table as folded from the effective events."""
        return self._state

    @property
    def phase(self) -> Phase:
        """Where the round stands."""
        return self._phase

    @property
    def t_s(self) -> float:
        """The frame clock."""
        return self._t_s

    @property
    def frame_index(self) -> int:
        """The last frame looked at, -1 before the first."""
        return self._frame_index

    @property
    def commands(self) -> frozenset[str]:
        """The ids of the commands already carried out."""
        return frozenset(self._commands)

    @property
    def problem(self) -> str | None:
        """What keeps the evidence from being stored or calls from being heard, in one plain sentence."""
        parts = (self._parts.evidence, self._parts.ears)
        return next((one.problem for one in parts if one is not None and one.problem is not None), None)

    def remember(self, command_id: str) -> None:
        """Count a command as carried out that somebody else carried out."""
        self._commands.add(command_id)

    def seat(self, players: tuple[PlayerView, ...]) -> None:
        """Who plays, from now on."""
        self._parts = replace(self._parts, players=players)

    def judge_anew(self) -> tuple[PlayEvent, ...]:
        """Judge the log by the rules as they are now; returns the new lines."""
        before = len(self._log)
        self._refold()
        self._view = None
        return self._since(before)

    def look_afresh(self) -> None:
        """Take new eyes and judge the log anew, after a fault."""
        self._watcher = self._parts.make_watcher()
        self._refold()

    def overlay(self) -> Overlay:
        """What the eyes see right now."""
        return self._watcher.overlay()

    def checkpoint(self, *, finished: bool = False) -> Checkpoint:
        """What is needed to go on after a restart, beside the log."""
        state = json.dumps(self._watcher.dump())
        return Checkpoint(len(self._log), self._frame_index, self._t_s, state, finished)

    def step(self, frame: Frame, came_at_s: float | None = None) -> tuple[PlayEvent, ...]:
        """Look at the next frame and let its time pass; returns the new lines, rulings included.

        `came_at_s`: when the frame came in, on the monotonic clock that also times the microphone.
        """
        before = len(self._log)
        self._t_s, self._frame_index, self._frame = frame.t_s, frame.index, frame
        if self._parts.ring is not None:
            self._parts.ring.add(frame)
        for event in self._watcher.process(frame):
            self._take(event)
        self._listen(came_at_s)
        self._pass_time()
        self._make_clips(self._t_s)
        return self._since(before)

    def note(self, kind: EventType, **extra: Any) -> tuple[PlayEvent, ...]:
        """Log what happened to the camera or the eyes during a round, at the present time."""
        before = len(self._log)
        if self._phase in (Phase.PLAYING, Phase.PAUSED, Phase.CALLED):
            self._append(PlayEvent(0, self._t_s, kind, source="camera", extra=extra))
        return self._since(before)

    def finish(self) -> tuple[PlayEvent, ...]:
        """The source ended: settle what was still open and end a round in play."""
        before = len(self._log)
        for event in self._watcher.finish():
            self._take(event)
        self._listen(None, last=True)
        if self._phase in (Phase.PLAYING, Phase.PAUSED, Phase.CALLED):
            self._append(PlayEvent(0, self._t_s, EventType.ROUND_ENDED, source="auto"))
        if self._phase is not Phase.WAITING:
            self._rule(self._judge.finish())
        self._make_clips(math.inf)
        return self._since(before)

    def command(self, command: Command) -> tuple[PlayEvent, ...]:
        """Carry out a command; one whose id is known changes nothing.

        Raises:
            CommandError: if it makes no sense now.
        """
        if command.id in self._commands:
            return ()
        before = len(self._log)
        event = self._event_for(command)
        if command.kind is CommandKind.START and not self._rules.auto_start:
            # The table was dealt under the old eyes; fresh ones take it as it lies.
            self._watcher = self._parts.make_watcher()
        ended = self._phase is Phase.ENDED
        self._commands.add(command.id)
        self._append(event)
        if command.kind is CommandKind.RESUME and ended:
            # What was played while the round was taken for over was not logged.
            self._append(PlayEvent(0, self._t_s, EventType.GAP, source="camera", extra={"reason": "ended"}))
        self._pass_time()
        return self._since(before)

    def _event_for(self, command: Command) -> PlayEvent:
        values = dict(command.values)
        kind, phase = command.kind, self._phase
        running = phase in (Phase.PLAYING, Phase.PAUSED, Phase.CALLED)
        button: dict[str, Any] = {"seq": 0, "t": self._t_s, "source": "button"}
        match kind:
            case CommandKind.START if phase is Phase.WAITING:
                extra = {"by": command.by, **self._who_plays()}
                return PlayEvent(**_typed(button, EventType.ROUND_STARTED), extra=extra)
            case CommandKind.CALL if phase in (Phase.PLAYING, Phase.CALLED):
                extra = {"by": values.get("player") or command.by}
                return PlayEvent(**_typed(button, EventType.CALLED), seat=values.get("seat"), extra=extra)
            case CommandKind.DUTCH if phase is Phase.PLAYING:
                return PlayEvent(
                    **_typed(button, EventType.PAUSED), extra={"by": command.by, "reason": "dutch"}
                )
            case CommandKind.PAUSE if phase is Phase.PLAYING:
                return PlayEvent(**_typed(button, EventType.PAUSED), extra={"by": command.by})
            case CommandKind.RESUME if phase in (Phase.PAUSED, Phase.CALLED, Phase.ENDED):
                return PlayEvent(**_typed(button, EventType.RESUMED), extra={"by": command.by})
            case CommandKind.END if running:
                return PlayEvent(**_typed(button, EventType.ROUND_ENDED), extra={"by": command.by})
            case CommandKind.CORRECT:
                return self._correction(values, command.by)
            case CommandKind.COUNT if phase is not Phase.CONFIRMED:
                return self._correction({"of": [], "action": "count", **values}, command.by)
            case CommandKind.CONFIRM if phase is Phase.ENDED:
                return self._correction({"of": [], "action": "count", "confirmed": True}, command.by)
            case CommandKind.REOPEN if phase is Phase.CONFIRMED:
                return self._correction({"of": [], "action": "count", "confirmed": False}, command.by)
        raise CommandError(f"{kind.value!r} is not possible while the round is {phase.value}.")

    def _correction(self, values: dict[str, Any], by: str) -> PlayEvent:
        unknown = [seq for seq in values.get("of", ()) if not 1 <= seq <= len(self._log)]
        if unknown:
            raise CommandError(f"there is no line {unknown[0]} in this round.")
        head = {"seq": len(self._log) + 1, "t": self._t_s, "type": "correction", "source": "human"}
        try:
            event = PlayEvent.from_json({**values, **head, "by": by, "at_s": self._t_s})
            # A line that cannot be folded must not get into the log, where it would fail for ever.
            effective_events([*self._log, event])
            fold_counts([*self._log, event])
            fold_notes([*self._log, event])
        except (LogError, CorrectionError) as error:
            raise CommandError(f"this cannot be corrected: {error}.") from error
        except (KeyError, TypeError, ValueError) as error:
            raise CommandError("this count cannot be read.") from error
        return event

    def _take(self, event: PlayEvent) -> None:
        """Log an event of the eyes, if the round is one that is being watched."""
        if self._phase in (Phase.ENDED, Phase.CONFIRMED):
            return
        if event.type is EventType.CORRECTION:
            self._take_correction(event)
            return
        if self._phase is Phase.WAITING:
            if not self._rules.auto_start:
                return
            if event.type in PLAYS and event.zone is Zone.SHARED:
                self._append(
                    PlayEvent(0, event.t, EventType.ROUND_STARTED, source="auto", extra=self._who_plays())
                )
        if self._phase in (Phase.CALLED, Phase.PAUSED) and play_goes_on(effective_events(self._log), event):
            extra = {"reason": "play_went_on"}
            self._append(PlayEvent(0, event.t, EventType.RESUMED, source="auto", extra=extra))
        self._append(event)

    def _take_correction(self, event: PlayEvent) -> None:
        """Log that the eyes read the top of a pile otherwise by now, unless a person said what it is."""
        lying: list[PlayEvent] = []
        for line in effective_events(self._log):
            if (line.pile, line.zone) != (event.pile, event.zone):
                continue
            if line.type in PLAYS:
                lying.append(line)
            elif line.type is EventType.WITHDRAWN and lying:
                lying.pop()
        said = {seq for line in standing_corrections(self._log) for seq in line.extra.get("of", ())}
        if lying and lying[-1].seq not in said:
            extra = {**event.extra, "of": [lying[-1].seq]}
            self._append(replace(event, t=self._t_s, extra=extra))

    def _listen(self, came_at_s: float | None, *, last: bool = False) -> None:
        """Take in what was heard. Between rounds and after a sure call or a stop, words are only talk."""
        words: Sequence[Heard] = ()
        if self._parts.ears is not None:
            words = self._parts.ears.finish() if last else self._parts.ears.hear(self._t_s, came_at_s)
        in_doubt = self._in_doubt()
        for word in words:
            if word.role is Role.CALL and (in_doubt or self._phase is Phase.PLAYING):
                self._heard.heard(word)
            elif word.role is Role.STOP and self._phase is Phase.PLAYING:
                self._append(said(word, EventType.PAUSED, word.p, reason="dutch"))
        if self._phase is not Phase.PLAYING and not in_doubt:
            self._heard = HeardCalls()
        if self._heard.waiting:
            t_s = math.inf if last else self._t_s
            call = self._heard.settled(t_s, effective_events(self._log), in_doubt=in_doubt)
            if call is not None:
                self._append(call)

    def _in_doubt(self) -> bool:
        """Whether a call stands that was only heard and that nothing confirms."""
        if self._phase is not Phase.CALLED:
            return False
        events = effective_events(self._log)
        called = _standing_call(events)
        return called is not None and not is_confirmed(called, events)

    def _who_plays(self) -> dict[str, Any]:
        """What the judge is told of the players when the round starts."""
        players = [{"name": p.name, "seat": p.seat, "deck": p.deck} for p in self._parts.players]
        known: dict[str, Any] = {"players": players} if players else {}
        length_px = self._card_length_px(None)
        return known if length_px is None else {**known, "card_length_px": round(length_px, 1)}

    def _pass_time(self) -> None:
        if self._phase in (Phase.WAITING, Phase.CONFIRMED):
            return
        self._rule(self._judge.advance(self._t_s - self._rules.judge_lag_s))
        settle_s = self._rules.call_settle_s
        if self._phase is not Phase.CALLED or settle_s is None:
            return
        called = _standing_call(effective_events(self._log))
        if called is not None:
            refused = any(
                line.type is EventType.RULING and called.seq in line.extra.get("of", ()) and _is_shown(line)
                for line in self._log[called.seq :]
            )
            stands = not refused and is_confirmed(called, effective_events(self._log))
            if stands and self._t_s - called.t > settle_s:
                self._append(PlayEvent(0, self._t_s, EventType.ROUND_ENDED, source="auto"))

    def _append(self, event: PlayEvent) -> None:
        event = replace(event, seq=len(self._log) + 1)
        self._view = None
        if event.type is EventType.CORRECTION:
            self._log.append(event)
            self._refold()
            return
        if event.type in STOPS:
            event = self._with_table_picture(event)
        # An event that cannot be folded or judged must not stay in the log, where it would fail for ever.
        state = apply(self._state, event)
        rulings = self._judge.feed(event)
        self._log.append(event)
        after = _PHASE_AFTER.get(event.type, self._phase)
        if after is not self._phase:
            self._phase, self._phase_seq = after, event.seq
        self._state = state
        self._rule(rulings)

    def _rule(self, rulings: Iterable[Ruling]) -> None:
        """Log rulings; warnings and fouls get their pictures."""
        for ruling in rulings:
            seq = len(self._log) + 1
            t_s = self._t_s if ruling.t is None else ruling.t
            line = PlayEvent.from_json({**ruling.to_json(), "seq": seq, "t": t_s})
            if _is_shown(line):
                line = self._with_stills(line)
            self._log.append(line)
            self._standing.add(_key(line))
            self._view = None

    def _with_stills(self, line: PlayEvent) -> PlayEvent:
        ring, store = self._parts.ring, self._parts.evidence
        if ring is None or store is None:
            return line
        if self._frame is not None:
            # The ring is thinned; the picture that the ruling was made on must be in it.
            ring.add(self._frame, always=True)
        causes = [self._log[seq - 1] for seq in line.extra["of"] if 1 <= seq <= len(self._log)]
        ranges = [cause.evidence for cause in causes if cause.evidence is not None]
        newest = ring.at_or_before(self._frame_index)
        before = ring.at_or_before(min(first for first, _ in ranges)) if ranges else newest
        after = ring.at_or_after(max(last for _, last in ranges)) if ranges else newest
        if before is None or after is None:
            return line
        at = next((cause.at for cause in causes if cause.at is not None), None)
        length_px = self._card_length_px(line.pile)
        crop_px = CROP_PX if length_px is None else CROP_CARDS * length_px
        stills = store.save(line.seq, before, after, at, crop_px)
        if stills is None:
            return line
        names = stills.to_json()
        if self._parts.make_clip is not None:
            # The clip is made once the moment after the play has been seen.
            names["clip"] = f"r{line.seq:05d}.mp4"
            self._clips_due.append((names["clip"], max((cause.t for cause in causes), default=line.t)))
        return replace(line, extra={**line.extra, "stills": names})

    def _make_clips(self, until_s: float) -> None:
        """Make the clips whose last moment has come by `until_s`."""
        make, ring = self._parts.make_clip, self._parts.ring
        if make is None or ring is None:
            return
        for name, play_s in [due for due in self._clips_due if due[1] + AFTER_S <= until_s]:
            make(name, ring.between(play_s - BEFORE_S, play_s + AFTER_S))
        self._clips_due = [due for due in self._clips_due if due[1] + AFTER_S > until_s]

    def _with_table_picture(self, event: PlayEvent) -> PlayEvent:
        """The call or the end of a round with a picture of the table, from which the tops can be counted."""
        ring, store = self._parts.ring, self._parts.evidence
        if ring is None or store is None or self._frame is None:
            return event
        ring.add(self._frame, always=True)
        kept = ring.at_or_before(self._frame_index)
        piles = {p.pile: p.quad for p in self._watcher.overlay().piles if p.zone is Zone.SHARED}
        name = None if kept is None else store.save_table(event.seq, kept, piles)
        return event if name is None else replace(event, extra={**event.extra, "still": name})

    def _card_length_px(self, pile: str | None) -> float | None:
        """Length of that pile's card in the picture, or of any card that is seen."""
        piles = self._watcher.overlay().piles
        quads = [p.quad for p in piles if p.pile == pile] or [p.quad for p in piles]
        if not quads:
            return None
        edges = np.linalg.norm(np.roll(quads[0], -1, axis=0) - quads[0], axis=1)
        return float(edges.max())

    def _refold(self) -> None:
        """Fold and judge the whole log again; rulings that the log lacks are appended."""
        events = list(effective_events(self._log))
        self._phase, self._phase_seq = fold_phase(self._log)
        self._state = TableState()
        self._judge = self._parts.make_judge()
        rulings: list[Ruling] = []
        for event in events:
            self._state = apply(self._state, event)
            rulings += self._judge.feed(event)
        if self._phase is not Phase.WAITING:
            rulings += self._judge.advance(self._t_s - self._rules.judge_lag_s)
        logged = {_key(line) for line in self._log if line.type is EventType.RULING}
        self._standing = {_ruling_key(ruling) for ruling in rulings}
        self._rule(ruling for ruling in rulings if _ruling_key(ruling) not in logged)

    def _since(self, length: int) -> tuple[PlayEvent, ...]:
        return tuple(self._log[length:])

    def view(self) -> RoundView:
        """The round as the pages show it; cheap when nothing was logged since the last call."""
        if self._view is None:
            self._view = self._fold_view()
        started = self._view.started_t_s
        clock_s = 0.0 if started is None else max(0.0, (self._view.stopped_t_s or self._t_s) - started)
        return replace(self._view, t_s=self._t_s, clock_s=clock_s)

    def _fold_view(self) -> RoundView:
        return replace(
            fold_round(self._log),
            phase=self._phase,
            phase_seq=self._phase_seq,
            piles=self._piles(),
            tops=self._tops(),
            pile_tops=self._pile_tops(),
            feed=tuple(line for line in self._log if not _is_own(line))[-self._rules.feed_lines :],
            flags=self._flags(),
        )

    def _piles(self) -> tuple[PileView, ...]:
        return tuple(PileView(pile.name, pile.top, pile.complete, pile.unread) for pile in self._state.piles)

    def _tops(self) -> tuple[Card, ...] | None:
        piles = (*self._state.piles, *self._state.taken)
        if any(pile.top is None for pile in piles):
            return None
        return (*self._state.tops(), *fold_notes(self._log).more_tops)

    def _pile_tops(self) -> tuple[TopView, ...]:
        """The tops to be counted, once there is something to count."""
        if self._phase in (Phase.WAITING, Phase.PLAYING, Phase.PAUSED):
            return ()
        plays: dict[str, list[PlayEvent]] = {}
        for event in effective_events(self._log):
            if event.type in PLAYS and event.zone is Zone.SHARED and event.pile is not None:
                plays.setdefault(event.pile, []).append(event)
        lying = [_top_view(pile, plays.get(pile.name, [])) for pile in self._state.piles]
        taken = [_top_view(pile, plays.get(pile.name, []), taken=True) for pile in self._state.taken]
        return (*lying, *taken)

    def _flags(self) -> tuple[FlagView, ...]:
        """Warnings and fouls in order; of a rule that spoke louder and louder of one play, the last word."""
        said = opinions(self._log)
        flags: dict[tuple[str, tuple[int, ...]], FlagView] = {}
        for line in self._log:
            if line.type is EventType.RULING and _is_shown(line):
                flag = self._flag(line, said)
                flags[flag.rule, flag.of] = flag
        return tuple(flags.values())

    def _flag(self, line: PlayEvent, said: Mapping[int, str]) -> FlagView:
        extra = line.extra
        plays = (self._log[seq - 1] for seq in reversed(extra["of"]) if 1 <= seq <= len(self._log))
        play = next((event for event in plays if event.type in PLAYS), None)
        return FlagView(
            seq=line.seq,
            of=tuple(extra["of"]),
            t_s=line.t,
            rule=extra["rule"],
            severity=str(extra["severity"]),
            p=float(extra["p"]),
            text=extra["text"],
            option=extra.get("option"),
            pile=line.pile,
            card=line.card,
            seat=line.seat,
            stills=extra.get("stills", {}),
            opinion=said.get(line.seq),
            stands=_key(line) in self._standing,
            play_seq=None if play is None else play.seq,
            reading=None if play is None else play.card,
            alternatives=() if play is None else _alternatives(play),
        )


def _top_view(pile: PileState, plays: Sequence[PlayEvent], *, taken: bool = False) -> TopView:
    """A pile's top with the plays that made it; a name may have been used again, so the top must fit."""
    wanted = None if pile.unread else pile.top
    last = next((i for i in range(len(plays) - 1, -1, -1) if plays[i].card == wanted), len(plays) - 1)
    first = next((i for i in range(last, -1, -1) if plays[i].type is EventType.STARTED), 0)
    made = plays[first : last + 1]
    others = _alternatives(made[-1]) if made else ()
    return TopView(pile.name, pile.top, tuple(play.seq for play in made), others, pile.unread, taken)


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


def _typed(values: dict[str, Any], kind: EventType) -> dict[str, Any]:
    return {**values, "type": kind}


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


def _alternatives(play: PlayEvent) -> tuple[Card, ...]:
    """What else a card may have been, likeliest first, as far as the eyes said."""
    return tuple(Card.from_json(other) for other in play.extra.get("alternatives", ()))


def _is_own(line: PlayEvent) -> bool:
    """Whether the line tells of a player's own piles, which would push the middle out of the feed."""
    return line.zone in (Zone.SIDE, Zone.WOOD)


def _is_shown(line: PlayEvent) -> bool:
    return str(line.extra.get("severity")) in SHOWN


def _key(line: PlayEvent) -> tuple[str, tuple[int, ...]]:
    return f"{line.extra['rule']}/{line.extra['severity']}", tuple(line.extra["of"])


def _ruling_key(ruling: Ruling) -> tuple[str, tuple[int, ...]]:
    return f"{ruling.rule}/{ruling.severity}", tuple(ruling.of)
