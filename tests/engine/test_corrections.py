"""Corrected readings: kept only when allowed, bounded, removable, and of use to the training."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.build import load_reader_set
from engine.corrections import (
    CONSENT,
    LINES,
    WIDEST_CARD_PX,
    CorrectionStore,
    Label,
    cut_out,
    keep_correction,
)
from engine.photo import read_upload
from engine.training.corrections import COPIES, add_corrections, encode_label
from engine.training.labels import IGNORE
from referee.cards import DECKS, Card
from vision.reader import COLOURS, CROP_SIZE_PX, KINDS, UNKNOWN_DECK
from vision.types import Detection, Reading, SeenCard
from vision.unwarp import unwarp

WHEN = "2026-11-30T12:00:00Z"
READ = Reading("face", 6, "red", None, 0.7)
RED9 = Label(Card.parse("red9"))


def quad(x: float, y: float, width: float = 60.0) -> np.ndarray:
    return np.array([[x, y], [x + width, y], [x + width, y + 1.4 * width], [x, y + 1.4 * width]], np.float32)


def picture(seed: int = 1, size: tuple[int, int] = (300, 400)) -> np.ndarray:
    """Noise: no PNG of it is small."""
    return np.random.default_rng(seed).integers(0, 255, (*size, 3), np.uint8)


@pytest.fixture
def store(tmp_path: Path) -> CorrectionStore:
    made = CorrectionStore(tmp_path / "corrections")
    made.allow(True)
    return made


def test_nothing_is_kept_before_it_is_allowed(tmp_path: Path) -> None:
    store = CorrectionStore(tmp_path / "corrections")
    assert store.allowed is None
    assert not store.add(picture(), quad(50, 50), RED9, READ, WHEN)
    assert not store.folder.exists()
    store.allow(False)
    assert store.allowed is False
    assert not store.add(picture(), quad(50, 50), RED9, READ, WHEN)
    assert [path.name for path in store.folder.iterdir()] == [CONSENT]


def test_a_correction_is_a_picture_and_a_line(store: CorrectionStore) -> None:
    image = picture()
    assert store.add(image, quad(50, 50), RED9, READ, WHEN)
    (correction,) = store.corrections()
    kept = cv2.imread(str(correction.picture))
    assert correction.label == RED9
    assert np.array_equal(unwarp(kept, correction.quad, (60, 84)), unwarp(image, quad(50, 50), (60, 84)))
    line = json.loads((store.folder / LINES).read_text())
    assert line["read"] == {"side": "face", "number": 6, "colour": "red", "deck": None, "confidence": 0.7}
    assert (line["side"], line["number"], line["colour"], line["deck"]) == ("face", 9, "red", None)
    assert line["when"] == WHEN
    assert not stat.S_IMODE(correction.picture.stat().st_mode) & 0o077


SAID = [RED9, Label(Card.parse("KS")), Label(deck="pail"), Label(deck="Oma"), Label()]


@pytest.mark.parametrize("label", SAID)
def test_labels_come_back_as_they_were_said(store: CorrectionStore, label: Label) -> None:
    store.add(picture(), quad(50, 50), label, READ, WHEN)
    assert store.corrections()[0].label == label


def test_of_two_words_on_one_card_the_later_stands(store: CorrectionStore) -> None:
    for label in (Label(Card.parse("red8")), RED9):
        store.add(picture(), quad(50, 50), label, READ, WHEN)
    assert [correction.label for correction in store.corrections()] == [RED9]
    assert len((store.folder / LINES).read_text().splitlines()) == 2


def test_the_oldest_are_dropped_when_the_space_is_used_up(tmp_path: Path) -> None:
    store = CorrectionStore(tmp_path, most_mb=0.15)
    store.allow(True)
    for seed in range(12):
        store.add(picture(seed), quad(50, 50), Label(Card(seed % 10 + 1, "red")), READ, WHEN)  # type: ignore[arg-type]
        assert store.size_bytes <= 150_000
    kept = store.corrections()
    assert 2 <= len(kept) < 12
    assert kept[-1].label == Label(Card.parse("red2"))
    assert len(list(tmp_path.glob("*.png"))) == len(kept)


def test_all_can_be_removed_and_the_consent_with_them(store: CorrectionStore) -> None:
    for seed in range(3):
        store.add(picture(seed), quad(50, 50), RED9, READ, WHEN)
    assert store.remove_all() == 3
    assert not store.folder.exists() and store.corrections() == [] and store.allowed is None
    assert store.remove_all() == 0


def test_damaged_lines_and_lost_pictures_are_passed_over(store: CorrectionStore) -> None:
    store.add(picture(1), quad(50, 50), RED9, READ, WHEN)
    store.add(picture(2), quad(50, 50), RED9, READ, WHEN)
    store.corrections()[0].picture.unlink()
    outside = {"picture": "../x.png", "quad": quad(0, 0).tolist(), "side": None}
    with (store.folder / LINES).open("a") as file:
        file.write('{"picture": 3}\n{half a li\n[]\n' + json.dumps(outside) + "\n")
    assert len(store.corrections()) == 1


def test_a_large_card_is_made_smaller_and_one_at_the_border_stays_inside() -> None:
    image = picture(1, (2000, 1500))
    piece, corners = cut_out(image, quad(300, 300, 900.0))
    assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(WIDEST_CARD_PX, rel=0.01)
    assert max(piece.shape) < 3 * WIDEST_CARD_PX
    piece, corners = cut_out(image, quad(-20, -30))
    assert piece.shape[0] > 40 and tuple(corners[0]) == (-20, -30)


def test_a_card_of_an_uploaded_photograph_is_cut_out_at_full_size(store: CorrectionStore) -> None:
    image = cv2.GaussianBlur(picture(1, (1800, 2400)), (0, 0), 5)
    seen = SeenCard(Detection(quad(1000, 700, 200.0), "face", 0.9), READ)
    photo = read_upload(cv2.imencode(".png", image)[1].tobytes(), lambda _: [seen])
    assert keep_correction(store, photo, 0, RED9, WHEN)
    (correction,) = store.corrections()
    kept = unwarp(cv2.imread(str(correction.picture)), correction.quad, CROP_SIZE_PX)
    assert np.array_equal(kept, unwarp(image, quad(1000, 700, 200.0), CROP_SIZE_PX))


def test_corrections_become_crops_with_what_was_said(store: CorrectionStore, tmp_path: Path) -> None:
    for seed, label in enumerate(SAID):
        store.add(picture(seed), quad(100, 80), label, READ, WHEN)
    rng = np.random.default_rng(1)
    assert add_corrections(store.folder, CROP_SIZE_PX, unwarp, tmp_path, rng) == 5 * COPIES
    made = load_reader_set(tmp_path)
    assert made["crops"].shape == (5 * COPIES, CROP_SIZE_PX[1], CROP_SIZE_PX[0], 3)
    asked = [tuple(row) for row in made["targets"][::COPIES].tolist()]
    assert asked == [encode_label(label) for label in SAID]
    assert made["widths"] == pytest.approx(60.0)
    own = made["crops"][:COPIES].reshape(COPIES, -1)
    assert len(np.unique(own, axis=0)) == COPIES


def test_what_is_asked_of_the_reader() -> None:
    face, back, none = (KINDS.index(kind) for kind in ("face", "back", "none"))
    assert encode_label(RED9) == (face, 8, COLOURS.index("red"), IGNORE)
    assert encode_label(Label(deck="pail")) == (back, IGNORE, IGNORE, DECKS.index("pail"))
    assert encode_label(Label(deck="Oma")) == (back, IGNORE, IGNORE, UNKNOWN_DECK)
    assert encode_label(Label()) == (none, IGNORE, IGNORE, IGNORE)
