"""The value of a tree at a point, with a bound of its rounding error.

One evaluation for two arithmetics of mpmath: `fp` (doubles) to see a difference quickly, `mp` for
many digits. Sizes are checked before each power and factorial, so that the cost never depends
on how large a number a model writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from harness.algebra.tree import Node

MAX_DIGITS = 100_000  # |log10| of a value
_LN10 = 2.302585092994046


class Undefined(ArithmeticError):
    """No real value (no complex one where the formula speaks of i) at this point."""


class TooLarge(ArithmeticError):
    """Beyond 10^±100000: certainly, not by an estimate."""


class Evaluation:
    """Evaluates trees in one arithmetic.

    Parameters
    ----------
    context : `mpmath.fp`, or an `mpmath.mp` context of the caller's with its own precision.
    point : values of the symbols; a symbol without a value is `Undefined`.
    imaginary : whether values may leave the real line.
    """

    def __init__(
        self, context: Any, point: Mapping[str, Fraction], *, imaginary: bool = False
    ) -> None:
        self.context = context
        self.point = point
        self.imaginary = imaginary
        self.eps = float(context.eps) * 4

    def value(self, node: Node) -> tuple[Any, Any]:
        """(value, bound of its absolute error)."""
        try:
            value, error = self._value(node)
        except (ZeroDivisionError, ValueError, OverflowError, TypeError, AttributeError) as fault:
            raise Undefined(str(fault)) from None
        if value != value or abs(value) == self.context.inf:
            raise Undefined("not finite")
        return value, error

    def _value(self, node: Node) -> tuple[Any, Any]:
        context = self.context
        match node.op:
            case "num" | "dec":
                assert isinstance(node.value, Fraction)
                return self._fraction(node.value)
            case "sym" | "text":
                if node.value not in self.point:
                    raise Undefined(f"{node.value} has no value")
                return self._fraction(self.point[str(node.value)])
            case "pi":
                return +context.pi, self.eps * 4
            case "e":
                return +context.e, self.eps * 4
            case "i" if self.imaginary:
                return context.mpc(0, 1), 0
            case "add":
                total, error = context.zero, context.zero
                for a, e in map(self._value, node.args):
                    total, error = total + a, error + e + self.eps * (abs(a) + abs(total))
                return total, error
            case "mul":
                product, error = context.one, context.zero
                for a, e in map(self._value, node.args):
                    error = abs(product) * e + abs(a) * error + error * e
                    product = product * a
                    error = error + self.eps * abs(product)
                return product, error
            case "pow":
                return self._power(*node.args)
            case "fn":
                return self._function(str(node.value), node.args)
        raise Undefined(node.op)

    def _fraction(self, value: Fraction) -> tuple[Any, Any]:
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > 4 * MAX_DIGITS:
            raise TooLarge("literal")
        near = self.context.mpf(value.numerator) / value.denominator
        return near, self.eps * abs(near)

    def _power(self, base: Node, exponent: Node) -> tuple[Any, Any]:
        context = self.context
        e, e_error = self._value(exponent)
        if base.op == "e":
            return self._exp(e, e_error)
        b, b_error = self._value(base)
        if b == 0:
            if b_error == 0 and _real(e) > 0:
                return context.zero, context.zero
            raise Undefined("power of zero")
        self._check_size(_real(e) * context.log(abs(b)).real)
        whole = exponent.value if exponent.op == "num" else None
        if isinstance(whole, Fraction) and not _imag(b) and _real(b) < 0 and whole.denominator > 1:
            if whole.denominator % 2:  # the real root of a negative number
                size = context.power(-b, e)
                return (-size if whole.numerator % 2 else size), self._spread(
                    size, b, e, b_error, 0
                )
            if not self.imaginary:
                raise Undefined("root of a negative number")
        integral = isinstance(whole, Fraction) and whole.denominator == 1
        if isinstance(whole, Fraction) and integral and abs(whole) < 2**40:
            value = b ** int(whole)
        else:
            value = self._real_or_fail(context.power(b, e))
        return value, self._spread(value, b, e, b_error, e_error)

    def _spread(self, value: Any, b: Any, e: Any, b_error: Any, e_error: Any) -> Any:
        log = abs(self.context.log(abs(b))) + 4
        relative = abs(e) * b_error / abs(b) + log * e_error + self.eps * (1 + abs(e) * log)
        return abs(value) * relative

    def _exp(self, e: Any, e_error: Any) -> tuple[Any, Any]:
        self._check_size(_real(e))
        value = self.context.exp(e)
        return value, abs(value) * (e_error + self.eps * (1 + abs(e)))

    def _check_size(self, log: Any) -> None:
        if abs(log) > MAX_DIGITS * _LN10:
            raise TooLarge("power")

    def _real_or_fail(self, value: Any) -> Any:
        if self.imaginary or not _imag(value):
            return value
        raise Undefined("not real")

    def _function(self, name: str, args: tuple[Node, ...]) -> tuple[Any, Any]:
        context = self.context
        if name in ("min", "max"):
            pairs = [self._value(a) for a in args]
            return (min if name == "min" else max)(pairs, key=lambda p: p[0])
        if name == "binom" and len(args) == 2:
            (n, n_error), (k, k_error) = self._value(args[0]), self._value(args[1])
            self._check_factorial(n)
            self._check_factorial(k)
            value = context.binomial(n, k)
            return value, abs(value) * (1e3 * (n_error + k_error) + 1e3 * self.eps)
        if len(args) != 1:
            raise Undefined(name)
        a, error = self._value(args[0])
        if name == "factorial":
            self._check_factorial(a)
            value = context.factorial(a)
            return value, abs(value) * (10 * error + 1e3 * self.eps * (1 + abs(a)))
        if name in ("floor", "ceil"):
            value = getattr(context, name)(a)
            if error and abs(a - context.floor(a + 0.5)) <= error:
                raise Undefined("floor at a step")
            return value, context.zero
        value = self._real_or_fail(_call(context, name, a))
        return value, error * _slope(context, name, a, value) + self.eps * (
            abs(value) + (abs(a) if name in _PERIODIC else 0)
        )

    def _check_factorial(self, a: Any) -> None:
        if abs(a) > 25_000:
            raise TooLarge("factorial")


_PERIODIC = frozenset(("sin", "cos", "tan", "cot", "sec", "csc"))
_KNOWN = _PERIODIC | frozenset(str.split("sinh cosh tanh coth asin acos atan asinh acosh atanh"))


def _call(context: Any, name: str, a: Any) -> Any:
    if name == "abs":
        return abs(a)
    if name == "ln":
        return context.log(a)
    if name not in _KNOWN:
        raise Undefined(name)
    if name in _PERIODIC and abs(a) > 1e15:
        raise Undefined("angle")
    if name in ("sinh", "cosh") and abs(a) > MAX_DIGITS:
        raise TooLarge(name)
    return getattr(context, name)(a)


def _slope(context: Any, name: str, a: Any, value: Any) -> Any:
    """A bound of the derivative's size near a."""
    match name:
        case "sin" | "cos" | "abs" | "atan" | "asinh" | "tanh":
            return 1 if name != "sin" and name != "cos" else 1 + abs(value)
        case "ln":
            return 1 / abs(a)
        case "asin" | "acos":
            return 1 / context.sqrt(abs(1 - a * a) + 1e-30)
        case "acosh" | "atanh":
            return 1 / (abs(1 - a * a) + 1e-30)
        case "sinh" | "cosh":
            return 1 + abs(value)
    return 1 + abs(value) ** 2  # tan cot sec csc coth


def _real(value: Any) -> Any:
    return value.real


def _imag(value: Any) -> Any:
    return value.imag


__all__ = ["MAX_DIGITS", "Evaluation", "TooLarge", "Undefined"]
