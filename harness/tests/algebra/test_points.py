"""Values of formulas at a point, in doubles."""

from fractions import Fraction

import pytest

from harness.algebra.latex import parse
from harness.algebra.points import value_at


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("x^2", 6.25),
        (r"\lfloor x\rfloor", 2.0),
        (r"\lceil x\rceil", 3.0),
        (r"\lfloor 2x\rfloor", None),  # at a step, within the error
        ("ix", None),
        ("x^{i}", None),
        (r"\sqrt{-x}", None),
        (r"\frac{1}{x-x}", None),
    ],
)
def test_the_value_is_real_or_none(formula: str, expected: float | None) -> None:
    found = parse(formula)
    assert found is not None
    value = value_at(found.likely, {"x": Fraction(5, 2)})
    assert (value and value[0]) == expected
