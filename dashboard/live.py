"""Live: the table through the camera, the piles as cards, the feed, and two big buttons. It never coaches."""

from __future__ import annotations

import streamlit as st

from dashboard import texts
from dashboard.cards import card_html, sign_html
from dashboard.desk import plain, safe, send, show_note, snapshot, table
from dashboard.scores import announcement_html
from dashboard.widgets import Place, cue, table_picture
from engine.hub import CameraState, FlagView, Mode, Phase, PileView, PlayerView, Seen, Snapshot
from engine.setup_file import SEATS
from engine.table_command import CommandKind
from referee.events import EventType, PlayEvent

POLL_S = 0.5
CALM_POLL_S = 1.0
"""Piles and feed may come a little later than the clock and the buttons: each run costs the engine."""
PICTURE_POLL_S = 3.0
FEED_LINES = 11
MARKS = {
    EventType.ROUND_STARTED: "▶",
    EventType.CALLED: "✹",
    EventType.COMPLETED: "✓",
    EventType.PAUSED: "✋",
    EventType.RESUMED: "▶",
    EventType.ROUND_ENDED: "■",
    EventType.RULING: "⚑",
}
CUES = {
    Phase.PLAYING: "start",
    Phase.PAUSED: "stop",
    Phase.CALLED: "call",
    Phase.ENDED: "stop",
    Phase.CONFIRMED: "score",
}
_LATER = "looked-away"


def page() -> None:
    """The page."""
    _banner()
    picture, buttons = st.columns([1.75, 1], gap="large")
    with picture:
        _picture()
    with buttons:
        _round_side()
    piles, feed = st.columns([1.75, 1], gap="large")
    with piles:
        _piles_side()
        _how_much()
    with feed:
        _feed_side()


@st.fragment(run_every=PICTURE_POLL_S)
def _picture() -> None:
    """The table itself; the address changes only when another table is opened."""
    now = snapshot()
    table_picture(table().token, now.camera.size_px, seat_tags(now.match.players))


def seat_tags(players: tuple[PlayerView, ...]) -> list[Place]:
    """The names at their places in the picture."""
    return [Place(player.seat, player.name) for player in players if player.seat in SEATS]


@st.fragment(run_every=POLL_S)
def _banner() -> None:
    """What everybody should see: a call, a score, or the newest flag nobody has spoken on."""
    now = snapshot()
    view = now.round
    show_note()
    for problem in now.problems:
        st.warning(plain(problem))
    if not now.match.players and view.phase is Phase.WAITING:
        st.html(texts.pointer(texts.FIRST_TIME, "/setup", texts.TO_SETUP))
    if view.phase is Phase.CALLED:
        _call_banner(now)
    elif view.phase is Phase.CONFIRMED:
        st.html(announcement_html(now))
    elif now.mode is not Mode.COUNT_ONLY:
        _flag_banner(now)


def _newest_cue(now: Snapshot) -> tuple[str, str]:
    """The sound that belongs to the newest thing that happened, and a name for it."""
    view = now.round
    fouls = [flag.seq for flag in view.flags if flag.severity == "foul" and flag.stands]
    if now.mode is Mode.REFEREE and view.phase is Phase.PLAYING and fouls and fouls[-1] > view.phase_seq:
        return "foul", f"{view.round_id}:{fouls[-1]}"
    return CUES.get(view.phase, ""), f"{view.round_id}:{view.phase}:{view.phase_seq}"


def _call_banner(now: Snapshot) -> None:
    view = now.round
    who = view.called_by if view.called_by in {p.name for p in now.match.players} else None
    who = who or texts.player_name(now.match.players, view.called_seat)
    when = texts.clock((view.called_t_s or 0.0) - (view.started_t_s or 0.0))
    st.html(
        f'<div class="br-banner call">{sign_html(44)}<span>{safe(texts.called(who, when))}<br>'
        f"<small>{safe(texts.FALSE_CALL)}</small></span></div>"
    )
    if who is None and now.match.players and view.called_seq is not None:
        st.caption(texts.WHO_CALLED)
        with st.container(horizontal=True):
            for player in now.match.players:
                st.button(
                    plain(player.name),
                    key=f"who-{player.name}",
                    on_click=_name_caller,
                    args=(now.seen(), view.called_seq, player),
                )


def _name_caller(seen: Seen, seq: int, player: PlayerView) -> None:
    event = {"seat": player.seat or player.name, "by": player.name}
    send(CommandKind.CORRECT, seen, of=[seq], action="replace", event=event)


def _flag_banner(now: Snapshot) -> None:
    waiting = [flag for flag in now.round.flags if flag.open]
    if not waiting:
        return
    newest = waiting[-1]
    looked_away = st.session_state.setdefault(_LATER, set())
    fouls = [
        flag
        for flag in waiting
        if flag.severity == "foul" and (now.round.round_id, flag.seq) not in looked_away
    ]
    # A warning that comes right after a foul does not hide it.
    foul = fouls[-1] if fouls and now.mode is Mode.REFEREE else None
    if foul is not None:
        _foul_dialog(foul, now)
    if newest is not foul:
        st.html(_flag_html(newest, len(waiting), now.match.players))


def _foul_dialog(flag: FlagView, now: Snapshot) -> None:
    """A foul, over the page but not in its way: the big buttons below can still be hit."""
    with st.container(key="foul"):
        st.html(
            f'<div role="alertdialog" aria-label="{safe(texts.SEVERITIES["foul"])}">'
            f"{_flag_html(flag, 1, now.match.players)}</div>"
        )
        with st.container(horizontal=True):
            for action, label in texts.VERDICTS.items():
                st.button(
                    label,
                    key=f"live-{action}",
                    on_click=send,
                    args=(CommandKind.CORRECT, now.seen()),
                    kwargs={"of": [flag.seq], "action": action},
                )
            st.button(texts.LATER, key="live-later", type="tertiary", on_click=_look_away, args=(now, flag))


def _look_away(now: Snapshot, flag: FlagView) -> None:
    st.session_state[_LATER].add((now.round.round_id, flag.seq))


def _flag_html(flag: FlagView, waiting: int, players: tuple[PlayerView, ...]) -> str:
    words = safe(texts.flag_banner(flag, players))
    picture = card_html(flag.card, 46) if flag.card is not None else '<span class="br-mark">⚑</span>'
    return (
        f'<div class="br-banner {safe(flag.severity)}">{picture}<span>{words}<br>'
        f"<small>{safe(texts.table_decides(flag.p))}"
        f' <a href="/review" target="_self">{safe(texts.look_at_it(waiting - 1))} →</a></small></span></div>'
    )


@st.fragment(run_every=CALM_POLL_S)
def _piles_side() -> None:
    now = snapshot()
    st.html(_health_html(now))
    piles = [pile for pile in now.round.piles if not pile.complete] + [
        pile for pile in now.round.piles if pile.complete
    ]
    if piles:
        st.html(f'<div class="br-piles">{"".join(map(_pile_html, piles))}</div>')
    else:
        st.html(texts.empty(texts.NO_PILES, sign_html(44)))


def _pile_html(pile: PileView) -> str:
    word = texts.PILE_COMPLETE if pile.complete else texts.PILE_HIDDEN if pile.unread else ""
    tag = f'<span class="br-tag">{safe(word)}</span>' if word else ""
    done = " done" if pile.complete else ""
    return f'<div class="br-pile{done}">{card_html(pile.card, 82, dim=pile.unread)}{tag}</div>'


def _health_html(now: Snapshot) -> str:
    camera = now.camera
    bad = camera.state is CameraState.LOST or camera.problem is not None
    parts = [
        f'<span class="{"bad" if bad else ""}">{"⚠ " if bad else "● "}{safe(texts.health(camera))}</span>'
    ]
    if camera.state is CameraState.LIVE:
        parts += [f"<span>{safe(words)}</span>" for words in texts.camera_figures(camera)]
    return f'<div class="br-health">{"".join(parts)}</div>'


def _how_much() -> None:
    """How much the referee says, the same on every screen."""
    now = snapshot()
    mode = now.mode
    with st.popover(texts.MODES[mode]):
        st.caption(texts.MODE_HELP)
        for other in Mode:
            st.button(
                texts.MODES[other],
                key=f"mode-{other}",
                type="primary" if other is mode else "secondary",
                width="stretch",
                help=texts.MODES_HELP[other],
                on_click=send,
                args=(CommandKind.MODE, now.seen()),
                kwargs={"mode": str(other)},
            )


@st.fragment(run_every=POLL_S)
def _round_side() -> None:
    now = snapshot()
    view = now.round
    chip = str(view.phase) if view.phase in (Phase.PLAYING, Phase.PAUSED, Phase.CALLED) else "quiet"
    st.html(
        f'<div class="br-top"><span class="br-clock">{texts.clock(view.clock_s)}</span>'
        f'<span><span class="br-chip {chip}">{texts.phase(view)}</span><br>'
        f'<span class="br-sub">{safe(texts.round_name(view.number))}</span></span></div>'
    )
    _buttons(now)
    cue(*_newest_cue(now))


def _buttons(now: Snapshot) -> None:
    view, seen = now.round, now.seen()
    if view.phase is Phase.PLAYING:
        with st.container(key="blitz"):
            st.button(
                plain(texts.call(str(table().rules["call_word"]))),
                key="call",
                width="stretch",
                shortcut="Space",
                on_click=send,
                args=(CommandKind.CALL, seen),
            )
        with st.container(key="dutch"):
            st.button(
                texts.DUTCH,
                key="stop",
                width="stretch",
                shortcut="D",
                on_click=send,
                args=(CommandKind.DUTCH, seen),
            )
    if view.phase is Phase.ENDED:
        st.html(texts.pointer(texts.COUNT_NOW, "/count", texts.TO_COUNT))
    with st.container(key="go", horizontal=True):
        for label, kind, primary, shortcut in _actions(view.phase, now):
            st.button(
                label,
                key=f"do-{kind}",
                width="stretch",
                type="primary" if primary else "secondary",
                shortcut=shortcut,
                on_click=send,
                args=(kind, seen),
            )


def _actions(phase: Phase, now: Snapshot) -> list[tuple[str, CommandKind, bool, str | None]]:
    match phase:
        case Phase.WAITING:
            return [(texts.START, CommandKind.START, True, "S")] if now.camera.is_live else []
        case Phase.PLAYING:
            return [(texts.END, CommandKind.END, False, None)]
        case Phase.PAUSED | Phase.CALLED:
            return [
                (texts.RESUME, CommandKind.RESUME, phase is Phase.PAUSED, "P"),
                (texts.END, CommandKind.END, False, None),
            ]
        case Phase.CONFIRMED if not now.match.over:
            return [(texts.NEXT, CommandKind.NEXT_ROUND, True, "N")]
    return []


@st.fragment(run_every=CALM_POLL_S)
def _feed_side() -> None:
    now = snapshot()
    st.html(_feed_html(now))


def _feed_html(now: Snapshot) -> str:
    view, rows = now.round, []
    for event in reversed(view.feed):
        if event.type is EventType.RULING and now.mode is Mode.COUNT_ONLY:
            continue
        row = _row_html(event, now.match.players, view.started_t_s or 0.0)
        if row:
            rows.append(row)
        if len(rows) == FEED_LINES:
            break
    if not rows:
        return texts.empty(texts.NO_EVENTS)
    return f'<ul class="br-feed">{"".join(rows)}</ul>'


def _row_html(event: PlayEvent, players: tuple[PlayerView, ...], started_s: float) -> str | None:
    who = texts.player_name(players, event.seat)
    words = texts.said(event, players)
    if words is None:
        return None
    picture = f'<span class="br-dot">{MARKS.get(event.type, "·")}</span>'
    if event.card is not None and event.type is not EventType.RULING:
        picture = card_html(event.card, 30)
    style = safe(str(event.extra.get("severity", "")))
    by = who if who and event.type in (EventType.STARTED, EventType.LANDED) else ""
    words = words[0].upper() + words[1:]
    when = texts.clock(max(0.0, event.t - started_s))
    return f'<li class="{style}"><time>{when}</time>{picture}<span>{safe(words)}</span><b>{safe(by)}</b></li>'
