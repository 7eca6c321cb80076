"""The normal form of a tree, which proves equalities without a library."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from harness.algebra.atoms import ONE, Poly, key_of
from harness.algebra.polys import MAX_WORK, Ring, Unproven
from harness.algebra.products import OPAQUE
from harness.algebra.tree import Node
from harness.algebra.values import exact

_ONE = Fraction(1)
_ODD = frozenset(("asin", "atan", "asinh", "atanh"))
_PLAIN = _ODD | frozenset(("acos", "acosh", "floor", "ceil"))
_COMMUTATIVE = frozenset(("min", "max", "gcd", "lcm", "dot"))


class Normaliser(Ring):
    """Normal forms of the formulas of one comparison.

    `moduli` says whether a modulus was dropped because symbols count as positive.
    """

    def __init__(self, budget: int = MAX_WORK) -> None:
        super().__init__(budget)
        self.moduli = False

    def of(self, node: Node) -> Poly:
        """The normal form of a scalar tree. Raises `Unproven` where there is none."""
        self.spend(1)
        rational = exact(node)
        if rational is not None:
            return {ONE: rational} if rational else {}
        match node.op:
            case "sym" | "text":
                return {((f"s{node.value}", _ONE),): _ONE}
            case "pi":
                return {(("pi", _ONE),): _ONE}
            case "i":
                return {(("I", _ONE),): _ONE}
            case "e":
                return self.exponential({ONE: _ONE})
            case "add":
                return self.total(*map(self.of, node.args))
            case "mul":
                found: Poly = {ONE: _ONE}
                for a in node.args:
                    found = self.product(found, self.of(a))
                return found
            case "pow":
                return self.power(*node.args)
            case "fn":
                return self.function(str(node.value), node.args)
        raise Unproven(node.op)

    def power(self, base: Node, exponent: Node) -> Poly:
        q = exact(exponent)
        if q is None:
            return self.general_power(base, self.of(exponent))
        if base.op == "e":
            return self.exponential({ONE: q}) if q else {ONE: _ONE}
        return self.raised(self.of(base), q)

    def general_power(self, base: Node, exponent: Poly) -> Poly:
        if len(exponent) == 1 and ONE in exponent:
            q = exponent[ONE]
            return self.exponential({ONE: q}) if base.op == "e" else self.raised(self.of(base), q)
        if base.op == "e":
            return self.exponential(exponent)
        return self.exponential(self.product(exponent, self.logarithm(self.of(base))))

    def function(self, name: str, args: tuple[Node, ...]) -> Poly:
        polys = [self.of(a) for a in args]
        if name in _COMMUTATIVE:
            return self.opaque(name, *sorted(polys, key=key_of))
        if name in OPAQUE:
            return self.opaque(name, *polys)
        if name == "binom" and len(polys) == 2:
            n, k = polys
            below = self.total(n, {m: -c for m, c in k.items()})
            return self.product(
                self.factorial(n),
                self.raised(self.product(self.factorial(k), self.factorial(below)), -_ONE),
            )
        (u,) = polys
        if name == "ln":
            return self.logarithm(u)
        if name == "factorial":
            return self.factorial(u)
        if name == "abs":
            return self.modulus(u)
        if name in _CIRCULAR:
            return _CIRCULAR[name](self, self.product(u, {(("I", _ONE),): _ONE}), True)
        if name in _HYPERBOLIC:
            return _CIRCULAR[_HYPERBOLIC[name]](self, u, False)
        if name not in _PLAIN:
            raise Unproven(name)
        if name in _ODD and u and min(u.items())[1] < 0:
            return _scaled(self.opaque(name, _scaled(u, -_ONE)), -_ONE)
        return self.opaque(name, u) if u or name not in _ODD else {}

    def opaque(self, name: str, *polys: Poly) -> Poly:
        return {((f"F{name} {' '.join(map(key_of, polys))}", _ONE),): _ONE}

    def factorial(self, u: Poly) -> Poly:
        """(n + k)! as n! (n + 1) ... (n + k) for a whole k up to 12."""
        k = u.get(ONE, Fraction(0)) if len(u) > 1 else Fraction(0)
        if k.denominator != 1 or abs(k) > 12:
            k = Fraction(0)
        base = self.total(u, {ONE: -k})
        found = self.opaque("factorial", base)
        for j in range(1, abs(int(k)) + 1):
            step = Fraction(j if k > 0 else 1 - j)
            factor = self.total(base, {ONE: step})
            found = self.product(found, factor if k > 0 else self.raised(factor, -_ONE))
        return found

    def modulus(self, u: Poly) -> Poly:
        if any(self.is_complex(a) for m in u for a, _ in m):
            raise Unproven("modulus")
        self.moduli = True
        if len(u) == 1:
            return {m: abs(c) for m, c in u.items()}
        return self.opaque("abs", u if not u or min(u.items())[1] > 0 else _scaled(u, -_ONE))

    def even(self, u: Poly) -> Poly:
        """(e^u + e^-u) / 2."""
        both = self.total(self.exponential(u), self.exponential(_scaled(u, -_ONE)))
        return _scaled(both, Fraction(1, 2))

    def odd(self, u: Poly, circular: bool) -> Poly:
        """(e^u - e^-u) / 2, over i for the circular functions."""
        negative = _scaled(self.exponential(_scaled(u, -_ONE)), -_ONE)
        half = _scaled(self.total(self.exponential(u), negative), Fraction(1, 2))
        return self.product(half, {(("I", _ONE),): -_ONE}) if circular else half


def _scaled(poly: Poly, factor: Fraction) -> Poly:
    return {m: c * factor for m, c in poly.items()}


def _over(ring: Normaliser, top: Poly, bottom: Poly) -> Poly:
    return ring.product(top, ring.raised(bottom, -_ONE))


_CIRCULAR: dict[str, Callable[[Normaliser, Poly, bool], Poly]] = {
    "sin": lambda ring, u, circular: ring.odd(u, circular),
    "cos": lambda ring, u, circular: ring.even(u),
    "tan": lambda ring, u, circular: _over(ring, ring.odd(u, circular), ring.even(u)),
    "cot": lambda ring, u, circular: _over(ring, ring.even(u), ring.odd(u, circular)),
    "sec": lambda ring, u, circular: ring.raised(ring.even(u), -_ONE),
    "csc": lambda ring, u, circular: ring.raised(ring.odd(u, circular), -_ONE),
}
_HYPERBOLIC = {"sinh": "sin", "cosh": "cos", "tanh": "tan", "coth": "cot"}

__all__ = ["Normaliser"]
