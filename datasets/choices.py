"""What a player can do and what he chooses: every lawful move, and policies that pick among them.

Cards are indices into a full deck, so that one generator serves the quick and the timed play of a round.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from referee.options import nearest

GOAL, WOOD, MIDDLE = -1, -2, -1
NONE = -1
"""No card there."""

POLICIES = ("strong", "a", "weak", "random")


class Move(NamedTuple):
    """`count` cards from `source` (GOAL, WOOD or a side pile) to `target` (MIDDLE or a side pile)."""

    source: int
    target: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Building:
    """What the rules allow of side piles. `side_ok[top][card]`; `wood_opens`, `side_opens`: a wood card, or
    one of another side pile, may fill an empty one; `wood_opens_last`: wood may once the goal pile is empty;
    `direct`: goal to the middle; `must`: empty side piles are refilled from the goal pile at once; `group`:
    several cards may move together. `leads[card]`: the cards that some pile takes after this one. `prizes`:
    cards that earn a bonus for finishing a pile."""

    side_ok: tuple[tuple[bool, ...], ...]
    leads: tuple[frozenset[int], ...]
    wood_opens: bool
    wood_opens_last: bool
    side_opens: bool
    direct: bool
    must: bool
    group: bool
    prizes: frozenset[int]


class View(NamedTuple):
    """What a player sees: own exposed cards and side piles (top last), and which cards the middle takes."""

    goal: int
    sides: Sequence[Sequence[int]]
    wood: int
    live: Callable[[int], object]


def lawful_moves(view: View, rules: Building) -> Iterator[Move]:
    """All moves that the rules allow, turning the hand aside; a refill that must be made is the only one."""
    goal, sides, wood, live = view
    if rules.must and goal != NONE:
        for index, side in enumerate(sides):
            if not side:
                yield Move(GOAL, index)
                return
    if goal != NONE and rules.direct and live(goal):
        yield Move(GOAL, MIDDLE)
    if wood != NONE and live(wood):
        yield Move(WOOD, MIDDLE)
    wood_opens = rules.wood_opens if goal != NONE else rules.wood_opens_last
    for index, side in enumerate(sides):
        if not side:
            if goal != NONE:
                yield Move(GOAL, index)
            if wood != NONE and wood_opens:
                yield Move(WOOD, index)
            for other, from_ in enumerate(sides if rules.side_opens else ()):
                for count in range(1, len(from_) + 1 if rules.group else min(1, len(from_)) + 1):
                    yield Move(other, index, count)
            continue
        if live(side[-1]):
            yield Move(index, MIDDLE)
        takes = rules.side_ok[side[-1]]
        if goal != NONE and takes[goal]:
            yield Move(GOAL, index)
        if wood != NONE and takes[wood]:
            yield Move(WOOD, index)
        for other, from_ in enumerate(sides):
            if other == index or not from_:
                continue
            if takes[from_[-1]]:
                yield Move(other, index)
            if rules.group:
                for count in range(2, len(from_) + 1):
                    if takes[from_[-count]]:
                        yield Move(other, index, count)


def worth(move: Move, view: View, rules: Building) -> float:
    """How much the strong policy wants a move; nothing at or below 0 is made.

    It wants goal cards gone. First what the others may be quicker with: goal, side and wood cards for the
    middle, best those that open a place for the own goal card or a further own card. Then goal cards to side
    piles, and moves between side piles that empty a place for one or uncover a card that can be played. Wood
    goes on a side pile only where the goal card then follows, or where places need not be kept for it. A card
    that finishes a pile for a bonus, or leaves it to an own card to do so, comes before all.
    """
    goal, sides, wood, _ = view
    source, target, count = move
    card = goal if source == GOAL else wood if source == WOOD else sides[source][-count]
    if target == MIDDLE:
        opened = rules.leads[card]
        own = {goal if rules.direct else NONE, wood, *(side[-1] for side in sides if side)}
        if card in rules.prizes or opened & rules.prizes & own:
            return 110.0
        if source == GOAL:
            return 100.0
        bonus = 10.0 if rules.direct and goal in opened else 2.0 if opened & own else 0.0
        if source == WOOD:
            return 80.0 + bonus
        return 85.0 - len(sides[source]) / 10 + _uncovers(source, 1, view, rules) / 10 + bonus
    if source == GOAL:
        return 75.0 if sides[target] else 70.0
    if source == WOOD:
        if not sides[target]:
            return 10.0 if goal == NONE else 0.0
        if goal != NONE and rules.side_ok[card][goal]:
            return 65.0
        return 0.0 if rules.must else 20.0
    if not sides[target]:
        return 0.0
    gain = _uncovers(source, count, view, rules)
    return 22.0 + gain if gain > 0 else 0.0


def _uncovers(source: int, count: int, view: View, rules: Building) -> float:
    """What is won by taking the `count` top cards of a side pile away."""
    goal, side = view.goal, view.sides[source]
    if len(side) == count:
        return 30.0 if goal != NONE else 0.0
    under = side[-count - 1]
    if goal != NONE and rules.side_ok[under][goal]:
        return 25.0
    return 10.0 if view.live(under) else 0.0


def strong(view: View, rules: Building, rng: random.Random) -> Move | None:
    """The move worth most, the first of equals."""
    best, most = None, 0.0
    for move in lawful_moves(view, rules):
        value = worth(move, view, rules)
        if value > most:
            best, most = move, value
    return best


SEEN = 0.7
"""Share of the possible plays that the weak policy sees at a time."""
WEAK_TURN = 0.75
"""Share of the turns that the weak policy keeps up with the table."""


def weak(view: View, rules: Building, rng: random.Random) -> Move | None:
    """Wood first, then side piles, the goal pile last, and many plays overlooked, but no refill that must be
    made; nothing is moved or built on side piles but goal cards."""
    best, least = None, 9
    for move in lawful_moves(view, rules):
        if move.source == GOAL:
            if rules.must and move.target != MIDDLE and not view.sides[move.target]:
                return move
            order = 2 if move.target == MIDDLE else 3
        elif move.target == MIDDLE:
            order = 0 if move.source == WOOD else 1
        else:
            continue
        if order < least and rng.random() < SEEN:
            best, least = move, order
    return best


def wander(view: View, rules: Building, rng: random.Random) -> Move | None:
    """Any lawful move, turning the hand among them, each as likely as the other."""
    moves = list(lawful_moves(view, rules))
    if rules.must and view.goal != NONE and not all(view.sides):
        return moves[0]
    at = rng.randrange(len(moves) + 1)
    return moves[at] if at < len(moves) else None


CHOOSERS = {"strong": strong, "weak": weak, "random": wander}
"""How each policy but A picks its next move; None turns the hand."""


def policies_of(text: str, players: int) -> tuple[str, ...]:
    """One policy for all seats (`strong`), or one a seat (`strong,a,a,weak`).

    Raises:
        ValueError: if a policy is not known or there is not one a seat.
    """
    names = tuple(name.strip().lower() for name in text.split(","))
    for name in names:
        if name not in POLICIES:
            hint = nearest(name, list(POLICIES)) or f"; the policies are {', '.join(POLICIES)}"
            raise ValueError(f"there is no policy {name}{hint}")
    if len(names) == 1:
        return names * players
    if len(names) != players:
        raise ValueError(f"{len(names)} policies for {players} players: give one, or one for each player")
    return names
