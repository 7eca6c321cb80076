"""What a complete cell amounts to: its metrics, its aggregate row, its rows as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from harness.stats.binary_metrics import pope_metrics
from harness.types import OUTCOMES, CellResult, Example, Score

if TYPE_CHECKING:
    import pandas as pd

_DIGITS = 12


def cell_metrics(
    examples: Sequence[Example], scores: Sequence[Score]
) -> dict[str, float | int | None]:
    """Compute the metrics of a cell from its scores.

    Parameters
    ----------
    examples, scores : aligned, one score per example and replicate (an example with several
        replicates stands several times).

    Returns
    -------
    dict
        `accuracy` and `parse_rate` over the counted rows, as fractions; `accuracy[TAG]` for
        each tag of the examples, sorted; and POPE's metrics without its `n` when every
        example is a yes/no question. None where no row is counted.

    Raises
    ------
    ValueError
        When the two sequences are not aligned by example id.
    """
    if [e.id for e in examples] != [s.example_id for s in scores]:
        raise ValueError(
            f"cell_metrics: expected scores aligned with the examples by id, found "
            f"{len(examples)} examples and {len(scores)} scores in another order or of other ids"
        )
    counted = [(e, s) for e, s in zip(examples, scores, strict=True) if s.counted]
    metrics: dict[str, float | int | None] = {
        "accuracy": _share([s.correct for _, s in counted]),
        "parse_rate": _share([s.outcome == "answered" for _, s in counted]),
    }
    for tag in sorted({tag for e in examples for tag in e.tags}):
        metrics[f"accuracy[{tag}]"] = _share([s.correct for e, s in counted if tag in e.tags])
    if examples and all(e.kind == "yesno" for e in examples):
        metrics |= _yes_no([s for _, s in counted])
    return metrics


def table(result: CellResult) -> dict[str, Any]:
    """Give the aggregate row of a cell, as golden files pin it.

    Parameters
    ----------
    result : a complete cell.

    Returns
    -------
    dict
        JSON values: n rows, n_counted, n_correct, the count of every outcome, and the metrics
        rounded to 12 significant digits, so that a last bit does not break a golden file.
    """
    return {
        "n": len(result.scores),
        "n_counted": result.n_counted,
        "n_correct": result.n_correct,
        "outcomes": {outcome: result.counts[outcome] for outcome in OUTCOMES},
        "metrics": {
            name: float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
            for name, value in sorted(result.metrics.items())
        },
    }


def frame(results: Sequence[CellResult]) -> pd.DataFrame:
    """Lay out the scores of many cells as one table.

    Parameters
    ----------
    results : cells of any kind, in any number.

    Returns
    -------
    DataFrame
        One row per response, in the order of the cells and of their examples; the columns
        are there even when no row is. `value` is None where no answer was read.
    """
    import pandas as pd

    rows = [
        (
            *(r.cell.id, r.key, r.cell.experiment, r.cell.tier, r.cell.data, r.cell.model.name),
            *(r.cell.view.name, r.cell.prompt.name, r.cell.variant),
            *(s.example_id, s.replicate, s.group, s.role, s.gold),
            *(s.answer.value, s.answer.rule, s.outcome, s.correct, s.counted),
        )
        for r in results
        for s in r.scores
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


_COLUMNS = (
    *("cell", "key", "experiment", "tier", "data", "model", "view", "prompt", "variant"),
    *("example_id", "replicate", "group", "role", "gold"),
    *("value", "rule", "outcome", "correct", "counted"),
)


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def _yes_no(scores: Sequence[Score]) -> dict[str, float | int | None]:
    count = {(gold, said): 0 for gold in ("yes", "no") for said in ("yes", "no", None)}
    for score in scores:
        count[score.gold, score.answer.value if score.outcome == "answered" else None] += 1
    metrics = pope_metrics(
        tp=count["yes", "yes"],
        fp=count["no", "yes"],
        tn=count["no", "no"],
        fn=count["yes", "no"],
        n_unparsed_yes=count["yes", None],
        n_unparsed_no=count["no", None],
    )
    del metrics["n"]
    return metrics


__all__ = ["cell_metrics", "frame", "table"]
