"""Spellings that say the same: units behind a value, names of constants, j for i."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import permutations

from harness.algebra.tree import Node, mul, quotient, replaced, symbols

_CONSTANTS = frozenset(str.split("C c K k C_0 C_1 C_2 c_0 c_1 c_2 C' const constant"))
_NOT_LETTERS = re.compile(r"[^A-Za-zΩÅ°µμ]+")
_I = Node("i")
_COUNTED = frozenset("nkm")
_MAX_RENAMED = 3


def parted(node: Node, is_unit: Callable[[str], bool]) -> tuple[Node, tuple[Node, ...]]:
    """A value and the unit that is set as text behind it, or behind its last term."""
    if node.op == "add":
        last, unit = parted(node.args[-1], is_unit)
        return Node("add", (*node.args[:-1], last)), unit
    if node.op != "mul":
        return node, ()
    cut = len(node.args)
    while cut > 1 and _is_unit(node.args[cut - 1], is_unit):
        cut -= 1
    return mul(*node.args[:cut]), node.args[cut:]


def _is_unit(node: Node, is_unit: Callable[[str], bool]) -> bool:
    found = [n for n in node.walk() if n.op not in ("pow", "mul", "num")]
    return bool(found) and all(
        n.op == "text" and all(map(is_unit, filter(None, _NOT_LETTERS.split(str(n.value)))))
        for n in found
    )


def same_imaginary(node: Node, other: Node) -> tuple[Node, Node]:
    """The node with an engineer's j as i where the other says i; and the other."""
    if "j" in symbols(node) and "j" not in symbols(other) and any(n == _I for n in other.walk()):
        return replaced(node, {"j": _I}), other
    return node, other


def renamed_constant(answer: Node, gold: Node) -> Node:
    """x² + K with the C of x² + C: an added constant may have any name."""
    if answer.op != "add" or gold.op != "add":
        return answer
    names = []
    for tree, other in ((answer, gold), (gold, answer)):
        own = [str(t.value) for t in tree.args if t.op in ("sym", "text") and t.value in _CONSTANTS]
        once = [n for n in own if sum(x.value == n for x in tree.walk() if x.op != "fn") == 1]
        names.append([n for n in once if n not in symbols(other)])
    if len(names[0]) == len(names[1]) == 1:
        return replaced(answer, {names[0][0]: Node("sym", (), names[1][0])})
    return answer


def other_spelling(answer: Node, gold: Node) -> Node | None:
    """The answer with its own symbols renamed to the gold's own that differ little, else None.

    Little is the case of a symbol with the same subscript (V_0 and v_0), or a subscript that
    only one has (v and v_0). The two may mean the same; only who knows the question can say.
    """
    if "beta" in symbols(gold) ^ symbols(answer):  # v/c, in relativity
        v, c, beta = (Node("sym", (), n) for n in ("v", "c", "beta"))
        speed = {"v": mul(beta, c)} if "beta" in symbols(gold) else {"beta": quotient(v, c)}
        return replaced(answer, speed) if {"v", "c"} <= symbols(answer) | symbols(gold) else None
    own, wanted = (sorted(symbols(a) - symbols(b)) for a, b in ((answer, gold), (gold, answer)))
    if not own or len(own) != len(wanted) or len(own) > 4:
        return None
    names = {}
    for name in own:
        alike = [w for w in wanted if _alike(name, w)]
        if len(alike) != 1:
            return None
        names[name] = Node("sym", (), alike[0])
    return replaced(answer, names) if len({n.value for n in names.values()}) == len(own) else None


def renamings(answer: Node, gold: Node) -> Iterator[Node]:
    """The answer in every way of calling its own symbols by the gold's own, one for one.

    Symbols that both have keep their names, words and units too. Different subscripts of one
    letter (m_1 and m_2) tell things apart, and a lone symbol is nothing but its name.
    """
    own, wanted = (sorted(symbols(a) - symbols(b)) for a, b in ((answer, gold), (gold, answer)))
    words = {n.value for tree in (answer, gold) for n in tree.walk() if n.op == "text"}
    if len(own) != len(wanted) or not 1 <= len(own) <= _MAX_RENAMED or answer.op == "sym":
        return
    if words & {*own, *wanted}:
        return
    for names in permutations(wanted):
        pairs = list(zip(own, names, strict=True))
        if not any(_told_apart(*pair) for pair in pairs):
            yield replaced(answer, {a: Node("sym", (), b) for a, b in pairs})


def _told_apart(a: str, b: str) -> bool:
    (a_letter, _, a_label), (b_letter, _, b_label) = a.partition("_"), b.partition("_")
    return a_letter == b_letter and bool(a_label and b_label)


def _alike(a: str, b: str) -> bool:
    (a_letter, _, a_label), (b_letter, _, b_label) = a.partition("_"), b.partition("_")
    if a in _COUNTED and b in _COUNTED:  # nπ for every n, and kπ for every k
        return True
    if a_letter == b_letter:
        return not (a_label and b_label) or a_label.casefold() == b_label.casefold()
    return bool(a_label) and a.casefold() == b.casefold()


def head(name: Node | None) -> str:
    """The symbol that a name is: f of f(x)."""
    return "" if name is None else str((name.args[0] if name.args else name).value)


def same_letter(a: Node, b: Node) -> bool:
    """I and I_max, f and f(x), y and f(x)."""
    (a_letter, _, a_label), (b_letter, _, b_label) = (head(n).partition("_") for n in (a, b))
    applied = [n.op not in ("sym", "text") for n in (a, b)]
    if a_letter == b_letter:
        if all(applied) and a.args[1:] != b.args[1:]:
            return False
        return a_letter != "" and not (a_label and b_label and a_label != b_label)
    primes = {n.count("'") for n in (a_letter, b_letter)}
    pairs = zip(applied, (a_letter, b_letter), strict=True)
    functions = len(primes) == 1 and all(x or h.rstrip("'") == "y" for x, h in pairs)
    return functions and applied[0] != applied[1]


__all__ = [
    "head",
    "other_spelling",
    "parted",
    "renamed_constant",
    "renamings",
    "same_imaginary",
    "same_letter",
]
