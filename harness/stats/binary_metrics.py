"""Metrics of yes/no questions from their confusion counts, as POPE defines them."""

from __future__ import annotations

from harness.stats.checks import check_count


def pope_metrics(
    tp: int, fp: int, tn: int, fn: int, n_unparsed_yes: int, n_unparsed_no: int
) -> dict[str, float | int | None]:
    """Compute POPE's metrics; an answer that could not be read is wrong and never a "yes".

    Parameters
    ----------
    tp, fn : rows whose gold is yes, answered yes and no.
    tn, fp : rows whose gold is no, answered no and yes.
    n_unparsed_yes, n_unparsed_no : rows whose gold is yes (no) without a readable answer.

    Returns
    -------
    dict
        `n` (all rows), the six counts, and as fractions: `accuracy`; `precision` over the
        predicted yes; `recall` over all rows whose gold is yes, unparsed ones included; `f1`
        = 2 tp / (2 tp + fp + fn + n_unparsed_yes); `yes_ratio` = predicted yes / n;
        `parse_rate`. None wherever the denominator is 0.

    Raises
    ------
    StatisticsError
        `invalid_count` for a count that is negative or no integer; it is a ValueError too.

    References
    ----------
    Y. Li et al., "Evaluating Object Hallucination in Large Vision-Language Models" (2023).

    Examples
    --------
    >>> pope_metrics(1, 0, 1, 0, 0, 0)["f1"]
    1.0
    """
    counts = {
        "tp": tp, "fp": fp, "tn": tn, "fn": fn,
        "n_unparsed_yes": n_unparsed_yes, "n_unparsed_no": n_unparsed_no,
    }  # fmt: skip
    counts = {name: check_count(f"pope_metrics: {name}", count) for name, count in counts.items()}
    tp, fp, tn, fn, n_unparsed_yes, _ = counts.values()
    n = sum(counts.values())
    missed = fn + n_unparsed_yes
    return {
        "n": n,
        **counts,
        "accuracy": _share(tp + tn, n),
        "precision": _share(tp, tp + fp),
        "recall": _share(tp, tp + missed),
        "f1": _share(2 * tp, 2 * tp + fp + missed),
        "yes_ratio": _share(tp + fp, n),
        "parse_rate": _share(tp + fp + tn + fn, n),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


__all__ = ["pope_metrics"]
