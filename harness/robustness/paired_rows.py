"""Paired counts as rows of tables, in shares of 1 or in percent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from harness.robustness.counts import PairedCounts
from harness.robustness.settings import TableSettings
from harness.stats.discordant import mcnemar
from harness.stats.multiple import holm
from harness.stats.paired import paired_test
from harness.table import Value, ratio

_INTERVAL, _VARIANT = "percentile", "exact"
_OURS = ("n_unparsed", "n_dropped", "n_unpaired", "alpha", "power", "ci_level", "ci_method")
_FLIPS = ("left_only_correct", "right_only_correct", "mcnemar_exact_p")
_SHARES = (
    *("left", "right", "n", "left_accuracy", "right_accuracy", "accuracy_delta", "delta_ci_low"),
    *("delta_ci_high", *_FLIPS, "answer_agreement"),
)
_OUR_SHARES = ("answer_turnover", "both_correct", "minimum_detectable_effect", *_OURS)
_PERCENT = (
    *("model", "left_condition", "right_condition", "n", "left_accuracy_pct"),
    *("right_accuracy_pct", "delta_pp", "ci_low_pp", "ci_high_pp", *_FLIPS),
    "answer_agreement_pct",
)
_OUR_PERCENT = ("answer_turnover_pct", "both_correct", "minimum_detectable_effect_pp", *_OURS)

DELTAS = (*_SHARES, *_OUR_SHARES)
ROBUSTNESS = (*_SHARES, "model_key", *_OUR_SHARES, "holm_p", "holm_reject", "family_size")
CONTRASTS = (*_PERCENT, *_OUR_PERCENT)
MULTIVIEW = (*_PERCENT, "condition", "prompt_mode", *_OUR_PERCENT)
BUDGETED = ("global_budgeted", "global_plus_quadrants_budgeted")

Unit = Literal[1, 100]
Key = tuple[str, str, str]


def delta_rows(
    counts: Mapping[tuple[str, str], PairedCounts], settings: TableSettings
) -> list[dict[str, Value]]:
    """Rows of `reproduction_paired_deltas` from counts by (left, right)."""
    return [
        _row({"left": a, "right": b}, c, settings, DELTAS, unit=1) for (a, b), c in counts.items()
    ]


def robustness_rows(
    counts: Mapping[Key, PairedCounts], settings: TableSettings
) -> list[dict[str, Value]]:
    """Rows of `robustness_paired` from counts by (model, left, right): one Holm family."""
    size = len(counts)
    p = [mcnemar(c.right_only, c.left_only, _VARIANT) for c in counts.values()]
    family = holm(p, settings.alpha)
    rows = []
    for place, ((model, a, b), c) in enumerate(counts.items()):
        names: dict[str, Value] = {
            "left": a,
            "right": b,
            "model_key": model,
            "family_size": size,
            "holm_p": family.adjusted[place],
            "holm_reject": family.reject[place],
        }
        rows.append(_row(names, c, settings, ROBUSTNESS, unit=1, size=size))
    return rows


def contrast_rows(
    counts: Mapping[Key, PairedCounts], settings: TableSettings
) -> list[dict[str, Value]]:
    """Rows of `control_paired_contrasts` from counts by (model, left, right)."""
    return [
        _row(_names(model, a, b), c, settings, CONTRASTS, unit=100)
        for (model, a, b), c in counts.items()
    ]


def multiview_rows(
    counts: Mapping[Key, PairedCounts], settings: TableSettings
) -> list[dict[str, Value]]:
    """Rows of `multiview_budgeted_paired` from counts by (model, condition, prompt)."""
    rows = []
    for (model, condition, prompt), c in counts.items():
        names = {**_names(model, *BUDGETED), "condition": condition, "prompt_mode": prompt}
        rows.append(_row(names, c, settings, MULTIVIEW, unit=100))
    return rows


def _names(model: str, left: str, right: str) -> dict[str, Value]:
    return {"model": model, "left_condition": left, "right_condition": right}


def _row(
    names: Mapping[str, Value],
    counts: PairedCounts,
    settings: TableSettings,
    columns: tuple[str, ...],
    *,
    unit: Unit,
    size: int = 1,
) -> dict[str, Value]:
    """One comparison; its smallest detectable effect is at alpha / `size`."""
    n, c = counts.n, counts
    test = paired_test(
        c.right_only,
        c.left_only,
        n,
        level=settings.level,
        interval=_INTERVAL,
        variant=_VARIANT,
        alpha=settings.alpha / size,
        power=settings.power,
    )
    bounds = [
        None if end is None else unit * end for end in (test.difference.low, test.difference.high)
    ]
    values: dict[str, Value] = {
        "n": n,
        "left_only_correct": c.left_only,
        "right_only_correct": c.right_only,
        "mcnemar_exact_p": test.p,
        "both_correct": c.both_correct,
        "n_unparsed": c.n_unparsed,
        "n_dropped": len(c.dropped),
        "n_unpaired": len(c.unpaired),
        "alpha": settings.alpha,
        "power": settings.power,
        "ci_level": settings.level,
        "ci_method": test.difference.method,
    }
    share, delta, end, tail = (
        ("_pct", "delta_pp", "ci", "_pp") if unit == 100 else ("", "accuracy_delta", "delta_ci", "")
    )
    values |= {
        f"left_accuracy{share}": ratio(c.both_correct + c.left_only, n, unit),
        f"right_accuracy{share}": ratio(c.both_correct + c.right_only, n, unit),
        delta: ratio(c.right_only - c.left_only, n, unit),
        f"{end}_low{tail}": bounds[0],
        f"{end}_high{tail}": bounds[1],
        f"answer_agreement{share}": ratio(c.n_agree, n, unit),
        f"answer_turnover{share}": ratio(n - c.n_agree, n, unit),
        f"minimum_detectable_effect{tail}": None if test.mde is None else unit * test.mde,
        **names,
    }
    return {column: values[column] for column in columns}


__all__ = [
    "BUDGETED",
    "CONTRASTS",
    "DELTAS",
    "MULTIVIEW",
    "ROBUSTNESS",
    "contrast_rows",
    "delta_rows",
    "multiview_rows",
    "robustness_rows",
]
