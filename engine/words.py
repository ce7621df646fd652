"""The calls that a household taught: for each word and person a small file with five vectors, never sound."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.household import LONGEST_NAME, EnrolmentError, checked_name
from hearing.embedding import MODEL, SIZE, TALK, TALK_SCALE, Embed, embedding
from hearing.learning import learn
from hearing.spotter import Background, Role, Spotter
from hearing.utterances import WordError, checked, cut
from vision.models import ModelError, models_folder, open_model

FOLDER = "words"
VERSION = 1


@dataclass(frozen=True, eq=False)
class Hearing:
    """What hearing needs beside the taught words.

    `embed` maps sound to vectors; `background`: some minutes at a card table, which a word is held against;
    `mark`: which network it is, since vectors of another one mean nothing.
    """

    embed: Embed
    background: Background
    mark: str


def open_hearing() -> Hearing:
    """The hearing that came with the program.

    Raises:
        ModelError: if a file is missing or altered.
    """
    folder = models_folder()
    session = open_model(MODEL)
    mark = hashlib.sha256((folder / MODEL).read_bytes()).hexdigest()[:16]
    try:
        talk = np.load(folder / TALK)
    except (OSError, ValueError) as error:
        raise ModelError(f"the file {TALK} is missing or damaged; install the program again") from error
    return Hearing(embedding(session), Background(talk.astype(np.float32) / TALK_SCALE), mark)


def teach(recording: np.ndarray, word: str, person: str, role: Role, hearing: Hearing) -> Spotter:
    """Learn a word of a recording (samples,) in which somebody says it five times with pauses.

    Raises:
        WordError: if it cannot be learnt from that, or the word or the person has no fit name.
    """
    return learnt(cut(recording), word, person, role, hearing)


def learnt(utterances: list[np.ndarray], word: str, person: str, role: Role, hearing: Hearing) -> Spotter:
    """Learn a word of utterances as `hearing.utterances.cut` gives them.

    Raises:
        WordError: as `teach`.
    """
    names = _named(word).casefold(), _named(person)
    return learn(*names, role, checked(utterances), hearing.embed)


def _named(text: str) -> str:
    """A word or the name of who says it, tidied.

    Raises:
        WordError: if it is empty, too long, or holds signs that it cannot have.
    """
    try:
        return checked_name(text)
    except EnrolmentError as error:
        raise WordError(
            f"the name {text.strip()[:LONGEST_NAME]!r} cannot be used for a word or a person; give up to"
            f" {LONGEST_NAME} letters, digits and hyphens"
        ) from error


def word_files(household: Path) -> list[Path]:
    """The files of the words that were taught there, by name."""
    return sorted((household / FOLDER).glob("[!.]*.json"))


class HouseholdWords:
    """The taught words in the folder of a household, which need not exist yet."""

    def __init__(self, household: Path, hearing: Hearing) -> None:
        self.folder = household / FOLDER
        self._hearing = hearing

    def spotters(self) -> tuple[Spotter, ...]:
        """All words by name, then person.

        Raises:
            WordError: if one is damaged or was learnt by another network.
        """
        found = [self._load(path) for path in word_files(self.folder.parent)]
        return tuple(sorted(found, key=lambda one: (one.word, one.person.casefold())))

    def keep(self, spotter: Spotter) -> None:
        """Keep a word in place of what the person taught of it before.

        Raises:
            WordError: if the folder cannot be written.
        """
        data = {
            "version": VERSION,
            "model": self._hearing.mark,
            "word": spotter.word,
            "person": spotter.person,
            "role": spotter.role.value,
            "length_s": round(spotter.length_s, 3),
            "vectors": [[round(float(value), 4) for value in vector] for vector in spotter.vectors],
        }
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=".", dir=self.folder)
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(json.dumps(data, ensure_ascii=False) + "\n")
                os.replace(name, self._path(spotter.word, spotter.person))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise WordError(f"{self.folder} cannot be written; give another --household") from error

    def remove(self, word: str, person: str | None = None) -> int:
        """Forget a word of one person, or of all; returns how many were forgotten. A damaged one goes, too.

        Raises:
            WordError: if nobody taught it, it has no fit name, or it cannot be removed.
        """
        word = _named(word).casefold()
        if person is not None:
            paths = [self._path(word, _named(person))]
        else:
            paths = list(self.folder.glob(f"{_key(word)}-*.json"))
        paths = [path for path in paths if path.is_file()]
        if not paths:
            whose = "" if person is None else f" by {person}"
            raise WordError(f"no word {word} was taught{whose}; see blitzref voice --list")
        try:
            for path in paths:
                path.unlink()
        except OSError as error:
            raise WordError(f"{paths[0]} cannot be removed; delete that file by hand") from error
        return len(paths)

    def _path(self, word: str, person: str) -> Path:
        return self.folder / f"{_key(word)}-{_key(person)}.json"

    def _load(self, path: Path) -> Spotter:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["version"] != VERSION:
                raise ValueError(data["version"])
            vectors = np.array(data["vectors"], np.float32)
            if vectors.ndim != 2 or vectors.shape[1] != SIZE or not np.isfinite(vectors).all():
                raise ValueError(vectors.shape)
            length_s = float(data["length_s"])
            role = Role(data["role"])
            spotter = Spotter(str(data["word"]), str(data["person"]), role, vectors, length_s)
            mark = data["model"]
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise WordError(
                f"the taught word in {path} is damaged; delete that file and teach it again"
            ) from error
        if mark != self._hearing.mark:
            raise WordError(
                f"{spotter.word} was taught to another version of the program; {spotter.person} must say it"
                " again, see blitzref voice --help"
            )
        return spotter


def _key(name: str) -> str:
    """A name as part of a file name; names that differ in capitals alone are one."""
    folded = name.casefold()
    plain = "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in folded)
    return f"{plain[:24]}_{hashlib.sha256(folded.encode()).hexdigest()[:6]}"
