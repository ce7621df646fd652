"""Piles over time: found and read cards become tracks at rest, tracks become piles, changes become sights.

What lies on a pile is told by how its place looks: while that stays the same, so does the card, whatever the
finder or the reader say of a single picture. A new card is one whose place looks otherwise than before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from referee.cards import Card
from vision.areas import Area, own_areas
from vision.arrivals import Brought, History, brought
from vision.eclipse import Eclipse
from vision.motion import Motion
from vision.nudge import moved, nudge
from vision.patches import Patch, TableColours, hidden_share, shows_beneath
from vision.pile import Pile, PileSettings, View
from vision.sights import Confirmed, Covered, Left, Nudged, Rested, Shifted, Sight, Turned
from vision.tracks import Track, centres_of, nearest, turn_between
from vision.types import Detection, Reading, SeenCard

OFTEN_READ, REREAD_S = 12, 0.7
"""A card is read so often at every look, then once in this time until it is well read."""
MOST_TRACKS = 5
"""So many cards of a pile are remembered."""


class PileWatch:
    """Follows every pile of one table through the looks of one camera."""

    def __init__(self, settings: PileSettings | None = None) -> None:
        self.settings = settings or PileSettings()
        self.piles: dict[str, Pile] = {}
        self._loose: list[Track] = []
        self._history = History()
        self._opened_s: float | None = None
        self._areas: list[Area] | None = None
        self._shape: tuple[int, int] = (0, 0)
        self._names = {"d": 0, "o": 0}
        self._table: TableColours | None = None
        self._views: dict[int, View] = {}
        self._eclipse = Eclipse()
        self._unseen_until_s = -1e9

    # --- every frame -----------------------------------------------------------------------------------

    def note(self, motion: Motion, frame: int, t_s: float) -> None:
        """Remember the look, so that a card read later can be told when and by whom it was brought."""
        self._views = {}
        self._history.add(motion, frame, t_s)
        if motion.relit:
            for pile in self.piles.values():
                pile.doubt()

    def stirred(self, motion: Motion, t_s: float) -> bool:
        """Whether a look for cards is called for: something visible is not as it is known."""
        if self._areas is None or motion.fresh > self.settings.fresh:
            return True
        if any(t_s - track.last_s < self.settings.gone_s for track in self._loose):
            return True
        return any(
            self._view(pile.top, motion) in (View.CHANGED, View.UNSURE, View.BLANK)
            and (pile.top.gone_since is None or t_s - pile.top.gone_since < self.settings.stir_s)
            for pile in self.piles.values()
        )

    def wants(self, found: Detection, motion: Motion, t_s: float) -> bool:
        """Whether reading this card would tell anything new."""
        s, centre, width = self.settings, found.centre, found.width_px
        if hidden_share(motion.hidden, found.quad * motion.scale) > s.hidden_share:
            return False
        pile = self._pile_at(centre, width)
        if pile is not None:
            view = self._view(pile.top, motion)
            if view is View.HIDDEN:
                return False
            if view is View.SAME:
                due = _due(pile.top, t_s) or (pile.doubted and t_s - pile.top.read_s >= REREAD_S)
                return self._near(pile.top, found, steady=True) and due
        for track in self._loose:
            if self._near(track, found, steady=True) and self._view(track, motion) is View.SAME:
                return _due(track, t_s)
        return True

    def _view(self, track: Track, motion: Motion) -> View:
        known = self._views.get(id(track))
        if known is None:
            known = self._views[id(track)] = self._compared(track, motion)
        return known

    def _compared(self, track: Track, motion: Motion) -> View:
        s = self.settings
        if track.patch is None:
            clear = hidden_share(motion.hidden, track.quad * motion.scale) <= s.hidden_share
            return View.BLANK if clear else View.HIDDEN
        shown, change = track.patch.change(motion.small, motion.hidden)
        if shown < s.judged_share:
            return View.HIDDEN
        if change >= s.changed_level:
            return View.CHANGED
        return View.SAME if change <= self._noise_level(track) else View.UNSURE

    def _noise_level(self, track: Track) -> float:
        return max(self.settings.unsure_factor * track.noise, track.noise + self.settings.unsure_level)

    # --- every look of the finder ----------------------------------------------------------------------

    def see(
        self, cards: Sequence[SeenCard], motion: Motion, frame: int, t_s: float, shape: tuple[int, int]
    ) -> list[Sight]:
        """Take in the cards found in the frame; returns what is new. `shape` is (H, W) of the frame."""
        self._shape = shape
        if self._opened_s is None:
            self._opened_s = t_s
        if self._table is None:
            self._table = TableColours(motion.small, [c.detection.quad * motion.scale for c in cards])
        free = [
            card
            for card in cards
            if hidden_share(motion.hidden, card.detection.quad * motion.scale) <= self.settings.hidden_share
        ]
        sights: list[Sight] = []
        if self._follow_nudge(free, motion):
            sights.append(Nudged(t_s))
        covered, told = self._covered(free, motion, t_s)
        sights += told
        if covered:
            return sights
        for card in free:
            self._take(card, motion, frame, t_s)
        if self._areas is None and t_s - self._opened_s >= self.settings.first_s:
            sights += self._open_table(motion, t_s)
        if self._areas is not None:
            sights += self._departures(motion, frame, t_s)
            sights += self._arrivals(motion, frame, t_s)
            sights += self._confirmed(frame, t_s)
        self._forget(motion, t_s)
        self._remember(motion, frame, t_s)
        return sights

    def _covered(self, cards: Sequence[SeenCard], motion: Motion, t_s: float) -> tuple[bool, list[Sight]]:
        """Whether something covers the whole table, and what is to be told of that."""
        found = [(card.detection.centre, card.detection.width_px) for card in cards]
        at_piles = [pile for pile in (self._pile_at(*place) for place in found) if pile is not None]
        gone = shown = 0
        for pile in self.piles.values():
            view = self._view(pile.top, motion)
            if view in (View.SAME, View.UNSURE) or any(pile is there for there in at_piles):
                shown += 1
            elif view is not View.HIDDEN:
                gone += 1
        since_s, was_told = self._eclipse.since_s, self._eclipse.told
        if self._eclipse.look(gone, shown, len(cards), t_s):
            self._loose = []
            return True, [Covered(t_s)] if self._eclipse.due(t_s) else []
        if since_s is None:
            return False, []
        self._unseen_until_s = t_s
        for pile in self.piles.values():
            pile.doubt()
        return False, [Covered(t_s, over=True)] if was_told else []

    def _take(self, card: SeenCard, motion: Motion, frame: int, t_s: float) -> None:
        """Give a found card to the track that it is, or follow it from now on."""
        found, reading = card.detection, card.reading
        pile = self._pile_at(found.centre, found.width_px) if self._areas is not None else None
        if pile is not None and self._known_there(pile, card, motion, frame, t_s):
            return
        for track in self._loose:
            if self._near(track, found, steady=True) and not self._another(track, reading, motion):
                if track.last_s < t_s:
                    _seen_again(track, reading, frame, t_s)
                return
        track = Track(found.quad, reading.side, frame, t_s, t_s, last_frame=frame)
        track.read(reading, t_s)
        track.before_frame = self._history.frame_before(frame)
        self._loose.append(track)

    def _another(self, track: Track, reading: Reading, motion: Motion) -> bool:
        """Whether what is found where `track` lay is another card: its place looks otherwise, or somebody
        reached over it and it neither looks nor reads just as before."""
        view = self._view(track, motion)
        if view is View.CHANGED:
            return True
        if not self._history.passed_over(track.centre, track.width_px, track.last_s):
            return False
        known = track.reading().card if track.readings else None
        return view is not View.SAME or (None not in (reading.card, known) and reading.card != known)

    def _known_there(self, pile: Pile, card: SeenCard, motion: Motion, frame: int, t_s: float) -> bool:
        """Whether a card found on a pile is one that lay there already."""
        top, reading = pile.top, card.reading
        view = self._view(top, motion)
        if view is View.CHANGED:
            lower = self._beneath(pile, card, motion)
            if lower is not None:
                lower.last_s, lower.last_frame = t_s, frame
            return lower is not None
        if view is View.SAME:
            if self._near(top, card.detection, steady=True):
                _seen_again(top, reading, frame, t_s)
                self._agree(pile, reading)
            return True
        if view is View.HIDDEN:
            return True
        # Where the place looks nearly as before, what the card says counts for more than how its box lies.
        read_alike = view is View.UNSURE and reading.card is not None and reading.card == pile.told
        if not read_alike and not self._near(top, card.detection, steady=view is View.UNSURE):
            return self._beneath(pile, card, motion) is not None
        if view is View.UNSURE:
            return self._look_closer(pile, reading, motion, frame, t_s)
        other = reading.card is not None and pile.told is not None and reading.card != pile.told
        turned = None not in (top.side, reading.side) and top.side != reading.side
        if other or turned or self._on(pile):
            return False
        _seen_again(top, reading, frame, t_s)
        return True

    def _agree(self, pile: Pile, reading: Reading) -> None:
        """Take in how the top of a pile in doubt reads."""
        if not pile.doubted or reading.card is None:
            return
        alike = reading.card == pile.told and reading.confidence >= self.settings.agree_confidence
        pile.agreed = pile.agreed + 1 if alike else 0

    def _confirmed(self, frame: int, t_s: float) -> list[Sight]:
        """The piles in doubt whose tops turned out to be what was told."""
        sights: list[Sight] = []
        for pile in self.piles.values():
            if pile.doubted and pile.agreed >= self.settings.agree_looks and not self._on(pile):
                pile.doubted = False
                sights.append(Confirmed(pile.name, t_s, _xy(pile.top.centre), (frame, frame), own=pile.own))
        return sights

    def _look_closer(self, pile: Pile, reading: Reading, motion: Motion, frame: int, t_s: float) -> bool:
        """A top whose place changed a little: the reader decides whether it is still the same card."""
        top = pile.top
        if reading.side is None:
            return True
        top.doubts.append(reading)
        told = reading.card if reading.side == "face" else None
        alike = told == pile.told or pile.told is None
        if reading.side == top.side and (alike or (told is None and len(top.doubts) > 5)):
            # Light or shadow. A card that could not be read again may be another one.
            if told is None and top.side == "face":
                pile.doubt()
            top.doubts.clear()
            _seen_again(top, reading, frame, t_s)
            top.patch = Patch.take(motion.small, top.quad * motion.scale)
            self._views[id(top)] = View.SAME
            return True
        others = [r for r in top.doubts if (r.card is not None and r.card != pile.told) or r.side != top.side]
        return len(others) < self.settings.settle_looks

    def _beneath(self, pile: Pile, card: SeenCard, motion: Motion) -> Track | None:
        """The lower card of a pile that this is: it lies and reads like it, or its place looks so."""
        found, reads = card.detection, card.reading.card
        for track in reversed(pile.tracks[:-1]):
            if reads is None or not self._near(track, found, steady=False):
                continue
            known = track.reading().card if track.readings else None
            shows = track.patch is not None and self._view(track, motion) in (View.SAME, View.UNSURE)
            if known == reads or (known is None and shows):
                return track
        return None

    def _near(self, track: Track, found: Detection, *, steady: bool) -> bool:
        s = self.settings
        reach, turn = (s.steady_shift, s.steady_turn_deg) if steady else (s.same_shift, s.same_turn_deg)
        if float(np.hypot(*(track.centre - found.centre))) >= reach * found.width_px:
            return False
        return turn_between(track.quad, found.quad) < turn

    def _pile_at(self, centre: np.ndarray, width_px: float) -> Pile | None:
        """The pile on which a card with this centre lies."""
        owners = [pile for pile in self.piles.values() for _ in pile.tracks[-2:]]
        centres = centres_of([track for pile in self.piles.values() for track in pile.tracks[-2:]])
        near = nearest(centres, centre, self.settings.on_pile * width_px)
        return owners[near[0]] if near else None

    # --- the first looks -------------------------------------------------------------------------------

    def _open_table(self, motion: Motion, t_s: float) -> list[Sight]:
        first = [t for t in self._loose if self._settled(t)]
        self._areas = own_areas(first, self._shape)
        sights: list[Sight] = []
        for track in sorted(first, key=lambda t: (t.centre[1], t.centre[0])):
            pile = self._pile_at(track.centre, track.width_px)
            if pile is not None:
                _order_two(pile, track)
                continue
            sights.append(self._found_pile(track, motion, first=True))
        self._loose = [t for t in self._loose if not any(t is f for f in first)]
        return sights

    def _settled(self, track: Track) -> bool:
        s = self.settings
        still = track.looks >= s.settle_looks and track.last_s - track.first_s >= s.settle_s - 1e-6
        return still and bool(track.readings)

    def _is_own(self, centre: np.ndarray) -> bool:
        return any(x0 <= centre[0] <= x1 and y0 <= centre[1] <= y1 for x0, y0, x1, y1 in self._areas or ())

    # --- cards that come -------------------------------------------------------------------------------

    def _arrivals(self, motion: Motion, frame: int, t_s: float) -> list[Sight]:
        sights: list[Sight] = []
        for track in sorted(self._loose, key=self._rank):
            if not any(track is t for t in self._loose):
                continue
            if track.last_s != t_s or not self._settled(track) or not self._tellable(track):
                continue
            pile = self._pile_at(track.centre, track.width_px)
            if pile is None:
                sights += self._on_free_place(track, motion, t_s)
            else:
                sights += self._on_known_place(pile, track, motion)
        for pile in self.piles.values():
            if pile.top.last_s == t_s and pile.top.side == "face" and pile.top.reported:
                reading = pile.top.reading()
                if self._reads_otherwise(pile, reading):
                    bumped = self._is_bumped(pile, reading)
                    if bumped:
                        del pile.tracks[-2]
                    sight = self._rested(pile, pile.top, reading, motion, again=True, arrived=not bumped)
                    sights.append(sight)
        return sights

    def _is_bumped(self, pile: Pile, reading: Reading) -> bool:
        """Whether a card that could not be read at first is the one that lay there before, bumped."""
        if pile.told is not None or pile.top.second or len(pile.tracks) < 2:
            return False
        below = pile.tracks[-2]
        return bool(below.readings) and below.reading().card == reading.card

    def _reads_otherwise(self, pile: Pile, reading: Reading) -> bool:
        """Whether a top that was told already reads as another card by now."""
        if reading.card is None or reading.card == pile.told:
            return False
        clear = reading.confidence >= self.settings.told_confidence
        return clear or (pile.told is None and self._tellable(pile.top))

    def _rank(self, track: Track) -> tuple[bool, int, float]:
        """Of several new boxes on one place the one read best and seen most often is the upper card."""
        reading = track.reading() if track.readings else None
        read = reading is not None and (reading.card is not None or reading.side == "back")
        return not read, -track.looks, -(reading.confidence if reading is not None else 0.0)

    def _tellable(self, track: Track) -> bool:
        reading = track.reading()
        if track.looks >= self.settings.unread_looks or reading.side == "back":
            return True
        return reading.card is not None and reading.confidence >= self.settings.told_confidence

    def _on_known_place(self, pile: Pile, track: Track, motion: Motion) -> list[Sight]:
        sights: list[Sight] = []
        earlier = [t for t in self._on(pile) if t is not track and t.last_s < track.first_s]
        glimpsed, unread = self._glimpsed(earlier, track)
        for other in glimpsed:
            # One equal to the top may be the top itself, bumped.
            if other.reading().card != pile.told or other.second:
                sights += self._on_pile(pile, other, motion)
        if unread:
            pile.doubt()
        return sights + self._on_pile(pile, track, motion)

    def _glimpsed(self, earlier: Sequence[Track], track: Track) -> tuple[list[Track], bool]:
        """Of cards that lay on the place of `track` too briefly to be told before it covered them: those that
        could be read, oldest first, and whether there were others.

        Those that could be read did lie there: two quick plays on one place would otherwise be told as a
        skipped number. The others leave it open what lies under `track`.
        """
        s, card = self.settings, track.reading().card
        glimpsed, unread = [], False
        lay = [t for t in earlier if t.patch is not None or t.looks >= s.settle_looks]
        for other in sorted(lay, key=lambda t: t.first_s):
            seen = other.reading() if other.readings else None
            if seen is None or seen.card is None or seen.confidence < s.glimpse_confidence:
                unread = True
            elif seen.card != card:
                glimpsed.append(other)
        return glimpsed, unread

    def _on(self, pile: Pile) -> list[Track]:
        """The cards that are followed on a pile and not yet told."""
        return [t for t in self._loose if self._pile_at(t.centre, t.width_px) is pile]

    def _upon(self, track: Track) -> list[Track]:
        """The later cards, not told yet, on the place of one that is not told either."""
        reach = self.settings.on_pile * track.width_px
        return [
            t
            for t in self._loose
            if t.first_s > track.last_s and float(np.hypot(*(t.centre - track.centre))) < reach
        ]

    def _on_free_place(self, track: Track, motion: Motion, t_s: float) -> list[Sight]:
        origin = self._moved_from(track, motion, t_s)
        if origin == "wait":
            return []
        earlier = [t for t in self._loose if any(track is upper for upper in self._upon(t))]
        self._drop(track)
        if isinstance(origin, Pile):
            origin.tracks = [track]
            track.reported = True
            return [_shifted(origin.name, track)]
        glimpsed, unread = self._glimpsed(earlier, track)
        if not glimpsed:
            return [self._found_pile(track, motion, doubted=unread)]
        for other in glimpsed:
            self._drop(other)
        opened = self._found_pile(glimpsed[0], motion, doubted=unread)
        sights: list[Sight] = [opened]
        pile = self.piles[opened.pile]
        for other in (*glimpsed[1:], track):
            sights += self._on_pile(pile, other, motion)
        return sights

    def _moved_from(self, track: Track, motion: Motion, t_s: float) -> Pile | str | None:
        """The pile whose top this card is, lying elsewhere: its old place can be seen and is empty of it.

        `wait` while that place cannot be judged yet.
        """
        card = track.reading().card
        if card is None:
            return None
        for pile in self.piles.values():
            top = pile.top
            near = np.linalg.norm(top.centre - track.centre) < self.settings.move_reach * track.width_px
            if not near or pile.own or pile.told != card:
                continue
            view = self._view(top, motion)
            if view is View.CHANGED and self._bare(top, motion):
                return pile
            open_ = view is View.HIDDEN or (view is View.CHANGED and not self._on(pile))
            if open_ and t_s - track.first_s < self.settings.move_wait_s:
                return "wait"
        return None

    def _found_pile(
        self, track: Track, motion: Motion, *, first: bool = False, doubted: bool = False
    ) -> Rested:
        own = self._is_own(track.centre)
        kind = "o" if own else "d"
        self._names[kind] += 1
        unseen = track.first_s < self._unseen_until_s + self.settings.gone_s
        pile = Pile(f"{kind}{self._names[kind]}", [track], own, doubted=first or doubted or unseen)
        self.piles[pile.name] = pile
        return self._rested(pile, track, track.reading(), motion, first=first)

    def _bare_before(self, track: Track) -> float | None:
        """When the place of a card was last seen bare, before hands came over it."""
        cover = self._history.cover(track.centre, track.width_px, track.first_s)
        if not cover or self._table is None or cover[0].covers(track.centre, track.width_px):
            return None
        bare = self._table.show_at(cover[0].small, track.quad * cover[0].scale)
        return cover[0].t_s if bare else None

    def _on_pile(self, pile: Pile, track: Track, motion: Motion) -> list[Sight]:
        """A card has come to rest on a pile, or the pile's top lies otherwise than before."""
        s, top, card = self.settings, pile.top, track.reading().card
        self._drop(track)
        second = track.second if track.patch is not None else self._second_one(top, track, motion)
        if card is not None and card == pile.told and not second:
            shift = float(np.hypot(*(track.centre - top.centre))) / track.width_px
            pile.tracks[-1] = track
            track.readings = (top.readings + track.readings)[-8:]
            track.reported, track.brought = True, top.brought
            if shift < s.bump_shift and turn_between(top.quad, track.quad) < s.bump_turn_deg:
                return []
            return [_shifted(pile.name, track)]
        pile.tracks = [*pile.tracks, track][-MOST_TRACKS:]
        for other in self._on(pile):
            self._drop(other)
        if track.side != "back":
            pile.turned = False
            return [self._rested(pile, track, track.reading(), motion)]
        track.reported = True
        if pile.turned or pile.own:
            pile.told = None if pile.own else pile.told
            return []
        pile.turned = True
        frames = (track.before_frame, track.first_frame)
        return [Turned(pile.name, track.first_s, _xy(track.centre), frames, track.reading().deck)]

    def _second_one(self, top: Track, track: Track, motion: Motion) -> bool:
        """Whether a card equal to the top was laid on it: an arm came, and the old one shows beneath."""
        if self._view(top, motion) in (View.SAME, View.UNSURE):
            return False
        if top.patch is None or not self._history.passed_over(top.centre, top.width_px, top.clear_s):
            return False
        beneath = shows_beneath(
            top.patch, track.quad * motion.scale, motion.small, self.settings.changed_level
        )
        return beneath is True

    def _rested(
        self,
        pile: Pile,
        track: Track,
        reading: Reading,
        motion: Motion,
        *,
        first: bool = False,
        again: bool = False,
        arrived: bool = True,
    ) -> Rested:
        track.reported = True
        pile.told = reading.card
        came = track.brought = track.brought or self._came(pile, track, motion)
        seen = not pile.doubted and not first and not came.contested
        missed_s, stood_s = came.other_s, None if pile.doubted else came.stood_s
        if pile.doubted and missed_s is not None and missed_s > came.t_s:
            # What came unseen came before the hands that were seen.
            missed_s = None
        if reading.card is not None:
            pile.doubted = False
        return Rested(
            pile.name,
            reading,
            came.t_s,
            _xy(track.centre),
            (self._before(pile, track), track.first_frame),
            own=pile.own,
            first=first,
            entry=None if came.arm is None else came.arm.entry,
            outward=(0.0, 0.0) if came.arm is None else came.arm.outward,
            entry_share=came.share,
            seen=seen,
            missed_s=missed_s,
            stood_s=stood_s,
            bare_s=self._bare_before(track) if len(pile.tracks) == 1 and not first else None,
            arrived=arrived,
            again=again,
        )

    def _came(self, pile: Pile, track: Track, motion: Motion) -> Brought:
        cover = self._history.cover(track.centre, track.width_px, track.first_s)
        below = pile.tracks[pile.tracks.index(track) - 1] if len(pile.tracks) > 1 else None
        if below is not None and below.clear_s is not None:
            moments = self._history.since(below.clear_s, track.first_s)
        else:
            moments = cover
        if not moments or not cover:
            # Nobody was seen to bring it: it may have lain there before.
            return Brought(track.first_s, None, 0.0, True)
        patch = track.patch or Patch.take(motion.small, track.quad * motion.scale)
        came = brought(moments, track.centre, track.width_px, patch)
        # Only where the first look shows the card below does it tell how long that one was seen.
        shown = below is not None and below.clear_s is not None and moments[0].t_s <= below.clear_s
        return came if shown else replace(came, stood_s=None)

    def _before(self, pile: Pile, track: Track) -> int:
        """The last frame that shows the place without the card: the card below, or not yet reached for."""
        index = pile.tracks.index(track)
        if index > 0 and pile.tracks[index - 1].clear_frame < track.first_frame:
            return pile.tracks[index - 1].clear_frame
        cover = self._history.cover(track.centre, track.width_px, track.first_s)
        return cover[0].frame if cover else track.before_frame

    # --- cards that go ---------------------------------------------------------------------------------

    def _departures(self, motion: Motion, frame: int, t_s: float) -> list[Sight]:
        s = self.settings
        sights: list[Sight] = []
        for pile in list(self.piles.values()):
            top = pile.top
            view = self._view(top, motion)
            if view is View.UNSURE:
                self._accept_late(pile, motion, t_s)
                continue
            missing = view is View.CHANGED or (view is View.BLANK and top.last_s != t_s)
            if not missing:
                if view is not View.HIDDEN:
                    top.gone_since = None
                continue
            if any(t.last_s == t_s for t in self._on(pile)):
                continue
            if top.gone_since is None:
                top.gone_since = t_s
                continue
            below = self._uncovered(pile, motion, t_s)
            if below is not None:
                sights += self._shows_again(pile, below, frame)
            elif t_s - top.gone_since < s.gone_s or self._may_lie_beside(pile, t_s):
                continue
            elif self._bare(top, motion):
                del self.piles[pile.name]
                sights.append(Left(pile.name, top.gone_since, _xy(top.centre), (frame, frame), own=pile.own))
            else:
                pile.doubt()
        return sights

    def _may_lie_beside(self, pile: Pile, t_s: float) -> bool:
        """Whether a card that lies near an emptied place since then, not read yet, may be its pile, moved."""
        s, top = self.settings, pile.top
        if pile.own or top.gone_since is None or t_s - top.gone_since >= s.move_wait_s:
            return False
        for track in self._loose:
            near = np.linalg.norm(top.centre - track.centre) < s.move_reach * track.width_px
            came = track.first_s >= top.gone_since - s.gone_s and track.side != "back"
            if near and came and (not track.readings or track.reading().card in (None, pile.told)):
                return True
        return False

    def _accept_late(self, pile: Pile, motion: Motion, t_s: float) -> None:
        """A place that changed a little and that no reading settles: light, as far as anybody can tell."""
        top = pile.top
        if top.gone_since is None:
            top.gone_since = t_s
        elif t_s - top.gone_since > self.settings.stir_s:
            pile.doubt()
            top.doubts.clear()
            top.gone_since = None
            top.patch = Patch.take(motion.small, top.quad * motion.scale)

    def _uncovered(self, pile: Pile, motion: Motion, t_s: float) -> Track | None:
        """The lower card of a pile that shows again."""
        for track in reversed(pile.tracks[:-1]):
            if track.patch is None:
                if track.last_s == t_s:
                    return track
            elif self._view(track, motion) in (View.SAME, View.UNSURE):
                return track
        return None

    def _shows_again(self, pile: Pile, below: Track, frame: int) -> list[Sight]:
        index = pile.tracks.index(below)
        gone = pile.tracks[index + 1 :]
        gone_since = pile.top.gone_since
        assert gone_since is not None
        pile.tracks = pile.tracks[: index + 1]
        known, pile.told = pile.told, below.reading().card
        pile.turned = False
        second = any(track.side == "face" and track.reading().card == pile.told for track in gone)
        if pile.told is None or (pile.told == known and not second):
            return []
        return [
            Rested(
                pile.name,
                below.reading(),
                gone_since,
                _xy(below.centre),
                (below.before_frame, frame),
                own=pile.own,
                arrived=False,
            )
        ]

    def _bare(self, track: Track, motion: Motion) -> bool:
        return self._table is not None and self._table.show_at(motion.small, track.quad * motion.scale)

    # --- a moved camera --------------------------------------------------------------------------------

    def _follow_nudge(self, cards: Sequence[SeenCard], motion: Motion) -> bool:
        """If all cards changed their place together, take them to where they are now."""
        tops = [pile.top for pile in self.piles.values()]
        seen = [t for t in tops if self._view(t, motion) in (View.SAME, View.UNSURE, View.CHANGED)]
        changed = [t for t in seen if self._view(t, motion) is View.CHANGED]
        if len(changed) < 3 or len(changed) < 0.5 * len(seen) or not cards:
            return False
        width = float(np.median([t.width_px for t in seen]))
        found = np.array([c.detection.centre for c in cards], np.float32)
        matrix = nudge(centres_of(seen), found, width)
        if matrix is None:
            return False
        for track in [*self.tracks(), *self._loose]:
            track.place(moved(track.quad, matrix))
            track.patch, track.gone_since = None, None
        for pile in self.piles.values():
            pile.doubt()
        if self._areas is not None:
            self._areas = [_moved_area(area, matrix) for area in self._areas]
        self._views = {}
        return True

    # --- memory ----------------------------------------------------------------------------------------

    def _drop(self, track: Track) -> None:
        self._loose = [t for t in self._loose if t is not track]

    def _forget(self, motion: Motion, t_s: float) -> None:
        """Let go of boxes that were no card, and of glimpses that are too old."""
        s = self.settings
        kept = []
        for track in self._loose:
            if track.last_s == t_s or self._areas is None:
                kept.append(track)
                continue
            pile = self._pile_at(track.centre, track.width_px)
            if pile is not None and self._view(pile.top, motion) is View.SAME:
                continue
            covered = pile is not None or self._view(track, motion) is View.HIDDEN or bool(self._upon(track))
            if t_s - track.last_s < (s.glimpse_s if covered else s.gone_s):
                kept.append(track)
        self._loose = kept

    def _remember(self, motion: Motion, frame: int, t_s: float) -> None:
        """Take pictures of cards that can be seen, and note which lie there unchanged."""
        for track in [*(pile.top for pile in self.piles.values()), *self._loose]:
            quad = track.quad * motion.scale
            if track.patch is None:
                if track.last_s == t_s and hidden_share(motion.hidden, quad) <= 0.02:
                    pile = self._pile_at(track.centre, track.width_px) if self._areas is not None else None
                    if pile is not None and pile.top is not track:
                        track.second = self._second_one(pile.top, track, motion)
                    track.patch = Patch.take(motion.small, quad)
                    track.clear_s, track.clear_frame = t_s, frame
                continue
            if self._view(track, motion) is not View.SAME:
                continue
            shown, change = track.patch.change(motion.small, motion.hidden)
            if shown < 0.98:
                continue
            track.clear_s, track.clear_frame = t_s, frame
            track.doubts.clear()
            track.noise += 0.2 * (change - track.noise)

    def tracks(self) -> list[Track]:
        """The cards of all piles, bottom first."""
        return [track for pile in self.piles.values() for track in pile.tracks]

    def own_seen(self) -> list[tuple[tuple[float, float], float]]:
        """Where each own pile lies, px, and when its top was last in sight, s."""
        own = [pile.top for pile in self.piles.values() if pile.own]
        return [(_xy(top.centre), max(top.clear_s, top.first_s)) for top in own]

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


def _due(track: Track, t_s: float) -> bool:
    """Whether a card that lies still should be read again: often at first, then now and then."""
    if track.well_read:
        return False
    return len(track.readings) < OFTEN_READ or t_s - track.read_s >= REREAD_S


def _seen_again(track: Track, reading: Reading, frame: int, t_s: float) -> None:
    track.looks += 1
    track.last_s, track.last_frame = t_s, frame
    track.side = track.side or reading.side
    track.read(reading, t_s)


def _order_two(pile: Pile, track: Track) -> None:
    """Of two first cards on one place, the one whose readings are surer is taken for the upper one."""
    track.reported = True
    sure = [max((r.confidence for r in t.readings), default=0.0) for t in (pile.top, track)]
    pile.tracks = [track, *pile.tracks] if sure[0] >= sure[1] else [*pile.tracks, track]


def _shifted(name: str, track: Track) -> Shifted:
    return Shifted(name, track.first_s, _xy(track.centre), (track.before_frame, track.first_frame))


def _moved_area(area: Area, matrix: np.ndarray) -> Area:
    x0, y0, x1, y1 = area
    corners = moved([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], matrix)
    (a, b), (c, d) = corners.min(axis=0), corners.max(axis=0)
    return float(a), float(b), float(c), float(d)


def _xy(point: np.ndarray) -> tuple[float, float]:
    return float(point[0]), float(point[1])
