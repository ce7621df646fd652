"""The event log: one play event, ruling or correction a line, in the order of `seq`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from referee.cards import Card
from referee.log_values import (
    LogError,
    read_card,
    read_frames,
    read_name,
    read_number,
    read_place,
    read_probability,
    read_whole,
    read_word,
)


class EventType(StrEnum):
    """What a line of the log says."""

    ROUND_STARTED = "round_started"
    LANDED = "landed"
    STARTED = "started"
    COMPLETED = "completed"
    TURNED = "turned"
    MOVED = "moved"
    WITHDRAWN = "withdrawn"
    REMOVED = "removed"
    GOAL_COUNT = "goal_count"
    CALLED = "called"
    GAP = "gap"
    CAMERA_LOST = "camera_lost"
    CAMERA_BACK = "camera_back"
    CAMERA_MOVED = "camera_moved"
    PAUSED = "paused"
    RESUMED = "resumed"
    ROUND_ENDED = "round_ended"
    CORRECTION = "correction"
    RULING = "ruling"


class Zone(StrEnum):
    """Where on the table a card lies."""

    SHARED = "shared"
    SIDE = "side"
    GOAL = "goal"
    WOOD = "wood"


_COUNT_KEYS = ("count", "left", "cards")


@dataclass(frozen=True, slots=True)
class PlayEvent:
    """One line of the log.

    `t` seconds from the start of the recording (of a landing: when the card came to rest; of a call:
    its onset). `at` image pixels (x, y). `seat_p` and `confidence` are probabilities. `evidence` is the
    pair of frame indices (before, after). `extra` keeps the keys of other types and unknown keys.

    Further keys that the judge reads where they are given: of a play `seen` (`continuous`, `occluded`),
    `hidden_s` (how long the card beneath was out of sight), `bare_t` (when the place of a card that opens a
    pile was last seen to be bare), `alternatives` (cards with their `p`), `inferred` (it came unseen or
    unread, and the card above it tells which it was), `from` (the zone, or zone and pile, that the card came
    from), `dealt` (it lay there when the eyes opened), `hand` (`left`, `right`), `by_seat`, `cards_at_once`,
    `thrown`, `askew`, `released_t`; of a wood card that lies uncovered now `turned` (the hand cards turned
    for it) and `hand_left` (the hand cards before); of a wood or goal pile `shuffled`; of a `goal_count`
    `count`; of a call `by`; of a gap `ended` and `reason` (`hand` or `card` over the pile, `spill`); of a
    pause `reason`; of a moved side pile `to` (another side pile) and of a moved wood card `to` (`hand`:
    beneath it); of the start `players`, `card_length_px`. A wood pile that is `turned` becomes the new hand.
    A wood or goal card that leaves is `withdrawn`, and the card under it is the next that has `landed` there.
    """

    seq: int
    t: float
    type: EventType
    pile: str | None = None
    card: Card | None = None
    zone: Zone = Zone.SHARED
    seat: str | None = None
    seat_p: float | None = None
    at: tuple[float, float] | None = None
    confidence: float | None = None
    source: str | None = None
    evidence: tuple[int, int] | None = None
    extra: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def goal_left(self) -> int | None:
        """The goal cards that a `goal_count` tells; None if it tells none."""
        for key in _COUNT_KEYS:
            value = self.extra.get(key)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
        return None

    @property
    def came_from(self) -> tuple[str | None, str | None]:
        """Where the card came from, as (zone, pile), if the log says it under `from`."""
        source = self.extra.get("from")
        if isinstance(source, dict):
            pile = source.get("pile")
            return source.get("zone"), None if pile is None else str(pile)
        return (None, None) if source is None else (str(source), None)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> PlayEvent:
        """Read one log object; keys that are not known are kept in `extra`.

        Raises:
            LogError: if `seq`, `t` or `type` is missing, or a value has the wrong form.
        """
        known = dict(data)
        missing = next((key for key in ("seq", "t", "type") if key not in known), None)
        if missing is not None:
            raise LogError(f"the key {missing!r} is missing")
        return cls(
            seq=read_whole(known.pop("seq"), "seq"),
            t=read_number(known.pop("t"), "t"),
            type=read_word(known.pop("type"), EventType, "type"),
            pile=read_name(known.pop("pile", None), "pile"),
            card=read_card(known.pop("card", None)),
            zone=Zone.SHARED if (zone := known.pop("zone", None)) is None else read_word(zone, Zone, "zone"),
            seat=read_name(known.pop("seat", None), "seat"),
            seat_p=read_probability(known.pop("seat_p", None), "seat_p"),
            at=read_place(known.pop("at", None)),
            confidence=read_probability(known.pop("confidence", None), "confidence"),
            source=read_name(known.pop("source", None), "source"),
            evidence=read_frames(known.pop("evidence", None)),
            extra=known,
        )

    def to_json(self) -> dict[str, Any]:
        """The inverse of `from_json`; keys without a value are left out."""
        line: dict[str, Any] = {"seq": self.seq, "t": self.t, "type": str(self.type)}
        if self.pile is not None:
            line["zone"] = str(self.zone)
            line["pile"] = self.pile
        elif self.zone is not Zone.SHARED:
            line["zone"] = str(self.zone)
        if self.at is not None:
            line["at"] = [round(self.at[0], 1), round(self.at[1], 1)]
        if self.card is not None:
            line["card"] = self.card.to_json()
        for key in ("seat", "seat_p", "confidence", "source"):
            value = getattr(self, key)
            if value is not None:
                line[key] = value
        if self.evidence is not None:
            line["evidence"] = {"before": self.evidence[0], "after": self.evidence[1]}
        line.update(self.extra)
        return line


def read_log(lines: Iterable[str]) -> Iterator[PlayEvent]:
    """Parse the lines of an `events.jsonl`; empty lines are skipped.

    Raises:
        LogError: naming the line (from 1) that cannot be read.
    """
    for at, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            if not isinstance(data, dict):
                raise LogError("it is not an object")
            event = PlayEvent.from_json(data)
        except (ValueError, RecursionError) as error:
            reason = str(error) if isinstance(error, LogError) else "it is not JSON"
            raise LogError(f"line {at} of the log cannot be read: {reason}") from error
        yield event


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Made once: `json.dumps` makes one anew for every line that is not written in its usual form."""


def write_line(event: PlayEvent) -> str:
    """One log line without its newline; the inverse of `read_log`."""
    return _ENCODER.encode(event.to_json())


__all__ = ["EventType", "LogError", "PlayEvent", "Zone", "read_log", "write_line"]
