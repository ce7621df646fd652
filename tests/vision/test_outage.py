"""Which frames show the table: darkness, a light that was dimmed for good, a picture that was frozen."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawing import table
from vision.outage import OutageWatch, Outlook

FPS = 15.0


def seen(levels: list[float], *, noise: float = 2.0, arm: int | None = None) -> list[Outlook]:
    """What a watch says of frames of a table lit by these shares of the light."""
    watch = OutageWatch()
    outlooks = []
    for number, level in enumerate(levels):
        picture = table((320, 180), (90, 140, 90), noise, number)
        if arm is not None and number >= arm:
            picture[60:120, : 8 * (number - arm + 1)] = (120, 150, 210)
        outlooks.append(watch.look((picture * level).astype(np.uint8), number / FPS))
    return outlooks


def told(outlooks: list[Outlook]) -> list[tuple[str, int]]:
    events = []
    for number, outlook in enumerate(outlooks):
        events += [(outlook.lost, number)] if outlook.lost else []
        events += [("back", number)] if outlook.back else []
    return events


@pytest.mark.parametrize("off", [0.0, 0.1, 0.3])
def test_a_light_that_goes_off_and_on_is_told_within_two_seconds(off: float) -> None:
    outlooks = seen([1.0] * 30 + [off] * 30 + [1.0] * 30)
    events = told(outlooks)
    assert [name for name, _ in events] == ["dark", "back"]
    assert 30 < events[0][1] <= 30 + 2 * FPS and events[1][1] == 60
    assert [o.usable for o in outlooks] == [True] * 30 + [False] * 30 + [True] * 30


def test_a_moment_of_darkness_is_not_looked_at_and_not_told() -> None:
    outlooks = seen([1.0] * 20 + [0.0] * 8 + [1.0] * 20)
    assert told(outlooks) == []
    assert not any(o.usable for o in outlooks[20:28])


def test_a_lamp_dimmed_a_little_changes_nothing_and_one_dimmed_for_good_is_got_used_to() -> None:
    assert all(o == Outlook(True) for o in seen([1.0] * 20 + [0.6] * 60))
    events = told(seen([1.0] * 30 + [0.3] * 150))
    assert [name for name, _ in events] == ["dark", "back"]


def test_a_picture_that_was_frozen_is_told_when_it_jumps() -> None:
    watch = OutageWatch()
    frozen = table((320, 180), (90, 140, 90), 2.0, 1)
    after = table((320, 180), (90, 140, 90), 2.0, 2)
    after[40:120, 100:220] = (240, 240, 240)
    outlooks = [watch.look(frozen, number / FPS) for number in range(45)]
    outlooks.append(watch.look(after, 3.0))
    assert told(outlooks) == [("frozen", 45), ("back", 45)]
    assert all(o.usable for o in outlooks)


def test_a_still_table_over_which_an_arm_comes_is_no_frozen_one() -> None:
    # A recording without noise, whose frames really are the same.
    assert told(seen([1.0] * 60, noise=0.0, arm=45)) == []
    assert told(seen([1.0] * 60, arm=20)) == []
