"""Golden play-throughs: one round per preset in plain text. Regenerate with

python -m tests.referee.golden
"""

from __future__ import annotations

import random
from pathlib import Path

from datasets.simulate import SimPlay, counts_of, inject
from datasets.simulated_log import events_of
from referee.bonuses import finished_piles
from referee.fold import fold
from referee.judge import judge_log
from referee.rulesets import RULESET_VERSION, for_players, name_of, players_of, preset_names, ruleset
from referee.scoring import PlayerCount, score_round

FOLDER = Path(__file__).parents[1] / "data" / "golden"
NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Finn")
MISTAKES = ("E10", "E11", "E12", "E14", "E15", "E16", "E51", "slip")


def _line(play: SimPlay) -> str:
    who = NAMES[play.seat_index]
    card = "" if play.card is None else f" {play.card}"
    way = f" {play.source}>{play.target_pile}" if play.source else ""
    wrong = f"  !{play.mistake}" if play.mistake else ""
    return f"{play.t:7.2f} {who} {play.kind}{card}{way} goal={play.goal_left}{wrong}"


def play_through(preset: str) -> str:
    """The text of one round with mistakes: plays, table, rulings, score."""
    players = min(max(players_of(ruleset(preset))[0], 3), players_of(ruleset(preset))[1])
    rules = for_players(ruleset(preset), players)
    round_ = inject(rules, players, random.Random(f"golden {preset}"), MISTAKES)
    seats = NAMES[:players]
    log = events_of(round_.deals, round_.plays, rules, seats)
    text = [f"{name_of(rules)}, {players} players, rules version {RULESET_VERSION}", ""]
    text += [_line(play) for play in round_.plays if play.kind not in ("flip", "turn_over")]
    text += ["", *fold(log).to_text().replace(" ", "\n").splitlines(), ""]
    text += [f"{ruling.t:7.2f} {ruling.severity} {ruling.text}" for ruling in judge_log(log, rules)]
    text.append("")
    finished = finished_piles(log, rules, seats)
    counts = []
    for index, (played, left) in enumerate(counts_of(round_.plays, round_.deals)):
        if rules.counts_faces:
            taken = sum(
                p.source == "goal" and p.seat_index == index and p.kind in ("play", "side", "refill")
                for p in round_.plays
            )
            goal = round_.deals[index].goal
            cards = tuple(
                p.card
                for p in round_.plays
                if p.kind == "play" and p.seat_index == index and p.card is not None
            )
            counts.append(
                PlayerCount(
                    NAMES[index], played_cards=cards, left_cards=goal[: len(goal) - taken], called=left == 0
                )
            )
        else:
            counts.append(PlayerCount(NAMES[index], played, left, called=left == 0))
    text += [
        f"{player.name}: {player.text}" for player in score_round(rules, counts, finished=finished).players
    ]
    return "\n".join(text) + "\n"


def main() -> None:
    """Write all golden files anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for preset in preset_names():
        (FOLDER / f"{preset}.txt").write_text(play_through(preset), encoding="utf-8")


if __name__ == "__main__":
    main()
