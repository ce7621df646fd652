"""`sheet` and `calibrate`: what they write, what they say, and their exit status."""

from __future__ import annotations

import tomllib
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from engine.setup_file import load_setup
from tests.cli.running import Run, wrong_use
from tests.vision.sheets import shoot
from vision.sources import load_picture


def written(path: Path, image: np.ndarray) -> Path:
    assert cv2.imwrite(str(path), image)
    return path


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sheet, seen well."""
    return written(tmp_path_factory.mktemp("good") / "table.png", shoot(1, px_per_mm=1.5, tilt_deg=8).image)


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sheet, too far away."""
    return written(tmp_path_factory.mktemp("far") / "table.png", shoot(1, px_per_mm=0.6, tilt_deg=0).image)


def test_the_sheet_is_printed(blitzref: Run, tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        ran = blitzref("sheet", tmp_path / name, "--paper", "letter")
        assert ran.status == 0 and "100 mm" in ran.out
    first, second = ((tmp_path / name).read_bytes() for name in ("a.pdf", "b.pdf"))
    assert first == second and first.startswith(b"%PDF-")
    wrong_use(blitzref("sheet", tmp_path / "none" / "a.pdf"), "check the path")


def test_a_good_view_is_told_line_by_line_and_as_json(blitzref: Run, good: Path, tmp_path: Path) -> None:
    ran = blitzref("calibrate", good, "--draw", tmp_path / "drawn.jpg")
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert all(line.startswith("ok ") for line in lines)
    assert any("px per mm" in line for line in lines)
    assert load_picture(tmp_path / "drawn.jpg").shape == (720, 1280, 3)
    data = blitzref("calibrate", good, "--json").json
    assert data["ok"] is True and data["by"] == "sheet" and data["setup"] is None
    assert data["px_per_mm"] == pytest.approx(1.5, rel=0.02)
    shrunk = blitzref("calibrate", good, "--ruler", 95, "--json").json
    assert shrunk["px_per_mm"] == pytest.approx(data["px_per_mm"] / 0.95, rel=1e-3)


def test_the_result_goes_into_a_setup_and_all_else_stays(blitzref: Run, good: Path, tmp_path: Path) -> None:
    setup = tmp_path / "SETUP.toml"
    before = '# ours\nruleset = "dutch_blitz"  # the game\n\n[[players]]\nname = "Ann"\n'
    setup.write_text(before)
    assert blitzref("calibrate", good, "--setup", setup).status == 0
    text = setup.read_text()
    assert text.startswith(before)
    calibration = load_setup(setup).calibration
    assert calibration.size_px == (1280, 720) and calibration.by == "sheet" and calibration.plane is not None
    assert calibration.px_per_mm == pytest.approx(1.5, rel=0.02)
    # A file is no camera; the source of the setup is left open.
    assert "camera" not in tomllib.loads(text)
    corners = "table_px = [[100, 50], [1200, 50], [1200, 700], [100, 700]]  # by hand\n"
    setup.write_text(text + corners)
    ran = blitzref("calibrate", good, "--setup", setup, "--json")
    assert ran.json["worst_px_per_mm"] > calibration.worst_px_per_mm  # type: ignore[operator]
    assert corners in setup.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["SETUP.toml"]


def test_a_new_setup_is_made(blitzref: Run, good: Path, tmp_path: Path) -> None:
    assert blitzref("calibrate", good, "--setup", tmp_path / "new.toml").status == 0
    assert load_setup(tmp_path / "new.toml").calibration.by == "sheet"


def test_too_few_pixels_are_refused_naming_the_number_and_nothing_is_written(
    blitzref: Run, far: Path, tmp_path: Path
) -> None:
    setup = tmp_path / "SETUP.toml"
    setup.write_text("# empty\n")
    ran = blitzref("calibrate", far, "--setup", setup)
    assert ran.status == 1
    (failed,) = [line for line in ran.out.splitlines() if line.startswith("FAILED")]
    assert "0.60 px per mm" in failed and "0.78 px per mm" in failed and "nearer" in failed
    assert setup.read_text() == "# empty\n"
    assert "left as it is" in ran.out


def test_a_table_with_neither_sheet_nor_cards_gets_advice(blitzref: Run, tmp_path: Path) -> None:
    picture = np.full((480, 640, 3), (60, 110, 60), np.uint8)
    cv2.circle(picture, (300, 200), 60, (30, 60, 160), -1)
    ran = blitzref("calibrate", written(tmp_path / "empty.png", picture))
    assert ran.status == 1
    assert "Lay the printed sheet, or some cards face up" in ran.out


def test_wrong_use_is_one_line_and_leaves_nothing(blitzref: Run, good: Path, tmp_path: Path) -> None:
    wrong_use(blitzref("calibrate", tmp_path / "none.png"), "none.png", "does not exist")
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    wrong_use(blitzref("calibrate", broken), "broken.png")
    setup = tmp_path / "SETUP.toml"
    setup.write_text("[calibration]\nsize = 3\n")
    wrong_use(blitzref("calibrate", good, "--setup", setup), "size_px")
    setup.write_text("calibration = {px_per_mm = 1}\n")
    wrong_use(blitzref("calibrate", good, "--setup", setup), "write it as [calibration]")
    assert setup.read_text() == "calibration = {px_per_mm = 1}\n"
    wrong_use(blitzref("calibrate", good, "--draw", tmp_path / "drawn.txt"), "JPEG")
    wrong_use(blitzref("calibrate", good, "--setup", tmp_path / "none" / "SETUP.toml"))
    wrong_use(blitzref("calibrate", good, "--ruler", 200))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["SETUP.toml", "broken.png"]


def test_corners_of_another_picture_size_are_not_used(blitzref: Run, good: Path, tmp_path: Path) -> None:
    setup = tmp_path / "SETUP.toml"
    setup.write_text(
        "[calibration]\nsize_px = [640, 360]\ntable_px = [[9, 9], [600, 9], [600, 300], [9, 300]]\n"
    )
    wrong_use(blitzref("calibrate", good, "--setup", setup), "640 x 360", "1280 x 720")


def film(path: Path, pictures: list[np.ndarray]) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=15)
        stream.width, stream.height, stream.pix_fmt = pictures[0].shape[1], pictures[0].shape[0], "yuv420p"
        stream.options = {"crf": "20"}
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())
    return path


def test_a_sheet_that_is_laid_down_later_in_a_film_is_found(
    blitzref: Run, good: Path, tmp_path: Path
) -> None:
    shown = load_picture(good)
    bare = np.full_like(shown, (70, 100, 120))
    ran = blitzref("calibrate", film(tmp_path / "table.mp4", [bare] * 30 + [shown] * 20), "--json")
    assert ran.status == 0
    assert ran.json["by"] == "sheet" and ran.json["px_per_mm"] == pytest.approx(1.5, rel=0.02)
    assert {"flicker", "steadiness"} <= {check["name"] for check in ran.json["checks"]}


def test_of_a_folder_the_picture_with_the_sheet_is_taken(blitzref: Run, good: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    shown = load_picture(good)
    for number, picture in enumerate((np.full_like(shown, 90), shown)):
        written(folder / f"{number}.png", picture)
    data = blitzref("calibrate", folder, "--json").json
    assert data["by"] == "sheet"
    assert "steadiness" not in {check["name"] for check in data["checks"]}
