"""What a person can tell the table, and the refusal of what makes no sense."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any

from engine.hub import Seen


class CommandKind(StrEnum):
    """What a person can tell the table."""

    START = "start"
    CALL = "call"
    DUTCH = "dutch"
    PAUSE = "pause"
    RESUME = "resume"
    END = "end"
    CORRECT = "correct"
    COUNT = "count"
    CONFIRM = "confirm"
    REOPEN = "reopen"
    NEXT_ROUND = "next_round"
    NEW_MATCH = "new_match"
    PLAYERS = "players"
    RULES = "rules"
    RESUME_MATCH = "resume_match"
    MODE = "mode"


class CommandError(ValueError):
    """A command that makes no sense now; the message is one plain sentence."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command. The same `id` is carried out once, however often it is sent.

    `seen` is what was looked at when it was given; with it, nothing is overturned that others did meanwhile.

    `values` by kind: CALL `seat`, `player`; CORRECT `of` (list of seq), `action` and its payload; COUNT
    `entries`, each with `player` and `played`, `left`, `machine_played`, `faces`, `faces_left` as far as
    known, and what was said beside the numbers (`called_by`, `more_tops`, `answered`); CONFIRM `scores` as
    they were shown; each of these `round_id` for an earlier round; PLAYERS `players`; RULES `ruleset`,
    `options`; RESUME_MATCH `match_id`; MODE `mode`. The kinds from NEXT_ROUND on concern the match and are
    carried out by the table.
    """

    kind: CommandKind
    id: str
    by: str = "table"
    values: Mapping[str, Any] = field(default_factory=dict)
    seen: Seen | None = None

    @classmethod
    def on(cls, seen: Seen, kind: CommandKind, by: str, values: Mapping[str, Any]) -> Command:
        """The command of a button: pressed twice on the same picture with the same values, it is the same.

        The values count, so that of two people who type different numbers at once neither is taken for the
        other's second press.
        """
        told = [seen.edition, seen.version, seen.round_id, seen.lines, kind, dict(values)]
        said = json.dumps(told, sort_keys=True, default=str)
        return cls(kind, sha256(said.encode()).hexdigest()[:24], by, values, seen)
