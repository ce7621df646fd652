"""Every vector of the rule authority, read from the file's own form: one case a vector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.audit import audit_round
from referee.bonuses import evil_jack_points, three_bonus
from referee.cards import Card, Colour
from referee.legality import check_shared, check_side
from referee.lotto import pay_pot, pot_of
from referee.match import Match, team_rounds
from referee.penalties import FalseCall, false_call_cards, false_call_points
from referee.rulesets import Ruleset, preset_names, ruleset
from referee.scoring import PlayerCount, score_round

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "vectors.json").read_text(encoding="utf-8")
)
SUITS = (Colour.HEARTS, Colour.SPADES, Colour.CLUBS, Colour.DIAMONDS)
RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13}

NAMED: dict[str, Ruleset] = {
    "until_no_play": ruleset("dutch_blitz+until_no_play"),
    "nertz_10": ruleset("nertz_std"),
    "nertz_1_2": ruleset("nertz_modern"),
    "nertz_1_1": ruleset("nertz_modern", goal_penalty=1),
    "nertz_aces20": ruleset("nertz_std+aces20"),
    "call_bonus=25 (house)": ruleset("nertz_std", call_bonus=25),
    "face_15_20": ruleset("nertz_std+face_15"),
    "face_jqk_ace1": ruleset("nertz_std+face_jqk"),
    "face_jqk_ace14": ruleset("nertz_std+face_jqk", ace=14),
    "low_cards A-5=15 (house value)": ruleset("nertz_std+low_cards"),
    "hoorah bound": ruleset("hoorah"),
}


def rules_of(vector: dict[str, Any]) -> Ruleset:
    named = vector["ruleset"]
    return NAMED[named] if named in NAMED else ruleset(named)


def cards_of(ranks: list[str]) -> tuple[Card, ...]:
    return tuple(Card(RANKS.get(rank) or int(rank), SUITS[index % 4]) for index, rank in enumerate(ranks))


def pile_of(pile: str | list[str] | None) -> list[Card]:
    if pile is None:
        return []
    return [Card.parse(card) for card in ([pile] if isinstance(pile, str) else pile)]


CHECKED: set[str] = set()


def check(*ids: str) -> list[Any]:
    """The vectors with these ids; what is asked for here is what the last test counts."""
    CHECKED.update(ids)
    by_id = {vector["id"]: vector for vector in VECTORS}
    return [pytest.param(by_id[name], id=name) for name in ids]


LEGALITY = [f"LEG{number}" for number in range(1, 35)]
PLAIN = ["DB1", "DB2", "DB3", "DB4", "DB5", "DB6", "NZ1", "NZ2", "NZ3", "NZ7", "HO1", "HO2"]
FACES = ["FV1", "FV2", "FV3", "LC1", "SW1", "SW2"]
JACKS = [
    "EJ1 two-eyed",
    "EJ2 two-eyed same",
    "EJ3 one-eyed",
    "EJ4 one-eyed same",
    "EJ5 one-eyed reversed",
    "EJ6 three players two-eyed",
]


@pytest.mark.parametrize("vector", check(*LEGALITY))
def test_legality(vector: dict[str, Any]) -> None:
    given = vector["input"]
    rules = rules_of(vector)
    card = Card.parse(given["card"])
    where = check_shared if given["where"] == "shared" else check_side
    verdict = where(pile_of(given["pile"]), card, rules)
    assert verdict.ok is vector["expect"]
    assert bool(verdict.why) is not vector["expect"]


@pytest.mark.parametrize("vector", check(*PLAIN))
def test_counted_rounds(vector: dict[str, Any]) -> None:
    given = vector["input"]
    count = PlayerCount("Ann", given["played"], given["left"], called=given.get("called", False))
    (player,) = score_round(rules_of(vector), [count]).players
    assert player.score == vector["expect"]
    assert player.text.endswith(f"= {vector['expect']}")


@pytest.mark.parametrize("vector", check(*FACES))
def test_faces(vector: dict[str, Any]) -> None:
    given = vector["input"]
    count = PlayerCount("Ann", played_cards=cards_of(given["played"]), left_cards=cards_of(given["left"]))
    assert score_round(rules_of(vector), [count]).scores == (vector["expect"],)


@pytest.mark.parametrize("vector", check("NZ4"))
def test_aces_count_double(vector: dict[str, Any]) -> None:
    assert vector["input"] == {"played": "2 aces+13 others", "left": "1 ace+9 others"}
    others = cards_of(["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "2"])
    aces = (Card.parse("AH"), Card.parse("AS"))
    count = PlayerCount("Ann", played_cards=aces + others, left_cards=(Card.parse("AC"), *others[:9]))
    assert score_round(rules_of(vector), [count]).scores == (vector["expect"],)


@pytest.mark.parametrize("vector", check("DB11"))
def test_round_without_a_stop(vector: dict[str, Any]) -> None:
    given = vector["input"]
    counts = [
        PlayerCount(f"P{index}", played, left)
        for index, (played, left) in enumerate(zip(given["played"], given["left"], strict=True))
    ]
    assert list(score_round(rules_of(vector), counts).scores) == vector["expect"]


@pytest.mark.parametrize("vector", check("NZ5", "NZ6", "NZ6b"))
def test_false_call_in_a_round(vector: dict[str, Any]) -> None:
    redeem = "own_only" if "own_only" in vector["ruleset"] else "void"
    rules = ruleset("nertz_std", false_call_redeem=redeem)
    given = vector["input"]
    caller = given["left"].index(0)
    counts = [
        PlayerCount(name, played, left, called=index == caller)
        for index, (name, played, left) in enumerate(zip("ABCD", given["played"], given["left"], strict=True))
    ]
    scored = score_round(rules, counts, false_calls=[FalseCall(0)])
    assert list(scored.scores) == vector["expect"]


def test_false_caller_without_the_bonus() -> None:
    rules = ruleset("nertz_std", bonus_to_false_caller=False)
    counts = [PlayerCount("A", 20, 0, called=True), PlayerCount("B", 9, 6), PlayerCount("C", 11, 3)]
    assert score_round(rules, [*counts, PlayerCount("D", 5, 8)], false_calls=[FalseCall(0)]).scores[0] == 200


@pytest.mark.parametrize("vector", check("FC4_10", "FC4_20", "FC5_10", "FC2_10"))
def test_false_call_points(vector: dict[str, Any]) -> None:
    given, expect = vector["input"], vector["expect"]
    rules = ruleset("nertz_std+aces20")
    call = FalseCall(1, ace_drawn=given["unit"] == 20)
    points = false_call_points(call, given["players"], rules)
    assert points[1] == expect["caller"]
    assert points[:1] + points[2:] == [expect["each_other"]] * (given["players"] - 1)
    assert sum(points) == 0


@pytest.mark.parametrize("vector", check("FCARD"))
def test_false_call_cards(vector: dict[str, Any]) -> None:
    given, expect = vector["input"], vector["expect"]
    cards = false_call_cards(
        given["unturned"], given["wood"], given["bone_after_return"], ruleset("nertz_std")
    )
    assert cards.bone == expect["bone"]
    assert cards.from_unturned == expect["from_unturned"]
    assert cards.from_turned_over_wood == expect["from_turned_over_wood"]
    assert cards.order == "extras_under"


def played_match(totals: list[int], scores: list[int], **options: Any) -> Match:
    match = Match(ruleset("dutch_blitz", **options))
    names = "ABCD"[: len(totals)]
    for name in names:
        match = match.join(name)
    for row in (totals, scores):
        match = match.round(dict(zip(names, row, strict=True)))
    return match


@pytest.mark.parametrize("vector", check("DB7", "DB8a", "DB8b", "DB8c"))
def test_end_of_the_match(vector: dict[str, Any]) -> None:
    given, expect = vector["input"], vector["expect"]
    tie = "shared" if "tie=shared" in vector["ruleset"] else "deciding_round"
    match = played_match(given["totals"], given["round"], target=given["target"], tie=tie)
    standing = match.standing
    if "totals" in expect:
        assert list(standing.totals.values()) == expect["totals"]
    assert standing.over is expect.get("over", True)
    winners = expect.get("winners", expect.get("winner"))
    assert standing.winners == (() if winners is None else tuple("ABC"[index] for index in winners))


def test_tie_then_deciding_round_as_one_match() -> None:
    match = played_match([70, 71, 40], [9, 8, 3], target=75)
    assert match.standing.deciding
    assert match.standing.winners == ()
    assert match.standing.deciding_players == ("A", "B", "C")
    ended = match.round({"A": 5, "B": 4, "C": 12})
    assert list(ended.standing.totals.values()) == [84, 83, 55]
    assert ended.standing.winners == ("A",)


@pytest.mark.parametrize("vector", check("DB9"))
def test_teams(vector: dict[str, Any]) -> None:
    given = vector["input"]
    assert team_rounds(given["teams"], given["round"]) == vector["expect"]["team_round"]
    match = Match(ruleset("dutch_blitz"))
    for index, name in enumerate("ABCD"):
        match = match.join(name, team="odd" if index in given["teams"][1] else "even")
    match = match.round(dict(zip("ABCD", given["round"], strict=True)))
    assert list(match.standing.totals.values()) == vector["expect"]["team_round"]


@pytest.mark.parametrize("vector", check("DB10"))
def test_tops_and_backs(vector: dict[str, Any]) -> None:
    given, expect = vector["input"], vector["expect"]
    tops = [Card(number, Colour(colour)) for colour, row in given["tops"].items() for number in row]
    backs = dict(zip(("pump", "pail", "plow"), given["backs"], strict=True))
    assert sum(card.number for card in tops) == expect["sum_tops"]
    assert sum(given["backs"]) == expect["sum_backs"]
    findings = audit_round(tops, backs, ruleset=ruleset("dutch_blitz"))
    assert (findings == []) is expect["ok"]


@pytest.mark.parametrize("vector", check("LO1", "LO2", "LO3", "LO4", "LO5"))
def test_lotto(vector: dict[str, Any]) -> None:
    given, expect = vector["input"], vector["expect"]
    share = 0.5 if "caller_share=0.5" in vector["ruleset"] else 0.0
    rules = ruleset("nertz_std+lotto", lotto_caller_share=share, target=5000)
    if "gains" in given:
        net = given["gains"] - given["penalties"]
        assert net == expect["net"]
        assert pot_of([net], rules) == expect["lotto"]
    elif "add" in expect:
        payout = pay_pot(given["lotto"], given["r2"], rules, given.get("caller"))
        assert list(payout.added) == expect["add"]
        assert payout.kept == 0
    else:
        assert pot_of(given["r1"], rules) == expect["lotto"]
    if "r2" in given and "r1" in given:
        match = Match(rules)
        for name in "ABCD":
            match = match.join(name)
        match = match.round(dict(zip("ABCD", given["r1"], strict=True)))
        assert match.standing.pot == expect["lotto"]
        match = match.round(dict(zip("ABCD", given["r2"], strict=True)))
        assert list(match.standing.totals.values()) == expect["totals"]


@pytest.mark.parametrize("vector", check("S9a", "S9b", "S9c"))
def test_three_of_starter_nine(vector: dict[str, Any]) -> None:
    mode = "replace" if "mode=replace" in vector["ruleset"] else "add"
    assert three_bonus("(up)" in vector["ruleset"], ruleset("starter9", s9_up=mode)) == vector["expect"]


@pytest.mark.parametrize("vector", check(*JACKS))
def test_evil_jacks(vector: dict[str, Any]) -> None:
    given = vector["input"]
    one_eyed = given.get("oneeyed", False)
    mode = "punish" if given.get("reverse") else "reward" if one_eyed else "off"
    points = evil_jack_points(
        given["n"], given["j"], given["t"], one_eyed, ruleset("evil_jacks", one_eyed=mode)
    )
    assert points == vector["expect"]


def test_all_vectors_are_checked() -> None:
    assert len(VECTORS) == 82
    assert {vector["id"] for vector in VECTORS} == CHECKED


def test_every_preset_has_a_vector_or_shares_its_rules() -> None:
    named = {str(vector["ruleset"]).split("+")[0].split(" ")[0] for vector in VECTORS}
    shares = {"dutch_blitz_2": "dutch_blitz", "dutch_blitz_8": "dutch_blitz", "ligretto": "dutch_blitz"}
    shares["nertz_modern"] = "nertz_1_2"
    assert {shares.get(preset, preset) for preset in preset_names()} <= named
