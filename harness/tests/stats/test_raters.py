from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_by_statsmodels

from harness.stats.checks import StatisticsError
from harness.stats.raters import cohen_kappa, fleiss_kappa
from harness.stats.reliability import krippendorff_alpha

LABELS = st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("ABC")), max_size=12)


def cohen_exact(pairs: list[tuple[Any, Any]]) -> Fraction | None:
    n = len(pairs)
    observed = Fraction(sum(x == y for x, y in pairs), n)
    expected = Fraction(sum(x == y for x, _ in pairs for _, y in pairs), n * n)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def alpha_exact(data: list[list[Any]], delta: Callable[[Any, Any], Fraction]) -> Fraction | None:
    """1 - Do / De from all ordered pairs of ratings, within units and over all of them."""
    units = [[r for r in unit if r is not None] for unit in zip(*data, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    ratings = [r for unit in units for r in unit]
    n = len(ratings)
    within = sum(
        (
            Fraction(sum(delta(x, y) for x, y in permutations(unit, 2)), len(unit) - 1)
            for unit in units
        ),
        Fraction(0),
    )
    between = sum((delta(x, y) for x, y in permutations(ratings, 2)), Fraction(0))
    return None if between == 0 else 1 - within * (n - 1) / between


def distance(level: str, data: list[list[Any]]) -> Callable[[Any, Any], Fraction]:
    pairable = [
        r for unit in zip(*data, strict=True) if sum(x is not None for x in unit) > 1
        for r in unit if r is not None
    ]  # fmt: skip
    counts = {value: pairable.count(value) for value in pairable}

    def ordinal(x: Any, y: Any) -> Fraction:
        low, high = sorted((x, y))
        total = sum(c for value, c in counts.items() if low <= value <= high)
        return (total - Fraction(counts[x] + counts[y], 2)) ** 2

    return {
        "nominal": lambda x, y: Fraction(x != y),
        "ordinal": ordinal,
        "interval": lambda x, y: Fraction(x - y) ** 2,
        "ratio": lambda x, y: Fraction(x - y, x + y) ** 2 if x + y else Fraction(0),
    }[level]


@settings(max_examples=50, deadline=None)
@given(LABELS, st.randoms(use_true_random=False))
def test_cohen_against_rationals(pairs: list[tuple[str, str]], random) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    found = cohen_kappa(a, b)
    if not pairs:
        assert (found.kappa, found.observed_agreement, found.n) == (None, None, 0)
        return
    exact = cohen_exact(pairs)
    assert found.observed_agreement == sum(x == y for x, y in pairs) / len(pairs)
    if exact is None:
        assert found.kappa is None
        assert found.observed_agreement == found.expected_agreement == 1
    else:
        assert found.kappa == pytest.approx(float(exact), abs=1e-12)
    assert cohen_kappa(b, a).kappa == pytest.approx(found.kappa, abs=1e-14)
    random.shuffle(pairs)
    shuffled = cohen_kappa([x for x, _ in pairs], [y for _, y in pairs])
    assert shuffled.kappa == pytest.approx(found.kappa, abs=1e-12)


def test_cohen_where_scikit_learn_is_undefined() -> None:
    with pytest.warns(Warning):
        assert np.isnan(cohen_kappa_score(["A", "A"], ["A", "A"]))
    found = cohen_kappa(["A", "A"], ["A", "A"])
    assert (found.kappa, found.observed_agreement, found.expected_agreement) == (None, 1.0, 1.0)
    assert cohen_kappa(["A", "A"], ["B", "B"]).kappa == 0.0
    assert cohen_kappa([1], [2]).kappa == 0.0
    assert cohen_kappa_score(["1", "x"], [1, "x"]) == 1.0  # 1 is taken for "1": refused below
    assert cohen_kappa([("A", 1), ("B", 2)], [("A", 1), ("B", 2)]).kappa == 1.0


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        (["A"], [], "length_mismatch"),
        (["A", None], ["A", "B"], "missing_label"),
        (["A"], [None], "missing_label"),
        ([1.0, float("nan")], [1.0, 2.0], "nan_value"),
        (["1"], [1], "mixed_labels"),
        ([True, False], [1, 0], "mixed_labels"),
    ],
)
def test_cohen_refuses(a: list[Any], b: list[Any], reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        cohen_kappa(a, b)
    assert refused.value.reason == reason


def fleiss_exact(table: list[list[int]]) -> Fraction | None:
    n, each = len(table), sum(table[0])
    observed = sum(Fraction(sum(c * (c - 1) for c in row), each * (each - 1)) for row in table) / n
    expected = sum(Fraction(sum(column), n * each) ** 2 for column in zip(*table, strict=True))
    return None if expected == 1 else (observed - expected) / (1 - expected)


TABLES = st.integers(2, 5).flatmap(
    lambda raters: st.lists(
        st.lists(st.integers(0, 2), min_size=raters, max_size=raters).map(
            lambda ratings: [ratings.count(category) for category in range(3)]
        ),
        min_size=1,
        max_size=6,
    )
)


@settings(max_examples=50, deadline=None)
@given(TABLES)
def test_fleiss_against_rationals(table: list[list[int]]) -> None:
    exact, found = fleiss_exact(table), fleiss_kappa(table)
    if exact is None:
        assert found.kappa is None
        assert found.observed_agreement == found.expected_agreement == 1
    else:
        assert found.kappa == pytest.approx(float(exact), abs=1e-12)
        assert fleiss_kappa(table[::-1]).kappa == pytest.approx(found.kappa, abs=1e-12)
        swapped = fleiss_kappa([row[::-1] for row in table])
        assert swapped.kappa == pytest.approx(found.kappa, abs=1e-12)
    assert (found.n, found.n_raters) == (len(table), sum(table[0]))


def test_fleiss_where_statsmodels_is_undefined() -> None:
    for table in ([[5, 0], [5, 0]], [[1, 0], [0, 1]]):
        with pytest.warns(RuntimeWarning):
            assert not np.isfinite(fleiss_by_statsmodels(np.array(table)))
        assert fleiss_kappa(table).kappa is None
    with pytest.raises(AssertionError):
        fleiss_by_statsmodels(np.array([[3, 0], [1, 1]]))


def test_the_libraries_agree_where_they_are_defined() -> None:
    rng = np.random.Generator(np.random.PCG64(9))
    a, b = rng.integers(0, 4, (2, 200)).tolist()
    assert cohen_kappa(a, b).kappa == pytest.approx(cohen_kappa_score(a, b), abs=1e-12)
    table = rng.multinomial(5, [0.2, 0.3, 0.5], 50)
    expected = fleiss_by_statsmodels(table, method="fleiss")
    assert fleiss_kappa(table).kappa == pytest.approx(expected, abs=1e-12)
    large = [[4 * 10**9, 0], [10**9, 3 * 10**9]]  # whose squares leave 64 bits
    assert fleiss_kappa(large).kappa == pytest.approx(float(fleiss_exact(large)), abs=1e-12)


@pytest.mark.parametrize("table", [[], [[]], [[0, 0], [0, 0]]])
def test_fleiss_without_ratings(table: list[list[int]]) -> None:
    found = fleiss_kappa(table)
    assert found.kappa is found.observed_agreement is found.expected_agreement is None


def test_fleiss_with_one_rater_has_an_expected_agreement_only() -> None:
    found = fleiss_kappa([[1, 0], [0, 1]])
    assert (found.kappa, found.observed_agreement, found.expected_agreement) == (None, None, 0.5)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[3, 0], [1, 1]], "unequal_raters"),
        ([[3, 0], [0, 0]], "unequal_raters"),
        ([[3, 0], [3]], "length_mismatch"),
        ([[3, -1], [1, 1]], "invalid_count"),
        ([[1.0, 1.0]], "invalid_count"),
        ([[True, True]], "invalid_count"),
        ([[None, 2]], "invalid_count"),
    ],
)
def test_fleiss_refuses(table: list[list[Any]], reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        fleiss_kappa(table)
    assert refused.value.reason == reason


DATA = st.integers(1, 4).flatmap(
    lambda units: st.lists(
        st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=units, max_size=units),
        min_size=1,
        max_size=4,
    )
)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@settings(max_examples=40, deadline=None)
@given(data=DATA)
def test_alpha_against_rationals(level: str, data: list[list[int | None]]) -> None:
    exact = alpha_exact(data, distance(level, data))
    found = krippendorff_alpha(data, level)
    if exact is None:
        assert found.alpha is None
    else:
        assert found.alpha == pytest.approx(float(exact), abs=1e-12)
        turned = krippendorff_alpha([row[::-1] for row in data[::-1]], level)
        assert turned.alpha == pytest.approx(found.alpha, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(DATA)
def test_alpha_reports_the_observed_agreement(data: list[list[int | None]]) -> None:
    units = [[r for r in unit if r is not None] for unit in zip(*data, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    assume(units)
    found = krippendorff_alpha(data, "interval")
    shares = sum(Fraction(sum(x == y for x, y in permutations(u, 2)), len(u) - 1) for u in units)
    assert found.observed_agreement == pytest.approx(float(shares / found.n_ratings), abs=1e-12)
    assert (found.n_units, found.n_ratings) == (len(units), sum(map(len, units)))


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_against_the_library(level: Any) -> None:
    rng = np.random.Generator(np.random.PCG64(7))
    ratings = rng.integers(1, 9, (4, 60)) / 4
    ratings[rng.random((4, 60)) < 0.2] = np.nan
    rows = [[None if np.isnan(r) else float(r) for r in row] for row in ratings]
    expected = krippendorff.alpha(ratings, level_of_measurement=level)
    assert krippendorff_alpha(rows, level).alpha == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_many_different_values_need_no_table(level: str) -> None:
    values = np.random.Generator(np.random.PCG64(8)).random(10_000)
    shifted = [(values + i * 1e-3).tolist() for i in range(2)]
    found = krippendorff_alpha(shifted, level)
    assert found.n_ratings == 20_000
    if level == "interval":
        pooled = np.concatenate(shifted)
        expected = 1 - np.square(1e-3) / (2 * pooled.var(ddof=1))
        assert found.alpha == pytest.approx(expected, abs=1e-12)


def test_alpha_where_the_library_is_wrong() -> None:
    with pytest.raises(ValueError, match="more than one value"):
        krippendorff.alpha([[1, 1], [1, 1]], level_of_measurement="nominal")
    assert krippendorff_alpha([[1, 1], [1, 1]], "nominal").alpha is None
    assert krippendorff_alpha([[1, 1], [1, 1]], "nominal").observed_agreement == 1.0

    # A second value that stands alone in its unit can be compared with nothing.
    with pytest.warns(RuntimeWarning):
        alone = [[1.0, 1.0, 2.0], [1.0, 1.0, np.nan]]
        assert np.isnan(krippendorff.alpha(alone, level_of_measurement="nominal"))
    assert krippendorff_alpha([[1, 1, 2], [1, 1, None]], "nominal").alpha is None

    # The ratio distance of 1 and -1 is infinite, not 0.
    opposite = [[1.0, 3.0, 2.0], [-1.0, 3.0, 2.0]]
    assert krippendorff.alpha(opposite, level_of_measurement="ratio") == 1.0
    with pytest.raises(StatisticsError, match="at least 0"):
        krippendorff_alpha(opposite, "ratio")


@pytest.mark.parametrize("data", [[], [[]], [[1, 2, 3]], [[1, None], [None, 2]], [[None], [None]]])
def test_alpha_without_pairable_ratings(data: list[list[int | None]]) -> None:
    found = krippendorff_alpha(data, "interval")
    assert (found.alpha, found.observed_agreement, found.n_units) == (None, None, 0)


def test_alpha_takes_labels_at_the_nominal_level_only() -> None:
    data = [["x", "y", None, "x"], ["x", "y", "z", "y"], [None, "y", "z", "x"]]
    coded = [[None if r is None else "xyz".index(r) for r in row] for row in data]
    found = krippendorff_alpha(data, "nominal").alpha
    assert found == krippendorff_alpha(coded, "nominal").alpha
    with pytest.raises(StatisticsError, match="ordinal level, found 'x'"):
        krippendorff_alpha(data, "ordinal")


@pytest.mark.parametrize(
    ("data", "level", "reason"),
    [
        ([[1, 2], [1]], "nominal", "length_mismatch"),
        ([[1, 2], [1, 2]], "circular", "unknown_variant"),
        ([[1.0, float("nan")], [1.0, 2.0]], "interval", "nan_value"),
        ([[1.0, float("nan")], [1.0, 2.0]], "nominal", "nan_value"),
        ([[1.0, float("inf")], [1.0, 2.0]], "interval", "nan_value"),
        ([[True, False], [True, True]], "interval", "invalid_rating"),
        ([[-1, 2], [1, 2]], "ratio", "invalid_rating"),
        ([["1", 1], ["1", 1]], "nominal", "mixed_labels"),
    ],
)
def test_alpha_refuses(data: list[list[Any]], level: str, reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        krippendorff_alpha(data, level)
    assert refused.value.reason == reason
