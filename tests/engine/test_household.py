"""The folder of the enrolled decks: whole or absent, one a name, plain words where it is damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.household import EnrolledDeck, EnrolmentError, Household, checked_name, household_folder
from engine.settings import Settings
from referee.cards import Card
from vision.enrolment import Exemplar


def look(name: str, tone: int, card: str | None = None) -> Exemplar:
    crop = np.full((272, 192, 3), tone, np.uint8)
    crop[20:60, 30:70] = 255 - tone
    return Exemplar(name, crop, 140.25, None if card is None else Card.parse(card))


def same(one: Exemplar, other: Exemplar) -> bool:
    return (
        (one.deck, one.card) == (other.deck, other.card)
        and abs(one.width_px - other.width_px) < 0.1
        and bool((one.crop == other.crop).all())
    )


@pytest.fixture
def household(tmp_path: Path) -> Household:
    return Household(tmp_path / "house")


def test_nothing_is_enrolled_where_there_is_no_folder(household: Household) -> None:
    assert household.decks() == () and household.exemplars() == ()
    assert household.picture("ours") is None
    assert not household.folder.exists()


def test_what_is_kept_comes_back(household: Household) -> None:
    kept = [look("ours", 40), look("ours", 60), look("ours", 80, "QH"), look("ours", 90, "red7")]
    household.keep("ours", kept)
    household.keep("Anna's", [look("Anna's", 10)])
    assert household.decks() == (
        EnrolledDeck("Anna's", 1, ()),
        EnrolledDeck("ours", 2, (Card.parse("QH"), Card.parse("red7"))),
    )
    back = household.exemplars("ours")
    assert len(back) == 4 and all(map(same, kept, back))
    assert len(household.exemplars()) == 5
    picture = cv2.imdecode(np.frombuffer(household.picture("ours") or b"", np.uint8), cv2.IMREAD_COLOR)
    assert (picture == kept[0].crop).all()


def test_keeping_again_replaces_and_leaves_nothing_behind(household: Household) -> None:
    household.keep("ours", [look("ours", 40), look("ours", 50)])
    household.keep("ours", [look("ours", 90)])
    (only,) = household.exemplars()
    assert same(only, look("ours", 90))
    assert [path.name for path in household.folder.iterdir() if path.name.startswith(".")] == []
    assert len(list(household.folder.rglob("*.png"))) == 1


def test_a_removed_deck_is_gone(household: Household) -> None:
    household.keep("ours", [look("ours", 40)])
    household.keep("theirs", [look("theirs", 40)])
    household.remove("ours")
    assert [deck.name for deck in household.decks()] == ["theirs"]
    assert household.exemplars("ours") == ()
    with pytest.raises(EnrolmentError, match=r"no deck ours is enrolled .* enrolled: theirs"):
        household.remove("ours")


def test_capitals_and_unicode_forms_make_no_other_deck(household: Household) -> None:
    household.keep("Großmutter", [look("Großmutter", 40)])
    household.keep("GROSSMUTTER", [look("GROSSMUTTER", 50)])
    household.keep("Cafe\u0301", [look("Café", 60)])
    household.keep("Caf\u00e9", [look("Café", 70)])
    assert [deck.name for deck in household.decks()] == ["Café", "GROSSMUTTER"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "needs a name"),
        ("  \n ", "needs a name"),
        ("a" * 41, "too long"),
        ("../escape", "the sign '/'"),
        ("a/b", "the sign '/'"),
        ("a\\b", r"the sign '\\\\'"),
        (".hidden", "at its beginning"),
        ("-option", "at its beginning"),
        ("a\x00b", "the sign"),
        ("a:b", "the sign ':'"),
        ("cards*", "the sign"),
    ],
)
def test_a_name_that_cannot_be_used_is_told_in_one_line(name: str, said: str, household: Household) -> None:
    for act in (lambda: household.keep(name, [look("x", 1)]), lambda: household.remove(name)):
        with pytest.raises(EnrolmentError) as told:
            act()
        assert len(str(told.value).splitlines()) == 1
    with pytest.raises(EnrolmentError, match=said):
        checked_name(name)
    assert not household.folder.exists()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(max_size=45))
def test_any_name_is_refused_or_kept_inside_the_folder(name: str, tmp_path: Path) -> None:
    household = Household(tmp_path / "inside")
    outside = set(tmp_path.iterdir())
    try:
        household.keep(name, [look("x", 30)])
    except EnrolmentError:
        return
    assert household.decks()[0].name == checked_name(name)
    assert set(tmp_path.iterdir()) - outside <= {household.folder}
    assert [path.parent for path in household.folder.iterdir()] == [household.folder]
    household.remove(name)
    assert household.decks() == ()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no deck.json": lambda folder: (folder / "deck.json").unlink(),
    "no JSON": lambda folder: (folder / "deck.json").write_text("{"),
    "another form": lambda folder: (folder / "deck.json").write_text("[]"),
    "another version": lambda folder: rewrite(folder, version=9),
    "a view without a file": lambda folder: rewrite(folder, views=[{"width_px": 3, "card": None}]),
    "a file elsewhere": lambda folder: rewrite(
        folder, views=[{"file": "../x.png", "width_px": 3, "card": None}]
    ),
    "a card that is none": lambda folder: rewrite(
        folder, views=[{"file": "000-back.png", "width_px": 3, "card": {"number": 99, "colour": "red"}}]
    ),
    "a name that is none": lambda folder: rewrite(folder, deck="../x"),
    "no picture": lambda folder: (folder / "000-back.png").unlink(),
    "half a picture": lambda folder: (folder / "000-back.png").write_bytes(b"\x89PNG"),
    "another size": lambda folder: cv2.imwrite(str(folder / "000-back.png"), np.zeros((9, 9, 3), np.uint8)),
}


def rewrite(folder: Path, **values: object) -> None:
    path = folder / "deck.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_deck_is_told_in_one_line_and_can_be_removed(damage: str, household: Household) -> None:
    household.keep("ours", [look("ours", 40)])
    (folder,) = household.folder.iterdir()
    DAMAGE[damage](folder)
    with pytest.raises(EnrolmentError, match=r"is damaged; delete that folder") as told:
        household.exemplars()
    assert str(folder) in str(told.value) and len(str(told.value).splitlines()) == 1
    household.remove("ours")
    assert household.decks() == ()


def test_a_full_disk_leaves_what_was_kept(household: Household, monkeypatch: pytest.MonkeyPatch) -> None:
    household.keep("ours", [look("ours", 40)])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(Path, "write_bytes", full)
        with pytest.raises(EnrolmentError, match="cannot be written"):
            household.keep("ours", [look("ours", 90)])
    (only,) = household.exemplars()
    assert same(only, look("ours", 40))
    assert [path.name for path in household.folder.iterdir() if path.name.startswith(".")] == []


def test_the_folder_is_that_of_the_settings_or_lies_in_the_data_folder(tmp_path: Path) -> None:
    assert household_folder(Settings(data_dir=tmp_path)) == tmp_path / "household"
    assert household_folder(Settings(data_dir=tmp_path, household=tmp_path / "x")) == tmp_path / "x"
