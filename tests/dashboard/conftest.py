"""Runs single pages around a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from engine import serve
from engine.table import Table
from tests.dashboard.tables import FakeTable, played_table

Show = Callable[[str, Any], AppTest]


@pytest.fixture
def show() -> Iterator[Show]:
    """Runs one page around a table."""

    def page(name: str, table: Any) -> AppTest:
        serve.use_table(table)
        script = f"from dashboard import {name}\n{name}.page()\n"
        shown = AppTest.from_string(script, default_timeout=30).run()
        assert not shown.exception
        return shown

    yield page
    serve._tables.clear()


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., FakeTable]:
    """Makes tables that show one snapshot."""
    return lambda *values, **named: FakeTable(tmp_path, *values, **named)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Table]:
    """A real table whose round is over and waits to be counted."""
    table = played_table(tmp_path / "data")
    yield table
    table.stop()
