"""What a pipeline is made of: eyes, judge and stores of pictures, and how a round begins and ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.ears import Ears
from engine.evidence import EvidenceStore, FrameRing, KeptFrame
from engine.hub import PlayerView
from engine.overlay import Overlay
from referee.events import PlayEvent
from referee.rulings import Ruling
from vision.types import Frame


class Watcher(Protocol):
    """The eyes: frames in, play events out. `seq` of the events is 0, the pipeline numbers them."""

    def process(self, frame: Frame) -> list[PlayEvent]:
        """Look at the next frame."""
        ...

    def finish(self) -> list[PlayEvent]:
        """The source ended: say what was still being waited for."""
        ...

    def overlay(self) -> Overlay:
        """What is seen right now, for drawing."""
        ...

    def dump(self) -> dict[str, Any]:
        """The state as JSON values, so that a restarted program goes on with the same pile ids."""
        ...

    def restore(self, data: dict[str, Any]) -> None:
        """The inverse of `dump`."""
        ...


class Arbiter(Protocol):
    """What the pipeline needs of `referee.judge.Judge`."""

    def feed(self, event: PlayEvent) -> list[Ruling]:
        """Judge the next event."""
        ...

    def advance(self, t: float) -> list[Ruling]:
        """Let time pass up to `t` seconds."""
        ...

    def finish(self) -> list[Ruling]:
        """The log ended."""
        ...


@dataclass(frozen=True, slots=True)
class PipelineParts:
    """What a pipeline is made of; the watcher and the judge are made anew for each round or refold.

    `make_clip` takes the name and the frames of a ruling's clip; None: no clips are made. `ears` hear the
    spoken calls; None: calls come from the button alone.
    """

    make_watcher: Callable[[], Watcher]
    make_judge: Callable[[], Arbiter]
    players: tuple[PlayerView, ...] = ()
    ring: FrameRing | None = None
    evidence: EvidenceStore | None = None
    make_clip: Callable[[str, Sequence[KeptFrame]], object] | None = None
    ears: Ears | None = None


@dataclass(frozen=True, slots=True)
class PipelineRules:
    """How a round begins and ends by itself.

    `auto_start`: the first play opens the round (files; a live table has a button). `call_settle_s`: a call
    that was not taken back within this time ends the round, so that collecting the cards is not judged as
    play; None where play goes on after the call. `judge_lag_s`: the judge's time stays this far behind the
    frames, since a landing is told of only after it was read.
    """

    auto_start: bool = True
    call_settle_s: float | None = 8.0
    judge_lag_s: float = 0.5
    feed_lines: int = 40
