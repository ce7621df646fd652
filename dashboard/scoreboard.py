"""The scoreboard for a television or a phone: large, without anything to press, up to date by itself.

A page of its own outside of Streamlit: it is only asked for, so nothing can be changed from it, and the old
browsers of televisions can show it.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from dashboard import texts
from dashboard.theme import LINES
from engine.hub import MatchView, Phase, RoundResult, Snapshot

HERE = Path(__file__).parent
LOUD = (Phase.PLAYING, Phase.PAUSED, Phase.CALLED)


def page_html(now: Snapshot) -> str:
    """The whole page; it keeps its middle up to date."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(texts.SCOREBOARD)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<noscript><meta http-equiv="refresh" content="5"></noscript>
<style>{_file("scoreboard.css")}</style></head>
<body><main id="part">{part_html(now)}</main>
<p id="lost" hidden>{escape(texts.SCOREBOARD_LOST)}</p>
<script>{_file("scoreboard.js")}</script></body></html>
"""


def part_html(now: Snapshot) -> str:
    """What changes: the round, its clock, and everybody's points."""
    view, match = now.round, now.match
    chip = str(view.phase) if view.phase in LOUD else "quiet"
    head = (
        f'<header><span class="game">{escape(texts.game(match))}</span>'
        f'<span class="round">{escape(texts.round_name(view.number))}</span>'
        f'<span class="chip {chip}">{escape(texts.phase(view))}</span>'
        f'<span class="clock">{texts.clock(view.clock_s)}</span></header>'
    )
    if not match.players:
        return f'{head}<p class="empty">{escape(texts.SCOREBOARD_EMPTY)}</p>'
    ranked = sorted(match.sides, key=lambda side: -match.totals.get(side, 0))
    rows = "".join(_row(match, side, ranked) for side in ranked)
    winners = f'<p class="winner">{escape(texts.winners(match.winners))}</p>' if match.winners else ""
    target = f'<p class="target">{escape(texts.target(match.target))}</p>' if match.target is not None else ""
    return f'{head}{winners}<ol style="--rows:{len(ranked)}">{rows}</ol>{target}'


def _row(match: MatchView, side: str, ranked: list[str]) -> str:
    total = match.totals.get(side, 0)
    rank = 1 + sum(match.totals.get(other, 0) > total for other in ranked)
    colour = LINES[match.sides.index(side) % len(LINES)]
    share = min(100, max(0, round(100 * total / match.target))) if match.target else 0
    lead = ' class="lead"' if match.results and rank == 1 else ""
    place, points = str(rank) if match.results else "", str(total).replace("-", "−")
    negative = ' class="neg"' if total < 0 else ""
    return (
        f'<li{lead} style="--line:{colour};--share:{share}%"><span class="rank">{place}</span>'
        f'<span class="name">{escape(side)}</span>'
        f'<span class="last">{_last(match, side)}</span><b{negative}>{points}</b></li>'
    )


def _last(match: MatchView, side: str) -> str:
    """What the side made in the round scored last, and a star for the call."""
    if not match.results:
        return ""
    last = match.results[-1]
    members = [player.name for player in match.players if (player.team or player.name) == side]
    made = sum(_made(last, name) for name in members)
    star = " ✹" if last.called_by in members else ""
    return texts.signed(made) + star


def _made(result: RoundResult, name: str) -> int:
    return result.scores.get(name, 0) + result.added.get(name, 0)


@cache
def _file(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
