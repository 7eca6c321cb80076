"""Formulas compared in numbers, at fixed points, with bounds of the rounding error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath

from harness.algebra.numeric import Evaluation, TooLarge, Undefined
from harness.algebra.tree import Node, symbols
from harness.algebra.values import exact

_SIZES = tuple(
    Fraction(a, b)
    for a, b in (
        *((7, 5), (5, 9), (11, 7), (8, 11), (13, 6), (4, 13), (17, 10), (3, 5), (19, 8), (2, 7)),
        *((23, 15), (9, 10), (25, 9), (6, 17), (29, 21), (10, 13), (31, 12), (5, 12), (12, 7)),
        *((14, 15), (16, 9), (3, 8), (21, 10)),
    )
)
_ROUNDS = 16
_ENOUGH = 4
_BRANCHED = frozenset(str.split("ln asin acos atan asinh acosh atanh abs"))
MANY_DIGITS = mpmath.MPContext()
MANY_DIGITS.dps = 60


@dataclass(slots=True)
class Seen:
    """How many points gave a value of both formulas, of one, and a clear difference.

    `widest` is the largest relative difference.
    """

    both: int = 0
    one: int = 0
    clear: int = 0
    widest: float = 0.0

    @property
    def different(self) -> bool:
        return self.clear > 0 or (self.both == 0 and self.one >= 3)


def compared(a: Node, b: Node, points: Iterable[dict[str, Fraction]] = ()) -> Seen | None:
    """The two formulas at several points; None where a value is too large."""
    imaginary = any(n.op == "i" for tree in (a, b) for n in tree.walk())
    blurred = imaginary and any(_is_branched(n) for tree in (a, b) for n in tree.walk())
    seen = Seen()
    for point in points or points_for(symbols(a) | symbols(b)):
        try:
            values = [_at(tree, point, imaginary) for tree in (a, b)]
        except TooLarge:
            return None
        defined = [v for v in values if v is not None]
        seen.one += len(defined) == 1
        seen.both += len(defined) == 2
        if len(defined) == 2:
            (p, p_error), (q, q_error) = defined
            distance, size = abs(p - q), max(abs(p), abs(q))
            if distance > 50 * (p_error + q_error) and distance > size * 1e-9 and not blurred:
                seen.clear += 1
                seen.widest = max(seen.widest, float(min(distance / size, 2)))
        if seen.both >= _ENOUGH:
            break
    return seen


def _is_branched(node: Node) -> bool:
    """Whether a node has several values in the complex plane, of which one is a convention."""
    if node.op == "fn":
        return node.value in _BRANCHED
    if node.op != "pow" or node.args[0].op == "e":
        return False
    exponent = exact(node.args[1])
    return exponent is None or exponent.denominator != 1


def _at(tree: Node, point: Mapping[str, Fraction], imaginary: bool) -> Any:
    for context in (mpmath.fp, MANY_DIGITS):
        try:
            value, error = Evaluation(context, point, imaginary=imaginary).value(tree)
        except Undefined:
            continue
        if context is MANY_DIGITS or error <= abs(value) * 1e-8:
            return value, error
    return None


def points_for(names: frozenset[str]) -> Iterator[dict[str, Fraction]]:
    ordered = sorted(names)
    for turn in range(_ROUNDS):
        if turn % 4 == 3:  # whole numbers, for factorials and powers of -1
            values = [Fraction(2 + (k * 3 + turn * 5) % 11) for k in range(len(ordered))]
        else:
            values = [_SIZES[(k * 5 + turn * 7) % len(_SIZES)] for k in range(len(ordered))]
        yield dict(zip(ordered, values, strict=True))


def value_at(node: Node, point: Mapping[str, Fraction]) -> tuple[float, float] | None:
    """(value, bound of its error) of a real formula in doubles, or None."""
    try:
        value, error = Evaluation(mpmath.fp, point).value(node)
    except (TooLarge, Undefined):
        return None
    return float(value), float(error)


__all__ = ["MANY_DIGITS", "Seen", "compared", "points_for", "value_at"]
