"""The fold behind a match: who plays, what was scored, and who has won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any

from referee.lotto import pay_pot, pot_of
from referee.rulesets import Ruleset


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


def whole(value: Any, what: str) -> int:
    """A whole number of a record.

    Raises:
        MatchError: if it is none.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise MatchError(f"{what} should be a whole number, not {value!r}")
    return int(value)


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise MatchError(f"{key} of a {record['type']} should be a name, not {value!r}")
    return value


def _points(record: Mapping[str, Any], key: str) -> dict[str, int]:
    value = record.get(key)
    if not isinstance(value, Mapping):
        raise MatchError(f"{key} of a {record['type']} should give a number for each player, not {value!r}")
    return {str(name): whole(points, f"{key} of {name}") for name, points in value.items()}


class MatchFold:
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
        name = _text(record, "name").strip()
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
        self.gone.add(self._known(_text(record, "name")))

    def _rename(self, record: Mapping[str, Any]) -> None:
        old, new = self._known(_text(record, "name")), _text(record, "new").strip()
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
        name = self._known(_text(record, "name"))
        if record.get("team"):
            self.teams[name] = str(record["team"])
        else:
            self.teams.pop(name, None)

    def _round(self, record: Mapping[str, Any]) -> None:
        before = self.standing()
        if before.over:
            raise MatchError("the match is over: undo the last round or start a new match")
        scores = {self._known(name): score for name, score in _points(record, "scores").items()}
        due = before.deciding_players if before.deciding else tuple(self._playing())
        if self.rules["team_mode"] == "sum" or before.deciding:
            missing = [name for name in due if name not in scores]
            if missing:
                raise MatchError(f"the round has no score for {', '.join(missing)}")
        penalties = _points(record, "penalties") if record.get("penalties") else {}
        caller = record.get("called_by")
        if caller is not None and self._known(caller) not in scores:
            raise MatchError(f"{caller} called but has no score in this round")
        self.rounds.append(Played(scores, caller, penalties, deciding=before.deciding))

    def _edit(self, record: Mapping[str, Any]) -> None:
        number = whole(record.get("round"), "the number of a round")
        if not 1 <= number <= len(self.rounds):
            raise MatchError(f"there is no round {number}: {len(self.rounds)} have been played")
        changed = {self._known(name): score for name, score in _points(record, "scores").items()}
        old = self.rounds[number - 1]
        self.rounds[number - 1] = replace(old, scores={**old.scores, **changed}, edited=True)

    def _playing(self) -> list[str]:
        return [name for name in self.names if name not in self.gone]

    def side(self, name: str) -> str:
        """The team of a player, or the player."""
        return self.teams.get(name, name)

    def paid(self) -> tuple[list[Played], int]:
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
        rounds, pot = self.paid()
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
