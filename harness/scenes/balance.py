"""Balance of a set as it will be frozen: exact counts, quotas, and tests of what must not tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.errors import DataError
from harness.scenes.cues import cues
from harness.scenes.triplet import Item, Triplet
from harness.scenes.twosample import holm, mean_difference, p_value
from harness.types import Issue

Specimen = Triplet | Item
_SQUARE = ("left near", "left far", "right far", "right near")
_FACTS = (("letter",), ("value",), ("direction",), ("side",), ("depth",), ("letter", "value"))


@dataclass(frozen=True, slots=True)
class Count:
    """How many specimens of a factor have a value of a fact, such as letter × value "A × yes"."""

    factor: str
    fact: str
    value: str
    n: int


def freeze(passes: Iterable[Specimen], n: int) -> dict[str, tuple[str, ...]]:
    """Pick the first n of each factor that make its design exactly balanced.

    Parameters
    ----------
    passes : specimens that passed verification, in any order; triplets of the balanced design or
        static items.
    n : of each factor, a multiple of 4.

    Returns
    -------
    dict
        Factor → ids, rising. Letter × base value has n / 4 in each cell (and with it letter,
        value and direction n / 2). Left and right, near and far are level in the whole, and in
        each of these cells where n is a multiple of 8. Within a stratum of these facts the
        lowest ids are taken; a triplet that did not pass is replaced by the next of its stratum.

    Raises
    ------
    DataError
        For an n that is no positive multiple of 4, equal ids, a specimen without the design's
        facts or with other values than its factor has, and a stratum with too few: it is named.

    Examples
    --------
    >>> from harness.scenes.sampler import triplet
    >>> found = freeze([triplet("presence", index) for index in range(32)], 8)
    >>> len(found["presence"]), found["presence"][0]
    (8, 'pres_000000')
    """
    if n < 4 or n % 4:
        raise DataError(f"n: expected a positive multiple of 4 for exact quotas, found {n}")
    chosen = {}
    for factor, members in _by_factor(passes).items():
        values = sorted({str(_fact(one, "value")) for one in members})
        if len(values) != 2:
            raise DataError(
                f"{factor}: expected two base values, found {values}; sets of the published "
                "one-way design are frozen by `first`"
            )
        strata: dict[tuple[str, str, str], list[str]] = {}
        for one in sorted(members, key=lambda one: one.id):
            quadrant = f"{_fact(one, 'side')} {_fact(one, 'depth')}"
            key = (str(_fact(one, "letter")), str(_fact(one, "value")), quadrant)
            strata.setdefault(key, []).append(one.id)
        taken: list[str] = []
        short = []
        for (letter, value), ways in _quotas(values, n).items():
            picks = [
                {
                    name: (quota, strata.get((letter, value, name), []))
                    for name, quota in way.items()
                }
                for way in ways
            ]
            full = [p for p in picks if all(len(here) >= quota for quota, here in p.values())]
            # Among ways that are equally level, the one that is complete first.
            best = min(full or picks, key=lambda p: max(here[:q][-1:] for q, here in p.values()))
            short += [
                f"{letter}, {value}, {name}: {len(here)} of {quota}"
                for name, (quota, here) in best.items()
                if len(here) < quota
            ]
            taken += [found for quota, here in best.values() for found in here[:quota]]
        if short:
            raise DataError(
                f"{factor}: expected enough specimens that passed in each stratum, found "
                f"{'; '.join(short)}; draw further indices"
            )
        chosen[factor] = tuple(sorted(taken))
    return chosen


def first(passes: Iterable[Specimen], n: int) -> dict[str, tuple[str, ...]]:
    """Pick the n lowest ids of each factor: the published rule, for its one-way design.

    Raises
    ------
    DataError
        For equal ids, and for a factor with fewer than n.

    Examples
    --------
    >>> from harness.scenes.sampler import triplet
    >>> first([triplet("count", index, direction="published") for index in (3, 1)], 1)
    {'count': ('count_000001',)}
    """
    chosen = {}
    for factor, members in _by_factor(passes).items():
        if not 0 < n <= len(members):
            raise DataError(f"{factor}: expected at least {n} specimens, found {len(members)}")
        chosen[factor] = tuple(sorted(one.id for one in members)[:n])
    return chosen


def balance_table(specimens: Iterable[Specimen]) -> tuple[Count, ...]:
    """Count letter, value, direction, side, depth and letter × value, by factor.

    Parameters
    ----------
    specimens : the merged set, not one worker's part.

    Returns
    -------
    tuple of Count
        By factor and fact, values sorted; only values that occur.

    Raises
    ------
    DataError
        For equal ids and a specimen without these facts.

    Examples
    --------
    >>> from harness.scenes.sampler import triplet
    >>> balance_table([triplet("count", index) for index in range(16)])[0]
    Count(factor='count', fact='letter', value='A', n=8)
    """
    rows = []
    for factor, members in _by_factor(specimens).items():
        for fact in _FACTS:
            found = Counter(" × ".join(str(_fact(one, part)) for part in fact) for one in members)
            rows += [
                Count(factor, " × ".join(fact), value, found[value]) for value in sorted(found)
            ]
    return tuple(rows)


def unbalanced(specimens: Iterable[Specimen]) -> tuple[Issue, ...]:
    """One issue for each fact of `balance_table` whose two (or four) values are not level.

    Raises
    ------
    DataError
        As `balance_table`.
    """
    groups: dict[tuple[str, str], dict[str, int]] = {}
    for row in balance_table(specimens):
        groups.setdefault((row.factor, row.fact), {})[row.value] = row.n
    issues = []
    for (factor, fact), counts in groups.items():
        cells = 4 if "×" in fact else 2
        if len(counts) != cells or len(set(counts.values())) != 1:
            found = ", ".join(f"{value} {n}" for value, n in counts.items())
            issues.append(
                Issue(
                    "unbalanced",
                    f"{factor} {fact}",
                    f"expected {cells} values equally often, found {found}",
                )
            )
    return tuple(issues)


def side_cues(
    specimens: Iterable[Specimen], *, alpha: float = 0.01, most: float = 0.2
) -> tuple[Issue, ...]:
    """Test whether anything but the asked fact tells the letter or the base value.

    Parameters
    ----------
    specimens : a set; every factor in it is tested on its own.
    alpha : family-wise error over all tests of all factors (Holm).
    most : greatest |standardised mean difference|.

    Returns
    -------
    tuple of Issue
        "side_cue" for an adjusted p ≤ alpha, "mean_difference" for a difference of `most` or
        more. A variable with two values is tested by Fisher's exact test, any other by the
        asymptotic Kolmogorov–Smirnov test, which ties make conservative. A variable without
        spread is level.

    Raises
    ------
    DataError
        For equal ids, a specimen without these facts, and a label that has not two values.

    References
    ----------
    Holm (1979); Austin (2009) on the standardised mean difference.

    Examples
    --------
    >>> from harness.scenes.sampler import triplet
    >>> side_cues([triplet("count", index) for index in range(200)])
    ()
    """
    tests: list[tuple[float, float, str]] = []
    for factor, members in _by_factor(specimens).items():
        table = [cues(one) for one in members]
        for label in ("letter", "value"):
            values = sorted({str(_fact(one, label)) for one in members})
            if len(values) != 2:
                raise DataError(f"{factor} {label}: expected two values, found {values}")
            marks = [str(_fact(one, label)) == values[0] for one in members]
            for name in sorted(table[0]):
                here = [row[name] for row, mark in zip(table, marks, strict=True) if mark]
                there = [row[name] for row, mark in zip(table, marks, strict=True) if not mark]
                where = f"{factor} {label}: {name}"
                tests.append((p_value(here, there), mean_difference(here, there), where))
    issues = [
        Issue("side_cue", where, f"expected an adjusted p above {alpha:g}, found {p:.2g}")
        for p, (_, _, where) in zip(holm([test[0] for test in tests]), tests, strict=True)
        if p <= alpha
    ]
    issues += [
        Issue("mean_difference", where, f"expected less than {most:g}, found {difference:.2f}")
        for _, difference, where in tests
        if abs(difference) >= most
    ]
    return tuple(issues)


def _quotas(values: Sequence[str], n: int) -> dict[tuple[str, str], list[dict[str, int]]]:
    """Ways to share n over the quadrants in each cell of letter × value, with exact margins."""
    each, left = divmod(n // 4, 4)
    quotas = {}
    for cell, corner in enumerate((letter, value) for letter in "AB" for value in values):
        # Two quadrants that face each other in the circle are level by side and by depth; single
        # ones are level over the four cells.
        choices: tuple[tuple[set[int], ...], ...] = (
            (set(),),
            ({cell},),
            ({0, 2}, {1, 3}),
            ({0, 1, 2, 3} - {cell},),
        )
        quotas[corner] = [
            {name: each + (place in extra) for place, name in enumerate(_SQUARE)}
            for extra in choices[left]
        ]
    return quotas


def _by_factor(specimens: Iterable[Specimen]) -> dict[str, list[Specimen]]:
    groups: dict[str, list[Specimen]] = {}
    seen: set[str] = set()
    for one in specimens:
        if one.id in seen:
            raise DataError(f"expected ids that differ, found {one.id} twice")
        seen.add(one.id)
        groups.setdefault(one.query.factor, []).append(one)
    return groups


def _fact(one: Specimen, name: str) -> str | int | float:
    if name not in one.design:
        raise DataError(f"{one.id}: expected {name} in the design, found {sorted(one.design)}")
    return one.design[name]


__all__ = ["Count", "balance_table", "first", "freeze", "side_cues", "unbalanced"]
