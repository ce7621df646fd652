"""The real eyes of a table: the models, the watcher and the sources, put together from the settings."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

from engine.hub import PlayerView
from engine.pipeline import Watcher
from engine.settings import Settings
from engine.setup_file import Setup
from engine.table import TableParts
from referee.rulesets import Ruleset
from vision.reading import Eyes
from vision.sources import open_source
from vision.types import SeenCard

Factory = Callable[[Settings, Setup], TableParts]


def is_live(source: str) -> bool:
    """Whether a source is a camera number or a stream, which may come back, rather than a file that ends."""
    return source.isdigit() or "://" in source


def live_parts(settings: Settings, setup: Setup) -> TableParts:
    """The parts of a real table.

    Raises:
        SourceError: if the source is a file that does not exist or cannot be read.
    """
    from engine.watcher import TableWatcher

    source = settings.source if settings.source is not None else str(setup.camera.source)
    if not is_live(source):
        source = str(Path(source).absolute())
        open_source(source).close()
    photo_eyes: list[Eyes] = []

    def make_watcher(rules: Ruleset, players: tuple[PlayerView, ...]) -> Watcher:
        watcher: Watcher = TableWatcher(rules, players)
        return watcher

    def read_photo(image: Any) -> list[SeenCard]:
        if not photo_eyes:
            photo_eyes.append(Eyes.load())
        return photo_eyes[0].read_still(image)

    return TableParts(
        source_name=source,
        is_live=is_live(source),
        open_source=lambda: open_source(source, clock=monotonic),
        make_watcher=make_watcher,
        read_photo=read_photo,
    )


def find_factory(name: str) -> Factory:
    """The factory that a setting `module:function` names."""
    module, _, function = name.partition(":")
    factory: Factory = getattr(import_module(module), function)
    return factory
