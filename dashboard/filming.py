"""Opening a recorded video, with progress and cancel; once watched it is reviewed like any round."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import texts
from dashboard.cases import show_recording
from dashboard.desk import note, plain, section, table
from engine.recordings import MOST_UPLOAD_MB, RecordingError

POLL_S = 1.0
SUFFIXES = ["mp4", "mov", "m4v", "avi", "mkv", "webm"]


def films() -> None:
    """The part of the review page that opens recordings."""
    recordings = table().recordings
    if not recordings.can_watch:
        return
    job = recordings.job
    with section(texts.OPEN_VIDEO, f"films-{job is not None}", at_first=job is not None) as is_open:
        if not is_open:
            return
        if job is not None and job.running:
            _progress()
            return
        if job is not None and job.fault is not None:
            st.warning(plain(texts.about_file(job.title, job.fault)))
        if job is not None and job.key is not None:
            st.success(plain(texts.watched(job.title)))
            st.button(texts.REVIEW_IT, type="primary", on_click=_review, args=(job.key,))
        st.caption(texts.OPEN_VIDEO_HELP)
        file = st.file_uploader(
            texts.VIDEO_FILE, type=SUFFIXES, max_upload_size=MOST_UPLOAD_MB, key="film-upload"
        )
        path = st.text_input(texts.VIDEO_PATH, key="film-path", placeholder=texts.VIDEO_PATH_EXAMPLE)
        if st.button(texts.WATCH_IT, disabled=file is None and not path.strip()):
            if file is not None:
                _open_upload(file.name, file.getvalue())
            else:
                _open_path(path.strip())
            st.rerun()
        _delete_one()


def _open_upload(name: str, data: bytes) -> None:
    try:
        _start(table().recordings.take_in(name, data), Path(name).stem)
    except RecordingError as error:
        note(texts.refused(str(error)))


def _open_path(path: str) -> None:
    _start(Path(path).expanduser(), Path(path).stem)


def _start(path: Path, title: str) -> None:
    running = table()
    players = running.hub.snapshot.match.players
    try:
        running.recordings.start(path, title, running.rules, players)
    except RecordingError as error:
        note(texts.refused(str(error)))


@st.fragment(run_every=POLL_S)
def _progress() -> None:
    job = table().recordings.job
    if job is None or not job.running:
        st.rerun()
    else:
        share = min(1.0, job.done / job.total) if job.total else 0.0
        st.progress(share, plain(texts.watching(job.title, job.done, job.total)))
        st.button(texts.CANCEL, key="film-cancel", on_click=table().recordings.cancel)


def _review(key: str) -> None:
    show_recording(key)
    table().recordings.forget_job()


def _delete_one() -> None:
    names = table().recordings.names()
    if not names:
        return
    with st.popover(texts.DELETE_RECORDING):
        key = st.selectbox(texts.WHICH_RECORDING, list(names), format_func=lambda one: names[one])
        st.button(texts.DELETE_FOR_GOOD, on_click=table().recordings.delete, args=(key,))
