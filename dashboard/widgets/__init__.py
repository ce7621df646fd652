"""What Streamlit has no element for: the table's picture with its seats, sounds, a timeline, tiles to tap,
and a place to scroll to.

Each is a small script beside this file. Words reach it as data and are shown as text, never as markup.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard import texts

_BODIES = {
    "table_picture": '<div class="br-video"><img></div>',
    "cue": '<button type="button" class="br-sound"></button>',
    "timeline": '<div class="br-timeline"></div>',
    "tiles": '<div class="br-tiles"></div>',
    "page_top": '<div class="br-top"></div>',
}


@cache
def _component(name: str) -> Callable[..., Any]:
    script = (Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8")
    return st.components.v2.component(f"blitzref_{name}", html=_BODIES[name], js=script, isolate_styles=False)


@dataclass(frozen=True, slots=True)
class Place:
    """A seat in the picture: who sits there, or None; `label` is what choosing it does."""

    seat: str
    name: str | None = None
    label: str = ""
    active: bool = False


def table_picture(
    token: str,
    size_px: tuple[int, int] | None,
    places: Sequence[Place],
    *,
    choose: bool = False,
    key: str = "table-picture",
) -> str | None:
    """The live picture with the seats around it; with `choose` the seat that was tapped just now."""
    width, height = size_px or (16, 9)
    data = {
        "video": f"/video.mjpg?s={token}",
        "alt": texts.TABLE_PICTURE,
        "ratio": f"{width} / {height}",
        "places": [asdict(place) for place in places],
        "choose": choose,
    }
    seat: str | None = _component("table_picture")(key=key, data=data, on_seat_change=_nothing).seat
    return seat


def cue(kind: str, ident: str) -> None:
    """A sound of that kind once `ident` changes, and the button that silences this screen."""
    _component("cue")(
        key="cue", data={"cue": kind, "id": ident, "on": texts.SOUND_ON, "off": texts.SOUND_OFF}
    )


@dataclass(frozen=True, slots=True)
class Lane:
    """One player's plays: each its share of the round (0-1), its kind and what it was."""

    name: str
    marks: tuple[tuple[float, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A time of which something was missed: its shares of the round (0-1), equal for a moment, and what."""

    start: float
    end: float
    words: str


@dataclass(frozen=True, slots=True)
class FlagMark:
    """A flagged play on the timeline."""

    seq: int
    share: float
    severity: str
    words: str
    open: bool = True
    chosen: bool = False


def timeline(
    lanes: Sequence[Lane],
    unseen: Sequence[Span],
    flags: Sequence[FlagMark],
    ticks: Sequence[tuple[float, str]],
    key: str,
) -> int | None:
    """A round from left to right; the flag that was tapped just now."""
    data = {
        # Written out: `asdict` copies each mark, which took a good part of the page's time.
        "lanes": [{"name": lane.name, "marks": lane.marks} for lane in lanes],
        "unseen": [asdict(span) for span in unseen],
        "unseen_name": texts.UNSEEN,
        "flags": [asdict(flag) for flag in flags],
        "flags_name": texts.FLAGS,
        "ticks": list(ticks),
    }
    seq: int | None = _component("timeline")(key=key, data=data, on_flag_change=_nothing).flag
    return seq


@dataclass(frozen=True, slots=True)
class Tile:
    """Something to tap: addresses of pictures, a name and a note."""

    id: str
    name: str
    note: str = ""
    pictures: tuple[str, ...] = ()
    kind: str = ""
    chosen: bool = False


def tiles(items: Sequence[Tile], key: str) -> str | None:
    """Things to tap; the one that was tapped just now."""
    data = {"tiles": [asdict(item) for item in items]}
    chosen: str | None = _component("tiles")(key=key, data=data, on_chosen_change=_nothing).chosen
    return chosen


def page_top(shown: str) -> None:
    """The place to which the page scrolls once it shows something else than `shown`."""
    _component("page_top")(key="page-top", data={"shown": shown})


def _nothing() -> None:
    """A tap needs no callback: the page reads what was tapped."""
