"""The figures of speed tell what they say they tell, and each is printed as soon as it is there."""

from __future__ import annotations

import pytest

from engine.bench import Lags, spread
from engine.commands import measuring
from engine.serve import ServeError
from referee.events import read_log
from tests.cli.running import running

LOG = """
{"seq": 1, "t": 1.0, "type": "round_started"}
{"seq": 2, "t": 2.0, "type": "started", "pile": "d1", "card": {"number": 1, "colour": "red"}}
{"seq": 3, "t": 4.0, "type": "landed", "pile": "d1", "card": {"number": 3, "colour": "red"}}
{"seq": 4, "t": 4.0, "type": "ruling", "of": [2, 3], "rule": "E11", "severity": "foul", "p": 0.9, "text": "."}
{"seq": 5, "t": 5.0, "type": "ruling", "of": [1], "rule": "E01", "severity": "info", "p": 0.9, "text": "."}
"""


def test_a_spread_is_the_middle_and_the_slow_end() -> None:
    assert spread([]) == {"n": 0}
    assert spread([float(one) for one in range(101)]) == {"n": 101, "p50": 50.0, "p95": 95.0}


def test_lags_count_from_the_landing_and_only_what_is_about_one() -> None:
    log = list(read_log(LOG.strip().splitlines()))
    lags = Lags()
    lags.add(4.5, 0.25, log[2:3], log[:3])
    lags.add(6.0, 0.5, log[3:], log)
    own = '{"seq": 6, "t": 1.0, "type": "landed", "zone": "side", "card": {"number": 3, "colour": "red"}}'
    lags.add(9.0, 0.5, read_log([own]), log)
    assert lags.landing_to_log_s == [0.75]
    assert lags.landing_to_ruling_s == [2.5]


def test_what_is_measured_is_printed_before_the_next_part(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ServeError("the pages cannot be measured.")

    monkeypatch.setattr(measuring, "bench_dashboard", lambda *_: {"first_picture_s": 1.5})
    monkeypatch.setattr(measuring, "bench_pages", fail)
    ran = running(monkeypatch, capfd)("bench", "--no-round", "--no-eyes")
    assert ran.status == 2 and "the pages cannot be measured" in ran.err
    assert "dashboard.first_picture_s: 1.50" in ran.out
