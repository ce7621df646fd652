"""The sound of a recording, decoded along with its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import av
import numpy as np

from hearing.spectrum import RATE_HZ
from vision.sources import SourceError

STEADY_S = 0.05
"""Time stamps that differ from the count of samples by less are rounding; more is a hole or an overlap."""


class SoundError(SourceError):
    """Sound cannot be read; the message is one plain sentence that says what to do."""


def has_sound(path: Path) -> bool:
    """Whether a file can be opened and holds sound."""
    try:
        with av.open(str(path)) as container:
            return bool(container.streams.audio)
    except (OSError, ValueError, av.FFmpegError):
        return False


def blocks(path: Path | BinaryIO) -> Iterator[tuple[np.ndarray, float]]:
    """The sound of a file as mono blocks: float32 (samples,) at 16 kHz, and the end of each in seconds.

    Time counts from the first picture if there are pictures, else from the first sample. Holes are silence.

    Raises:
        SoundError: if there is no such file, no sound in it, or it breaks off.
    """
    done_s: float | None = None
    name = str(path) if isinstance(path, Path) else "the recording"
    try:
        with av.open(name if isinstance(path, Path) else path) as container:
            if not container.streams.audio:
                raise SoundError(f"{name} holds no sound; give a recording with sound.")
            stream = container.streams.audio[0]
            starts = [
                s.start_time * s.time_base
                for s in container.streams.video
                if s.start_time is not None and s.time_base is not None
            ]
            origin_s = float(starts[0]) if starts else None
            resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE_HZ)
            for frame in _frames(container, stream):
                if frame is not None and frame.time is not None:
                    origin_s = float(frame.time) if origin_s is None else origin_s
                    at_s = float(frame.time) - origin_s
                    hole_s = 0.0 if done_s is None else at_s - done_s
                    done_s = at_s if done_s is None else done_s
                    if hole_s > STEADY_S:
                        done_s = at_s
                        yield np.zeros(round(hole_s * RATE_HZ), np.float32), done_s
                for part in resampler.resample(frame):
                    samples = part.to_ndarray().reshape(-1)
                    done_s = (done_s or 0.0) + len(samples) / RATE_HZ
                    yield samples, done_s
    except FileNotFoundError as error:
        raise SoundError(f"{name} does not exist; check the name.") from error
    except (OSError, ValueError, av.FFmpegError) as error:
        if isinstance(error, SoundError):
            raise
        if done_s:
            raise SoundError(
                f"the sound of {name} breaks off at {done_s:.1f} s; copy the file again."
            ) from error
        raise SoundError(f"{name} holds no sound that can be read; give a WAV, MP3 or MP4 file.") from error


def _frames(container: Any, stream: Any) -> Iterator[Any]:
    """The decoded pieces, then None, on which the resampler gives what it still holds."""
    for packet in container.demux(stream):
        yield from packet.decode()
    yield None


def read_sound(path: Path) -> np.ndarray:
    """All the sound of a file: mono float32 (samples,) at 16 kHz.

    Raises:
        SoundError: as `blocks`.
    """
    return np.concatenate([np.zeros(0, np.float32), *(samples for samples, _ in blocks(path))])
