"""A match as a fold over appended records: totals, ties, teams, people who come and go, edits, undo."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.lotto import pay_pot, pot_of
from referee.rulesets import Ruleset, changed_options, ruleset, ruleset_hash

FORMAT = "blitzref-match/1"
_KINDS = frozenset({"join", "leave", "rename", "team", "round", "edit", "undo"})


class MatchError(ValueError):
    """A record that does not fit the match so far; one plain sentence."""


@dataclass(frozen=True, slots=True)
class Played:
    """One round of the match. `scores` by player; `called_by`: who called; `penalties`: points lost for goal
    cards by player (positive); `edited`: whether a person changed it; `added`: what the pot paid."""

    scores: Mapping[str, int]
    called_by: str | None = None
    penalties: Mapping[str, int] = field(default_factory=dict)
    edited: bool = False
    deciding: bool = False
    added: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the match stands. `totals` by side (a player, or a team), in order of joining.

    `over`: the match is decided; `winners`: who won it (several if a tie is shared). `deciding`: a deciding
    round is due, played by `deciding_players`. `pot`: the lotto pot.
    """

    totals: Mapping[str, int]
    over: bool
    winners: tuple[str, ...]
    deciding: bool
    deciding_players: tuple[str, ...]
    pot: int


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
        """The rounds as they stand."""
        return tuple(self._fold().rounds)

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

    def _fold(self) -> _Fold:
        for index, record in enumerate(self.records):
            if record.get("type") not in _KINDS:
                raise MatchError(f"{record.get('type')!r} is no match record")
            if record["type"] == "undo" and not 0 <= int(record["of"]) < index:
                raise MatchError(f"there is no record {record['of']} to undo")
        fold = _Fold(self.rules)
        for _, record in self._standing_records():
            fold.take(record)
        return fold


class _Fold:
    """The match while its records are gone through."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.names: list[str] = []
        self.gone: set[str] = set()
        self.teams: dict[str, str] = {}
        self.rounds: list[Played] = []

    def take(self, record: Mapping[str, Any]) -> None:
        getattr(self, f"_{record['type']}")(record)

    def _known(self, name: str) -> str:
        if name not in self.names:
            raise MatchError(
                f"there is no player {name}; the players are {', '.join(self.names) or 'none yet'}"
            )
        return name

    def _join(self, record: Mapping[str, Any]) -> None:
        name = str(record["name"]).strip()
        if not name:
            raise MatchError("a player needs a name")
        if name in self.names and name not in self.gone:
            raise MatchError(f"there is a player {name} already: give the new one another name")
        if len(self.names) - len(self.gone) >= self.rules.number("max_players"):
            raise MatchError(f"at most {self.rules['max_players']} can play {self.rules.preset}")
        if name in self.gone:
            self.gone.discard(name)
        else:
            self.names.append(name)
        if record.get("team"):
            self.teams[name] = str(record["team"])

    def _leave(self, record: Mapping[str, Any]) -> None:
        self.gone.add(self._known(record["name"]))

    def _rename(self, record: Mapping[str, Any]) -> None:
        old, new = self._known(record["name"]), str(record["new"]).strip()
        if not new or new in self.names:
            raise MatchError(f"{old} cannot be renamed to {new or 'nothing'}: take a name that nobody has")
        self.names[self.names.index(old)] = new
        if old in self.gone:
            self.gone.discard(old)
            self.gone.add(new)
        if old in self.teams:
            self.teams[new] = self.teams.pop(old)

        def renamed(by_name: Mapping[str, int]) -> dict[str, int]:
            return {new if name == old else name: value for name, value in by_name.items()}

        self.rounds = [
            replace(
                played,
                scores=renamed(played.scores),
                penalties=renamed(played.penalties),
                added=renamed(played.added),
                called_by=new if played.called_by == old else played.called_by,
            )
            for played in self.rounds
        ]

    def _team(self, record: Mapping[str, Any]) -> None:
        name = self._known(record["name"])
        if record.get("team"):
            self.teams[name] = str(record["team"])
        else:
            self.teams.pop(name, None)

    def _round(self, record: Mapping[str, Any]) -> None:
        before = self.standing()
        if before.over:
            raise MatchError("the match is over: undo the last round or start a new match")
        scores = {self._known(name): int(score) for name, score in record["scores"].items()}
        due = before.deciding_players if before.deciding else tuple(self._playing())
        if self.rules["team_mode"] == "sum" or before.deciding:
            missing = [name for name in due if name not in scores]
            if missing:
                raise MatchError(f"the round has no score for {', '.join(missing)}")
        caller = record.get("called_by")
        if caller is not None and self._known(caller) not in scores:
            raise MatchError(f"{caller} called but has no score in this round")
        self.rounds.append(
            Played(scores, caller, dict(record.get("penalties") or {}), deciding=before.deciding)
        )

    def _edit(self, record: Mapping[str, Any]) -> None:
        number = int(record["round"])
        if not 1 <= number <= len(self.rounds):
            raise MatchError(f"there is no round {number}: {len(self.rounds)} have been played")
        changed = {self._known(name): int(score) for name, score in record["scores"].items()}
        old = self.rounds[number - 1]
        self.rounds[number - 1] = replace(old, scores={**old.scores, **changed}, edited=True)

    def _playing(self) -> list[str]:
        return [name for name in self.names if name not in self.gone]

    def side(self, name: str) -> str:
        """The team of a player, or the player."""
        return self.teams.get(name, name)

    def _pay(self) -> tuple[list[Played], int]:
        """The rounds with what the lotto pot paid in each, and what is in the pot now."""
        if not self.rules.is_on("lotto"):
            return self.rounds, 0
        pot, paid = 0, []
        for played in self.rounds:
            names = list(played.scores)
            scores = [played.scores[name] for name in names]
            caller = names.index(played.called_by) if played.called_by in names else None
            payout = pay_pot(pot, scores, self.rules, caller)
            penalties = [played.penalties.get(name, 0) for name in names]
            pot = payout.kept + pot_of(scores, self.rules, penalties)
            paid.append(replace(played, added=dict(zip(names, payout.added, strict=True))))
        return paid, pot

    def standing(self) -> Standing:
        """Totals and winners after the rounds so far."""
        rounds, pot = self._pay()
        totals: dict[str, int] = {self.side(name): 0 for name in self.names}
        called: dict[str, int] = dict.fromkeys(totals, 0)
        decided: tuple[str, ...] = ()
        over, deciding = False, False
        winners: tuple[str, ...] = ()
        for number, played in enumerate(rounds, start=1):
            for name, score in played.scores.items():
                totals[self.side(name)] += score + played.added.get(name, 0)
            if played.called_by is not None:
                called[self.side(played.called_by)] += 1
            over, deciding, winners = self._result(number, totals, called, decided)
            decided = winners if deciding else ()
        self.rounds = rounds
        tied = tuple(name for name in self._playing() if self.side(name) in decided)
        everybody = tuple(self._playing())
        due = tied if self.rules["deciding_players"] == "tied" else everybody
        return Standing(
            totals, over, winners if over else (), deciding, due if deciding else (), 0 if over else pot
        )

    def _result(
        self, number: int, totals: dict[str, int], called: dict[str, int], decided: tuple[str, ...]
    ) -> tuple[bool, bool, tuple[str, ...]]:
        """(over, deciding round due, the best) after a round."""
        sides = {self.side(name) for name in self._playing()}
        if decided and self.rules["deciding_players"] == "tied":
            sides &= set(decided)
        if not sides:
            return False, False, ()
        best = max(totals[side] for side in sides)
        rounds = self.rules.number("rounds")
        if not (number >= rounds if rounds else best >= self.rules.number("target")):
            return False, False, ()
        leaders = tuple(side for side in totals if side in sides and totals[side] == best)
        if self.rules["tie"] == "hands_called" and len(leaders) > 1:
            most = max(called[side] for side in leaders)
            leaders = tuple(side for side in leaders if called[side] == most)
        if len(leaders) == 1 or self.rules["tie"] == "shared":
            return True, False, leaders
        return False, True, leaders


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
    except json.JSONDecodeError as error:
        raise MatchError(f"the match cannot be read: it is not JSON ({error.msg})") from error
    if (
        not isinstance(data, dict)
        or data.get("format") != FORMAT
        or not isinstance(data.get("records"), list)
    ):
        raise MatchError(f"this is no match record: it should say format {FORMAT} and hold records")
    match = Match(ruleset(str(data.get("ruleset")), **dict(data.get("options") or {})))
    try:
        for record in data["records"]:
            match = match.append(record)
    except (KeyError, TypeError, AttributeError) as error:
        raise MatchError(f"a record of the match cannot be read: {error}") from error
    return match


_CSV_HEAD = ("round", "called_by", "edited")


def match_to_csv(match: Match) -> str:
    """The score sheet: a line a round with each player's score, then the totals."""
    names = match._fold().names
    out = io.StringIO()
    sheet = csv.writer(out, lineterminator="\n")
    sheet.writerow([*_CSV_HEAD, *names])
    for number, played in enumerate(match.rounds, start=1):
        scores = [_sum(played, name) for name in names]
        sheet.writerow([number, played.called_by or "", "yes" if played.edited else "", *scores])
    standing = match.standing
    fold = match._fold()
    sheet.writerow(["total", "", "", *(standing.totals[fold.side(name)] for name in names)])
    return out.getvalue()


def _sum(played: Played, name: str) -> int | str:
    if name not in played.scores:
        return ""
    return played.scores[name] + played.added.get(name, 0)


def match_from_csv(text: str, rules: Ruleset) -> Match:
    """A match from a score sheet as `match_to_csv` writes it; the totals are checked.

    Raises:
        MatchError: naming the line that cannot be read, or the total that does not fit.
    """
    rows = [row for row in csv.reader(io.StringIO(text)) if row]
    if not rows or tuple(rows[0][:3]) != _CSV_HEAD:
        raise MatchError(f"the sheet should start with the columns {', '.join(_CSV_HEAD)} and the players")
    names = rows[0][3:]
    match = Match(rules)
    for name in names:
        match = match.join(name)
    for number, row in enumerate(rows[1:], start=2):
        try:
            cells = dict(zip(names, row[3:], strict=True))
            scores = {name: int(cell) for name, cell in cells.items() if cell}
        except ValueError as error:
            raise MatchError(
                f"line {number} of the sheet cannot be read: give a whole number a player"
            ) from error
        if row[0] == "total":
            _check_totals(match, scores)
        else:
            match = match.round(scores, row[1] or None)
    return match


def _check_totals(match: Match, totals: Mapping[str, int]) -> None:
    for name, total in totals.items():
        if match.standing.totals[name] != total:
            raise MatchError(
                f"the total of {name} is {total}, but the rounds add up to {match.standing.totals[name]}"
            )


def replay(rules: Ruleset, records: Iterable[Mapping[str, Any]]) -> Match:
    """The match that these records amount to.

    Raises:
        MatchError: if one of them does not fit.
    """
    match = Match(rules)
    for record in records:
        match = match.append(record)
    return match
