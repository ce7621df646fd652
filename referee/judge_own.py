"""Rulings on the players' side piles and on where a card came from, as far as a log can show them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

from referee.cards import Card
from referee.desk import Desk, Pending, certainty, list_in, readings, watched
from referee.events import EventType, PlayEvent, Zone
from referee.fold import UNSEEN_PILE, moved_group
from referee.judge_calls import CallJudge
from referee.judge_packets import PacketJudge
from referee.legality import Verdict, check_side
from referee.rule_texts import Severity
from referee.rulesets import for_players
from referee.state import Phase

_ARRIVALS = (EventType.STARTED, EventType.LANDED)


class OwnJudge:
    """Judges the own areas. `feed` is called BEFORE the desk's state takes the event in."""

    def __init__(self, desk: Desk, calls: CallJudge) -> None:
        self.desk = desk
        self.calls = calls
        self.packets = PacketJudge(desk, calls)
        self._vacant: set[tuple[str, str]] = set()
        self._seen_s: dict[tuple[str, str], float] = {}
        """When something was last seen to happen on a side pile."""
        self._tops: dict[tuple[str, str], PlayEvent] = {}
        self._empty: dict[tuple[str, str], tuple[PlayEvent, Pending]] = {}
        self._late: Counter[str] = Counter()
        self._pending: dict[tuple[str, str], Pending] = {}
        self._unstarted: list[Pending] = []
        self._under: set[tuple[tuple[str, str], Card]] = set()
        """The cards that were told to have left from under another one."""
        self._width = desk.rules.number("side_piles")

    def round_started(self, event: PlayEvent) -> None:
        """The layout at the start, where it was counted."""
        self.packets.round_started()
        for waiting in self._unstarted:
            waiting.cancel()
        self._vacant.clear()
        self._under.clear()
        self._seen_s.clear()
        desk, rules = self.desk, self.desk.rules
        players = len(list_in(event, "players"))
        if 2 <= players <= rules.number("max_players"):
            self._width = for_players(rules, players).number("side_piles")
        if desk.state.phase in (Phase.ENDED, Phase.CALLED):
            self._tops.clear()
            self._empty.clear()
            return
        # A start told by the first shared play comes after goal cards have gone to side piles.
        told_by_play = event.source == "auto"
        for seat in desk.state.seats:
            counted = self.calls.goal_seen(seat.name)
            left = None if counted is None or not watched(counted) else counted.goal_left
            size = rules.number("goal_size")
            expected = left is None or left == size or (told_by_play and left < size)
            if counted is not None and not expected:
                desk.rule(
                    [event],
                    "E01",
                    min(certainty(event), certainty(counted)),
                    f"the {seat.name} seat has {left} goal cards instead of {size}",
                    option="goal_size",
                    seat=seat.name,
                )
            if seat.sides and len(seat.sides) != self._width and not told_by_play:
                desk.rule(
                    [event],
                    "E01",
                    certainty(event),
                    f"the {seat.name} seat has {len(seat.sides)} side piles instead of {self._width}",
                    option="side_piles",
                    seat=seat.name,
                )

    def feed(self, event: PlayEvent) -> None:
        """Judge one event of a player's own area, or what a shared landing tells of it."""
        self.packets.noticed(event)
        if event.seat is None or self.desk.state.phase in (Phase.PAUSED, Phase.ENDED):
            return
        if event.type in _ARRIVALS:
            self._judge_source(event)
        if event.zone is Zone.SHARED:
            if event.type in _ARRIVALS:
                self._played_before_refill(event)
            return
        by = event.extra.get("by_seat")
        if by is not None and by != event.seat:
            self.desk.rule(
                [event],
                "E42",
                certainty(event),
                f"a hand of the {by} seat played in the {event.seat} seat's area",
            )
        if event.zone is Zone.SIDE:
            self._side(event, event.seat)
        else:
            self.packets.feed(event, event.seat)

    def _side(self, event: PlayEvent, seat: str) -> None:
        key = (seat, event.pile or UNSEEN_PILE)
        match event.type:
            case EventType.STARTED | EventType.LANDED:
                self._filled(key)
                self._side_arrival(event, seat, key)
                self._tops[key] = event
            case EventType.WITHDRAWN | EventType.REMOVED:
                if event.type is EventType.WITHDRAWN:
                    self._from_under(event, key)
                if key in self._pending:
                    self._pending.pop(key).cancel()
                self._tops.pop(key, None)
                self._emptied(event, seat, key)
            case EventType.MOVED:
                self._group_move(event, seat)
        self._seen_s[key] = event.t

    def _side_arrival(self, event: PlayEvent, seat: str, key: tuple[str, str]) -> None:
        desk = self.desk
        pile = None if event.type is EventType.STARTED else desk.state.side_pile(seat, key[1])
        if pile is None:
            open_piles = {known.name for known in desk.state.seat(seat).sides}
            if len(open_piles - {key[1]}) >= self._width:
                self._one_too_many(event, seat, key)
                return
        self._judge_side(event, seat, key)

    def _judge_side(self, event: PlayEvent, seat: str, key: tuple[str, str]) -> None:
        """A card on a side pile that has cards; one that lies there already came with its group."""
        rules = self.desk.rules
        pile = None if event.type is EventType.STARTED else self.desk.state.side_pile(seat, key[1])
        if event.card is None or pile is None or not pile.cards or event.card in pile.cards:
            return
        verdict = check_side(pile.cards, event.card, rules)
        if verdict.ok:
            return
        p, sure = self._doubt(event, pile.cards, self._tops.get(key))
        seen = watched(event) and not pile.unread
        if not seen:
            p *= self.desk.settings.unseen_factor
        below = pile.cards[-1].words
        groups = {True: "both show boys or both show girls", False: "both are red or both are black"}
        reason = "a side pile goes down by one" if verdict.rule == "E30" else groups[rules.deck_size == 40]
        if verdict.option == "side_building":
            reason = "this table does not build on side piles"
        self._wait(
            event,
            key,
            str(verdict.rule),
            p,
            option=verdict.option,
            sure=sure and seen,
            text=f"{event.card.words} was put on {below} on a side pile: {reason}",
        )

    def _one_too_many(self, event: PlayEvent, seat: str, key: tuple[str, str]) -> None:
        """While the cards are dealt it waits for the start, at which the layout is judged (E01); a log that
        tells of no start tells of play alone."""

        def decide() -> None:
            # A camera takes a spread fan or the wood pile for one pile more.
            sure = event.source != "vision"
            text = f"the {seat} seat opened one side pile more than {self._width}"
            self.desk.rule([event], "E35", self.desk.sureness(event), text, sure=sure, option="side_piles")

        dealing = self.desk.state.phase is Phase.SETUP
        waiting = self.desk.later(math.inf if dealing else self.desk.settings.self_correction_s, decide)
        self._pending[key] = waiting
        if dealing:
            self._unstarted.append(waiting)

    def _wait(
        self,
        event: PlayEvent,
        key: tuple[str, str],
        rule: str,
        p: float,
        *,
        text: str,
        option: str | None = None,
        sure: bool = True,
    ) -> None:
        def decide() -> None:
            self.desk.rule([event], rule, p, text, sure=sure, option=option)

        self._pending[key] = self.desk.later(self.desk.settings.self_correction_s, decide)

    def _doubt(self, event: PlayEvent, cards: tuple[Card, ...], top: PlayEvent | None) -> tuple[float, bool]:
        tops = readings(top) if top is not None and top.card == cards[-1] else [(cards[-1], 1.0)]
        over = readings(event)
        p = sum(
            top_p * card_p
            for top_card, top_p in tops
            for card, card_p in over
            if card.family is top_card.family and not check_side([top_card], card, self.desk.rules).ok
        )
        least = self.desk.settings.reading_p
        return p, tops[0][1] >= least and over[0][1] >= least

    def _emptied(self, event: PlayEvent, seat: str, key: tuple[str, str]) -> None:
        desk = self.desk
        pile = desk.state.side_pile(seat, key[1])
        last = pile is not None and len(pile.cards) <= 1 and event.card in (None, *pile.cards)
        leaves = event.type is EventType.REMOVED or last
        if pile is not None and leaves:
            self._vacate(event, seat, key)

    def _filled(self, key: tuple[str, str]) -> None:
        """A place holds a card."""
        if key in self._empty:
            self._empty.pop(key)[1].cancel()
        self._vacant.discard(key)

    def _vacate(self, event: PlayEvent, seat: str, key: tuple[str, str]) -> None:
        """A place has become empty: where it must be refilled, the time runs."""
        desk = self.desk
        self._filled(key)
        self._vacant.add(key)
        if desk.rules["refill"] != "must" or not self.calls.in_play:
            return
        if desk.state.seat(seat).goal == 0 or not watched(event):
            return
        slow = desk.later(desk.settings.refill_s, lambda: self._late_refill(key, event), needs_time=True)
        self._empty[key] = (event, slow)

    def _played_before_refill(self, event: PlayEvent) -> None:
        for key in [key for key in self._empty if key[0] == event.seat]:
            emptied, slow = self._empty[key]
            if event.t - emptied.t > self.desk.settings.together_s:
                slow.cancel()
                self._late_refill(key, event)

    def _late_refill(self, key: tuple[str, str], event: PlayEvent) -> None:
        """Never after the call: then nobody refills any more."""
        emptied, _ = self._empty.pop(key)
        if self.calls.called_at_all or self.desk.state.seat(key[0]).goal == 0:
            return
        self._late[key[0]] += 1
        self.desk.rule(
            [emptied, event] if event is not emptied else [event],
            "E33",
            min(certainty(emptied), certainty(event)),
            f"an empty side pile of the {key[0]} seat was not refilled straight away",
            cap=Severity.INFO if self._late[key[0]] == 1 else None,
            option="refill",
            seat=key[0],
        )

    def _group_move(self, event: PlayEvent, seat: str) -> None:
        target = event.extra.get("to")
        pile = self.desk.state.side_pile(seat, event.pile or UNSEEN_PILE)
        if not isinstance(target, str) or target == event.pile or pile is None:
            return
        rules = self.desk.rules
        cards = moved_group(pile, event)
        if len(pile.cards) > 1 and not rules.is_on("group_moves"):
            text = f"{len(pile.cards)} cards moved together between side piles"
            self.desk.rule([event], "E32", certainty(event), text, option="group_moves")
        elif (seat, target) in self._vacant and pile.cards:
            verdict = check_side(None, pile.cards[0], rules, "side")
            if not verdict.ok:
                self._wrong_opening(event, (cards or pile.cards)[0], "another side pile", verdict)
        elif cards and not pile.unread:
            self._judge_side(replace(event, card=cards[0]), seat, (seat, target))
        self._tops.pop((seat, target), None)
        self._filled((seat, target))
        if cards == pile.cards:
            self._vacate(event, seat, (seat, pile.name))

    def _wrong_opening(self, event: PlayEvent, card: Card, source: str, verdict: Verdict) -> None:
        text = f"an empty side pile was filled with {card.words} from {source}"
        p = self.desk.sureness(event)
        self.desk.rule([event], str(verdict.rule), p, text, option=verdict.option)

    def _from_under(self, event: PlayEvent, key: tuple[str, str]) -> bool:
        """Whether a card left a side pile from under its top; says so once."""
        desk, pile = self.desk, self.desk.state.side_pile(*key)
        if (
            event.card is None
            or pile is None
            or pile.unread
            or self._seen_s.get(key, -math.inf) <= self.packets.hidden_s
            or event.card not in pile.cards[:-1]
            or desk.rules.is_on("group_moves")
        ):
            return False
        if (key, event.card) not in self._under:
            self._under.add((key, event.card))
            said = f"{event.card.words} was played from under {pile.cards[-1].words}"
            desk.rule([event], "E36", certainty(event), said)
        return True

    def _judge_source(self, event: PlayEvent) -> None:
        """Where a card came from, if the log says it: never from the hand, only from what was exposed."""
        zone, name = event.came_from
        if event.card is None or event.seat is None:
            return
        if zone is None:
            opens = event.zone is Zone.SIDE and event.type is EventType.STARTED
            if not opens or not self.packets.was_on_wood(event, event.seat):
                return
            zone = "wood"
        desk = self.desk
        seat, words, p = desk.state.seat(event.seat), event.card.words, certainty(event)
        told = self.packets.judge_source(event, event.seat)
        if zone == "side" and name is not None:
            told = told or self._from_under(event, (event.seat, name))
        if zone in ("wood", "side") and event.zone is Zone.SIDE and event.type is EventType.STARTED:
            verdict = check_side(None, event.card, desk.rules, zone, seat.goal)
            if not told and not verdict.ok:
                source = "the wood pile" if zone == "wood" else "another side pile"
                self._wrong_opening(event, event.card, source, verdict)
        if zone == "goal" and not told and event.zone is Zone.SHARED and not desk.rules.is_on("goal_direct"):
            desk.rule(
                [event],
                "E36",
                p,
                f"{words} went from the goal pile straight to the middle",
                option="goal_direct",
            )
