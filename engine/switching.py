"""The table on another source while the program runs: another camera, the example, and back again."""

from __future__ import annotations

import threading

from engine import serve
from engine.example import BUNDLE, CALLS, FILM, SETUP
from engine.kept import KeptChoices
from engine.parts import is_live
from engine.record import RecordError
from engine.settings import Settings
from engine.setup_file import SetupError
from referee.events import LogError
from referee.rulesets import OptionError
from vision.sources import SourceError

EXAMPLE_FOLDER = "example"
"""The example has a record of its own inside the data folder, so that it never mixes with real games."""
FAULTS = (RecordError, SetupError, SourceError, OptionError, LogError)

_switching = threading.Lock()


class SwitchError(ValueError):
    """Another source that cannot be used; the message is one plain sentence."""


def example_settings(settings: Settings) -> Settings:
    """The settings under which the example is shown."""
    return settings.model_copy(
        update={
            "source": str(BUNDLE / FILM),
            "setup": BUNDLE / SETUP,
            "calls": BUNDLE / CALLS,
            "data_dir": settings.data_dir / EXAMPLE_FOLDER,
        }
    )


def shows_example() -> bool:
    """Whether the example is on the table."""
    table = serve.current_table()
    return table is not None and table.source_name == str(BUNDLE / FILM)


def open_example() -> None:
    """Put the example on the table; it is played from its beginning.

    Raises:
        SwitchError: if it cannot be opened; then the table stays as it was.
    """
    _switch(example_settings(Settings()))


def open_own() -> None:
    """Put the own table back.

    Raises:
        SwitchError: if it cannot be opened; then the table stays as it was.
    """
    _switch(Settings())


def open_source(source: str) -> None:
    """Put the table on another camera, stream or video; a camera or stream is remembered.

    Raises:
        SwitchError: if it cannot be opened; then the table stays as it was.
    """
    settings = Settings()
    _switch(settings.model_copy(update={"source": source, "calls": None}))
    if not is_live(source):
        return
    try:
        KeptChoices(settings.data_dir).set_source(source)
    except SetupError as error:
        raise SwitchError(str(error)) from error


def _switch(settings: Settings) -> None:
    if serve.current_club() is not None:
        raise SwitchError("This table belongs to a club: start it with --source to use another camera.")
    with _switching:
        before = serve.current_table()
        serve.close_table()
        try:
            serve.open_table(settings)
        except FAULTS as error:
            if before is not None:
                serve.open_table(before.settings)
            raise SwitchError(_sentence(str(error))) from error


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
