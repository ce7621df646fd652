"""Logs written the short way: `1.0 landed d1 red2 seat=left zone=side`."""

from __future__ import annotations

import json
from typing import Any

from referee.cards import Card
from referee.events import PlayEvent
from referee.judge import JudgeSettings, judge_log
from referee.rulesets import Ruleset, ruleset
from referee.rulings import Ruling

ORDINARY = frozenset({"E03", "E24", "E25", "E50", "E53", "E60", "E61", "E62", "E63", "E65", "E67", "E68"})
"""What happens at any table and is noted: nobody did wrong."""


def event(seq: int, line: str) -> PlayEvent:
    """One event: `t type [pile [card]] key=value ...`; values are JSON where they can be read as JSON."""
    words = line.split()
    plain = [word for word in words if "=" not in word]
    data: dict[str, Any] = {"seq": seq, "t": float(plain[0]), "type": plain[1]}
    if len(plain) > 2:
        data["pile"] = plain[2]
    if len(plain) > 3:
        data["card"] = Card.parse(plain[3]).to_json()
    for word in words:
        if "=" in word:
            key, _, value = word.partition("=")
            try:
                data[key] = json.loads(value)
            except json.JSONDecodeError:
                data[key] = value
    return PlayEvent.from_json(data)


def log(text: str) -> list[PlayEvent]:
    """A log, one event a line; empty lines are skipped."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    return [event(seq, line) for seq, line in enumerate(lines, start=1)]


def judged(
    text: str, rules: Ruleset | str = "dutch_blitz", settings: JudgeSettings | None = None
) -> list[Ruling]:
    """All rulings of a log."""
    return judge_log(log(text), ruleset(rules) if isinstance(rules, str) else rules, settings)


def told(
    text: str, rules: Ruleset | str = "dutch_blitz", settings: JudgeSettings | None = None
) -> list[tuple[str, str]]:
    """What the table hears: rule and severity of each foul and warning."""
    rulings = judged(text, rules, settings)
    return [(ruling.rule, str(ruling.severity)) for ruling in rulings if ruling.severity != "info"]


def noted(
    text: str, rules: Ruleset | str = "dutch_blitz", settings: JudgeSettings | None = None
) -> list[str]:
    """The rules of all rulings, infos included."""
    return [ruling.rule for ruling in judged(text, rules, settings)]
