"""A round to take away: its log, result, subtitles, pictures and clips in one ZIP file."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from engine.evidence import is_evidence_name
from engine.past import Case
from engine.watch import round_json
from referee.events import EventType, PlayEvent, write_line

SHOWN_S = 4.0
"""How long a subtitle stands."""


def log_text(log: Sequence[PlayEvent]) -> str:
    """The content of an `events.jsonl`."""
    return "".join(f"{write_line(event)}\n" for event in log)


def subtitles(log: Sequence[PlayEvent]) -> str:
    """The warnings and fouls as SubRip text, at the times of the recording."""
    rulings = [line for line in log if line.type is EventType.RULING and line.extra["severity"] != "info"]
    blocks = [
        f"{number}\n{_clock(ruling.t)} --> {_clock(ruling.t + SHOWN_S)}\n{ruling.extra['text']}\n"
        for number, ruling in enumerate(sorted(rulings, key=lambda line: line.t), start=1)
    ]
    return "\n".join(blocks)


def _clock(t_s: float) -> str:
    """Hours, minutes, seconds and milliseconds as SubRip writes them."""
    ms = round(max(0.0, t_s) * 1000)
    return f"{ms // 3_600_000:02d}:{ms // 60_000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"


def write_bundle(case: Case, evidence: Path, out: IO[bytes]) -> None:
    """Write the ZIP of a round; `evidence` is the folder of its pictures, which may be missing.

    Raises:
        OSError: if it cannot be written.
    """
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("events.jsonl", log_text(case.log))
        data = round_json(case.log, case.rules, case.players)
        bundle.writestr("round.json", json.dumps(data, ensure_ascii=False, indent=1) + "\n")
        bundle.writestr("rulings.srt", subtitles(case.log))
        pictures = sorted(evidence.iterdir()) if evidence.is_dir() else []
        for path in pictures:
            if is_evidence_name(path.name):
                # They are compressed already.
                bundle.write(path, f"evidence/{path.name}", zipfile.ZIP_STORED)
