"""The audit of a count: the invariants of RULES.md 2.3, and in words what probably went wrong (3.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from referee.audit_log import audit_log
from referee.cards import Card
from referee.events import PlayEvent
from referee.findings import Finding, Level, named, words
from referee.implied import cards_implied, pile_height, predicted_faces
from referee.rulesets import Ruleset
from referee.schemes import scheme_of
from referee.scoring import PlayerCount


def audit_round(
    tops: Sequence[Card | Sequence[Card]] | None,
    deck_counts: Mapping[str, int] | None,
    faces: Mapping[str, Sequence[Card]] | None = None,
    log: Iterable[PlayEvent] | None = None,
    *,
    ruleset: Ruleset,
    players: Sequence[PlayerCount] = (),
    called_by: str | None = None,
    false_calls: int = 0,
    totals: Mapping[str, tuple[int, int, int]] | None = None,
) -> list[Finding]:
    """Hold every count against the others; an empty list means that nothing speaks against the count.

    `tops`: the top of each shared pile, or its seen cards bottom first. `deck_counts`: cards counted per deck
    (backs). `faces`: the cards counted face up per deck or player. `log`: the play log. `players`: what was
    entered per player, scores excluded. `totals`: per player (old total, round score, new total) as written.
    """
    rules = ruleset
    findings: list[Finding] = []
    counted = _counted(deck_counts, faces, players)
    predicted = None if tops is None else predicted_faces(tops, rules)
    seen = [card for cards in (faces or {}).values() for card in cards]
    if tops is not None:
        findings += _starts(tops, rules, len(counted) or len(players))
        findings += _sums(tops, predicted, counted, seen if faces else None, rules)
    findings += _duplicates(faces or {}, rules)
    if predicted is not None and faces:
        findings += _multiset(predicted, Counter(seen))
    if log is not None:
        findings += audit_log(log, counted, tops, rules, false_calls)
    findings += _players(players, rules, called_by, false_calls)
    findings += _written(totals or {})
    return findings


def _counted(
    deck_counts: Mapping[str, int] | None,
    faces: Mapping[str, Sequence[Card]] | None,
    players: Sequence[PlayerCount],
) -> dict[str, int]:
    if deck_counts is not None:
        return dict(deck_counts)
    if faces:
        return {name: len(cards) for name, cards in faces.items()}
    if players and all(player.played is not None or player.played_cards is not None for player in players):
        return {player.name: player.played_count for player in players}
    return {}


def _starts(tops: Sequence[Card | Sequence[Card]], rules: Ruleset, decks: int) -> list[Finding]:
    """I5: a deck has four starting cards, one of each colour."""
    findings = []
    colours = Counter((pile if isinstance(pile, Card) else pile[-1]).colour for pile in tops if pile)
    for colour, count in colours.items():
        if decks and count > decks:
            findings.append(
                Finding(
                    Level.WARNING,
                    "I5",
                    f"{count} {colour} piles were started, but {words(decks, 'deck')} can start only"
                    f" {decks}: look at their tops again.",
                )
            )
    return findings


def _sums(
    tops: Sequence[Card | Sequence[Card]],
    predicted: Counter[Card] | None,
    counted: Mapping[str, int],
    seen: Sequence[Card] | None,
    rules: Ruleset,
) -> list[Finding]:
    """I3: the tops tell how many cards lie in the middle."""
    if not counted:
        return []
    if predicted is None:
        return [Finding(Level.INFO, "I1", "The tops of these piles do not tell how many cards lie in them.")]
    told, backs = predicted.total(), sum(counted.values())
    if told == backs:
        return []
    low, kind = told - backs, "cards" if seen is not None else "backs"
    said = f"The tops say {words(told)}, {backs} {kind} were counted:"
    full = scheme_of(rules).full_height if rules.scheme == "ascending" else 0
    if (
        low > 0
        and full
        and low % full == 0
        and any((pile if isinstance(pile, Card) else pile[-1]).number == full for pile in tops if pile)
    ):
        piles = "a completed pile" if low == full else f"{low // full} completed piles"
        return [Finding(Level.WARNING, "I3", f"{said} look for {piles} moved aside and forgotten.")]
    if low > 0:
        return [Finding(Level.WARNING, "I3", f"{said} look for a stuck, dropped or hidden card.")]
    return [
        Finding(Level.WARNING, "I3", f"{said} look for side or wood cards that were swept into the middle.")
    ]


def _multiset(predicted: Counter[Card], seen: Counter[Card]) -> list[Finding]:
    """I4: exactly these faces must be there."""
    missing, extra = predicted - seen, seen - predicted
    findings = []
    if missing:
        findings.append(
            Finding(Level.WARNING, "I4", f"Missing from the count: {named(sorted(missing.elements()))}.")
        )
    if extra:
        findings.append(
            Finding(
                Level.WARNING,
                "I4",
                f"Counted, but not on any pile by its top: {named(sorted(extra.elements()))}:"
                " side or wood cards swept in, or a pile's top misread.",
            )
        )
    return findings


def _duplicates(faces: Mapping[str, Sequence[Card]], rules: Ruleset) -> list[Finding]:
    """I5, E70: a deck holds each card once."""
    findings = []
    for deck, cards in faces.items():
        double = [card for card, times in sorted(Counter(cards).items()) if times > 1]
        if double:
            findings.append(
                Finding(
                    Level.WARNING,
                    "I5",
                    f"{deck} has {named(double)} more than once: a misread card, a card of another deck, or a"
                    " bad deck (E70).",
                )
            )
        foreign = [card for card in cards if card.family is not rules.family]
        if foreign:
            findings.append(
                Finding(Level.WARNING, "E70", f"{deck} has {named(foreign)}, which belongs to another game.")
            )
    return findings


def _players(
    players: Sequence[PlayerCount], rules: Ruleset, called_by: str | None, false_calls: int
) -> list[Finding]:
    findings: list[Finding] = []
    goal_size = rules.number("goal_size")
    lefts = {player.name: player.left_count for player in players if _has_left(player)}
    for player in players:
        if player.played is None and player.played_cards is None:
            continue
        played = player.played_count
        if played > rules.deck_size or (
            player.name in lefts and played + lefts[player.name] > rules.deck_size
        ):
            findings.append(
                Finding(
                    Level.ERROR,
                    "I6",
                    f"{player.name} has more cards than a deck of {rules.deck_size}: a typing error?",
                )
            )
        elif played > rules.most_played:
            findings.append(
                Finding(
                    Level.WARNING,
                    "I8",
                    f"{player.name} has {played} played cards; with refilled side piles {rules.most_played}"
                    " is the most: a typing error?",
                )
            )
    for name, left in lefts.items():
        if left > goal_size and not false_calls:
            findings.append(
                Finding(
                    Level.ERROR,
                    "I7",
                    f"{name} has {left} goal cards left; the goal pile starts with {goal_size}: a typing"
                    " error?",
                )
            )
    caller = called_by or next((player.name for player in players if player.called), None)
    if caller is not None and lefts.get(caller, 0) > 0:
        findings.append(
            Finding(
                Level.WARNING,
                "I12",
                f"{caller} called but has {words(lefts[caller], 'goal card')} left: wrong caller, or a"
                " false call?",
            )
        )
    elif caller is None and lefts and len(lefts) == len(players) and min(lefts.values()) > 0:
        findings.append(
            Finding(Level.INFO, "I12", "Nobody has emptied the goal pile: did the round end stuck?")
        )
    for player in players:
        if player.name == caller and _has_left(player) and player.played is not None and player.played < 4:
            findings.append(
                Finding(
                    Level.INFO,
                    "I12",
                    f"{player.name} called with only {words(player.played, 'played card')}: possible,"
                    " but rare.",
                )
            )
    return findings


def _has_left(player: PlayerCount) -> bool:
    return player.left is not None or player.left_cards is not None


def audit_scores(
    tops: Sequence[Card | Sequence[Card]],
    lefts: Sequence[int],
    scores: Sequence[int],
    rules: Ruleset,
    transfers: Sequence[int] = (),
    bonuses: Sequence[int] = (),
) -> list[Finding]:
    """I14: the scores add up to the tops less the goal penalties; I15: transfers add up to nothing.

    `transfers`: what false calls and plain evil jacks (without the 40) gave and took per player; `bonuses`:
    what else each got.
    """
    findings = []
    predicted = predicted_faces(tops, rules)
    unit, penalty = rules.number("card_points"), rules.number("goal_penalty")
    if predicted is not None and not rules.counts_faces and rules.scheme == "ascending":
        expected = unit * predicted.total() - penalty * sum(lefts) + sum(transfers) + sum(bonuses)
        if expected != sum(scores):
            findings.append(
                Finding(
                    Level.WARNING,
                    "I14",
                    f"The scores add up to {sum(scores)}, but tops and goal cards make {expected}: check the"
                    " sheet.",
                )
            )
    if sum(transfers) != 0 and rules.options.get("per_player_base") == "others":
        findings.append(
            Finding(
                Level.WARNING,
                "I15",
                f"What players paid each other adds up to {sum(transfers)} instead of 0: check the sheet.",
            )
        )
    return findings


def _written(totals: Mapping[str, tuple[int, int, int]]) -> list[Finding]:
    """The running total on the sheet."""
    findings = []
    for name, (old, score, new) in totals.items():
        if old + score == new:
            continue
        clipped = score < 0 and new == old
        cause = "a negative score seems to have been left out" if clipped else "check the sheet"
        text = f"The new total of {name} is {new}, but {old} and {score} make {old + score}: {cause}."
        findings.append(Finding(Level.WARNING, "I14", text))
    return findings


__all__ = [
    "Finding",
    "Level",
    "audit_round",
    "audit_scores",
    "cards_implied",
    "pile_height",
    "predicted_faces",
]
