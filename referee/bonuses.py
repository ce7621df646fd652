"""Bonuses of the games that start with a 9: the 3 that ends a pile, and the evil jacks."""

from __future__ import annotations

from dataclasses import dataclass

from referee.cards import Colour
from referee.rulesets import Ruleset

THREE_PLAYED = 40
UP_EXTRA = 60
JACK_PER_PLAYER = 15
SAME_PLAIN, SAME_ONE_EYED = 100, 150
OTHERS_PLAIN, OTHERS_ONE_EYED = 5, 25
ONE_EYED_SUITS = frozenset({Colour.SPADES, Colour.HEARTS})


@dataclass(frozen=True, slots=True)
class FinishedPile:
    """A pile that got its 3. `three`: index of the player of the 3. `up`: it ran up from its 9.
    `jack`: index of the player of the jack and `suit` its suit, on a pile that ran up."""

    three: int
    up: bool
    jack: int | None = None
    suit: Colour | None = None


def three_bonus(up: bool, rules: Ruleset) -> int:
    """Points for the 3: 40, and on a pile that ran up 60 more or 60 in all (C15)."""
    if not up:
        return THREE_PLAYED
    return THREE_PLAYED + UP_EXTRA if rules["s9_up"] == "add" else UP_EXTRA


def evil_jack_points(players: int, jack: int, three: int, one_eyed: bool, rules: Ruleset) -> list[int]:
    """What each player gains or loses on a pile that ran up (RULES.md 1.6).

    `one_eyed`: the jack is that of spades or hearts; it counts as such only if the table plays it so.
    """
    reward = one_eyed and rules["one_eyed"] == "reward"
    if jack == three:
        own, loss = (SAME_ONE_EYED, OTHERS_ONE_EYED) if reward else (SAME_PLAIN, OTHERS_PLAIN)
        extra = 0 if rules.is_on("ej_same_includes") else THREE_PLAYED
        return [own + extra if index == jack else -loss for index in range(players)]
    charged = players if rules["per_player_base"] == "all" else players - 1
    sign = -1 if reward else 1
    points = [sign * JACK_PER_PLAYER] * players
    points[jack] = -sign * JACK_PER_PLAYER * charged
    if not reward or rules.is_on("ej_three_keeps_40"):
        points[three] += THREE_PLAYED
    return points


def finish_points(pile: FinishedPile, players: int, rules: Ruleset) -> list[int]:
    """What a finished pile gives each player in the ruleset at hand."""
    if rules.preset == "evil_jacks" and pile.up and pile.jack is not None:
        one_eyed = pile.suit in ONE_EYED_SUITS
        return evil_jack_points(players, pile.jack, pile.three, one_eyed, rules)
    points = [0] * players
    plain = rules.preset == "evil_jacks"
    points[pile.three] = THREE_PLAYED if plain else three_bonus(pile.up, rules)
    return points
