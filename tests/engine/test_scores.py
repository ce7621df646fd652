"""The score of a round as the table keeps it, where the play log earns points."""

from __future__ import annotations

from dataclasses import replace

from engine.hub import CountEntry, PlayerView
from engine.round_fold import fold_round
from engine.scores import draft, score
from engine.watch import round_json
from referee.rounds import read_round
from referee.rulesets import ruleset
from tests.referee.logs import log

PLAYERS = (PlayerView("Ann", "left"), PlayerView("Bo", "top"))
UP = ["9H", "10H", "JH", "QH", "KH", "AH", "2H", "3H"]


def test_a_three_and_an_evil_jack_are_paid_from_the_log() -> None:
    """Ann plays the jack and Bo the 3 on a pile that ran up."""
    seats = ["top" if card == "3H" else "left" for card in UP]
    kinds = ["started"] + ["landed"] * 7
    text = "".join(
        f"{n} {kind} d1 {card} seat={seat}\n"
        for n, (kind, card, seat) in enumerate(zip(kinds, UP, seats, strict=True), start=1)
    )
    text += "20 goal_count seat=left count=0\n20 goal_count seat=top count=3\n21 called seat=left\n"
    events = log("0 round_started\n" + text)
    view = replace(fold_round(events), counts=(CountEntry("Ann", 7, 0), CountEntry("Bo", 1, 3)))
    jacks, nine = ruleset("evil_jacks"), ruleset("starter9")
    assert score(jacks, PLAYERS, view, events).scores == (70 - 15, 10 - 30 + 15 + 40)
    assert score(nine, PLAYERS, view, events).scores == (70, 10 - 30 + 100)
    assert draft(jacks, PLAYERS, view, events).scores == {"Ann": 55, "Bo": 35}
    written = round_json(events, jacks, PLAYERS)
    assert [player["score"] for player in written["players"]] == [55, 35]
    assert read_round(written).score().scores == (55, 35)
