"""What the top of a shared pile tells of the cards under it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from referee.cards import Card
from referee.legality import numbers_of
from referee.rulesets import Ruleset
from referee.schemes import scheme_of


def cards_implied(pile: Card | Sequence[Card], rules: Ruleset) -> tuple[Card, ...] | None:
    """The cards in a shared pile as told by its top or its seen cards (I1, I4); None if they do not tell."""
    cards = (pile,) if isinstance(pile, Card) else tuple(pile)
    if not cards:
        return ()
    top, scheme = cards[-1], scheme_of(rules)
    if rules.scheme == "ascending":
        return tuple(Card(number, top.colour) for number in range(1, top.number + 1))
    numbers = numbers_of(cards)
    if scheme.height(numbers) is None:
        return None
    path = [scheme.start]
    trend = scheme.trend(numbers)
    while path[-1] != top.number:
        following = [n for n in scheme.follows(path) if scheme.step(path[-1], n) is trend]
        if not following:
            return None
        path.append(following[0])
    return tuple(Card(number, top.colour) for number in path)


def pile_height(pile: Card | Sequence[Card], rules: Ruleset) -> int | None:
    """Cards in a shared pile (I1), or None if its top does not tell."""
    implied = cards_implied(pile, rules)
    return None if implied is None else len(implied)


def predicted_faces(tops: Iterable[Card | Sequence[Card]], rules: Ruleset) -> Counter[Card] | None:
    """How often each face lies in the middle (I4), or None if a pile does not tell."""
    faces: Counter[Card] = Counter()
    for pile in tops:
        implied = cards_implied(pile, rules)
        if implied is None:
            return None
        faces.update(implied)
    return faces
