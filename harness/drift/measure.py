"""Counts of two languages on the same questions, and everything that they say."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from harness.errors import DataError
from harness.judging.noise import DifferenceRange, difference_range
from harness.stats.checks import StatisticsError, check_count
from harness.stats.discordant import SignTest, mcnemar, sign_test
from harness.stats.estimate import Estimate
from harness.stats.paired import paired_difference
from harness.stats.pairing import pair
from harness.stats.power import mcnemar_power, paired_mde, required_pairs
from harness.stats.proportion import wilson

Verdicts = Mapping[str, bool | None]


@dataclass(frozen=True, kw_only=True, slots=True)
class DriftCounts:
    """Pairs by which language was answered right.

    `n` pairs are `both` right, `original_only`, `translated_only` or neither. `spread` is what
    undecided verdicts leave open, None where only counts are known; they count as wrong here.
    `excluded` are ids with a row on a side that is no answer of the model.
    """

    n: int
    both: int
    original_only: int
    translated_only: int
    spread: DifferenceRange | None = None
    excluded: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("n", "both", "original_only", "translated_only"):
            check_count(name, getattr(self, name))
        if self.neither < 0:
            raise StatisticsError(
                "invalid_count",
                f"expected both + original_only + translated_only <= n, found {self.both} + "
                f"{self.original_only} + {self.translated_only} > {self.n}",
            )

    @property
    def neither(self) -> int:
        """Pairs that are wrong in both languages."""
        return self.n - self.both - self.original_only - self.translated_only

    @property
    def original_right(self) -> int:
        """Right answers in the original language."""
        return self.both + self.original_only

    @property
    def translated_right(self) -> int:
        """Right answers in the translation."""
        return self.both + self.translated_only


@dataclass(frozen=True, kw_only=True, slots=True)
class Drift:
    """What a pair of languages shows: original minus translated, and how sure that is.

    `one_sided` and `two_sided` are the sign test under the named alternative and under none;
    `mcnemar` is the exact test and equals `two_sided.p`. `power` is the exact power of this test
    at the observed shares, `pairs_needed` the pairs for the wanted power at them (None where the
    two are equal), `mde` the smallest difference of these pairs.
    """

    counts: DriftCounts
    original: Estimate
    translated: Estimate
    difference: Estimate
    one_sided: SignTest
    two_sided: SignTest
    mcnemar: float
    power: float
    mde: float | None
    pairs_needed: int | None


def drift_counts(
    original: Verdicts, translated: Verdicts, *, excluded: Collection[str] = ()
) -> DriftCounts:
    """Count verdicts in two languages, paired by id.

    Parameters
    ----------
    original, translated : verdict by id, of the same ids: True, False, or None while a judge is
        undecided. An undecided verdict counts as wrong, and `spread` says how far that matters.
    excluded : ids with a row on either side that is no answer of the model (out of memory, an
        error); they are left out on both sides and listed.

    Returns
    -------
    DriftCounts
        Zeros without pairs.

    Raises
    ------
    StatisticsError
        `unpaired_ids` where one side lacks an id; `not_binary`, `missing_id`, `invalid_id`.

    References
    ----------
    Those of `harness.stats.pairing.pair`.

    Examples
    --------
    >>> found = drift_counts({"a": True, "b": True, "c": None}, {"a": True, "b": False, "c": False})
    >>> found.both, found.original_only, found.neither, found.spread.high
    (1, 1, 1, 0.6666666666666666)
    """
    out = set(excluded)
    first = {key: verdict for key, verdict in original.items() if key not in out}
    second = {key: verdict for key, verdict in translated.items() if key not in out}
    table = pair(
        [(key, False if verdict is None else verdict) for key, verdict in first.items()],
        [(key, False if verdict is None else verdict) for key, verdict in second.items()],
        "error",
    )
    return DriftCounts(
        n=table.n_pairs,
        both=table.n11,
        original_only=table.n10,
        translated_only=table.n01,
        spread=difference_range([(first[key], second[key]) for key in first]),
        excluded=tuple(sorted(out & (original.keys() | translated.keys()))),
    )


def drift(
    counts: DriftCounts,
    *,
    alternative: str = "greater",
    level: float = 0.95,
    alpha: float = 0.05,
    power: float = 0.8,
    interval: str = "percentile",
) -> Drift:
    """Measure translation drift.

    Parameters
    ----------
    counts : of the pairs.
    alternative : what the one-sided test asks: "greater" whether the original is answered right
        more often, "less" whether it is less often. State it before looking: a side chosen
        afterwards halves p and doubles its error.
    level : of all intervals, strictly between 0 and 1.
    alpha, power : of the test that `mde`, `power` and `pairs_needed` are about.
    interval : "percentile" or "bca", of the exact bootstrap distribution over pairs.

    Returns
    -------
    Drift
        Shares in [0, 1], differences in [-1, 1]. Without pairs the shares and the difference are
        None, p is 1 and power 0. Where all pairs agree the interval is a point and says so.

    Raises
    ------
    DataError
        For a two-sided `alternative`: it is always given beside.
    StatisticsError
        `invalid_level`, `unknown_variant`.

    References
    ----------
    Those of `paired_difference`, `sign_test` and `mcnemar_power`.

    Examples
    --------
    >>> found = drift(DriftCounts(n=59, both=5, original_only=13, translated_only=3))
    >>> round(found.one_sided.p, 4), round(found.mcnemar, 4), round(found.difference.value, 4)
    (0.0106, 0.0213, 0.1695)
    """
    if alternative == "two-sided":
        raise DataError(
            'drift: expected alternative "greater" or "less", found "two-sided", which is always '
            "given beside the one-sided test"
        )
    n, gained, lost = counts.n, counts.original_only, counts.translated_only
    ties = n - gained - lost
    rate = (gained + lost) / n if n else 0.0
    return Drift(
        counts=counts,
        original=wilson(counts.original_right, n, level),
        translated=wilson(counts.translated_right, n, level),
        difference=paired_difference(gained, lost, n, level, interval),
        one_sided=sign_test(gained, lost, ties, alternative),
        two_sided=sign_test(gained, lost, ties, "two-sided"),
        mcnemar=mcnemar(gained, lost, "exact"),
        power=mcnemar_power(n, gained / n, lost / n, alpha, "exact") if n else 0.0,
        mde=paired_mde(n, rate, alpha, power),
        pairs_needed=required_pairs(gained / n, lost / n, alpha, power, "exact") if n else None,
    )


__all__ = ["Drift", "DriftCounts", "Verdicts", "drift", "drift_counts"]
