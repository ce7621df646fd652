"""`blitzref read`: every card in photographs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import cv2
import typer

from engine.commands.common import HOUSEHOLD, Progress, fail, plain_errors, show_json
from engine.enrolling import load_eyes
from referee.cards import Card, Colour, Family
from vision.reading import Eyes, draw_seen
from vision.sources import load_picture
from vision.types import SeenCard


def card_json(seen: SeenCard) -> dict[str, Any]:
    """One card in the form of `read --json`."""
    reading = seen.reading
    return {
        "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in seen.detection.quad],
        "side": reading.side,
        "number": reading.number,
        "colour": reading.colour,
        "deck": reading.deck,
        "confidence": round(reading.confidence, 4),
        "alternatives": [
            card.to_json() | {"p": round(p, 4)} for card, p in reading.alternatives if p >= 0.001
        ],
    }


def words(seen: SeenCard) -> str:
    """One card in words; what could not be read says so."""
    reading = seen.reading
    if reading.side is None:
        return "unknown card"
    if reading.side == "back":
        return f"back: {reading.deck or 'unknown'}"
    if reading.card is not None:
        return reading.card.words
    if reading.number is None and reading.colour is None:
        return "face: unknown"
    if reading.colour is not None and Colour(reading.colour).family is Family.STANDARD:
        return f"face: {reading.colour}, number unknown"
    if reading.number is None:
        return f"face: {reading.colour}, number unknown"
    named = Card(reading.number, Colour.HEARTS).words.split(" of ")[0]
    return f"face: {named}, colour unknown"


def image_json(path: Path, eyes: Eyes, family: str | None) -> tuple[dict[str, Any], list[SeenCard], Any]:
    """The cards of one photograph: its JSON object, the cards, and the picture.

    Raises:
        SourceError: if the picture cannot be read.
    """
    image = load_picture(path)
    seen = eyes.read_still(image, family)
    height, width = image.shape[:2]
    cards = [card_json(card) for card in seen]
    return {"path": str(path), "width": width, "height": height, "cards": cards}, seen, image


def read(
    images: Annotated[list[Path], typer.Argument(help="Photographs (JPEG, PNG).", metavar="IMAGE...")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    family: Annotated[str | None, typer.Option(help="Only cards of this family: blitz or standard.")] = None,
    draw: Annotated[Path | None, typer.Option(help="Folder for copies with every card outlined.")] = None,
    household: HOUSEHOLD = None,
) -> None:
    """List every card in the photographs; what cannot be read is unknown, never a guess.

    Example: blitzref read table.jpg --json
    """
    if family is not None and family not in set(Family):
        fail(f"{family!r} is no family of decks; give --family blitz or --family standard.")
    with plain_errors():
        # Every picture is opened before the first is read: a wrong file is told at once.
        for path in images:
            load_picture(path)
        eyes = load_eyes(household)
        progress = Progress("photographs read")
        results = []
        for number, path in enumerate(images, start=1):
            result, seen, image = image_json(path, eyes, family)
            results.append((result, seen))
            if draw is not None:
                draw.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(draw / f"{path.stem}.jpg"), draw_seen(image, seen))
            progress.at(number, len(images))
        progress.end()
    if as_json:
        show_json({"images": [result for result, _ in results]})
        return
    for path, (_, seen) in zip(images, results, strict=True):
        print(f"{path}: {len(seen)} cards")
        for card in seen:
            print(f"  {words(card)}  ({card.reading.confidence:.0%})")
