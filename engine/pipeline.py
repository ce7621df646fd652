"""The deterministic core of a table: frames and commands in, numbered log lines out. No thread, no clock.

Every time in here is the frame's clock. The log is the truth: the state, the rulings and the counts shown are
a fold over it, so a correction appends and refolds, and a restart reopens and refolds.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine.hub import Phase, PlayerView, RoundView
from engine.lines_from_commands import event_for
from engine.listening import HeardCalls, is_confirmed, play_goes_on, said
from engine.overlay import Overlay
from engine.pipeline_parts import PipelineParts, PipelineRules
from engine.record import Checkpoint
from engine.round_fold import PHASE_AFTER, PLAYS, STOPS, fold_phase, standing_call
from engine.round_pictures import RoundPictures, card_length_px
from engine.round_view import view_round
from engine.ruling_lines import RulingKey, is_shown, line_key, ruling_key
from engine.table_command import Command, CommandKind
from hearing.listener import Heard
from hearing.spotter import Role
from referee.events import EventType, PlayEvent, Zone
from referee.fold import apply, effective_events, standing_corrections
from referee.rulings import Ruling
from referee.state import TableState
from vision.types import Frame


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
        self._watcher = parts.make_watcher()
        if checkpoint is not None:
            self._watcher.restore(json.loads(checkpoint.state))
            self._frame_index = checkpoint.frame_index
            self._t_s = max(self._t_s, checkpoint.t_s)
        self._state = TableState()
        self._judge = parts.make_judge()
        self._standing: set[RulingKey] = set()
        self._pictures = RoundPictures(parts.ring, parts.evidence, parts.make_clip)
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
        self._t_s, self._frame_index = frame.t_s, frame.index
        self._pictures.add(frame)
        for event in self._watcher.process(frame):
            self._take(event)
        self._listen(came_at_s)
        self._pass_time()
        self._pictures.make_clips(self._t_s)
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
        self._pictures.make_clips(math.inf)
        return self._since(before)

    def command(self, command: Command) -> tuple[PlayEvent, ...]:
        """Carry out a command; one whose id is known changes nothing.

        Raises:
            CommandError: if it makes no sense now.
        """
        if command.id in self._commands:
            return ()
        before = len(self._log)
        event = event_for(command, self._phase, self._log, self._t_s)
        if command.kind is CommandKind.START:
            event = replace(event, extra={**event.extra, **self._who_plays()})
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
        called = standing_call(events)
        return called is not None and not is_confirmed(called, events)

    def _who_plays(self) -> dict[str, Any]:
        """What the judge is told of the players when the round starts."""
        players = [{"name": p.name, "seat": p.seat, "deck": p.deck} for p in self._parts.players]
        known: dict[str, Any] = {"players": players} if players else {}
        length_px = card_length_px(self._watcher.overlay())
        return known if length_px is None else {**known, "card_length_px": round(length_px, 1)}

    def _pass_time(self) -> None:
        if self._phase in (Phase.WAITING, Phase.CONFIRMED):
            return
        self._rule(self._judge.advance(self._t_s - self._rules.judge_lag_s))
        settle_s = self._rules.call_settle_s
        if self._phase is not Phase.CALLED or settle_s is None:
            return
        called = standing_call(effective_events(self._log))
        if called is not None:
            refused = any(
                line.type is EventType.RULING and called.seq in line.extra.get("of", ()) and is_shown(line)
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
            event = self._pictures.with_table(event, self._watcher.overlay())
        # An event that cannot be folded or judged must not stay in the log, where it would fail for ever.
        state = apply(self._state, event)
        rulings = self._judge.feed(event)
        self._log.append(event)
        after = PHASE_AFTER.get(event.type, self._phase)
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
            if is_shown(line):
                line = self._pictures.with_stills(line, self._log, self._watcher.overlay())
            self._log.append(line)
            self._standing.add(line_key(line))
            self._view = None

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
        logged = {line_key(line) for line in self._log if line.type is EventType.RULING}
        self._standing = {ruling_key(ruling) for ruling in rulings}
        self._rule(ruling for ruling in rulings if ruling_key(ruling) not in logged)

    def _since(self, length: int) -> tuple[PlayEvent, ...]:
        return tuple(self._log[length:])

    def view(self) -> RoundView:
        """The round as the pages show it; cheap when nothing was logged since the last call."""
        if self._view is None:
            self._view = view_round(
                self._log,
                self._state,
                (self._phase, self._phase_seq),
                self._standing,
                self._rules.feed_lines,
            )
        started = self._view.started_t_s
        clock_s = 0.0 if started is None else max(0.0, (self._view.stopped_t_s or self._t_s) - started)
        return replace(self._view, t_s=self._t_s, clock_s=clock_s)
