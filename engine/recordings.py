"""Recorded rounds, watched after the fact: each a folder with its log, its result and its evidence."""

from __future__ import annotations

import json
import logging
import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.capture import Source
from engine.evidence import is_evidence_name
from engine.hub import PlayerView
from engine.past import Case, changed_lines, reopened
from engine.pipeline_parts import Watcher
from engine.settings import Settings
from engine.table_command import Command, CommandError
from engine.watch import watch
from referee.events import LogError, PlayEvent, read_log, write_line
from referee.rulesets import OptionError, Ruleset, ruleset
from vision.sources import SourceError

ABOUT, LOG, EVIDENCE = "recording.json", "events.jsonl", "evidence"
INCOMING = "incoming"
MOST_UPLOAD_MB = 1000
_SUFFIXES = frozenset({".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm"})

log = logging.getLogger(__name__)


class RecordingError(ValueError):
    """A recording that cannot be used; the message is one plain sentence that says what to do."""


class _Cancelled(Exception):
    """The watching was called off."""


@dataclass(frozen=True, slots=True)
class Job:
    """A recording that is being watched, or was. `total` frames is None where the file does not tell.

    `fault` is one plain sentence if it went wrong; `key` names the finished recording.
    """

    title: str
    done: int = 0
    total: int | None = None
    running: bool = True
    fault: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class RecordingParts:
    """What watching a recording needs: how to open a file, and eyes of its own."""

    open_file: Callable[[str], Source]
    make_watcher: Callable[[Ruleset, tuple[PlayerView, ...]], Watcher]


class Recordings:
    """The recordings in a folder, and the one that is being watched in a thread of its own."""

    def __init__(self, folder: Path, parts: RecordingParts | None, settings: Settings) -> None:
        self._folder, self._parts, self._settings = folder, parts, settings
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._carried_out: set[str] = set()
        self._case: tuple[tuple[object, ...], Case] | None = None
        self.job: Job | None = None
        # What a killed program left half-done; the data folder belongs to one program at a time.
        for left in (folder / INCOMING, *folder.glob(".*")):
            shutil.rmtree(left, ignore_errors=True)

    @property
    def can_watch(self) -> bool:
        """Whether recordings can be watched here."""
        return self._parts is not None

    def names(self) -> dict[str, str]:
        """The titles of the recordings by their keys, the newest first."""
        abouts = sorted(self._folder.glob(f"*/{ABOUT}"), key=lambda path: path.stat().st_mtime, reverse=True)
        return {path.parent.name: str(self._about(path.parent.name).get("title")) for path in abouts}

    # -- watching -----------------------------------------------------------------------------------------

    def take_in(self, name: str, data: bytes) -> Path:
        """Keep an uploaded video until it has been watched.

        Raises:
            RecordingError: if it is empty, no video by its name, or the disk will not take it.
        """
        suffix = Path(name).suffix.lower()
        if suffix not in _SUFFIXES:
            raise RecordingError(f"{name} is no video by its name; give an MP4, MOV, AVI, MKV or WebM file.")
        if not data:
            raise RecordingError(f"{name} is empty; choose the file again.")
        path = self._folder / INCOMING / f"{_key(Path(name).stem)}{suffix}"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            path.unlink(missing_ok=True)
            raise RecordingError(f"{name} cannot be kept ({error.strerror}); free some space.") from error
        return path

    def start(self, path: Path, title: str, rules: Ruleset, players: tuple[PlayerView, ...]) -> None:
        """Begin to watch a video file.

        Raises:
            RecordingError: if one is being watched already, or the file cannot be opened.
        """
        if self._parts is None:
            raise RecordingError("recordings cannot be watched here.")
        with self._lock:
            if self.job is not None and self.job.running:
                raise RecordingError(f"{self.job.title} is still being watched; wait for it or cancel it.")
            try:
                source = self._parts.open_file(str(path))
            except SourceError as error:
                raise RecordingError(str(error)) from error
            self._stop.clear()
            self.job = Job(title, total=getattr(source, "count", None))
            self._thread = threading.Thread(
                target=self._watch, args=(source, path, title, rules, players), name="recording", daemon=True
            )
            self._thread.start()

    def cancel(self, timeout_s: float = 5.0) -> None:
        """Call the watching off; nothing of it is left behind."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def forget_job(self) -> None:
        """Forget how the last watching went."""
        if self.job is not None and not self.job.running:
            self.job = None

    def _watch(
        self, source: Source, path: Path, title: str, rules: Ruleset, players: tuple[PlayerView, ...]
    ) -> None:
        assert self._parts is not None and self.job is not None
        make_watcher = self._parts.make_watcher
        key = self._free_key(_key(path.stem))
        out = self._folder / key
        job = self.job

        def progress(index: int, t_s: float) -> None:
            if self._stop.is_set():
                raise _Cancelled
            self.job = replace(job, done=index + 1)

        try:
            watch(
                source,
                rules,
                lambda: make_watcher(rules, players),
                self._settings,
                players=players,
                out=out,
                progress=progress,
            )
            about = {
                "title": title,
                "ruleset": rules.preset,
                "options": dict(rules.values),
                "players": [
                    {"name": p.name, "seat": p.seat, "deck": p.deck, "team": p.team} for p in players
                ],
            }
            (out / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
            self.job = replace(self.job, running=False, key=key)
        except _Cancelled:
            self.job = None
        except (OSError, ValueError) as error:
            shutil.rmtree(out, ignore_errors=True)
            self.job = replace(self.job, running=False, fault=str(error))
        except Exception:
            # The last stop of a thread: without it the page would show a bar that never moves again.
            log.exception("a recording could not be watched")
            shutil.rmtree(out, ignore_errors=True)
            fault = "Something went wrong inside, so this recording could not be watched to its end."
            self.job = replace(self.job, running=False, fault=fault)
        finally:
            if path.parent == self._folder / INCOMING:
                path.unlink(missing_ok=True)

    def _free_key(self, wanted: str) -> str:
        taken = {path.name for path in self._folder.glob("*")}
        number = 1
        key = wanted
        while key in taken:
            number += 1
            key = f"{wanted}-{number}"
        return key

    # -- looking at one again -----------------------------------------------------------------------------

    def _about(self, key: str) -> dict[str, Any]:
        try:
            data: dict[str, Any] = json.loads((self._folder / key / ABOUT).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise RecordingError(f"the recording {key} cannot be read; watch the video once more.") from error
        return data

    def case(self, key: str) -> Case:
        """A recording as a round to be looked at.

        Raises:
            RecordingError: if there is none, or it cannot be read.
        """
        if not self._is_key(key):
            raise RecordingError(f"there is no recording {key}.")
        path = self._folder / key / LOG
        stamp = (key, path.stat().st_mtime_ns, path.stat().st_size) if path.exists() else (key,)
        if self._case is not None and self._case[0] == stamp:
            return self._case[1]
        lines, rules, players = self._read(key)
        pipeline = reopened(lines, rules, players)
        case = Case(pipeline.view(), pipeline.log, rules, players, f"/recording/{key}")
        self._case = (stamp, case)
        return case

    def _read(self, key: str) -> tuple[tuple[PlayEvent, ...], Ruleset, tuple[PlayerView, ...]]:
        about = self._about(key)
        try:
            rules = ruleset(about["ruleset"], **about["options"])
            players = tuple(PlayerView(**player) for player in about["players"])
            with (self._folder / key / LOG).open(encoding="utf-8") as lines:
                return tuple(read_log(lines)), rules, players
        except (OSError, LogError, OptionError, KeyError, TypeError) as error:
            raise RecordingError(f"the recording {key} cannot be read; watch the video once more.") from error

    def send(self, key: str, command: Command) -> None:
        """Correct a recording: further lines at the end of its log. The same command is carried out once.

        Raises:
            CommandError: if the command makes no sense there, or the disk will not take it.
            RecordingError: if there is no such recording.
        """
        with self._lock:
            if command.id in self._carried_out:
                return
            if not self._is_key(key):
                raise RecordingError(f"there is no recording {key}.")
            lines, rules, players = self._read(key)
            fresh = changed_lines(lines, rules, players, command)
            try:
                with (self._folder / key / LOG).open("a", encoding="utf-8") as file:
                    file.write("".join(f"{write_line(line)}\n" for line in fresh))
            except OSError as error:
                raise CommandError(f"it cannot be written ({error.strerror}); free some space.") from error
            self._carried_out.add(command.id)

    def evidence(self, key: str, name: str) -> Path | None:
        """The picture or clip of that name, or None."""
        if not self._is_key(key) or not is_evidence_name(name):
            return None
        path = self.evidence_folder(key) / name
        return path if path.is_file() else None

    def evidence_folder(self, key: str) -> Path:
        """Where the pictures of a recording lie."""
        return self._folder / key / EVIDENCE

    def delete(self, key: str) -> None:
        """Delete a recording with all that was kept of it."""
        if self._is_key(key):
            shutil.rmtree(self._folder / key, ignore_errors=True)

    def _is_key(self, key: str) -> bool:
        return _KEY.fullmatch(key) is not None and (self._folder / key / ABOUT).is_file()


_KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


def _key(stem: str) -> str:
    """A folder name made of a title."""
    plain = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:50].strip("-")
    return plain if plain and plain != INCOMING else "recording"
