"""Cards dealt one by one past the camera: each that comes to rest or passes is counted once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from referee.cards import Card
from vision.types import SeenCard

Identity = Card | str
"""A face, or the name of a deck's back."""
Disturbed = Callable[[tuple[float, float]], bool]
"""Whether something moves or lies over these pixels (x, y) right now."""


@dataclass(frozen=True)
class DealingSettings:
    """Times in seconds, lengths in card widths, angles in degrees."""

    rest_looks: int = 3
    rest_move: float = 0.08
    rest_turn_deg: float = 3.0
    """A card that moves and turns less than this over so many looks lies still."""
    new_move: float = 0.05
    new_turn_deg: float = 2.0
    """After something passed over a back, another back lies on it if the upper one lies so differently."""
    same_place: float = 0.5
    """Two cards whose centres are nearer than this lie at one place."""
    fastest_per_s: float = 8.0
    """A carried card moves no faster, in card widths."""
    read_looks: int = 2
    read_share: float = 0.7
    """A card is named once so many looks agree, and this share of all that read something."""
    unread_s: float = 1.5
    """A card that lies still this long without being read is unknown."""
    lost_s: float = 0.5
    """A card not seen for so long is gone, if its place can be seen."""
    carried_s: float = 0.8
    """A card that vanished on its way may come to rest within this time."""
    same_card_s: float = 2.0
    """The same face again within this time is the same card, carried on."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """One card counted at `t_s`: a face, or the back of a deck; both None where it could not be read."""

    t_s: float
    card: Card | None
    deck: str | None


@dataclass
class _Track:
    """One card as it is followed from look to look."""

    first_s: float
    last_s: float
    first: NDArray[np.float64]
    width_px: float
    poses: deque[tuple[NDArray[np.float64], float]]
    votes: Counter[Identity] = field(default_factory=Counter)
    looks: int = 0
    rested_s: float | None = None
    pose: tuple[NDArray[np.float64], float] | None = None
    disturbed: bool = False
    fresh: int = 0
    told: bool = False

    @property
    def centre(self) -> NDArray[np.float64]:
        return self.poses[-1][0]


def _identity(seen: SeenCard) -> Identity | None:
    return seen.reading.card or seen.reading.deck


def _pose(seen: SeenCard) -> tuple[NDArray[np.float64], float]:
    """Centre in px, and the direction of the long edges in degrees 0-180."""
    quad = seen.detection.quad.astype(np.float64)
    along = (quad[2] - quad[1]) + (quad[3] - quad[0])
    return quad.mean(axis=0), float(np.degrees(np.arctan2(along[1], along[0]))) % 180.0


def _turn_deg(a: float, b: float) -> float:
    """The angle between two directions of a line, 0-90 degrees."""
    apart = abs(a - b) % 180.0
    return min(apart, 180.0 - apart)


class Dealing:
    """Follows cards over the looks of one source. Not thread-safe.

    `again`: faces that came by once more though a deck holds each once; they are counted once.
    """

    def __init__(self, settings: DealingSettings | None = None) -> None:
        self.settings = settings or DealingSettings()
        self.again: list[Card] = []
        self._tracks: list[_Track] = []
        self._passed: list[_Track] = []
        self._gone: deque[_Track] = deque(maxlen=60)
        self._faces: dict[Card, _Track] = {}

    def look(self, t_s: float, seen: Sequence[SeenCard], disturbed: Disturbed) -> list[Dealt]:
        """Take in what is seen at `t_s`; returns the cards that are counted by it."""
        for track in self._tracks:
            if disturbed((float(track.centre[0]), float(track.centre[1]))):
                track.disturbed, track.fresh = True, 0
        matched = self._match(t_s, seen)
        for number, card in enumerate(seen):
            known = matched.get(number)
            track = known or self._begin(t_s, card)
            if known is None:
                self._tracks.append(track)
            self._update(track, t_s, card)
        dealt = [*self._settle(t_s), *self._let_go(t_s, disturbed)]
        return [one for one in dealt if one is not None]

    def finish(self, t_s: float) -> list[Dealt]:
        """The source ended at `t_s`: what was on its way is counted."""
        self._passed += [track for track in self._tracks if not track.told]
        self._tracks = []
        return self._count_passed(float("inf"), t_s)

    def _begin(self, t_s: float, seen: SeenCard) -> _Track:
        poses: deque[tuple[NDArray[np.float64], float]] = deque(maxlen=self.settings.rest_looks)
        return _Track(t_s, t_s, _pose(seen)[0], seen.detection.width_px, poses)

    def _match(self, t_s: float, seen: Sequence[SeenCard]) -> dict[int, _Track]:
        """The track that each seen card continues, nearest first."""
        s = self.settings
        pairs = []
        for number, card in enumerate(seen):
            centre, identity = _pose(card)[0], _identity(card)
            for track in self._tracks:
                apart = float(np.linalg.norm(centre - track.centre)) / track.width_px
                reach = s.same_place
                if track.rested_s is None:
                    reach += s.fastest_per_s * (t_s - track.last_s)
                if apart > reach or self._conflict(track, identity):
                    continue
                pairs.append((apart, number, id(track), track))
        matched: dict[int, _Track] = {}
        used: set[int] = set()
        for _, number, key, track in sorted(pairs, key=lambda pair: pair[:3]):
            if number not in matched and key not in used:
                matched[number] = track
                used.add(key)
        return matched

    def _conflict(self, track: _Track, identity: Identity | None) -> bool:
        """Whether a card read as `identity` is another one than the track's.

        A place over which nothing passed still holds the same card: there a second reading is a misreading.
        """
        known = self._named(track)
        if identity is None or known is None or identity == known:
            return False
        return track.rested_s is None or track.disturbed

    def _update(self, track: _Track, t_s: float, seen: SeenCard) -> None:
        track.last_s = t_s
        track.looks += 1
        track.fresh += 1
        track.poses.append(_pose(seen))
        track.width_px += 0.3 * (seen.detection.width_px - track.width_px)
        identity = _identity(seen)
        if identity is not None:
            track.votes[identity] += 1

    def _named(self, track: _Track) -> Identity | None:
        if not track.votes:
            return None
        identity, looks = track.votes.most_common(1)[0]
        enough = looks >= self.settings.read_looks and looks >= self.settings.read_share * track.votes.total()
        return identity if enough else None

    def _still(self, track: _Track) -> bool:
        s = self.settings
        if len(track.poses) < s.rest_looks or track.fresh < s.rest_looks:
            return False
        (last, angle), rest = track.poses[-1], list(track.poses)[:-1]
        return all(
            np.linalg.norm(centre - last) < s.rest_move * track.width_px
            and _turn_deg(turn, angle) < s.rest_turn_deg
            for centre, turn in rest
        )

    def _settle(self, t_s: float) -> list[Dealt | None]:
        """Cards that came to rest, and backs that came to rest on backs."""
        dealt: list[Dealt | None] = []
        for track in list(self._tracks):
            if track.last_s < t_s or not self._still(track):
                continue
            if track.rested_s is None:
                track.rested_s, track.pose, track.disturbed = t_s, track.poses[-1], False
                self._bury(track)
                self._seen_before(track)
            elif track.disturbed:
                track = self._after_disturbance(track, t_s)
            if not track.told and (
                self._named(track) is not None or t_s - (track.rested_s or t_s) > self.settings.unread_s
            ):
                dealt.append(self._tell(track, t_s))
        return dealt

    def _bury(self, top: _Track) -> None:
        """Cards that were seen at the place of `top`, and are not now, lie under it."""
        under = [
            track
            for track in self._tracks
            if track.rested_s is not None
            and track.last_s < top.last_s
            and np.linalg.norm(track.centre - top.centre) <= self.settings.same_place * top.width_px
        ]
        self._passed += [track for track in under if not track.told]
        self._tracks = [track for track in self._tracks if not any(track is one for one in under)]

    def _seen_before(self, track: _Track) -> None:
        """A card that lies just as one did that was lost from sight is that one."""
        for gone in self._gone:
            if self._lies_as(track, gone) and self._named(gone) == self._named(track):
                track.told = True
                self._gone.remove(gone)
                return

    def _lies_as(self, track: _Track, before: _Track) -> bool:
        s = self.settings
        assert before.pose is not None  # only cards that rested are asked about
        (then, turn), (now, turned) = before.pose, track.poses[-1]
        moved = float(np.linalg.norm(now - then)) / track.width_px
        return moved < s.new_move and _turn_deg(turn, turned) < s.new_turn_deg

    def _after_disturbance(self, track: _Track, t_s: float) -> _Track:
        """The card at a place over which something passed: the same one, or another back on top of it."""
        s = self.settings
        same, named = self._lies_as(track, track), self._named(track)
        track.pose, track.disturbed = track.poses[-1], False
        if same or not isinstance(named, str):
            return track
        poses, votes = track.poses, Counter[Identity]({named: s.read_looks})
        above = _Track(
            t_s - s.carried_s / 2,
            t_s,
            track.centre,
            track.width_px,
            poses,
            votes,
            s.rest_looks,
            t_s,
            poses[-1],
        )
        above.fresh = s.rest_looks
        self._tracks.remove(track)
        self._tracks.append(above)
        return above

    def _let_go(self, t_s: float, disturbed: Disturbed) -> list[Dealt]:
        """Cards that are seen no more: taken away, covered, or passed by."""
        kept = []
        for track in self._tracks:
            at = (float(track.centre[0]), float(track.centre[1]))
            # A card at rest cannot leave without a stir.
            stays = track.rested_s is not None and (not track.disturbed or disturbed(at))
            if stays or t_s - track.last_s <= self.settings.lost_s:
                kept.append(track)
            elif not track.told:
                self._passed.append(track)
            elif track.rested_s is not None:
                self._gone.append(track)
        self._tracks = kept
        return self._count_passed(t_s - self.settings.carried_s - self.settings.lost_s, t_s)

    def _count_passed(self, before_s: float, t_s: float) -> list[Dealt]:
        """Cards that were last seen on their way, before `before_s`, and came to rest nowhere."""
        s = self.settings
        due = [track for track in self._passed if track.last_s < before_s]
        self._passed = [track for track in self._passed if track.last_s >= before_s]
        seen = [
            track
            for track in due
            if track.looks >= s.rest_looks and (track.rested_s is not None or self._named(track) is not None)
        ]
        told = [self._tell(track, t_s) for track in seen]
        return [dealt for dealt in told if dealt is not None]

    def _tell(self, track: _Track, t_s: float) -> Dealt | None:
        """Count the card of a track; None where it was counted before."""
        track.told = True
        identity = self._named(track)
        self._take_over(track, identity)
        if not isinstance(identity, Card):
            return Dealt(t_s, None, identity)
        earlier = self._faces.get(identity)
        self._faces[identity] = track
        if earlier is None:
            return Dealt(t_s, identity, None)
        apart = float(np.linalg.norm(earlier.centre - track.centre)) / track.width_px
        carried_on = 0 <= track.first_s - earlier.last_s < self.settings.same_card_s
        if apart > self.settings.same_place and not carried_on:
            self.again.append(identity)
        return None

    def _take_over(self, track: _Track, identity: Identity | None) -> None:
        """A card that vanished on its way and this one that came to rest just after are one."""
        s = self.settings
        waiting = [*self._passed, *(one for one in self._tracks if one.rested_s is None)]
        for other in sorted(waiting, key=lambda one: -one.last_s):
            gap_s = track.first_s - other.last_s
            if other is track or other.told or abs(gap_s) > s.carried_s or other.last_s >= track.last_s:
                continue
            apart = float(np.linalg.norm(other.centre - track.first)) / track.width_px
            if apart > 2 * s.same_place + s.fastest_per_s * max(gap_s, 0.0):
                continue
            known = self._named(other)
            if known is not None and identity is not None and known != identity:
                continue
            other.told = True
            self._passed = [one for one in self._passed if one is not other]
            self._tracks = [one for one in self._tracks if one is not other]
            return
