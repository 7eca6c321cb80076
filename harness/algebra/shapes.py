"""What a formula states: a value, several values, a point, a set of reals, or an equation."""

from __future__ import annotations

from dataclasses import dataclass

from harness.algebra.equations import linear
from harness.algebra.intervals import Piece, all_but, as_piece, common, half_line
from harness.algebra.tree import (
    APPLIED,
    Node,
    difference,
    is_scalar,
    negative,
    quotient,
    symbols,
)
from harness.algebra.values import closed

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}
_ORDER = frozenset(_FLIPPED)
_INF = Node("inf")
_MINUS_INF = negative(_INF)
_FUNCTION_LETTERS = frozenset(str.split("f g h p u v y F G H P T S Phi phi Psi psi"))
_OF_POINTS = frozenset("ABCDEFGHMNOPQRSXYZ")


@dataclass(frozen=True, slots=True)
class Shape:
    """A statement: `kind`, its parts, and the name that it is about where it gives one.

    Kinds: value (one part), values (unordered), listed (unordered, typed without brackets),
    tuple, matrix (`size`), pieces, named (pairs name = value, parts in the order of `names`),
    equation (left minus right), inequality (two parts and `sign`).
    """

    kind: str
    parts: tuple[Node, ...] = ()
    name: Node | None = None
    pieces: tuple[Piece, ...] = ()
    names: tuple[str, ...] = ()
    sign: str = ""


def shape(node: Node) -> Shape | None:
    """The shape of a tree; None where it is a statement that this module does not know."""
    if node.op == "rel":
        return _relation(node)
    if node.op == "list":
        return _list(node)
    if any(n.op in ("pm", "mp") for n in node.walk()):
        return Shape("values", (_signed(node, 1), _signed(node, -1)))
    match node.op:
        case "set":
            return Shape("values", node.args)
        case "tuple":
            return Shape("tuple", node.args)
        case "mat":
            return Shape("matrix", node.args, sign=str(node.value))
        case "iv" | "cup" | "minus":
            return _reals(node)
    if node.value == APPLIED and node.args[1].op == "tuple":  # P(1, 2)
        return _point(node)
    return Shape("value", (node,)) if is_scalar(node) else None


def _point(node: Node) -> Shape | None:
    """The point P(1, 2); x(1, 2) and Δ(1, 2) are no points of that name."""
    head, at = node.args
    if len(str(head.value)) > 1 or not str(head.value).isupper():
        return None
    return Shape("tuple", at.args, head)


def _signed(node: Node, sign: int) -> Node:
    if node.op in ("pm", "mp"):
        inner = _signed(node.args[0], sign)
        return inner if (sign > 0) == (node.op == "pm") else negative(inner)
    if not node.args:
        return node
    return Node(node.op, tuple(_signed(a, sign) for a in node.args), node.value)


def _reals(node: Node) -> Shape | None:
    if node.op == "minus":
        whole, without = node.args
        points = without.args if without.op == "set" else ()
        if whole.op == "iv" and len(points) == 1 and whole.args == (_MINUS_INF, _INF):
            return Shape("pieces", pieces=all_but(points[0]))
        return None
    found = []
    for part in node.args if node.op == "cup" else (node,):
        piece = as_piece(part)
        if piece is None:
            return None
        found.append(piece)
    return Shape("pieces", pieces=tuple(found))


def _relation(node: Node) -> Shape | None:
    signs = str(node.value).split()
    if set(signs) <= {"="}:
        return _equation(node)
    if signs == ["in"]:
        inner = shape(node.args[1])
        if inner is None or inner.kind not in ("pieces", "values", "tuple"):
            return None
        return Shape(inner.kind, inner.parts, node.args[0], inner.pieces)
    if set(signs) <= _ORDER:
        return _inequality(node.args, signs)
    return None


def _equation(node: Node) -> Shape | None:
    first, last = node.args[0], node.args[-1]
    if len(node.args) == 2 and not is_name(first, last) and is_name(last, first):
        first, last = last, first
    if first.op == "tuple" and all(a.op == "sym" for a in first.args):
        if last.op == "tuple" and len(last.args) == len(first.args):
            names = tuple(str(a.value) for a in first.args)
            return Shape("tuple", last.args, first, names=names)
        return None
    if is_name(first, last):
        inner = shape(last)
        if inner is None or inner.name is not None or inner.kind in ("named", "equation"):
            return None
        return Shape(inner.kind, inner.parts, first, inner.pieces, inner.names, inner.sign)
    if all(not symbols(a) for a in node.args):
        return shape(last)
    if len(node.args) == 2 and is_scalar(first) and is_scalar(last):
        value = (last,) if _is_abbreviation(first, last) else ()
        return Shape("equation", (difference(first, last), *value))
    return None


def is_name(node: Node, body: Node) -> bool:
    """A symbol, or one applied to others in brackets: f(x), n_γ(ν), Φ(x, y), f(2)."""
    if node.op in ("sym", "text"):
        return True
    if node.value not in (APPLIED, "applied"):
        return False
    head, *given = node.args
    if len(given) == 1 and given[0].op == "tuple":
        given = list(given[0].args)
    if head.value in symbols(body):
        return False
    letter = str(head.value).rstrip("'").partition("_")[0]
    return all(a.op == "sym" or (a.op == "num" and letter in _FUNCTION_LETTERS) for a in given)


def _is_abbreviation(node: Node, body: Node) -> bool:
    """Two capitals that do not multiply: a length, as in AB = 5, or an energy, KE = mv²/2."""
    names = [str(n.value) for n in node.args if n.op == "sym"]
    if node.op != "mul" or len(names) != 2 or len(node.args) != 2:
        return False
    if "".join(names) in ("KE", "PE"):
        return not symbols(body) & set(names)
    return not symbols(body) and _OF_POINTS.issuperset(names)


def _inequality(parts: tuple[Node, ...], signs: list[str]) -> Shape | None:
    if not all(map(is_scalar, parts)):
        return None
    names = frozenset().union(*map(symbols, parts))
    if len(parts) == 2:
        left, right = parts
        if right.op == "fn" and left.op != "fn":
            left, right, signs = right, left, [_FLIPPED[signs[0]]]
        if left.op == "fn" and left.value == "abs" and left.args[0].op == "sym":
            return _around_zero(left.args[0], signs[0], right)
        for one, sign, other in ((left, signs[0], right), (right, _FLIPPED[signs[0]], left)):
            if one.op == "sym" and one.value not in symbols(other):
                return Shape(
                    "pieces", name=one, pieces=half_line(sign, other), parts=parts, sign=signs[0]
                )
        return (
            _solved_inequality(left, signs[0], right)
            if len(names) == 1
            else Shape("inequality", parts, sign=signs[0])
        )
    middle = parts[1]
    if len(parts) != 3 or middle.op != "sym" or "!=" in signs or signs[0][0] != signs[1][0]:
        return None
    low, high = (parts[0], parts[2]) if signs[0][0] == "<" else (parts[2], parts[0])
    ends = signs if signs[0][0] == "<" else signs[::-1]
    piece = Piece(low, high, "=" in ends[0], "=" in ends[1])
    return Shape("pieces", name=middle, pieces=(piece,))


def _around_zero(name: Node, sign: str, size: Node) -> Shape | None:
    """|x| < 2 and |x| > 2."""
    bound = closed(size)
    if bound is None or bound <= 0 or sign == "!=":
        return None
    end = sign.endswith("=")
    if sign[0] == "<":
        return Shape("pieces", name=name, pieces=(Piece(negative(size), size, end, end),))
    outside = Piece(_MINUS_INF, negative(size), False, end), Piece(size, _INF, end, False)
    return Shape("pieces", name=name, pieces=outside)


def _solved_inequality(left: Node, sign: str, right: Node) -> Shape | None:
    """An inequality in one symbol, solved where it is linear."""
    moved = difference(left, right)
    (name,) = symbols(moved)
    found = linear(moved, name)
    slope = closed(found[0]) if found else None
    if not found or not slope:
        return Shape("inequality", (left, right), sign=sign)
    end = negative(quotient(found[1], found[0]))
    turned = sign if slope > 0 else _FLIPPED[sign]
    return Shape("pieces", name=Node("sym", (), name), pieces=half_line(turned, end))


def _list(node: Node) -> Shape | None:
    """Alternatives (x = 1 or x = -2), names with their values, or bare values."""
    shapes = [shape(a) for a in node.args]
    if any(s is None for s in shapes):
        return None
    items = [s for s in shapes if s is not None]
    names = [s.name for s in items if s.name is not None]
    if items[0].kind == "pieces" and all(s.kind == "pieces" for s in items):
        if names and len(set(names)) == 1 and node.value != "or":
            pieces = [p for s in items for p in s.pieces]
            shared = common(pieces) if len(pieces) == len(items) else None
            if shared:
                return Shape("pieces", name=items[0].name, pieces=(shared,))
            if node.value == "and":
                return None
        if len(set(names)) <= 1:
            return Shape(
                "pieces", name=items[0].name, pieces=tuple(p for s in items for p in s.pieces)
            )
        return None
    if not names:
        parts = [
            p
            for s, a in zip(items, node.args, strict=True)
            for p in (s.parts if s.kind == "values" and a.op != "set" else (a,))
        ]
        scalars_or_points = all(s.kind in ("value", "values", "tuple") for s in items)
        return Shape("listed", tuple(parts)) if scalars_or_points else None
    if any(s.kind not in ("value", "values") for s in items):
        return None
    if len(set(names)) == 1 and items[0].name is not None:
        return Shape("values", tuple(p for s in items for p in s.parts), names[0])
    if len(set(names)) == len(items) and all(
        s.kind == "value" and s.name.op == "sym" for s in items if s.name
    ):
        return Shape(
            "named", tuple(s.parts[0] for s in items), names=tuple(str(n.value) for n in names)
        )
    return None


__all__ = ["Shape", "is_name", "shape"]
