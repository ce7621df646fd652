"""A wider hearing that starts from a narrow one answers as that one; needs the training libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.training import hearing

torch = pytest.importorskip("torch", reason="the training libraries are not installed")


def lived_in(network: Any) -> Any:
    """The network with batch statistics that a training could have left."""
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm1d):
            module.running_mean.normal_(0, 0.2)
            module.running_var.uniform_(0.5, 1.5)
            module.weight.data.uniform_(0.5, 1.5)
            module.bias.data.normal_(0, 0.2)
    return network.eval()


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_wider_network_for_more_words_begins_as_the_narrow_one(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(5)
    monkeypatch.setattr(hearing, "NEW_SHARE", share)
    monkeypatch.setattr(hearing, "WIDTHS", (8, 12, 16))
    narrow = lived_in(hearing.network(classes=5))
    monkeypatch.setattr(hearing, "WIDTHS", (12, 16, 20))
    wide = hearing.network(classes=9).eval()
    hearing.begin_with(wide, narrow.state_dict())
    sound = torch.from_numpy(np.random.default_rng(3).normal(0, 1, (4, 120, 32)).astype(np.float32))
    with torch.no_grad():
        before, after = narrow(sound), wide(sound)
        told = float((narrow.like(before) - wide.like(after)[:, :5]).abs().max())
    assert (float((before - after).abs().max()) < 1e-5) == (told < 1e-5) == (share == 0.0)


def test_a_network_of_the_same_size_is_taken_over_whole() -> None:
    one, other = lived_in(hearing.network(classes=3)), hearing.network(classes=3)
    hearing.begin_with(other, one.state_dict())
    assert all(torch.equal(weights, other.state_dict()[name]) for name, weights in one.state_dict().items())


def test_a_microphone_colours_each_window_alike_all_along() -> None:
    rng = np.random.default_rng(2)
    gains_db = hearing._colours_db(500, rng)
    assert gains_db.shape == (500, hearing.BANDS)
    assert abs(float(gains_db.mean())) < 0.3 and 1.0 < float(gains_db.std()) < 3.0
    # Neighbours differ little: it is a slope from point to point, not noise.
    assert float(np.abs(np.diff(gains_db, axis=1)).mean()) < 0.3 * float(gains_db.std())
