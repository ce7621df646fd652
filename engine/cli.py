"""The program `blitzref`: one command a function, collected here."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import typer

from engine.commands.common import WRONG_USE

HELP = "A referee for real card tables: reads cards, follows piles, explains fouls, counts the score."
COMMANDS = {
    "demo": ("watching", "demo"),
    "app": ("watching", "app"),
    "read": ("read", "read"),
    "count": ("count", "count"),
    "corrections": ("correcting", "corrections"),
    "enrol": ("enrolling", "enrol_command"),
    "voice": ("voice", "voice"),
    "watch": ("watching", "watch_command"),
    "judge": ("judging", "judge"),
    "score": ("judging", "score"),
    "rules": ("judging", "rules"),
    "simulate": ("judging", "simulate"),
    "render": ("rendering", "render"),
    "deck": ("rendering", "deck"),
    "sheet": ("rendering", "sheet"),
    "calibrate": ("calibrating", "calibrate_command"),
    "train": ("training", "train_app"),
    "evaluate": ("measuring", "evaluate"),
    "bench": ("measuring", "bench"),
    "export": ("exporting", "export"),
}
"""Module and function of each command, in the order of the help."""


def program_for(arguments: Sequence[str]) -> typer.Typer:
    """The program as these arguments need it: the named command alone, since all of them load slowly."""
    program = typer.Typer(
        help=HELP, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
    )
    # With a callback a single command keeps its name.
    program.callback()(_nothing_before)
    for name in COMMANDS.keys() & set(arguments[:1]) or COMMANDS:
        module, function = COMMANDS[name]
        command = getattr(import_module(f"engine.commands.{module}"), function)
        if isinstance(command, typer.Typer):
            program.add_typer(command, name=name)
        else:
            program.command(name)(command)
    return program


def _nothing_before() -> None:
    pass


USAGE_ERROR: type[Any] = typer.BadParameter.__bases__[0]
"""What typer raises for wrong use; it has no public name of its own."""


def main() -> None:
    """Run the program; wrong use ends with status 2 and one line."""
    program = program_for(sys.argv[1:])
    if "cv2" in sys.modules:
        # What OpenCV says of a bad file or camera is said in plain words by the commands.
        logging = sys.modules["cv2"].utils.logging
        logging.setLogLevel(logging.LOG_LEVEL_SILENT)
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
