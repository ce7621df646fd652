"""`blitzref train`: the making of the networks, from rendered pictures to ONNX. Needs the extra `train`."""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from datasets.art import prepare_standard_decks
from datasets.build import WorldSpec
from datasets.photographs import Library
from engine.commands.common import fail, plain_errors, write_whole
from engine.corrections import CorrectionStore
from engine.training.corrections import BLOCK, add_corrections
from hearing.embedding import MODEL, TALK
from vision.finder import LIVE_MODEL, STILL_MODEL
from vision.models import models_folder
from vision.reader import CROP_SIZE_PX
from vision.unwarp import unwarp

train_app = typer.Typer(help="Train the networks on rendered tables (extra `train`).", no_args_is_help=True)

PACKAGE_FOLDERS = (Path("/usr/share/aisleriot/cards"), Path("/usr/share/carddecks"))
"""Where Debian's gnome-cards-data and kdegames-card-data keep free 52-card decks."""
LIBRARY = Library(
    pictures=(
        Path("/usr/share/games/supertuxkart/data"),
        Path("/usr/share/backgrounds"),
        Path("/usr/share/wallpapers"),
    ),
    things=(Path("/usr/share/tuxpaint/stamps"),),
    fonts=(Path("/usr/share/fonts/truetype"), Path("/usr/share/fonts/opentype")),
)
"""Free photographs, cut-out things and fonts of Debian packages (supertuxkart-data, gnome-backgrounds,
mate-backgrounds, plasma-workspace-wallpapers, tuxpaint-stamps-default, fonts-*); what is not installed is
done without."""
LARGE_SHARE = 0.1
PHOTO_COPIES = {"finder": 6, "reader": 12}
"""How often each labelled photograph is shown, varied, beside the rendered pictures."""


def _needs_torch() -> None:
    if find_spec("torch") is None or find_spec("ultralytics") is None:
        fail("training needs more packages; install the program with its extra train, as in blitzref[train].")


def _packages(work: Path) -> Path | None:
    """The rasterised decks of installed card packages, or None where there are none."""
    cache = work / "packages"
    return cache if prepare_standard_decks(PACKAGE_FOLDERS, cache) else None


def _say(text: str) -> None:
    typer.echo(text, err=True)


def note_model(folder: Path, name: str) -> None:
    """Put the sha256 of `name` into the manifest of `folder`."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text()) if path.exists() else {}
    manifest[name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    write_whole(path, json.dumps(dict(sorted(manifest.items())), indent=1) + "\n")


WorkOption = Annotated[Path, typer.Option(help="Folder for pictures, checkpoints and logs (several GB).")]
OutOption = Annotated[
    Path | None, typer.Option(help="Folder for the ONNX file; without it the program's models.")
]
ResumeOption = Annotated[bool, typer.Option(help="Go on from the last epoch.")]
PhotosOption = Annotated[
    Path | None,
    typer.Option(help="Folder of photographs with card boxes as Pascal VOC XML, to train with as well."),
]
SmokeOption = Annotated[bool, typer.Option(help="A run of a minute that only proves the path.")]


@train_app.command("finder")
def train_finder(
    work: WorkOption = Path("runs/finder"),
    out: OutOption = None,
    resume: ResumeOption = False,
    smoke: SmokeOption = False,
    epochs: Annotated[int | None, typer.Option(help="Passes over the pictures.")] = None,
    scenes: Annotated[int | None, typer.Option(help="Training pictures.")] = None,
    side: Annotated[int | None, typer.Option(help="Picture size in pixels.")] = None,
    start: Annotated[Path | None, typer.Option(help="Checkpoint to start from.")] = None,
    photographs: PhotosOption = None,
    still: Annotated[
        bool, typer.Option(help="The wider network for photographs, not the quick one for films.")
    ] = False,
) -> None:
    """Render tables, train the card finder from scratch or from a checkpoint, export it.

    Example: blitzref train finder --work runs/finder
    """
    _needs_torch()
    from engine.training.finder import LIVE_WIDTH, STILL_WIDTH, FinderRecipe, build_sets, export
    from engine.training.finder import train as train_network

    small = (
        {"train_scenes": 32, "validation_scenes": 8, "epochs": 1, "side_px": 192, "batch": 8} if smoke else {}
    )
    given = {
        "train_scenes": scenes,
        "epochs": epochs,
        "side_px": side,
        "start_from": None if start is None else str(start),
        "width": STILL_WIDTH if still else LIVE_WIDTH,
    }
    name = STILL_MODEL if still else LIVE_MODEL
    recipe = FinderRecipe(**{**small, **{k: v for k, v in given.items() if v is not None}})  # type: ignore[arg-type]
    with plain_errors():
        work = work.absolute()
        work.mkdir(parents=True, exist_ok=True)
        packages = None if smoke else _packages(work)
        library = None if smoke else LIBRARY
        spec = WorldSpec(
            "train",
            recipe.seed,
            blitz_share=0.5,
            package_cache=packages,
            large_share=LARGE_SHARE,
            stock=library,
        )
        data = build_sets(recipe, work, spec, _say, photographs, PHOTO_COPIES["finder"])
        checkpoint = train_network(recipe, data, work, resume=resume)
        folder = _folder(out, work, smoke)
        export(checkpoint, folder / name)
        note_model(folder, name)
    print(f"{folder / name} is ready")


@train_app.command("reader")
def train_reader(
    work: WorkOption = Path("runs/reader"),
    out: OutOption = None,
    resume: ResumeOption = False,
    smoke: SmokeOption = False,
    epochs: Annotated[int | None, typer.Option(help="Passes over the crops.")] = None,
    scenes: Annotated[int | None, typer.Option(help="Scenes that the crops are cut from.")] = None,
    threads: Annotated[int | None, typer.Option(help="Processor threads.")] = None,
    start: Annotated[Path | None, typer.Option(help="Checkpoint to start from.")] = None,
    photographs: PhotosOption = None,
    corrections: Annotated[
        Path | None, typer.Option(help="Folder of corrected readings to learn from as well.")
    ] = None,
) -> None:
    """Render tables, cut the cards out, train the card reader, export it.

    Example: blitzref train reader --work runs/reader
    """
    _needs_torch()
    if corrections is not None and not CorrectionStore(corrections).corrections():
        fail(f"{corrections} holds no corrections; give the folder that `blitzref corrections` names.")
    from engine.training.reader import ReaderRecipe, build_sets, export
    from engine.training.reader import train as train_network

    small = {"train_scenes": 24, "validation_scenes": 8, "epochs": 1, "batch": 16} if smoke else {}
    given: dict[str, Any] = {"train_scenes": scenes, "epochs": epochs, "threads": threads}
    given["start_from"] = None if start is None else str(start)
    recipe = ReaderRecipe(**{**small, **{k: v for k, v in given.items() if v is not None}})
    with plain_errors():
        work = work.absolute()
        work.mkdir(parents=True, exist_ok=True)
        packages = None if smoke else _packages(work)
        library = None if smoke else LIBRARY
        spec = WorldSpec("train", recipe.seed, (900, 675), (30.0, 190.0), 0.5, packages, stock=library)
        build_sets(recipe, work, spec, _say, photographs, PHOTO_COPIES["reader"])
        _mix_in(corrections, work / "crops-train", recipe.seed)
        checkpoint = train_network(recipe, work, _say, resume=resume)
        folder = _folder(out, work, smoke)
        figures = export(checkpoint, work, folder / "reader.onnx", recipe)
        note_model(folder, "reader.onnx")
    print(json.dumps(figures, indent=1))


@train_app.command("hearing")
def train_hearing(
    work: WorkOption = Path("runs/hearing"),
    out: OutOption = None,
    smoke: SmokeOption = False,
    epochs: Annotated[int | None, typer.Option(help="Passes over the words.")] = None,
    rounds: Annotated[int | None, typer.Option(help="How often each word is said.")] = None,
    rate: Annotated[float | None, typer.Option(help="Highest learning rate.")] = None,
    threads: Annotated[int | None, typer.Option(help="Processor threads.")] = None,
    start: Annotated[Path | None, typer.Option(help="Checkpoint to start from.")] = None,
) -> None:
    """Let eSpeak NG and Flite speak, train the network that tells words apart, export it.

    Example: blitzref train hearing --work runs/hearing
    """
    _needs_torch()
    from engine.training.hearing import HearingRecipe, export
    from engine.training.hearing import train as train_network

    small = {"invented": 4, "rounds": 1, "talk_minutes": 2, "table_minutes": 2, "epochs": 1} if smoke else {}
    given: dict[str, Any] = {
        "epochs": epochs,
        "rounds": rounds,
        "threads": threads,
        "learning_rate": rate,
        "start_from": None if start is None else str(start),
    }
    recipe = HearingRecipe(**{**small, **{k: v for k, v in given.items() if v is not None}})
    with plain_errors():
        work = work.absolute()
        work.mkdir(parents=True, exist_ok=True)
        figures = train_network(recipe, work, _say)
        folder = _folder(out, work, smoke)
        export(recipe, work, folder, figures["words"] + 1)
        note_model(folder, MODEL)
        note_model(folder, TALK)
    print(json.dumps(figures, indent=1))


def _mix_in(corrections: Path | None, crops: Path, seed: int) -> None:
    """Add the crops of corrected readings to the others; without a folder those of an earlier run go."""
    (crops / BLOCK).unlink(missing_ok=True)
    if corrections is not None:
        count = add_corrections(corrections, CROP_SIZE_PX, unwarp, crops, np.random.default_rng(seed))
        _say(f"crops of corrected readings: {count}")


def _folder(out: Path | None, work: Path, smoke: bool) -> Path:
    """Where the ONNX file goes; a smoke run never touches the program's own models."""
    folder = out or (work / "export" if smoke else models_folder())
    folder.mkdir(parents=True, exist_ok=True)
    return folder
