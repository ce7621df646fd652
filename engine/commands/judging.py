"""`blitzref judge`, `score`, `rules`, `simulate`: the games without a camera."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from datasets.simulate import statistics
from engine.commands.common import (
    NOT_RIGHT,
    Progress,
    fail,
    load_log,
    load_object,
    plain_errors,
    rules_from,
    show_json,
)
from referee.judge import judge_log
from referee.options import shown
from referee.rounds import score_json
from referee.rule_texts import NOT_IN_A_LOG, RULES, rule_sentence
from referee.rulesets import describe, name_of, preset_names
from referee.rulesets import ruleset as make_ruleset


def judge(
    events: Annotated[Path, typer.Argument(help="The log of a round.", metavar="EVENTS.jsonl")],
    ruleset: Annotated[str, typer.Option(help="The game that was played.")] = "dutch_blitz",
    settings: Annotated[list[str] | None, typer.Option("--set", help="A house rule, option=value.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one ruling a line as JSON.")] = False,
) -> None:
    """Judge a log again, without looking at a picture.

    Example: blitzref judge events.jsonl --set target=100
    """
    with plain_errors():
        rules = rules_from(ruleset, settings or [])
        rulings = judge_log(load_log(events), rules)
    if as_json:
        for ruling in rulings:
            print(json.dumps(ruling.to_json(), ensure_ascii=False, separators=(",", ":")))
        return
    print(f"{name_of(rules)}: {len(rulings)} rulings")
    for ruling in rulings:
        print(f"{ruling.t:8.2f} s  {ruling.severity:<7} {ruling.rule}  {ruling.text}")


def score(
    round_file: Annotated[Path, typer.Argument(help="A round or a match.", metavar="ROUND.json")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Score a round or a match from its counts, or what `export` wrote; exits 1 if something disagrees.

    Example: blitzref score round.json
    """
    with plain_errors():
        result = score_json(load_object(round_file))
    if as_json:
        show_json(result)
    else:
        for number, one in enumerate(result.get("rounds", [result]), start=1):
            if "rounds" in result:
                print(f"round {number}")
            for player in one["players"]:
                print(f"  {player['name']}: {player['text']}")
            for warning in one["warnings"]:
                print(f"  ! {warning}")
            for finding in one["audit"]:
                print(f"  {finding['id']} ({finding['level']}): {finding['text']}")
        for name, total in result.get("totals", {}).items():
            print(f"{name}: {total}")
        if result.get("winners"):
            print(f"won by {' and '.join(result['winners'])}")
        if result.get("deciding"):
            print("the best are level: one more round decides")
    if not result["agrees"]:
        raise typer.Exit(NOT_RIGHT)


def rules(
    name: Annotated[str | None, typer.Argument(help="A ruleset; without it, all are listed.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """The games, their options with defaults, and each rule's plain sentence.

    Example: blitzref rules nertz_std
    """
    with plain_errors():
        chosen = [make_ruleset(one) for one in (preset_names() if name is None else [name])]
    if as_json:
        show_json(
            {
                "rulesets": {one.preset: [row._asdict() for row in describe(one)] for one in chosen},
                "rules": {one.preset: {rule: rule_sentence(rule, one) for rule in RULES} for one in chosen},
            }
        )
        return
    console = Console()
    if name is None:
        for one in chosen:
            print(one.preset)
        print("\nblitzref rules NAME shows a game's options.")
        return
    table = Table("option", "default", "choices", "what it means", title=chosen[0].preset)
    for row in describe(chosen[0]):
        table.add_row(row.option, shown(row.default), row.choices, row.sentence)
    console.print(table)
    for rule in RULES:
        unseen = f" (Never judged: {NOT_IN_A_LOG[rule]}.)" if rule in NOT_IN_A_LOG else ""
        console.print(f"{rule}  {rule_sentence(rule, chosen[0])}{unseen}", highlight=False)


def simulate(
    ruleset: Annotated[str, typer.Option(help="The game that is played.")] = "dutch_blitz",
    players: Annotated[int, typer.Option(help="How many players, 2-8.", min=2, max=8)] = 4,
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="The same seed plays the same games.")] = 1,
    settings: Annotated[list[str] | None, typer.Option("--set", help="A house rule, option=value.")] = None,
    policy: Annotated[
        str,
        typer.Option(
            help="How they play: strong, a, weak or random; or one for each player: strong,a,a,weak."
        ),
    ] = "a",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play games and print what happened on average.

    Example: blitzref simulate --ruleset dutch_blitz --players 4 --games 1000 --policy strong,a,a,weak
    """
    progress = Progress("games")
    with plain_errors():
        chosen = rules_from(ruleset, settings or [])
        try:
            figures = statistics(chosen, players, games, seed, policy, progress.at)
        except ValueError as error:
            fail(str(error))
    progress.end()
    if as_json:
        show_json(figures)
        return
    for key, value in figures.items():
        print(f"{key}: {value:.4g}" if isinstance(value, float) else f"{key}: {value}")
