"""Cards dealt one by one under the table's camera, counted in a thread of its own while people deal."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

from engine.dealing import Dealing, Dealt
from engine.merging import Photograph
from referee.cards import Card
from vision.types import Frame

POLL_S = 0.03

WatchDealt = Callable[[Any, Dealing], Iterator[Dealt]]
"""A source of frames and the dealing in, the counted cards out."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tallied:
    """The cards so far. `again`: faces that came by twice; `fault`: what went wrong, in one sentence."""

    running: bool = False
    cards: tuple[Dealt, ...] = ()
    again: tuple[Card, ...] = ()
    fault: str | None = None

    def photograph(self, name: str, player: str) -> Photograph:
        """The dealt cards as one picture of the count."""
        return Photograph(
            name,
            f"dealt-{player}-{len(self.cards)}",
            player,
            tuple(sorted(one.deck for one in self.cards if one.deck is not None)),
            tuple(sorted(one.card for one in self.cards if one.card is not None)),
            sum(one.card is None and one.deck is None for one in self.cards),
        )


class Tally:
    """One dealing at a time under one camera; `still` gives the newest picture."""

    def __init__(self, still: Callable[[], Any], watch: WatchDealt | None) -> None:
        self._still, self._watch = still, watch
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.now = Tallied()

    @property
    def can_watch(self) -> bool:
        """Whether dealing can be watched here."""
        return self._watch is not None

    def start(self) -> None:
        """Begin from nothing; a dealing that is under way is ended."""
        self.stop()
        if self._watch is None:
            return
        self._stop.clear()
        self.now = Tallied(running=True)
        self._thread = threading.Thread(target=self._run, name="tally", daemon=True)
        self._thread.start()

    def stop(self, timeout_s: float = 3.0) -> None:
        """End the dealing; what was counted stays."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def clear(self) -> None:
        """Forget what was counted."""
        self.stop()
        self.now = Tallied()

    def _run(self) -> None:
        assert self._watch is not None
        dealing = Dealing()
        cards: list[Dealt] = []
        fault = None
        try:
            for one in self._watch(_Stills(self._still, self._stop), dealing):
                cards.append(one)
                self.now = Tallied(True, tuple(cards), tuple(dealing.again))
        except Exception:
            # The last stop of a thread: the page would wait for cards that nobody watches any more.
            log.exception("the dealing could not be watched")
            fault = "The cards cannot be followed any more; photograph them or type the numbers."
        self.now = Tallied(False, tuple(cards), tuple(dealing.again), fault)


class _Stills:
    """The newest pictures of the table as a source of frames."""

    def __init__(self, still: Callable[[], Any], stop: threading.Event) -> None:
        self._still, self._stop = still, stop

    def __iter__(self) -> Iterator[Frame]:
        begun_s, index, last = monotonic(), 0, None
        while not self._stop.is_set():
            image = self._still()
            if image is None or image is last:
                self._stop.wait(POLL_S)
                continue
            last = image
            yield Frame(image, index, monotonic() - begun_s)
            index += 1
