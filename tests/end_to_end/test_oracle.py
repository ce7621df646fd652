"""From the film to the rulings with eyes that know the truth: nothing is lost on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from datasets.bundles import BundleSpec
from datasets.rounds import RoundFilm
from engine.hub import PlayerView
from engine.settings import Settings
from engine.watch import Watched, watch
from engine.watcher import TableWatcher
from referee.events import EventType, PlayEvent, Zone
from referee.rulesets import for_players, ruleset
from tests.datasets.films import film
from tests.end_to_end.oracle import FilmSource, OracleEyes

LANDINGS = (EventType.STARTED, EventType.LANDED)
SAME_T_S = 0.7


def watched(round_film: RoundFilm, **shown: Any) -> Watched:
    """The log of a film that nobody encoded."""
    eyes = OracleEyes()
    seats = round_film.seating.seats
    rules = for_players(ruleset("dutch_blitz"), len(seats))
    players = tuple(
        PlayerView(seat.name, seat.name, deck)
        for seat, deck in zip(seats, round_film.look.decks, strict=False)
    )
    calls = [event for event in round_film.truth if event.type is EventType.CALLED]

    def watcher() -> TableWatcher:
        return TableWatcher(rules, players, eyes=eyes, script=calls)  # type: ignore[arg-type]

    return watch(
        FilmSource(round_film, eyes, **shown), rules, watcher, Settings(), players=players, ahead=False
    )  # type: ignore[arg-type]


def landings(events: list[PlayEvent] | tuple[PlayEvent, ...]) -> list[PlayEvent]:
    return [e for e in events if e.type in LANDINGS and e.zone is Zone.SHARED]


def pairs(true: list[PlayEvent], told: list[PlayEvent], width_px: float) -> list[tuple[PlayEvent, PlayEvent]]:
    """True landings with what was told of them: the same card within 0.7 s and 1.1 card widths."""
    left, found = list(told), []
    for event in true:
        for other in left:
            assert event.at and other.at
            near = np.hypot(event.at[0] - other.at[0], event.at[1] - other.at[1]) < 1.1 * width_px
            if other.card == event.card and abs(other.t - event.t) <= SAME_T_S and near:
                found.append((event, other))
                left.remove(other)
                break
    return found


def severe(log: tuple[PlayEvent, ...]) -> list[PlayEvent]:
    return [e for e in log if e.type is EventType.RULING and e.extra["severity"] in ("foul", "warning")]


@pytest.mark.parametrize("seed", [1, 3])
def test_one_wrong_colour_is_one_foul_and_every_card_is_logged(seed: int) -> None:
    round_film, _ = film(BundleSpec(seed, size_px=(960, 540), mistakes=("E11",), most_s=14.0))
    log = watched(round_film).log
    true, told = landings(round_film.truth), landings(log)
    matched = pairs(true, told, 57.5 * 960 / round_film.look.table_mm)
    assert len(matched) == len(true) == len(told)
    ((fault, rule),) = round_film.mistakes
    (foul,) = severe(log)
    assert (foul.extra["rule"], foul.card) == (rule, fault.card)
    assert fault.t - 1 <= foul.t <= fault.t + 6
    (pile,) = {other.pile for event, other in matched if event.pile == fault.pile}
    assert foul.pile == pile
    lower = [e.card for e in true if e.pile == fault.pile and e.t < fault.t][-1]
    assert lower is not None and fault.card is not None
    assert fault.card.words in foul.extra["text"].lower() and lower.words in foul.extra["text"].lower()
    named = {other.seat for _, other in matched if other.seat is not None}
    assert len(named) >= 3
    assert all(other.seat in (event.seat, None) for event, other in matched)
    piles = {event.pile: other.pile for event, other in matched}
    assert len(set(piles.values())) == len(piles)
    assert all(piles[event.pile] == other.pile for event, other in matched)


@pytest.mark.parametrize(("seed", "players", "most_s"), [(2, 2, 14.0), (5, 4, 14.0)])
def test_lawful_play_is_never_accused(seed: int, players: int, most_s: float) -> None:
    round_film, _ = film(BundleSpec(seed, players, size_px=(960, 540), mistakes=(), most_s=most_s))
    log = watched(round_film).log
    assert [e.extra["text"] for e in severe(log)] == []
    # A beaten card that goes back at once may be left out.
    beaten = [(e.card, e.pile) for e in round_film.truth if e.type is EventType.WITHDRAWN]
    true = [e for e in landings(round_film.truth) if (e.card, e.pile) not in beaten]
    assert len(pairs(true, landings(log), 57.5 * 960 / round_film.look.table_mm)) >= len(true) - 1


@pytest.mark.parametrize(
    ("seed", "players", "besides"),
    [(11, 3, ("bump", "rest", "reach")), (12, 4, ("move", "dim", "shadow")), (13, 6, ("nudge", "bump"))],
)
def test_what_is_no_play_is_told_as_none(seed: int, players: int, besides: tuple[str, ...]) -> None:
    spec = BundleSpec(seed, players, size_px=(960, 540), mistakes=(), most_s=18.0, confusers=besides)
    round_film, _ = film(spec)
    assert set(round_film.handled) == set(besides)
    log = watched(round_film).log
    assert [e.extra["text"] for e in severe(log) if e.extra["rule"] != "E71"] == []
    true, told = landings(round_film.truth), landings(log)
    beaten = {(e.card, e.pile) for e in round_film.truth if e.type is EventType.WITHDRAWN}
    width_px = 57.5 * 960 / round_film.look.table_mm
    matched = pairs(true, told, width_px)
    assert len(told) - len(matched) <= 0
    lost = [e for e in true if e not in [event for event, _ in matched] and (e.card, e.pile) not in beaten]
    assert len(lost) <= 1
    assert [e.type for e in log].count(EventType.CAMERA_MOVED) == besides.count("nudge")


def wandering_shadow(picture: np.ndarray, t_s: float) -> np.ndarray:
    x = np.arange(picture.shape[1], dtype=np.float32) / picture.shape[1]
    dark = 1 - 0.2 / (1 + np.exp(-(x - 0.2 * t_s + 0.3) / 0.02)) * (x < 0.2 * t_s)
    return (picture * dark[None, :, None]).astype(np.uint8)


def hunting_exposure(picture: np.ndarray, t_s: float) -> np.ndarray:
    gain = 1 + 0.25 * np.sin(2 * np.pi * t_s / 3)
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


def lamp_off_and_on(picture: np.ndarray, t_s: float) -> np.ndarray:
    return (picture * 0.1).astype(np.uint8) if 3.0 <= t_s < 4.5 else picture


def flickering_lamp(picture: np.ndarray, t_s: float) -> np.ndarray:
    return (picture * (0.92 if int(t_s * 15) % 2 else 1.0)).astype(np.uint8)


@pytest.mark.parametrize("lit", [wandering_shadow, hunting_exposure, lamp_off_and_on, flickering_lamp])
def test_light_and_shadow_on_a_still_table_are_no_event(lit: Any) -> None:
    round_film, _ = film(BundleSpec(4, 4, size_px=(960, 540), mistakes=(), most_s=6.0))
    log = watched(round_film, lit=lit, still_s=8.0).log
    assert [e.to_json() for e in log if e.type not in (EventType.ROUND_STARTED, EventType.ROUND_ENDED)] == []
