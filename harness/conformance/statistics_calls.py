"""Statistics whose cases name arguments or results otherwise than the functions do."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from statistics import mean
from typing import Any

import numpy as np

from harness.stats.accuracy import accuracy_from_counts
from harness.stats.agreement import agreement_from_counts
from harness.stats.checks import StatisticsError
from harness.stats.contrasts import factorial_2x2
from harness.stats.estimate import Estimate
from harness.stats.matching import Judge, matched_comparisons
from harness.stats.multiple import adjust
from harness.stats.paired import comparison_family, paired_difference, sign_test
from harness.stats.proportion import clopper_pearson
from harness.stats.ratios import cells_from_examples, ratio_difference, ratio_interval
from harness.stats.resampling import bootstrap_paired_scores
from harness.stats.retrieval import mean_recall_from_hits, rank_of_relevant, retrieval_metrics
from harness.stats.seeds import aggregate_seeds, compare_seeds
from harness.stats.triplets import eight_states, ra_from_counts, triplet_metrics
from harness.stats.walk_interval import walk_intervals

_LEVEL = 0.95
N_RESAMPLES = 10_000
SEED = 20260724
_STATES = {"w": (0, 0), "a": (1, 1), "n": (0, 1)}
_JUDGE = ("name", "factor", "static_correct", "static_n", "ra")
_DIFFERENCE_KEYS = ("mean", "diff", "mean_diff", "mean_difference", "diff_b_minus_a")
_CORRECTIONS = {"bh": "benjamini_hochberg", "fdr_bh": "benjamini_hochberg"}


def plain(value: Any) -> Any:
    """Turn a result into what JSON can say: dataclasses into objects, sequences into lists."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value


def _percent(share: Fraction, digits: int) -> float:
    """A share in percent, rounded half away from zero as tables in print are."""
    percent = Decimal(100 * share.numerator) / Decimal(share.denominator)
    return float(percent.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def _share(part: int, whole: int, digits: int) -> float | None:
    return _percent(Fraction(part, whole), digits) if whole else None


def _values(row: Mapping[str, Any], *keys: str) -> Any:
    """What stands under these keys, None where a row lacks one, which the statistic refuses."""
    return tuple(row.get(key) for key in keys)


def interval_of(estimate: Estimate) -> dict[str, Any]:
    """An estimate under the keys of the cases."""
    return {**plain(estimate), "estimate": estimate.value}


def case_accuracy_from_counts(
    correct: int, wrong: int, manual_review: int, error: int
) -> dict[str, Any]:
    found = accuracy_from_counts(correct, wrong, manual_review, error)
    return {**plain(found), "n_scored": found.n_counted}


def case_sign_test(n_pos: int, n_neg: int, n_zero: int, alternative: str) -> dict[str, Any]:
    found = sign_test(n_pos, n_neg, n_zero, alternative)
    return {**plain(found), "p_value": found.p}


def case_bootstrap_paired_binary(
    n10: int, n01: int, n: int, interval: str, level: float
) -> dict[str, Any]:
    (walk,) = walk_intervals([(n01, n10, n)], level, interval)
    estimate = paired_difference(n01, n10, n, level, interval)
    return {**plain(walk), **interval_of(estimate)}


def case_comparison_family(
    n: int, alpha: float, correction: str, comparisons: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    correction = _CORRECTIONS.get(correction, correction)
    tables = [_values(c, "n01", "n10") for c in comparisons]
    found = comparison_family(
        n,
        tables,
        alpha=alpha,
        correction=correction,
        level=_LEVEL,
        interval="percentile",
        variant="exact",
        power=0.8,
    )
    walks = walk_intervals([(*table, n) for table in tables], _LEVEL, "percentile")
    adjusted = adjust([test.p for test in found], alpha, correction)
    return {
        "p_values": [test.p for test in found],
        "adjusted": [test.adjusted_p for test in found],
        "reject": list(adjusted.reject),
        "n_rejected": sum(adjusted.reject),
        "diff": [test.difference.value for test in found],
        **{end: [getattr(test.difference, end) for test in found] for end in ("low", "high")},
        **{key: [getattr(w, key) for w in walks] for key in ("low_count", "high_count")},
    }


def case_bootstrap_paired_scores(
    a: Sequence[float], b: Sequence[float], interval: str, level: float
) -> dict[str, Any]:
    return interval_of(bootstrap_paired_scores(a, b, level, interval, N_RESAMPLES, SEED))


def case_agreement_from_counts(n_agree: int, n: int) -> dict[str, Any]:
    found = agreement_from_counts(n_agree, n)
    return {**plain(found), "agreement_pct_1dp": _share(n_agree, n, 1)}


def case_selective_accuracy_bootstrap(
    n: int, n_accepted: int, n_accepted_correct: int, level: float
) -> dict[str, Any]:
    return interval_of(ratio_interval(n_accepted_correct, n_accepted, n, level))


def case_ra_ii(triplets: Iterable[Mapping[str, Any]]) -> Any:
    """A triplet that lacks one of its three outcomes is dropped, as one that failed is."""
    rows = [_values(t, "id", "base", "relevant", "irrelevant") for t in triplets]
    return triplet_metrics(eight_states(rows, "drop").states)


def case_ra_from_counts(n_triplets: int, n_base_correct: int, n_adapted: int) -> dict[str, Any]:
    found = ra_from_counts(n_triplets, n_base_correct, n_adapted)
    return {**plain(found), "ra_pct_2dp": _share(n_adapted, n_base_correct, 2)}


def case_ra_gap_bootstrap(a_state: str, b_state: str, level: float) -> dict[str, Any]:
    """w: base wrong; a: base right and adapted; n: base right and not adapted."""
    sides = []
    for states in (a_state, b_state):
        letters = list(states) if isinstance(states, str | list) else [states]
        for letter in letters:
            if not isinstance(letter, str) or letter not in _STATES:
                raise StatisticsError(
                    "unknown_outcome",
                    f"expected the letters {', '.join(_STATES)}, found {letter!r}",
                )
        sides.append([_STATES[letter] for letter in letters])
    columns = [[row[i] for row in side] for side in sides for i in (0, 1)]
    found = ratio_difference(cells_from_examples(*columns), level, N_RESAMPLES, SEED)
    return {
        **interval_of(found.difference),
        "n_base_correct_a": found.first_denominator,
        "n_base_correct_b": found.second_denominator,
        "gap_b_minus_a": found.difference.value,
    }


def case_matched_comparisons(
    judges: Iterable[Mapping[str, Any]], max_static_delta_pp: float
) -> dict[str, Any]:
    given = []
    for judge in judges:
        name, factor, correct, n, ra = _values(judge, *_JUDGE)
        counts: Any = ra if isinstance(ra, Sequence) and len(ra) == 2 else (None, None)
        given.append(
            Judge(
                name=name,
                factor=factor,
                static_correct=correct,
                static_n=n,
                n_adapted=counts[0],
                n_base_correct=counts[1],
            )
        )
    found = matched_comparisons(given, max_static_delta_pp)
    return {
        "pairs": [[p.first, p.second] for p in found.pairs],
        "n_pairs": len(found.pairs),
        "gaps": [p.gap for p in found.pairs],
        "median_gap": found.median_gap,
    }


def case_retrieval_metrics(
    i2t_ranks: Sequence[int], t2i_ranks: Sequence[int], ks: Sequence[int]
) -> dict[str, Any]:
    found = retrieval_metrics(i2t_ranks, t2i_ranks, ks)
    sides = {"i2t": found.i2t, "t2i": found.t2i}
    return {
        "mean_recall": found.mean_recall,
        **{
            side: {
                "median_rank": direction.median_rank,
                **{f"r{k}": recall for k, recall in direction.recalls.items()},
            }
            for side, direction in sides.items()
        },
    }


def case_mean_recall_from_counts(
    i2t_hits: Sequence[int], n_images: int, t2i_hits: Sequence[int], n_captions: int
) -> dict[str, Any]:
    found = mean_recall_from_hits(i2t_hits, n_images, t2i_hits, n_captions)
    recalls = [Fraction(hits, n_images) for hits in i2t_hits]
    recalls += [Fraction(hits, n_captions) for hits in t2i_hits]
    return {
        "mean_recall": found,
        "mean_recall_pct_2dp": _percent(mean(recalls), 2),
        "i2t_pct_2dp": [_share(hits, n_images, 2) for hits in i2t_hits],
        "t2i_pct_2dp": [_share(hits, n_captions, 2) for hits in t2i_hits],
    }


def case_rank_from_scores(scores: Sequence[float], relevant: Sequence[int]) -> dict[str, Any]:
    found = rank_of_relevant(scores, relevant)
    return {
        "rank_pessimistic": found.pessimistic,
        "rank_optimistic": found.optimistic,
        "rank_expected": found.expected,
    }


def case_multi_seed(values: Sequence[float], level: float) -> dict[str, Any]:
    found = aggregate_seeds(values, level, "t")
    return {**plain(found), "ci_radius": found.radius}


def case_multi_seed_compare(a: Any, b: Any, level: float) -> dict[str, Any]:
    found = compare_seeds(a, b, level)
    return {
        **interval_of(found.difference),
        **plain(found),
        "n_seeds": len(found.seeds),
        **dict.fromkeys(_DIFFERENCE_KEYS, found.difference.value),
        "ci_radius": found.radius,
    }


def case_factorial_2x2(cells: Mapping[str, Mapping[str, Any]]) -> Any:
    return factorial_2x2({name: _values(cell, "correct", "n") for name, cell in cells.items()})


def case_bucket_precision(hits: int, n: int) -> dict[str, Any]:
    found = clopper_pearson(hits, n, _LEVEL)
    return {"precision": found.value, "clopper_low": found.low, "clopper_high": found.high}


__all__ = [
    "N_RESAMPLES",
    "SEED",
    "case_accuracy_from_counts",
    "case_agreement_from_counts",
    "case_bootstrap_paired_binary",
    "case_bootstrap_paired_scores",
    "case_bucket_precision",
    "case_comparison_family",
    "case_factorial_2x2",
    "case_matched_comparisons",
    "case_mean_recall_from_counts",
    "case_multi_seed",
    "case_multi_seed_compare",
    "case_ra_from_counts",
    "case_ra_gap_bootstrap",
    "case_ra_ii",
    "case_rank_from_scores",
    "case_retrieval_metrics",
    "case_selective_accuracy_bootstrap",
    "case_sign_test",
    "interval_of",
    "plain",
]
