"""Which boxes of a photograph are left out as no cards of their own."""

from __future__ import annotations

import cv2
import numpy as np

from vision.ghosts import (
    COLOURED_CONFIDENCE,
    COLOURED_SCORE,
    DENIED_SCORE,
    FAINT_CONFIDENCE,
    HALVES_SCORE,
    LONE_SCORE,
    PLACE_SHARED,
    SURE_SCORE,
    TWIN_SHARED,
    without_ghosts,
)
from vision.types import UNREAD, Detection, Reading, SeenCard, order_quad

MIN_SCORE = 0.4


def seen(x: float, y: float = 100, *, score: float = 0.7, what: str = "", sure: float = 0.95) -> SeenCard:
    quad = order_quad(cv2.boxPoints(((x, y), (40.0, 57.0), 0.0)))
    if not what:
        return SeenCard(Detection(quad, "face", score), Reading("face", confidence=0.3))
    colour, number = what.split()
    return SeenCard(Detection(quad, "face", score), Reading("face", int(number), colour, confidence=sure))


def test_a_faint_box_stays_only_if_it_is_read_surely() -> None:
    read = seen(100, score=0.3, what="red 7", sure=FAINT_CONFIDENCE + 0.01)
    assert without_ghosts([read], MIN_SCORE) == [read]
    assert without_ghosts([seen(100, score=0.3, what="red 7", sure=FAINT_CONFIDENCE - 0.01)], MIN_SCORE) == []
    assert without_ghosts([seen(100, score=0.3)], MIN_SCORE) == []
    unread, sure = seen(100, score=0.5), seen(300, score=LONE_SCORE, what="red 3")
    assert without_ghosts([unread, sure], MIN_SCORE) == [unread, sure]


def test_boxes_that_are_all_unsure_are_squares_of_a_board() -> None:
    back = SeenCard(seen(100, score=0.55).detection, Reading("back", deck="pump", confidence=0.95))
    face = seen(300, score=0.55, what="red 3", sure=FAINT_CONFIDENCE)
    assert without_ghosts([back, seen(200, score=0.59)], MIN_SCORE) == []
    assert without_ghosts([back, face], MIN_SCORE) == [face]


def test_what_the_reader_denies_is_a_mug_where_no_card_is_read() -> None:
    def denied(score: float) -> SeenCard:
        return SeenCard(seen(100, score=score).detection, UNREAD)

    assert without_ghosts([denied(DENIED_SCORE - 0.01)], MIN_SCORE) == []
    sure, back = denied(DENIED_SCORE), SeenCard(seen(300).detection, Reading("back", confidence=0.5))
    assert without_ghosts([sure, back], MIN_SCORE) == [sure, back]
    beside, read = denied(SURE_SCORE), seen(300, what="red 7")
    assert without_ghosts([beside, read], MIN_SCORE) == [beside, read]


def test_of_two_boxes_that_say_the_same_in_one_place_the_surer_stays() -> None:
    shift = 40 * (1 - 2 * TWIN_SHARED / (1 + TWIN_SHARED))
    strong, weak = seen(100, score=0.9, what="red 7"), seen(100 + shift - 2, score=0.6, what="red 7")
    for cards in ([strong, weak], [weak, strong]):
        assert without_ghosts(cards, MIN_SCORE) == [strong]
    apart = seen(100 + shift + 2, score=0.6, what="red 7")
    assert without_ghosts([strong, apart], MIN_SCORE) == [strong, apart]
    other = seen(100 + shift - 2, score=0.6, what="red 8")
    assert without_ghosts([strong, other], MIN_SCORE) == [strong, other]


def test_two_boxes_in_one_place_are_one_card_whatever_they_say() -> None:
    shift = 40 * (1 - 2 * PLACE_SHARED / (1 + PLACE_SHARED))
    strong = seen(100, score=0.9, what="red 7")
    for what in ("red 8", ""):
        near, apart = (seen(100 + shift + by, score=0.8, what=what) for by in (-2, 2))
        assert without_ghosts([near, strong], MIN_SCORE) == [strong]
        assert without_ghosts([strong, apart], MIN_SCORE) == [strong, apart]
    unread, read = seen(100, score=0.95), seen(103, score=0.6, what="red 8")
    assert without_ghosts([unread, read], MIN_SCORE) == [read]


def test_equally_sure_boxes_leave_one() -> None:
    assert len(without_ghosts([seen(100, what="red 7"), seen(100.5, what="red 7")], MIN_SCORE)) == 1


def test_an_unread_box_between_read_cards_is_none() -> None:
    read = [seen(100, what="red 7"), seen(142, what="blue 2")]
    assert without_ghosts([*read, seen(121)], MIN_SCORE) == read
    beside = seen(190)
    assert without_ghosts([*read, beside], MIN_SCORE) == [*read, beside]


def test_a_covered_card_is_one_if_the_finder_is_sure_or_its_colour_shows() -> None:
    read = [seen(100, what="red 7"), seen(142, what="blue 2")]
    sure = seen(121, score=SURE_SCORE)
    assert without_ghosts([*read, sure], MIN_SCORE) == [*read, sure]

    def coloured(score: float, confidence: float) -> SeenCard:
        reading = Reading("face", colour="green", confidence=confidence)
        return SeenCard(seen(121, score=score).detection, reading)

    card = coloured(COLOURED_SCORE, COLOURED_CONFIDENCE)
    assert without_ghosts([*read, card], MIN_SCORE) == [*read, card]
    for gap in (coloured(COLOURED_SCORE - 0.01, 1.0), coloured(0.7, COLOURED_CONFIDENCE - 0.01)):
        assert without_ghosts([*read, gap], MIN_SCORE) == read


def test_where_few_cards_are_read_only_quite_another_size_is_none() -> None:
    read = seen(100, what="red 7")
    for scale, is_card in ((1.6, True), (1.8, False), (0.6, True), (0.5, False)):
        small = order_quad(cv2.boxPoints(((300.0, 100.0), (40.0 * scale, 57.0 * scale), 0.0)))
        other = SeenCard(Detection(small, "back", 0.7), Reading("back", confidence=0.5))
        assert without_ghosts([read, other], MIN_SCORE) == ([read, other] if is_card else [read])


def test_a_back_made_of_halves_of_two_backs_is_none() -> None:
    def back(y: float, score: float, deck: str = "pump") -> SeenCard:
        quad = order_quad(cv2.boxPoints(((100.0, y), (40.0, 57.0), 0.0)))
        return SeenCard(Detection(quad, "back", score), Reading("back", deck=deck, confidence=0.97))

    rows = [back(100, 0.9), back(160, 0.9)]
    for deck in ("pump", "hat"):
        assert without_ghosts([*rows, back(130, HALVES_SCORE - 0.05, deck)], MIN_SCORE) == rows
    sure = back(130, HALVES_SCORE + 0.05, "hat")
    assert without_ghosts([*rows, sure], MIN_SCORE) == [*rows, sure]
    beside = back(215, HALVES_SCORE - 0.05)
    assert without_ghosts([*rows, beside], MIN_SCORE) == [*rows, beside]


def test_an_unread_box_of_another_size_needs_a_sure_finder() -> None:
    read = [seen(100 + 60 * k, what=f"red {k + 1}") for k in range(4)]
    quad = np.array([[0, 300], [160, 300], [160, 500], [0, 500]], np.float32)
    for score, stays in ((SURE_SCORE - 0.05, False), (SURE_SCORE + 0.05, True)):
        large = SeenCard(Detection(quad, "face", score), Reading("face", confidence=0.2))
        left = without_ghosts([*read, large], MIN_SCORE)
        assert any(card is large for card in left) is stays
