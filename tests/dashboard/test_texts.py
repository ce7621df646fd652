"""Everything that the pages say is kept in one place, and says it plainly."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dashboard import texts
from referee.cards import Card, Colour
from referee.events import EventType, PlayEvent, Zone

PAGES = sorted(
    path for path in Path("dashboard").rglob("*.py") if path.name not in ("texts.py", "measure.py")
)
SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{2,}")
MARKUP = re.compile(r"[<>={};/]")


def said(source: str) -> Iterator[tuple[int, str]]:
    """The text literals of a module that a person could read, with their lines; docstrings left out."""
    tree = ast.parse(source)
    described = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    # A text that stands alone explains the constant above it.
    described |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in described:
            continue
        if SENTENCE.search(node.value) and not MARKUP.search(node.value):
            yield node.lineno, node.value


@pytest.mark.parametrize("path", PAGES, ids=str)
def test_pages_hold_no_sentences_of_their_own(path: Path) -> None:
    assert list(said(path.read_text(encoding="utf-8"))) == []


def test_a_sentence_in_a_page_is_found() -> None:
    assert list(said('st.button("Start the round")')) == [(1, "Start the round")]
    assert list(said('"""A page."""\nST = 1\n"""What it is."""\nst.html("<p class=a b>")')) == []


def test_scripts_say_nothing_of_their_own() -> None:
    for path in Path("dashboard").rglob("*.js"):
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        literals = re.findall(r'"([^"]*)"', code)
        assert not [text for text in literals if re.search(r"[A-Z][a-z]+ [a-z]", text)], path


def test_no_text_is_left_over() -> None:
    modules = [*PAGES, Path("app.py")]
    used = set(re.findall(r"texts\.(\w+)", "".join(path.read_text(encoding="utf-8") for path in modules)))
    tree = ast.parse(Path("dashboard/texts.py").read_text(encoding="utf-8"))
    used |= {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    own = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    constants = {name for name in own if name.isupper()}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert (constants | functions) - used == set()


def test_scores_have_a_sign_and_effects_are_whole_sentences() -> None:
    assert [texts.signed(score) for score in (7, 0, -3)] == ["+7", "0", "−3"]
    assert texts.day("2026-03-04T20:00:00+00:00").startswith("2026-03-0")
    assert texts.day("long ago") == "long ago"


def test_the_feed_says_of_which_card_only_the_next_one_told() -> None:
    landed = PlayEvent(1, 4.0, EventType.LANDED, zone=Zone.SHARED, pile="d1", card=Card(6, Colour.RED))
    told = replace(landed, extra={"inferred": True})
    assert texts.said(landed, ()) == "red 6 goes down"
    assert texts.said(told, ()) == "red 6 goes down, told by the card on it"
    assert (
        texts.said(replace(told, type=EventType.STARTED), ()) == "red 6 opens a pile, told by the card on it"
    )
