"""The normal form proves these identities, and none of the near misses."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.algebra.latex import parse
from harness.algebra.normal import Normaliser
from harness.algebra.numeric import Evaluation, TooLarge, Undefined
from harness.algebra.points import points_for
from harness.algebra.polys import Unproven
from harness.algebra.tree import Node, add, call, difference, mul, number, power, symbol, symbols


def proven(left: str, right: str) -> bool:
    a, b = parse(left), parse(right)
    assert a is not None and b is not None
    ring = Normaliser()
    return ring.vanishes(ring.of(difference(a.likely, b.likely)))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (r"\frac{1}{x-1}-\frac{1}{x+1}", r"\frac{2}{x^2-1}"),
        (r"\frac{1}{1+\sqrt2}", r"\sqrt2-1"),
        (r"\sqrt{1-\frac{v^2}{c^2}}", r"\frac{\sqrt{c^2-v^2}}{c}"),
        (r"\sin 3x", r"3\sin x-4\sin^3 x"),
        (r"\sin(a+b)", r"\sin a\cos b+\cos a\sin b"),
        (r"1+\tan^2 x", r"\sec^2 x"),
        (r"\cosh^2 x-\sinh^2 x", "1"),
        (r"\tan 15^\circ", r"2-\sqrt3"),
        (r"\cos 75^\circ", r"\frac{\sqrt6-\sqrt2}{4}"),
        (r"\sin 75^\circ", r"\frac{\sqrt6+\sqrt2}{4}"),
        (r"\cos 330^\circ", r"\frac{\sqrt3}{2}"),
        (r"e^{i\pi}", "-1"),
        (r"\ln(x^2 y)", r"2\ln x+\ln y"),
        (r"2^{x+1}", r"2\cdot 2^x"),
        (r"\binom{n}{k}", r"\frac{n!}{k!(n-k)!}"),
        (r"\frac{(n+2)!}{n!}", "(n+1)(n+2)"),
        (r"\sqrt{72}", r"6\sqrt2"),
        (r"\sqrt[3]{16}", r"2\sqrt[3]{2}"),
    ],
)
def test_identities(left: str, right: str) -> None:
    assert proven(left, right)
    assert not proven(left, f"{right}+1")
    assert not proven(left, f"-({right})-1")


TREES = st.recursive(
    st.one_of(
        st.sampled_from([symbol("x"), symbol("y"), Node("pi"), Node("e")]),
        st.fractions(-3, 3, max_denominator=4).map(number),
    ),
    lambda inner: st.one_of(
        st.builds(add, inner, inner),
        st.builds(mul, inner, inner),
        st.builds(power, inner, st.sampled_from([-2, -1, 2, 3]).map(number)),
        st.builds(lambda a: power(a, Node("num", (), Fraction(1, 2))), inner),
        st.builds(call, st.sampled_from(["sin", "cos", "tan", "ln", "abs", "sinh", "atan"]), inner),
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(TREES, TREES)
def test_what_is_proven_is_true_in_numbers(left: Node, right: Node) -> None:
    """Trees and variations of themselves: a proof never contradicts 60 digits."""
    many = mpmath.MPContext()
    many.dps = 60
    varied = (
        right,
        add(left, right),
        mul(left, left),
        power(mul(left, left), Node("num", (), Fraction(1, 2))),
    )
    for other in varied:
        ring = Normaliser()
        try:
            if not ring.vanishes(ring.of(difference(left, other))):
                continue
        except Unproven:
            continue
        for point in points_for(symbols(left) | symbols(other)):
            try:
                p, p_error = Evaluation(many, point).value(left)
                q, q_error = Evaluation(many, point).value(other)
            except (Undefined, TooLarge):
                continue
            if p < 0 or q < 0:
                continue  # roots of squares: positive values only
            assert abs(p - q) <= 1e3 * (p_error + q_error) + many.mpf(10) ** -40 * abs(p)
