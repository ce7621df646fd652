"""Colours, type and shapes of the dashboard, light and dark; nothing is fetched from anywhere."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from referee.cards import Colour

FACE = {
    Colour.RED: "#D5402B",
    Colour.BLUE: "#1F7AB5",
    Colour.GREEN: "#1C8850",
    Colour.YELLOW: "#F3C330",
}
"""Card colours as printed; each is also shown as a letter and a shape."""

SHAPE = {
    Colour.RED: "▲",
    Colour.BLUE: "●",
    Colour.GREEN: "■",
    Colour.YELLOW: "◆",
    Colour.HEARTS: "♥",
    Colour.DIAMONDS: "♦",
    Colour.CLUBS: "♣",
    Colour.SPADES: "♠",
}

LINES = ["#B23A2A", "#1F7AB5", "#C98A00", "#1C8850", "#7A4B9E", "#D0679A", "#3B8F92", "#7B5B3A"]
"""Line colours of players; each player also gets a dash pattern."""

DASHES = [[1, 0], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 4], [12, 4], [6, 2, 2, 2]]
QUIET_INK = "#8A7A5C"
"""Of lines and words that stand behind the others; readable on the light and on the dark ground."""

_SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, P052, Georgia, serif'
_SANS = '"Avenir Next", "Segoe UI", Inter, "Helvetica Neue", "Nimbus Sans", Arial, sans-serif'

OPTIONS: dict[str, Any] = {
    "theme.font": _SANS,
    "theme.headingFont": _SERIF,
    "theme.baseRadius": "0.7rem",
    "theme.buttonRadius": "0.8rem",
    "theme.light.primaryColor": "#B23A2A",
    "theme.light.backgroundColor": "#FBF6EC",
    "theme.light.secondaryBackgroundColor": "#F2E9D8",
    "theme.light.textColor": "#2A2118",
    "theme.light.borderColor": "#DFD2B8",
    "theme.dark.primaryColor": "#E0694F",
    "theme.dark.backgroundColor": "#1B1815",
    "theme.dark.secondaryBackgroundColor": "#28231E",
    "theme.dark.textColor": "#F3EADB",
    "theme.dark.borderColor": "#453C31",
}
"""Streamlit configuration."""


@cache
def css() -> str:
    """The style sheet as an HTML element."""
    return f"<style>{(Path(__file__).parent / 'style.css').read_text(encoding='utf-8')}</style>"
