"""Break rules, one at a time, in a copy of the referee: the tests must catch each. Run with

python -m tests.referee.mutation_check
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TESTS = (
    "test_vectors.py",
    "test_judge_shared.py",
    "test_judge_calls.py",
    "test_judge_own.py",
    "test_audit.py",
    "test_match.py",
)


class Mutation(NamedTuple):
    """One rule broken: in `file`, `right` becomes `wrong`."""

    name: str
    file: str
    right: str
    wrong: str


MUTATIONS = (
    Mutation("numbers may be skipped", "schemes.py", "above == below + 1", "above >= below + 1"),
    Mutation("colours may mix", "legality.py", "if card.colour is not top.colour:", "if False:"),
    Mutation("nothing is ever complete", "schemes.py", "numbers[-1] == self.last", "False"),
    Mutation("side piles of one kind", "legality.py", "return one.is_boy == other.is_boy", "return False"),
    Mutation("side piles go up", "legality.py", "top.number - 1", "top.number + 1"),
    Mutation("goal cards cost nothing", "scoring.py", "penalty * left", "0 * left"),
    Mutation("the caller pays himself", "penalties.py", "else players - 1", "else players"),
    Mutation(
        "a lost race is a foul at once", "desk.py", "lost_race_s: float = 2.0", "lost_race_s: float = 0.0"
    ),
    Mutation(
        "a gap counts as seen", "judge_shared.py", "seen = watched(event) and not track.blind", "seen = True"
    ),
    Mutation(
        "play goes on after the call",
        "judge_calls.py",
        "if call.verdict is False:\n            return",
        "return",
    ),
    Mutation(
        "a tie is no tie", "match_fold.py", "return False, True, leaders", "return True, False, leaders"
    ),
    Mutation("any card fills an empty place", "legality.py", 'if zone in (None, "goal") or', "if True or"),
    Mutation("a turn covers nothing", "judge_packets.py", "packets.buried.card == event.card", "False"),
    Mutation("nobody shuffles", "judge_packets.py", "if not all(broken(", "if True or not all(broken("),
    Mutation("a hand blocks nothing", "judge_handling.py", "held_s <= self.desk.settings.covered_s", "True"),
    Mutation("a three pays nothing", "bonuses.py", "THREE_PLAYED = 40", "THREE_PLAYED = 0"),
)


def survives(mutation: Mutation, folder: Path) -> bool:
    """Whether the tests pass although the rule is broken.

    Raises:
        ValueError: if the line to be broken is no longer there.
    """
    shutil.copytree(ROOT / "referee", folder / "referee", ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "referee" / mutation.file
    text = path.read_text(encoding="utf-8")
    if mutation.right not in text:
        raise ValueError(f"{mutation.file} no longer holds {mutation.right!r}: mend this list")
    path.write_text(text.replace(mutation.right, mutation.wrong), encoding="utf-8")
    for room in ROOT.iterdir():
        if room.name != "referee" and (room / "__init__.py").exists():
            (folder / room.name).symlink_to(room)
    files = [f"tests/referee/{name}" for name in TESTS]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--rootdir", str(folder)]
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*command, *files], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        raise ValueError(f"the tests could not be run: {done.stdout[-300:]}{done.stderr[-300:]}")
    return done.returncode == 0


def main() -> int:
    """Report on each mutation; 1 if one of them survives."""
    alive = 0
    for mutation in (Mutation("nothing broken", "schemes.py", '"""How', '"""How'), *MUTATIONS):
        with tempfile.TemporaryDirectory() as folder:
            passed = survives(mutation, Path(folder))
        unbroken = mutation.right == mutation.wrong
        alive += passed is not unbroken
        said = "passes" if passed else "caught"
        print(f"{said:7} {mutation.name}", flush=True)
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
