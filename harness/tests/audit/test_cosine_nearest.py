"""Which of several items at almost one cosine is the nearest."""

from __future__ import annotations

import numpy as np
import pytest

from harness.audit.cosine import NearParameters, eval_vectors, near_block
from harness.tests.audit.test_cosine import drawn, unit


def test_the_nearest_is_decided_in_double_precision() -> None:
    """Items so close together that a product in float32 puts another one first."""
    rng, wrong = drawn("nearest"), 0
    for _ in range(20):
        row = unit(rng.normal(size=(1, 256)))
        items = unit(row + 3e-7 * rng.normal(size=(300, 256)))
        double = items.astype(np.float64)
        exact = (double * row.astype(np.float64)).sum(1) / np.sqrt((double**2).sum(1))
        wrong += int(np.argmax(row @ items.T)) != int(np.argmax(exact))
        index = eval_vectors({"e": items})
        (one,) = near_block(row, index, NearParameters(threshold=0.9, floor=0.9)).near
        assert exact[one.item] == pytest.approx(exact.max(), abs=1e-15)
        # The nearest of those below, likewise.
        found = near_block(row, index, NearParameters(threshold=1.0, floor=0.9, border=0)).near
        below = [one for one in found if one.cosine < 1]
        assert [exact[one.item] for one in below] == pytest.approx([exact.max()], abs=1e-15)
    assert wrong > 5
