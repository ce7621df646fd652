"""The pictures of a round: stills and a clip for each ruling that is shown, the table at the call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from engine.clips import AFTER_S, BEFORE_S
from engine.evidence import EvidenceStore, FrameRing, KeptFrame
from engine.overlay import Overlay
from referee.events import PlayEvent, Zone
from vision.types import Frame

CROP_PX = 360.0
"""Side of an evidence crop where no card is seen that gives the scale."""
CROP_CARDS = 2.4
"""Side of an evidence crop in card lengths: the pile, its neighbours' edges and a hand."""


class RoundPictures:
    """Keeps what was last seen in `ring`, and stores from it what a line of the log is to show.

    `make_clip` takes the name and the frames of a clip. What is None is done without.
    """

    def __init__(
        self,
        ring: FrameRing | None,
        store: EvidenceStore | None,
        make_clip: Callable[[str, Sequence[KeptFrame]], object] | None,
    ) -> None:
        self._ring, self._store, self._make_clip = ring, store, make_clip
        self._frame: Frame | None = None
        self._clips_due: list[tuple[str, float]] = []

    def add(self, frame: Frame) -> None:
        """Take in the next frame."""
        self._frame = frame
        if self._ring is not None:
            self._ring.add(frame)

    def _newest(self) -> KeptFrame | None:
        if self._ring is None or self._frame is None:
            return None
        return self._ring.at_or_before(self._frame.index)

    def with_stills(self, line: PlayEvent, log: Sequence[PlayEvent], seen: Overlay) -> PlayEvent:
        """A ruling with the pictures before and after the plays of `log` that it speaks of."""
        ring, store = self._ring, self._store
        if ring is None or store is None:
            return line
        if self._frame is not None:
            # The ring is thinned; the picture that the ruling was made on must be in it.
            ring.add(self._frame, always=True)
        causes = [log[seq - 1] for seq in line.extra["of"] if 1 <= seq <= len(log)]
        ranges = [cause.evidence for cause in causes if cause.evidence is not None]
        newest = self._newest()
        before = ring.at_or_before(min(first for first, _ in ranges)) if ranges else newest
        after = ring.at_or_after(max(last for _, last in ranges)) if ranges else newest
        if before is None or after is None:
            return line
        at = next((cause.at for cause in causes if cause.at is not None), None)
        length_px = card_length_px(seen, line.pile)
        crop_px = CROP_PX if length_px is None else CROP_CARDS * length_px
        stills = store.save(line.seq, before, after, at, crop_px)
        if stills is None:
            return line
        names = stills.to_json()
        if self._make_clip is not None:
            # The clip is made once the moment after the play has been seen.
            names["clip"] = f"r{line.seq:05d}.mp4"
            self._clips_due.append((names["clip"], max((cause.t for cause in causes), default=line.t)))
        return replace(line, extra={**line.extra, "stills": names})

    def make_clips(self, until_s: float) -> None:
        """Make the clips whose last moment has come by `until_s`."""
        make, ring = self._make_clip, self._ring
        if make is None or ring is None:
            return
        for name, play_s in [due for due in self._clips_due if due[1] + AFTER_S <= until_s]:
            make(name, ring.between(play_s - BEFORE_S, play_s + AFTER_S))
        self._clips_due = [due for due in self._clips_due if due[1] + AFTER_S > until_s]

    def with_table(self, event: PlayEvent, seen: Overlay) -> PlayEvent:
        """The call or the end of a round with a picture of the table, from which the tops can be counted."""
        ring, store = self._ring, self._store
        if ring is None or store is None or self._frame is None:
            return event
        ring.add(self._frame, always=True)
        kept = self._newest()
        piles = {p.pile: p.quad for p in seen.piles if p.zone is Zone.SHARED}
        name = None if kept is None else store.save_table(event.seq, kept, piles)
        return event if name is None else replace(event, extra={**event.extra, "still": name})


def card_length_px(seen: Overlay, pile: str | None = None) -> float | None:
    """Length of that pile's card in the picture, or of any card that is seen."""
    piles = seen.piles
    quads = [p.quad for p in piles if p.pile == pile] or [p.quad for p in piles]
    if not quads:
        return None
    edges = np.linalg.norm(np.roll(quads[0], -1, axis=0) - quads[0], axis=1)
    return float(edges.max())
