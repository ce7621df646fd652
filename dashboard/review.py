"""Review: each flagged play with pictures from before and after; people decide, and can undo."""

from __future__ import annotations

import streamlit as st

from dashboard import texts
from dashboard.cards import card_html, sign_html
from dashboard.desk import safe, send, show_note, snapshot, table
from engine.hub import FlagView, PlayerView, RoundView
from engine.pipeline import CommandKind
from referee.cards import BLITZ_COLOURS, SUITS, Card, Colour, Family, highest_number
from referee.events import EventType, PlayEvent, Zone
from referee.rule_texts import rule_sentence

FILTERS = ("Open", "All")


def page() -> None:
    """The page."""
    view = snapshot().round
    st.title(texts.REVIEW)
    show_note()
    if view.undoable is not None:
        st.button(texts.UNDO, on_click=_delete, args=(view.undoable, view.lines))
    if not view.flags:
        st.html(texts.empty(texts.NO_FLAGS, sign_html(52)))
    else:
        waiting = sum(flag.open for flag in view.flags)
        st.caption(f"{waiting} of {len(view.flags)} flagged plays wait for the table's word.")
        for flag in reversed(view.flags):
            _flag(flag, view)
    _other_plays(view)


def _flag(flag: FlagView, view: RoundView) -> None:
    with st.container(border=True):
        words, pictures = st.columns([1, 1.5], gap="large")
        with words:
            _words(flag, view)
        with pictures:
            st.html(_pictures_html(flag, view.round_id))


def _words(flag: FlagView, view: RoundView) -> None:
    when = texts.clock(max(0.0, flag.t_s - (view.started_t_s or 0.0)))
    text = texts.sentence(flag.text, snapshot().match.players)
    rule = rule_sentence(flag.rule, table().rules)
    option = f" The option “{safe(flag.option)}” makes it so." if flag.option else ""
    st.html(
        f'<span class="br-chip {safe(flag.severity)}">{texts.SEVERITIES[flag.severity]}</span>'
        f'<h3 style="margin:.6rem 0 .2rem">{safe(text)}</h3>'
        f'<p class="br-sub">{safe(rule)} <b>{safe(flag.rule)}</b>.{option}<br>'
        f"At {when}. The camera is {texts.sure(flag.p)}.</p>"
    )
    if not flag.stands:
        st.info(texts.CORRECTED_AWAY)
        return
    buttons = (("uphold", texts.UPHOLD), ("overrule", texts.OVERRULE), ("unclear", texts.UNCLEAR))
    with st.container(horizontal=True):
        for action, label in buttons:
            st.button(
                label,
                key=f"{action}-{flag.seq}",
                type="primary" if flag.opinion == action else "secondary",
                on_click=_say,
                args=(flag, action, view.lines),
            )
    if flag.opinion is not None:
        st.caption(texts.OPINIONS[flag.opinion])
    if flag.play_seq is not None and flag.reading is not None:
        _alternatives(flag, view.lines)


def _say(flag: FlagView, action: str, lines: int) -> None:
    if flag.opinion != action:
        send(CommandKind.CORRECT, f"say:{flag.seq}:{action}:{lines}", of=[flag.seq], action=action)


def _alternatives(flag: FlagView, lines: int) -> None:
    """One tap gives the card its right name, the likeliest first."""
    assert flag.play_seq is not None
    st.caption(f"The camera read {texts.card(flag.reading)}. {texts.CARD_IS}")
    with st.container(horizontal=True):
        for other in flag.alternatives[:4]:
            st.button(
                other.words,
                key=f"alt-{flag.seq}-{other}",
                on_click=_replace,
                args=(flag.play_seq, other, lines),
            )
        with st.popover("Another card"):
            chosen = pick_card(f"pick-{flag.seq}", flag.reading)
            st.button(
                texts.CHANGE, key=f"set-{flag.seq}", on_click=_replace, args=(flag.play_seq, chosen, lines)
            )


def _replace(seq: int, card: Card, lines: int) -> None:
    key = f"card:{seq}:{card}:{lines}"
    send(CommandKind.CORRECT, key, of=[seq], action="replace", event={"card": card.to_json()})


def _delete(seq: int, lines: int) -> None:
    send(CommandKind.CORRECT, f"delete:{seq}:{lines}", of=[seq], action="delete")


def pick_card(key: str, start: Card | None) -> Card:
    """Two choices that name a card."""
    colours = BLITZ_COLOURS if table().rules.family is Family.BLITZ else SUITS
    names = [str(colour) for colour in colours]
    first = names.index(str(start.colour)) if start is not None and str(start.colour) in names else 0
    colour = Colour(st.selectbox("Colour", names, index=first, key=f"{key}-colour"))
    numbers = list(range(1, highest_number(colour.family) + 1))
    at = numbers.index(start.number) if start is not None and start.number in numbers else 0
    return Card(st.selectbox("Number", numbers, index=at, key=f"{key}-number"), colour)


def _pictures_html(flag: FlagView, round_id: int | None) -> str:
    role = "_crop" if {"before_crop", "after_crop"} <= set(flag.stills) else ""
    figures = []
    for when, words in (("before", "Before"), ("after", "After")):
        name = flag.stills.get(f"{when}{role}")
        if name is not None:
            figures.append(
                f'<figure><img src="/evidence/{round_id}/{safe(name)}" alt="{words} the play">'
                f"<figcaption>{words}</figcaption></figure>"
            )
    if not figures:
        picture = card_html(flag.card, 92) if flag.card is not None else sign_html(64)
        return f'<div class="br-empty">{picture}<p>There is no picture of this play.</p></div>'
    return f'<div class="br-pair">{"".join(figures)}</div>'


def _other_plays(view: RoundView) -> None:
    """Any play of the round, to be corrected by hand."""
    if view.round_id is None or not view.landings:
        return
    with st.expander(texts.ALL_PLAYS):
        plays = [
            event
            for event in _log(view.round_id)
            if event.type in (EventType.STARTED, EventType.LANDED) and event.zone is Zone.SHARED
        ]
        players = snapshot().match.players
        play = st.selectbox(
            "Which play?",
            plays[::-1],
            format_func=lambda event: _play_words(event, players, view.started_t_s or 0.0),
        )
        if play is None:
            return
        card = pick_card(f"play-{play.seq}", play.card)
        with st.container(horizontal=True):
            st.button(
                texts.CHANGE, key=f"change-{play.seq}", on_click=_replace, args=(play.seq, card, view.lines)
            )
            st.button(
                texts.DID_NOT_HAPPEN, key=f"delete-{play.seq}", on_click=_delete, args=(play.seq, view.lines)
            )


def _log(round_id: int) -> tuple[PlayEvent, ...]:
    case = table().case(round_id)
    return () if case is None else case.log


def _play_words(event: PlayEvent, players: tuple[PlayerView, ...], started_s: float) -> str:
    who = texts.player_name(players, event.seat)
    by = f", {who}" if who else ""
    return f"{texts.clock(max(0.0, event.t - started_s))}  {texts.card(event.card)}{by}"
