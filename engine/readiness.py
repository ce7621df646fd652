"""Whether a table is ready to be played on: a short list of checks, each with a plain sentence and advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from engine import calibration_checks
from engine.calibration import CalibrationReport
from engine.hub import CameraHealth, CameraState, MatchView, PlayerView
from engine.photo import PhotoResult
from engine.watcher import ANCHORS
from referee.findings import words
from referee.rulesets import Ruleset, players_of
from vision.types import SeenCard

SLOW_HZ = 8.0
READ_SHARE = 0.8


class Level(StrEnum):
    """How a check stands."""

    READY = "ready"
    CARE = "care"
    WRONG = "wrong"
    UNKNOWN = "unknown"


_LEVELS = {
    calibration_checks.Level.OK: Level.READY,
    calibration_checks.Level.ADVICE: Level.CARE,
    calibration_checks.Level.FAILED: Level.WRONG,
}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the list. `id` names it, `advice` says what to do where it is not ready."""

    id: str
    level: Level
    text: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class PictureReport:
    """What one picture of the table says: its checks, and the picture with the cards marked, as JPEG."""

    checks: tuple[Check, ...]
    jpeg: bytes


def camera_check(camera: CameraHealth) -> Check:
    """Whether pictures arrive, and fast enough."""
    match camera.state:
        case CameraState.LOST:
            why = (camera.problem or "no new picture arrives").rstrip(".")
            advice = "Plug the camera in, or choose another."
            return Check("camera", Level.WRONG, f"No picture: {why}.", advice)
        case CameraState.STARTING:
            why = (camera.problem or "waiting for the first picture").rstrip(".")
            text = f"{why[0].upper()}{why[1:]}."
            return Check("camera", Level.UNKNOWN, text, "Choose a camera if none comes.")
        case CameraState.FINISHED:
            return Check("camera", Level.CARE, "The video has ended.", "Choose a camera to play at a table.")
    size = "" if camera.size_px is None else f"{camera.size_px[0]} × {camera.size_px[1]}, "
    text = f"{size}{words(round(camera.fps_hz), 'picture')} a second."
    if 0 < camera.fps_hz < SLOW_HZ:
        advice = "Close other programs, or choose a smaller picture in the camera's own settings."
        return Check("camera", Level.CARE, text, advice)
    return Check("camera", Level.READY, text)


def picture_checks(report: CalibrationReport, seen: Sequence[SeenCard]) -> tuple[Check, ...]:
    """What the camera's picture says of light, glare and distance, and how many of its cards can be read."""
    checks = [Check(one.name, _LEVELS[one.level], one.text, one.advice) for one in report.checks]
    return (*checks, _cards(seen)) if seen else tuple(checks)


def _cards(seen: Sequence[SeenCard]) -> Check:
    read = sum(card.reading.card is not None or card.reading.deck is not None for card in seen)
    text = f"{read} of {len(seen)} cards can be read."
    if read < READ_SHARE * len(seen):
        advice = "More light, less glare or a nearer camera will help; or show your own deck once."
        return Check("cards", Level.CARE, text, advice)
    return Check("cards", Level.READY, text)


def people_check(match: MatchView, rules: Ruleset) -> Check:
    """Whether it is said who plays."""
    fewest, most = players_of(rules)
    count = len(match.players)
    if count == 0:
        return Check("people", Level.WRONG, "Nobody is named yet.", "Say who plays.")
    names = ", ".join(player.name for player in match.players)
    if not fewest <= count <= most:
        advice = f"This game is for {fewest} to {most} players."
        return Check("people", Level.WRONG, f"{count} players: {names}.", advice)
    return Check("people", Level.READY, f"{count} players: {names}.")


def seats_check(match: MatchView) -> Check:
    """Whether everybody has a place in the picture; without it seats are guessed from the hands."""
    without = [player.name for player in match.players if player.seat is None]
    if not match.players or without:
        missing = ", ".join(without) or "nobody is named"
        advice = "Tap each player's place; without it plays are not credited to anybody."
        return Check("seats", Level.CARE, f"Not seated: {missing}.", advice)
    return Check("seats", Level.READY, "Everybody has a place.")


def decks_check(match: MatchView) -> Check:
    """Whether everybody's back is known; without it the counts must be typed."""
    without = [player.name for player in match.players if player.deck is None]
    if not match.players or without:
        missing = ", ".join(without) or "nobody is named"
        advice = "Let each player show the back of a card; without it the counts are typed."
        return Check("decks", Level.CARE, f"No deck: {missing}.", advice)
    return Check("decks", Level.READY, "Every deck is known by its back.")


def is_ready(checks: Sequence[Check]) -> bool:
    """Whether play can begin: nothing is wrong, and nothing that must be known is unknown."""
    return all(check.level in (Level.READY, Level.CARE) for check in checks)


# -- whose deck is which ------------------------------------------------------------------------------------


def shown_deck(photo: PhotoResult) -> str | None:
    """The one deck of which backs are shown; None if there is none, or more than one."""
    decks = set(photo.backs)
    return next(iter(decks)) if len(decks) == 1 else None


def decks_by_seat(photo: PhotoResult, players: Sequence[PlayerView]) -> dict[str, str]:
    """By player the deck of which most backs lie at the player's place; nobody gets a deck twice."""
    seated = [player for player in players if player.seat in ANCHORS]
    votes: dict[tuple[str, str], int] = {}
    width, height = photo.size_px
    for card in photo.cards:
        if card.reading.deck is None or not seated:
            continue
        x, y = (float(v) for v in card.detection.centre)
        nearest = min(seated, key=lambda player: _distance((x, y), str(player.seat), width, height))
        key = (nearest.name, card.reading.deck)
        votes[key] = votes.get(key, 0) + 1
    found: dict[str, str] = {}
    for (name, deck), _ in sorted(votes.items(), key=lambda item: -item[1]):
        if name not in found and deck not in found.values():
            found[name] = deck
    return found


def _distance(at: tuple[float, float], seat: str, width: int, height: int) -> float:
    """How far a pixel is from a seat's place on the border, in picture heights."""
    x, y = ANCHORS[seat]
    return float(np.hypot((at[0] / width - x) * width / height, at[1] / height - y))
