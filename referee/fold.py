"""The fold over the log: the table after each event, and which events stand after corrections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.log_values import LogError, read_whole
from referee.state import Phase, PileState, SeatState, TableState

UNSEEN_PILE = "?"
"""The name of a pile that an event leaves out."""


def apply(state: TableState, event: PlayEvent) -> TableState:
    """The state after one event. Never refuses: an illegal play is put where it was seen."""
    match event.type:
        case EventType.ROUND_STARTED:
            fresh = TableState() if state.phase in (Phase.ENDED, Phase.CALLED) else state
            return replace(fresh, phase=Phase.LIVE)
        case EventType.PAUSED:
            return replace(state, phase=Phase.PAUSED)
        case EventType.RESUMED:
            return replace(state, phase=Phase.LIVE, called_by=(), whistle_t=None)
        case EventType.ROUND_ENDED:
            return replace(state, phase=Phase.ENDED)
        case EventType.CALLED:
            return _called(state, event)
        case EventType.GOAL_COUNT:
            if event.seat is None or event.goal_left is None:
                return state
            return state.with_seat(replace(state.seat(event.seat), goal=event.goal_left))
        case EventType.GAP | EventType.CAMERA_LOST | EventType.CAMERA_MOVED:
            return _gap(state, event)
    if event.type in _PLAYS:
        if event.type in _ARRIVALS:
            state = _left(state, event)
        if event.zone is Zone.SHARED:
            return _shared(state, event)
        return _own(state, event)
    return state


_ARRIVALS = frozenset({EventType.STARTED, EventType.LANDED})


_PLAYS = frozenset(
    {
        EventType.STARTED,
        EventType.LANDED,
        EventType.WITHDRAWN,
        EventType.COMPLETED,
        EventType.TURNED,
        EventType.MOVED,
        EventType.REMOVED,
    }
)


def _left(state: TableState, event: PlayEvent) -> TableState:
    """The card that was played from wood or goal pile lies there no more: what was under it is not known."""
    zone, _ = event.came_from
    if event.seat is None or event.card is None or zone not in (Zone.WOOD, Zone.GOAL):
        return state
    seat = state.seat(event.seat)
    if event.card != (seat.wood if zone == Zone.WOOD else seat.goal_top):
        return state
    return state.with_seat(_uncovered(seat, Zone(zone), None))


def _uncovered(seat: SeatState, zone: Zone, top: Card | None) -> SeatState:
    """The seat with this top of its wood or goal pile; None if it is not known."""
    if zone is Zone.WOOD:
        return SeatState(seat.name, seat.goal, seat.goal_top, top, seat.sides)
    return SeatState(seat.name, seat.goal, top, seat.wood, seat.sides)


def _called(state: TableState, event: PlayEvent) -> TableState:
    return replace(
        state,
        phase=Phase.CALLED if state.phase is not Phase.ENDED else Phase.ENDED,
        called_by=state.called_by if event.seat is None else (*state.called_by, event.seat),
        whistle_t=event.t if state.whistle_t is None else state.whistle_t,
    )


def _gap(state: TableState, event: PlayEvent) -> TableState:
    unread = event.extra.get("ended") is not True
    if event.zone is Zone.SIDE and event.seat is not None and event.pile is not None:
        side = state.side_pile(event.seat, event.pile)
        return state if side is None else state.with_side(event.seat, replace(side, unread=unread))
    if event.zone is not Zone.SHARED:
        own = event.seat is not None and event.zone in (Zone.WOOD, Zone.GOAL) and unread
        return state.with_seat(_uncovered(state.seat(str(event.seat)), event.zone, None)) if own else state
    if event.pile is None:
        return replace(state, piles=tuple(replace(pile, unread=unread) for pile in state.piles))
    pile = state.pile(event.pile) or PileState(event.pile, at=event.at)
    return state.with_pile(replace(pile, unread=unread))


def _changed(pile: PileState | None, name: str, event: PlayEvent) -> PileState | None:
    """The pile after the event; None if it is gone."""
    at = event.at if event.at is not None else (pile.at if pile else None)
    if event.type is EventType.STARTED or pile is None:
        pile = PileState(name)
        if event.type in (EventType.WITHDRAWN, EventType.REMOVED):
            return None
    if pile.at != at:
        pile = replace(pile, at=at)
    match event.type:
        case EventType.STARTED | EventType.LANDED:
            return pile.put(event.card)
        case EventType.WITHDRAWN:
            left = pile.take(event.card)
            return left if left.cards or left.unread else None
        case EventType.COMPLETED:
            return replace(pile, complete=True)
        case EventType.TURNED:
            return replace(pile, turned=True)
        case EventType.MOVED:
            return replace(pile, aside=pile.aside or pile.complete)
    return None


def returning_pile(state: TableState, event: PlayEvent) -> PileState | None:
    """The incomplete pile that left the middle earlier and now comes back: the same card on top elsewhere."""
    if event.type is not EventType.STARTED or event.zone is not Zone.SHARED or event.card is None:
        return None
    return next(
        (pile for pile in reversed(state.taken) if pile.top == event.card and not pile.complete), None
    )


def moved_pile(state: TableState, gone: PileState) -> PileState | None:
    """The pile under whose name a bumped pile was already seen again before its old place was found empty: a
    single card equal to its top. A pile of one card says nothing: another deck may have started that one."""
    if len(gone.cards) < 2:
        return None
    same = (pile for pile in state.piles if pile.name != gone.name and pile.cards == gone.cards[-1:])
    return next(same, None)


def _shared(state: TableState, event: PlayEvent) -> TableState:
    name = event.pile or UNSEEN_PILE
    before = state.pile(name)
    if state.phase is Phase.SETUP and event.type in _ARRIVALS:
        state = replace(state, phase=Phase.LIVE)
    returning = returning_pile(state, event)
    if returning is not None:
        back = replace(returning, name=name, at=event.at or returning.at, unread=False)
        taken = list(state.taken)
        taken.remove(returning)
        return replace(state, taken=tuple(taken)).with_pile(back)
    if event.type is EventType.STARTED and before is not None and before.cards:
        state = replace(state, taken=(*state.taken, before))
    if event.type is EventType.REMOVED and before is not None:
        moved = moved_pile(state, before)
        if moved is None:
            state = replace(state, taken=(*state.taken, before))
        else:
            state = state.with_pile(replace(moved, cards=before.cards))
    after = _changed(before, name, event)
    if after is None:
        return replace(state, piles=tuple(pile for pile in state.piles if pile.name != name))
    return state.with_pile(after)


def _own(state: TableState, event: PlayEvent) -> TableState:
    if event.seat is None:
        return state
    seat = state.seat(event.seat)
    if event.zone in (Zone.WOOD, Zone.GOAL):
        stays = event.type is EventType.MOVED and "to" not in event.extra
        if stays or event.type is EventType.COMPLETED:
            return state
        return state.with_seat(_uncovered(seat, event.zone, event.card if event.type in _ARRIVALS else None))
    name = event.pile or UNSEEN_PILE
    before = state.side_pile(event.seat, name)
    if event.type is EventType.MOVED and before is not None and isinstance(event.extra.get("to"), str):
        return state.with_seat(_regrouped(seat, before, event))
    if event.type is EventType.LANDED and before is not None and event.card in before.cards:
        return state  # It came with its group; a deck has no second one.
    after = _changed(before, name, event)
    if after is not None:
        return state.with_side(event.seat, after)
    return state.with_seat(replace(seat, sides=tuple(pile for pile in seat.sides if pile.name != name)))


def moved_group(pile: PileState, event: PlayEvent) -> tuple[Card, ...]:
    """The cards of a side pile that move to another one, bottom first: all, or those from the named card on.
    Empty where its top is named, which may stand for the pile or for itself."""
    if event.card is None or event.card not in pile.cards or len(pile.cards) == 1:
        return pile.cards
    if event.card == pile.top:
        return ()
    return pile.cards[pile.cards.index(event.card) :]


def _regrouped(seat: SeatState, pile: PileState, event: PlayEvent) -> SeatState:
    """The seat after cards went from one side pile to another; unless it is known which, neither top is."""
    name, cards = str(event.extra["to"]), moved_group(pile, event)
    if name == pile.name:
        return seat
    target = next((side for side in seat.sides if side.name == name), PileState(name))
    left = pile.cards[: len(pile.cards) - len(cards)]
    unknown = not cards
    changed = {
        pile.name: replace(pile, cards=left, unread=pile.unread or unknown),
        name: replace(target, cards=(*target.cards, *cards), unread=target.unread or pile.unread or unknown),
    }
    sides = [changed.get(side.name, side) for side in seat.sides if side.name != name]
    sides = [side for side in sides if side.cards or side.unread]
    at = next((at for at, side in enumerate(seat.sides) if side.name == name), len(seat.sides))
    sides.insert(at, changed[name])
    return replace(seat, sides=tuple(sides))


def fold(log: Iterable[PlayEvent], state: TableState | None = None) -> TableState:
    """The state after a whole log, corrections included."""
    state = TableState() if state is None else state
    for event in effective_events(log):
        state = apply(state, event)
    return state


class CorrectionError(ValueError):
    """A correction that cannot be applied; the message names it and says why."""


FACT_ACTIONS = frozenset({"replace", "delete", "insert"})
OPINIONS = frozenset({"uphold", "overrule", "unclear"})
ACTIONS = FACT_ACTIONS | OPINIONS | {"count"}


def _action(correction: PlayEvent) -> str:
    action = correction.extra.get("action")
    if action not in ACTIONS:
        raise CorrectionError(
            f"the correction {correction.seq} has the action {action!r}:"
            f" give one of {', '.join(sorted(ACTIONS))}"
        )
    return str(action)


def _subjects(correction: PlayEvent) -> set[int]:
    of = correction.extra.get("of")
    seqs = of if isinstance(of, list | tuple) else [] if of is None else [of]
    try:
        return {read_whole(seq, "of") for seq in seqs}
    except LogError as error:
        raise CorrectionError(f"the correction {correction.seq} cannot be applied: {error}") from error


def standing_corrections(log: Iterable[PlayEvent]) -> list[PlayEvent]:
    """The corrections that stand: a `delete` of a correction's own seq takes that correction back."""
    corrections = [event for event in log if event.type is EventType.CORRECTION]
    undone: set[int] = set()
    standing: list[PlayEvent] = []
    seqs = {correction.seq for correction in corrections}
    for correction in reversed(corrections):
        if correction.seq in undone:
            continue
        standing.append(correction)
        if _action(correction) == "delete":
            undone |= _subjects(correction) & seqs
    return standing[::-1]


def effective_events(log: Iterable[PlayEvent]) -> list[PlayEvent]:
    """The events that stand after the corrections, in the order of time, without rulings and corrections.

    Raises:
        CorrectionError: if a correction's action is unknown or its replacement cannot be read.
    """
    lines = list(log)
    events = [line for line in lines if line.type not in (EventType.CORRECTION, EventType.RULING)]
    changed = False
    for correction in standing_corrections(lines):
        action, subjects = _action(correction), _subjects(correction)
        if action not in FACT_ACTIONS:
            continue
        changed = True
        if action == "delete":
            events = [event for event in events if event.seq not in subjects]
        elif action == "replace":
            events = [_replaced(event, correction) if event.seq in subjects else event for event in events]
        else:
            events.append(_inserted(correction))
    return sorted(events, key=lambda event: event.t) if changed else events


def _payload(correction: PlayEvent) -> dict[str, Any]:
    payload = correction.extra.get("event")
    if payload is not None and not isinstance(payload, dict):
        raise CorrectionError(f"the event in the correction {correction.seq} is not an object")
    return payload or {}


def _read(correction: PlayEvent, data: dict[str, Any]) -> PlayEvent:
    try:
        return PlayEvent.from_json(data)
    except ValueError as error:
        raise CorrectionError(f"the correction {correction.seq} cannot be applied: {error}") from error


def _replaced(event: PlayEvent, correction: PlayEvent) -> PlayEvent:
    """A human's reading is certain: the machine's confidence and runners-up go with what it replaces."""
    named: dict[str, Any] = {"card": None if correction.card is None else correction.card.to_json()}
    named |= {"pile": correction.pile, "seat": correction.seat, "count": correction.extra.get("count")}
    given = _payload(correction) | {key: value for key, value in named.items() if value is not None}
    data = event.to_json()
    if "card" in given or "type" in given:
        data.pop("confidence", None)
        data.pop("alternatives", None)
    if "seat" in given:
        data.pop("seat_p", None)
    return _read(correction, data | given | {"seq": event.seq})


def _inserted(correction: PlayEvent) -> PlayEvent:
    payload = _payload(correction)
    if "type" not in payload:
        raise CorrectionError(
            f"the correction {correction.seq} inserts nothing: give it an event with a type"
        )
    return _read(correction, {"t": correction.t, "source": "human"} | payload | {"seq": correction.seq})


def count_corrections(log: Iterable[PlayEvent]) -> dict[str, Any]:
    """Counts that people put right after the round: by seat the last `count` payload."""
    return {
        correction.seat: correction.extra.get("count")
        for correction in standing_corrections(log)
        if _action(correction) == "count" and correction.seat is not None
    }


def opinions(log: Iterable[PlayEvent]) -> dict[int, str]:
    """What people said of rulings: by the ruling's seq the last `uphold`, `overrule` or `unclear`."""
    said: dict[int, str] = {}
    for correction in standing_corrections(log):
        action = _action(correction)
        if action in OPINIONS:
            said.update(dict.fromkeys(_subjects(correction), action))
    return said
