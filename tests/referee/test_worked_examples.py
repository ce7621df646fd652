"""Every worked example of the rule authority, row by row, written down apart from the vectors."""

from __future__ import annotations

import pytest

from referee.audit import audit_round
from referee.bonuses import FinishedPile, evil_jack_points, finish_points, three_bonus
from referee.cards import Card, Colour
from referee.legality import check_shared, check_side
from referee.lotto import pay_pot, pot_of
from referee.match import Match, team_rounds
from referee.penalties import FalseCall, false_call_cards, false_call_points
from referee.rulesets import ruleset
from referee.scoring import PlayerCount, score_round


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def score(name: str, played: int, left: int, **options: int) -> int:
    return score_round(ruleset(name, **options), [PlayerCount("Ann", played, left)]).scores[0]


def face_score(name: str, played: str, left: str, **options: str) -> int:
    count = PlayerCount("Ann", played_cards=cards(played), left_cards=cards(left))
    return score_round(ruleset(name, **options), [count]).scores[0]


@pytest.mark.parametrize(
    ("row", "name", "played", "left", "expected"),
    [
        ("DB1", "dutch_blitz", 14, 3, 8),
        ("DB2", "dutch_blitz", 8, 7, -6),
        ("DB3", "dutch_blitz", 17, 0, 17),
        ("DB4", "dutch_blitz", 0, 10, -20),
        ("DB11", "dutch_blitz+until_no_play", 22, 0, 22),
        ("DB11", "dutch_blitz+until_no_play", 19, 0, 19),
        ("DB11", "dutch_blitz+until_no_play", 15, 4, 7),
        ("NZ1", "nertz_std", 15, 10, 50),
        ("NZ2", "nertz_modern", 15, 10, -5),
        ("HO", "hoorah", 14, 3, 8),
        ("HO", "hoorah", 0, 13, -26),
    ],
)
def test_counts(row: str, name: str, played: int, left: int, expected: int) -> None:
    assert score(name, played, left) == expected, row


def test_nz3_penalties_of_one() -> None:
    assert score("nertz_modern", 15, 10, goal_penalty=1) == 5


@pytest.mark.parametrize(
    ("row", "name", "options", "played", "left", "expected"),
    [
        ("NZ4", "nertz_std+aces20", {}, "AH AS 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH 2S",
         "AC 2D 3D 4D 5D 6D 7D 8D 9D 10D", 60),
        ("FV", "nertz_std+face_15", {}, "2H 3H 10H JH QH KH AH", "AS 7S QS", 43),
        ("FV", "nertz_std+face_jqk", {"ace": "1"}, "2H 3H 10H JH QH KH AH", "AS 7S QS", 32),
        ("FV", "nertz_std+face_jqk", {"ace": "14"}, "2H 3H 10H JH QH KH AH", "AS 7S QS", 32),
        ("LC1", "nertz_std+low_cards", {}, "AH 2H 3H 4H 5H 6H 7H KH", "4S 9S", 80),
        ("SW1", "swinging_door", {}, "", "AH QH 9H", -45),
        ("SW2", "swinging_door", {}, "AS KS QS JS 10S 9S 2S", "AH QH 9H", 55),
    ],
)  # fmt: skip
def test_values(row: str, name: str, options: dict[str, str], played: str, left: str, expected: int) -> None:
    assert face_score(name, played, left, **options) == expected, row


def match_of(rounds: list[dict[str, int]], **options: str) -> Match:
    match = Match(ruleset("dutch_blitz", **options))
    for name in rounds[0]:
        match = match.join(name)
    for scores in rounds:
        match = match.round(scores)
    return match


def test_db7_the_higher_total_wins() -> None:
    match = match_of([{"A": 74, "B": 73}, {"A": 5, "B": 9}])
    assert match.standing.totals == {"A": 79, "B": 82}
    assert match.standing.winners == ("B",)


def test_db8_level_at_the_target() -> None:
    rounds = [{"A": 70, "B": 71, "C": 40}, {"A": 9, "B": 8, "C": 3}]
    assert match_of(rounds, tie="shared").standing.winners == ("A", "B")
    match = match_of(rounds)
    assert (match.standing.over, match.standing.winners) == (False, ())
    match = match.round({"A": 5, "B": 4, "C": 12})
    assert match.standing.totals == {"A": 84, "B": 83, "C": 55}
    assert match.standing.winners == ("A",)


def test_db9_teams() -> None:
    assert team_rounds([[0, 2], [1, 3]], [12, 9, -4, -6]) == [8, 3]


def test_db10_tops_and_backs() -> None:
    tops = cards("red10 red4 blue7 blue1 green6 yellow10 yellow2")
    assert sum(card.number for card in tops) == 40
    assert audit_round(tops, {"pump": 17, "pail": 13, "plow": 10}, ruleset=ruleset("dutch_blitz")) == []


@pytest.mark.parametrize(
    ("players", "ace", "caller", "other"),
    [(4, False, -30, 10), (4, True, -60, 20), (5, False, -40, 10), (2, False, -10, 10)],
)
def test_fc_false_calls(players: int, ace: bool, caller: int, other: int) -> None:
    points = false_call_points(FalseCall(0, ace_drawn=ace), players, ruleset("nertz_std+aces20"))
    assert points == [caller, *[other] * (players - 1)]


def test_nz5_and_nz6_rounds_with_a_false_call() -> None:
    def scores(played: tuple[int, ...], left: tuple[int, ...], caller: int, **options: object) -> list[int]:
        counts = [
            PlayerCount(name, p, n, called=index == caller)
            for index, (name, p, n) in enumerate(zip("ABCD", played, left, strict=True))
        ]
        rules = ruleset("nertz_std", **options)  # type: ignore[arg-type]
        return list(score_round(rules, counts, false_calls=[FalseCall(0)]).scores)

    assert scores((12, 18, 9, 14), (4, 0, 6, 2), 1) == [50, 215, 40, 130]
    own = ((20, 9, 11, 5), (0, 6, 3, 8), 0)
    assert scores(*own) == [225, 30, 80, -30]
    assert scores(*own, false_call_redeem="own_only") == [225, 40, 90, -20]
    assert scores(*own, bonus_to_false_caller=False) == [200, 30, 80, -30]


def test_lo_the_lotto_pot() -> None:
    rules = ruleset("nertz_std+lotto", target=5000)
    match = Match(rules)
    for name in "ABCD":
        match = match.join(name)
    match = match.round({"A": 150, "B": -60, "C": 80, "D": 40})
    assert match.standing.pot == 60
    match = match.round({"A": 30, "B": 90, "C": 50, "D": 70})
    assert list(match.standing.totals.values()) == [180, 90, 130, 110]
    assert pot_of([70 - 60], rules) == 0
    assert pot_of([-60, -20, 30], rules) == 80
    assert list(pay_pot(60, [70, 70, 10], rules).added) == [30, 30, 0]
    half = ruleset("nertz_std+lotto", lotto_caller_share=0.5)
    assert list(pay_pot(60, [90, 70, 10], half, caller=1).added) == [30, 30, 0]


def test_s9_the_three() -> None:
    add, replace = ruleset("starter9"), ruleset("starter9", s9_up="replace")
    assert [three_bonus(up, add) for up in (False, True)] == [40, 100]
    assert three_bonus(True, replace) == 60


@pytest.mark.parametrize(
    ("jack", "three", "suit", "one_eyed", "expected"),
    [
        (0, 1, Colour.CLUBS, "off", [-45, 55, 15, 15]),
        (0, 0, Colour.CLUBS, "off", [100, -5, -5, -5]),
        (0, 1, Colour.SPADES, "reward", [45, 25, -15, -15]),
        (0, 0, Colour.SPADES, "reward", [150, -25, -25, -25]),
        (0, 1, Colour.SPADES, "punish", [-45, 55, 15, 15]),
    ],
)
def test_ej_evil_jacks(jack: int, three: int, suit: Colour, one_eyed: str, expected: list[int]) -> None:
    rules = ruleset("evil_jacks", one_eyed=one_eyed)
    assert finish_points(FinishedPile(three, True, jack, suit), 4, rules) == expected
    assert evil_jack_points(4, jack, three, suit is Colour.SPADES, rules) == expected


@pytest.mark.parametrize(
    ("name", "pile", "card", "lawful"),
    [
        ("dutch_blitz", "red5", "red6", True),
        ("dutch_blitz", "red4", "red6", False),
        ("dutch_blitz", "red5", "red5", False),
        *[("dutch_blitz", f"{colour}{n}", "red1", False) for colour in ("red", "blue") for n in range(1, 11)],
        *[("dutch_blitz", "red10", f"red{n}", False) for n in range(1, 11)],
        ("swinging_door", "AH 2H", "KH", False),
        ("swinging_door", "AH KH", "QH", True),
        ("swinging_door", "AH KH", "2H", False),
        ("double_swinging_door", "AH 2H", "AS", False),
        ("double_swinging_door", "AH 2H", "AH", False),
        ("double_swinging_door", "AH 2H", "3H", True),
        ("double_swinging_door", "AH 2H", "KH", False),
        ("double_swinging_door+dsd_two_king", "AH 2H", "KH", True),
        ("starter9", "9H 10H JH QH KH", "AH", True),
        ("starter9", "9H 8H", "9H", False),
        *[("starter9", "9H 8H 7H 6H 5H 4H 3H", f"{n}H", False) for n in ("A", 2, 3, 4, 9, "K")],
    ],
)
def test_leg_shared_piles(name: str, pile: str, card: str, lawful: bool) -> None:
    assert check_shared(cards(pile), Card.parse(card), ruleset(name)).ok is lawful


@pytest.mark.parametrize(
    ("card", "lawful"),
    [("green6", True), ("yellow6", True), ("blue6", False), ("green5", False), ("green8", False)],
)
def test_leg_side_pile_of_a_red_seven(card: str, lawful: bool) -> None:
    assert check_side(cards("red7"), Card.parse(card), ruleset("dutch_blitz")).ok is lawful


def test_fcard_cards_of_a_false_call() -> None:
    taken = false_call_cards(2, 9, 1, ruleset("nertz_std"))
    assert (taken.bone, taken.from_unturned, taken.from_turned_over_wood) == (4, 2, 1)
