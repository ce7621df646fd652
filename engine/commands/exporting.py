"""`blitzref export`: the record of a match as CSV or JSON."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from engine.club import table_folder
from engine.commands.common import fail, plain_errors, write_whole
from engine.scores import export_match
from engine.settings import Settings


class Format(StrEnum):
    """Forms of an exported match."""

    CSV = "csv"
    JSON = "json"


def export(
    match: Annotated[str, typer.Argument(help="Number of the match, or last.")],
    form: Annotated[Format, typer.Option("--format", help="csv or json.")] = Format.JSON,
    data: Annotated[Path | None, typer.Option(help="Folder of the record; without it the usual one.")] = None,
    table: Annotated[
        str | None, typer.Option(help="The table of a club whose record it is.", metavar="NAME")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File to write; without it, standard output.")] = None,
) -> None:
    """The record of a match.

    Example: blitzref export last --format csv
    """
    if match != "last" and not match.isdigit():
        fail(f"{match!r} is no match; give its number, or last.")
    with plain_errors():
        folder = data or Settings().data_dir
        if table is not None:
            folder = table_folder(folder, table)
        text = export_match(folder, None if match == "last" else int(match), form.value)
        if out is None:
            print(text, end="")
        else:
            write_whole(out, text)
