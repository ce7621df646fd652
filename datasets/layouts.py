"""How cards lie on a table: rounds in progress, spreads for counting, fans, heaps, single cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from datasets.cardbox import DeckKit
from referee.cards import Card

View = tuple[float, float, float, float]
"""x0, y0, x1, y1 of the visible table in mm."""


@dataclass(frozen=True)
class Placed:
    """A card on the table: `card` face up, None face down; `deck` names the back. Later ones lie on top."""

    centre_mm: tuple[float, float]
    angle_deg: float
    kit: DeckKit
    deck: str
    card: Card | None


def _any_card(kit: DeckKit, rng: np.random.Generator) -> Card:
    cards = kit.cards
    return cards[rng.integers(len(cards))]


def _any_deck(kit: DeckKit, rng: np.random.Generator) -> str:
    return kit.decks[rng.integers(len(kit.decks))]


def _drop(
    kit: DeckKit,
    x: float,
    y: float,
    angle: float,
    rng: np.random.Generator,
    *,
    face: bool = True,
    deck: str | None = None,
    card: Card | None = None,
    wobble_mm: float = 3.0,
    wobble_deg: float = 4.0,
) -> Placed:
    return Placed(
        (x + rng.normal(0, wobble_mm), y + rng.normal(0, wobble_mm)),
        angle + rng.normal(0, wobble_deg),
        kit,
        deck or _any_deck(kit, rng),
        (card or _any_card(kit, rng)) if face else None,
    )


def _pile(
    kit: DeckKit,
    x: float,
    y: float,
    angle: float,
    rng: np.random.Generator,
    height: int,
    mess: float,
    **how: object,
) -> list[Placed]:
    return [
        _drop(kit, x, y, angle, rng, wobble_mm=mess, wobble_deg=mess * 1.6, **how)  # type: ignore[arg-type]
        for _ in range(max(1, height))
    ]


def scatter(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
    """Cards thrown anywhere, at any angle, some on each other."""
    w_mm, h_mm = kit.size_mm
    room = (view[2] - view[0]) * (view[3] - view[1]) / (w_mm * h_mm)
    count = int(np.clip(room * rng.uniform(0.05, 0.7), 1, 45))
    face_share = rng.choice([1.0, 0.7, 0.5, 0.0], p=[0.5, 0.25, 0.15, 0.1])
    return [
        _drop(
            kit,
            rng.uniform(view[0], view[2]),
            rng.uniform(view[1], view[3]),
            rng.uniform(0, 360),
            rng,
            face=rng.random() < face_share,
        )
        for _ in range(count)
    ]


def grid(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
    """Rows and columns, the way cards are counted or laid out; rows may overlap like shingles."""
    w_mm, h_mm = kit.size_mm
    turn = float(rng.choice([0.0, 90.0])) + rng.normal(0, 8)
    step_x = w_mm * rng.uniform(0.45, 1.5) if rng.random() < 0.6 else w_mm * rng.uniform(1.03, 1.3)
    step_y = h_mm * rng.uniform(0.5, 1.4) if rng.random() < 0.4 else h_mm * rng.uniform(1.03, 1.3)
    face = rng.random() < 0.5
    mixed = rng.random() < 0.2
    one_deck = _any_deck(kit, rng) if rng.random() < 0.5 else None
    centre = np.array([(view[0] + view[2]) / 2, (view[1] + view[3]) / 2])
    columns = int(np.clip((view[2] - view[0]) / step_x, 1, 12))
    rows = int(np.clip((view[3] - view[1]) / step_y, 1, 7))
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    mess = rng.uniform(0.3, 4)
    placed = []
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.06:
                continue
            along = (column - (columns - 1) / 2) * step_x
            down = (row - (rows - 1) / 2) * step_y
            x, y = centre + np.array([c * along - s * down, s * along + c * down])
            up = face if not mixed else rng.random() < 0.5
            placed.append(
                _drop(
                    kit,
                    x,
                    y,
                    turn + 180 * (rng.random() < 0.5),
                    rng,
                    face=up,
                    deck=one_deck,
                    wobble_mm=mess,
                    wobble_deg=mess,
                )
            )
    return placed


def fans(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
    """Hands of cards fanned or cascaded."""
    placed = []
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.uniform(view[0], view[2]), rng.uniform(view[1], view[3])
        start, step = rng.uniform(0, 360), rng.uniform(4, 20)
        radius = rng.uniform(60, 220)
        straight = rng.random() < 0.6
        gap = kit.size_mm[int(rng.integers(2))] * rng.uniform(0.15, 0.6)
        side = rng.choice([0.0, 90.0])
        face = rng.random() < 0.75
        for k in range(int(rng.integers(2, 11))):
            if straight:
                a = np.radians(start + side)
                at = (x + np.cos(a) * gap * k, y + np.sin(a) * gap * k)
                angle = start
            else:
                a = np.radians(start + step * k)
                at = (x + np.sin(a) * radius, y - np.cos(a) * radius)
                angle = start + step * k
            placed.append(_drop(kit, *at, angle, rng, face=face, wobble_mm=1.5, wobble_deg=2))
    return placed


def shingles(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
    """One or two straight rows of cards that lie half on each other, along their width or their length."""
    placed = []
    for _ in range(int(rng.choice([1, 2], p=[0.7, 0.3]))):
        middle = [(view[i] + view[i + 2]) / 2 + rng.normal(0, 0.15) * (view[i + 2] - view[i]) for i in (0, 1)]
        turn = rng.uniform(0, 360) if rng.random() < 0.5 else rng.normal(0, 10)
        lengthwise = bool(rng.random() < 0.25)
        step = kit.size_mm[int(lengthwise)] * rng.uniform(0.32, 0.85)
        along = np.radians(turn + 90 * lengthwise)
        count = int(rng.integers(2, 7))
        face = rng.random() < 0.8
        deck = _any_deck(kit, rng)
        mess = rng.uniform(0.2, 2.5)
        for k in range(count):
            away = step * (k - (count - 1) / 2)
            x, y = middle[0] + np.cos(along) * away, middle[1] + np.sin(along) * away
            up = turn + 180 * (rng.random() < 0.3)
            placed.append(_drop(kit, x, y, up, rng, face=face, deck=deck, wobble_mm=mess, wobble_deg=mess))
    return placed


def table_round(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
    """A round in progress: shared piles in the middle, each player's goal, side, wood pile and hand."""
    w_mm, h_mm = kit.size_mm
    x0, y0, x1, y1 = view
    centre_x, centre_y = (x0 + x1) / 2, (y0 + y1) / 2
    placed: list[Placed] = []
    mess = rng.uniform(0.5, 5)
    half_x, half_y = (x1 - x0) / 2, (y1 - y0) / 2
    taken: list[tuple[float, float]] = []
    for _ in range(int(rng.integers(1, 17))):
        at = (centre_x + rng.uniform(-0.62, 0.62) * half_x, centre_y + rng.uniform(-0.55, 0.55) * half_y)
        if any(np.hypot(at[0] - t[0], at[1] - t[1]) < h_mm * 0.95 for t in taken):
            continue
        taken.append(at)
        placed += _pile(kit, *at, rng.uniform(0, 360), rng, int(rng.integers(1, 5)), mess)
        if rng.random() < 0.1:
            placed += [
                _drop(kit, at[0] + rng.normal(0, 14), at[1] + rng.normal(0, 14), rng.uniform(0, 360), rng)
            ]
        elif rng.random() < 0.06:
            placed += [_drop(kit, *at, rng.uniform(0, 360), rng, face=False)]
    for seat in range(4):
        if rng.random() < 0.25:
            continue
        turn = 90.0 * seat
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        reach = (half_y if seat % 2 == 0 else half_x) - h_mm * rng.uniform(0.5, 0.9)
        deck = _any_deck(kit, rng)
        gap = w_mm * rng.uniform(1.05, 1.35)
        for slot in range(int(rng.integers(4, 8))):
            along = (slot - 2.5) * gap
            x = centre_x + c * along - s * reach
            y = centre_y + s * along + c * reach
            angle = turn + rng.normal(0, 4)
            if slot == 5:
                placed += _pile(kit, x, y, angle, rng, int(rng.integers(1, 4)), 1.2, face=False, deck=deck)
                continue
            height = int(rng.integers(1, 5)) if slot < 4 else 2
            step = rng.uniform(0, 0.4) * h_mm if rng.random() < 0.5 else 0.0
            for k in range(height):
                placed.append(
                    _drop(
                        kit,
                        x + s * step * k,
                        y - c * step * k,
                        angle,
                        rng,
                        deck=deck,
                        wobble_mm=1.5,
                        wobble_deg=2,
                    )
                )
    return placed


def few(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
    """One to four cards, apart or just touching."""
    centre_x, centre_y = (view[0] + view[2]) / 2, (view[1] + view[3]) / 2
    spread = min(view[2] - view[0], view[3] - view[1]) * 0.3
    return [
        _drop(
            kit,
            centre_x + rng.normal(0, spread),
            centre_y + rng.normal(0, spread),
            rng.uniform(0, 360),
            rng,
            face=rng.random() < 0.8,
        )
        for _ in range(int(rng.integers(1, 5)))
    ]


def spread_of(heaps: list[tuple[str, int]], cards: list[Card] | None = None) -> Layout:
    """A layout for counting: rows of ten backs for each (deck, count), or `cards` face up in rows of five."""

    def lay(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
        w_mm, h_mm = kit.size_mm
        rows: list[list[tuple[str, Card | None]]] = []
        for deck, count in heaps:
            rows += [[(deck, None)] * min(10, count - start) for start in range(0, count, 10)]
        faces = cards or []
        rows += [
            [(heaps[0][0] if heaps else kit.decks[0], c) for c in faces[i : i + 5]]
            for i in range(0, len(faces), 5)
        ]
        middle = ((view[0] + view[2]) / 2, (view[1] + view[3]) / 2)
        placed = []
        for i, row in enumerate(rows):
            y = middle[1] + (i - (len(rows) - 1) / 2) * h_mm * 1.12
            for j, (deck, card) in enumerate(row):
                x = middle[0] + (j - 4.5) * w_mm * 1.1 if card is None else middle[0] + (j - 2) * w_mm * 1.15
                angle = 180.0 * (rng.random() < 0.4) + float(rng.normal(0, 2.5))
                placed.append(
                    Placed(
                        (x + float(rng.normal(0, 1.2)), y + float(rng.normal(0, 1.2))), angle, kit, deck, card
                    )
                )
        return placed

    return lay


def heap(view: View, kit: DeckKit, rng: np.random.Generator) -> list[Placed]:
    """A messy heap: the top cards show, the rest peep out."""
    placed = []
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(view[0], view[2]), rng.uniform(view[1], view[3])
        face = rng.random() < 0.7
        for _ in range(int(rng.integers(3, 14))):
            placed.append(
                _drop(kit, x, y, rng.uniform(0, 360), rng, face=face, wobble_mm=kit.size_mm[1] * 0.4)
            )
    return placed


Layout = Callable[[View, DeckKit, np.random.Generator], list[Placed]]

LAYOUTS: dict[str, Layout] = {
    "round": table_round,
    "scatter": scatter,
    "grid": grid,
    "fans": fans,
    "few": few,
    "heap": heap,
    "shingles": shingles,
}
