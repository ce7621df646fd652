"""Photographs of counted cards on a page: taken in, looked at, and put right with one tap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import streamlit as st

from dashboard import texts
from dashboard.desk import note, plain, safe, snapshot, table
from dashboard.picking import likeliest, pick_card
from engine.counted import CountedPhoto
from engine.photo import PhotoError, PhotoResult
from referee.cards import Card

MIDDLE, GOALS = "middle", "goals"
"""What is photographed: the cards of the middle, or what is left of the goal piles."""
GOAL_PICTURES = "goal-"
"""So the names of goal piles' pictures begin that lie beside a recording."""
DOUBTFUL = 0.9
DOUBTS_SHOWN = 6
_CORRECTED = "corrected-a-card"
SUFFIXES = ["jpg", "jpeg", "png", "webp", "bmp"]


@dataclass(frozen=True, slots=True)
class Shot:
    """A photograph of this session: what was read, or the sentence that says why nothing could be."""

    name: str
    digest: str
    photo: PhotoResult | None = None
    fault: str = ""


def shots(round_id: int | None, step: str) -> dict[str, Shot]:
    """This session's photographs of one step of the round, by their keys."""
    if st.session_state.get("photos-of") != round_id:
        st.session_state["photos-of"], st.session_state["photos"] = round_id, {}
    steps: dict[str, dict[str, Shot]] = st.session_state["photos"]
    return steps.setdefault(step, {})


def beside(step: str) -> list[str]:
    """The pictures of a step that lie beside a recording."""
    return [name for name in table().photographs if name.startswith(GOAL_PICTURES) is (step == GOALS)]


def take_photographs(round_id: int | None, step: str) -> list[CountedPhoto]:
    """Everything with which photographs are taken and corrected; returns those that could be read."""
    if not table().can_read_photos:
        st.caption(texts.NO_PHOTOS_HERE)
        return []
    kept = shots(round_id, step)
    files = st.file_uploader(
        texts.UPLOAD, type=SUFFIXES, accept_multiple_files=True, key=f"upload-{step}-{round_id}"
    )
    for file in files:
        if file.file_id not in kept:
            _read(kept, file.file_id, file.name, file.getvalue())
    with st.container(horizontal=True):
        if st.button(texts.FROM_CAMERA, key=f"still-{step}", disabled=table().hub.still is None):
            _read_still(kept)
        new = [name for name in beside(step) if f"beside-{name}" not in kept]
        if new and st.button(texts.pictures_beside(new), key=f"beside-{step}", type="primary"):
            for name in new:
                _read_beside(kept, name)
            st.rerun()
    if new:
        st.caption(texts.PICTURES_CAME_ALONG)
    wanted = {file.file_id for file in files}
    for key in [key for key in kept if not key.startswith(("still-", "beside-")) and key not in wanted]:
        del kept[key]
    _ask_to_keep()
    for key, shot in list(kept.items()):
        if shot.photo is None:
            st.warning(plain(shot.fault))
            continue
        _show(kept, key, shot)
    return [CountedPhoto(shot.name, shot.digest, shot.photo) for shot in kept.values() if shot.photo]


def _read(kept: dict[str, Shot], key: str, name: str, data: bytes) -> None:
    shot = Shot(name, sha256(data).hexdigest())
    with st.spinner(texts.READING):
        try:
            kept[key] = replace(shot, photo=table().read_photo(data))
        except PhotoError as error:
            kept[key] = replace(shot, fault=texts.about_file(name, str(error)))


def _read_still(kept: dict[str, Shot]) -> None:
    key = f"still-{len(kept)}"
    with st.spinner(texts.READING):
        try:
            kept[key] = Shot(texts.FROM_CAMERA_NAME, key, table().read_still())
        except PhotoError as error:
            kept[key] = Shot(texts.FROM_CAMERA_NAME, key, fault=str(error))


def _read_beside(kept: dict[str, Shot], name: str) -> None:
    key = f"beside-{name}"
    with st.spinner(texts.READING):
        try:
            kept[key] = Shot(name, key, table().read_beside(name))
        except PhotoError as error:
            kept[key] = Shot(name, key, fault=str(error))


def _show(kept: dict[str, Shot], key: str, shot: Shot) -> None:
    photo = shot.photo
    assert photo is not None
    with st.container(border=True):
        st.image(photo.marked, width="stretch")
        st.html(_summary_html(photo))
        _doubts(kept, key, photo)
        if key.startswith(("still-", "beside-")) and st.button(texts.REMOVE_PICTURE, key=f"remove-{key}"):
            del kept[key]
            st.rerun()


def _summary_html(photo: PhotoResult) -> str:
    if not photo.cards:
        return safe(texts.NO_CARDS_FOUND)
    chips = [
        f'<span class="br-chip quiet">{safe(deck)} <b>{count}</b></span>'
        for deck, count in sorted(photo.backs.items())
    ]
    if photo.faces:
        chips.append(f'<span class="br-chip quiet">{texts.FACES} <b>{len(photo.faces)}</b></span>')
    if photo.unknown:
        chips.append(f'<span class="br-chip warning">{texts.NOT_READABLE} <b>{photo.unknown}</b></span>')
    return " ".join(chips)


def _doubts(kept: dict[str, Shot], key: str, photo: PhotoResult) -> None:
    """The cards the camera is least sure of, each to be put right with one tap."""
    doubts = [i for i in photo.least_sure_first() if photo.cards[i].reading.confidence < DOUBTFUL]
    if not doubts:
        return
    decks = [player.deck for player in snapshot().match.players if player.deck]
    with st.expander(texts.doubts(len(doubts))):
        for i in doubts[:DOUBTS_SHOWN]:
            picture, choices = st.columns([1, 4])
            picture.image(photo.crop(i), width=90)
            with choices.container(horizontal=True):
                _choices(kept, key, photo, i, decks)
        if len(doubts) > DOUBTS_SHOWN:
            st.caption(texts.more_doubts(len(doubts) - DOUBTS_SHOWN))


def _choices(kept: dict[str, Shot], key: str, photo: PhotoResult, i: int, decks: Sequence[str]) -> None:
    sure = dict(photo.cards[i].reading.alternatives)
    for card in likeliest(tuple(sure), None):
        p = sure[card]
        _choice(f"{card.words} ({p:.0%})", kept, key, i, f"{card}", card)
    for deck in decks:
        _choice(plain(texts.back_of(deck)), kept, key, i, f"deck-{deck}", None, deck)
    with st.popover(texts.ANOTHER_CARD):
        other = pick_card(f"{key}-{i}", None)
        _choice(texts.CHANGE, kept, key, i, "other", other)
    _choice(texts.NOT_A_CARD, kept, key, i, "none", None)


def _choice(
    label: str, kept: dict[str, Shot], key: str, i: int, name: str, card: Card | None, deck: str | None = None
) -> None:
    st.button(label, key=f"{key}-{i}-{name}", on_click=_correct, args=(kept, key, i, card, deck))


def _correct(kept: dict[str, Shot], key: str, index: int, card: Card | None, deck: str | None) -> None:
    shot = kept.get(key)
    if shot is None or shot.photo is None or index >= len(shot.photo.cards):
        return
    try:
        table().keep_correction(shot.photo, index, card, deck)
    except PhotoError as error:
        note(str(error))
    kept[key] = replace(shot, photo=shot.photo.corrected(index, card, deck))
    st.session_state[_CORRECTED] = True


def _ask_to_keep() -> None:
    """Asked once, after the first correction: may corrected cards be kept to learn from?"""
    store = table().corrections
    if not st.session_state.get(_CORRECTED) or store.allowed is not None:
        return
    with st.container(border=True):
        st.caption(texts.LEARNING_ASK)
        with st.container(horizontal=True):
            st.button(texts.LEARNING_YES, on_click=_answer, args=(True,))
            st.button(texts.LEARNING_NO, on_click=_answer, args=(False,))


def _answer(keep: bool) -> None:
    try:
        table().corrections.allow(keep)
    except OSError as error:
        note(texts.refused(str(error)))


def show_again(round_id: int | None, step: str) -> None:
    """The photographs of a step, to look at beside a question that they raised."""
    seen = [shot for shot in shots(round_id, step).values() if shot.photo is not None]
    for column, shot in zip(st.columns(len(seen)) if seen else (), seen, strict=True):
        assert shot.photo is not None
        column.image(shot.photo.marked, caption=plain(shot.name), width="stretch")
