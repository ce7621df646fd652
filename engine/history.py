"""The matches in the record: a list to search, and one of them with all that its score sheet needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.hub import MatchView
from engine.record import FILE_NAME, Reader, StoredMatch
from engine.scores import ScoredMatch, match_of, match_view
from referee.rulesets import OptionError


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One line of the history. `started_at` ISO 8601; `view` None where the game is not known here."""

    match_id: int
    started_at: str
    ruleset: str
    names: tuple[str, ...]
    rounds: int
    view: MatchView | None


class History:
    """The record of a data folder; matches that have not changed are folded once."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / FILE_NAME
        self._kept: dict[int, tuple[tuple[int, int], MatchSummary]] = {}

    def matches(self) -> tuple[MatchSummary, ...]:
        """Every match in which anything was played, the newest first."""
        reader = Reader(self._path)
        try:
            found = []
            for match_id, size in reader.match_sizes().items():
                if size[0] == 0:
                    continue
                known = self._kept.get(match_id)
                if known is None or known[0] != size:
                    stored = reader.match(match_id)
                    if stored is None:
                        continue
                    known = self._kept[match_id] = (size, _summary(stored))
                found.append(known[1])
            return tuple(found)
        finally:
            reader.close()

    def match(self, match_id: int) -> tuple[StoredMatch, ScoredMatch] | None:
        """One match with its rounds and its scores; None if there is none, or its game is not known here."""
        reader = Reader(self._path)
        try:
            stored = reader.match(match_id)
        finally:
            reader.close()
        try:
            return None if stored is None else (stored, match_of(stored))
        except OptionError:
            return None


def _summary(stored: StoredMatch) -> MatchSummary:
    try:
        view = match_view(stored.match_id, match_of(stored), stored.players)
    except OptionError:
        view = None
    names = tuple(player.name for player in stored.players)
    rounds = sum(bool(round_.log) for round_ in stored.rounds)
    return MatchSummary(stored.match_id, stored.started_at, stored.ruleset, names, rounds, view)


def search(matches: Sequence[MatchSummary], text: str) -> tuple[MatchSummary, ...]:
    """The matches in which every word of `text` occurs: in a name, the game or the date."""
    words = text.casefold().split()
    return tuple(
        match
        for match in matches
        if all(word in " ".join((*match.names, match.ruleset, match.started_at)).casefold() for word in words)
    )
