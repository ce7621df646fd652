"""Bonuses of the games that start with a 9: the 3 that ends a pile, and the evil jacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.cards import JACK, Card, Colour
from referee.events import EventType, PlayEvent, Zone
from referee.fold import effective_events
from referee.legality import numbers_of
from referee.rulesets import Ruleset
from referee.schemes import THREE, Nine, Trend, scheme_of

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


def jack_transfers(pile: FinishedPile, players: int, rules: Ruleset) -> list[int]:
    """The part of `finish_points` that some pay to others and that must add up to nothing (I15): what a jack
    costs or brings, without the 40 for the 3."""
    if rules.preset != "evil_jacks" or not pile.up or pile.jack in (None, pile.three):
        return [0] * players
    points = finish_points(pile, players, rules)
    reward = pile.suit in ONE_EYED_SUITS and rules["one_eyed"] == "reward"
    if not reward or rules.is_on("ej_three_keeps_40"):
        points[pile.three] -= THREE_PLAYED
    return points


def finished_piles(
    log: Iterable[PlayEvent], rules: Ruleset, seats: Sequence[str]
) -> tuple[FinishedPile, ...]:
    """The piles that got their 3 according to the log, with who played jack and 3; the backs confirm them.

    Piles whose 3 has no known seat are left out: nobody is given points on a guess.
    """
    scheme = scheme_of(rules)
    if not isinstance(scheme, Nine):
        return ()
    piles: dict[str, list[tuple[Card, str | None]]] = {}
    done: list[FinishedPile] = []
    for event in effective_events(log):
        if event.zone is not Zone.SHARED or event.pile is None or event.card is None:
            continue
        pile = piles.setdefault(event.pile, [])
        if event.type is EventType.STARTED:
            pile.clear()
        if event.type in (EventType.STARTED, EventType.LANDED):
            pile.append((event.card, event.seat))
        elif event.type is EventType.WITHDRAWN:
            at = next((i for i in range(len(pile) - 1, -1, -1) if pile[i][0] == event.card), None)
            if at is not None:
                del pile[at]
    for pile in piles.values():
        at = next((i for i, (card, _) in enumerate(pile) if card.number == THREE and i > 0), None)
        if at is None or pile[at][1] not in seats:
            continue
        up = scheme.side(numbers_of([card for card, _ in pile[:at]])) is Trend.UP
        jack = next(((c, s) for c, s in pile[:at] if c.number == JACK and s in seats), None) if up else None
        done.append(
            FinishedPile(
                three=seats.index(str(pile[at][1])),
                up=up,
                jack=None if jack is None else seats.index(str(jack[1])),
                suit=None if jack is None else jack[0].colour,
            )
        )
    return tuple(done)
