"""What may be put where: verdicts that name the rules a card would break, never a bare yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.cards import ACE, Card, Family
from referee.rulesets import Ruleset
from referee.schemes import Trend, scheme_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a card may not lie where it was put: rule ids, the most telling one first; empty when it may.

    `option` is the option that made the difference, where one did.
    """

    why: tuple[str, ...] = ()
    option: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the rules allow it."""
        return not self.why

    @property
    def rule(self) -> str | None:
        """The rule that is named to the table."""
        return self.why[0] if self.why else None


LEGAL = Verdict()


def pile_cards(pile: Sequence[Card] | Card | None) -> tuple[Card, ...]:
    """A pile as its cards, bottom first; a single card stands for a pile whose top alone is known."""
    if pile is None:
        return ()
    return (pile,) if isinstance(pile, Card) else tuple(pile)


def numbers_of(cards: Sequence[Card]) -> tuple[int, ...]:
    """The numbers of the pile's cards since its colour last changed: only those can tell a direction."""
    for index in range(len(cards) - 1, 0, -1):
        if cards[index].colour is not cards[index - 1].colour:
            return tuple(card.number for card in cards[index:])
    return tuple(card.number for card in cards)


def check_shared(pile: Sequence[Card] | Card | None, card: Card, rules: Ruleset) -> Verdict:
    """Whether `card` may go on a shared pile (its seen cards, bottom first; empty or None opens a pile).

    >>> from referee.rulesets import ruleset
    >>> check_shared(Card.parse("red5"), Card.parse("blue6"), ruleset("dutch_blitz")).why
    ('E11',)

    Raises:
        ValueError: if the card belongs to another kind of deck than the game.
    """
    if card.family is not rules.family:
        raise ValueError(f"the {card.words} does not belong to a deck of {rules.preset}")
    cards = pile_cards(pile)
    scheme = scheme_of(rules)
    if not cards:
        return LEGAL if card.number == scheme.start else Verdict(("E10",))
    numbers = numbers_of(cards)
    top = cards[-1]
    why: list[str] = []
    if card == top:
        why.append("E13")
    if card.number == ACE and rules.scheme in ("swinging", "double_swinging"):
        why.append("E16")
    if scheme.is_terminal(numbers):
        why.append("E15")
    if card.colour is not top.colour:
        why.append("E11")
    if card.number not in scheme.follows(numbers) and card.number != top.number and why in ([], ["E11"]):
        why.append(scheme.fault(numbers, card.number))
    step = why in (["E12"], ["E14"])
    return Verdict(tuple(why), _option_of(top, card, rules) if step else None)


def missed_between(pile: Sequence[Card] | Card | None, card: Card, rules: Ruleset) -> Card | None:
    """The one card that, laid on a shared pile unseen, made it lawful to put `card` there; None if `card` may
    go on the pile as it is, or no card or several would do.

    >>> from referee.rulesets import ruleset
    >>> str(missed_between(Card.parse("red5"), Card.parse("red7"), ruleset("dutch_blitz")))
    'red6'

    Raises:
        ValueError: if the card belongs to another kind of deck than the game.
    """
    if check_shared(pile, card, rules).ok:
        return None
    cards = pile_cards(pile)
    if cards and cards[-1].family is not rules.family:
        return None
    colour = cards[-1].colour if cards else card.colour
    nexts = [Card(number, colour) for number in scheme_of(rules).follows(numbers_of(cards))]
    fitting = [
        one
        for one in nexts
        if check_shared(cards, one, rules).ok and check_shared((*cards, one), card, rules).ok
    ]
    return fitting[0] if len(fitting) == 1 else None


def _option_of(top: Card, card: Card, rules: Ruleset) -> str | None:
    """The option under which this step would have been legal."""
    if rules.scheme == "double_swinging":
        jump = {(2, 13): "dsd_two_king", (13, 2): "dsd_king_two", (1, 13): "dsd_ace_to_king"}
        return jump.get((top.number, card.number))
    if rules.scheme == "nine" and abs(top.number - card.number) in (1, 12):
        return "s9_direction"
    return None


def is_complete(pile: Sequence[Card] | Card, rules: Ruleset) -> bool:
    """Whether a shared pile has reached its end: nothing may go on it any more."""
    cards = pile_cards(pile)
    return bool(cards) and scheme_of(rules).is_terminal(numbers_of(cards))


def trend_of(pile: Sequence[Card] | Card, rules: Ruleset) -> Trend | None:
    """The direction that a shared pile has taken, as far as its seen cards tell."""
    return scheme_of(rules).trend(numbers_of(pile_cards(pile)))


def same_side_group(one: Card, other: Card) -> bool:
    """Whether two cards may NOT be neighbours on a side pile: both boys or girls, both red or black."""
    if one.family is Family.BLITZ:
        return one.is_boy == other.is_boy
    return one.is_red == other.is_red


def check_side(
    pile: Sequence[Card] | Card | None,
    card: Card,
    rules: Ruleset,
    source: str | None = None,
    goal_left: int | None = None,
) -> Verdict:
    """Whether `card` may go on a player's own side pile (bottom first; empty or None opens the place).

    `source` is where the card came from if that was seen: `goal`, `wood`, `hand`, or `side`, with the pile's
    name after a colon or without. `goal_left`: the player's goal cards, where they are known.

    >>> from referee.rulesets import ruleset
    >>> check_side(None, Card.parse("red5"), ruleset("dutch_blitz"), "side:2").why
    ('E34',)
    """
    cards = pile_cards(pile)
    zone = None if source is None else source.partition(":")[0]
    if zone == "hand":
        return Verdict(("E38",))
    if not cards:
        return _check_opening(zone, rules, goal_left)
    top = cards[-1]
    why: list[str] = []
    if card.number != top.number - 1:
        why.append("E30")
    if same_side_group(top, card):
        why.append("E31")
    if not rules.is_on("side_building"):
        return Verdict(tuple(why) or ("E30",), "side_building")
    return Verdict(tuple(why))


def _check_opening(zone: str | None, rules: Ruleset, goal_left: int | None) -> Verdict:
    """Whether a card from `zone` may open an empty place: where it is refilled from the goal pile, no other
    may, but for wood cards once that pile is empty at a table that plays on so (C7, C37)."""
    goal_only = rules["space_fill"] == "goal_only"
    if zone in (None, "goal") or not (goal_only or rules["refill"] == "must"):
        return LEGAL
    plays_on = zone == "wood" and goal_left in (0, None) and rules.is_on("until_no_play")
    if plays_on and rules.is_on("unp_posts_take_wood"):
        return LEGAL
    if plays_on and goal_left == 0:
        return Verdict(("E34",), "unp_posts_take_wood")
    return Verdict(("E34",), "space_fill" if goal_only else "refill")
