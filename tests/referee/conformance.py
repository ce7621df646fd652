"""What holds in every lawful game, whatever the rules: played, logged, judged, scored, and in a match.

`check_play` goes along with a round play by play, `check_log` with its log event by event, `check_verdict`
with the judge, `check_score` and `check_match` with the sheet. Of the invariants of RULES.md 2.3

- after each play: I1 and I2 of the pile that grew, I6 as a sum, I7, I8, I9 of the side pile that grew, I10 of
  the packet that was turned, and that the play is lawful;
- after each event of the log: I13, and every eightieth state's text form;
- at the end of each round: I3, I4, I5 and I6 card by card, I11, I12, I14, I15, the audit, the last state's
  text form, the log's text form, that the log read back gives the same table, and that at eight places two
  independent plays in the other order lead to the same table.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from datasets.simulate import SeatDeal, SimPlay, Tempo, deal, play_round
from datasets.simulated_log import events_of
from referee.audit import audit_round, audit_scores
from referee.audit_parts import check_hand_size, check_side_pile
from referee.bonuses import FinishedPile, finished_piles
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone, read_log, write_line
from referee.fold import apply, fold
from referee.implied import cards_implied, pile_height, predicted_faces
from referee.judge import judge_log
from referee.legality import check_shared, check_side
from referee.match import Match, match_from_json, match_to_json
from referee.options import OptionValue
from referee.penalties import FalseCall
from referee.rulesets import Ruleset
from referee.schemes import scheme_of
from referee.scoring import PlayerCount, score_round, transfers
from referee.state import TableState
from referee.values import left_total, played_total
from tests.referee.logs import ORDINARY

TABLES = (("a",), ("strong",), ("weak",), ("random",), ("strong", "a", "weak", "random"))
"""The players of one seed after the other."""
STATES_APART = 80
"""Events between the states whose text form is tried; that of the last state always is."""
FOLDED_AGAIN = 4
"""The log read back is the log, event by event; every fourth one is folded once more all the same."""


class _Asked(Mapping[str, OptionValue]):
    """Options that remember which of them were looked at."""

    def __init__(self, options: Mapping[str, OptionValue], asked: set[str]) -> None:
        self._options, self._asked = options, asked

    def __getitem__(self, key: str) -> OptionValue:
        self._asked.add(key)
        return self._options[key]

    def __iter__(self) -> Iterator[str]:
        self._asked.update(self._options)
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)


@dataclass(frozen=True, eq=False)
class Traced(Ruleset):
    """A ruleset that tells which options were asked for: no other can have made a difference. It equals only
    itself, so that nothing which was worked out before, unseen, is taken for it."""

    asked: set[str] = field(default_factory=set)

    @cached_property
    def options(self) -> Mapping[str, OptionValue]:
        """Each option of this preset with its value."""
        return _Asked(dict(self.values), self.asked)


@dataclass
class Area:
    """One player's cards, followed play by play. Piles: exposed card last; `hand`: next card first."""

    goal: list[Card]
    sides: list[list[Card]]
    hand: list[Card]
    wood: list[Card] = field(default_factory=list)
    played: list[Card] = field(default_factory=list)
    beaten: SimPlay | None = None
    """A card that lies on an equal one and will be taken back."""

    @classmethod
    def of(cls, seat: SeatDeal) -> Area:
        """The area after the deal."""
        return cls(list(seat.goal), [list(side) for side in seat.sides], list(seat.hand))

    def pile(self, source: str) -> list[Card]:
        """The cards of `goal`, `wood` or `side:0`."""
        if source == "goal":
            return self.goal
        return self.wood if source == "wood" else self.sides[int(source.partition(":")[2])]

    def give(self, play: SimPlay) -> Card:
        """The card that is played, which must be the exposed one."""
        pile = self.pile(play.source)
        assert pile and pile[-1] == play.card, "only the exposed card may be played"
        return pile.pop()

    def packet(self, play: SimPlay, flip_count: int) -> None:
        """The hand is turned, turned over, or gets a card beneath it (I10): its order never changes."""
        if play.kind == "turn_over":
            self.hand, self.wood = self.hand + self.wood, []
        elif play.kind == "flip":
            if len(self.hand) < len(play.cards):
                self.hand, self.wood = self.hand + self.wood, []
            turned = self.hand[: len(play.cards)]
            assert tuple(turned) == play.cards, "the hand keeps its order"
            assert len(turned) == min(flip_count, len(turned) + len(self.hand) - len(turned))
            del self.hand[: len(turned)]
            self.wood += turned
        else:
            card = self.wood.pop() if play.source == "wood" else self.hand.pop(0)
            assert card == play.card
            self.hand.append(card)

    @property
    def size(self) -> int:
        """How many cards there are (I6)."""
        own = len(self.goal) + len(self.hand) + len(self.wood) + len(self.played)
        return own + sum(map(len, self.sides))

    @property
    def cards(self) -> Counter[Card]:
        """All cards, those played included."""
        sides = (card for side in self.sides for card in side)
        return Counter([*self.goal, *sides, *self.hand, *self.wood, *self.played])


@dataclass
class Game:
    """A round that was played and found lawful."""

    deals: list[SeatDeal]
    plays: list[SimPlay]
    log: list[PlayEvent]
    areas: list[Area]
    piles: dict[str, list[Card]]
    finished: tuple[FinishedPile, ...]

    @property
    def seats(self) -> list[str]:
        """The seats' names."""
        return [f"seat{index}" for index in range(len(self.areas))]

    @property
    def caller(self) -> int | None:
        """Who called, if anybody did."""
        return next((play.seat_index for play in self.plays if play.kind == "call"), None)


def play(rules: Ruleset, players: int, seed: int, table: Sequence[str] = ()) -> Game:
    """One checked round; `table`: the policies that its seats take in turn, by default those of the seed."""
    table = table or TABLES[seed % len(TABLES)]
    rng = random.Random(seed)
    deals = deal(rules, players, rng)
    tempo = Tempo(most_s=40.0 if "random" in table else 100.0)
    policies = tuple(table[seat % len(table)] for seat in range(players))
    plays = play_round(rules, players, rng, tempo, deals, policies=policies)
    return checked(rules, deals, plays)


def checked(rules: Ruleset, deals: list[SeatDeal], plays: list[SimPlay]) -> Game:
    """The round, found lawful play by play and at its end."""
    areas, piles = check_play(rules, deals, plays)
    log = events_of(deals, plays, rules)
    seats = [f"seat{index}" for index in range(len(deals))]
    game = Game(deals, plays, log, areas, piles, finished_piles(log, rules, seats))
    check_count(rules, game)
    return game


def check_play(
    rules: Ruleset, deals: Sequence[SeatDeal], plays: Sequence[SimPlay]
) -> tuple[list[Area], dict[str, list[Card]]]:
    """Go along with a round: each play is lawful, each card is where it was last put."""
    areas = [Area.of(seat) for seat in deals]
    piles: dict[str, list[Card]] = {}
    must, flip_count = rules["refill"] == "must", rules.number("flip_count")
    for area in areas:
        assert check_hand_size(len(area.hand), rules) is None
        assert area.size == rules.deck_size
    for done in plays:
        area = areas[done.seat_index]
        if must and area.goal and not all(area.sides):
            assert done.kind == "refill", "an empty place is filled before anything else (I8)"
        if done.kind in ("play", "lost", "withdraw"):
            _on_shared(rules, done, area, piles)
        elif done.kind in ("side", "refill"):
            side = area.pile(done.target_pile)
            assert (done.kind == "refill") is (not side)
            card = area.give(done)
            assert check_side(side, card, rules, done.source, len(area.goal)).ok
            side.append(card)
        elif done.kind == "group":
            assert rules.is_on("group_moves")
            source, target = area.pile(done.source), area.pile(done.target_pile)
            assert tuple(source[-len(done.cards) :]) == done.cards
            assert check_side(target, done.cards[0], rules, "side", len(area.goal)).ok
            del source[-len(done.cards) :]
            target.extend(done.cards)
        elif done.kind == "call":
            assert not area.goal
        else:
            area.packet(done, flip_count)
        if done.kind != "call":
            assert done.goal_left == len(area.goal), "a goal pile loses what is taken from it (I7)"
        assert area.size == rules.deck_size, "no card comes or goes (I6)"
    return areas, piles


def _on_shared(rules: Ruleset, done: SimPlay, area: Area, piles: dict[str, list[Card]]) -> None:
    pile = piles.get(done.target_pile, [])
    if done.kind == "lost":
        assert area.beaten is None
        assert area.pile(done.source)[-1] == done.card == pile[-1], "a beaten card lies on an equal one"
        area.beaten = done
        return
    if done.kind == "withdraw":
        lost, area.beaten = area.beaten, None
        assert lost is not None
        assert (lost.card, lost.source, lost.target_pile) == (done.card, done.target_pile, done.source)
        return
    assert area.beaten is None
    assert done.source != "goal" or rules.is_on("goal_direct")
    card = area.give(done)
    assert check_shared(pile, card, rules).ok
    assert done.opens is (not pile)
    piles[done.target_pile] = pile = [*pile, card]
    area.played.append(card)
    height = pile_height(pile, rules)
    told = rules.scheme == "ascending" or (scheme_of(rules).full_height <= 13 and len(pile) > 1)
    assert height == len(pile) or (height is None and not told), "the top tells the height (I1)"
    if rules.scheme == "double_swinging" and len(pile) > 2:
        assert (card.number - pile[1].number) % 2 == len(pile) % 2, "each step is odd (I2)"


def check_count(rules: Ruleset, game: Game) -> None:
    """The end of a round: what lies in the middle, at the players, and what the audit says of it."""
    players = len(game.areas)
    whole = game.areas[0].cards
    assert len(whole) == rules.deck_size
    for area in game.areas:
        assert area.cards == whole, "each deck holds each card once (I5, I6)"
        for side in area.sides:
            assert check_side_pile(side, rules)[1] is None
    tops = list(game.piles.values())
    assert len(tops) <= 4 * players
    assert all(len(pile) <= scheme_of(rules).full_height for pile in tops)
    assert all(cards_implied(pile, rules) in (None, tuple(pile)) for pile in tops)
    middle = Counter(card for area in game.areas for card in area.played)
    predicted = predicted_faces(tops, rules)
    assert predicted is None or predicted == middle, "the tops tell what lies under them (I3, I4)"
    if rules["refill"] == "must" and rules.is_on("goal_direct") and not rules.is_on("until_no_play"):
        assert all(len(area.played) <= rules.most_played for area in game.areas)
    seats = game.seats
    found = audit_round(
        tops,
        {name: len(area.played) for name, area in zip(seats, game.areas, strict=True)},
        {name: area.played for name, area in zip(seats, game.areas, strict=True)},
        game.log,
        ruleset=rules,
        players=[
            PlayerCount(name, len(area.played), len(area.goal))
            for name, area in zip(seats, game.areas, strict=True)
        ],
        called_by=None if game.caller is None else seats[game.caller],
    )
    assert {finding.id for finding in found} <= ({"I1", "I12"} if predicted is None else {"I12"})
    assert all(str(finding.level) == "info" for finding in found)


def check_log(game: Game, seed: int) -> None:
    """The log tells the round, as objects and as text, and so does each state; it knows no rules."""
    log = game.log
    states = [TableState()]
    for number, event in enumerate(log):
        state = apply(states[-1], event)
        if number % STATES_APART == 0:
            assert TableState.from_text(state.to_text()) == state
        if event.zone is Zone.SHARED and event.pile is not None and event.type is not EventType.WITHDRAWN:
            before, after = states[-1].pile(event.pile), state.pile(event.pile)
            assert after is not None
            assert before is None or len(after.cards) >= len(before.cards), "no pile gets lower (I13)"
        states.append(state)
    last = states[-1]
    assert TableState.from_text(last.to_text()) == last
    again = list(read_log(write_line(event) for event in log))
    assert again == log
    assert seed % FOLDED_AGAIN or fold(again) == last
    assert {pile.name: list(pile.cards) for pile in last.piles} == game.piles
    for name, area in zip(game.seats, game.areas, strict=True):
        seat = last.seat(name)
        assert seat.goal == len(area.goal)
        assert seat.goal_top == (area.goal[-1] if area.goal else None)
        assert seat.wood == (area.wood[-1] if area.wood else None)
        tops = {f"side:{index}": side[-1] for index, side in enumerate(area.sides) if side}
        assert {pile.name: pile.top for pile in seat.sides} == tops
    deeds = deeds_of(log)
    for at in random.Random(seed).sample(range(len(deeds) - 1), min(8, len(deeds) - 1)):
        check_swap(states, deeds[at], deeds[at + 1])


@dataclass(frozen=True)
class Deed:
    """The events `log[start:end]` of one play."""

    start: int
    events: tuple[PlayEvent, ...]

    @property
    def end(self) -> int:
        """Index after the last event."""
        return self.start + len(self.events)

    @property
    def seat(self) -> str | None:
        """Who did it."""
        return self.events[0].seat

    @property
    def shared(self) -> set[str | None]:
        """The shared piles that it touches."""
        return {event.pile for event in self.events if event.zone is Zone.SHARED and event.pile is not None}

    @property
    def apart(self) -> bool:
        """Whether it is a play, neither the deal nor the call."""
        return self.events[0].t > 0 and all(event.type is not EventType.CALLED for event in self.events)


def deeds_of(log: Sequence[PlayEvent]) -> list[Deed]:
    """The log in plays: events of one time that follow the first of their seat."""
    deeds: list[list[PlayEvent]] = []
    starts: list[int] = []
    for number, event in enumerate(log):
        first = deeds[-1][0] if deeds else None
        if first is None or event.t != first.t or event.seat not in (None, first.seat):
            deeds.append([])
            starts.append(number)
        deeds[-1].append(event)
    return [Deed(start, tuple(events)) for start, events in zip(starts, deeds, strict=True)]


def independent(one: Deed, other: Deed) -> bool:
    """Whether two plays have no player and no pile in common."""
    return one.apart and other.apart and one.seat != other.seat and not one.shared & other.shared


def check_swap(states: Sequence[TableState], one: Deed, other: Deed) -> None:
    """Two independent plays lead to the same table in either order; `states[i]`: before event i."""
    if not independent(one, other):
        return
    state = states[one.start]
    for event in (*other.events, *one.events):
        state = apply(state, event)
    assert by_name(state) == by_name(states[other.end])


def by_name(state: TableState) -> TableState:
    """The state with its shared piles in the order of their names, not of their age."""
    return replace(state, piles=tuple(sorted(state.piles, key=lambda pile: pile.name)))


def check_verdict(rules: Ruleset, game: Game) -> None:
    """Nobody is told off; the call is right."""
    rulings = judge_log(game.log, rules)
    wrong = [ruling.text for ruling in rulings if ruling.rule not in ORDINARY or ruling.severity != "info"]
    assert wrong == []
    asked = game.caller is not None and not rules.is_on("empty_pile_ends")
    assert sum(ruling.rule == "E50" for ruling in rulings) == asked


def counts(rules: Ruleset, game: Game) -> list[PlayerCount]:
    """What is counted after the round: numbers, or the cards where their values count."""
    found = []
    for index, (name, area) in enumerate(zip(game.seats, game.areas, strict=True)):
        called = index == game.caller
        if rules.counts_faces:
            count = PlayerCount(
                name, played_cards=tuple(area.played), left_cards=tuple(area.goal), called=called
            )
        else:
            count = PlayerCount(name, len(area.played), len(area.goal), called=called)
        found.append(count)
    return found


def check_score(rules: Ruleset, game: Game, rng: random.Random) -> Scored:
    """The score of the round, with a false call now and then."""
    players = len(game.areas)
    false: list[FalseCall] = []
    if rules["false_call"] != "none" and rng.random() < 0.3:
        false = [FalseCall(rng.randrange(players), ace_drawn=rng.random() < 0.3)]
    counted = counts(rules, game)
    scored = score_round(rules, counted, false_calls=false, finished=game.finished)
    paid = transfers(rules, counted, false, game.finished)
    assert rules.options.get("per_player_base") == "all" or sum(paid) == 0, "what is paid is got (I15)"
    bonuses, penalties = [], []
    for index, (player, area) in enumerate(zip(scored.players, game.areas, strict=True)):
        gained, lost = played_total(area.played, rules), left_total(area.goal, rules)
        extra = sum(line.points for line in player.lines)
        bonuses.append(extra - paid[index])
        penalties.append(lost)
        assert (player.played_points, player.left_points) == (gained, -lost)
        assert player.score == gained - lost + extra
        assert player.text.endswith(f"= {player.score}")
        assert index != game.caller or not area.goal, "the caller has no goal card left (I12)"
        if rules.deck_size == 40 and (rules["card_points"], rules["goal_penalty"]) == (1, 2):
            assert (player.score - extra - len(area.played)) % 2 == 0, "penalties are even (I12)"
            assert -2 * rules.number("goal_size") <= player.score - extra <= 40
    lefts = [len(area.goal) for area in game.areas]
    tops = list(game.piles.values())
    assert audit_scores(tops, lefts, scored.scores, rules, paid, bonuses) == [], "the sheet adds up (I14)"
    return Scored(scored.scores, tuple(penalties), None if game.caller is None else game.seats[game.caller])


@dataclass(frozen=True)
class Scored:
    """A round as it goes on the sheet: scores and points lost for goal cards in the order of the seats."""

    scores: tuple[int, ...]
    penalties: tuple[int, ...]
    called_by: str | None


def check_match(rules: Ruleset, rounds: Sequence[Scored], most: int = 12) -> None:
    """The rounds, one after the other, as matches of at most `most` rounds: totals and end are as agreed, and
    each match comes back whole from its text."""
    names = [f"seat{index}" for index in range(len(rounds[0].scores))]
    new = Match(rules)
    for name in names:
        new = new.join(name)
    match = new
    for number, round_ in enumerate(rounds, start=1):
        before = match.standing
        scores = dict(zip(names, round_.scores, strict=True))
        match = match.round(scores, round_.called_by, dict(zip(names, round_.penalties, strict=True)))
        standing = match.standing
        paid = sum(match.rounds[-1].added.values())
        assert 0 <= paid <= before.pot
        for name in names:
            added = match.rounds[-1].added.get(name, 0)
            assert standing.totals[name] == before.totals[name] + scores[name] + added
        best = max(standing.totals.values())
        length = rules.number("rounds")
        tied_only = before.deciding and rules["deciding_players"] == "tied"
        due = len(match.rounds) >= length if length else best >= rules.number("target")
        assert tied_only or (standing.over or standing.deciding) is due
        assert (
            tied_only
            or not standing.over
            or all(standing.totals[winner] == best for winner in standing.winners)
        )
        assert tied_only or not standing.deciding or list(standing.totals.values()).count(best) > 1
        if standing.over or len(match.rounds) == most or number == len(rounds):
            again = match_from_json(match_to_json(match))
            assert (again.rules.values, again.records) == (rules.values, match.records)
            assert again.standing == standing
            match = new


def table_size(rules: Ruleset) -> int:
    """How many play in this suite."""
    return {"dutch_blitz_2": 2, "dutch_blitz_8": 5}.get(rules.preset, 3)
