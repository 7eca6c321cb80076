"""Exact balance after freezing, and planted cues that must be caught."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from scipy import stats as scipy_stats

from harness.errors import DataError
from harness.scenes.balance import balance_table, first, freeze, side_cues, unbalanced
from harness.scenes.draws import Draws
from harness.scenes.sampler import static_item, triplet
from harness.scenes.scene import Scene
from harness.scenes.triplet import FACTORS, Triplet
from harness.scenes.twosample import holm, mean_difference, p_value


@lru_cache(maxsize=8)
def passes(factor: str, share: float = 0.97, n: int = 240) -> tuple[Triplet, ...]:
    """Triplets of which a random part was rejected."""
    draws = Draws(1, "rejected", factor)
    return tuple(triplet(factor, index) for index in range(n) if draws.chance(share))


@pytest.mark.parametrize("factor", FACTORS)
def test_frozen_sets_are_exactly_balanced(factor: str) -> None:
    for n in (4, 8, 12, 16, 20, 24, 28, 200):
        chosen = freeze(passes(factor), n)[factor]
        kept = [one for one in passes(factor) if one.id in chosen]
        assert len(kept) == n
        assert list(chosen) == sorted(chosen)
        assert unbalanced(kept) == ()
    cells = {row.value: row.n for row in balance_table(kept) if row.fact == "letter × value"}
    assert set(cells.values()) == {50}


def test_whole_blocks_need_no_choice() -> None:
    whole = [triplet(factor, index) for factor in FACTORS for index in range(208)]
    assert unbalanced(whole) == ()
    chosen = freeze(whole, 208)
    assert {name for ids in chosen.values() for name in ids} == {one.id for one in whole}
    static = [static_item(factor, index) for factor in FACTORS for index in range(48)]
    assert unbalanced(static) == ()
    # In these no free variable tells the letter or the value.
    assert side_cues(whole) == ()
    assert side_cues(static, most=0.6) == ()


def test_the_order_of_the_passes_does_not_matter() -> None:
    there = freeze(passes("count"), 40)
    assert freeze(passes("count")[::-1], 40) == there


def test_what_cannot_be_frozen_is_said() -> None:
    few = passes("count")[:20]
    cases = [
        (few, 200, "A, larger, left near: .* draw further"),
        (few, 6, "multiple of 4"),
        (few, 0, "multiple of 4"),
        ((few[0], few[0]), 4, "count_00000. twice"),
        (tuple(triplet("count", i, direction="published") for i in range(8)), 4, "one-way"),
        ((replace(few[0], design={}),), 4, "expected value in the design"),
    ]
    for members, n, message in cases:
        with pytest.raises(DataError, match=message):
            freeze(members, n)
    with pytest.raises(DataError, match="at least 30"):
        first(few, 30)
    assert len(first(few, 5)["count"]) == 5


def test_planted_imbalance_is_caught() -> None:
    whole = passes("presence")
    kept = [one for one in whole if not (one.gold["base"] == "A" and one.design["value"] == "no")]
    found = {issue.where for issue in unbalanced(kept)}
    assert {"presence letter × value", "presence letter", "presence value"} <= found


def test_planted_cues_are_caught() -> None:
    whole = [triplet("count", index) for index in range(160)]
    assert side_cues(whole) == ()

    def fewer(one: Triplet) -> Triplet:
        """Additions start with one object less."""
        if one.design["direction"] == "remove":
            return one
        base = one.scenes["base"]
        return _with_base(one, replace(base, objects=base.objects[1:]))

    def shifted(one: Triplet) -> Triplet:
        """The pictures whose answer is A lie a little to the left."""
        base = one.scenes["base"]
        if one.gold["base"] == "B":
            return one
        moved = tuple(replace(thing, x=thing.x - 0.6) for thing in base.objects)
        return _with_base(one, replace(base, objects=moved))

    for plant, where in ((fewer, "count value: objects"), (shifted, "count letter: left mean")):
        issues = [issue for issue in side_cues(map(plant, whole)) if issue.where == where]
        assert {issue.code for issue in issues} == {"side_cue", "mean_difference"}


def test_two_samples_agree_with_scipy() -> None:
    draws = Draws(7)
    for n, shift in ((40, 0.0), (100, 0.2), (100, 0.5)):
        here = [draws.unit() for _ in range(n)]
        there = [draws.unit() + shift for _ in range(n)]
        exact = scipy_stats.ks_2samp(here, there, method="exact").pvalue
        assert p_value(here, there) == pytest.approx(exact, rel=0.25, abs=1e-6)
        bits = ([float(v > 0.5) for v in here], [float(v > 0.5) for v in there])
        table = np.array([[sum(part), len(part) - sum(part)] for part in bits])
        assert p_value(*bits) == pytest.approx(scipy_stats.fisher_exact(table).pvalue)
    assert p_value([1.0, 1.0], [1.0]) == 1.0
    assert mean_difference([1.0, 1.0], [1.0, 1.0]) == 0.0
    assert mean_difference([1.0, 1.0], [2.0, 2.0]) == float("inf")
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])


def _with_base(one: Triplet, base: Scene) -> Triplet:
    return replace(one, scenes={**one.scenes, "base": base})
