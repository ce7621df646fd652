"""A setup is changed where it must be, and nowhere else."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.setup_edit import toml, with_values
from engine.setup_file import SetupError, read_setup

WRITTEN = '''# our table
ruleset = "dutch_blitz"   # the game

[calibration]  # by hand
# the corners
table_px = [
  [0, 0],  # upper left
  [100, 0],
  [100, 100], [0, 100],
]
px_per_mm = 1.0   # old # = "x"

[calibration.seats_px]
bottom = [3, 4]
[[players]]
name = """A#[calibration]
px_per_mm = 9"""
'''


def test_values_change_in_place_and_comments_stay() -> None:
    changed = with_values(WRITTEN, "calibration", {"px_per_mm": 1.25, "size_px": [640, 480]})
    new = WRITTEN.replace("px_per_mm = 1.0   # old", "px_per_mm = 1.25  # old").replace(
        '# = "x"\n', '# = "x"\nsize_px = [640, 480]\n'
    )
    assert changed == new
    assert read_setup(tomllib.loads(changed)).calibration.seats_px == {"bottom": (3.0, 4.0)}


def test_a_value_of_several_lines_is_replaced_whole() -> None:
    changed = with_values(WRITTEN, "calibration", {"table_px": [[1, 2]]})
    assert "upper left" not in changed and "# the corners\ntable_px = [[1, 2]]\npx_per_mm" in changed


@pytest.mark.parametrize("text", ["", "ruleset = 'solo'", "[options]\ntarget = 50\n", "# only words\n\n"])
def test_a_missing_part_is_added_at_the_end(text: str) -> None:
    changed = with_values(text, "camera", {"source": 0})
    assert changed.startswith(text.rstrip("\n"))
    assert tomllib.loads(changed) == {**tomllib.loads(text), "camera": {"source": 0}}
    assert with_values(changed, "camera", {"source": 0}) == changed


def test_an_empty_part_in_the_middle_gets_its_values_below_its_header() -> None:
    changed = with_values("[camera]\n[options]\ntarget = 50\n", "camera", {"source": 1})
    assert changed == "[camera]\nsource = 1\n[options]\ntarget = 50\n"


@pytest.mark.parametrize(
    "text",
    [
        "calibration = {px_per_mm = 1}",
        "calibration.px_per_mm = 1",
        "calibration = 3",
        '["calibration"]\na = 1',
    ],
)
def test_a_part_in_another_form_is_refused_and_not_spoilt(text: str) -> None:
    with pytest.raises(SetupError, match=r"write it as \[calibration\]"):
        with_values(text, "calibration", {"px_per_mm": 2.0})


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(SetupError, match="not TOML"):
        with_values("a = [", "camera", {"source": 0})


@given(
    st.recursive(st.text() | st.integers(-(2**60), 2**60) | st.booleans(), lambda v: st.lists(v, max_size=3))
)
def test_values_come_back_as_they_were(value: object) -> None:
    assert tomllib.loads(f"a = {toml(value)}") == {"a": value}


@given(
    st.lists(st.sampled_from(WRITTEN.splitlines()), max_size=12),
    st.sampled_from(["px_per_mm", "tilt_deg"]),
)
def test_a_change_says_what_it_should_or_is_refused(lines: list[str], key: str) -> None:
    text = "\n".join(lines)
    try:
        changed = tomllib.loads(with_values(text, "calibration", {key: 7}))
    except SetupError:
        return
    expected = tomllib.loads(text)
    assert changed == {**expected, "calibration": {**expected.get("calibration", {}), key: 7}}
