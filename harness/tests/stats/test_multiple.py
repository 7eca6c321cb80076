import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.multiple import CORRECTIONS, adjust, benjamini_hochberg, holm

P_VALUES = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0])), max_size=7)


@settings(max_examples=40, deadline=None)
@given(P_VALUES)
def test_holm_is_the_closure_of_bonferroni(p: list[float]) -> None:
    """A hypothesis falls when every set that holds it falls by Bonferroni's test of that set."""
    subsets = [s for size in range(1, len(p) + 1) for s in combinations(range(len(p)), size)]
    expected = [
        min(1.0, max(len(s) * min(p[place] for place in s) for s in subsets if member in s))
        for member in range(len(p))
    ]
    assert holm(p, 0.05).adjusted == pytest.approx(expected, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(P_VALUES)
def test_benjamini_hochberg_against_scipy(p: list[float]) -> None:
    from scipy.stats import false_discovery_control

    expected = false_discovery_control(p, method="bh") if p else []
    assert benjamini_hochberg(p, 0.05).adjusted == pytest.approx(list(expected), abs=1e-12)


def test_a_p_value_at_its_threshold_is_rejected_where_scipy_keeps_it() -> None:
    from scipy.stats import false_discovery_control

    p = [0.034] * 17 + [1.0] * 8
    assert false_discovery_control(p)[0] > 0.05  # 0.034 · 25/17 in floats
    assert benjamini_hochberg(p, 0.05).n_rejected == 17


@settings(max_examples=50, deadline=None)
@given(P_VALUES, st.randoms(use_true_random=False))
def test_order_ties_and_monotonicity(p: list[float], rng: random.Random) -> None:
    order = list(range(len(p)))
    rng.shuffle(order)
    for function in (holm, benjamini_hochberg):
        found = function(p, 0.05)
        shuffled = function([p[place] for place in order], 0.05)
        assert shuffled.adjusted == tuple(found.adjusted[place] for place in order)
        assert all(raw <= value <= 1.0 for raw, value in zip(p, found.adjusted, strict=True))
        ranked = sorted(zip(p, found.adjusted, strict=True))
        assert [a for _, a in ranked] == sorted(a for _, a in ranked)
        assert found.n_rejected == sum(found.reject)
    strict, loose = holm(p, 0.05), benjamini_hochberg(p, 0.05)
    assert all(b <= a for a, b in zip(strict.adjusted, loose.adjusted, strict=True))


def test_step_down_by_hand_in_input_order() -> None:
    found = holm([0.04, 0.001, 0.5, 0.02], 0.05)
    assert found.adjusted == (0.08, 0.004, 0.5, 0.06)
    assert found.reject == (False, True, False, False)
    assert holm([0.01, 0.011], 0.05).adjusted == (0.02, 0.02)


@pytest.mark.parametrize(
    ("p", "alpha"), [([0.025, 0.05], 0.05), ([0.1, 0.15, 0.3], 0.3), ([0.007] * 7, 0.049)]
)
def test_adjusted_equal_to_alpha_rejects(p: list[float], alpha: float) -> None:
    assert all(holm(p, alpha).reject)
    assert all(benjamini_hochberg(p, alpha).reject)


def test_floating_point_would_miss_equality() -> None:
    assert 3 * 0.1 > 0.3
    assert holm([0.1, 0.5, 0.6], 0.3).reject[0]
    assert not holm([0.10000000000000002, 0.5, 0.6], 0.3).reject[0]


def test_all_ties() -> None:
    assert holm([0.2] * 12, 0.05).adjusted == (1.0,) * 12
    assert benjamini_hochberg([0.2] * 12, 0.05).adjusted == (0.2,) * 12


@pytest.mark.parametrize("function", [holm, benjamini_hochberg])
def test_none_and_one(function: object) -> None:
    assert function([], 0.05).adjusted == ()  # type: ignore[operator]
    assert function([], 0.05).n_rejected == 0  # type: ignore[operator]
    assert function([0.05], 0.05).reject == (True,)  # type: ignore[operator]
    assert function([1.0, 0.0], 0.05).adjusted == (1.0, 0.0)  # type: ignore[operator]
    assert function(np.array([0.03, 0.01]), 0.05).adjusted == (0.03, 0.02)  # type: ignore[operator]
    assert function([0, 1], 0.05).reject == (True, False)  # type: ignore[operator]


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize(
    "value", [float("nan"), -1e-9, 1.0000001, None, True, "0.1", float("inf"), 1 + 0j]
)
def test_a_bad_p_value_is_refused_wherever_it_stands(value: float, correction: str) -> None:
    with pytest.raises(StatisticsError, match=r"p\[1\]: expected .* found") as refused:
        adjust([0.5, value, 0.1], 0.05, correction)
    assert refused.value.reason == "invalid_p_value"


def test_other_bad_input_is_refused() -> None:
    for alpha in (0.0, 1.0, -0.1, float("nan"), None):
        with pytest.raises(StatisticsError) as refused:
            holm([0.1], alpha)  # type: ignore[arg-type]
        assert refused.value.reason == "invalid_level"
    with pytest.raises(StatisticsError) as refused:
        adjust([0.1], 0.05, "sidak")
    assert refused.value.reason == "unknown_variant"


def test_bonferroni_and_none() -> None:
    """In decimals too: 3 * 0.1 is 0.3."""
    found = adjust([0.1, 0.5, 0.01], 0.3, "bonferroni")
    assert found.adjusted == (0.3, 1.0, 0.03)
    assert found.reject == (True, False, True)
    plain = adjust([0.1, 0.5, 0.01], 0.1, "none")
    assert (plain.adjusted, plain.reject) == (plain.p, (True, False, True))
    for correction in ("bonferroni", "none"):
        assert adjust([], 0.05, correction).adjusted == ()


def test_numbers_of_numpy_are_numbers() -> None:
    found = adjust(np.array([0.5, 0.25], dtype=np.float32), np.float32(0.5), "holm")  # type: ignore[arg-type]
    assert found.adjusted == (0.5, 0.5)
    assert {type(value) for value in (found.alpha, *found.p)} == {float}
    assert holm([np.int64(1), Fraction(1, 4)], 0.5).p == (1.0, 0.25)  # type: ignore[list-item]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=8), st.integers(1, 39))
def test_decimals_are_compared_as_decimals(hundredths: list[int], level: int) -> None:
    p, alpha = [h / 40 for h in hundredths], level / 40
    shares, limit = [Fraction(h, 40) for h in hundredths], Fraction(level, 40)
    rejected = set()
    for rank, place in enumerate(sorted(range(len(p)), key=shares.__getitem__)):
        if (len(p) - rank) * shares[place] > limit:
            break
        rejected.add(place)
    assert {place for place, said in enumerate(holm(p, alpha).reject) if said} == rejected
