"""The long form of the conformance suite: every preset with every choice of every option. Run with

python -m tests.referee.conformance_run [ROUNDS] [NAME ...]

ROUNDS random rounds of each (200), played in turn by policy A, by strong, by weak and by mixed players; each
is checked as in the ordinary suite, which plays one or a few of each. NAMES: only presets so called.
"""

from __future__ import annotations

import sys

from referee.options import OPTIONS, OptionError
from referee.rulesets import Ruleset, for_players, name_of, preset_names, ruleset
from tests.referee.test_conformance import check_lawful_round, table_size

TABLES = (("a",), ("strong",), ("weak",), ("strong", "a", "weak"))
NUMBERS = {
    "side_piles": (4, 6),
    "goal_size": (8, 12),
    "flip_count": (1, 2),
}
"""Values tried of the numbers that change play; points and targets change none."""


def rulesets_of(preset: str) -> list[Ruleset]:
    """The preset, and the preset with each other choice of each of its options."""
    players = table_size(ruleset(preset))
    found = {name_of(rules): rules for rules in [for_players(ruleset(preset), players)]}
    for key, option in OPTIONS.items():
        choices = option.choices or (
            ("on", "off") if isinstance(option.default, bool) else NUMBERS.get(key, ())
        )
        for choice in choices:
            try:
                rules = for_players(ruleset(preset, **{key: choice}), players)
            except OptionError:
                continue
            found[name_of(rules)] = rules
    return list(found.values())


def main(words: list[str]) -> int:
    """Say for each ruleset that it holds, or what does not; 1 if something does not."""
    rounds = int(words[0]) if words else 200
    broken = 0
    for preset in words[1:] or preset_names():
        for rules in rulesets_of(preset):
            players = table_size(rules)
            failed = []
            for seed in range(rounds):
                table = TABLES[seed % len(TABLES)]
                try:
                    check_lawful_round(
                        rules, seed, tuple(table[seat % len(table)] for seat in range(players))
                    )
                except AssertionError as error:
                    failed.append(f"seed {seed}: {str(error).splitlines()[0] if str(error) else 'unlawful'}")
            broken += bool(failed)
            print(
                f"{rounds - len(failed):4} of {rounds}  {name_of(rules)}  {'; '.join(failed[:2])}", flush=True
            )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
