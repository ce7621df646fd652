"""Corrected readings as labelled pictures: kept only where that was allowed, bounded, removable at once."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.photo import PhotoResult
from referee.cards import Card
from vision.types import Reading

Image = NDArray[np.uint8]

LINES, CONSENT = "corrections.jsonl", "consent.json"
MOST_MB = 200
MARGIN = 0.3
"""Kept around a card, in card widths: enough to cut the card out loosely."""
WIDEST_CARD_PX = 320.0
"""A wider card is made smaller; the reader looks at far fewer pixels."""
_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Label:
    """What a card is, as a person says: a face, a deck's back, or, with both None, no card at all."""

    card: Card | None = None
    deck: str | None = None

    @property
    def side(self) -> str | None:
        """`face`, `back`, or None where there is no card."""
        return "face" if self.card is not None else "back" if self.deck is not None else None

    def to_json(self) -> dict[str, Any]:
        """The keys of a reading."""
        number = None if self.card is None else self.card.number
        colour = None if self.card is None else str(self.card.colour)
        return {"side": self.side, "number": number, "colour": colour, "deck": self.deck}


@dataclass(frozen=True, slots=True)
class Correction:
    """One labelled picture: PNG file, corners (4, 2) px in it, and what the card is."""

    picture: Path
    quad: NDArray[np.float32]
    label: Label


class CorrectionStore:
    """The corrected readings of this computer, in one folder.

    `corrections.jsonl` holds a line a correction, `consent.json` whether anything may be kept; without a yes
    nothing is. The oldest are dropped where all together would need more than `most_mb` (MB, 10^6 bytes).
    """

    def __init__(self, folder: Path, most_mb: float = MOST_MB) -> None:
        self.folder = folder
        self._most_bytes = int(most_mb * 1_000_000)

    @property
    def allowed(self) -> bool | None:
        """Whether corrections may be kept; None where nobody has been asked yet."""
        try:
            said = json.loads((self.folder / CONSENT).read_text(encoding="utf-8"))["keep"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return said if isinstance(said, bool) else None

    def allow(self, keep: bool) -> None:
        """Note the answer to whether corrections may be kept; a no removes none of those that are there."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(self.folder / CONSENT, json.dumps({"keep": keep}).encode())

    def add(self, image: Image, quad: NDArray[np.float32], label: Label, read: Reading, when: str) -> bool:
        """Keep the card with the corners `quad` (4, 2) px of `image` BGR uint8 (H, W, 3), if that is allowed.

        `read` is what the machine had said, `when` a time as text. Returns whether it was kept.

        Raises:
            OSError: if the folder cannot be written.
        """
        if not self.allowed:
            return False
        piece, corners = cut_out(image, quad)
        done, png = cv2.imencode(".png", piece)
        if not done or len(png) > self._most_bytes:
            return False
        data = png.tobytes()
        line = {
            "picture": f"{hashlib.sha256(data).hexdigest()[:20]}.png",
            "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in corners],
            **label.to_json(),
            "read": {
                "side": read.side,
                "number": read.number,
                "colour": read.colour,
                "deck": read.deck,
                "confidence": round(read.confidence, 4),
            },
            "when": when,
        }
        with _LOCK:
            _write(self.folder / str(line["picture"]), data)
            with (self.folder / LINES).open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._drop_oldest()
        return True

    def corrections(self) -> list[Correction]:
        """All corrections, oldest first; of two for the same picture the later one stands.

        Lines that cannot be read, or whose picture is gone, are left out.
        """
        found: dict[str, Correction] = {}
        for line in self._lines():
            try:
                correction = _from_json(self.folder, line)
            except (KeyError, TypeError, ValueError):
                continue
            if correction.picture.is_file():
                found.pop(correction.picture.name, None)
                found[correction.picture.name] = correction
        return list(found.values())

    @property
    def size_bytes(self) -> int:
        """Disk space of the pictures and their lines."""
        files = [*self.folder.glob("*.png"), self.folder / LINES]
        return sum(file.stat().st_size for file in files if file.is_file())

    def remove_all(self) -> int:
        """Remove every correction, and the consent; returns how many pictures there were.

        Raises:
            OSError: if the folder cannot be removed.
        """
        with _LOCK:
            count = len(list(self.folder.glob("*.png")))
            if self.folder.is_dir():
                for path in (*self.folder.glob("*.png"), self.folder / LINES, self.folder / CONSENT):
                    path.unlink(missing_ok=True)
                if not any(self.folder.iterdir()):
                    shutil.rmtree(self.folder)
        return count

    def _lines(self) -> list[dict[str, Any]]:
        try:
            text = (self.folder / LINES).read_text(encoding="utf-8")
        except OSError:
            return []
        lines = []
        for line in text.splitlines():
            try:
                lines.append(json.loads(line))
            except ValueError:
                continue
        return lines

    def _drop_oldest(self) -> None:
        """Remove the oldest pictures and their lines until the rest fits."""
        over = self.size_bytes - self._most_bytes
        if over <= 0:
            return
        lines = self._lines()
        kept = list(lines)
        while kept and over > 0:
            oldest = kept.pop(0)
            over -= len(json.dumps(oldest)) + 1
            if all(line["picture"] != oldest["picture"] for line in kept):
                picture = self.folder / str(oldest["picture"])
                over -= picture.stat().st_size if picture.is_file() else 0
                picture.unlink(missing_ok=True)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept)
        _write(self.folder / LINES, text.encode())


def keep_correction(store: CorrectionStore, photo: PhotoResult, index: int, label: Label, when: str) -> bool:
    """Keep card `index` of a photograph, as it was read, with what a person says it is, if that is allowed.

    Raises:
        OSError: if the folder cannot be written.
    """
    if not store.allowed:
        return False
    card = photo.cards[index]
    return store.add(photo.full_size(), card.detection.quad, label, card.reading, when)


def cut_out(image: Image, quad: NDArray[np.float32]) -> tuple[Image, NDArray[np.float32]]:
    """A copy of the surroundings of a card, BGR uint8 (h, w, 3), and its corners (4, 2) px in it."""
    width_px = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[3] - quad[2])) / 2
    margin = MARGIN * width_px
    x0, y0 = np.maximum(np.floor(quad.min(axis=0) - margin), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0) + margin), image.shape[1::-1]).astype(int)
    x0, y0 = min(int(x0), image.shape[1] - 1), min(int(y0), image.shape[0] - 1)
    piece = image[y0 : max(int(y1), y0 + 1), x0 : max(int(x1), x0 + 1)]
    corners = (quad - (x0, y0)).astype(np.float32)
    scale = min(1.0, WIDEST_CARD_PX / max(width_px, 1.0))
    if scale < 1.0:
        size = max(1, round(piece.shape[1] * scale)), max(1, round(piece.shape[0] * scale))
        corners = corners * np.array([size[0] / piece.shape[1], size[1] / piece.shape[0]], np.float32)
        piece = np.asarray(cv2.resize(piece, size, interpolation=cv2.INTER_AREA), np.uint8)
    return np.ascontiguousarray(piece), corners


def _from_json(folder: Path, line: dict[str, Any]) -> Correction:
    name, quad = str(line["picture"]), np.array(line["quad"], np.float32)
    if Path(name).name != name or quad.shape != (4, 2):
        raise ValueError("no correction")
    card = Card.from_json(line) if line["side"] == "face" else None
    deck = str(line["deck"]) if line["side"] == "back" else None
    return Correction(folder / name, quad, Label(card, deck))


def _write(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".correction-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
