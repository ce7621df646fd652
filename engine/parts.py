"""The real eyes of a table: the models, the watcher and the sources, put together from the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

from engine.dealing import Dealing, Dealt
from engine.dealt_source import watch_dealing
from engine.ears import open_ears, why_deaf
from engine.enrolling import HouseholdEyes
from engine.household import Household, household_folder
from engine.hub import PlayerView
from engine.outages import SteadyWatcher
from engine.own_decks import OwnDecks
from engine.pipeline_parts import Watcher
from engine.recordings import RecordingParts
from engine.settings import Settings
from engine.setup_file import CalibrationSetup, Setup
from engine.spoken_words import SpokenWords
from engine.table import TableParts
from engine.watcher import TableWatcher
from referee.events import EventType, LogError, PlayEvent, read_log
from referee.rulesets import Ruleset
from vision.bounds import BoundedEyes, TableBounds
from vision.reading import Eyes
from vision.sources import PICTURE_SUFFIXES, SourceOpener, open_source
from vision.types import SeenCard

Factory = Callable[[Settings, Setup], TableParts]


def is_live(source: str) -> bool:
    """Whether a source is a camera number or a stream, which may come back, rather than a file that ends."""
    return source.isdigit() or "://" in source


def read_calls(path: Path) -> tuple[PlayEvent, ...]:
    """The calls of a log.

    Raises:
        LogError: if the log cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            return tuple(event for event in read_log(lines) if event.type is EventType.CALLED)
    except (OSError, UnicodeDecodeError) as error:
        raise LogError(f"the calls {path} cannot be read; give the path of an events.jsonl") from error


def pictures_beside(film: Path) -> tuple[Path, ...]:
    """The pictures that lie beside a recording, as those of its counted cards."""
    if not film.is_file():
        return ()
    return tuple(sorted(path for path in film.parent.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES))


def watcher_of(
    rules: Ruleset,
    players: Sequence[PlayerView],
    eyes: Eyes,
    calibration: CalibrationSetup,
    script: Sequence[PlayEvent] = (),
) -> Watcher:
    """What follows a table: it sees what lies on it alone, and nothing while the sight is lost."""
    known = calibration.table_px is not None or calibration.plane is not None
    if known and calibration.size_px is not None:
        bounds = TableBounds(calibration.table_px, calibration.size_px, calibration.plane)
        eyes = BoundedEyes(eyes, bounds)
    anchors = calibration.seat_shares
    return SteadyWatcher(TableWatcher(rules, players, eyes=eyes, script=script, anchors=anchors))


def live_parts(settings: Settings, setup: Setup) -> TableParts:
    """The parts of a real table.

    Raises:
        SourceError: if the source is a file that does not exist or cannot be read.
        LogError: if the log of the calls cannot be read.
        EnrolmentError: if an enrolled deck is damaged.
    """
    source = settings.source if settings.source is not None else str(setup.camera.source)
    if not is_live(source):
        source = str(Path(source).absolute())
        open_source(source).close()
    calls = () if settings.calls is None else read_calls(settings.calls)
    # One pair of eyes follows the game, others read photographs, recordings and dealt cards: each is used
    # in one thread at a time, and loaded only when it is needed.
    household = household_folder(settings)
    known = HouseholdEyes(Household(household))
    table_eyes, photo_eyes, film_eyes, dealt_eyes = (cache(known.load) for _ in range(4))
    calibration = setup.calibration

    def make_watcher(rules: Ruleset, players: tuple[PlayerView, ...]) -> Watcher:
        return watcher_of(rules, players, table_eyes(), calibration, calls)

    def make_film_watcher(rules: Ruleset, players: tuple[PlayerView, ...]) -> Watcher:
        return watcher_of(rules, players, film_eyes(), CalibrationSetup())

    def watch_dealt(source: Any, dealing: Dealing) -> Iterator[Dealt]:
        return watch_dealing(source, dealt_eyes(), dealing)

    def read_photo(image: Any) -> list[SeenCard]:
        return photo_eyes().read_still(image)

    return TableParts(
        source_name=source,
        is_live=is_live(source),
        open_source=SourceOpener(source, clock=monotonic),
        make_watcher=make_watcher,
        read_photo=read_photo,
        photographs=() if is_live(source) else pictures_beside(Path(source)),
        watch_dealt=watch_dealt,
        own_decks=OwnDecks(known, photo_eyes),
        recordings=RecordingParts(open_source, make_film_watcher),
        ears=open_ears(source, household) if settings.hearing else None,
        spoken_words=SpokenWords(household, partial(why_deaf, source)) if settings.hearing else None,
    )


def find_factory(name: str) -> Factory:
    """The factory that a setting `module:function` names."""
    module, _, function = name.partition(":")
    factory: Factory = getattr(import_module(module), function)
    return factory
