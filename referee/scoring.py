"""The score of a round, its arithmetic spelled out per player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.bonuses import FinishedPile, finish_points, jack_transfers
from referee.cards import Card
from referee.findings import named
from referee.penalties import FalseCall, false_call_points, next_correct_bonus, redeemed_points
from referee.rulesets import Ruleset
from referee.values import left_total, played_total


class ScoringError(ValueError):
    """Counts that cannot be scored; one plain sentence that says what is missing."""


@dataclass(frozen=True, slots=True)
class PlayerCount:
    """What was counted for one player: cards on shared piles and goal cards left, as numbers or as cards."""

    name: str
    played: int | None = None
    left: int | None = None
    played_cards: tuple[Card, ...] | None = None
    left_cards: tuple[Card, ...] | None = None
    deck: str | None = None
    called: bool = False

    @property
    def played_count(self) -> int:
        """Cards on shared piles.

        Raises:
            ScoringError: if they were not counted.
        """
        return self._counted(self.played, self.played_cards, "on the shared piles")

    @property
    def left_count(self) -> int:
        """Goal cards left.

        Raises:
            ScoringError: if they were not counted.
        """
        return self._counted(self.left, self.left_cards, "left in the goal pile")

    def _counted(self, number: int | None, cards: tuple[Card, ...] | None, where: str) -> int:
        if number is None and cards is None:
            raise ScoringError(f"the cards of {self.name} {where} have not been counted")
        if number is not None and cards is not None and number != len(cards):
            raise ScoringError(f"{self.name} has {len(cards)} cards {where}, but {number} were entered")
        if cards is not None:
            return len(cards)
        assert number is not None
        if number < 0:
            raise ScoringError(f"{self.name} cannot have {number} cards {where}")
        return number


@dataclass(frozen=True, slots=True)
class Line:
    """One further item of a player's score."""

    text: str
    points: int


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One player's round. `text` spells the arithmetic out: `14 - 2 x 3 = 8`."""

    name: str
    played_points: int
    left_points: int
    lines: tuple[Line, ...]
    score: int
    text: str


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The scores of a round in the order of the players. `warnings`: counts that cannot quite be right."""

    players: tuple[PlayerScore, ...]
    warnings: tuple[str, ...] = ()

    @property
    def scores(self) -> tuple[int, ...]:
        """The players' scores."""
        return tuple(player.score for player in self.players)


def score_round(
    rules: Ruleset,
    players: Sequence[PlayerCount],
    *,
    false_calls: Sequence[FalseCall] = (),
    finished: Sequence[FinishedPile] = (),
    void: Mapping[str, Sequence[Card]] | None = None,
) -> RoundScore:
    """Score a round from its counts, false calls and (games that start with a 9) finished piles.

    `void`: by player the counted cards that do not count, because they were put down wrongly (C32).

    >>> from referee.rulesets import ruleset
    >>> score_round(ruleset("dutch_blitz"), [PlayerCount("Ann", 14, 3)]).players[0].text
    '14 - 2 x 3 = 8'

    Raises:
        ScoringError: if a count is missing, impossible, or the faces are needed and not given.
    """
    callers = [i for i, player in enumerate(players) if player.called and player.left_count == 0]
    lines: list[list[Line]] = [[] for _ in players]
    for index in callers:
        if rules.number("call_bonus"):
            lines[index].append(Line("call", rules.number("call_bonus")))
    for call in false_calls:
        redeemed = call.caller in callers
        points = (redeemed_points if redeemed else false_call_points)(call, len(players), rules)
        _add(lines, points, f"false call of {players[call.caller].name}")
    for index in callers:
        bonus = next_correct_bonus(false_calls, index, rules)
        if bonus:
            lines[index].append(Line("correct call after a false one", bonus))
    for index, player in enumerate(players):
        wrong = (void or {}).get(player.name, ())
        if wrong:
            worth = (
                played_total(wrong, rules) if rules.counts_faces else len(wrong) * rules.number("card_points")
            )
            lines[index].append(Line(f"{named(wrong)} put down wrongly", -worth))
    for pile in finished:
        _add(lines, finish_points(pile, len(players), rules), "pile finished with the 3")
    scored = [_score(rules, player, extra) for player, extra in zip(players, lines, strict=True)]
    return RoundScore(tuple(scored), tuple(_warnings(rules, players)))


def transfers(
    rules: Ruleset,
    players: Sequence[PlayerCount],
    false_calls: Sequence[FalseCall] = (),
    finished: Sequence[FinishedPile] = (),
) -> list[int]:
    """Per player what was paid and got between players: it adds up to nothing (I15), unlike the bonuses."""
    paid = [0] * len(players)
    given = [
        false_call_points(call, len(players), rules)
        for call in false_calls
        if not (players[call.caller].called and players[call.caller].left_count == 0)
    ]
    given += [jack_transfers(pile, len(players), rules) for pile in finished]
    for points in given:
        paid = [sum(pair) for pair in zip(paid, points, strict=True)]
    return paid


def _add(lines: list[list[Line]], points: Sequence[int], text: str) -> None:
    for own, gained in zip(lines, points, strict=True):
        if gained:
            own.append(Line(text, gained))


def _score(rules: Ruleset, player: PlayerCount, extra: list[Line]) -> PlayerScore:
    played, left = player.played_count, player.left_count
    _check_bounds(rules, player, played, left)
    unit, penalty = rules.number("card_points"), rules.number("goal_penalty")
    if rules.counts_faces:
        if (played and player.played_cards is None) or (left and player.left_cards is None):
            raise ScoringError(
                f"the cards of {player.name} are needed face up: in this game their values count,"
                " not their number"
            )
        gained = played_total(player.played_cards or (), rules)
        lost = left_total(player.left_cards or (), rules)
        text = f"{gained} - {lost}"
    else:
        gained, lost = unit * played, penalty * left
        text = f"{_times(unit, played)} - {_times(penalty, left)}"
    score = gained - lost + sum(line.points for line in extra)
    for line in extra:
        text += f" {'+' if line.points > 0 else '-'} {abs(line.points)} ({line.text})"
    return PlayerScore(player.name, gained, -lost, tuple(extra), score, f"{text} = {score}")


def _times(value: int, count: int) -> str:
    return str(count) if value == 1 else f"{value} x {count}"


def _check_bounds(rules: Ruleset, player: PlayerCount, played: int, left: int) -> None:
    if played + left > rules.deck_size:
        raise ScoringError(
            f"{player.name} has {played} played and {left} left, more than the {rules.deck_size} cards"
            " of a deck"
        )
    if rules["played_limit"] == "strict" and played > rules.most_played:
        raise ScoringError(
            f"{player.name} cannot have played {played} cards: with refilled side piles"
            f" {rules.most_played} is the most"
        )
    grown = rules["false_call"] != "none"
    if left > rules.number("goal_size") and not grown:
        raise ScoringError(
            f"{player.name} cannot have {left} goal cards left: the goal pile starts with"
            f" {rules['goal_size']}"
        )


def _warnings(rules: Ruleset, players: Sequence[PlayerCount]) -> list[str]:
    warnings = []
    for player in players:
        if player.played_count > rules.most_played:
            warnings.append(
                f"{player.name} has {player.played_count} played cards, but with refilled side piles"
                f" {rules.most_played} is the most: count again"
            )
        if player.called and player.left_count > 0:
            warnings.append(
                f"{player.name} called but has {player.left_count} goal cards left: wrong caller or"
                " false call?"
            )
    return warnings
