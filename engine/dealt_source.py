"""A film or a camera past which cards are dealt one by one, looked at with the real eyes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.dealing import Dealing, Dealt
from vision.motion import Motion, MotionWatch
from vision.reading import Eyes
from vision.sources import Source

LOOK_EVERY_S = 0.1
NEAR_PX = 9
"""A stir this near to a card's middle, in pixels of the motion's small picture, disturbs it."""


def watch_dealing(
    source: Source,
    eyes: Eyes,
    dealing: Dealing,
    *,
    idle_s: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Dealt]:
    """The cards of a source in the order in which they are counted.

    It ends with the source, or once no card came for `idle_s` (never where that is None). `progress` is
    told the number of each frame.
    """
    motion_watch = MotionWatch()
    t_s, last_look_s, last_new_s = 0.0, -LOOK_EVERY_S, None
    for frame in source:
        t_s = frame.t_s
        if t_s - last_look_s < LOOK_EVERY_S - 1e-6:
            continue
        last_look_s = t_s
        motion = motion_watch.look(frame.image, t_s)
        seen = eyes.read_found(frame.image, eyes.finder.find(frame.image))
        for dealt in dealing.look(t_s, seen, lambda at, motion=motion: _stirs(motion, at)):  # type: ignore[misc]
            last_new_s = t_s
            yield dealt
        if progress is not None:
            progress(frame.index)
        if idle_s is not None and last_new_s is not None and t_s - last_new_s > idle_s:
            break
    yield from dealing.finish(t_s)


def _stirs(motion: Motion, at: tuple[float, float]) -> bool:
    """Whether something moves or reaches over the pixels around `at`."""
    x, y = (round(v * motion.scale) for v in at)
    part = motion.hidden[max(y - NEAR_PX, 0) : y + NEAR_PX + 1, max(x - NEAR_PX, 0) : x + NEAR_PX + 1]
    return bool(part.any())
