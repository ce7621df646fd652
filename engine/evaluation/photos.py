"""Photographs that somebody took: with `truth.json`, with VOC boxes, or films without a single card."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from engine.evaluation.matching import Share, box_iou, in_common
from referee.cards import Card
from vision.reading import Eyes
from vision.sources import SourceError, load_picture, open_source
from vision.types import SeenCard

VOC_RANKS = {"nine": 9, "ten": 10, "jack": 11, "queen": 12, "king": 13, "ace": 1}
FILM_SUFFIXES = (".avi", ".mp4", ".mov")
FILM_STEP = 6
"""Of a film without cards every so many frames are looked at as photographs."""


@dataclass
class PhotoSet:
    """The figures of one set of photographs."""

    name: str
    photos: int = 0
    cards_true: int = 0
    cards_found: int = 0
    count_exact: Share = field(default_factory=Share)
    card_recall: Share = field(default_factory=Share)
    card_precision: Share = field(default_factory=Share)
    box_recall: Share = field(default_factory=Share)
    box_precision: Share = field(default_factory=Share)
    unread: int = 0
    confusions: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[str, int, str]] = field(default_factory=list)
    """(path, how many wrong, what) for the page of failures."""

    def to_json(self) -> dict[str, Any]:
        """The figures as JSON values; what does not apply is left out."""
        shares = {
            key: getattr(self, key)
            for key in ("count_exact", "card_recall", "card_precision", "box_recall", "box_precision")
        }
        return {
            "set": self.name,
            "photos": self.photos,
            "cards_true": self.cards_true,
            "cards_found": self.cards_found,
            "unread": self.unread,
            **{key: round(s.value, 4) for key, s in shares.items() if s.value is not None},
            "confusions": dict(self.confusions.most_common(12)),
        }


def photo_sets(root: Path, eyes: Eyes, said: Callable[[str], None]) -> Iterator[PhotoSet]:
    """Measure every set under `root`, in the order of their names.

    Raises:
        SourceError: if `root` holds no truth that can be read.
    """
    found_any = False
    truth_file = root / "truth.json"
    if truth_file.exists():
        found_any = True
        truth = json.loads(truth_file.read_text())
        for name in sorted({str(Path(key).parent) for key in truth}):
            said(name)
            yield _multiset(root, name, {k: v for k, v in truth.items() if str(Path(k).parent) == name}, eyes)
    for folder in sorted({path.parent for path in root.rglob("*.xml")}):
        if folder.name == "train":
            continue
        found_any = True
        said(str(folder.relative_to(root)))
        yield _boxes(root, folder, eyes)
    films = sorted(path for path in root.rglob("*") if path.suffix.lower() in FILM_SUFFIXES)
    if films:
        found_any = True
        said("films without cards")
        yield _films(films, eyes)
    if not found_any:
        raise SourceError(f"{root} holds neither a truth.json nor boxes as XML; see the README for the form")


def _multiset(root: Path, name: str, truth: dict[str, Any], eyes: Eyes) -> PhotoSet:
    figures = PhotoSet(name if name != "." else root.name)
    for key, expected in sorted(truth.items()):
        seen = eyes.read_still(load_picture(root / key))
        wanted = Counter(
            str(Card.from_json(card)) for card in expected["cards"] if card.get("number") is not None
        )
        got = Counter(str(card.reading.card) for card in seen if card.reading.card is not None)
        right = in_common(got, wanted)
        total = sum(wanted.values())
        figures.photos += 1
        figures.cards_true += total
        figures.cards_found += len(seen)
        figures.unread += sum(card.reading.card is None for card in seen)
        figures.count_exact.add(len(seen) == len(expected["cards"]))
        figures.card_recall.add(right, total)
        figures.card_precision.add(right, sum(got.values()))
        missing, extra = wanted - got, got - wanted
        if len(missing) == 1 and len(extra) == 1:
            figures.confusions[f"{next(iter(missing))}->{next(iter(extra))}"] += 1
        wrong = total - right + sum(extra.values())
        if wrong:
            figures.failures.append(
                (str(root / key), wrong, f"missing {' '.join(missing)}; extra {' '.join(extra)}")
            )
    return figures


def _voc(path: Path) -> list[tuple[str, tuple[float, float, float, float]]]:
    boxes = []
    for item in ElementTree.parse(path).getroot().iter("object"):
        box = item.find("bndbox")
        if box is None:
            continue
        x0, y0, x1, y1 = (float(box.findtext(key, "0")) for key in ("xmin", "ymin", "xmax", "ymax"))
        boxes.append((item.findtext("name", ""), (x0, y0, x1, y1)))
    return boxes


def _boxes(root: Path, folder: Path, eyes: Eyes) -> PhotoSet:
    figures = PhotoSet(str(folder.relative_to(root)))
    for path in sorted(folder.glob("*.xml")):
        picture = next(
            (p for p in folder.glob(f"{path.stem}.*") if p.suffix.lower() in (".jpg", ".jpeg", ".png")), None
        )
        if picture is None:
            continue
        seen = eyes.read_still(load_picture(picture))
        true = _voc(path)
        figures.photos += 1
        figures.cards_true += len(true)
        figures.cards_found += len(seen)
        figures.unread += sum(card.reading.number is None for card in seen)
        _hold_against(seen, true, figures, str(picture))
    return figures


def _hold_against(
    seen: list[SeenCard],
    true: list[tuple[str, tuple[float, float, float, float]]],
    figures: PhotoSet,
    path: str,
) -> None:
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
    wrong = len(true) - right + len(seen) - len(used_seen)
    if wrong:
        figures.failures.append((path, wrong, f"{len(true) - len(used_true)} not found; {'; '.join(said)}"))


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
                figures.unread += sum(c.reading.card is None and c.reading.deck is None for c in seen)
                figures.count_exact.add(not seen)
                if seen:
                    worst = max(float(card.detection.score) for card in seen)
                    figures.failures.append((f"{path}#{frame.index}", len(seen), f"score {worst:.2f}"))
        finally:
            source.close()
    return figures
