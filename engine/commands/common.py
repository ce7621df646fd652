"""What all commands share: plain errors, progress, and files that are whole or absent."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, NoReturn

import typer

from referee.events import LogError, PlayEvent, read_log
from referee.rounds import RoundError
from referee.rulesets import Ruleset, parse_option, ruleset

DONE, NOT_RIGHT, WRONG_USE = 0, 1, 2
QUIET_S = 2.0
"""Progress is shown once a command has run this long."""

HOUSEHOLD = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the enrolled decks and taught words; without it the usual one.", metavar="DIR"
    ),
]


def fail(message: str) -> NoReturn:
    """End with status 2 and one plain line."""
    print(f"blitzref: {' '.join(str(message).split())}", file=sys.stderr)
    raise typer.Exit(WRONG_USE)


def user_errors() -> tuple[type[Exception], ...]:
    """What is raised for the mistakes of a user: each with one plain sentence.

    Their modules are loaded only when something went wrong: all of them together take a second.
    """
    from datasets.speech import SpeechError
    from engine.club_database import ClubError
    from engine.household import EnrolmentError
    from engine.joining import JoinError
    from engine.record import RecordError
    from engine.serve import ServeError
    from engine.setup_file import SetupError
    from hearing.microphone import MicrophoneError
    from hearing.utterances import WordError
    from referee.fold import CorrectionError
    from referee.match import MatchError
    from referee.rulesets import OptionError
    from referee.scoring import ScoringError
    from vision.models import ModelError
    from vision.sources import SourceError

    return (
        SourceError,
        SetupError,
        LogError,
        CorrectionError,
        RoundError,
        MatchError,
        OptionError,
        ScoringError,
        ModelError,
        RecordError,
        ServeError,
        EnrolmentError,
        JoinError,
        ClubError,
        WordError,
        MicrophoneError,
        SpeechError,
    )


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn the mistakes of a user into one plain line and status 2."""
    try:
        yield
    except typer.Exit:
        raise
    except user_errors() as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or 'a file'} cannot be used: {error.strerror or error}; check the path.")


def show_json(value: object) -> None:
    """One JSON value on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=1))


class Progress:
    """A line on standard error that says how far a long command is; silent for short ones."""

    def __init__(self, what: str, clock: Callable[[], float] = monotonic) -> None:
        self._what = what
        self._clock = clock
        self._started_s = clock()
        self._shown_s = self._started_s
        self._shown = False

    def at(self, done: int, total: int | None) -> None:
        """Say that `done` of `total` are finished."""
        now = self._clock()
        if now - self._started_s < QUIET_S or now - self._shown_s < 0.5:
            return
        self._shown_s, self._shown = now, True
        of = "" if total is None else f" of {total}"
        sys.stderr.write(f"\r{self._what}: {done}{of}   ")
        sys.stderr.flush()

    def end(self) -> None:
        """Finish the line."""
        if self._shown:
            sys.stderr.write("\n")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load_log(path: Path) -> list[PlayEvent]:
    """The events of a log file.

    Raises:
        LogError: if it cannot be read, naming the line.
    """
    try:
        with path.open(encoding="utf-8-sig") as lines:
            return list(read_log(lines))
    except FileNotFoundError as error:
        raise LogError(f"{path} does not exist; give the path of an events.jsonl") from error
    except (OSError, UnicodeDecodeError) as error:
        raise LogError(f"{path} cannot be read as text; give the path of an events.jsonl") from error


def load_object(path: Path) -> Mapping[str, Any]:
    """The JSON object in a file.

    Raises:
        RoundError: if the file is missing or holds no JSON object.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise RoundError(f"{path} does not exist; give the path of a JSON file") from error
    except (OSError, ValueError, RecursionError) as error:
        raise RoundError(f"{path} is not JSON; give the path of a JSON file") from error
    if not isinstance(data, dict):
        raise RoundError(f"{path} holds no JSON object in braces")
    return data


def rules_from(name: str, settings: list[str]) -> Ruleset:
    """The ruleset with its `option=value` settings.

    Raises:
        OptionError: naming what does not exist or does not fit.
    """
    return ruleset(name, **dict(parse_option(text) for text in settings))
