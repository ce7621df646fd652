"""The live page: what it shows, what its buttons send, how much it says, and that it never coaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.hub import CameraHealth, CameraState, Mode, Phase, RoundResult, Snapshot
from engine.table import Outcome
from engine.table_command import CommandKind
from tests.dashboard.conftest import Show
from tests.dashboard.tables import (
    FLAG,
    NASTY,
    SNAPSHOT,
    FakeTable,
    button,
    data_of,
    html_of,
    press,
    with_match,
    with_round,
    words_of,
)

Fake = Callable[..., FakeTable]


def test_piles_feed_clock_camera_and_seats_are_shown(show: Show, fake: Fake) -> None:
    shown = show("live", fake())
    body = html_of(shown)
    assert "/card/blue8.svg" in body and "/card/unknown.svg" in body
    assert "0:19" in body and "Round 1" in body and "1920 × 1080" in body
    assert "Blue 8 goes down" in body and "the colours differ" in body
    picture = data_of(shown, "table_picture")
    assert picture["video"] == "/video.mjpg?s=t"
    assert [(place["seat"], place["name"]) for place in picture["places"]] == [
        ("left", "Ann"),
        ("right", NASTY),
    ]


@pytest.mark.parametrize("phase", [Phase.WAITING, Phase.PLAYING, Phase.PAUSED, Phase.CALLED])
def test_it_never_coaches(show: Show, fake: Fake, phase: Phase) -> None:
    shown = show("live", fake(with_round(phase=phase, goals_seen={"left": 2})))
    said = f"{html_of(shown)} {words_of(shown)}".lower()
    assert not [word for word in ("goal", "2 left", "can play", "could play", "missed") if word in said]


def test_blitz_and_dutch_are_sent_once_for_the_state_they_were_pressed_in(show: Show, fake: Fake) -> None:
    table = fake()
    shown = show("live", table)
    press(press(shown, "BLITZ!"), "BLITZ!")
    assert [command.kind for command in table.sent] == [CommandKind.CALL, CommandKind.CALL]
    assert len({command.id for command in table.sent}) == 1
    press(show("live", table), "Dutch! Stop")
    assert table.sent[-1].kind is CommandKind.DUTCH
    assert table.sent[-1].seen is not None and table.sent[-1].seen.round_id == 1


def test_the_big_buttons_have_keys(show: Show, fake: Fake) -> None:
    shown = show("live", fake())
    keys = {label: button(shown, label).proto.shortcut for label in ("BLITZ!", "Dutch! Stop")}
    assert {label: key.lower() for label, key in keys.items()} == {"BLITZ!": "space", "Dutch! Stop": "d"}


def test_a_call_asks_who_made_it(show: Show, fake: Fake) -> None:
    table = fake(with_round(phase=Phase.CALLED, called_t_s=15.0, called_seq=5))
    shown = show("live", table)
    press(shown, "Ann")
    values = table.sent[0].values
    assert (values["of"], values["action"], values["event"]["seat"]) == ([5], "replace", "left")


def test_a_lost_camera_is_told_with_what_to_do(show: Show, fake: Fake) -> None:
    camera = CameraHealth(CameraState.LOST, problem="camera 0 gives no picture")
    assert "Plug it in again" in html_of(show("live", fake(replace(SNAPSHOT, camera=camera))))


def test_an_empty_table_says_what_to_do(show: Show, fake: Fake) -> None:
    body = html_of(show("live", fake(Snapshot())))
    assert "The middle is empty" in body and 'href="/setup"' in body


def test_a_refusal_is_shown_in_plain_words(show: Show, fake: Fake) -> None:
    table = fake(answer=Outcome(False, "the round is over."))
    shown = press(show("live", table), "Dutch! Stop")
    assert any("did not work" in warning.value for warning in shown.warning)


def test_a_foul_opens_a_dialog_with_a_sound_and_can_be_put_off(show: Show, fake: Fake) -> None:
    table = fake()
    shown = show("live", table)
    assert 'role="alertdialog"' in html_of(shown)
    assert data_of(shown, "cue") == {
        "cue": "foul",
        "id": "1:4",
        "on": "🔔 Sound is on",
        "off": "🔕 Sound is off",
    }
    press(shown, "It was fine")
    assert table.sent[0].values == {"of": [4], "action": "overrule"}
    later = press(show("live", table), "Later")
    assert 'role="alertdialog"' not in html_of(later) and "the colours differ" in html_of(later)


def test_a_later_warning_does_not_hide_a_foul(show: Show, fake: Fake) -> None:
    warning = replace(FLAG, seq=9, severity="warning", rule="E12", text="A 2 was skipped (E12).")
    body = html_of(show("live", fake(with_round(flags=(FLAG, warning)))))
    assert body.index('role="alertdialog"') < body.index("the colours differ")
    assert "Worth a look: A 2 was skipped" in body


def test_a_warning_is_a_calm_banner(show: Show, fake: Fake) -> None:
    shown = show("live", fake(with_round(flags=(replace(FLAG, severity="warning"),))))
    assert 'role="alertdialog"' not in html_of(shown) and "Worth a look" in html_of(shown)
    assert data_of(shown, "cue")["cue"] == "start"


@pytest.mark.parametrize(("mode", "banner"), [(Mode.QUIET, True), (Mode.COUNT_ONLY, False)])
def test_less_is_said_where_less_is_wanted(show: Show, fake: Fake, mode: Mode, banner: bool) -> None:
    table = fake(replace(SNAPSHOT, mode=mode))
    shown = show("live", table)
    assert 'role="alertdialog"' not in html_of(shown)
    assert ("the colours differ" in html_of(shown)) is banner
    assert data_of(shown, "cue")["cue"] == "start"
    press(shown, "Referee: all is said")
    assert (table.sent[0].kind, table.sent[0].values) == (CommandKind.MODE, {"mode": "referee"})


def test_a_confirmed_score_is_announced_and_a_draft_is_not(show: Show, fake: Fake) -> None:
    result = RoundResult(1, 1, {"Ann": 8, NASTY: -6}, {}, "Ann")
    match: dict[str, Any] = {"results": (result,), "totals": {"Ann": 20, NASTY: -6}}
    now = with_match(**match)
    scored = replace(now, round=replace(now.round, phase=Phase.CONFIRMED, phase_seq=9))
    shown = show("live", fake(scored))
    body = html_of(shown)
    assert "Round 1 is scored" in body and "+8" in body and "−6" in body and "total 20" in body
    assert data_of(shown, "cue")["cue"] == "score"
    counting = show("live", fake(replace(now, round=replace(now.round, phase=Phase.ENDED))))
    assert "is scored" not in html_of(counting) and 'href="/count"' in html_of(counting)
