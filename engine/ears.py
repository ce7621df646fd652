"""The ears of a table: what is heard along with the frames, from a microphone or the sound of a film."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Protocol

import numpy as np

from engine.household_listener import HouseholdListener
from engine.soundtrack import SoundError, blocks, has_sound
from hearing.listener import Heard
from hearing.microphone import Microphone, MicrophoneError, check_microphone
from hearing.spectrum import RATE_HZ
from hearing.utterances import WANTED, cut

BEFORE_FIRST_S = 10.0
"""Where a recording is taken up again in the middle, the sound before tells how loud the room is."""
WORD_BEFORE_S = 1.0
"""Then a word counts that began so long before the first picture."""
AFTER_LAST_S = 1.0
"""The sound of a recording is heard so much longer than its pictures: a word has an end, too."""


class Ears(Protocol):
    """What a pipeline listens with."""

    @property
    def problem(self) -> str | None:
        """Why nothing is heard, in one plain sentence."""
        ...

    def hear(self, t_s: float, came_at_s: float | None = None) -> list[Heard]:
        """What was understood up to the frame of time `t_s`, which came in at the monotonic `came_at_s`."""
        ...

    def finish(self) -> list[Heard]:
        """What is still to be understood once the last frame was looked at."""
        ...

    def close(self) -> None:
        """Give the microphone or the file back; may be called twice."""
        ...


class SoundtrackEars:
    """Hears the sound of a recording, as far as its pictures have been looked at."""

    def __init__(self, path: Path, listener: HouseholdListener) -> None:
        self._fault: str | None = None
        self._listener = listener
        self._blocks: Iterator[tuple[np.ndarray, float]] | None = blocks(path)
        self._waiting: tuple[np.ndarray, float] | None = None
        self._t_s = 0.0
        self._from_s: float | None = None

    @property
    def problem(self) -> str | None:
        """Why nothing is heard, in one plain sentence."""
        return self._fault or self._listener.problem

    def hear(self, t_s: float, came_at_s: float | None = None) -> list[Heard]:
        """What is said in the recording up to `t_s`."""
        self._listener.look(t_s)
        self._t_s = t_s
        self._from_s = t_s if self._from_s is None else self._from_s
        heard: list[Heard] = []
        while self._blocks is not None:
            try:
                block = self._waiting or next(self._blocks, None)
            except SoundError as error:
                self._fault = str(error)
                block = None
            self._waiting = None
            if block is None:
                self.close()
            elif block[1] > t_s:
                self._waiting = block
                break
            elif block[1] > self._from_s - BEFORE_FIRST_S:
                heard += self._listener.push(*block)
        return [word for word in heard if word.onset_s > self._from_s - WORD_BEFORE_S]

    def finish(self) -> list[Heard]:
        """What began while the last pictures were shown."""
        return [*self.hear(self._t_s + AFTER_LAST_S), *self._listener.finish()]

    def close(self) -> None:
        """Close the file."""
        self._blocks = None


class MicrophoneEars:
    """Hears the microphone while a word is taught. A missing one is told and the game goes on."""

    def __init__(self, microphone: Microphone, listener: HouseholdListener) -> None:
        self._fault: str | None = None
        self._microphone, self._listener = microphone, listener
        self._opened = False

    @property
    def problem(self) -> str | None:
        """Why nothing is heard, in one plain sentence."""
        return self._fault or self._listener.problem

    def hear(self, t_s: float, came_at_s: float | None = None) -> list[Heard]:
        """What was said since the last frame; without the frame's arrival, as if it came just now."""
        if self._listener.look(t_s):
            # Who teaches a word may have plugged a microphone in.
            self._fault = None
        if not self._listener.has_words:
            self.close()
            return []
        if self._fault is not None:
            return []
        if not self._opened:
            try:
                self._microphone.open()
            except MicrophoneError as error:
                self._fault = f"Nothing is heard: {error}."
                return []
            self._opened = True
        shift_s = t_s - (self._microphone.now() if came_at_s is None else came_at_s)
        heard = []
        for block in self._microphone.read():
            heard += self._listener.push(block.samples, block.end_s + shift_s)
        return heard

    def finish(self) -> list[Heard]:
        """A word that is being said when the camera is given back is said too late."""
        return []

    def close(self) -> None:
        """Give the microphone back."""
        self._opened = False
        self._microphone.close()


LOOK_EVERY_S, QUIET_AFTER_S = 0.2, 0.7


def recorded(microphone: Microphone, most_s: float, wait: Callable[[float], None]) -> np.ndarray:
    """What is said until a word was said five times and it is quiet again, or `most_s` passed: (samples,).

    Raises:
        MicrophoneError: if there is no microphone.
    """
    sound = np.zeros(0, np.float32)
    microphone.open()
    try:
        for _ in range(int(most_s / LOOK_EVERY_S)):
            wait(LOOK_EVERY_S)
            sound = np.concatenate([sound, *(block.samples for block in microphone.read())])
            quiet = int(QUIET_AFTER_S * RATE_HZ)
            if len(cut(sound[:-quiet])) >= WANTED and len(cut(sound)) == len(cut(sound[:-quiet])):
                break
    finally:
        microphone.close()
    return sound


def open_ears(source: str, household: Path) -> Ears | None:
    """What hears the calls that belong to a source; None where it has no sound.

    A camera is heard through the microphone of this computer, a recording through its own sound; a stream or
    a folder of pictures has none. No microphone is opened before a word is taught.
    """
    if source.isdigit():
        return MicrophoneEars(Microphone(monotonic), HouseholdListener(household))
    if "://" in source or not has_sound(Path(source)):
        return None
    return SoundtrackEars(Path(source), HouseholdListener(household))


NO_SOUND = "this source comes without sound; the call button works without"


def why_deaf(source: str) -> str | None:
    """Why no call can be heard that belongs to a source, in one plain sentence; None where one can."""
    if not source.isdigit():
        return NO_SOUND if "://" in source or not has_sound(Path(source)) else None
    try:
        check_microphone()
    except MicrophoneError as error:
        return str(error)
    return None
