"""Where pictures come from, and the plain sentence when they do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from tests.vision.drawing import table
from vision.sources import SourceError, decode_picture, load_picture, open_source

Maker = Callable[[Path], Path]


def jpeg(size: tuple[int, int] = (320, 240)) -> bytes:
    picture = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def png(size: tuple[int, int] = (320, 240)) -> bytes:
    picture = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    return cv2.imencode(".png", picture)[1].tobytes()


def plain(error: pytest.ExceptionInfo[SourceError], name: str) -> None:
    """One sentence that names the source and says what to do."""
    text = str(error.value)
    assert name in text
    assert text.endswith(".") and "\n" not in text
    assert ";" in text


BAD_PICTURES = {
    "text": b"these are my cards\n",
    "empty": b"",
    "a cut JPEG": jpeg()[:-900],
    "the head of a JPEG": jpeg()[:30],
    "a cut PNG": png()[:-5000],
    "one pixel": png((1, 1)),
    "a strip": png((400, 8)),
    "zeros": bytes(4000),
}


@pytest.mark.parametrize("kind", BAD_PICTURES)
@pytest.mark.parametrize("reader", [load_picture, lambda path: open_source(path)], ids=["picture", "source"])
def test_a_bad_picture_is_told_in_one_sentence(
    kind: str, reader: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / "table.jpg"
    path.write_bytes(BAD_PICTURES[kind])
    with pytest.raises(SourceError) as error:
        reader(path)
    plain(error, "table.jpg")


def test_a_missing_path_and_a_folder_are_no_pictures(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jpg", tmp_path):
        with pytest.raises(SourceError) as error:
            load_picture(path)
        plain(error, path.name)


def test_a_picture_too_large_for_memory_is_refused() -> None:
    large = cv2.imencode(".png", np.zeros((9000, 9001), np.uint8))[1].tobytes()
    with pytest.raises(SourceError, match=r"9001 x 9000 .* 80 megapixels"):
        decode_picture(large, "huge.png")


def test_a_picture_comes_as_bgr_and_upright(tmp_path: Path) -> None:
    picture = np.zeros((64, 96, 3), np.uint8)
    picture[:, :48] = (0, 0, 250)
    picture[:, 48:] = (250, 0, 0)
    path = tmp_path / "two.png"
    cv2.imwrite(str(path), picture)
    loaded = load_picture(path)
    assert (loaded == picture).all()
    # The tag 0x0112 = 6 says that the top of the table is at the right of the stored picture.
    stored = cv2.imencode(".jpg", np.rot90(picture).copy(), [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    tag = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    turned = stored[:2] + b"\xff\xe1" + (len(tag) + 2).to_bytes(2, "big") + tag + stored[2:]
    upright = decode_picture(turned, "phone.jpg")
    assert upright.shape == (64, 96, 3)
    assert np.abs(upright[32, 20].astype(int) - picture[32, 20]).max() < 40
    assert np.abs(upright[32, 80].astype(int) - picture[32, 80]).max() < 40


@pytest.mark.parametrize(("channels", "dtype"), [(1, np.uint8), (4, np.uint8), (3, np.uint16)])
def test_grey_transparent_and_deep_pictures_are_read(channels: int, dtype: type, tmp_path: Path) -> None:
    shape = (60, 80) if channels == 1 else (60, 80, channels)
    path = tmp_path / "odd.png"
    cv2.imwrite(str(path), np.full(shape, np.iinfo(dtype).max // 2, dtype))
    loaded = load_picture(path)
    assert loaded.shape == (60, 80, 3) and loaded.dtype == np.uint8


def film(path: Path, frames: int = 12, fps: int = 12) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps)
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p"
        stream.options = {"crf": "12"}
        for number in range(frames):
            picture = table((128, 96), (20, 20, 200) if number < frames // 2 else (200, 20, 20))
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())
    return path


def test_every_frame_of_a_film_comes_once_with_its_time_and_colours(tmp_path: Path) -> None:
    source = open_source(str(film(tmp_path / "round.mp4")))
    assert (source.live, source.count, source.fps) == (False, 12, 12)
    frames = list(source)
    source.close()
    source.close()
    assert [f.index for f in frames] == list(range(12))
    assert [f.t_s for f in frames] == pytest.approx([i / 12 for i in range(12)])
    first, last = frames[0].image[48, 64].astype(int), frames[-1].image[48, 64].astype(int)
    assert first[2] > first[0] + 100 and last[0] > last[2] + 100


@pytest.mark.parametrize(
    ("name", "content"),
    [("round.mp4", b""), ("round.mp4", b"no film\n" * 50), ("notes.txt", b"no film\n"), ("cut.mp4", None)],
)
def test_what_is_no_film_is_told_in_one_sentence(name: str, content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(film(tmp_path / "whole.mp4").read_bytes()[:700] if content is None else content)
    with pytest.raises(SourceError) as error:
        open_source(path)
    plain(error, name)


def test_a_missing_source_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as error:
        open_source(tmp_path / "none.mp4")
    plain(error, "none.mp4")


def test_a_camera_that_is_not_there_is_told_in_one_sentence() -> None:
    with pytest.raises(SourceError) as error:
        open_source("97")
    plain(error, "camera 97")


def folder(path: Path, sizes: list[tuple[int, int]]) -> Path:
    path.mkdir()
    for number, size in enumerate(sizes):
        cv2.imwrite(str(path / f"{number:03d}.png"), table(size, (number * 20, 90, 90)))
    (path / "notes.txt").write_text("not a picture")
    return path


def test_a_folder_gives_its_pictures_in_order(tmp_path: Path) -> None:
    source = open_source(folder(tmp_path / "pictures", [(80, 60)] * 4))
    assert source.count == 4
    assert [int(f.image[0, 0, 0]) for f in source] == [0, 20, 40, 60]


def test_a_folder_without_pictures_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as error:
        open_source(folder(tmp_path / "empty", []))
    plain(error, "empty")


def test_a_bad_picture_in_a_folder_is_named(tmp_path: Path) -> None:
    path = folder(tmp_path / "pictures", [(80, 60)] * 3)
    (path / "001.png").write_bytes(b"")
    source = open_source(path)
    assert source.read() is not None
    with pytest.raises(SourceError) as error:
        source.read()
    plain(error, "001.png")


def test_a_folder_with_pictures_of_two_sizes_is_no_film(tmp_path: Path) -> None:
    source = open_source(folder(tmp_path / "mixed", [(80, 60), (80, 70)]))
    assert source.read() is not None
    with pytest.raises(SourceError) as error:
        source.read()
    plain(error, "001.png")


def test_a_live_source_is_timed_by_the_clock_that_is_passed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Camera:
        def __init__(self, _: object) -> None:
            self.left = 3

        def isOpened(self) -> bool:
            return True

        def set(self, *_: object) -> bool:
            return False

        def get(self, _: int) -> float:
            return 0.0

        def read(self) -> tuple[bool, np.ndarray | None]:
            self.left -= 1
            return self.left >= 0, table((64, 48)) if self.left >= 0 else None

        def release(self) -> None:
            pass

    monkeypatch.setattr(cv2, "VideoCapture", Camera)
    clock = iter([100.0, 100.25, 101.0])
    source = open_source("0", clock=lambda: next(clock))
    assert source.live and source.count is None and source.fps == 30.0
    assert [f.t_s for f in source] == [0.0, 0.25, 1.0]
