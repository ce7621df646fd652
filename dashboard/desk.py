"""How the pages reach the table: one accessor, one way to send commands, names made safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

import streamlit as st

from dashboard import texts
from engine.hub import Seen, Snapshot
from engine.serve import current_table
from engine.table import Table
from engine.table_command import Command, CommandKind

BY = "dashboard"
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


def send(kind: CommandKind, seen: Seen, **values: Any) -> None:
    """Send a command once, however often the button is hit; a refusal is shown as a note.

    `seen` is what the page showed beside the button, so that a tab that is behind overturns nothing.
    """
    carried_out(kind, seen, **values)


def carried_out(kind: CommandKind, seen: Seen, **values: Any) -> bool:
    """Send a command as `send` does; whether it was carried out."""
    outcome = table().send(Command.on(seen, kind, BY, values))
    note("" if outcome.done else texts.refused(outcome.message))
    return outcome.done


@contextmanager
def section(label: str, key: str, *, at_first: bool = False) -> Iterator[bool]:
    """A part of the page that unfolds; tells whether it is open, so that a closed one costs nothing."""
    box = st.expander(label, at_first, key=f"open-{key}", on_change="rerun")
    with box:
        yield bool(box.open)


def note(text: str) -> None:
    """Something to be told at the top of the page, once."""
    st.session_state[_NOTE] = text


def show_note() -> None:
    """Tell what waits to be told."""
    text = st.session_state.pop(_NOTE, "")
    if text:
        st.warning(plain(text))


def plain(text: str) -> str:
    """Text that Streamlit's Markdown shows as it is written."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~<>$:])", r"\\\1", text)


def safe(text: str | None) -> str:
    """Text for HTML."""
    return escape(text or "")
