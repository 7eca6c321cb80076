"""Numbers beyond floats and data beyond memory are refused with a reason, never with a crash."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from harness.stats.accuracy import accuracy_from_counts
from harness.stats.agreement import agreement_from_counts
from harness.stats.binary_metrics import pope_metrics
from harness.stats.calibration import ece
from harness.stats.checks import StatisticsError
from harness.stats.clustered import cluster_stderr
from harness.stats.columns import mean_of
from harness.stats.contrasts import paired_contrast
from harness.stats.matching import Judge, matched_comparisons
from harness.stats.multi_positive import multi_positive_recall
from harness.stats.multiple import benjamini_hochberg, holm
from harness.stats.paired import mcnemar, paired_difference
from harness.stats.power import mcnemar_power, paired_mde, required_pairs
from harness.stats.proportion import clopper_pearson, wilson
from harness.stats.ratios import ratio_interval
from harness.stats.rejection import random_rejection
from harness.stats.reliability import krippendorff_alpha
from harness.stats.resampling import bootstrap_paired_scores, bootstrap_statistic
from harness.stats.retrieval import rank_of_relevant, retrieval_metrics
from harness.stats.seeds import aggregate_seeds, compare_seeds
from harness.stats.semantic import semantic_differences
from harness.stats.sequential import difference_sequence, rate_sequence
from harness.stats.stopping import difference_evidence, rate_evidence
from harness.stats.triplets import ra_from_counts
from harness.stats.visual import visual_dependency
from harness.stats.walk import exact_quantile, walk_pmf
from harness.stats.weighted import weighted_mean
from harness.stats.weighted_confidence import weighted_aurc
from harness.stats.weights import bootstrap_weights, weight_blocks

HUGE = 10**400
MANY = 10**12
JUDGES = [
    Judge(name=str(i), factor="f", static_correct=1, static_n=2, n_adapted=1, n_base_correct=2)
    for i in range(1001)
]
REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: wilson(1, HUGE, 0.95), "too_large"),
    (lambda: clopper_pearson(1, HUGE, 0.95), "too_large"),
    (lambda: accuracy_from_counts(HUGE, 1, 0, 0), "too_large"),
    (lambda: agreement_from_counts(1, 2**53 + 1), "too_large"),
    (lambda: pope_metrics(HUGE, 1, 1, 1, 0, 0), "too_large"),
    (lambda: ra_from_counts(HUGE, 2, 1), "too_large"),
    (lambda: mcnemar(HUGE, 1, "exact"), "too_large"),
    (lambda: mcnemar(-HUGE, 1, "exact"), "invalid_count"),
    (lambda: mcnemar(10**5000, 1, "exact"), "too_large"),
    (lambda: paired_mde(HUGE, 0.4, 0.05, 0.8), "too_large"),
    (lambda: paired_mde(10, 0.4, 5e-324, 0.8), "invalid_level"),
    (lambda: wilson(1, 2, HUGE), "invalid_level"),
    (lambda: holm([HUGE], 0.05), "invalid_p_value"),
    (lambda: matched_comparisons([], HUGE), "invalid_threshold"),
    (lambda: ece([0.5], [1], HUGE), "invalid_count"),
    (lambda: ece([HUGE], [1], 10), "nan_confidence"),
    (lambda: visual_dependency(HUGE, 0.1, 0.1), "too_large"),
    (lambda: paired_contrast([HUGE], [1.0]), "too_large"),
    (lambda: paired_contrast([1e308, -1e308], [-1e308, 1e308]), "too_large"),
    (lambda: semantic_differences([[HUGE]], [[1.0]]), "too_large"),
    (lambda: semantic_differences([[1e308]], [[-1e308]]), "too_large"),
    (lambda: aggregate_seeds([HUGE], 0.95, "t"), "too_large"),
    (lambda: aggregate_seeds([1.7e308, -1.7e308], 0.95, "t"), "too_large"),
    (lambda: aggregate_seeds([1e308, -1e308], 0.95, "t"), "too_large"),
    (lambda: aggregate_seeds([0.5] * 10_001, 0.95, "t"), "too_large"),
    (lambda: compare_seeds(*[dict.fromkeys(range(10_001), 0.5)] * 2, 0.95), "too_large"),
    (lambda: krippendorff_alpha([[HUGE, 1], [1, 2]], "interval"), "too_large"),
    (lambda: krippendorff_alpha([[*range(9000)], [*range(9000)]], "ratio"), "too_large"),
    (lambda: cluster_stderr([1e91, 1.0], ["a", "b"], "CR1"), "too_large"),
    (lambda: cluster_stderr([HUGE, 1.0], ["a", "b"], "CR1"), "too_large"),
    (lambda: mean_of(np.array([1e308, 1e308])), "too_large"),
    (lambda: retrieval_metrics([HUGE], [1], [1]), "invalid_rank"),
    (lambda: retrieval_metrics([1], [1], [HUGE]), "invalid_k"),
    (lambda: multi_positive_recall([[HUGE]], [1]), "invalid_rank"),
    (lambda: rank_of_relevant([HUGE, 1.0], [0]), "too_large"),
    (lambda: rank_of_relevant(["x", "y"], [0]), "nan_value"),
    (lambda: matched_comparisons(JUDGES, 1), "too_large"),
    (lambda: mcnemar_power(MANY, 0.2, 0.1, 0.05, "exact"), "too_large"),
    (lambda: required_pairs(1e-300, 0.0, 0.05, 0.8, "normal"), "too_large"),
    (lambda: ratio_interval(MANY // 4, MANY // 2, MANY, 0.95), "too_large"),
    (lambda: paired_difference(MANY // 4, MANY // 4, MANY, 0.95, "bca"), "too_large"),
    (lambda: walk_pmf(1, 1, MANY), "too_large"),
    (lambda: exact_quantile(1, 1, MANY, Fraction(1, 2)), "too_large"),
    (lambda: random_rejection(MANY, MANY // 2, MANY // 2, 0.95), "too_large"),
    (lambda: weight_blocks(10**6, 10_000, 1), "too_large"),
    (lambda: weight_blocks(10**8, 1, 1), "too_large"),
    (lambda: bootstrap_weights(MANY, MANY, 1), "too_large"),
    (lambda: bootstrap_paired_scores([1, 2], [2, 4], 0.95, "bca", MANY, 1), "too_large"),
    (lambda: rate_sequence(1, 2, 0.95, 0.5, 10**10), "too_large"),
    (lambda: rate_evidence(1, 2, 0.5, "above", 0.5, 10**10), "too_large"),
    (lambda: difference_sequence(1, 1, 2, 0.95, 0.5, 10**10), "too_large"),
    (lambda: difference_sequence(1, 1, 10**10, 0.95, 0.5, None), "too_large"),
    (lambda: difference_evidence(1, 1, 2, 0.0, "above", 0.5, 10**10), "too_large"),
    (lambda: rate_sequence(1, 2, 0.95, HUGE, None), "invalid_prior"),
    (lambda: rate_evidence(1, 2, HUGE, "above", 0.5, None), "invalid_threshold"),
    (lambda: bootstrap_paired_scores([1e91, 2], [2, 4], 0.95, "bca", 10, 1), "too_large"),
]


@pytest.mark.parametrize(("call", "reason"), REFUSED)
def test_what_is_too_large_is_refused(call: Callable[[], Any], reason: str) -> None:
    with pytest.raises(StatisticsError, match="expected") as refused:
        call()
    assert refused.value.reason == reason
    assert len(str(refused.value)) < 600


def test_leaving_out_one_of_many_is_refused() -> None:
    statistic = weighted_aurc(np.linspace(0, 1, 20_000), np.arange(20_000) % 2)
    with pytest.raises(StatisticsError, match="without one"):
        bootstrap_statistic(statistic, 0.95, "bca", 1, 1)


def test_a_seed_may_be_of_any_size() -> None:
    first = bootstrap_statistic(weighted_mean([1.0, 2.0]), 0.95, "percentile", 50, 2**100)
    assert first.seed == 2**100


def test_large_counts_are_answered() -> None:
    assert mcnemar(MANY, MANY, "exact") == 1.0
    assert paired_difference(100, 90, MANY, 0.95, "bca").low == -17 / MANY
    rare = random_rejection(10**10, 10**9, 10**9, 0.95)
    spread = 1.959963984540054 * (0.1 * 0.9 * 0.9 / 10**9) ** 0.5
    assert rare.low == pytest.approx(0.1 - spread, abs=2e-9)
    assert rare.high == pytest.approx(0.1 + spread, abs=2e-9)
    assert required_pairs(1e-300, 0.0, 0.05, 0.8, "exact") is None


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
def test_many_p_values_are_corrected_as_few_are(correct: Callable[..., Any]) -> None:
    few = np.random.Generator(np.random.PCG64(4)).random(300).round(3).tolist()
    few += [0.05 / 300, 0.05 / 299, 0.0001, 0.0]
    # Ones behind them leave Holm's small products as they are for a family of this size.
    many = few + [1.0] * (10_050 - len(few))
    found = correct(many, 0.05)
    order = sorted(range(len(many)), key=many.__getitem__)
    m, least, exact = len(many), Fraction(0), dict[int, Fraction]()
    ranked = [Fraction(repr(many[i])) for i in order]
    if correct is holm:
        for rank, place in enumerate(order):
            least = max(least, min(Fraction(1), (m - rank) * ranked[rank]))
            exact[place] = least
    else:
        least = Fraction(1)
        for rank in range(m, 0, -1):
            least = min(least, ranked[rank - 1] * m / rank)
            exact[order[rank - 1]] = least
    for place in range(m):
        assert found.adjusted[place] == pytest.approx(float(exact[place]), rel=1e-12)
        assert found.reject[place] == (exact[place] <= Fraction(1, 20))


def test_a_tie_with_alpha_is_decided_in_decimals() -> None:
    for m, share in ((10_000, 3e-05), (12_000, 2.5e-05), (15_000, 2e-05), (30_000, 1e-05)):
        found = holm([share] + [1.0] * (m - 1), 0.3)
        assert found.reject[0] and found.n_rejected == 1
        assert not holm([share * (1 + 1e-15)] + [1.0] * (m - 1), 0.3).reject[0]


def test_a_step_up_rejects_all_before_the_last() -> None:
    for m in (9_000, 12_000):
        found = benjamini_hochberg([1.0] * (m - 2) + [0.097 / m, 0.099 / m], 0.05)
        assert found.n_rejected == 2 and found.reject[-2:] == (True, True)
        assert found.adjusted[-2] == pytest.approx(0.0495, abs=1e-12)
