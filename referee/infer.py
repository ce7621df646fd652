"""Plays from what was seen: settled pile tops in, log events out.

What was read is logged as it was read, legal or not, and what was not read is unknown: the rules never choose
a reading. Only where a card is known to have come unseen or unread does the card above it tell which one it
was, and the log says that it was told so (`inferred`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.legality import check_shared, is_complete, missed_between
from referee.rulesets import Ruleset
from referee.schemes import scheme_of

SOURCE = "vision"

READ_AGAIN_P = 0.999
"""A later reading must be surer than this to correct the one that was told."""
INFERRED_CONFIDENCE = 0.8
"""A card that only the one above it tells is never held for surer than this: no warning rests on it."""


@dataclass(frozen=True, slots=True)
class PileSeen:
    """A pile's settled top at one moment.

    `t` s: when the top came to rest. `card`: None if it could not be read. `alternatives`: runners-up with
    their probabilities. `at`: image pixels (x, y). `seat`/`seat_p`: whose hand brought it. `evidence`: frame
    indices (before, after). `seen`: continuously visible since the last good state. `arrived`: whether a card
    was brought (True) or taken away (False), where that was seen; None where only the tops tell. `missed_t`:
    when a hand lay over the pile that may have brought another card unseen, before or after `t`. `again`:
    this card was told before and has lain there since; only its reading is new. `hidden_s`: how long the
    card beneath was out of sight when this one came, where that is known; `bare_t`: when the place was last
    seen to be bare.
    """

    pile: str
    t: float
    card: Card | None
    confidence: float = 1.0
    alternatives: tuple[tuple[Card, float], ...] = ()
    at: tuple[float, float] | None = None
    seat: str | None = None
    seat_p: float | None = None
    evidence: tuple[int, int] | None = None
    seen: bool = True
    zone: Zone = Zone.SHARED
    arrived: bool | None = None
    missed_t: float | None = None
    again: bool = False
    hidden_s: float | None = None
    bare_t: float | None = None


@dataclass(frozen=True, slots=True)
class PileGone:
    """A pile is no longer there although its place can be seen."""

    pile: str
    t: float
    zone: Zone = Zone.SHARED
    seat: str | None = None
    evidence: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class _SameTop:
    pile: str
    t: float
    at: tuple[float, float]
    zone: Zone = Zone.SHARED
    seat: str | None = None
    evidence: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class PileMoved(_SameTop):
    """A pile lies somewhere else with the same top."""


@dataclass(frozen=True, slots=True)
class PileTurned:
    """A back shows on top of a pile; `back` names the deck if it was read."""

    pile: str
    t: float
    back: str | None = None
    at: tuple[float, float] | None = None
    zone: Zone = Zone.SHARED
    seat: str | None = None
    evidence: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class PileKnown(_SameTop):
    """The top of a pile, over which something may have happened unseen, is still the card told last."""


Signal = PileSeen | PileGone | PileMoved | PileTurned | PileKnown


@dataclass
class _Known:
    """What was seen of one pile: cards in order with the time at which each came to rest.

    `unread`: the top could not be read.
    """

    cards: list[tuple[Card, float]] = field(default_factory=list)
    unread: PileSeen | None = None
    turned: bool = False

    @property
    def faces(self) -> list[Card]:
        return [card for card, _ in self.cards]


class Inference:
    """Turns settled tops into events, pile by pile.

    >>> from referee.rulesets import ruleset
    >>> plays = Inference(ruleset("dutch_blitz"))
    >>> sights = [PileSeen("d1", 1.0, Card.parse("red1")), PileSeen("d1", 2.0, Card.parse("red2"))]
    >>> [str(event.type) for sight in sights for event in plays.see(sight)]
    ['started', 'landed']
    """

    def __init__(self, rules: Ruleset, withdrawal_s: float = 2.0) -> None:
        """`withdrawal_s`: how long after a landing the earlier card back on top means a card taken back,
        in games in which a pile may come back to a number by play."""
        self._rules = rules
        self._withdrawal_s = withdrawal_s
        self._piles: dict[tuple[Zone, str | None, str], _Known] = {}

    def see(self, item: Signal) -> list[PlayEvent]:
        """The events that this sight amounts to; `seq` is 0 until the log numbers them."""
        seat = item.seat if item.zone is not Zone.SHARED else None
        key = (item.zone, seat, item.pile)
        if isinstance(item, PileSeen):
            return self._top(item, key)
        known = self._piles.get(key)
        if known is None:
            return []
        if isinstance(item, PileGone):
            del self._piles[key]
            return [self._event(item, EventType.REMOVED, self._last(known))]
        if isinstance(item, PileMoved):
            return [self._event(item, EventType.MOVED, self._last(known), at=item.at)]
        if isinstance(item, PileKnown):
            if known.unread is not None or not known.cards:
                return []
            return [self._event(item, EventType.GAP, self._last(known), at=item.at, extra={"ended": True})]
        if known.turned:
            return []
        known.turned = True
        extra = {} if item.back is None else {"back": item.back}
        return [self._event(item, EventType.TURNED, self._last(known), at=item.at, extra=extra)]

    def _top(self, item: PileSeen, key: tuple[Zone, str | None, str]) -> list[PlayEvent]:
        first = key not in self._piles
        known = self._piles.setdefault(key, _Known())
        if item.again and known.cards and known.unread is None:
            return self._read_again(item, known)
        if item.card is None:
            told, known.unread = known.unread is not None, known.unread or item
            return [] if told else [self._event(item, EventType.GAP, None, at=item.at)]
        unread, known.unread = known.unread, None
        known.turned = False
        second = item.arrived is False and known.faces[-2:] == [item.card, item.card]
        if known.cards and item.card == known.faces[-1] and item.arrived is not True and not second:
            over = {"ended": True}
            return [self._event(item, EventType.GAP, item.card, at=item.at, extra=over)] if unread else []
        if known.cards:
            taken_back = self._taken_back(item, known)
            if taken_back:
                return taken_back
        hidden = unread is not None and (bool(known.cards) or not first)
        if unread and self._is_play(item) and check_shared(known.faces, item.card, self._rules).ok:
            # Had another card come first, this one would not be the next: it is the one that was not read.
            item = replace(unread, card=item.card, confidence=item.confidence, alternatives=item.alternatives)
        beneath = self._beneath(item, known, None if item.again else unread)
        if beneath is None:
            return self._lands(item, known, hidden=hidden)
        if beneath.t > item.t:
            # The hand that was seen first brought the card beneath.
            beneath, item = (
                replace(item, card=beneath.card),
                replace(item, t=beneath.t, seat=None, seat_p=None),
            )
        beneath = replace(beneath, confidence=INFERRED_CONFIDENCE, alternatives=(), seen=False)
        return [
            *self._lands(beneath, known, hidden=True, inferred=True),
            *self._lands(item, known, hidden=unread is None),
        ]

    def _lands(self, item: PileSeen, known: _Known, *, hidden: bool, **more: Any) -> list[PlayEvent]:
        assert item.card is not None
        kind = EventType.LANDED if known.cards else EventType.STARTED
        known.cards.append((item.card, item.t))
        extra: dict[str, Any] = {"seen": "continuous" if item.seen and not hidden else "occluded", **more}
        if item.hidden_s is not None and not item.seen and not hidden:
            extra["hidden_s"] = item.hidden_s
        if item.bare_t is not None and kind is EventType.STARTED:
            extra["bare_t"] = item.bare_t
        if item.alternatives:
            extra["alternatives"] = _runners_up(item)
        events = [
            self._event(
                item, kind, item.card, at=item.at, confidence=item.confidence, seat_p=item.seat_p, extra=extra
            )
        ]
        if item.zone is Zone.SHARED and is_complete(known.faces, self._rules):
            events.append(self._event(item, EventType.COMPLETED, item.card, at=item.at))
        return events

    def _is_play(self, item: PileSeen) -> bool:
        """Whether the sight is a card of this game that may have been put on a shared pile."""
        shared = item.zone is Zone.SHARED and item.arrived is not False
        return shared and item.card is not None and item.card.family is self._rules.family

    def _beneath(self, item: PileSeen, known: _Known, unread: PileSeen | None) -> PileSeen | None:
        """The card beneath that of `item`, where one came unread or unseen and only one fits."""
        if item.card is None or not self._is_play(item):
            return None
        card = missed_between(known.faces, item.card, self._rules)
        if card is None:
            return None
        if unread is not None:
            return replace(unread, card=card)
        if item.missed_t is None or item.seen:
            return None
        return replace(item, card=card, t=item.missed_t, seat=None, seat_p=None)

    def _read_again(self, item: PileSeen, known: _Known) -> list[PlayEvent]:
        """A card that lies there since it was told, read otherwise by now: a correction, if it is clear.

        Which line of the log it corrects is for the keeper of the log to name: the last play on the pile.
        """
        card = item.card
        if card is None or card == known.faces[-1] or item.confidence < READ_AGAIN_P:
            return []
        known.cards[-1] = (card, known.cards[-1][1])
        given = {"card": card.to_json(), "confidence": item.confidence, "alternatives": _runners_up(item)}
        extra = {"action": "replace", "event": given}
        return [self._event(item, EventType.CORRECTION, None, extra=extra)]

    def _taken_back(self, item: PileSeen, known: _Known) -> list[PlayEvent]:
        """The cards above an earlier card that shows again, as withdrawals, topmost first."""
        if item.arrived is True:
            return []
        faces = known.faces
        below = next((i for i in range(len(faces) - 2, -1, -1) if faces[i] == item.card), None)
        if below is None:
            return []
        late = item.t - known.cards[below + 1][1] > self._withdrawal_s
        if item.arrived is None and late and scheme_of(self._rules).reverses:
            return []
        events = []
        while len(known.cards) > below + 1:
            card, _ = known.cards.pop()
            extra = {"seen": "continuous" if item.seen else "occluded"}
            events.append(
                self._event(
                    item, EventType.WITHDRAWN, card, at=item.at, confidence=item.confidence, extra=extra
                )
            )
        return events

    @staticmethod
    def _last(known: _Known) -> Card | None:
        return known.cards[-1][0] if known.cards else None

    @staticmethod
    def _event(item: Signal, kind: EventType, card: Card | None, **more: Any) -> PlayEvent:
        return PlayEvent(
            seq=0,
            t=item.t,
            type=kind,
            pile=item.pile,
            card=card,
            zone=item.zone,
            seat=item.seat,
            source=SOURCE,
            evidence=item.evidence,
            **more,
        )


def _runners_up(item: PileSeen) -> list[dict[str, Any]]:
    return [card.to_json() | {"p": round(p, 4)} for card, p in item.alternatives]
