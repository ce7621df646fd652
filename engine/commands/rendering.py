"""`blitzref render`, `deck` and `sheet`: our own pictures, rounds, and cards and sheets to print."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from datasets.art import FACE_STYLES
from datasets.build import WorldSpec, write_photos
from datasets.bundles import CALLS, FILM, TRUTH_EVENTS, BundleSpec, make_bundle
from datasets.handling import KINDS as CONFUSERS
from datasets.layouts import LAYOUTS
from datasets.printing import PAPERS_MM, deck_pdf
from datasets.sound import add_calls
from datasets.speech import voices
from engine.commands.common import Progress, fail, load_log, plain_errors
from engine.sheet import RULER_MM, write_sheet
from referee.cards import DECKS

EMPTY = "empty"
"""The layout without cards."""


class Kind(StrEnum):
    """What is rendered."""

    PHOTO = "photo"
    VIDEO = "video"


class Paper(StrEnum):
    """Paper sizes."""

    A4 = "a4"
    LETTER = "letter"


class Split(StrEnum):
    """Whose art is shown: the models were trained on `train` alone."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 64 <= int(width) <= 8000 and 64 <= int(height) <= 8000):
        fail(f"{text!r} is no picture size; give for example --size 1280x720.")
    return int(width), int(height)


def render(
    kind: Annotated[Kind, typer.Option(help="Photographs or a whole round.")],
    out: Annotated[Path, typer.Option(help="Folder for the pictures and their truth.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same pictures.")] = 1,
    count: Annotated[int, typer.Option(help="How many photographs.", min=1)] = 10,
    size: Annotated[str | None, typer.Option(help="Picture size, WIDTHxHEIGHT.")] = None,
    split: Annotated[Split, typer.Option(help="Whose art: train, validation or test.")] = Split.TEST,
    family: Annotated[str | None, typer.Option(help="Only blitz or only standard decks.")] = None,
    layout: Annotated[
        str | None, typer.Option(help="round, scatter, grid, fans, few, heap, shingles or empty.")
    ] = None,
    players: Annotated[int, typer.Option(help="Players of a round.", min=2, max=8)] = 4,
    mistake: Annotated[
        list[str] | None, typer.Option(help="A mistake to be made in the round, such as E11.")
    ] = None,
    confuser: Annotated[
        list[str] | None,
        typer.Option(help=f"What happens in the round and is no play: {', '.join(CONFUSERS)}."),
    ] = None,
    fps: Annotated[float, typer.Option(help="Pictures a second of a film.", min=1, max=60)] = 15.0,
    seconds: Annotated[
        float | None, typer.Option(help="End the film after this many seconds of play.")
    ] = None,
    spoken: Annotated[
        str | None,
        typer.Option(help="Let the call be heard as this word over table talk, instead of calls.jsonl."),
    ] = None,
) -> None:
    """Pictures or rounds of the table world with their truth.

    Example: blitzref render --kind photo --out pictures --seed 7 --count 20
    """
    if family not in (None, "blitz", "standard"):
        fail(f"{family!r} is no family of decks; give --family blitz or --family standard.")
    if layout not in (None, EMPTY, *LAYOUTS):
        fail(f"{layout!r} is no layout; choose one of {', '.join((*LAYOUTS, EMPTY))}.")
    for name in confuser or ():
        if name not in CONFUSERS:
            fail(f"{name!r} is no confuser; choose one of {', '.join(CONFUSERS)}.")
    with plain_errors():
        if kind is Kind.PHOTO:
            share = {None: 0.55, "blitz": 1.0, "standard": 0.0}[family]
            spec = WorldSpec(str(split), seed, _size(size or "1280x960"), (45.0, 150.0), share, layout=layout)
            paths = write_photos(spec, count, out)
            print(f"{len(paths)} photographs and truth.json are in {out}")
            return
        width, height = _size(size or "1920x1080")
        if width % 2 or height % 2:
            fail(f"a film needs even sizes, not {width}x{height}; give for example --size 1280x720.")
        bundle = BundleSpec(
            seed,
            players,
            str(split),
            (width, height),
            fps,
            tuple(mistake or ()),
            confusers=tuple(confuser or ()),
            most_s=seconds,
        )
        progress = Progress("frames rendered")
        try:
            make_bundle(bundle, out, progress.at)
        except ValueError as error:
            fail(str(error))
        progress.end()
        if spoken is not None:
            _speak(out, spoken, str(split), seed)
        print(f"the round, its setup, its photographs and truth.json are in {out}")


def _speak(out: Path, word: str, split: str, seed: int) -> None:
    """Give the film of `out` its sound: whoever calls in the truth says `word`."""
    speakers = voices(split)
    add_calls(
        out / FILM,
        load_log(out / TRUTH_EVENTS),
        word,
        speakers[:8],
        np.random.default_rng((seed, 3)),
        talkers=speakers[8:12],
    )
    (out / CALLS).write_text("")


def deck(
    out: Annotated[Path, typer.Argument(help="The PDF to write.", metavar="OUT.pdf")],
    paper: Annotated[Paper, typer.Option(help="a4 or letter.")] = Paper.A4,
    back: Annotated[str, typer.Option(help="Which back the deck has.")] = "pump",
    style: Annotated[str, typer.Option(help="How the faces are drawn.")] = FACE_STYLES[0],
) -> None:
    """Our own deck at true size, to print and play with.

    Example: blitzref deck deck.pdf --paper letter --back plow
    """
    if back not in DECKS:
        fail(f"{back!r} is no deck; choose one of {', '.join(DECKS)}.")
    if style not in FACE_STYLES:
        fail(f"{style!r} is no face style; choose one of {', '.join(FACE_STYLES)}.")
    with plain_errors():
        pages = deck_pdf(out, str(paper), back, style)
    print(f"{out}: {pages} pages; print at 100 % and check the 50 mm ruler")


def sheet(
    out: Annotated[Path, typer.Argument(help="The PDF to write.", metavar="OUT.pdf")],
    paper: Annotated[Paper, typer.Option(help="a4 or letter.")] = Paper.A4,
) -> None:
    """The calibration sheet at true size, to print and lay on the table.

    Example: blitzref sheet sheet.pdf --paper letter
    """
    with plain_errors():
        write_sheet(out, PAPERS_MM[paper])
    print(f"{out}: print at 100 % and check the {RULER_MM} mm ruler, then run blitzref calibrate")
