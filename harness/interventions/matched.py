"""Judges of equal static accuracy on a factor: how far apart interventions find them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.interventions.counts import FactorCounts
from harness.interventions.pairs import METRICS, Gap, gap, static_gap
from harness.interventions.readings import BASELINE
from harness.interventions.settings import InterventionSettings
from harness.stats.estimate import Estimate
from harness.stats.matching import Judge, matched_comparisons
from harness.stats.multiple import Adjustment, holm
from harness.stats.power import paired_mde
from harness.table import Table, Value, percent

PAIRS = (
    *("policy", "factor", "first", "second", "kinds", "within_pp", "declared", "metric"),
    *("static_delta_pp", "n_static_common", "static_common_delta_pp", "static_ci_low_pp"),
    *("static_ci_high_pp", "first_pct", "second_pct", "n_triplets", "first_n", "second_n"),
    *("delta_pp", "ci_low_pp", "ci_high_pp", "ci_level", "ci_method", "n_resamples", "seed"),
    *("n_undefined_draws", "exact_low_pp", "exact_high_pp", "exact_method", "n_tested"),
    *("only_first", "only_second", "tested_delta_pp", "p", "test", "holm_p", "holm_reject"),
    *("family_size", "minimum_detectable_gap_pp"),
)
SUMMARY = (
    *("policy", "within_pp", "declared", "metric", "n_candidates", "n_pairs", "n_defined"),
    *("median_gap_pp", "smallest_gap_pp", "largest_gap_pp", "holm_rejects", "n_claimable"),
)
Key = tuple[str, str, str, str]


def matched_tables(
    counts: Sequence[FactorCounts], settings: InterventionSettings
) -> tuple[Table, Table]:
    """Compare the judges that static accuracy does not tell apart, within each factor.

    Parameters
    ----------
    counts : of `factor_counts`, of one policy or several; judges are compared within a policy.
    settings : tolerances, level, alpha, power, draws and seed.

    Returns
    -------
    two Table
        `matched_pairs`: a row for each pair within the largest tolerance and each of RA, II, PFC
        and PSC, first minus second, on the triplets that both judges have; `within_pp` is the
        smallest tolerance that matches the pair. Holm's family are the pairs within the declared
        tolerance, one for each policy and metric; other pairs have no corrected p.
        `matched_summary`: by policy, tolerance and metric the number of pairs, the median gap,
        how many Holm rejects when the family is that tolerance's pairs, and for how many of those
        the interval leaves out 0 as well, which alone may be claimed. Gaps of the summary are
        of each judge's own triplets, as published. Judges without static items match no other,
        and a baseline is no judge. A pair of two `kinds`, such as generative and reward, is set
        side by side, never ranked.

    References
    ----------
    The protocol's accuracy-matched comparison (docs/interventions.md).
    """
    pairs: list[dict[str, Value]] = []
    summary: list[dict[str, Value]] = []
    for policy in dict.fromkeys(found.policy for found in counts):
        known = {
            (c.model, c.factor): c
            for c in counts
            if c.policy == policy and c.static and c.kind != BASELINE
        }
        within = _within(known, settings)
        gaps = {
            (factor, a, b, metric): gap(known[a, factor], known[b, factor], metric, settings)
            for factor, a, b in within
            for metric in METRICS
        }
        families = {
            (metric, limit): _family(gaps, within, metric, limit, settings)
            for metric in METRICS
            for limit in settings.within_pp
        }
        for (factor, a, b), limit in within.items():
            first, second = known[a, factor], known[b, factor]
            kinds = " and ".join(sorted({first.kind, second.kind}))
            head: list[Value] = [policy, factor, a, b, kinds, limit, limit <= settings.declared_pp]
            static = _static(first, second, settings)
            for metric in METRICS:
                found = gaps[factor, a, b, metric]
                family = families[metric, settings.declared_pp]
                values = [*head, metric, *static, *_figures(found, settings)]
                values += _tested(found, family, (factor, a, b), settings)
                pairs.append(dict(zip(PAIRS, values, strict=True)))
        for limit in sorted(set(settings.within_pp)):
            for metric in METRICS:
                members, adjusted = families[metric, limit]
                rejected = [
                    gaps[(*pair, metric)].drawn.difference
                    for pair, out in zip(members, adjusted.reject, strict=True)
                    if out
                ]
                summary.append(_summed(policy, known, metric, limit, rejected, settings))
    note = (
        "Differences are first minus second. The sampled interval redraws triplets, both judges "
        f"together, B = {settings.n_resamples}, seed {settings.seed}, and recounts both "
        "denominators; the exact one needs no draws and stands where there is one. p is "
        "McNemar's, exact and two-sided: for RA and II of the triplets that both judges have "
        "base-correct, whose gap is tested_delta_pp; it need not be that of "
        "the judges' own denominators, so a claim needs both. The minimum detectable gap is at the "
        "observed discordance, at alpha over "
        "the family's size for its members. Equal static accuracy is equal observed accuracy of a "
        "finite sample."
    )
    return (
        Table(name="matched_pairs", columns=PAIRS, rows=tuple(pairs), note=note),
        Table(name="matched_summary", columns=SUMMARY, rows=tuple(summary), note=note),
    )


def _within(
    known: Mapping[tuple[str, str], FactorCounts], settings: InterventionSettings
) -> dict[tuple[str, str, str], float]:
    """The smallest tolerance at which each pair (factor, first, second) is matched."""
    found: dict[tuple[str, str, str], float] = {}
    judges = [_judge(c, "RA") for c in known.values()]
    for limit in sorted(set(settings.within_pp)):
        for pair in matched_comparisons(judges, limit).pairs:
            found.setdefault((str(pair.factor), pair.first, pair.second), limit)
    order = {key: place for place, key in enumerate(known)}
    return dict(
        sorted(
            found.items(),
            key=lambda item: (order[item[0][1], item[0][0]], order[item[0][2], item[0][0]]),
        )
    )


def _judge(found: FactorCounts, metric: str) -> Judge:
    m = found.metrics
    s, of_base = found.states, METRICS[metric][1]
    hits = s.n_111 + (s.n_110 if METRICS[metric][0] == 1 else s.n_101)
    return Judge(
        name=found.model,
        factor=found.factor,
        static_correct=found.static_correct,
        static_n=len(found.static),
        n_adapted=hits,
        n_base_correct=m.n_base_correct if of_base else m.n_triplets,
    )


def _family(
    gaps: Mapping[Key, Gap],
    within: Mapping[tuple[str, str, str], float],
    metric: str,
    limit: float,
    settings: InterventionSettings,
) -> tuple[list[tuple[str, str, str]], Adjustment]:
    members = [pair for pair, own in within.items() if own <= limit]
    return members, holm([gaps[(*pair, metric)].test.p for pair in members], settings.alpha)


def _static(
    first: FactorCounts, second: FactorCounts, settings: InterventionSettings
) -> list[Value]:
    k1, n1, k2, n2 = (
        *(first.static_correct, len(first.static)),
        *(second.static_correct, len(second.static)),
    )
    found = static_gap(first, second, settings.level)
    return [100 * (k1 * n2 - k2 * n1) / (n1 * n2), found.n, *_percents(found)]


def _figures(found: Gap, settings: InterventionSettings) -> list[Value]:
    drawn, exact = found.drawn, found.exact
    delta = drawn.difference
    values: list[Value] = [percent(drawn.second), percent(drawn.first), found.n]
    values += [drawn.second_denominator, drawn.first_denominator, *_percents(delta)]
    values += [settings.level, delta.method, settings.n_resamples, settings.seed, drawn.n_dropped]
    if exact is None:
        return [*values, None, None, "none known"]
    return [*values, percent(exact.low), percent(exact.high), exact.method]


def _tested(
    found: Gap,
    family: tuple[list[tuple[str, str, str]], Adjustment],
    pair: tuple[str, str, str],
    settings: InterventionSettings,
) -> list[Value]:
    members, adjusted = family
    test = found.test
    place = members.index(pair) if pair in members else None
    alpha = settings.alpha if place is None else settings.alpha / len(members)
    rate = (test.n01 + test.n10) / test.n if test.n else 0.0
    seen = paired_mde(test.n, rate, alpha, settings.power)
    corrected: list[Value] = [None, None, None]
    if place is not None:
        corrected = [adjusted.adjusted[place], adjusted.reject[place], len(members)]
    # The first judge is the test's second condition.
    head: list[Value] = [test.n, test.n01, test.n10, percent(test.difference.value), test.p]
    head += [f"McNemar, {test.variant}"]
    return [*head, *corrected, percent(seen)]


def _summed(
    policy: str,
    known: Mapping[tuple[str, str], FactorCounts],
    metric: str,
    limit: float,
    rejected: Sequence[Estimate],
    settings: InterventionSettings,
) -> dict[str, Value]:
    found = matched_comparisons([_judge(c, metric) for c in known.values()], limit)
    gaps = [pair.gap for pair in found.pairs if pair.gap is not None]
    ends = (min(gaps), max(gaps)) if gaps else (None, None)
    values = (
        *(policy, limit, limit == settings.declared_pp, metric, found.n_candidates),
        *(
            len(found.pairs),
            len(gaps),
            percent(found.median_gap),
            *map(percent, ends),
            len(rejected),
        ),
        sum(_leaves_out_0(found) for found in rejected),
    )
    return dict(zip(SUMMARY, values, strict=True))


def _leaves_out_0(found: Estimate) -> bool:
    return found.low is not None and found.high is not None and found.low * found.high > 0


def _percents(found: Estimate) -> list[Value]:
    return [percent(found.value), percent(found.low), percent(found.high)]


__all__ = ["PAIRS", "SUMMARY", "matched_tables"]
