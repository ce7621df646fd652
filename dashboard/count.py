"""Count: goal piles, then the sorted cards by photograph or by typing, the audit, one confirmation."""

from __future__ import annotations

from collections import Counter
from typing import Any

import streamlit as st

from dashboard import texts
from dashboard.cards import sign_html
from dashboard.desk import plain, safe, send, show_note, snapshot, table
from dashboard.review import pick_card
from engine.hub import CameraState, CountEntry, Phase, PlayerView, Snapshot
from engine.photo import PhotoError, PhotoResult
from engine.pipeline import CommandKind
from referee.cards import Card

DOUBTFUL = 0.9
DOUBTS_SHOWN = 6
LEVELS = {"error": "⛔", "warning": "⚠", "info": "ⓘ"}


def page() -> None:
    """The page."""
    now = snapshot()
    st.title(texts.COUNT)
    show_note()
    if not now.match.players:
        st.html(texts.empty(texts.NO_PLAYERS, sign_html(52)))
        return
    if now.round.phase in (Phase.WAITING, Phase.PLAYING, Phase.PAUSED, Phase.CALLED):
        _still_on(now)
        return
    if now.round.phase is Phase.CONFIRMED:
        _done(now)
        return
    entry, result = st.columns([1.35, 1], gap="large")
    with entry:
        _goal_piles(now)
        _photographs(now)
        _played(now)
    with result:
        _result(snapshot())


def _still_on(now: Snapshot) -> None:
    st.html(texts.empty(texts.ROUND_RUNNING, sign_html(52)))
    if now.round.phase is not Phase.WAITING:
        key = str(now.round.phase_seq)
        st.button(texts.END, type="primary", on_click=send, args=(CommandKind.END, key))


def _done(now: Snapshot) -> None:
    view = now.round
    st.html(_score_table(now, confirmed=True))
    with st.container(horizontal=True):
        if not now.match.over:
            st.button(
                texts.NEXT, type="primary", on_click=send, args=(CommandKind.NEXT_ROUND, str(view.phase_seq))
            )
        st.button(texts.REOPEN, on_click=send, args=(CommandKind.REOPEN, str(view.lines)))


def _entry_of(now: Snapshot, player: PlayerView) -> CountEntry:
    return next((e for e in now.round.counts if e.player == player.name), CountEntry(player.name))


def _numbers(now: Snapshot, field: str, most: int) -> None:
    """One number a player; typing one saves it at once."""
    for column, player in zip(st.columns(len(now.match.players)), now.match.players, strict=True):
        entry = _entry_of(now, player)
        value = getattr(entry, field)
        key = f"{field}:{now.round.round_id}:{player.name}:{value}"
        column.number_input(
            plain(player.name),
            0,
            most,
            value,
            key=key,
            placeholder="–",
            on_change=_save_number,
            args=(player.name, field, key, now.round.lines),
        )
        if field == "played" and entry.machine_played is not None and entry.machine_played != entry.played:
            column.caption(f"The camera counted {entry.machine_played}.")


def _save_number(player: str, field: str, key: str, lines: int) -> None:
    entry = {"player": player, field: st.session_state[key]}
    send(CommandKind.COUNT, f"{player}:{field}:{lines}", entries=[entry])


def _goal_piles(now: Snapshot) -> None:
    st.subheader(f"1 · {texts.LEFT}")
    st.caption(texts.LEFT_HELP)
    _numbers(now, "left", table().rules.number("goal_size") + 4)


def _played(now: Snapshot) -> None:
    st.subheader(f"3 · {texts.PLAYED}")
    st.caption(texts.COUNT_HELP)
    _numbers(now, "played", table().rules.deck_size)


def _photographs(now: Snapshot) -> None:
    st.subheader("2 · Photograph the middle")
    if not table().can_read_photos:
        st.caption("Photographs cannot be read here; type the counts below.")
        return
    st.caption(texts.UPLOAD_HELP)
    photos = _photos(now.round.round_id)
    files = st.file_uploader(
        texts.UPLOAD, type=["jpg", "jpeg", "png", "webp", "bmp"], accept_multiple_files=True
    )
    for file in files:
        if file.file_id not in photos:
            _read(photos, file.file_id, file.getvalue())
    if st.button(texts.FROM_CAMERA, disabled=table().hub.still is None):
        _read_still(photos)
    wanted = {file.file_id for file in files}
    for key in [key for key in photos if not key.startswith("still") and key not in wanted]:
        del photos[key]
    results = {key: photo for key, photo in photos.items() if isinstance(photo, PhotoResult)}
    for fault in [photo for photo in photos.values() if isinstance(photo, str)]:
        st.warning(plain(fault))
    for key, photo in results.items():
        _photo(photos, key, photo)
    if results:
        _take(now, list(results.values()))


def _photos(round_id: int | None) -> dict[str, PhotoResult | str]:
    """This session's photographs of the round; a text stands for one that could not be used."""
    if st.session_state.get("photos_of") != round_id:
        st.session_state["photos_of"], st.session_state["photos"] = round_id, {}
    photos: dict[str, PhotoResult | str] = st.session_state["photos"]
    return photos


def _read(photos: dict[str, PhotoResult | str], key: str, data: bytes) -> None:
    with st.spinner("Reading the cards …"):
        try:
            photos[key] = table().read_photo(data)
        except PhotoError as error:
            photos[key] = str(error)


def _read_still(photos: dict[str, PhotoResult | str]) -> None:
    with st.spinner("Reading the cards …"):
        photos[f"still-{len(photos)}"] = table().read_still()


def _photo(photos: dict[str, PhotoResult | str], key: str, photo: PhotoResult) -> None:
    with st.container(border=True):
        st.image(photo.marked, width="stretch")
        decks = " ".join(
            f'<span class="br-chip quiet">{safe(deck)} <b>{count}</b></span>'
            for deck, count in sorted(photo.backs.items())
        )
        faces = f'<span class="br-chip quiet">faces <b>{len(photo.faces)}</b></span>' if photo.faces else ""
        unknown = (
            f'<span class="br-chip warning">not readable <b>{photo.unknown}</b></span>'
            if photo.unknown
            else ""
        )
        st.html(f"{decks} {faces} {unknown}" if photo.cards else "No card was found in this picture.")
        _doubts(photos, key, photo)
        if key.startswith("still") and st.button("Remove this picture", key=f"remove-{key}"):
            del photos[key]
            st.rerun()


def _doubts(photos: dict[str, PhotoResult | str], key: str, photo: PhotoResult) -> None:
    """The cards the camera is least sure of, each to be put right with one tap."""
    doubts = [i for i in photo.least_sure_first() if photo.cards[i].reading.confidence < DOUBTFUL]
    if not doubts:
        return
    with st.expander(texts.doubts(len(doubts))):
        for i in doubts[:DOUBTS_SHOWN]:
            picture, choices = st.columns([1, 4])
            picture.image(photo.crop(i), width=90)
            with choices.container(horizontal=True):
                for card, p in photo.cards[i].reading.alternatives[:4]:
                    st.button(
                        f"{card.words} ({p:.0%})",
                        key=f"{key}-{i}-{card}",
                        on_click=_correct,
                        args=(photos, key, i, card, None),
                    )
                for player in snapshot().match.players:
                    if player.deck:
                        st.button(
                            f"back: {plain(player.deck)}",
                            key=f"{key}-{i}-{player.deck}",
                            on_click=_correct,
                            args=(photos, key, i, None, player.deck),
                        )
                with st.popover("Another card"):
                    other = pick_card(f"{key}-{i}", None)
                    st.button(
                        texts.CHANGE,
                        key=f"{key}-{i}-other",
                        on_click=_correct,
                        args=(photos, key, i, other, None),
                    )
                st.button(
                    texts.NOT_A_CARD,
                    key=f"{key}-{i}-none",
                    on_click=_correct,
                    args=(photos, key, i, None, None),
                )


def _correct(
    photos: dict[str, PhotoResult | str], key: str, index: int, card: Card | None, deck: str | None
) -> None:
    photo = photos.get(key)
    if isinstance(photo, PhotoResult) and index < len(photo.cards):
        photos[key] = photo.corrected(index, card, deck)


def _take(now: Snapshot, photos: list[PhotoResult]) -> None:
    """Backs go to the players of these decks; faces, where they are needed, to one chosen player."""
    players, lines = now.match.players, now.round.lines
    backs: Counter[str] = sum((photo.backs for photo in photos), Counter())
    entries: list[dict[str, Any]] = [
        {"player": player.name, "played": backs[player.deck], "machine_played": backs[player.deck]}
        for player in players
        if player.deck is not None and player.deck in backs
    ]
    strangers = sorted(set(backs) - {player.deck for player in players})
    if strangers:
        st.caption(
            plain(f"Nobody plays with {', '.join(strangers)}. Give each player a deck on the Match page.")
        )
    if entries:
        st.button(texts.TAKE_COUNTS, type="primary", on_click=_save_entries, args=(entries, lines))
    faces = [card for photo in photos for card in photo.faces]
    if faces and table().rules.counts_faces:
        owner = st.selectbox("Whose cards are these?", players, format_func=lambda player: player.name)
        where = st.radio("From where?", (texts.PLAYED, texts.LEFT), horizontal=True)
        shown = [card.to_json() for card in faces]
        entry: dict[str, Any] = (
            {"played": len(faces), "machine_played": len(faces), "faces": shown}
            if where == texts.PLAYED
            else {"left": len(faces), "faces_left": shown}
        )
        st.button("Take these faces", on_click=_save_entries, args=([{"player": owner.name, **entry}], lines))


def _save_entries(entries: list[dict[str, Any]], lines: int) -> None:
    send(CommandKind.COUNT, f"photo:{lines}", entries=entries)


def _result(now: Snapshot) -> None:
    draft = now.draft
    st.subheader("The round")
    st.html(_score_table(now, confirmed=False))
    for found in [found for found in draft.findings if found.level in ("info", "ok")]:
        st.caption(plain(f"{LEVELS['info']} {found.text}"))
    for found in [found for found in draft.findings if found.level in ("error", "warning")]:
        st.html(
            f'<div class="br-banner small {"foul" if found.level == "error" else ""}">'
            f'<span class="br-mark">{LEVELS[found.level]}</span><span>{safe(found.text)}</span></div>'
        )
    if draft.missing is not None:
        st.caption(plain(draft.missing))
    st.button(
        texts.CONFIRM,
        type="primary",
        width="stretch",
        disabled=draft.missing is not None,
        on_click=send,
        args=(CommandKind.CONFIRM, str(now.round.lines)),
    )
    st.caption("No shuffling before the score is confirmed.")
    if now.camera.state is not CameraState.FINISHED:
        key = str(now.round.phase_seq)
        st.button(texts.NOT_OVER, type="tertiary", on_click=send, args=(CommandKind.RESUME, key))


def _score_table(now: Snapshot, *, confirmed: bool) -> str:
    """Each player's arithmetic; the word for the state keeps a draft from being taken for the score."""
    rows = []
    for player in now.match.players:
        score = now.draft.scores.get(player.name)
        words = now.draft.arithmetic.get(player.name, "")
        shown = "–" if score is None else str(score)
        style = "total neg" if score is not None and score < 0 else "total"
        rows.append(
            f"<tr><td>{safe(player.name)}</td><td><small>{safe(words)}</small></td>"
            f'<td class="{style}">{shown}</td></tr>'
        )
    head = "Score" if confirmed else "Score so far"
    return (
        f'<table class="br-scores"><thead><tr><th>Player</th><th></th><th>{head}</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )
