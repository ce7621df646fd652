"""What the windows of sound for the training of the hearing are like."""

from __future__ import annotations

import numpy as np

from engine.training import hearing


def test_a_microphone_colours_each_window_alike_all_along() -> None:
    rng = np.random.default_rng(2)
    gains_db = hearing._colours_db(500, rng)
    assert gains_db.shape == (500, hearing.BANDS)
    assert abs(float(gains_db.mean())) < 0.3 and 1.0 < float(gains_db.std()) < 3.0
    # Neighbours differ little: it is a slope from point to point, not noise.
    assert float(np.abs(np.diff(gains_db, axis=1)).mean()) < 0.3 * float(gains_db.std())
