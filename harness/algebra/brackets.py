"""Brackets, bars and environments: groups, points, sets, intervals, matrices."""

from __future__ import annotations

from harness.algebra.calls import Calls
from harness.algebra.tokens import Unreadable
from harness.algebra.tree import Node, add, call, mul, number

CLOSING = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "langle": "rangle", "lbrace": "rbrace"}
CLOSING |= {"lvert": "rvert", "lVert": "rVert", "lfloor": "rfloor", "lceil": "rceil"}
_NAMED = {"lvert": "abs", "lVert": "abs", "lfloor": "floor", "lceil": "ceil"}


class Brackets(Calls):
    """Reads what an opening bracket, bar or \\begin starts."""

    def bracketed(self, opening: str) -> Node:
        closing, bars = CLOSING[opening], self.bars
        self.bars = 0
        if self.take(closing):
            if opening in ("\\{", "lbrace"):
                return Node("set")
            raise Unreadable("empty brackets")
        named = self.peek().kind in ("letter", "name") and self.peek(1).text in ("|", ":")
        if opening in ("\\{", "lbrace") and named:  # {x | x > 2}
            self.at += 2
            return self.closed_by(closing, self.alternatives(), bars)
        inner = self.alternatives()
        if opening in ("\\{", "lbrace") and self.take("mid", ":", "vert"):
            return self.closed_by(closing, self.alternatives(), bars)
        self.bars = bars
        if opening in ("(", "[") and self.peek().text in (")", "]"):
            closing = self.peek().text
        self.expect(closing)
        items = inner.args if inner.op == "list" else (inner,)
        if opening in ("\\{", "lbrace") or (opening == "{" and len(items) > 1):
            return Node("set", items)
        if opening in _NAMED:
            return size(inner) if _NAMED[opening] == "abs" else call(_NAMED[opening], inner)
        if opening + closing in ("[)", "(]") or (opening == "[" and len(items) == 2):
            if len(items) != 2:
                raise Unreadable("interval")
            return Node("iv", items, opening + closing)
        if opening == "[" and inner.op == "sym":
            raise Unreadable("a symbol in square brackets")  # its whole part, or a concentration
        return Node("tuple", items) if len(items) > 1 or opening == "langle" else inner

    def closed_by(self, closing: str, inner: Node, bars: int) -> Node:
        self.bars = bars
        self.expect(closing)
        return inner

    def absolute(self) -> Node:
        self.bars += 1
        inner = self.sum()
        self.bars -= 1
        self.expect("|")
        return size(inner)

    def environment(self, name: str) -> Node:
        if name not in ("pmatrix", "bmatrix", "matrix", "smallmatrix", "vmatrix", "cases"):
            raise Unreadable(f"environment {name}")
        rows, row = [], [self.alternatives()]
        while not (self.peek().kind == "end" and self.peek().text == name):
            if self.take("&"):
                row.append(self.alternatives())
            elif self.take("\\\\"):
                rows.append(row)
                if self.peek().kind == "end":
                    row = []
                    break
                row = [self.alternatives()]
            else:
                raise Unreadable("matrix")
        self.at += 1
        rows += [row] if row else []
        if name == "cases":
            return Node("list", tuple(cell for r in rows for cell in r), ",")
        if len({len(r) for r in rows}) != 1:
            raise Unreadable("ragged matrix")
        if name == "vmatrix":
            return _determinant(rows)
        return Node("mat", tuple(c for r in rows for c in r), f"{len(rows)} {len(rows[0])}")


def size(inner: Node) -> Node:
    """|x|; that of a vector v is its letter."""
    if inner.op == "sym" and str(inner.value).startswith(("vec ", "bold ")):
        return Node("sym", (), str(inner.value).partition(" ")[2])
    return call("abs", inner)


def _determinant(rows: list[list[Node]]) -> Node:
    """By expansion along the first row."""
    if len(rows) != len(rows[0]) or len(rows) > 4:
        raise Unreadable("determinant")
    if len(rows) == 1:
        return rows[0][0]
    terms = []
    for column, entry in enumerate(rows[0]):
        minor = _determinant([[*r[:column], *r[column + 1 :]] for r in rows[1:]])
        terms.append(mul(number((-1) ** column), entry, minor))
    return add(*terms)


__all__ = ["CLOSING", "Brackets"]
