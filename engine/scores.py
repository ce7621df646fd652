"""From counts to scores: the draft of the round, and the match as a fold over confirmed rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine.hub import CountEntry, DraftScore, MatchView, Phase, PlayerView, RoundResult, RoundView
from engine.record import FILE_NAME, Reader, RecordError, StoredMatch, StoredRound
from engine.round_fold import fold_round
from referee import late_errors
from referee.audit import audit_round
from referee.bonuses import finished_piles
from referee.cards import Card
from referee.events import EventType, PlayEvent
from referee.findings import Finding, Level
from referee.fold import opinions
from referee.match import Match, MatchError, match_to_csv, match_to_json
from referee.options import shown
from referee.penalties import FalseCall
from referee.rule_texts import Severity
from referee.rulesets import Ruleset, changed_options, for_players, ruleset
from referee.rulings import Ruling
from referee.scoring import PlayerCount, PlayerScore, RoundScore, ScoringError, score_round


@dataclass(frozen=True, slots=True)
class ScoredMatch:
    """A match and its confirmed rounds."""

    match: Match
    results: tuple[RoundResult, ...]


def rules_of(base: Ruleset, players: Sequence[PlayerView]) -> Ruleset:
    """The rules as they are for these players; for fewer than two as they are chosen.

    Raises:
        OptionError: if the game is not played by so many.
    """
    return for_players(base, len(players)) if len(players) >= 2 else base


def is_caller(player: PlayerView, view: RoundView) -> bool:
    """Whether this player made the call that stands."""
    return player.name == view.called_by or (player.seat is not None and player.seat == view.called_seat)


def player_counts(players: Sequence[PlayerView], view: RoundView) -> list[PlayerCount]:
    """The counts of a round in the form that the scoring takes."""
    entries = {entry.player: entry for entry in view.counts}
    counts = []
    for player in players:
        entry = entries.get(player.name, CountEntry(player.name))
        counts.append(
            PlayerCount(
                player.name,
                entry.played,
                entry.left,
                entry.faces,
                entry.faces_left,
                player.deck,
                is_caller(player, view),
            )
        )
    return counts


def _false_calls(players: Sequence[PlayerView], seats: Iterable[str]) -> list[FalseCall]:
    places = {player.seat: i for i, player in enumerate(players)} | {p.name: i for i, p in enumerate(players)}
    return [FalseCall(places[seat]) for seat in seats if seat in places]


def void_cards(
    rules: Ruleset, players: Sequence[PlayerView], log: Sequence[PlayEvent]
) -> dict[str, tuple[Card, ...]]:
    """By player the cards that do not count: put down wrongly, upheld by the table, there until the end."""
    said = opinions(log)
    upheld = [
        (line.seq, replace(Ruling.from_json(line.to_json()), severity=Severity.FOUL))
        for line in log
        if line.type is EventType.RULING and said.get(line.seq) == "uphold"
    ]
    names = {player.seat: player.name for player in players if player.seat is not None}
    return {
        names.get(seat, seat): tuple(cards)
        for seat, cards in late_errors.void_cards(log, upheld, rules).items()
        if seat is not None
    }


def score(
    rules: Ruleset, players: Sequence[PlayerView], view: RoundView, log: Sequence[PlayEvent] = ()
) -> RoundScore:
    """Score a round from its counts; what its log says of wrong cards counts where the rules say so.

    Raises:
        ScoringError: if a count is missing or impossible.
    """
    return score_round(
        rules,
        player_counts(players, view),
        false_calls=_false_calls(players, view.false_calls),
        finished=finished_piles(log, rules, [player.seat or player.name for player in players]),
        void=void_cards(rules, players, log),
    )


def draft(
    rules: Ruleset, players: Sequence[PlayerView], view: RoundView, log: Sequence[PlayEvent] = ()
) -> DraftScore:
    """The round's score as the counts stand now, and what the audit says of them."""
    if not players:
        return DraftScore(missing="Nobody is playing yet.")
    try:
        result = score(rules, players, view, log)
    except ScoringError as error:
        text = str(error)
        so_far = _so_far(rules, players, view, log)
        return DraftScore(
            scores={player.name: player.score for player in so_far},
            arithmetic={player.name: player.text for player in so_far},
            missing=f"{text[0].upper()}{text[1:]}.",
        )
    findings = [*audit(rules, players, view, log)]
    findings += [Finding(Level.WARNING, "count", f"{text}.") for text in result.warnings]
    rank = {Level.ERROR: 0, Level.WARNING: 1, Level.INFO: 2, Level.OK: 3}
    return DraftScore(
        scores={player.name: player.score for player in result.players},
        arithmetic={player.name: player.text for player in result.players},
        findings=tuple(sorted(findings, key=lambda finding: rank[finding.level])),
        penalties={player.name: -player.left_points for player in result.players},
    )


def _so_far(
    rules: Ruleset, players: Sequence[PlayerView], view: RoundView, log: Sequence[PlayEvent]
) -> list[PlayerScore]:
    """The scores of those who are counted, whatever the others will have."""
    scored = []
    for index, player in enumerate(players):
        entries = [CountEntry(one.name, 0, 0) for one in players if one is not player]
        own = [entry for entry in view.counts if entry.player == player.name]
        try:
            result = score(rules, players, replace(view, counts=(*entries, *own)), log)
        except ScoringError:
            continue
        scored.append(result.players[index])
    return scored


def audit(
    rules: Ruleset, players: Sequence[PlayerView], view: RoundView, log: Iterable[PlayEvent]
) -> list[Finding]:
    """The counts of a round held against its piles and its log."""
    counts = player_counts(players, view)
    names: dict[str | None, str] = {player.seat: player.name for player in players if player.seat}
    faces = {count.name: count.played_cards for count in counts if count.played_cards is not None}
    caller = next((player.name for player in players if is_caller(player, view)), None)
    return audit_round(
        view.tops,
        {count.name: count.played_count for count in counts},
        faces if len(faces) == len(counts) else None,
        [replace(event, seat=names.get(event.seat) or event.seat) for event in log],
        ruleset=rules,
        players=counts,
        called_by=caller,
        false_calls=len(view.false_calls),
    )


def fold_match(
    rules: Ruleset, players: Sequence[PlayerView], rounds: Iterable[tuple[RoundView, Sequence[PlayEvent]]]
) -> ScoredMatch:
    """The match over its confirmed rounds (each with its log), without those that cannot be scored or come
    after the end."""
    match = Match(rules)
    for player in players:
        match = match.join(player.name, player.team)
    results = []
    for view, log in rounds:
        if view.phase is not Phase.CONFIRMED or view.round_id is None:
            continue
        caller = next((player.name for player in players if is_caller(player, view)), None)
        try:
            scored = score(rules, players, view, log)
            scores = {player.name: player.score for player in scored.players}
            penalties = {player.name: -player.left_points for player in scored.players}
            match = match.round(scores, caller, penalties)
        except (ScoringError, MatchError):
            continue
        if view.changed_late:
            match = match.edit(len(match.rounds), {}, "table")
        results.append(
            RoundResult(
                view.number,
                view.round_id,
                scores,
                {player.name: player.text for player in scored.players},
                caller,
                view.counts,
                view.lines,
                changed=view.changed_late,
            )
        )
    paid = [replace(result, added=played.added) for result, played in zip(results, match.rounds, strict=True)]
    return ScoredMatch(match, tuple(paid))


def match_view(match_id: int, scored: ScoredMatch, players: tuple[PlayerView, ...]) -> MatchView:
    """The match as the pages show it."""
    rules, standing = scored.match.rules, scored.match.standing
    return MatchView(
        match_id=match_id,
        ruleset=rules.preset,
        changed=tuple((key, shown(value)) for key, value in changed_options(rules).items()),
        target=None if rules.number("rounds") else rules.number("target"),
        players=players,
        results=scored.results,
        totals=standing.totals,
        winners=standing.winners,
        over=standing.over,
        deciding=standing.deciding,
        deciding_players=standing.deciding_players,
        pot=standing.pot,
        rules_hash=rules.hash,
    )


def match_of(stored: StoredMatch) -> ScoredMatch:
    """The match that a record keeps.

    Raises:
        OptionError: if its rules do not exist in this program.
    """
    rules = rules_of(ruleset(stored.ruleset, **stored.options), stored.players)
    return fold_match(rules, stored.players, [(view_of(round_), round_.log) for round_ in stored.rounds])


def view_of(stored: StoredRound) -> RoundView:
    """A stored round as its log tells it."""
    return replace(fold_round(stored.log), number=stored.number, round_id=stored.round_id)


def export_match(data_dir: Path, match_id: int | None, form: str) -> str:
    """The record of a match as `csv` or `json` text; None is the last match.

    Raises:
        RecordError: if there is no such match.
        OptionError: if its rules do not exist in this program.
    """
    path = data_dir / FILE_NAME
    if not path.exists():
        raise RecordError(f"there is no record in {data_dir}; give the folder that the dashboard used.")
    reader = Reader(path)
    try:
        wanted = reader.last_match_id() if match_id is None else match_id
        stored = reader.match(wanted)
    finally:
        reader.close()
    if stored is None:
        raise RecordError(f"there is no match {wanted} in the record; give another number.")
    match = match_of(stored).match
    return match_to_csv(match) if form == "csv" else match_to_json(match) + "\n"
