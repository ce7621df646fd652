"""Played rounds of every ruleset: seeded, with every change that a camera above would see."""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from datasets.choices import CHOOSERS, GOAL, MIDDLE, NONE, WOOD, View
from datasets.policies import MOST_ROTATIONS, STUCK_PASSES, building_of, full_deck, statistics
from referee.cards import Card
from referee.legality import check_shared, check_side, numbers_of
from referee.rulesets import Ruleset
from referee.schemes import scheme_of


@dataclass(frozen=True, slots=True)
class SeatDeal:
    """One player's cards after the deal. `goal`, side piles: exposed card last. `hand`: next card first."""

    seat_index: int
    goal: tuple[Card, ...]
    sides: tuple[tuple[Card, ...], ...]
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SimPlay:
    """One visible change at the table.

    `t_start` s: the hand sets off; `t` s: the card rests (or the packet is turned, or the word is called).
    `kind`:
    `play` a card reaches a shared pile; `lost` it comes to rest on an equal card, too late; `withdraw` that
    card goes back; `side` a card goes to a side pile; `refill` a card fills an empty side pile (the goal
    top, where that must be); `group` the top `cards` of a side pile go to another one (`card` is the lowest
    of them); `flip` hand cards are turned (`cards`, the last one on top); `turn_over` the wood is turned into
    a new hand; `bottom` the top wood card (or next hand card) goes to the bottom of the hand; `call`.
    `source`, `target_pile`: `goal`, `wood`, `hand`, `side:0` ..., or the shared pile's name `d1` ...
    `opens`: the card opens its pile. `uncovered`: the card that the source now shows (None: nothing).
    `goal_left`: the player's goal cards after this.
    """

    t: float
    seat_index: int
    kind: str
    card: Card | None = None
    source: str = ""
    target_pile: str = ""
    t_start: float = 0.0
    opens: bool = False
    cards: tuple[Card, ...] = ()
    uncovered: Card | None = None
    goal_left: int = 0
    mistake: str = ""
    """The rule that this breaks; empty for lawful play."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong deed, done as soon after `after_s` as somebody can.

    E10-E16 on the shared piles, E30 or E31 on a side pile, E51 a false call, E52 a missed call, E54 a card
    after the call; `slip` is a wrong card taken back at once, which is no fault.
    """

    rule: str
    after_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Tempo:
    """How fast people play, in seconds; each span is drawn between half and one and a half of its value."""

    think_s: float = 0.6
    reach_s: float = 0.55
    flip_s: float = 0.9
    refill_s: float = 0.6
    call_s: float = 0.4
    withdraw_s: float = 0.7
    notices: float = 0.5
    """Share of beaten players who see it in time and do not put their card down."""
    slip_s: float = 0.5
    late_card_s: float = 1.2
    missed_call_s: float = 8.0
    most_s: float = 900.0
    """The round is scored as it lies after this time."""

    def span(self, seconds: float, rng: random.Random) -> float:
        """One drawn span."""
        return seconds * rng.uniform(0.5, 1.5)


def deal(rules: Ruleset, players: int, rng: random.Random) -> list[SeatDeal]:
    """Shuffle a deck for each player and lay out goal pile, side piles and hand."""
    deals = []
    goal_size, width = rules.number("goal_size"), rules.number("side_piles")
    for seat in range(players):
        deck = full_deck(rules)
        rng.shuffle(deck)
        sides = tuple((card,) for card in deck[goal_size : goal_size + width])
        deals.append(SeatDeal(seat, tuple(deck[:goal_size]), sides, tuple(deck[goal_size + width :])))
    return deals


@dataclass
class _Seat:
    """A player in play. `cycle[:turned]` is the wood (top last), the rest is the hand (next first)."""

    goal: list[Card]
    sides: list[list[Card]]
    cycle: list[Card]
    policy: str = "a"
    flip_count: int = 3
    turned: int = 0
    idle_flips: int = 0
    """Turns since anybody played."""
    own_idle_flips: int = 0
    """Turns since this player played."""
    busy_until: float = 0.0
    moving: bool = False
    out: bool = False
    """Has called and plays no more."""

    @property
    def wood_top(self) -> Card | None:
        return self.cycle[self.turned - 1] if self.turned else None

    @property
    def pace(self) -> float:
        """How long this player takes for everything, 1 for the usual time."""
        return WEAK_PACE if self.policy == "weak" else 1.0

    @property
    def stuck_flips(self) -> int:
        """Turns of the hand after which a player is stuck."""
        return STUCK_PASSES * (-(-len(self.cycle) // self.flip_count) + 1)

    @property
    def stuck(self) -> bool:
        """Whole passes through the hand without a play at the table, and none under way."""
        return self.out or (not self.moving and self.idle_flips >= self.stuck_flips)

    @property
    def stuck_alone(self) -> bool:
        """Whole passes through the hand without a play of this player."""
        return not self.out and self.own_idle_flips >= self.stuck_flips

    def exposed(self, source: str) -> Card | None:
        if source == "goal":
            return self.goal[-1] if self.goal else None
        if source == "wood":
            return self.wood_top
        pile = self.sides[int(source.partition(":")[2])]
        return pile[-1] if pile else None

    def take(self, source: str) -> Card:
        if source == "goal":
            return self.goal.pop()
        if source == "wood":
            self.turned -= 1
            return self.cycle.pop(self.turned)
        return self.sides[int(source.partition(":")[2])].pop()

    def take_group(self, source: str, count: int) -> list[Card]:
        pile = self.sides[int(source.partition(":")[2])]
        cards = pile[-count:]
        del pile[-count:]
        return cards

    def flip(self, rules: Ruleset) -> tuple[bool, tuple[Card, ...]]:
        """Turn the next cards; says whether the wood was turned over first, and which cards show."""
        count = rules.number("flip_count")
        left = len(self.cycle) - self.turned
        over = left == 0 or (left < count and rules["remainder"] == "carry")
        if over:
            self.cycle = self.cycle[self.turned :] + self.cycle[: self.turned]
            self.turned = 0
        shown = min(count, len(self.cycle) - self.turned)
        cards = tuple(self.cycle[self.turned : self.turned + shown])
        self.turned += shown
        return over, cards

    def bottom(self, from_wood: bool) -> Card | None:
        """Move the top wood card, else the next card of the hand, to the bottom of the unturned hand."""
        at = self.turned - 1 if from_wood else self.turned
        if not 0 <= at < len(self.cycle):
            return None
        self.turned -= from_wood
        card = self.cycle.pop(at)
        self.cycle.append(card)
        return card


WEAK_PACE = 1.4
"""How much longer the weak policy takes for everything."""


class _Going(NamedTuple):
    """A move on its way; `count` cards of a side pile, `set_off` in s."""

    kind: str
    source: str
    target: str
    count: int = 1
    set_off: float = 0.0


@dataclass
class _Table:
    """The round in play: shared piles by name, players, and the plays so far."""

    rules: Ruleset
    rng: random.Random
    tempo: Tempo
    seats: list[_Seat]
    piles: dict[str, list[Card]] = field(default_factory=dict)
    takers: dict[Card, list[str]] = field(default_factory=dict)
    """The shared piles that take a card, the oldest first."""
    plays: list[SimPlay] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)
    held: dict[str, float] = field(default_factory=dict)
    """Piles on which a hand is busy, and until when."""
    rotations: int = 0
    stalls: int = 0
    """Times that everybody was stuck since the last play."""
    called: bool = False
    over: bool = False

    def fits(self, name: str, card: Card) -> bool:
        """Whether the shared pile of that name takes this card; as `check_shared` has it."""
        return name in self.takers.get(card, ())

    def put(self, name: str, card: Card) -> None:
        """A card goes on a shared pile, or opens it."""
        for names in self.takers.values():
            if name in names:
                names.remove(name)
        pile = self.piles.setdefault(name, [])
        pile.append(card)
        for number in scheme_of(self.rules).follows(numbers_of(pile)):
            names = self.takers.setdefault(Card(number, card.colour), [])
            names.append(name)
            names.sort(key=lambda pile: int(pile[1:]))

    def target(self, card: Card) -> str | None:
        """A shared pile that takes this card, the oldest one, or the name of the next new one."""
        names = self.takers.get(card)
        if names:
            return names[0]
        return f"d{len(self.piles) + 1}" if card.number == scheme_of(self.rules).start else None

    @cached_property
    def deck(self) -> list[Card]:
        """A full deck, in the order in which the policies name its cards."""
        return full_deck(self.rules)

    @cached_property
    def index(self) -> dict[Card, int]:
        """Each card's index in a full deck, as the policies name it."""
        return {card: index for index, card in enumerate(self.deck)}

    def choose(self, seat: _Seat) -> _Going | None:
        """What the player does next by his policy; None turns the hand."""
        return self._policy_a(seat) if seat.policy == "a" else self._by_sight(seat)

    def _by_sight(self, seat: _Seat) -> _Going | None:
        """The choice of a policy other than A."""

        def number(card: Card | None) -> int:
            return NONE if card is None else self.index[card]

        view = View(
            number(seat.exposed("goal")),
            [[self.index[card] for card in side] for side in seat.sides],
            number(seat.wood_top),
            lambda card: self.target(self.deck[card]) is not None,
        )
        move = CHOOSERS[seat.policy](view, building_of(self.rules), self.rng)
        if move is None:
            return None
        source = {GOAL: "goal", WOOD: "wood"}.get(move.source, f"side:{move.source}")
        if move.target == MIDDLE:
            card = seat.exposed(source)
            assert card is not None
            return _Going("play", source, str(self.target(card)))
        kind = "group" if move.count > 1 else "side" if seat.sides[move.target] else "refill"
        return _Going(kind, source, f"side:{move.target}", move.count)

    def _policy_a(self, seat: _Seat) -> _Going | None:
        """Policy A: goal to the middle, side piles to the middle (shortest first), goal to a side pile,
        wood to the middle."""
        order = sorted(range(len(seat.sides)), key=lambda i: len(seat.sides[i]))
        if self.rules["refill"] == "must" and seat.goal and not seat.sides[order[0]]:
            return _Going("refill", "goal", f"side:{order[0]}")
        for source in ("goal", *(f"side:{i}" for i in order)):
            card = seat.exposed(source)
            if card is not None and (source != "goal" or self.rules.is_on("goal_direct")):
                target = self.target(card)
                if target is not None:
                    return _Going("play", source, target)
        goal = seat.exposed("goal")
        for index in order:
            if goal is not None and check_side(seat.sides[index], goal, self.rules, "goal").ok:
                return _Going("side" if seat.sides[index] else "refill", "goal", f"side:{index}")
        wood = seat.wood_top
        target = None if wood is None else self.target(wood)
        return None if target is None else _Going("play", "wood", target)

    def blunder(self, seat: _Seat, t: float) -> tuple[Mistake, str, str] | None:
        """A mistake that is due and that this player can make now: (mistake, source, target)."""
        sources = [s for s in ("goal", "wood", *(f"side:{i}" for i in range(len(seat.sides))))]
        held = [(source, card) for source in sources if (card := seat.exposed(source)) is not None]
        for mistake in (m for m in self.mistakes if m.after_s <= t):
            options = []
            for source, card in held:
                names = self.wrong_targets(seat, mistake.rule, source, card)
                options += [(source, name) for name in names if self.held.get(name, 0.0) <= t]
            if options:
                return (mistake, *self.rng.choice(options))
        return None

    def wrong_targets(self, seat: _Seat, rule: str, source: str, card: Card) -> list[str]:
        """Where this card would break the rule and no other."""
        if rule == "E10":
            return [f"d{len(self.piles) + 1}"] if not check_shared(None, card, self.rules).ok else []
        if rule in ("E30", "E31"):
            return [
                f"side:{i}"
                for i, pile in enumerate(seat.sides)
                if pile and source != f"side:{i}" and check_side(pile, card, self.rules).why == (rule,)
            ]
        wanted = {"slip": ("E11",)}.get(rule, (rule,))
        if rule == "E13":
            return [name for name, pile in self.piles.items() if pile[-1] == card]
        return [n for n, pile in self.piles.items() if check_shared(pile, card, self.rules).why == wanted]


def play_round(
    rules: Ruleset,
    players: int,
    rng: random.Random,
    tempo: Tempo | None = None,
    deals: Sequence[SeatDeal] | None = None,
    mistakes: Sequence[Mistake] = (),
    policies: Sequence[str] = (),
) -> list[SimPlay]:
    """One round from "go" (t = 0) to the call, in the order of `t`.

    Beaten players who do not notice in time put their card on the equal one (`lost`) and take it back
    (`withdraw`). A stuck table moves its top wood cards to the bottom; one that never gets going ends without
    a call. With `until_no_play` play goes on after the call until all are stuck. `deals` must be the deal of
    this table; without it the cards are dealt from `rng` first. `mistakes` are made where the cards allow,
    and play goes on from what then lies there. `policies`: one a player (as `choices.POLICIES` names them),
    without them all play A; weak players also take longer.
    """
    tempo = tempo or Tempo()
    deals = deals if deals is not None else deal(rules, players, rng)
    table = _Table(
        rules,
        rng,
        tempo,
        [
            _Seat(
                list(d.goal),
                [list(side) for side in d.sides],
                list(d.hand),
                policy,
                rules.number("flip_count"),
            )
            for d, policy in zip(deals, policies or ("a",) * players, strict=True)
        ],
        mistakes=list(mistakes),
    )
    agenda: list[tuple[float, int, int, _Going | None]] = []
    for index in range(players):
        heapq.heappush(agenda, (tempo.span(tempo.think_s, rng), index, index, None))
    order = players
    stops = not rules.is_on("until_no_play")
    call: SimPlay | None = None
    while agenda:
        t, _, index, move = heapq.heappop(agenda)
        if t > tempo.most_s or (stops and call is not None and t >= call.t):
            break
        seat = table.seats[index]
        if move is None:
            later, move = _decide(table, index, t)
            emptied_s = later
        else:
            later, move = _carry_out(table, index, t, move), None
            emptied_s = t
        if not seat.goal and call is None:
            missed = _take_mistake(table, "E52", t)
            waits_s = tempo.missed_call_s if missed else tempo.call_s
            t_call = emptied_s
            if not rules.is_on("empty_pile_ends"):
                t_call += tempo.span(waits_s, rng)
            call = SimPlay(t_call, index, "call", t_start=emptied_s, mistake="E52" if missed else "")
            table.called = True
            seat.out = stops or not rules.is_on("unp_blitzer_plays")
            if seat.out:
                continue
        if table.over or table.rotations > MOST_ROTATIONS:
            break
        order += 1
        heapq.heappush(agenda, (later, order, index, move))
    end_s = call.t if call is not None and stops else tempo.most_s
    plays = [play for play in table.plays if play.t <= end_s or play.kind == "withdraw"]
    if call is not None:
        plays.append(call)
        if _take_mistake(table, "E54", call.t):
            plays += _late_card(table, call)
    return sorted(plays, key=lambda play: play.t)


def _take_mistake(table: _Table, rule: str, t: float) -> bool:
    """Whether this mistake is due; it is then used up."""
    due = next((m for m in table.mistakes if m.rule == rule and m.after_s <= t), None)
    if due is not None:
        table.mistakes.remove(due)
    return due is not None


def _late_card(table: _Table, call: SimPlay) -> list[SimPlay]:
    """Somebody who has a card for the middle puts it there after the call."""
    for index, seat in enumerate(table.seats):
        chosen = table.choose(seat)
        turning = chosen is not None and chosen.source == "wood" and seat.busy_until > call.t
        if index != call.seat_index and chosen is not None and chosen.kind == "play" and not turning:
            source, target = chosen.source, chosen.target
            card = seat.take(source)
            opens = target not in table.piles
            t = call.t + table.tempo.span(table.tempo.late_card_s, table.rng)
            left = len(seat.goal)
            return [
                SimPlay(
                    t,
                    index,
                    "play",
                    card,
                    source,
                    target,
                    call.t,
                    opens,
                    (),
                    seat.exposed(source),
                    left,
                    "E54",
                )
            ]
    return []


def _blunder(table: _Table, index: int, t: float) -> float | None:
    """Make a mistake that is due, if the cards allow it; says when the player goes on."""
    seat, rng, tempo = table.seats[index], table.rng, table.tempo
    if seat.goal and table.plays and _take_mistake(table, "E51", t):
        done = t + tempo.span(tempo.call_s, rng)
        table.plays.append(SimPlay(done, index, "call", t_start=t, goal_left=len(seat.goal), mistake="E51"))
        return done + tempo.span(tempo.think_s, rng)
    found = table.blunder(seat, t)
    if found is None:
        return None
    mistake, source, target = found
    table.mistakes.remove(mistake)
    done = t + tempo.span(tempo.reach_s, rng)
    left = len(seat.goal)
    if mistake.rule == "slip":
        card, back = seat.exposed(source), done + tempo.span(tempo.slip_s, rng)
        table.plays.append(SimPlay(done, index, "lost", card, source, target, t, goal_left=left))
        table.plays.append(
            SimPlay(back, index, "withdraw", card, target, source, done, uncovered=card, goal_left=left)
        )
        table.held[target] = back
        return back + tempo.span(tempo.think_s, rng)
    card = seat.take(source)
    on_side = target.startswith("side:")
    opens = not on_side and target not in table.piles
    if on_side:
        seat.sides[int(target.partition(":")[2])].append(card)
    else:
        table.put(target, card)
    table.held[target] = done
    kind, left = "side" if on_side else "play", len(seat.goal)
    table.plays.append(
        SimPlay(
            done, index, kind, card, source, target, t, opens, (), seat.exposed(source), left, mistake.rule
        )
    )
    return done + tempo.span(tempo.think_s, rng)


def _decide(table: _Table, index: int, t: float) -> tuple[float, _Going | None]:
    """What the player does next; a flip is done at once, a move sets off and arrives later."""
    seat, rng, tempo = table.seats[index], table.rng, table.tempo
    if table.mistakes and all(seat.sides):
        goes_on = _blunder(table, index, t)
        if goes_on is not None:
            return goes_on, None
    chosen = table.choose(seat)
    if chosen is not None:
        seat.moving = True
        span = tempo.refill_s if chosen.kind == "refill" else tempo.reach_s
        return t + seat.pace * tempo.span(span, rng), chosen._replace(set_off=t)
    if (seat.stuck or seat.stuck_alone) and table.rules["stall_rule"] != "none":
        stuck = [number for number, other in enumerate(table.seats) if other.stuck]
        if len(stuck) == len(table.seats):
            table.over = table.called and table.stalls >= table.rules.is_on("unp_bottom_card")
            if not table.over:
                _rotate(table, t, stuck)
        elif seat.stuck_alone and table.rules["stall_scope"] == "any":
            _rotate(table, t, [index])
    if not seat.cycle:
        seat.idle_flips += 1
        seat.own_idle_flips += 1
        return t + seat.pace * tempo.span(tempo.flip_s, rng), None
    done = t + seat.pace * tempo.span(tempo.flip_s, rng)
    over, cards = seat.flip(table.rules)
    seat.idle_flips += 1
    seat.own_idle_flips += 1
    seat.busy_until = done
    if over and len(cards) < len(seat.cycle):
        table.plays.append(SimPlay((t + done) / 2, index, "turn_over", t_start=t, goal_left=len(seat.goal)))
    table.plays.append(
        SimPlay(done, index, "flip", cards[-1], "hand", "wood", t, cards=cards, goal_left=len(seat.goal))
    )
    return done + seat.pace * tempo.span(tempo.think_s, rng) / 2, None


def _rotate(table: _Table, t: float, seats: Sequence[int]) -> None:
    """These players are stuck: each moves the top wood card (or burns the next hand card) to the bottom."""
    from_wood = table.rules["stall_rule"] == "bottom_card"
    table.rotations += len(seats) == len(table.seats)
    table.stalls += len(seats) == len(table.seats)
    for index in seats:
        seat = table.seats[index]
        seat.idle_flips = seat.own_idle_flips = 0
        card = seat.bottom(from_wood)
        if card is not None:
            table.plays.append(
                SimPlay(
                    max(t, seat.busy_until),
                    index,
                    "bottom",
                    card,
                    "wood" if from_wood else "hand",
                    "hand",
                    t,
                    uncovered=seat.wood_top,
                    goal_left=len(seat.goal),
                )
            )


def _carry_out(table: _Table, index: int, t: float, move: _Going) -> float:
    """The hand arrives: the card lands, or somebody was faster. Returns when the player goes on."""
    kind, source, target, count, set_off = move
    seat, rng, tempo = table.seats[index], table.rng, table.tempo
    seat.moving = False
    card = seat.exposed(source)
    assert card is not None
    pile = table.piles.get(target)
    if table.held.get(target, 0.0) > t:
        return t + seat.pace * tempo.span(tempo.think_s, rng)
    if kind == "play" and pile is None:
        target = f"d{len(table.piles) + 1}"
    if kind == "play" and pile is not None and not table.fits(target, card):
        if pile[-1] == card and rng.random() >= tempo.notices:
            back = t + seat.pace * tempo.span(tempo.withdraw_s, rng)
            left = len(seat.goal)
            table.plays.append(SimPlay(t, index, "lost", card, source, target, set_off, goal_left=left))
            table.plays.append(
                SimPlay(back, index, "withdraw", card, target, source, t, uncovered=card, goal_left=left)
            )
            return back + seat.pace * tempo.span(tempo.think_s, rng)
        return t + seat.pace * tempo.span(tempo.think_s, rng)
    cards = seat.take_group(source, count) if kind == "group" else [seat.take(source)]
    opens = False
    if kind == "play":
        opens = pile is None
        table.put(target, card)
    else:
        seat.sides[int(target.partition(":")[2])] += cards
    if kind == "play" or not source.startswith("side:"):
        table.stalls = seat.own_idle_flips = 0
        for other in table.seats:
            other.idle_flips = 0
    uncovered = seat.exposed(source)
    group = tuple(cards) if kind == "group" else ()
    table.plays.append(
        SimPlay(t, index, kind, cards[0], source, target, set_off, opens, group, uncovered, len(seat.goal))
    )
    return t + seat.pace * tempo.span(tempo.think_s, rng)


def counts_of(plays: Sequence[SimPlay], deals: Sequence[SeatDeal]) -> list[tuple[int, int]]:
    """Per player: cards on shared piles and goal cards left."""
    played = [0] * len(deals)
    left = [len(seat.goal) for seat in deals]
    for play in plays:
        played[play.seat_index] += play.kind == "play"
        left[play.seat_index] -= play.source == "goal" and play.kind in ("play", "side", "refill")
    return list(zip(played, left, strict=True))


@dataclass(frozen=True, slots=True)
class Injected:
    """A round with mistakes: the deal, the plays, and the plays that broke a rule."""

    deals: list[SeatDeal]
    plays: list[SimPlay]
    truth: list[SimPlay]


def inject(
    rules: Ruleset,
    players: int,
    rng: random.Random,
    wanted: Sequence[str],
    tempo: Tempo | None = None,
) -> Injected:
    """Deal and play a round in which each wanted mistake is made once, if the cards ever allow it.

    `wanted` names rules as in `Mistake`; `truth` holds what really came about.
    """
    deals = deal(rules, players, rng)
    mistakes = [Mistake(rule, 0.0 if rule in ("E52", "E54") else rng.uniform(3.0, 25.0)) for rule in wanted]
    plays = play_round(rules, players, rng, tempo, deals, mistakes)
    return Injected(deals, plays, [play for play in plays if play.mistake])


__all__ = [
    "Injected",
    "Mistake",
    "SeatDeal",
    "SimPlay",
    "Tempo",
    "counts_of",
    "deal",
    "full_deck",
    "inject",
    "play_round",
    "statistics",
]
