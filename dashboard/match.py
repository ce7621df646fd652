"""Match: who plays, what each round brought, the running totals, the way to the target, and who won."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import streamlit as st

from dashboard import texts
from dashboard.cards import sign_html
from dashboard.desk import plain, safe, send, show_note, snapshot
from dashboard.theme import LINES
from engine.hub import MatchView, Phase, PlayerView, RoundResult, Snapshot
from engine.pipeline import CommandKind
from engine.setup_file import SEATS
from referee.cards import DECKS

DASHES = [[1, 0], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 4], [12, 4], [6, 2, 2, 2]]
MOST_PLAYERS = 8


def page() -> None:
    """The page."""
    now = snapshot()
    match = now.match
    st.title(texts.MATCH)
    show_note()
    if match.winners:
        winners = safe(texts.winners(match.winners))
        st.html(f'<div class="br-winner">{sign_html(64)}<h2>{winners}</h2></div>')
    st.caption(plain(texts.game(match)))
    if not match.players:
        st.html(texts.empty(texts.NO_PLAYERS, sign_html(52)))
        _players_form(now)
        return
    scores, chart = st.columns([1, 1.25], gap="large")
    with scores:
        st.html(scores_html(match))
        _actions(now)
    with chart:
        if match.results:
            chart = progress_chart(tuple(totals_by_round(match).items()), match.target)
            st.vega_lite_chart(chart, width="stretch")
        else:
            st.html(texts.empty(texts.NO_ROUNDS, sign_html(44)))
    _earlier_rounds(now)
    with st.expander("Players, seats and decks"):
        _players_form(now)


def scores_html(match: MatchView) -> str:
    """Players down, rounds across, totals at the end."""
    leader = max(match.totals.values(), default=None) if match.results else None
    heads = "".join(f"<th>{result.number}</th>" for result in match.results)
    rows = []
    for player in match.players:
        cells = "".join(_cell(result, player.name) for result in match.results)
        total = match.totals.get(player.name, 0)
        lead = ' class="lead"' if match.results and total == leader else ""
        deck = f"<br><small>{safe(player.deck)}</small>" if player.deck else ""
        rows.append(
            f"<tr{lead}><td>{safe(player.name)}{deck}</td>{cells}"
            f'<td class="total{_negative(total)}">{total}</td></tr>'
        )
    target = f"<br><small>of {match.target}</small>" if match.target is not None else ""
    return (
        f'<table class="br-scores"><thead><tr><th>Round</th>{heads}<th>Total{target}</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _cell(result: RoundResult, name: str) -> str:
    score = result.scores.get(name)
    if score is None:
        return "<td>–</td>"
    mark = " ✹" if result.called_by == name else ""
    words = safe(result.arithmetic.get(name, ""))
    return f'<td class="{_negative(score)}" title="{words}">{score}{mark}</td>'


def _negative(score: int) -> str:
    return " neg" if score < 0 else ""


def totals_by_round(match: MatchView) -> dict[str, tuple[int, ...]]:
    """Each player's running total, from zero before the first round."""
    totals = {player.name: [0] for player in match.players}
    for result in match.results:
        for name, so_far in totals.items():
            so_far.append(so_far[-1] + result.scores.get(name, 0) + result.added.get(name, 0))
    return {name: tuple(values) for name, values in totals.items()}


@lru_cache(maxsize=8)
def progress_chart(totals: tuple[tuple[str, tuple[int, ...]], ...], target: int | None) -> dict[str, Any]:
    """Running totals by round with the target as a line, as a Vega-Lite specification.

    Players differ by colour, dash and point shape. Building it takes longer than the rest of the page, so it
    is kept as long as nothing new is scored.
    """
    rows = [
        {"round": number, "player": name, "total": total}
        for name, values in totals
        for number, total in enumerate(values)
    ]
    names = [name for name, _ in totals]
    colours = alt.Scale(domain=names, range=LINES[: len(names)])
    dashes = alt.Scale(domain=names, range=DASHES[: len(names)])
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("round:Q", title="Round", axis=alt.Axis(tickMinStep=1, format="d", grid=False)),
        y=alt.Y("total:Q", title="Total"),
        color=alt.Color("player:N", sort=names, scale=colours, legend=None),
    )
    lines = base.mark_line(strokeWidth=3).encode(
        strokeDash=alt.StrokeDash("player:N", sort=names, scale=dashes, legend=None)
    )
    points = base.mark_point(size=90, filled=True, opacity=1).encode(
        shape=alt.Shape("player:N", sort=names, legend=None), tooltip=["player:N", "round:Q", "total:Q"]
    )
    # The names stand at the ends of the lines: a legend would make colour the only link.
    last = alt.Chart(alt.Data(values=[row for row in rows if row["round"] == len(totals[0][1]) - 1]))
    ends = last.mark_text(align="left", dx=10, fontSize=14, fontWeight="bold").encode(
        x="round:Q",
        y="total:Q",
        text="player:N",
        color=alt.Color("player:N", sort=names, scale=colours, legend=None),
    )
    layers: list[Any] = [lines, points, ends]
    if target is not None:
        goal = alt.Chart(alt.Data(values=[{"total": target, "text": f"target {target}"}]))
        layers.append(goal.mark_rule(strokeDash=[4, 4], strokeWidth=2, color="#8A7A5C").encode(y="total:Q"))
        words = goal.mark_text(align="left", dx=6, dy=-8, color="#8A7A5C", fontSize=13)
        layers.append(words.encode(y="total:Q", x=alt.value(0), text="text:N"))
    longest = max(len(name) for name in names)
    chart = (
        alt.layer(*layers)
        .properties(height=380, padding={"right": 20 + 8 * min(longest, 16)})
        .configure_view(strokeWidth=0)
    )
    specification: dict[str, Any] = chart.to_dict()
    return specification


def _actions(now: Snapshot) -> None:
    view = now.round
    with st.container(horizontal=True):
        if view.phase is Phase.CONFIRMED:
            if not now.match.over:
                st.button(
                    texts.NEXT,
                    type="primary",
                    on_click=send,
                    args=(CommandKind.NEXT_ROUND, str(view.phase_seq)),
                )
            st.button(texts.REOPEN, on_click=send, args=(CommandKind.REOPEN, str(view.lines)))
        if now.match.results:
            st.button(
                texts.NEW_MATCH,
                type="primary" if now.match.over else "secondary",
                on_click=send,
                args=(CommandKind.NEW_MATCH, str(now.match.match_id)),
            )


def _earlier_rounds(now: Snapshot) -> None:
    """The count of an earlier round can be set right; the old one stays in the record."""
    earlier = [result for result in now.match.results if result.round_id != now.round.round_id]
    if not earlier:
        return
    with st.expander("Set an earlier round right"):
        result = st.selectbox("Round", earlier, format_func=lambda r: f"Round {r.number}")
        if result is None:
            return
        with st.form(f"recount-{result.round_id}"):
            entries = []
            for player in now.match.players:
                name, played, left = st.columns([1, 1, 1], vertical_alignment="bottom")
                name.markdown(f"**{plain(player.name)}**")
                was = next((c for c in result.counts if c.player == player.name), None)
                entries.append(
                    {
                        "player": player.name,
                        "played": played.number_input(
                            texts.PLAYED,
                            0,
                            52,
                            was.played if was else None,
                            key=f"p-{result.round_id}-{player.name}",
                        ),
                        "left": left.number_input(
                            texts.LEFT,
                            0,
                            20,
                            was.left if was else None,
                            key=f"l-{result.round_id}-{player.name}",
                        ),
                    }
                )
            if st.form_submit_button(texts.SAVE):
                key = f"{result.round_id}:{result.lines}"
                send(CommandKind.COUNT, key, entries=entries, round_id=result.round_id)
                st.rerun()


def _players_form(now: Snapshot) -> None:
    known = now.match.players
    scored = bool(now.match.results)
    if scored:
        st.caption("Seats and decks can still be changed. For other players start a new match.")
    count = (
        len(known)
        if scored
        else st.number_input("How many players?", 2, MOST_PLAYERS, max(2, len(known) or 2))
    )
    with st.form("players"):
        players = [_player_row(i, known, locked=scored) for i in range(int(count))]
        if st.form_submit_button(texts.SAVE_PLAYERS, type="primary"):
            fault = players_fault(players)
            if fault:
                st.warning(fault)
                return
            send(CommandKind.PLAYERS, f"{now.version}", players=players)
            st.rerun()


def _player_row(i: int, known: tuple[PlayerView, ...], *, locked: bool) -> dict[str, str | None]:
    was = known[i] if i < len(known) else PlayerView("")
    name, seat, deck = st.columns(3)
    seats, decks = ["", *SEATS], ["", *DECKS]
    if was.deck and was.deck not in decks:
        decks.append(was.deck)
    return {
        "name": name.text_input("Name", was.name, max_chars=40, key=f"name-{i}", disabled=locked).strip(),
        "seat": seat.selectbox(
            "Seat in the picture",
            seats,
            seats.index(was.seat) if was.seat in seats else 0,
            format_func=lambda s: texts.seat_words(s) if s else "not known",
            key=f"seat-{i}",
        )
        or None,
        "deck": deck.selectbox(
            "Back of the deck",
            decks,
            decks.index(was.deck) if was.deck in decks else 0,
            format_func=lambda d: d or "not known",
            key=f"deck-{i}",
        )
        or None,
    }


def players_fault(players: list[dict[str, str | None]]) -> str | None:
    """What is wrong with the players as entered, in one sentence."""
    if any(not player["name"] for player in players):
        return "Give every player a name."
    for key, word in (("name", "name"), ("seat", "seat"), ("deck", "deck")):
        values = [player[key] for player in players if player[key]]
        if len(values) != len(set(values)):
            return f"Two players have the same {word}; give each their own."
    return None
