"""The printed page of the calibration sheet: true size, a true ruler, the same bytes each time."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.printing import PAPERS_MM
from engine.sheet import PX_PER_MM, RULER_MM, TOP_MM, sheet_page, write_sheet
from vision.sheet import CORNERS, SIZE_MM, find_sheet


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_page_has_the_size_of_its_paper_and_its_board_is_true(paper: str) -> None:
    wide, high = PAPERS_MM[paper]
    page = sheet_page((wide, high))
    assert page.shape == (round(high * PX_PER_MM), round(wide * PX_PER_MM))
    assert set(np.unique(page)) == {0, 255}
    half = cv2.cvtColor(
        cv2.resize(page, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), cv2.COLOR_GRAY2BGR
    )
    sheet = find_sheet(half)
    assert sheet is not None and len(sheet.corners_px) == CORNERS
    where_mm = sheet.corners_px * 2 / PX_PER_MM
    left = (wide - SIZE_MM[0]) / 2
    assert np.abs(where_mm - sheet.corners_mm - (left, TOP_MM)).max() < 0.1


@pytest.mark.parametrize("paper", PAPERS_MM)
def test_the_ruler_is_100_mm_long_and_nothing_comes_near_the_edge(paper: str) -> None:
    page = sheet_page(PAPERS_MM[paper])
    below = page[round((TOP_MM + SIZE_MM[1] + 1) * PX_PER_MM) :]
    longest = 0
    for row in below:
        black = np.flatnonzero(row == 0)
        for run in np.split(black, np.flatnonzero(np.diff(black) > 1) + 1):
            longest = max(longest, len(run))
    assert longest == RULER_MM * PX_PER_MM
    margin = 6 * PX_PER_MM
    edges = (page[:margin], page[-margin:], page[:, :margin], page[:, -margin:])
    assert all((edge == 255).all() for edge in edges)


def test_the_pdf_is_at_true_size_and_always_the_same(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.pdf", "b.pdf")]
    for path in paths:
        write_sheet(path, PAPERS_MM["letter"])
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    (box,) = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", first)
    assert [float(value) / 72 * 25.4 for value in box] == pytest.approx([215.9, 279.4], abs=0.01)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "b.pdf"]


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        write_sheet(tmp_path / "none" / "a.pdf", PAPERS_MM["a4"])
    assert list(tmp_path.iterdir()) == []
