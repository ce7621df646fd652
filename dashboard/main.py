"""The page script: names the pages and shows the chosen one."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import club as club_page
from dashboard import count, live, match, review, screens, setup, texts
from dashboard.theme import css
from engine.serve import current_club

st.set_page_config(page_title="blitzref", page_icon="✹", layout="wide", initial_sidebar_state="collapsed")
st.html(css())
st.logo(Path(__file__).parent / "logo.svg", size="large")
st.navigation(
    [
        st.Page(live.page, title=texts.LIVE, url_path="live", default=True),
        st.Page(count.page, title=texts.COUNT, url_path="count"),
        st.Page(review.page, title=texts.REVIEW, url_path="review"),
        st.Page(match.page, title=texts.MATCH, url_path="match"),
        st.Page(setup.page, title=texts.SETUP, url_path="setup"),
        st.Page(screens.page, title=texts.SCREENS, url_path="screens"),
        *([st.Page(club_page.page, title=texts.CLUB, url_path="club")] if current_club() else []),
    ],
    position="top",
).run()
