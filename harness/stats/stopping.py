"""Stop early without inflating the error: evidence valid at any time, and a gate that reads it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from harness.stats.betting import (
    check_pairs_so_far,
    check_population,
    check_prior,
    log_wealth,
)
from harness.stats.checks import (
    StatisticsError,
    check_count,
    check_part,
    check_share,
    is_number,
)
from harness.stats.finite_betting import log_finite_difference, log_finite_wealth, log_sum

Claim = Literal["above", "below"]
Quantity = Literal["rate", "difference"]
Decision = Literal["go", "no-go", "continue"]

_QUANTITIES = ("rate", "difference")


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """How strongly the data speak for a claim, at any time of looking.

    `log_e` is the natural log of the e-value: where the claim is false, the chance that e ever
    reaches 1 / alpha is at most alpha. `p` is min(1, 1 / e), a p-value valid at any time.
    """

    log_e: float
    p: float
    claim: str


def rate_evidence(
    k: int, n: int, threshold: float, claim: Claim, prior: float, population: int | None
) -> Evidence:
    """Evidence that a rate is above (at or above, in a population) or below a threshold.

    Parameters
    ----------
    k, n, prior, population : as in `rate_sequence`.
    threshold : rate strictly between 0 and 1.
    claim : "above" tests that the rate is higher, "below" that it is lower. On a population,
        "above" claims that the full result reaches the threshold, "below" that it does not.

    Returns
    -------
    Evidence
        By a bettor who stakes on the claimed side alone (the Beta mixture cut at the
        threshold). With n = 0 the e-value is 1. On a population it is infinite once the
        claim is certain, and 0 once it is excluded.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_prior`, `invalid_threshold`, `unknown_claim`; `too_large` as
        the sequence.

    References
    ----------
    As `rate_sequence`; A. Ramdas, P. Grünwald, V. Vovk, G. Shafer, "Game-theoretic statistics
    and safe anytime-valid inference", Statist. Sci. 38 (2023).

    Examples
    --------
    >>> round(rate_evidence(80, 100, 0.6, "above", 0.5, None).p, 6)
    0.000581
    """
    k, n = check_part("k", k, "n", n)
    prior, population = check_prior(prior), check_population(n, population)
    threshold = _threshold(claim, threshold, 0.0)
    if population is None:
        log_e = log_wealth(k, n - k, 0, prior, claim, threshold)(threshold)
        return _evidence(log_e, claim)
    totals, log_prior, log_likelihood = log_finite_wealth(k, n, population, prior)
    reached = math.ceil(Fraction(repr(threshold)) * population)
    claimed = totals >= reached if claim == "above" else totals < reached
    log_mean = log_sum((log_prior + log_likelihood)[claimed]) - log_sum(log_prior[claimed])
    null = float(log_likelihood[reached - 1 if claim == "above" else reached])
    return _evidence(-math.inf if log_mean == -math.inf else log_mean - null, claim)


def difference_evidence(
    n01: int, n10: int, n: int, threshold: float, claim: Claim, prior: float, population: int | None
) -> Evidence:
    """Evidence that a paired difference is above or below a threshold, such as a margin.

    Parameters
    ----------
    n01, n10, n, prior, population : as in `difference_sequence`.
    threshold : difference (second minus first) strictly between -1 and 1.
    claim : as in `rate_evidence`.

    Returns
    -------
    Evidence
        With n = 0 the e-value is at most 1. On a population the bettor is not one-sided.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_prior`, `invalid_threshold`, `unknown_claim`; `too_large` as
        the sequence.

    References
    ----------
    As `difference_sequence`.

    Examples
    --------
    >>> difference_evidence(30, 12, 300, -0.05, "above", 0.5, None).p < 0.001
    True
    """
    n01, n10, still = check_pairs_so_far(n01, n10, n)
    prior, population = check_prior(prior), check_population(n01 + n10 + still, population)
    threshold = _threshold(claim, threshold, -1.0)
    if population is None:
        mean = (threshold + 1.0) / 2.0
        return _evidence(log_wealth(n01, n10, still, prior, claim, mean)(mean), claim)
    totals, log_e = log_finite_difference(n01, n10, still, population, prior)
    reached = math.ceil(Fraction(repr(threshold)) * population)
    null = totals < reached if claim == "above" else totals >= reached
    return _evidence(float(log_e[null].min()), claim)


@dataclass(frozen=True, kw_only=True, slots=True)
class SequentialGate:
    """A gate that may decide after any batch: go, no-go or continue.

    "go" says that the rate or difference is above `threshold` (on a population: at or above it),
    "no-go" that it is below; each is wrong with a chance of at most `alpha`, over all looks
    together. The first decision stands, whatever comes after it. Without a population a gate at
    exactly the truth may never decide; with one it has decided by the last example.

    Parameters
    ----------
    quantity : "rate" (up right, down wrong, no still) or "difference" (up: only the second
        right, down: only the first right, still: pairs that agree).
    threshold : in (0, 1) for a rate, in (-1, 1) for a difference.
    alpha : strictly between 0 and 1.
    prior, population : as in `harness.stats.sequential`.
    up, down, still : counts so far.
    e_go, e_no_go : strongest log evidence so far on either side; at first 0.

    Raises
    ------
    StatisticsError
        When made: `unknown_quantity`, `invalid_level`. By `update`: `unknown_quantity` for
        ties of a rate, and the reasons of `rate_evidence` and `difference_evidence`.

    References
    ----------
    As `rate_evidence` and `difference_evidence`.

    Examples
    --------
    >>> gate = SequentialGate(
    ...     quantity="rate", threshold=0.5, alpha=0.05, prior=0.5, population=None
    ... )
    >>> gate.update(up=9, down=3).decision, gate.update(up=28, down=4).decision
    ('continue', 'go')
    """

    quantity: Quantity
    threshold: float
    alpha: float
    prior: float
    population: int | None
    up: int = 0
    down: int = 0
    still: int = 0
    e_go: float = 0.0
    e_no_go: float = 0.0
    decision: Decision = "continue"

    def __post_init__(self) -> None:
        check_share("alpha", self.alpha)
        if not isinstance(self.quantity, str) or self.quantity not in _QUANTITIES:
            raise StatisticsError(
                "unknown_quantity",
                f"quantity: expected one of {', '.join(_QUANTITIES)}, found {self.quantity!r}",
            )

    def update(self, *, up: int, down: int, still: int = 0) -> SequentialGate:
        """The gate after further results: counts of this batch, not of all so far."""
        batch = {"up": up, "down": down, "still": still}
        counts = [
            check_count(name, getattr(self, name)) + check_count(name, count)
            for name, count in batch.items()
        ]
        e_go = max(self.e_go, self._evidence("above", *counts))
        e_no_go = max(self.e_no_go, self._evidence("below", *counts))
        limit, decision = -math.log(check_share("alpha", self.alpha)), self.decision
        if decision == "continue" and max(e_go, e_no_go) >= limit:
            decision = "go" if e_go >= e_no_go else "no-go"
        return replace(
            self,
            up=counts[0],
            down=counts[1],
            still=counts[2],
            e_go=e_go,
            e_no_go=e_no_go,
            decision=decision,
        )

    def _evidence(self, claim: Claim, up: int, down: int, still: int) -> float:
        n, rest = up + down + still, (self.threshold, claim, self.prior, self.population)
        if self.quantity == "difference":
            return difference_evidence(up, down, n, *rest).log_e
        if still:
            raise StatisticsError(
                "unknown_quantity", f"expected a rate without ties, found {still} of them"
            )
        return rate_evidence(up, n, *rest).log_e


def _evidence(log_e: float, claim: str) -> Evidence:
    return Evidence(log_e=log_e, p=math.exp(min(0.0, -log_e)), claim=claim)


def _threshold(claim: object, threshold: Any, lowest: float) -> float:
    """The threshold as a float; another claim and a threshold out of range are refused."""
    if not isinstance(claim, str) or claim not in ("above", "below"):
        raise StatisticsError(
            "unknown_claim", f"claim: expected 'above' or 'below', found {claim!r}"
        )
    inside = is_number(threshold) and lowest < threshold < 1
    found = float(threshold) if inside else math.nan
    if not lowest < found < 1.0:
        raise StatisticsError(
            "invalid_threshold",
            f"threshold: expected a number strictly between {lowest:g} and 1, found {threshold!r}",
        )
    return found


__all__ = [
    "Claim",
    "Decision",
    "Evidence",
    "Quantity",
    "SequentialGate",
    "difference_evidence",
    "rate_evidence",
]
