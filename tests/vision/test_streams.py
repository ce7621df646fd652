"""A phone as camera, and a camera that comes back under another number."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from time import monotonic

import cv2
import numpy as np
import pytest

import vision.sources as sources
from vision.sources import SourceError, SourceOpener, open_source


@dataclass
class Phone:
    """Serves numbered pictures as a phone does; `frames` per connection, then it hangs up."""

    frames: int = 12
    served: int = 0
    stop: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def phone() -> Iterator[tuple[Phone, str]]:
    state = Phone()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                for _ in range(state.frames):
                    state.served += 1
                    picture = np.full((120, 160, 3), (40, 90, 200), np.uint8)
                    picture[:, : 4 * (state.served % 40)] = 230
                    data = cv2.imencode(".jpg", picture)[1].tobytes()
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                    self.wfile.write(head.encode() + data + b"\r\n")
                    if state.stop.wait(0.02):
                        return
            except OSError:
                pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield state, f"http://127.0.0.1:{server.server_port}/video"
    state.stop.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_phone_is_read_frame_by_frame_and_can_be_opened_again(phone: tuple[Phone, str]) -> None:
    _, address = phone
    opener = SourceOpener(address, clock=monotonic)
    for _ in range(2):
        source = opener()
        frames = list(source)
        source.close()
        assert source.live and len(frames) >= 8
        assert frames[0].image.shape == (120, 160, 3)
        assert all(a.t_s <= b.t_s for a, b in pairwise(frames))
        blue, green, red = frames[0].image[60, 155].astype(int)
        assert red > green > blue


def test_an_address_where_nobody_answers_is_told_in_one_sentence() -> None:
    with pytest.raises(SourceError, match=r"check the address.*\.$"):
        open_source("http://127.0.0.1:9/video")


def test_a_camera_is_found_under_its_new_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def fake(spec: str | int, **_: object) -> str:
        opened.append(str(spec))
        return "source"

    monkeypatch.setattr(sources, "open_source", fake)
    names, devices = tmp_path / "by-id", tmp_path / "dev"
    names.mkdir()
    devices.mkdir()
    (devices / "video0").touch()
    (names / "usb-cam-index0").symlink_to(devices / "video0")
    opener = SourceOpener("0", names=names)
    opener()
    (devices / "video0").unlink()
    opener()
    (devices / "video2").touch()
    (names / "usb-cam-index0").unlink()
    (names / "usb-cam-index0").symlink_to(devices / "video2")
    opener()
    assert opened == ["0", "0", "2"]


def test_without_lasting_names_the_number_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(sources, "open_source", lambda spec, **_: opened.append(str(spec)))
    opener = SourceOpener("3", names=tmp_path / "none")
    opener()
    opener()
    assert opened == ["3", "3"]
