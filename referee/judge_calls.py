"""Rulings on the call: right, false, missed, doubled, and what is played after it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from referee.desk import Desk, Pending, certainty, list_in, number_in, watched
from referee.events import EventType, PlayEvent
from referee.rule_texts import Severity
from referee.state import Phase


@dataclass(eq=False)
class Whistle:
    """One call. `verdict`: True right, False false, None not known (yet)."""

    event: PlayEvent
    verdict: bool | None = None


@dataclass
class CallJudge:
    """Keeps the calls and the goal counts and judges one by the other."""

    desk: Desk
    calls: list[Whistle] = field(default_factory=list)
    _goals: dict[str, PlayEvent] = field(default_factory=dict)
    players: tuple[str, ...] = ()
    """Who plays, as the start of the round says it; nobody if it does not."""
    _missed: dict[str, Pending] = field(default_factory=dict)
    _wrong_goal_cards: dict[str, PlayEvent] = field(default_factory=dict)
    _last_goal_cards: dict[str, PlayEvent] = field(default_factory=dict)
    _gone: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By seat the goal cards that came to rest elsewhere, and those seen to leave, since the last count."""

    def round_started(self, event: PlayEvent) -> None:
        """A new round: nobody has called; goal counts seen while dealing stay."""
        ended = self.desk.state.phase in (Phase.ENDED, Phase.CALLED)
        self.calls.clear()
        self._wrong_goal_cards.clear()
        self._last_goal_cards.clear()
        if ended:
            self._goals.clear()
            self._gone.clear()
        names = list_in(event, "players")
        self.players = tuple(
            str(item.get("seat") or item.get("name")) if isinstance(item, dict) else str(item)
            for item in names
        )

    @property
    def _word(self) -> str:
        """The word that ends the round, as it is quoted in a ruling."""
        return f'"{self.desk.rules["call_word"]}"'

    def goal_seen(self, seat: str) -> PlayEvent | None:
        """The last count of a seat's goal cards."""
        return self._goals.get(seat)

    @property
    def called_at_all(self) -> bool:
        """Whether a call was made that has not been found false."""
        return any(call.verdict is not False for call in self.calls)

    @property
    def in_play(self) -> bool:
        """Whether cards are being played: neither stopped nor over."""
        stopped = self.called_at_all and not self.desk.rules.is_on("until_no_play")
        return self.desk.state.phase in (Phase.LIVE, Phase.CALLED) and not stopped

    def arrives(self, event: PlayEvent) -> None:
        """A card came to rest: remember the last one of each goal pile."""
        if event.seat is not None and event.came_from[0] == "goal":
            self._last_goal_cards[event.seat] = event
            here, left = self._gone.get(event.seat, (0, 0))
            self._gone[event.seat] = here + 1, left

    def leaves(self, event: PlayEvent) -> None:
        """A card of a goal pile, or the last one with it, is gone from there."""
        if event.seat is None:
            return
        if event.type is EventType.REMOVED:
            self._goals[event.seat] = replace(event, extra={"count": 0})
            self._gone.pop(event.seat, None)
        else:
            here, left = self._gone.get(event.seat, (0, 0))
            self._gone[event.seat] = here, left + 1

    def lies_wrongly(self, event: PlayEvent) -> None:
        """A last goal card that lies wrongly does not empty the goal pile."""
        if event.seat is not None and event.came_from[0] == "goal":
            self._wrong_goal_cards[event.seat] = event

    def taken_back(self, event: PlayEvent) -> None:
        """A card was taken back: it lies wrongly no more, and a goal card may be on its pile again."""
        here, left = self._gone.get(event.seat or "", (0, 0))
        if event.came_from[0] == "goal" and here > 0:
            self._gone[event.seat or ""] = here - 1, left
        if event.seat is not None and self._wrong_goal_cards.get(event.seat) == event:
            del self._wrong_goal_cards[event.seat]

    def resumed(self) -> None:
        """Play goes on: earlier calls no longer stand."""
        self.calls.clear()

    def goal_count(self, event: PlayEvent) -> None:
        """Remember how many goal cards a seat has left and wait for the call if none; no count: unknown."""
        if event.seat is None:
            return
        seat = event.seat
        if seat in self._missed:
            self._missed.pop(seat).cancel()
        self._gone.pop(seat, None)
        if event.goal_left is None:
            self._goals.pop(seat, None)
            return
        self._goals[seat] = event
        desk = self.desk
        if event.goal_left == 0 and desk.rules.is_on("empty_pile_ends") and self.in_play:
            self.calls.append(Whistle(event, verdict=True))
            return
        if event.goal_left > 0 or not self.in_play or self.called_at_all:
            return
        if not desk.rules.is_on("call_mandatory"):
            return

        def decide() -> None:
            if not self.called_at_all and self.in_play and watched(event):
                desk.rule(
                    [event],
                    "E52",
                    certainty(event),
                    f"the goal pile of the {seat} seat has been empty for {desk.settings.missed_call_s:g} s"
                    f" and nobody has called {self._word}",
                    option="call_mandatory",
                )

        self._missed[seat] = desk.later(desk.settings.missed_call_s, decide, needs_time=True)

    def called(self, event: PlayEvent) -> Whistle | None:
        """A call: it stands until the goal counts speak against it. None for the echo of one that stands."""
        if self.desk.state.phase in (Phase.ENDED, Phase.PAUSED):
            return None
        if any(call.event.seat == event.seat and call.verdict is not False for call in self.calls):
            return None
        call = Whistle(event)
        self.calls.append(call)
        self.desk.later(self.desk.settings.call_check_s, lambda: self._check(call))
        return call

    def _count(self, seat: str) -> int | None:
        event = self._goals.get(seat)
        if event is None or event.goal_left is None or not watched(event):
            return None
        return max(0, event.goal_left - max(self._gone.get(seat, (0, 0))))

    def _check(self, call: Whistle) -> None:
        seat = call.event.seat
        if seat is None:
            self._check_unnamed(call)
            return
        count = self._count(seat)
        if count and _heard(call) and self._empty_seats():
            self._check_unnamed(call)  # Who shouted cannot be heard.
            return
        earlier = self._standing(call)
        if count is None:
            if earlier is None:
                self._unknown(call)
        elif count == 0 and (wrong := self._wrong_last_card(seat)) is not None:
            call.verdict = False
            self._invalid(call, wrong)
        elif count == 0:
            call.verdict = True
            self._right(call, seat, earlier)
        else:
            call.verdict = False
            if earlier is None:
                self._false(call, seat, count)

    def _wrong_last_card(self, seat: str) -> PlayEvent | None:
        """The last goal card, if it lies wrongly; an earlier one that nobody objected to counts (C32)."""
        wrong = self._wrong_goal_cards.get(seat)
        return wrong if wrong is not None and wrong == self._last_goal_cards.get(seat) else None

    def _check_unnamed(self, call: Whistle) -> None:
        empty = self._empty_seats()
        if self._standing(call) is not None:
            return
        if empty:
            call.verdict = True
            self._right(call, empty[0], None)
        elif self.players and all(self._count(seat) for seat in self.players):
            call.verdict = False
            self.desk.rule(
                [call.event],
                "E51",
                certainty(call.event),
                f"{self._word} was heard and no goal pile is empty",
                cap=Severity.WARNING,
            )
        else:
            self._unknown(call)

    def _empty_seats(self) -> list[str]:
        return [seat for seat in self._goals if self._count(seat) == 0]

    def _standing(self, call: Whistle) -> Whistle | None:
        """An earlier call that has not been found false; none for a call after which play went on."""
        if call not in self.calls:
            return None
        earlier = self.calls[: self.calls.index(call)]
        return next((one for one in earlier if one.verdict is not False), None)

    def _right(self, call: Whistle, seat: str, earlier: Whistle | None) -> None:
        p = min(certainty(call.event), certainty(self._goals[seat]))
        if earlier is None:
            self.desk.rule(
                [call.event],
                "E50",
                p,
                f"the call of {self._word} by the {seat} seat is right: its goal pile is empty",
                seat=seat,
            )
        elif call.event.t - earlier.event.t <= self.desk.settings.calls_together_s:
            self.desk.rule(
                [earlier.event, call.event],
                "E53",
                p,
                "two calls came together with empty goal piles: both stand",
            )

    def _unknown(self, call: Whistle) -> None:
        self.desk.rule(
            [call.event],
            "E50",
            self.desk.settings.info_p,
            f"the call of {self._word} was noted; the goal pile was not seen,"
            " so please check that it is empty",
        )

    def _false(self, call: Whistle, seat: str, count: int) -> None:
        goal = self._goals[seat]
        p = min(certainty(call.event), certainty(goal))
        mild = self.desk.rules["false_call"] == "none" or _heard(call)
        cards = "1 card" if count == 1 else f"{count} cards"
        self.desk.rule(
            [goal, call.event],
            "E51",
            p,
            f"the {seat} seat called {self._word} with {cards} left in its goal pile",
            cap=Severity.WARNING if mild else None,
            option="false_call",
            seat=seat,
        )

    def _invalid(self, call: Whistle, wrong: PlayEvent) -> None:
        card = "card" if wrong.card is None else wrong.card.words
        self.desk.rule(
            [wrong, call.event],
            "E51",
            min(certainty(call.event), certainty(wrong)),
            f"the {wrong.seat} seat called {self._word}, but its {card} from the goal pile lies wrongly",
            cap=Severity.WARNING,
            option="false_call",
            seat=wrong.seat,
        )

    def whistle_for(self, event: PlayEvent) -> Whistle | None:
        """The call that a landing comes after, if play stops at the call."""
        if self.desk.rules.is_on("until_no_play"):
            return None
        return next((c for c in self.calls if c.verdict is not False and c.event.t < event.t), None)

    def whistle_stands_before(self, t: float) -> bool:
        """Whether a call that stands was made before `t`."""
        if self.desk.rules.is_on("until_no_play"):
            return False
        return any(call.verdict is not False and call.event.t < t for call in self.calls)

    def after_call(self, event: PlayEvent, call: Whistle) -> None:
        """A card that came to rest after the call."""
        if call.verdict is False:
            return
        desk, settings = self.desk, self.desk.settings
        late_s = event.t - call.event.t
        words = "an unread card" if event.card is None else event.card.words
        released_t = number_in(event, "released_t")
        rule, option, cap = "E54", None, None
        end = "the call" if call.event.type is EventType.CALLED else "a goal pile was empty"
        said = f"{words} came to rest {late_s:.2f} s after {end}"
        if desk.rules["count_rule"] != "landed":
            option = "count_rule"
            if released_t is not None and released_t <= call.event.t:
                rule, cap, said = (
                    "E55",
                    Severity.INFO,
                    f"{words} had left the hand before the call and counts",
                )
            elif released_t is None and late_s <= settings.after_call_foul_s:
                rule, cap, said = "E55", Severity.INFO, f"{said}: whether it had left the hand was not seen"
        elif released_t is not None and released_t <= call.event.t:
            rule, option, said = (
                "E55",
                "count_rule",
                f"{words} was still in the air at the call and does not count",
            )
        if cap is None and late_s <= settings.after_call_warning_s:
            cap, said = Severity.INFO, f"{said}: too close to call"
        elif cap is None and (late_s <= settings.after_call_foul_s or self._only_heard(call)):
            cap = Severity.WARNING
        p = min(certainty(event), certainty(call.event))
        desk.rule([call.event, event], rule, p, said, sure=watched(event), cap=cap, option=option)

    @staticmethod
    def _only_heard(call: Whistle) -> bool:
        """A word in the room that no goal pile confirms is too little for a foul."""
        return call.verdict is None and _heard(call)


def _heard(call: Whistle) -> bool:
    """Whether the call was a word in the room, which may have been chatter."""
    return call.event.extra.get("by") == "voice"
