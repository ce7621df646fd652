"""Whether a table is ready to be played on: a short list of checks, each with a plain sentence and advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from engine.hub import CameraHealth, CameraState, MatchView, PlayerView
from engine.photo import PhotoResult
from engine.watcher import ANCHORS
from referee.rulesets import Ruleset, players_of
from vision.calibration import (
    CARD_SIZES_MM,
    GOOD_CARD_WIDTH_PX,
    LEAST_CARD_WIDTH_PX,
    CardSize,
    Plane,
    plane_of_cards,
    plane_of_sheet,
)
from vision.sheet import find_sheet
from vision.types import SeenCard

DARK_LEVEL, DIM_LEVEL, BRIGHT_LEVEL = 35.0, 70.0, 225.0
"""Median brightness of the picture (0-255): below the first no card is read, below the second few are."""
BLOWN = 250
"""A pixel this bright in all three colours has lost its picture."""
GLARE_SHARE = 0.02
"""More of the picture than this without any picture in it is a mirrored lamp or a blown window."""
SLOW_HZ = 8.0
ENOUGH_CARDS = 3
READ_SHARE = 0.8


class Level(StrEnum):
    """How a check stands."""

    READY = "ready"
    CARE = "care"
    WRONG = "wrong"
    UNKNOWN = "unknown"


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
    text = f"{size}{camera.fps_hz:.0f} pictures a second."
    if 0 < camera.fps_hz < SLOW_HZ:
        advice = "Close other programs, or choose a smaller picture in the camera's own settings."
        return Check("camera", Level.CARE, text, advice)
    return Check("camera", Level.READY, text)


def picture_checks(image: Any, seen: Sequence[SeenCard], sizes: Sequence[CardSize]) -> tuple[Check, ...]:
    """Light, glare, scale and cards in a picture BGR uint8 (H, W, 3); `sizes`: of the cards in play."""
    sheet = find_sheet(image)
    size_px = (int(image.shape[1]), int(image.shape[0]))
    quads = [card.detection.quad for card in seen]
    plane = plane_of_sheet(sheet, size_px) if sheet is not None else plane_of_cards(quads, size_px, sizes)
    return (_light(image), _glare(image), _scale(plane, sizes), _cards(seen))


def _light(image: Any) -> Check:
    level = float(np.median(image[::8, ::8]))
    text = f"The picture is {level / 255:.0%} bright."
    if level < DARK_LEVEL:
        return Check("light", Level.WRONG, text, "Turn on a light above the table.")
    if level < DIM_LEVEL:
        return Check("light", Level.CARE, text, "More light helps: cards are read less well in the dusk.")
    if level > BRIGHT_LEVEL:
        return Check("light", Level.CARE, text, "Dim the light, or lower the camera's exposure.")
    return Check("light", Level.READY, text)


def _glare(image: Any) -> Check:
    share = float((image[::4, ::4].min(axis=2) >= BLOWN).mean())
    if share > GLARE_SHARE:
        text = f"{share:.0%} of the picture is blown out."
        advice = "Move the lamp so that it is not mirrored in the cards, or draw the curtain."
        return Check("glare", Level.CARE, text, advice)
    return Check("glare", Level.READY, "No glare.")


def _scale(plane: Plane | None, sizes: Sequence[CardSize]) -> Check:
    if plane is None:
        advice = "Lay some cards, or the printed sheet, in the middle and check again."
        return Check("scale", Level.UNKNOWN, "How near the camera is, is not known yet.", advice)
    per_mm = plane.px_per_mm()
    width_px = per_mm * min(CARD_SIZES_MM[size][0] for size in sizes)
    by = "the sheet" if plane.by == "sheet" else "the cards"
    text = f"{per_mm:.1f} pixels a millimetre by {by}: a card is {width_px:.0f} pixels wide."
    if width_px < LEAST_CARD_WIDTH_PX:
        advice = f"Bring the camera nearer: a card needs {LEAST_CARD_WIDTH_PX:.0f} pixels to be read at all."
        return Check("scale", Level.WRONG, text, advice)
    if width_px < GOOD_CARD_WIDTH_PX:
        advice = f"Nearer is better: from {GOOD_CARD_WIDTH_PX:.0f} pixels on nearly every card is read."
        return Check("scale", Level.CARE, text, advice)
    return Check("scale", Level.READY, text)


def _cards(seen: Sequence[SeenCard]) -> Check:
    if not seen:
        advice = "Lay a few cards face up in the middle and check again."
        return Check("cards", Level.UNKNOWN, "No card is in the picture.", advice)
    read = sum(card.reading.card is not None or card.reading.deck is not None for card in seen)
    text = f"{read} of {len(seen)} cards can be read."
    if len(seen) >= ENOUGH_CARDS and read < READ_SHARE * len(seen):
        advice = "More light, less glare or a nearer camera will help; or show your deck once."
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
