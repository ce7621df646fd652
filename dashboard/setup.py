"""Set-up: a short list that turns green. Camera, light and distance, people, seats, decks, rules."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dashboard import hearing, texts
from dashboard.desk import carried_out, note, plain, safe, section, send, show_note, snapshot, table
from dashboard.people import deck_names, own_decks, people_form, person_json, save_people
from dashboard.photos import SUFFIXES
from dashboard.rules_form import options_form
from dashboard.widgets import Place, table_picture
from engine import switching
from engine.household import EnrolmentError
from engine.hub import PlayerView, Snapshot
from engine.photo import PhotoError, PhotoResult
from engine.readiness import (
    Check,
    Level,
    camera_check,
    decks_by_seat,
    decks_check,
    is_ready,
    people_check,
    seats_check,
    shown_deck,
)
from engine.setup_file import SEATS, Setup, SetupError, read_setup
from engine.setup_text import setup_text
from engine.table_command import CommandKind
from referee.rule_texts import RULES, rule_sentence
from referee.rulesets import preset_names, ruleset

POLL_S = 2.0
CAMERAS = ("0", "1", "2", "3")
MARKS = {Level.READY: "✓", Level.CARE: "!", Level.WRONG: "✗", Level.UNKNOWN: "…"}
_SEATING = "seating"


def page() -> None:
    """The page."""
    st.title(texts.SETUP)
    show_note()
    _summary()
    picture, camera = st.columns([1.75, 1], gap="large")
    with camera:
        _camera()
        _picture_check()
    with picture:
        _people_in_picture()
    now = snapshot()
    _sections(now)


def _sections(now: Snapshot) -> None:
    with section(texts.PEOPLE, "people", at_first=not now.match.players) as is_open:
        if is_open:
            people_form(now, key="setup")
    wanting = bool(now.match.players) and decks_check(now.match).level is not Level.READY
    with section(texts.DECKS, f"decks-{wanting}", at_first=wanting) as is_open:
        if is_open:
            _decks(now)
    with section(plain(texts.rules_of(texts.game(now.match))), "rules") as is_open:
        if is_open:
            _rules(now)
    with section(texts.PRESETS, "presets") as is_open:
        if is_open:
            _presets(now)
    with section(texts.LEARNING, "learning") as is_open:
        if is_open:
            _learning()
    hearing.calls()


def _checks(now: Snapshot) -> list[Check]:
    report = table().report
    return [
        camera_check(now.camera),
        *(report.checks if report is not None else ()),
        people_check(now.match, table().rules),
        seats_check(now.match),
        decks_check(now.match),
    ]


@st.fragment(run_every=POLL_S)
def _summary() -> None:
    """The list: what is ready, and what to do about the rest."""
    now = snapshot()
    checks = _checks(now)
    # What is fine takes little room, so that what is not stands out.
    wanting = "".join(_check_html(check) for check in checks if check.level is not Level.READY)
    fine = "".join(_check_html(check) for check in checks if check.level is Level.READY)
    st.html(f'<ul class="br-checks">{wanting}</ul><ul class="br-checks fine">{fine}</ul>')
    if is_ready(checks):
        st.html(texts.pointer(texts.ALL_READY, "/live", texts.TO_LIVE))


def _check_html(check: Check) -> str:
    advice = f"<br><small>{safe(check.advice)}</small>" if check.advice else ""
    return (
        f'<li class="{check.level}" title="{safe(check.text)}"><i>{MARKS[check.level]}</i>'
        f"<span><b>{safe(texts.CHECKS[check.id])}</b> <em>{safe(check.text)}</em>{advice}</span></li>"
    )


# -- the camera and its picture -----------------------------------------------------------------------------


def _camera() -> None:
    """Which camera looks on; or the example, which needs none."""
    example = switching.shows_example()
    source = table().source_name
    with st.popover(texts.camera_name(source, example=example), width="stretch"):
        for camera in CAMERAS:
            st.button(
                texts.camera_name(camera, example=False),
                key=f"camera-{camera}",
                width="stretch",
                type="primary" if camera == source else "secondary",
                on_click=_switch_to,
                args=(camera,),
            )
        address = st.text_input(texts.STREAM, key="stream", placeholder=texts.STREAM_EXAMPLE)
        st.button(
            texts.USE_STREAM, disabled=not address.strip(), on_click=_switch_to, args=(address.strip(),)
        )
    if example:
        st.caption(texts.EXAMPLE_RUNS)
        with st.container(horizontal=True):
            st.button(texts.EXAMPLE_AGAIN, on_click=_example)
            st.button(texts.EXAMPLE_END, on_click=_own)
    else:
        st.caption(texts.NO_CAMERA)
        st.button(texts.EXAMPLE, width="stretch", on_click=_example)


def _switch_to(source: str) -> None:
    _switched(lambda: switching.open_source(source))


def _example() -> None:
    _switched(switching.open_example)


def _own() -> None:
    _switched(switching.open_own)


def _switched(change: object) -> None:
    try:
        change()  # type: ignore[operator]
    except switching.SwitchError as error:
        note(texts.refused(str(error)))


def _picture_check() -> None:
    """Look at the picture once: light, glare, how near the camera is, and whether cards can be read."""
    if not table().can_read_photos:
        return
    if st.button(texts.CHECK_PICTURE, width="stretch", disabled=table().hub.still is None, shortcut="K"):
        with st.spinner(texts.READING):
            try:
                table().check_picture()
            except PhotoError as error:
                note(str(error))
        st.rerun()
    report = table().report
    if report is not None:
        st.image(report.jpeg, width="stretch")
    else:
        st.caption(texts.CHECK_PICTURE_HELP)


# -- people and seats ---------------------------------------------------------------------------------------


def _people_in_picture() -> None:
    """The picture with a place for everybody: tap one to give it to the player who is named below."""
    now = snapshot()
    players = now.match.players
    seated = {player.seat: player for player in players if player.seat in SEATS}
    chosen = _who_is_seated(players)
    places = [
        Place(
            seat,
            seated[seat].name if seat in seated else None,
            texts.seat_for(seated.get(seat), chosen, seat),
            chosen is not None and seat in seated and seated[seat].name == chosen.name,
        )
        for seat in SEATS
    ]
    tapped = table_picture(
        table().token, now.camera.size_px, places, choose=bool(players), key="seat-picture"
    )
    if tapped in SEATS and chosen is not None:
        _seat(now, chosen, tapped)
        st.rerun()
    if not players:
        st.caption(texts.NAME_PEOPLE_FIRST)
        return
    st.caption(texts.tap_place(chosen.name if chosen is not None else ""))
    with st.container(horizontal=True):
        for player in players:
            st.button(
                plain(player.name),
                key=f"seating-{player.name}",
                type="primary" if chosen is not None and player.name == chosen.name else "secondary",
                on_click=_choose,
                args=(player.name,),
            )


def _who_is_seated(players: tuple[PlayerView, ...]) -> PlayerView | None:
    """Who gets the next place that is tapped: the chosen one, else the first without a place."""
    name = st.session_state.get(_SEATING)
    chosen = next((player for player in players if player.name == name), None)
    without = next((player for player in players if player.seat not in SEATS), None)
    return chosen or without or next(iter(players), None)


def _choose(name: str) -> None:
    st.session_state[_SEATING] = name


def _seat(now: Snapshot, chosen: PlayerView, seat: str) -> None:
    """Give the place; who sat there takes the other's."""
    players = []
    for player in now.match.players:
        if player.name == chosen.name:
            player = replace(player, seat=seat)
        elif player.seat == seat:
            player = replace(player, seat=chosen.seat)
        players.append(person_json(player))
    if save_people(now, players):
        st.session_state.pop(_SEATING, None)


# -- decks --------------------------------------------------------------------------------------------------


def _decks(now: Snapshot) -> None:
    """Whose cards have which back: by showing one, by laying one down at each place, or by choosing."""
    players = now.match.players
    if not players:
        st.caption(texts.NAME_PEOPLE_FIRST)
        return
    st.caption(texts.DECKS_HELP)
    if table().can_read_photos:
        st.button(
            texts.DECKS_FROM_TABLE,
            type="primary",
            disabled=table().hub.still is None,
            on_click=_decks_from_table,
            args=(now,),
        )
        with st.container(horizontal=True):
            for player in players:
                st.button(
                    plain(texts.shows_back(player.name, player.deck)),
                    key=f"back-{player.name}",
                    disabled=table().hub.still is None,
                    on_click=_deck_from_camera,
                    args=(now, player),
                )
        with st.container(horizontal=True):
            _deck_from_photo(now)
            _teach()
    _decks_by_hand(now)


def _set_decks(now: Snapshot, decks: dict[str, str]) -> bool:
    """Give the decks; whoever had one of them before has none until the own back is shown."""
    players = []
    for player in now.match.players:
        deck = decks.get(player.name, None if player.deck in decks.values() else player.deck)
        players.append(person_json(replace(player, deck=deck)))
    return save_people(now, players)


def _decks_from_table(now: Snapshot) -> None:
    try:
        found = decks_by_seat(table().read_still(), now.match.players)
    except PhotoError as error:
        note(str(error))
        return
    if not found:
        note(texts.NO_BACKS)
    elif _set_decks(now, found):
        note("")


def _deck_from_camera(now: Snapshot, player: PlayerView) -> None:
    try:
        _deck_from(now, player, table().read_still())
    except PhotoError as error:
        note(str(error))


def _deck_from(now: Snapshot, player: PlayerView, photo: PhotoResult) -> None:
    deck = shown_deck(photo)
    if deck is None:
        note(texts.SEVERAL_BACKS if photo.backs else texts.NO_BACKS)
    else:
        _set_decks(now, {player.name: deck})


def _deck_from_photo(now: Snapshot) -> None:
    with st.popover(texts.BACK_BY_PHOTO):
        player = st.selectbox(
            texts.PLAYER, now.match.players, format_func=lambda one: one.name, key="back-owner"
        )
        file = st.file_uploader(texts.BACK_PHOTO, type=SUFFIXES, key="back-photo")
        if file is not None and player is not None and st.button(texts.USE_PHOTO, key="back-use"):
            try:
                _deck_from(now, player, table().read_photo(file.getvalue()))
            except PhotoError as error:
                note(texts.about_file(file.name, str(error)))
            st.rerun()


def _teach() -> None:
    """A deck of one's own: shown once, it is told apart from then on."""
    if not table().can_teach_decks:
        return
    with st.popover(texts.TEACH):
        st.caption(texts.TEACH_HELP)
        name = st.text_input(texts.TEACH_NAME, max_chars=40, key="teach-name").strip()
        file = st.file_uploader(texts.TEACH_PHOTO, type=SUFFIXES, key="teach-photo")
        data = None if file is None else file.getvalue()
        with st.container(horizontal=True):
            label = texts.TEACH_FROM_CAMERA if data is None else texts.USE_PHOTO
            if st.button(label, type="primary", disabled=not name, key="teach-go"):
                with st.spinner(texts.READING):
                    _taught(name, data)
                st.rerun()
        for own in own_decks():
            st.button(plain(texts.forget_deck(own)), key=f"forget-{own}", on_click=_forget, args=(own,))


def _taught(name: str, data: bytes | None) -> None:
    try:
        enrolled = table().teach_deck(name, data)
    except (PhotoError, EnrolmentError) as error:
        note(texts.refused(str(error)))
    else:
        note(texts.taught(enrolled.deck, enrolled.backs, len(enrolled.faces), enrolled.alike))


def _forget(name: str) -> None:
    try:
        table().forget_deck(name)
    except EnrolmentError as error:
        note(texts.refused(str(error)))


def _learning() -> None:
    """Whether corrected cards may be kept as pictures, and how to be rid of them."""
    store = table().corrections
    st.caption(texts.LEARNING_HELP)
    allowed = st.toggle(texts.LEARNING_ALLOW, bool(store.allowed), key=f"learning-{store.allowed}")
    kept = len(store.corrections())
    try:
        if allowed != bool(store.allowed):
            store.allow(allowed)
        if kept and st.button(texts.forget_corrections(kept)):
            store.remove_all()
            st.rerun()
    except OSError as error:
        note(texts.refused(str(error)))


def _decks_by_hand(now: Snapshot) -> None:
    players = now.match.players
    names = ["", *deck_names(players)]
    for column, player in zip(st.columns(len(players)), players, strict=True):
        key = f"deck-{player.name}-{player.deck}"
        column.selectbox(
            plain(player.name),
            names,
            names.index(player.deck) if player.deck in names else 0,
            format_func=lambda deck: deck or texts.NOT_KNOWN,
            key=key,
            on_change=_deck_by_hand,
            args=(now, player, key),
        )


def _deck_by_hand(now: Snapshot, player: PlayerView, key: str) -> None:
    deck = st.session_state[key]
    if deck:
        _set_decks(now, {player.name: deck})
    else:
        others = [replace(p, deck=None) if p.name == player.name else p for p in now.match.players]
        save_people(now, [person_json(one) for one in others])


# -- rules --------------------------------------------------------------------------------------------------


def _rules(now: Snapshot) -> None:
    """The game and its house rules, each with its sentence, and the rules of play as they then stand."""
    rules = table().rules
    names = [name for name in preset_names() if name not in texts.VARIANTS]
    played = texts.VARIANTS.get(rules.preset, rules.preset)
    chosen = st.selectbox(
        texts.GAME, names, names.index(played), format_func=texts.game_name, key=f"game-{played}"
    )
    shown = rules if chosen == played else ruleset(chosen)
    values = options_form(shown, key="rules")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            texts.PLAY_BY_THESE,
            type="primary",
            on_click=send,
            args=(CommandKind.RULES, now.seen()),
            kwargs={"ruleset": chosen, "options": values},
        )
        st.caption(plain(texts.rules_named(rules.hash)))
    st.markdown(f"**{texts.SENTENCES}**")
    sentences = "".join(f"<li><b>{rule}</b> {safe(rule_sentence(rule, shown))}</li>" for rule in RULES)
    st.html(f'<ul class="br-rules">{sentences}</ul>')


# -- kept set-ups -------------------------------------------------------------------------------------------


def _presets(now: Snapshot) -> None:
    """Set-ups under a name: the same people at the same table need one tap."""
    kept = table().kept
    names = kept.presets()
    if names:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.selectbox(texts.KEPT, names, key="preset")
            st.button(texts.USE_PRESET, type="primary", on_click=_use_preset, args=(now, name))
            st.button(texts.DROP_PRESET, type="tertiary", on_click=_drop_preset, args=(name,))
    else:
        st.caption(texts.NO_PRESETS)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(texts.PRESET_NAME, max_chars=40, key="preset-name").strip()
        st.button(texts.KEEP_PRESET, disabled=not name, on_click=_keep_preset, args=(now, name))
        st.download_button(
            texts.SETUP_FILE, setup_text(_setup(now)), "SETUP.toml", "application/toml", on_click="ignore"
        )


def _setup(now: Snapshot) -> Setup:
    """What is set up now."""
    players = [
        {
            "name": p.name,
            **({"seat": p.seat} if p.seat in SEATS else {}),
            **({"deck": p.deck} if p.deck else {}),
            **({"team": p.team} if p.team else {}),
        }
        for p in now.match.players
    ]
    options = dict(table().house_rules)
    return read_setup({"ruleset": now.match.ruleset, "options": options, "players": players})


def _keep_preset(now: Snapshot, name: str) -> None:
    try:
        table().kept.keep_preset(name, _setup(now))
    except SetupError as error:
        note(texts.refused(str(error)))


def _use_preset(now: Snapshot, name: str) -> None:
    try:
        setup = table().kept.preset(name)
    except SetupError as error:
        note(texts.refused(str(error)))
        return
    people = [person_json(PlayerView(p.name, p.seat, p.deck, p.team)) for p in setup.players]
    if now.match.results and not carried_out(CommandKind.NEW_MATCH, now.seen()):
        return
    rules = {"ruleset": setup.ruleset, "options": dict(setup.options)}
    if carried_out(CommandKind.RULES, snapshot().seen(), **rules) and people:
        save_people(snapshot(), people)


def _drop_preset(name: str) -> None:
    try:
        table().kept.drop_preset(name)
    except SetupError as error:
        note(texts.refused(str(error)))
