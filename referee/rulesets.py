"""Presets with their options: which game is played, and which of its contested points apply."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from referee.cards import Family
from referee.options import BLITZ_LIKE, FITS, NERTZ_LIKE, OPTIONS, OptionError, OptionValue, nearest, shown

RULESET_VERSION = "3"
"""Changes when the behaviour of a rule changes; stored with each ruling."""


@dataclass(frozen=True)
class Ruleset:
    """A preset and the value of each of its options. Hashable; equal when preset and values are equal."""

    preset: str
    values: tuple[tuple[str, OptionValue], ...]

    @cached_property
    def options(self) -> Mapping[str, OptionValue]:
        """Each option of this preset with its value, read-only."""
        return MappingProxyType(dict(self.values))

    def __getitem__(self, key: str) -> OptionValue:
        return self.options[key]

    def number(self, key: str) -> int:
        """The value of an option that is a whole number."""
        value = self.options[key]
        assert isinstance(value, int)
        return value

    def is_on(self, key: str) -> bool:
        """Whether a switch is on; False where the preset has no such option."""
        return self.options.get(key) is True

    @property
    def family(self) -> Family:
        """Which deck the game is played with."""
        return Family.BLITZ if self.preset in BLITZ_LIKE else Family.STANDARD

    @property
    def scheme(self) -> str:
        """How shared piles grow: `ascending`, `swinging`, `double_swinging` or `nine`."""
        return _SCHEME_OF.get(self.preset, "ascending")

    @property
    def deck_size(self) -> int:
        """Cards of one deck: 40 or 52."""
        return 40 if self.family is Family.BLITZ else 52

    @property
    def hand_size(self) -> int:
        """Cards in the hand after the deal."""
        return self.deck_size - self.number("goal_size") - self.number("side_piles")

    @property
    def counts_faces(self) -> bool:
        """True when a score needs the faces of the cards, not only their number."""
        return self.options.get("face_scheme", "flat") != "flat"

    @property
    def most_played(self) -> int:
        """Most cards one player can have on shared piles: with mandatory refill side piles stay occupied."""
        if self["refill"] == "must" and not self.is_on("until_no_play"):
            return self.deck_size - self.number("side_piles")
        return self.deck_size

    @property
    def hash(self) -> str:
        """Twelve hex digits that name these very rules."""
        return ruleset_hash(self)


_SCHEME_OF = {
    "swinging_door": "swinging",
    "double_swinging_door": "double_swinging",
    "starter9": "nine",
    "evil_jacks": "nine",
}

_BLITZ: dict[str, OptionValue] = {"points_per_player": 0, "next_correct_bonus": 0}
_NERTZ: dict[str, OptionValue] = {
    "side_piles": 5,
    "goal_size": 13,
    "card_points": 10,
    "goal_penalty": 10,
    "refill": "may",
    "remainder": "expose",
    "group_moves": True,
    "count_rule": "released",
    "call_mandatory": False,
    "false_call": "transfer",
    "goal_face": "top_only",
    "max_players": 12,
    "target": 500,
    "call_word": "Nertz",
}
_ONE_POINT: dict[str, OptionValue] = {
    **_NERTZ,
    "side_piles": 4,
    "card_points": 1,
    "goal_penalty": 2,
    "false_call": "cards_only",
    "points_per_player": 0,
    "next_correct_bonus": 0,
    "target": 100,
}
_PRESETS: dict[str, dict[str, OptionValue]] = {
    "dutch_blitz_2": {**_BLITZ, "side_piles": 5},
    "dutch_blitz": _BLITZ,
    "dutch_blitz_8": _BLITZ,
    "nertz_std": _NERTZ,
    "nertz_modern": _ONE_POINT,
    "hoorah": {**_ONE_POINT, "call_word": "Hoorah"},
    "swinging_door": {**_NERTZ, "face_scheme": "swinging"},
    "double_swinging_door": {**_NERTZ, "face_scheme": "swinging"},
    "starter9": _NERTZ,
    "evil_jacks": _NERTZ,
    "ligretto": {
        **_BLITZ,
        "side_building": False,
        "target": 99,
        "call_word": "Ligretto stop",
        "max_players": 12,
    },
}
_PLAYERS = {"dutch_blitz_2": (2, 2), "dutch_blitz": (2, 4), "dutch_blitz_8": (5, 8)}

MODIFIERS: dict[str, dict[str, OptionValue]] = {
    "aces20": {"face_scheme": "aces20"},
    "face_15": {"face_scheme": "face_15"},
    "face_jqk": {"face_scheme": "face_jqk"},
    "low_cards": {"face_scheme": "low_cards"},
    "lotto": {"lotto": True},
    "until_no_play": {"until_no_play": True},
    "team": {"team_mode": "sum"},
    "shared_deck": {"team_mode": "shared_deck"},
    "running": {"running": True},
    "life_size": {"running": True},
    "target_100": {"target": 100},
    "target_150": {"target": 150},
    "dsd_two_king": {"dsd_two_king": True},
}
"""Named sets of options that can be added to a preset's name: `nertz_std+aces20`."""


def preset_names() -> tuple[str, ...]:
    """The names of all presets."""
    return tuple(_PRESETS)


def _read_option(preset: str, key: str, value: OptionValue) -> OptionValue:
    if key not in OPTIONS:
        raise OptionError(f"there is no option {key}{nearest(key, list(OPTIONS))}")
    option = OPTIONS[key]
    if preset not in option.presets:
        raise OptionError(
            f"the option {key} does not fit {preset}: it belongs to {', '.join(sorted(option.presets))},"
            f" {FITS[option.presets]}"
        )
    return option.read(value)


def ruleset(name: str, /, **options: OptionValue) -> Ruleset:
    """The preset `name`, with modifiers added by `+`, and options that differ from its defaults.

    >>> ruleset("dutch_blitz", target=100)["target"]
    100

    Raises:
        OptionError: if the preset, modifier, option or value does not exist or does not fit.
    """
    preset, *modifiers = (part.strip() for part in name.split("+"))
    if preset not in _PRESETS:
        hint = nearest(preset, list(_PRESETS)) or f"; the rulesets are {', '.join(_PRESETS)}"
        raise OptionError(f"there is no ruleset {preset}{hint}")
    values = {key: option.default for key, option in OPTIONS.items() if preset in option.presets}
    values.update(_PRESETS[preset])
    wanted: dict[str, OptionValue] = {}
    for modifier in modifiers:
        if modifier not in MODIFIERS:
            hint = nearest(modifier, list(MODIFIERS)) or f"; the modifiers are {', '.join(MODIFIERS)}"
            raise OptionError(f"there is no modifier {modifier}{hint}")
        wanted.update(MODIFIERS[modifier])
    wanted.update(options)
    for key, value in wanted.items():
        values[key] = _read_option(preset, key, value)
    rules = Ruleset(preset, tuple(sorted(values.items())))
    if rules.hand_size < 1:
        raise OptionError(
            f"goal_size {values['goal_size']} and side_piles {values['side_piles']} leave no hand"
            f" in a deck of {rules.deck_size}: make one of them smaller"
        )
    return rules


def parse_option(text: str) -> tuple[str, str]:
    """Read `key=value` as a command line gives it.

    Raises:
        OptionError: if there is no `=`.
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise OptionError(f"{text!r} is no option: write for example target=100")
    return key.strip(), value.strip()


def players_of(rules: Ruleset) -> tuple[int, int]:
    """Fewest and most players of a ruleset."""
    fewest, most = _PLAYERS.get(rules.preset, (2, rules.number("max_players")))
    return fewest, min(most, rules.number("max_players"))


def changed_options(rules: Ruleset) -> dict[str, OptionValue]:
    """The options whose value differs from the preset's default."""
    plain = ruleset(rules.preset).options
    return {key: value for key, value in rules.values if value != plain[key]}


def for_players(rules: Ruleset, players: int) -> Ruleset:
    """The variant for this many players: Dutch Blitz has five side piles for two, and two packs above four;
    Ligretto has 5, 4, 3 side piles for 2, 3 and more. Options that were chosen stay chosen.

    Raises:
        OptionError: if the game cannot be played by so many.
    """
    kept = changed_options(rules)
    if not 2 <= players <= rules.number("max_players"):
        raise OptionError(
            f"{rules.preset} is played by 2 to {rules.number('max_players')} players, not by {players}"
        )
    if rules.preset.startswith("dutch_blitz"):
        name = "dutch_blitz_2" if players == 2 else "dutch_blitz" if players <= 4 else "dutch_blitz_8"
        return ruleset(name, **kept)
    if rules.preset == "ligretto" and "side_piles" not in kept:
        return ruleset("ligretto", **kept, side_piles={2: 5, 3: 4}.get(players, 3))
    return rules


def ruleset_hash(rules: Ruleset) -> str:
    """Twelve hex digits over preset, options and rules version."""
    text = json.dumps([RULESET_VERSION, rules.preset, rules.values])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


class OptionRow(NamedTuple):
    """One option as it is shown: its value here, the default, what can be chosen and what it means."""

    option: str
    value: OptionValue
    default: OptionValue
    choices: str
    sentence: str


def describe(rules: Ruleset) -> list[OptionRow]:
    """All options of a ruleset."""
    defaults = ruleset(rules.preset).options
    return [
        OptionRow(key, rules[key], defaults[key], option.allowed, option.sentence)
        for key, option in OPTIONS.items()
        if rules.preset in option.presets
    ]


def name_of(rules: Ruleset) -> str:
    """The preset and what differs from it: `dutch_blitz target=100`."""
    return " ".join(
        [rules.preset, *(f"{key}={shown(value)}" for key, value in changed_options(rules).items())]
    )


__all__ = [
    "BLITZ_LIKE",
    "MODIFIERS",
    "NERTZ_LIKE",
    "RULESET_VERSION",
    "OptionError",
    "OptionRow",
    "Ruleset",
    "changed_options",
    "describe",
    "for_players",
    "name_of",
    "parse_option",
    "players_of",
    "preset_names",
    "ruleset",
    "ruleset_hash",
]
