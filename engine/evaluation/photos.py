"""Photographs that somebody took: with `truth.json`, with VOC boxes, or films without a single card."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from engine.evaluation.confusion import ALIKE, COLOURS, ConfusionTable
from engine.evaluation.failures import Worst
from engine.evaluation.matching import Share, box_iou
from engine.evaluation.placed import PlacedSet, truth_of
from referee.cards import Card
from vision.reading import Eyes
from vision.sources import SourceError, load_picture, open_source
from vision.types import SeenCard

TRUTH = "truth.json"
_NUMBER_WORDS = "ace two three four five six seven eight nine ten jack queen king"
VOC_RANKS = {word: number for number, word in enumerate(_NUMBER_WORDS.split(), start=1)}
FILM_SUFFIXES = (".avi", ".mp4", ".mov")
FILM_STEP = 6
"""Of a film without cards every so many frames are looked at as photographs."""

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in px."""
Truth = dict[str, dict[str, Any]]
"""What each picture of a `truth.json` shows, by its path."""


@dataclass
class PhotoSet:
    """The figures of one set of photographs of which the cards' places are not known, or only roughly."""

    name: str
    photos: int = 0
    cards_true: int = 0
    cards_found: int = 0
    count_exact: Share = field(default_factory=Share)
    card_recall: Share = field(default_factory=Share)
    card_precision: Share = field(default_factory=Share)
    rank_recall: Share = field(default_factory=Share)
    rank_precision: Share = field(default_factory=Share)
    """Of each picture the ranks alone, wherever they were read: what an index reader can be held against."""
    box_recall: Share = field(default_factory=Share)
    box_precision: Share = field(default_factory=Share)
    abstained: Share = field(default_factory=Share)
    confusions: Counter[str] = field(default_factory=Counter)
    numbers: ConfusionTable = field(default_factory=lambda: ConfusionTable(ALIKE))
    colours: ConfusionTable = field(default_factory=lambda: ConfusionTable(COLOURS))
    worst: Worst = field(default_factory=Worst)

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON values; what does not apply is left out."""
        keys = (
            "count_exact",
            "card_recall",
            "card_precision",
            "rank_recall",
            "rank_precision",
            "box_recall",
            "box_precision",
            "abstained",
        )
        shares: dict[str, Share] = {key: getattr(self, key) for key in keys}
        return {
            "set": self.name,
            "photos": self.photos,
            "cards_true": self.cards_true,
            "cards_found": self.cards_found,
            "unread": self.abstained.right,
            **{key: round(s.value, 4) for key, s in shares.items() if s.value is not None},
            "confusions": dict(self.confusions.most_common(12)),
            "number_table": self.numbers.to_json(),
            "colour_table": self.colours.to_json(),
        }


def photo_sets(root: Path, eyes: Eyes, said: Callable[[str], None]) -> Iterator[PhotoSet | PlacedSet]:
    """Measure every set under `root`, in the order of their names.

    A set is a folder: pictures that a `truth.json` in it or above it names, or pictures with Pascal VOC
    boxes. Where every card of a set has its corners, it is measured as rendered pictures are.

    Raises:
        SourceError: if `root` holds no truth, or one that cannot be read.
    """
    found_any = False
    for truth_file in sorted(root.rglob(TRUTH), key=lambda path: (len(path.parts), path)):
        truth = _load(truth_file)
        if truth is None:
            continue
        found_any = True
        for name in sorted({str(Path(key).parent) for key in truth}):
            own = {key: value for key, value in truth.items() if str(Path(key).parent) == name}
            folder = (truth_file.parent / name).relative_to(root)
            said(title := str(folder) if folder != Path() else root.name)
            placed = all("quad" in card for shown in own.values() for card in shown["cards"])
            measured = _placed if placed else _multiset
            yield measured(truth_file.parent, title, own, eyes)
    for folder in sorted({path.parent for path in root.rglob("*.xml")}):
        if folder.name == "train":
            continue
        found_any = True
        said(str(folder.relative_to(root)))
        yield _boxes(root, folder, eyes)
    with_rounds = {path.parent for path in root.rglob(TRUTH)}
    films = sorted(
        path
        for path in root.rglob("*")
        if path.suffix.lower() in FILM_SUFFIXES and path.parent not in with_rounds
    )
    if films:
        found_any = True
        said("films without cards")
        yield _films(films, eyes)
    if not found_any:
        raise SourceError(f"{root} holds neither a {TRUTH} nor boxes as XML; see the README for the form")


def _load(path: Path) -> Truth | None:
    """The truth of pictures; None where the file is the truth of a film.

    Raises:
        SourceError: if it is no JSON, or a picture has no list of cards.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} is no JSON; see the README for the form.") from error
    if not isinstance(data, dict):
        raise SourceError(f"{path} is no object that maps pictures to cards; see the README for the form.")
    if "players" in data:
        return None
    for key, shown in data.items():
        if not isinstance(shown, dict) or not isinstance(shown.get("cards"), list):
            raise SourceError(f"{path}: {key} has no list of cards; see the README for the form.")
    return data


def _placed(root: Path, name: str, truth: Truth, eyes: Eyes) -> PlacedSet:
    """Pictures whose cards are known with their corners."""
    figures = PlacedSet(name)
    for key, shown in sorted(truth.items()):
        try:
            cards = [truth_of(card) for card in shown["cards"]]
        except (ValueError, TypeError) as error:
            raise SourceError(f"{root / TRUTH}: {key}: {error}; see the README for the form.") from error
        image = load_picture(root / key)
        figures.add(image, cards, eyes.read_still(image))
    return figures


def _multiset(root: Path, name: str, truth: Truth, eyes: Eyes) -> PhotoSet:
    """Pictures of which only is known which cards they show."""
    figures = PhotoSet(name)
    for key, expected in sorted(truth.items()):
        image = load_picture(root / key)
        seen = eyes.read_still(image)
        try:
            cards = [Card.from_json(card) for card in expected["cards"] if card.get("number") is not None]
        except (ValueError, AttributeError) as error:
            raise SourceError(f"{root / TRUTH}: {key}: {error}; see the README for the form.") from error
        wanted = Counter(cards)
        got = Counter(card.reading.card for card in seen if card.reading.card is not None)
        right, total = (wanted & got).total(), wanted.total()
        figures.photos += 1
        figures.cards_true += total
        figures.cards_found += len(seen)
        figures.abstained.add(
            sum(card.reading.card is None and card.reading.deck is None for card in seen), len(seen)
        )
        figures.count_exact.add(len(seen) == len(expected["cards"]))
        figures.card_recall.add(right, total)
        figures.card_precision.add(right, got.total())
        missing, extra = wanted - got, got - wanted
        _note_multiset(figures, wanted, missing, extra)
        what = f"missing {' '.join(map(str, missing))}; extra {' '.join(map(str, extra))}"
        figures.worst.add(image, seen, total - right + extra.total(), what)
    return figures


def _note_multiset(
    figures: PhotoSet, wanted: Counter[Card], missing: Counter[Card], extra: Counter[Card]
) -> None:
    """The confusions of a picture: a single missing and a single extra card must be one misread card."""
    for card in (wanted - missing).elements():
        figures.numbers.add(card.number, card.number)
        figures.colours.add(card.colour, card.colour)
    read = next(iter(extra)) if missing.total() == extra.total() == 1 else None
    for card in missing.elements():
        figures.numbers.add(card.number, None if read is None else read.number)
        figures.colours.add(card.colour, None if read is None else read.colour)
        if read is not None:
            figures.confusions[f"{card}->{read}"] += 1


def _voc(path: Path) -> list[tuple[str, Box]]:
    try:
        tree = ElementTree.parse(path).getroot()
        boxes = []
        for item in tree.iter("object"):
            box = item.find("bndbox")
            if box is None:
                continue
            x0, y0, x1, y1 = (float(box.findtext(key, "0")) for key in ("xmin", "ymin", "xmax", "ymax"))
            boxes.append((item.findtext("name", ""), (x0, y0, x1, y1)))
    except (ElementTree.ParseError, ValueError) as error:
        raise SourceError(f"{path} is no Pascal VOC file; see the README for the form.") from error
    return boxes


def _boxes(root: Path, folder: Path, eyes: Eyes) -> PhotoSet:
    figures = PhotoSet(str(folder.relative_to(root)))
    for path in sorted(folder.glob("*.xml")):
        picture = next(
            (p for p in folder.glob(f"{path.stem}.*") if p.suffix.lower() in (".jpg", ".jpeg", ".png")), None
        )
        if picture is None:
            continue
        image = load_picture(picture)
        seen = eyes.read_still(image)
        true = _voc(path)
        figures.photos += 1
        figures.cards_true += len(true)
        figures.cards_found += len(seen)
        figures.abstained.add(sum(card.reading.number is None for card in seen), len(seen))
        wrong, what = _hold_against(seen, true, figures)
        figures.worst.add(image, seen, wrong, what)
    return figures


def _hold_against(seen: list[SeenCard], true: list[tuple[str, Box]], figures: PhotoSet) -> tuple[int, str]:
    """Add a picture with boxes; returns how much was wrong, and what."""
    pairs = sorted(
        (
            (box_iou((*card.detection.quad.min(axis=0), *card.detection.quad.max(axis=0)), box), i, j)
            for i, card in enumerate(seen)
            for j, (_, box) in enumerate(true)
        ),
        reverse=True,
    )
    used_seen: set[int] = set()
    used_true: set[int] = set()
    right, accepted = 0, 0
    said = []
    for iou, i, j in pairs:
        if iou < 0.5 or i in used_seen or j in used_true:
            continue
        used_seen.add(i)
        used_true.add(j)
        number, wanted = seen[i].reading.number, VOC_RANKS.get(true[j][0])
        figures.numbers.add(wanted, number)
        if number is not None:
            accepted += 1
            right += number == wanted
            if number != wanted:
                figures.confusions[f"{wanted}->{number}"] += 1
                said.append(f"{wanted} read as {number}")
    accepted += sum(card.reading.number is not None for i, card in enumerate(seen) if i not in used_seen)
    figures.box_recall.add(len(used_true), len(true))
    figures.box_precision.add(len(used_seen), len(seen))
    figures.card_recall.add(right, len(true))
    figures.card_precision.add(right, accepted)
    figures.count_exact.add(len(seen) == len(true))
    wanted_ranks = Counter(VOC_RANKS[name] for name, _ in true if name in VOC_RANKS)
    read_ranks = Counter(card.reading.number for card in seen if card.reading.number is not None)
    shared = (wanted_ranks & read_ranks).total()
    figures.rank_recall.add(shared, wanted_ranks.total())
    figures.rank_precision.add(shared, read_ranks.total())
    wrong = len(true) - right + len(seen) - len(used_seen)
    return wrong, f"{len(true) - len(used_true)} not found; {'; '.join(said)}"


def _films(films: list[Path], eyes: Eyes) -> PhotoSet:
    figures = PhotoSet("films without cards")
    for path in films:
        source = open_source(str(path))
        try:
            for frame in source:
                if frame.index % FILM_STEP:
                    continue
                seen = eyes.read_found(frame.image, eyes.finder.find(frame.image))
                figures.photos += 1
                figures.cards_found += len(seen)
                unread = sum(c.reading.card is None and c.reading.deck is None for c in seen)
                figures.abstained.add(unread, len(seen))
                figures.count_exact.add(not seen)
                worst = max((float(card.detection.score) for card in seen), default=0.0)
                figures.worst.add(frame.image, seen, len(seen), f"{path.name}, score {worst:.2f}")
        finally:
            source.close()
    return figures
