"""The judge's desk: thresholds, waiting decisions, and the grading of a ruling by how sure it is."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.cards import Card
from referee.events import PlayEvent
from referee.rule_texts import RULES, Severity
from referee.rulesets import Ruleset
from referee.rulings import Ruling
from referee.state import TableState


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Thresholds of RULES.md 2.2 and 2.4; probabilities 0..1, spans in seconds, lengths in pixels."""

    foul_p: float = 0.98
    warning_p: float = 0.85
    info_p: float = 0.6
    reading_p: float = 0.99
    """A FOUL needs both cards read at least this surely."""
    seat_p: float = 0.85
    """A rule about one player needs the hand known at least this surely."""
    self_correction_s: float = 1.0
    lost_race_s: float = 2.0
    together_s: float = 0.1
    two_hands_s: float = 0.5
    covered_s: float = 1.5
    """A hand may lie over a pile, or hold a card over it, for this long."""
    near_card_lengths: float = 1.3
    card_length_px: float | None = None
    """Length of a card in the picture; None takes it from `round_started`, else from the piles' spacing."""
    call_check_s: float = 1.0
    missed_call_s: float = 3.0
    calls_together_s: float = 0.15
    after_call_warning_s: float = 0.25
    after_call_foul_s: float = 0.5
    refill_s: float = 3.0
    collect_s: float = 5.0
    collect_piles: int = 3
    """This many piles that leave within `collect_s` after the call are the collecting for the count."""
    camera_lost_s: float = 5.0
    gap_memory_s: float = 10.0
    """For this long after a gap over the whole table a pile that is seen first may have begun in the gap."""
    quiet_s: float = 90.0
    stall_s: float = 10.0
    """Players who are stuck together move their wood cards beneath their hands within this time."""
    unseen_factor: float = 0.5
    """What is left of the probability of a skipped or doubled number when the pile was not watched, or of a
    wrong start beside a pile: below `info_p`, since the missed or off-centre landing is far more common."""
    between_cards_s: float = 0.15
    """Several players' cards come to one pile this far apart at least; two within 0.3 s are common."""
    caps: tuple[tuple[str, Severity], ...] = ()
    """Lower caps than those of the rule table, as a club may set them."""
    report_ordinary: bool = False
    """Whether landings, completed piles and the start are reported as well."""


TOURNAMENT = JudgeSettings(foul_p=0.95, reading_p=0.97)
"""Lower bar for a FOUL: only for tables at which a human referee is told, not the players."""


@dataclass(eq=False)
class Pending:
    """A decision that waits for its grace to pass."""

    deadline: float
    decide: Callable[[], None]
    needs_time: bool = False
    """True if the decision rests on time having passed: it is dropped where the log ends before."""
    alive: bool = True

    def cancel(self) -> None:
        """Take the decision back."""
        self.alive = False


class Desk:
    """What the parts of the judge share: rules, thresholds, state, waiting decisions, outgoing rulings."""

    def __init__(self, rules: Ruleset, settings: JudgeSettings) -> None:
        self.rules = rules
        self.settings = settings
        self.state = TableState()
        self.now = 0.0
        self._caps = dict(settings.caps)
        self._waiting: list[tuple[float, int, Pending]] = []
        self._order = 0
        self._out: list[Ruling] = []

    def later(self, delay_s: float, decide: Callable[[], None], needs_time: bool = False) -> Pending:
        """Decide when `delay_s` has passed from now on: a play that was read late gets its whole grace."""
        self._order += 1
        deadline = self.now + delay_s
        pending = Pending(deadline, decide, needs_time)
        heapq.heappush(self._waiting, (deadline, self._order, pending))
        return pending

    def advance(self, t: float) -> None:
        """Let time come to `t`: decisions whose grace ended before are made."""
        while self._waiting and self._waiting[0][0] < t:
            _, _, pending = heapq.heappop(self._waiting)
            self.now = max(self.now, pending.deadline)
            if pending.alive:
                pending.alive = False
                pending.decide()
        self.now = max(self.now, t)

    def finish(self) -> None:
        """The log is over: nothing will be withdrawn any more."""
        while self._waiting:
            _, _, pending = heapq.heappop(self._waiting)
            if pending.alive and not pending.needs_time:
                pending.alive = False
                pending.decide()

    def collect(self) -> list[Ruling]:
        """The rulings made since the last call."""
        out, self._out = self._out, []
        return out

    def level(self, rule: str, p: float, sure: bool = True, cap: Severity | None = None) -> Severity | None:
        """The severity for a rule at probability `p`; `sure`: both cards read well and the pile watched."""
        settings = self.settings
        if p >= settings.foul_p and sure:
            level = Severity.FOUL
        elif p >= settings.warning_p:
            level = Severity.WARNING
        elif p >= settings.info_p:
            level = Severity.INFO
        else:
            return None
        caps = [RULES[rule].cap, self._caps.get(rule, Severity.FOUL), cap or Severity.FOUL]
        return min([level, *caps], key=lambda severity: severity.rank)

    def sureness(self, *events: PlayEvent) -> float:
        """How surely all of the events were seen, and that nothing else happened there meanwhile."""
        p = min(certainty(event) for event in events)
        return p if all(watched(event) for event in events) else p * self.settings.unseen_factor

    def rule(
        self,
        events: Sequence[PlayEvent],
        rule: str,
        p: float,
        text: str,
        *,
        sure: bool = True,
        cap: Severity | None = None,
        option: str | None = None,
        card: Card | None = None,
        seat: str | None = None,
    ) -> Ruling | None:
        """Issue a ruling about `events` (the last one is the play in question) if `p` reaches a level."""
        level = self.level(rule, p, sure, cap)
        if level is None:
            return None
        event = events[-1]
        ruling = Ruling(
            of=tuple(item.seq for item in events),
            rule=rule,
            severity=level,
            p=p,
            text=f"{text[0].upper()}{text[1:]} ({rule}).",
            option=option,
            t=event.t,
            pile=event.pile,
            card=card if card is not None else event.card,
            seat=seat if seat is not None else event.seat,
        )
        self._out.append(ruling)
        return ruling


def certainty(event: PlayEvent) -> float:
    """How surely the event was seen; a log without the key is taken as certain."""
    return 1.0 if event.confidence is None else event.confidence


def number_in(event: PlayEvent, key: str) -> float | None:
    """A further key of the event if it holds a number; anything else is as good as absent."""
    value = event.extra.get(key)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def list_in(event: PlayEvent, key: str) -> list[Any]:
    """A further key of the event if it holds a list; anything else is as good as empty."""
    value = event.extra.get(key)
    return list(value) if isinstance(value, list | tuple) else []


def watched(event: PlayEvent) -> bool:
    """Whether the place was continuously visible up to the event; a log without the key is taken so."""
    return str(event.extra.get("seen", "continuous")) == "continuous"


def readings(event: PlayEvent) -> list[tuple[Card, float]]:
    """The card of an event and its runners-up with their probabilities; what is missing to 1 is unknown."""
    if event.card is None:
        return []
    first = certainty(event)
    rest: list[tuple[Card, float]] = []
    for item in list_in(event, "alternatives"):
        try:
            rest.append((Card.from_json(item), float(item["p"])))
        except (ValueError, KeyError, TypeError):
            continue
    rest = [(card, p) for card, p in rest if card != event.card and p > 0]
    total = sum(p for _, p in rest)
    scale = min(1.0, (1.0 - first) / total) if total > 0 else 1.0
    return [(event.card, first), *((card, p * scale) for card, p in rest)]
