"""What a statistic returns: a number with its interval, or a test of a paired difference."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A value with its interval, and all that a reader needs to judge it.

    `value`, `low` and `high` are in `unit`, and None where undefined. `n` counts what was
    observed, `resampled` names what a bootstrap draws ("" where nothing is drawn).
    `n_resamples` and `seed` are None where the distribution is exact. `degenerate` says that
    the interval is a point because every resample equals the estimate, not because it is known.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    method: str
    unit: str
    resampled: str = ""
    n_resamples: int | None = None
    seed: int | None = None
    degenerate: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedTest:
    """Two conditions on the same examples: counts, difference, test and what could be seen.

    `n01` counts the pairs with only the second right, `n10` those with only the first right.
    `difference` is second minus first. `adjusted_p` is None outside a family. `mde` is the
    smallest difference that a test finds with the stated power by a normal approximation (the exact
    test finds it somewhat less often, see `paired_mde`), None without discordant pairs.
    """

    n01: int
    n10: int
    n: int
    difference: Estimate
    p: float
    variant: str
    mde: float | None
    alpha: float
    power: float
    adjusted_p: float | None = None


__all__ = ["Estimate", "PairedTest"]
