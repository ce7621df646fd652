"""The chart of running totals by round, with the target as a line."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from dashboard import texts
from dashboard.theme import DASHES, LINES, QUIET_INK

HEIGHT_PX, NAME_PX = 380, 18
"""The chart's height, and the room that a name takes in it."""


@lru_cache(maxsize=8)
def progress_chart(totals: tuple[tuple[str, tuple[int, ...]], ...], target: int | None) -> dict[str, Any]:
    """Running totals by round with the target as a line, as a Vega-Lite specification.

    Players differ by colour, dash and point shape. Building it takes longer than the rest of the page, so it
    is kept as long as nothing new is scored.
    """
    rows = [
        {"round": number, "player": name, "total": total}
        for name, values in totals
        for number, total in enumerate(values)
    ]
    names = [name for name, _ in totals]
    colours = alt.Scale(domain=names, range=LINES[: len(names)])
    dashes = alt.Scale(domain=names, range=DASHES[: len(names)])
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("round:Q", title=texts.ROUND, axis=alt.Axis(tickMinStep=1, format="d", grid=False)),
        y=alt.Y("total:Q", title=texts.TOTAL),
        color=alt.Color("player:N", sort=names, scale=colours, legend=None),
    )
    lines = base.mark_line(strokeWidth=3).encode(
        strokeDash=alt.StrokeDash("player:N", sort=names, scale=dashes, legend=None)
    )
    points = base.mark_point(size=90, filled=True, opacity=1).encode(
        shape=alt.Shape("player:N", sort=names, legend=None), tooltip=["player:N", "round:Q", "total:Q"]
    )
    # The names stand at the ends of the lines: a legend would make colour the only link.
    last = alt.Chart(alt.Data(values=_ends(totals, target)))
    ends = last.mark_text(align="left", dx=10, fontSize=14, fontWeight="bold", limit=160).encode(
        x="round:Q",
        y="at:Q",
        text="player:N",
        color=alt.Color("player:N", sort=names, scale=colours, legend=None),
    )
    layers: list[Any] = [lines, points, ends]
    if target is not None:
        goal = alt.Chart(alt.Data(values=[{"total": target, "text": texts.target_line(target)}]))
        layers.append(goal.mark_rule(strokeDash=[4, 4], strokeWidth=2, color=QUIET_INK).encode(y="total:Q"))
        words = goal.mark_text(align="left", dx=6, dy=-8, color=QUIET_INK, fontSize=13)
        layers.append(words.encode(y="total:Q", x=alt.value(0), text="text:N"))
    longest = max(len(name) for name in names)
    chart = (
        alt.layer(*layers)
        .properties(height=HEIGHT_PX, padding={"right": 20 + 8 * min(longest, 16)})
        .configure_view(strokeWidth=0)
    )
    specification: dict[str, Any] = chart.to_dict()
    return specification


def _ends(totals: tuple[tuple[str, tuple[int, ...]], ...], target: int | None) -> list[dict[str, Any]]:
    """Where each player's name stands, `at` in points: beside the own total, and on no other name."""
    points = [point for _, values in totals for point in values] + ([] if target is None else [target])
    room = NAME_PX / HEIGHT_PX * max(1, max(points) - min(points))
    ends: list[dict[str, Any]] = []
    for name, values in sorted(totals, key=lambda side: side[1][-1]):
        at = max(values[-1], ends[-1]["at"] + room) if ends else values[-1]
        ends.append({"round": len(values) - 1, "player": name, "at": at})
    return ends
