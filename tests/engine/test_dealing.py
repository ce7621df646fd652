"""Cards dealt one by one, played to the counter as looks of a camera ten times a second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.dealing import Dealing, Dealt
from referee.cards import BLITZ_COLOURS, Card
from vision.types import Detection, Reading, SeenCard, order_quad

W_PX, H_PX = 70.0, 100.0
STEP_S = 0.1
DECK = [Card(number, colour) for colour in BLITZ_COLOURS for number in range(1, 11)]
Face = Card | str | None
"""What a card says: a face, a deck's back, or nothing that can be read."""


def lying(what: Face, x: float, y: float, angle_deg: float = 90.0) -> SeenCard:
    """A card at a place; None is a card that could not be read."""
    quad = order_quad(cv2.boxPoints(((x, y), (H_PX, W_PX), angle_deg)))
    if isinstance(what, Card):
        reading = Reading("face", what.number, str(what.colour), None, 0.99)
    else:
        reading = Reading(None if what is None else "back", deck=what, confidence=0.99)
    return SeenCard(Detection(quad, reading.side, 0.9), reading)


@dataclass
class Table:
    """A table on which cards are laid while the counter looks on."""

    rng: np.random.Generator
    dealing: Dealing = field(default_factory=Dealing)
    t_s: float = 0.0
    shown: list[tuple[Face, float, float, float]] = field(default_factory=list)
    counted: list[Dealt] = field(default_factory=list)

    def look(
        self, moving: Sequence[SeenCard] = (), stir: Callable[[tuple[float, float]], bool] = lambda _: False
    ) -> None:
        """One look: the cards that lie open (with a finder's noise), and what moves."""
        noisy = [
            lying(what, x + float(self.rng.normal(0, 0.4)), y + float(self.rng.normal(0, 0.4)), angle)
            for what, x, y, angle in self.shown
        ]
        self.counted += self.dealing.look(self.t_s, [*noisy, *moving], stir)
        self.t_s += STEP_S

    def wait(self, looks: int = 6) -> None:
        for _ in range(looks):
            self.look()

    def deal(self, what: Face, x: float, y: float, angle: float = 90.0, *, seen: bool = True) -> None:
        """A hand brings a card from the lower edge and lays it at (x, y); `seen`: it shows on the way."""

        def near(at: tuple[float, float]) -> bool:
            return abs(at[0] - x) < W_PX and at[1] >= y - H_PX

        covered = [one for one in self.shown if abs(one[1] - x) < W_PX and one[2] > y - H_PX / 2]
        for share in (0.0, 0.4, 0.8):
            at_y = 700 + (y - 700) * share
            others, self.shown = self.shown, [one for one in self.shown if one not in covered]
            self.look([lying(what, x, at_y)] if seen else [], near)
            self.shown = others
        self.shown = [one for one in self.shown if np.hypot(one[1] - x, one[2] - y) > W_PX / 2]
        self.shown.append((what, x, y, angle))
        self.look(stir=near)
        self.wait()

    def brush(self, x: float, y: float) -> None:
        """A hand passes over (x, y) and takes nothing."""
        others = self.shown
        self.shown = [one for one in others if np.hypot(one[1] - x, one[2] - y) > W_PX]
        for _ in range(5):
            self.look(stir=lambda at: bool(np.hypot(at[0] - x, at[1] - y) < W_PX))
        self.shown = others
        self.wait()

    def end(self) -> Counter[Face]:
        """All that was counted."""
        self.wait(3)
        self.counted += self.dealing.finish(self.t_s)
        return Counter(dealt.card or dealt.deck for dealt in self.counted)


def table(seed: int = 1) -> Table:
    made = Table(np.random.default_rng(seed))
    made.wait(3)
    return made


unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25)


@unhurried
@given(st.integers(1, 12), st.booleans(), st.booleans(), st.integers(0, 1000))
def test_backs_are_counted_once_each_on_a_heap_and_in_a_row(
    count: int, heap: bool, seen: bool, seed: int
) -> None:
    made = table(seed)
    for number in range(count):
        # No card lies exactly as another one did: it could be that one, from which the later ones were taken.
        turn, far = 2.4 * number, (0.06 + 0.06 * np.sqrt(number)) * W_PX
        jitter = far * np.array([np.cos(turn), np.sin(turn)]) + made.rng.uniform(-0.01, 0.01, 2) * W_PX
        x = 300.0 if heap else 60.0 + 90.0 * number
        made.deal("pump", x + float(jitter[0]), 300.0 + float(jitter[1]), seen=seen)
    assert made.end() == {"pump": count}


@unhurried
@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=10, unique=True), st.booleans(), st.booleans())
def test_faces_are_counted_once_each_on_a_heap_and_in_a_row(
    cards: list[Card], heap: bool, seen: bool
) -> None:
    made = table()
    for number, card in enumerate(cards):
        made.deal(card, 300.0 if heap else 60.0 + 90.0 * number, 300.0, seen=seen)
    assert made.end() == Counter(cards)
    assert made.dealing.again == []


def test_a_hand_that_only_passes_over_a_card_adds_none() -> None:
    made = table()
    made.deal("pump", 300, 300)
    made.deal(Card.parse("red7"), 500, 300)
    for _ in range(4):
        made.brush(300, 300)
        made.brush(500, 300)
    assert made.end() == {"pump": 1, Card.parse("red7"): 1}


def test_a_finder_that_loses_a_card_for_a_while_adds_none() -> None:
    made = table()
    made.deal("pump", 300, 300)
    shown, made.shown = made.shown, []
    made.wait(20)
    made.shown = shown
    made.wait(20)
    assert made.end() == {"pump": 1}


def test_two_backs_that_overlap_and_both_show_are_two() -> None:
    made = table()
    made.deal("pump", 300, 300)
    made.dealing.look(made.t_s, [], lambda _: True)
    made.shown.append(("pump", 325, 310, 90.0))
    made.wait(12)
    assert made.end() == {"pump": 2}


def test_cards_that_pass_without_stopping_are_counted() -> None:
    made = table()
    for what in ("pump", "pump", Card.parse("blue3"), "pump"):
        for step in range(14):
            made.look([lying(what, 60 + 45 * step, 300)])
        made.wait(4)
    assert made.end() == {"pump": 3, Card.parse("blue3"): 1}


def test_the_same_face_once_more_is_told_and_not_counted() -> None:
    made = table()
    for place, name in enumerate(("red7", "blue2", "green4", "red7")):
        made.deal(Card.parse(name), 60 + 100 * place, 300)
    assert made.end() == {Card.parse(name): 1 for name in ("red7", "blue2", "green4")}
    assert made.dealing.again == [Card.parse("red7")]


def test_a_misreading_of_a_card_that_nothing_touched_is_no_new_card() -> None:
    made = table()
    made.deal(Card.parse("red6"), 300, 300)
    made.shown = [(Card.parse("red8"), 300, 300, 90.0)]
    made.wait(8)
    assert made.end() == {Card.parse("red6"): 1}


def test_a_card_that_cannot_be_read_is_counted_as_unknown() -> None:
    made = table()
    made.deal(None, 300, 300)
    made.wait(20)
    assert made.end() == {None: 1}
