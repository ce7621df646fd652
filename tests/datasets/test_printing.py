"""The printable deck: true size, all cards, backs behind their faces."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.printing import (
    DPI,
    PAPERS_MM,
    RULER_MM,
    card_corner_mm,
    deck_pdf,
    page,
)

MM_PX = DPI / 25.4


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("print") / "deck.pdf"
    assert deck_pdf(out, paper="a4", deck="carriage") == 10
    assert not list(out.parent.glob("*.part"))
    return out.read_bytes()


def pictures(pdf: bytes) -> list[np.ndarray]:
    """The pages' pictures, BGR."""
    found = re.findall(rb"stream\r?\n(\xff\xd8\xff.*?)endstream", pdf, flags=re.DOTALL)
    return [cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for data in found]


def test_pages_are_a4_and_there_is_one_back_page_per_face_page(printed: bytes) -> None:
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", printed)
    assert len(boxes) == 10
    for wide, high in boxes:
        assert float(wide) / 72 * 25.4 == pytest.approx(210, abs=0.2)
        assert float(high) / 72 * 25.4 == pytest.approx(297, abs=0.2)


def test_a_printed_card_measures_57_by_82_mm_between_its_cut_marks(printed: bytes) -> None:
    sheet = pictures(printed)[0]
    x, y = card_corner_mm("a4", 0, False)
    mark_row = sheet[round((y - 4.5) * MM_PX)].max(axis=1)
    marks_x = np.flatnonzero(mark_row < 128) / MM_PX
    assert marks_x[0] == pytest.approx(x, abs=0.2)
    assert np.abs(marks_x - marks_x[0] - 57).min() < 0.15
    mark_column = sheet[:, round((x - 4.5) * MM_PX)].max(axis=1)
    marks_y = np.flatnonzero(mark_column < 128) / MM_PX
    assert marks_y[0] == pytest.approx(y, abs=0.2)
    assert np.abs(marks_y - marks_y[0] - 82).min() < 0.15


def test_backs_stand_behind_their_faces_on_the_last_sheet(printed: bytes) -> None:
    faces, backs = pictures(printed)[-2:]
    for place in range(9):
        colourful = []
        for sheet, mirrored in ((faces, False), (backs, True)):
            x, y = (round(mm * MM_PX) for mm in card_corner_mm("a4", place, mirrored))
            card = sheet[y : y + round(82 * MM_PX), x : x + round(57 * MM_PX)].astype(int)
            colourful.append(bool((np.ptp(card, axis=2) > 60).mean() > 0.005))
        assert colourful == [place < 4, place < 4]


def test_mirrored_places_lie_behind_each_other() -> None:
    for paper, (wide, _) in PAPERS_MM.items():
        for place in range(9):
            front, behind = card_corner_mm(paper, place, False), card_corner_mm(paper, place, True)
            assert front[0] + behind[0] + 57 == pytest.approx(wide)
            assert front[1] == behind[1]


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_ruler_is_true_and_free_of_cards(paper: str) -> None:
    card = np.zeros((round(82 * MM_PX), round(57 * MM_PX), 3), np.uint8)
    sheet = page([card] * 9, paper, "")
    line = sheet[-round(5 * MM_PX)].max(axis=1) < 128
    run = np.flatnonzero(line)
    longest = max(np.split(run, np.flatnonzero(np.diff(run) > 1) + 1), key=len)
    assert len(longest) / MM_PX == pytest.approx(RULER_MM, abs=0.5)
    above = sheet[-round(8 * MM_PX), longest[0] : longest[-1]]
    assert (above == 255).all()


def test_unknown_paper_and_deck_leave_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a4 or letter"):
        deck_pdf(tmp_path / "deck.pdf", paper="a3")
    with pytest.raises(ValueError, match="no deck"):
        deck_pdf(tmp_path / "deck.pdf", deck="cart")
    assert list(tmp_path.iterdir()) == []
