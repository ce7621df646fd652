"""`blitzref count`: cards per deck or per player, held against the tops of the piles."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.commands.common import (
    HOUSEHOLD,
    NOT_RIGHT,
    Progress,
    fail,
    load_log,
    plain_errors,
    rules_from,
    show_json,
)
from engine.commands.read import image_json
from engine.count_findings import cards_in, count_findings
from engine.dealing import Dealing, Dealt
from engine.dealt_source import watch_dealing
from engine.enrolling import load_eyes
from engine.looked_over import look_over
from engine.merging import Merged, Photograph, merge, player_of
from engine.parts import is_live
from engine.setup_file import load_setup
from referee.cards import Card
from referee.events import PlayEvent
from referee.findings import Finding, Level, words
from referee.fold import effective_events, fold
from referee.rulesets import Ruleset, for_players
from vision.reading import Eyes
from vision.sources import load_picture, open_source

IDLE_S = 10.0
"""At a camera the dealing is over once no card came for this long."""


def tops_of(log: list[PlayEvent]) -> list[Card]:
    """The tops of all shared piles that a log leaves, those taken away included."""
    state = fold(effective_events(log))
    return [pile.top for pile in (*state.piles, *state.taken) if pile.top is not None]


@dataclass(frozen=True)
class _Counted:
    """A count with all that is shown of it."""

    count: Merged
    goals: dict[str, Merged]
    images: list[dict[str, Any]]
    dealt: list[Dealt] | None = None
    again: tuple[Card, ...] = ()


def count(
    images: Annotated[
        list[str],
        typer.Argument(
            help="Photographs of backs or of faces; with --one-by-one a film.", metavar="IMAGE..."
        ),
    ],
    ruleset: Annotated[str, typer.Option(help="The game that was played.")] = "dutch_blitz",
    settings: Annotated[list[str] | None, typer.Option("--set", help="A house rule, option=value.")] = None,
    tops: Annotated[
        Path | None, typer.Option(help="The round's events.jsonl, to check the count against.")
    ] = None,
    setup: Annotated[
        Path | None, typer.Option(help="SETUP.toml: who plays with which deck, to check the backs against.")
    ] = None,
    player: Annotated[str | None, typer.Option(help="Whose cards all these faces are.")] = None,
    goal: Annotated[
        list[Path] | None, typer.Option(help="A photograph of a fanned goal pile, named after its player.")
    ] = None,
    one_by_one: Annotated[
        bool, typer.Option("--one-by-one", help="Cards are dealt past a film, a camera number or a stream.")
    ] = False,
    household: HOUSEHOLD = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Count cards per deck (backs) or per player (faces; the player is the name of the file).

    Several photographs are one count: backs add up, the same face of one player counts once. Ann-2.jpg shows
    more of Ann's cards. Exits 1 if the count and the tops of the piles disagree, or a card needs a look.

    Example: blitzref count backs.jpg --ruleset dutch_blitz --tops events.jsonl
    """
    if one_by_one and len(images) > 1:
        fail("dealing is watched in one film or by one camera; give a single source with --one-by-one.")
    with plain_errors():
        table = None if setup is None else load_setup(setup)
        rules = rules_from(ruleset, settings or [])
        if table is not None and len(table.players) > 1:
            rules = for_players(rules, len(table.players))
        log = None if tops is None else load_log(tops)
        pictures = [*([] if one_by_one else map(Path, images)), *(goal or [])]
        for path in pictures:
            load_picture(path)
        eyes = load_eyes(household)
        counted = _look(images, goal or [], eyes, rules, player, one_by_one)
        findings = count_findings(
            counted.count,
            rules,
            tops=None if log is None else tops_of(log),
            log=log,
            goals=counted.goals,
            setup=table,
            again=counted.again,
        )
    if as_json:
        show_json(_json(counted, findings))
    else:
        _print(counted, findings)
    if any(finding.level in (Level.WARNING, Level.ERROR) for finding in findings):
        raise typer.Exit(NOT_RIGHT)


def _look(
    images: Sequence[str],
    goal: Sequence[Path],
    eyes: Eyes,
    rules: Ruleset,
    player: str | None,
    one_by_one: bool,
) -> _Counted:
    family = str(rules.family)
    progress = Progress("photographs read")
    shown: list[dict[str, Any]] = []
    total = len(goal) + (0 if one_by_one else len(images))

    def photographs(paths: Sequence[Path], owner: str | None) -> list[Photograph]:
        made = []
        for path in paths:
            result, seen, _ = image_json(path, eyes, family)
            shown.append(result)
            digest = sha256(path.read_bytes()).hexdigest()
            made.append(look_over(str(path), digest, owner or player_of(path.stem), seen))
            progress.at(len(shown), total)
        return made

    dealt: list[Dealt] | None = None
    again: tuple[Card, ...] = ()
    if one_by_one:
        dealing = Dealing()
        dealt = _deal(images[0], eyes, dealing)
        again = tuple(dealing.again)
        owner = player or ("camera" if is_live(images[0]) else player_of(Path(images[0]).stem))
        counted = merge([_of_dealt(images[0], owner, dealt)])
    else:
        counted = merge(photographs([Path(image) for image in images], player))
    left = photographs(goal, None)
    progress.end()
    goals = {
        name: merge([photograph for photograph in left if photograph.player == name])
        for name in sorted({photograph.player for photograph in left})
    }
    return _Counted(counted, goals, shown, dealt, again)


def _deal(name: str, eyes: Eyes, dealing: Dealing) -> list[Dealt]:
    """The cards that are dealt past a source; at a camera until none comes any more, or Ctrl-C."""
    source = open_source(name)
    progress = Progress("frames watched")
    dealt: list[Dealt] = []
    try:
        for one in watch_dealing(
            source,
            eyes,
            dealing,
            idle_s=IDLE_S if source.live else None,
            progress=None if source.live else lambda index: progress.at(index + 1, source.count),
        ):
            dealt.append(one)
            if source.live:
                print(f"{len(dealt)}: {_dealt_words(one)}", file=sys.stderr)
    except KeyboardInterrupt:
        if not source.live:
            raise
    finally:
        source.close()
    progress.end()
    return dealt


def _of_dealt(name: str, player: str, dealt: Sequence[Dealt]) -> Photograph:
    return Photograph(
        name,
        name,
        player,
        tuple(sorted(one.deck for one in dealt if one.deck is not None)),
        tuple(sorted(one.card for one in dealt if one.card is not None)),
        sum(one.card is None and one.deck is None for one in dealt),
    )


def _dealt_words(dealt: Dealt) -> str:
    return dealt.card.words if dealt.card is not None else f"back: {dealt.deck}" if dealt.deck else "unknown"


def _json(counted: _Counted, findings: Sequence[Finding]) -> dict[str, Any]:
    faces = counted.count.faces
    result: dict[str, Any] = {
        "decks": dict(counted.count.decks),
        "faces": {name: [card.to_json() for card in cards] for name, cards in faces.items()},
        "unknown": counted.count.unknown,
        "images": counted.images,
        "audit": [finding.to_json() for finding in findings],
        "merged": list(counted.count.how),
        "left": {
            name: {
                "count": cards_in(goal),
                "faces": [card.to_json() for cards in goal.faces.values() for card in cards],
                "unknown": goal.unknown,
            }
            for name, goal in counted.goals.items()
        },
    }
    if counted.dealt is not None:
        result["dealt"] = [
            {
                "t": round(one.t_s, 3),
                "card": None if one.card is None else one.card.to_json(),
                "deck": one.deck,
            }
            for one in counted.dealt
        ]
    return result


def _print(counted: _Counted, findings: Sequence[Finding]) -> None:
    for deck, number in counted.count.decks.items():
        print(f"{deck}: {number}")
    for name, cards in counted.count.faces.items():
        print(f"{name}: {len(cards)} face up")
    for name, goal in counted.goals.items():
        print(f"{name}: {words(cards_in(goal), 'goal card')} left")
    if counted.count.unknown:
        print(f"unknown: {counted.count.unknown}")
    for text in counted.count.how:
        print(f"merged: {text}")
    for finding in findings:
        print(f"{finding.id} ({finding.level}): {finding.text}")
