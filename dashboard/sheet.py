"""The score sheet of a match as a page to print: every round's arithmetic, totals, rules, room to sign."""

from __future__ import annotations

from html import escape

from dashboard import texts
from engine.hub import MatchView, RoundResult
from engine.numbers import totals_by_round

_STYLE = """
:root { color-scheme: light; }
body { font: 12pt/1.4 Palatino, "Palatino Linotype", P052, Georgia, serif; margin: 1.6cm; color: #1b1510; }
h1 { font-size: 22pt; margin: 0; } p { margin: .2cm 0; } .quiet { color: #6a5d49; font-size: 10pt; }
table { border-collapse: collapse; width: 100%; margin: .5cm 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: .5pt solid #b9ab92; padding: .12cm .25cm; text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; }
small { display: block; color: #6a5d49; font-size: 8.5pt; }
tfoot td { font-weight: 700; font-size: 14pt; border-top: 1.2pt solid #1b1510; }
.sign { display: flex; flex-wrap: wrap; gap: 1cm; margin-top: 1.2cm; }
.sign span { flex: 1 1 5cm; border-top: .7pt solid #1b1510; padding-top: .1cm; font-size: 10pt; }
tr { break-inside: avoid; } @page { margin: 1.5cm; } @media print { body { margin: 0; } }
"""


def sheet_html(started_at: str, match: MatchView) -> str:
    """The whole page; `started_at` ISO 8601."""
    names = [player.name for player in match.players]
    heads = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(_round(result, names) for result in match.results)
    totals = {side: values[-1] for side, values in totals_by_round(match).items()}
    foot = "".join(f"<td>{totals[player.team or player.name]}</td>" for player in match.players)
    winners = f"<p><b>{escape(texts.winners(match.winners))}</b></p>" if match.winners else ""
    signs = "".join(f"<span>{escape(name)}</span>" for name in (*names, texts.SCOREKEEPER))
    target = f" · {escape(texts.of_target(match.target))}" if match.target is not None else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(texts.SHEET)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(texts.game(match))}</h1>"
        f'<p class="quiet">{escape(texts.day(started_at))} · '
        f"{escape(texts.rules_named(match.rules_hash))}{target}</p>"
        f"<table><thead><tr><th>{texts.ROUND}</th>{heads}</tr></thead><tbody>{body}</tbody>"
        f"<tfoot><tr><td>{texts.TOTAL}</td>{foot}</tr></tfoot></table>{winners}"
        f'<div class="sign">{signs}</div></body></html>'
    )


def _round(result: RoundResult, names: list[str]) -> str:
    corrected = f"<small>{escape(texts.CORRECTED)}</small>" if result.changed else ""
    cells = "".join(_cell(result, name) for name in names)
    return f"<tr><td>{result.number}{corrected}</td>{cells}</tr>"


def _cell(result: RoundResult, name: str) -> str:
    if name not in result.scores:
        return f"<td>{texts.NONE}</td>"
    mark = f" {texts.CALLER_MARK}" if result.called_by == name else ""
    pot = result.added.get(name, 0)
    extra = f"<small>{escape(texts.from_pot(pot))}</small>" if pot else ""
    return (
        f"<td>{result.scores[name]}{mark}<small>{escape(result.arithmetic.get(name, ''))}</small>{extra}</td>"
    )
