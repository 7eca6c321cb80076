"""Two conditions joined by example id: the paired table that every comparison starts from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.stats.checks import StatisticsError, check_binary, check_ids

_SHOWN = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedTable:
    """Counts of pairs by which side was right, and every id that made no pair.

    The first digit is the first condition: `n10` counts the pairs with only the first right.
    `difference` is second minus first, None without a pair. `only_a`, `only_b` and `dropped`
    are sorted ids, integers first: seen on one side alone, and excluded on at least one side.
    """

    n_pairs: int
    n11: int
    n10: int
    n01: int
    n00: int
    difference: float | None
    only_a: tuple[str | int, ...]
    only_b: tuple[str | int, ...]
    dropped: tuple[str | int, ...]


def pair(
    a: Iterable[tuple[str | int, bool | None]],
    b: Iterable[tuple[str | int, bool | None]],
    on_unpaired: str,
) -> PairedTable:
    """Join two conditions by example id and count who was right.

    Parameters
    ----------
    a, b : (id, correct) of each example under the first and the second condition, in any
        order. An id is a text or an integer; `correct` is a bool (a row under review is
        False), or None for a row that is excluded from accuracy.
    on_unpaired : "error" refuses ids that only one side has, "report" lists them.

    Returns
    -------
    PairedTable
        A pair that either side excludes is dropped and listed. Without a pair all counts are
        0 and the difference is None.

    Raises
    ------
    StatisticsError
        `duplicate_id`, `missing_id` and `invalid_id` under either policy, `not_binary`,
        `unpaired_ids` (the message names the first few), `unknown_policy`.

    References
    ----------
    Q. McNemar, "Note on the sampling error of the difference between correlated proportions
    or percentages", Psychometrika 12 (1947), 153-157.

    Examples
    --------
    >>> found = pair([("q1", True), ("q2", None)], [("q2", True), ("q1", False)], "error")
    >>> found.n10, found.difference, found.dropped
    (1, -1.0, ('q2',))
    """
    if not isinstance(on_unpaired, str) or on_unpaired not in ("error", "report"):
        raise StatisticsError(
            "unknown_policy", f"on_unpaired: expected error or report, found {on_unpaired!r}"
        )
    left, right = _by_id("a", a), _by_id("b", b)
    only_a = _ordered(left.keys() - right.keys())
    only_b = _ordered(right.keys() - left.keys())
    if on_unpaired == "error" and (only_a or only_b):
        raise StatisticsError(
            "unpaired_ids",
            f"expected the same ids on both sides, found {len(only_a)} only in a "
            f"{_first(only_a)} and {len(only_b)} only in b {_first(only_b)}",
        )
    counts = {(first, second): 0 for first in (True, False) for second in (True, False)}
    dropped = []
    for name, first in left.items():
        if name not in right:
            continue
        second = right[name]
        if first is None or second is None:
            dropped.append(name)
        else:
            counts[first, second] += 1
    n_pairs = sum(counts.values())
    gained, lost = counts[False, True], counts[True, False]
    return PairedTable(
        n_pairs=n_pairs,
        n11=counts[True, True],
        n10=lost,
        n01=gained,
        n00=counts[False, False],
        difference=(gained - lost) / n_pairs if n_pairs else None,
        only_a=only_a,
        only_b=only_b,
        dropped=_ordered(dropped),
    )


def _by_id(
    name: str, rows: Iterable[tuple[str | int, bool | None]]
) -> dict[str | int, bool | None]:
    listed = list(rows)
    check_ids(name, [row[0] for row in listed])
    for given, correct in listed:
        if correct is not None:
            check_binary(f"{name} {given!r}", correct)
    return {given: None if correct is None else bool(correct) for given, correct in listed}


def _ordered(ids: Iterable[str | int]) -> tuple[str | int, ...]:
    return tuple(sorted(ids, key=lambda given: (isinstance(given, str), given)))


def _first(ids: tuple[str | int, ...]) -> str:
    shown = ", ".join(map(repr, ids[:_SHOWN]))
    return f"({shown}{', …' if len(ids) > _SHOWN else ''})"


__all__ = ["PairedTable", "pair"]
