"""A round through a camera with faults, with eyes that know the truth: no false foul, and play goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.bundles import BundleSpec
from datasets.rounds import RoundFilm
from datasets.scene import CardTruth
from engine.hub import PlayerView
from engine.outages import SteadyWatcher
from engine.pipeline import Pipeline
from engine.pipeline_parts import PipelineParts
from engine.watcher import TableWatcher
from referee.events import EventType, PlayEvent
from referee.judge import Judge
from referee.rulesets import for_players, ruleset
from tests.datasets.films import film
from tests.end_to_end.oracle import OracleEyes
from tests.end_to_end.test_oracle import landings, severe
from vision.types import Frame

SIZE = (960, 540)
AT_S = 7.0
"""The fault begins at this time."""
FRESH_S = 1.5
"""A card that comes so long after a fault is told like any other."""

Shot = tuple[np.ndarray, tuple[CardTruth, ...]]
Fault = Callable[[Shot, float], Shot | None]
"""What the camera gives of a shot so long after the fault began; None: nothing."""


@dataclass(frozen=True)
class Taken:
    """A film whose pictures are kept as JPEG, so that it is drawn once."""

    film: RoundFilm
    shots: tuple[Shot, ...]

    def play(self, eyes: OracleEyes, fault: Fault) -> Iterator[Frame]:
        for index, (jpeg, truth) in enumerate(self.shots):
            t_s = index / self.film.look.fps
            shot: Shot | None = (np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR)), truth)
            if t_s >= AT_S and shot is not None:
                shot = fault(shot, t_s - AT_S)
            if shot is not None:
                picture, eyes.truth = shot
                yield Frame(picture, index, t_s)


@pytest.fixture(scope="module")
def taken() -> Taken:
    round_film, _ = film(BundleSpec(1, size_px=SIZE, mistakes=("E11",), most_s=16.0))
    shots = []
    for picture in round_film.frames():
        _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        shots.append((jpeg, round_film.truth_of_cards()))
    return Taken(round_film, tuple(shots))


def pipeline_of(taken: Taken, eyes: OracleEyes, **kept: Any) -> Pipeline:
    seats = taken.film.seating.seats
    rules = for_players(ruleset("dutch_blitz"), len(seats))
    players = tuple(PlayerView(seat.name, seat.name) for seat in seats)

    def watcher() -> SteadyWatcher:
        return SteadyWatcher(TableWatcher(rules, players, eyes=eyes))  # type: ignore[arg-type]

    return Pipeline(PipelineParts(watcher, lambda: Judge(rules), players), **kept)


def log_with(taken: Taken, fault: Fault) -> tuple[PlayEvent, ...]:
    eyes = OracleEyes()
    pipeline = pipeline_of(taken, eyes)
    for frame in taken.play(eyes, fault):
        pipeline.step(frame)
    pipeline.finish()
    return pipeline.log


def dark(level: float) -> Fault:
    def fault(shot: Shot, since_s: float) -> Shot:
        return ((shot[0] * level).astype(np.uint8), ()) if since_s < 2.0 else shot

    return fault


def frozen() -> Fault:
    kept: list[Shot] = []

    def fault(shot: Shot, since_s: float) -> Shot:
        kept.append(shot)
        return kept[0] if since_s < 3.0 else shot

    return fault


def unplugged(shot: Shot, since_s: float) -> Shot | None:
    return None if since_s < 3.0 else shot


def covered(shot: Shot, since_s: float) -> Shot:
    """Somebody holds a patterned cloth under the camera."""
    if since_s >= 5.0:
        return shot
    picture = np.full_like(shot[0], (70, 60, 120))
    picture[:, ::24] = (150, 150, 170)
    return np.roll(picture, round(40 * since_s), axis=1), ()


def nudged(shot: Shot, since_s: float) -> Shot:
    picture, truth = shot
    turn = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), 2.0, 1.0)
    turned = tuple(
        replace(card, quad=(card.quad @ turn[:, :2].T + turn[:, 2]).astype(np.float32)) for card in truth
    )
    return cv2.warpAffine(picture, turn, SIZE, borderMode=cv2.BORDER_REPLICATE), turned


FAULTS: dict[str, tuple[Fault, float, EventType | None]] = {
    "light off and on": (dark(1 / 30), 2.0, EventType.CAMERA_LOST),
    "black": (dark(0.0), 2.0, EventType.CAMERA_LOST),
    "frozen": (frozen(), 3.0, EventType.CAMERA_LOST),
    "unplugged": (unplugged, 3.0, None),
    "covered": (covered, 5.0, None),
    "nudged by 2 degrees": (nudged, 0.0, EventType.CAMERA_MOVED),
}
"""Each with how long it lasts, and what is told of it. That a camera is gone is told where it is opened."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_accuses_nobody_and_what_comes_after_it_is_told(name: str, taken: Taken) -> None:
    fault, lasts_s, told_as = FAULTS[name]
    log = log_with(taken, fault)
    kinds = [event.type for event in log]
    assert kinds.count(EventType.ROUND_STARTED) == 1
    wrong = {(rule, event.card) for event, rule in taken.film.mistakes}
    fouls = [e for e in severe(log) if e.extra["severity"] == "foul"]
    assert [(e.extra["rule"], e.card) for e in fouls if (e.extra["rule"], e.card) not in wrong] == []
    if told_as is not None:
        (told,) = [event for event in log if event.type is told_as]
        assert AT_S <= told.t <= AT_S + lasts_s + 2.0
    true = [e for e in landings(taken.film.truth) if not AT_S - FRESH_S < e.t < AT_S + lasts_s + FRESH_S]
    seen = [(str(e.card), e.t) for e in landings(log)]
    missing = [
        (str(e.card), e.t) for e in true if not any(c == str(e.card) and abs(t - e.t) < 0.7 for c, t in seen)
    ]
    assert len(missing) <= 1, missing
    beaten = [str(e.card) for e in taken.film.truth if e.type is EventType.WITHDRAWN]
    assert len(missing) == 0 or missing[0][0] in beaten
    known = {str(e.card) for e in landings(taken.film.truth)}
    assert {card for card, _ in seen} <= known


def test_killed_in_mid_round_it_takes_the_piles_up_again_and_accuses_nobody(taken: Taken) -> None:
    eyes = OracleEyes()
    first = pipeline_of(taken, eyes)
    again: Pipeline | None = None
    for frame in taken.play(eyes, lambda shot, since_s: shot):
        if frame.t_s < AT_S:
            first.step(frame)
        elif frame.t_s >= AT_S + 2.0:
            if again is None:
                again = pipeline_of(taken, eyes, log=first.log, checkpoint=first.checkpoint())
            again.step(frame)
    assert again is not None
    again.finish()
    kinds = [event.type for event in again.log]
    assert kinds.count(EventType.ROUND_STARTED) == 1
    assert list(again.log[: len(first.log)]) == list(first.log)
    wrong = {(rule, event.card) for event, rule in taken.film.mistakes}
    fouls = [e for e in severe(again.log) if e.extra["severity"] == "foul"]
    assert [(e.extra["rule"], e.card) for e in fouls if (e.extra["rule"], e.card) not in wrong] == []
    late = [e for e in landings(taken.film.truth) if e.t > AT_S + 2.0 + FRESH_S]
    seen = [str(e.card) for e in landings(again.log) if e.t > AT_S]
    assert [str(e.card) for e in late if str(e.card) not in seen] == []
