"""Rulings on whole shared piles: covered, turned over, moved, bumped, taken, and gone after the call."""

from __future__ import annotations

from referee.desk import Desk, certainty
from referee.events import EventType, PlayEvent
from referee.fold import UNSEEN_PILE
from referee.judge_calls import CallJudge
from referee.rule_texts import Severity
from referee.ruling_words import words
from referee.schemes import scheme_of
from referee.state import Phase, PileState


class HandlingJudge:
    """Judges what is done with piles as a whole."""

    def __init__(self, desk: Desk, calls: CallJudge) -> None:
        self.desk = desk
        self.calls = calls
        self._taken_away: list[PlayEvent] = []
        self._covered: dict[str, PlayEvent] = {}

    def round_started(self) -> None:
        """A new round."""
        self._taken_away.clear()
        self._covered.clear()

    def covered(self, event: PlayEvent, name: str) -> None:
        """A gap over one pile: a hand lies over it, or holds a card over it; or it is free again."""
        if event.extra.get("ended") is True:
            since = self._covered.pop(name, None)
            if since is not None:
                self._held(since, event)
        elif event.extra.get("reason") in ("hand", "card"):
            self._covered.setdefault(name, event)

    def arrives(self, event: PlayEvent, name: str) -> None:
        """A card came to rest: what was held over its pile was this card, and a hand over another pile may
        have reached across it."""
        since = self._covered.pop(name, None)
        if since is not None and since.extra["reason"] == "card":
            self._held(since, event)
        for other, since in list(self._covered.items()):
            if since.extra["reason"] == "hand" and (
                None in (since.seat, event.seat) or since.seat == event.seat
            ):
                del self._covered[other]

    def _held(self, since: PlayEvent, event: PlayEvent) -> None:
        held_s = event.t - since.t
        if held_s <= self.desk.settings.covered_s or not self.calls.in_play:
            return
        pile = self.desk.state.pile(event.pile or UNSEEN_PILE)
        over = "an empty place" if pile is None else f"the pile with {words(pile.top)}"
        card = since.extra["reason"] == "card"
        what = f"a card was held over {over}" if card else f"a hand lay over {over}"
        p = min(certainty(since), certainty(event))
        rule = "E21" if card else "E22"
        self.desk.rule([since, event], rule, p, f"{what} for {held_s:.1f} s", seat=since.seat)

    def removed(self, event: PlayEvent, pile: PileState) -> None:
        """A pile has left its place."""
        desk = self.desk
        if desk.state.phase in (Phase.PAUSED, Phase.ENDED, Phase.SETUP):
            return
        if self.calls.whistle_stands_before(event.t):
            self._taken_away.append(event)
            if len(self._taken_away) == 1:
                desk.later(desk.settings.collect_s, self._after_whistle)
        elif self._is_complete(pile):
            self.handled(event)
        else:
            desk.rule(
                [event],
                "E63",
                desk.settings.info_p,
                f"the pile with {words(pile.top)} has left its place",
                card=pile.top,
            )

    def _after_whistle(self) -> None:
        """One or two piles that leave after the call are news; more of them are the collecting."""
        if len(self._taken_away) >= self.desk.settings.collect_piles:
            return
        if self.desk.state.phase is Phase.ENDED:
            return
        for event in self._taken_away:
            self.desk.rule(
                [event], "E56", certainty(event), f"pile {event.pile} left the middle after the call"
            )

    def handled(self, event: PlayEvent) -> None:
        """A pile was turned over, moved or (complete) taken."""
        desk = self.desk
        pile = desk.state.pile(event.pile or UNSEEN_PILE)
        if pile is None or not self.calls.in_play:
            return
        done = {EventType.TURNED: "turned over", EventType.MOVED: "moved", EventType.REMOVED: "taken"}[
            event.type
        ]
        if self._is_complete(pile):
            custom = {
                EventType.TURNED: "turn",
                EventType.MOVED: "move_aside",
                EventType.REMOVED: "move_aside",
            }
            agreed = desk.rules["complete_pile"] in ("any", custom[event.type])
            note = "" if agreed else ", which is not this table's custom"
            desk.rule(
                [event],
                "E61",
                certainty(event),
                f"the completed pile of {words(pile.top)} was {done}{note}: its cards still count",
                cap=Severity.INFO,
                option=None if agreed else "complete_pile",
                card=pile.top,
            )
        elif event.type is EventType.TURNED:
            desk.rule(
                [event],
                "E20",
                certainty(event),
                f"the top card of pile {event.pile} lies face down",
                cap=Severity.INFO,
            )
        else:
            desk.rule(
                [event],
                "E63",
                certainty(event),
                f"the pile with {words(pile.top)} was {done}",
                card=pile.top,
            )

    def _is_complete(self, pile: PileState) -> bool:
        return pile.complete or scheme_of(self.desk.rules).is_terminal([c.number for c in pile.cards])
