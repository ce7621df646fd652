"""What single cards are worth, per face scheme."""

from __future__ import annotations

from collections.abc import Iterable

from referee.cards import ACE, Card
from referee.rulesets import Ruleset


def played_value(card: Card, rules: Ruleset) -> int:
    """Points for this card on a shared pile (RULES.md 1.5)."""
    number, unit = card.number, rules.number("card_points")
    match rules.options.get("face_scheme", "flat"):
        case "aces20":
            return 2 * unit if number == ACE else unit
        case "face_15":
            return 20 if number == ACE else 15 if number >= 10 else number
        case "face_jqk":
            return int(str(rules["ace"])) if number == ACE else number
        case "low_cards":
            return rules.number("low_value") if number <= 5 else unit
        case "swinging":
            return 20 if number == ACE else 15 if number >= 10 else 10
    return unit


def left_value(card: Card, rules: Ruleset) -> int:
    """Points lost for this card in the goal pile, as a positive number."""
    if rules.counts_faces and rules["bone_value"] == "full":
        return played_value(card, rules)
    return rules.number("goal_penalty")


def played_total(cards: Iterable[Card], rules: Ruleset) -> int:
    """Points of all these cards on shared piles."""
    return sum(played_value(card, rules) for card in cards)


def left_total(cards: Iterable[Card], rules: Ruleset) -> int:
    """Points lost for all these goal cards, as a positive number."""
    return sum(left_value(card, rules) for card in cards)
