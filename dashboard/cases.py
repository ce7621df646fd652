"""Which round is looked at again: that on the table, an earlier one or a recording; and corrections of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard import texts
from dashboard.desk import BY, note, send, snapshot, table
from engine.hub import Seen
from engine.past import Case
from engine.recordings import RecordingError
from engine.table_command import Command, CommandError, CommandKind

_CHOSEN = "case"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A round of this match by its id, or a recording by its key."""

    round_id: int | None = None
    recording: str | None = None


def choose_case() -> tuple[Chosen, Case | None]:
    """The control that chooses, and what it chose; the round on the table follows the table."""
    recordings = table().recordings.names()
    rounds = [round_id for _, round_id in table().rounds()]
    options = [*(Chosen(round_id=one) for one in rounds), *(Chosen(recording=key) for key in recordings)]
    numbers = {round_id: number for number, round_id in table().rounds()}
    wanted = st.session_state.get(_CHOSEN)
    at = options.index(wanted) if wanted in options else 0
    if len(options) > 1:
        chosen = st.selectbox(
            texts.WHICH_ROUND,
            options,
            at,
            format_func=lambda one: _title(one, numbers, recordings),
            key=f"case-{hash((tuple(options), at))}",
        )
        st.session_state[_CHOSEN] = None if chosen == options[0] else chosen
    else:
        chosen = options[0]
    return chosen, _case(chosen)


def show_recording(key: str) -> None:
    """Look at a recording from now on."""
    st.session_state[_CHOSEN] = Chosen(recording=key)


def _title(chosen: Chosen, numbers: dict[int, int], recordings: dict[str, str]) -> str:
    if chosen.recording is not None:
        return texts.recording_title(recordings.get(chosen.recording, chosen.recording))
    number = numbers.get(chosen.round_id or 0, 0)
    return (
        texts.this_round(number) if chosen.round_id == snapshot().round.round_id else texts.round_name(number)
    )


def _case(chosen: Chosen) -> Case | None:
    if chosen.recording is None:
        return table().case(chosen.round_id or 0)
    try:
        return table().recordings.case(chosen.recording)
    except RecordingError as error:
        note(texts.refused(str(error)))
        return None


def tell(chosen: Chosen, case: Case, seen: Seen, **values: Any) -> None:
    """Send a correction to the round that is looked at; a refusal is shown as a note."""
    if chosen.recording is None:
        earlier = {} if case.is_current else {"round_id": chosen.round_id}
        send(CommandKind.CORRECT, seen, **values, **earlier)
        return
    command = Command.on(seen, CommandKind.CORRECT, BY, values)
    try:
        table().recordings.send(chosen.recording, command)
    except (CommandError, RecordingError) as error:
        note(texts.refused(str(error)))
