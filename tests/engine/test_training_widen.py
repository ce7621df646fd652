"""A wider network that starts from a narrow one gives the same answers; needs the training libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.training import finder, reader
from engine.training.widen import Channels, widen_finder, widen_reader

torch = pytest.importorskip("torch", reason="the training libraries are not installed")


def lived_in(network: Any) -> Any:
    """The network with batch statistics that a training could have left."""
    torch.manual_seed(5)
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.2)
            module.running_var.uniform_(0.5, 1.5)
            module.weight.data.uniform_(0.5, 1.5)
            module.bias.data.normal_(0, 0.2)
    return network.eval()


def picture(height: int, width: int) -> Any:
    return torch.from_numpy(np.random.default_rng(3).random((2, 3, height, width), np.float32))


@pytest.mark.parametrize("leak", [0.0, 1.0])
def test_a_widened_reader_answers_as_the_narrow_one_if_nothing_leaks(leak: float) -> None:
    narrow, wide = lived_in(reader.network((8, 16, 24, 32))), reader.network((12, 24, 36, 64)).eval()
    widen_reader(narrow, wide, leak)
    crops = picture(136, 96)
    with torch.no_grad():
        apart = [float((a - b).abs().max()) for a, b in zip(narrow(crops), wide(crops), strict=True)]
    assert (max(apart) < 1e-4) == (leak == 0.0)


@pytest.mark.parametrize("leak", [0.0, 1.0])
def test_a_widened_finder_answers_as_the_narrow_one_if_nothing_leaks(leak: float, tmp_path: Path) -> None:
    pytest.importorskip("ultralytics")
    wide = finder._network(tmp_path, finder.STILL_WIDTH).model
    narrow = lived_in(finder._network(tmp_path, finder.LIVE_WIDTH).model)
    widen_finder(narrow, wide, leak)
    looked = picture(96, 128)
    with torch.no_grad():
        apart = float((narrow(looked)[0] - wide.eval()(looked)[0]).abs().max())
    assert (apart < 0.01) == (leak == 0.0)


def test_fresh_channels_are_the_last_of_every_part() -> None:
    half = Channels.first(8, 12, parts=2)
    assert half.at.tolist() == [0, 1, 2, 3, 6, 7, 8, 9]
    assert Channels.joined([half, Channels.first(2, 4)]).at.tolist() == [0, 1, 2, 3, 6, 7, 8, 9, 12, 13]
    assert Channels.joined([half, half]).count == 24
