"""A set-up as the text of a SETUP.toml, for people who want to keep it or start with it."""

from __future__ import annotations

import json

from engine.setup_file import OptionValue, Setup


def setup_text(setup: Setup) -> str:
    """The file that `load_setup` reads back as the same set-up."""
    lines = [f"ruleset = {_value(setup.ruleset)}"]
    if setup.options:
        lines += ["", "[options]", *(f"{key} = {_value(value)}" for key, value in setup.options.items())]
    for player in setup.players:
        lines += ["", "[[players]]"]
        values = {"name": player.name, "seat": player.seat, "deck": player.deck, "team": player.team}
        lines += [f"{key} = {_value(value)}" for key, value in values.items() if value is not None]
    lines += ["", "[camera]", f"source = {_value(setup.camera.source)}", ""]
    return "\n".join(lines)


def _value(value: OptionValue) -> str:
    """A TOML value; a basic string has the escapes of JSON, but must not hold a bare DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
