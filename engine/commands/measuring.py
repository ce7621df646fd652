"""`blitzref evaluate` and `bench`: how right and how fast."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.bench import bench_dashboard, bench_models, bench_round, machine
from engine.commands.common import Progress, fail, plain_errors, show_json
from engine.commands.watching import BUNDLE, FILM, SETUP
from engine.evaluation.failures import failure_sheet
from engine.evaluation.photos import PhotoSet, photo_sets
from engine.evaluation.synthetic import BANDS, SyntheticSet, measure
from engine.serve import free_port
from vision.reading import Eyes


def evaluate(
    folder: Annotated[Path | None, typer.Argument(help="Photographs with truth.")] = None,
    scenes: Annotated[
        int, typer.Option(help="Rendered photographs of unseen art per family; 0: none.", min=0)
    ] = 60,
    seed: Annotated[int, typer.Option(help="Seed of the rendered photographs.")] = 424242,
    failures: Annotated[Path | None, typer.Option(help="Folder for pages with the worst failures.")] = None,
    packages: Annotated[
        Path | None, typer.Option(help="Rasterised card packages, as train leaves them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure the eyes: rendered and photographed sets side by side, never pooled.

    Example: blitzref evaluate photos --scenes 100 --failures failures
    """
    if folder is not None and not folder.is_dir():
        fail(f"{folder} is no folder; give a folder with photographs and their truth.")
    with plain_errors():
        eyes = Eyes.load()
        rendered = (
            [
                _measured(eyes, scenes, seed, 1.0, "rendered dutch blitz, unseen art", packages),
                _measured(eyes, scenes, seed + 1, 0.0, "rendered standard decks, unseen art", packages),
            ]
            if scenes
            else []
        )
        photographed = (
            []
            if folder is None
            else list(photo_sets(folder, eyes, lambda name: typer.echo(f"set: {name}", err=True)))
        )
        sheets = []
        if failures is not None:
            measured: list[SyntheticSet | PhotoSet] = [*rendered, *photographed]
            sheets = [failure_sheet(failures, figures, eyes) for figures in measured]
    if as_json:
        show_json(
            {"rendered": [s.to_json() for s in rendered], "photographed": [s.to_json() for s in photographed]}
        )
        return
    for figures in rendered:
        _print_rendered(figures)
    for photos in photographed:
        _print_photos(photos)
    for sheet in sheets:
        if sheet is not None:
            print(f"failures: {sheet}")


def _measured(
    eyes: Eyes, count: int, seed: int, share: float, name: str, packages: Path | None
) -> SyntheticSet:
    progress = Progress(name)
    figures = measure(
        eyes, count, seed, blitz_share=share, name=name, package_cache=packages, progress=progress.at
    )
    progress.end()
    return figures


def _print_rendered(figures: SyntheticSet) -> None:
    print(f"RENDERED  {figures.name}: {figures.photos} pictures")
    print(f"  cards found (>= 45 px, >= 40 % visible)  recall {figures.found}  precision {figures.precision}")
    for key in BANDS:
        print(
            f"  number, {key:>5} px  right of accepted {figures.number[key]}"
            f"  abstained {figures.number_abstained[key]}"
        )
    print(f"  colour, >= 45 px  right of accepted {figures.colour}  abstained {figures.colour_abstained}")
    print(f"  deck, >= 60 px  right of accepted {figures.deck}  abstained {figures.deck_abstained}")
    print(f"  pictures without cards in which none was seen {figures.empty}")
    if figures.confusions:
        print(f"  confusions {json.dumps(dict(figures.confusions.most_common(12)))}")


def _print_photos(figures: PhotoSet) -> None:
    print(
        f"PHOTOGRAPHED  {figures.name}: {figures.photos} pictures, {figures.cards_true} cards,"
        f" {figures.cards_found} found, {figures.unread} unread"
    )
    rows: dict[str, Any] = {
        "card count exact": figures.count_exact,
        "cards read: recall": figures.card_recall,
        "cards read: precision": figures.card_precision,
        "boxes: recall": figures.box_recall,
        "boxes: precision": figures.box_precision,
    }
    for label, share in rows.items():
        if share.total:
            print(f"  {label:<22} {share}")
    if figures.confusions:
        print(f"  confusions {json.dumps(dict(figures.confusions.most_common(12)))}")


def bench(
    bundle: Annotated[Path, typer.Option(help="Folder of the recorded round.")] = BUNDLE,
    dashboard: Annotated[bool, typer.Option(help="Also start the dashboard and measure it.")] = True,
    seconds: Annotated[float, typer.Option(help="How long the dashboard is watched.", min=1)] = 20.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Print frames a second, milliseconds per stage, memory and start-up time of the demo round.

    Example: blitzref bench --json
    """
    with plain_errors():
        figures: dict[str, Any] = {"machine": machine(), "models": bench_models()}
        figures["round"] = bench_round(bundle / FILM, bundle / SETUP)
        if dashboard:
            figures["dashboard"] = bench_dashboard(bundle / FILM, bundle / SETUP, seconds, free_port(8601))
    if as_json:
        show_json(figures)
        return
    for name, value in _flat(figures):
        print(f"{name}: {value:.2f}" if isinstance(value, float) else f"{name}: {value}")


def _flat(figures: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in figures.items():
        rows += _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, value)]
    return rows
