"""How many candidates are duplicates, by cosine: precision of each bucket, with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.audit.pairs import Candidate, Label
from harness.errors import DataError
from harness.stats.proportion import wilson
from harness.table import Table, Value

EDGES = (0.95, 0.90, 0.87, 0.85)
LEVEL = 0.95
COLUMNS = (
    *("bucket", "low", "high", "candidates", "duplicates", "neighbours", "undecided"),
    *("precision", "precision_low", "precision_high"),
)
_ABOVE_ONE = 1e-6


@dataclass(frozen=True)
class Unit:
    """A training row and an evaluation set: what the published counts count.

    Parameters
    ----------
    row, eval_set : number of the row, name of the set.
    cosine : of the nearest item of the set; None where stage 1 alone found the row.
    duplicate : True if any judged pair of the two is a duplicate; else None if any is
        undecided; else False.
    """

    row: int
    eval_set: str
    cosine: float | None
    duplicate: bool | None


def units(labelled: Iterable[tuple[Candidate, Label | None]]) -> tuple[Unit, ...]:
    """Bring judged pairs together, by row and evaluation set.

    Parameters
    ----------
    labelled : candidate pairs, each once, with the label of the majority.

    Returns
    -------
    tuple of Unit
        In the order of rows and sets. Of several pairs the nearest gives the cosine, so the sums
        of a bucket table are those of the counts per evaluation set.

    Examples
    --------
    >>> units([(Candidate(4, "mini", 0, cosine=0.91), "neighbour"),
    ...        (Candidate(4, "mini", 7, cosine=0.88), "duplicate")])
    (Unit(row=4, eval_set='mini', cosine=0.91, duplicate=True),)
    """
    groups: dict[tuple[int, str], list[tuple[Candidate, Label | None]]] = {}
    for candidate, label in labelled:
        groups.setdefault((candidate.row, candidate.eval_set), []).append((candidate, label))
    made = []
    for (row, eval_set), pairs in sorted(groups.items()):
        labels = {label for _, label in pairs}
        cosines = [one.cosine for one, _ in pairs if one.cosine is not None]
        duplicate = True if "duplicate" in labels else None if None in labels else False
        made.append(Unit(row, eval_set, max(cosines, default=None), duplicate))
    return tuple(made)


def scaled_edges(threshold: float) -> tuple[float, ...]:
    """Bucket edges for an embedder with another threshold, in the published proportions.

    Parameters
    ----------
    threshold : of stage 2, in (-1, 1).

    Returns
    -------
    tuple of float
        Descending: at 1/3, 2/3 and 13/15 of the way from 1 to the threshold, to three decimals,
        and the threshold itself. Edges that rounding makes equal are one.

    Raises
    ------
    DataError
        For a threshold outside (-1, 1).

    Examples
    --------
    >>> scaled_edges(0.85), scaled_edges(0.6)
    ((0.95, 0.9, 0.87, 0.85), (0.867, 0.733, 0.653, 0.6))
    """
    if not -1.0 < threshold < 1.0:
        raise DataError(f"threshold: expected a cosine in (-1, 1), found {threshold}")
    way = 1 - Fraction(repr(threshold))
    inner = {float(round(1 - way * share, 3)) for share in map(Fraction, ("1/3", "2/3", "13/15"))}
    return (*sorted((edge for edge in inner if threshold < edge < 1), reverse=True), threshold)


def bucket_table(
    rows: Iterable[tuple[float | None, bool | None]],
    edges: Sequence[float] = EDGES,
    level: float = LEVEL,
) -> Table:
    """Count duplicates among candidates by cosine.

    Parameters
    ----------
    rows : of each candidate the cosine, None where stage 1 alone found it, and whether it is a
        duplicate, None where the judges left it undecided. Take `units` for the published unit.
    edges : lower ends of the buckets, strictly descending, in [-1, 1]; each bucket holds its
        lower end and not its upper one, the first one 1 as well.
    level : of the intervals.

    Returns
    -------
    Table
        A line for each bucket, even an empty one; one for candidates below the last edge and one
        for candidates of stage 1 alone, where there are any; and all together. Precision is
        duplicates over decided candidates, None where there is none.

    Raises
    ------
    DataError
        For edges that do not descend, and a cosine that is not finite or beyond [-1, 1] by more
        than 1e-6.

    References
    ----------
    E. B. Wilson 1927. Physics-R1 (2026) prints three of the four default buckets.

    Examples
    --------
    >>> table = bucket_table([(0.97, True), (0.86, False), (0.86, None), (None, True)])
    >>> [(row["bucket"], row["candidates"], row["precision"]) for row in table.rows][:2]
    [('[0.95, 1]', 1, 1.0), ('[0.9, 0.95)', 0, None)]
    >>> [row["bucket"] for row in table.rows][-2:]
    ['stage 1 only', 'all']
    """
    ends = (math.inf, *edges, -math.inf)
    if (
        not edges
        or any(not high > low for high, low in zip(ends, edges, strict=False))
        or not (edges[-1] >= -1 and edges[0] <= 1)
    ):
        raise DataError(
            f"edges: expected cosines in [-1, 1] in falling order, found {tuple(edges)}"
        )
    counts = [[0, 0, 0] for _ in range(len(edges) + 2)]
    for cosine, duplicate in rows:
        if cosine is None:
            place = len(edges) + 1
        elif not abs(cosine) <= 1 + _ABOVE_ONE:
            raise DataError(f"candidate: expected a cosine in [-1, 1], found {cosine}")
        else:
            place = next(k for k, low in enumerate(ends[1:]) if cosine >= low)
        counts[place][_kind(duplicate)] += 1
    return _table(edges, counts, level)


def counted_table(
    counts: Sequence[tuple[int, int]], edges: Sequence[float] = EDGES, level: float = LEVEL
) -> Table:
    """The same table from published counts: duplicates and candidates of each bucket.

    Raises
    ------
    DataError
        For another number of counts than of edges, or more duplicates than candidates.

    Examples
    --------
    >>> table = counted_table([(17, 17)], [0.95])
    >>> round(100 * table.rows[0]["precision_low"], 1)
    81.6
    """
    if len(counts) != len(edges) or any(not 0 <= part <= whole for part, whole in counts):
        raise DataError(
            f"counts: expected duplicates and candidates of {len(edges)} buckets, found {counts}"
        )
    filled = [[part, whole - part, 0] for part, whole in counts]
    return _table(edges, [*filled, [0, 0, 0], [0, 0, 0]], level)


def _table(edges: Sequence[float], counts: Sequence[Sequence[int]], level: float) -> Table:
    lows: list[float | None] = [*edges, None, None]
    highs: list[float | None] = [1.0, *edges, None]
    names = [f"[{low:g}, {high:g})" for low, high in zip(edges, (1.0, *edges), strict=False)]
    names[0] = f"[{edges[0]:g}, 1]"
    names += [f"below {edges[-1]:g}", "stage 1 only"]
    lines = [
        _line(name, low, high, count, level)
        for place, (name, low, high, count) in enumerate(
            zip(names, lows, highs, counts, strict=True)
        )
        if place < len(edges) or any(count)
    ]
    together: list[int] = [sum(column) for column in zip(*counts, strict=True)]
    lines.append(_line("all", None, None, together, level))
    note = (
        f"Duplicates over decided candidates, {100 * level:g} % Wilson intervals; "
        f"{together[2]} undecided candidate(s) stand apart and in no precision."
    )
    return Table(name="cosine_buckets", columns=COLUMNS, rows=tuple(lines), note=note)


def _line(
    name: str, low: float | None, high: float | None, count: Sequence[int], level: float
) -> dict[str, Value]:
    share = wilson(count[0], count[0] + count[1], level)
    values = (name, low, high, sum(count), *count, share.value, share.low, share.high)
    return dict(zip(COLUMNS, values, strict=True))


def _kind(duplicate: bool | None) -> int:
    return 2 if duplicate is None else 0 if duplicate else 1


__all__ = [
    *("COLUMNS", "EDGES", "LEVEL", "Unit", "bucket_table", "counted_table", "scaled_edges"),
    "units",
]
