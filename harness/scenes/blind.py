"""Judges that may not see: whether side cues alone give the answer of a set away."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness import ids
from harness.errors import DataError
from harness.scenes.blind_rows import BlindRow
from harness.scenes.classify import CLASSIFIERS, accuracies, matrix, shuffles
from harness.types import Issue

if TYPE_CHECKING:
    from numpy.typing import NDArray


_BATCH = 64


@dataclass(frozen=True, kw_only=True, slots=True)
class BlindResult:
    """How well one classifier guessed one target from one family of features.

    Attributes
    ----------
    n : rows.
    majority : share of the more frequent label.
    accuracy : out of fold.
    null_high : the 97.5 % point of the accuracy on rearranged labels (inverted CDF).
    p : share of rearrangements, the true labels included, that reach the accuracy.
    adjusted_p : the same for the greatest standardised accuracy of all results of a report
        (single-step max T; P. Westfall and S. Young, Resampling-Based Multiple Testing, 1993).
    """

    factor: str
    target: str
    family: str
    classifier: str
    n: int
    majority: float
    accuracy: float
    null_high: float
    p: float
    adjusted_p: float


@dataclass(frozen=True, kw_only=True, slots=True)
class BlindReport:
    """All results, and an issue for each leak: `leak`, or `constant` for a label without choice."""

    results: tuple[BlindResult, ...]
    issues: tuple[Issue, ...]
    n_shuffles: int


def blind_report(
    rows: Sequence[BlindRow],
    *,
    seed: int,
    n_shuffles: int = 199,
    folds: int = 5,
    level: float = 0.975,
) -> BlindReport:
    """Let two classifiers guess every target of every factor from every family of features.

    A leak is an accuracy that chance does not reach in any of the report's results together
    (`adjusted_p` at most 1 - level); the 97.5 % point of each result alone stands beside it,
    and one in forty results is above that without any leak.

    Parameters
    ----------
    rows : of `blind_rows.triplet_rows` and `blind_rows.item_rows`; audit and static set in two
        reports.
    seed : decides folds and rearrangements.
    n_shuffles : rearrangements of the labels, at least 1 / (1 - level) - 1, so that an
        adjusted p can be low enough.
    folds : at least 2.
    level : in (0, 1).

    Returns
    -------
    BlindReport
        Results by factor, target, family and classifier. A target with one label has no
        classifier: it gives an issue `constant`, as a constant answer is always right.

    Raises
    ------
    DataError
        For more than two labels, too few rows for the folds, or too few rearrangements.

    Examples
    --------
    >>> rows = [
    ...     BlindRow(
    ...         group=str(k), factor="count", features={"scene": {"objects": k % 2}},
    ...         targets={"letter": "AB"[k % 2]},
    ...     )
    ...     for k in range(20)
    ... ]
    >>> [(issue.code, issue.where) for issue in blind_report(rows, seed=1).issues]
    [('leak', 'count letter scene kernel'), ('leak', 'count letter scene logistic')]
    """
    if not 0 < level < 1 or (1 + n_shuffles) * (1 - level) < 1 - 1e-9:
        raise DataError(
            f"expected a level in (0, 1) and at least 1 / (1 - level) - 1 rearrangements, found "
            f"{level} and {n_shuffles}"
        )
    names, accuracy, issues, majorities = [], [], [], []
    for factor, target in sorted({(row.factor, name) for row in rows for name in row.targets}):
        chosen = [row for row in rows if row.factor == factor and target in row.targets]
        labels = sorted({row.targets[target] for row in chosen})
        if len(labels) > 2:
            raise DataError(f"{factor} {target}: expected two labels, found {labels}")
        if len(labels) == 1:
            message = f"expected two labels, found {labels[0]!r} in all {len(chosen)} rows"
            issues.append(Issue(code="constant", where=f"{factor} {target}", message=message))
            continue
        truth = np.array([row.targets[target] == labels[1] for row in chosen])
        groups = [row.group for row in chosen]
        shuffled = shuffles(truth, groups, n_shuffles, ids.seed(seed, factor))
        for family in sorted({name for row in chosen for name in row.features}):
            features = matrix([row.features.get(family, {}) for row in chosen])
            for classifier, fit in sorted(CLASSIFIERS.items()):
                names.append((factor, target, family, classifier))
                majorities.append((len(chosen), max(truth.mean(), 1 - truth.mean())))
                accuracy.append(
                    np.concatenate(
                        [
                            accuracies(
                                features,
                                shuffled[:, k : k + _BATCH],
                                groups,
                                fit,
                                folds=folds,
                                seed=ids.seed(seed, factor, "folds"),
                            )
                            for k in range(0, 1 + n_shuffles, _BATCH)
                        ]
                    )
                )
    results = tuple(_results(names, majorities, accuracy, level))
    issues += [
        Issue(
            code="leak",
            where=f"{r.factor} {r.target} {r.family} {r.classifier}",
            message=f"expected chance (at most {r.null_high:.3f}), found accuracy "
            f"{r.accuracy:.3f} on {r.n} rows, adjusted p {r.adjusted_p:.3f}",
        )
        for r in results
        if r.adjusted_p <= 1 - level + 1e-12
    ]
    return BlindReport(results=results, issues=tuple(sorted(issues)), n_shuffles=n_shuffles)


def _results(
    names: Sequence[tuple[str, str, str, str]],
    sizes: Sequence[tuple[int, float]],
    accuracy: Sequence[NDArray[np.float64]],
    level: float,
) -> Iterator[BlindResult]:
    if not names:
        return
    table = np.array(accuracy)
    spread = table.std(axis=1, keepdims=True)
    standard = (table - table.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, 1.0)
    most = standard.max(axis=0)
    rank = math.ceil(level * (table.shape[1] - 1)) - 1
    for k, ((factor, target, family, classifier), (n, majority)) in enumerate(
        zip(names, sizes, strict=True)
    ):
        yield BlindResult(
            factor=factor,
            target=target,
            family=family,
            classifier=classifier,
            n=n,
            majority=float(majority),
            accuracy=float(table[k, 0]),
            null_high=float(np.sort(table[k, 1:])[rank]),
            p=float((table[k] >= table[k, 0] - 1e-12).mean()),
            adjusted_p=float((most >= standard[k, 0] - 1e-9).mean()),
        )


__all__ = ["BlindReport", "BlindResult", "BlindRow", "blind_report"]
