"""What the pages see: one frozen snapshot, swapped as a whole, and the newest drawn picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from time import monotonic
from typing import Any

from referee.cards import Card
from referee.events import PlayEvent
from referee.findings import Finding


class Phase(StrEnum):
    """Where a round stands."""

    WAITING = "waiting"
    PLAYING = "playing"
    PAUSED = "paused"
    CALLED = "called"
    ENDED = "ended"
    CONFIRMED = "confirmed"


class Mode(StrEnum):
    """How much the referee says while a round is on: banner and sound, the banner alone, or nothing."""

    REFEREE = "referee"
    QUIET = "quiet"
    COUNT_ONLY = "count_only"


class CameraState(StrEnum):
    """Whether pictures arrive."""

    STARTING = "starting"
    LIVE = "live"
    LOST = "lost"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """How the pictures arrive: rate in Hz, how old the shown one is in s, frames dropped since the start."""

    state: CameraState = CameraState.STARTING
    source: str = ""
    is_live: bool = True
    fps_hz: float = 0.0
    lag_s: float = 0.0
    dropped: int = 0
    size_px: tuple[int, int] | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player at the table."""

    name: str
    seat: str | None = None
    deck: str | None = None
    team: str | None = None


@dataclass(frozen=True, slots=True)
class PileView:
    """One shared pile: the card last seen on top, if it is complete, if it is hidden just now."""

    pile: str
    card: Card | None
    complete: bool = False
    unread: bool = False


@dataclass(frozen=True, slots=True)
class FlagView:
    """A warning or foul with what people said of it.

    `seat` is whose play it seems to be. `stills` are file names by role (before, after, clip ...).
    `opinion` is uphold, overrule, unclear or None; `stands` is False once a correction took its ground away.
    `play_seq` is the play it is about, `reading` the card read there, `alternatives` its runners-up.
    """

    seq: int
    of: tuple[int, ...]
    t_s: float
    rule: str
    severity: str
    p: float
    text: str
    option: str | None
    pile: str | None
    card: Card | None
    seat: str | None = None
    stills: Mapping[str, str] = field(default_factory=dict)
    opinion: str | None = None
    stands: bool = True
    play_seq: int | None = None
    reading: Card | None = None
    alternatives: tuple[Card, ...] = ()

    @property
    def open(self) -> bool:
        """True while nobody has said anything of it and its ground stands."""
        return self.stands and self.opinion is None


@dataclass(frozen=True, slots=True)
class CountEntry:
    """One player's count: cards played into the middle and cards left in the goal pile.

    `machine_played` is what the photograph gave, kept beside what a person typed. `faces` and `faces_left`
    are the cards themselves, where the value of a card depends on its face.
    """

    player: str
    played: int | None = None
    left: int | None = None
    machine_played: int | None = None
    faces: tuple[Card, ...] | None = None
    faces_left: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class TopView:
    """The top of a shared pile when it is counted.

    `plays`: the log lines that made the pile, the last of them put `card` there; `alternatives`: what else it
    may be, likeliest first; `unread`: a card came on it that could not be read; `taken`: it left the middle.
    """

    pile: str
    card: Card | None
    plays: tuple[int, ...]
    alternatives: tuple[Card, ...] = ()
    unread: bool = False
    taken: bool = False


@dataclass(frozen=True, slots=True)
class RoundView:
    """The round on the table, as folded from its log.

    `phase_seq` is the line that opened the present phase: a button's command carries it, so that two
    presses on the same state are one command. `tops` are the tops of all shared piles, those taken away
    included; None where one was never read. `undoable` is the last change that a person made and that stands.
    `pictures` are the pictures of the table at the call and at the end, `more_tops` the piles that people
    added, `answered` the audit's sentences that they answered, `goals_seen` the goal cards last seen by seat,
    `changed_late` whether something was changed after the score had been confirmed.
    """

    number: int = 1
    round_id: int | None = None
    phase: Phase = Phase.WAITING
    t_s: float = 0.0
    clock_s: float = 0.0
    piles: tuple[PileView, ...] = ()
    tops: tuple[Card, ...] | None = None
    feed: tuple[PlayEvent, ...] = ()
    flags: tuple[FlagView, ...] = ()
    landings: int = 0
    corrections: int = 0
    called_by: str | None = None
    called_seat: str | None = None
    called_seq: int | None = None
    called_t_s: float | None = None
    false_calls: tuple[str, ...] = ()
    started_t_s: float | None = None
    stopped_t_s: float | None = None
    phase_seq: int = 0
    lines: int = 0
    undoable: int | None = None
    counts: tuple[CountEntry, ...] = ()
    pile_tops: tuple[TopView, ...] = ()
    pictures: tuple[str, ...] = ()
    more_tops: tuple[Card, ...] = ()
    answered: frozenset[str] = frozenset()
    goals_seen: Mapping[str, int] = field(default_factory=dict)
    changed_late: bool = False


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A confirmed round: score by player, the arithmetic in words, who called, and the counts behind it.

    `lines` is the length of the round's log, `added` what the pot paid, `changed` whether it was set right
    after it had been confirmed.
    """

    number: int
    round_id: int
    scores: Mapping[str, int]
    arithmetic: Mapping[str, str]
    called_by: str | None = None
    counts: tuple[CountEntry, ...] = ()
    lines: int = 0
    added: Mapping[str, int] = field(default_factory=dict)
    changed: bool = False


@dataclass(frozen=True, slots=True)
class DraftScore:
    """The round's score as the counts stand now: of everybody counted so far; `missing` says what is needed.

    `findings` are the audit's, worst first; `penalties` the points lost for goal cards left.
    """

    scores: Mapping[str, int] = field(default_factory=dict)
    arithmetic: Mapping[str, str] = field(default_factory=dict)
    missing: str | None = None
    findings: tuple[Finding, ...] = ()
    penalties: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MatchView:
    """The match so far. `changed` are options that differ from the game's usual ones, as written.

    `target` is None when it is played over a fixed number of rounds. `totals` are by team where there are
    teams. `deciding`: the next round decides between `deciding_players`. `pot`: what the lotto pot holds.
    """

    match_id: int | None = None
    ruleset: str = "dutch_blitz"
    changed: tuple[tuple[str, str], ...] = ()
    target: int | None = None
    players: tuple[PlayerView, ...] = ()
    results: tuple[RoundResult, ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    over: bool = False
    deciding: bool = False
    deciding_players: tuple[str, ...] = ()
    pot: int = 0
    rules_hash: str = ""

    @property
    def sides(self) -> tuple[str, ...]:
        """Who has a total, in the order of the players: teams, and players without one."""
        return tuple(dict.fromkeys(player.team or player.name for player in self.players))


@dataclass(frozen=True, slots=True)
class Seen:
    """What somebody looked at when pressing a button.

    A round, when its log had so many lines, in a snapshot of that version; and the match, as it was settled
    in that edition, which no other run of the program has.
    """

    round_id: int | None
    lines: int
    version: int
    edition: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a page may show, at one moment. `edition` is another one once the match is settled anew."""

    version: int = 0
    round: RoundView = field(default_factory=RoundView)
    match: MatchView = field(default_factory=MatchView)
    camera: CameraHealth = field(default_factory=CameraHealth)
    draft: DraftScore = field(default_factory=DraftScore)
    mode: Mode = Mode.REFEREE
    problems: tuple[str, ...] = ()
    edition: str = ""

    def seen(self, view: RoundView | None = None) -> Seen:
        """What is looked at here; `view` where a page still shows an earlier one."""
        view = self.round if view is None else view
        return Seen(view.round_id, view.lines, self.version, self.edition)


class SnapshotHub:
    """One writer, many readers, no lock: each publication swaps one reference."""

    def __init__(self) -> None:
        self._snapshot = Snapshot()
        self._picture: tuple[int, bytes] = (0, b"")
        self._still: Any = None
        self._watched_at = -1e9

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        return self._snapshot

    def publish(self, snapshot: Snapshot) -> None:
        """Replace the snapshot."""
        self._snapshot = snapshot

    @property
    def picture(self) -> tuple[int, bytes]:
        """Number and JPEG bytes of the newest drawn picture; number 0 before the first."""
        return self._picture

    def publish_picture(self, jpeg: bytes) -> None:
        """Replace the drawn picture."""
        self._picture = (self._picture[0] + 1, jpeg)

    @property
    def still(self) -> Any:
        """The newest frame as it came, BGR uint8 (H, W, 3), or None before the first."""
        return self._still

    def publish_still(self, image: Any) -> None:
        """Replace the newest frame."""
        self._still = image

    def watch(self) -> None:
        """A viewer says that it is still looking, so that pictures are worth drawing."""
        self._watched_at = monotonic()

    @property
    def is_watched(self) -> bool:
        """True if somebody looked within the last two seconds."""
        return monotonic() - self._watched_at < 2.0
