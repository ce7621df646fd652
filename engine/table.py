"""One running table: capture thread -> pipeline thread -> writer thread, and the snapshot for the pages."""

from __future__ import annotations

import gc
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, time_ns
from typing import Any

import numpy as np

from engine.calibration import calibrate, draw_report
from engine.capture import Capture, CapturePlan, Delivery, Inbox, Source
from engine.clips import ClipWriter
from engine.corrections import CorrectionStore, Label
from engine.ears import Ears
from engine.enrolling import Enrolled
from engine.evidence import EvidenceStore, FrameRing, encode_jpeg, is_evidence_name, trim_rounds
from engine.history import History
from engine.hub import (
    CameraHealth,
    CameraState,
    DraftScore,
    MatchView,
    Mode,
    Phase,
    PlayerView,
    RoundView,
    Snapshot,
    SnapshotHub,
)
from engine.kept import KeptChoices
from engine.meanwhile import said_already
from engine.numbers import MatchNumbers, match_numbers
from engine.own_decks import OwnDecks
from engine.painting import Painter
from engine.past import Case, changed_lines, check_confirmation, reopened
from engine.photo import PhotoError, PhotoReader, PhotoResult, decoded, read_image, read_upload
from engine.pipeline import Pipeline
from engine.pipeline_parts import PipelineParts, PipelineRules, Watcher
from engine.readiness import PictureReport, picture_checks
from engine.record import (
    FILE_NAME,
    Batch,
    ChangedMatch,
    Entry,
    FolderLock,
    NewMatch,
    NewPlayers,
    NewRound,
    Reader,
    StoredMatch,
    StoredRound,
    Writer,
    migrate,
)
from engine.recordings import RecordingParts, Recordings
from engine.scores import draft, fold_match, match_of, match_view, rules_of, view_of
from engine.settings import Settings
from engine.setup_file import Setup, SetupError
from engine.spoken_words import SpokenWords
from engine.table_command import Command, CommandError, CommandKind
from engine.tally import Tally, WatchDealt
from referee.cards import Card, Family
from referee.events import EventType, PlayEvent
from referee.judge import Judge
from referee.options import OptionValue
from referee.rulesets import OptionError, Ruleset, changed_options, ruleset
from vision.calibration import CardSize
from vision.types import SeenCard

log = logging.getLogger(__name__)

DISK_TROUBLE = "The record cannot be written just now ({reason}); the game goes on and it is tried again."
EYES_TROUBLE = "The referee stumbled over a picture and looks afresh; check the last plays."
STOPPED = "The referee has stopped after a fault of its own; start the program again, nothing is lost."
NOT_DONE = "something went wrong inside, so nothing was done."
EYES_GAVE_UP = "The referee stopped watching after repeated faults; count by hand or start the program again."
DARK = "The picture is almost black; turn on a light, or take the cap off the camera."
NO_EYES = "Pictures cannot be read here; choose and type instead."
NOT_KEPT = "The corrected card cannot be kept ({reason}); the count goes on. Free some space."
FILM_S, FILM_FRAMES = 0.8, 16
"""So long, and for so many pictures, the camera is looked at for flicker and shaking."""
NO_PICTURE_YET = "The camera has given no picture yet; try again in a moment."
DARK_LEVEL = 18
"""Mean brightness (0-255) below which no card can be read."""
CORRECTIONS = "corrections"
LINES_WAITING = 1000
STUMBLES = 3
OF_THE_MATCH = frozenset(
    {CommandKind.NEW_MATCH, CommandKind.PLAYERS, CommandKind.RULES, CommandKind.RESUME_MATCH}
)
MATCH_CHANGED = "somebody else has changed the match meanwhile; look at the page once more."
ROUND_OVER = "somebody else has gone on to another round; look at the page once more."


@dataclass(frozen=True, slots=True)
class TableParts:
    """What the outside gives a table. `is_live` False: a file that ends and is watched frame by frame.

    `photographs`: pictures that belong to a recording, as those of the cards counted after its round. `ears`
    hear the calls of all rounds; None: calls come from the button alone. `spoken_words` teaches the calls.
    """

    source_name: str
    is_live: bool
    open_source: Callable[[], Source]
    make_watcher: Callable[[Ruleset, tuple[PlayerView, ...]], Watcher]
    read_photo: PhotoReader | None = None
    photographs: tuple[Path, ...] = ()
    recordings: RecordingParts | None = None
    watch_dealt: WatchDealt | None = None
    own_decks: OwnDecks | None = None
    ears: Ears | None = None
    spoken_words: SpokenWords | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a command; `message` is one plain sentence where it was refused."""

    done: bool
    message: str = ""


class Table:
    """Owns its threads. Pages read `hub.snapshot` and call `send`; nothing else.

    Raises:
        RecordError: if the data folder is in use or cannot be read.
        OptionError: if the setup names rules that do not exist.
    """

    def __init__(self, parts: TableParts, settings: Settings, setup: Setup) -> None:
        self.hub = SnapshotHub()
        self.token = f"{time_ns():x}"
        self._parts, self._settings = parts, settings
        self._base = ruleset(setup.ruleset, **setup.options)
        self._rules = self._base
        self._setup_players = tuple(PlayerView(p.name, p.seat, p.deck, p.team) for p in setup.players)
        self._lock = FolderLock(settings.data_dir)
        self.kept = KeptChoices(settings.data_dir)
        self._mode = self.kept.mode
        self._clips = ClipWriter()
        self._painter = Painter(self.hub, settings.live_width_px, settings.jpeg_quality)
        self.history = History(settings.data_dir)
        self.corrections = CorrectionStore(settings.data_dir / CORRECTIONS)
        self.report: PictureReport | None = None
        self.tally = Tally(lambda: self.hub.still, parts.watch_dealt)
        self.recordings = Recordings(settings.data_dir / "recordings", parts.recordings, settings)
        self._path = settings.data_dir / FILE_NAME
        self._stop = threading.Event()
        self._inbox: Inbox[Command] = Inbox()
        self._entries: queue.Queue[list[Entry]] = queue.Queue(LINES_WAITING)
        self._photo_lock = threading.Lock()
        self._write_problem: str | None = None
        self._eyes_problem: str | None = None
        self._dark_problem: str | None = None
        self._stumbles = 0
        self._started = False
        self._lost = False
        self._finished = False
        self._gap_s, self._lag_s = 0.0, 0.0
        self._size_px: tuple[int, int] | None = None
        self._last_came_at_s = monotonic()
        self._drawn_at_s = self._brightness_at_s = -1e9
        self._version = 0
        self._known: set[str] = set()
        self._editions = 0
        self._settled: tuple[CommandKind, Mapping[str, Any]] | None = None
        self._camera_state = CameraState.STARTING
        self._stored_s = -1e9
        self._past: list[StoredRound] = []
        self._scores_key: tuple[object, ...] = ()
        self._scores = (MatchView(), DraftScore())
        self._case_key: tuple[object, ...] = ()
        self._case: Case | None = None
        self._numbers: tuple[object, MatchNumbers] = (None, MatchNumbers())
        self._pipeline_thread = threading.Thread(target=self._run, name="pipeline", daemon=True)
        self._writer_thread = threading.Thread(target=self._write, name="writer", daemon=True)
        try:
            migrate(self._path)
            self._open_match()
        except BaseException:
            self._lock.release()
            raise
        self._capture = Capture(self._parts.open_source, self._inbox, self._plan())
        self._publish()

    # -- opening and ending -------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the threads."""
        self._started = True
        self._last_came_at_s = monotonic()
        self._writer_thread.start()
        self._pipeline_thread.start()
        self._clips.start()
        self._painter.start()
        self._capture.start()

    def stop(self) -> None:
        """End the threads, write what waits, give the device and the folder back."""
        self._stop.set()
        self._inbox.close()
        if self._started:
            self._started = False
            self._capture.stop(self._settings.stop_s / 2)
            self.recordings.cancel(self._settings.stop_s)
            self.tally.stop(self._settings.stop_s)
            self._pipeline_thread.join(self._settings.stop_s)
            self._writer_thread.join(self._settings.stop_s)
            self._clips.stop(self._settings.stop_s)
            self._painter.stop(self._settings.stop_s)
        if self._parts.ears is not None:
            self._parts.ears.close()
        self._lock.release()

    def _open_match(self) -> None:
        """Go on with the match used last if it is the same game on the same source, else open a new one."""
        reader = Reader(self._path)
        try:
            self._last_match_id, self._round_id = reader.last_match_id(), reader.last_round_id()
            stored = reader.match(reader.used_match_id())
            if stored is not None and self._settings.setup is None and not self._setup_players:
                # Without a setup the last game is played on, and the same people play the next one.
                self._base = ruleset(stored.ruleset, **stored.options)
                self._setup_players = stored.players
            if stored is None or not self._goes_on(stored):
                self._new_match(self._setup_players)
            else:
                point = reader.checkpoint(stored.rounds[-1].round_id)
                if point is not None and point.finished and not self._parts.is_live:
                    # The video was played to its end: opening it once more plays it once more.
                    self._new_match(stored.players)
                else:
                    self._take_up(stored, reader)
            self._put([Batch(self._round[0], (), f"open:{self.token}")])
        finally:
            reader.close()

    def _take_up(self, stored: StoredMatch, reader: Reader) -> None:
        """Go on with a stored match in its last round."""
        last = stored.rounds[-1]
        self._match_id = stored.match_id
        self._seat(stored.players)
        self._past = [r for r in stored.rounds[:-1] if r.log]
        self._round = (last.round_id, last.number)
        self._known.update(*(reader.commands(one.round_id) for one in stored.rounds))
        self._pipeline = Pipeline(
            self._pipeline_parts(last.round_id),
            self._pipeline_rules(),
            log=last.log,
            commands=reader.commands(last.round_id),
            checkpoint=reader.checkpoint(last.round_id),
        )
        if self._parts.is_live and self._pipeline.phase in (Phase.PLAYING, Phase.PAUSED, Phase.CALLED):
            self._store(self._pipeline.note(EventType.GAP, reason="restart"))

    def _goes_on(self, stored: StoredMatch) -> bool:
        same_game = (stored.ruleset, stored.options) == (self._base.preset, dict(self._base.values))
        same_players = not self._setup_players or stored.players == self._setup_players
        return (
            bool(stored.rounds and same_game and same_players and stored.source == self._parts.source_name)
            and not match_of(stored).match.standing.over
        )

    def _seat(self, players: tuple[PlayerView, ...]) -> None:
        """Who plays, and the variant of the rules for that many.

        Raises:
            OptionError: if the game is not played by so many.
        """
        self._rules = rules_of(self._base, players)
        self._players = players

    def _new_match(self, players: tuple[PlayerView, ...]) -> None:
        self._last_match_id += 1
        self._match_id = self._last_match_id
        self._seat(players)
        self._past = []
        options = dict(self._base.values)
        name, preset = self._parts.source_name, self._base.preset
        self._put(
            [NewMatch(self._match_id, name, preset, options, _now()), NewPlayers(self._match_id, players)]
        )
        self._new_round(1, 0.0)

    def _new_round(self, number: int, start_s: float) -> None:
        self._round_id += 1
        self._round = (self._round_id, number)
        self._put([NewRound(self._round_id, self._match_id, number, _now())])
        self._pipeline = Pipeline(
            self._pipeline_parts(self._round_id), self._pipeline_rules(), start_s=start_s
        )
        # The eyes of the round before hold each other in circles, and some 50 MB of pictures with them.
        gc.collect()

    def _pipeline_parts(self, round_id: int) -> PipelineParts:
        s = self._settings
        trim_rounds(s.data_dir / "evidence", s.evidence_mb * 1_000_000)
        store = EvidenceStore(
            self.evidence_folder(round_id), max_bytes=s.evidence_mb * 1_000_000, quality=s.jpeg_quality
        )
        return PipelineParts(
            make_watcher=lambda: self._parts.make_watcher(self._rules, self._players),
            make_judge=lambda: Judge(self._rules),
            players=self._players,
            ring=FrameRing(
                span_s=s.ring_span_s,
                period_s=s.ring_period_s,
                max_bytes=s.ring_mb * 1_000_000,
                quality=s.jpeg_quality,
            ),
            evidence=store,
            make_clip=lambda name, frames: self._clips.put(store, name, frames),
            ears=self._parts.ears,
        )

    def _pipeline_rules(self) -> PipelineRules:
        return PipelineRules(
            auto_start=not self._parts.is_live,
            call_settle_s=None if self._rules.is_on("until_no_play") else 8.0,
            feed_lines=self._settings.feed_lines,
        )

    def _plan(self) -> CapturePlan:
        s = self._settings
        return CapturePlan(
            first_index=self._pipeline.frame_index + 1,
            first_s=self._pipeline.t_s,
            pace=s.file_pace,
            late_s=s.file_late_s,
            retry_s=s.camera_retry_s,
            retry_most_s=s.camera_retry_most_s,
        )

    def evidence_folder(self, round_id: int) -> Path:
        """Where the pictures of a round lie."""
        return self._settings.data_dir / "evidence" / f"round-{round_id}"

    # -- what pages and routes call -----------------------------------------------------------------------

    def send(self, command: Command, wait_s: float = 1.0) -> Outcome:
        """Hand a command to the pipeline thread and wait a little for what became of it."""
        future = self._inbox.put_command(command)
        try:
            future.result(wait_s)
        except CommandError as error:
            return Outcome(False, str(error))
        except TimeoutError:
            return Outcome(True)
        except (RuntimeError, OSError) as error:
            return Outcome(False, str(error))
        return Outcome(True)

    def evidence(self, round_id: int, name: str) -> Path | None:
        """The picture or clip of that name, or None; never anything outside the evidence folder."""
        if not is_evidence_name(name):
            return None
        path = self.evidence_folder(round_id) / name
        return path if path.is_file() else None

    def read_photo(self, data: bytes) -> PhotoResult:
        """Read the cards of an uploaded picture; one at a time, since it takes the whole processor.

        Raises:
            PhotoError: if it is no picture or too large.
        """
        with self._photo_lock:
            return read_upload(data, self._parts.read_photo)

    def read_still(self) -> PhotoResult:
        """Read the cards of the table camera's newest picture.

        Raises:
            PhotoError: if there is no picture yet.
        """
        image = self.hub.still
        if image is None:
            raise PhotoError(NO_PICTURE_YET)
        with self._photo_lock:
            return read_image(image, self._parts.read_photo)

    def check_picture(self) -> PictureReport:
        """Look at the newest pictures of the table: view, scale, light, glare, and whether cards can be read.

        Raises:
            PhotoError: if there is no picture yet, or nothing that can find cards.
        """
        reader = self._parts.read_photo
        if reader is None:
            raise PhotoError(NO_EYES)
        film = self._film()
        seen: list[SeenCard] = []

        def find_cards(image: Any) -> list[SeenCard]:
            seen.extend(reader(image))
            return seen

        known: CardSize | None = "blitz" if self._rules.family is Family.BLITZ else None
        with self._photo_lock:
            report = calibrate(film[-1], find_cards, film=film, cards=known)
        # The checks stand beside the picture; on it they would hide the cards.
        drawn = draw_report(film[-1], replace(report, checks=()))
        self.report = PictureReport(
            picture_checks(report, seen),
            encode_jpeg(np.asarray(drawn, np.uint8), self._settings.jpeg_quality),
        )
        return self.report

    def teach_deck(self, name: str, data: bytes | None = None) -> Enrolled:
        """Learn an own deck from an uploaded picture, or from the table camera's newest one.

        Raises:
            PhotoError: if there is no picture, or it cannot be read.
            EnrolmentError: if nothing on it can be kept, or the name cannot be used.
        """
        decks = self._parts.own_decks
        if decks is None:
            raise PhotoError(NO_EYES)
        if data is None:
            image = self.hub.still
            if image is None:
                raise PhotoError(NO_PICTURE_YET)
        else:
            image = decoded(data)
        with self._photo_lock:
            return decks.enrol([image], name)

    def forget_deck(self, name: str) -> None:
        """Forget an own deck.

        Raises:
            EnrolmentError: if there is none of that name.
        """
        if self._parts.own_decks is not None:
            with self._photo_lock:
                self._parts.own_decks.remove(name)

    def own_decks(self) -> tuple[str, ...]:
        """The names of the decks that were taught here.

        Raises:
            EnrolmentError: if one of them is damaged.
        """
        return () if self._parts.own_decks is None else self._parts.own_decks.names()

    @property
    def spoken_words(self) -> SpokenWords | None:
        """The calls that are taught here; None where nothing is listened for."""
        return self._parts.spoken_words

    @property
    def can_teach_decks(self) -> bool:
        """Whether own decks can be taught."""
        return self._parts.own_decks is not None

    def keep_correction(self, photo: PhotoResult, index: int, card: Card | None, deck: str | None) -> None:
        """Keep card `index` of a photograph as a labelled picture, as far as that was allowed.

        Raises:
            PhotoError: if the disk will not take it.
        """
        seen = photo.cards[index]
        if not self.corrections.allowed:
            return
        try:
            self.corrections.add(
                photo.full_size(), seen.detection.quad, Label(card, deck), seen.reading, _now()
            )
        except OSError as error:
            raise PhotoError(NOT_KEPT.format(reason=error.strerror or error)) from error

    def _film(self) -> list[Any]:
        """The newest pictures one after another, as many as come in a short while.

        Raises:
            PhotoError: if there is none yet.
        """
        film: list[Any] = []
        end_s = monotonic() + FILM_S
        while monotonic() < end_s and len(film) < FILM_FRAMES:
            image = self.hub.still
            if image is not None and (not film or image is not film[-1]):
                film.append(image)
            self._stop.wait(0.01)
        if not film:
            raise PhotoError(NO_PICTURE_YET)
        return film

    def read_beside(self, name: str) -> PhotoResult:
        """Read the cards of a picture that belongs to the recording.

        Raises:
            PhotoError: if there is no such picture.
        """
        path = next((path for path in self._parts.photographs if path.name == name), None)
        if path is None:
            raise PhotoError(f"There is no picture {name} with this recording.")
        return self.read_photo(path.read_bytes())

    @property
    def photographs(self) -> tuple[str, ...]:
        """The names of the pictures that belong to the recording."""
        return tuple(path.name for path in self._parts.photographs)

    @property
    def can_read_photos(self) -> bool:
        """Whether photographs can be counted."""
        return self._parts.read_photo is not None

    @property
    def house_rules(self) -> dict[str, OptionValue]:
        """The options that were chosen otherwise than the game has them."""
        return changed_options(self._base)

    @property
    def settings(self) -> Settings:
        """The settings that it was opened with."""
        return self._settings

    @property
    def source_name(self) -> str:
        """The camera, video or stream that it looks at."""
        return self._parts.source_name

    @property
    def rules(self) -> Ruleset:
        """The rules that are played."""
        return self._rules

    def case(self, round_id: int) -> Case | None:
        """A round of this match, to be looked at again; None if it is not part of it."""
        view = self.hub.snapshot.round
        if round_id == view.round_id:
            return Case(view, self._pipeline.log, self._rules, self._players, f"/evidence/{round_id}", True)
        stored = next((one for one in self._past if one.round_id == round_id), None)
        if stored is None:
            return None
        key = (round_id, len(stored.log), self._rules, self._players)
        if self._case_key != key:
            past = reopened(stored.log, self._rules, self._players)
            view = replace(past.view(), number=stored.number, round_id=round_id)
            self._case = Case(view, past.log, self._rules, self._players, f"/evidence/{round_id}")
            self._case_key = key
        return self._case

    def numbers(self) -> MatchNumbers:
        """The figures of the match so far."""
        logs = [stored.log for stored in self._past] + [self._pipeline.log]
        key = (self._scores_key, tuple(map(len, logs)))
        if self._numbers[0] != key:
            self._numbers = (key, match_numbers(self.hub.snapshot.match, logs))
        return self._numbers[1]

    def rounds(self) -> tuple[tuple[int, int], ...]:
        """(number, id) of the rounds of this match that have a log, the newest first."""
        past = tuple((stored.number, stored.round_id) for stored in self._past)
        return ((self._round[1], self._round[0]), *reversed(past))

    # -- the pipeline thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                commands, delivery = self._inbox.take(0.1)
                for command, future in commands:
                    self._answer(command, future)
                if delivery is not None:
                    self._look(delivery)
                self._mind_camera()
                self._publish()
        except Exception:
            # The last stop of a thread: without it the pages would go on showing a table that is not watched.
            log.exception("the pipeline thread ended")
            self._inbox.close()
            self.hub.publish(replace(self.hub.snapshot, problems=(STOPPED,)))

    def _answer(self, command: Command, future: Future[Any]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            self._carry_out(command)
        except CommandError as error:
            future.set_exception(error)
        except Exception:
            log.exception("the command %s could not be carried out", command.kind)
            future.set_exception(CommandError(NOT_DONE))
        else:
            self._publish()
            future.set_result(None)

    def _carry_out(self, command: Command) -> None:
        if command.id in self._known or self._said_already(command):
            return
        self._do(command)
        self._known.add(command.id)
        if command.kind in OF_THE_MATCH:
            self._editions += 1
            self._settled = (command.kind, command.values)

    def _said_already(self, command: Command) -> bool:
        """Whether somebody else did the same since the page was looked at.

        Raises:
            CommandError: if others did something else meanwhile that the command would overturn unseen.
        """
        seen = command.seen
        if seen is None or command.kind is CommandKind.MODE:
            return False
        if command.kind in OF_THE_MATCH:
            if seen.edition == self._edition:
                return False
            if self._settled != (command.kind, command.values):
                raise CommandError(MATCH_CHANGED)
            return True
        if command.kind is CommandKind.NEXT_ROUND and seen.round_id != self._round[0]:
            return True
        if seen.round_id != command.values.get("round_id", self._round[0]):
            raise CommandError(ROUND_OVER)
        past = next((stored.log for stored in self._past if stored.round_id == seen.round_id), None)
        return said_already(self._pipeline.log if past is None else past, seen.lines, command)

    @property
    def _edition(self) -> str:
        return f"{self.token}-{self._editions}"

    def _do(self, command: Command) -> None:
        meant = command.values.get("round_id", self._round[0])
        if meant != self._round[0]:
            # Sent for a round that is over by now, or on purpose for an earlier one.
            self._change_past(command)
            return
        values = {key: value for key, value in command.values.items() if key != "round_id"}
        command = replace(command, values=values)
        match command.kind:
            case CommandKind.NEXT_ROUND:
                if self._pipeline.phase is not Phase.CONFIRMED:
                    raise CommandError("confirm the score of this round first.")
                self._past.append(StoredRound(*self._round, self._pipeline.log))
                self._new_round(self._round[1] + 1, self._pipeline.t_s)
                self._remember(command)
            case CommandKind.NEW_MATCH:
                self._must_rest()
                self._new_match(self._players)
                self._remember(command)
            case CommandKind.PLAYERS:
                self._change_players(command)
            case CommandKind.RULES:
                self._change_rules(command)
            case CommandKind.RESUME_MATCH:
                self._resume_match(command)
            case CommandKind.MODE:
                self._mode = Mode(command.values["mode"])
                self._remember(command)
                try:
                    self.kept.set_mode(self._mode)
                except SetupError as error:
                    raise CommandError(str(error)) from error
            case _:
                if command.kind is CommandKind.CONFIRM and self._pipeline.phase is Phase.ENDED:
                    check_confirmation(self._scores[1], command.values)
                lines = self._pipeline.command(command)
                self._put([Batch(self._round[0], lines, command.id)])

    def _remember(self, command: Command) -> None:
        self._pipeline.remember(command.id)
        self._put([Batch(self._round[0], (), command.id)])

    def _must_rest(self) -> None:
        if self._pipeline.phase in (Phase.PLAYING, Phase.PAUSED, Phase.CALLED):
            raise CommandError("the round is still on; end it first.")

    @property
    def _untouched(self) -> bool:
        """True while nothing was played and nothing scored in this match."""
        return self._pipeline.phase is Phase.WAITING and not self._past

    def _change_players(self, command: Command) -> None:
        players = tuple(PlayerView(**player) for player in command.values["players"])
        if self._scores[0].results and {p.name for p in players} != {p.name for p in self._players}:
            raise CommandError("rounds of this match are scored already; start a new match for other people.")
        try:
            self._seat(players)
        except OptionError as error:
            raise CommandError(f"{error}.") from error
        self._pipeline.seat(players)
        self._put([NewPlayers(self._match_id, players)])
        self._remember(command)

    def _change_rules(self, command: Command) -> None:
        """Other rules from now on; what was played and counted is judged and scored anew by them."""
        try:
            base = ruleset(str(command.values["ruleset"]), **command.values.get("options", {}))
            rules = rules_of(base, self._players)
        except OptionError as error:
            raise CommandError(f"{error}.") from error
        if rules.preset != self._rules.preset and not self._untouched:
            raise CommandError("this match is played as another game; start a new match for this one.")
        self._base, self._rules = base, rules
        self._put([self._changed_match()])
        self._put([Batch(self._round[0], self._pipeline.judge_anew(), command.id)])
        self._pipeline.remember(command.id)

    def _changed_match(self) -> ChangedMatch:
        return ChangedMatch(
            self._match_id, self._parts.source_name, self._base.preset, dict(self._base.values)
        )

    def _resume_match(self, command: Command) -> None:
        """Go on with an earlier match where it was left."""
        self._must_rest()
        reader = Reader(self._path)
        try:
            stored = reader.match(int(command.values["match_id"]))
            if stored is None or not stored.rounds:
                raise CommandError("that match is not in the record.")
            self._base = ruleset(stored.ruleset, **stored.options)
            self._take_up(stored, reader)
        finally:
            reader.close()
        self._put([self._changed_match()])
        self._remember(command)

    def _change_past(self, command: Command) -> None:
        """Correct an earlier round: further lines in that round's log."""
        round_id = command.values["round_id"]
        for i, stored in enumerate(self._past):
            if stored.round_id == round_id:
                lines = changed_lines(stored.log, self._rules, self._players, command)
                self._past[i] = replace(stored, log=(*stored.log, *lines))
                self._put([Batch(round_id, lines, command.id)])
                self._pipeline.remember(command.id)
                return
        raise CommandError("that round is not part of this match.")

    def _look(self, delivery: Delivery) -> None:
        frame = delivery.frame
        now_s = monotonic()
        gap_s = delivery.came_at_s - self._last_came_at_s
        self._gap_s = gap_s if self._gap_s == 0.0 else 0.95 * self._gap_s + 0.05 * gap_s
        self._last_came_at_s = delivery.came_at_s
        self._size_px = (frame.image.shape[1], frame.image.shape[0])
        if self._lost:
            self._lost = False
            self._store(self._pipeline.note(EventType.CAMERA_BACK))
        self._camera_state = CameraState.LIVE
        if self._stumbles <= STUMBLES:
            self._step(delivery)
        self._lag_s = monotonic() - delivery.came_at_s
        self.hub.publish_still(frame.image)
        if now_s - self._brightness_at_s >= 1.0:
            self._brightness_at_s = now_s
            self._dark_problem = DARK if frame.image[::16, ::16].mean() < DARK_LEVEL else None
        if self.hub.picture[0] == 0 or (
            self.hub.is_watched and now_s - self._drawn_at_s >= 1 / self._settings.live_fps
        ):
            self._drawn_at_s = now_s
            self._painter.put(frame.image, self._pipeline.overlay())

    def _step(self, delivery: Delivery) -> None:
        """One step; a fault in the eyes costs a fresh look, not the round, a few times."""
        try:
            lines = self._pipeline.step(delivery.frame, delivery.came_at_s)
        except Exception:
            log.exception("frame %d could not be looked at", delivery.frame.index)
            self._stumbles += 1
            self._eyes_problem = EYES_TROUBLE if self._stumbles <= STUMBLES else EYES_GAVE_UP
            self._pipeline.look_afresh()
            self._store(self._pipeline.note(EventType.GAP, reason="fault"))
            return
        self._store(lines)

    def _store(self, lines: tuple[PlayEvent, ...], *, finished: bool = False) -> None:
        """Hand lines to the writer together with the state of the eyes; without lines only now and then."""
        due = self._pipeline.t_s - self._stored_s >= self._settings.checkpoint_s
        if lines or due or finished:
            self._stored_s = self._pipeline.t_s
            point = self._pipeline.checkpoint(finished=finished)
            self._put([Batch(self._round[0], lines, None, point)])

    def _mind_camera(self) -> None:
        if self._capture.finished:
            if not self._finished and self._inbox.is_empty:
                self._finished = True
                self._camera_state = CameraState.FINISHED
                self._store(self._pipeline.finish(), finished=True)
            return
        silent_s = monotonic() - self._last_came_at_s
        if not self._lost and self._parts.is_live and silent_s > self._settings.camera_lost_s:
            self._lost = True
            self._gap_s = 0.0
            self._camera_state = CameraState.LOST
            self._store(self._pipeline.note(EventType.CAMERA_LOST))
        hung_s = max(3.0, 3 * self._settings.camera_lost_s)
        if self._lost and silent_s > hung_s and self._capture.hangs(hung_s):
            self._capture = self._capture.successor()
            self._capture.start()

    def _publish(self) -> None:
        self._version += 1
        round_id, number = self._round
        view = replace(self._pipeline.view(), number=number, round_id=round_id)
        match, so_far = self._fold_scores(view)
        problems = (self._write_problem, self._eyes_problem, self._dark_problem, self._pipeline.problem)
        self.hub.publish(
            Snapshot(
                version=self._version,
                edition=self._edition,
                round=view,
                match=match,
                draft=so_far,
                mode=self._mode,
                camera=CameraHealth(
                    state=self._camera_state,
                    source=self._parts.source_name,
                    is_live=self._parts.is_live,
                    fps_hz=1 / self._gap_s if self._gap_s > 0 else 0.0,
                    lag_s=self._lag_s,
                    dropped=self._inbox.dropped,
                    size_px=self._size_px,
                    problem=self._capture.problem,
                ),
                problems=tuple(problem for problem in problems if problem),
            )
        )

    def _fold_scores(self, view: RoundView) -> tuple[MatchView, DraftScore]:
        """Match and draft; worked out again only when something was logged or somebody sat down."""
        key = (
            self._match_id,
            view.round_id,
            view.lines,
            self._players,
            self._rules,
            tuple((r.round_id, len(r.log)) for r in self._past),
        )
        if key != self._scores_key:
            self._scores_key = key
            rounds = [(view_of(stored), stored.log) for stored in self._past]
            rounds.append((view, self._pipeline.log))
            self._scores = (
                match_view(self._match_id, fold_match(self._rules, self._players, rounds), self._players),
                draft(self._rules, self._players, view, self._pipeline.log),
            )
        return self._scores

    # -- the writer thread --------------------------------------------------------------------------------

    def _put(self, entries: list[Entry]) -> None:
        """Leave entries for the writer; a row of a thousand is minutes of play, so waiting here is rare."""
        while not self._stop.is_set() or self._pipeline_thread.is_alive():
            try:
                self._entries.put(entries, timeout=0.2)
            except queue.Full:
                if self._stop.is_set():
                    return
            else:
                return

    def _write(self) -> None:
        writer = Writer(self._path)
        try:
            while not (
                self._stop.is_set() and self._entries.empty() and not self._pipeline_thread.is_alive()
            ):
                try:
                    entries = self._entries.get(timeout=0.1)
                except queue.Empty:
                    continue
                while not self._entries.empty():
                    entries = entries + self._entries.get_nowait()
                self._write_patiently(writer, entries)
        finally:
            writer.close()

    def _write_patiently(self, writer: Writer, entries: list[Entry]) -> None:
        while True:
            try:
                writer.write(entries)
            except sqlite3.OperationalError as error:
                self._write_problem = DISK_TROUBLE.format(reason=error)
                if self._stop.wait(0.5):
                    log.error("the last %d entries could not be written: %s", len(entries), error)
                    return
            else:
                self._write_problem = None
                return


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
