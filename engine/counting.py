"""What people said when they counted a round, folded from its log; the last word of each kind counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.hub import CountEntry
from referee.cards import Card
from referee.events import EventType, PlayEvent
from referee.fold import standing_corrections


@dataclass(frozen=True, slots=True)
class CountNotes:
    """What was said beside the numbers.

    `caller_named`: whether somebody said who called; then `called_by` is the player, or None for nobody.
    `more_tops`: tops of piles that the camera missed. `answered`: the audit's sentences to which the table
    answered that the count is right all the same.
    """

    caller_named: bool = False
    called_by: str | None = None
    more_tops: tuple[Card, ...] = ()
    answered: frozenset[str] = frozenset()


def _count_lines(log: Iterable[PlayEvent]) -> list[PlayEvent]:
    return [line for line in standing_corrections(log) if line.extra.get("action") == "count"]


def fold_counts(log: Iterable[PlayEvent]) -> tuple[CountEntry, ...]:
    """The last count of each player; later lines replace the values that they give.

    Raises:
        KeyError, TypeError, ValueError: if a line cannot be read.
    """
    entries: dict[str, CountEntry] = {}
    for line in _count_lines(log):
        for said in line.extra.get("entries", ()):
            player = str(said["player"])
            given = {key: said[key] for key in ("played", "left", "machine_played") if key in said}
            for key in ("faces", "faces_left"):
                if key in said:
                    given[key] = None if said[key] is None else tuple(map(Card.from_json, said[key]))
            entries[player] = replace(entries.get(player, CountEntry(player)), **given)
    return tuple(entries.values())


def fold_notes(log: Iterable[PlayEvent]) -> CountNotes:
    """What was said beside the numbers.

    Raises:
        KeyError, TypeError, ValueError: if a line cannot be read.
    """
    notes = CountNotes()
    for line in _count_lines(log):
        said = line.extra
        if "called_by" in said:
            name = said["called_by"]
            notes = replace(notes, caller_named=True, called_by=None if name is None else str(name))
        if "more_tops" in said:
            notes = replace(notes, more_tops=tuple(map(Card.from_json, said["more_tops"])))
        if "answered" in said:
            notes = replace(notes, answered=notes.answered | set(map(str, said["answered"])))
    return notes


def changed_after_confirming(log: Iterable[PlayEvent]) -> bool:
    """Whether anything was counted or corrected after the score was first confirmed."""
    confirmed = False
    for line in log:
        if line.extra.get("confirmed") is True:
            confirmed = True
        elif confirmed and line.type is EventType.CORRECTION and "confirmed" not in line.extra:
            return True
    return False
