"""Keeps pictures that show nothing from the eyes, and logs when the sight was lost and came back."""

from __future__ import annotations

from typing import Any

from engine.overlay import Overlay
from engine.pipeline_parts import Watcher
from referee.events import EventType, PlayEvent
from vision.outage import OutageSettings, OutageWatch
from vision.types import Frame


class SteadyWatcher:
    """A watcher around another one that never sees a dark table, nor takes a jump for a play."""

    def __init__(self, inner: Watcher, settings: OutageSettings | None = None) -> None:
        self._inner = inner
        self._outages = OutageWatch(settings)

    def process(self, frame: Frame) -> list[PlayEvent]:
        """Look at the next frame."""
        outlook = self._outages.look(frame.image, frame.t_s)
        events = []
        if outlook.lost is not None:
            events.append(_event(EventType.CAMERA_LOST, frame.t_s, reason=outlook.lost))
        if outlook.back:
            events.append(_event(EventType.CAMERA_BACK, frame.t_s))
        return [*events, *self._inner.process(frame)] if outlook.usable else events

    def finish(self) -> list[PlayEvent]:
        """The source ended."""
        return self._inner.finish()

    def overlay(self) -> Overlay:
        """What is seen right now, for drawing."""
        return self._inner.overlay()

    def dump(self) -> dict[str, Any]:
        """The state as JSON values."""
        return self._inner.dump()

    def restore(self, data: dict[str, Any]) -> None:
        """The inverse of `dump`."""
        self._inner.restore(data)


def _event(kind: EventType, t_s: float, **extra: str) -> PlayEvent:
    return PlayEvent(0, round(t_s, 3), kind, source="vision", extra=dict(extra))
