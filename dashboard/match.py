"""Match: what each round brought, the way to the target, figures, corrections of any round, history."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard import texts
from dashboard.cards import sign_html
from dashboard.chart import progress_chart
from dashboard.desk import plain, safe, section, send, show_note, snapshot, table
from dashboard.people import people_form
from dashboard.scores import match_table_html
from engine.history import MatchSummary, search
from engine.hub import CountEntry, MatchView, Phase, RoundView, Snapshot
from engine.numbers import MatchNumbers, totals_by_round
from engine.past import Case
from engine.scores import draft
from engine.table_command import CommandKind

SHOWN_MATCHES = 30


def page() -> None:
    """The page."""
    now = snapshot()
    match = now.match
    st.title(texts.MATCH)
    show_note()
    if match.winners:
        winners = safe(texts.winners(match.winners))
        st.html(f'<div class="br-winner">{sign_html(64)}<h2>{winners}</h2></div>')
    elif match.deciding:
        st.info(plain(texts.deciding(match.deciding_players)))
    st.caption(plain(texts.game(match)))
    if not match.players:
        st.html(texts.empty(texts.NO_PLAYERS, sign_html(52)))
        people_form(now, key="match")
    else:
        scores, chart = st.columns([1, 1.25], gap="large")
        with scores:
            st.html(match_table_html(match))
            if match.pot:
                st.caption(plain(texts.pot(match.pot)))
            _actions(now)
        with chart:
            _chart(match)
        if match.results or now.round.landings:
            st.html(_numbers_html(table().numbers()))
        _rounds(now)
        with section(texts.PEOPLE, "match-people") as is_open:
            if is_open:
                people_form(now, key="match")
    _history(now)


def _chart(match: MatchView) -> None:
    if not match.results:
        st.html(texts.empty(texts.NO_ROUNDS, sign_html(44)))
        return
    totals = tuple(totals_by_round(match).items())
    st.vega_lite_chart(progress_chart(totals, match.target), width="stretch")


def _numbers_html(numbers: MatchNumbers) -> str:
    """The figures of the match and of each player."""
    rate = numbers.corrections_per_100
    heads = [
        (texts.LEAD_CHANGES, str(numbers.lead_changes)),
        (texts.CARDS_SEEN, str(numbers.plays)),
        (texts.CONTESTED, str(numbers.contested)),
        (texts.CORRECTIONS_PER_HUNDRED, texts.NONE if rate is None else f"{rate:.1f}"),
    ]
    tiles = "".join(f"<span><b>{safe(value)}</b><small>{safe(name)}</small></span>" for name, value in heads)
    rows = "".join(
        f"<tr><td>{safe(player.name)}</td><td>{player.calls}</td><td>{player.plays}</td>"
        f"<td>{player.flips or texts.NONE}</td><td>{player.lost_races}</td>"
        f"<td>{texts.NONE if player.best is None else player.best}</td></tr>"
        for player in numbers.players
    )
    columns = "".join(f"<th>{safe(name)}</th>" for name in texts.NUMBER_COLUMNS)
    return (
        f'<div class="br-numbers">{tiles}</div>'
        '<div class="br-wide"><table class="br-scores small"><thead><tr>'
        f"{columns}</tr></thead><tbody>{rows}</tbody></table></div>"
        f'<p class="br-sub small">{safe(texts.unplaced(numbers.unplaced))}</p>'
    )


def _actions(now: Snapshot) -> None:
    view = now.round
    with st.container(horizontal=True):
        if view.phase is Phase.CONFIRMED:
            if not now.match.over:
                st.button(
                    texts.NEXT,
                    type="primary",
                    on_click=send,
                    args=(CommandKind.NEXT_ROUND, now.seen()),
                )
            st.button(texts.REOPEN, on_click=send, args=(CommandKind.REOPEN, now.seen()))
        if now.match.results:
            st.button(
                texts.NEW_MATCH,
                type="primary" if now.match.over else "secondary",
                help=texts.NEW_MATCH_HELP,
                on_click=send,
                args=(CommandKind.NEW_MATCH, now.seen()),
            )
            _exports(now.match.match_id or 0)


def _exports(match_id: int) -> None:
    links = "".join(
        f'<a class="br-button" href="/match/{match_id}.{form}"{extra}>{safe(label)}</a>'
        for form, label, extra in (
            ("html", texts.SHEET, ' target="_blank"'),
            ("csv", texts.CSV, " download"),
            ("json", texts.JSON, " download"),
        )
    )
    st.html(f'<div class="br-links">{links}</div>')


# -- setting a round right ----------------------------------------------------------------------------------


def _rounds(now: Snapshot) -> None:
    """Any earlier round can be set right, taken out and put back; the record keeps what was there before."""
    earlier = [(number, round_id) for number, round_id in table().rounds() if round_id != now.round.round_id]
    if not earlier:
        return
    with section(texts.SET_RIGHT, "set-right") as is_open:
        if not is_open:
            return
        st.caption(texts.SET_RIGHT_HELP)
        chosen = st.selectbox(texts.ROUND, earlier, format_func=lambda one: texts.round_name(one[0]))
        case = None if chosen is None else table().case(chosen[1])
        if case is not None:
            _set_right(now, case)


def _set_right(now: Snapshot, case: Case) -> None:
    view = case.view
    counted = view.phase is Phase.CONFIRMED
    if not counted:
        st.info(texts.ROUND_IS_OUT)
    with st.form(f"recount-{view.round_id}-{view.lines}"):
        entries = [_recount_row(now, view, player.name) for player in now.match.players]
        names = [*(player.name for player in now.match.players), None]
        called = st.selectbox(
            texts.WHO_CALLED,
            names,
            names.index(view.called_by) if view.called_by in names else len(names) - 1,
            format_func=lambda name: texts.NOBODY if name is None else name,
            key=f"c-{view.round_id}-{view.lines}",
        )
        if st.form_submit_button(texts.SAVE, type="primary"):
            changed: dict[str, Any] = {"entries": entries, "round_id": view.round_id}
            if called != view.called_by:
                changed["called_by"] = called
            send(CommandKind.COUNT, now.seen(view), **changed)
            st.rerun()
    if counted:
        st.button(
            texts.TAKE_OUT,
            on_click=send,
            args=(CommandKind.REOPEN, now.seen(view)),
            kwargs={"round_id": view.round_id},
        )
    else:
        _put_back(now, case)


def _put_back(now: Snapshot, case: Case) -> None:
    """The button that makes a round count again, beside what it would bring."""
    would_be = draft(case.rules, case.players, case.view, case.log)
    st.caption(plain(would_be.missing or texts.would_bring(would_be.scores)))
    st.button(
        texts.PUT_BACK,
        disabled=would_be.missing is not None,
        on_click=send,
        args=(CommandKind.CONFIRM, now.seen(case.view)),
        kwargs={"round_id": case.view.round_id, "scores": dict(would_be.scores)},
    )


def _recount_row(now: Snapshot, view: RoundView, player: str) -> dict[str, Any]:
    name, played, left = st.columns([1, 1, 1], vertical_alignment="bottom")
    name.markdown(f"**{plain(player)}**")
    was = next((entry for entry in view.counts if entry.player == player), CountEntry(player))
    key = f"{view.round_id}-{view.lines}-{player}"
    most = table().rules.deck_size
    row = {
        "player": player,
        "played": played.number_input(texts.PLAYED, 0, most, was.played, key=f"p-{key}"),
        "left": left.number_input(texts.LEFT, 0, most, was.left, key=f"l-{key}"),
    }
    if (row["played"], row["left"]) != (was.played, was.left):
        row |= {"faces": None, "faces_left": None}
    return row


# -- earlier matches ----------------------------------------------------------------------------------------


def _history(now: Snapshot) -> None:
    with section(texts.HISTORY, "history") as is_open:
        # Read only while it is looked at: a club's record holds hundreds of matches.
        if not is_open:
            return
        matches = table().history.matches()
        if not matches:
            st.html(texts.empty(texts.NO_HISTORY))
            return
        words = st.text_input(texts.SEARCH, key="history-search", placeholder=texts.SEARCH_EXAMPLE)
        found = search(matches, words)
        if not found:
            st.caption(texts.NOTHING_FOUND)
            return
        st.html(_history_html(found[:SHOWN_MATCHES], now.match.match_id))
        if len(found) > SHOWN_MATCHES:
            st.caption(texts.more_matches(len(found) - SHOWN_MATCHES))
        chosen = st.selectbox(texts.WHICH_MATCH, found, format_func=texts.match_line, key="history-match")
        if chosen is not None:
            _one_match(now, chosen)


def _history_html(found: tuple[MatchSummary, ...], current: int | None) -> str:
    rows = []
    for match in found:
        if match.view is None:
            standing = safe(texts.UNKNOWN_GAME)
        else:
            totals = sorted(match.view.totals.items(), key=lambda item: -item[1])
            standing = ", ".join(f"{safe(name)} <b>{total}</b>" for name, total in totals)
        mark = texts.CURRENT_MARK if match.match_id == current else ""
        if match.view is not None and match.view.winners:
            mark = texts.winners(match.view.winners)
        rows.append(
            f"<tr><td>{safe(texts.day(match.started_at))}<br><small>{safe(texts.game_name(match.ruleset))}"
            f"</small></td><td>{standing}<br><small>{safe(texts.rounds(match.rounds))}</small></td>"
            f"<td>{safe(mark)}</td></tr>"
        )
    return f'<div class="br-wide"><table class="br-scores left"><tbody>{"".join(rows)}</tbody></table></div>'


def _one_match(now: Snapshot, match: MatchSummary) -> None:
    with st.container(horizontal=True):
        can_resume = match.match_id != now.match.match_id and match.view is not None and not match.view.over
        if can_resume:
            st.button(
                texts.RESUME_MATCH,
                key=f"resume-{match.match_id}",
                on_click=send,
                args=(CommandKind.RESUME_MATCH, now.seen()),
                kwargs={"match_id": match.match_id},
            )
        if match.view is not None:
            _exports(match.match_id)
