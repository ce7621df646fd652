"""Where a household's enrolled decks are kept: a folder a deck, its pictures as PNG and `deck.json`."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.settings import Settings
from referee.cards import Card
from vision.enrolment import Exemplar
from vision.likeness import FINE_PX

FILE_NAME = "deck.json"
VERSION = 1
LONGEST_NAME = 40
"""As many characters as the name of a deck may have in SETUP.toml."""
SIGNS = " -_.'&+()"
"""What a name may hold besides letters and digits."""


class EnrolmentError(ValueError):
    """A deck cannot be enrolled or used; the message is one plain sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class EnrolledDeck:
    """What is kept of a deck: how many looks at its back, and which faces."""

    name: str
    backs: int
    faces: tuple[Card, ...]


def household_folder(settings: Settings | None = None) -> Path:
    """The folder of the enrolled decks: the one of the settings, else one in the program's data folder."""
    settings = settings or Settings()
    return settings.household or settings.data_dir / "household"


def checked_name(name: str) -> str:
    """The name of a deck as it is kept: trimmed, in one Unicode form.

    Raises:
        EnrolmentError: if it is empty, too long, or holds signs that a name cannot have.
    """
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidy:
        raise EnrolmentError("a deck needs a name; give for example --deck red-bicycle.")
    if len(tidy) > LONGEST_NAME:
        raise EnrolmentError(
            f"the name {tidy[:20]}... is too long; give one of {LONGEST_NAME} characters or fewer."
        )
    odd = next((sign for sign in tidy if not (sign.isalnum() or sign in SIGNS)), None)
    if odd is not None or not tidy[0].isalnum():
        what = f"the sign {odd!r}" if odd is not None else f"{tidy[0]!r} at its beginning"
        raise EnrolmentError(f"the name of a deck cannot have {what}; use letters, digits and hyphens.")
    return tidy


class Household:
    """The enrolled decks in one folder, which need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def decks(self) -> tuple[EnrolledDeck, ...]:
        """All decks by name.

        Raises:
            EnrolmentError: if one of them is damaged.
        """
        found = []
        for path in self._paths():
            name, views = _load_views(path)
            faces = {card for _, _, card in views if card is not None}
            backs = sum(card is None for _, _, card in views)
            found.append(EnrolledDeck(name, backs, tuple(sorted(faces, key=lambda c: (c.colour, c.number)))))
        return tuple(sorted(found, key=lambda deck: deck.name.casefold()))

    def exemplars(self, name: str | None = None) -> tuple[Exemplar, ...]:
        """The looks at all decks, or at one of them (none if there is no such deck).

        Raises:
            EnrolmentError: if a deck is damaged.
        """
        paths = self._paths() if name is None else [self._path(checked_name(name))]
        return tuple(exemplar for path in paths if path.is_dir() for exemplar in _load_exemplars(path))

    def keep(self, name: str, exemplars: Sequence[Exemplar]) -> None:
        """Keep a deck, whole or not at all, in place of what was kept of it.

        Raises:
            EnrolmentError: if the name cannot be used or the folder cannot be written.
        """
        name = checked_name(name)
        target = self._path(name)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with _beside(target) as making:
                views = [_write_view(making, number, one) for number, one in enumerate(exemplars)]
                data = {"version": VERSION, "deck": name, "views": views}
                text = json.dumps(data, ensure_ascii=False, indent=1)
                (making / FILE_NAME).write_text(text + "\n", encoding="utf-8")
                with _beside(target) as bin_:
                    if target.is_dir():
                        target.rename(bin_ / target.name)
                    making.rename(target)
        except OSError as error:
            raise EnrolmentError(f"{self.folder} cannot be written; give another --household.") from error

    def remove(self, name: str) -> None:
        """Forget a deck, also a damaged one.

        Raises:
            EnrolmentError: if there is no such deck, or it cannot be removed.
        """
        name = checked_name(name)
        path = self._path(name)
        if not path.is_dir():
            known = ", ".join(self._names()) or "none"
            raise EnrolmentError(f"no deck {name} is enrolled in {self.folder}; enrolled: {known}.")
        try:
            # It vanishes at once: a removal that is cut short must not leave half a deck.
            with _beside(path) as bin_:
                path.rename(bin_ / path.name)
        except OSError as error:
            raise EnrolmentError(f"{path} cannot be removed; delete that folder by hand.") from error

    def picture(self, name: str) -> bytes | None:
        """A small PNG of the deck's back, of a face where no back is kept, None where nothing is.

        Raises:
            EnrolmentError: if the deck is damaged.
        """
        exemplars = self.exemplars(name)
        if not exemplars:
            return None
        shown = min(exemplars, key=lambda one: (one.card is not None, -one.width_px))
        return bytes(cv2.imencode(".png", shown.crop)[1])

    def _paths(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return sorted(
            path for path in self.folder.iterdir() if path.is_dir() and not path.name.startswith(".")
        )

    def _names(self) -> list[str]:
        names = []
        for path in self._paths():
            try:
                names.append(_load_views(path)[0])
            except EnrolmentError:
                names.append(path.name)
        return names

    def _path(self, name: str) -> Path:
        """The deck's own folder; names that differ in capitals alone are one deck on every file system."""
        key = name.casefold()
        plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in key).strip("-")
        return self.folder / f"{plain or 'deck'}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """An empty folder beside `target`, on the same disk, that is gone afterwards."""
    making = Path(tempfile.mkdtemp(prefix=".", dir=target.parent))
    try:
        yield making
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _write_view(folder: Path, number: int, exemplar: Exemplar) -> dict[str, Any]:
    kind = "back" if exemplar.card is None else str(exemplar.card)
    name = f"{number:03d}-{kind}.png"
    (folder / name).write_bytes(bytes(cv2.imencode(".png", exemplar.crop)[1]))
    card = None if exemplar.card is None else exemplar.card.to_json()
    return {"file": name, "card": card, "width_px": round(exemplar.width_px, 1)}


def _load_views(folder: Path) -> tuple[str, list[tuple[str, float, Card | None]]]:
    """The deck's name, and file, width in px and card (None: the back) of each view.

    Raises:
        EnrolmentError: if `deck.json` is missing or does not say this.
    """
    try:
        data = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
        views = [
            (
                str(view["file"]),
                float(view["width_px"]),
                None if view["card"] is None else Card.from_json(view["card"]),
            )
            for view in data["views"]
        ]
        if data["version"] != VERSION or any(Path(file).name != file for file, _, _ in views):
            raise ValueError(data["version"])
        return checked_name(data["deck"]), views
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _damaged(folder) from error


def _load_exemplars(folder: Path) -> Iterator[Exemplar]:
    name, views = _load_views(folder)
    for file, width_px, card in views:
        try:
            crop = cv2.imdecode(np.frombuffer((folder / file).read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        except (OSError, cv2.error) as error:
            raise _damaged(folder) from error
        if crop is None or crop.shape != (FINE_PX[1], FINE_PX[0], 3):
            raise _damaged(folder)
        yield Exemplar(name, np.asarray(crop, np.uint8), width_px, card)


def _damaged(folder: Path) -> EnrolmentError:
    return EnrolmentError(f"the enrolled deck in {folder} is damaged; delete that folder and enrol it again.")
