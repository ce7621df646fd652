"""Watched rounds held against the truth of their film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from engine.evaluation.matching import Share
from referee.cards import Card
from referee.events import EventType, PlayEvent, Zone
from referee.fold import effective_events, fold

SAME_LANDING_S = 0.7
SAME_PLACE_WIDTHS = 1.1
LOST_RACE_S = 1.0
RULING_BEFORE_S, RULING_AFTER_S = 1.0, 6.0
MOVED_RULE = "E71"
"""That the camera was moved is a true warning where the film's camera was touched at that time."""
_LANDED = (EventType.STARTED, EventType.LANDED)


@dataclass
class RoundFigures:
    """Landings, seats, times and rulings of one or more rounds."""

    name: str
    rounds: int = 0
    recall: Share = field(default_factory=Share)
    precision: Share = field(default_factory=Share)
    seat: Share = field(default_factory=Share)
    seat_undecided: Share = field(default_factory=Share)
    time_errors_s: list[float] = field(default_factory=list)
    infringements: Share = field(default_factory=Share)
    false_fouls: int = 0
    false_warnings: int = 0
    tops_exact: Share = field(default_factory=Share)
    side_recall: Share = field(default_factory=Share)
    side_precision: Share = field(default_factory=Share)
    wood_recall: Share = field(default_factory=Share)
    wood_precision: Share = field(default_factory=Share)
    missed: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return {
            "set": self.name,
            "rounds": self.rounds,
            "landing_recall": self.recall.value,
            "landing_precision": self.precision.value,
            "landings": self.recall.total,
            "seat_right_of_decided": self.seat.value,
            "seat_undecided": self.seat_undecided.value,
            "time_error_median_s": median(self.time_errors_s) if self.time_errors_s else None,
            "infringements_found": self.infringements.value,
            "false_fouls": self.false_fouls,
            "false_warnings": self.false_warnings,
            "tops_exact": self.tops_exact.value,
            "side_recall": self.side_recall.value,
            "side_precision": self.side_precision.value,
            "side_plays": self.side_recall.total,
            "wood_recall": self.wood_recall.value,
            "wood_precision": self.wood_precision.value,
            "wood_tops": self.wood_recall.total,
            "missed": self.missed,
            "invented": self.invented,
        }


def _landings(log: Sequence[PlayEvent], zone: Zone = Zone.SHARED) -> list[PlayEvent]:
    return [e for e in log if e.type in _LANDED and e.zone is zone and e.card is not None]


def _taken_back(log: Sequence[PlayEvent], landing: PlayEvent) -> bool:
    return any(
        e.type is EventType.WITHDRAWN
        and e.zone is Zone.SHARED
        and e.card == landing.card
        and 0 <= e.t - landing.t <= LOST_RACE_S
        for e in log
    )


def compare_logs(
    figures: RoundFigures,
    log: Sequence[PlayEvent],
    truth: Sequence[PlayEvent],
    facts: Mapping[str, Any],
    card_width_px: float,
) -> None:
    """Add one watched round to `figures`; `truth` is the film's log, `facts` its `truth.json`."""
    figures.rounds += 1
    found, true = _landings(effective_events(log)), _landings(truth)
    open_found = list(found)
    for landing in sorted(true, key=lambda e: e.t):
        candidates = [
            e
            for e in open_found
            if e.card == landing.card
            and abs(e.t - landing.t) <= SAME_LANDING_S
            and _near(e, landing, card_width_px)
        ]
        if not candidates:
            if not _taken_back(truth, landing):
                figures.recall.add(False)
                figures.missed.append(f"{landing.card} at {landing.t:.1f} s")
            continue
        best = min(candidates, key=lambda e: abs(e.t - landing.t))
        open_found.remove(best)
        if not _taken_back(truth, landing):
            figures.recall.add(True)
        figures.precision.add(True)
        figures.time_errors_s.append(abs(best.t - landing.t))
        figures.seat_undecided.add(best.seat is None)
        if best.seat is not None:
            figures.seat.add(best.seat == landing.seat)
    for extra in open_found:
        if not _taken_back(log, extra):
            figures.precision.add(False)
            figures.invented.append(f"{extra.card} at {extra.t:.1f} s")
    moved_s = [e.t for e in truth if e.type is EventType.CAMERA_MOVED]
    _rulings(figures, log, facts["infringements"], moved_s)
    standing = effective_events(log)
    _own(figures.side_recall, figures.side_precision, standing, truth, Zone.SIDE)
    _own(figures.wood_recall, figures.wood_precision, standing, truth, Zone.WOOD)
    seen = sorted(str(top) for top in fold(standing).tops())
    figures.tops_exact.add(seen == sorted(str(Card.from_json(top)) for top in facts["tops"]))


def _near(a: PlayEvent, b: PlayEvent, width_px: float) -> bool:
    if a.at is None or b.at is None:
        return True
    return float(np.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1])) <= SAME_PLACE_WIDTHS * width_px


def _own(
    recall: Share, precision: Share, log: Sequence[PlayEvent], truth: Sequence[PlayEvent], zone: Zone
) -> None:
    """Cards that came to show on the players' own piles of this zone; those that were dealt do not count.

    A wood top is right at any time at which it is the top: how long it has been so is told by nothing.
    """
    found, true = ([e for e in _landings(lines, zone) if "dealt" not in e.extra] for lines in (log, truth))
    changes = [e for e in truth if e.zone is zone is Zone.WOOD]
    for one in sorted(true, key=lambda e: e.t):
        until_s = next((e.t for e in changes if e.seat == one.seat and e.t > one.t), one.t)
        fits = [
            e
            for e in found
            if (e.card, e.seat) == (one.card, one.seat)
            and -SAME_LANDING_S <= e.t - one.t <= until_s - one.t + SAME_LANDING_S
        ]
        recall.add(bool(fits))
        if fits:
            found.remove(fits[0])
            precision.add(True)
    for _ in found:
        precision.add(False)


def _rulings(
    figures: RoundFigures,
    log: Sequence[PlayEvent],
    infringements: Sequence[dict[str, Any]],
    moved_s: Sequence[float],
) -> None:
    raised = [
        e for e in log if e.type is EventType.RULING and str(e.extra["severity"]) in ("foul", "warning")
    ]
    for wanted in infringements:
        fits = [e for e in raised if e.extra["rule"] == wanted["rule"] and _about(e.t, wanted["t"])]
        figures.infringements.add(bool(fits))
        if fits:
            raised.remove(fits[0])
    for at_s in moved_s:
        true = next((e for e in raised if e.extra["rule"] == MOVED_RULE and _about(e.t, at_s)), None)
        if true is not None:
            raised.remove(true)
    figures.false_fouls += sum(str(e.extra["severity"]) == "foul" for e in raised)
    figures.false_warnings += sum(str(e.extra["severity"]) == "warning" for e in raised)


def _about(t_s: float, true_s: float) -> bool:
    return -RULING_BEFORE_S <= t_s - true_s <= RULING_AFTER_S
