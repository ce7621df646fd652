"""What was read for what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.cards import Colour

ALIKE = ("1", "6", "7", "9", "10")
"""The numbers that are most easily taken for each other."""
COLOURS = tuple(str(colour) for colour in Colour)
OTHER, UNREAD = "other", "unread"


class ConfusionTable:
    """How often each of the values `names` was read as which; one row a true value."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._pairs: Counter[tuple[str, str]] = Counter()

    def add(self, true: object, read: object | None) -> None:
        """One card: what it is and what was read, None for nothing. Other true values are left out."""
        if str(true) in self.names:
            column = UNREAD if read is None else str(read) if str(read) in self.names else OTHER
            self._pairs[str(true), column] += 1

    def to_json(self) -> dict[str, dict[str, int]]:
        """`{true: {read: how often}}`, without what never happened."""
        table: dict[str, dict[str, int]] = {}
        for true in self.names:
            row = {column: self._pairs[true, column] for column in (*self.names, OTHER, UNREAD)}
            if any(row.values()):
                table[true] = {column: times for column, times in row.items() if times}
        return table

    def lines(self, title: str) -> list[str]:
        """The table as text; nothing where no card was asked about."""
        table = self.to_json()
        if not table:
            return []
        shown = {column for row in table.values() for column in row} | table.keys()
        columns = [column for column in (*self.names, OTHER, UNREAD) if column in shown]
        wide = max(8, *(len(column) + 2 for column in (title, *columns)))
        lines = [f"{title:<{wide}}" + "".join(f"{column:>{wide}}" for column in columns)]
        for true, row in table.items():
            lines.append(f"{true:<{wide}}" + "".join(f"{row.get(column, 0):>{wide}}" for column in columns))
        return lines
