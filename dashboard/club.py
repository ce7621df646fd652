"""Club: every table at a glance; those that need somebody stand out. Nothing is changed from here."""

from __future__ import annotations

import streamlit as st

from dashboard import texts
from dashboard.cards import sign_html
from dashboard.desk import plain, safe
from engine.club import ClubTable
from engine.hub import CameraState
from engine.serve import current_club

POLL_S = 2.0
SILENT_S = 15.0
"""A table that said nothing for so long is looked after; it says something every other second."""


def page() -> None:
    """The page."""
    st.title(texts.CLUB)
    if current_club() is None:
        st.html(texts.empty(texts.NO_CLUB, sign_html(52)))
        return
    _tables()


@st.fragment(run_every=POLL_S)
def _tables() -> None:
    club = current_club()
    if club is None:
        return
    view = club.view
    if view.problem:
        st.warning(plain(view.problem))
    st.html(f'<div class="br-club">{"".join(table_html(one, here=view.here) for one in view.tables)}</div>')
    st.caption(plain(texts.club_place(len(view.tables), view.place)))


def table_html(table: ClubTable, *, here: str) -> str:
    """One table: who plays, how it stands, and what somebody should look at."""
    status = table.status
    word, urgent = state(table)
    leader = max((player.total for player in status.players), default=0)
    people = "".join(
        f"<tr{' class=lead' if status.round_number > 1 and player.total == leader else ''}>"
        f"<td>{safe(player.name)}</td><td>{player.total}</td></tr>"
        for player in sorted(status.players, key=lambda player: -player.total)
    )
    own = f" · {safe(texts.THIS_TABLE)}" if table.name == here else ""
    links = ""
    if status.address is not None and table.is_open:
        address = safe(status.address)
        links = (
            f'<a href="{address}/" target="_blank" rel="noopener">{safe(texts.OPEN_TABLE)}</a>'
            f' <a href="{address}/scoreboard" target="_blank" rel="noopener">{safe(texts.SCOREBOARD)}</a>'
        )
    warnings = "".join(f'<li class="warning">{safe(line)}</li>' for line in concerns(table))
    return (
        f'<section class="{"urgent" if urgent else ""}"><header><h3>{safe(table.name)}{own}</h3>'
        f'<span class="br-chip {"warning" if urgent else "quiet"}">{safe(word)}</span></header>'
        f'<p class="br-sub">{safe(texts.game_name(status.ruleset))} ·'
        f" {safe(texts.round_name(status.round_number))} · {texts.clock(status.clock_s)}</p>"
        f"<table>{people or f'<tr><td>{safe(texts.NOBODY_YET)}</td><td></td></tr>'}</table>"
        f'<p class="br-sub">{safe(texts.table_camera(status))}</p><ul>{warnings}</ul>'
        f'<div class="foot"><span>{safe(texts.last_heard(table.age_s))}</span> {links}</div></section>'
    )


def state(table: ClubTable) -> tuple[str, bool]:
    """How a table stands in a word, and whether somebody should go there."""
    if not table.is_open:
        return texts.TABLE_CLOSED, False
    if table.age_s > SILENT_S:
        return texts.TABLE_SILENT, True
    if table.status.open_flags:
        return texts.TABLE_DISPUTED, True
    return texts.phase_word(table.status.phase), bool(concerns(table))


def concerns(table: ClubTable) -> list[str]:
    """What somebody should look at, in words."""
    status = table.status
    if not table.is_open:
        return []
    found = [texts.open_flags(status.open_flags)] if status.open_flags else []
    if status.camera == CameraState.LOST or status.camera_problem is not None:
        found.append(texts.table_camera(status))
    return [*found, *status.problems]
