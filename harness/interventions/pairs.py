"""Two judges on the triplets that both have: gaps of RA, II, PFC and PSC, intervals and tests."""

from __future__ import annotations

from dataclasses import dataclass

from harness.interventions.counts import FactorCounts
from harness.interventions.settings import InterventionSettings
from harness.stats.estimate import Estimate, PairedTest
from harness.stats.paired import paired_difference, paired_test
from harness.stats.ratios import (
    RatioDifference,
    cells_from_examples,
    ratio_difference,
    ratio_interval,
)

# metric → (which bit must be right beside the base, whether only base-correct triplets count)
METRICS = {"RA": (1, True), "II": (2, True), "PFC": (1, False), "PSC": (2, False)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """First minus second of one metric on the triplets that both judges have.

    `drawn` redraws triplets, both judges together, and recounts both denominators; its `first` and
    `second` are the second and the first judge's share. `exact` is an interval of the same gap
    from an exact distribution, where there is one. `test` is McNemar's exact test: of all triplets
    for PFC and PSC, of those that are base-correct for both for RA and II, which no longer depend
    on whom each judge's own denominator lets in.
    """

    drawn: RatioDifference
    exact: Estimate | None
    test: PairedTest
    n: int


def common(first: FactorCounts, second: FactorCounts) -> list[str]:
    """The triplets that count for both judges, in the first one's order."""
    return [name for name in first.bits if name in second.bits]


def gap(
    first: FactorCounts, second: FactorCounts, metric: str, settings: InterventionSettings
) -> Gap:
    """Compare two judges on one metric; None where a denominator is 0 (see `RatioDifference`)."""
    place, of_base = METRICS[metric]
    names = common(first, second)
    hits, wholes = [], []
    for judge in (second, first):
        bits = [judge.bits[name] for name in names]
        hits.append([b[0] and b[place] for b in bits])
        wholes.append([b[0] if of_base else True for b in bits])
    drawn = ratio_difference(
        cells_from_examples(hits[0], wholes[0], hits[1], wholes[1]),
        settings.level,
        settings.n_resamples,
        settings.seed,
    )
    rows = list(zip(hits[0], hits[1], wholes[0], wholes[1], strict=True))
    shared = [(a, b) for a, b, in_a, in_b in rows if in_a and in_b]
    # Second minus first of (second judge, first judge) is the first judge's lead.
    n01 = sum(b and not a for a, b in shared)
    n10 = sum(a and not b for a, b in shared)
    test = paired_test(
        n01,
        n10,
        len(shared),
        level=settings.level,
        interval="percentile",
        variant="exact",
        alpha=settings.alpha,
        power=settings.power,
    )
    exact = _exact(hits, wholes, settings.level) if of_base else test.difference
    return Gap(drawn=drawn, exact=exact, test=test, n=len(names))


def static_gap(first: FactorCounts, second: FactorCounts, level: float) -> Estimate:
    """First minus second of static accuracy on the items that count for both."""
    shared = [(a, second.static[name]) for name, a in first.static.items() if name in second.static]
    n01 = sum(a and not b for a, b in shared)
    n10 = sum(b and not a for a, b in shared)
    return paired_difference(n01, n10, len(shared), level, "percentile")


def _exact(hits: list[list[bool]], wholes: list[list[bool]], level: float) -> Estimate | None:
    """Where one judge is right on all of its base-correct triplets, its ratio never varies."""
    (k2, k1), (n2, n1) = (sum(map(bool, h)) for h in hits), (sum(map(bool, w)) for w in wholes)
    n = len(wholes[0])
    if not n1 or not n2 or (k1 < n1 and k2 < n2):
        return None
    second_perfect = k2 == n2
    missed, of = (n1 - k1, n1) if second_perfect else (n2 - k2, n2)
    found = ratio_interval(missed, of, n, level)
    assert found.low is not None and found.high is not None and found.value is not None
    ends = (0.0 - found.high, 0.0 - found.low) if second_perfect else (found.low, found.high)
    return Estimate(
        value=0.0 - found.value if second_perfect else found.value,
        low=ends[0],
        high=ends[1],
        level=level,
        n=n,
        method=f"{found.method}; the other judge's ratio is 1 in every resample",
        unit="difference of proportions",
        resampled=found.resampled,
        degenerate=found.degenerate,
    )


__all__ = ["METRICS", "Gap", "common", "gap", "static_gap"]
