"""`blitzref enrol`: learns the household's own decks; lists and forgets them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.commands.common import HOUSEHOLD, NOT_RIGHT, Progress, fail, plain_errors, show_json
from engine.enrolling import Enrolled, enrol, enrol_photographs
from engine.household import Household, checked_name, household_folder
from engine.showing import Shown
from vision.reading import Eyes
from vision.sources import PICTURE_SUFFIXES, Source, SourceError, load_picture, open_source
from vision.types import Frame

LOOKS_A_SECOND = 3.0
MOST_LOOKS = 240
"""Of a film or a camera so many pictures are looked at."""


def enrol_command(
    source: Annotated[
        str | None,
        typer.Argument(help="A picture, a folder of pictures, a video or a camera number.", metavar="SOURCE"),
    ] = None,
    deck: Annotated[str | None, typer.Option(help="Name of the deck.", metavar="NAME")] = None,
    household: HOUSEHOLD = None,
    anew: Annotated[bool, typer.Option("--anew", help="Forget what is kept of the deck first.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the enrolled decks.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Forget the deck.")] = False,
    seconds: Annotated[float, typer.Option(help="How long a camera looks; Ctrl-C ends it.", min=2)] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Learn a deck of your own: show its back once, and its faces if you like, in a spread or one by one.

    From then on read, count, watch and app tell it apart. Enrolling a deck again adds looks. Exits 1 if its
    back cannot be told from that of another enrolled deck.

    Example: blitzref enrol back.jpg --deck red-bicycle
    """
    if listed + remove + (source is not None) != 1:
        fail("give a picture or camera to learn from, or --list, or --deck NAME --remove.")
    with plain_errors():
        kept = Household(household or household_folder())
        if listed:
            _print_list(kept, as_json)
            return
        if deck is None:
            fail("name the deck, for example --deck red-bicycle.")
        name = checked_name(deck)
        if remove:
            kept.remove(name)
            if as_json:
                show_json({"household": str(kept.folder), "removed": name})
            else:
                print(f"{name} is forgotten.")
            return
        assert source is not None
        enrolled = _learn(source, name, kept, anew, seconds)
    if as_json:
        show_json(_json(enrolled, kept))
    else:
        _print(enrolled, kept)
    if enrolled.alike:
        raise typer.Exit(NOT_RIGHT)


def _learn(source: str, name: str, kept: Household, anew: bool, seconds: float) -> Enrolled:
    progress = Progress("pictures looked at")
    path = Path(source)
    photographs = _photographs(path)
    if photographs is not None:
        # Every picture is opened before the first is looked at: a wrong file is told at once.
        for one in photographs:
            load_picture(one)
        enrolled = enrol_photographs(
            map(load_picture, photographs),
            name,
            kept,
            Eyes.load(),
            anew=anew,
            progress=lambda number: progress.at(number, len(photographs)),
        )
        progress.end()
        return enrolled
    opened = open_source(source)
    shown = Shown(Eyes.load())
    try:
        for frame in _looks(opened, seconds, progress.at):
            shown.frame(frame.image)
    except KeyboardInterrupt:
        # That is how a camera is told that everything was shown.
        if not opened.live:
            raise
    finally:
        opened.close()
    progress.end()
    return enrol(shown, name, kept, anew=anew)


def _photographs(path: Path) -> list[Path] | None:
    """The pictures of a source, None where it is a film or a camera.

    Raises:
        SourceError: if it is a folder without pictures.
    """
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if one.suffix.lower() in PICTURE_SUFFIXES)
        if not found:
            raise SourceError(f"{path} holds no pictures; give a folder with JPEG or PNG files.")
        return found
    return [path] if path.suffix.lower() in PICTURE_SUFFIXES else None


def _looks(source: Source, seconds: float, said: Callable[[int, int | None], None]) -> Iterator[Frame]:
    """Frames of a film or camera, as far apart in time as cards are looked at."""
    next_s, looks = 0.0, 0
    for frame in source:
        if (source.live and frame.t_s > seconds) or looks == MOST_LOOKS:
            return
        if frame.t_s >= next_s:
            next_s, looks = frame.t_s + 1 / LOOKS_A_SECOND, looks + 1
            said(looks, None)
            yield frame


def _json(enrolled: Enrolled, kept: Household) -> dict[str, Any]:
    return {
        "household": str(kept.folder),
        "deck": enrolled.deck,
        "backs": enrolled.backs,
        "faces": [card.to_json() for card in enrolled.faces],
        "unread": enrolled.unread,
        "others": enrolled.others,
        "alike": list(enrolled.alike),
    }


def _print(enrolled: Enrolled, kept: Household) -> None:
    print(f"{enrolled.deck}: {_looks_words(enrolled.backs)}, {_faces_words(len(enrolled.faces))}")
    if 0 < len(enrolled.faces) <= 3:
        print(f"faces: {', '.join(card.words for card in enrolled.faces)}")
    if enrolled.unread:
        print(f"faces that could not be read: {enrolled.unread}")
    if enrolled.others:
        print(f"left out, because they look otherwise: {enrolled.others}")
    print(f"kept in {kept.folder}")
    if enrolled.alike:
        others = " and ".join(enrolled.alike)
        print(
            f"{enrolled.deck} and {others} are too much alike to be told apart:"
            " their cards will often be unknown. Play with another deck, or mark the backs."
        )


def _print_list(kept: Household, as_json: bool) -> None:
    decks = kept.decks()
    if as_json:
        rows = [{"deck": d.name, "backs": d.backs, "faces": [c.to_json() for c in d.faces]} for d in decks]
        show_json({"household": str(kept.folder), "decks": rows})
        return
    for deck in decks:
        print(f"{deck.name}: {_looks_words(deck.backs)}, {_faces_words(len(deck.faces))}")
    if not decks:
        print(f"no deck is enrolled in {kept.folder}")


def _looks_words(count: int) -> str:
    return "no look at the back" if count == 0 else f"{count} look{'s' * (count > 1)} at the back"


def _faces_words(count: int) -> str:
    return "no faces" if count == 0 else f"{count} face{'s' * (count > 1)}"
