"""`blitzref evaluate` and `bench`: how right and how fast."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import cv2
import numpy as np
import typer

from datasets.bundles import BundleSpec, make_bundle
from datasets.cardbox import CardBox
from datasets.handling import KINDS as CONFUSERS
from datasets.surfaces import Surfaces
from engine.bench import bench_round, machine
from engine.bench_desk import bench_dashboard, bench_long, bench_pages, bench_viewers
from engine.bench_eyes import bench_eyes
from engine.commands.common import Progress, fail, load_log, plain_errors, show_json
from engine.commands.watching import run
from engine.evaluation.counted import SPREADS, CountedSet, measure_dealt, measure_spreads
from engine.evaluation.enrolment import KINDS, EnrolmentSet, measure_enrolment
from engine.evaluation.hearing import HearingFigures, measure_hearing
from engine.evaluation.photos import PhotoSet, photo_sets
from engine.evaluation.placed import BANDS, PlacedSet
from engine.evaluation.rounds import RoundFigures, compare_logs
from engine.evaluation.staged import photograph_of, rows_of_faces
from engine.evaluation.synthetic import measure
from engine.example import BUNDLE, CALLS, FILM, SETUP
from engine.parts import read_calls
from engine.serve import free_port
from engine.setup_file import load_setup
from engine.words import open_hearing
from vision.reading import Eyes

CARD_WIDTH_MM = 57.5
MISTAKEN_SHOWN = 12


def evaluate(
    folder: Annotated[Path | None, typer.Argument(help="Photographs with truth.")] = None,
    scenes: Annotated[
        int, typer.Option(help="Rendered photographs of unseen art per family; 0: none.", min=0)
    ] = 60,
    seed: Annotated[int, typer.Option(help="Seed of the rendered photographs.")] = 424242,
    spreads: Annotated[
        int, typer.Option(help="Rendered photographs of each kind that are counted whole.", min=0)
    ] = 20,
    dealt: Annotated[int, typer.Option(help="Rendered films of cards dealt one by one.", min=0)] = 0,
    enrolment: Annotated[
        int, typer.Option(help="Households of each kind that enrol their decks first.", min=0)
    ] = 0,
    rounds: Annotated[
        int, typer.Option(help="Rendered rounds of 2-8 players with confusers to watch.", min=0)
    ] = 0,
    hearing: Annotated[
        int, typer.Option(help="Minutes of table talk to listen to for calls that households taught.", min=0)
    ] = 0,
    households: Annotated[
        int, typer.Option(help="Households that teach each word, with --hearing; 12 calls each.", min=1)
    ] = 1,
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
                _measured(eyes, scenes, seed + 2, 0.5, "rendered tables without cards", packages, "empty"),
                _measured(eyes, scenes, seed + 3, 0.5, "rendered rows that overlap", packages, "shingles"),
            ]
            if scenes
            else []
        )
        counted = [_counted(eyes, spreads, seed, name) for name in SPREADS] if spreads else []
        counted += [_dealt(eyes, dealt, seed)] if dealt else []
        enrolled = [_enrolled(eyes, enrolment, seed, kind) for kind in KINDS] if enrolment else []
        photographed = (
            []
            if folder is None
            else list(photo_sets(folder, eyes, lambda name: typer.echo(f"set: {name}", err=True)))
        )
        watched = _watched_rounds(eyes, rounds, seed) if rounds else None
        listened = _listened(hearing, households, seed) if hearing else None
        sheets = []
        if failures is not None:
            measured: list[PlacedSet | CountedSet | PhotoSet] = [*rendered, *counted, *photographed]
            sheets = [figures.worst.sheet(failures, figures.name) for figures in measured]
    if as_json:
        result: dict[str, Any] = {
            "rendered": [one.to_json() for one in rendered],
            "counted": [one.to_json() for one in counted],
            "enrolled": [one.to_json() for one in enrolled],
            "photographed": [one.to_json() for one in photographed],
            "rounds": None if watched is None else watched.to_json(),
            "hearing": None if listened is None else listened.to_json(),
        }
        show_json(result)
        return
    for figures in rendered:
        _print_placed(figures, "RENDERED")
    for counts in counted:
        _print_counted(counts)
    for own_deck in enrolled:
        _print_enrolled(own_deck)
    for photos in photographed:
        if isinstance(photos, PlacedSet):
            _print_placed(photos, "PHOTOGRAPHED")
        else:
            _print_photos(photos)
    if watched is not None:
        print("RENDERED  rounds, unseen art")
        for key, value in watched.to_json().items():
            print(f"  {key}: {value}")
    if listened is not None:
        _print_hearing(listened)
    for sheet in sheets:
        if sheet is not None:
            print(f"failures: {sheet}")


def _measured(
    eyes: Eyes,
    count: int,
    seed: int,
    share: float,
    name: str,
    packages: Path | None,
    layout: str | None = None,
) -> PlacedSet:
    progress = Progress(name)
    figures = measure(
        eyes,
        count,
        seed,
        blitz_share=share,
        name=name,
        package_cache=packages,
        layout=layout,
        progress=progress.at,
    )
    progress.end()
    return figures


def _counted(eyes: Eyes, count: int, seed: int, name: str) -> CountedSet:
    progress = Progress(name)
    figures = measure_spreads(eyes, count, seed, name, progress.at)
    progress.end()
    return figures


def _dealt(eyes: Eyes, count: int, seed: int) -> CountedSet:
    progress = Progress("films of dealt cards")
    figures = measure_dealt(eyes, count, seed, progress.at)
    progress.end()
    return figures


def _enrolled(eyes: Eyes, count: int, seed: int, kind: str) -> EnrolmentSet:
    progress = Progress(f"households with {kind} decks")
    figures = measure_enrolment(eyes, kind, count, seed, progress=progress.at)
    progress.end()
    return figures


def _print_enrolled(figures: EnrolmentSet) -> None:
    print(f"RENDERED  {figures.name}: {figures.households} households, {figures.decks} decks")
    print(
        f"  pictures to enrol from {figures.pictures}, refused {figures.refused};"
        f" decks too much alike {figures.alike}"
    )
    print(f"  backs found (>= 60 px, >= 90 % visible) {figures.found}")
    print(f"  enrolled backs  right of accepted {figures.known}  abstained {figures.known_abstained}")
    print(f"  the same without {figures.plain}  abstained {figures.plain_abstained}")
    print(f"  backs of other decks taken for enrolled ones {figures.strangers_named}")
    if figures.faces_plain_abstained.total:
        print(f"  faces  right of accepted {figures.faces_known}  abstained {figures.faces_known_abstained}")
        print(f"  the same without {figures.faces_plain}  abstained {figures.faces_plain_abstained}")
    if figures.confusions:
        print(f"  confusions {json.dumps(dict(figures.confusions.most_common(12)))}")


ROUND_MISTAKES = ("E10", "E11", "E12", "E14", "E15")
"""One of these is made in each round, in turn; every sixth round is clean."""
MOST_PLAYERS = 8


def _watched_rounds(eyes: Eyes, count: int, seed: int) -> RoundFigures:
    figures = RoundFigures("rendered rounds, unseen art")
    progress = Progress("rounds watched")
    with TemporaryDirectory(prefix="blitzref-rounds-") as folder:
        for number in range(count):
            kinds = (*ROUND_MISTAKES, None)
            mistake = kinds[number % len(kinds)]
            out = Path(folder) / str(number)
            players = 2 + number % (MOST_PLAYERS - 1)
            mistakes = () if mistake is None else (mistake,)
            spec = BundleSpec(seed + number, players, mistakes=mistakes, confusers=CONFUSERS)
            truth = make_bundle(spec, out)
            watched = run(str(out / FILM), load_setup(out / SETUP), calls=read_calls(out / CALLS), eyes=eyes)
            width_px = spec.size_px[0] / spec.table_mm * CARD_WIDTH_MM
            compare_logs(figures, watched.log, load_log(out / "truth.jsonl"), truth, width_px)
            (out / FILM).unlink()
            progress.at(number + 1, count)
    progress.end()
    return figures


def _listened(minutes: int, households: int, seed: int) -> HearingFigures:
    progress = Progress("households and minutes listened to")
    figures = measure_hearing(open_hearing(), minutes, seed, progress.at, households)
    progress.end()
    return figures


def _print_hearing(figures: HearingFigures) -> None:
    print(f"SPOKEN BY PROGRAMS  calls of unseen voices, {figures.households} households of four")
    for kind, shares in figures.missed.items():
        row = "  ".join(f"{name} {share}" for name, share in shares.items())
        print(f"  missed, {kind} words: {row}")
    print(f"  could not be taught {figures.not_taught}")
    print(
        f"  false calls an hour of talk at a table {figures.false_per_hour:.2f}"
        f" ({sum(figures.false_calls.values())} in {figures.hours:.1f} h at {figures.households} tables)"
    )
    for line in figures.mistaken[:MISTAKEN_SHOWN]:
        print(f"    {line}")


def _print_placed(figures: PlacedSet, kind: str) -> None:
    print(f"{kind}  {figures.name}: {figures.photos} pictures")
    if figures.empty.total == figures.photos:
        print(f"  pictures in which no card was seen {figures.empty}")
        return
    print(f"  cards found (>= 45 px, >= 40 % visible)  recall {figures.found}  precision {figures.precision}")
    for key in BANDS:
        print(
            f"  {key:>5} px  found {figures.found_in[key]}  number right of accepted {figures.number[key]}"
            f"  abstained {figures.number_abstained[key]}"
        )
    print(f"  colour, >= 45 px  right of accepted {figures.colour}  abstained {figures.colour_abstained}")
    print(f"  deck, >= 60 px  right of accepted {figures.deck}  abstained {figures.deck_abstained}")
    print(f"  pictures without cards in which none was seen {figures.empty}")
    _print_confusions(figures)


def _print_counted(figures: CountedSet) -> None:
    print(f"RENDERED  {figures.name}, unseen art: {figures.photos}")
    print(f"  counted exactly {figures.exact}  number of cards exact {figures.number_exact}")
    print(f"  of the others flagged by the audit {figures.flagged}  of the exact {figures.doubted}")
    if figures.ids:
        print(f"  flagged by {json.dumps(dict(figures.ids.most_common()))}")
        print(f"  misses {json.dumps(dict(figures.misses.most_common(12)))}")


def _print_photos(figures: PhotoSet) -> None:
    print(
        f"PHOTOGRAPHED  {figures.name}: {figures.photos} pictures, {figures.cards_true} cards,"
        f" {figures.cards_found} found, {figures.abstained.right} unread"
    )
    rows: dict[str, Any] = {
        "card count exact": figures.count_exact,
        "cards read: recall": figures.card_recall,
        "cards read: precision": figures.card_precision,
        "ranks alone: recall": figures.rank_recall,
        "ranks alone: precision": figures.rank_precision,
        "boxes: recall": figures.box_recall,
        "boxes: precision": figures.box_precision,
        "abstained of found": figures.abstained,
    }
    for label, share in rows.items():
        if share.total:
            print(f"  {label:<22} {share}")
    _print_confusions(figures)


def _print_confusions(figures: PlacedSet | PhotoSet) -> None:
    if figures.confusions:
        print(f"  confusions {json.dumps(dict(figures.confusions.most_common(12)))}")
    for line in (*figures.numbers.lines("number"), *figures.colours.lines("colour")):
        print(f"  {line}")


BENCH_PHOTOGRAPHS = {"1280x800, 16 cards": ((1280, 800), 16), "12 MP, 50 cards": ((4000, 3000), 50)}


def _bench_eyes() -> dict[str, Any]:
    """The eyes on rendered faces, drawn here and read from files."""
    rng = np.random.default_rng(1)
    kit, surfaces = CardBox("test", blitz_share=0.0).pick(rng), Surfaces("test", 1)

    def faces(size_px: tuple[int, int], count: int) -> np.ndarray:
        placed = rows_of_faces((kit.cards * 2)[:count], max(4, count // 5), kit, rng)
        return photograph_of(placed, size_px, surfaces, rng, fill=0.65, max_tilt_deg=5.0).image

    with TemporaryDirectory(prefix="blitzref-bench-") as folder:
        paths = {}
        for name, (size_px, count) in BENCH_PHOTOGRAPHS.items():
            paths[name] = Path(folder) / f"{count}.jpg"
            cv2.imwrite(str(paths[name]), faces(size_px, count), [cv2.IMWRITE_JPEG_QUALITY, 92])
        return bench_eyes(faces((1920, 1080), 16), paths)


def bench(
    bundle: Annotated[Path, typer.Option(help="Folder of the recorded round.")] = BUNDLE,
    round_: Annotated[bool, typer.Option("--round/--no-round", help="Also watch the recorded round.")] = True,
    dashboard: Annotated[bool, typer.Option(help="Also start the dashboard and measure it.")] = True,
    seconds: Annotated[float, typer.Option(help="How long the dashboard is watched.", min=1)] = 20.0,
    long: Annotated[
        float, typer.Option(help="Minutes for which the round is played over and over; 0: not at all.", min=0)
    ] = 0.0,
    eyes: Annotated[bool, typer.Option("--eyes/--no-eyes", help="Also measure the eyes alone.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Print frames a second, milliseconds per stage, memory and start-up time of the demo round.

    Each part is printed as soon as it is measured; the viewers alone take four minutes. Where ultralytics
    is installed, the finder is held against its stock network in the same run.

    Example: blitzref bench --json
    """
    with plain_errors():
        film, setup = bundle / FILM, bundle / SETUP
        parts: dict[str, Callable[[], Any]] = {"machine": machine}
        if eyes:
            parts["models"] = _bench_eyes
        if round_:
            parts["round"] = lambda: bench_round(film, setup)
        if dashboard:
            parts["dashboard"] = lambda: bench_dashboard(film, setup, seconds, free_port(8601))
            parts["page_body_ms"] = lambda: bench_pages(film, setup)
            parts["viewers"] = lambda: _bench_viewers(film, setup)
        if long:
            parts["long"] = lambda: bench_long(film, setup, long, free_port(8601))
        figures: dict[str, Any] = {}
        for name, measure_part in parts.items():
            typer.echo(f"measuring: {name}", err=True)
            figures[name] = measure_part()
            if not as_json:
                _print_flat({name: figures[name]})
    if as_json:
        show_json(figures)


def _bench_viewers(film: Path, setup: Path) -> dict[str, float]:
    progress = Progress("turns with and without viewers")
    figures = bench_viewers(film, setup, free_port(8601), progress.at)
    progress.end()
    return figures


def _print_flat(figures: dict[str, Any]) -> None:
    for name, value in _flat(figures):
        print(f"{name}: {value:.2f}" if isinstance(value, float) else f"{name}: {value}", flush=True)


def _flat(figures: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in figures.items():
        rows += _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, value)]
    return rows
