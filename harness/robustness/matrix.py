"""Counts of single cells as rows: the whole matrix, models, domains, controls, views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.robustness.archive import Condition, Row, StudyCell
from harness.robustness.counts import CellCounts, PairedCounts
from harness.robustness.settings import TableSettings
from harness.stats.paired import paired_difference
from harness.stats.ratios import ratio_interval
from harness.table import Value, percent, ratio

MATRIX = (
    *("phase", "model_key", "condition", "prompt_mode", "image_mode", "n", "unique_rows"),
    *("errors", "manual_review", "accuracy", "part", "valid_n", "correct", "accuracy_valid"),
    *("review_valid", "resource_errors", "runtime_errors", "n_review", "n_truncated", "n_refused"),
)
MODELS = (
    *("model_key", "model_id", "n", "accuracy", "parse_rate", "manual_review_rate"),
    *("latency_seconds_mean", "output_tokens_mean", "accuracy_ci_low", "accuracy_ci_high"),
    *("valid_n", "errors", "ci_level", "ci_method"),
)
CONTROL_SUMMARY = (
    *("model", "condition", "n", "valid_n", "errors", "accuracy_pct", "parse_pct", "correct"),
)
VIEWS = (
    *("model", "condition", "prompt_mode", "image_mode", "n", "valid_n", "errors"),
    *("accuracy_pct", "mean_output_tokens", "mean_latency_seconds", "max_peak_memory_gb"),
    "correct",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What was measured beside the answers and differs between equal runs."""

    mean_latency_s: float | None = None
    max_peak_memory_gb: float | None = None


def measured_of(cell: StudyCell) -> Measured | None:
    """Seconds for a response and memory in GB (10⁹ bytes), from all sessions of a cell."""
    spent = cell.measured
    if spent is None:
        return None
    gib = spent.peak_memory_gib
    return Measured(
        mean_latency_s=spent.seconds_per_response,
        max_peak_memory_gb=None if gib is None else gib * 2**30 / 1e9,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Unread:
    """Why rows that did not fail have no answer: for review, cut off, or refused."""

    n_review: int
    n_truncated: int
    n_refused: int


def count_unread(rows: Iterable[Row]) -> Unread:
    """Count the rows of a cell by why no answer was read; answered and failed ones are none."""
    found = Counter(row.outcome for row in rows)
    return Unread(
        n_review=found["review"], n_truncated=found["truncated"], n_refused=found["refused"]
    )


def matrix_row(
    condition: Condition, counts: CellCounts, part: str = "", unread: Unread | None = None
) -> dict[str, Value]:
    """A row of `full_group_matrix`; without `unread`, as published, its three columns are None."""
    return {
        "phase": condition.phase,
        "model_key": condition.model,
        "condition": condition.condition,
        "prompt_mode": condition.prompt_mode,
        "image_mode": condition.image_mode,
        "n": counts.n,
        "unique_rows": counts.n_unique,
        "errors": counts.n_errors,
        "manual_review": counts.n_unread,
        "accuracy": ratio(counts.n_correct, counts.n),
        "part": part,
        "valid_n": counts.n_valid,
        "correct": counts.n_correct,
        "accuracy_valid": ratio(counts.n_correct, counts.n_valid),
        "review_valid": counts.n_unread - counts.n_errors,
        "resource_errors": counts.n_resource_error,
        "runtime_errors": counts.n_errors - counts.n_resource_error,
        "n_review": unread.n_review if unread else None,
        "n_truncated": unread.n_truncated if unread else None,
        "n_refused": unread.n_refused if unread else None,
    }


def model_row(
    name: str,
    model_id: str,
    counts: CellCounts,
    settings: TableSettings,
    measured: Measured | None = None,
) -> dict[str, Value]:
    """A row of `reproduction_models`; failed rows leave accuracy, parse rate and review rate."""
    valid = counts.n_valid
    found = ratio_interval(counts.n_correct, valid, valid, settings.level)
    return {
        "model_key": name,
        "model_id": model_id,
        "n": counts.n,
        "accuracy": ratio(counts.n_correct, valid),
        "parse_rate": ratio(counts.n_parsed, valid),
        "manual_review_rate": ratio(counts.n_unread - counts.n_errors, valid),
        "latency_seconds_mean": measured.mean_latency_s if measured else None,
        "output_tokens_mean": counts.mean_tokens,
        "accuracy_ci_low": found.low,
        "accuracy_ci_high": found.high,
        "valid_n": valid,
        "errors": counts.n_errors,
        "ci_level": settings.level,
        "ci_method": found.method,
    }


def domain_columns(settings: TableSettings) -> tuple[str, ...]:
    """The columns of `reproduction_by_domain`, which hold the names of the models."""
    change = f"{settings.focus}_minus_{settings.models[0]}"
    return (
        *("domain", "n", *(f"{model}_accuracy_pct" for model in settings.models)),
        *(f"{change}_pp", f"{change}_ci_low_pp", f"{change}_ci_high_pp"),
        *(*(f"{model}_valid_n" for model in settings.models), "n_pairs", "ci_level", "ci_method"),
    )


def domain_row(
    domain: str,
    n: int,
    correct: Mapping[str, tuple[int, int]],
    pairs: PairedCounts,
    settings: TableSettings,
) -> dict[str, Value]:
    """A row of `reproduction_by_domain`.

    Parameters
    ----------
    domain, n : its name and its number of questions.
    correct : model → (right, counted).
    pairs : the first model of the settings against the focus.
    settings : see there.
    """
    found = paired_difference(
        pairs.right_only, pairs.left_only, pairs.n, settings.level, "percentile"
    )
    shares = [ratio(*correct[model], 100) for model in settings.models]
    change = ratio(pairs.right_only - pairs.left_only, pairs.n, 100)
    values: list[Value] = [domain, n, *shares, change, percent(found.low), percent(found.high)]
    values += [correct[model][1] for model in settings.models]
    values += [pairs.n, settings.level, found.method]
    return dict(zip(domain_columns(settings), values, strict=True))


def control_row(model: str, condition: str, counts: CellCounts) -> dict[str, Value]:
    """A row of `control_condition_summary`."""
    return {
        "model": model,
        "condition": condition,
        "n": counts.n,
        "valid_n": counts.n_valid,
        "errors": counts.n_errors,
        "accuracy_pct": ratio(counts.n_correct, counts.n_valid, 100),
        "parse_pct": ratio(counts.n_parsed, counts.n_valid, 100),
        "correct": counts.n_correct,
    }


def view_row(
    condition: Condition, counts: CellCounts, measured: Measured | None = None
) -> dict[str, Value]:
    """A row of `multiview_budgeted_summary`."""
    return {
        "model": condition.model,
        "condition": condition.condition,
        "prompt_mode": condition.prompt_mode,
        "image_mode": condition.image_mode,
        "n": counts.n,
        "valid_n": counts.n_valid,
        "errors": counts.n_errors,
        "accuracy_pct": ratio(counts.n_correct, counts.n_valid, 100),
        "mean_output_tokens": counts.mean_tokens,
        "mean_latency_seconds": measured.mean_latency_s if measured else None,
        "max_peak_memory_gb": measured.max_peak_memory_gb if measured else None,
        "correct": counts.n_correct,
    }


__all__ = [
    "CONTROL_SUMMARY",
    "MATRIX",
    "MODELS",
    "VIEWS",
    "Measured",
    "Unread",
    "control_row",
    "count_unread",
    "domain_columns",
    "domain_row",
    "matrix_row",
    "measured_of",
    "model_row",
    "view_row",
]
