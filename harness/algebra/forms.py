"""Whether two scalar formulas are equal: clear differences first, then proofs.

A difference is seen in numbers, with bounds of their error; an equality is never concluded from
numbers alone, but from the normal form, or by sympy in a child process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath

from harness.algebra.atoms import Poly
from harness.algebra.normal import Normaliser
from harness.algebra.numeric import Evaluation, TooLarge, Undefined
from harness.algebra.points import MANY_DIGITS, compared, points_for
from harness.algebra.polys import Unproven
from harness.algebra.products import is_opaque
from harness.algebra.tree import Node, has_decimal, symbols
from harness.algebra.values import closed, exact

Oracle = Callable[[Node, Node], bool | None]

_MAX_ASKED, _MAX_BITS = 200, 200  # nodes, and bits of a number, in a question to the oracle
_SIGNED = frozenset(str.split("x y z a b"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Equal, different or undecided (None), and the reason in a few words."""

    equal: bool | None
    rule: str


def same(answer: Node, gold: Node, *, exactly: bool, oracle: Oracle) -> Verdict:
    """Compare two scalar trees.

    Parameters
    ----------
    answer, gold : trees without relations, sets or tuples; `gold` sets the scale of tolerance.
    exactly : whether decimals have to match exactly instead of within 1 % of the gold.
    oracle : asked last whether two trees are equal; True, or None where it cannot tell.
    """
    if answer == gold:
        return Verdict(True, "same formula")
    infinite = _infinities(answer, gold)
    if infinite is not None:
        return infinite
    if not symbols(answer) | symbols(gold):
        return _closed(answer, gold, exactly, oracle)
    return _open(answer, gold, exactly, oracle)


def _infinities(a: Node, b: Node) -> Verdict | None:
    if not any(n.op == "inf" for tree in (a, b) for n in tree.walk()):
        return None
    left, right = _infinite_sign(a), _infinite_sign(b)
    if left and right:
        return Verdict(left == right, "sign of infinity")
    other = b if left else a
    finite = symbols(other) or closed(other) is not None
    if (left or right) and finite and not any(n.op == "inf" for n in other.walk()):
        return Verdict(False, "infinite against finite")
    return Verdict(None, "infinity inside a formula")


def _infinite_sign(node: Node) -> int:
    if node.op == "inf":
        return 1
    if node.op == "mul" and len(node.args) == 2 and node.args[1].op == "inf":
        factor = exact(node.args[0])
        return 0 if not factor else (1 if factor > 0 else -1)
    return 0


def _closed(answer: Node, gold: Node, exactly: bool, oracle: Oracle) -> Verdict:
    a, g = exact(answer), exact(gold)
    loose = not exactly and (has_decimal(answer) or has_decimal(gold))
    if a is not None and g is not None:
        if loose:
            return Verdict(100 * abs(a - g) <= abs(g), "within 1 %" if g else "zero")
        return Verdict(a == g, "rational numbers")
    left, right = _number(answer), _number(gold)
    if "large" in (left, right):
        one = left != right and None not in (left, right)
        return Verdict(False if one else None, "too large" + (" against a number" if one else ""))
    if left is None or right is None:
        return Verdict(None, "no value")
    (p, p_error), (q, q_error) = left, right
    distance, error = abs(p - q), p_error + q_error
    if loose and distance - error <= abs(q) / 100 and abs(q) > 10 * q_error:
        return Verdict(True, "within 1 %")
    if not exactly and (_rounded(a, q) or _rounded(g, p)):
        return Verdict(True, "rounded to a whole number")
    if distance > 2 * error:
        return Verdict(False, "values")
    return _proof(answer, gold, oracle)


def _rounded(a: Fraction | None, value: Any) -> bool:
    """314 for 100π: a whole number of three digits or more, the nearest to the value."""
    whole = a is not None and a.denominator == 1 and abs(a) >= 100
    return a is not None and whole and not value.imag and abs(int(a) - value.real) <= 0.5


def _number(node: Node) -> Any:
    """(value, error) with 60 digits, "large", or None."""
    try:
        return Evaluation(MANY_DIGITS, {}, imaginary=True).value(node)
    except TooLarge:
        return "large"
    except Undefined:
        return None


def _open(answer: Node, gold: Node, exactly: bool, oracle: Oracle) -> Verdict:
    if is_opaque(answer) or is_opaque(gold):
        return _proof(answer, gold, lambda _a, _b: None)
    seen = compared(answer, gold)
    if seen is None:
        return Verdict(None, "too large")
    loose = not exactly and (has_decimal(answer) or has_decimal(gold))
    if seen.different:
        if loose and _near_terms(answer, gold):
            return Verdict(True, "coefficients within 1 %")
        near = loose and seen.widest < 0.02
        return Verdict(None if near else False, "nearly equal values" if near else "values differ")
    return _proof(answer, gold, oracle)


def _proof(answer: Node, gold: Node, oracle: Oracle) -> Verdict:
    ring = Normaliser()
    try:
        left, right = ring.of(answer), ring.of(gold)
        if ring.vanishes(ring.total(left, {m: -c for m, c in right.items()})):
            return _unless_signed(answer, gold, ring, "normal form")
        # Equal squares and equal values at a point: equal, for A + B is not 0 there.
        squares = ring.product(left, left), ring.product(right, right)
        apart = ring.total(squares[0], {m: -c for m, c in squares[1].items()})
        if ring.vanishes(apart) and _values_meet(answer, gold):
            ring.folded |= {f"s{n}" for n in symbols(answer) | symbols(gold)}
            return _unless_signed(answer, gold, ring, "squares")
    except Unproven:
        pass
    if _is_small(answer, gold) and oracle(answer, gold):
        ring.folded |= {f"s{n}" for n in symbols(answer) | symbols(gold)}
        return _unless_signed(answer, gold, ring, "sympy")
    return Verdict(None, "not decided")


def _is_small(*trees: Node) -> bool:
    """Whether sympy may answer in time: it factors what stands under a root."""
    nodes = [n for tree in trees for n in tree.walk()]
    values = [n.value for n in nodes if isinstance(n.value, Fraction)]
    bits = [max(v.numerator.bit_length(), v.denominator.bit_length()) for v in values]
    return len(nodes) <= _MAX_ASKED and max(bits, default=0) <= _MAX_BITS


def _values_meet(a: Node, b: Node) -> bool:
    if symbols(a) | symbols(b):
        seen = compared(a, b)
        return seen is not None and seen.both > 0 and not seen.clear
    values = _number(a), _number(b)
    if any(not isinstance(v, tuple) for v in values):
        return False
    (p, p_error), (q, q_error) = values
    return bool(abs(p + q) > 2 * (p_error + q_error) and abs(p - q) <= 2 * (p_error + q_error))


def _unless_signed(a: Node, b: Node, ring: Normaliser, rule: str) -> Verdict:
    """A proof for positive symbols holds unless negative ones show another value."""
    names = symbols(a) | symbols(b)
    of_sums = any(atom[0] == "(" for atom in ring.folded)
    signed = {n for n in names if (of_sums or f"s{n}" in ring.folded) and n in _SIGNED}
    if ring.moduli:
        signed = set(names)
    for chosen in (signed, *({n} for n in sorted(signed))) if signed else ():
        points = [
            {n: -v if n in chosen else v for n, v in point.items()} for point in points_for(names)
        ]
        seen = compared(a, b, points)
        if seen is None or seen.clear:
            return Verdict(None, "equal for positive symbols only")
    return Verdict(True, rule)


def _near_terms(answer: Node, gold: Node) -> bool:
    """Whether the same products of symbols have numeric factors within 1 % of the gold's."""
    ring = Normaliser()
    try:
        left, right = _grouped(ring.of(answer)), _grouped(ring.of(gold))
    except (Unproven, OverflowError):
        return False
    if left.keys() != right.keys():
        return False
    return all(100 * abs(left[k] - right[k]) <= abs(right[k]) * (1 + 1e-12) for k in right)


def _grouped(poly: Poly) -> dict[Any, float]:
    """The numeric factors, as floats, of each product of atoms that are no numbers."""
    found: dict[Any, float] = {}
    for m, c in poly.items():
        value, rest = float(c), []
        for atom, e in m:
            if atom == "pi":
                value *= float(mpmath.fp.pi) ** float(e)
            elif atom == "E1)":
                value *= float(mpmath.fp.e) ** float(e)
            elif atom[0] == "p" and atom[1:].isdigit():
                value *= float(int(atom[1:])) ** float(e)
            else:
                rest.append((atom, e))
        key = tuple(rest)
        found[key] = found.get(key, 0.0) + value
    return found


def signs_lost(ring: Normaliser) -> bool:
    """Whether what the ring shows holds for positive symbols only: |x| = 2 is not x = 2."""
    return ring.moduli or any(a[0] == "(" or a[1:] in _SIGNED for a in ring.folded)


def proportional(a: Node, b: Node) -> bool:
    """Whether a is a rational multiple of b, apart from denominators: the same zeros."""
    ring = Normaliser()
    try:
        sides = [ring.parted(ring.cleared(ring.of(n)), whole=True) for n in (a, b)]
    except (Unproven, StopIteration):
        return False
    if signs_lost(ring):
        return False
    factors = [{s for s, e in monomial if e > 0} for _, monomial, _ in sides]
    return sides[0][2] == sides[1][2] and factors[0] == factors[1]


__all__ = ["Oracle", "Verdict", "proportional", "same", "signs_lost"]
