"""A household's decks enrolled from pictures, and the eyes that know them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.household import EnrolmentError, Household, checked_name, household_folder
from engine.showing import Image, Look, Shown, backs_and_faces, by_elimination
from referee.cards import Card
from vision.enrolment import Exemplar, Gallery
from vision.reader import Reader
from vision.reading import Eyes

MOST_BACKS, MOST_FACES = 6, 2
"""So many looks are kept of a back, and of each face."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What became of an enrolment: `backs` and `faces` are all that is kept of the deck now.

    `unread`: faces that could not be read nor told by elimination; `others`: backs that look otherwise than
    the widest one; neither was kept. `alike`: enrolled decks whose backs cannot be told from this one.
    """

    deck: str
    backs: int
    faces: tuple[Card, ...]
    unread: int
    others: int
    alike: tuple[str, ...]


def load_gallery(household: Path | None = None, reader: Reader | None = None) -> Gallery | None:
    """What is known of the decks in a folder (without one, the usual one); None where none is enrolled.

    Raises:
        EnrolmentError: if a deck there is damaged.
        ModelError: if the reader's model is missing.
    """
    exemplars = Household(household or household_folder()).exemplars()
    return Gallery(exemplars, reader or Reader.load()) if exemplars else None


def load_eyes(household: Path | None = None) -> Eyes:
    """Eyes that know the decks in a folder (without one, the usual one).

    Raises:
        EnrolmentError: if a deck there is damaged.
        ModelError: if a model is missing.
    """
    return Eyes.load(gallery=load_gallery(household))


class HouseholdEyes:
    """Makes pairs of eyes that know the household's decks, and tells them all when decks change.

    Raises:
        EnrolmentError: if a deck is damaged, at once and at every `refresh`.
    """

    def __init__(self, household: Household) -> None:
        self.household = household
        self._made: list[Eyes] = []
        self._exemplars = household.exemplars()
        self._gallery: Gallery | None = None

    def load(self) -> Eyes:
        """One more pair, for a thread of its own; the first time all that there is to learn is learnt.

        Raises:
            ModelError: if a model is missing.
        """
        eyes = Eyes.load()
        if self._gallery is None:
            self._gallery = self._learnt(eyes.reader)
        eyes.gallery = self._gallery
        self._made.append(eyes)
        return eyes

    def refresh(self) -> None:
        """Decks were enrolled or removed: all eyes know it from their next picture on."""
        self._exemplars = self.household.exemplars()
        if self._made:
            self._gallery = self._learnt(self._made[0].reader)
            for eyes in self._made:
                eyes.gallery = self._gallery

    def _learnt(self, reader: Reader) -> Gallery | None:
        if not self._exemplars:
            return None
        gallery = Gallery(self._exemplars, reader)
        gallery.learn()
        return gallery


def enrol_photographs(
    photographs: Iterable[Image],
    name: str,
    household: Household,
    eyes: Eyes,
    *,
    anew: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Enrolled:
    """Enrol a deck from photographs BGR uint8 (H, W, 3) of its back, of its faces, or of both.

    `progress` is told how many photographs were looked at.

    Raises:
        EnrolmentError: as `enrol`.
    """
    checked_name(name)
    shown = Shown(Eyes(eyes.finder, eyes.reader))
    for number, photograph in enumerate(photographs, start=1):
        shown.photograph(photograph)
        if progress is not None:
            progress(number)
    return enrol(shown, name, household, anew=anew)


def enrol(shown: Shown, name: str, household: Household, *, anew: bool = False) -> Enrolled:
    """Keep what was shown as the deck `name`, besides what is kept of it already; `anew` forgets that first.

    Raises:
        EnrolmentError: if the name cannot be used, nothing was shown that can be kept, the back is not the
            one that is kept already, or the folder cannot be used. Then nothing is changed.
    """
    name = checked_name(name)
    reader = shown.eyes.reader
    before = () if anew else household.exemplars(name)
    backs, faces = backs_and_faces(shown.looks)
    if not shown.film:
        faces = by_elimination(faces)
    known = [look for look in faces if look.card is not None]
    if not backs and not known:
        raise EnrolmentError(_why_nothing(shown, faces))
    same, others = _one_back(backs, reader)
    _check_known([one for one in before if one.card is None], same, name, reader)
    kept = _best([*_as_exemplars(name, same), *_as_exemplars(name, known), *before])
    household.keep(name, kept)
    pairs = Gallery(household.exemplars(), reader).alike()
    return Enrolled(
        name,
        sum(one.card is None for one in kept),
        tuple(sorted({one.card for one in kept if one.card}, key=lambda card: (card.colour, card.number))),
        len(faces) - len(known),
        others,
        tuple(sorted({deck for pair in pairs if name in pair for deck in pair} - {name})),
    )


def _as_exemplars(name: str, looks: Sequence[Look]) -> list[Exemplar]:
    """The looks as examples, the widest first."""
    ordered = sorted(looks, key=lambda look: -look.width_px)
    return [Exemplar(name, look.crop, look.width_px, look.card) for look in ordered]


def _one_back(backs: Sequence[Look], reader: Reader) -> tuple[list[Look], int]:
    """The backs that look like the widest one, and how many do not.

    Raises:
        EnrolmentError: if those are the most.
    """
    if len(backs) < 2:
        return list(backs), 0
    widest = max(backs, key=lambda look: look.width_px)
    kinds = Gallery(_as_exemplars("shown", [widest]), reader).backs
    assert kinds is not None
    alike = [match.near for match in kinds.match([look.crop for look in backs])]
    same = [look for look, near in zip(backs, alike, strict=True) if near or look is widest]
    others = len(backs) - len(same)
    if others >= len(same):
        raise EnrolmentError(
            f"the {len(backs)} backs shown do not look alike; show the backs of one deck only, in even light."
        )
    return same, others


def _check_known(before: Sequence[Exemplar], fresh: Sequence[Look], name: str, reader: Reader) -> None:
    """Raises:
    EnrolmentError: if most of the `fresh` backs look otherwise than those kept of the deck.
    """
    kinds = Gallery(before, reader).backs
    if kinds is None or not fresh:
        return
    near = [match.near for match in kinds.match([look.crop for look in fresh])]
    if sum(near) * 2 < len(near):
        raise EnrolmentError(
            f"this is not the back that is enrolled as {name}; give another --deck, or --anew to replace it."
        )


def _best(exemplars: Sequence[Exemplar]) -> list[Exemplar]:
    """As many of each card as are kept, those that come first."""
    taken: Counter[Card | None] = Counter()
    kept = []
    for exemplar in exemplars:
        taken[exemplar.card] += 1
        if taken[exemplar.card] <= (MOST_BACKS if exemplar.card is None else MOST_FACES):
            kept.append(exemplar)
    return kept


def _why_nothing(shown: Shown, faces: Sequence[Look]) -> str:
    if faces:
        return "none of the faces shown could be read; lay them apart, nearer to the camera, in even light."
    if shown.small:
        return "the cards are less than 60 pixels wide; bring the camera nearer and take the picture again."
    if shown.unclear:
        return (
            "the outline of the card is not clear; lay it alone on a plain table that is darker or lighter"
            " than its edge, and take the picture again."
        )
    return "no card was found; lay it flat on a plain table, so that it fills a quarter of the picture."
