from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.semantic import semantic_differences

SCORE = st.one_of(st.sampled_from([0, 1, True, False]), st.floats(-100, 100))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(*[SCORE] * 8), max_size=8))
def test_semantic_differences(rows: list[tuple[float, ...]]) -> None:
    semantic, blank = [row[:6] for row in rows], [row[6:] for row in rows]
    found = semantic_differences(semantic, blank)
    expected = [np.mean(s) - np.mean(b) for s, b in zip(semantic, blank, strict=True)]
    assert found == pytest.approx(expected, abs=1e-12)
    assert semantic_differences(blank, semantic) == [-value for value in found]
    turned = semantic_differences([row[::-1] for row in semantic], blank)
    assert turned == found


def test_semantic_cells_are_needed() -> None:
    with pytest.raises(StatisticsError, match="reference: expected cells") as refused:
        semantic_differences([[1]], [[]])
    assert refused.value.reason == "empty_cell"
    assert semantic_differences(np.ones((2, 6)), np.zeros((2, 2))) == [1.0, 1.0]


@pytest.mark.parametrize(
    ("semantic", "reference", "reason"),
    [
        ([[1, None]], [[1]], "nan_value"),
        ([[1]], [[float("nan")]], "nan_value"),
        ([[1]], [], "length_mismatch"),
        ([[1, 1], [1]], [[1], [1]], "length_mismatch"),
        ([[1], [1]], [[1], [1, 0]], "length_mismatch"),
        ([[]], [[1]], "empty_cell"),
    ],
)
def test_refusals(semantic: Any, reference: Any, reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        semantic_differences(semantic, reference)
    assert refused.value.reason == reason


def test_no_rows_give_no_differences() -> None:
    assert semantic_differences([], []) == []
