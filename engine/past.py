"""Rounds that are over: reopened from their log without eyes, looked at, and corrected by further lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.hub import DraftScore, Phase, PlayerView, RoundView
from engine.overlay import NOTHING, Overlay
from engine.pipeline import Pipeline
from engine.pipeline_parts import PipelineParts, PipelineRules
from engine.scores import draft
from engine.table_command import Command, CommandError, CommandKind
from referee.events import PlayEvent
from referee.judge import Judge
from referee.rulesets import Ruleset
from vision.types import Frame

ON_ENDED = frozenset({CommandKind.CORRECT, CommandKind.COUNT, CommandKind.CONFIRM, CommandKind.REOPEN})
"""What can be told to a round that is over."""


class NoEyes:
    """A watcher that sees nothing, for a round of which only the log is left."""

    def process(self, frame: Frame) -> list[PlayEvent]:
        """Nothing is seen."""
        return []

    def finish(self) -> list[PlayEvent]:
        """Nothing was waited for."""
        return []

    def overlay(self) -> Overlay:
        """Nothing is drawn."""
        return NOTHING

    def dump(self) -> dict[str, Any]:
        """There is no state."""
        return {}

    def restore(self, data: dict[str, Any]) -> None:
        """There is no state."""


@dataclass(frozen=True, slots=True)
class Case:
    """A round to be looked at again: who played it by which rules, its log, and how it is shown.

    `evidence` is the address under which its pictures are found. `is_current`: it lies on the table now.
    """

    view: RoundView
    log: tuple[PlayEvent, ...]
    rules: Ruleset
    players: tuple[PlayerView, ...]
    evidence: str
    is_current: bool = False


def reopened(log: Sequence[PlayEvent], rules: Ruleset, players: tuple[PlayerView, ...]) -> Pipeline:
    """The round of a log, judged by these rules."""
    parts = PipelineParts(NoEyes, lambda: Judge(rules), players)
    return Pipeline(parts, PipelineRules(auto_start=False), log=log)


def check_confirmation(shown: DraftScore, values: Mapping[str, Any]) -> None:
    """Whether the score of a round may be confirmed; `values["scores"]` are the scores as somebody saw them.

    Raises:
        CommandError: if the count was changed since, or the round cannot be scored.
    """
    if values.get("scores", shown.scores) != dict(shown.scores):
        raise CommandError("the count has been changed meanwhile; look at it once more.")
    if shown.missing is not None:
        # Confirmed it would be left out of the match without a word.
        raise CommandError(f"this round cannot be scored: {shown.missing}")


def changed_lines(
    log: Sequence[PlayEvent], rules: Ruleset, players: tuple[PlayerView, ...], command: Command
) -> tuple[PlayEvent, ...]:
    """The lines that a command adds to the log of a round that is over.

    Raises:
        CommandError: if it makes no sense there.
    """
    if command.kind not in ON_ENDED:
        raise CommandError(f"{command.kind.value!r} is not possible for a round that is over.")
    pipeline = reopened(log, rules, players)

    def carry_out(step: Command) -> None:
        if step.kind is CommandKind.CONFIRM and pipeline.phase is Phase.ENDED:
            check_confirmation(draft(rules, players, pipeline.view(), pipeline.log), step.values)
        pipeline.command(step)

    values = {key: value for key, value in command.values.items() if key != "round_id"}
    command = replace(command, values=values)
    if pipeline.phase is Phase.CONFIRMED and command.kind is CommandKind.COUNT:
        # A round that is scored stays scored while a number is set right.
        for kind in (CommandKind.REOPEN, CommandKind.COUNT, CommandKind.CONFIRM):
            step = values if kind is CommandKind.COUNT else {}
            carry_out(replace(command, kind=kind, id=f"{command.id}:{kind}", values=step))
    else:
        carry_out(command)
    return pipeline.log[len(log) :]
