"""`blitzref count`: cards per deck or per player, held against the tops of the piles."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.commands.common import NOT_RIGHT, Progress, load_log, plain_errors, rules_from, show_json
from engine.commands.read import image_json
from referee.audit import audit_round
from referee.cards import Card
from referee.events import PlayEvent
from referee.findings import Finding, Level
from referee.fold import effective_events, fold
from referee.rulesets import Ruleset
from vision.reading import Eyes
from vision.sources import load_picture


def tops_of(log: list[PlayEvent]) -> list[Card]:
    """The tops of all shared piles that a log leaves, those taken away included."""
    state = fold(effective_events(log))
    return [pile.top for pile in (*state.piles, *state.taken) if pile.top is not None]


def audit_photos(
    decks: dict[str, int], faces: dict[str, list[Card]], unknown: int, tops: list[Card] | None, rules: Ruleset
) -> list[Finding]:
    """What the count says against the tops and against itself, unread cards included."""
    findings = audit_round(tops, decks or None, faces or None, ruleset=rules)
    if unknown:
        cards = "1 card" if unknown == 1 else f"{unknown} cards"
        text = f"{cards} could not be read: lay them apart and take the picture again, or count them by hand."
        findings.append(Finding(Level.WARNING, "unread", text))
    return findings


def count(
    images: Annotated[
        list[Path], typer.Argument(help="Photographs of backs or of faces.", metavar="IMAGE...")
    ],
    ruleset: Annotated[str, typer.Option(help="The game that was played.")] = "dutch_blitz",
    settings: Annotated[list[str] | None, typer.Option("--set", help="A house rule, option=value.")] = None,
    tops: Annotated[
        Path | None, typer.Option(help="The round's events.jsonl, to check the count against.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Count cards per deck (backs) or per player (faces; the player is the name of the file).

    Exits 1 if the count and the tops of the piles disagree.

    Example: blitzref count backs.jpg --ruleset dutch_blitz --tops events.jsonl
    """
    with plain_errors():
        rules = rules_from(ruleset, settings or [])
        wanted = None if tops is None else tops_of(load_log(tops))
        for path in images:
            load_picture(path)
        eyes = Eyes.load()
        decks: Counter[str] = Counter()
        faces: dict[str, list[Card]] = {}
        unknown = 0
        shown: list[dict[str, Any]] = []
        progress = Progress("photographs read")
        for number, path in enumerate(images, start=1):
            result, seen, _ = image_json(path, eyes, str(rules.family))
            shown.append(result)
            for card in seen:
                if card.reading.deck is not None:
                    decks[card.reading.deck] += 1
                elif card.reading.card is not None:
                    faces.setdefault(path.stem, []).append(card.reading.card)
                else:
                    unknown += 1
            progress.at(number, len(images))
        progress.end()
        findings = audit_photos(dict(decks), faces, unknown, wanted, rules)
    if as_json:
        show_json(
            {
                "decks": dict(decks),
                "faces": {name: [card.to_json() for card in cards] for name, cards in faces.items()},
                "unknown": unknown,
                "images": shown,
                "audit": [finding.to_json() for finding in findings],
            }
        )
    else:
        for deck, number in sorted(decks.items()):
            print(f"{deck}: {number}")
        for name, cards in faces.items():
            print(f"{name}: {len(cards)} face up")
        if unknown:
            print(f"unknown: {unknown}")
        for finding in findings:
            print(f"{finding.id} ({finding.level}): {finding.text}")
    if any(finding.level in (Level.WARNING, Level.ERROR) for finding in findings):
        raise typer.Exit(NOT_RIGHT)
