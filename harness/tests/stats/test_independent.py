"""Counts of numpy, of any width, give what Python's integers give.

A sum over an array of uint8 is a uint64 and counts of a table may be narrower; differences of
unsigned numbers wrap around, and so do sums of narrow ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from harness.stats.accuracy import accuracy_from_counts
from harness.stats.agreement import agreement_from_counts
from harness.stats.binary_metrics import pope_metrics
from harness.stats.calibration import ece
from harness.stats.contrasts import factorial_2x2, layout_decomposition
from harness.stats.discordant import mcnemar, sign_test
from harness.stats.matching import Judge, matched_comparisons
from harness.stats.multi_positive import multi_positive_recall
from harness.stats.paired import comparison_family, paired_difference, paired_test
from harness.stats.power import mcnemar_power, paired_mde
from harness.stats.proportion import clopper_pearson, standard_error, wilson
from harness.stats.raters import fleiss_kappa
from harness.stats.ratios import JointCell, ratio_difference, ratio_interval
from harness.stats.rejection import matched_rejection, random_rejection
from harness.stats.resampling import bootstrap_interval
from harness.stats.retrieval import mean_recall_from_hits, retrieval_metrics
from harness.stats.selective import Selection, selective_metrics
from harness.stats.sequential import difference_sequence, rate_sequence
from harness.stats.stopping import SequentialGate, difference_evidence, rate_evidence
from harness.stats.triplets import EightStates, ra_from_counts, ra_ii_from_states, triplet_metrics
from harness.stats.uplift import enrichment_interval, uplift, uplift_interval
from harness.stats.walk import exact_quantile, walk_pmf
from harness.stats.walk_interval import walk_intervals
from harness.stats.weights import bootstrap_weights

pytestmark = pytest.mark.unit

WIDTHS = (np.uint64, np.int64, np.uint32, np.uint8, np.int16)
_TEST: dict[str, Any] = {
    "level": 0.95, "interval": "percentile", "variant": "exact", "alpha": 0.05, "power": 0.8,
}  # fmt: skip


def _selections(*counts: int) -> list[Selection]:
    names = ("n", "n_correct", "n_accepted", "n_accepted_correct")
    return [Selection(**dict(zip(names, counts, strict=True)))] * 2


def _judges(right: int, n: int, adapted: int, base: int) -> list[Judge]:
    return [
        Judge(
            name=name,
            factor="f",
            static_correct=right,
            static_n=n,
            n_adapted=adapted,
            n_base_correct=base,
        )
        for name in ("a", "b")
    ]


def _gate(up: int, down: int, still: int) -> SequentialGate:
    gate = SequentialGate(
        quantity="difference", threshold=0.0, alpha=0.05, prior=0.5, population=None
    )
    return gate.update(up=up, down=down, still=still).update(up=up, down=down, still=still)


def _states(*counts: int) -> EightStates:
    names = (field.name for field in dataclasses.fields(EightStates))
    return EightStates(**dict(zip(names, counts, strict=True)))


# Each sum passes 255 or each difference falls below 0 in the narrowest or unsigned types.
CALLS: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "wilson": (lambda k, n: wilson(k, n, 0.95), (200, 250)),
    "clopper_pearson": (lambda k, n: clopper_pearson(k, n, 0.95), (200, 250)),
    "standard_error": (standard_error, (200, 250)),
    "accuracy_from_counts": (accuracy_from_counts, (100, 120, 90, 80)),
    "agreement_from_counts": (agreement_from_counts, (200, 250)),
    "mcnemar": (lambda a, b: mcnemar(a, b, "exact"), (120, 140)),
    "mcnemar_chi2_cc": (lambda a, b: mcnemar(a, b, "chi2_cc"), (120, 140)),
    "sign_test": (lambda a, b, z: sign_test(a, b, z, "less"), (120, 140, 90)),
    "paired_difference": (
        lambda a, b, n: paired_difference(a, b, n, 0.95, "bca"),
        (100, 120, 250),
    ),
    "paired_test": (lambda a, b, n: paired_test(a, b, n, **_TEST), (100, 120, 250)),
    "comparison_family": (
        lambda a, b, n: comparison_family(n, [(a, b)], correction="holm", **_TEST),
        (100, 120, 250),
    ),
    "walk_pmf": (lambda a, b, n: walk_pmf(a, b, n).tolist(), (100, 120, 250)),
    "walk_intervals": (lambda a, b, n: walk_intervals([(a, b, n)], 0.95, "bca"), (100, 120, 250)),
    "exact_quantile": (lambda a, b, n: exact_quantile(a, b, n, Fraction(1, 40)), (10, 12, 25)),
    "paired_mde": (lambda n: paired_mde(n, 0.3, 0.05, 0.8), (250,)),
    "mcnemar_power": (lambda n: mcnemar_power(n, 0.2, 0.1, 0.05, "exact"), (250,)),
    "ratio_interval": (lambda h, a, n: ratio_interval(h, a, n, 0.95), (100, 150, 250)),
    "ratio_difference": (
        lambda a, b: ratio_difference(
            [
                JointCell(count=a, first=(1, 1), second=(0, 1)),
                JointCell(count=b, first=(0, 1), second=(1, 1)),
            ],
            0.95,
            50,
            1,
        ),
        (200, 250),
    ),
    "ratio_difference_of_many": (
        lambda a, b: ratio_difference(
            [JointCell(count=3, first=(a, b), second=(0, 1))], 0.95, 50, 1
        ),
        (200, 250),
    ),
    "selective_metrics": (selective_metrics, (250, 120, 100, 60)),
    "random_rejection": (lambda n, c, a: random_rejection(n, c, a, 0.95), (250, 120, 100)),
    "matched_rejection": (lambda *n: matched_rejection(_selections(*n), 0.95), (250, 120, 100, 60)),
    "uplift": (lambda *n: uplift(_selections(*n)), (250, 120, 100, 60)),
    "uplift_interval": (
        lambda *n: uplift_interval(_selections(*n), 0.95, 50, 1),
        (250, 120, 100, 60),
    ),
    "enrichment_interval": (
        lambda *n: enrichment_interval(_selections(*n)[0], 0.95, 50, 1),
        (250, 120, 100, 60),
    ),
    "triplet_metrics": (lambda *n: triplet_metrics(_states(*n)), (100,) * 8),
    "ra_from_counts": (ra_from_counts, (250, 200, 100)),
    "ra_ii_from_states": (ra_ii_from_states, (100, 120, 100, 100)),
    "matched_comparisons": (
        lambda *n: matched_comparisons(_judges(*n), 1),
        (200, 250, 100, 120),
    ),
    "layout_decomposition": (layout_decomposition, (50, 100, 250)),
    "factorial_2x2": (
        lambda k, n: factorial_2x2({"00": (k, n), "01": (n, n), "10": (k, n), "11": (k, n)}),
        (100, 250),
    ),
    "mean_recall_from_hits": (
        lambda hits, n: mean_recall_from_hits([hits] * 3, n, [hits] * 3, n),
        (100, 250),
    ),
    "retrieval_metrics": (lambda a, b, k: retrieval_metrics([a, b], [b], [k]), (100, 120, 110)),
    "multi_positive_recall": (
        lambda a, b, k: multi_positive_recall([[a, b]], [k]),
        (100, 120, 110),
    ),
    "pope_metrics": (pope_metrics, (100,) * 6),
    "fleiss_kappa": (lambda a, b: fleiss_kappa([[a, b], [b, a]]), (100, 180)),
    "ece": (lambda bins: ece([0.3, 0.7], [1, 0], bins), (100,)),
    "bootstrap_weights": (lambda n, b, s: bootstrap_weights(n, b, s).tolist(), (200, 100, 7)),
    "bootstrap_interval": (
        lambda b, s: bootstrap_interval([[0.1, 0.2, 0.4]], 0.95, "bca", b, s),
        (200, 100),
    ),
    "rate_sequence": (lambda k, n: rate_sequence(k, n, 0.95, 0.5, None), (200, 250)),
    "rate_sequence_of_population": (
        lambda k, n, size: rate_sequence(k, n, 0.95, 0.5, size),
        (100, 150, 250),
    ),
    "difference_sequence": (
        lambda a, b, n: difference_sequence(a, b, n, 0.95, 0.5, None),
        (100, 120, 250),
    ),
    "difference_sequence_of_population": (
        lambda a, b, n, size: difference_sequence(a, b, n, 0.95, 0.5, size),
        (40, 60, 120, 250),
    ),
    "rate_evidence": (lambda k, n: rate_evidence(k, n, 0.5, "above", 0.5, None), (200, 250)),
    "difference_evidence": (
        lambda a, b, n: difference_evidence(a, b, n, -0.1, "above", 0.5, None),
        (100, 120, 250),
    ),
    "SequentialGate": (_gate, (100, 50, 30)),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", CALLS)
def test_integers_of_numpy(name: str, width: type[np.integer[Any]]) -> None:
    function, counts = CALLS[name]
    found, expected = function(*map(width, counts)), function(*counts)
    assert found == expected
    assert not set(_types(found)) - set(_types(expected))


def _types(value: Any) -> list[type]:
    """The types of all that a result holds."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
    elif isinstance(value, dict):
        parts = [*value, *value.values()]
    elif isinstance(value, list | tuple):
        parts = list(value)
    else:
        return [type(value)]
    return [kind for part in parts for kind in _types(part)]
