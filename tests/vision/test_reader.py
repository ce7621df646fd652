"""What the reader makes of the network's probabilities: values, unknowns, runners-up, never a guess."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cards import DECKS, Card, highest_number
from tests.vision.drawing import turned_box
from vision.reader import (
    COLOURS,
    CROP_SIZE_PX,
    UNKNOWN_COLOUR,
    UNKNOWN_NUMBER,
    Probabilities,
    Reader,
    ReaderSettings,
)

HEADS = {"kind": 3, "number": 14, "colour": 9, "deck": 13}
CALM = ReaderSettings(min_kind=0.6, min_number=0.8, min_number_blitz=0.8, min_colour=0.8, min_deck=0.8)


class Session:
    """Stands for the network: answers each crop, float32 (3, H, W), with a function."""

    def __init__(self, answer=None) -> None:
        self.answer = answer
        self.batches: list[int] = []

    def get_inputs(self) -> list[object]:
        class Input:
            name = "crops"

        return [Input()]

    def run(self, _: object, feed: dict[str, np.ndarray]) -> list[np.ndarray]:
        crops = feed["crops"]
        self.batches.append(len(crops))
        rows = [self.answer(crop) for crop in crops]
        return [np.stack([np.log(np.maximum(getattr(r, head), 1e-9)) for r in rows]) for head in HEADS]


def reader(answer=None) -> Reader:
    return Reader(Session(answer), CALM)  # type: ignore[arg-type]


def spread_out(size: int, **shares: float) -> np.ndarray:
    """Probabilities with given shares (`i7=0.9`), the rest spread evenly."""
    values = np.full(size, np.nan)
    for key, share in shares.items():
        values[int(key[1:])] = share
    rest = np.isnan(values)
    values[rest] = (1 - np.nansum(values)) / max(rest.sum(), 1)
    return values


def answer(
    kind: float = 0.99, number: tuple[int, float] = (7, 0.97), colour: tuple[str, float] = ("red", 0.97)
) -> Probabilities:
    """A face; `number` is the card's own number, `colour` its name or `?`."""
    index = UNKNOWN_COLOUR if colour[0] == "?" else COLOURS.index(colour[0])
    return Probabilities(
        spread_out(3, i1=kind),
        spread_out(14, **{f"i{number[0] - 1}": number[1]}),
        spread_out(9, **{f"i{index}": colour[1]}),
        np.full(13, 1 / 13),
    )


def back(deck: int, share: float, kind: float = 0.99) -> Probabilities:
    return Probabilities(
        spread_out(3, i2=kind), np.full(14, 1 / 14), np.full(9, 1 / 9), spread_out(13, **{f"i{deck}": share})
    )


FACES = {
    "sure": (answer(), ("face", 7, "red")),
    "just above": (answer(number=(7, 0.81), colour=("red", 0.81)), ("face", 7, "red")),
    "number in doubt": (answer(number=(7, 0.79)), ("face", None, "red")),
    "colour in doubt": (answer(colour=("red", 0.79)), ("face", 7, None)),
    "both in doubt": (answer(number=(7, 0.5), colour=("red", 0.5)), ("face", None, None)),
    "number unknown": (answer(number=(UNKNOWN_NUMBER + 1, 0.99)), ("face", None, "red")),
    "colour unknown": (answer(colour=("?", 0.99)), ("face", 7, None)),
    "kind in doubt": (answer(kind=0.55), (None, None, None)),
    "an eleven of blue": (answer(number=(11, 0.99), colour=("blue", 0.99)), ("face", None, "blue")),
    "a king of hearts": (answer(number=(13, 0.99), colour=("hearts", 0.99)), ("face", 13, "hearts")),
    "a ten of yellow": (answer(number=(10, 0.99), colour=("yellow", 0.99)), ("face", 10, "yellow")),
}


@pytest.mark.parametrize("name", FACES)
def test_a_value_is_given_only_when_it_is_sure(name: str) -> None:
    probabilities, expected = FACES[name]
    reading = reader().interpret(probabilities)
    assert (reading.side, reading.number, reading.colour) == expected
    assert reading.deck is None


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        (back(0, 0.95), ("back", "pump")),
        (back(11, 0.95), ("back", "churn")),
        (back(3, 0.79), ("back", None)),
        (back(len(DECKS), 0.99), ("back", None)),
        (back(0, 0.95, kind=0.5), (None, None)),
    ],
)
def test_a_back_names_its_deck_only_when_it_is_sure(
    probabilities: Probabilities, expected: tuple[str | None, str | None]
) -> None:
    reading = reader().interpret(probabilities)
    assert (reading.side, reading.deck) == expected
    assert reading.number is None and reading.colour is None and reading.card is None


def test_no_card_is_unread() -> None:
    nothing = Probabilities(
        spread_out(3, i0=0.9), np.full(14, 1 / 14), np.full(9, 1 / 9), np.full(13, 1 / 13)
    )
    assert reader().interpret(nothing).side is None


def test_six_or_nine_in_doubt_is_unknown_and_both_are_offered() -> None:
    p = Probabilities(
        spread_out(3, i1=0.99), spread_out(14, i5=0.52, i8=0.46), spread_out(9, i0=0.98), np.full(13, 1 / 13)
    )
    reading = reader().interpret(p)
    assert reading.number is None and reading.colour == "red"
    assert [str(card) for card, _ in reading.alternatives[:2]] == ["red6", "red9"]


def shares(size: int) -> st.SearchStrategy[np.ndarray]:
    return st.lists(st.floats(0.001, 1.0), min_size=size, max_size=size).map(
        lambda v: np.array(v) ** 3 / np.sum(np.array(v) ** 3)
    )


@settings(deadline=None)
@given(kind=shares(3), number=shares(14), colour=shares(9), deck=shares(13))
def test_a_reading_is_always_possible(
    kind: np.ndarray, number: np.ndarray, colour: np.ndarray, deck: np.ndarray
) -> None:
    reading = reader().interpret(Probabilities(kind, number, colour, deck))
    assert 0 <= reading.confidence <= 1
    if reading.number is not None and reading.colour is not None:
        card = Card(reading.number, reading.colour)  # type: ignore[arg-type]
        assert reading.card == card
        assert card not in [other for other, _ in reading.alternatives]
    else:
        assert reading.card is None
    p = [share for _, share in reading.alternatives]
    assert p == sorted(p, reverse=True)
    assert all(0 <= share <= 1 for share in p)
    for card, _ in reading.alternatives:
        assert card.number <= highest_number(card.family)
    if reading.side == "face":
        assert len(reading.alternatives) == CALM.alternatives


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 70])
def test_many_cards_are_read_in_batches_and_in_order(count: int) -> None:
    def by_brightness(crop: np.ndarray) -> Probabilities:
        return answer(number=(round(float(crop.mean()) * 100) % 10 + 1, 0.99))

    eyes = reader(by_brightness)
    picture = np.zeros((200, 100 * max(count, 1), 3), np.uint8)
    quads = []
    for i in range(count):
        picture[:, 100 * i : 100 * i + 100] = round((i % 10 + 0.02) * 2.55)
        quads.append(turned_box((100 * i + 50, 100), (60, 86), 0))
    readings = eyes.read(picture, quads)
    assert [r.number for r in readings] == [i % 10 + 1 for i in range(count)]
    assert max(eyes._session.batches, default=0) <= 32  # type: ignore[attr-defined]


def upright_only(crop: np.ndarray) -> Probabilities:
    """Reads red 7 where the upper half is lighter, is no card where left and right differ."""
    up = float(crop[:, : CROP_SIZE_PX[1] // 2].mean() - crop[:, CROP_SIZE_PX[1] // 2 :].mean())
    across = float(crop[:, :, : CROP_SIZE_PX[0] // 2].mean() - crop[:, :, CROP_SIZE_PX[0] // 2 :].mean())
    if abs(across) > abs(up):
        return Probabilities(
            spread_out(3, i0=0.95), np.full(14, 1 / 14), np.full(9, 1 / 9), np.full(13, 1 / 13)
        )
    return answer(number=(7, 0.99 if up > 0 else 0.9))


def two_tone(quad: np.ndarray, size: tuple[int, int] = (300, 300)) -> np.ndarray:
    """A card whose upper half is light."""
    import cv2

    texture = np.full((136, 96), 40, np.uint8)
    texture[:68] = 220
    source = np.array([[0, 0], [96, 0], [96, 136], [0, 136]], np.float32)
    grey = cv2.warpPerspective(texture, cv2.getPerspectiveTransform(source, quad.astype(np.float32)), size)
    return cv2.merge([grey, grey, grey])


def test_a_card_so_slanted_that_it_looks_square_is_read_both_ways() -> None:
    quad = turned_box((150, 150), (96, 100), 0)
    for turn in range(4):
        (reading,) = reader(upright_only).read(two_tone(quad), [np.roll(quad, turn, axis=0)])
        assert (reading.number, reading.colour) == (7, "red")


def test_both_ends_of_a_still_are_averaged() -> None:
    quad = turned_box((150, 150), (96, 137), 0)
    (one,) = reader(upright_only).read(two_tone(quad), [quad])
    (both,) = reader(upright_only).read(two_tone(quad), [quad], both_ends=True)
    assert one.confidence == pytest.approx(0.99 * 0.99 * 0.97, abs=0.01)
    assert both.confidence == pytest.approx(0.99 * (0.99 + 0.9) / 2 * 0.97, abs=0.01)


def test_probabilities_sum_to_one_whatever_the_logits() -> None:
    loud = reader()
    loud._session.run = lambda *_: [np.full((2, size), 900.0 * math.pi) for size in HEADS.values()]  # type: ignore[method-assign]
    for row in loud.probabilities(np.zeros((2, 136, 96, 3), np.uint8)):
        for head in HEADS:
            assert getattr(row, head).sum() == pytest.approx(1)
