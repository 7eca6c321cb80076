from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS

from harness.stats.checks import StatisticsError
from harness.stats.contrasts import (
    difference_in_differences,
    factorial_2x2,
    layout_decomposition,
    paired_contrast,
)

SCORE = st.one_of(st.sampled_from([0, 1, True, False]), st.floats(-100, 100))
PAIRS = st.lists(st.tuples(SCORE, SCORE), max_size=12)
FOURS = st.lists(st.tuples(SCORE, SCORE, SCORE, SCORE), min_size=2, max_size=12)


@settings(max_examples=50, deadline=None)
@given(PAIRS, st.randoms(use_true_random=False))
def test_paired_contrast(pairs: list[tuple[float, float]], random) -> None:
    treated, control = [t for t, _ in pairs], [c for _, c in pairs]
    found, turned = paired_contrast(treated, control), paired_contrast(control, treated)
    assert found.n == len(pairs)
    if not pairs:
        assert found.estimate is found.stderr is None
        return
    assert turned.estimate == -found.estimate
    assert turned.stderr == found.stderr
    difference = np.array(treated, float) - np.array(control, float)
    assert found.estimate == pytest.approx(difference.mean(), abs=1e-12)
    if len(pairs) == 1:
        assert found.stderr is None
    else:
        assert found.stderr == pytest.approx(stats.sem(difference), abs=1e-12)
    random.shuffle(pairs)
    assert paired_contrast([t for t, _ in pairs], [c for _, c in pairs]) == found


@pytest.mark.parametrize("score", [0, 1, 0.1, 1e16, -3.3])
def test_without_change_the_standard_error_is_exactly_zero(score: float) -> None:
    found = paired_contrast([score] * 7, [score] * 7)
    assert (found.estimate, found.stderr) == (0.0, 0.0)
    assert paired_contrast([score] * 3, [0.3] * 3).stderr == 0.0


@settings(max_examples=50, deadline=None)
@given(FOURS)
def test_difference_in_differences(rows: list[tuple[float, ...]]) -> None:
    columns = [list(column) for column in zip(*rows, strict=True)]
    aa, ab, ba, bb = (np.array(column, float) for column in columns)
    found = difference_in_differences(*columns)
    double = (aa - ab) - (ba - bb)
    assert found.estimate == pytest.approx(double.mean(), abs=1e-11)
    assert found.stderr == pytest.approx(stats.sem(double), abs=1e-11)
    swapped = difference_in_differences(*columns[2:], *columns[:2])
    assert (swapped.estimate, swapped.stderr) == (-found.estimate, found.stderr)
    shared = difference_in_differences(columns[0], columns[1], columns[2], columns[1])
    assert shared == paired_contrast(columns[0], columns[2])


def test_too_few_items() -> None:
    assert difference_in_differences([], [], [], []).estimate is None
    one = difference_in_differences([1], [0], [0], [0])
    assert (one.n, one.estimate, one.stderr) == (1, 1.0, None)


@pytest.mark.parametrize("bad", [None, float("nan"), float("inf"), -float("inf")])
def test_missing_values_are_refused(bad: Any) -> None:
    for call in (
        lambda: paired_contrast([1, bad], [1, 1]),
        lambda: paired_contrast([1, 1], [bad, 1]),
        lambda: difference_in_differences([1], [1], [1], [bad]),
    ):
        with pytest.raises(StatisticsError) as refused:
            call()
        assert refused.value.reason == "nan_value"


def test_different_lengths_are_refused() -> None:
    for call in (
        lambda: paired_contrast([1], []),
        lambda: difference_in_differences([1], [1], [1, 1], [1]),
    ):
        with pytest.raises(StatisticsError) as refused:
            call()
        assert refused.value.reason == "length_mismatch"


def test_layout_decomposition_of_the_published_canvas() -> None:
    found = layout_decomposition(-123, -54, 1800)
    assert (round(100 * found.apparent, 2), round(100 * found.semantic, 2)) == (-6.83, -3.0)
    assert round(100 * found.layout, 2) == -3.83
    assert found.layout_share == 69 / 123


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 50).flatmap(lambda n: st.tuples(*[st.integers(-n, n)] * 2, st.just(n))))
def test_layout_decomposition_adds_up(counts: tuple[int, int, int]) -> None:
    clean, blank, n = counts
    found = layout_decomposition(clean, blank, n)
    assert found.semantic + found.layout == pytest.approx(found.apparent, abs=1e-15)
    assert found.apparent == clean / n
    if clean:
        assert found.layout_share == pytest.approx(found.layout / found.apparent)
    else:
        assert found.layout_share is None
    turned = layout_decomposition(-clean, -blank, n)
    assert (turned.layout, turned.layout_share) == (-found.layout, found.layout_share)


def test_layout_decomposition_without_rows() -> None:
    found = layout_decomposition(0, 0, 0)
    assert found.apparent is found.semantic is found.layout is found.layout_share is None


@pytest.mark.parametrize(
    "counts",
    [
        *[(6, 0, 5), (-6, 0, 5), (0, -6, 5), (1, 1, -5), (1, 0, 0), (0, 0, 5.0)],
        *[(True, 0, 5), (0, 1.0, 5), (-1.0, 0, 5), (None, 0, 5), ("1", 0, 5)],
    ],
)
def test_layout_decomposition_refuses(counts: tuple[Any, Any, Any]) -> None:
    with pytest.raises(StatisticsError) as refused:
        layout_decomposition(*counts)
    assert refused.value.reason == "invalid_count"


def cells(*counts: tuple[int, int]) -> dict[str, tuple[int, int]]:
    return dict(zip(("00", "01", "10", "11"), counts, strict=True))


CELL = st.integers(2, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=50, deadline=None)
@given(CELL, CELL, CELL, CELL)
def test_factorial_against_rationals(c00: Any, c01: Any, c10: Any, c11: Any) -> None:
    found = factorial_2x2(cells(c00, c01, c10, c11))
    p00, p01, p10, p11 = (Fraction(*cell) for cell in (c00, c01, c10, c11))
    assert found.main_a == float((p10 + p11 - p00 - p01) / 2)
    assert found.main_b == float((p01 + p11 - p00 - p10) / 2)
    assert found.interaction == float((p11 - p10) - (p01 - p00))
    variance = sum(np.var([1] * k + [0] * (n - k), ddof=1) / n for k, n in (c00, c01, c10, c11))
    assert found.stderr_interaction == pytest.approx(variance**0.5, abs=1e-12)
    assert found.stderr_main == found.stderr_interaction / 2
    swapped = factorial_2x2(cells(c00, c10, c01, c11))
    assert (swapped.main_a, swapped.main_b) == (found.main_b, found.main_a)
    turned = factorial_2x2(cells(c10, c11, c00, c01))
    assert (turned.main_a, turned.interaction) == (-found.main_a, -found.interaction)


def test_factorial_points_are_those_of_least_squares() -> None:
    given_cells = cells((3, 9), (4, 8), (6, 9), (7, 8))
    y, design = [], []
    for name, (k, n) in given_cells.items():
        a, b = (2 * int(digit) - 1 for digit in name)
        y += [1.0] * k + [0.0] * (n - k)
        design += [[1, a, b, a * b]] * n
    _, a, b, ab = OLS(np.array(y), np.array(design)).fit().params
    found = factorial_2x2(given_cells)
    assert (found.main_a, found.main_b) == pytest.approx((2 * a, 2 * b), abs=1e-12)
    assert found.interaction == pytest.approx(4 * ab, abs=1e-12)


def test_factorial_edges() -> None:
    pure = factorial_2x2(cells((0, 20), (20, 20), (20, 20), (0, 20)))
    assert (pure.main_a, pure.main_b, pure.interaction, pure.stderr_main) == (0, 0, -2, 0)
    one = factorial_2x2(cells((1, 1), (4, 8), (6, 9), (7, 8)))
    assert one.stderr_main is one.stderr_interaction is None
    assert one.main_a == pytest.approx((6 / 9 + 7 / 8 - 1 - 4 / 8) / 2)
    assert factorial_2x2(dict(reversed(cells((1, 2), (2, 3), (1, 4), (5, 5)).items()))) == (
        factorial_2x2(cells((1, 2), (2, 3), (1, 4), (5, 5)))
    )


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"11": (0, 0)}, "empty_cell"),
        ({"11": None}, "empty_cell"),
        ({"12": (1, 2)}, "unknown_cell"),
        ({"11": (3, 2)}, "invalid_count"),
        ({"11": (-1, 2)}, "invalid_count"),
        ({"11": (1.0, 2)}, "invalid_count"),
        ({"11": (True, 2)}, "invalid_count"),
    ],
)
def test_factorial_refuses(bad: dict[str, Any], reason: str) -> None:
    given_cells = cells((1, 2), (1, 2), (1, 2), (1, 2)) | bad
    given_cells = {name: cell for name, cell in given_cells.items() if cell is not None}
    with pytest.raises(StatisticsError) as refused:
        factorial_2x2(given_cells)
    assert refused.value.reason == reason
