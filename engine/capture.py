"""The capture thread and the inbox of the pipeline thread: no picture queues up, no command is lost."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

import cv2

from vision.health import is_black
from vision.types import Frame

BLACK = "The picture is black; turn on a light, or take the cap off the camera."
FROZEN = "The camera repeats its last picture; plug it in again."
MOST_COMMANDS = 256
SAMPLE_STRIDE = 97
"""Every 97th value is compared with that of the picture before; a prime, so that all rows count."""
C = TypeVar("C")


class Source(Protocol):
    """Where frames come from: `fps` in Hz, `live` True for a camera or a stream that may come back."""

    fps: float
    live: bool

    def __iter__(self) -> Iterator[Frame]:
        """The frames in order."""
        ...

    def close(self) -> None:
        """Give the device back."""
        ...


@dataclass(frozen=True, slots=True)
class Delivery:
    """A frame and the moment (monotonic seconds) at which it came in."""

    frame: Frame
    came_at_s: float


class Inbox(Generic[C]):
    """What the pipeline thread waits for: at most one frame and a bounded row of commands."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._frame: Delivery | None = None
        self._commands: deque[tuple[C, Future[Any]]] = deque()
        self._closed = False
        self.dropped = 0

    def put_newest(self, frame: Frame) -> None:
        """Replace the waiting frame; a frame replaced before anybody looked counts as dropped."""
        with self._changed:
            self.dropped += self._frame is not None
            self._frame = Delivery(frame, monotonic())
            self._changed.notify_all()

    def put_in_turn(self, frame: Frame) -> None:
        """Wait until the frame before was taken, then leave this one."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is None or self._closed)
            if not self._closed:
                self._frame = Delivery(frame, monotonic())
                self._changed.notify_all()

    def put_command(self, command: C) -> Future[Any]:
        """Leave a command; the future gets its outcome."""
        future: Future[Any] = Future()
        with self._changed:
            if self._closed or len(self._commands) >= MOST_COMMANDS:
                future.set_exception(RuntimeError("the table does not take commands now"))
            else:
                self._commands.append((command, future))
                self._changed.notify_all()
        return future

    def take(self, timeout_s: float) -> tuple[list[tuple[C, Future[Any]]], Delivery | None]:
        """Everything that waits, after at most `timeout_s` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame or self._commands or self._closed, timeout_s)
            commands, frame = list(self._commands), self._frame
            self._commands.clear()
            self._frame = None
            self._changed.notify_all()
            return commands, frame

    @property
    def is_empty(self) -> bool:
        """True when no frame waits."""
        return self._frame is None

    def close(self) -> None:
        """Wake everybody up and take nothing more."""
        with self._changed:
            self._closed = True
            for _, future in self._commands:
                future.cancel()
            self._commands.clear()
            self._changed.notify_all()


@dataclass(frozen=True, slots=True)
class CapturePlan:
    """How frames are numbered and paced.

    `first_index` and `first_s`: where a reopened round goes on; a file skips what lies before, a
    live source is shifted by it. `pace`: speed of a file relative to its own clock, 0 for as fast as can be.
    `late_s`: of a file's frames that come later than this the newest wins, as a camera's; None: all in turn.
    `told_after_s`: so long a live source may show nothing new, or nothing at all, before it is told why;
    `stale_s`: after this it is closed and opened anew, since an unplugged camera may go on to repeat itself
    even when it was plugged in again.
    """

    first_index: int = 0
    first_s: float = 0.0
    pace: float = 1.0
    late_s: float | None = None
    retry_s: float = 1.0
    retry_most_s: float = 10.0
    told_after_s: float = 1.0
    stale_s: float = 4.0


class Capture:
    """Owns the device in a thread of its own; reopens a live source that ended or failed."""

    def __init__(
        self, open_source: Callable[[], Source], inbox: Inbox[Any], plan: CapturePlan, name: str = "capture"
    ) -> None:
        self._open, self._inbox, self._plan = open_source, inbox, plan
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._next_index, self._last_s = plan.first_index, plan.first_s
        self._last_at_s: float | None = None
        self._sample: bytes | None = None
        self._asked_at_s: float | None = None
        self.problem: str | None = None
        self.finished = False
        self.live = True

    def start(self) -> None:
        """Begin to deliver frames."""
        self._thread.start()

    def stop(self, timeout_s: float) -> bool:
        """Ask the thread to end; False if it still hangs in its device after `timeout_s`."""
        self._stop.set()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def successor(self) -> Capture:
        """A capture that goes on where this one hangs."""
        shift_s = 0.0 if self._last_at_s is None else monotonic() - self._last_at_s
        plan = replace(self._plan, first_index=self._next_index, first_s=self._last_s + shift_s)
        self._stop.set()
        return Capture(self._open, self._inbox, plan, self._thread.name)

    def hangs(self, silent_s: float) -> bool:
        """True if the source was asked `silent_s` seconds ago and has not even repeated itself."""
        return self._asked_at_s is not None and monotonic() - self._asked_at_s > silent_s

    def _run(self) -> None:
        pause_s = self._plan.retry_s
        while not self._stop.is_set():
            delivered = self._run_once()
            if self.finished:
                return
            pause_s = self._plan.retry_s if delivered else min(2 * pause_s, self._plan.retry_most_s)
            self._stop.wait(pause_s)

    def _run_once(self) -> int:
        """Open the source and deliver until it ends; returns the number of frames delivered."""
        delivered = 0
        self._asked_at_s = monotonic()
        try:
            source = self._open()
        except (OSError, ValueError, cv2.error) as error:
            self.problem = str(error)
            self._asked_at_s = None
            return 0
        self.live = source.live
        try:
            shift_s = self._shift_s() if source.live else 0.0
            shift = self._next_index if source.live else 0
            begun_s = monotonic()
            first_t_s: float | None = None
            for frame in source:
                self._asked_at_s = None
                if self._stop.is_set():
                    return delivered
                if source.live:
                    fault = self._deliver_live(Frame(frame.image, frame.index + shift, frame.t_s + shift_s))
                    if fault is not None:
                        self._asked_at_s = monotonic()
                        stale_s = self._asked_at_s - max(begun_s, self._last_at_s or begun_s)
                        if stale_s > self._plan.told_after_s:
                            self.problem = fault
                        if stale_s > self._plan.stale_s:
                            break
                        continue
                elif frame.index >= self._plan.first_index:
                    if first_t_s is None:
                        first_t_s, begun_s = frame.t_s, monotonic()
                    due_s = begun_s + self._file_delay_s(frame.t_s - first_t_s)
                    if self._is_late(due_s):
                        # Thrown away unseen, a film that is read slower than it plays would never be seen.
                        self._inbox.put_newest(frame)
                    else:
                        self._wait_until(due_s)
                        self._inbox.put_in_turn(frame)
                self.problem = None
                delivered += 1
                self._asked_at_s = monotonic()
            self.finished = not source.live and not self._stop.is_set()
        except (OSError, ValueError, cv2.error) as error:
            self.problem = str(error)
            self.finished = not source.live
        finally:
            self._asked_at_s = None
            source.close()
        return delivered

    def _shift_s(self) -> float:
        """How far a newly opened live source's clock must be shifted to go on with ours."""
        return self._last_s + (0.0 if self._last_at_s is None else monotonic() - self._last_at_s)

    def _file_delay_s(self, since_s: float) -> float:
        return since_s / self._plan.pace if self._plan.pace > 0 else 0.0

    def _is_late(self, due_s: float) -> bool:
        late_s = self._plan.late_s
        return late_s is not None and self._plan.pace > 0 and monotonic() - due_s > late_s

    def _wait_until(self, moment_s: float) -> None:
        left_s = moment_s - monotonic()
        if left_s > 0:
            self._stop.wait(left_s)

    def _deliver_live(self, frame: Frame) -> str | None:
        """Hand on a live frame, or say in a sentence why it is none: black, or the last one once more."""
        self._next_index = frame.index + 1
        sample = frame.image.reshape(-1)[::SAMPLE_STRIDE].tobytes()
        if sample == self._sample:
            return FROZEN
        if is_black(frame.image):
            return BLACK
        self._sample = sample
        self._last_s, self._last_at_s = frame.t_s, monotonic()
        self._inbox.put_newest(frame)
        return None
