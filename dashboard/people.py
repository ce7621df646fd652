"""The form that says who plays, in which seat, with which deck, and for which team."""

from __future__ import annotations

import streamlit as st

from dashboard import texts
from dashboard.desk import carried_out, plain, table
from engine.household import EnrolmentError
from engine.hub import PlayerView, Snapshot
from engine.setup_file import LONGEST_NAME, LONGEST_TEAM, SEATS
from engine.table_command import CommandKind
from referee.cards import DECKS

FEWEST = 2


def people_form(now: Snapshot, key: str) -> None:
    """The form; while rounds are scored the names stay, so that no total loses its owner."""
    known = now.match.players
    scored = bool(now.match.results)
    if scored:
        st.caption(texts.SAME_PEOPLE)
    most = max(table().rules.number("max_players"), len(known))
    count = len(known)
    if not scored:
        count = int(
            st.number_input(texts.HOW_MANY, FEWEST, most, max(FEWEST, len(known)), key=f"{key}-count")
        )
    with st.form(f"{key}-players"):
        players = [_row(i, known, key, locked=scored) for i in range(count)]
        if st.form_submit_button(texts.SAVE_PLAYERS, type="primary"):
            fault = people_fault(players)
            if fault:
                st.warning(plain(fault))
                return
            if save_people(now, players):
                st.rerun()


def save_people(now: Snapshot, players: list[dict[str, str | None]]) -> bool:
    """Tell the table who plays."""
    return carried_out(CommandKind.PLAYERS, now.seen(), players=players)


def person_json(player: PlayerView) -> dict[str, str | None]:
    """A player as the PLAYERS command takes it."""
    return {"name": player.name, "seat": player.seat, "deck": player.deck, "team": player.team}


def deck_names(known: tuple[PlayerView, ...]) -> list[str]:
    """The backs that can be chosen: the household's own, the known ones and those that are in use."""
    own = own_decks()
    return [*own, *DECKS, *sorted({p.deck for p in known if p.deck} - {*DECKS, *own})]


def own_decks() -> tuple[str, ...]:
    """The decks that were taught here; one that is damaged is told."""
    try:
        return table().own_decks()
    except EnrolmentError as error:
        st.warning(plain(texts.refused(str(error))))
        return ()


def _row(i: int, known: tuple[PlayerView, ...], key: str, *, locked: bool) -> dict[str, str | None]:
    was = known[i] if i < len(known) else PlayerView("")
    name, seat, deck, team = st.columns([1.4, 1.2, 1.1, 0.9])
    seats, decks = ["", *SEATS], ["", *deck_names(known)]
    return {
        "name": name.text_input(
            texts.NAME, was.name, max_chars=LONGEST_NAME, key=f"{key}-name-{i}-{was.name}", disabled=locked
        ).strip(),
        "seat": seat.selectbox(
            texts.SEAT,
            seats,
            seats.index(was.seat) if was.seat in seats else 0,
            format_func=lambda s: texts.seat_words(s) if s else texts.NOT_KNOWN,
            key=f"{key}-seat-{i}-{was.seat}",
        )
        or None,
        "deck": deck.selectbox(
            texts.DECK,
            decks,
            decks.index(was.deck) if was.deck in decks else 0,
            format_func=lambda d: d or texts.NOT_KNOWN,
            key=f"{key}-deck-{i}-{was.deck}",
        )
        or None,
        "team": team.text_input(
            texts.TEAM, was.team or "", max_chars=LONGEST_TEAM, key=f"{key}-team-{i}-{was.team}"
        ).strip()
        or None,
    }


def people_fault(players: list[dict[str, str | None]]) -> str | None:
    """What is wrong with the players as entered, in one sentence."""
    if any(not player["name"] for player in players):
        return texts.NAME_MISSING
    for key, word in (("name", texts.NAME), ("seat", texts.SEAT), ("deck", texts.DECK)):
        values = [player[key] for player in players if player[key]]
        if len(values) != len(set(values)):
            return texts.twice(word)
    return None
