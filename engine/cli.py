"""The program `blitzref`: one command a function, collected here."""

from __future__ import annotations

import sys
from typing import Any

import cv2
import typer

from engine.commands.calibrating import calibrate_command
from engine.commands.common import WRONG_USE
from engine.commands.correcting import corrections
from engine.commands.count import count
from engine.commands.enrolling import enrol_command
from engine.commands.exporting import export
from engine.commands.judging import judge, rules, score, simulate
from engine.commands.measuring import bench, evaluate
from engine.commands.read import read
from engine.commands.rendering import deck, render, sheet
from engine.commands.training import train_app
from engine.commands.voice import voice
from engine.commands.watching import app as app_command
from engine.commands.watching import demo, watch_command

program = typer.Typer(
    help="A referee for real card tables: reads cards, follows piles, explains fouls, counts the score.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
program.command("demo")(demo)
program.command("app")(app_command)
program.command("read")(read)
program.command("count")(count)
program.command("corrections")(corrections)
program.command("enrol")(enrol_command)
program.command("voice")(voice)
program.command("watch")(watch_command)
program.command("judge")(judge)
program.command("score")(score)
program.command("rules")(rules)
program.command("simulate")(simulate)
program.command("render")(render)
program.command("deck")(deck)
program.command("sheet")(sheet)
program.command("calibrate")(calibrate_command)
program.add_typer(train_app, name="train")
program.command("evaluate")(evaluate)
program.command("bench")(bench)
program.command("export")(export)


USAGE_ERROR: type[Any] = typer.BadParameter.__bases__[0]
"""What typer raises for wrong use; it has no public name of its own."""


def main() -> None:
    """Run the program; wrong use ends with status 2 and one line."""
    # What OpenCV says of a bad file or camera is said in plain words by the commands.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        status = program(standalone_mode=False)
    except USAGE_ERROR as error:
        said = error.format_message() or "give a command."
        print(said if "Usage" in said else f"blitzref: {said} Try blitzref --help.", file=sys.stderr)
        sys.exit(WRONG_USE)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()
