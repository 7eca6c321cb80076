"""Products of vectors, which are neither products of numbers nor known to the normal form."""

from __future__ import annotations

from harness.algebra.tree import APPLIED, Node, call, number, replaced, symbol, symbols

OPAQUE = frozenset(("dot", "cross", "applied"))
_FUNCTIONS = frozenset(str.split("f g h F G H O P phi psi Phi Psi"))
_VARIABLES = frozenset(str.split("x y z t n"))


def times(factors: list[Node], sign: str, right: Node) -> list[Node]:
    """The factors with one more; between two vectors a dot or a cross is a product of its own."""
    left = factors[-1]
    name = {"cdot": "dot", "times": "cross", "bullet": "dot"}.get(sign)
    if name is None or not (_is_vector(left) and _is_vector(right)):
        return [*factors, right]
    return [*factors[:-1], call(name, left, right)]


def _is_vector(node: Node) -> bool:
    return any(name.startswith(("vec ", "bold ", "hat ")) for name in symbols(node))


def inverse(node: Node, following: list[str]) -> Node:
    """f^{-1} before (x) as the name of a function; else the node as it is."""
    if node.op != "pow" or node.args[1] != number(-1) or str(node.args[0].value) not in _FUNCTIONS:
        return node
    applied = following[0] == "(" and following[1] in _VARIABLES and following[2] == ")"
    return symbol(f"{node.args[0].value}^-1") if applied else node


def is_opaque(node: Node) -> bool:
    """Whether a tree holds something without a value in numbers."""
    return any(n.op == "fn" and n.value in OPAQUE for n in node.walk())


def with_arrows(node: Node) -> Node:
    """The tree with an arrow over each letter in bold."""
    return _renamed(node, "bold ", "vec ")


def without_arrows(node: Node) -> Node:
    """The tree with the plain letters in place of those in bold or with an arrow."""
    return _renamed(_renamed(node, "bold ", ""), "vec ", "")


def _renamed(node: Node, mark: str, other: str) -> Node:
    marked = [n for n in symbols(node) if n.startswith(mark)]
    names = {n: symbol(other + n.removeprefix(mark)) for n in marked}
    return replaced(node, names) if names else node


def with_functions(node: Node) -> Node:
    """f(x+1) as f applied to x + 1, where f may be a function; it is read as f times x + 1."""
    args = tuple(with_functions(a) for a in node.args)
    if node.op == "mul" and node.value == APPLIED:
        head, argument = args
        is_function = str(head.value).rstrip("'").partition("_")[0] in _FUNCTIONS
        inside = symbols(argument)
        nested = any(n.value == "applied" for n in argument.walk())
        is_point = argument.op == "tuple" and str(head.value).isupper()
        if is_function and not is_point and (nested or inside <= _VARIABLES):
            return call(
                "applied", head, *(argument.args if argument.op == "tuple" else (argument,))
            )
    return Node(node.op, args, node.value) if args else node


def with_unit_vectors(node: Node, other: Node) -> Node:
    """2i + 3j as 2i + 3j where the other formula has unit vectors and this has none."""
    wanted = {n[4:] for n in symbols(other) if n in ("hat i", "hat j", "hat k")}
    if len(wanted) < 2 or any(n.startswith("hat ") for n in symbols(node)):
        return node
    return _hatted(node)


def _hatted(node: Node) -> Node:
    if node.op == "i" or (node.op == "sym" and node.value in ("j", "k")):
        return symbol(f"hat {node.value or 'i'}")
    return Node(node.op, tuple(map(_hatted, node.args)), node.value) if node.args else node


__all__ = [
    "OPAQUE",
    "inverse",
    "is_opaque",
    "times",
    "with_arrows",
    "with_functions",
    "with_unit_vectors",
    "without_arrows",
]
