"""What can be taken away through an address of its own: rounds as ZIP files, matches as sheets and tables."""

from __future__ import annotations

import tempfile
from pathlib import Path

from dashboard.sheet import sheet_html
from engine.bundle import write_bundle
from engine.recordings import RecordingError
from engine.scores import match_view
from engine.serve import current_table
from referee.match import match_to_csv, match_to_json


def packed(kind: str, key: str) -> Path | None:
    """A round or a recording with all that belongs to it as a temporary ZIP file, or None."""
    table = current_table()
    if table is None:
        return None
    if kind == "recording":
        try:
            case = table.recordings.case(key)
        except RecordingError:
            return None
        folder = table.recordings.evidence_folder(key)
    elif kind == "round" and key.isdigit():
        found = table.case(int(key))
        if found is None:
            return None
        case, folder = found, table.evidence_folder(int(key))
    else:
        return None
    with tempfile.NamedTemporaryFile(prefix="blitzref-", suffix=".zip", delete=False) as out:
        try:
            write_bundle(case, folder, out)
        except BaseException:
            Path(out.name).unlink(missing_ok=True)
            raise
    return Path(out.name)


def match_text(match_id: int, form: str) -> tuple[str, str] | None:
    """The record of a match in that form and its media type, or None."""
    table = current_table()
    found = None if table is None else table.history.match(match_id)
    if found is None:
        return None
    stored, scored = found
    match form:
        case "csv":
            return match_to_csv(scored.match), "text/csv; charset=utf-8"
        case "json":
            return match_to_json(scored.match) + "\n", "application/json"
        case "html":
            view = match_view(stored.match_id, scored, stored.players)
            return sheet_html(stored.started_at, view), "text/html; charset=utf-8"
    return None
