"""Duplicates that the cosine threshold leaves in: a judged sample from below it, by strata."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from harness import ids
from harness.audit.pairs import Near
from harness.audit.stratified import most_in_total
from harness.errors import DataError
from harness.stats.levels import tail_share
from harness.table import Table, Value

WIDTH = 0.01
LEVEL = 0.95
COLUMNS = (
    *("stratum", "low", "high", "population", "judged", "duplicates", "undecided"),
    *("missed", "missed_low", "missed_high"),
)
METHOD = (
    "of a stratum alone, exact hypergeometric limits; of the total, Chernoff's bound for the "
    "stratified estimate, under the distribution over the strata that is worst; undecided rows "
    "count as neighbours in the lower limit and as duplicates in the upper"
)


@dataclass(frozen=True)
class Stratum:
    """Rows whose nearest item of a set has a cosine in [low, high), and those drawn.

    Parameters
    ----------
    low, high : cosines.
    population : rows times sets in it.
    drawn : of them, in the order of rows and sets.
    """

    low: float
    high: float
    population: int
    drawn: tuple[Near, ...]


@dataclass(frozen=True)
class Counted:
    """What the judges found in a stratum's sample.

    Parameters
    ----------
    low, high : cosines.
    population : rows times sets in the stratum.
    judged : of them shown to the judges, `undecided` ones included.
    duplicates, undecided : among the judged.
    """

    low: float
    high: float
    population: int
    judged: int
    duplicates: int
    undecided: int = 0

    def __post_init__(self) -> None:
        counts = self.population, self.judged, self.duplicates, self.undecided
        if any(type(count) is not int or count < 0 for count in counts) or not (
            self.duplicates + self.undecided <= self.judged <= self.population
        ):
            raise DataError(
                f"stratum [{self.low:g}, {self.high:g}): expected duplicates + undecided <= "
                f"judged <= population, found {self}"
            )


@dataclass(frozen=True)
class Missed:
    """Duplicates below the threshold, estimated.

    Parameters
    ----------
    value : None where a stratum with rows has no decided one.
    low, high : whole numbers; the true count lies between them at `level` at least.
    population, judged : all strata together.
    level, method : of the interval.
    table : by stratum, and all together.
    """

    value: float | None
    low: int
    high: int
    population: int
    judged: int
    level: float
    method: str
    table: Table

    def recall(self, found: int) -> tuple[float | None, float, float]:
        """Share of all duplicates from the floor of the band on that the audit found.

        Parameters
        ----------
        found : duplicates at or above the threshold, taken as known.

        Returns
        -------
        value, low, high
            1 where neither side has a duplicate; duplicates below the band stay unknown.
        """

        def share(missed: float) -> float:
            return found / (found + missed) if found + missed else 1.0

        value = None if self.value is None else share(self.value)
        return value, share(self.high), share(self.low)


def draw_sample(
    near: Iterable[Near],
    per_stratum: int,
    seed: int,
    *,
    floor: float,
    threshold: float,
    exclude: Collection[tuple[int, str]] = (),
) -> tuple[Stratum, ...]:
    """Draw rows from the band below the threshold, without replacement, from strata of 0.01.

    Parameters
    ----------
    near : pairs at or above the floor, in any order. A row and set count once, by their nearest
        item, and not at all if that lies at or above the threshold: they are candidates.
    per_stratum : rows to draw from each, at least 0; a smaller stratum is drawn whole.
    seed : any whole number; equal ones draw equal rows, however the rows were sharded.
    floor, threshold : the band, -1 <= floor <= threshold <= 1.
    exclude : rows and sets that stage 1 found: they are candidates too.

    Returns
    -------
    tuple of Stratum
        From the threshold down; the last one is narrower where the band is no multiple of 0.01.
        Empty for an empty band (floor = threshold).

    Raises
    ------
    DataError
        For a band out of order, or a negative number.

    Notes
    -----
    Each row and set gets a number from SHA-256 over seed, row and set; the lowest are drawn.

    Examples
    --------
    >>> near = [Near(row, "mini", 0, 1, 0.84) for row in range(50)]
    >>> top, = draw_sample(near, 3, 7, floor=0.84, threshold=0.85)
    >>> top.population, [one.row for one in top.drawn]
    (50, [15, 27, 47])
    """
    if not -1 <= floor <= threshold <= 1 or per_stratum < 0:
        raise DataError(
            "sample: expected -1 <= floor <= threshold <= 1 and at least 0 rows a stratum, found "
            f"[{floor}, {threshold}) and {per_stratum}"
        )
    nearest: dict[tuple[int, str], Near] = {}
    for one in near:
        key = one.row, one.eval_set
        kept = nearest.get(key)
        if kept is None or (one.cosine, -one.item) > (kept.cosine, -kept.item):
            nearest[key] = one
    out = set(exclude)
    units = [one for key, one in nearest.items() if key not in out and one.cosine < threshold]
    made = []
    for low, high in _strata(floor, threshold):
        inside = [one for one in units if low <= one.cosine < high]
        order = sorted(inside, key=lambda one: (_number(seed, one), one.row, one.eval_set))
        made.append(Stratum(low, high, len(inside), tuple(sorted(order[:per_stratum]))))
    return tuple(made)


def estimate(strata: Sequence[Counted], level: float = LEVEL) -> Missed:
    """Estimate the duplicates in the whole band from a judged sample of each stratum.

    Parameters
    ----------
    strata : disjoint; those without rows or without a judged row are allowed.
    level : of the interval, in (0, 1).

    Returns
    -------
    Missed
        The limits hold at `level` or above however the duplicates lie in the strata. A stratum
        that was judged whole adds no width but its undecided rows; one without a judged row may
        be all duplicates. No rows: 0, from 0 to 0.

    Raises
    ------
    StatisticsError
        `invalid_level`.

    References
    ----------
    W. G. Cochran, Sampling Techniques, 3rd ed. 1977, 3.6 (hypergeometric limits) and chapter 5;
    `harness.audit.stratified` for the limits of the total.

    Examples
    --------
    >>> found = estimate([Counted(0.84, 0.85, 400, 100, 3), Counted(0.83, 0.84, 900, 100, 0)])
    >>> found.value, found.low, found.high
    (12.0, 3, 62)
    """
    tail = tail_share(level)
    rows: list[dict[str, Value]] = []
    values: list[float | None] = []
    for one in strata:
        decided = one.judged - one.undecided
        value = one.population * one.duplicates / decided if decided else None
        values.append(value if one.population else 0.0)
        name = f"[{one.low:g}, {one.high:g})"
        rows.append(_line(name, one.low, one.high, [one], values[-1], tail))
    total = None if None in values else float(sum(value for value in values if value is not None))
    rows.append(_line("all", None, None, strata, total, tail))
    note = f"Duplicates below the threshold, {100 * level:g} % intervals: {METHOD}."
    table = Table(name="missed_duplicates", columns=COLUMNS, rows=tuple(rows), note=note)
    low, high = _limits(strata, tail)
    population, judged, *_ = _counts(strata)
    return Missed(total, low, high, population, judged, level, METHOD, table)


def _line(
    name: str,
    low: float | None,
    high: float | None,
    strata: Sequence[Counted],
    value: float | None,
    tail: Fraction,
) -> dict[str, Value]:
    values = (name, low, high, *_counts(strata), value, *_limits(strata, tail))
    return dict(zip(COLUMNS, values, strict=True))


def _limits(strata: Sequence[Counted], tail: Fraction) -> tuple[int, int]:
    """Least and most duplicates in some strata."""
    most = most_in_total(
        [(s.population, s.judged, s.duplicates + s.undecided) for s in strata], tail
    )
    others = [(s.population, s.judged, s.judged - s.duplicates) for s in strata]
    return sum(s.population for s in strata) - most_in_total(others, tail), most


def _strata(floor: float, threshold: float) -> list[tuple[float, float]]:
    """From the threshold down, at decimals that no sum of floats has rounded."""
    low, high = Decimal(repr(float(floor))), Decimal(repr(float(threshold)))
    made = []
    while high > low:
        end = max(low, high - Decimal(repr(WIDTH)))
        made.append((float(end), float(high)))
        high = end
    return made


def _number(seed: int, one: Near) -> int:
    return ids.seed(seed, "missed", one.row, one.eval_set)


def _counts(strata: Sequence[Counted]) -> tuple[int, int, int, int]:
    return (
        sum(one.population for one in strata),
        sum(one.judged for one in strata),
        sum(one.duplicates for one in strata),
        sum(one.undecided for one in strata),
    )


__all__ = [
    *("COLUMNS", "LEVEL", "METHOD", "WIDTH", "Counted", "Missed", "Stratum", "draw_sample"),
    "estimate",
]
