"""SETUP.toml: which game is played, by whom, where they sit and which camera looks on."""

from __future__ import annotations

import difflib
import math
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Seat = Literal["bottom", "bottom-left", "left", "top-left", "top", "top-right", "right", "bottom-right"]
SEATS: tuple[Seat, ...] = (
    "bottom",
    "bottom-left",
    "left",
    "top-left",
    "top",
    "top-right",
    "right",
    "bottom-right",
)
"""Places around the picture, clockwise from its lower edge."""

LONGEST_NAME = 60
"""Characters of a player's name."""
LONGEST_TEAM = 20
"""Characters of a team's name."""

OptionValue = bool | int | float | str
LEAST_SIDE_PX = 64


class SetupError(ValueError):
    """A setup that cannot be used; the message is one plain sentence that says what to do."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlayerSetup(_Strict):
    """One player: the name, the seat (a place around the picture) and the picture on the deck's backs.

    Players of one `team` share a total; left out, one plays alone.
    """

    name: str = Field(min_length=1, max_length=LONGEST_NAME)
    seat: Seat | None = None
    deck: str | None = Field(default=None, max_length=40)
    team: str | None = Field(default=None, min_length=1, max_length=LONGEST_TEAM)


class CameraSetup(_Strict):
    """The camera number, or the path of a video, or the address of a stream."""

    source: int | str = 0


Point = tuple[float, float]
Row = tuple[float, float, float]


class CalibrationSetup(_Strict):
    """What `calibrate` found, and what may be said by hand: the table's corners and where players sit.

    Pixels are those of a picture of `size_px` (width, height). `plane` maps table mm to pixels. `table_px`:
    the table's four corners in order around it, outside of which no card counts; `seats_px`: where a seat's
    arms come from.
    """

    size_px: tuple[int, int] | None = None
    by: Literal["sheet", "cards"] | None = None
    px_per_mm: float | None = Field(default=None, gt=0)
    worst_px_per_mm: float | None = Field(default=None, ge=0)
    tilt_deg: float | None = Field(default=None, ge=0, lt=90)
    plane: tuple[Row, Row, Row] | None = None
    table_px: tuple[Point, Point, Point, Point] | None = None
    seats_px: dict[Seat, Point] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _makes_sense(self) -> CalibrationSetup:
        if self.size_px is not None and min(self.size_px) < LEAST_SIDE_PX:
            raise ValueError(f"size_px is below {LEAST_SIDE_PX} pixels; give width and height of the picture")
        if self.plane is not None and self.size_px is None:
            raise ValueError("plane needs size_px beside it; run calibrate again")
        if self.plane is not None and not _can_be_undone(self.plane):
            raise ValueError("plane cannot be the view of a table; run calibrate again")
        if self.table_px is not None and not _goes_round(self.table_px):
            raise ValueError("table_px must be four corners in order around the table, without a dent")
        if self.size_px is None and (self.table_px is not None or self.seats_px):
            raise ValueError("table_px and seats_px need size_px beside them, the size of the picture")
        return self

    @property
    def seat_shares(self) -> dict[str, Point]:
        """Where the seats lie, as shares of the picture's width and height."""
        if self.size_px is None:
            return {}
        width, height = self.size_px
        return {seat: (x / width, y / height) for seat, (x, y) in self.seats_px.items()}


def _can_be_undone(rows: tuple[Row, Row, Row]) -> bool:
    """Whether a matrix (3, 3) of finite numbers can be inverted."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return math.isfinite(determinant) and abs(determinant) > 1e-9


def _goes_round(corners: tuple[Point, ...]) -> bool:
    """Whether a polygon turns the same way at every corner."""
    turns = []
    for number, (x, y) in enumerate(corners):
        (before_x, before_y), (after_x, after_y) = corners[number - 1], corners[(number + 1) % len(corners)]
        turns.append((x - before_x) * (after_y - y) - (y - before_y) * (after_x - x))
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


class Setup(_Strict):
    """The whole of a setup; everything may be left out."""

    ruleset: str = "dutch_blitz"
    options: dict[str, OptionValue] = Field(default_factory=dict)
    players: tuple[PlayerSetup, ...] = Field(default=(), max_length=12)
    camera: CameraSetup = CameraSetup()
    calibration: CalibrationSetup = CalibrationSetup()

    @model_validator(mode="after")
    def _no_two_alike(self) -> Setup:
        for what in ("name", "seat", "deck"):
            values = [getattr(player, what) for player in self.players if getattr(player, what) is not None]
            twice = sorted({value for value in values if values.count(value) > 1})
            if twice:
                raise ValueError(f"two players have the same {what} {twice[0]!r}; give each their own")
        return self


_KEYS: dict[tuple[str, ...], tuple[str, ...]] = {
    (): tuple(Setup.model_fields),
    ("players",): tuple(PlayerSetup.model_fields),
    ("camera",): tuple(CameraSetup.model_fields),
    ("calibration",): tuple(CalibrationSetup.model_fields),
}


def nearest(word: str, known: tuple[str, ...] | list[str]) -> str | None:
    """The known word that `word` was most likely meant to be, or None."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return close[0] if close else None


def _plain(error: ValidationError) -> str:
    """The first fault of a validation as one sentence."""
    fault = error.errors()[0]
    path = [part for part in fault["loc"] if isinstance(part, str)]
    places = [part + 1 for part in fault["loc"] if isinstance(part, int)]
    where = f" of player {places[0]}" if path[:1] == ["players"] and places else ""
    key = path[-1] if path else ""
    where = " of [calibration]" if path[:1] == ["calibration"] else where
    if fault["type"] == "extra_forbidden":
        known = _KEYS.get(tuple(path[:-1]), ())
        close = nearest(key, known)
        table = f" in [{'.'.join(path[:-1])}]" if len(path) > 1 and not where else where
        hint = f"did you mean {close!r}?" if close else f"the keys there are {', '.join(known)}."
        return f"unknown key {key!r}{table}: {hint}"
    if fault["type"] == "literal_error" and key in ("seat", "[key]"):
        close = nearest(str(fault["input"]), SEATS)
        hint = f"did you mean {close!r}?" if close else f"the seats are {', '.join(SEATS)}."
        return f"unknown seat {fault['input']!r}{where}: {hint}"
    if fault["type"] == "missing" and isinstance(fault["loc"][-1], int):
        return f"the value of {key!r}{where} is too short."
    if fault["type"] == "missing":
        return f"the key {key!r}{where} is missing."
    if fault["type"] == "value_error":
        return str(fault["ctx"]["error"]) + "."
    return f"the value of {key!r}{where} cannot be used: {fault['msg'].lower()}."


def read_setup(data: dict[str, Any]) -> Setup:
    """Check a parsed setup.

    Raises:
        SetupError: naming the key that is unknown or wrong, and the nearest right one.
    """
    try:
        return Setup.model_validate(data)
    except ValidationError as error:
        raise SetupError(_plain(error)) from error


def load_setup(path: Path | None) -> Setup:
    """Read SETUP.toml; None gives the setup in which everything is left out.

    Raises:
        SetupError: if the file cannot be read or says something wrong.
    """
    if path is None:
        return Setup()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"the setup {path} cannot be read; give the path of a SETUP.toml.") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"the setup {path} is not TOML: {error}.") from error
    try:
        return read_setup(data)
    except SetupError as error:
        raise SetupError(f"{path}: {error}") from error
