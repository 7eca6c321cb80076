"""Position bias: the same question with the candidates in the other order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.interventions.readings import VARIANTS, JudgeFactor, Reading
from harness.stats.paired import paired_test
from harness.stats.proportion import wilson
from harness.table import Table, Value, percent, ratio

COLUMNS = (
    *("model", "factor", "part", "n_pairs", "n_left_out", "n_unread", "n_consistent"),
    *("consistent_pct", "ci_low_pct", "ci_high_pct", "n_always_first", "n_always_second"),
    *("first_position_rate_pct", "accuracy_gold_first_pct", "accuracy_gold_second_pct"),
    *("position_effect_pp", "effect_low_pp", "effect_high_pp", "p", "test"),
    *("minimum_detectable_effect_pp", "ci_level", "ci_method"),
)
_NOTE = (
    "Each item is asked in the frozen order and with its candidates swapped. Consistent: the same "
    "candidate both times; an answer that was not read agrees with nothing and stays in the "
    "denominator. The first-position rate is over all letters read in both orders. The position "
    "effect is accuracy with the right candidate shown first minus shown second; its interval is "
    "the exact bootstrap distribution over items and p McNemar's, exact and two-sided."
)


def position_bias(
    frozen: Sequence[JudgeFactor],
    swapped: Sequence[JudgeFactor],
    level: float,
    alpha: float,
    power: float,
) -> Table:
    """How much a judge's preference depends on which candidate is shown first.

    Parameters
    ----------
    frozen, swapped : readings of the two orders; letters are of the frozen order.
    level, alpha, power : of intervals and of the smallest effect that could be seen.

    Returns
    -------
    Table
        A row for each judge, factor and part of the data (base, relevant, irrelevant, static)
        that both orders hold. Rows that are no answer of the judge in one order are left out and
        counted; empty without a swapped cell.

    References
    ----------
    The two-order check of pairwise judges (docs/interventions.md).
    """
    other = {(judge.model, judge.factor): judge for judge in swapped}
    rows: list[dict[str, Value]] = []
    for judge in frozen:
        replicate = other.get((judge.model, judge.factor))
        if replicate is None:
            continue
        theirs = dict(_parts(replicate))
        for part, ours in _parts(judge):
            both = [(row, theirs[part][name]) for name, row in ours.items() if name in theirs[part]]
            if both:
                values = [judge.model, judge.factor, part, *_figures(both, level, alpha, power)]
                rows.append(dict(zip(COLUMNS, values, strict=True)))
    note = _NOTE if rows else f"not computed: lacks cells in the swapped order. {_NOTE}"
    return Table(name="position_bias", columns=COLUMNS, rows=tuple(rows), note=note)


def _parts(judge: JudgeFactor) -> Iterable[tuple[str, dict[str, Reading]]]:
    for place, variant in enumerate(VARIANTS):
        rows = {name: row for name, three in judge.triplets.items() if (row := three[place])}
        yield variant, rows
    yield "static", dict(judge.static)


def _figures(
    both: Sequence[tuple[Reading, Reading]], level: float, alpha: float, power: float
) -> list[Value]:
    kept = [(a, b) for a, b in both if a.counted and b.counted]
    read = [(a, b) for a, b in kept if a.letter is not None and b.letter is not None]
    n = len(kept)
    same = sum(a.letter == b.letter for a, b in read)
    # The frozen A is shown first in the frozen order and second in the other.
    always_first = sum(a.letter == "A" and b.letter == "B" for a, b in read)
    always_second = sum(a.letter == "B" and b.letter == "A" for a, b in read)
    first_picks = sum((a.letter == "A") + (b.letter == "B") for a, b in read)
    by_place = [(a, b) if a.gold == "A" else (b, a) for a, b in kept]
    only_first = sum(f.correct and not s.correct for f, s in by_place)
    only_second = sum(s.correct and not f.correct for f, s in by_place)
    share = wilson(same, n, level)
    test = paired_test(
        only_first,
        only_second,
        n,
        level=level,
        interval="percentile",
        variant="exact",
        alpha=alpha,
        power=power,
    )
    effect = test.difference
    return [
        *(n, len(both) - n, n - len(read), same, percent(share.value), percent(share.low)),
        *(percent(share.high), always_first, always_second, ratio(first_picks, 2 * len(read), 100)),
        ratio(sum(f.correct for f, _ in by_place), n, 100),
        ratio(sum(s.correct for _, s in by_place), n, 100),
        *(percent(effect.value), percent(effect.low), percent(effect.high), test.p),
        *(f"McNemar, {test.variant}", percent(test.mde), level),
        f"consistent: {share.method}; effect: {effect.method}",
    ]


__all__ = ["COLUMNS", "position_bias"]
