"""What is remembered between games beside the record: the camera, how much is said, and named set-ups."""

from __future__ import annotations

import json
import logging
import os
import threading
from pathlib import Path
from typing import Any

from engine.hub import Mode
from engine.settings import Settings
from engine.setup_file import Setup, SetupError, read_setup

FILE = "choices.json"
MOST_PRESETS = 50

log = logging.getLogger(__name__)


class KeptChoices:
    """The choices kept in a data folder; each change is written at once, whole or not at all.

    A file that cannot be read is set aside under another name, and the usual choices hold.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()
        self._data: dict[str, Any] = {}
        if self._path.exists():
            self._data = self._read()

    def _read(self) -> dict[str, Any]:
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            if not isinstance(data, dict) or not isinstance(data.get("presets", {}), dict):
                raise ValueError("it holds no choices")
        except (OSError, ValueError) as error:
            log.warning("the kept choices cannot be read and are set aside: %s", error)
            self._path.replace(self._path.with_suffix(".unreadable"))
            return {}
        return data

    @property
    def mode(self) -> Mode:
        """How much the referee says."""
        word = self._data.get("mode")
        return Mode(word) if word in set(Mode) else Mode.REFEREE

    def set_mode(self, mode: Mode) -> None:
        """Keep how much the referee says."""
        self._change("mode", str(mode))

    @property
    def source(self) -> str | None:
        """The camera, video or stream that was chosen on the set-up page, or None."""
        source = self._data.get("source")
        return source if isinstance(source, str) else None

    def set_source(self, source: str) -> None:
        """Keep the camera."""
        self._change("source", source)

    def presets(self) -> tuple[str, ...]:
        """The names of the kept set-ups, in alphabetical order."""
        return tuple(sorted(self._data.get("presets", {}), key=str.casefold))

    def preset(self, name: str) -> Setup:
        """A kept set-up.

        Raises:
            SetupError: if there is none of that name or it cannot be used by this program.
        """
        try:
            return read_setup(self._data.get("presets", {})[name])
        except KeyError as error:
            raise SetupError(f"there is no set-up {name!r}; choose another.") from error

    def keep_preset(self, name: str, setup: Setup) -> None:
        """Keep a set-up under a name, in place of one that had it.

        Raises:
            SetupError: if there are too many, or the disk will not take it.
        """
        presets = {**self._data.get("presets", {}), name: setup.model_dump(mode="json", exclude_none=True)}
        if len(presets) > MOST_PRESETS:
            raise SetupError(f"{MOST_PRESETS} set-ups are kept already; delete one first.")
        self._change("presets", presets)

    def drop_preset(self, name: str) -> None:
        """Forget a set-up."""
        presets = dict(self._data.get("presets", {}))
        presets.pop(name, None)
        self._change("presets", presets)

    def _change(self, key: str, value: Any) -> None:
        with self._lock:
            data = {**self._data, key: value}
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                fresh = self._path.with_suffix(".new")
                fresh.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
                os.replace(fresh, self._path)
            except OSError as error:
                raise SetupError(f"the choice cannot be kept ({error.strerror}); free some space.") from error
            self._data = data


def with_kept_source(settings: Settings) -> Settings:
    """The settings with the camera that was chosen last, where neither they nor a setup name one."""
    if settings.source is not None or settings.setup is not None:
        return settings
    return settings.model_copy(update={"source": KeptChoices(settings.data_dir).source})
