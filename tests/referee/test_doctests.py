"""The examples in the docstrings of the referee are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import referee


def test_examples_in_docstrings() -> None:
    tried = 0
    for module in pkgutil.iter_modules(referee.__path__, "referee."):
        result = doctest.testmod(importlib.import_module(module.name))
        assert result.failed == 0, module.name
        tried += result.attempted
    assert tried >= 15
