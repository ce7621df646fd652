"""How shared piles grow, one scheme per kind of game: which numbers may follow, and where a pile ends.

Every scheme places the numbers on a line so that one legal step is one place up or down; variants override
predicates and constants, never the way in which a pile is walked.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from itertools import pairwise

from referee.cards import ACE, KING
from referee.rulesets import Ruleset

TWO, THREE, NINE = 2, 3, 9


class Trend(StrEnum):
    """The direction that a shared pile has taken."""

    UP = "up"
    DOWN = "down"


class Scheme:
    """Ascending piles: 1, 2, 3 ... to the last number."""

    start = ACE

    def __init__(self, last: int) -> None:
        self.last = last

    def step(self, below: int, above: int) -> Trend | None:
        """The direction of the step from `below` to `above`, or None if it is no step of this game."""
        return Trend.UP if above == below + 1 else None

    def trend(self, numbers: Sequence[int]) -> Trend | None:
        """The direction that the pile (bottom first) has taken; an illegal step makes it unknown again."""
        trend: Trend | None = None
        for below, above in pairwise(numbers):
            step = self.step(below, above)
            turned = trend is not None and step is not trend
            trend = None if turned else step
        return trend

    def is_terminal(self, numbers: Sequence[int]) -> bool:
        """Whether nothing may go on this pile any more."""
        return bool(numbers) and numbers[-1] == self.last

    def follows(self, numbers: Sequence[int]) -> frozenset[int]:
        """The numbers that may go on the pile."""
        if not numbers:
            return frozenset({self.start})
        if self.is_terminal(numbers):
            return frozenset()
        trend = self.trend(numbers)
        return frozenset(
            number
            for number in range(1, self.last + 1)
            if (step := self.step(numbers[-1], number)) is not None and trend in (None, step)
        )

    def fault(self, numbers: Sequence[int], number: int) -> str:
        """The rule id that names why `number` may not go on the pile's top: E12 or E14."""
        return "E12" if number > numbers[-1] else "E14"

    def height(self, numbers: Sequence[int]) -> int | None:
        """Cards in the pile as told by its top (invariant I1), or None if the top does not tell."""
        return numbers[-1] if numbers else 0

    @property
    def reverses(self) -> bool:
        """Whether a pile may come back to a number that it has shown before."""
        return False

    @property
    def full_height(self) -> int:
        """The most cards that one pile can hold."""
        return self.last


class Swinging(Scheme):
    """On the ace a 2 or the king, then only that way; the ace never goes on a pile."""

    def step(self, below: int, above: int) -> Trend | None:
        if ACE in (below, above):
            if below != ACE:
                return None
            return {TWO: Trend.UP, KING: Trend.DOWN}.get(above)
        return {1: Trend.UP, -1: Trend.DOWN}.get(above - below)

    def is_terminal(self, numbers: Sequence[int]) -> bool:
        if not numbers:
            return False
        trend = self.trend(numbers)
        return (trend is Trend.UP and numbers[-1] == KING) or (trend is Trend.DOWN and numbers[-1] == TWO)

    def fault(self, numbers: Sequence[int], number: int) -> str:
        trend = self.trend(numbers)
        top = numbers[-1]
        if trend is None:
            return "E12"
        if len(numbers) == 2 and self.step(numbers[0], number) is not None:
            return "E14"
        return "E12" if (number > top) is (trend is Trend.UP) else "E14"

    def height(self, numbers: Sequence[int]) -> int | None:
        if not numbers or numbers[-1] == ACE:
            return len(numbers[-1:])
        trend = self.trend(numbers)
        if trend is None:
            return None
        return numbers[-1] if trend is Trend.UP else 15 - numbers[-1]


class DoubleSwinging(Scheme):
    """One up or one down every time; never complete."""

    def __init__(self, ace_to_king: bool, two_king: bool, king_two: bool) -> None:
        super().__init__(KING)
        self._second = {TWO, KING} if ace_to_king else {TWO}
        self._jumps = {(TWO, KING)} if two_king else set()
        if king_two:
            self._jumps.add((KING, TWO))

    def step(self, below: int, above: int) -> Trend | None:
        if above == ACE:
            return None
        if below == ACE:
            return (Trend.UP if above == TWO else Trend.DOWN) if above in self._second else None
        if (below, above) in self._jumps:
            return Trend.DOWN if above == KING else Trend.UP
        return {1: Trend.UP, -1: Trend.DOWN}.get(above - below)

    def trend(self, numbers: Sequence[int]) -> Trend | None:
        return None

    def is_terminal(self, numbers: Sequence[int]) -> bool:
        return False

    def fault(self, numbers: Sequence[int], number: int) -> str:
        return "E12"

    def height(self, numbers: Sequence[int]) -> int | None:
        return 1 if list(numbers) == [ACE] else None

    @property
    def reverses(self) -> bool:
        return True

    @property
    def full_height(self) -> int:
        return KING * 8


class Nine(Scheme):
    """From 9 up over king, ace, 2 to the 3, or down to the 3; a 3 makes the pile dead."""

    start = NINE
    _UP = (9, 10, 11, 12, 13, 1, 2, 3)
    _DOWN = (9, 8, 7, 6, 5, 4, 3)

    def __init__(self, free: bool) -> None:
        super().__init__(KING)
        self._free = free

    def step(self, below: int, above: int) -> Trend | None:
        for line, trend in ((self._UP, Trend.UP), (self._DOWN, Trend.DOWN)):
            if below in line and above in line:
                move = line.index(above) - line.index(below)
                if move == 1:
                    return trend
                if move == -1 and above != THREE and below != THREE:
                    return Trend.DOWN if trend is Trend.UP else Trend.UP
        return None

    def side(self, numbers: Sequence[int]) -> Trend | None:
        """Whether the pile ran up or down from its 9: told by the last number before the 3."""
        for number in reversed(numbers):
            if number not in (NINE, THREE):
                return Trend.UP if number in self._UP else Trend.DOWN
        return None

    def trend(self, numbers: Sequence[int]) -> Trend | None:
        return None if self._free else super().trend(numbers)

    def is_terminal(self, numbers: Sequence[int]) -> bool:
        return bool(numbers) and numbers[-1] == THREE

    def fault(self, numbers: Sequence[int], number: int) -> str:
        top = numbers[-1]
        if self._free or self.trend(numbers) is None:
            return "E12"
        line = self._UP if self.side(numbers) is Trend.UP else self._DOWN
        if number not in line:
            return "E14"
        return "E12" if top in line and line.index(number) > line.index(top) else "E14"

    def height(self, numbers: Sequence[int]) -> int | None:
        if not numbers:
            return 0
        if self._free:
            return None
        top = numbers[-1]
        side = self.side(numbers)
        if top == NINE:
            return 1
        if side is None:
            return None
        return (self._UP if side is Trend.UP else self._DOWN).index(top) + 1

    @property
    def reverses(self) -> bool:
        return self._free

    @property
    def full_height(self) -> int:
        return KING * 8 if self._free else len(self._UP)


@cache
def scheme_of(rules: Ruleset) -> Scheme:
    """The scheme that a ruleset's shared piles grow by."""
    if rules.scheme == "swinging":
        return Swinging(KING)
    if rules.scheme == "double_swinging":
        two_king = rules.is_on("dsd_two_king")
        mirror = rules["dsd_king_two"]
        return DoubleSwinging(
            rules.is_on("dsd_ace_to_king"), two_king, two_king if mirror == "follow" else mirror == "on"
        )
    if rules.scheme == "nine":
        return Nine(rules["s9_direction"] == "free")
    return Scheme(10 if rules.deck_size == 40 else KING)
