import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.algebra.values import value, whole_root


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("12", Fraction(12)),
        ("-0.50", Fraction(-1, 2)),
        ("5.", Fraction(5)),
        (r"\frac{3}{4}", Fraction(3, 4)),
        (r"1\frac{1}{2}", Fraction(3, 2)),
        (r"\sqrt{16}", Fraction(4)),
        (r"\sqrt[3]{-27}", Fraction(-3)),
        ("8^{2/3}", Fraction(4)),
        ("2^{-3}", Fraction(1, 8)),
        ("6!", Fraction(720)),
        (r"3\times10^{8}", Fraction(300_000_000)),
        (r"50\%", Fraction(1, 2)),
        (r"\gcd(12,18)", Fraction(6)),
        ("0", Fraction(0)),
        ("2^{3000}", Fraction(2**3000)),
    ],
)
def test_rational_values_are_exact(formula: str, expected: Fraction) -> None:
    assert value(formula) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"\pi", math.pi),
        ("π/2", math.pi / 2),
        (r"\sqrt{2}", math.sqrt(2)),
        ("e^2", math.exp(2)),
        (r"\ln 10", math.log(10)),
        (r"\sin 1", math.sin(1)),
        (r"\arctan 2", math.atan(2)),
        (r"45^\circ", math.pi / 4),
        (r"\log_2 10", math.log2(10)),
        (r"\cosh 1", math.cosh(1)),
    ],
)
def test_other_values_are_near(formula: str, expected: float) -> None:
    found = value(formula)
    assert found is not None
    assert float(found) == pytest.approx(expected, rel=1e-15)


def test_thirty_digits() -> None:
    found = value(r"\pi")
    assert found is not None
    assert abs(found - Fraction("3.14159265358979323846264338327950288419716939937510")) < Fraction(
        1, 10**40
    )


@pytest.mark.parametrize(
    "formula",
    [
        *("x", "2x", "", "1/0", "0^0", r"\ln 0", r"\sqrt{-1}", "i", r"e^{i}", r"\infty", "x=2"),
        *("9^{9^{9}}", "2^{1000000000}", "1000000000!", "10^{10^{10^{10}}}", "10^{-999999}"),
        *(r"\sqrt{2}-\sqrt{8}/2", r"\pm 3", "(1,2)", r"\log 2", "a/b", "9" * 5_000),
    ],
)
def test_no_value(formula: str) -> None:
    assert value(formula) is None


@given(st.integers(0, 10**40), st.integers(2, 9))
def test_whole_roots(n: int, degree: int) -> None:
    assert whole_root(n**degree, degree) == n
    root = whole_root(n, degree)
    assert root is None or root**degree == n
