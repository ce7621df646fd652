"""Piles over time: found and read cards become tracks at rest, tracks become piles, changes become sights."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from referee.cards import Card
from vision.motion import Motion
from vision.sights import Left, Rested, Shifted, Sight, Turned
from vision.types import Reading, SeenCard

HIDING_SHARE = 0.75
"""A card of which this much is covered is not found."""


@dataclass(frozen=True)
class PileSettings:
    """Thresholds of the association. Lengths in card widths, times in seconds."""

    settle_looks: int = 2
    """A card counts as at rest after this many looks ..."""
    settle_s: float = 0.2
    """... over at least this time."""
    same_shift: float = 0.16
    """A found card this near to a track is that card."""
    same_turn_deg: float = 9.0
    on_pile: float = 0.75
    """A card whose centre is nearer than this to a pile's top lies on that pile."""
    rival_reach: float = 1.1
    """A second arm whose tip comes this near while a card is brought may have brought one too."""
    gone_s: float = 0.7
    """A card that could be seen and was not found for this long is gone."""
    one_play_s: float = 0.6
    """A place that could not be seen for longer may have taken two cards: absence needs visibility."""
    hidden_share: float = 0.12
    """A card of which more lies under arms or movement is not judged."""
    move_reach: float = 2.2
    """A pile that vanishes while its top comes to rest this near was moved."""
    history_s: float = 5.0
    glimpse_confidence: float = 0.8
    """A card seen at rest only once, before another covered it, must be read at least this surely."""
    first_s: float = 1.0
    """What is found in this time from the first look was there before."""
    own_depth: float = 0.42
    """First cards nearer to a border than this share of the picture's height are a player's own."""
    own_margin: float = 0.3
    """An own area reaches this far (card lengths) beyond its first cards towards the middle ..."""
    own_side: float = 2.9
    """... and this far (card widths) along the border: wood piles come to lie there."""
    changed_level: float = 9.0
    """Mean change above which an unread card on a known one is taken for a new card."""
    still_level: float = 13.0
    """Mean change (grey levels) below which a covered part of a picture is the same as before."""


ENOUGH_LOOKS = 3
"""So many unsure looks together may give a reading ..."""
MIN_MEAN, MIN_MEAN_UNSURE = 0.6, 0.75
"""... if the mean probability of the card is at least this; the second where no single look was sure."""
FEW_LOOKS_AT_MOST = {1: 0.8, 2: 0.95}
"""A hand may still cover part of a card at the first looks: they alone never make a reading sure."""
MIN_LEAD = 0.35
"""... and it leads the runner-up by this much."""


@dataclass(eq=False)
class Track:
    """A card at rest."""

    quad: np.ndarray
    side: str | None
    first_frame: int
    first_s: float
    last_s: float
    looks: int = 1
    readings: list[Reading] = field(default_factory=list)
    before_frame: int = 0
    last_frame: int = 0
    missed_since: float | None = None
    reported: bool = False
    unsure: bool = False
    """Whether the last fresh look at this place could not read it: another card may lie there."""

    def __post_init__(self) -> None:
        q = self.quad
        self.centre = np.asarray(q.mean(axis=0))
        self.width_px = float((np.linalg.norm(q[1] - q[0]) + np.linalg.norm(q[3] - q[2])) / 2)
        self._told: tuple[int, Reading] | None = None

    def reading(self) -> Reading:
        """What all looks together say; unread where none can tell or they disagree."""
        if self._told is None or self._told[0] != len(self.readings):
            self._told = len(self.readings), self._vote()
        return self._told[1]

    def _vote(self) -> Reading:
        """The reading of all looks.

        Every look gives each card it thinks possible a probability; their mean decides, so that several
        unsure looks that favour the same card add up to a reading.
        """
        faces = [r for r in self.readings if r.side == "face"]
        backs = [r for r in self.readings if r.side == "back"]
        if len(backs) >= len(faces):
            return max(backs or self.readings, key=lambda r: r.confidence)
        chance: Counter[Card] = Counter()
        for look in faces:
            if look.card is not None:
                chance[look.card] += look.confidence
            for card, p in look.alternatives:
                chance[card] += p
        ranked = chance.most_common(2)
        best = max(faces, key=lambda r: r.confidence)
        if not ranked:
            return best
        card, mean = ranked[0][0], ranked[0][1] / len(faces)
        rival = ranked[1][1] / len(faces) if len(ranked) > 1 else 0.0
        agreeing = [r for r in faces if r.card == card]
        enough = bool(agreeing) or len(faces) >= ENOUGH_LOOKS
        if not enough or mean < (MIN_MEAN if agreeing else MIN_MEAN_UNSURE) or mean - rival < MIN_LEAD:
            return replace(best, number=None, confidence=mean) if best.card is not None else best
        # Looks at the same still card are not independent: no more than two count.
        confidence = 1 - (1 - mean) ** min(len(agreeing), 2) if agreeing else mean
        confidence = min(confidence, FEW_LOOKS_AT_MOST.get(len(agreeing), 1.0))
        return Reading(
            "face", card.number, str(card.colour), confidence=confidence, alternatives=best.alternatives
        )


@dataclass(eq=False)
class Pile:
    """A place with cards: `tracks` bottom first, as far as they were seen."""

    name: str
    tracks: list[Track]
    own: bool
    top_patch: np.ndarray | None = None
    patch_box: tuple[int, int, int, int] | None = None
    told: Card | None = None
    turned: bool = False
    doubted: bool = False
    """Whether something may have happened here unseen since the last sight."""

    @property
    def top(self) -> Track:
        return self.tracks[-1]


@dataclass(frozen=True)
class _Moment:
    t_s: float
    frame: int
    hidden: np.ndarray
    arms: tuple[tuple[tuple[float, float], tuple[float, float]], ...]
    labels: np.ndarray


class PileWatch:
    """Follows every pile of one table through the looks of one camera."""

    def __init__(self, settings: PileSettings | None = None) -> None:
        self.settings = settings or PileSettings()
        self.piles: dict[str, Pile] = {}
        self._loose: list[Track] = []
        self._history: deque[_Moment] = deque()
        self._opened_s: float | None = None
        self._areas: list[tuple[float, float, float, float]] | None = None
        self._shape: tuple[int, int] = (0, 0)
        self._names = {"d": 0, "o": 0}
        self._table: np.ndarray | None = None
        self._blind_since: float | None = None

    # --- every frame -----------------------------------------------------------------------------------

    def note(self, motion: Motion, frame: int, t_s: float) -> None:
        """Remember where arms were, so that a card read later can be told when and by whom it was brought."""
        arms = tuple((arm.entry, arm.tip) for arm in motion.arms)
        self._history.append(_Moment(t_s, frame, motion.hidden, arms, motion.arm_labels))
        while self._history and t_s - self._history[0].t_s > self.settings.history_s:
            self._history.popleft()
        if motion.relit:
            for pile in self.piles.values():
                pile.doubted = True
                pile.top_patch = None

    # --- every look of the finder ----------------------------------------------------------------------

    def see(
        self, cards: Sequence[SeenCard], motion: Motion, frame: int, t_s: float, shape: tuple[int, int]
    ) -> list[Sight]:
        """Take in the cards found in the frame; returns what is new. `shape` is (H, W) of the frame."""
        self._shape = shape
        if self._opened_s is None:
            self._opened_s = t_s
        if self._table is None:
            self._table = _table_colours(motion.small, cards, motion.scale)
        free = [
            c for c in cards if self._hidden_share(c.detection.quad, motion) <= self.settings.hidden_share
        ]
        unmatched = self._match(free, frame, t_s, self._changed(motion))
        self._miss(cards, motion, t_s)
        self._loose += [self._new_track(card, frame, t_s) for card in unmatched]
        sights: list[Sight] = []
        if self._areas is None and t_s - self._opened_s >= self.settings.first_s:
            sights += self._open_table(t_s)
        if self._areas is not None:
            sights += self._departures(motion, frame, t_s)
            sights += self._arrivals(motion, frame, t_s)
        return sights

    def _changed(self, motion: Motion) -> set[int]:
        """The tracks (by `id`) of tops that can be seen and look otherwise than when they were laid."""
        return {
            id(pile.top)
            for pile in self.piles.values()
            if pile.top_patch is not None
            and self._hidden_share(pile.top.quad, motion) <= 0.02
            and not self._patch_still(pile, motion, self.settings.changed_level)
        }

    def _match(self, cards: Sequence[SeenCard], frame: int, t_s: float, changed: set[int]) -> list[SeenCard]:
        """Give the cards found to the tracks they are; an unread card where a top changed is no old one."""
        tracks = self.tracks() + self._loose
        lower = {id(t) for pile in self.piles.values() for t in pile.tracks[:-1]}
        unmatched = []
        taken: set[int] = set()
        centres = centres_of(tracks)
        for card in cards:
            width = card.detection.width_px
            best = None
            for index in nearest(centres, card.detection.centre, self.settings.same_shift * width):
                if index not in taken and self._may_be(tracks[index], card, changed, lower):
                    best = index
                    break
            if best is None:
                unmatched.append(card)
                continue
            taken.add(best)
            track = tracks[best]
            track.looks += 1
            track.last_s, track.last_frame = t_s, frame
            track.missed_since = None
            track.side = track.side or card.reading.side
            track.unsure = card.reading.side == "face" and card.reading.card is None
            if card.reading.side is not None and len(track.readings) < 12:
                track.readings.append(card.reading)
        return unmatched

    def _may_be(self, track: Track, card: SeenCard, changed: set[int], lower: set[int]) -> bool:
        """Whether a card found at the place of `track` can be that card."""
        reading = card.reading
        if _turn_between(track.quad, card.detection.quad) >= self.settings.same_turn_deg:
            return False
        if track.side is not None and reading.side is not None and track.side != reading.side:
            return False
        if reading.card is None:
            return id(track) not in changed and id(track) not in lower
        known = track.reading().card if track.reported and track.readings else None
        return known is None or known == reading.card

    def _new_track(self, card: SeenCard, frame: int, t_s: float) -> Track:
        track = Track(card.detection.quad, card.reading.side, frame, t_s, t_s, last_frame=frame)
        if card.reading.side is not None:
            track.readings.append(card.reading)
        previous = [m.frame for m in self._history if m.frame < frame]
        track.before_frame = previous[-1] if previous else frame
        return track

    def _miss(self, cards: Sequence[SeenCard], motion: Motion, t_s: float) -> None:
        """Mark the tracks that could have been seen now and were not found."""
        for track in self.tracks() + self._loose:
            if track.last_s == t_s:
                continue
            if self._hidden_share(track.quad, motion) > 0.02:
                track.missed_since = None
            elif track.missed_since is None:
                track.missed_since = t_s
        self._loose = [
            t
            for t in self._loose
            if t.last_s == t_s or t.missed_since is None or t_s - t.missed_since < self.settings.gone_s
        ]

    def _settled(self, track: Track) -> bool:
        s = self.settings
        return (
            track.looks >= s.settle_looks
            and track.last_s - track.first_s >= s.settle_s
            and bool(track.readings)
        )

    # --- the first looks -------------------------------------------------------------------------------

    def _open_table(self, t_s: float) -> list[Sight]:
        first = [t for t in self._loose if self._settled(t)]
        self._areas = self._own_areas(first)
        sights: list[Sight] = []
        for track in sorted(first, key=lambda t: (t.centre[1], t.centre[0])):
            pile = self._pile_under(track)
            if pile is not None:
                self._order_two(pile, track)
                continue
            sights.append(self._found_pile(track, first=True))
        self._loose = [t for t in self._loose if not any(t is f for f in first)]
        return sights

    def _order_two(self, pile: Pile, track: Track) -> None:
        """Of two first cards on one place, the one whose readings are surer is taken for the upper one."""
        track.reported = True
        sure = [max((r.confidence for r in t.readings), default=0.0) for t in (pile.top, track)]
        pile.tracks = [track, *pile.tracks] if sure[0] >= sure[1] else [*pile.tracks, track]

    def _own_areas(self, first: Sequence[Track]) -> list[tuple[float, float, float, float]]:
        """Players' own areas x0, y0, x1, y1 (px): bands along the borders where cards were dealt."""
        s = self.settings
        height, width = self._shape
        sides: dict[str, list[Track]] = {"bottom": [], "top": [], "left": [], "right": []}
        for track in first:
            x, y = track.centre
            gaps = {"left": x, "right": width - x, "top": y, "bottom": height - y}
            side, gap = min(gaps.items(), key=lambda item: item[1])
            if gap < s.own_depth * height:
                sides[side].append(track)
        areas = []
        for side, tracks in sides.items():
            if len(tracks) < 2:
                continue
            points = np.concatenate([t.quad for t in tracks])
            w = float(np.median([t.width_px for t in tracks]))
            deep, wide = s.own_margin * w * 1.43, s.own_side * w
            x0, y0 = (float(v) for v in points.min(axis=0))
            x1, y1 = (float(v) for v in points.max(axis=0))
            if side in ("top", "bottom"):
                areas.append(
                    (
                        x0 - wide,
                        -1.0 if side == "top" else y0 - deep,
                        x1 + wide,
                        y1 + deep if side == "top" else height + 1.0,
                    )
                )
            else:
                areas.append(
                    (
                        -1.0 if side == "left" else x0 - deep,
                        y0 - wide,
                        x1 + deep if side == "left" else width + 1.0,
                        y1 + wide,
                    )
                )
        return areas

    def _is_own(self, centre: np.ndarray) -> bool:
        return any(x0 <= centre[0] <= x1 and y0 <= centre[1] <= y1 for x0, y0, x1, y1 in self._areas or ())

    # --- cards that come -------------------------------------------------------------------------------

    def _arrivals(self, motion: Motion, frame: int, t_s: float) -> list[Sight]:
        sights: list[Sight] = []
        for track in sorted(self._loose, key=lambda t: t.first_s):
            if not self._settled(track) or track.last_s != t_s:
                continue
            if track.side == "face" and track.reading().card is None and track.looks < 6:
                continue
            for glimpsed in self._glimpsed_under(track):
                sights += self._lies_down(glimpsed, motion, t_s)
            self._doubt_unread_under(track)
            sights += self._lies_down(track, motion, t_s)
        for pile in self.piles.values():
            if pile.top.last_s == t_s and pile.top.reported:
                self._remember(pile, motion)
                if pile.told is None and pile.top.side == "face":
                    reading = pile.top.reading()
                    if reading.card is not None:
                        sights.append(self._rested(pile, pile.top, reading))
        return sights

    def _doubt_unread_under(self, track: Track) -> None:
        """An unread card that `track` covered leaves it open what the pile's top was."""
        near = [
            other
            for other in self._loose
            if other is not track
            and other.last_s < track.first_s
            and np.linalg.norm(other.centre - track.centre) < self.settings.on_pile * track.width_px
        ]
        pile = self._pile_under(track)
        if near and pile is not None:
            pile.doubted = True
        self._loose = [t for t in self._loose if not any(t is other for other in near)]

    def _lies_down(self, track: Track, motion: Motion, t_s: float) -> list[Sight]:
        self._loose = [t for t in self._loose if t is not track]
        pile = self._pile_under(track)
        if pile is None:
            return self._on_free_place(track, motion, t_s)
        return self._on_pile(pile, track, motion, t_s)

    def _glimpsed_under(self, track: Track) -> list[Track]:
        """Cards that lay on this place too briefly to settle before `track` covered them, oldest first.

        A card that was read surely once while nothing moved over it did lie there: two quick plays on one
        place would otherwise be told as a skipped number.
        """
        card, s = track.reading().card, self.settings
        glimpsed = []
        for other in self._loose:
            seen = other.reading() if other.readings else None
            if other is track or seen is None or seen.card is None or seen.card == card:
                continue
            near = np.linalg.norm(other.centre - track.centre) < s.on_pile * track.width_px
            if near and other.last_s < track.first_s and seen.confidence >= s.glimpse_confidence:
                glimpsed.append(other)
        return sorted(glimpsed, key=lambda t: t.first_s)

    def _on_free_place(self, track: Track, motion: Motion, t_s: float) -> list[Sight]:
        moved = self._moved_from(track, motion)
        if moved is not None:
            moved.tracks = [track]
            moved.top_patch = None
            track.reported = True
            return [
                Shifted(moved.name, track.first_s, _xy(track.centre), (track.before_frame, track.first_frame))
            ]
        return [self._found_pile(track, first=False)]

    def _moved_from(self, track: Track, motion: Motion) -> Pile | None:
        """The pile whose top this card is, lying elsewhere: its old place can be seen and is empty of it."""
        card = track.reading().card
        if card is None:
            return None
        for pile in self.piles.values():
            top = pile.top
            near = np.linalg.norm(top.centre - track.centre) < self.settings.move_reach * track.width_px
            if (
                near
                and not pile.own
                and pile.told == card
                and top.missed_since is not None
                and top.last_s < track.first_s
                and self._looks_empty(top, motion)
            ):
                return pile
        return None

    def _found_pile(self, track: Track, *, first: bool) -> Sight:
        own = self._is_own(track.centre)
        kind = "o" if own else "d"
        self._names[kind] += 1
        pile = Pile(f"{kind}{self._names[kind]}", [track], own, doubted=first)
        self.piles[pile.name] = pile
        return self._rested(pile, track, track.reading(), first=first)

    def _on_pile(self, pile: Pile, track: Track, motion: Motion, t_s: float) -> list[Sight]:
        top = pile.top
        if self._still_on_top(pile, track, motion):
            # Nothing passed over the upper card since: this one lies beneath it and was missed.
            pile.tracks.insert(len(pile.tracks) - 1, track)
            track.reported = True
            return []
        card = track.reading().card
        shift = float(np.linalg.norm(track.centre - top.centre))
        bumped = (
            card is not None
            and card == pile.told
            and top.last_s < track.first_s
            and shift < 0.6 * track.width_px
        )
        if bumped:
            pile.tracks[-1] = track
            track.reported = True
            pile.top_patch = None
            return [
                Shifted(pile.name, track.first_s, _xy(track.centre), (track.before_frame, track.first_frame))
            ]
        if card is not None and card == pile.told and shift < self.settings.same_shift * track.width_px:
            # The same card, seen at another angle while a hand lay over part of it.
            track.reported = True
            pile.tracks[-1] = track
            pile.top_patch = None
            return []
        pile.doubted |= top.unsure
        pile.tracks.append(track)
        pile.tracks = pile.tracks[-5:]
        pile.top_patch = None
        if track.side == "back":
            track.reported = True
            if pile.turned or pile.own:
                return []
            pile.turned = True
            reading = track.reading()
            return [
                Turned(
                    pile.name,
                    track.first_s,
                    _xy(track.centre),
                    (track.before_frame, track.first_frame),
                    reading.deck,
                )
            ]
        pile.turned = False
        return [self._rested(pile, track, track.reading())]

    def _rested(self, pile: Pile, track: Track, reading: Reading, *, first: bool = False) -> Rested:
        track.reported = True
        pile.told = reading.card
        moment, entry, share, contested = self._brought(track)
        below = pile.tracks[-2] if len(pile.tracks) > 1 else None
        unseen_s = 0.0 if below is None else track.first_s - below.last_s
        seen = not pile.doubted and not first and not contested and unseen_s <= self.settings.one_play_s
        if reading.card is not None:
            pile.doubted = False
        return Rested(
            pile.name,
            reading,
            moment,
            _xy(track.centre),
            (self._before(pile, track), track.first_frame),
            own=pile.own,
            first=first,
            entry=entry,
            entry_share=share,
            seen=seen,
        )

    def _before(self, pile: Pile, track: Track) -> int:
        """The last frame that shows the place without the card: the card below, or not yet reached for."""
        if len(pile.tracks) > 1 and pile.tracks[-2].last_frame < track.first_frame:
            return pile.tracks[-2].last_frame
        earlier = [m for m in self._history if m.frame < track.first_frame]
        covered = [self._place_hidden(track, m) for m in earlier]
        if True not in covered:
            return track.before_frame
        # The stretch of cover that ended when the card was found.
        last = len(covered) - 1 - covered[::-1].index(True)
        while last > 0 and covered[last]:
            last -= 1
        return earlier[last].frame

    def _pile_under(self, track: Track) -> Pile | None:
        nearest, best = None, self.settings.on_pile * track.width_px
        for pile in self.piles.values():
            distance = min(float(np.linalg.norm(t.centre - track.centre)) for t in pile.tracks[-2:])
            if distance < best:
                nearest, best = pile, distance
        return nearest

    def _brought(self, track: Track) -> tuple[float, tuple[float, float] | None, float, bool]:
        """When the card came to rest, the entry of the arm that brought it, and how surely it was that arm;
        and whether another arm reached the place meanwhile, which may have left a card beneath unseen.

        The arm whose tip came nearest to the place while the place was covered; the card rested when the tip
        was nearest. Without an arm it is the first frame in which the card was found.
        """
        centre, width = track.centre, track.width_px
        moments = [m for m in self._history if m.t_s <= track.first_s]
        covered: list[_Moment] = []
        waited = 0
        for moment in reversed(moments):
            if self._place_hidden(track, moment):
                covered.append(moment)
                waited = 0
            elif covered or waited > 12:
                break
            else:
                waited += 1
        if not covered:
            return track.first_s, None, 0.0, False
        near: list[tuple[float, float, tuple[float, float]]] = []
        for moment in covered:
            for entry, tip in moment.arms:
                distance = float(np.hypot(tip[0] - centre[0], tip[1] - centre[1])) / width
                near.append((distance, moment.t_s, entry))
        if not near:
            return covered[0].t_s, None, 0.0, False
        closest = min(near)[0]
        reached = [(t, entry) for distance, t, entry in near if distance <= closest + 0.22]
        t_rest, entry = max(reached)
        rivals = [d for d, _, e in near if np.hypot(e[0] - entry[0], e[1] - entry[1]) > 2.5 * width]
        share = 1.0 if not rivals else float(np.clip(0.5 + (min(rivals) - closest) / 3.0, 0.5, 1.0))
        return t_rest, entry, share, bool(rivals) and min(rivals) < self.settings.rival_reach

    def _place_hidden(self, track: Track, moment: _Moment) -> bool:
        scale = moment.hidden.shape[1] / self._shape[1]
        x, y = track.centre * scale
        r = max(1, int(track.width_px * scale * 0.35))
        y0, x0 = max(int(y) - r, 0), max(int(x) - r, 0)
        part = moment.hidden[y0 : int(y) + r + 1, x0 : int(x) + r + 1]
        return bool(part.size and np.count_nonzero(part) > 0.15 * part.size)

    # --- cards that go ---------------------------------------------------------------------------------

    def _departures(self, motion: Motion, frame: int, t_s: float) -> list[Sight]:
        s = self.settings
        sights: list[Sight] = []
        for pile in list(self.piles.values()):
            top = pile.top
            if top.missed_since is None or t_s - top.missed_since < s.gone_s:
                continue
            below = next((t for t in reversed(pile.tracks[:-1]) if t.last_s == t_s), None)
            if below is not None:
                revealed = _covers(top, below) and self._passed_over(top, t_s)
                if self._patch_still(pile, motion) and not revealed:
                    # The finder overlooked the top; its picture has not changed.
                    top.missed_since = None
                    continue
                pile.tracks = pile.tracks[: pile.tracks.index(below) + 1]
                reading = below.reading()
                pile.top_patch = None
                known = pile.told
                pile.told = reading.card
                if reading.card is not None and reading.card != known:
                    sights.append(
                        Rested(
                            pile.name,
                            reading,
                            top.missed_since,
                            _xy(below.centre),
                            (below.before_frame, frame),
                            own=pile.own,
                            arrived=False,
                        )
                    )
                continue
            if any(self._pile_under(t) is pile for t in self._loose if t.last_s == t_s):
                continue
            if self._looks_empty(top, motion):
                del self.piles[pile.name]
                sights.append(
                    Left(pile.name, top.missed_since, _xy(top.centre), (frame, frame), own=pile.own)
                )
            elif not self._patch_still(pile, motion):
                pile.doubted = True
        return sights

    def _looks_empty(self, track: Track, motion: Motion) -> bool:
        """Whether the place shows the table: most of its pixels have a colour of the table."""
        if self._table is None:
            return False
        quad = track.centre + (track.quad - track.centre) * 0.8
        pixels = _inside(motion.small, quad * motion.scale)
        if len(pixels) == 0:
            return False
        distance = np.abs(pixels[:, None, :].astype(np.int16) - self._table[None]).max(axis=2).min(axis=1)
        return bool((distance < 34).mean() > 0.85)

    # --- pictures of tops ------------------------------------------------------------------------------

    def _remember(self, pile: Pile, motion: Motion) -> None:
        if pile.top_patch is not None or self._hidden_share(pile.top.quad, motion) > 0.02:
            return
        box = _box(pile.top.quad * motion.scale, motion.small.shape)
        if box is not None:
            x0, y0, x1, y1 = box
            pile.patch_box, pile.top_patch = box, motion.small[y0:y1, x0:x1].copy()

    def _patch_still(self, pile: Pile, motion: Motion, level: float | None = None) -> bool:
        if pile.top_patch is None or pile.patch_box is None:
            return False
        x0, y0, x1, y1 = pile.patch_box
        change = float(cv2.absdiff(motion.small[y0:y1, x0:x1], pile.top_patch).mean())
        return change < (self.settings.still_level if level is None else level)

    def _still_on_top(self, pile: Pile, track: Track, motion: Motion) -> bool:
        """Whether the pile's top still lies over the newly found card: the shared part looks as before."""
        if pile.top_patch is None or pile.patch_box is None:
            return False
        area, shared = cv2.intersectConvexConvex(
            pile.top.quad.astype(np.float32), track.quad.astype(np.float32)
        )
        if shared is None or area < 0.05 * cv2.contourArea(track.quad.astype(np.float32)):
            return False
        if _covers(pile.top, track) and self._passed_over(pile.top, track.first_s):
            # Nothing of a card beneath would show: it was laid exactly on top.
            return False
        x0, y0, x1, y1 = pile.patch_box
        then = pile.top_patch
        now = motion.small[y0:y1, x0:x1]
        mask = np.zeros(then.shape[:2], np.uint8)
        polygon = shared.reshape(-1, 2) * motion.scale - (x0, y0)
        cv2.fillConvexPoly(mask, np.round(polygon).astype(np.int32), 1)
        if mask.sum() < 6:
            return False
        return float(cv2.absdiff(now, then)[mask > 0].mean()) < self.settings.still_level

    def tracks(self) -> list[Track]:
        """The cards of all piles, bottom first."""
        return [track for pile in self.piles.values() for track in pile.tracks]

    def undisturbed(self, track: Track, t_s: float) -> bool:
        """Whether `track` was found lately and nothing passed over it since: its readings still stand."""
        lately = t_s - track.last_s < self.settings.history_s
        return lately and track.missed_since is None and not self._passed_over(track, t_s)

    def _passed_over(self, top: Track, until_s: float) -> bool:
        """Whether something passed over the place after `top` was last seen."""
        for moment in reversed(self._history):
            if moment.t_s <= top.last_s:
                return False
            if moment.t_s <= until_s and self._place_hidden(top, moment):
                return True
        return False

    def _hidden_share(self, quad: np.ndarray, motion: Motion) -> float:
        box = _box(quad * motion.scale, motion.hidden.shape)
        if box is None:
            return 1.0
        x0, y0, x1, y1 = box
        if not motion.hidden[y0:y1, x0:x1].any():
            return 0.0
        part = _inside(motion.hidden.view(np.uint8), quad * motion.scale)
        return float(part.mean()) if len(part) else 1.0

    # --- keeping ---------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """The piles as JSON values."""
        return {
            "names": self._names,
            "areas": self._areas,
            "shape": list(self._shape),
            "piles": [
                {
                    "name": p.name,
                    "own": p.own,
                    "turned": p.turned,
                    "told": None if p.told is None else p.told.to_json(),
                    "quad": p.top.quad.tolist(),
                    "side": p.top.side,
                }
                for p in self.piles.values()
            ],
        }

    def restore(self, data: dict[str, Any], t_s: float = 0.0) -> None:
        """The inverse of `dump`; what happened in between was not seen, so every pile is doubted."""
        self._names = dict(data["names"])
        areas = data["areas"]
        self._areas = None if areas is None else [tuple(a) for a in areas]
        self._shape = (int(data["shape"][0]), int(data["shape"][1]))
        self._opened_s = t_s
        for kept in data["piles"]:
            told = None if kept["told"] is None else Card.from_json(kept["told"])
            side = kept["side"]
            reading = (
                Reading(side)
                if told is None
                else Reading("face", told.number, str(told.colour), confidence=0.99)
            )
            track = Track(
                np.array(kept["quad"], np.float32), side, 0, t_s, t_s, readings=[reading], reported=True
            )
            self.piles[kept["name"]] = Pile(
                kept["name"], [track], kept["own"], told=told, turned=kept["turned"], doubted=True
            )


def _xy(point: np.ndarray) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _covers(upper: Track, lower: Track) -> bool:
    """Whether `upper` would hide so much of `lower` that it could not be found beneath."""
    quad = lower.quad.astype(np.float32)
    area, _ = cv2.intersectConvexConvex(upper.quad.astype(np.float32), quad)
    return bool(area > HIDING_SHARE * cv2.contourArea(quad))


def centres_of(tracks: Sequence[Track]) -> np.ndarray:
    """Centres of the tracks in px, (n, 2)."""
    return np.array([track.centre for track in tracks], np.float32).reshape(-1, 2)


def nearest(centres: np.ndarray, centre: np.ndarray, reach: float) -> list[int]:
    """Indices of the `centres` nearer to `centre` than `reach`, nearest first."""
    distance = np.hypot(*(centres - centre).T)
    near = np.flatnonzero(distance < reach)
    return [int(index) for index in near[np.argsort(distance[near], kind="stable")]]


def _turn_between(a: np.ndarray, b: np.ndarray) -> float:
    """Angle in degrees between the long edges of two cards, 0-90."""

    def angle(q: np.ndarray) -> float:
        d = (q[2] - q[1]) + (q[3] - q[0])
        return float(np.degrees(np.arctan2(d[1], d[0])))

    difference = abs(angle(a) - angle(b)) % 180
    return min(difference, 180 - difference)


def _box(quad: np.ndarray, shape: tuple[int, ...]) -> tuple[int, int, int, int] | None:
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 1
    x1, y1 = min(int(x1), shape[1]), min(int(y1), shape[0])
    return (int(x0), int(y0), x1, y1) if x1 > x0 and y1 > y0 else None


def _inside(picture: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """The values of `picture` inside the quad."""
    box = _box(quad, picture.shape)
    if box is None:
        return picture[:0, :0].reshape(-1)
    x0, y0, x1, y1 = box
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad - (x0, y0)).astype(np.int32), 1)
    return picture[y0:y1, x0:x1][mask > 0]


def _table_colours(small: np.ndarray, cards: Sequence[SeenCard], scale: float) -> np.ndarray:
    """The table's commonest colours BGR int16 (k, 3), from the parts of the first look without cards."""
    mask = np.ones(small.shape[:2], np.uint8)
    for card in cards:
        quad = card.detection.centre + (card.detection.quad - card.detection.centre) * 1.25
        cv2.fillConvexPoly(mask, np.round(quad * scale).astype(np.int32), 0)
    pixels = small[mask > 0]
    if len(pixels) < 50:
        return np.zeros((0, 3), np.int16) + 999
    step = max(1, len(pixels) // 4000)
    # Colours on a grid of 16 levels that make up more than half a percent of the table.
    cells, counts = np.unique(pixels[::step] // 16, axis=0, return_counts=True)
    common = cells[counts > 0.005 * counts.sum()].astype(np.int16) * 16 + 8
    return common if len(common) else cells[np.argsort(-counts)[:3]].astype(np.int16) * 16 + 8
