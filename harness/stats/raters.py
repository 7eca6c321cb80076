"""Agreement of raters corrected for chance: Cohen's and Fleiss' kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import chain
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from harness.stats.checks import (
    MOST_COUNT,
    StatisticsError,
    check_count,
    check_same_length,
)

if TYPE_CHECKING:
    pass

Rating: TypeAlias = Hashable


@dataclass(frozen=True, kw_only=True, slots=True)
class Kappa:
    """A kappa with what it is made of: (observed - expected) / (1 - expected) agreement.

    `kappa` is None where the expected agreement is 1 or nothing can be compared; the observed
    agreement is then still given. `n` counts the items, `n_raters` the ratings of each.
    """

    kappa: float | None
    observed_agreement: float | None
    expected_agreement: float | None
    n: int
    n_raters: int


def cohen_kappa(a: Sequence[Rating], b: Sequence[Rating]) -> Kappa:
    """Measure the agreement of two raters, corrected for chance by each one's own shares.

    Parameters
    ----------
    a, b : the labels of the two raters, item by item; strings, numbers, booleans or other
        hashable values, but of one kind, since 1 and "1" would never agree.

    Returns
    -------
    Kappa
        `kappa` in [-1, 1]. None when both raters give one and the same label to all items
        (expected agreement 1) and without items.

    Raises
    ------
    StatisticsError
        `length_mismatch`; `missing_label` for None; `nan_value`; `mixed_labels` for labels of
        several kinds.

    References
    ----------
    J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20 (1960), 37-46. Computed from integers; scikit-learn, which says NaN for 0 / 0,
    would fill a table of labels × labels.

    Examples
    --------
    >>> cohen_kappa(["A", "A", "B", "B"], ["A", "B", "B", "B"]).kappa
    0.5
    """
    check_same_length(a=a, b=b)
    check_labels("a and b", [*a, *b])
    n = len(a)
    if n == 0:
        return Kappa(kappa=None, observed_agreement=None, expected_agreement=None, n=0, n_raters=2)
    agree = sum(x == y for x, y in zip(a, b, strict=True))
    count_a, count_b = Counter(a), Counter(b)
    chance = sum(count * count_b[label] for label, count in count_a.items())
    kappa = (agree * n - chance) / (n * n - chance) if chance < n * n else None
    return Kappa(
        kappa=kappa,
        observed_agreement=agree / n,
        expected_agreement=chance / (n * n),
        n=n,
        n_raters=2,
    )


def fleiss_kappa(table: Sequence[Sequence[int]]) -> Kappa:
    """Measure the agreement of several raters, corrected for chance by the pooled shares.

    Parameters
    ----------
    table : items × categories, how many raters put the item into the category. Each item has
        the same number of ratings; the raters may differ from item to item.

    Returns
    -------
    Kappa
        `kappa` in [-1, 1]. None when all ratings fall into one category (expected agreement
        1), with fewer than two ratings an item, and without items.

    Raises
    ------
    StatisticsError
        `invalid_count` for entries that are no counts; `length_mismatch` for rows of different
        length; `unequal_raters` for items with different numbers of ratings.

    References
    ----------
    J. L. Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin
    76 (1971), 378-382. Computed
    from integers; statsmodels says NaN for 0 / 0.

    Examples
    --------
    >>> round(fleiss_kappa([[2, 1], [1, 2], [3, 0], [0, 3]]).kappa, 12)
    0.333333333333
    """
    rows = [list(row) for row in table]
    counts = chain.from_iterable(rows)
    plain = len(set(map(len, rows))) == 1 and set(map(type, counts)) == {int}
    if not plain or min(map(min, rows)) < 0 or max(map(max, rows)) > MOST_COUNT:
        _check_table(rows)
    raters = list(map(sum, rows))
    for place, found in enumerate(raters):
        if found != raters[0]:
            raise StatisticsError(
                "unequal_raters",
                f"expected {raters[0]} ratings of each item as of item 0, "
                f"found {found} of item {place}",
            )
    n, each = len(rows), raters[0] if raters else 0
    if n == 0 or each == 0:
        return Kappa(
            kappa=None, observed_agreement=None, expected_agreement=None, n=n, n_raters=each
        )
    total = n * each
    chance = sum(sum(column) ** 2 for column in zip(*rows, strict=True))
    pairs = sum(count * count for row in rows for count in row) - total
    kappa = None
    if each > 1 and chance < total * total:
        kappa = (pairs * total - chance * (each - 1)) / ((each - 1) * (total * total - chance))
    return Kappa(
        kappa=kappa,
        observed_agreement=pairs / (total * (each - 1)) if each > 1 else None,
        expected_agreement=chance / (total * total),
        n=n,
        n_raters=each,
    )


def _check_table(rows: list[list[Any]]) -> None:
    """Refuse what is no table of counts, and make integers of numpy's."""
    for place, row in enumerate(rows):
        check_same_length(**{"row 0": rows[0], f"row {place}": row})
        for column, count in enumerate(row):
            row[column] = check_count(f"table[{place}][{column}]", count)


def check_labels(name: str, labels: list[Rating]) -> None:
    """Refuse None, NaN and labels of several kinds."""
    kinds: dict[str, Rating] = {}
    for label in {type(label): label for label in labels}.values():
        if label is None:
            raise StatisticsError("missing_label", f"{name}: expected a label, found None")
        kinds.setdefault(_kind(label), label)
    for label in labels:
        if label != label:
            raise StatisticsError("nan_value", f"{name}: expected labels, found {label!r}")
    if len(kinds) > 1:
        found = ", ".join(f"{label!r} ({kind})" for kind, label in kinds.items())
        raise StatisticsError("mixed_labels", f"{name}: expected one kind of label, found {found}")


def _kind(label: Any) -> str:
    if isinstance(label, bool | np.bool_):
        return "boolean"
    if isinstance(label, Real):
        return "number"
    return "string" if isinstance(label, str) else type(label).__name__


__all__ = ["Kappa", "Rating", "check_labels", "cohen_kappa", "fleiss_kappa"]
