"""The match: totals, figures, corrections of any round, people, history, and what can be printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from dashboard.chart import HEIGHT_PX, NAME_PX, _ends
from dashboard.exports import match_text
from engine.hub import CountEntry, Phase, PlayerView, RoundResult, Snapshot
from engine.table import Table
from engine.table_command import Command, CommandKind
from tests.dashboard.conftest import Show
from tests.dashboard.tables import (
    COUNTED,
    EMOJI,
    LONG,
    NASTY,
    FakeTable,
    button,
    carry_out,
    html_of,
    press,
    unfolded,
    with_match,
    words_of,
)

Fake = Callable[..., FakeTable]
RESULTS = (
    RoundResult(
        1, 1, {"Ann": 8, NASTY: -6}, {"Ann": "14 - 2 x 3 = 8"}, "Ann", (CountEntry("Ann", 14, 3),), 9
    ),
    RoundResult(2, 2, {"Ann": -2, NASTY: 12}, {}, NASTY, (), 9, changed=True, added={NASTY: 6}),
)


def scored(table: Table) -> None:
    """A confirmed round and the next one begun."""
    carry_out(
        table,
        (CommandKind.COUNT, {"entries": COUNTED}),
        (CommandKind.CONFIRM, {}),
        (CommandKind.NEXT_ROUND, {}),
    )


def test_an_empty_table_asks_who_plays(show: Show, fake: Fake) -> None:
    assert "Who is playing?" in html_of(show("match", fake(Snapshot())))


def test_rounds_totals_negatives_callers_pot_and_corrections_are_shown(show: Show, fake: Fake) -> None:
    shown = show("match", fake(with_match(results=RESULTS, totals={"Ann": 6, NASTY: 12}, pot=6)))
    body = html_of(shown)
    assert "of 75" in body and 'class="neg"' in body and "-6" in body and "8 ✹" in body
    assert "2 ✎" in body and "+6 from the pot" in body
    assert "6 points are in the pot" in words_of(shown)
    assert shown.get("vega_lite_chart")


def test_figures_of_the_match_and_of_each_player_are_shown(show: Show, played: Table) -> None:
    scored(played)
    body = html_of(show("match", played))
    assert "lead changes" in body and "corrections of 100 things seen" in body
    assert "<td>Ann</td><td>1</td><td>4</td>" in body


def test_partners_share_one_total(show: Show, fake: Fake) -> None:
    team = (PlayerView("Ann", team="Reds"), PlayerView("Cy", team="Reds"), PlayerView("Bo"))
    results = (RoundResult(1, 1, {"Ann": 5, "Cy": 4, "Bo": 7}, {}),)
    now = with_match(players=team, results=results, totals={"Reds": 9, "Bo": 7})
    body = html_of(show("match", fake(now)))
    assert body.count(">9</td>") == 1 and "Reds" in body


def test_the_winner_is_named_and_a_new_match_offered(show: Show, fake: Fake) -> None:
    now = with_match(results=RESULTS, totals={"Ann": 80, NASTY: 6}, winners=("Ann",), over=True)
    table = fake(replace(now, round=replace(now.round, phase=Phase.CONFIRMED)))
    shown = show("match", table)
    assert "Ann wins!" in html_of(shown)
    press(shown, "New match, same people")
    assert table.sent[0].kind is CommandKind.NEW_MATCH


def test_a_tie_is_told(show: Show, fake: Fake) -> None:
    now = with_match(results=RESULTS, totals={"Ann": 80, NASTY: 80}, deciding=True, deciding_players=("Ann",))
    assert any("deciding round" in info.value for info in show("match", fake(now)).info)


def test_a_score_can_be_taken_back(show: Show, fake: Fake) -> None:
    now = with_match(results=RESULTS, totals={"Ann": 6, NASTY: 6})
    table = fake(replace(now, round=replace(now.round, phase=Phase.CONFIRMED)))
    press(show("match", table), "Take the score back")
    assert table.sent[0].kind is CommandKind.REOPEN


def test_an_earlier_round_is_set_right_taken_out_and_put_back(show: Show, played: Table) -> None:
    scored(played)
    shown = unfolded(show("match", played), "set-right")
    left = next(
        one for one in shown.number_input if one.key and one.key.startswith("l-1-") and "Bo" in one.key
    )
    left.set_value(6)
    next(one for one in shown.selectbox if one.label == "Who called?").set_value("Bo")
    shown = press(shown, "Save")
    assert played.hub.snapshot.match.totals == {"Ann": 14, "Bo": -4}
    assert played.hub.snapshot.match.results[0].called_by == "Bo"
    assert "✎" in html_of(shown)
    shown = press(shown, "Take this round out")
    assert played.hub.snapshot.match.results == ()
    assert any("does not count" in info.value for info in shown.info)
    assert "Put back it brings Ann \\+14, Bo −4" in words_of(shown)
    changed = {"entries": [{"player": "Bo", "left": 7}], "round_id": 1}
    assert played.send(Command(CommandKind.COUNT, "another tab", values=changed), 20).done
    shown = press(shown, "Put this round back")
    assert played.hub.snapshot.match.results == ()
    assert any("meanwhile" in warning.value for warning in shown.warning)
    next(
        one for one in shown.number_input if one.key and one.key.startswith("l-1-") and "Bo" in one.key
    ).set_value(6)
    press(press(shown, "Save"), "Put this round back")
    assert played.hub.snapshot.match.totals == {"Ann": 14, "Bo": -4}


def save_names(show: Show, table: Table, *names: str) -> Any:
    shown = unfolded(show("match", table), "match-people")
    fields = [one for one in shown.text_input if one.label == "Name"]
    for field, name in zip(fields, names, strict=True):
        field.set_value(name)
    return press(shown, "Save the players")


def test_any_name_is_a_name_and_nothing_else(show: Show, played: Table) -> None:
    shown = save_names(show, played, NASTY, EMOJI)
    assert [player.name for player in played.hub.snapshot.match.players] == [NASTY, EMOJI]
    body = html_of(shown)
    assert "<script>" not in body and EMOJI in body
    save_names(show, played, LONG, "Bo")
    assert len(LONG) == 60 and played.hub.snapshot.match.players[0].name == LONG


def test_players_must_be_told_apart(show: Show, played: Table) -> None:
    for names, says in ((("", "Bo"), "every player a name"), (("Bo", "Bo"), "have the same name")):
        shown = save_names(show, played, *names)
        assert any(says in warning.value for warning in shown.warning)
    assert [player.name for player in played.hub.snapshot.match.players] == ["Ann", "Bo"]


def test_once_rounds_are_scored_other_people_need_a_new_match(show: Show, played: Table) -> None:
    scored(played)
    shown = unfolded(show("match", played), "match-people")
    assert all(one.disabled for one in shown.text_input if one.label == "Name")
    seen = played.hub.snapshot.seen()
    told = played.send(
        Command.on(seen, CommandKind.PLAYERS, "test", {"players": [{"name": "Cy"}, {"name": "Bo"}]}), 20
    )
    assert "start a new match" in told.message


def test_earlier_matches_are_found_resumed_and_printed(show: Show, played: Table) -> None:
    scored(played)
    carry_out(played, (CommandKind.NEW_MATCH, {}))
    shown = show("match", played)
    assert "Ann <b>14</b>" not in html_of(shown)
    shown = unfolded(shown, "history")
    assert "Ann <b>14</b>" in html_of(shown)
    search = next(one for one in shown.text_input if one.key == "history-search")
    search.set_value("nobody of that name").run()
    assert "No match fits" in words_of(shown)
    search = next(one for one in shown.text_input if one.key == "history-search")
    search.set_value("bo").run()
    press(shown, "Go on with this match")
    assert played.hub.snapshot.match.totals == {"Ann": 14, "Bo": -6}


def test_a_match_is_printed_and_exported(played: Table, show: Show) -> None:
    scored(played)
    show("match", played)
    sheet = match_text(1, "html")
    assert sheet is not None and sheet[1].startswith("text/html")
    assert "14 - 2 x 0 = 14" in sheet[0] and "Scorekeeper" in sheet[0] and "rules " in sheet[0]
    csv, json = match_text(1, "csv"), match_text(1, "json")
    assert csv is not None and csv[0].splitlines()[-1] == "total,,,14,-6"
    assert json is not None and '"totals"' in json[0]
    assert match_text(9, "csv") is None and match_text(1, "exe") is None


def test_a_sheet_shows_names_as_they_are(played: Table, show: Show) -> None:
    save_names(show, played, NASTY, "Bo")
    entries = [{"player": NASTY, "played": 14, "left": 0}, {"player": "Bo", "played": 8, "left": 7}]
    carry_out(played, (CommandKind.COUNT, {"entries": entries}), (CommandKind.CONFIRM, {}))
    sheet = match_text(1, "html")
    assert sheet is not None and "<script>" not in sheet[0] and "&lt;script&gt;" in sheet[0]


def test_the_button_to_the_next_round_is_there_only_while_the_match_is_on(show: Show, fake: Fake) -> None:
    now = with_match(results=RESULTS, totals={"Ann": 80, NASTY: 6}, winners=("Ann",), over=True)
    shown = show("match", fake(replace(now, round=replace(now.round, phase=Phase.CONFIRMED))))
    assert not [one for one in shown.button if one.label == "Next round"]
    assert button(shown, "New match, same people")


def test_the_names_in_the_chart_stand_on_no_other_name() -> None:
    totals = (("Ann", (0, 21)), ("Ben", (0, 23)), ("Cleo", (0, -8)), ("Dan", (0, 23)))
    at = {end["player"]: end["at"] for end in _ends(totals, 75)}
    assert at["Cleo"] == -8 and at["Ann"] == 21
    heights = sorted(at.values())
    room = NAME_PX / HEIGHT_PX * 83
    assert all(high - low >= room - 1e-9 for low, high in pairwise(heights))
