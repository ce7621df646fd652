"""Whole games at speed: the play of `simulate.play_round`, untimed, with cards as plain integers.

In each tick, in random order, every player makes one move or turns the hand. Policy A of RULES.md section 5
does the first possible of goal top to the middle, side pile to the middle (shortest first, refilled at once),
goal top to a side pile, wood to the middle; the other policies choose as in `choices`, group moves
included. An emptied side pile is refilled from the goal pile in the same turn.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from statistics import fmean, stdev

from datasets.choices import (
    CHOOSERS,
    GOAL,
    MIDDLE,
    NONE,
    POLICIES,
    WEAK_TURN,
    WOOD,
    Building,
    View,
    policies_of,
)
from referee.bonuses import FinishedPile, finish_points
from referee.cards import BLITZ_COLOURS, JACK, SUITS, Card, Colour, Family, highest_number
from referee.legality import check_side
from referee.rulesets import Ruleset, for_players
from referee.schemes import THREE, Trend, scheme_of
from referee.values import left_value, played_value

STUCK_PASSES = 2
"""Full passes without a play after which a table moves its top wood cards to the bottom."""
MOST_ROTATIONS = 40
"""Bottom-card rounds after which a stuck round is scored as it lies."""


def full_deck(rules: Ruleset) -> list[Card]:
    """One deck in order."""
    return list(_deck(rules.family))


@cache
def _deck(family: Family) -> tuple[Card, ...]:
    colours = BLITZ_COLOURS if family is Family.BLITZ else SUITS
    return tuple(Card(n, colour) for colour in colours for n in range(1, highest_number(family) + 1))


@dataclass(frozen=True)
class Tables:
    """A ruleset as look-up tables over card indices 0 .. deck-1 and pile nodes (colour, top, direction).

    `steps[card]`: the (node before, node after) pairs by which a card can be placed. `opens[card]`: the node
    that a card opens, or -1. `takes[node]`: the cards that may go on it. `ends[node]`: 1 up, -1 down, where
    the node is a pile finished with its 3, else 0. `side_ok[top][card]`: side building. `rotates`: a stuck
    player takes a card to the bottom of the hand, `bottom` the top wood card, else the next hand card;
    `alone`: one stuck player may, else only all together.
    """

    size: int
    goal: int
    width: int
    flip: int
    carry: bool
    direct: bool
    rotates: bool
    bottom: bool
    alone: bool
    stops: bool
    caller_plays: bool
    last_bottom: bool
    steps: tuple[tuple[tuple[int, int], ...], ...]
    opens: tuple[int, ...]
    takes: tuple[tuple[int, ...], ...]
    ends: tuple[int, ...]
    jacks: tuple[bool, ...]
    colours: tuple[Colour, ...]
    side_ok: tuple[tuple[bool, ...], ...]
    building: Building
    values: tuple[int, ...]
    losses: tuple[int, ...]


@dataclass(frozen=True)
class Growth:
    """How shared piles grow, by nodes (colour, top, direction): `paths` of numbers that lead to each, and
    `steps`, `opens`, `takes` as in `Tables`."""

    paths: tuple[tuple[int, ...], ...]
    steps: tuple[tuple[tuple[int, int], ...], ...]
    opens: tuple[int, ...]
    takes: tuple[tuple[int, ...], ...]


@cache
def growth_of(rules: Ruleset) -> Growth:
    """The nodes that the shared piles of a ruleset can come to."""
    deck = full_deck(rules)
    index = {(card.colour, card.number): i for i, card in enumerate(deck)}
    scheme = scheme_of(rules)
    nodes: dict[tuple[Colour, int, Trend | None], int] = {}
    paths: list[tuple[Colour, tuple[int, ...]]] = []
    steps: list[list[tuple[int, int]]] = [[] for _ in deck]
    takes: list[tuple[int, ...]] = []
    opens = [-1] * len(deck)

    def node(colour: Colour, path: tuple[int, ...]) -> int:
        key = (colour, path[-1], scheme.trend(path))
        if key not in nodes:
            nodes[key] = len(paths)
            paths.append((colour, path))
        return nodes[key]

    for colour in dict.fromkeys(card.colour for card in deck):
        opens[index[colour, scheme.start]] = node(colour, (scheme.start,))
    done = 0
    while done < len(paths):
        colour, path = paths[done]
        following = sorted(scheme.follows(path))
        takes.append(tuple(index[colour, number] for number in following))
        for number in following:
            steps[index[colour, number]].append((done, node(colour, (*path, number))))
        done += 1
    return Growth(
        tuple(path for _, path in paths), tuple(tuple(pairs) for pairs in steps), tuple(opens), tuple(takes)
    )


@cache
def building_of(rules: Ruleset) -> Building:
    """What the rules allow of side piles, as the policies see it."""
    deck, growth = full_deck(rules), growth_of(rules)
    nodes = [
        [
            *(after for _, after in growth.steps[card]),
            *([growth.opens[card]] if growth.opens[card] >= 0 else ()),
        ]
        for card in range(len(deck))
    ]
    nine = rules.scheme == "nine"
    return Building(
        side_ok=tuple(tuple(check_side([top], card, rules).ok for card in deck) for top in deck),
        leads=tuple(frozenset(card for after in own for card in growth.takes[after]) for own in nodes),
        wood_opens=check_side(None, deck[0], rules, "wood", 1).ok,
        wood_opens_last=check_side(None, deck[0], rules, "wood", 0).ok,
        side_opens=check_side(None, deck[0], rules, "side").ok,
        direct=rules.is_on("goal_direct"),
        must=rules["refill"] == "must",
        group=rules.is_on("group_moves"),
        prizes=frozenset(i for i, card in enumerate(deck) if nine and card.number == THREE),
    )


@cache
def tables_of(rules: Ruleset) -> Tables:
    """The look-up tables of a ruleset."""
    deck, growth, scheme = full_deck(rules), growth_of(rules), scheme_of(rules)
    nine = rules.scheme == "nine"
    building = building_of(rules)
    return Tables(
        size=len(deck),
        goal=rules.number("goal_size"),
        width=rules.number("side_piles"),
        flip=rules.number("flip_count"),
        carry=rules["remainder"] == "carry",
        direct=rules.is_on("goal_direct"),
        rotates=rules["stall_rule"] != "none",
        bottom=rules["stall_rule"] == "bottom_card",
        alone=rules["stall_scope"] == "any" and rules["stall_rule"] != "none",
        stops=not rules.is_on("until_no_play"),
        caller_plays=rules.is_on("unp_blitzer_plays"),
        last_bottom=rules.is_on("unp_bottom_card"),
        steps=growth.steps,
        opens=growth.opens,
        takes=growth.takes,
        ends=tuple(
            (1 if scheme.trend(path) is Trend.UP else -1) if nine and path[-1] == THREE else 0
            for path in growth.paths
        ),
        jacks=tuple(nine and card.number == JACK for card in deck),
        colours=tuple(card.colour for card in deck),
        side_ok=building.side_ok,
        building=building,
        values=tuple(played_value(card, rules) for card in deck),
        losses=tuple(left_value(card, rules) for card in deck),
    )


@dataclass(frozen=True, slots=True)
class HandResult:
    """One hand. `scores`, `played`, `left` per player; `caller`: index or None.

    `start_visible`: players with a starting card exposed after the deal; `no_start_in_goal`: players whose
    goal pile holds none.
    """

    scores: tuple[int, ...]
    played: tuple[int, ...]
    left: tuple[int, ...]
    caller: int | None
    stalled: bool
    start_visible: int
    no_start_in_goal: int


def play_hand(
    rules: Ruleset, tables: Tables, players: int, rng: random.Random, policies: Sequence[str] = ()
) -> HandResult:
    """Deal and play one hand; `policies`: one a player, without them all play A."""
    size, width, flip, carry = tables.size, tables.width, tables.flip, tables.carry
    opens, steps, takes, side_ok, values = (
        tables.opens,
        tables.steps,
        tables.takes,
        tables.side_ok,
        tables.values,
    )
    goal_size = tables.goal
    seats = range(players)
    goals: list[list[int]] = []
    sides: list[list[list[int]]] = []
    cycles: list[list[int]] = []
    start_visible = no_start = 0
    for _ in seats:
        deck = list(range(size))
        rng.shuffle(deck)
        goals.append(deck[:goal_size])
        sides.append([[card] for card in deck[goal_size : goal_size + width]])
        cycles.append(deck[goal_size + width :])
        exposed = deck[goal_size - 1 : goal_size + width]
        start_visible += any(opens[card] >= 0 for card in exposed)
        no_start += all(opens[card] < 0 for card in deck[:goal_size])
    turned = [0] * players
    points = [0] * players
    played = [0] * players
    waiting: list[list[int]] = [[] for _ in takes]
    live = [1 if node >= 0 else 0 for node in opens]
    finished: list[FinishedPile] = []
    orders = _orders(players)
    pick = rng.random
    others = {seat: name for seat, name in enumerate(policies) if name != "a"}
    idle = [0] * players
    quiet = rotations = 0
    stalled = False
    caller: int | None = None

    def place(seat: int, card: int) -> None:
        after = opens[card]
        jack = -1
        if after < 0:
            before, after = next(step for step in steps[card] if waiting[step[0]])
            jack = waiting[before].pop()
            for taken in takes[before]:
                live[taken] -= 1
        if tables.jacks[card]:
            jack = seat
        waiting[after].append(jack)
        for taken in takes[after]:
            live[taken] += 1
        points[seat] += values[card]
        played[seat] += 1
        if tables.ends[after]:
            up = tables.ends[after] > 0
            owner = jack if up and jack >= 0 else None
            finished.append(FinishedPile(seat, up, owner, tables.colours[card]))

    def rest(seat: int) -> None:
        """Take the stuck player's card to the bottom: the top of the wood, or the next of the hand."""
        at = turned[seat] - 1 if tables.bottom else turned[seat]
        if 0 <= at < len(cycles[seat]):
            turned[seat] -= tables.bottom
            cycles[seat].append(cycles[seat].pop(at))

    def turn_cards(seat: int) -> None:
        cycle, at = cycles[seat], turned[seat]
        if tables.alone:
            idle[seat] += 1
            if idle[seat] > STUCK_PASSES * (len(cycle) // flip + 1):
                idle[seat] = 0
                rest(seat)
                return
        left = len(cycle) - at
        if left < flip if carry else left == 0:
            cycles[seat] = cycle[at:] + cycle[:at]
            turned[seat] = min(flip, len(cycle))
        else:
            turned[seat] = at + min(flip, left)

    def choose_freely(seat: int) -> bool:
        """A turn of a policy other than A; says whether play went on (not by moves among side piles)."""
        lazy = others[seat] == "weak"
        if lazy and pick() > WEAK_TURN:
            return False
        goal, own, cycle, at = goals[seat], sides[seat], cycles[seat], turned[seat]
        view = View(goal[-1] if goal else NONE, own, cycle[at - 1] if at else NONE, live.__getitem__)
        move = CHOOSERS[others[seat]](view, tables.building, rng)
        if move is None:
            turn_cards(seat)
            return False
        source, target, count = move
        if source == GOAL:
            cards = [goal.pop()]
        elif source == WOOD:
            turned[seat] = at - 1
            cards = [cycle.pop(at - 1)]
        else:
            cards = own[source][-count:]
            del own[source][-count:]
        if target == MIDDLE:
            place(seat, cards[0])
        else:
            own[target] += cards
        if goal and source >= 0 and not own[source]:
            own[source].append(goal.pop())
            return True
        return source < 0 or target == MIDDLE

    stalls, resting = 0, -1
    while caller is None or not tables.stops:
        moved = False
        for seat in orders[int(pick() * len(orders))]:
            goal = goals[seat]
            if not goal and seat == resting:
                continue
            acted = True
            top = goal[-1] if goal else -1
            if seat in others:
                acted = choose_freely(seat)
            elif goal and live[top] and tables.direct:
                place(seat, goal.pop())
            else:
                own = sides[seat]
                best = None
                for pile in own:
                    if pile and live[pile[-1]] and (best is None or len(pile) < len(best)):
                        best = pile
                if best is not None:
                    place(seat, best.pop())
                    if goal and not best:
                        best.append(goal.pop())
                else:
                    for pile in own if goal else ():
                        if side_ok[pile[-1]][top] and (best is None or len(pile) < len(best)):
                            best = pile
                    if best is not None:
                        best.append(goal.pop())
                    else:
                        cycle, at = cycles[seat], turned[seat]
                        if at and live[cycle[at - 1]]:
                            turned[seat] = at - 1
                            place(seat, cycle.pop(at - 1))
                        else:
                            acted = False
                            turn_cards(seat)
            if acted:
                moved = True
                idle[seat] = 0
            if not goal and caller is None:
                caller = seat
                if tables.stops:
                    break
                resting = -1 if tables.caller_plays else seat
        if moved:
            quiet = stalls = 0
            continue
        quiet += 1
        if quiet > STUCK_PASSES * (max(len(cycle) for cycle in cycles) // flip + 1):
            stalled = True
            quiet = 0
            rotations += 1
            if rotations > MOST_ROTATIONS or not tables.rotates:
                break
            if caller is not None and stalls >= tables.last_bottom:
                break
            stalls += 1
            for seat in seats if not tables.alone else ():
                rest(seat)
    scores = [points[s] - sum(tables.losses[card] for card in goals[s]) for s in seats]
    for pile in finished:
        for seat, gained in enumerate(finish_points(pile, players, rules)):
            scores[seat] += gained
    if caller is not None:
        scores[caller] += rules.number("call_bonus")
    left_cards = tuple(len(goal) for goal in goals)
    return HandResult(tuple(scores), tuple(played), left_cards, caller, stalled, start_visible, no_start)


@cache
def _orders(players: int) -> tuple[tuple[int, ...], ...]:
    """All orders of play in a tick; for larger tables a fixed thousand of them."""
    if players <= 6:
        return tuple(permutations(range(players)))
    rng = random.Random(players)
    return tuple(tuple(rng.sample(range(players), players)) for _ in range(1000))


def statistics(
    rules: Ruleset,
    players: int,
    games: int,
    seed: int,
    policy: str = "a",
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, float | int]:
    """Play `games` games to the target and count what RULES.md section 5 counts; shares are 0..1.

    Dutch Blitz and Ligretto take their variant for so many players. `policy`: one for all players, or one for
    each (`strong,a,a,weak`). For each policy at the table: its seats, points a hand with their standard
    error, the share of calls and of games won by one such player (a shared win counts in parts). `progress`
    is told after each game how many of all are played.

    Raises:
        ValueError: if no game is asked for, or a policy is not known.
        OptionError: if the game cannot be played by so many.
    """
    if games < 1:
        raise ValueError("at least one game is needed")
    rules = for_players(rules, players)
    policies = policies_of(policy, players)
    rng = random.Random(seed)
    tables = tables_of(rules)
    target, rounds = rules.number("target"), rules.number("rounds")
    hands = points = negative = top = called = stalls = visible = none_in_goal = 0
    winning = 0
    by_seat: list[list[int]] = [[] for _ in policies]
    calls = [0] * players
    wins = [0.0] * players
    for game in range(1, games + 1):
        totals = [0] * players
        played = 0
        while True:
            hand = play_hand(rules, tables, players, rng, policies)
            played += 1
            hands += 1
            points += sum(hand.scores)
            negative += sum(score < 0 for score in hand.scores)
            visible += hand.start_visible
            none_in_goal += hand.no_start_in_goal
            stalls += hand.stalled
            if hand.caller is not None:
                called += 1
                calls[hand.caller] += 1
                top += hand.scores[hand.caller] == max(hand.scores)
            for scores, score in zip(by_seat, hand.scores, strict=True):
                scores.append(score)
            totals = [total + score for total, score in zip(totals, hand.scores, strict=True)]
            best = max(totals)
            over = played >= rounds if rounds else best >= target
            if over and (totals.count(best) == 1 or rules["tie"] == "shared"):
                break
        winning += best
        for seat, total in enumerate(totals):
            wins[seat] += (total == best) / totals.count(best)
        if progress is not None:
            progress(game, games)
    player_hands = hands * players
    figures: dict[str, float | int] = {
        "games": games,
        "hands": hands,
        "players": players,
        "hands_to_target_mean": hands / games,
        "points_mean": points / player_hands,
        "negative_share": negative / player_hands,
        "caller_top_share": top / called if called else 0.0,
        "winning_total_mean": winning / games,
        "one_visible_share": visible / player_hands,
        "no_one_in_goal_share": none_in_goal / player_hands,
        "stall_share": stalls / hands,
    }
    for name in sorted(set(policies), key=POLICIES.index):
        seats = [seat for seat in range(players) if policies[seat] == name]
        means = [fmean(scores) for scores in zip(*(by_seat[seat] for seat in seats), strict=True)]
        figures[f"{name}_seats"] = len(seats)
        figures[f"{name}_points_mean"] = fmean(means)
        figures[f"{name}_points_error"] = stdev(means) / math.sqrt(hands) if hands > 1 else 0.0
        figures[f"{name}_call_share"] = sum(calls[seat] for seat in seats) / len(seats) / hands
        figures[f"{name}_win_share"] = sum(wins[seat] for seat in seats) / len(seats) / games
    return figures
