"""Do interventions predict an outcome better than static accuracy does, on unseen families?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from harness.interventions.counts import FactorCounts
from harness.interventions.settings import InterventionSettings
from harness.interventions.specificity import outcome_of, outcomes
from harness.table import Table, Value

COLUMNS = (
    *("policy", "factor", "outcome", "predictors", "n_judges", "n_families", "mae_pp", "rmse_pp"),
    *("mae_change_pp", "n_reduced_fits"),
)
MODELS = {"A": 2, "A+PFC+PSC": 4}
_NOTE = (
    "Least squares on the judges of all other families, in exact fractions. A is static accuracy; "
    "where the outcome is the static accuracy itself nothing is predicted. mae_change_pp is "
    "against A alone. A fit whose predictors depend on each other leaves the later ones out and "
    "counts as reduced. A handful of judges: exploratory."
)


def prediction_table(counts: Sequence[FactorCounts], settings: InterventionSettings) -> Table:
    """Leave one family out: U ~ A against U ~ A + PFC + PSC, by factor and size of the pool.

    Parameters
    ----------
    counts : of `factor_counts`; judges without triplets, static items or pools are left out.
    settings : the families of the judges.

    Returns
    -------
    Table
        Mean absolute and root mean squared error in percentage points; no row without pools, and
        none for a factor with fewer than two families.

    References
    ----------
    The protocol's secondary analysis (docs/interventions.md).
    """
    rows: list[dict[str, Value]] = []
    for policy in dict.fromkeys(found.policy for found in counts):
        chosen = [found for found in counts if found.policy == policy]
        for factor in dict.fromkeys(found.factor for found in chosen):
            for outcome in outcomes(chosen):
                if outcome != "static":
                    head = (policy, factor, outcome)
                    rows += _rows(head, [c for c in chosen if c.factor == factor], settings)
    note = _NOTE if rows else f"not computed: lacks pools, or two families of judges. {_NOTE}"
    return Table(name="outcome_prediction", columns=COLUMNS, rows=tuple(rows), note=note)


def _rows(
    head: tuple[str, str, str], judges: Sequence[FactorCounts], settings: InterventionSettings
) -> list[dict[str, Value]]:
    data = []
    for judge in judges:
        found, m, n = outcome_of(judge, head[2]), judge.states, judge.states.n_triplets
        if found is None or not judge.static or not n:
            continue
        features = [
            Fraction(1),
            Fraction(judge.static_correct, len(judge.static)),
            Fraction(m.n_110 + m.n_111, n),
            Fraction(m.n_101 + m.n_111, n),
        ]
        data.append((settings.family(judge.model), features, Fraction(*found)))
    families = list(dict.fromkeys(family for family, _, _ in data))
    if len(families) < 2:
        return []
    rows: list[dict[str, Value]] = []
    baseline: Fraction | None = None
    for name, width in MODELS.items():
        errors, reduced = [], 0
        for family in families:
            train = [(x[:width], y) for f, x, y in data if f != family]
            weights, full = least_squares([x for x, _ in train], [y for _, y in train])
            reduced += not full
            errors += [
                y - sum((w * v for w, v in zip(weights, x[:width], strict=True)), Fraction(0))
                for f, x, y in data
                if f == family
            ]
        mae = sum((abs(e) for e in errors), Fraction(0)) / len(errors)
        mse = sum((e * e for e in errors), Fraction(0)) / len(errors)
        baseline = mae if baseline is None else baseline
        values = (
            *(*head, name, len(data), len(families), float(100 * mae)),
            *(100 * math.sqrt(mse), float(100 * (mae - baseline)), reduced),
        )
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


def least_squares(
    rows: Sequence[Sequence[Fraction]], targets: Sequence[Fraction]
) -> tuple[list[Fraction], bool]:
    """Solve the normal equations exactly.

    Returns
    -------
    (weights, full)
        A weight for each column; 0, and `full` False, for a column that depends on those before
        it.

    Examples
    --------
    >>> rows = [[Fraction(1), Fraction(x)] for x in (0, 1, 2)]
    >>> least_squares(rows, [Fraction(y) for y in (1, 3, 5)])
    ([Fraction(1, 1), Fraction(2, 1)], True)
    """
    width = len(rows[0]) if rows else 0
    table = [
        [
            *(sum((r[i] * r[j] for r in rows), Fraction(0)) for j in range(width)),
            sum((r[i] * y for r, y in zip(rows, targets, strict=True)), Fraction(0)),
        ]
        for i in range(width)
    ]
    pivots = []
    for column in range(width):
        # A Gram matrix's pivot is 0 only where the column depends on those before it.
        if table[column][column] == 0:
            continue
        pivots.append(column)
        pivot = [value / table[column][column] for value in table[column]]
        table[column] = pivot
        for other in range(width):
            if other != column and table[other][column] != 0:
                share = table[other][column]
                table[other] = [a - share * b for a, b in zip(table[other], pivot, strict=True)]
    weights = [table[c][width] if c in pivots else Fraction(0) for c in range(width)]
    return weights, len(pivots) == width


__all__ = ["COLUMNS", "least_squares", "prediction_table"]
