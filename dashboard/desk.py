"""How the pages reach the table: one accessor, one way to send commands, names made safe to show."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import streamlit as st

from dashboard import texts
from engine.hub import Snapshot
from engine.pipeline import Command, CommandKind
from engine.serve import current_table
from engine.table import Table

_NOTE = "note"


def table() -> Table:
    """The running table; a page without one says so and stops."""
    running = current_table()
    if running is None:
        st.html(texts.empty(texts.NO_TABLE))
        st.stop()
    return running


def snapshot() -> Snapshot:
    """The newest snapshot."""
    return table().hub.snapshot


def send(kind: CommandKind, key: str, **values: Any) -> None:
    """Send a command once for `key`, however often the button is hit; a refusal is shown as a note."""
    round_id = snapshot().round.round_id
    outcome = table().send(Command(kind, f"{round_id}:{kind}:{key}", by="dashboard", values=values))
    st.session_state[_NOTE] = "" if outcome.done else outcome.message


def show_note() -> None:
    """The message of the last refused command, once."""
    note = st.session_state.pop(_NOTE, "")
    if note:
        st.warning(plain(texts.refused(note)))


def plain(text: str) -> str:
    """Text that Streamlit's Markdown shows as it is written."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~<>$:])", r"\\\1", text)


def safe(text: str | None) -> str:
    """Text for HTML."""
    return escape(text or "")
