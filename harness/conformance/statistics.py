"""The names of the statistics in a file of cases, and the function of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.conformance import statistics_calls as calls
from harness.conformance import statistics_outcomes as outcomes
from harness.stats.agreement import answer_agreement
from harness.stats.binary_metrics import pope_metrics
from harness.stats.calibration import auroc, brier, ece
from harness.stats.clustered import cluster_stderr
from harness.stats.contrasts import difference_in_differences, layout_decomposition, paired_contrast
from harness.stats.multiple import holm
from harness.stats.paired import mcnemar
from harness.stats.power import mcnemar_power, paired_mde, two_proportion_n
from harness.stats.proportion import clopper_pearson, wilson
from harness.stats.raters import cohen_kappa, fleiss_kappa
from harness.stats.reliability import krippendorff_alpha
from harness.stats.selective import aurc, risk_coverage, selective_metrics
from harness.stats.triplets import ra_ii_from_states
from harness.stats.visual import visual_dependency


def computed(function: object, arguments: Mapping[str, Any]) -> Any:
    """Compute one case in plain JSON values.

    Parameters
    ----------
    function : one of the names of `FUNCTIONS`.
    arguments : the case's input, by name.

    Raises
    ------
    StatisticsError
        The statistic's own refusal, with its reason.
    LookupError
        For a name that no statistic has.
    """
    if not isinstance(function, str) or function not in FUNCTIONS:
        raise LookupError(f"expected one of {len(FUNCTIONS)} statistics, found {function!r}")
    return calls.plain(FUNCTIONS[function](**arguments))


def _one(key: str, function: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """A function of one number, which the cases call by this key."""
    return lambda **given: {key: function(**given)}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "accuracy": outcomes.case_accuracy,
    "accuracy_from_counts": calls.case_accuracy_from_counts,
    "agreement_from_counts": calls.case_agreement_from_counts,
    "answer_agreement": answer_agreement,
    "aurc": aurc,
    "auroc": _one("auroc", auroc),
    "bootstrap_paired_binary": calls.case_bootstrap_paired_binary,
    "bootstrap_paired_scores": calls.case_bootstrap_paired_scores,
    "brier": _one("brier", brier),
    "bucket_precision": calls.case_bucket_precision,
    "clopper_pearson_ci": lambda k, n, level: calls.interval_of(clopper_pearson(k, n, level)),
    "cluster_stderr": cluster_stderr,
    "cohen_kappa": cohen_kappa,
    "comparison_family": calls.case_comparison_family,
    "did_decomposition": layout_decomposition,
    "difference_in_differences": difference_in_differences,
    "ece": _one("ece", ece),
    "factorial_2x2": calls.case_factorial_2x2,
    "fleiss_kappa": fleiss_kappa,
    "holm": lambda p_values, alpha: holm(p_values, alpha),
    "krippendorff_alpha": krippendorff_alpha,
    "matched_comparisons": calls.case_matched_comparisons,
    "mcnemar": _one("p_value", mcnemar),
    "mcnemar_power": lambda n, p10, p01, alpha, test: {
        "power": mcnemar_power(n, p10, p01, alpha, test)
    },
    "mean_recall_from_counts": calls.case_mean_recall_from_counts,
    "multi_seed": calls.case_multi_seed,
    "multi_seed_compare": calls.case_multi_seed_compare,
    "paired_contrast": paired_contrast,
    "paired_mde": _one("mde", paired_mde),
    "paired_table": outcomes.case_paired_table,
    "pope_metrics": lambda unparsed_positive, unparsed_negative, **counts: pope_metrics(
        **counts, n_unparsed_yes=unparsed_positive, n_unparsed_no=unparsed_negative
    ),
    "ra_from_counts": calls.case_ra_from_counts,
    "ra_gap_bootstrap": calls.case_ra_gap_bootstrap,
    "ra_ii": calls.case_ra_ii,
    "ra_ii_from_states": ra_ii_from_states,
    "rank_from_scores": calls.case_rank_from_scores,
    "retrieval_metrics": calls.case_retrieval_metrics,
    "risk_coverage_curve": _one("points", risk_coverage),
    "selective_accuracy_bootstrap": calls.case_selective_accuracy_bootstrap,
    "selective_from_counts": selective_metrics,
    "sign_test": calls.case_sign_test,
    "two_proportion_n": two_proportion_n,
    "visual_dependency": visual_dependency,
    "wilson_ci": lambda k, n, level: calls.interval_of(wilson(k, n, level)),
}

__all__ = ["FUNCTIONS", "computed"]
