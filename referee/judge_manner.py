"""Rulings on how a card was put on a shared pile, and on one that cannot be there."""

from __future__ import annotations

from collections.abc import Sequence

from referee.cards import Card
from referee.desk import Desk, certainty, number_in, watched
from referee.events import PlayEvent
from referee.judge_calls import CallJudge
from referee.rule_texts import Severity
from referee.ruling_words import words


class MannerJudge:
    """Judges the manner of a landing, as far as the log says it."""

    def __init__(self, desk: Desk, calls: CallJudge) -> None:
        self.desk = desk
        self.calls = calls
        self._last_hand: dict[str, PlayEvent] = {}

    def arrives(self, event: PlayEvent, card: Card) -> None:
        """A card came to rest on a shared pile."""
        desk, settings, extra = self.desk, self.desk.settings, event.extra
        named = words(card)
        if (number_in(event, "cards_at_once") or 1) > 1:
            desk.rule([event], "E17", certainty(event), f"{named} and the card under it came in one hand")
        if extra.get("thrown") is True:
            desk.rule([event], "E19", certainty(event), f"{named} was thrown, not placed")
        if extra.get("askew") is True:
            desk.rule([event], "E20", certainty(event), f"{named} lies half on two piles", cap=Severity.INFO)
        if event.seat is None or (event.seat_p or 1.0) < settings.seat_p:
            return
        before = self._last_hand.get(event.seat)
        self._last_hand[event.seat] = event
        if before is None:
            return
        both = [before, event]
        hands = {str(one.extra.get("hand")) for one in both}
        apart_s = event.t - before.t
        if hands == {"left", "right"}:
            if apart_s <= settings.two_hands_s:
                self._two_hands(both, 1.0)
        elif hands == {"None"} and abs(apart_s) < settings.together_s and before.card != event.card:
            self._together(both)

    def _together(self, both: Sequence[PlayEvent]) -> None:
        """Two cards of one player at the same moment: no hand puts one down after the other so fast. A camera
        may have read both late, so it is not believed."""
        before, event = both
        p = self.desk.settings.warning_p
        if any(one.source == "vision" for one in both) or number_in(event, "cards_at_once") is not None:
            return
        if before.pile != event.pile:
            self._two_hands(both, p)
            return
        p = min(p, *(certainty(one) for one in both))
        self.desk.rule(both, "E17", p, f"{words(before.card)} and {words(event.card)} came at once")

    def _two_hands(self, both: Sequence[PlayEvent], p: float) -> None:
        if self.desk.rules["hands"] == "one":
            p = min(p, *(certainty(one) for one in both))
            text = f"two hands of the {both[-1].seat} seat put cards down together"
            self.desk.rule(both, "E18", p, text, option="hands")

    def too_many(self, event: PlayEvent, card: Card) -> None:
        """More equal cards than decks lie in the middle (I5): a misread one, or a deck that is not whole."""
        desk, decks = self.desk, len(self.calls.players)

        def there() -> int:
            state = desk.state
            return sum(pile.cards.count(card) for pile in (*state.piles, *state.taken))

        def decide() -> None:
            if there() > decks:
                text = f"{words(card)} lies in the middle {there()} times, but there are {decks} decks"
                desk.rule([event], "E70", certainty(event), text)

        if decks > 1 and watched(event) and there() >= decks:
            desk.later(desk.settings.lost_race_s, decide)
