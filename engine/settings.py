"""Everything that can be tuned from outside, with its unit and its bounds; environment prefix BLITZREF_."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

ENV_PREFIX = "BLITZREF_"


def platform_data_dir() -> Path:
    """Where this kind of computer keeps a program's own data."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "blitzref"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "blitzref"
    return Path(os.environ.get("XDG_DATA_HOME", home / ".local" / "share")) / "blitzref"


class Settings(BaseSettings):
    """Settings of one running table."""

    model_config = SettingsConfigDict(env_prefix=ENV_PREFIX, extra="forbid", frozen=True)

    data_dir: Path = Field(default_factory=platform_data_dir, title="Folder of the record and the evidence")
    household: Path | None = Field(
        default=None, title="Folder of the enrolled decks; None: household in the data folder"
    )
    source: str | None = Field(default=None, title="Camera, video file or stream; None: as in the setup")
    calls: Path | None = Field(default=None, title="Log of the calls that were made during a recording")
    hearing: bool = Field(default=True, title="Whether taught calls are heard")
    setup: Path | None = Field(default=None, title="Path of SETUP.toml")
    factory: str = Field(
        default="engine.parts:live_parts", title="module:function that makes the eyes of the table"
    )
    port: int = Field(default=8501, ge=1, le=65535, title="Port of the dashboard on this computer")
    join: str | None = Field(
        default=None, title="Code by which other machines join, or new; None: this computer only"
    )
    table: str | None = Field(default=None, title="Name of this table in a club of several tables")
    club: str | None = Field(default=None, title="Database of the club: a file or postgresql://...")
    open_browser: bool = Field(default=False, title="Whether the browser is opened at the start")
    file_pace: float = Field(default=1.0, ge=0.0, le=100.0, title="Speed of a video; 0: as fast as can be")

    file_late_s: float | None = Field(
        default=None, gt=0.0, title="Video frames later than this: the newest wins; None: all in turn, s"
    )

    evidence_mb: int = Field(default=300, ge=1, le=100_000, title="Disk space for evidence pictures, MB")
    ring_mb: int = Field(default=64, ge=1, le=1_000, title="Memory for the last frames, MB")
    ring_span_s: float = Field(default=12.0, ge=1.0, le=120.0, title="How far back the last frames reach, s")
    ring_period_s: float = Field(default=0.1, ge=0.0, le=1.0, title="Time between two frames kept, s")
    jpeg_quality: int = Field(default=85, ge=40, le=100, title="JPEG quality of evidence and live picture")

    camera_lost_s: float = Field(default=1.5, gt=0.0, le=30.0, title="No new picture: camera lost, s")
    camera_retry_s: float = Field(default=1.0, gt=0.0, le=60.0, title="Pause between two tries to reopen, s")
    camera_retry_most_s: float = Field(default=10.0, gt=0.0, le=600.0, title="Longest pause between tries, s")

    live_width_px: int = Field(default=1280, ge=320, le=3840, title="Width of the live picture, pixels")
    live_fps: float = Field(default=12.0, gt=0.0, le=60.0, title="Live pictures a second")
    checkpoint_s: float = Field(default=2.0, gt=0.0, le=60.0, title="Longest time without a saved state, s")
    feed_lines: int = Field(default=40, ge=5, le=500, title="Newest events kept for the live page")
    stop_s: float = Field(default=2.5, gt=0.0, le=30.0, title="Time each thread gets to end, s")
