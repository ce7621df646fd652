"""A match as a fold over appended records: totals, ties, teams, people who come and go, edits, undo."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.match_fold import MatchError, MatchFold, Played, Standing, whole
from referee.rulesets import Ruleset, changed_options, ruleset, ruleset_hash

FORMAT = "blitzref-match/1"
_KINDS = frozenset({"join", "leave", "rename", "team", "round", "edit", "undo"})


@dataclass(frozen=True)
class Match:
    """A ruleset and the records so far. Records are only ever appended; `undo` takes an earlier one back.

    >>> match = Match(ruleset("dutch_blitz")).join("Ann").join("Ben").round({"Ann": 8, "Ben": -6})
    >>> match.standing.totals
    {'Ann': 8, 'Ben': -6}
    """

    rules: Ruleset
    records: tuple[Mapping[str, Any], ...] = ()

    def append(self, record: Mapping[str, Any]) -> Match:
        """The match with one more record, checked.

        Raises:
            MatchError: if the record does not fit.
        """
        longer = replace(self, records=(*self.records, dict(record)))
        longer._fold()
        return longer

    def join(self, name: str, team: str | None = None) -> Match:
        """A player joins, with the total 0 (or the team's)."""
        return self.append({"type": "join", "name": name, "team": team})

    def leave(self, name: str) -> Match:
        """A player leaves; the total stays on the sheet but can no longer win."""
        return self.append({"type": "leave", "name": name})

    def rename(self, old: str, new: str) -> Match:
        """A player takes another name; all rounds follow."""
        return self.append({"type": "rename", "name": old, "new": new})

    def team(self, name: str, team: str | None) -> Match:
        """A player plays for a team from the start of the match; None plays alone."""
        return self.append({"type": "team", "name": name, "team": team})

    def round(
        self,
        scores: Mapping[str, int],
        called_by: str | None = None,
        penalties: Mapping[str, int] | None = None,
    ) -> Match:
        """A round is entered."""
        record = {"type": "round", "scores": dict(scores), "called_by": called_by}
        return self.append(record | {"penalties": dict(penalties or {})})

    def edit(self, number: int, scores: Mapping[str, int], by: str) -> Match:
        """A person changes scores of round `number` (from 1)."""
        return self.append({"type": "edit", "round": number, "scores": dict(scores), "by": by})

    def undo(self, index: int | None = None) -> Match:
        """Take a record back: the last one that stands, or the one at `index`.

        Raises:
            MatchError: if there is nothing to take back.
        """
        if index is None:
            standing = [i for i, _ in self._standing_records()]
            if not standing:
                raise MatchError("there is nothing to undo")
            index = standing[-1]
        return self.append({"type": "undo", "of": index})

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays at the moment, in order of joining."""
        fold = self._fold()
        return tuple(name for name in fold.names if name not in fold.gone)

    @property
    def rounds(self) -> tuple[Played, ...]:
        """The rounds as they stand, with what the lotto pot paid in each."""
        return tuple(self._fold().paid()[0])

    @property
    def standing(self) -> Standing:
        """Totals and who has won."""
        return self._fold().standing()

    def _standing_records(self) -> list[tuple[int, Mapping[str, Any]]]:
        undone: set[int] = set()
        for index in range(len(self.records) - 1, -1, -1):
            record = self.records[index]
            if record.get("type") == "undo" and index not in undone:
                undone.add(int(record["of"]))
        return [
            (index, record)
            for index, record in enumerate(self.records)
            if index not in undone and record.get("type") != "undo"
        ]

    def _fold(self) -> MatchFold:
        for index, record in enumerate(self.records):
            if str(record.get("type")) not in _KINDS:
                raise MatchError(f"{record.get('type')!r} is no match record")
            if record["type"] == "undo" and not 0 <= whole(record.get("of"), "of of an undo") < index:
                raise MatchError(f"there is no record {record['of']} to undo")
        fold = MatchFold(self.rules)
        for _, record in self._standing_records():
            fold.take(record)
        return fold


def team_rounds(teams: Sequence[Sequence[int]], scores: Sequence[int]) -> list[int]:
    """What each team made in a round: the sum of its members' scores (DB9)."""
    return [sum(scores[member] for member in team) for team in teams]


def match_to_json(match: Match) -> str:
    """The whole record of a match: rules, records and where it stands."""
    standing = match.standing
    return json.dumps(
        {
            "format": FORMAT,
            "ruleset": match.rules.preset,
            "options": changed_options(match.rules),
            "ruleset_hash": ruleset_hash(match.rules),
            "records": list(match.records),
            "standing": {
                "totals": dict(standing.totals),
                "over": standing.over,
                "winners": list(standing.winners),
                "deciding": standing.deciding,
                "pot": standing.pot,
            },
        },
        ensure_ascii=False,
        indent=1,
    )


def match_from_json(text: str) -> Match:
    """The inverse of `match_to_json`.

    Raises:
        MatchError: if the text is no match of this program.
        OptionError: if its ruleset does not exist here.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MatchError("the match cannot be read: it is not JSON") from error
    return match_from_data(data)


def match_from_data(data: Any) -> Match:
    """The match in the object that `match_to_json` writes.

    Raises:
        MatchError: if it is no match of this program.
        OptionError: if its ruleset does not exist here.
    """
    if (
        not isinstance(data, dict)
        or data.get("format") != FORMAT
        or not isinstance(data.get("records"), list)
    ):
        raise MatchError(f"this is no match record: it should say format {FORMAT} and hold records")
    options = data.get("options") or {}
    if not isinstance(options, dict) or not all(isinstance(record, dict) for record in data["records"]):
        raise MatchError("the options and each record of a match should be objects in braces")
    return replay(ruleset(str(data.get("ruleset")), **options), data["records"])


_CSV_HEAD = ("round", "called_by", "edited")


def match_to_csv(match: Match) -> str:
    """The score sheet: a line a round with each player's score, then the totals.

    Further lines where a match has them: `team` and `left` of the players, and after a round its goal
    `penalties` and what the `pot` paid, which are kept for the lotto.
    """
    fold = match._fold()
    names = fold.names
    out = io.StringIO()
    sheet = csv.writer(out, lineterminator="\n")

    def line(kind: object, cells: Mapping[str, object], called_by: str = "", edited: str = "") -> None:
        sheet.writerow([kind, called_by, edited, *(cells.get(name, "") for name in names)])

    sheet.writerow([*_CSV_HEAD, *names])
    if fold.teams:
        line("team", fold.teams)
    for number, played in enumerate(match.rounds, start=1):
        line(number, played.scores, played.called_by or "", "yes" if played.edited else "")
        if match.rules.is_on("lotto"):
            line("penalties", played.penalties)
            line("pot", played.added)
    if fold.gone:
        line("left", dict.fromkeys(fold.gone, "yes"))
    totals = match.standing.totals
    line("total", {name: totals[fold.side(name)] for name in names})
    return out.getvalue()


def match_from_csv(text: str, rules: Ruleset) -> Match:
    """A match from a score sheet as `match_to_csv` writes it; the totals are checked.

    Who has no score in a round did not play in it, unless only those who were level did, or one of a team.

    Raises:
        MatchError: naming the line that cannot be read, or the total that does not fit.
    """
    rows = [row for row in csv.reader(io.StringIO(text)) if row]
    if not rows or tuple(rows[0][:3]) != _CSV_HEAD:
        raise MatchError(f"the sheet should start with the columns {', '.join(_CSV_HEAD)} and the players")
    names = rows[0][3:]
    lines: list[tuple[str, str, str, dict[str, int]]] = []
    words: dict[str, dict[str, str]] = {}
    for number, row in enumerate(rows[1:], start=2):
        try:
            cells = {name: cell for name, cell in zip(names, row[3:], strict=True) if cell}
            if row[0] in ("team", "left"):
                words[row[0]] = cells
            else:
                lines.append((row[0], row[1], row[2], {name: int(cell) for name, cell in cells.items()}))
        except ValueError as error:
            raise MatchError(
                f"line {number} of the sheet cannot be read: give a whole number a player"
            ) from error
    penalties = [cells for kind, _, _, cells in lines if kind == "penalties"]
    match = Match(rules)
    for name in names:
        match = match.join(name, words.get("team", {}).get(name))
    for kind, caller, edited, scores in lines:
        if kind == "total":
            _check_totals(match, scores)
        elif kind not in ("penalties", "pot"):
            match = _seated(match, scores)
            number = len(match.rounds)
            match = match.round(scores, caller or None, penalties[number] if penalties else None)
            if edited:
                match = match.edit(number + 1, {}, by="sheet")
    for name in [name for name in words.get("left", {}) if name in match.players]:
        match = match.leave(name)
    return match


def _seated(match: Match, scores: Mapping[str, int]) -> Match:
    """The match with those at the table who have a score in the round that comes."""
    for name in [name for name in scores if name not in match.players]:
        match = match.join(name)
    if match.rules["team_mode"] == "sum" and not match.standing.deciding:
        for name in [name for name in match.players if name not in scores]:
            match = match.leave(name)
    return match


def _check_totals(match: Match, totals: Mapping[str, int]) -> None:
    for name, total in totals.items():
        added = match.standing.totals[match._fold().side(name)]
        if added != total:
            raise MatchError(f"the total of {name} is {total}, but the rounds add up to {added}")


def replay(rules: Ruleset, records: Iterable[Mapping[str, Any]]) -> Match:
    """The match that these records amount to.

    Raises:
        MatchError: if one of them does not fit.
    """
    match = Match(rules)
    for record in records:
        match = match.append(record)
    return match


__all__ = [
    "Match",
    "MatchError",
    "Played",
    "Standing",
    "match_from_csv",
    "match_from_data",
    "match_from_json",
    "match_to_csv",
    "match_to_json",
    "replay",
    "team_rounds",
]
