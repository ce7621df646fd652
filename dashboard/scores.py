"""Scores as HTML: the round's arithmetic, what a confirmed round brought, and the sheet of the match."""

from __future__ import annotations

from dashboard import texts
from dashboard.cards import sign_html
from dashboard.desk import safe
from engine.hub import MatchView, PlayerView, RoundResult, Snapshot


def score_table_html(now: Snapshot, *, confirmed: bool) -> str:
    """Each player's arithmetic; the word for the state keeps a draft from being taken for the score."""
    rows = []
    for player in now.match.players:
        score = now.draft.scores.get(player.name)
        words = now.draft.arithmetic.get(player.name, "")
        shown = texts.NONE if score is None else str(score)
        rows.append(
            f"<tr><td>{safe(player.name)}</td><td><small>{safe(words)}</small></td>"
            f'<td class="total{negative(score or 0)}">{shown}</td></tr>'
        )
    head = texts.SCORE if confirmed else texts.SCORE_SO_FAR
    return (
        f'<table class="br-scores"><thead><tr><th>{texts.PLAYER}</th><th></th><th>{head}</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def announcement_html(now: Snapshot) -> str:
    """The score of the round, said once it is confirmed, with the totals after it."""
    match = now.match
    result = next((r for r in match.results if r.round_id == now.round.round_id), None)
    if result is None:
        return ""
    ranked = sorted(match.players, key=lambda player: -result.scores.get(player.name, 0))
    cells = "".join(_announced(player, result, match) for player in ranked)
    winners = f"<h3>{sign_html(34)} {safe(texts.winners(match.winners))}</h3>" if match.winners else ""
    deciding = f"<p>{safe(texts.deciding(match.deciding_players))}</p>" if match.deciding else ""
    return (
        f'<div class="br-announce" role="status"><b>{safe(texts.round_scored(result.number))}</b>'
        f'<div class="br-announce-row">{cells}</div>{deciding}{winners}</div>'
    )


def _announced(player: PlayerView, result: RoundResult, match: MatchView) -> str:
    score = result.scores.get(player.name, 0) + result.added.get(player.name, 0)
    total = match.totals.get(player.team or player.name, 0)
    return (
        f'<span><small>{safe(player.name)}</small><b class="{negative(score)}">{texts.signed(score)}</b>'
        f"<small>{safe(texts.total(total))}</small></span>"
    )


def match_table_html(match: MatchView) -> str:
    """Players down, rounds across, totals at the end; partners share one total."""
    leader = max(match.totals.values(), default=None) if match.results else None
    heads = "".join(
        f"<th>{result.number}{texts.CORRECTED_MARK if result.changed else ''}</th>"
        for result in match.results
    )
    rows, told = [], set()
    for player in match.players:
        side = player.team or player.name
        total = match.totals.get(side, 0)
        lead = ' class="lead"' if match.results and total == leader else ""
        below = " · ".join(safe(word) for word in (player.team, player.deck) if word)
        cells = "".join(_cell(result, player.name) for result in match.results)
        shown = "" if side in told else str(total)
        told.add(side)
        rows.append(
            f"<tr{lead}><td>{safe(player.name)}{f'<br><small>{below}</small>' if below else ''}</td>{cells}"
            f'<td class="total{negative(total)}">{shown}</td></tr>'
        )
    target = f"<br><small>{safe(texts.of_target(match.target))}</small>" if match.target is not None else ""
    return (
        f'<div class="br-wide"><table class="br-scores"><thead><tr><th>{texts.ROUND}</th>{heads}'
        f"<th>{texts.TOTAL}{target}</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(result: RoundResult, name: str) -> str:
    score = result.scores.get(name)
    if score is None:
        return f"<td>{texts.NONE}</td>"
    mark = f" {texts.CALLER_MARK}" if result.called_by == name else ""
    pot = result.added.get(name, 0)
    extra = f"<br><small>{safe(texts.from_pot(pot))}</small>" if pot else ""
    words = safe(result.arithmetic.get(name, ""))
    return f'<td class="{negative(score).strip()}" title="{words}">{score}{mark}{extra}</td>'


def negative(score: int) -> str:
    """The style class of a score below zero."""
    return " neg" if score < 0 else ""
