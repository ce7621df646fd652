"""The set-up: the list that turns green, people and seats, decks by their backs, rules, kept set-ups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard import setup, texts
from engine import serve, switching
from engine.calibration import calibrate
from engine.enrolling import Enrolled
from engine.evidence import encode_jpeg
from engine.household import EnrolmentError
from engine.hub import CameraHealth, CameraState, MatchView, PlayerView, Snapshot
from engine.photo import PhotoResult
from engine.readiness import (
    Check,
    Level,
    PictureReport,
    camera_check,
    decks_by_seat,
    decks_check,
    is_ready,
    people_check,
    picture_checks,
    seats_check,
    shown_deck,
)
from engine.setup_file import load_setup, read_setup
from engine.setup_text import setup_text
from engine.table import Table
from engine.table_command import CommandKind
from referee.rulesets import ruleset
from tests.dashboard.conftest import Show
from tests.dashboard.fakes import drawn_parts
from tests.dashboard.tables import (
    CAMERA,
    NASTY,
    PLAYERS,
    TWO,
    FakeTable,
    carry_out,
    data_of,
    html_of,
    press,
    unfolded,
    watch_to_the_end,
    with_match,
)
from vision.types import Detection, Reading, SeenCard

Fake = Callable[..., FakeTable]
RULES = ruleset("dutch_blitz_2")


def levels(shown: AppTest) -> dict[str, str]:
    """How each line of the list stands."""
    return {
        name: level
        for level, name in re.findall(
            r'<li class="(\w+)" title="[^"]*"><i>.</i><span><b>([\w -]+)</b>', html_of(shown)
        )
    }


def test_an_empty_table_says_what_to_do_next(show: Show, fake: Fake) -> None:
    shown = show("setup", fake(Snapshot()))
    assert levels(shown)["Players"] == "wrong" and levels(shown)["Camera"] == "unknown"
    assert "Say who plays" in html_of(shown) and "The table is ready" not in html_of(shown)


def test_all_green_leads_to_the_game(show: Show, fake: Fake) -> None:
    report = PictureReport(
        (Check("light", Level.READY, "Bright."), Check("scale", Level.READY, "Near.")),
        encode_jpeg(np.zeros((4, 4, 3), np.uint8), 80),
    )
    table = fake(report=report)
    shown = show("setup", table)
    assert set(levels(shown).values()) == {"ready"}
    assert "The table is ready" in html_of(shown) and 'href="/live"' in html_of(shown)


def test_names_stay_names(show: Show, fake: Fake) -> None:
    shown = show("setup", fake())
    assert "<script>" not in html_of(shown)
    assert NASTY in [place["name"] for place in data_of(shown, "table_picture")["places"]]


# -- the checks themselves ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("camera", "level"),
    [
        (CAMERA, Level.READY),
        (replace(CAMERA, fps_hz=4.0), Level.CARE),
        (CameraHealth(CameraState.STARTING), Level.UNKNOWN),
        (CameraHealth(CameraState.LOST, problem="camera 0 gives no picture."), Level.WRONG),
        (CameraHealth(CameraState.FINISHED), Level.CARE),
    ],
)
def test_the_camera_is_judged_by_what_it_gives(camera: CameraHealth, level: Level) -> None:
    check = camera_check(camera)
    assert check.level is level
    assert ".." not in check.text and (check.level is Level.READY or check.advice)


@pytest.mark.parametrize(("fps_hz", "says"), [(1.2, "1 picture a second"), (29.7, "30 pictures a second")])
def test_one_picture_is_no_pictures(fps_hz: float, says: str) -> None:
    assert f"{says}." in camera_check(replace(CAMERA, fps_hz=fps_hz)).text


def card(
    width_px: float, *, at: tuple[float, float] = (400, 300), deck: str | None = None, read: bool = True
) -> SeenCard:
    x, y = at
    long_px = width_px * 82 / 57.5
    quad = np.array([[x, y], [x + width_px, y], [x + width_px, y + long_px], [x, y + long_px]], np.float32)
    if deck is not None:
        return SeenCard(Detection(quad, "back", 0.9), Reading("back", deck=deck, confidence=0.97))
    reading = Reading("face", 7, "red", confidence=0.99) if read else Reading(None)
    return SeenCard(Detection(quad, "face", 0.9), reading)


def report_of(*seen: SeenCard, level: int = 130) -> dict[str, Check]:
    """The checks of a made-up picture with these cards, by their names."""
    rng = np.random.default_rng(1)
    image = np.clip(rng.normal(level, 6, (720, 1280, 3)), 0, 255).astype(np.uint8)
    report = calibrate(image, lambda picture: seen, cards="blitz")
    return {check.id: check for check in picture_checks(report, seen)}


@pytest.mark.parametrize(
    ("width_px", "stands"), [(30.0, Level.WRONG), (52.0, Level.CARE), (90.0, Level.READY)]
)
def test_the_distance_is_told_by_the_cards(width_px: float, stands: Level) -> None:
    check = report_of(*(card(width_px, at=(200 + 260 * i, 250)) for i in range(4)))["scale"]
    assert check.level is stands and f"{width_px / 57.5:.2f}" in check.text
    assert (check.advice == "") is (stands is Level.READY)


def test_a_dark_table_and_an_empty_one_are_told_with_what_to_do() -> None:
    assert report_of(level=4)["light"].level is Level.WRONG
    empty = report_of()
    assert empty["view"].level is Level.WRONG and "cards" not in empty and empty["view"].advice


def test_cards_that_cannot_be_read_are_told() -> None:
    unread = [card(90, at=(100 + 150 * i, 200), read=False) for i in range(3)]
    check = report_of(card(90), *unread)["cards"]
    assert (check.level, check.text) == (Level.CARE, "1 of 4 cards can be read.")


def test_every_check_has_a_name_on_the_page() -> None:
    shown = report_of(*(card(90, at=(200 + 260 * i, 250)) for i in range(4)))
    assert set(shown) <= set(texts.CHECKS) and "flicker" in texts.CHECKS and "steadiness" in texts.CHECKS


def test_people_seats_and_decks() -> None:
    nobody, two = MatchView(), MatchView(players=PLAYERS)
    assert people_check(nobody, RULES).level is Level.WRONG
    assert people_check(two, RULES).level is Level.READY
    many = MatchView(players=tuple(PlayerView(str(i)) for i in range(9)))
    assert people_check(many, ruleset("dutch_blitz_8")).level is Level.WRONG
    assert (seats_check(two).level, decks_check(two).level) == (Level.READY, Level.READY)
    bare = MatchView(players=(PlayerView("Ann", "left"), PlayerView("Bo", None, "pump")))
    assert "Bo" in seats_check(bare).text and "Ann" in decks_check(bare).text
    assert is_ready([people_check(two, RULES), seats_check(bare)])
    assert not is_ready([people_check(nobody, RULES)])


def photo(*cards: SeenCard) -> PhotoResult:
    return PhotoResult(cards, b"", (1280, 720), 1.0, b"")


def test_a_deck_is_known_by_one_back_and_decks_by_where_they_lie() -> None:
    left, right = card(60, at=(60, 330), deck="plow"), card(60, at=(1150, 330), deck="hat")
    assert shown_deck(photo(left)) == "plow"
    assert shown_deck(photo(left, right)) is None and shown_deck(photo(card(60))) is None
    stray = card(60, at=(1100, 300), deck="plow")
    assert decks_by_seat(photo(left, right, left, stray), PLAYERS) == {"Ann": "plow", NASTY: "hat"}


# -- the page on a real table ---------------------------------------------------------------------------


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A real table that shows a drawn recording."""
    monkeypatch.setenv("BLITZREF_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("BLITZREF_FACTORY", f"{drawn_parts.__module__}:{drawn_parts.__name__}")
    monkeypatch.setenv("BLITZREF_FILE_PACE", "0")
    serve.close_table()
    table = serve.open_table()
    watch_to_the_end(table)
    yield table
    serve.close_table()


def page() -> AppTest:
    """The page with all its parts unfolded."""
    shown = AppTest.from_string("from dashboard import setup\nsetup.page()\n", default_timeout=30)
    parts = ("people", "decks-False", "decks-True", "rules", "presets", "learning")
    return unfolded(shown, *parts)


def people(table: Table) -> list[tuple[str, str | None, str | None]]:
    return [(p.name, p.seat, p.deck) for p in table.hub.snapshot.match.players]


def name_two(shown: AppTest) -> AppTest:
    fields = [one for one in shown.text_input if one.label == "Name"]
    for field, name in zip(fields, ("Ann", "Bo"), strict=True):
        field.set_value(name)
    return press(shown, "Save the players")


def test_people_get_places_by_a_tap_and_swap_them(live: Table) -> None:
    shown = name_two(page())
    assert people(live) == [("Ann", None, None), ("Bo", None, None)]
    ann, bo = live.hub.snapshot.match.players
    setup._seat(live.hub.snapshot, ann, "left")
    setup._seat(live.hub.snapshot, bo, "right")
    assert people(live) == [("Ann", "left", None), ("Bo", "right", None)]
    setup._seat(live.hub.snapshot, live.hub.snapshot.match.players[1], "left")
    assert people(live) == [("Ann", "right", None), ("Bo", "left", None)]
    places = {p["seat"]: p for p in data_of(shown.run(), "table_picture")["places"]}
    assert (places["right"]["name"], places["left"]["name"], places["top"]["name"]) == ("Ann", "Bo", None)
    assert places["top"]["label"] == "Ann sits on the far side"


def test_decks_come_from_the_backs_in_the_picture(live: Table) -> None:
    name_two(page())
    for player, seat in zip(live.hub.snapshot.match.players, ("left", "right"), strict=True):
        setup._seat(live.hub.snapshot, player, seat)
    press(page(), "See whose backs lie where")
    assert [deck for _, _, deck in people(live)] == ["pump", "pail"]
    several = press(page(), "Ann: pump")
    assert any("Backs of several decks" in warning.value for warning in several.warning)


def test_a_deck_chosen_by_hand_is_taken_from_whoever_had_it(live: Table) -> None:
    name_two(page())
    for name, deck in (("Ann", "hat"), ("Bo", "hat")):
        box = next(b for b in page().selectbox if b.key and b.key.startswith(f"deck-{name}-"))
        box.set_value(deck).run()
    assert [deck for _, _, deck in people(live)] == [None, "hat"]


def test_rules_are_chosen_on_one_screen_with_their_sentences(live: Table) -> None:
    shown = name_two(page())
    body = html_of(shown)
    assert "A shared pile keeps one colour." in body
    target = next(one for one in shown.number_input if one.label.startswith("The total that ends"))
    target.set_value(100)
    shown = press(shown.run(), "Play by these rules")
    assert live.hub.snapshot.match.target == 100
    game = next(box for box in shown.selectbox if box.label == "Game")
    assert "dutch_blitz_2" not in game.options and "Dutch Blitz" in game.options


def test_a_set_up_is_kept_under_a_name_and_comes_back(live: Table) -> None:
    name_two(page())
    shown = page()
    next(one for one in shown.text_input if one.key == "preset-name").set_value("Sunday *table*").run()
    press(shown, "Keep it")
    assert live.kept.presets() == ("Sunday *table*",)
    people_before = people(live)
    carry_out(live, (CommandKind.PLAYERS, {"players": [{"name": "Cy"}, {"name": "Di"}]}))
    press(page(), "Use it")
    assert people(live) == people_before
    press(page(), "Forget it")
    assert live.kept.presets() == ()


def test_a_kept_set_up_knows_the_teams(live: Table) -> None:
    team = [{"name": "Ann", "team": "Reds"}, {"name": "Bo"}, {"name": "Cy", "team": "Reds"}]
    carry_out(live, (CommandKind.PLAYERS, {"players": team}))
    shown = page()
    next(one for one in shown.text_input if one.key == "preset-name").set_value("Sunday").run()
    press(shown, "Keep it")
    carry_out(live, (CommandKind.PLAYERS, {"players": [{"name": "Di"}, {"name": "Ed"}]}))
    press(page(), "Use it")
    players = live.hub.snapshot.match.players
    assert [(p.name, p.team) for p in players] == [("Ann", "Reds"), ("Bo", None), ("Cy", "Reds")]


def test_the_picture_is_checked_on_demand(live: Table) -> None:
    shown = press(page(), "Check the picture")
    assert live.report is not None
    assert {"light", "glare", "scale", "cards"} <= {check.id for check in live.report.checks}
    assert "Distance" in levels(shown)


def test_the_example_needs_no_camera(live: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    press(page(), "Show me an example round")
    table = serve.current_table()
    assert table is not None and table.settings.data_dir.name == switching.EXAMPLE_FOLDER


def test_another_camera_that_cannot_be_opened_is_told(live: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str) -> None:
        raise switching.SwitchError("That camera gives no picture; plug it in.")

    monkeypatch.setattr(switching, "open_source", refuse)
    shown = press(page(), "Camera 2")
    assert any("gives no picture" in warning.value for warning in shown.warning)


@pytest.mark.parametrize("name", ['Zoë "the ace" \\ 🂡', "[[players]]", "a\x7fb\tc"])
def test_a_set_up_file_says_what_was_set_up(tmp_path: Path, name: str) -> None:
    made = read_setup({**TWO, "options": {"target": 100, "tie": "shared", "lotto": False}})
    players = (made.players[0].model_copy(update={"name": name, "team": name}), *made.players[1:])
    made = made.model_copy(update={"players": players})
    path = tmp_path / "SETUP.toml"
    path.write_text(setup_text(made), encoding="utf-8")
    assert load_setup(path) == made


def test_without_eyes_for_photographs_decks_are_chosen_by_hand(show: Show, fake: Fake) -> None:
    shown = unfolded(show("setup", fake(with_match(), can_read_photos=False)), "decks-False")
    assert not [one for one in shown.button if "back" in one.label]
    assert [box.label for box in shown.selectbox if box.key and box.key.startswith("deck-")]


class Taught:
    """Decks that are learnt at once."""

    def __init__(self) -> None:
        self.known: list[str] = []

    def names(self) -> tuple[str, ...]:
        return tuple(self.known)

    def enrol(self, images: Any, name: str) -> Enrolled:
        if "/" in name:
            raise EnrolmentError("the name of a deck cannot have the sign '/'; use letters and digits.")
        self.known.append(name)
        return Enrolled(name, len(images), (), 0, 0, ())

    def remove(self, name: str) -> None:
        self.known.remove(name)


def test_an_own_deck_is_taught_chosen_and_forgotten(live: Table) -> None:
    live._parts = replace(live._parts, own_decks=Taught())  # type: ignore[arg-type]
    name_two(page())
    for name in ("red/bicycle", "red bicycle"):
        shown = page()
        next(one for one in shown.text_input if one.key == "teach-name").set_value(name).run()
        shown = press(shown, "Look at it through the camera")
        said = " ".join(warning.value for warning in shown.warning).replace("\\", "")
        assert ("cannot have" in said) is ("/" in name)
    box = next(b for b in page().selectbox if b.key and b.key.startswith("deck-Ann-"))
    assert "red bicycle" in box.options
    press(page(), "Forget red bicycle")
    assert live.own_decks() == ()


def test_corrections_are_kept_only_after_a_yes(live: Table) -> None:
    shown = page()
    assert live.corrections.allowed is None
    shown.toggle(key="learning-None").set_value(True).run()
    assert live.corrections.allowed is True
    shown = page()
    shown.toggle(key="learning-True").set_value(False).run()
    assert live.corrections.allowed is False
