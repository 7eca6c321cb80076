from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.visual import visual_dependency

TEN_THOUSANDTHS = st.integers(0, 10_000)


@settings(max_examples=50, deadline=None)
@given(TEN_THOUSANDTHS, TEN_THOUSANDTHS, TEN_THOUSANDTHS)
def test_exact_in_decimals(accuracy: int, shuffle: int, blank: int) -> None:
    found = visual_dependency(accuracy / 10_000, shuffle / 10_000, blank / 10_000)
    assert found.visual_dependency_delta == float(Fraction(accuracy - shuffle, 10_000))
    assert found.blank_image_delta == float(Fraction(accuracy - blank, 10_000))
    gain = Fraction(max(0, accuracy - shuffle), 10_000)
    assert found.fitness == float(Fraction(accuracy, 10_000) + gain / 4)
    assert found.fitness >= found.accuracy


def test_published_figures() -> None:
    found = visual_dependency(0.1943, 0.1043, 0.1)
    assert (found.visual_dependency_delta, found.blank_image_delta) == (0.09, 0.0943)
    assert found.fitness == 0.2168


def test_differences_that_floats_miss() -> None:
    assert 0.3 - 0.1 != 0.2
    found = visual_dependency(0.3, 0.1, 0.1)
    assert found.visual_dependency_delta == found.blank_image_delta == 0.2
    assert found.fitness == 0.35


def test_a_better_control_costs_nothing() -> None:
    found = visual_dependency(0.2, 0.5, 0.3)
    assert (found.fitness, found.visual_dependency_delta) == (0.2, -0.3)
    assert found.blank_image_delta == -0.1
    assert visual_dependency(0, 0, 0).fitness == 0.0
    assert visual_dependency(1, 0, 0).fitness == 1.25


def test_the_fitness_stands_on_the_shuffled_control_alone() -> None:
    found = visual_dependency(0.5, 0.3, None)
    assert (found.accuracy_blank, found.blank_image_delta) == (None, None)
    assert (found.visual_dependency_delta, found.fitness) == (0.2, 0.55)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ((0.5, None, 0.3), "missing_control"),
        ((0.5, None, None), "missing_control"),
        ((None, 0.3, 0.3), "nan_value"),
        ((0.5, float("nan"), 0.3), "nan_value"),
        ((float("inf"), 0.3, 0.3), "nan_value"),
        ((19.43, 10.43, 10.0), "accuracy_out_of_range"),
        ((0.5, -0.1, 0.1), "accuracy_out_of_range"),
    ],
)
def test_refusals(values: tuple[Any, Any, Any], reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        visual_dependency(*values)
    assert refused.value.reason == reason
