"""The value of a formula without symbols, as a fraction."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import mpmath

from harness.algebra.latex import parse
from harness.algebra.numeric import Evaluation, TooLarge, Undefined
from harness.algebra.tree import Node

_LITERAL = re.compile(r"[+-]?\d{1,300}(?:\.\d{0,300})?")
_MAX_BITS = 40_000
_OF_NUMBERS: dict[str, Callable[..., int]] = {
    "gcd": math.gcd,
    "lcm": math.lcm,
    "min": min,
    "max": max,
}
_DIGITS = 60
_context = mpmath.MPContext()
_context.dps = _DIGITS


def value(formula: str) -> Fraction | None:
    """The real number that a formula is.

    Parameters
    ----------
    formula : LaTeX or plain-text maths without free symbols.

    Returns
    -------
    Fraction or None
        Exact where the number is rational and the formula shows it (sums, products, whole powers
        and perfect roots), else within 10^-40 of it, relatively. None for what is not read, not
        real, not finite, beyond 10^±100000, or indistinguishable from 0 without being exactly 0.
    """
    text = formula.strip()
    if _LITERAL.fullmatch(text):
        return Fraction(text.rstrip("."))
    return _value(text)


@lru_cache(maxsize=4096)
def _value(text: str) -> Fraction | None:
    found = parse(text)
    if found is None or found.common is not None or found.other is not None:
        return None
    return closed(found.likely)


def closed(node: Node) -> Fraction | None:
    """As `value`, of a tree."""
    rational = exact(node)
    if rational is not None:
        return rational
    try:
        near, error = Evaluation(_context, {}, imaginary=True).value(node)
    except (TooLarge, Undefined):
        return None
    if abs(near) * _context.mpf(10) ** -40 < error or abs(near.imag) > error:
        return None
    return _fraction(near.real)


def _fraction(near: mpmath.mpf) -> Fraction:
    sign, mantissa, exponent, _ = near._mpf_
    whole = -int(mantissa) if sign else int(mantissa)
    return Fraction(whole << exponent) if exponent >= 0 else Fraction(whole, 1 << -exponent)


def exact(node: Node) -> Fraction | None:
    """The rational number that a tree shows itself to be, or None; never costly."""
    match node.op:
        case "num" | "dec":
            return node.value if isinstance(node.value, Fraction) else None
        case "add" | "mul":
            total = Fraction(node.op == "mul")
            for argument in node.args:
                part = exact(argument)
                if part is None or _bits(part) + _bits(total) > _MAX_BITS:
                    return None
                total = total + part if node.op == "add" else total * part
            return total
        case "pow":
            base, exponent = exact(node.args[0]), exact(node.args[1])
            return None if base is None or exponent is None else rational_power(base, exponent)
        case "fn" if node.value == "factorial":
            n = exact(node.args[0])
            small = n is not None and n.denominator == 1 and 0 <= n <= 1000
            return Fraction(math.factorial(int(n))) if n is not None and small else None
        case "fn" if node.value in _OF_NUMBERS:
            parts = [exact(a) for a in node.args]
            known = [p for p in parts if p is not None and p.denominator == 1 and _bits(p) < 500]
            if len(known) < max(2, len(parts)):
                return None
            return Fraction(_OF_NUMBERS[str(node.value)](*map(int, known)))
        case "fn" if node.value == "abs":
            inner = exact(node.args[0])
            return None if inner is None else abs(inner)
    return None


def rational_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    """base^exponent where it is rational and small enough to write down, else None."""
    if base == 0:
        return Fraction(0) if exponent > 0 else None
    if abs(exponent) * _bits(base) > _MAX_BITS or _bits(exponent) > 64:
        return Fraction(1) if base == 1 else None
    if exponent.denominator == 1:
        return base ** int(exponent)
    if base < 0 and exponent.denominator % 2 == 0:
        return None
    top = whole_root(abs(base.numerator), exponent.denominator)
    bottom = whole_root(base.denominator, exponent.denominator)
    if top is None or bottom is None:
        return None
    return Fraction(-top if base < 0 else top, bottom) ** exponent.numerator


def whole_root(n: int, degree: int) -> int | None:
    """The whole number whose power n is, or None."""
    if n < 2:
        return n
    if degree == 2:
        root = math.isqrt(n)
    elif n.bit_length() <= degree:
        root = 1
    else:
        low, high = 1, 1 << (n.bit_length() // degree + 1)
        while low < high - 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle**degree <= n else (low, middle)
        root = low
    return root if root**degree == n else None


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


__all__ = ["closed", "exact", "rational_power", "value", "whole_root"]
