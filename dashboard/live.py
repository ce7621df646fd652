"""Live: the table through the camera, the piles as cards, the feed, and two big buttons. It never coaches."""

from __future__ import annotations

import streamlit as st

from dashboard import texts
from dashboard.cards import card_html, sign_html
from dashboard.desk import plain, safe, send, show_note, snapshot, table
from engine.hub import CameraState, FlagView, Phase, PileView, PlayerView, Snapshot
from engine.pipeline import CommandKind
from referee.events import EventType, PlayEvent

POLL_S = 0.5
MARKS = {
    EventType.ROUND_STARTED: "▶",
    EventType.CALLED: "✹",
    EventType.COMPLETED: "✓",
    EventType.PAUSED: "✋",
    EventType.RESUMED: "▶",
    EventType.ROUND_ENDED: "■",
    EventType.RULING: "⚑",
}


def page() -> None:
    """The page."""
    _banner()
    left, right = st.columns([1.75, 1], gap="large")
    with left:
        st.html(f'<div class="br-video"><img src="/video.mjpg?s={table().token}" alt="The table"></div>')
        _table_side()
    with right:
        _round_side()


@st.fragment(run_every=POLL_S)
def _banner() -> None:
    """What everybody should see: a call, or the newest flag nobody has spoken on."""
    now = snapshot()
    view = now.round
    show_note()
    for problem in now.problems:
        st.warning(plain(problem))
    if view.phase is Phase.CALLED:
        _call_banner(now)
        return
    waiting = [flag for flag in view.flags if flag.open]
    if waiting:
        st.html(_flag_html(waiting[-1], len(waiting), now.match.players))


def _call_banner(now: Snapshot) -> None:
    view = now.round
    who = view.called_by if view.called_by in {p.name for p in now.match.players} else None
    who = who or texts.player_name(now.match.players, view.called_seat)
    when = texts.clock((view.called_t_s or 0.0) - (view.started_t_s or 0.0))
    head = f"{safe(who)} called “Blitz!”" if who else "“Blitz!” was called"
    st.html(
        f'<div class="br-banner call">{sign_html(44)}'
        f"<span>{head} at {when}. Hands off the table.<br>"
        "<small>If it was a false call, play on.</small></span></div>"
    )
    if who is None and now.match.players and view.called_seq is not None:
        st.caption(texts.WHO_CALLED)
        for column, player in zip(st.columns(len(now.match.players)), now.match.players, strict=True):
            column.button(
                plain(player.name),
                key=f"who-{player.name}",
                width="stretch",
                on_click=_name_caller,
                args=(view.called_seq, player),
            )


def _name_caller(seq: int, player: PlayerView) -> None:
    event = {"seat": player.seat or player.name, "by": player.name}
    send(CommandKind.CORRECT, f"who:{seq}:{player.name}", of=[seq], action="replace", event=event)


def _flag_html(flag: FlagView, waiting: int, players: tuple[PlayerView, ...]) -> str:
    more = f" ({waiting - 1} more)" if waiting > 1 else ""
    words = safe(texts.flag_banner(flag, players))
    picture = card_html(flag.card, 46) if flag.card is not None else '<span class="br-mark">⚑</span>'
    return (
        f'<div class="br-banner {safe(flag.severity)}">{picture}<span>{words}<br>'
        f"<small>The camera is {texts.sure(flag.p)}. The table decides."
        f' <a href="/review" target="_self">Look at it{more} →</a></small></span></div>'
    )


@st.fragment(run_every=POLL_S)
def _table_side() -> None:
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
    tag = '<span class="br-tag">complete</span>' if pile.complete else ""
    if pile.unread and not tag:
        tag = '<span class="br-tag">hidden</span>'
    done = " done" if pile.complete else ""
    return f'<div class="br-pile{done}">{card_html(pile.card, 82, dim=pile.unread)}{tag}</div>'


def _health_html(now: Snapshot) -> str:
    camera = now.camera
    bad = camera.state is CameraState.LOST or camera.problem is not None
    parts = [
        f'<span class="{"bad" if bad else ""}">{"⚠ " if bad else "● "}{safe(texts.health(camera))}</span>'
    ]
    if camera.state is CameraState.LIVE:
        parts.append(f"<span><b>{camera.fps_hz:.0f}</b> pictures a second</span>")
        parts.append(f"<span><b>{camera.lag_s:.1f} s</b> behind</span>")
        if camera.size_px is not None:
            parts.append(f"<span><b>{camera.size_px[0]} × {camera.size_px[1]}</b></span>")
        if camera.dropped:
            parts.append(f"<span><b>{camera.dropped}</b> skipped</span>")
    return f'<div class="br-health">{"".join(parts)}</div>'


@st.fragment(run_every=POLL_S)
def _round_side() -> None:
    now = snapshot()
    view = now.round
    chip = str(view.phase) if view.phase in (Phase.PLAYING, Phase.PAUSED, Phase.CALLED) else "quiet"
    st.html(
        f'<div class="br-top"><span class="br-clock">{texts.clock(view.clock_s)}</span>'
        f'<span><span class="br-chip {chip}">{texts.phase(view)}</span><br>'
        f'<span class="br-sub">Round {view.number}</span></span></div>'
    )
    _buttons(now)
    st.html(_feed_html(view.feed, now.match.players, view.started_t_s or 0.0))


def _buttons(now: Snapshot) -> None:
    view = now.round
    key = str(view.phase_seq)
    if view.phase is Phase.PLAYING:
        blitz, dutch = st.columns([1.5, 1])
        with blitz, st.container(key="blitz"):
            st.button(texts.BLITZ, width="stretch", on_click=send, args=(CommandKind.CALL, key))
        with dutch, st.container(key="dutch"):
            st.button(texts.DUTCH, width="stretch", on_click=send, args=(CommandKind.DUTCH, key))
    if view.phase is Phase.ENDED:
        st.html(
            f'<div class="br-banner call"><span>{safe(texts.COUNT_NOW)}<br>'
            '<a href="/count" target="_self">Count the round →</a></span></div>'
        )
    with st.container(key="go", horizontal=True):
        for label, kind, primary in _actions(view.phase, now.camera.is_live):
            st.button(
                label,
                key=f"do-{kind}",
                width="stretch",
                type="primary" if primary else "secondary",
                on_click=send,
                args=(kind, key),
            )


def _actions(phase: Phase, is_live: bool) -> list[tuple[str, CommandKind, bool]]:
    match phase:
        case Phase.WAITING:
            return [(texts.START, CommandKind.START, True)] if is_live else []
        case Phase.PLAYING:
            return [(texts.END, CommandKind.END, False)]
        case Phase.PAUSED | Phase.CALLED:
            return [
                (texts.RESUME, CommandKind.RESUME, phase is Phase.PAUSED),
                (texts.END, CommandKind.END, False),
            ]
        case Phase.CONFIRMED:
            return [(texts.NEXT, CommandKind.NEXT_ROUND, True)]
    return []


def _feed_html(feed: tuple[PlayEvent, ...], players: tuple[PlayerView, ...], started_s: float) -> str:
    rows = []
    for event in reversed(feed):
        row = _row_html(event, players, started_s)
        if row:
            rows.append(row)
        if len(rows) == 11:
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
