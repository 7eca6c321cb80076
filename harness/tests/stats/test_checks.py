"""Checks turn numbers of numpy into Python's, and refuse what is none with a reason."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import (
    StatisticsError,
    check_choice,
    check_count,
    check_draws,
    check_part,
    check_share,
    check_whole,
)
from harness.stats.levels import percentile_ranks
from harness.stats.proportion import wilson


def test_numbers_of_numpy_become_pythons() -> None:
    counts = [check_count("n", np.uint8(200)), check_whole("n", np.int16(7))]
    counts += [
        *check_part("k", np.uint8(3), "n", np.uint64(4)),
        *check_draws(np.int8(9), np.int8(1)),
    ]
    assert counts == [200, 7, 3, 4, 9, 1]
    assert {type(count) for count in counts} == {int}
    shares = [check_share("level", np.float32(0.5)), check_share("level", Fraction(1, 4))]
    assert shares == [0.5, 0.25]
    assert {type(share) for share in shares} == {float}
    assert type(wilson(1, 2, np.float32(0.5)).level) is float  # type: ignore[arg-type]


REFUSED: list[tuple[Callable[[Any], object], list[Any], str]] = [
    (lambda v: check_count("n", v), [True, 1.0, -1, None, "1", np.float64(1)], "invalid_count"),
    (lambda v: check_part("k", v, "n", 3), [4, np.uint8(4), -1, None], "invalid_count"),
    (lambda v: check_draws(v, 1), [0, -1, None, 1.5], "invalid_count"),
    (lambda v: check_draws(1, v), [-1, None, 1.5, True], "invalid_count"),
    (
        lambda v: check_share("level", v),
        [0, 1, True, float("nan"), None, "0.5", 5e-324, 10**400, 1j, 1 - Fraction(1, 10**30)],
        "invalid_level",
    ),
    (
        lambda v: check_choice("variant", v, ("exact", "midp")),
        ["", None, ["exact"], np.array(["exact", "midp"]), {}],
        "unknown_variant",
    ),
]


@pytest.mark.parametrize(("check", "values", "reason"), REFUSED)
def test_all_else_is_refused(
    check: Callable[[Any], object], values: list[Any], reason: str
) -> None:
    for value in values:
        with pytest.raises(StatisticsError, match="expected") as refused:
            check(value)
        assert refused.value.reason == reason


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 300), st.integers(1, 199))
def test_percentile_ranks_are_the_first_that_reach_the_tails(size: int, level: int) -> None:
    low, high = percentile_ranks(size, level / 200)
    tail = (1 - Fraction(level, 200)) / 2
    for rank, q in ((low, tail), (high, 1 - tail)):
        assert Fraction(rank, size) < q <= Fraction(rank + 1, size)
    # Mirrored, but where a tail is met exactly and the lower draw is taken at both ends.
    met = (tail * size).denominator == 1
    assert size - 1 - high == low + met
    assert low == ceil(tail * size) - 1
