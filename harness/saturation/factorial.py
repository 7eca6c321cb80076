"""Format × audit on twin items: format varies within an item, the audit between items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from harness.stats.checks import StatisticsError, check_count, check_share, check_unique
from harness.stats.estimate import Estimate
from harness.stats.levels import tail_share
from harness.table import Table, Value, percent

CLEAN, FLAGGED = "clean", "flagged"
SCALES = ("raw", "above chance")
EFFECTS = ("format | clean", "format | flagged", "format", "audit | choice", "audit | open")
_ONE, _HALF = Fraction(1), Fraction(1, 2)
COLUMNS = (
    *("scale", "effect", "n_clean", "n_flagged", "estimate_pp", "low_pp", "high_pp", "p"),
    *("degrees_of_freedom", "degenerate"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TwinScore:
    """One problem asked in both formats: right as `choice` and right `open`.

    `flagged` says that the audit found it in training data. `n_choices` is of its choice form.
    """

    id: str
    choice: bool
    open: bool
    flagged: bool
    n_choices: int = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Effect:
    """One effect in [-2, 2] as a share, with a two-sided t test against 0.

    `p` and `df` are None where nothing varies; the interval is then the point itself.
    """

    name: str
    estimate: Estimate
    p: float | None
    df: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """The design on one scale: effects in the order of `EFFECTS`, then "audit", "interaction".

    Format is choice minus open, audit flagged minus clean, the interaction the difference of
    the two format effects. `inflation` is what flagged items add to the score of the whole set
    over that of the clean ones, by format.
    """

    scale: str
    n_clean: int
    n_flagged: int
    effects: tuple[Effect, ...]
    inflation: tuple[tuple[str, float], ...]

    def effect(self, name: str) -> Effect:
        """The effect of that name; a ValueError for another."""
        names = [effect.name for effect in self.effects]
        return self.effects[names.index(name)]


def factorial(items: Sequence[TwinScore], level: float, scale: str = "raw") -> Design:
    """Estimate what format, audit and both together do to a score.

    Parameters
    ----------
    items : twin items, at least two clean and two flagged ones.
    level : of the intervals, strictly between 0 and 1.
    scale : "raw", or "above chance": a right choice counts 1 and a wrong one -1 / (k - 1), so
        that guessing among k choices scores 0 as it nearly does in open form. On the raw scale
        an interaction may be guessing alone.

    Returns
    -------
    Design
        Format effects use the difference within each item, so that its difficulty cancels;
        audit effects compare different items. Intervals and p by Welch's t. Where no item
        varies the interval is that point and `degenerate` is set.

    Raises
    ------
    StatisticsError
        `empty_cell` with fewer than two clean or flagged items; `duplicate_id`; `invalid_count`
        for fewer than two choices; `unknown_variant` for another scale; `invalid_level`.

    References
    ----------
    G. W. Oehlert, A First Course in Design and Analysis of Experiments (2010), chapter 16: split
    plots. B. L. Welch, Biometrika 34 (1947), 28-35.

    Examples
    --------
    >>> def rows(n, both, choice, flagged):
    ...     return [TwinScore(id=f"{flagged}{i}", choice=i < both + choice, open=i < both,
    ...                       flagged=flagged) for i in range(n)]
    >>> found = factorial(rows(40, 10, 20, False) + rows(40, 32, 4, True), 0.95)
    >>> [round(found.effect(n).estimate.value, 3) for n in ("format", "audit", "interaction")]
    [0.3, 0.35, -0.4]
    """
    if scale not in SCALES:
        raise StatisticsError(
            "unknown_variant", f"scale: expected one of {SCALES}, found {scale!r}"
        )
    check_unique("items", [item.id for item in items])
    level = check_share("level", level)
    scored = {CLEAN: _Group(), FLAGGED: _Group()}
    for item in items:
        group = scored[FLAGGED if item.flagged else CLEAN]
        group.choice.append(_choice_score(item, scale))
        group.open.append(Fraction(item.open))
    for name, group in scored.items():
        if len(group.open) < 2:
            raise StatisticsError(
                "empty_cell", f"expected at least two {name} items, found {len(group.open)}"
            )
    clean, flagged = scored[CLEAN], scored[FLAGGED]
    gaps = [[c - o for c, o in zip(g.choice, g.open, strict=True)] for g in (clean, flagged)]
    means = [[(c + o) / 2 for c, o in zip(g.choice, g.open, strict=True)] for g in (clean, flagged)]
    terms: dict[str, list[tuple[Fraction, Sequence[Fraction]]]] = {
        EFFECTS[0]: [(_ONE, gaps[0])],
        EFFECTS[1]: [(_ONE, gaps[1])],
        EFFECTS[2]: [(_HALF, gaps[0]), (_HALF, gaps[1])],
        EFFECTS[3]: [(-_ONE, clean.choice), (_ONE, flagged.choice)],
        EFFECTS[4]: [(-_ONE, clean.open), (_ONE, flagged.open)],
        "audit": [(-_ONE, means[0]), (_ONE, means[1])],
        "interaction": [(-_ONE, gaps[0]), (_ONE, gaps[1])],
    }
    n = len(items)
    share = Fraction(len(flagged.open), n)
    return Design(
        scale=scale,
        n_clean=len(clean.open),
        n_flagged=len(flagged.open),
        effects=tuple(_effect(name, parts, level) for name, parts in terms.items()),
        inflation=(
            ("choice", float(share * (_mean(flagged.choice) - _mean(clean.choice)))),
            ("open", float(share * (_mean(flagged.open) - _mean(clean.open)))),
        ),
    )


def factorial_table(designs: Sequence[Design]) -> Table:
    """Write designs as a table, one row an effect, in percentage points.

    Examples
    --------
    >>> factorial_table([]).rows
    ()
    """
    rows = []
    for design in designs:
        for effect in design.effects:
            found = effect.estimate
            values: tuple[Value, ...] = (
                *(design.scale, effect.name, design.n_clean, design.n_flagged),
                *(percent(found.value), percent(found.low), percent(found.high), effect.p),
                *(effect.df, found.degenerate),
            )
            rows.append(dict(zip(COLUMNS, values, strict=True)))
    said = "; ".join(
        f"{design.scale}, {form}: {100 * gain:+.1f} points"
        for design in designs
        for form, gain in design.inflation
    )
    note = (
        "Twin items: format is choice minus open within each item, audit is flagged minus clean "
        "between items, the interaction the format effect of flagged minus that of clean items, "
        "not halved. Welch's t. Flagged and clean items were not drawn by lot: the audit effect "
        "holds whatever else they differ in. What flagged items add to the score of the whole set "
        f"over that of the clean ones: {said or 'none'}."
    )
    return Table(name="format_by_audit", columns=COLUMNS, rows=tuple(rows), note=note)


class _Group:
    """Scores of one level of the audit, item by item."""

    def __init__(self) -> None:
        self.choice: list[Fraction] = []
        self.open: list[Fraction] = []


def _choice_score(item: TwinScore, scale: str) -> Fraction:
    k = check_count(f"{item.id}: n_choices", item.n_choices)
    if k < 2:
        raise StatisticsError(
            "invalid_count", f"{item.id}: n_choices: expected at least 2, found {k}"
        )
    if scale == "raw" or item.choice:
        return Fraction(item.choice)
    return Fraction(-1, k - 1)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _effect(
    name: str, parts: Sequence[tuple[Fraction, Sequence[Fraction]]], level: float
) -> Effect:
    value = float(sum(weight * _mean(values) for weight, values in parts))
    variances = []
    for weight, values in parts:
        counts = Counter(values)
        n, mean = len(values), _mean(values)
        squares = sum(((v - mean) ** 2 * k for v, k in counts.items()), Fraction(0))
        variances.append((weight * weight * squares / ((n - 1) * n), n - 1))
    total = sum((variance for variance, _ in variances), Fraction(0))
    n = sum(len(values) for _, values in parts)
    low = high = value
    p = df = None
    if total > 0:
        from scipy.special import stdtr, stdtrit

        df = float(total * total / sum(v * v / free for v, free in variances))
        error = sqrt(total)
        reach = -float(stdtrit(df, float(tail_share(level)))) * error
        low, high = value - reach, value + reach
        p = 2.0 * float(stdtr(df, -abs(value) / error))
    return Effect(
        name=name,
        estimate=Estimate(
            value=value,
            low=low,
            high=high,
            level=level,
            n=n,
            method="Welch's t" if p is not None else "Welch's t (degenerate: no item varies)",
            unit="difference of proportions",
            degenerate=p is None,
        ),
        p=p,
        df=df,
    )


__all__ = [
    "CLEAN",
    "COLUMNS",
    "EFFECTS",
    "FLAGGED",
    "SCALES",
    "Design",
    "Effect",
    "TwinScore",
    "factorial",
    "factorial_table",
]
