"""A wider network that starts from a narrow one gives the same answers; needs the training libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.training import finder, hearing, reader
from engine.training.widen import Channels, widen_finder, widen_plain, widen_reader

torch = pytest.importorskip("torch", reason="the training libraries are not installed")


def lived_in(network: Any) -> Any:
    """The network with batch statistics that a training could have left."""
    torch.manual_seed(5)
    for module in network.modules():
        if isinstance(module, (torch.nn.BatchNorm1d, torch.nn.BatchNorm2d)):
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


@pytest.mark.parametrize("leak", [0.0, 1.0])
def test_a_widened_hearing_of_more_words_answers_as_the_narrow_one_if_nothing_leaks(
    leak: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hearing, "WIDTHS", (8, 12, 16))
    narrow = lived_in(hearing.network(classes=5))
    monkeypatch.setattr(hearing, "WIDTHS", (12, 16, 20))
    wide = hearing.network(classes=9).eval()
    widen_plain(wide, narrow.state_dict(), leak)
    sound = torch.from_numpy(np.random.default_rng(3).normal(0, 1, (4, 120, 32)).astype(np.float32))
    with torch.no_grad():
        before, after = narrow(sound), wide(sound)
        told = float((narrow.like(before) - wide.like(after)[:, :5]).abs().max())
    assert (float((before - after).abs().max()) < 1e-5) == (told < 1e-5) == (leak == 0.0)


def test_a_network_of_the_same_size_is_taken_over_whole() -> None:
    one, other = lived_in(hearing.network(classes=3)), hearing.network(classes=3)
    widen_plain(other, one.state_dict())
    assert all(torch.equal(weights, other.state_dict()[name]) for name, weights in one.state_dict().items())


def test_fresh_channels_are_the_last_of_every_part() -> None:
    half = Channels.first(8, 12, parts=2)
    assert half.at.tolist() == [0, 1, 2, 3, 6, 7, 8, 9]
    assert Channels.joined([half, Channels.first(2, 4)]).at.tolist() == [0, 1, 2, 3, 6, 7, 8, 9, 12, 13]
    assert Channels.joined([half, half]).count == 24
