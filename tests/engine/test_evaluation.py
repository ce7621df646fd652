"""The measuring, measured: eyes of known quality must get the figures that they deserve."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from datasets.build import WorldSpec, write_photos
from datasets.scene import CardTruth
from engine.evaluation.confusion import ALIKE, ConfusionTable
from engine.evaluation.counted import MOST_PLAYED, SPREADS, CountedSet, measure_spreads, tops_for
from engine.evaluation.counted import heaps as counted_heaps
from engine.evaluation.failures import Worst
from engine.evaluation.photos import PhotoSet, photo_sets
from engine.evaluation.placed import PlacedSet, band, truth_of
from engine.evaluation.staged import fan_of_faces, photograph_of, spread_of_backs
from engine.looked_over import look_over
from engine.merging import merge
from referee.cards import BLITZ_COLOURS, SUITS, Card, Family
from referee.rulesets import ruleset
from tests.datasets.worlds import kit
from vision.reading import Eyes
from vision.sources import SourceError
from vision.types import Detection, Reading, SeenCard

BLANK = np.full((480, 640, 3), 90, np.uint8)


@dataclass
class TruthEyes:
    """Eyes that are told what to see in each picture, in turn."""

    answers: list[list[SeenCard]]

    def read_still(self, image: np.ndarray, family: str | None = None) -> list[SeenCard]:
        return self.answers.pop(0)


def truth(name: str | None, x: float, width_px: float = 100.0, **known: Any) -> CardTruth:
    """An upright card with its centre at (x, 200); None is a back of the deck pump."""
    half_w, half_h = width_px / 2, width_px * 0.71
    quad = np.array([[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]], np.float32)
    card = None if name is None else Card.parse(name)
    deck = "pump" if name is None else None
    shares = {"visible": 1.0, "number_visible": 0.0 if name is None else 1.0} | known
    placed = (quad + np.array([x, 200.0])).astype(np.float32)
    return CardTruth(placed, Family.BLITZ, card, deck, width_px=width_px, **shares)


def seen(of: CardTruth, **other: Any) -> SeenCard:
    """A true card as perfect eyes see it, but for the values in `other`."""
    values: dict[str, Any] = {"side": "back", "deck": of.deck}
    if of.card is not None:
        values = {"side": "face", "number": of.card.number, "colour": str(of.card.colour)}
    reading = Reading(**{**values, "confidence": 0.99, **other})
    return SeenCard(Detection(of.quad, reading.side, 0.9), reading)


def test_perfect_eyes_are_found_perfect() -> None:
    figures = PlacedSet("x")
    cards = [truth("red7", 100), truth("blue10", 300), truth(None, 500)]
    assert figures.add(BLANK, cards, [seen(card) for card in cards]) == 0
    assert (figures.found.value, figures.precision.value, figures.deck.value) == (1.0, 1.0, 1.0)
    assert (figures.number[">90"].value, figures.colour.value) == (1.0, 1.0)
    assert figures.number_abstained[">90"].right == figures.colour_abstained.right == 0
    assert figures.worst.sheet(Path("nowhere"), "x") is None


def test_each_fault_shows_in_its_own_figure_and_width_band() -> None:
    figures = PlacedSet("x")
    cards = [
        truth("red6", 60, 40.0),
        truth("red9", 160, 50.0),
        truth("blue1", 300, 80.0),
        truth("green7", 480),
    ]
    eyes = [
        seen(cards[0], number=9),
        seen(cards[1], number=None),
        seen(cards[2], number=7, colour="green"),
        SeenCard(Detection(cards[3].quad + 150, "face", 0.9), Reading("face", 7, "green")),
    ]
    assert figures.add(BLANK, cards, eyes) == 5
    assert {key: share.value for key, share in figures.found_in.items()} == {
        "<45": 1.0,
        "45-60": 1.0,
        "60-90": 1.0,
        ">90": 0.0,
    }
    assert (figures.found.right, figures.found.total) == (2, 3)
    assert (figures.precision.right, figures.precision.total) == (3, 4)
    assert figures.number["<45"].value == figures.number["60-90"].value == 0.0
    assert figures.number_abstained["45-60"].value == 1.0
    assert figures.numbers.to_json() == {"1": {"7": 1}, "6": {"9": 1}, "9": {"unread": 1}}
    assert figures.colours.to_json() == {"red": {"red": 1}, "blue": {"green": 1}}


def test_hidden_numbers_and_hidden_cards_are_not_asked_about() -> None:
    figures = PlacedSet("x")
    cards = [truth("red6", 100, number_visible=0.5), truth("red9", 300, visible=0.3, number_visible=0.0)]
    assert figures.add(BLANK, cards, [seen(cards[0], number=8)]) == 0
    assert figures.found.total == 1 and figures.number[">90"].total == 0


def test_of_a_pile_the_card_that_shows_is_the_one_that_was_found() -> None:
    figures = PlacedSet("x")
    below, above = truth("red6", 100, visible=0.05, number_visible=0.0), truth("red7", 104)
    buried = truth("blue2", 400, visible=0.1, number_visible=0.0)
    found = SeenCard(Detection(below.quad + np.float32(1), "face", 0.9), Reading("face", 7, "red"))
    assert figures.add(BLANK, [below, above, buried], [found, seen(buried)]) == 0
    assert (figures.found.right, figures.found.total) == (1, 1)
    assert (figures.precision.right, figures.precision.total) == (2, 2)


def test_a_picture_without_cards_counts_what_is_seen_in_it() -> None:
    figures = PlacedSet("x")
    figures.add(BLANK, [], [])
    figures.add(BLANK, [], [seen(truth("red1", 100))])
    assert (figures.empty.right, figures.empty.total) == (1, 2)


@pytest.mark.parametrize(("width_px", "name"), [(44.9, "<45"), (45, "45-60"), (60, "60-90"), (91, ">90")])
def test_width_bands(width_px: float, name: str) -> None:
    assert band(width_px) == name


def test_a_confusion_table_prints_only_what_was_asked() -> None:
    table = ConfusionTable(ALIKE)
    for true, read in ((6, 6), (6, 9), (6, None), (6, 3), (2, 9)):
        table.add(true, read)
    head, row = table.lines("number")
    assert head.split() == ["number", "6", "9", "other", "unread"]
    assert row.split() == ["6", "1", "1", "1", "1"]
    assert ConfusionTable(ALIKE).lines("number") == []


def test_the_page_of_failures_shows_the_worst(tmp_path: Path) -> None:
    worst = Worst(most=2)
    for wrong in (1, 0, 3, 2):
        worst.add(np.full((100, 100, 3), 50 * wrong, np.uint8), [], wrong)
    path = worst.sheet(tmp_path / "pages", "a set/of pictures")
    assert path is not None and path.name == "a-set-of-pictures.jpg"
    sheet = cv2.imread(str(path))
    middles = [int(sheet[200, 640 * i + 100].mean()) for i in range(3)]
    assert middles == [pytest.approx(150, abs=4), pytest.approx(100, abs=4), pytest.approx(255, abs=4)]


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `render --kind photo` leaves it."""
    folder = tmp_path_factory.mktemp("rendered")
    write_photos(WorldSpec("test", 3, (480, 360), (40.0, 90.0), 1.0, layout="grid"), 2, folder)
    return folder


def measured(folder: Path, see: Callable[[dict[str, Any]], list[SeenCard]]) -> list[PhotoSet | PlacedSet]:
    shown = json.loads((folder / "truth.json").read_text())
    eyes = TruthEyes([see(shown[key]) for key in sorted(shown)])
    return list(photo_sets(folder, eyes, lambda _: None))  # type: ignore[arg-type]


def test_a_rendered_folder_is_measured_by_place(rendered: Path) -> None:
    def see(shown: dict[str, Any]) -> list[SeenCard]:
        return [seen(truth_of(card)) for card in shown["cards"]]

    (figures,) = measured(rendered, see)
    assert isinstance(figures, PlacedSet) and figures.photos == 2
    assert figures.name == rendered.name
    assert figures.found.value == 1.0 and figures.found.total > 0
    asked = [share for share in figures.number.values() if share.total]
    assert all(share.value == 1.0 for share in asked)


def test_a_folder_of_ones_own_needs_corners_and_cards_alone(tmp_path: Path) -> None:
    card = truth("red7", 200)
    cv2.imwrite(str(tmp_path / "a.png"), BLANK)
    given = {"quad": card.quad.tolist(), "number": 7, "colour": "red"}
    (tmp_path / "truth.json").write_text(json.dumps({"a.png": {"cards": [given]}}))
    (figures,) = measured(tmp_path, lambda shown: [seen(card, colour="green")])
    assert isinstance(figures, PlacedSet)
    assert (figures.number[">90"].value, figures.colour.value) == (1.0, 0.0)


def test_a_folder_that_only_lists_cards_is_measured_as_a_multiset(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    cv2.imwrite(str(tmp_path / "set" / "a.png"), BLANK)
    cards = [{"number": 7, "colour": "red"}, {"number": 9, "colour": "red"}]
    (tmp_path / "truth.json").write_text(json.dumps({"set/a.png": {"cards": cards}}))
    (figures,) = measured(tmp_path, lambda _: [seen(truth("red7", 100)), seen(truth("red6", 300))])
    assert isinstance(figures, PhotoSet)
    assert (figures.card_recall.value, figures.card_precision.value, figures.count_exact.value) == (
        0.5,
        0.5,
        1,
    )
    assert figures.numbers.to_json() == {"7": {"7": 1}, "9": {"6": 1}}
    assert figures.confusions == {"red9->red6": 1}


def test_ranks_alone_count_where_no_box_fits(tmp_path: Path) -> None:
    shown = "".join(
        f"<object><name>{name}</name><bndbox><xmin>{x}</xmin><ymin>0</ymin><xmax>{x + 9}</xmax><ymax>9</ymax>"
        "</bndbox></object>"
        for name, x in (("nine", 0), ("nine", 20), ("ace", 40))
    )
    cv2.imwrite(str(tmp_path / "a.png"), BLANK)
    (tmp_path / "a.xml").write_text(f"<annotation>{shown}</annotation>")
    eyes = TruthEyes([[seen(truth("red9", 200)), seen(truth("red8", 400))]])
    (figures,) = photo_sets(tmp_path, eyes, lambda _: None)  # type: ignore[arg-type]
    assert isinstance(figures, PhotoSet) and figures.box_recall.value == 0.0
    assert (figures.rank_recall.right, figures.rank_recall.total) == (1, 3)
    assert (figures.rank_precision.right, figures.rank_precision.total) == (1, 2)


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        '{"a.png": 3}',
        '{"a.png": {"cards": [{"quad": [[0, 0]], "number": 7, "colour": "red"}]}}',
        '{"a.png": {"cards": [{"number": 17, "colour": "red"}]}}',
    ],
)
def test_a_truth_that_cannot_be_used_is_told_in_one_sentence(tmp_path: Path, text: str) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), BLANK)
    (tmp_path / "truth.json").write_text(text)
    eyes = TruthEyes([[]])
    with pytest.raises(SourceError, match="see the README for the form"):
        list(photo_sets(tmp_path, eyes, lambda _: None))  # type: ignore[arg-type]


def test_a_count_is_exact_or_flagged() -> None:
    rules, figures = ruleset("dutch_blitz"), CountedSet("x")
    tops = tops_for(12, 2, BLITZ_COLOURS, 10)
    true = Counter({"pump": 7, "pail": 5})
    backs = [truth(None, 60 + 40 * i, 30.0) for i in range(12)]
    right = [seen(card, deck="pump" if i < 7 else "pail") for i, card in enumerate(backs)]

    def add(cards: list[SeenCard]) -> int:
        return figures.add(merge([look_over("a", "a", "a", cards)]), true, tops, rules)

    assert add(right) == 0
    assert add(right[:-1]) == 1
    assert add([*right[:-1], seen(backs[-1], deck=None)]) == 1
    assert (figures.exact.right, figures.exact.total) == (1, 3)
    assert (figures.number_exact.right, figures.flagged.right, figures.flagged.total) == (2, 2, 2)
    assert figures.doubted.right == 0


@pytest.mark.parametrize("decks", [1, 2, 5])
@pytest.mark.parametrize(("colours", "highest"), [(BLITZ_COLOURS, 10), (SUITS, 13)])
def test_tops_hold_as_many_cards_as_they_should(decks: int, colours: tuple[Any, ...], highest: int) -> None:
    for number in range(5, min(50, decks * MOST_PLAYED) + 1):
        tops = tops_for(number, decks, colours, highest)
        assert sum(top.number for top in tops) == number
        assert max(Counter(top.colour for top in tops).values()) <= decks


def test_heaps_are_of_a_size_that_can_be_played() -> None:
    for seed in range(200):
        heaps = counted_heaps(np.random.default_rng(seed))
        assert 10 <= sum(number for _, number in heaps) <= 50
        assert len({deck for deck, _ in heaps}) == len(heaps)
        assert all(1 <= number <= MOST_PLAYED for _, number in heaps)


@pytest.mark.parametrize("size_px", [(640, 480), (480, 640), (500, 500)])
@pytest.mark.parametrize("showing", [0.2, 0.6])
def test_staged_cards_lie_in_the_picture_and_show_their_numbers(
    size_px: tuple[int, int], showing: float
) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        fan = photograph_of(fan_of_faces(kit().cards[:9], kit(), rng, showing), size_px, None, rng)
        spread = photograph_of(spread_of_backs([("pump", 17), ("pail", 5)], kit(), rng), size_px, None, rng)
        for scene in (fan, spread):
            assert scene.image.shape == (size_px[1], size_px[0], 3)
            for card in scene.cards:
                assert (card.quad > 0).all() and (card.quad < size_px).all()
        assert min(card.number_visible for card in fan.cards) > 0.9
        assert min(card.visible for card in spread.cards) > 0.9


@pytest.mark.parametrize("name", SPREADS)
def test_a_rendered_count_is_exact_or_one_of_the_others(eyes: Eyes, name: str) -> None:
    figures = measure_spreads(eyes, 1, 5, name)
    assert (figures.photos, figures.exact.total) == (1, 1)
    assert figures.flagged.total + figures.doubted.total == 1
    assert figures.flagged.total == 1 - figures.exact.right
    assert figures.to_json()["set"] == name
