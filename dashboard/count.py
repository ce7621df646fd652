"""Count: the guided end of a round. Tops, goal piles, the middle, questions, and one confirmation."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard import texts
from dashboard.cards import card_html, sign_html
from dashboard.desk import plain, safe, send, show_note, snapshot, table
from dashboard.photos import GOALS, MIDDLE, beside, show_again, take_photographs
from dashboard.picking import likeliest, pick_card
from dashboard.scores import announcement_html, score_table_html
from dashboard.widgets import Tile, page_top, tiles
from engine.counted import CountedPhoto, own_entry, owner_of, picture_findings, played_entries
from engine.evidence import pile_picture
from engine.hub import CameraState, CountEntry, Phase, PlayerView, Snapshot, TopView
from engine.merging import Photograph
from engine.table_command import CommandKind
from referee.cards import Card
from referee.findings import Finding, Level

TOPS, CHECK = "tops", "check"
STEPS = (TOPS, GOALS, MIDDLE, CHECK)
SPARE_GOALS = 4
"""A false call adds cards to a goal pile: so many more may be typed than it starts with."""
TALLY_POLL_S = 0.7
_WHERE = {
    "I1": TOPS,
    "I3": TOPS,
    "I4": TOPS,
    "I5": TOPS,
    "I6": MIDDLE,
    "I7": GOALS,
    "I8": MIDDLE,
    "I12": GOALS,
}
"""Where an answer to a question of the audit is found, by what the question rests on."""


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
    steps, totals = st.columns([1.5, 1], gap="large")
    with steps:
        step = _step(now)
        {TOPS: _tops, GOALS: _goals, MIDDLE: _middle, CHECK: _check}[step](now)
        _next_step(now, step)
    with totals, st.container(key="totals"):
        _totals(snapshot(), step)


def _still_on(now: Snapshot) -> None:
    st.html(texts.empty(texts.ROUND_RUNNING, sign_html(52)))
    if now.round.phase is not Phase.WAITING:
        st.button(texts.END, type="primary", on_click=send, args=(CommandKind.END, now.seen()))


def _done(now: Snapshot) -> None:
    st.html(announcement_html(now))
    st.html(score_table_html(now, confirmed=True))
    with st.container(horizontal=True):
        if not now.match.over:
            st.button(
                texts.NEXT,
                type="primary",
                on_click=send,
                args=(CommandKind.NEXT_ROUND, now.seen()),
                shortcut="N",
            )
        st.button(texts.REOPEN, on_click=send, args=(CommandKind.REOPEN, now.seen()))
    st.html(texts.pointer(texts.IN_THE_MATCH, "/match", texts.TO_MATCH))


# -- the steps ----------------------------------------------------------------------------------------------


def _done_steps(now: Snapshot) -> set[str]:
    """The steps in which nothing is missing."""
    view = now.round
    done = set()
    if view.tops is not None and view.pile_tops:
        done.add(TOPS)
    entries = [_entry_of(now, player) for player in now.match.players]
    if all(entry.left is not None for entry in entries):
        done.add(GOALS)
    if all(entry.played is not None for entry in entries):
        done.add(MIDDLE)
    return done


def _step(now: Snapshot) -> str:
    """The step that is shown; the control is made anew for each, so that buttons can change it too."""
    done = _done_steps(now)
    step: str = st.session_state.setdefault(_step_key(now), TOPS)
    # The buttons that lead on stand below; on a phone the next step would be seen from its end.
    page_top(step)
    wanted = st.segmented_control(
        texts.STEPS_LABEL,
        STEPS,
        default=step,
        format_func=lambda one: texts.step(STEPS.index(one) + 1, texts.STEPS[one], one in done),
        key=f"{_step_key(now)}-{step}",
        label_visibility="collapsed",
    )
    if wanted is not None and wanted != step:
        _go_to(wanted)
        st.rerun()
    return step


def _step_key(now: Snapshot) -> str:
    return f"count-step-{now.round.round_id}"


def _go_to(step: str) -> None:
    st.session_state[_step_key(snapshot())] = step


def _next_step(now: Snapshot, step: str) -> None:
    """The way on; it stands out once nothing is left to do here."""
    if step != CHECK:
        after = STEPS[STEPS.index(step) + 1]
        st.button(
            texts.go_on(texts.STEPS[after]),
            type="primary" if step in _done_steps(now) else "secondary",
            on_click=_go_to,
            args=(after,),
            shortcut="Mod+Right",
        )


def _entry_of(now: Snapshot, player: PlayerView) -> CountEntry:
    return next((e for e in now.round.counts if e.player == player.name), CountEntry(player.name))


def _save(now: Snapshot, **values: Any) -> None:
    send(CommandKind.COUNT, now.seen(), **values)


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
            placeholder=texts.NONE,
            on_change=_save_number,
            args=(player.name, field, key, now),
        )
        if field == "played" and entry.machine_played is not None and entry.machine_played != entry.played:
            column.caption(texts.camera_counted(entry.machine_played))


def _save_number(player: str, field: str, key: str, now: Snapshot) -> None:
    entry: dict[str, Any] = {"player": player, field: st.session_state[key]}
    # A number that is typed takes the place of the faces that were read.
    entry["faces" if field == "played" else "faces_left"] = None
    _save(now, entries=[entry])


# -- 1: the tops of the piles -------------------------------------------------------------------------------


def _tops(now: Snapshot) -> None:
    view = now.round
    st.caption(texts.TOPS_HELP)
    _table_pictures(now)
    if not view.pile_tops and not view.more_tops:
        st.html(texts.empty(texts.NO_TOPS))
    chosen_key = f"top-{view.round_id}"
    items = [_top_tile(now, top, st.session_state.get(chosen_key)) for top in view.pile_tops]
    items += [
        Tile(f"more-{i}", card.words, texts.ADDED_BY_HAND, (f"/card/{card}.svg",), "card")
        for i, card in enumerate(view.more_tops)
    ]
    tapped = tiles(items, key=f"tops-{view.round_id}")
    if tapped is not None and tapped != st.session_state.get(chosen_key):
        st.session_state[chosen_key] = tapped
        st.rerun()
    _chosen_top(now, st.session_state.get(chosen_key))
    with st.popover(texts.PILE_MISSING):
        card = pick_card("missing", None)
        more = [*(one.to_json() for one in view.more_tops), card.to_json()]
        st.button(texts.ADD_PILE, on_click=_save, args=(now,), kwargs={"more_tops": more})


def _table_pictures(now: Snapshot) -> None:
    view = now.round
    kept = [name for name in view.pictures if table().evidence(view.round_id or 0, name) is not None]
    if not kept:
        return
    figures = "".join(
        f'<figure><a href="/evidence/{view.round_id}/{safe(name)}" target="_blank">'
        f'<img src="/evidence/{view.round_id}/{safe(name)}" alt="{safe(words)}"></a>'
        f"<figcaption>{safe(words)}</figcaption></figure>"
        for name, words in zip(kept, texts.PICTURES_OF_TABLE, strict=False)
    )
    st.html(f'<div class="br-pair">{figures}</div>')


def _top_tile(now: Snapshot, top: TopView, chosen: str | None) -> Tile:
    view = now.round
    ident = str(top.plays[-1]) if top.plays else top.pile
    pictures = [
        f"/evidence/{view.round_id}/{pile_picture(name, top.pile)}"
        for name in view.pictures[-1:]
        if not top.taken and table().evidence(view.round_id or 0, pile_picture(name, top.pile)) is not None
    ]
    pictures.append(f"/card/{top.card or 'unknown'}.svg")
    note = texts.TAKEN_PILE if top.taken else texts.UNREAD_TOP if top.unread or top.card is None else ""
    kind = "doubt" if top.unread or top.card is None else ""
    return Tile(ident, texts.card(top.card), note, tuple(pictures), kind, chosen == ident)


def _chosen_top(now: Snapshot, chosen: str | None) -> None:
    """The tapped pile, to be put right: the likeliest other cards first."""
    view = now.round
    if chosen is not None and chosen.startswith("more-"):
        rest = [c.to_json() for i, c in enumerate(view.more_tops) if f"more-{i}" != chosen]
        st.button(texts.NO_SUCH_PILE, on_click=_save, args=(now,), kwargs={"more_tops": rest})
        return
    top = next((top for top in view.pile_tops if top.plays and str(top.plays[-1]) == chosen), None)
    if top is None:
        st.caption(texts.TAP_A_PILE)
        return
    st.caption(texts.camera_read(top.card))
    with st.container(horizontal=True):
        for other in likeliest(top.alternatives, top.card):
            st.button(other.words, key=f"top-{chosen}-{other}", on_click=_replace_top, args=(now, top, other))
        with st.popover(texts.ANOTHER_CARD):
            card = pick_card(f"top-{chosen}", top.card)
            st.button(texts.CHANGE, key=f"top-{chosen}-set", on_click=_replace_top, args=(now, top, card))
        st.button(texts.NO_SUCH_PILE, key=f"top-{chosen}-none", on_click=_drop_pile, args=(now, top))


def _replace_top(now: Snapshot, top: TopView, card: Card) -> None:
    event = {"card": card.to_json()}
    send(CommandKind.CORRECT, now.seen(), of=[top.plays[-1]], action="replace", event=event)


def _drop_pile(now: Snapshot, top: TopView) -> None:
    send(CommandKind.CORRECT, now.seen(), of=list(top.plays), action="delete")


# -- 2: the goal piles --------------------------------------------------------------------------------------


def _goals(now: Snapshot) -> None:
    _caller(now)
    st.caption(texts.LEFT_HELP)
    _numbers(now, "left", table().rules.number("goal_size") + SPARE_GOALS)
    _seen_goals(now)
    with st.expander(texts.PHOTOGRAPH_GOALS, bool(beside(GOALS))):
        # What is to be pressed next stands above the pictures, which are large.
        above = st.container()
        photos = take_photographs(now.round.round_id, GOALS)
        with above:
            _take_lefts(now, photos)
        for photo in photos:
            _take_own(now, photo, left=True)


def _take_lefts(now: Snapshot, photos: list[CountedPhoto]) -> None:
    """Several goal piles at once, where it is plain whose each picture is."""
    players = now.match.players
    owners = [owner_of(photo.name, list(photo.photo.backs), players) for photo in photos]
    names = [owner.name for owner in owners if owner is not None]
    if len(photos) < 2 or len(names) < len(photos):
        return
    entries = []
    for name in dict.fromkeys(names):
        own = [photo.of(name) for photo, owner in zip(photos, names, strict=True) if owner == name]
        entries.append(own_entry(own, name, left=True))
    caller = next((player for player in players if player.name == _said_caller(now)), None)
    if caller is not None and caller.name not in names and _entry_of(now, caller).left is None:
        entries.append({"player": caller.name, "left": 0})
    _take(now, texts.take_lefts(entries), entries)


def _take(now: Snapshot, words: str, entries: list[dict[str, Any]], key: str | None = None) -> None:
    """The button that takes what pictures say; once it was taken, that is said instead."""
    if _stands(now, entries):
        st.caption(plain(texts.taken(words)))
        return
    st.button(plain(words), key=key, type="primary", on_click=_save, args=(now,), kwargs={"entries": entries})


def _stands(now: Snapshot, entries: list[dict[str, Any]]) -> bool:
    """Whether the counts are these already, and the faces known where these bring faces."""
    for entry in entries:
        was = next((one for one in now.round.counts if one.player == entry["player"]), None)
        if was is None or any(getattr(was, key) != entry[key] for key in ("played", "left") if key in entry):
            return False
        if any(entry.get(key) is not None and getattr(was, key) is None for key in ("faces", "faces_left")):
            return False
    return True


def _caller(now: Snapshot) -> None:
    """Who called: the caller has no goal cards, and some games pay for the call."""
    names: list[str | None] = [*(player.name for player in now.match.players), None]
    said = _said_caller(now)
    st.caption(texts.WHO_CALLED)
    with st.container(horizontal=True):
        for name in names:
            st.button(
                plain(texts.NOBODY if name is None else name),
                key=f"called-{name}",
                type="primary" if name == said else "secondary",
                on_click=_say_caller,
                args=(now, name),
            )


def _said_caller(now: Snapshot) -> str | None:
    """Who called, as far as that is known."""
    said = now.round.called_by
    if any(player.name == said for player in now.match.players):
        return said
    return texts.player_name(now.match.players, now.round.called_seat)


def _say_caller(now: Snapshot, name: str | None) -> None:
    """Whoever called has no goal cards; a number that stands already is left for the audit to ask about."""
    left = {entry.player: entry.left for entry in (_entry_of(now, player) for player in now.match.players)}
    entries = []
    if name in left and left[name] is None:
        entries.append({"player": name, "left": 0})
    before = _said_caller(now)
    if before != name and left.get(before or "") == 0:
        # It may be that nothing but the tap before this one said so.
        entries.append({"player": before, "left": None})
    _save(now, called_by=name, **({"entries": entries} if entries else {}))


def _seen_goals(now: Snapshot) -> None:
    """What the camera last saw of the goal piles; the round is over, so saying it helps nobody to play."""
    seen = [
        (player, now.round.goals_seen[player.seat])
        for player in now.match.players
        if player.seat is not None and player.seat in now.round.goals_seen
    ]
    fresh = [(player, count) for player, count in seen if _entry_of(now, player).left != count]
    if fresh:
        words = ", ".join(texts.goal_seen(player.name, count) for player, count in fresh)
        entries = [{"player": player.name, "left": count, "faces_left": None} for player, count in fresh]
        st.button(plain(texts.take_seen(words)), on_click=_save, args=(now,), kwargs={"entries": entries})


def _take_own(now: Snapshot, photo: CountedPhoto, *, left: bool) -> None:
    """A picture of one player's cards: whose they are, and one button that takes them."""
    players = now.match.players
    guessed = owner_of(photo.name, list(photo.photo.backs), players)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        owner = st.selectbox(
            texts.whose(photo.name),
            players,
            players.index(guessed) if guessed is not None else 0,
            format_func=lambda player: player.name,
            key=f"whose-{left}-{photo.digest}",
        )
        entry = own_entry([photo.of(owner.name)], owner.name, left=left)
        count = entry["left" if left else "played"]
        _take(now, texts.take_own(count, owner.name, left=left), [entry], f"own-{left}-{photo.digest}")


# -- 3: the cards of the middle -----------------------------------------------------------------------------


def _middle(now: Snapshot) -> None:
    st.caption(texts.MIDDLE_HELP)
    photographs, dealing = st.tabs([texts.BY_PHOTOGRAPH, texts.ONE_BY_ONE])
    with photographs:
        above = st.container()
        photos = take_photographs(now.round.round_id, MIDDLE)
        with above:
            _take_played(now, [photo.of("") for photo in photos])
        for photo in photos:
            if photo.photo.faces and table().rules.counts_faces:
                _take_own(now, photo, left=False)
    with dealing:
        _dealing()
    st.caption(texts.COUNT_HELP)
    _numbers(now, "played", table().rules.deck_size)


def _take_played(now: Snapshot, shown: list[Photograph]) -> None:
    """Backs go to the players of these decks."""
    if not shown:
        return
    entries = played_entries(shown, now.match.players)
    for finding in picture_findings(shown, now.match.players, table().rules):
        st.caption(plain(f"{texts.LEVELS[finding.level]} {finding.text}"))
    if entries:
        _take(now, texts.take_counts(entries), entries)


@st.fragment(run_every=TALLY_POLL_S)
def _dealing() -> None:
    """Cards dealt one after another under the table's camera."""
    tally, now = table().tally, snapshot()
    if not tally.can_watch or table().hub.still is None:
        st.caption(texts.NO_DEALING_HERE)
        return
    st.caption(texts.DEALING_HELP)
    seen = tally.now
    with st.container(horizontal=True):
        if seen.running:
            st.button(texts.DEALING_STOP, key="deal-stop", type="primary", on_click=tally.stop)
        else:
            st.button(texts.DEALING_START, key="deal-start", on_click=tally.start)
        if seen.cards and not seen.running:
            st.button(texts.DEALING_CLEAR, key="deal-clear", type="tertiary", on_click=tally.clear)
    if seen.fault:
        st.warning(plain(seen.fault))
    if not seen.cards:
        return
    last = seen.cards[-1]
    picture = card_html(last.card, 56) if last.deck is None else ""
    st.html(
        f'<div class="br-dealt">{picture}<span><b>{len(seen.cards)}</b> '
        f"{safe(texts.dealt(last.card, last.deck))}</span></div>"
    )
    if seen.again:
        st.caption(plain(texts.dealt_again(seen.again)))
    shown = seen.photograph(texts.ONE_BY_ONE, "")
    chips = " ".join(
        f'<span class="br-chip quiet">{safe(deck)} <b>{shown.backs.count(deck)}</b></span>'
        for deck in sorted(set(shown.backs))
    )
    st.html(chips)
    if not seen.running:
        _take_played(now, [shown])


# -- 4: questions, and the score ----------------------------------------------------------------------------


def _check(now: Snapshot) -> None:
    draft = now.draft
    if draft.missing is not None:
        st.html(texts.empty((texts.NOT_COUNTED_YET, draft.missing)))
        return
    questions = _open_questions(now)
    if questions:
        _question(now, questions[0], len(questions))
        return
    for finding in [found for found in draft.findings if found.level in (Level.INFO, Level.OK)]:
        st.caption(plain(f"{texts.LEVELS[finding.level]} {texts.finding(finding.text)}"))
    st.html(texts.empty(texts.ALL_AGREES, sign_html(52)))


def _open_questions(now: Snapshot) -> list[Finding]:
    """What the audit asks and nobody has answered, the gravest first."""
    return [
        finding
        for finding in now.draft.findings
        if finding.level in (Level.ERROR, Level.WARNING) and finding.text not in now.round.answered
    ]


def _question(now: Snapshot, finding: Finding, count: int) -> None:
    """One question with the picture that raised it; it is answered, or leads to where the answer lies."""
    st.caption(texts.question_of(count))
    style = "foul" if finding.level is Level.ERROR else "warning"
    st.html(
        f'<div class="br-banner {style}"><span class="br-mark">{texts.LEVELS[finding.level]}</span>'
        f"<span>{safe(texts.finding(finding.text))}</span></div>"
    )
    step = _WHERE.get(finding.id, MIDDLE)
    # The answers stand above the pictures, which are large.
    with st.container(horizontal=True):
        st.button(texts.LOOK_AT[step], type="primary", on_click=_go_to, args=(step,))
        if step == TOPS:
            st.button(texts.LOOK_AT[MIDDLE], on_click=_go_to, args=(MIDDLE,))
        st.button(
            texts.IT_IS_RIGHT,
            on_click=_save,
            args=(now,),
            kwargs={"answered": [finding.text]},
        )
    if step == TOPS:
        _table_pictures(now)
        show_again(now.round.round_id, MIDDLE)
    else:
        show_again(now.round.round_id, step)


def _totals(now: Snapshot, step: str) -> None:
    """The score so far, beside every step, and the one button that makes it the score."""
    st.subheader(texts.round_name(now.round.number))
    st.html(score_table_html(now, confirmed=False))
    questions = _open_questions(now)
    if now.draft.missing is not None:
        st.caption(plain(now.draft.missing))
        wanting = next((one for one in (GOALS, MIDDLE) if one not in _done_steps(now)), step)
        if wanting != step:
            st.button(texts.COUNT_STEP[wanting], width="stretch", on_click=_go_to, args=(wanting,))
    elif questions and step != CHECK:
        st.button(
            plain(texts.open_questions(len(questions))), width="stretch", on_click=_go_to, args=(CHECK,)
        )
    st.button(
        texts.CONFIRM,
        type="secondary" if questions else "primary",
        width="stretch",
        disabled=now.draft.missing is not None,
        on_click=send,
        args=(CommandKind.CONFIRM, now.seen()),
        kwargs={"scores": dict(now.draft.scores)},
    )
    st.caption(texts.NO_SHUFFLING)
    if now.camera.state is not CameraState.FINISHED:
        st.button(texts.NOT_OVER, type="tertiary", on_click=send, args=(CommandKind.RESUME, now.seen()))
