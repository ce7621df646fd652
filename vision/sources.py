"""Where pictures come from: a video file, a folder of pictures, a camera or a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.types import Frame

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")
MIN_PICTURE_PX = 32
MAX_PICTURE_PX = 80_000_000
DEFAULT_HZ = 30.0
STREAM_OPEN_MS, STREAM_READ_MS = 5000, 2000
"""A stream that is silent longer than this is given up, to be opened anew by whoever reads it."""
DEVICE_NAMES = Path("/dev/v4l/by-id")
"""Where Linux keeps a lasting name for each camera; its number may change when it is plugged in again."""


class SourceError(ValueError):
    """A source cannot be used; the message is one plain sentence that says what to do."""


def load_picture(path: Path) -> np.ndarray:
    """The picture at `path`, BGR uint8 (H, W, 3), upright.

    Raises:
        SourceError: if it is missing, is not a whole picture, or is too small or too large to read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise SourceError(f"{path} does not exist; check the name.") from error
    except OSError as error:
        raise SourceError(f"{path} cannot be opened; give a picture file.") from error
    return decode_picture(data, str(path))


def decode_picture(data: bytes, name: str) -> np.ndarray:
    """The picture in `data`, BGR uint8 (H, W, 3), upright; `name` is used in messages.

    Raises:
        SourceError: as `load_picture`.
    """
    if not data:
        raise SourceError(f"{name} is empty; take the picture again.")
    if data[:2] == b"\xff\xd8" and b"\xff\xd9" not in data[-4096:]:
        raise SourceError(f"{name} is cut off; copy or take the picture again.")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise SourceError(f"{name} is not a picture that can be read; give a JPEG or PNG file.")
    height, width = image.shape[:2]
    if min(height, width) < MIN_PICTURE_PX:
        raise SourceError(f"{name} has only {width} x {height} pixels; take a larger picture.")
    if height * width > MAX_PICTURE_PX:
        raise SourceError(f"{name} has {width} x {height} pixels; make it smaller than 80 megapixels.")
    return image


class Source:
    """Frames one after another. `live` sources cannot be waited for: the newest frame counts."""

    def __init__(
        self,
        name: str,
        read: Callable[[], np.ndarray | None],
        close: Callable[[], None],
        *,
        fps: float,
        live: bool,
        count: int | None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.name = name
        self.fps = fps
        self.live = live
        self.count = count
        self._read = read
        self._close = close
        self._clock = clock
        self._index = 0
        self._started: float | None = None

    def __iter__(self) -> Iterator[Frame]:
        while (frame := self.read()) is not None:
            yield frame

    def read(self) -> Frame | None:
        """The next frame, or None at the end of a file or when a camera gives none."""
        image = self._read()
        if image is None:
            return None
        if self._clock is None:
            t_s = self._index / self.fps
        else:
            now = self._clock()
            self._started = now if self._started is None else self._started
            t_s = now - self._started
        frame = Frame(image, self._index, t_s)
        self._index += 1
        return frame

    def close(self) -> None:
        """Give the device or file back; may be called twice."""
        self._close()


def open_source(spec: str | int, *, clock: Callable[[], float] | None = None) -> Source:
    """Open a camera (a number), a stream (a URL), a video file or a folder of pictures.

    `clock` (seconds, monotonic) times the frames of cameras and streams; files have their own clock.

    Raises:
        SourceError: if there is no such source or it gives no picture.
    """
    text = str(spec)
    if text.isdigit():
        return _capture(int(text), f"camera {text}", live=True, clock=clock)
    if "://" in text:
        return _capture(text, text, live=True, clock=clock)
    path = Path(text)
    if path.is_dir():
        return _folder(path)
    if not path.exists():
        raise SourceError(
            f"{text} does not exist; give a video file, a folder of pictures or a camera number."
        )
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return _still(path)
    return _capture(text, text, live=False, clock=None)


class SourceOpener:
    """Opens a source again and again: a camera is found even under another number, by its lasting name.

    `clock` as in `open_source`; `names`: the folder of the cameras' lasting names.
    """

    def __init__(
        self, spec: str | int, *, clock: Callable[[], float] | None = None, names: Path = DEVICE_NAMES
    ) -> None:
        self._spec, self._clock, self._names = str(spec), clock, names
        self._name: Path | None = None

    def __call__(self) -> Source:
        """Open the source.

        Raises:
            SourceError: if there is no such source or it gives no picture.
        """
        spec = self._spec
        if not spec.isdigit():
            return open_source(spec, clock=self._clock)
        number = None if self._name is None else _camera_number(self._name)
        source = open_source(spec if number is None else number, clock=self._clock)
        self._name = self._name or self._lasting_name(int(spec))
        return source

    def _lasting_name(self, number: int) -> Path | None:
        names = sorted(self._names.iterdir()) if self._names.is_dir() else []
        return next((name for name in names if _camera_number(name) == number), None)


def _camera_number(name: Path) -> int | None:
    """The number of the camera that a lasting name stands for now; None while it is not there."""
    target = name.resolve()
    digits = target.name.removeprefix("video")
    return int(digits) if target.exists() and target.name.startswith("video") and digits.isdigit() else None


def _capture(spec: str | int, name: str, *, live: bool, clock: Callable[[], float] | None) -> Source:
    if live and isinstance(spec, str):
        limits = [
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, STREAM_OPEN_MS),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, STREAM_READ_MS),
        ]
        capture = cv2.VideoCapture(spec, cv2.CAP_FFMPEG, limits)
    else:
        capture = cv2.VideoCapture(spec)
    if live and isinstance(spec, int):
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1920)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    first: list[np.ndarray] = []
    ok, image = capture.read() if capture.isOpened() else (False, None)
    if not ok or image is None:
        capture.release()
        if not live:
            what = "give a video file such as MP4 or AVI"
        elif isinstance(spec, str):
            what = "check the address, and that the phone or camera is in the same network and sends"
        else:
            what = "plug the camera in and close other programs that use it"
        raise SourceError(f"{name} gives no picture; {what}.")
    first.append(image)

    def read() -> np.ndarray | None:
        if first:
            return first.pop()
        ok, image = capture.read()
        return image if ok else None

    fps = capture.get(cv2.CAP_PROP_FPS)
    count = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    return Source(
        name,
        read,
        capture.release,
        fps=fps if 1 <= fps <= 240 else DEFAULT_HZ,
        live=live,
        count=count if count > 0 and not live else None,
        clock=clock,
    )


def _folder(folder: Path) -> Source:
    paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES)
    if not paths:
        raise SourceError(f"{folder} holds no pictures; give a folder with JPEG or PNG files.")
    rest = iter(paths)
    shape: tuple[int, ...] | None = None

    def read() -> np.ndarray | None:
        nonlocal shape
        path = next(rest, None)
        if path is None:
            return None
        image = load_picture(path)
        shape = shape or image.shape
        if image.shape != shape:
            raise SourceError(f"{path} is not as large as {paths[0].name}; give pictures of one size.")
        return image

    return Source(str(folder), read, lambda: None, fps=DEFAULT_HZ, live=False, count=len(paths))


def _still(path: Path) -> Source:
    pictures = [load_picture(path)]
    return Source(
        str(path),
        lambda: pictures.pop() if pictures else None,
        lambda: None,
        fps=DEFAULT_HZ,
        live=False,
        count=1,
    )
