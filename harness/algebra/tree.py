"""Formulas as small immutable trees, and their form as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

# What a node may be, with the meaning of its value:
#   num, dec   an integer or fraction; a number written with a decimal point (Fraction)
#   sym        a free symbol (its name); text a word or unit set as text
#   pi e i inf emptyset
#   add mul pow (a mul of value APPLIED was written f(x)), fn (its name)
#   pm mp      ± and ∓ before their argument
#   rel        a chain (its signs, blank-separated: = != < <= > >= in)
#   list       alternatives without brackets; set, tuple; iv an interval (its two brackets)
#   cup minus  of sets; mat (its rows and columns, as "2 3")
APPLIED = "()"
SCALAR = frozenset(("num", "dec", "sym", "text", "pi", "e", "i", "inf", "add", "mul", "pow", "fn"))


@dataclass(frozen=True, slots=True)
class Node:
    """One node: what it is, its own value where it has one, and its arguments."""

    op: str
    args: tuple[Node, ...] = ()
    value: str | Fraction = ""

    def walk(self) -> Iterator[Node]:
        """Every node below and this one, in no order that matters."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.args)


def number(value: int | Fraction) -> Node:
    return Node("num", (), Fraction(value))


def symbol(name: str) -> Node:
    return Node("sym", (), name)


def add(*terms: Node) -> Node:
    return terms[0] if len(terms) == 1 else Node("add", terms)


def mul(*factors: Node) -> Node:
    return factors[0] if len(factors) == 1 else Node("mul", factors)


def power(base: Node, exponent: Node) -> Node:
    return Node("pow", (base, exponent))


def call(name: str, *args: Node) -> Node:
    return Node("fn", args, name)


def negative(node: Node) -> Node:
    if node.op in ("num", "dec") and isinstance(node.value, Fraction):
        return Node(node.op, (), -node.value)
    return mul(number(-1), node)


def quotient(top: Node, bottom: Node) -> Node:
    return mul(top, power(bottom, number(-1)))


def difference(left: Node, right: Node) -> Node:
    return add(left, negative(right))


def symbols(node: Node) -> frozenset[str]:
    """The names of the free symbols, those of words and units included."""
    return frozenset(str(n.value) for n in node.walk() if n.op in ("sym", "text"))


def is_scalar(node: Node) -> bool:
    return all(n.op in SCALAR for n in node.walk())


def has_decimal(node: Node) -> bool:
    return any(n.op == "dec" for n in node.walk())


def replaced(node: Node, names: dict[str, Node]) -> Node:
    """The tree with symbols replaced by name."""
    if node.op in ("sym", "text") and node.value in names:
        return names[str(node.value)]
    if not node.args:
        return node
    return Node(node.op, tuple(replaced(a, names) for a in node.args), node.value)


def to_json(node: Node) -> list[Any]:
    """[op, value, arguments]; a fraction's value is [numerator, denominator] in hexadecimal."""
    value = node.value
    plain = [hex(value.numerator), hex(value.denominator)] if isinstance(value, Fraction) else value
    return [node.op, plain, [to_json(a) for a in node.args]]


def from_json(data: Sequence[Any]) -> Node:
    """The inverse of `to_json`."""
    op, plain, args = data
    value = plain if isinstance(plain, str) else Fraction(int(plain[0], 16), int(plain[1], 16))
    return Node(op, tuple(from_json(a) for a in args), value)


__all__ = [
    "APPLIED",
    "SCALAR",
    "Node",
    "add",
    "call",
    "difference",
    "from_json",
    "has_decimal",
    "is_scalar",
    "mul",
    "negative",
    "number",
    "power",
    "quotient",
    "replaced",
    "symbol",
    "symbols",
    "to_json",
]
