"""What a heard call is worth: a claim that the eyes confirm, or that is put to the table as a question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hearing.listener import Heard
from referee.events import EventType, PlayEvent, Zone

VOICE = "voice"
"""Who made a call that was only heard: nobody by name."""
CONFIRM_S = 3.0
"""The eyes tell of an emptied goal pile a little late; so long a heard call waits for them."""
LONGEST_WAIT_S = 6.0
"""While the word is said again and again, the first of them waits no longer than this."""
UNSURE_P = 0.55
"""A heard call that no empty goal pile confirms is not surer than this: too little for any ruling."""
IN_MOTION_S = 1.0
"""Cards that come to rest within this time of a call were on their way."""
PLAYS_ON = {True: 3, False: 2}
"""So many plays after a heard call say that play goes on; more are wanted if a goal pile confirmed it."""
_STANDS = (EventType.CALLED, EventType.PAUSED, EventType.RESUMED, EventType.ROUND_ENDED)
_PLAYS = (EventType.STARTED, EventType.LANDED)


@dataclass
class HeardCalls:
    """Weighs a heard call by what is seen. It alone never ends a round.

    A heard call waits until a goal pile is seen empty; then it is a call like any other. If none is, it is
    logged as one that is in doubt, which the table is asked about.
    """

    waiting: list[Heard] = field(default_factory=list)

    def heard(self, word: Heard) -> None:
        """A call was heard. The first counts, but one that the eyes confirm before one in doubt."""
        self.waiting.append(word)

    def settled(self, t_s: float, events: Sequence[PlayEvent], *, in_doubt: bool = False) -> PlayEvent | None:
        """The call to log, once it is confirmed or has waited long enough at `t_s`; `events` of the round.

        `in_doubt`: a heard call that nothing confirms stands already; only a confirmed one comes after it.
        """
        for word in self.waiting:
            empty = emptied(events, word.onset_s + IN_MOTION_S)
            if empty:
                self.waiting.clear()
                return said(word, EventType.CALLED, word.p, empty[0] if len(empty) == 1 else None)
        if not self.waiting:
            return None
        first, last = self.waiting[0], self.waiting[-1]
        if t_s - last.onset_s < CONFIRM_S and t_s - first.onset_s < LONGEST_WAIT_S:
            return None
        self.waiting.clear()
        return None if in_doubt else said(first, EventType.CALLED, min(first.p, UNSURE_P))


def emptied(events: Iterable[PlayEvent], by_s: float) -> list[str]:
    """The seats whose goal pile was seen empty and had become so by `by_s`."""
    last = {e.seat: e for e in events if e.type is EventType.GOAL_COUNT and e.seat is not None}
    return [seat for seat, event in last.items() if seat and event.goal_left == 0 and event.t <= by_s]


def said(
    word: Heard, kind: EventType, p: float, seat: str | None = None, reason: str | None = None
) -> PlayEvent:
    """The log line of a heard word."""
    extra = {"by": VOICE, "word": word.word} | ({} if reason is None else {"reason": reason})
    t = round(max(0.0, word.onset_s), 3)
    return PlayEvent(0, t, kind, seat=seat, confidence=round(p, 4), source="audio", extra=extra)


def only_heard(event: PlayEvent) -> bool:
    """Whether nobody but the microphone speaks for this call or stop."""
    return event.extra.get("by") == VOICE


def is_confirmed(call: PlayEvent, events: Iterable[PlayEvent]) -> bool:
    """Whether a call may end the round: a heard one only where a goal pile was seen empty."""
    if not only_heard(call):
        return True
    return any(call.seat in (None, seat) for seat in emptied(events, call.t + IN_MOTION_S))


def play_goes_on(events: Sequence[PlayEvent], play: PlayEvent) -> bool:
    """Whether so much was played after the heard call or stop that stands that nobody meant it.

    `play` is the next event, not among `events` yet.
    """
    at = next((i for i in range(len(events) - 1, -1, -1) if events[i].type in _STANDS), None)
    if at is None or events[at].type is EventType.RESUMED or not only_heard(events[at]):
        return False
    stop = events[at]
    later = [
        event
        for event in (*events[at + 1 :], play)
        if event.type in _PLAYS and event.zone is Zone.SHARED and event.t > stop.t + IN_MOTION_S
    ]
    sure = stop.type is EventType.CALLED and is_confirmed(stop, events)
    return play in later and len(later) >= PLAYS_ON[sure]
