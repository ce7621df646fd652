"""Each rule and event of the referee by its id: a plain sentence and the highest level it may reach live."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from referee.rulesets import Ruleset


class Severity(StrEnum):
    """How strongly a ruling speaks."""

    FOUL = "foul"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Higher is stronger."""
        return {"foul": 3, "warning": 2, "info": 1}[self.value]


class RuleText(NamedTuple):
    """What an id means. `cap` is the highest level that may be issued while the round is live."""

    sentence: str
    cap: Severity


_F, _W, _I = Severity.FOUL, Severity.WARNING, Severity.INFO

RULES: dict[str, RuleText] = {
    "E01": RuleText(
        "Each player starts with {side_piles} side piles and {goal_size} goal cards, {face}; {order}.", _W
    ),
    "E02": RuleText("Nobody plays before the start of the round.", _W),
    "E03": RuleText("The round starts.", _I),
    "E10": RuleText("A new shared pile starts with {start}.", _F),
    "E11": RuleText("A shared pile keeps one {colour}.", _F),
    "E12": RuleText("No number may be skipped on a shared pile.", _F),
    "E13": RuleText(
        "The same number does not go on a shared pile twice; the lower of two equal cards stays.", _F
    ),
    "E14": RuleText("A shared pile {direction}.", _F),
    "E15": RuleText("Nothing goes on a completed pile.", _F),
    "E16": RuleText("{only_starts} only starts a pile; it never goes on one.", _F),
    "E17": RuleText("Cards are put down one at a time.", _W),
    "E18": RuleText("A player {hands}.", _W),
    "E19": RuleText("Cards are {placed}, not thrown.", _W),
    "E20": RuleText("A card lies face up on one pile.", _W),
    "E21": RuleText("A card is not parked over a pile on suspicion.", _I),
    "E22": RuleText("A hand does not block a pile.", _I),
    "E23": RuleText("A card that lies rightly stays where it is.", _W),
    "E24": RuleText("A card landed.", _I),
    "E25": RuleText("Of two equal cards that come together {first}.", _I),
    "E30": RuleText("{building}.", _F),
    "E31": RuleText("A side pile{built} alternates {groups}.", _F),
    "E32": RuleText("{together} between side piles.", _W),
    "E33": RuleText("An empty side pile {refilled}.", _W),
    "E34": RuleText("An empty side pile is filled {filled}.", _W),
    "E35": RuleText("A player has at most {side_piles} side piles.", _F),
    "E36": RuleText("Only the exposed card of a pile may be played{indirect}.", _W),
    "E37": RuleText("Only the top card of the wood pile may be played.", _W),
    "E38": RuleText("Cards are not played from the unturned hand.", _W),
    "E39": RuleText("The hand is turned {flip_count} at a time.", _W),
    "E40": RuleText("Hand, wood and goal pile are never shuffled.", _W),
    "E41": RuleText("A card that the next turn has covered waits for the next pass.", _W),
    "E42": RuleText("Nobody plays in another player's area.", _W),
    "E50": RuleText('"{call_word}" ends the round when the caller\'s goal pile is empty.', _I),
    "E51": RuleText('Only a player whose goal pile is empty may call "{call_word}".', _F),
    "E52": RuleText('Who has emptied the goal pile {must} call "{call_word}" {when}.', _W),
    "E53": RuleText("Two calls at the same moment both stand.", _I),
    "E54": RuleText("{after_call}.", _F),
    "E55": RuleText("At the call only {counted} count.", _W),
    "E56": RuleText(
        "The middle stays as it is after the call until it is sorted by {sort_by} and counted.", _W
    ),
    "E60": RuleText("A pile is complete.", _I),
    "E61": RuleText("A completed pile {custom}; its cards count wherever they lie.", _I),
    "E62": RuleText("Play is stopped, the wrong card{above} back, and play goes on.", _I),
    "E63": RuleText("A pile was bumped or moved and is known again by its top card.", _I),
    "E64": RuleText("Cards were knocked over: pause and put them back.", _W),
    "E65": RuleText("Nobody has played for a while.", _I),
    "E66": RuleText("{stuck_card} goes to the bottom of the hand{when_stuck}.", _W),
    "E67": RuleText("Play without a stop ends when everybody agrees that nothing can be placed.", _I),
    "E68": RuleText(
        "Jacks and threes on a pile that went up score extra; check whose they are at the count.", _I
    ),
    "E69": RuleText("{runner} of a team is out at a time.", _W),
    "E70": RuleText("Each deck holds each card once.", _W),
    "E71": RuleText("The camera cannot see the table as before; the referee abstains.", _W),
}


NOT_IN_A_LOG = {
    "E69": "a log tells of cards, not of people on their way; a thrown card is E19",
}
"""Infringements that no event of a log shows, each with the reason: they are never ruled on."""

_FACES = {"up": "face up", "top_only": "only the top one face up"}
_ORDERS = {
    "either": "either is laid out first",
    "sides_first": "the side piles are laid out first",
    "goal_first": "the goal pile is laid out first",
}
_SORTED = {"back": "its backs", "face": "its faces"}
_STUCK_CARDS = {"bottom_card": "The top wood card", "burn": "The next hand card", "none": "No card"}
_STUCK = {"all": " only when everybody is stuck", "any": " only when its player is stuck"}


_HANDS = {"one": "puts cards down with one hand only", "two": "may put cards down with both hands"}
_FIRST = {
    "lower_card": "the lower one counts",
    "table": "the table says which one counts",
    "replay": "neither counts, and both are played again",
}
_UNWOUND = {"all_above": " and what lies on it go", "card_only": " alone goes"}
_CUSTOMS = {
    "any": "may be left, turned over or moved aside",
    "leave": "is left where it is",
    "move_aside": "is moved aside",
    "turn": "is turned over",
}
_DIRECTIONS = {
    "ascending": "only goes up",
    "swinging": "goes on in the direction that it took with its second card",
    "double_swinging": "goes up or down by one each time",
    "nine": "goes on in the direction that it took with its second card",
}


def rule_ids() -> tuple[str, ...]:
    """All rule ids in order."""
    return tuple(RULES)


def rule_sentence(rule: str, rules: Ruleset) -> str:
    """The plain sentence of a rule as it stands under these options.

    Raises:
        KeyError: if there is no such rule.
    """
    blitz = rules.deck_size == 40
    start = "a 1" if blitz else "a 9" if rules.scheme == "nine" else "an ace"
    must, goal_only = rules["refill"] == "must", rules["space_fill"] == "goal_only"
    on, free = rules.is_on("until_no_play"), rules.options.get("s9_direction") == "free"
    wood_too = on and rules.is_on("unp_posts_take_wood")
    building = rules.is_on("side_building")
    counted = {
        "landed": "cards that have landed",
        "released": "cards that have left the hand",
        "finish_in_air": "landed cards and plays under way",
    }
    return RULES[rule].sentence.format(
        side_piles=rules["side_piles"],
        goal_size=rules["goal_size"],
        flip_count=rules["flip_count"],
        start=start,
        only_starts=f"{start[0].upper()}{start[1:]}",
        direction="goes up or down by one each time" if free else _DIRECTIONS[rules.scheme],
        hands=_HANDS[str(rules["hands"])],
        first=_FIRST[str(rules["dead_heat"])],
        building="A side pile goes down by one each time" if building else "Nothing is built on side piles",
        built="" if building else ", where it is built on,",
        together="Several cards may move together"
        if rules.is_on("group_moves")
        else "Only single cards move",
        refilled="is refilled straight away" if must else "may stay empty",
        filled=("from the goal pile" if must or goal_only else "with any card that may be played")
        + (", or from the wood pile once the goal pile is empty" if wood_too and (must or goal_only) else ""),
        indirect="" if rules.is_on("goal_direct") else "; goal cards go by way of a side pile",
        after_call="Play goes on after the call until nobody can play"
        if on
        else "Nothing is played after the call",
        custom=_CUSTOMS[str(rules["complete_pile"])],
        above=_UNWOUND[str(rules["unwind"])],
        colour="colour" if blitz else "suit",
        groups="boys and girls" if blitz else "red and black",
        counted=counted[str(rules["count_rule"])],
        face=_FACES[str(rules["goal_face"])],
        order=_ORDERS[str(rules["setup_order"])],
        sort_by=_SORTED[str(rules["sort_by"])],
        placed="run to their pile and placed" if rules.is_on("running") else "placed",
        runner="One runner" if rules.is_on("running") else "Where cards are run to their piles, one runner",
        call_word=rules["call_word"],
        must="must" if rules.is_on("call_mandatory") else "may",
        when="at once" if rules.is_on("call_mandatory") else "at any time",
        stuck_card=_STUCK_CARDS[str(rules["stall_rule"])],
        when_stuck="" if rules["stall_rule"] == "none" else _STUCK[str(rules["stall_scope"])],
    )
