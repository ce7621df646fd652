"""What an audit finds: a level, the invariant it rests on, and one plain sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from referee.cards import Card


class Level(StrEnum):
    """How a finding is shown."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result of the audit. `id`: the invariant (I1-I15) or rule (E70) that it rests on."""

    level: Level
    id: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """The form of `count --json` and `round.json`."""
        return {"level": str(self.level), "id": self.id, "text": self.text}


def words(count: int, noun: str = "card") -> str:
    """`1 card`, `3 cards`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def named(cards: Iterable[Card]) -> str:
    """`red 1, red 2 and red 3`."""
    names = [card.words for card in cards]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
