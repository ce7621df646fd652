"""`blitzref voice`: teaches the calls of a household, tries them, lists and forgets them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from engine.commands.common import HOUSEHOLD, fail, plain_errors, show_json
from engine.ears import recorded
from engine.household import household_folder
from engine.soundtrack import blocks, read_sound
from engine.words import Hearing, HouseholdWords, open_hearing, teach
from hearing.listener import Heard, Listener
from hearing.microphone import Microphone
from hearing.spotter import Role, Spotter
from hearing.utterances import WANTED


def voice(
    source: Annotated[
        Path | None,
        typer.Argument(help="A sound or video file; without it the microphone.", metavar="[FILE]"),
    ] = None,
    word: Annotated[str | None, typer.Option(help="The word, for example blitz.")] = None,
    person: Annotated[str, typer.Option(help="Who says it.")] = "somebody",
    stop: Annotated[
        bool, typer.Option("--stop", help="The word stops play for a correction and ends no round, as Dutch.")
    ] = False,
    try_: Annotated[bool, typer.Option("--try", help="Only tell what is heard in FILE.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the taught words.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Forget the word.")] = False,
    household: HOUSEHOLD = None,
    seconds: Annotated[float, typer.Option(help="How long the microphone listens at most.", min=5)] = 30.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Teach a call by saying it five times, with a pause of a second after each.

    Nothing that was said is kept: five rows of 64 numbers are, and --remove deletes them. From then on watch
    and app hear the word. Without --person, --remove forgets it for everybody.

    Example: blitzref voice --word blitz --person Ann
    """
    if listed + remove + try_ > 1 or (try_ and source is None) or (not (listed or try_) and word is None):
        fail("give --word WORD to teach it, --word WORD --remove, FILE --try, or --list.")
    with plain_errors():
        hearing = open_hearing()
        kept = HouseholdWords(household or household_folder(), hearing)
        if listed:
            _print_list(kept, as_json)
        elif try_:
            assert source is not None
            _print_heard(_heard(source, kept.spotters(), hearing), as_json)
        elif remove:
            assert word is not None
            count = kept.remove(word, None if person == "somebody" else person)
            show_json({"removed": count}) if as_json else print(f"{word} is forgotten.")
        else:
            assert word is not None
            role = Role.STOP if stop else Role.CALL
            sound = _recording(source, word, seconds)
            spotter = teach(sound, word, person, role, hearing)
            kept.keep(spotter)
            _print_taught(spotter, kept, as_json)


def _recording(source: Path | None, word: str, seconds: float) -> np.ndarray:
    """What is learnt from: a file, or what the microphone hears now."""
    if source is not None:
        return read_sound(source)
    typer.echo(f"Say {word} {WANTED} times, with a pause of a second after each.", err=True)
    return recorded(Microphone(time.monotonic), seconds, time.sleep)


def _print_taught(spotter: Spotter, kept: HouseholdWords, as_json: bool) -> None:
    if as_json:
        show_json({"household": str(kept.folder.parent), **_row(spotter)})
    else:
        print(f"{spotter.word}: heard {len(spotter.vectors)} times, kept in {kept.folder}")


def _heard(source: Path, spotters: tuple[Spotter, ...], hearing: Hearing) -> list[Heard]:
    if not spotters:
        fail("no word was taught yet; teach one with blitzref voice --word blitz.")
    listener = Listener(spotters, hearing.embed, hearing.background)
    heard = [word for block in blocks(source) for word in listener.push(*block)]
    return heard + listener.finish()


def _print_heard(heard: list[Heard], as_json: bool) -> None:
    if as_json:
        rows = [{"t": round(one.onset_s, 3), "word": one.word, "p": round(one.p, 4)} for one in heard]
        show_json({"heard": rows})
        return
    for one in heard:
        print(f"{one.onset_s:8.2f} s  {one.word}  {one.p:.2f}")
    if not heard:
        print("none of the taught words was heard")


def _row(spotter: Spotter) -> dict[str, object]:
    return {"word": spotter.word, "person": spotter.person, "role": spotter.role.value}


def _print_list(kept: HouseholdWords, as_json: bool) -> None:
    spotters = kept.spotters()
    if as_json:
        show_json({"household": str(kept.folder.parent), "words": [_row(one) for one in spotters]})
        return
    for one in spotters:
        what = "ends the round" if one.role is Role.CALL else "stops play"
        print(f"{one.word}: {one.person}, {what}")
    if not spotters:
        print(f"no word is taught in {kept.folder.parent}")
