"""Rulings as lines of the log: which are shown, and what two of them have in common."""

from __future__ import annotations

from referee.events import PlayEvent
from referee.rulings import Ruling

SHOWN = ("warning", "foul")
"""Severities that get evidence and a place on the review page."""

RulingKey = tuple[str, tuple[int, ...]]
"""Rule with severity, and the lines it speaks of: two rulings of one key say the same."""


def is_shown(line: PlayEvent) -> bool:
    """Whether the line is a ruling that somebody is to look at."""
    return str(line.extra.get("severity")) in SHOWN


def line_key(line: PlayEvent) -> RulingKey:
    """The key of a ruling that is in the log."""
    return f"{line.extra['rule']}/{line.extra['severity']}", tuple(line.extra["of"])


def ruling_key(ruling: Ruling) -> RulingKey:
    """The key of a ruling as the judge gives it."""
    return f"{ruling.rule}/{ruling.severity}", tuple(ruling.of)
