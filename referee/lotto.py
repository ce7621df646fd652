"""The lotto pot: negative rounds feed it, the best of the next round gets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.rulesets import Ruleset


def pot_of(scores: Sequence[int], rules: Ruleset, penalties: Sequence[int] | None = None) -> int:
    """What a round puts into the pot: its negative scores, or all goal penalties (`lotto_base`, C23).

    `penalties`: points lost for goal cards per player, positive; needed for `lotto_base=gross`.

    Raises:
        ValueError: if the penalties are needed and not given.
    """
    if rules["lotto_base"] == "net":
        return sum(max(0, -score) for score in scores)
    if penalties is None:
        raise ValueError("the pot of all penalties needs the goal cards of each player")
    return sum(penalties)


@dataclass(frozen=True, slots=True)
class Payout:
    """What each player gets from the pot, and what stays in it."""

    added: tuple[int, ...]
    kept: int


def pay_pot(pot: int, scores: Sequence[int], rules: Ruleset, caller: int | None = None) -> Payout:
    """Pay the pot of the round before. The best score is judged before the pot is added; level players split
    it and the remainder stays; the caller's share goes to the caller."""
    added = [0] * len(scores)
    share = rules["lotto_caller_share"]
    assert isinstance(share, float | int)
    to_caller = int(pot * share) if caller is not None else 0
    if caller is not None:
        added[caller] += to_caller
    rest = pot - to_caller
    best = [index for index, score in enumerate(scores) if score == max(scores)]
    if len(best) > 1 and rules["lotto_tie"] == "carry":
        return Payout(tuple(added), rest)
    for index in best:
        added[index] += rest // len(best)
    return Payout(tuple(added), rest % len(best))
