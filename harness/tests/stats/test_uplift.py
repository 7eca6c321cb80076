import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.estimate import Estimate
from harness.stats.rejection import pool
from harness.stats.selective import Selection, selective_metrics
from harness.stats.uplift import enrichment_interval, uplift, uplift_interval

GATE = Selection(n=642, n_correct=252, n_accepted=288, n_accepted_correct=139)
TYPES = [
    Selection(n=534, n_correct=218, n_accepted=282, n_accepted_correct=137),
    Selection(n=108, n_correct=34, n_accepted=6, n_accepted_correct=2),
]
COUNTS = st.tuples(*[st.integers(0, 6)] * 4)


def selection(cells: tuple[int, int, int, int]) -> Selection:
    hits, misses, lost, _ = cells
    return Selection(
        n=sum(cells), n_correct=hits + lost, n_accepted=hits + misses, n_accepted_correct=hits
    )


def resamples(cells: list[tuple[int, int, int, int]]) -> list[list[tuple[int, ...]]]:
    """Every way to draw n questions with replacement, each once per order."""
    questions = [
        (place, kind)
        for place, stratum in enumerate(cells)
        for kind, count in enumerate(stratum)
        for _ in range(count)
    ]
    return [
        [tuple(drawn.count((place, kind)) for kind in range(4)) for place in range(len(cells))]
        for drawn in itertools.product(questions, repeat=len(questions))
    ]


def check_bounds(found: Estimate, values: list[Fraction]) -> None:
    """Hold the bounds at level 0.6 to the exact distribution, within 0.02 (7 sd) of probability."""
    ranked = [float(value) for value in sorted(values)]
    for bound, q in ((found.low, 0.2), (found.high, 0.8)):
        assert bound is not None
        assert min(abs(bound - value) for value in ranked) < 1e-12
        near = [ranked[round((q + move) * len(ranked))] for move in (-0.02, 0.02)]
        assert near[0] - 1e-12 <= bound <= near[1] + 1e-12


@settings(max_examples=50)
@given(st.lists(COUNTS, max_size=4))
def test_uplift_is_exact(cells: list[tuple[int, int, int, int]]) -> None:
    strata = [selection(c) for c in cells]
    whole = pool(strata)
    found = uplift(strata)
    if not whole.n_accepted:
        assert found is None
        return
    expected = sum((Fraction(s.n_accepted * s.n_correct, s.n) for s in strata if s.n), Fraction(0))
    assert found == float((whole.n_accepted_correct - expected) / whole.n_accepted)
    gain = selective_metrics(
        whole.n, whole.n_correct, whole.n_accepted, whole.n_accepted_correct
    ).gain
    assert uplift([whole]) == gain


def test_the_published_uplift() -> None:
    # The bounds published come from 10,000 draws, whose ends vary by 0.05 pp (1 sd) from seed to
    # seed; 0.2 pp is 4 sd.
    uniform = uplift_interval([GATE], 0.95, 10_000, 1)
    matched = uplift_interval(TYPES, 0.95, 10_000, 1)
    enriched = enrichment_interval(GATE, 0.95, 10_000, 1)
    for found, value, low, high in (
        (uniform, 9.01155244029076, 4.977900675757984, 13.315395089332679),
        (matched, 7.63455402968512, 3.824997738656192, 11.670124056417366),
        (enriched, 7.331432493795875, 4.029299626445589, 10.9164356996849),
    ):
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert 100 * found.value == pytest.approx(value, abs=1e-9)
        assert 100 * found.low == pytest.approx(low, abs=0.2)
        assert 100 * found.high == pytest.approx(high, abs=0.2)
        assert (found.n, found.n_resamples, found.seed) == (642, 10_000, 1)


@pytest.mark.parametrize("cells", [[(2, 1, 0, 2)], [(1, 1, 1, 0), (1, 0, 0, 1)]])
def test_draws_against_every_resample(cells: list[tuple[int, int, int, int]]) -> None:
    strata = [selection(c) for c in cells]
    every = [[selection(c) for c in drawn] for drawn in resamples(cells)]
    lifts = [Fraction(u).limit_denominator(1000) for s in every if (u := uplift(s)) is not None]
    found = uplift_interval(strata, 0.6, 20_000, 11)
    check_bounds(found, lifts)
    share = 1 - len(lifts) / len(every)
    left_out = int(found.method.split("(")[1].split()[0]) if "(" in found.method else 0
    assert left_out / 20_000 == pytest.approx(share, abs=0.01)
    whole = pool(strata)
    more = [
        Fraction(e).limit_denominator(1000)
        for s in every
        for w in [pool(s)]
        if (e := selective_metrics(w.n, w.n_correct, w.n_accepted, w.n_accepted_correct).enrichment)
        is not None
    ]
    check_bounds(enrichment_interval(whole, 0.6, 20_000, 11), more)


def test_the_same_seed_draws_the_same_questions() -> None:
    first = uplift_interval(TYPES, 0.9, 500, 3)
    assert uplift_interval(TYPES, 0.9, 500, 3) == first
    assert uplift_interval(TYPES, 0.9, 500, 4) != first


def test_a_wider_level_holds_the_narrower() -> None:
    bounds = [uplift_interval(TYPES, level, 2_000, 5) for level in (0.8, 0.9, 0.95, 0.99)]
    lows, highs = [b.low for b in bounds], [b.high for b in bounds]
    assert lows == sorted(lows, reverse=True)
    assert highs == sorted(highs)


@pytest.mark.parametrize(
    "cells", [(3, 4, 0, 0), (3, 0, 4, 0), (0, 3, 0, 4), (1, 0, 0, 0), (0, 7, 0, 0)]
)
def test_a_gate_that_cannot_gain_is_degenerate_at_zero(cells: tuple[int, int, int, int]) -> None:
    found = uplift_interval([selection(cells)], 0.95, 300, 1)
    assert (found.value, found.low, found.high, found.degenerate) == (0.0, 0.0, 0.0, True)


def test_undefined_is_none() -> None:
    for strata in ([], [selection((0, 0, 0, 0))], [selection((0, 0, 2, 3))]):
        found = uplift_interval(strata, 0.95, 50, 1)
        assert (found.value, found.low, found.high) == (None, None, None)
        assert not found.degenerate
    for cells in ((0, 0, 0, 0), (2, 3, 0, 0)):
        found = enrichment_interval(selection(cells), 0.95, 50, 1)
        assert (found.value, found.low, found.high) == (None, None, None)


def test_draws_that_accept_nothing_are_counted() -> None:
    found = uplift_interval([selection((1, 0, 0, 1))], 0.95, 4_000, 2)
    left_out = int(found.method.split("(")[1].split()[0])
    assert abs(left_out / 4_000 - 0.25) < 0.03  # both questions are the rejected one
    assert (found.low, found.high) == (0.0, 0.5)


def test_integers_of_numpy_are_counts() -> None:
    fields = ("n", "n_correct", "n_accepted", "n_accepted_correct")
    gate = Selection(**dict(zip(fields, np.array([642, 252, 288, 139]), strict=True)))
    assert uplift_interval([gate], 0.95, 100, 1) == uplift_interval([GATE], 0.95, 100, 1)


@pytest.mark.parametrize(
    ("level", "n_resamples", "seed", "reason"),
    [
        (1.0, 100, 1, "invalid_level"),
        (0.95, 0, 1, "invalid_count"),
        (0.95, 1.5, 1, "invalid_count"),
        (0.95, True, 1, "invalid_count"),
        (0.95, 100, -1, "invalid_count"),
        (0.95, 100, None, "invalid_count"),
        (0.95, 100, 1.0, "invalid_count"),
    ],
)
def test_what_is_refused(level: Any, n_resamples: Any, seed: Any, reason: str) -> None:
    for call in (
        lambda: uplift_interval([GATE], level, n_resamples, seed),
        lambda: enrichment_interval(GATE, level, n_resamples, seed),
    ):
        with pytest.raises(StatisticsError) as caught:
            call()
        assert caught.value.reason == reason
