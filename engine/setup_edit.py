"""Changes a SETUP.toml and leaves all else in it, comments included, as a person wrote it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.setup_file import SetupError

_HEADER = re.compile(r"\s*\[\s*([A-Za-z0-9_.-]+)\s*\]\s*(#.*)?$")
_ANY_HEADER = re.compile(r"\s*\[")
_QUOTES = ('"""', "'''", '"', "'")


@dataclass(frozen=True)
class _Statement:
    """Lines `first` to `last` (inclusive): `key = value`, and the comment behind it."""

    first: int
    last: int
    key: str
    comment: str


def with_values(text: str, table: str, values: Mapping[str, Any]) -> str:
    """`text` with the values of `[table]` set; a key that is there keeps its place and its comment.

    Raises:
        SetupError: if the text is not TOML, or has the table in a form that cannot be changed safely.
    """
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"the setup is not TOML: {error}.") from error
    lines = text.splitlines()
    header, statements = _section(lines, table)
    if header is None:
        lines += [*([""] if lines and lines[-1].strip() else []), f"[{table}]"]
        lines += [f"{key} = {toml(value)}" for key, value in values.items()]
    else:
        end = max([header, *(statement.last for statement in statements)])
        known = {statement.key: statement for statement in statements}
        lines[end + 1 : end + 1] = [f"{k} = {toml(v)}" for k, v in values.items() if k not in known]
        for statement in reversed(statements):
            if statement.key in values:
                behind = f"  {statement.comment}" if statement.comment else ""
                line = f"{statement.key} = {toml(values[statement.key])}{behind}"
                lines[statement.first : statement.last + 1] = [line]
    changed = "\n".join(lines) + "\n"
    given = expected.get(table, {})
    if isinstance(given, dict):
        expected[table] = {**given, **tomllib.loads("".join(f"{k} = {toml(v)}\n" for k, v in values.items()))}
    if not _says(changed, expected):
        raise SetupError(f"the part {table!r} of the setup cannot be changed here; write it as [{table}].")
    return changed


def toml(value: Any) -> str:
    """A value as TOML: numbers, text, truth and lists of them."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    # A basic string has the escapes of JSON, but must not hold a bare DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _says(text: str, expected: Mapping[str, Any]) -> bool:
    try:
        return tomllib.loads(text) == expected
    except tomllib.TOMLDecodeError:
        return False


def _section(lines: list[str], table: str) -> tuple[int | None, list[_Statement]]:
    """The line of `[table]`, if there is one, and the statements below it."""
    header: int | None = None
    statements: list[_Statement] = []
    number, inside = 0, False
    while number < len(lines):
        line = lines[number]
        if not line.strip() or line.lstrip().startswith("#"):
            number += 1
        elif _ANY_HEADER.match(line):
            named = _HEADER.match(line)
            inside = named is not None and named[1] == table
            header = number if inside else header
            number += 1
        else:
            statement = _statement(lines, number)
            if inside:
                statements.append(statement)
            number = statement.last + 1
    return header, statements


def _statement(lines: list[str], first: int) -> _Statement:
    """The statement that begins on a line: it goes on while a bracket or a long text is open."""
    key = lines[first].partition("=")[0].strip()
    depth, quote, comment = 0, "", ""
    last = first
    for last in range(first, len(lines)):
        line, at = lines[last], 0
        comment = ""
        while at < len(line):
            if quote:
                if line[at] == "\\" and '"' in quote:
                    at += 2
                    continue
                closes = line.startswith(quote, at)
                at += len(quote) if closes else 1
                quote = "" if closes else quote
                continue
            opened = next((mark for mark in _QUOTES if line.startswith(mark, at)), "")
            if opened:
                quote = opened
            elif line[at] == "#":
                comment = line[at:]
                break
            depth += (line[at] in "[{") - (line[at] in "]}")
            at += len(opened) or 1
        if depth <= 0 and len(quote) != 3:
            break
    return _Statement(first, last, key, comment)
