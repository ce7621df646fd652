"""Rounds and matches as files: reading, checking and scoring `round.json` without a camera."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.audit import Finding, audit_round, audit_scores
from referee.bonuses import FinishedPile
from referee.cards import Card, Colour
from referee.log_values import LogError, read_number
from referee.match import Match, match_from_data
from referee.options import nearest
from referee.penalties import FalseCall
from referee.rulesets import Ruleset, changed_options, for_players, ruleset
from referee.scoring import PlayerCount, RoundScore, score_round, transfers


class RoundError(ValueError):
    """A round file that cannot be scored; one plain sentence that says what to change."""


_ROUND_KEYS = frozenset(
    {"ruleset", "options", "players", "tops", "audit", "called_by", "t_called", "false_calls", "finished"}
)


@dataclass(frozen=True, slots=True)
class Round:
    """One counted round. `written`: the scores that the file itself gives, by player."""

    rules: Ruleset
    players: tuple[PlayerCount, ...]
    tops: tuple[Card, ...] | None = None
    called_by: str | None = None
    t_called: float | None = None
    false_calls: tuple[FalseCall, ...] = ()
    finished: tuple[FinishedPile, ...] = ()
    written: Mapping[str, int] | None = None

    def score(self) -> RoundScore:
        """The scores of the round.

        Raises:
            ScoringError: if a count is missing or impossible.
        """
        return score_round(self.rules, self.players, false_calls=self.false_calls, finished=self.finished)

    def audit(self) -> list[Finding]:
        """What the counts say against each other."""
        counted = all(p.played is not None or p.played_cards is not None for p in self.players)
        faces = {p.name: p.played_cards for p in self.players if p.played_cards is not None}
        findings = audit_round(
            self.tops,
            {p.name: p.played_count for p in self.players} if counted else None,
            faces if len(faces) == len(self.players) else None,
            ruleset=self.rules,
            players=self.players,
            called_by=self.called_by,
            false_calls=len(self.false_calls),
        )
        if self.written and self.tops is not None and len(self.written) == len(self.players):
            scores = [self.written[player.name] for player in self.players]
            lefts = [player.left_count for player in self.players]
            paid = transfers(self.rules, self.players, self.false_calls, self.finished)
            extra = [sum(line.points for line in player.lines) for player in self.score().players]
            bonuses = [all_ - own for all_, own in zip(extra, paid, strict=True)]
            findings += audit_scores(self.tops, lefts, scores, self.rules, paid, bonuses)
        return findings


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise RoundError(f"{what} should be an object in braces")
    return value


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise RoundError(f"{what} should be a list in brackets")
    return value


def _card(value: Any) -> Card:
    try:
        return Card.parse(value) if isinstance(value, str) else Card.from_json(_object(value, "a card"))
    except ValueError as error:
        raise RoundError(f"a card cannot be read: {error}") from error


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RoundError(f"{what} should be a whole number, not {value!r}")
    return value


def _switch(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise RoundError(f"{what} should be true or false, not {value!r}")
    return value


def _seconds(value: Any, what: str) -> float | None:
    if value is None:
        return None
    try:
        return read_number(value, what)
    except LogError as error:
        raise RoundError(str(error)) from error


def _counted(value: Any, what: str) -> tuple[int | None, tuple[Card, ...] | None]:
    """A count is given as a number or as the cards themselves."""
    if value is None:
        return None, None
    if isinstance(value, list):
        return None, tuple(_card(card) for card in value)
    return _whole(value, what), None


def read_player(data: Any, called_by: str | None = None) -> tuple[PlayerCount, int | None]:
    """One player of a round file, and the score that the file gives.

    Raises:
        RoundError: if something is missing or has the wrong form.
    """
    player = _object(data, "each player")
    name = player.get("name")
    if not isinstance(name, str) or not name.strip():
        raise RoundError("each player needs a name")
    played, played_cards = _counted(player.get("played_cards", player.get("played")), f"played of {name}")
    left, left_cards = _counted(player.get("left_cards", player.get("left")), f"left of {name}")
    written = player.get("score")
    return (
        PlayerCount(
            name,
            played,
            left,
            played_cards,
            left_cards,
            player.get("deck"),
            called=_switch(player.get("called", False), f"called of {name}") or name == called_by,
        ),
        None if written is None else _whole(written, f"score of {name}"),
    )


def _index(name: Any, names: Sequence[str], what: str) -> int:
    if name not in names:
        raise RoundError(f"{what} names {name!r}, who is not among the players {', '.join(names)}")
    return list(names).index(name)


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    options = given.get("options")
    return {} if options is None else _object(options, "options")


def _rules_of(round_: Mapping[str, Any], rules: Ruleset | None) -> Ruleset:
    """The rules of a round: its own ruleset and options on top of those of its match."""
    options = _options(round_)
    named = round_.get("ruleset")
    if rules is None:
        return ruleset("dutch_blitz" if named is None else str(named), **options)
    own = ruleset(rules.preset if named is None else str(named))
    if own.preset != rules.preset and not _same_game(own, rules):
        raise RoundError(
            f"a round of {own.preset} does not belong to a match of {rules.preset}: give both one ruleset"
        )
    return ruleset(own.preset, **changed_options(rules) | changed_options(own) | options)


def _same_game(one: Ruleset, other: Ruleset) -> bool:
    """Whether only the number of players tells these two presets apart."""
    return all(rules.preset.startswith("dutch_blitz") for rules in (one, other))


def read_round(data: Any, rules: Ruleset | None = None) -> Round:
    """Read a `round.json`. `rules`: those of its match, which hold where the round does not say otherwise.

    Raises:
        RoundError: if something is missing, unknown or has the wrong form.
        OptionError: if its ruleset does not exist.
    """
    round_ = _object(data, "a round")
    unknown = [key for key in round_ if key not in _ROUND_KEYS]
    if unknown:
        raise RoundError(f"a round has no key {unknown[0]}{nearest(unknown[0], sorted(_ROUND_KEYS))}")
    rules = _rules_of(round_, rules)
    called_by = round_.get("called_by")
    read = [read_player(player, called_by) for player in _list(round_.get("players"), "players")]
    names = [player.name for player, _ in read]
    if not names:
        raise RoundError("a round needs at least one player")
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise RoundError(f"two players are called {double}: give each another name")
    if called_by is not None:
        _index(called_by, names, "called_by")
    if len(names) >= 2 and rules.preset.startswith("dutch_blitz"):
        rules = for_players(rules, len(names))
    tops = round_.get("tops")
    return Round(
        rules=rules,
        players=tuple(player for player, _ in read),
        tops=None if tops is None else tuple(_card(top) for top in _list(tops, "tops")),
        called_by=called_by,
        t_called=_seconds(round_.get("t_called"), "t_called"),
        false_calls=tuple(
            FalseCall(
                _index(call.get("caller"), names, "a false call"),
                _switch(call.get("ace_drawn", False), "ace_drawn"),
            )
            for call in (
                _object(c, "a false call") for c in _list(round_.get("false_calls", []), "false_calls")
            )
        ),
        finished=tuple(
            _finished(_object(pile, "a finished pile"), names, rules)
            for pile in _list(round_.get("finished", []), "finished")
        ),
        written={player.name: score for player, score in read if score is not None} or None,
    )


def _finished(pile: Mapping[str, Any], names: Sequence[str], rules: Ruleset) -> FinishedPile:
    if rules.scheme != "nine":
        raise RoundError(
            f"finished piles are counted in starter9 and evil_jacks, not in {rules.preset}: leave them out"
        )
    jack, suit = pile.get("jack"), pile.get("suit")
    try:
        colour = None if suit is None else Colour(suit)
    except ValueError as error:
        raise RoundError(f"{suit!r} is no suit: give hearts, diamonds, clubs or spades") from error
    return FinishedPile(
        three=_index(pile.get("three"), names, "a finished pile"),
        up=_switch(pile.get("up", False), "up of a finished pile"),
        jack=None if jack is None else _index(jack, names, "a finished pile"),
        suit=colour,
    )


def write_round(round_: Round) -> dict[str, Any]:
    """The `round.json` of a scored round; the inverse of `read_round`."""
    scored = round_.score()
    players = []
    for player, score in zip(round_.players, scored.players, strict=True):
        entry: dict[str, Any] = {"name": player.name, "deck": player.deck}
        entry |= {"played": player.played_count, "left": player.left_count, "score": score.score}
        if player.played_cards is not None:
            entry["played_cards"] = [card.to_json() for card in player.played_cards]
        if player.left_cards is not None:
            entry["left_cards"] = [card.to_json() for card in player.left_cards]
        players.append(entry)
    names = [player.name for player in round_.players]
    data: dict[str, Any] = {"ruleset": round_.rules.preset, "players": players}
    if changed_options(round_.rules):
        data["options"] = changed_options(round_.rules)
    if round_.tops is not None:
        data["tops"] = [top.to_json() for top in round_.tops]
    if round_.false_calls:
        data["false_calls"] = [
            {"caller": names[call.caller], "ace_drawn": call.ace_drawn} for call in round_.false_calls
        ]
    if round_.finished:
        data["finished"] = [
            {
                "three": names[pile.three],
                "up": pile.up,
                "jack": None if pile.jack is None else names[pile.jack],
                "suit": None if pile.suit is None else str(pile.suit),
            }
            for pile in round_.finished
        ]
    return data | {
        "audit": [finding.to_json() for finding in round_.audit()],
        "called_by": round_.called_by,
        "t_called": round_.t_called,
    }


def score_json(data: Any) -> dict[str, Any]:
    """Score a round, or a match: `{"rounds": [...], "target": ...}`, or the record that `export` writes.

    A round gives `players` (name, score, text), `warnings` and `audit`; a match gives `rounds`, `totals`,
    `over`, `winners`, `deciding` and `target`. `agrees` is False where a written score differs or the audit
    finds fault.

    Raises:
        RoundError, ScoringError, OptionError, MatchError: one plain sentence each.
    """
    given = _object(data, "the file")
    if "records" in given:
        return _score_record(given)
    if "rounds" not in given:
        return _score_one(read_round(given))
    known = {"rounds", "target", "ruleset", "options", "teams"}
    unknown = [key for key in given if key not in known]
    if unknown:
        raise RoundError(f"a match has no key {unknown[0]}{nearest(unknown[0], sorted(known))}")
    items = _list(given["rounds"], "rounds")
    first = _object(items[0], "a round") if items else {}
    options = _options(given)
    if given.get("target") is not None:
        options = options | {"target": given["target"]}
    if given.get("ruleset") is None:
        rules = _rules_of(first | {"options": _options(first) | options}, None)
    else:
        rules = _rules_of({"ruleset": given["ruleset"], "options": options}, None)
    match = Match(rules)
    scored = []
    for item in items:
        round_ = read_round(item, rules)
        result = _score_one(round_)
        scores = {player["name"]: player["score"] for player in result["players"]}
        for name in scores:
            if name not in match.players:
                match = match.join(name, _team_of(name, given.get("teams")))
        for name in [name for name in match.players if name not in scores]:
            match = match.leave(name)
        penalties = {p.name: -p.left_points for p in round_.score().players}
        match = match.round(scores, round_.called_by, penalties)
        scored.append(result)
    return _standing(match, scored) | {"agrees": all(result["agrees"] for result in scored)}


def _standing(match: Match, rounds: list[dict[str, Any]]) -> dict[str, Any]:
    standing = match.standing
    return {
        "ruleset": match.rules.preset,
        "target": match.rules["target"],
        "rounds": rounds,
        "totals": dict(standing.totals),
        "over": standing.over,
        "winners": list(standing.winners),
        "deciding": standing.deciding,
        "pot": standing.pot,
    }


def _score_record(given: Mapping[str, Any]) -> dict[str, Any]:
    """The standing of an exported match, folded again from its records and held against the written one."""
    match = match_from_data(given)
    rounds: list[dict[str, Any]] = [
        {
            "ruleset": match.rules.preset,
            "players": [
                {"name": name, "score": score, "text": str(score)} for name, score in played.scores.items()
            ],
            "called_by": played.called_by,
            "warnings": [],
            "audit": [],
            "agrees": True,
        }
        for played in match.rounds
    ]
    found, written = _standing(match, rounds), given.get("standing")
    keys = ("totals", "over", "winners", "deciding", "pot")
    agrees = not isinstance(written, dict) or all(written.get(key, found[key]) == found[key] for key in keys)
    return found | {"agrees": agrees}


def _team_of(name: str, teams: Any) -> str | None:
    if teams is None:
        return None
    for team, members in _object(teams, "teams").items():
        if name in _list(members, f"the team {team}"):
            return str(team)
    return None


def _score_one(round_: Round) -> dict[str, Any]:
    scored = round_.score()
    findings = round_.audit()
    written = round_.written or {}
    warnings = list(scored.warnings)
    for player in scored.players:
        if player.name in written and written[player.name] != player.score:
            warnings.append(
                f"The file gives {player.name} {written[player.name]}, but {player.text}: check the sheet"
            )
    return {
        "ruleset": round_.rules.preset,
        "players": [
            {"name": player.name, "score": player.score, "text": player.text} for player in scored.players
        ],
        "called_by": round_.called_by,
        "warnings": warnings,
        "audit": [finding.to_json() for finding in findings],
        "agrees": not warnings and not any(f.level in ("warning", "error") for f in findings),
    }
