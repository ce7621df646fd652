"""A whole recording without a browser: every frame in order, the same result each time."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from engine.ahead import read_ahead
from engine.capture import Source
from engine.clips import save_clip
from engine.ears import Ears
from engine.evidence import EvidenceStore, FrameRing
from engine.hub import PlayerView, RoundView
from engine.pipeline import Pipeline
from engine.pipeline_parts import PipelineParts, PipelineRules, Watcher
from engine.round_fold import fold_round
from engine.scores import is_caller
from engine.settings import Settings
from referee.bonuses import finished_piles
from referee.events import EventType, PlayEvent, Zone, write_line
from referee.fold import effective_events, fold
from referee.judge import Judge
from referee.rounds import Round, write_round
from referee.rulesets import Ruleset
from referee.scoring import PlayerCount, ScoringError
from vision.types import Frame

PRODUCTS = ("events.jsonl", "round.json", "evidence")


@dataclass(frozen=True, slots=True)
class Watched:
    """What watching gave: the log, and the content of `round.json`."""

    log: tuple[PlayEvent, ...]
    round_json: dict[str, Any]


def watch(
    source: Source,
    rules: Ruleset,
    make_watcher: Callable[[], Watcher],
    settings: Settings,
    *,
    players: Sequence[PlayerView] = (),
    out: Path | None = None,
    progress: Callable[[int, float], None] | None = None,
    ahead: bool = True,
    ears: Ears | None = None,
) -> Watched:
    """Watch `source` to its end or Ctrl-C; with `out` write the log, the round and the
    evidence there.

    Nothing appears under `out` before all of it is complete. `progress` is told frame index and time in s.
    `ahead`: read a film in a thread of its own while the frame before is looked at.

    Raises:
        OSError: if `out` cannot be written.
    """
    with _workshop(out) as folder:
        pipeline = _pipeline(rules, make_watcher, settings, players, folder, ears)
        frames: AbstractContextManager[Iterable[Frame]] = (
            closing(read_ahead(source)) if ahead and not source.live else nullcontext(source)
        )
        try:
            with frames as coming:
                for frame in coming:
                    pipeline.step(frame)
                    if progress is not None:
                        progress(frame.index, frame.t_s)
        except KeyboardInterrupt:
            # Ctrl-C is how a camera is told that the round is over; what was seen is kept.
            pass
        finally:
            source.close()
        pipeline.finish()
        if ears is not None:
            ears.close()
        watched = Watched(pipeline.log, round_json(pipeline.log, rules, players))
        if folder is not None:
            text = "".join(f"{write_line(event)}\n" for event in watched.log)
            (folder / "events.jsonl").write_text(text, encoding="utf-8")
            data = json.dumps(watched.round_json, ensure_ascii=False, indent=1)
            (folder / "round.json").write_text(data + "\n", encoding="utf-8")
            (folder / "evidence").mkdir(exist_ok=True)
    return watched


def _pipeline(
    rules: Ruleset,
    make_watcher: Callable[[], Watcher],
    settings: Settings,
    players: Sequence[PlayerView],
    folder: Path | None,
    ears: Ears | None,
) -> Pipeline:
    ring, store, make_clip = None, None, None
    if folder is not None:
        ring = FrameRing(
            span_s=settings.ring_span_s,
            period_s=settings.ring_period_s,
            max_bytes=settings.ring_mb * 1_000_000,
            quality=settings.jpeg_quality,
        )
        store = EvidenceStore(
            folder / "evidence", max_bytes=settings.evidence_mb * 1_000_000, quality=settings.jpeg_quality
        )
        make_clip = partial(save_clip, store)
    parts = PipelineParts(make_watcher, lambda: Judge(rules), tuple(players), ring, store, make_clip, ears)
    return Pipeline(parts, PipelineRules(call_settle_s=None if rules.is_on("until_no_play") else 8.0))


@contextmanager
def _workshop(out: Path | None) -> Iterator[Path | None]:
    """A folder beside `out` whose content moves into `out` if all goes well and vanishes if not."""
    if out is None:
        yield None
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        yield folder
        out.mkdir(exist_ok=True)
        for name in PRODUCTS:
            if (out / name).is_dir():
                shutil.rmtree(out / name)
            os.replace(folder / name, out / name)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def round_json(log: Sequence[PlayEvent], rules: Ruleset, players: Sequence[PlayerView]) -> dict[str, Any]:
    """`round.json` as far as the log tells it: plays by whose hand brought them, goal cards as last seen.

    What was not seen is null; the count of the backs decides.
    """
    view = fold_round(log)
    counts = provenance_counts(log, players, view)
    tops = fold(log).tops()
    caller = next((count.name for count in counts if count.called), None)
    called_t_s = view.called_t_s
    seats = [player.seat or player.name for player in players] or [count.name for count in counts]
    finished = finished_piles(log, rules, seats)
    try:
        return write_round(Round(rules, tuple(counts), tops, caller, called_t_s, finished=finished))
    except ScoringError:
        entries = [
            {"name": c.name, "deck": c.deck, "played": c.played, "left": c.left, "score": None}
            for c in counts
        ]
        return {
            "ruleset": rules.preset,
            "players": entries,
            "tops": [top.to_json() for top in tops],
            "audit": [],
            "called_by": caller,
            "t_called": called_t_s,
        }


def provenance_counts(
    log: Sequence[PlayEvent], players: Sequence[PlayerView], view: RoundView
) -> list[PlayerCount]:
    """Each player's plays and goal cards as the log saw them; without players, each seat that played."""
    events = effective_events(log)
    played: Counter[str] = Counter()
    left: dict[str, int | None] = {}
    for event in events:
        if event.seat is None:
            continue
        if event.type is EventType.GOAL_COUNT and "count" in event.extra:
            left[event.seat] = event.extra["count"]
        elif event.zone is Zone.SHARED and event.type in (EventType.STARTED, EventType.LANDED):
            played[event.seat] += 1
        elif event.zone is Zone.SHARED and event.type is EventType.WITHDRAWN:
            played[event.seat] -= 1
    known = players or [PlayerView(seat, seat) for seat in sorted(set(played) | set(left))]
    return [
        PlayerCount(
            player.name,
            played.get(player.seat or player.name, 0),
            left.get(player.seat or player.name),
            deck=player.deck,
            called=is_caller(player, view),
        )
        for player in known
    ]
