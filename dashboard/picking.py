"""Naming a card: by one tap on what it may be, or by two choices."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard import texts
from dashboard.desk import table
from referee.cards import BLITZ_COLOURS, SUITS, Card, Colour, Family, highest_number

OFFERED = 4


def likeliest(alternatives: Sequence[Card], reading: Card | None) -> list[Card]:
    """What a card may be instead of `reading`, as far as the game on the table has such cards."""
    family = table().rules.family
    return [card for card in alternatives if card != reading and card.family is family][:OFFERED]


def pick_card(key: str, start: Card | None) -> Card:
    """Two choices that name a card of the game on the table."""
    colours = BLITZ_COLOURS if table().rules.family is Family.BLITZ else SUITS
    names = [str(colour) for colour in colours]
    first = names.index(str(start.colour)) if start is not None and str(start.colour) in names else 0
    colour = Colour(st.selectbox(texts.COLOUR, names, index=first, key=f"{key}-colour"))
    numbers = list(range(1, highest_number(colour.family) + 1))
    at = numbers.index(start.number) if start is not None and start.number in numbers else 0
    return Card(st.selectbox(texts.NUMBER, numbers, index=at, key=f"{key}-number"), colour)
