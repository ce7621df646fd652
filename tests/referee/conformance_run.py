"""The long form of the conformance suite: every preset with every choice of every option. Run with

python -m tests.referee.conformance_run [ROUNDS] [NAME ...]

ROUNDS random rounds of each (200), played in turn by policy A, by strong, by weak, by random and by mixed
players, checked as `conformance` says, and scored and played on as matches. NAMES: only presets so called.

Options that matter only together with another one are tried in its company (`COMPANY`).

What cannot differ is not done twice. While the plain game of a preset is played, checked, judged, scored and
played on, it is noted which options are asked for at each stage. A ruleset that differs in an option that the
play and the checks of a round have not asked for has the very same round (a few are played anyway, to see
that they are the same): only the later stages that asked for it are done again. A log that is the plain
game's own log is not folded again: folding knows no rules. Lawfulness, conservation, I1-I15, the score, the
replay of the log and its text are checked of every round; that the judge is silent, which is no invariant, of
every round of the plain games and of every fourth where another option changes the play.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from datasets.policies import building_of
from referee.options import OPTIONS, OptionError, OptionValue
from referee.rulesets import Ruleset, changed_options, for_players, name_of, preset_names, ruleset
from tests.referee.conformance import (
    Game,
    Scored,
    Traced,
    check_log,
    check_match,
    check_score,
    check_verdict,
    play,
    table_size,
)

VALUES: dict[str, tuple[OptionValue, ...]] = {
    "side_piles": (4, 6),
    "goal_size": (8, 12),
    "card_points": (1, 5),
    "goal_penalty": (1, 3),
    "flip_count": (1, 2),
    "low_value": (20,),
    "lotto_caller_share": (0.5, 1.0),
    "points_per_player": (5,),
    "next_correct_bonus": (0, 10),
    "max_players": (12,),
    "call_bonus": (10, 25),
    "target": (75, 100, 150, 500),
    "rounds": (3,),
    "call_word": ("Ready",),
}
"""Values tried of the options that are numbers or words."""
COMPANY: tuple[dict[str, OptionValue], ...] = (
    {},
    {"until_no_play": True},
    {"lotto": True},
    {"face_scheme": "face_jqk"},
    {"face_scheme": "low_cards"},
    {"false_call": "transfer"},
    {"tie": "deciding_round", "target": 5},
)
"""The games that are varied: the preset, and the preset with options that bring others into play."""
BROUGHT = {
    "until_no_play": ("unp_blitzer_plays", "unp_posts_take_wood", "unp_bottom_card", "refill", "stall_rule"),
    "lotto": ("lotto_base", "lotto_caller_share", "lotto_tie", "call_bonus"),
    "face_scheme": ("ace", "low_value", "bone_value", "card_points"),
    "false_call": (
        "false_call_redeem",
        "bonus_to_false_caller",
        "per_player_base",
        "points_per_player",
        "next_correct_bonus",
        "face_scheme",
    ),
    "tie": ("tie", "deciding_players", "rounds"),
}
"""Which options are varied in the company of another one."""
SAMPLE = 5
"""Rounds played although nothing can differ: one by each table of players."""


class Variant(NamedTuple):
    """A game, and the option by which it differs from the game that is varied."""

    rules: Ruleset
    key: str


def choices_of(key: str) -> tuple[OptionValue, ...]:
    """The values of an option that are tried."""
    option = OPTIONS[key]
    return option.choices or ((True, False) if isinstance(option.default, bool) else VALUES[key])


def bases(preset: str) -> list[Ruleset]:
    """The games of a preset that are varied, the plain one first."""
    players, found = table_size(ruleset(preset)), []
    for company in COMPANY:
        try:
            found.append(for_players(ruleset(preset, **company), players))
        except OptionError:
            continue
    return list(dict.fromkeys(found))


def variants(base: Ruleset) -> list[Variant]:
    """The game with each other choice of each option: of all in the plain game, else of those brought in."""
    company = changed_options(base)
    brought = [key for with_ in company for key in BROUGHT.get(with_, ())]
    plain = base == bases(base.preset)[0]
    found: dict[Ruleset, Variant] = {}
    for key in OPTIONS if plain else brought:
        for choice in choices_of(key):
            try:
                rules = ruleset(base.preset, **{**company, key: choice})
            except OptionError:
                continue
            if rules != base:
                found.setdefault(rules, Variant(rules, key))
    return list(found.values())


class Failures(list[str]):
    """What did not hold: one text a seed."""

    def of(self, seed: int, check: Callable[[], object]) -> None:
        """Run a check and keep what it says."""
        try:
            check()
        except AssertionError as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            self.append(f"seed {seed}: {str(error) or at.line}")


class Stages:
    """The rounds of a game that is varied, and which options each stage asked for."""

    def __init__(self, base: Ruleset, rounds: int, earlier: Stages | None = None) -> None:
        """`earlier`: the plain game, whose rounds these are where nothing that differs changes play."""
        traced = [Traced(base.preset, base.values) for _ in range(4)]
        self.playing, self.judging, self.scoring, self.matching = (rules.asked for rules in traced)
        self.failures = Failures()
        self.asked: dict[int, set[str]] = {}
        """What the play and the checks of each round asked for."""
        if earlier is not None and not changed_options(base).keys() & earlier.playing:
            self.games, self.playing, self.asked = earlier.games, earlier.playing, earlier.asked
        else:
            self.games = self._play(traced[0], rounds)
            for seed, game in self.games.items():
                self.failures.of(seed, lambda game=game, seed=seed: check_log(game, seed))
        judged(traced[1], self.games, self.failures)
        self.scored = scored(traced[2], self.games, self.failures)
        matched(traced[3], self.scored, self.failures)

    def _play(self, rules: Traced, rounds: int) -> dict[int, Game]:
        building_of(rules)
        always, games = set(rules.asked), {}
        for seed in range(rounds):
            rules.asked.clear()
            games |= played(rules, [seed], self.failures)
            self.asked[seed] = always | rules.asked
        rules.asked.update(*self.asked.values())
        return games

    def again(self, variant: Variant, rounds: int) -> tuple[str, Failures]:
        """What was done again for a variant, and what failed."""
        rules, key = variant
        failures = Failures()
        if key in self.playing:
            seeds = [seed for seed in range(rounds) if seed not in self.games or key in self.asked[seed]]
            anew = played(rules, seeds, failures)
            games = dict(sorted((self.games | anew).items()))
            for seed, game in anew.items():
                if seed not in self.games or game.log != self.games[seed].log:
                    failures.of(seed, lambda game=game, seed=seed: check_log(game, seed))
            judged(rules, dict(list((games if key in self.judging else anew).items())[::4]), failures)
            matched(rules, scored(rules, games, failures), failures)
            return f"{len(seeds)} rounds anew", failures
        done = []
        for seed in range(min(SAMPLE, rounds)):
            failures.of(seed, lambda seed=seed: same(play(rules, table_size(rules), seed), self.games[seed]))
        if key in self.judging:
            done.append("judged")
            judged(rules, self.games, failures)
        results = self.scored
        if key in self.scoring:
            done.append("scored")
            results = scored(rules, self.games, failures)
        if key in self.scoring or key in self.matching:
            done.append("matched")
        matched(rules, results if "matched" in done else results[:3], failures)
        return f"{' and '.join(done)} anew" if done else "as the plain game", failures


def same(game: Game, other: Game) -> None:
    """Two rounds are one."""
    assert game.plays == other.plays, "an option that nobody asked for changed the play"


def played(rules: Ruleset, seeds: Iterable[int], failures: Failures) -> dict[int, Game]:
    """The lawful rounds by seed."""
    games: dict[int, Game] = {}
    for seed in seeds:
        failures.of(seed, lambda seed=seed: games.update({seed: play(rules, table_size(rules), seed)}))
    return games


def judged(rules: Ruleset, games: dict[int, Game], failures: Failures) -> None:
    """Nobody is told off."""
    for seed, game in games.items():
        failures.of(seed, lambda game=game: check_verdict(rules, game))


def scored(rules: Ruleset, games: dict[int, Game], failures: Failures) -> list[Scored]:
    """The sheet of each round."""
    sheets: list[Scored] = []
    for seed, game in games.items():
        failures.of(
            seed, lambda game=game, seed=seed: sheets.append(check_score(rules, game, random.Random(seed)))
        )
    return sheets


def matched(rules: Ruleset, sheets: Sequence[Scored], failures: Failures) -> None:
    """The rounds as matches."""
    failures.of(-1, lambda: check_match(rules, sheets))


def run(preset: str, rounds: int) -> Iterator[tuple[Ruleset, str, Failures]]:
    """Each ruleset of a preset, what was done for it, and what does not hold."""
    plain: Stages | None = None
    for base in bases(preset):
        stages = Stages(base, rounds, plain)
        plain = plain or stages
        yield base, "varied", stages.failures
        for variant in variants(base):
            done, failures = stages.again(variant, rounds)
            yield variant.rules, done, failures


def main(words: list[str]) -> int:
    """Say for each ruleset that it holds, or what does not; 1 if something does not."""
    rounds = int(words[0]) if words else 200
    broken = 0
    for preset in words[1:] or preset_names():
        for rules, done, failures in run(preset, rounds):
            said = f"BROKEN ({len(failures)}): {'; '.join(failures[:3])}" if failures else "holds"
            print(f"{name_of(rules)}: {done}: {said}", flush=True)
            broken += bool(failures)
    print(f"{time.process_time():.0f} s of processor time, {broken} rulesets broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
