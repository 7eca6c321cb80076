"""The format × novelty gradient: one model on sets that differ in format, source or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from harness.stats.checks import StatisticsError, check_choice, check_count, check_part
from harness.stats.estimate import Estimate
from harness.stats.proportion import wilson
from harness.table import Table, Value, percent

FORMATS = ("choice", "open")
STEPS = ("start", "format", "novelty", "format and novelty", "neither")
COLUMNS = (
    *("set", "format", "novel_pct", "n", "right", "accuracy_pct", "low_pct", "high_pct"),
    *("chance_pct", "above_chance_pct", "headroom_pct", "step", "step_pp", "step_low_pp"),
    "step_high_pp",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rung:
    """One set on the gradient, with a model's score on it.

    `form` is "choice" or "open", `novel` the share of items from sources that no public training
    set holds, 0 to 1. `right` of `n` is the score; both are None where only `accuracy` (a share) is
    published, and then there is no interval. `n_choices` is of items of choice, 0 for open ones.
    """

    name: str
    form: str
    novel: float
    right: int | None = None
    n: int | None = None
    accuracy: float | None = None
    n_choices: int = 0

    def __post_init__(self) -> None:
        check_choice(f"{self.name}: form", self.form, FORMATS)
        if not 0 <= self.novel <= 1:
            raise StatisticsError(
                "invalid_probability", f"{self.name}: novel: expected 0 to 1, found {self.novel}"
            )
        if (self.right is None) != (self.n is None) or (self.n is None) == (self.accuracy is None):
            raise StatisticsError(
                "invalid_count", f"{self.name}: expected right and n, or accuracy alone"
            )
        if self.accuracy is not None and not 0 <= self.accuracy <= 1:
            raise StatisticsError(
                "invalid_probability",
                f"{self.name}: accuracy: expected 0 to 1, found {self.accuracy}",
            )
        if self.n is not None:
            check_part(f"{self.name}: right", self.right, "n", self.n)
        check_count(f"{self.name}: n_choices", self.n_choices)
        if (self.form == "choice") != (self.n_choices > 1):
            raise StatisticsError(
                "invalid_count",
                f"{self.name}: expected two choices or more for items of choice and 0 for open "
                f"ones, found {self.n_choices}",
            )

    @property
    def share(self) -> float | None:
        """The accuracy as a share; None of no items."""
        if self.n is None or self.right is None:
            return self.accuracy
        return self.right / self.n if self.n else None

    @property
    def chance(self) -> float:
        """The share that guessing gets right."""
        return 1 / self.n_choices if self.n_choices else 0.0


def independent_difference(k1: int, n1: int, k2: int, n2: int, level: float) -> Estimate:
    """Estimate the difference of two accuracies on different items: first minus second.

    Parameters
    ----------
    k1, n1, k2, n2 : right answers and rows of either set.
    level : confidence level, strictly between 0 and 1.

    Returns
    -------
    Estimate
        In [-1, 1], with Newcombe's hybrid of the two Wilson intervals. All three None where a
        set is empty. It is wrong for the same items under two conditions: those are paired.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`.

    References
    ----------
    R. G. Newcombe, "Interval estimation for the difference between independent proportions",
    Statistics in Medicine 17 (1998), 873-890, method 10.

    Examples
    --------
    >>> found = independent_difference(56, 70, 48, 80, 0.95)
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)
    (0.2, 0.0524, 0.3339)
    """
    first, second = wilson(k1, n1, level), wilson(k2, n2, level)
    value = low = high = None
    if first.value is not None and second.value is not None:
        assert first.low is not None and first.high is not None
        assert second.low is not None and second.high is not None
        value = first.value - second.value
        low = value - sqrt((first.value - first.low) ** 2 + (second.high - second.value) ** 2)
        high = value + sqrt((first.high - first.value) ** 2 + (second.value - second.low) ** 2)
        low, high = max(-1.0, low), min(1.0, high)
    return Estimate(
        value=value,
        low=low,
        high=high,
        level=first.level,
        n=first.n + second.n,
        method="Newcombe's hybrid score interval, independent proportions",
        unit="difference of proportions",
    )


def step(before: Rung, after: Rung) -> str:
    """Name what changes from one set to the next: a factor, both of them, or neither.

    Examples
    --------
    >>> a = Rung(name="a", form="choice", novel=0.0, right=8, n=10, n_choices=4)
    >>> b = Rung(name="b", form="open", novel=0.998, right=3, n=10)
    >>> step(a, b)
    'format and novelty'
    """
    changed = [
        name
        for name, differs in (
            ("format", before.form != after.form),
            ("novelty", before.novel != after.novel),
        )
        if differs
    ]
    return " and ".join(changed) or "neither"


def gradient(rungs: Sequence[Rung], level: float) -> Table:
    """Write one model's scores along the gradient as a table.

    Parameters
    ----------
    rungs : the sets in the order of the gradient.
    level : of all intervals, strictly between 0 and 1.

    Returns
    -------
    Table
        One row a set: accuracy with Wilson's interval, accuracy above chance (accuracy - chance) /
        (1 - chance), headroom 1 - accuracy, and the step from the row before, which is later
        minus earlier with Newcombe's interval, and says which factor changed. Intervals are None
        where counts are not known.

    Raises
    ------
    StatisticsError
        `invalid_level`; `duplicate_id` for a set that stands twice.

    Examples
    --------
    >>> rows = gradient(PUBLISHED, 0.95).rows
    >>> [row["step"] for row in rows], round(rows[2]["step_pp"], 1)
    (['start', 'format', 'novelty'], -17.0)
    """
    names = [rung.name for rung in rungs]
    if len(set(names)) < len(names):
        raise StatisticsError("duplicate_id", f"gradient: expected each set once, found {names}")
    rows = []
    for place, rung in enumerate(rungs):
        before = rungs[place - 1] if place else None
        share, chance = rung.share, rung.chance
        known = rung.n is not None and rung.right is not None
        interval = wilson(rung.right or 0, rung.n or 0, level) if known and rung.n else None
        values: list[Value] = [rung.name, rung.form, percent(rung.novel), rung.n, rung.right]
        values += [percent(share)]
        values += [percent(interval.low), percent(interval.high)] if interval else [None, None]
        values += [percent(chance)]
        values += [None if share is None else percent((share - chance) / (1 - chance))]
        values += [None if share is None else percent(1 - share)]
        values += [*_step(before, rung, level)]
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    return Table(name="saturation_gradient", columns=COLUMNS, rows=tuple(rows), note=_NOTE)


def _step(before: Rung | None, after: Rung, level: float) -> tuple[Value, ...]:
    if before is None:
        return STEPS[0], None, None, None
    if before.share is None or after.share is None:
        return step(before, after), None, None, None
    low = high = None
    if None not in (before.n, after.n, before.right, after.right):
        found = independent_difference(
            after.right or 0, after.n or 0, before.right or 0, before.n or 0, level
        )
        low, high = percent(found.low), percent(found.high)
    return step(before, after), percent(after.share - before.share), low, high


_NOTE = (
    "Steps are later minus earlier on different items: subject and difficulty change with them, so "
    "a step is no effect of the factor that it names, and of a step in both factors no part can be "
    "told. The 2 × 2 design on twin items parts them (docs/saturation.md)."
)

# Claude Sonnet 4.5, one set of weights in one week. The counts of the middle one are not
# published: no whole number of right answers over 237 gives 50.4 %.
PUBLISHED = (
    Rung(name="PhyX-mini", form="choice", novel=0.0, right=797, n=1000, n_choices=4),
    Rung(name="OlympiadBench-Physics", form="open", novel=0.0, accuracy=0.504),
    Rung(name="PHYSOLYM-A", form="open", novel=0.998, right=167, n=500),
)

__all__ = [
    "COLUMNS",
    "FORMATS",
    "PUBLISHED",
    "Rung",
    "gradient",
    "independent_difference",
    "step",
]
