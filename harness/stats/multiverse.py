"""Outcomes of several models under several specifications, on the same examples.

A specification is one choice of every factor that a study could have chosen otherwise: parser,
prompt, composition of the data, budget. Together they are the multiverse of the study.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import StatisticsError, check_same_length, check_unique
from harness.stats.estimate import Estimate
from harness.stats.proportion import wilson

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Specification = Mapping[str, Hashable]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class ModelOutcomes:
    """Checked outcomes of all models under all specifications; `model_outcomes` makes it.

    `correct` is 0 or 1, shape (specifications, models, examples), and 0 where `kept`, shape
    (specifications, examples), is false: an example counts in a specification only if it
    counts for every model there, so that models are compared on the same examples.
    """

    specifications: tuple[Specification, ...]
    models: tuple[str, ...]
    correct: NDArray[np.uint8]
    kept: NDArray[np.bool_]

    def position(self, specification: Specification) -> int:
        """Place of a specification among all (`unknown_specification`)."""
        for place, known in enumerate(self.specifications):
            if dict(known) == dict(specification):
                return place
        raise StatisticsError(
            "unknown_specification",
            f"expected one of {len(self.specifications)} specifications, found "
            f"{dict(specification)!r}",
        )

    def single_factor_pairs(self) -> dict[str, list[tuple[int, int]]]:
        """For each factor the pairs of specifications that differ in it and in nothing else."""
        factors = list(self.specifications[0]) if self.specifications else []
        pairs: dict[str, list[tuple[int, int]]] = {factor: [] for factor in factors}
        for (i, a), (j, b) in combinations(enumerate(self.specifications), 2):
            differing = [factor for factor in factors if a[factor] != b[factor]]
            if len(differing) == 1:
                pairs[differing[0]].append((i, j))
        return pairs


def model_outcomes(
    correct: ArrayLike,
    *,
    excluded: ArrayLike | None,
    models: Sequence[str],
    specifications: Sequence[Specification],
) -> ModelOutcomes:
    """Check outcomes and drop, in each specification, the examples excluded for any model.

    Parameters
    ----------
    correct : 0 or 1, shape (specifications, models, examples); examples in one order for all.
    excluded : true where an outcome does not count, same shape; None where all count.
    models : unique names.
    specifications : unique mappings of factor to level, all with the same factors.

    Returns
    -------
    ModelOutcomes
        With 0 examples every ranking is undefined.

    Raises
    ------
    StatisticsError
        `length_mismatch` (ragged data, labels that do not fit), `nan_value`, `not_binary`,
        `duplicate_id`, `missing_factor`.

    References
    ----------
    S. Steegen et al., "Increasing transparency through a multiverse analysis", Perspect.
    Psychol. Sci. 11 (2016).

    Examples
    --------
    >>> outcomes = model_outcomes(
    ...     [[[1, 1, 0], [1, 0, 0]], [[0, 1, 0], [1, 1, 0]]],
    ...     excluded=None,
    ...     models=["a", "b"],
    ...     specifications=[{"parser": "strict"}, {"parser": "lenient"}],
    ... )
    >>> outcomes.correct.sum(axis=2).tolist()
    [[2, 1], [1, 2]]
    """
    values = _array("correct", correct)
    left_out = np.zeros(values.shape, bool) if excluded is None else _array("excluded", excluded)
    check_same_length(models=models, correct=range(values.shape[1]))
    check_same_length(specifications=specifications, correct=range(values.shape[0]))
    if left_out.shape != values.shape:
        raise StatisticsError(
            "length_mismatch",
            f"excluded: expected the shape of correct, {values.shape}, found {left_out.shape}",
        )
    check_unique("models", models)
    check_unique("specifications", (tuple(sorted(s.items(), key=str)) for s in specifications))
    for place, specification in enumerate(specifications):
        if set(specification) != set(specifications[0]):
            raise StatisticsError(
                "missing_factor",
                f"specifications[{place}]: expected the factors {sorted(specifications[0])}, "
                f"found {sorted(specification)}",
            )
    kept = ~np.any(left_out.astype(bool), axis=1, keepdims=True)
    return ModelOutcomes(
        specifications=tuple(dict(specification) for specification in specifications),
        models=tuple(models),
        correct=(values.astype(bool) & kept).astype(np.uint8),
        kept=kept[:, 0],
    )


def specification_curve(outcomes: ModelOutcomes, level: float) -> tuple[tuple[Estimate, ...], ...]:
    """Give every model's accuracy under every specification, with its Wilson interval.

    Parameters
    ----------
    outcomes : from `model_outcomes`.
    level : confidence level of each interval alone, strictly between 0 and 1.

    Returns
    -------
    tuple of tuples of Estimate
        One row per specification, one estimate per model, in the order of `outcomes`. A
        specification that kept no example has no value and the whole range.

    Raises
    ------
    StatisticsError
        `invalid_level`.

    References
    ----------
    U. Simonsohn, J. P. Simmons and L. D. Nelson, "Specification curve analysis", Nature Human
    Behaviour 4 (2020), 1208-1214.

    Examples
    --------
    >>> outcomes = model_outcomes([[[1, 1, 0]]], excluded=None, models=["a"], specifications=[{}])
    >>> specification_curve(outcomes, 0.95)[0][0].n
    3
    """
    n_kept = outcomes.kept.sum(axis=1).tolist()
    counts = outcomes.correct.sum(axis=2, dtype=int).tolist()
    return tuple(
        tuple(wilson(k, n, level) for k in row) for row, n in zip(counts, n_kept, strict=True)
    )


def _array(name: str, given: ArrayLike) -> NDArray[np.generic]:
    """A three-dimensional array of 0 and 1."""
    try:
        values = np.asarray(given)
    except ValueError:
        values = np.empty(0)
    if values.ndim != 3:
        raise StatisticsError(
            "length_mismatch",
            f"{name}: expected equal lengths over specifications, models and examples, found "
            f"{'ragged data' if values.shape == (0,) else f'shape {values.shape}'}",
        )
    if values.dtype.kind == "O" and any(value is None for value in values.flat):
        raise StatisticsError("nan_value", f"{name}: expected 0 or 1, found None")
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise StatisticsError("nan_value", f"{name}: expected 0 or 1, found NaN")
    if values.dtype.kind not in "biuf" or not np.isin(values, (0, 1)).all():
        raise StatisticsError(
            "not_binary", f"{name}: expected only 0 and 1, found other values ({values.dtype})"
        )
    return values


__all__ = ["ModelOutcomes", "Specification", "model_outcomes", "specification_curve"]
