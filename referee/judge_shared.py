"""Rulings on the shared piles: starts, landings, lost races, cards taken back, piles moved or taken."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from referee.cards import JACK, Card
from referee.desk import Desk, Pending, certainty, number_in, readings, watched
from referee.events import EventType, PlayEvent
from referee.fold import UNSEEN_PILE, moved_pile, returning_pile
from referee.judge_calls import CallJudge, Whistle
from referee.judge_handling import HandlingJudge
from referee.judge_manner import MannerJudge
from referee.legality import check_shared, trend_of
from referee.rule_texts import Severity
from referee.ruling_words import number_words, words, wrong_card
from referee.schemes import THREE, Trend, scheme_of
from referee.state import Phase, PileState

_WHO_COUNTS = {
    "lower_card": "the lower card counts",
    "table": "the table says which one counts",
    "replay": "neither counts, and both are played again",
}


@dataclass(eq=False)
class _Placed:
    """One card on a pile with what the judge remembers of it."""

    event: PlayEvent
    card: Card
    lawful: bool = True
    double: bool = False
    pending: list[Pending] = field(default_factory=list)


@dataclass
class _Track:
    """What the judge remembers of one shared pile. `blind`: not watched since its top was last read."""

    placed: list[_Placed] = field(default_factory=list)
    blind: bool = False

    @property
    def disputed(self) -> bool:
        return any(not card.lawful for card in self.placed)


class SharedJudge:
    """Judges the shared piles. `feed` is called BEFORE the desk's state takes the event in."""

    def __init__(self, desk: Desk, calls: CallJudge) -> None:
        self.desk = desk
        self.calls = calls
        self._tracks: dict[str, _Track] = {}
        self._blind_until_s = self._gap_s = -math.inf
        self._early: list[PlayEvent] = []
        self._started = False
        self._manner = MannerJudge(desk, calls)
        self._handling = HandlingJudge(desk, calls)
        self._card_length_px = desk.settings.card_length_px

    def round_started(self, event: PlayEvent) -> None:
        """The start: plays before it were false starts."""
        if self.desk.settings.card_length_px is None:
            self._card_length_px = number_in(event, "card_length_px") or self._card_length_px
        for early in self._early:
            early_s = event.t - early.t
            close = early_s <= self.desk.settings.after_call_warning_s
            self.desk.rule(
                [early],
                "E02",
                certainty(early),
                f"{words(early.card)} was played {early_s:.1f} s before the start"
                + (": too close to call" if close else ""),
                cap=Severity.INFO if close else None,
            )
        self._early.clear()
        self._handling.round_started()
        if self.desk.state.phase in (Phase.ENDED, Phase.CALLED):
            self._tracks.clear()
        self._started = True
        self._blind_until_s = -math.inf

    def blind(self, event: PlayEvent) -> None:
        """A gap: what it covers was not watched."""
        blind = event.extra.get("ended") is not True
        if event.pile is not None:
            self._handling.covered(event, event.pile)
            self._tracks.setdefault(event.pile, _Track()).blind = blind
            return
        self._gap_s = event.t
        lasting = event.type is EventType.CAMERA_LOST
        memory_s = self.desk.settings.gap_memory_s if blind else 0.0
        self._blind_until_s = math.inf if lasting else event.t + memory_s
        for track in self._tracks.values():
            track.blind = blind

    def seen_again(self, event: PlayEvent) -> None:
        """The camera is back: piles that came meanwhile will show soon."""
        self._gap_s = event.t
        self._blind_until_s = event.t + self.desk.settings.gap_memory_s

    def called(self, event: PlayEvent, whistle: Whistle | None) -> None:
        """Cards that had come to rest after the call before the call was understood; cards on two piles."""
        if whistle is not None and not self.desk.rules.is_on("until_no_play"):
            for placed in [placed for track in self._tracks.values() for placed in track.placed]:
                if placed.event.t > event.t:
                    self._late(placed, whistle)
        for track in self._tracks.values():
            top = track.placed[-1] if track.placed else None
            if top is not None and top.event.extra.get("askew") is True:
                text = f"{top.card.words} lies half on two piles at the call"
                self.desk.rule([top.event, event], "E20", certainty(top.event), text, card=top.card)

    def feed(self, event: PlayEvent) -> None:
        """Judge one event of the shared zone."""
        match event.type:
            case EventType.STARTED | EventType.LANDED:
                self._arrives(event)
            case EventType.WITHDRAWN:
                self._withdrawn(event)
            case EventType.REMOVED:
                self._removed(event)
            case EventType.TURNED | EventType.MOVED:
                self._handling.handled(event)
            case EventType.COMPLETED if self.desk.settings.report_ordinary:
                self.desk.rule([event], "E60", certainty(event), f"pile {event.pile} is complete")

    def _arrives(self, event: PlayEvent) -> None:
        name = event.pile or UNSEEN_PILE
        state = self.desk.state
        may_have_been = event.t < self._blind_until_s and (number_in(event, "bare_t") or 0.0) <= self._gap_s
        if event.type is EventType.STARTED:
            self._tracks[name] = _Track(blind=may_have_been)
        track = self._tracks.setdefault(name, _Track(blind=may_have_been))
        self._handling.arrives(event, name)
        if event.card is None:
            track.blind = True
            return
        if event.card.family is not self.desk.rules.family:
            self.desk.rule([event], "E70", certainty(event), f"{words(event.card)} belongs to another game")
            track.placed.append(_Placed(event, event.card))
            return
        placed = _Placed(event, event.card)
        self._manner.too_many(event, event.card)
        if not self._started:
            self._early.append(event)
        if state.phase not in (Phase.PAUSED, Phase.ENDED):
            self._judge_arrival(event, placed, track, name)
            self._manner.arrives(event, placed.card)
        track.placed.append(placed)
        track.blind = False

    def _late(self, placed: _Placed, whistle: Whistle) -> None:
        """A card that came to rest after a call; whether the call stands shows later."""
        placed.pending.append(
            self.desk.later(
                self.desk.settings.self_correction_s, lambda: self.calls.after_call(placed.event, whistle)
            )
        )

    def _judge_arrival(self, event: PlayEvent, placed: _Placed, track: _Track, name: str) -> None:
        card, desk = placed.card, self.desk
        pile = None if event.type is EventType.STARTED else desk.state.pile(name)
        below = pile.cards if pile is not None else ()
        whistle = self.calls.whistle_for(event)
        if whistle is not None:
            self._late(placed, whistle)
        if event.type is EventType.LANDED and (pile is None or event.pile is None):
            return  # What lies below was there before anybody looked.
        verdict = check_shared(below, card, desk.rules)
        if verdict.ok:
            self._built_on_double(event, placed, track)
            self._lawful(event, below, placed)
            return
        if not below:
            self._judge_start(event, placed, track)
            return
        rule = str(verdict.rule)
        settings = desk.settings
        seen = watched(event) and not track.blind
        placed.double = rule == "E13" and seen
        placed.lawful = rule == "E13" and not seen
        raced = rule == "E13" or self._beaten(track, event)
        grace = settings.lost_race_s if raced else settings.self_correction_s
        p, sure = self._doubt(event, below, track)
        moved_away = pile is not None and (pile.turned or pile.aside)
        cap = Severity.WARNING if rule == "E13" else None
        if not seen:
            sure = False
            missed = rule in ("E12", "E13") and not self._too_quick_for_misses(event, rule, below[-1], track)
            if missed or card.number == scheme_of(desk.rules).start:
                p *= settings.unseen_factor
        if moved_away and card.number == scheme_of(desk.rules).start:
            p *= settings.unseen_factor
        text = wrong_card(rule, below, card, desk.rules, seen)

        def decide() -> None:
            if self.calls.whistle_stands_before(event.t):
                return
            ruling = desk.rule([event], rule, p, text, sure=sure, cap=cap, option=verdict.option)
            if ruling is not None and ruling.severity is Severity.FOUL:
                self.calls.lies_wrongly(event)

        placed.pending.append(desk.later(grace, decide))

    def _too_quick_for_misses(self, event: PlayEvent, rule: str, below: Card, track: _Track) -> bool:
        """Whether the pile was out of sight so shortly that the skipped cards cannot all have come unseen."""
        hidden_s = number_in(event, "hidden_s")
        if rule != "E12" or hidden_s is None or track.blind or event.card is None:
            return False
        skipped = abs(event.card.number - below.number) - 1
        return skipped > 1 + hidden_s / self.desk.settings.between_cards_s

    def _beaten(self, track: _Track, event: PlayEvent) -> bool:
        """Whether an equal card came a moment ago: this one came too late, others may have built since."""
        since = event.t - self.desk.settings.lost_race_s
        return any(card.card == event.card and card.event.t >= since for card in track.placed)

    def _doubt(self, event: PlayEvent, below: tuple[Card, ...], track: _Track) -> tuple[float, bool]:
        """Probability that the landing is unlawful over all readings of both cards; whether both are sure."""
        top = track.placed[-1].event if track.placed and track.placed[-1].card == below[-1] else None
        tops = readings(top) if top is not None else [(below[-1], 1.0)]
        cards = readings(event)
        p = 0.0
        for top_card, top_p in tops:
            for card, card_p in cards:
                if card.family is not self.desk.rules.family or top_card.family is not card.family:
                    continue
                if card == top_card and event.card not in (card, below[-1]):
                    # Rather the top itself, looked at from under a hand, than a second one like it.
                    continue
                if not check_shared((*below[:-1], top_card), card, self.desk.rules).ok:
                    p += top_p * card_p
        least = self.desk.settings.reading_p
        return p, tops[0][1] >= least and cards[0][1] >= least

    def _judge_start(self, event: PlayEvent, placed: _Placed, track: _Track) -> None:
        desk = self.desk
        returning = returning_pile(desk.state, event)
        if returning is not None:
            desk.rule([event], "E63", certainty(event), f"the pile with {words(placed.card)} is back")
            return
        start = scheme_of(desk.rules).start
        p = sum(p for card, p in readings(event) if card.number != start)
        sure = certainty(event) >= desk.settings.reading_p
        text = (
            f"{words(placed.card)} opened a pile: a new pile starts with {number_words(start, placed.card)}"
        )
        near = self._near_pile(event, placed.card)
        wrong_there = near is not None and self._wrong_on(near, placed.card)
        if near is not None:
            why = "it is wrong there too" if wrong_there else "probably it belongs on that pile"
            text = f"{words(placed.card)} lies beside {words(near.top)}: {why}"
        if (near is not None and not wrong_there) or not watched(event) or track.blind:
            p *= desk.settings.unseen_factor
            sure = False
        elif near is not None:
            sure = False
        else:
            placed.lawful = False

        def decide() -> None:
            if self.calls.whistle_stands_before(event.t):
                return
            desk.rule([event], "E10", p, text, sure=sure)

        placed.pending.append(desk.later(desk.settings.self_correction_s, decide))

    def _wrong_on(self, pile: PileState, card: Card) -> bool:
        """Whether a card that lies beside a pile is wrong on that one too, and is not a beaten card."""
        track = self._tracks.get(pile.name)
        known = not pile.unread and track is not None and not track.blind
        return known and card != pile.top and not check_shared(pile.cards, card, self.desk.rules).ok

    def _near_pile(self, event: PlayEvent, card: Card) -> PileState | None:
        """An open pile so close that the card may have been meant for it and lies off its centre; of several
        one on which it is right."""
        if event.at is None:
            return None
        piles = [pile for pile in self.desk.state.piles if pile.at is not None and pile.top is not None]
        reach_px = self._reach_px(piles)
        beside: PileState | None = None
        for pile in piles:
            assert pile.at is not None
            if pile.cards[-1].colour is not card.colour:
                continue
            fits = check_shared(pile.cards, card, self.desk.rules).ok
            near = fits if reach_px is None else math.dist(pile.at, event.at) <= reach_px
            if near and fits:
                return pile
            beside = pile if near else beside
        return beside

    def _reach_px(self, piles: list[PileState]) -> float | None:
        """How far an off-centre card may lie from its pile; None if the size of a card is not known."""
        if self._card_length_px is not None:
            return self._card_length_px * self.desk.settings.near_card_lengths
        places = [pile.at for pile in piles if pile.at is not None]
        gaps = [math.dist(a, b) for i, a in enumerate(places) for b in places[:i]]
        return min(gaps, default=None)

    def _built_on_double(self, event: PlayEvent, placed: _Placed, track: _Track) -> None:
        """A card built on the second of two equal cards makes that double stay for good."""
        double = track.placed[-1] if track.placed else None
        if double is None or not double.double or track.blind or not watched(event):
            return
        desk = self.desk
        p = min(certainty(double.event), certainty(event))
        sure = p >= desk.settings.reading_p and watched(double.event)
        text = f"{words(placed.card)} was built on a second {words(double.card)}"

        def decide() -> None:
            if not self.calls.whistle_stands_before(event.t):
                desk.rule([double.event, event], "E13", p, text, sure=sure)

        left_s = double.event.t + desk.settings.lost_race_s - desk.now
        for waiting in double.pending:
            waiting.cancel()
        build = desk.later(max(desk.settings.self_correction_s, left_s), decide)
        placed.pending.append(build)
        double.pending.append(build)

    def _lawful(self, event: PlayEvent, below: tuple[Card, ...], placed: _Placed) -> None:
        desk = self.desk
        if desk.settings.report_ordinary:
            desk.rule([event], "E24", certainty(event), f"{words(placed.card)} landed on pile {event.pile}")
        if desk.rules.scheme != "nine" or placed.card.number not in (JACK, THREE):
            return
        if trend_of((*below, placed.card), desk.rules) is Trend.UP and (
            placed.card.number == THREE or desk.rules.preset == "evil_jacks"
        ):
            desk.rule(
                [event],
                "E68",
                certainty(event),
                f"{words(placed.card)} went on a pile that goes up: confirm whose it is at the count",
            )

    def _withdrawn(self, event: PlayEvent) -> None:
        track = self._tracks.get(event.pile or UNSEEN_PILE)
        placed = self._find(track, event)
        if track is None or placed is None:
            return
        desk = self.desk
        waited = any(pending.alive for pending in placed.pending)
        for pending in placed.pending:
            pending.cancel()
        self.calls.taken_back(placed.event)
        in_dispute = track.disputed
        at = track.placed.index(placed)
        below = track.placed[:at]
        del track.placed[at]
        self._settle(track, at)
        if desk.state.phase is Phase.PAUSED:
            return
        if placed.double and waited:
            self._lost_race(event, placed, below)
            return
        if not placed.lawful or in_dispute or desk.state.phase is Phase.ENDED:
            return
        held_s = event.t - placed.event.t
        if held_s <= desk.settings.self_correction_s:
            return
        if self.calls.whistle_stands_before(placed.event.t):
            return
        rule = "E56" if self.calls.whistle_stands_before(event.t) else "E23"
        p = min(certainty(event), certainty(placed.event))
        when = " after the call" if rule == "E56" else ""
        text = f"{words(placed.card)} lay rightly and was taken back{when}"
        pile = event.pile

        def decide() -> None:
            again = self._tracks.get(pile or UNSEEN_PILE)
            if again is not None and any(card.card == placed.card for card in again.placed):
                return
            desk.rule([placed.event, event], rule, p, text, card=placed.card, sure=watched(event))

        desk.later(desk.settings.self_correction_s, decide)

    def _settle(self, track: _Track, at: int) -> None:
        """The card at `at` lies on another one now, since that between went back: it may be right there."""
        if at == 0 or at >= len(track.placed):
            return
        above = track.placed[at]
        family = self.desk.rules.family
        cards = [placed.card for placed in track.placed[: at + 1]]
        if (
            all(card.family is family for card in cards)
            and check_shared(cards[:-1], cards[-1], self.desk.rules).ok
        ):
            above.lawful, above.double = True, False
            for waiting in above.pending:
                waiting.cancel()

    def _lost_race(self, event: PlayEvent, placed: _Placed, below: list[_Placed]) -> None:
        winner = next((card.event for card in reversed(below) if not card.double), placed.event)
        apart_s = placed.event.t - winner.t
        close = apart_s < self.desk.settings.together_s
        first = str(self.desk.rules["dead_heat"]) if close else "lower_card"
        said = " too close to tell by time;" if close else ""
        self.desk.rule(
            [winner, placed.event, event],
            "E25",
            certainty(placed.event),
            f"a second {words(placed.card)} came {apart_s:.1f} s later and was taken back:{said}"
            f" {_WHO_COUNTS[first]}",
            option=None if first == "lower_card" else "dead_heat",
            card=placed.card,
        )

    @staticmethod
    def _find(track: _Track | None, event: PlayEvent) -> _Placed | None:
        """The card that goes back. Of equal ones it is a beaten one: the player's own, else the first, for
        which time runs out first."""
        if track is None or not track.placed:
            return None
        if event.card is None:
            return track.placed[-1]
        equal = [placed for placed in track.placed if placed.card == event.card]
        beaten = [placed for placed in equal if placed.double and any(p.alive for p in placed.pending)]
        own = [placed for placed in beaten if event.seat is not None and placed.event.seat == event.seat]
        return next(iter(own or beaten or equal[-1:]), None)

    def _removed(self, event: PlayEvent) -> None:
        desk = self.desk
        pile = desk.state.pile(event.pile or UNSEEN_PILE)
        self._tracks.pop(event.pile or UNSEEN_PILE, None)
        moved = None if pile is None else moved_pile(desk.state, pile)
        if moved is not None:
            for placed in self._tracks[moved.name].placed if moved.name in self._tracks else ():
                placed.lawful = True
                for pending in placed.pending:
                    pending.cancel()
            desk.rule(
                [event],
                "E63",
                certainty(event),
                f"the pile with {words(moved.top)} lies elsewhere now",
                card=moved.top,
            )
            return
        if pile is not None:
            self._handling.removed(event, pile)
