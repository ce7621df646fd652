"""Review: flagged plays with pictures and a clip; people decide, see what it changes, and can undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard import texts
from dashboard.cards import card_html, sign_html
from dashboard.cases import Chosen, choose_case, tell
from dashboard.desk import plain, safe, section, show_note
from dashboard.filming import films
from dashboard.picking import likeliest, pick_card
from dashboard.round_line import PLAYS, round_line
from dashboard.rules_form import options_form
from dashboard.widgets import Tile, tiles
from engine.bundle import log_text
from engine.hub import FlagView, PlayerView, Seen
from engine.past import Case
from engine.reconsider import Effect, effect_of_correction, effect_of_opinion, rejudged
from engine.table_command import CommandError
from referee.cards import Card
from referee.events import PlayEvent, Zone
from referee.rule_texts import rule_sentence
from referee.rulesets import OptionError, ruleset

GRAVITY = {"foul": 0, "warning": 1}
_FOCUS, _TRIED = "review-focus", "review-tried"


def page() -> None:
    """The page."""
    st.title(texts.REVIEW)
    show_note()
    chosen, case = choose_case()
    if case is None:
        st.html(texts.empty(texts.NO_ROUND_THERE, sign_html(52)))
        films()
        return
    view = case.view
    if view.undoable is not None:
        st.button(texts.UNDO, on_click=_delete, args=(chosen, case, [view.undoable]), shortcut="Mod+Z")
    if not view.flags:
        st.html(texts.empty(texts.NO_FLAGS, sign_html(52)))
        _timeline(case, None)
    else:
        shown = _filtered(case)
        focus = _focus(shown)
        _timeline(case, focus)
        if focus is None:
            st.html(texts.empty(texts.NOTHING_LEFT if not _any_filter() else texts.NO_MATCHES, sign_html(52)))
        else:
            _flag(chosen, case, focus, shown)
            _queue(case, shown, focus)
    _other_plays(chosen, case)
    _other_rules(case)
    _take_away(chosen, case)
    films()


# -- which flags, and which of them -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Filter:
    """What is shown; None shows all."""

    only_open: bool
    player: str | None
    rule: str | None
    severity: str | None


def _filtered(case: Case) -> list[FlagView]:
    """The flags that the filters leave, the gravest first; what is said of one does not move it."""
    flags = case.view.flags
    waiting = sum(flag.open for flag in flags)
    st.caption(texts.waiting(waiting, len(flags)))
    if len(flags) == 1:
        # One play needs no choosing, and on a phone its pictures would lie below the filters.
        return list(flags)
    names = [player.name for player in case.players]
    with st.container(horizontal=True, key="filters"):
        wanted = _Filter(
            st.toggle(texts.ONLY_OPEN, key="filter-open"),
            st.selectbox(texts.PLAYER, [None, *names], format_func=_anybody, key="filter-player"),
            st.selectbox(
                texts.RULE, [None, *sorted({f.rule for f in flags})], format_func=_any_rule, key="filter-rule"
            ),
            st.selectbox(
                texts.SEVERITY,
                [None, *sorted({f.severity for f in flags})],
                format_func=lambda s: texts.ALL if s is None else texts.SEVERITIES[s],
                key="filter-severity",
            ),
        )
    kept = [flag for flag in flags if _matches(flag, wanted, case.players)]
    return sorted(kept, key=lambda flag: (GRAVITY.get(flag.severity, 2), flag.t_s))


def _anybody(name: str | None) -> str:
    return texts.ALL if name is None else name


def _any_rule(rule: str | None) -> str:
    return texts.ALL if rule is None else rule


def _any_filter() -> bool:
    names = ("filter-player", "filter-rule", "filter-severity")
    return any(st.session_state.get(name) is not None for name in names)


def _matches(flag: FlagView, wanted: _Filter, players: Sequence[PlayerView]) -> bool:
    return (
        (not wanted.only_open or flag.open)
        and (wanted.rule is None or flag.rule == wanted.rule)
        and (wanted.severity is None or flag.severity == wanted.severity)
        and (wanted.player is None or wanted.player in (flag.seat, _name(players, flag.seat)))
    )


def _name(players: Sequence[PlayerView], seat: str | None) -> str | None:
    return next((player.name for player in players if seat is not None and player.seat == seat), None)


def _focus(shown: Sequence[FlagView]) -> FlagView | None:
    """The flag that is looked at: the chosen one, else the first that is open."""
    seq = st.session_state.get(_FOCUS)
    first = next((flag for flag in shown if flag.open), next(iter(shown), None))
    return next((flag for flag in shown if flag.seq == seq), first)


def _look_at(seq: int) -> None:
    st.session_state[_FOCUS] = seq
    st.session_state.pop(_TRIED, None)


def _timeline(case: Case, focus: FlagView | None) -> None:
    tapped = round_line(case, focus)
    if tapped is not None and (focus is None or tapped != focus.seq):
        _look_at(tapped)
        st.rerun()


def _queue(case: Case, shown: Sequence[FlagView], focus: FlagView) -> None:
    """The other flags; a tap brings one to the front."""
    if len(shown) < 2:
        return
    start = case.view.started_t_s or 0.0
    items = [
        Tile(
            str(flag.seq),
            texts.sentence(flag.text, tuple(case.players)),
            " · ".join(
                [
                    texts.clock(max(0.0, flag.t_s - start)),
                    texts.SEVERITIES[flag.severity],
                    *([texts.OPINION_WORDS[flag.opinion]] if flag.opinion else []),
                    *([] if flag.stands else [texts.FELL_AWAY]),
                ]
            ),
            _pictures(case, flag)[-1:],
            f"line {flag.severity}{'' if flag.open else ' said'}",
            flag.seq == focus.seq,
        )
        for flag in shown
    ]
    tapped = tiles(items, key="queue")
    if tapped is not None and tapped != str(focus.seq):
        _look_at(int(tapped))
        st.rerun()


# -- one flag -----------------------------------------------------------------------------------------------


def _flag(chosen: Chosen, case: Case, flag: FlagView, shown: Sequence[FlagView]) -> None:
    with st.container(border=True):
        words, pictures = st.columns([1, 1.5], gap="large")
        with words:
            _words(chosen, case, flag)
        with pictures:
            st.html(_pictures_html(case, flag))
    at = [one.seq for one in shown].index(flag.seq)
    with st.container(horizontal=True):
        st.button(
            texts.BEFORE_THIS,
            key="previous",
            disabled=at == 0,
            shortcut="Left",
            on_click=_look_at,
            args=(shown[max(0, at - 1)].seq,),
        )
        st.button(
            texts.AFTER_THIS,
            key="next",
            disabled=at == len(shown) - 1,
            shortcut="Right",
            on_click=_look_at,
            args=(shown[min(len(shown) - 1, at + 1)].seq,),
        )


def _words(chosen: Chosen, case: Case, flag: FlagView) -> None:
    view = case.view
    when = texts.clock(max(0.0, flag.t_s - (view.started_t_s or 0.0)))
    text = texts.sentence(flag.text, tuple(case.players))
    rule = rule_sentence(flag.rule, case.rules)
    option = f" {safe(texts.because_of(flag.option))}" if flag.option else ""
    st.html(
        f'<span class="br-chip {safe(flag.severity)}">{safe(texts.SEVERITIES[flag.severity])}</span>'
        f'<h3 class="br-said">{safe(text)}</h3>'
        f'<p class="br-sub">{safe(rule)} <b>{safe(flag.rule)}</b>.{option}<br>'
        f"{safe(texts.at_and_how_sure(when, flag.p))}</p>"
    )
    if not flag.stands:
        st.info(texts.CORRECTED_AWAY)
        return
    with st.container(horizontal=True):
        for action, label in texts.VERDICTS.items():
            st.button(
                label,
                key=f"{action}-{flag.seq}",
                type="primary" if flag.opinion == action else "secondary",
                shortcut=texts.VERDICT_KEYS[action],
                on_click=_say,
                args=(chosen, case, flag, action),
            )
    _effects_of_opinions(case, flag)
    if flag.opinion is not None:
        st.caption(texts.OPINIONS[flag.opinion])
    if flag.play_seq is not None and flag.reading is not None:
        _alternatives(chosen, case, flag)


def _effects_of_opinions(case: Case, flag: FlagView) -> None:
    """What each word of the table would do to the score, before it is said."""
    key = ("effects", case.evidence, flag.seq, case.view.lines)
    if st.session_state.get("effects-key") != key:
        actions = ("uphold", "overrule")
        st.session_state["effects"] = {a: effect_of_opinion(case, flag.seq, a) for a in actions}
        st.session_state["effects-key"] = key
    effects: dict[str, Effect] = st.session_state["effects"]
    lines = [f"“{texts.VERDICTS[action]}”: {texts.effect(effect)}" for action, effect in effects.items()]
    if len({texts.effect(effect) for effect in effects.values()}) == 1:
        lines = [texts.effect(effects["uphold"])]
    for line in lines:
        st.caption(plain(line))


def _say(chosen: Chosen, case: Case, flag: FlagView, action: str) -> None:
    if flag.opinion != action:
        tell(chosen, case, _seen(case), of=[flag.seq], action=action)
        # What was just decided stays in sight, though the next open one waits.
        st.session_state[_FOCUS] = flag.seq


def _alternatives(chosen: Chosen, case: Case, flag: FlagView) -> None:
    """The right name of the card, the likeliest first; what it changes is told before it is changed."""
    assert flag.play_seq is not None
    st.caption(texts.camera_read(flag.reading))
    with st.container(horizontal=True):
        for other in likeliest(flag.alternatives, flag.reading):
            st.button(other.words, key=f"alt-{flag.seq}-{other}", on_click=_try, args=(flag, other))
        with st.popover(texts.ANOTHER_CARD):
            card = pick_card(f"pick-{flag.seq}", flag.reading)
            st.button(texts.CHANGE, key=f"set-{flag.seq}", on_click=_try, args=(flag, card))
    tried = st.session_state.get(_TRIED)
    if tried is not None and tried[0] == flag.seq:
        _tried(chosen, case, flag.play_seq, tried[1])


def _try(flag: FlagView, card: Card) -> None:
    st.session_state[_TRIED] = (flag.seq, card)


def _tried(chosen: Chosen, case: Case, play_seq: int, card: Card) -> None:
    values = _replacement(play_seq, card)
    try:
        effect = effect_of_correction(case, values)
    except CommandError as error:
        st.warning(plain(texts.refused(str(error))))
        return
    st.html(
        f'<div class="br-banner call small">{card_html(card, 40)}<span>{safe(texts.if_it_is(card))}<br>'
        f"<small>{safe(texts.effect(effect))}</small></span></div>"
    )
    with st.container(horizontal=True):
        st.button(
            texts.change_to(card),
            key="apply-tried",
            type="primary",
            on_click=_apply,
            args=(chosen, case, values),
        )
        st.button(texts.LEAVE_IT, key="drop-tried", type="tertiary", on_click=_forget_tried)


def _replacement(seq: int, card: Card) -> dict[str, Any]:
    return {"of": [seq], "action": "replace", "event": {"card": card.to_json()}}


def _apply(chosen: Chosen, case: Case, values: dict[str, Any]) -> None:
    tell(chosen, case, _seen(case), **values)
    _forget_tried()


def _forget_tried() -> None:
    st.session_state.pop(_TRIED, None)


def _delete(chosen: Chosen, case: Case, seqs: list[int]) -> None:
    tell(chosen, case, _seen(case), of=seqs, action="delete")


def _seen(case: Case) -> Seen:
    """What the page shows of the round; a round changes only by a longer log."""
    return Seen(case.view.round_id, case.view.lines, case.view.lines, case.evidence)


def _pictures(case: Case, flag: FlagView) -> tuple[str, ...]:
    """The addresses of the pictures from before and after, cut out where that was possible."""
    role = "_crop" if {"before_crop", "after_crop"} <= set(flag.stills) else ""
    names = [flag.stills.get(f"{when}{role}") for when in ("before", "after")]
    return tuple(f"{case.evidence}/{name}" for name in names if name is not None)


def _pictures_html(case: Case, flag: FlagView) -> str:
    pictures = _pictures(case, flag)
    if not pictures:
        picture = card_html(flag.card, 92) if flag.card is not None else sign_html(64)
        return f'<div class="br-empty">{picture}<p>{safe(texts.NO_PICTURE)}</p></div>'
    figures = "".join(
        f'<figure><img src="{safe(address)}" alt="{safe(words)}">'
        f"<figcaption>{safe(words)}</figcaption></figure>"
        for address, words in zip(pictures, (texts.BEFORE, texts.AFTER), strict=False)
    )
    return f'<div class="br-pair">{figures}</div>{_clip_html(case, flag)}'


def _clip_html(case: Case, flag: FlagView) -> str:
    name = flag.stills.get("clip")
    if name is None:
        return ""
    address = safe(f"{case.evidence}/{name}")
    return (
        f'<figure class="br-clip"><video src="{address}" controls loop muted playsinline preload="metadata">'
        f'</video><figcaption>{safe(texts.CLIP)} · <a href="{address}" download>{safe(texts.SAVE_CLIP)}</a>'
        "</figcaption></figure>"
    )


# -- below the flags ----------------------------------------------------------------------------------------


def _other_plays(chosen: Chosen, case: Case) -> None:
    """Any play of the round, to be corrected by hand."""
    plays = [e for e in case.log if e.type in PLAYS and e.zone is Zone.SHARED]
    if not plays:
        return
    with section(texts.ALL_PLAYS, "plays") as is_open:
        if not is_open:
            return
        start = case.view.started_t_s or 0.0
        play = st.selectbox(
            texts.WHICH_PLAY, plays[::-1], format_func=lambda event: _play_words(event, case.players, start)
        )
        if play is None:
            return
        card = pick_card(f"play-{play.seq}", play.card)
        with st.container(horizontal=True):
            st.button(
                texts.CHANGE,
                key=f"change-{play.seq}",
                on_click=_apply,
                args=(chosen, case, _replacement(play.seq, card)),
            )
            st.button(
                texts.DID_NOT_HAPPEN,
                key=f"delete-{play.seq}",
                on_click=_delete,
                args=(chosen, case, [play.seq]),
            )


def _play_words(event: PlayEvent, players: Sequence[PlayerView], started_s: float) -> str:
    who = texts.player_name(tuple(players), event.seat)
    by = f", {who}" if who else ""
    return f"{texts.clock(max(0.0, event.t - started_s))}  {texts.card(event.card)}{by}"


def _other_rules(case: Case) -> None:
    """The same round under other house rules; nothing is changed by looking."""
    with section(texts.JUDGE_AGAIN, "again") as is_open:
        if not is_open:
            return
        st.caption(texts.JUDGE_AGAIN_HELP)
        values = options_form(case.rules, key=f"again-{case.evidence}")
        if not st.button(texts.JUDGE_AGAIN_BUTTON):
            return
        try:
            effect = rejudged(case, ruleset(case.rules.preset, **values))
        except OptionError as error:
            st.warning(plain(texts.refused(f"{error}.")))
            return
        st.markdown(plain(texts.effect(effect)))
        for flags, head in ((effect.raised, texts.WOULD_BE_FLAGGED), (effect.fallen, texts.WOULD_FALL_AWAY)):
            for flag in flags:
                st.caption(plain(f"{head}: {texts.sentence(flag.text, tuple(case.players))}"))


def _take_away(chosen: Chosen, case: Case) -> None:
    """The log alone, or all that belongs to the round."""
    with section(texts.TAKE_AWAY, "take-away") as is_open:
        if not is_open:
            return
        st.caption(texts.TAKE_AWAY_HELP)
        with st.container(horizontal=True):
            st.download_button(
                texts.SAVE_LOG, log_text(case.log), "events.jsonl", "application/x-ndjson", on_click="ignore"
            )
            name = chosen.recording or f"round-{chosen.round_id}"
            kind = "recording" if chosen.recording else "round"
            address = f"/bundle/{kind}/{chosen.recording or chosen.round_id}.zip"
            st.html(
                f'<a class="br-button" href="{safe(address)}" download="{safe(name)}.zip">'
                f"{safe(texts.SAVE_ALL)}</a>"
            )
