"""Which room may import which, and what a room must never hold; read from the syntax, nothing is run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("vision", "hearing", "referee", "engine", "dashboard", "datasets", "models", "app", "tests", "run")
MAY_IMPORT = {
    "vision": {"vision", "referee.cards"},
    "hearing": {"hearing"},
    "referee": {"referee"},
    "engine": {"engine", "vision", "hearing", "referee"},
    "dashboard": {"dashboard", "engine", "referee"},
    "app": {"dashboard", "engine"},
    "datasets": {"datasets", "referee"},
    "models": set(),
}
MAY_ASK_DATASETS = ("engine/commands/", "engine/training/", "engine/evaluation")
FOREIGN = {
    "vision": {"streamlit", "sqlite3", "torch", "ultralytics"},
    "hearing": {"streamlit", "sqlite3", "torch", "ultralytics"},
    "engine": {"streamlit"},
    "dashboard": {"cv2", "threading", "concurrent", "sqlite3", "multiprocessing", "torch"},
    "datasets": {"streamlit", "torch", "ultralytics"},
}
ONLY_STANDARD_LIBRARY = {"referee"}
IMPURE = {
    *("os", "time", "datetime", "random", "secrets", "uuid", "socket", "subprocess", "threading"),
    *("pathlib", "shutil", "tempfile", "sqlite3", "logging", "asyncio", "multiprocessing", "urllib.request"),
}
TRAINING = "engine/training/"


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full name of all that is imported, wherever in the file it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def within(name: str, allowed: set[str]) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in allowed)


def broken_rules(path: str, source: str) -> list[str]:
    """What in `source`, the file `path` (from the root, with slashes), breaks a rule of the house."""
    room = path.split("/")[0].removesuffix(".py")
    tree = ast.parse(source, path)
    found = []
    for line, name in imports(tree):
        top = name.split(".")[0]
        allowed = set(MAY_IMPORT[room])
        if path.startswith(MAY_ASK_DATASETS):
            allowed.add("datasets")
        if name.startswith("."):
            found.append(f"{path}:{line} imports {name}: rooms are named in full")
        elif top in ROOMS and not within(name, allowed):
            found.append(f"{path}:{line} imports {name}: {room} may not")
        elif top in FOREIGN.get(room, set()):
            found.append(f"{path}:{line} imports {name}: it has no place in {room}")
        elif top in ("torch", "ultralytics", "pickle") and not path.startswith(TRAINING):
            found.append(f"{path}:{line} imports {name}: only {TRAINING} may")
        elif room in ONLY_STANDARD_LIBRARY and top not in ROOMS:
            if top not in sys.stdlib_module_names:
                found.append(f"{path}:{line} imports {name}: {room} uses the standard library only")
            elif within(name, IMPURE):
                found.append(f"{path}:{line} imports {name}: {room} is pure")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and room == "referee":
            if node.func.id in ("print", "open", "input"):
                found.append(f"{path}:{node.lineno} calls {node.func.id}: {room} is pure")
        elif isinstance(node, ast.Attribute) and node.attr == "VideoCapture" and room == "dashboard":
            found.append(f"{path}:{node.lineno} opens a camera in the dashboard")
    return found


def files() -> list[str]:
    inside = [path for room in MAY_IMPORT for path in (ROOT / room).rglob("*.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in [*inside, ROOT / "app.py"])


@pytest.mark.parametrize("path", files())
def test_every_file_keeps_the_rules(path: str) -> None:
    assert broken_rules(path, (ROOT / path).read_text(encoding="utf-8")) == []


def test_no_package_is_outside_the_rules() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages - {"tests"} <= set(MAY_IMPORT)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("vision/a.py", "from referee.judge import Judge"),
        ("vision/a.py", "import referee"),
        ("vision/a.py", "def f():\n    import sqlite3"),
        ("vision/a.py", "from engine import table"),
        ("hearing/a.py", "from referee.cards import Card"),
        ("referee/a.py", "import numpy"),
        ("referee/a.py", "from vision import finder"),
        ("referee/a.py", "from random import Random"),
        ("referee/a.py", "import time"),
        ("referee/a.py", "print('foul')"),
        ("referee/a.py", "open('log')"),
        ("engine/table.py", "import streamlit"),
        ("engine/table.py", "from datasets.simulate import play"),
        ("engine/table.py", "from dashboard import live"),
        ("engine/table.py", "def f():\n    import torch"),
        ("engine/commands/a.py", "import pickle"),
        ("engine/a.py", "from . import table"),
        ("dashboard/a.py", "import cv2"),
        ("dashboard/a.py", "from vision.reader import Reader"),
        ("dashboard/a.py", "camera = video.VideoCapture(0)"),
        ("datasets/a.py", "from engine.table import Table"),
        ("models/__init__.py", "import engine"),
        ("app.py", "from vision import finder"),
    ],
)
def test_a_broken_rule_is_found(path: str, source: str) -> None:
    assert len(broken_rules(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("vision/a.py", "from referee.cards import Card\nimport cv2"),
        ("vision/a.py", "from referee import cards"),
        ("referee/a.py", "import urllib.parse\nfrom referee.cards import Card"),
        ("engine/commands/a.py", "from datasets.simulate import play"),
        ("engine/evaluation.py", "from datasets.rounds import film"),
        ("engine/training/a.py", "import torch, pickle\nfrom datasets import build"),
        ("dashboard/a.py", "import streamlit\nfrom engine.hub import Hub\nfrom referee.cards import Card"),
        ("datasets/a.py", "from referee.cards import Card\nimport random"),
    ],
)
def test_what_is_allowed_passes(path: str, source: str) -> None:
    assert broken_rules(path, source) == []
