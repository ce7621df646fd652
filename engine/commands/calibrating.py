"""`blitzref calibrate`: whether a camera sees its table well enough, and where the table is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from typing import Annotated

import cv2
import numpy as np
import typer

from engine.calibration import CalibrationReport, Polygon, calibrate, draw_report, matrix_json
from engine.calibration_checks import Level
from engine.commands.common import DONE, NOT_RIGHT, Progress, fail, plain_errors, show_json, write_whole
from engine.setup_edit import with_values
from engine.setup_file import Setup, SetupError, load_setup
from vision.calibration import CardSize
from vision.reading import Eyes
from vision.sheet import CORNERS, SheetSight, find_sheet
from vision.sources import PICTURE_SUFFIXES, Source, SourceError, open_source
from vision.types import SeenCard

WARM_UP_S = 1.0
"""A camera is given this long to settle its exposure."""
FILM_FRAMES = 20
"""So many consecutive frames tell whether the light flickers and the camera shakes."""
LOOK_EVERY = 15
"""In the rest of a film the sheet is looked for in every 15th frame ..."""
MOST_LOOKS = 40
"""... so often at most."""
MARKS = {Level.OK: "ok    ", Level.ADVICE: "advice", Level.FAILED: "FAILED"}


class Cards(StrEnum):
    """The cards on the table."""

    BLITZ = "blitz"
    POKER = "poker"
    BRIDGE = "bridge"


SIZES: dict[Cards, CardSize] = {Cards.BLITZ: "blitz", Cards.POKER: "poker", Cards.BRIDGE: "bridge"}


@dataclass(frozen=True)
class Looked:
    """The picture to measure, frames that follow each other in time, and the sheet where it was found."""

    image: np.ndarray
    film: tuple[np.ndarray, ...]
    sheet: SheetSight | None


def look(source: Source, *, is_film: bool, progress: Progress) -> Looked:
    """Look through a source for the picture that shows most of the sheet.

    `is_film`: whether its pictures follow each other in time, unlike those of a folder.

    Raises:
        SourceError: if it gives no picture, or one that cannot be read.
    """
    frames: Iterator[np.ndarray] = (
        frame.image for frame in source if not source.live or frame.t_s >= WARM_UP_S
    )
    film = list(islice(frames, FILM_FRAMES if is_film else 1))
    if not film:
        raise SourceError(f"{source.name} gives no picture; plug the camera in, or give another source.")
    image, best = film[len(film) // 2], None
    rest = iter(()) if source.live else islice(frames, 0, None, LOOK_EVERY if is_film else 1)
    for number, shown in enumerate(chain(film[:: max(1, len(film) // 2)], islice(rest, MOST_LOOKS))):
        sheet = find_sheet(shown, closely=number == 0)
        if sheet is not None and (best is None or len(sheet.corners_px) > len(best.corners_px)):
            image, best = shown, sheet
        if best is not None and len(best.corners_px) == CORNERS:
            break
        progress.at(number + 1, None)
    progress.end()
    return Looked(image, tuple(film) if is_film else (), best)


def calibrate_command(
    source: Annotated[
        str, typer.Argument(help="A camera number, a URL, a picture, a video file or a folder of pictures.")
    ],
    setup: Annotated[Path | None, typer.Option(help="SETUP.toml that gets the result.")] = None,
    cards: Annotated[
        Cards | None, typer.Option(help="What the cards are, where no sheet is used; else it is guessed.")
    ] = None,
    ruler: Annotated[
        float, typer.Option(help="What the sheet's ruler of 100 mm really measures.", min=80, max=120)
    ] = 100.0,
    draw: Annotated[Path | None, typer.Option(help="Picture (JPEG) to leave with what was measured.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Check view, pixels per millimetre, light and glare, with the printed sheet or with cards.

    Example: blitzref calibrate 0 --setup table.toml
    """
    if draw is not None and draw.suffix.lower() not in (".jpg", ".jpeg"):
        fail(f"{draw} is no JPEG; give for example --draw checked.jpg.")
    with plain_errors():
        known = load_setup(setup if setup is not None and setup.exists() else None)
        opened = open_source(source, clock=monotonic)
        try:
            looked = look(opened, is_film=_is_film(source), progress=Progress("pictures looked at"))
        finally:
            opened.close()
        size_px = (int(looked.image.shape[1]), int(looked.image.shape[0]))
        report = calibrate(
            looked.image,
            _find_cards,
            film=looked.film,
            area_px=table_of(known, size_px),
            cards=None if cards is None else SIZES[cards],
            ruler_mm=ruler,
            sheet=looked.sheet,
        )
        written = setup is not None and report.ok
        if setup is not None and report.ok:
            keep(report, setup, _camera(source) if opened.live else None)
        if draw is not None and not cv2.imwrite(str(draw), draw_report(looked.image, report)):
            fail(f"{draw} cannot be written; check the path.")
    if as_json:
        show_json({"source": source, **report.to_json(), "setup": str(setup) if written else None})
    else:
        _tell(report, setup, written=written)
    raise typer.Exit(DONE if report.ok else NOT_RIGHT)


def table_of(setup: Setup, size_px: tuple[int, int]) -> Polygon | None:
    """The table's corners as a setup gives them, for a picture of this size.

    Raises:
        SetupError: if they, or the seats, were given for pictures of another size.
    """
    given = setup.calibration
    if given.size_px not in (None, size_px) and (given.table_px is not None or given.seats_px):
        was, now = (f"{width} x {height}" for width, height in (given.size_px, size_px))
        raise SetupError(
            f"table_px and seats_px of the setup hold for pictures of {was}, and this one has {now}; set the "
            "camera back, or give them anew."
        )
    return given.table_px


def keep(report: CalibrationReport, setup: Path, camera: int | str | None) -> None:
    """Write a report into a SETUP.toml, of which all else is kept, and `camera` if it names none.

    Raises:
        SetupError: if the file is not one that can be changed.
        OSError: if it cannot be written.
    """
    plane = report.plane
    assert plane is not None
    target = setup.resolve()
    text = target.read_text(encoding="utf-8") if target.exists() else ""
    if camera is not None and "source" not in load_setup(setup if text else None).camera.model_fields_set:
        text = with_values(text, "camera", {"source": camera})
    values = {
        "size_px": list(report.size_px),
        "by": plane.by,
        "px_per_mm": round(plane.px_per_mm(), 4),
        "worst_px_per_mm": round(plane.worst_px_per_mm(report.area_px), 4),
        "tilt_deg": round(plane.tilt_deg, 2),
        "plane": matrix_json(plane),
    }
    write_whole(target, with_values(text, "calibration", values))


def _camera(source: str) -> int | str:
    return int(source) if source.isdigit() else source


def _is_film(source: str) -> bool:
    """Whether the pictures of a source follow each other in time."""
    return not Path(source).is_dir() and Path(source).suffix.lower() not in PICTURE_SUFFIXES


def _find_cards(image: np.ndarray) -> list[SeenCard]:
    return Eyes.load().read_still(image)


def _tell(report: CalibrationReport, setup: Path | None, *, written: bool) -> None:
    for check in report.checks:
        print(f"{MARKS[check.level]}  {check.name:<10}  {check.text} {check.advice}".rstrip())
    if written:
        print(f"{setup} has the result")
    elif setup is not None:
        print(f"{setup} was left as it is")
