"""Whether two equations, or two inequalities, hold for the same values of their symbols."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from harness.algebra.forms import Oracle, Verdict, proportional, same, signs_lost
from harness.algebra.normal import Normaliser
from harness.algebra.points import points_for, value_at
from harness.algebra.polys import Unproven
from harness.algebra.tree import (
    Node,
    add,
    difference,
    has_decimal,
    mul,
    negative,
    number,
    quotient,
    replaced,
    symbols,
)

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_GRID = tuple(Fraction(n, 7) for n in range(-40, 41, 3))
_CLEAR = 1e-6
_MAX_NODES = 150
_BUDGET = 4_000


def same_equation(answer: Node, gold: Node, *, exactly: bool, oracle: Oracle) -> Verdict:
    """Compare two equations, each given as left side minus right side.

    Equal where one is a multiple of the other, or where both give the same value of a symbol
    that stands in both linearly. Different where a zero of one is clearly none of the other.
    """
    if proportional(answer, gold):
        return Verdict(True, "same equation")
    shared = sorted(symbols(answer) & symbols(gold))
    if not shared:
        return Verdict(None, "no symbol in common")
    for name in shared[:6]:
        left, right = solved(answer, name), solved(gold, name)
        if left is not None and right is not None:
            found = same(left, right, exactly=exactly, oracle=oracle)
            if found.equal is not None:
                return Verdict(found.equal, f"solved for {name}: {found.rule}")
    if has_decimal(answer) or has_decimal(gold):
        return Verdict(None, "equations with decimals")
    if sum(1 for tree in (answer, gold) for _ in tree.walk()) > _MAX_NODES:
        return Verdict(None, "large equations")
    if any(
        _zero_apart(a, b, name) for name in shared[:3] for a, b in ((answer, gold), (gold, answer))
    ):
        return Verdict(False, "a solution of one only")
    return Verdict(None, "equations not decided")


def solved(difference_of_sides: Node, name: str) -> Node | None:
    """The value of a symbol that stands, or whose reciprocal stands, linearly in an equation."""
    direct = _solved_linear(difference_of_sides, name)
    if direct is not None:
        return direct
    reciprocal = Node("pow", (Node("sym", (), name), number(-1)))
    found = _solved_linear(replaced(difference_of_sides, {name: reciprocal}), name)
    return None if found is None else quotient(number(1), found)


def _solved_linear(node: Node, name: str) -> Node | None:
    slope_and_rest = linear(node, name)
    if slope_and_rest is None:
        return None
    slope, rest = slope_and_rest
    ring = Normaliser(_BUDGET)
    try:
        if symbols(slope) and ring.vanishes(ring.of(rest)):
            return None  # xy = 0 is not y = 0
    except Unproven:
        return None
    return negative(quotient(rest, slope))


def linear(node: Node, name: str) -> tuple[Node, Node] | None:
    """(A, B) where the node is A·name + B with neither holding the symbol, else None."""
    one, two = (replaced(node, {name: number(n)}) for n in (1, 2))
    slope = difference(two, one)
    rest = difference(mul(number(2), one), two)
    ring = Normaliser(_BUDGET)
    try:
        if ring.vanishes(ring.of(slope)):
            return None
        again = add(mul(slope, Node("sym", (), name)), rest)
        if not ring.vanishes(ring.of(difference(node, again))) or signs_lost(ring):
            return None
    except Unproven:
        return None
    return slope, rest


def _zero_apart(one: Node, other: Node, name: str) -> bool:
    """Whether some real zero of `one` along a symbol is clearly no zero of `other`."""
    names = symbols(one) | symbols(other)
    for turn, point in enumerate(points_for(names)):
        if turn >= 2:
            return False
        for low, high in _sign_changes(one, point, name):
            zero = _bisected(one, point, name, low, high)
            if zero is None:
                continue
            here = value_at(other, point | {name: zero})
            ends = [value_at(other, point | {name: end}) for end in (low, high)]
            if here is None or None in ends:
                continue
            scale = max(abs(e[0]) for e in ends if e)
            if abs(here[0]) > 1e-3 * scale + 1e3 * here[1]:
                return True
    return False


def _sign_changes(
    node: Node, point: dict[str, Fraction], name: str
) -> Iterator[tuple[Fraction, Fraction]]:
    before: tuple[Fraction, float] | None = None
    for x in _GRID:
        found = value_at(node, point | {name: x})
        if found is None:
            before = None
            continue
        if before and before[1] * found[0] < 0:
            yield before[0], x
        before = x, found[0]


def _bisected(
    node: Node, point: dict[str, Fraction], name: str, low: Fraction, high: Fraction
) -> Fraction | None:
    """A zero between two points of different sign, or None at a pole."""
    ends = value_at(node, point | {name: low}), value_at(node, point | {name: high})
    if ends[0] is None or ends[1] is None:
        return None
    rising, scale = ends[1][0] > 0, max(abs(ends[0][0]), abs(ends[1][0]))
    for _ in range(45):
        middle = Fraction(float(low + high) / 2)
        found = value_at(node, point | {name: middle})
        if found is None:
            return None
        low, high = (low, middle) if (found[0] > 0) == rising else (middle, high)
    found = value_at(node, point | {name: low})
    return low if found is not None and abs(found[0]) < _CLEAR * scale else None


def same_inequality(answer: tuple[Node, str, Node], gold: tuple[Node, str, Node]) -> Verdict:
    """Compare two inequalities (left, sign, right) in several symbols."""
    sides = [_upward(*i) for i in (answer, gold)]
    (a, a_sign), (g, g_sign) = sides
    if proportional(a, g):
        ratio = _sign_of_ratio(a, g)
        if ratio:
            turned = a_sign if ratio > 0 else _FLIPPED[a_sign]
            return Verdict(turned == g_sign, "same inequality")
    for point in points_for(symbols(a) | symbols(g)):
        truths = [_truth(node, sign, point) for node, sign in sides]
        if None not in truths and truths[0] != truths[1]:
            return Verdict(False, "holds where the other does not")
    return Verdict(None, "inequalities not decided")


def _upward(left: Node, sign: str, right: Node) -> tuple[Node, str]:
    return difference(left, right), sign


def _sign_of_ratio(a: Node, b: Node) -> int:
    signs = set()
    for point in points_for(symbols(a) | symbols(b)):
        values = value_at(a, point), value_at(b, point)
        if values[0] and values[1] and all(abs(v[0]) > 1e3 * v[1] for v in values if v):
            signs.add(1 if values[0][0] * values[1][0] > 0 else -1)
    return signs.pop() if len(signs) == 1 else 0


def _truth(node: Node, sign: str, point: dict[str, Fraction]) -> bool | None:
    found = value_at(node, point)
    if found is None or abs(found[0]) <= 1e3 * found[1]:
        return None
    if sign == "!=":
        return True
    return (found[0] > 0) == (sign in (">", ">="))


__all__ = ["linear", "same_equation", "same_inequality", "solved"]
