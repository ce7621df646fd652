"""Several photographs of one count made into one: faces by identity, backs as separate heaps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from referee.cards import Card
from referee.findings import named, words

_NUMBERED = re.compile(r"^(?P<name>.*[^\W\d_].*?)(?:[ _.-]+\(?\d{1,2}\)?|\(\d{1,2}\))$")


def player_of(stem: str) -> str:
    """Whose cards a photograph shows: the file's name without a running number of one or two digits.

    >>> player_of("Ann"), player_of("Ann-2"), player_of("Ann (3)"), player_of("IMG_1234")
    ('Ann', 'Ann', 'Ann', 'IMG_1234')
    """
    found = _NUMBERED.match(stem)
    return found["name"] if found else stem


@dataclass(frozen=True, slots=True)
class Photograph:
    """What one photograph shows.

    `digest` is the same for the same file given twice. `player` owns the faces. `unread`: cards of which
    neither face nor back could be read. `doubtful`: cards that were read with little certainty. `strays`: for
    each back that lies among those of one other deck its deck and theirs. `turned`: cards that lie the other
    way up than nearly all others.
    """

    name: str
    digest: str
    player: str
    backs: tuple[str, ...] = ()
    faces: tuple[Card, ...] = ()
    unread: int = 0
    doubtful: int = 0
    strays: tuple[tuple[str, str], ...] = ()
    turned: int = 0


@dataclass(frozen=True)
class Merged:
    """One count. `decks`: backs per deck; `faces`: cards per player; `how`: the merge in plain sentences.

    `photographs` are those that count, each once, in the order of their players and names. A face is there
    more than once only where a single photograph shows it more than once.
    """

    decks: Mapping[str, int] = field(default_factory=dict)
    faces: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)
    unknown: int = 0
    how: tuple[str, ...] = ()
    photographs: tuple[Photograph, ...] = ()


def merge(photographs: Iterable[Photograph]) -> Merged:
    """One count of all photographs; their order does not matter, and the same file counts once.

    A deck holds each card once (I5), so the same face of one player in two photographs is one card. Backs
    are all alike: photographs of backs show separate heaps, which add up (M7).
    """
    first: dict[str, Photograph] = {}
    again: list[str] = []
    for photograph in sorted(photographs, key=lambda p: (p.player, p.name)):
        kept = first.setdefault(photograph.digest, photograph)
        if kept is not photograph:
            again.append(
                f"{photograph.name} is the same picture as {kept.name}: it is counted once."
                if photograph.name != kept.name
                else f"{kept.name} was given twice: it is counted once."
            )
    single = list(first.values())
    decks: Counter[str] = Counter()
    faces: dict[str, Counter[Card]] = {}
    for photograph in single:
        decks.update(photograph.backs)
        if photograph.faces:
            faces[photograph.player] = faces.get(photograph.player, Counter()) | Counter(photograph.faces)
    return Merged(
        dict(sorted(decks.items())),
        {player: tuple(sorted(cards.elements())) for player, cards in sorted(faces.items())},
        sum(photograph.unread for photograph in single),
        (*sorted(set(again)), *_faces_told(single), *_backs_told(single)),
        tuple(single),
    )


def _faces_told(photographs: list[Photograph]) -> list[str]:
    told = []
    for player in sorted({p.player for p in photographs}):
        own = [p for p in photographs if p.player == player and p.faces]
        if len(own) < 2:
            continue
        shown = Counter(card for p in own for card in set(p.faces))
        both = sorted(card for card, times in shown.items() if times > 1)
        text = f"{player}: {len(own)} photographs with {words(sum(shown.values()), 'face')}"
        if both:
            shared = named(both) if len(both) <= 6 else f"{len(both)} of them"
            text += f", {shared} in more than one, which a deck holds once"
        told.append(f"{text}: {words(len(shown))}.")
    return told


def _backs_told(photographs: list[Photograph]) -> list[str]:
    own = [p for p in photographs if p.backs]
    if len(own) < 2:
        return []
    parts = ", ".join(f"{p.name} {len(p.backs)}" for p in own)
    total = sum(len(p.backs) for p in own)
    return [f"Backs are all alike, so each photograph is a heap of its own: {parts}, together {total}."]
