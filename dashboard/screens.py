"""Screens: how phones, tablets and a television come to see this table."""

from __future__ import annotations

from urllib.parse import quote

import streamlit as st

from dashboard import texts
from dashboard.cards import sign_html
from dashboard.desk import safe
from engine.serve import Invitation, current_door, invitation
from engine.settings import Settings

PAGES = (
    ("/", texts.SCREENS_TABLE, texts.SCREENS_TABLE_HELP),
    ("/scoreboard", texts.SCOREBOARD, texts.SCOREBOARD_HELP),
)


def page() -> None:
    """The page."""
    st.title(texts.SCREENS)
    invited = invitation(Settings())
    if invited is None:
        words = texts.NOT_SHARED if current_door() is None else texts.NO_NETWORK
        st.html(texts.empty(words, sign_html(52)))
    else:
        _invitation(invited)
    st.html(
        f'<p class="br-sub">{safe(texts.SCOREBOARD_HERE)}'
        f' <a href="/scoreboard" target="_blank">{safe(texts.SCOREBOARD)} →</a></p>'
    )


def _invitation(invited: Invitation) -> None:
    st.html(
        f'<div class="br-invitation"><div><span class="br-sub">{safe(texts.ADDRESS)}</span>'
        f"<b>{safe(invited.address.removeprefix('http://'))}</b></div>"
        f'<div><span class="br-sub">{safe(texts.JOIN_CODE)}</span>'
        f'<b class="code">{safe(invited.code)}</b></div></div>'
    )
    st.caption(texts.SAME_NETWORK)
    for column, (path, name, words) in zip(st.columns(len(PAGES)), PAGES, strict=True):
        column.html(
            f'<figure class="br-qr"><img src="/invitation.svg?page={quote(path, safe="")}"'
            f' alt="{safe(texts.qr_alt(name))}">'
            f"<figcaption><b>{safe(name)}</b><br>{safe(words)}</figcaption></figure>"
        )
