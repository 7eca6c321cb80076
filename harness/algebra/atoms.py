"""The atoms of the normal form: their names, primes, and the angles with known values."""

from __future__ import annotations

import math
from fractions import Fraction

from harness.algebra.values import whole_root

Monomial = tuple[tuple[str, Fraction], ...]  # (atom, exponent), sorted by atom
Poly = dict[Monomial, Fraction]

ONE: Monomial = ()
NONE, HALF, UNIT = Fraction(0), Fraction(1, 2), Fraction(1)
IMAGINARY: Monomial = (("I", UNIT),)
I_PI: Monomial = (("I", UNIT), ("pi", UNIT))
TURN = "E1*I^1*pi^1)"  # e^{iπ}


def _twelfth(sign: int) -> Poly:
    quarter, two, six = Fraction(1, 4), ("p2", HALF), (("p2", HALF), ("p3", HALF))
    real: Poly = {six: quarter, (two,): quarter * sign}
    return real | {(("I", UNIT), *six): quarter, (("I", UNIT), two): -quarter * sign}


ANGLES: dict[Fraction, Poly] = {  # e^{iπq} for q < 1/2, as polynomials
    Fraction(1, 3): {ONE: HALF, (("I", UNIT), ("p3", HALF)): HALF},
    Fraction(1, 6): {(("p3", HALF),): HALF, IMAGINARY: HALF},
    Fraction(1, 4): {(("p2", HALF),): HALF, (("I", UNIT), ("p2", HALF)): HALF},
    Fraction(1, 12): _twelfth(1),
    Fraction(5, 12): _twelfth(-1),
}


def key_of(poly: Poly) -> str:
    """A name for a poly; equal polys have equal names."""
    return (
        ";".join(
            f"{c}" + "".join(f"*{a}^{e}" for a, e in m) for m, c in sorted(poly.items())
        ).replace(" ", "~")
        + ")"
    )


def is_prime(atom: str) -> bool:
    return atom[0] == "p" and atom[1:].isdigit()


def common_divisor(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(math.gcd(a.numerator, b.numerator), math.lcm(a.denominator, b.denominator))


def primes(c: Fraction) -> dict[str, int]:
    """The prime factors of a positive fraction as atoms; a factor beyond 1000 stays whole."""
    found: dict[str, int] = {}
    for n, sign in ((c.numerator, 1), (c.denominator, -1)):
        divisor = 2
        while divisor * divisor <= n and divisor < 1000:
            while n % divisor == 0:
                n //= divisor
                found[f"p{divisor}"] = found.get(f"p{divisor}", 0) + sign
            divisor += 1 if divisor == 2 else 2
        root = whole_root(n, 2)
        times = sign if root is None else 2 * sign
        n = n if root is None else root
        if n > 1:
            found[f"p{n}"] = found.get(f"p{n}", 0) + times
    return found


__all__ = [
    "ANGLES",
    "HALF",
    "IMAGINARY",
    "I_PI",
    "NONE",
    "ONE",
    "TURN",
    "UNIT",
    "Monomial",
    "Poly",
    "common_divisor",
    "is_prime",
    "key_of",
    "primes",
]
