"""Households of test voices teach their word and call; more households are other people."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from datasets.speech import Voice
from engine.evaluation import hearing as measured
from engine.words import open_hearing

pytestmark = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is missing")


def test_each_further_household_is_of_other_people_and_all_calls_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measured, "KNOWN", ("blitz",))
    monkeypatch.setattr(measured, "HELD_OUT", ())
    monkeypatch.setattr(measured, "SNRS_DB", {"clean": None})
    monkeypatch.setattr(measured, "CALLS", 1)
    monkeypatch.setattr(measured, "AT_ONCE_S", 9.0)
    people: list[str] = []
    teaching = measured._teaching

    def taught_by(word: str, voice: Voice, rng: np.random.Generator) -> np.ndarray:
        people.append(voice.name)
        return teaching(word, voice, rng)

    monkeypatch.setattr(measured, "_teaching", taught_by)
    steps: list[tuple[int, int]] = []
    figures = measured.measure_hearing(open_hearing(), 1, 5, lambda at, of: steps.append((at, of)), 2)
    assert len(people) == len(set(people)) == 2 * measured.AT_A_TABLE
    assert figures.not_taught.total == len(people)
    assert figures.missed["taught"]["clean"].total == len(people) - figures.not_taught.right
    assert figures.households == 2 and figures.hours > 0
    assert steps == [(1, 3), (2, 3), (3, 3)]
