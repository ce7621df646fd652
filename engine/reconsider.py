"""What a correction or other house rules would change, worked out beside the log before anything is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.hub import FlagView, RoundView
from engine.past import Case, reopened
from engine.pipeline import Pipeline
from engine.scores import draft
from engine.table_command import Command, CommandKind
from referee.events import EventType, PlayEvent
from referee.rulesets import Ruleset

Scores = Mapping[str, tuple[int | None, int | None]]
"""By player the score before and after, of those for whom they differ; None where nothing is counted."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What would change: scores, flagged plays that would fall away, and plays that would be flagged.

    `counted`: whether there are any scores yet that could change.
    """

    scores: Scores = field(default_factory=dict)
    fallen: tuple[FlagView, ...] = ()
    raised: tuple[FlagView, ...] = ()
    counted: bool = False


def effect_of_opinion(case: Case, seq: int, action: str) -> Effect:
    """What it changes if the table upholds or overrules the ruling in line `seq`."""
    line = PlayEvent(
        len(case.log) + 1, case.view.t_s, EventType.CORRECTION, extra={"of": [seq], "action": action}
    )
    return _effect(case, (*case.log, line), case.rules)


def effect_of_correction(case: Case, values: Mapping[str, Any]) -> Effect:
    """What it changes if a play is corrected; `values` as of a CORRECT command.

    Raises:
        CommandError: if the correction makes no sense.
    """
    pipeline = reopened(case.log, case.rules, case.players)
    pipeline.command(Command(CommandKind.CORRECT, "beside", values=values))
    return _compared(case, pipeline, case.rules)


def rejudged(case: Case, rules: Ruleset) -> Effect:
    """What these rules would say of the round; no pixel is looked at and nothing is written."""
    return _compared(case, reopened(case.log, rules, case.players), rules)


def _compared(case: Case, pipeline: Pipeline, rules: Ruleset) -> Effect:
    before = {flag.seq for flag in case.view.flags if flag.stands}
    after = pipeline.view()
    return replace(
        _effect(case, pipeline.log, rules, after),
        fallen=tuple(flag for flag in after.flags if flag.seq in before and not flag.stands),
        raised=tuple(flag for flag in after.flags if flag.seq > len(case.log) and flag.stands),
    )


def _effect(case: Case, log: tuple[PlayEvent, ...], rules: Ruleset, view: RoundView | None = None) -> Effect:
    old = draft(case.rules, case.players, case.view, case.log).scores
    new = draft(rules, case.players, case.view if view is None else view, log).scores
    names = [player.name for player in case.players]
    changed = {name: (old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)}
    return Effect(changed, counted=bool(old))
