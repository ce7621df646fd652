"""The table is put on another source while the program runs; if that fails it stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import serve
from engine.kept import KeptChoices, with_kept_source
from engine.settings import Settings
from engine.setup_file import Setup
from engine.switching import SwitchError, open_example, open_own, open_source, shows_example
from engine.table import TableParts
from tests.engine.fakes import FakeSource, parts
from vision.sources import SourceError


def made_parts(settings: Settings, setup: Setup) -> TableParts:
    """Any source but the one that is broken."""
    source = settings.source or str(setup.camera.source)
    if source == "broken.mp4":
        raise SourceError("broken.mp4 gives no picture; give a video file such as MP4 or AVI.")
    return parts(lambda: FakeSource(10_000, live=True, pause=lambda index: None), name=source, live=True)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("BLITZREF_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("BLITZREF_FACTORY", f"{__name__}:made_parts")
    monkeypatch.delenv("BLITZREF_SOURCE", raising=False)
    serve.close_table()
    serve.open_table()
    yield
    serve.close_table()


def name() -> str:
    table = serve.current_table()
    assert table is not None
    return table.source_name


def test_the_example_comes_and_goes_with_a_record_of_its_own(own: None, tmp_path: Path) -> None:
    assert name() == "0" and not shows_example()
    open_example()
    assert shows_example()
    table = serve.current_table()
    assert table is not None and table.settings.data_dir == tmp_path / "example"
    assert [player.name for player in table.hub.snapshot.match.players] == ["Ann", "Ben", "Cleo", "Dan"]
    open_own()
    assert name() == "0" and not shows_example()


def test_another_camera_is_remembered_and_a_file_is_not(own: None, tmp_path: Path) -> None:
    open_source("2")
    assert name() == "2"
    open_source("film.mp4")
    assert name() == "film.mp4"
    assert KeptChoices(tmp_path).source == "2"
    serve.close_table()
    assert serve.open_table().source_name == "2"


def test_what_cannot_be_opened_leaves_the_table_as_it_was(own: None) -> None:
    open_source("2")
    with pytest.raises(SwitchError, match=r"^Broken\.mp4 gives no picture"):
        open_source("broken.mp4")
    assert name() == "2"


def test_a_camera_that_is_named_is_not_overruled(tmp_path: Path) -> None:
    KeptChoices(tmp_path).set_source("3")
    assert with_kept_source(Settings(data_dir=tmp_path)).source == "3"
    assert with_kept_source(Settings(data_dir=tmp_path, source="1")).source == "1"
    assert with_kept_source(Settings(data_dir=tmp_path, setup=tmp_path / "a.toml")).source is None
