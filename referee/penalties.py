"""False calls: the points that change hands and the cards that go back on the goal pile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.rulesets import Ruleset


@dataclass(frozen=True, slots=True)
class FalseCall:
    """A false call of the player at index `caller`. `ace_drawn`: one of the three extra cards is an ace.
    `unit` overrides the points per player."""

    caller: int
    ace_drawn: bool = False
    unit: int | None = None


def false_call_unit(call: FalseCall, rules: Ruleset) -> int:
    """Points per player that this false call costs."""
    if rules["false_call"] != "transfer":
        return 0
    if call.unit is not None:
        return call.unit
    unit = rules.number("points_per_player")
    return 2 * unit if call.ace_drawn and rules.options.get("face_scheme") == "aces20" else unit


def false_call_points(call: FalseCall, players: int, rules: Ruleset) -> list[int]:
    """What each player gains or loses: the caller pays every other player (C13: or counts himself too)."""
    unit = false_call_unit(call, rules)
    payers = players if rules["per_player_base"] == "all" else players - 1
    return [-unit * payers if index == call.caller else unit for index in range(players)]


def redeemed_points(call: FalseCall, players: int, rules: Ruleset) -> list[int]:
    """The same after the false caller has emptied the pile rightly (C14): nothing, or what the others got."""
    if rules["false_call_redeem"] == "void":
        return [0] * players
    points = false_call_points(call, players, rules)
    points[call.caller] = 0
    return points


@dataclass(frozen=True, slots=True)
class FalseCallCards:
    """How the goal pile grows again: the bone card taken back and three more.

    `order` says which cards lie on top: the returned card, or the three extra ones (C18).
    """

    bone: int
    from_unturned: int
    from_turned_over_wood: int
    order: str


def false_call_cards(unturned: int, wood: int, bone_after_return: int, rules: Ruleset) -> FalseCallCards:
    """Three cards from the top of the unturned hand; if it is short, the wood is turned over for the rest.

    Raises:
        ValueError: if this table charges no cards.
    """
    if rules["false_call"] == "none":
        raise ValueError(f"a false call costs nothing in {rules.preset}")
    first = min(3, unturned)
    second = min(3 - first, wood)
    return FalseCallCards(bone_after_return + first + second, first, second, str(rules["false_call_order"]))


def next_correct_bonus(calls: Sequence[FalseCall], called_by: int | None, rules: Ruleset) -> int:
    """The bonus of the correct caller after at least one false call."""
    if called_by is None or not calls or rules["false_call"] != "transfer":
        return 0
    own = any(call.caller == called_by for call in calls)
    if own and not rules.is_on("bonus_to_false_caller"):
        return 0
    return rules.number("next_correct_bonus")
