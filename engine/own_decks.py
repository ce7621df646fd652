"""The household's own decks, taught at the table: shown once, known by all eyes from then on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.enrolling import Enrolled, HouseholdEyes, enrol_photographs
from vision.reading import Eyes


class OwnDecks:
    """The enrolled decks of the eyes of one table. Each call is made in one thread at a time."""

    def __init__(self, known: HouseholdEyes, eyes: Callable[[], Eyes]) -> None:
        self._known, self._eyes = known, eyes

    def names(self) -> tuple[str, ...]:
        """The names of the decks.

        Raises:
            EnrolmentError: if one of them is damaged.
        """
        return tuple(deck.name for deck in self._known.household.decks())

    def enrol(self, images: Sequence[Any], name: str) -> Enrolled:
        """Learn a deck from pictures BGR uint8 (H, W, 3) of its back, of its faces, or of both.

        Raises:
            EnrolmentError: if nothing in them can be kept, or the name cannot be used.
        """
        enrolled = enrol_photographs(images, name, self._known.household, self._eyes())
        self._known.refresh()
        return enrolled

    def remove(self, name: str) -> None:
        """Forget a deck.

        Raises:
            EnrolmentError: if there is none of that name.
        """
        self._known.household.remove(name)
        self._known.refresh()
