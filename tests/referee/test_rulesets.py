"""Presets, options, and what is said when one of them does not fit."""

from __future__ import annotations

import re

import pytest

from referee.options import OPTIONS, OptionError, shown
from referee.rule_texts import RULES, rule_ids, rule_sentence
from referee.rulesets import (
    MODIFIERS,
    describe,
    for_players,
    name_of,
    parse_option,
    players_of,
    preset_names,
    ruleset,
    ruleset_hash,
)

PRESET_TABLE = {
    "dutch_blitz_2": (10, 5, 1, 2, 75),
    "dutch_blitz": (10, 3, 1, 2, 75),
    "dutch_blitz_8": (10, 3, 1, 2, 75),
    "nertz_std": (13, 5, 10, 10, 500),
    "nertz_modern": (13, 4, 1, 2, 100),
    "hoorah": (13, 4, 1, 2, 100),
    "swinging_door": (13, 5, 10, 10, 500),
    "double_swinging_door": (13, 5, 10, 10, 500),
    "starter9": (13, 5, 10, 10, 500),
    "evil_jacks": (13, 5, 10, 10, 500),
    "ligretto": (10, 3, 1, 2, 99),
}


def test_presets_are_those_of_the_rule_table() -> None:
    keys = ("goal_size", "side_piles", "card_points", "goal_penalty", "target")
    found = {name: tuple(ruleset(name)[key] for key in keys) for name in preset_names()}
    assert found == PRESET_TABLE


DEFAULTS = {
    "C1": ("nertz_std", "side_piles", 5),
    "C2": ("nertz_std", "goal_size", 13),
    "C3": ("nertz_modern", "goal_penalty", 2),
    "C4": ("nertz_std", "side_building", True),
    "C5": ("dutch_blitz", "hands", "one"),
    "C6": ("dutch_blitz", "goal_direct", True),
    "C7": ("dutch_blitz", "refill", "must"),
    "C8": ("nertz_std", "flip_count", 3),
    "C9": ("dutch_blitz", "remainder", "carry"),
    "C10": ("dutch_blitz", "group_moves", False),
    "C11": ("dutch_blitz", "count_rule", "landed"),
    "C12": ("dutch_blitz", "call_mandatory", True),
    "C13": ("nertz_std", "per_player_base", "others"),
    "C14": ("nertz_std", "false_call_redeem", "void"),
    "C15": ("starter9", "s9_up", "add"),
    "C16": ("evil_jacks", "per_player_base", "others"),
    "C17": ("evil_jacks", "ej_same_includes", True),
    "C18": ("nertz_std", "false_call_order", "extras_under"),
    "C19": ("nertz_std", "ace", "1"),
    "C20": ("nertz_std", "low_value", 15),
    "C21": ("nertz_std", "bone_value", "full"),
    "C22": ("double_swinging_door", "dsd_ace_to_king", True),
    "C23": ("nertz_std", "lotto_base", "net"),
    "C24": ("dutch_blitz", "tie", "deciding_round"),
    "C25": ("dutch_blitz", "played_limit", "deck"),
    "C26": ("dutch_blitz", "complete_pile", "any"),
    "C27": ("dutch_blitz", "stall_scope", "all"),
    "C28": ("dutch_blitz_2", "side_piles", 5),
    "C29": ("dutch_blitz", "sort_by", "back"),
    "C30": ("dutch_blitz", "dead_heat", "lower_card"),
    "C31": ("dutch_blitz", "false_call", "none"),
    "C32": ("dutch_blitz", "unwind", "all_above"),
    "C33": ("dutch_blitz", "max_players", 8),
    "C34": ("dutch_blitz", "team_mode", "sum"),
    "C35": ("nertz_std", "goal_face", "top_only"),
    "C36": ("dutch_blitz", "setup_order", "either"),
    "C37": ("dutch_blitz", "unp_blitzer_plays", True),
}


@pytest.mark.parametrize("point", [f"C{number}" for number in range(1, 38)])
def test_each_contested_point_is_an_option_with_its_default(point: str) -> None:
    preset, key, default = DEFAULTS[point]
    assert point in str(OPTIONS[key].contested).split()
    assert ruleset(preset)[key] == default


def test_defaults_that_differ_by_family() -> None:
    nertz = ruleset("nertz_std")
    assert (nertz["refill"], nertz["remainder"], nertz["count_rule"]) == ("may", "expose", "released")
    assert (nertz["group_moves"], nertz["call_mandatory"], nertz["false_call"]) == (True, False, "transfer")
    assert ruleset("hoorah")["false_call"] == ruleset("nertz_modern")["false_call"] == "cards_only"
    unp = ruleset("dutch_blitz+until_no_play")
    assert (unp["unp_blitzer_plays"], unp["unp_posts_take_wood"], unp["unp_bottom_card"]) == (
        True,
        False,
        True,
    )


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("dutch_bltz", {}, "there is no ruleset dutch_bltz; did you mean dutch_blitz?"),
        ("poker", {}, "the rulesets are dutch_blitz_2"),
        ("dutch_blitz", {"targt": 90}, "there is no option targt; did you mean target?"),
        ("dutch_blitz", {"hands": "three"}, "the option hands cannot be three: give one, two"),
        ("dutch_blitz", {"target": "soon"}, "cannot be soon: give a whole number from 1"),
        ("dutch_blitz", {"target": 0}, "cannot be 0"),
        ("dutch_blitz", {"target": 99.5}, "cannot be 99.5"),
        ("dutch_blitz", {"target": True}, "cannot be on"),
        ("dutch_blitz", {"until_no_play": "maybe"}, "give on, off"),
        (
            "dutch_blitz",
            {"s9_up": "add"},
            "the option s9_up does not fit dutch_blitz: it belongs to evil_jacks, starter9,"
            " the games whose piles start with a 9",
        ),
        ("dutch_blitz+aces20", {}, "the option face_scheme does not fit dutch_blitz"),
        ("nertz_std+aces2", {}, "there is no modifier aces2; did you mean aces20?"),
        ("dutch_blitz", {"goal_size": 20, "side_piles": 8, "flip_count": 9}, "flip_count cannot be 9"),
        ("nertz_std", {"lotto_caller_share": 1.5}, "give a number from 0 to 1"),
    ],
)
def test_what_does_not_fit_is_said_in_one_sentence(name: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(OptionError, match=re.escape(said)) as raised:
        ruleset(name, **options)  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)


def test_options_as_a_command_line_gives_them() -> None:
    pairs = dict(parse_option(text) for text in ("target=100", "call_mandatory = off", "tie=shared"))
    rules = ruleset("dutch_blitz", **pairs)
    assert (rules["target"], rules["call_mandatory"], rules["tie"]) == (100, False, "shared")
    assert name_of(rules) == "dutch_blitz call_mandatory=off tie=shared target=100".replace(
        "call_mandatory=off tie=shared target=100", "call_mandatory=off target=100 tie=shared"
    )
    for wrong in ("target", "=5", "target="):
        with pytest.raises(OptionError, match="write for example target=100"):
            parse_option(wrong)


@pytest.mark.parametrize("key", OPTIONS)
def test_each_option_is_described_and_each_choice_is_taken(key: str) -> None:
    option = OPTIONS[key]
    assert option.sentence.endswith(".")
    preset = sorted(option.presets)[0]
    row = next(row for row in describe(ruleset(preset)) if row.option == key)
    assert row.value == row.default == ruleset(preset)[key]
    assert row.choices
    for choice in option.choices or ((True, False) if isinstance(option.default, bool) else ()):
        changed = ruleset(preset, **{key: choice})
        assert changed[key] == choice
        assert ruleset(preset, **{key: shown(choice)}) == changed
        assert (ruleset_hash(changed) == ruleset_hash(ruleset(preset))) is (choice == row.default)


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        ("goal_face", "E01"), ("setup_order", "E01"), ("running", "E19"), ("running", "E69"),
        ("call_word", "E50"), ("call_word", "E51"), ("call_word", "E52"), ("call_mandatory", "E52"),
        ("count_rule", "E55"), ("sort_by", "E56"), ("stall_rule", "E66"), ("stall_scope", "E66"),
    ],
)  # fmt: skip
def test_what_is_only_said_is_said(key: str, rule: str) -> None:
    """Options that no camera sees change the sentence that their own sentence names."""
    option = OPTIONS[key]
    choices = option.choices or ((True, False) if isinstance(option.default, bool) else ("Blitz", "Ready"))
    for preset in preset_names():
        said = {rule_sentence(rule, ruleset(preset, **{key: choice})) for choice in choices}
        assert len(said) == len(choices)
    if "wording" in option.sentence and key != "call_word":
        assert rule in option.sentence


@pytest.mark.parametrize("key", [key for key in OPTIONS if len(OPTIONS[key].presets) < len(PRESET_TABLE)])
def test_an_option_that_does_not_fit_says_why(key: str) -> None:
    for preset in preset_names():
        if preset not in OPTIONS[key].presets:
            with pytest.raises(
                OptionError, match=rf"{key} does not fit {preset}: it belongs to .*, the game"
            ):
                ruleset(preset, **{key: OPTIONS[key].default})


@pytest.mark.parametrize(
    ("key", "rule"),
    [
        ("hands", "E18"), ("dead_heat", "E25"), ("side_building", "E30"), ("group_moves", "E32"),
        ("refill", "E33"), ("goal_direct", "E36"), ("until_no_play", "E54"), ("complete_pile", "E61"),
        ("unwind", "E62"),
    ],
)  # fmt: skip
def test_the_sentence_of_a_rule_is_that_of_the_table(key: str, rule: str) -> None:
    choices = OPTIONS[key].choices or (True, False)
    for preset in preset_names():
        said = {rule_sentence(rule, ruleset(preset, **{key: choice})) for choice in choices}
        assert len(said) == len(choices)


def test_what_may_fill_an_empty_place_is_said() -> None:
    def said(preset: str, **options: str) -> str:
        return rule_sentence("E34", ruleset(preset, **options)).removeprefix("An empty side pile is filled ")

    assert said("dutch_blitz") == said("nertz_std", space_fill="goal_only") == "from the goal pile."
    assert said("nertz_std") == "with any card that may be played."
    assert said("dutch_blitz+until_no_play", unp_posts_take_wood="on") == (
        "from the goal pile, or from the wood pile once the goal pile is empty."
    )
    assert rule_sentence("E16", ruleset("starter9")).startswith("A 9 only starts a pile")
    assert rule_sentence("E14", ruleset("starter9")) != rule_sentence(
        "E14", ruleset("starter9", s9_direction="free")
    )
    assert len({rule_sentence("E14", ruleset(preset)) for preset in preset_names()}) == 3


def test_modifiers() -> None:
    assert ruleset("nertz_std+aces20+lotto").is_on("lotto")
    assert ruleset("dutch_blitz+target_150")["target"] == 150
    for modifier in MODIFIERS:
        fits = [name for name in preset_names() if _accepts(f"{name}+{modifier}")]
        assert fits, modifier


def _accepts(name: str) -> bool:
    try:
        ruleset(name)
    except OptionError:
        return False
    return True


def test_variants_by_number_of_players() -> None:
    rules = ruleset("dutch_blitz", target=100)
    assert [for_players(rules, n).preset for n in (2, 3, 4, 5, 8)] == [
        "dutch_blitz_2", "dutch_blitz", "dutch_blitz", "dutch_blitz_8", "dutch_blitz_8",
    ]  # fmt: skip
    assert for_players(rules, 2)["target"] == 100
    assert for_players(ruleset("dutch_blitz", side_piles=4), 2)["side_piles"] == 4
    for wrong in (1, 9):
        with pytest.raises(OptionError, match=f"not by {wrong}"):
            for_players(rules, wrong)
    assert players_of(ruleset("dutch_blitz_8")) == (5, 8)
    assert players_of(ruleset("nertz_std")) == (2, 12)


def test_every_rule_has_a_sentence_under_every_preset() -> None:
    numbers = [*range(1, 4), *range(10, 26), *range(30, 43), *range(50, 57), *range(60, 72)]
    assert list(rule_ids()) == [f"E{number:02d}" for number in numbers]
    for preset in preset_names():
        for rule in RULES:
            sentence = rule_sentence(rule, ruleset(preset))
            assert sentence.endswith(".")
            assert "{" not in sentence
    assert rule_sentence("E35", ruleset("nertz_modern")) == "A player has at most 4 side piles."
    assert "cheat" not in " ".join(text.sentence for text in RULES.values()).lower()
