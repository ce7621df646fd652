"""Rulings on hand, wood and goal pile: what was turned, in which order, and which card was taken."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.audit_parts import keeps_order
from referee.cards import Card
from referee.desk import Desk, certainty, number_in, watched
from referee.events import EventType, PlayEvent, Zone
from referee.judge_calls import CallJudge
from referee.rule_texts import Severity
from referee.state import Phase

_ARRIVALS = (EventType.STARTED, EventType.LANDED)


@dataclass
class _Packets:
    """What was seen of one player's wood and goal pile.

    `pass_`: the cards that this pass through the hand has turned up; `last_pass`: those of the one before.
    `top`: the wood top; `buried`: the one that the last turn covered. `open`: the top has left, the next
    arrival is the card under it. `turns`, `turned`: turns of this pass whose cards were counted, and the
    cards. `idle`, `own_idle`: turns since anybody played, since this player did; None before the first turn.
    `goal_tops`: the tops of the goal pile since it could last have got a card back. `taken`: the last card
    that left the wood pile. `told`: the last card of which was said that it was not to be had.
    """

    pass_: list[PlayEvent] = field(default_factory=list)
    last_pass: list[PlayEvent] = field(default_factory=list)
    top: PlayEvent | None = None
    buried: PlayEvent | None = None
    open: bool = False
    turns: list[PlayEvent] = field(default_factory=list)
    turned: float = 0.0
    idle: int | None = None
    own_idle: int | None = None
    goal_tops: list[PlayEvent] = field(default_factory=list)
    taken: PlayEvent | None = None
    told: Card | None = None

    def forget_order(self) -> None:
        """The order of the hand has changed lawfully, or may have: there is nothing to compare with, and a
        card may be turned a second time in the same pass."""
        self.last_pass, self.pass_ = [], []
        self.turns, self.turned = [], 0.0


class PacketJudge:
    """Judges the packets of all players. `feed` is called BEFORE the desk's state takes the event in."""

    def __init__(self, desk: Desk, calls: CallJudge) -> None:
        self.desk = desk
        self.calls = calls
        self._seats: dict[str, _Packets] = {}
        self._last_beneath_s = -math.inf
        self._stall_told = False
        self.hidden_s = -math.inf
        """When a shared pile was last hidden: a card may have gone there unseen."""

    def round_started(self) -> None:
        """A new round: new hands. What was laid out before the start stays."""
        if self.desk.state.phase in (Phase.ENDED, Phase.CALLED):
            self._seats.clear()
        self._last_beneath_s = self.hidden_s = -math.inf

    def interrupted(self) -> None:
        """Play was stopped or called off: cards may go back on the goal piles."""
        for packets in self._seats.values():
            packets.goal_tops.clear()

    def blind(self, seat: str | None) -> None:
        """A gap over a player's packets (None: over the whole table): nothing of before can be built upon."""
        for name, packets in self._seats.items():
            if seat in (None, name):
                packets.forget_order()
                packets.goal_tops.clear()
                packets.top = packets.buried = packets.idle = packets.own_idle = None

    def hidden(self, event: PlayEvent) -> None:
        """A shared pile cannot be seen, or could not: the tops seen before may have been played there."""
        self.hidden_s = event.t

    def noticed(self, event: PlayEvent) -> None:
        """Any change at the table: a play ends what looked like a stall, a card may go back where it was."""
        if event.zone is Zone.SHARED and not watched(event):
            self.hidden(event)
        if event.type in _ARRIVALS and (
            event.zone is Zone.SHARED or event.came_from[0] in (Zone.GOAL, Zone.WOOD)
        ):
            self._stall_told = False
            for seat, packets in self._seats.items():
                packets.idle = None if packets.idle is None else 0
                if seat == event.seat and packets.own_idle is not None:
                    packets.own_idle = 0
        elif event.type is EventType.WITHDRAWN and event.zone in (Zone.SHARED, Zone.SIDE):
            for packets in self._seats.values():
                packets.goal_tops = [top for top in packets.goal_tops if top.card != event.card]
                if event.zone is Zone.SHARED:
                    packets.idle = packets.own_idle = None

    def feed(self, event: PlayEvent, seat: str) -> None:
        """Judge one event of a player's wood or goal pile."""
        packets = self._seats.setdefault(seat, _Packets())
        if event.extra.get("shuffled") is True:
            name = "wood or hand" if event.zone is Zone.WOOD else "goal pile"
            self._rule([event], "E40", f"the {name} of the {seat} seat was shuffled")
            packets.forget_order()
        if event.type is EventType.WITHDRAWN and event.card is not None:
            self._taken_from(event, seat, event.zone)
        if event.zone is Zone.GOAL:
            if event.type in _ARRIVALS and event.card is not None:
                self._goal_top(event, packets)
            return
        match event.type:
            case EventType.STARTED | EventType.LANDED:
                self._wood_arrival(event, packets)
            case EventType.WITHDRAWN | EventType.REMOVED:
                packets.top, packets.buried, packets.open = None, None, True
                packets.taken = event
            case EventType.TURNED:
                self._pass_ends(packets)
            case EventType.MOVED if event.extra.get("to") == "hand":
                self._beneath(event, packets)

    def judge_source(self, event: PlayEvent, seat: str) -> bool:
        """Whether a card that was played from hand, wood or goal pile was not to be had there; says so."""
        zone, _ = event.came_from
        assert event.card is not None
        if zone == "hand":
            return self._rule([event], "E38", f"{event.card.words} was played from the unturned hand")
        return self._taken_from(event, seat, zone)

    def was_on_wood(self, event: PlayEvent, seat: str) -> bool:
        """Whether the card lies on top of this player's wood pile, or has just left it: there is no other."""
        taken = self._seats[seat].taken if seat in self._seats else None
        if taken is not None and 0 <= event.t - taken.t <= self.desk.settings.refill_s:
            return taken.card == event.card
        return event.card == self.desk.state.seat(seat).wood

    def _taken_from(self, event: PlayEvent, seat: str, zone: str | None) -> bool:
        """Whether the card that was taken from this zone was not on top there; says so once."""
        assert event.card is not None
        known, words = self.desk.state.seat(seat), event.card.words
        packets = self._seats.setdefault(seat, _Packets())
        if zone in ("goal", "wood") and packets.told == event.card:
            packets.told = None
            return True
        if zone == "goal" and known.goal_top not in (None, event.card):
            top = packets.goal_tops[-1] if packets.goal_tops else None
            if top is None or top.card != known.goal_top or top.t <= self.hidden_s:
                return False
            packets.told = event.card
            text = f"{words} was played while {top.card.words} lay on top of the goal pile"
            return self._rule([top, event], "E36", text)
        if zone != "wood":
            return False
        if known.wood in (None, event.card):
            packets.top, packets.buried, packets.open = None, None, True
            return False
        assert known.wood is not None
        if packets.top is None or packets.top.t <= self.hidden_s:
            return False
        packets.told = event.card
        if packets.buried is not None and packets.buried.card == event.card:
            text = f"{words} was played after {known.wood.words} had been turned on top of it"
            return self._rule([packets.buried, packets.top, event], "E41", text)
        text = f"{words} was played while {known.wood.words} lay on top of the wood pile"
        return self._rule([packets.top, event], "E37", text)

    def _rule(self, events: Sequence[PlayEvent], rule: str, text: str, option: str | None = None) -> bool:
        self.desk.rule(events, rule, self.desk.sureness(*events), text, option=option)
        return True

    def _wood_arrival(self, event: PlayEvent, packets: _Packets) -> None:
        counted = number_in(event, "turned")
        turned = counted is not None or not packets.open
        packets.open = False
        packets.buried = packets.top if turned else None
        packets.top = event if event.card is not None else None
        if not turned:
            return
        packets.idle = (packets.idle or 0) + 1
        packets.own_idle = (packets.own_idle or 0) + 1
        self._stalled(event)
        if counted is not None:
            packets.turns.append(event)
            packets.turned += counted
            self._too_few(event, counted)
        if event.card is None:
            return
        if any(card.card == event.card for card in packets.pass_):
            packets.forget_order()
        packets.pass_.append(event)
        self._order(packets)

    def _stalled(self, event: PlayEvent) -> None:
        """Everybody has turned the whole hand, and one turn more, since the last play."""
        rules, players = self.desk.rules, self.calls.players
        pass_ = -(-rules.hand_size // rules.number("flip_count")) + 1
        turned = [self._seats[seat].idle or 0 for seat in players if seat in self._seats]
        if self._stall_told or not players or len(turned) < len(players) or min(turned) < pass_:
            return
        if not self.calls.in_play:
            return
        self._stall_told = True
        said = "nobody has played while everybody turned the whole hand"
        if self.calls.called_at_all:
            self._rule([event], "E67", f"{said}: is everybody stuck?")
        else:
            self._rule([event], "E65", said)

    def _short(self, event: PlayEvent) -> bool:
        """Whether fewer hand cards were turned than the table turns, although there were more."""
        wanted, left = self.desk.rules.number("flip_count"), number_in(event, "hand_left")
        return (number_in(event, "turned") or 0) < (wanted if left is None else min(wanted, left))

    def _too_few(self, event: PlayEvent, counted: float) -> None:
        wanted = self.desk.rules.number("flip_count")
        if self._short(event):
            self.desk.rule(
                [event],
                "E39",
                certainty(event),
                f"{counted:g} hand cards were turned instead of {wanted}",
                cap=Severity.INFO,
                option="flip_count",
            )

    def _pass_ends(self, packets: _Packets) -> None:
        """The wood becomes the hand: so many cards take so many turns, no more (I10).

        The last turn may be a short one; another before it may be the last of a pass whose end was not seen.
        """
        most = -(-packets.turned // self.desk.rules.number("flip_count"))
        short = sum(self._short(turn) for turn in packets.turns[:-1])
        if len(packets.turns) > most and short > 1 and packets.turned <= self.desk.rules.hand_size:
            text = (
                f"a pass through {packets.turned:g} hand cards took {len(packets.turns)} turns"
                f" instead of {most:g}"
            )
            self._rule(packets.turns, "E39", text, option="flip_count")
        packets.last_pass, packets.pass_ = packets.pass_, []
        packets.turns, packets.turned = [], 0.0
        packets.top, packets.buried, packets.open = None, None, False

    def _order(self, packets: _Packets) -> None:
        """Two passes may differ by cards that were played, never in their order (I10).

        One misread card, or one that went to the bottom unseen, is no proof: the order must be broken
        whichever card is left out.
        """
        cards = [event.card for event in packets.pass_ if event.card is not None]
        earlier = [event.card for event in packets.last_pass if event.card is not None]
        if not all(broken(earlier, cards, left_out) for left_out in (None, *cards)):
            return
        seat = packets.pass_[-1].seat
        known = [event for event in (*packets.last_pass, *packets.pass_) if event.card in earlier]
        self._rule(
            [event for event in known if event.card in cards],
            "E40",
            f"the hand of the {seat} seat came in another order than in the pass before: was it shuffled?",
        )
        packets.forget_order()

    def _goal_top(self, event: PlayEvent, packets: _Packets) -> None:
        """A goal pile only loses its top: a card that lay there before cannot be on top again."""
        tops = packets.goal_tops
        if tops and tops[-1].card == event.card:
            return
        before = next((top for top in tops if top.card == event.card), None)
        if before is not None:
            assert event.card is not None
            text = (
                f"{event.card.words} is on top of the {event.seat} seat's goal pile again: was it shuffled?"
            )
            self._rule([before, tops[-1], event], "E40", text)
            tops.clear()
        tops.append(event)

    def _beneath(self, event: PlayEvent, packets: _Packets) -> None:
        """The top wood card goes beneath the hand: only where the table plays so, and only when stuck."""
        packets.forget_order()
        packets.top, packets.buried, packets.open = None, None, True
        desk, rules = self.desk, self.desk.rules
        # Of those who were stuck together one may find a play before the last has moved his card.
        together = event.t - self._last_beneath_s <= desk.settings.stall_s
        self._last_beneath_s = event.t
        if not self.calls.in_play:
            return
        card = "a card" if event.card is None else event.card.words
        said = f"{card} went from the wood pile beneath the hand"
        alone = rules["stall_scope"] == "any"
        rests = event.seat in desk.state.called_by and not rules.is_on("unp_blitzer_plays")
        if rules["stall_rule"] != "bottom_card":
            self._rule([event], "E66", f"{said}, which this table does not do", "stall_rule")
        elif self.calls.called_at_all and not rules.is_on("unp_bottom_card"):
            self._rule([event], "E66", f"{said} after the call", "unp_bottom_card")
        elif alone and packets.own_idle == 0:
            self._rule([event], "E66", f"{said} right after a play of the {event.seat} seat", "stall_scope")
        elif not alone and packets.idle == 0 and not together and not rests:
            self._rule([event], "E66", f"{said} right after a play: not everybody was stuck", "stall_scope")


def broken(before: Sequence[Card], after: Sequence[Card], left_out: Card | None) -> bool:
    """Whether the cards of two passes come in another order, this one aside."""
    return not keeps_order([card for card in before if card != left_out], after)
