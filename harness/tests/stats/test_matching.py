import math
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from statistics import median
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.matching import Judge, matched_comparisons

# model, factor, static correct, static n, adapted, base correct: what can match within 1 pp,
# and neighbours that cannot, of the published table
PUBLISHED = [
    ("Idefics3", "attribute", 153, 200, 200, 200),
    ("Phi", "attribute", 161, 200, 158, 186),
    ("LLaVA", "attribute", 161, 200, 200, 200),
    ("Molmo", "count", 125, 200, 19, 102),
    ("Phi", "count", 127, 200, 33, 165),
    ("InternVL", "count", 138, 200, 36, 200),
    ("Qwen", "presence", 179, 200, 199, 199),
    ("Molmo", "presence", 159, 200, 148, 199),
    ("Idefics3", "presence", 158, 200, 200, 200),
    ("LLaVA", "presence", 177, 200, 196, 200),
    ("InternVL", "presence", 160, 200, 200, 200),
    ("Skywork", "spatial", 169, 200, 172, 200),
    ("Phi", "spatial", 168, 198, 91, 192),
    ("Qwen", "spatial", 160, 200, 197, 200),
]


def judge(
    name: str, factor: Any, correct: int, n: int, n_adapted: int = 0, n_base_correct: int = 1
) -> Judge:
    return Judge(
        name=name,
        factor=factor,
        static_correct=correct,
        static_n=n,
        n_adapted=n_adapted,
        n_base_correct=n_base_correct,
    )


def test_seven_published_pairs() -> None:
    found = matched_comparisons([judge(*row) for row in PUBLISHED], 1)
    assert [(p.first, p.second) for p in found.pairs] == [
        ("Phi", "LLaVA"),
        ("Molmo", "Phi"),
        ("Qwen", "LLaVA"),
        ("Molmo", "Idefics3"),
        ("Molmo", "InternVL"),
        ("Idefics3", "InternVL"),
        ("Skywork", "Phi"),
    ]
    assert [round(100 * p.gap, 2) for p in found.pairs] == [15.05, 1.37, 2.0, 25.63, 25.63, 0, 38.6]
    assert found.median_gap == 28 / 186
    assert found.pairs[-1].static_delta_pp == pytest.approx(-0.3485, abs=1e-4)


def test_the_naive_float_test_keeps_four_of_the_seven_pairs() -> None:
    kept = [
        abs(a[4] / a[5] - b[4] / b[5])
        for a, b in combinations(PUBLISHED, 2)
        if a[1] == b[1] and abs(a[2] / a[3] - b[2] / b[3]) <= 0.01
    ]
    assert len(kept) == 4
    assert round(100 * median(kept), 2) == 25.63


@pytest.mark.parametrize("pp", [0, 0.5, 1, 1.5, 2, 3, 5])
def test_every_pair_at_exactly_the_threshold_matches(pp: float) -> None:
    step = round(2 * pp)
    for k in range(200 - step + 1):
        pair = [judge("a", "f", k, 200), judge("b", "f", k + step, 200)]
        assert len(matched_comparisons(pair, pp).pairs) == 1
        if k + step < 200:
            pair[1] = judge("b", "f", k + step + 1, 200)
            assert not matched_comparisons(pair, pp).pairs


def test_a_float_threshold_is_the_decimal_that_it_prints_as() -> None:
    pair = [judge("a", "f", 0, 1000), judge("b", "f", 1, 1000)]
    for pp in (0.1, Fraction(1, 10), Decimal("0.1"), np.float64(0.1)):
        assert len(matched_comparisons(pair, pp).pairs) == 1
    assert not matched_comparisons(pair, math.nextafter(0.1, 0)).pairs
    assert Fraction(0.3) < Fraction(3, 10)
    pair[1] = judge("b", "f", 3, 1000)
    assert len(matched_comparisons(pair, 0.3).pairs) == 1
    assert len(matched_comparisons(pair, np.int64(1)).pairs) == 1


JUDGES = st.lists(
    st.tuples(st.sampled_from("xy"), st.integers(0, 20), st.integers(20, 25), st.integers(0, 9)),
    max_size=7,
)


@settings(max_examples=50, deadline=None)
@given(JUDGES, st.sampled_from([0, 0.5, 1, 4, 5, 100]))
def test_against_rationals_and_other_orders(rows: list[tuple[Any, ...]], pp: float) -> None:
    judges = [judge(f"j{i}", f, k, n, a, 9) for i, (f, k, n, a) in enumerate(rows)]
    found = matched_comparisons(judges, pp)
    limit = Fraction(pp) / 100
    expected = {
        frozenset((f"j{i}", f"j{j}")): abs(a[3] - b[3]) / 9
        for (i, a), (j, b) in combinations(enumerate(rows), 2)
        if a[0] == b[0] and abs(Fraction(a[1], a[2]) - Fraction(b[1], b[2])) <= limit
    }
    assert {frozenset((p.first, p.second)): p.gap for p in found.pairs} == pytest.approx(expected)
    turned = matched_comparisons(judges[::-1], pp)
    assert turned.median_gap == found.median_gap
    assert sorted(-p.static_delta_pp for p in turned.pairs) == pytest.approx(
        sorted(p.static_delta_pp for p in found.pairs)
    )
    assert len(matched_comparisons(judges, 2 * pp).pairs) >= len(found.pairs)
    same = sum(a[0] == b[0] for a, b in combinations(rows, 2))
    assert found.n_candidates == same
    assert len(matched_comparisons(judges, 100).pairs) == same


def test_nothing_to_match() -> None:
    for judges in ([], [judge("a", "f", 1, 2)], [judge("a", "f", 1, 2), judge("b", "g", 1, 2)]):
        found = matched_comparisons(judges, 1)
        assert (found.pairs, found.n_candidates, found.median_gap) == ((), 0, None)


def test_a_judge_without_base_correct_triplets_has_no_gap() -> None:
    judges = [judge("a", "f", 1, 2, 0, 0), judge("b", "f", 1, 2, 1, 2), judge("c", "f", 1, 2, 2, 2)]
    found = matched_comparisons(judges, 0)
    assert [p.gap for p in found.pairs] == [None, None, 0.5]
    assert found.median_gap == 0.5
    assert matched_comparisons(judges[:2], 0).median_gap is None


def test_an_even_number_of_gaps_has_the_mean_of_the_middle_two() -> None:
    judges = [judge(f"{f}{i}", f, 1, 2, i * k, 10) for f, k in (("x", 1), ("y", 4)) for i in (0, 1)]
    assert matched_comparisons(judges, 0).median_gap == 0.25


@pytest.mark.parametrize(
    "pp", [-1, -0.5, float("nan"), float("inf"), True, None, "1", Decimal("NaN")]
)
def test_bad_thresholds(pp: Any) -> None:
    with pytest.raises(StatisticsError) as refused:
        matched_comparisons([], pp)
    assert refused.value.reason == "invalid_threshold"


def test_a_judge_twice_on_a_factor() -> None:
    with pytest.raises(StatisticsError, match="'a'") as refused:
        matched_comparisons([judge("a", "f", 1, 2), judge("a", "f", 1, 2)], 1)
    assert refused.value.reason == "duplicate_id"
    assert len(matched_comparisons([judge("a", "f", 1, 2), judge("a", "g", 1, 2)], 1).pairs) == 0


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((3, 2, 0, 1), "invalid_count"),
        ((1, 2, 2, 1), "invalid_count"),
        ((-1, 2, 0, 1), "invalid_count"),
        ((1.0, 2, 0, 1), "invalid_count"),
        ((True, 2, 0, 1), "invalid_count"),
        ((0, 0, 0, 1), "empty_cell"),
    ],
)
def test_bad_judges(counts: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        judge("a", "f", *counts)
    assert refused.value.reason == reason
