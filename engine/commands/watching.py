"""`blitzref watch`, `app`, `demo`: a table or a recording, with and without a browser."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.commands.common import (
    DONE,
    HOUSEHOLD,
    NOT_RIGHT,
    Progress,
    fail,
    load_object,
    plain_errors,
    show_json,
)
from engine.commands.count import tops_of
from engine.count_findings import audit_photos
from engine.ears import Ears, open_ears
from engine.enrolling import load_eyes
from engine.example import BUNDLE, CALLS, FILM, SETUP, TRUTH
from engine.household import household_folder
from engine.hub import PlayerView
from engine.parts import read_calls, watcher_of
from engine.serve import leave, serve
from engine.settings import Settings
from engine.setup_file import Setup, load_setup
from engine.watch import Watched, watch
from referee.cards import Card
from referee.events import EventType, PlayEvent
from referee.judge import JudgeSettings
from referee.rulesets import Ruleset, for_players, ruleset
from referee.scoring import PlayerCount, score_round
from vision.reading import Eyes
from vision.sources import load_picture, open_source


def rules_of(setup: Setup) -> Ruleset:
    """The ruleset of a setup, in the form for its number of players.

    Raises:
        OptionError: if it names rules that do not exist.
    """
    rules = ruleset(setup.ruleset, **setup.options)
    return for_players(rules, len(setup.players)) if len(setup.players) > 1 else rules


def run(
    source: str,
    setup: Setup,
    *,
    calls: Sequence[PlayEvent] = (),
    out: Path | None = None,
    eyes: Eyes | None = None,
    ears: Ears | None = None,
) -> Watched:
    """Watch a source to its end with the real eyes; every frame of a file, deterministically.

    Raises:
        SourceError, OptionError, OSError: each with one plain sentence or a path.
    """
    rules = rules_of(setup)
    players = tuple(PlayerView(p.name, p.seat, p.deck, p.team) for p in setup.players)
    opened = open_source(source)
    eyes = eyes or Eyes.load()
    progress = Progress("frames watched")
    watched = watch(
        opened,
        rules,
        lambda: watcher_of(rules, players, eyes, setup.calibration, calls),
        Settings(),
        players=players,
        out=out,
        progress=lambda index, t_s: progress.at(index + 1, opened.count),
        ears=ears,
    )
    progress.end()
    return watched


def watch_command(
    source: Annotated[
        str, typer.Argument(help="A video file, a folder of pictures, a camera number or a URL.")
    ],
    setup: Annotated[Path | None, typer.Option(help="SETUP.toml: game, players, seats.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for events.jsonl, round.json and evidence/.")
    ] = None,
    calls: Annotated[
        Path | None, typer.Option(help="A log whose calls are taken over at their times.")
    ] = None,
    household: HOUSEHOLD = None,
    hearing: Annotated[
        bool, typer.Option("--hearing/--deaf", help="Hear the calls that the household taught.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the round as JSON.")] = False,
) -> None:
    """Follow a whole round without a browser.

    Example: blitzref watch round.mp4 --setup SETUP.toml --out round/
    """
    with plain_errors():
        told = () if calls is None else read_calls(calls)
        ears = open_ears(source, household or household_folder()) if hearing else None
        eyes = load_eyes(household)
        watched = run(source, load_setup(setup), calls=told, out=out, eyes=eyes, ears=ears)
    if ears is not None and ears.problem is not None:
        typer.echo(ears.problem, err=True)
    if as_json:
        show_json(watched.round_json)
        return
    print(_summary(watched))


def _summary(watched: Watched) -> str:
    kinds = [event.type for event in watched.log]
    piles = kinds.count(EventType.STARTED)
    lines = [f"{piles} piles, {piles + kinds.count(EventType.LANDED)} cards landed"]
    lines += [
        f"{event.t:8.2f} s  {event.extra['severity']:<7} {event.extra['rule']}  {event.extra['text']}"
        for event in watched.log
        if event.type is EventType.RULING
    ]
    return "\n".join(lines)


JOIN = Annotated[
    str | None,
    typer.Option(
        help="Let other machines of the home network in by this code; new makes one up.", metavar="CODE|new"
    ),
]


def app(
    source: Annotated[str | None, typer.Option(help="A camera number, a video file or a URL.")] = None,
    setup: Annotated[Path | None, typer.Option(help="SETUP.toml: game, players, seats.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of the record; without it the usual one.")] = None,
    port: Annotated[int, typer.Option(help="Port on this computer.")] = 8501,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    household: HOUSEHOLD = None,
    hearing: Annotated[
        bool, typer.Option("--hearing/--deaf", help="Hear the calls that the household taught.")
    ] = True,
    join: JOIN = None,
    table: Annotated[
        str | None, typer.Option(help="Name of this table in a club of several tables.", metavar="NAME")
    ] = None,
    club: Annotated[
        str | None,
        typer.Option(
            help="The club's database; without it a file that the tables of this computer share.",
            metavar="FILE|postgresql://...",
        ),
    ] = None,
) -> None:
    """The dashboard on a camera, a video or a stream.

    Example: blitzref app --source 0

    Example: blitzref app --source 1 --table "Table 2" --join new
    """
    with plain_errors():
        # All tables of a house know its decks, wherever each keeps its record.
        known = (household or household_folder()).absolute()
        serve(
            source,
            setup,
            data,
            port,
            browser,
            join=join,
            table=table,
            club=club,
            household=known,
            hearing=hearing,
        )
        leave()


@dataclass(frozen=True)
class Counted:
    """The count of a bundle's photographs: cards per deck, goal cards per player, cards not read."""

    decks: dict[str, int]
    left: dict[str, int]
    unknown: int


def count_bundle(folder: Path, eyes: Eyes, setup: Setup) -> Counted:
    """Count the backs photograph and the goal piles of a recorded round.

    Raises:
        SourceError: if a photograph is missing or cannot be read.
    """
    decks: dict[str, int] = {}
    unknown = 0
    for seen in eyes.read_still(load_picture(folder / "backs.jpg"), "blitz"):
        if seen.reading.deck is None:
            unknown += 1
        else:
            decks[seen.reading.deck] = decks.get(seen.reading.deck, 0) + 1
    left = {}
    for player in setup.players:
        picture = folder / f"goal-{player.name}.jpg"
        left[player.name] = len(eyes.read_still(load_picture(picture), "blitz")) if picture.exists() else 0
    return Counted(decks, left, unknown)


def compare(
    truth: dict[str, Any], watched: Watched, counted: Counted, setup: Setup
) -> tuple[list[str], list[str]]:
    """The lines of the summary, and what differs from the truth (nothing where all is right)."""
    rules = rules_of(setup)
    lines, wrong = [], []
    entries = [
        PlayerCount(p.name, counted.decks.get(p.deck or "", 0), counted.left.get(p.name, 0), deck=p.deck)
        for p in setup.players
    ]
    scored = score_round(rules, entries)
    for player, expected in zip(scored.players, truth["players"], strict=True):
        lines.append(f"{player.name}: {player.text}")
        for key, value in (("name", player.name), ("score", player.score)):
            if expected[key] != value:
                wrong.append(f"{player.name}: {key} {value}, but the truth says {expected[key]}")
    tops = tops_of(list(watched.log))
    lines.append("tops: " + ", ".join(card.words for card in tops))
    if sorted(map(str, tops)) != sorted(str(Card.from_json(top)) for top in truth["tops"]):
        wrong.append("the tops of the piles differ from the truth")
    findings = audit_photos(counted.decks, {}, counted.unknown, tops, rules)
    lines += [f"audit {f.id} ({f.level}): {f.text}" for f in findings]
    # An illegal card makes a pile one higher than its top says: then the audit must find just that.
    right_decks = {player["deck"]: player["played"] for player in truth["players"]}
    right_tops = [Card.from_json(top) for top in truth["tops"]]
    expected_findings = audit_photos(right_decks, {}, 0, right_tops, rules)
    if {(f.level, f.id) for f in findings} != {(f.level, f.id) for f in expected_findings}:
        wrong += [f"audit {f.id}: {f.text}" for f in findings] or ["the audit missed what does not add up"]
    raised = [
        e for e in watched.log if e.type is EventType.RULING and e.extra["severity"] in ("foul", "warning")
    ]
    lines += [f"flag {e.extra['rule']} ({e.extra['severity']}): {e.extra['text']}" for e in raised]
    flags = sorted((e.extra["rule"], str(e.card)) for e in raised)
    expected_flags = sorted((i["rule"], str(Card.from_json(i["card"]))) for i in truth["infringements"])
    if flags != expected_flags:
        wrong.append(f"flags {flags}, but the truth says {expected_flags}")
    calls = [e for e in watched.log if e.type is EventType.RULING and e.extra["rule"] == "E50"]
    lines += [f"call: {e.extra['text']}" for e in calls]
    # A call whose goal pile was not seen is told with no more than the least probability.
    if truth["t_called"] is not None and not any(e.extra["p"] > JudgeSettings().info_p for e in calls):
        wrong.append("the Blitz call was not confirmed by an empty goal pile")
    return lines, wrong


def demo(
    headless: Annotated[
        bool, typer.Option(help="Without a browser: run to the end and compare with the truth.")
    ] = False,
    bundle: Annotated[Path, typer.Option(help="Folder of the recorded round.")] = BUNDLE,
    data: Annotated[
        Path | None, typer.Option(help="Folder of the record; without it a new temporary one.")
    ] = None,
    port: Annotated[int, typer.Option(help="Port on this computer.")] = 8501,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    join: JOIN = None,
) -> None:
    """The bundled example round through the real pipeline; no camera is needed.

    Example: blitzref demo --headless
    """
    for name in (FILM, SETUP, CALLS, TRUTH):
        if not (bundle / name).exists():
            fail(f"{bundle} holds no {name}; give the folder of a recorded round.")
    with plain_errors():
        if not headless:
            with tempfile.TemporaryDirectory(prefix="blitzref-demo-") as folder:
                serve(
                    str(bundle / FILM),
                    bundle / SETUP,
                    data or Path(folder),
                    port,
                    browser,
                    calls=bundle / CALLS,
                    join=join,
                )
            leave()
        setup = load_setup(bundle / SETUP)
        eyes = Eyes.load()
        watched = run(str(bundle / FILM), setup, calls=read_calls(bundle / CALLS), eyes=eyes)
        counted = count_bundle(bundle, eyes, setup)
        lines, wrong = compare(dict(load_object(bundle / TRUTH)), watched, counted, setup)
    for line in lines:
        print(line)
    for line in wrong:
        print(f"NOT AS IT SHOULD BE: {line}")
    print(json.dumps({"right": not wrong}))
    raise typer.Exit(NOT_RIGHT if wrong else DONE)
