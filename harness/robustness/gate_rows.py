"""Counts of gates as rows: coverage, selective accuracy, uplift, votes, cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.robustness.counts import GateCounts
from harness.robustness.settings import TableSettings
from harness.stats.ratios import ratio_interval
from harness.stats.rejection import matched_rejection, pool, random_rejection
from harness.stats.selective import Selection, selective_metrics
from harness.stats.uplift import enrichment_interval, uplift_interval
from harness.table import Value, percent, ratio

_RATES = (
    *("n", "accepted_n", "rejected_n"),
    *("coverage_pct", "coverage_ci_low_pct", "coverage_ci_high_pct"),
    *("selective_accuracy_pct", "selective_accuracy_ci_low_pct", "selective_accuracy_ci_high_pct"),
    *("rejected_error_pct", "rejected_error_ci_low_pct", "rejected_error_ci_high_pct"),
    "baseline_accuracy_pct",
)
_RANDOM = ("random_selective_accuracy_pct", "random_ci_low_pct", "random_ci_high_pct")
_OURS = ("accepted_correct", "correct", "n_dropped", "n_unpaired", "ci_level", "ci_method")

GATE = (*_RATES, "model", "condition", "split", "method", *_RANDOM, *_OURS)
BY_TYPE = (*_RATES, "model", "condition", "item_type", "split", *_OURS)
BY_GROUP = (
    *("group", "n", "baseline_accuracy_pct", "accepted_n"),
    *_RATES[3:9],
    *_OURS,
)
CURVE = (*_RATES, "condition", "method", "threshold", *_RANDOM, *_OURS)
UPLIFT = (
    *("n", "accepted_n", "rejected_n", "coverage_pct", "selective_accuracy_pct"),
    *("selective_accuracy_uplift_pp", "uplift_ci_low_pp", "uplift_ci_high_pp"),
    *("rejected_error_pct", "overall_error_pct", "rejected_error_enrichment_pp"),
    *("rejected_error_enrichment_ci_low_pp", "rejected_error_enrichment_ci_high_pp"),
    *("bootstrap_repeats", "bootstrap_seed", "matched_random_expected_accuracy_pct"),
    *("matched_random_interval_low_pct", "matched_random_interval_high_pct"),
    *("model", "condition", "split", "method", "comparison", "strata", "ci_level", "ci_method"),
)
COST = (
    *("method", "outputs_per_item", "sum_recorded_latency_seconds", "mean_output_tokens"),
    *("coverage_pct", "selective_accuracy_pct", "n", "accepted_n", "accepted_correct"),
)
AGREEMENT = "dual_prompt_agreement"


def gate_row(
    labels: Mapping[str, Value],
    counts: GateCounts,
    settings: TableSettings,
    columns: Sequence[str],
    *,
    with_random: bool = True,
) -> dict[str, Value]:
    """One gate over one set of questions.

    Parameters
    ----------
    labels : what the row is about; of `columns`.
    counts : of the gate.
    settings : see there.
    columns : those of the table: `GATE`, `BY_TYPE`, `BY_GROUP` or `CURVE`.
    with_random : whether to hold it against accepting as many at random, where the table has
        columns for that.
    """
    s = counts.selection
    rejected = s.n - s.n_accepted
    rejected_wrong = rejected - (s.n_correct - s.n_accepted_correct)
    values: dict[str, Value] = {
        "n": s.n,
        "accepted_n": s.n_accepted,
        "rejected_n": rejected,
        "baseline_accuracy_pct": ratio(s.n_correct, s.n, 100),
        "accepted_correct": s.n_accepted_correct,
        "correct": s.n_correct,
        "n_dropped": len(counts.dropped),
        "n_unpaired": len(counts.unpaired),
        "ci_level": settings.level,
    }
    for name, hits, whole in (
        ("coverage", s.n_accepted, s.n),
        ("selective_accuracy", s.n_accepted_correct, s.n_accepted),
        ("rejected_error", rejected_wrong, rejected),
    ):
        interval = ratio_interval(hits, whole, s.n, settings.level)
        values[f"{name}_pct"] = ratio(hits, whole, 100)
        values[f"{name}_ci_low_pct"] = percent(interval.low)
        values[f"{name}_ci_high_pct"] = percent(interval.high)
        if name == "selective_accuracy":
            values["ci_method"] = interval.method
    if with_random and _RANDOM[0] in columns:
        chance = random_rejection(s.n, s.n_correct, s.n_accepted, settings.level)
        ends = (chance.value, chance.low, chance.high)
        values |= dict(zip(_RANDOM, map(percent, ends), strict=True))
    values |= labels
    return {column: values.get(column) for column in columns}


def uplift_row(
    comparison: str,
    strata: Mapping[str, Selection],
    labels: Mapping[str, Value],
    settings: TableSettings,
) -> dict[str, Value]:
    """The gate against accepting as many at random of each stratum.

    Parameters
    ----------
    comparison : its name.
    strata : name → counts; one stratum for uniform rejection.
    labels : model, condition, split and method.
    settings : see there; the draws are those of `uplift_seed`.
    """
    parts = list(strata.values())
    whole = pool(parts)
    found = selective_metrics(whole.n, whole.n_correct, whole.n_accepted, whole.n_accepted_correct)
    draws = (settings.level, settings.n_resamples, settings.uplift_seed)
    gain = uplift_interval(parts, *draws)
    enriched = enrichment_interval(whole, *draws)
    chance = matched_rejection(parts, settings.level)
    values: dict[str, Value] = {
        "n": whole.n,
        "accepted_n": whole.n_accepted,
        "rejected_n": whole.n - whole.n_accepted,
        "coverage_pct": ratio(whole.n_accepted, whole.n, 100),
        "selective_accuracy_pct": ratio(whole.n_accepted_correct, whole.n_accepted, 100),
        "selective_accuracy_uplift_pp": percent(gain.value),
        "uplift_ci_low_pp": percent(gain.low),
        "uplift_ci_high_pp": percent(gain.high),
        "rejected_error_pct": percent(found.rejected_error),
        "overall_error_pct": ratio(whole.n - whole.n_correct, whole.n, 100),
        "rejected_error_enrichment_pp": percent(enriched.value),
        "rejected_error_enrichment_ci_low_pp": percent(enriched.low),
        "rejected_error_enrichment_ci_high_pp": percent(enriched.high),
        "bootstrap_repeats": settings.n_resamples,
        "bootstrap_seed": settings.uplift_seed,
        "matched_random_expected_accuracy_pct": percent(chance.value),
        "matched_random_interval_low_pct": percent(chance.low),
        "matched_random_interval_high_pct": percent(chance.high),
        "comparison": comparison,
        "strata": len(parts),
        "ci_level": settings.level,
        "ci_method": gain.method,
        **labels,
    }
    return {column: values[column] for column in UPLIFT}


def cost_row(
    method: str,
    outputs: int,
    tokens: float | None,
    latency_s: float | None,
    selection: Selection,
) -> dict[str, Value]:
    """What an answer costs, and what it is worth.

    Parameters
    ----------
    method : its name.
    outputs : generations for one question.
    tokens, latency_s : of all of them together, on average; None where not known.
    selection : what is accepted.
    """
    s = selection
    return {
        "method": method,
        "outputs_per_item": outputs,
        "sum_recorded_latency_seconds": latency_s,
        "mean_output_tokens": tokens,
        "coverage_pct": ratio(s.n_accepted, s.n, 100),
        "selective_accuracy_pct": ratio(s.n_accepted_correct, s.n_accepted, 100),
        "n": s.n,
        "accepted_n": s.n_accepted,
        "accepted_correct": s.n_accepted_correct,
    }


__all__ = [
    "AGREEMENT",
    "BY_GROUP",
    "BY_TYPE",
    "COST",
    "CURVE",
    "GATE",
    "UPLIFT",
    "cost_row",
    "gate_row",
    "uplift_row",
]
