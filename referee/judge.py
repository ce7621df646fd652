"""The judge: events in, rulings out once their grace has passed. Time comes with the events."""

from __future__ import annotations

from collections.abc import Iterable

from referee.desk import TOURNAMENT, Desk, JudgeSettings, Pending, certainty
from referee.events import EventType, PlayEvent, Zone
from referee.fold import apply, effective_events
from referee.judge_calls import CallJudge
from referee.judge_own import OwnJudge
from referee.judge_shared import SharedJudge
from referee.rule_texts import Severity
from referee.rulesets import Ruleset
from referee.rulings import Ruling
from referee.state import Phase, TableState


class Judge:
    """Judges a log event by event.

    >>> from referee.cards import Card
    >>> from referee.rulesets import ruleset
    >>> judge = Judge(ruleset("dutch_blitz"))
    >>> for seq, (t, kind, card) in enumerate([(1, "started", "red1"), (3, "landed", "blue2")]):
    ...     rulings = judge.feed(PlayEvent(seq, t, EventType(kind), "d1", Card.parse(card)))
    >>> judge.finish()[0].text
    'Blue 2 was put on red 1: the colours differ (E11).'
    """

    def __init__(self, rules: Ruleset, settings: JudgeSettings | None = None) -> None:
        self._desk = Desk(rules, settings or JudgeSettings())
        self._calls = CallJudge(self._desk)
        self._shared = SharedJudge(self._desk, self._calls)
        self._own = OwnJudge(self._desk, self._calls)
        self._quiet: Pending | None = None
        self._lost: Pending | None = None
        self._lost_t = 0.0
        self._stopped: PlayEvent | None = None

    @property
    def state(self) -> TableState:
        """The table after the events so far."""
        return self._desk.state

    def feed(self, event: PlayEvent) -> list[Ruling]:
        """Take one event in; events come in the order of `t`. Returns the rulings that are ripe."""
        self._desk.advance(event.t)
        self._take(event)
        self._desk.state = apply(self._desk.state, event)
        return self._desk.collect()

    def advance(self, t: float) -> list[Ruling]:
        """Time has come to `t` (s) without an event."""
        self._desk.advance(t)
        return self._desk.collect()

    def finish(self) -> list[Ruling]:
        """The log is over: the rulings that still waited for a withdrawal."""
        self._desk.finish()
        return self._desk.collect()

    def _take(self, event: PlayEvent) -> None:
        match event.type:
            case EventType.ROUND_STARTED:
                self._shared.round_started(event)
                self._own.round_started(event)
                self._calls.round_started(event)
                if self._desk.settings.report_ordinary:
                    self._desk.rule([event], "E03", certainty(event), "the round has started")
            case EventType.CALLED:
                self._own.packets.interrupted()
                self._shared.called(event, self._calls.called(event))
            case EventType.RESUMED:
                self._own.packets.interrupted()
                self._calls.resumed()
            case EventType.GOAL_COUNT:
                self._calls.goal_count(event)
            case EventType.PAUSED:
                self._paused(event)
            case EventType.GAP:
                self._gap(event)
            case EventType.CAMERA_LOST | EventType.CAMERA_MOVED | EventType.CAMERA_BACK:
                self._camera(event)
            case (
                EventType.STARTED
                | EventType.LANDED
                | EventType.WITHDRAWN
                | EventType.COMPLETED
                | (EventType.TURNED | EventType.MOVED | EventType.REMOVED)
            ):
                if event.type in (EventType.STARTED, EventType.LANDED):
                    self._calls.arrives(event)
                elif event.zone is Zone.GOAL and event.type in (EventType.WITHDRAWN, EventType.REMOVED):
                    self._calls.leaves(event)
                elif event.zone is Zone.SHARED and event.type is EventType.WITHDRAWN:
                    self._goes_back(event)
                self._own.feed(event)
                if event.zone is Zone.SHARED:
                    self._shared.feed(event)
                if event.zone is not Zone.WOOD:
                    self._listen(event)

    def _paused(self, event: PlayEvent) -> None:
        if str(event.extra.get("reason", "")).lower().startswith("dutch"):
            self._desk.rule([event], "E62", certainty(event), "play was stopped to put a card back")
            self._stopped = None
        else:
            self._stopped = event

    def _goes_back(self, event: PlayEvent) -> None:
        """A stop whose reason nobody gave was for a wrong card, if a card goes back meanwhile."""
        if self._stopped is not None and self._desk.state.phase is Phase.PAUSED:
            text = "play was stopped and a card put back"
            self._desk.rule([self._stopped, event], "E62", certainty(event), text)
            self._stopped = None

    def _gap(self, event: PlayEvent) -> None:
        if event.zone is Zone.SHARED:
            self._shared.blind(event)
            self._own.packets.hidden(event)
        if event.pile is None or event.zone in (Zone.WOOD, Zone.GOAL):
            self._own.packets.blind(event.seat)
        if event.extra.get("reason") == "spill":
            self._desk.rule(
                [event], "E64", certainty(event), "cards were knocked over: pause and put them back"
            )

    def _camera(self, event: PlayEvent) -> None:
        desk = self._desk
        soon = self._lost is not None and self._lost.alive
        if self._lost is not None:
            self._lost.cancel()
        if event.type is EventType.CAMERA_BACK:
            self._shared.seen_again(event)
            if soon:
                text = f"the camera was away for {event.t - self._lost_t:.1f} s: nothing was judged meanwhile"
                desk.rule([event], "E71", certainty(event), text, cap=Severity.INFO)
            return
        self._shared.blind(event)
        self._own.packets.blind(None)
        if event.type is EventType.CAMERA_MOVED:
            desk.rule(
                [event],
                "E71",
                certainty(event),
                "the camera was moved: what happened meanwhile was not judged",
            )
            return

        def decide() -> None:
            desk.rule(
                [event],
                "E71",
                certainty(event),
                "the camera has been lost: nothing is judged until it is back",
            )

        self._lost, self._lost_t = desk.later(desk.settings.camera_lost_s, decide), event.t

    def _listen(self, event: PlayEvent) -> None:
        """Wait for the next play: a long silence is told once."""
        if self._quiet is not None:
            self._quiet.cancel()
        desk = self._desk
        quiet_s = desk.settings.quiet_s

        def decide() -> None:
            if not self._calls.in_play:
                return
            quiet = f"nobody has played for {quiet_s:g} s"
            if self._calls.called_at_all:
                desk.rule([event], "E67", desk.settings.info_p, f"{quiet}: is everybody stuck?")
            else:
                desk.rule([event], "E65", desk.settings.info_p, quiet)

        self._quiet = desk.later(quiet_s, decide, needs_time=True)


def judge_log(
    events: Iterable[PlayEvent], rules: Ruleset, settings: JudgeSettings | None = None
) -> list[Ruling]:
    """Judge a whole log, corrections included, without looking at a pixel.

    Raises:
        CorrectionError: if a correction cannot be applied.
    """
    judge = Judge(rules, settings)
    rulings: list[Ruling] = []
    for event in effective_events(events):
        rulings += judge.feed(event)
    return rulings + judge.finish()


__all__ = ["TOURNAMENT", "Judge", "JudgeSettings", "judge_log"]
