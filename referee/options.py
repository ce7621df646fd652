"""The options of the games: one named choice for each point on which the written rules disagree."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

OptionValue = bool | int | float | str

BLITZ_LIKE = frozenset({"dutch_blitz_2", "dutch_blitz", "dutch_blitz_8", "ligretto"})
NERTZ_LIKE = frozenset(
    {
        "nertz_std",
        "nertz_modern",
        "hoorah",
        "swinging_door",
        "double_swinging_door",
        "starter9",
        "evil_jacks",
    }
)
EVERY = BLITZ_LIKE | NERTZ_LIKE
NINES = frozenset({"starter9", "evil_jacks"})


class OptionError(ValueError):
    """A preset, option or value that does not exist or does not fit; one plain sentence."""


@dataclass(frozen=True, slots=True)
class Option:
    """One named choice. `choices` lists words; `low`/`high` bound a number; neither is a switch on/off."""

    key: str
    default: OptionValue
    sentence: str
    contested: str | None = None
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    presets: frozenset[str] = EVERY

    @property
    def allowed(self) -> str:
        """The values that can be given, in words."""
        if self.choices:
            return ", ".join(self.choices)
        if self.low is not None:
            kind = "a number" if isinstance(self.default, float) else "a whole number"
            return f"{kind} from {self.low:g} to {self.high:g}"
        return "on, off" if isinstance(self.default, bool) else "any word"

    def read(self, value: OptionValue) -> OptionValue:
        """The value in its own type; accepts the text forms `on`, `off`, `100`, `0.5`.

        Raises:
            OptionError: if the value is not allowed.
        """
        refused = OptionError(f"the option {self.key} cannot be {shown(value)}: give {self.allowed}")
        if not isinstance(value, bool | int | float | str):
            raise refused
        if self.choices:
            word = shown(value)
            if word not in self.choices:
                raise refused
            return word
        if isinstance(self.default, bool):
            word = str(value).strip().lower()
            if word not in _SWITCH:
                raise refused
            return _SWITCH[word]
        if self.low is None or self.high is None:
            return str(value)
        if isinstance(value, bool):
            raise refused
        try:
            number = float(value)
        except (ValueError, OverflowError) as error:
            raise refused from error
        if not self.low <= number <= self.high:
            raise refused
        if isinstance(self.default, float):
            return number
        if number != int(number):
            raise refused
        return int(number)


_SWITCH = {
    "on": True,
    "true": True,
    "yes": True,
    "1": True,
    "off": False,
    "false": False,
    "no": False,
    "0": False,
}


def shown(value: OptionValue) -> str:
    """A value as a person writes it: switches are `on` and `off`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def nearest(word: str, known: list[str]) -> str:
    """`; did you mean X?` for the known word that looks most alike, or an empty text."""
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""


def _switch(
    key: str, default: bool, sentence: str, contested: str | None = None, presets: frozenset[str] = EVERY
) -> Option:
    return Option(key, default, sentence, contested, presets=presets)


def _number(
    key: str,
    default: int | float,
    low: float,
    high: float,
    sentence: str,
    contested: str | None = None,
    presets: frozenset[str] = EVERY,
) -> Option:
    return Option(key, default, sentence, contested, low=low, high=high, presets=presets)


def _choice(
    key: str, choices: str, sentence: str, contested: str | None = None, presets: frozenset[str] = EVERY
) -> Option:
    words = tuple(choices.split("|"))
    return Option(key, words[0], sentence, contested, words, presets=presets)


DSD = frozenset({"double_swinging_door"})
EVIL = frozenset({"evil_jacks"})

FITS = {
    NERTZ_LIKE: "the games with suits and court cards",
    NINES: "the games whose piles start with a 9",
    EVIL: "the game in which jacks earn and cost points",
    DSD: "the game whose piles go up and down",
}
"""What the presets of an option have in common, where it does not fit all."""

OPTIONS: dict[str, Option] = {
    option.key: option
    for option in (
        _number("side_piles", 3, 1, 8, "How many side piles each player builds on.", "C1 C28"),
        _number("goal_size", 10, 1, 20, "How many cards the goal pile starts with.", "C2"),
        _number("card_points", 1, 0, 100, "Points for each card on a shared pile.", "C3"),
        _number("goal_penalty", 2, 0, 100, "Points lost for each card left in the goal pile.", "C3"),
        _switch("side_building", True, "Whether cards may be built on side piles.", "C4"),
        _choice("hands", "one|two", "Whether one player may put cards down with one hand or with two.", "C5"),
        _switch("goal_direct", True, "Whether the top goal card may go straight to a shared pile.", "C6"),
        _choice("refill", "must|may", "Whether an empty side pile must be refilled straight away.", "C7"),
        _choice("space_fill", "any|goal_only", "Which cards may open an empty side pile.", "C7"),
        _number("flip_count", 3, 1, 3, "How many hand cards are turned at a time.", "C8"),
        _choice(
            "remainder",
            "carry|expose|turn_over",
            "What is done with the last one or two hand cards: carried beneath the turned-over wood,"
            " turned with the bottom one playable, or turned and then the wood turned over. Only the"
            " simulator plays by it, the last two alike.",
            "C9",
        ),
        _switch("group_moves", False, "Whether several cards may move together between side piles.", "C10"),
        _choice(
            "count_rule",
            "landed|released|finish_in_air",
            "Which cards count at the call: those that have landed, those that have left the hand, or"
            " every play under way.",
            "C11",
        ),
        _switch("call_mandatory", True, "Whether emptying the goal pile must be called at once.", "C12"),
        _switch("empty_pile_ends", False, "Whether an empty goal pile ends the round without a call.", "C12"),
        _choice(
            "per_player_base",
            "others|all",
            "Whether a charge per player counts the other players or everybody.",
            "C13 C16",
        ),
        _choice(
            "false_call_redeem",
            "void|own_only",
            "A false caller who then empties the pile: the whole transfer is void, or only the own loss.",
            "C14",
        ),
        _switch(
            "bonus_to_false_caller",
            True,
            "Whether the bonus for the next correct call can go to the false caller.",
            "C14",
        ),
        _choice(
            "s9_up",
            "add|replace",
            "The 3 on a pile that went up earns 40 and 60 more (add), or 60 in all (replace).",
            "C15",
            NINES,
        ),
        _choice(
            "s9_direction", "fixed|free", "Whether a pile keeps the direction that it took.", None, NINES
        ),
        _switch(
            "ej_same_includes",
            True,
            "Whether 100 or 150 for jack and 3 by one player already holds the 40 for the 3.",
            "C17",
            EVIL,
        ),
        _switch(
            "ej_three_keeps_40",
            True,
            "Whether the player of the 3 keeps the 40 on a one-eyed pile.",
            "C17",
            EVIL,
        ),
        _choice(
            "one_eyed",
            "off|reward|punish",
            "Whether the jacks of spades and hearts are treated the other way round.",
            None,
            EVIL,
        ),
        _choice(
            "false_call_order",
            "extras_under|extras_on_top",
            "Where the three extra cards of a false call go in the goal pile.",
            "C18",
        ),
        _choice(
            "face_scheme",
            "flat|aces20|face_15|face_jqk|low_cards|swinging",
            "What single cards are worth.",
            "C19",
            NERTZ_LIKE,
        ),
        _choice("ace", "1|14", "What an ace is worth where court cards count 11 to 13.", "C19", NERTZ_LIKE),
        _number(
            "low_value", 15, 0, 100, "What ace to 5 are worth where low cards count more.", "C20", NERTZ_LIKE
        ),
        _choice(
            "bone_value",
            "full|flat",
            "Whether goal cards left cost their face value or the flat penalty.",
            "C21",
            NERTZ_LIKE,
        ),
        _switch("dsd_ace_to_king", True, "Whether a king may be the second card on an ace.", "C22", DSD),
        _switch("dsd_two_king", False, "Whether a king may go on a 2.", "C22", DSD),
        _choice(
            "dsd_king_two",
            "follow|on|off",
            "Whether a 2 may go on a king; follow does as dsd_two_king.",
            "C22",
            DSD,
        ),
        _switch(
            "lotto", False, "Whether negative rounds feed a pot for the next round's best.", "C23", NERTZ_LIKE
        ),
        _choice(
            "lotto_base",
            "net|gross",
            "Whether the pot takes negative round scores or all goal penalties.",
            "C23",
            NERTZ_LIKE,
        ),
        _number(
            "lotto_caller_share", 0.0, 0, 1, "Which share of the pot the caller gets.", "C23", NERTZ_LIKE
        ),
        _choice(
            "lotto_tie",
            "split|carry",
            "Whether level best players split the pot or leave it for the next round.",
            "C23",
            NERTZ_LIKE,
        ),
        _choice(
            "tie",
            "deciding_round|shared|hands_called",
            "What happens when the best totals are exactly level.",
            "C24",
        ),
        _choice("deciding_players", "all|tied", "Who plays a deciding round.", "C24"),
        _choice(
            "complete_pile", "any|leave|move_aside|turn", "What the table does with a completed pile.", "C26"
        ),
        _choice(
            "stall_rule",
            "bottom_card|burn|none",
            "What the stuck do: the top wood card goes to the bottom of the hand, the next hand card does, or"
            " nothing. The simulator plays by it; E66 says it and judges what a log tells of it.",
            "C27",
        ),
        _choice(
            "stall_scope",
            "all|any",
            "Whether everybody must be stuck first or one player may do it alone; as for stall_rule.",
            "C27",
        ),
        _choice(
            "dead_heat", "lower_card|table|replay", "Who was first when two equal cards come together.", "C30"
        ),
        _choice(
            "false_call",
            "none|cards_only|transfer",
            "What a false call costs: nothing, cards on the goal pile, or cards and points.",
            "C31",
        ),
        _number(
            "points_per_player",
            10,
            0,
            100,
            "Points that a false call pays to each other player, where it costs points.",
        ),
        _number(
            "next_correct_bonus",
            25,
            0,
            100,
            "Bonus for the next correct call after a false one, where false calls cost points.",
        ),
        _choice(
            "unwind",
            "all_above|card_only",
            "Whether the cards on top of a wrong card go back with it.",
            "C32",
        ),
        _choice("late_error", "counts|void", "Whether a wrong card that nobody noticed still counts.", "C32"),
        _number("max_players", 8, 2, 12, "The most players at one table.", "C33"),
        _choice(
            "team_mode",
            "sum|shared_deck",
            "Whether partners play a deck each and add up, or share one deck.",
            "C34",
        ),
        _choice(
            "goal_face",
            "up|top_only",
            "Whether the goal pile lies face up or only its top card. Changes the wording of E01 only.",
            "C35",
        ),
        _choice(
            "setup_order",
            "either|sides_first|goal_first",
            "Whether the side piles or the goal pile are laid out first. Changes the wording of E01 only.",
            "C36",
        ),
        _switch("until_no_play", False, "Whether play goes on after the call until nobody can play.", None),
        _switch("unp_blitzer_plays", True, "Whether the caller plays on until nobody can.", "C37"),
        _switch("unp_posts_take_wood", False, "Whether empty side piles then take wood cards.", "C37"),
        _switch(
            "unp_bottom_card", True, "Whether the bottom-card rule may then be used once a stall.", "C37"
        ),
        _choice(
            "sort_by",
            "back|face",
            "Whether the cards of the middle are sorted by their backs or by their faces. Changes the wording"
            " of E56 only; both can be photographed.",
            "C29",
        ),
        _choice(
            "played_limit",
            "deck|strict",
            "Whether more played cards than mandatory refilling allows are warned of or refused.",
            "C25",
        ),
        _number("call_bonus", 0, 0, 200, "Points for a correct call."),
        _number("target", 75, 1, 100000, "The total that ends the game."),
        _number("rounds", 0, 0, 1000, "A fixed number of rounds instead of a target; 0 plays to the target."),
        _switch(
            "running",
            False,
            "Whether each card is run to its pile, as with life-size cards. Changes the wording of E19"
            " and E69 only; play is judged and scored alike.",
        ),
        Option(
            "call_word",
            "Blitz",
            "The word that ends the round, as rules and rulings say it. Changes the wording only.",
        ),
    )
}
"""Every option by its key, in the order in which they are shown."""
