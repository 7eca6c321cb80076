"""Whether two formulas state the same, whatever they state: values, points, sets, equations."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from harness.algebra.equations import same_equation, same_inequality
from harness.algebra.forms import Oracle, Verdict, same
from harness.algebra.intervals import Piece, as_piece, joined
from harness.algebra.products import (
    with_arrows,
    with_functions,
    with_unit_vectors,
    without_arrows,
)
from harness.algebra.shapes import Shape, shape
from harness.algebra.spelling import (
    head,
    other_spelling,
    parted,
    renamed_constant,
    same_imaginary,
    same_letter,
)
from harness.algebra.tree import APPLIED, Node, difference, is_scalar, symbols

T = TypeVar("T")
UNREAD = Verdict(None, "not a statement that can be compared")
_MAX_PARTS = 40
_SHIFTED = re.compile(r"_.*[a-z][+-]\d")  # u_{n+1} = 2u_n says the same as u_n = 2u_{n-1}


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares trees with one tolerance and one oracle (see `forms.same`).

    `is_unit` knows the words that, set as text, are units of measurement.
    """

    exactly: bool
    oracle: Oracle
    is_unit: Callable[[str], bool]

    def equal(self, answer: Node, gold: Node) -> Verdict:
        """Compare two trees of any kind; None where they say things that do not compare."""
        if answer == gold:
            return Verdict(True, "same formula")
        bold_only = not any("vec " in n[:4] for tree in (answer, gold) for n in symbols(tree))
        answer, gold = with_arrows(answer), with_arrows(gold)
        found = self.stated(answer, gold)
        if found.equal:
            applied = with_functions(answer), with_functions(gold)
            if applied != (answer, gold) and not self.stated(*applied).equal:
                return Verdict(None, "a function or a factor")
        own = symbols(answer) ^ symbols(gold)
        if found.equal is False and any(map(_SHIFTED.search, own)):
            return Verdict(None, "indices may be shifted")
        if found.equal is not True:
            plain = without_arrows(answer), without_arrows(gold)
            if plain != (answer, gold) and self.stated(*plain).equal is not False:
                same = bold_only and self.stated(*plain).equal
                return Verdict(True if same else None, "letters in bold" if same else "vectors")
        return found

    def stated(self, answer: Node, gold: Node) -> Verdict:
        if answer == gold:
            return Verdict(True, "same formula")
        a, g = shape(answer), shape(gold)
        if a is None or g is None or max(len(a.parts), len(g.parts)) > _MAX_PARTS:
            return UNREAD
        if a.kind != g.kind and any(n.op == "set" and _is_symbol(n.args) for n in (answer, gold)):
            return Verdict(None, "a symbol in braces")  # its fractional part, or a set
        if a.kind == g.kind == "value" and a.name is None and g.name is None:
            return self.scalars(a.parts[0], g.parts[0])
        if "equation" in (a.kind, g.kind):
            return self.equations(a, g)
        if "inequality" in (a.kind, g.kind):
            return self.inequalities(a, g)
        if a.name is not None and g.name is not None and a.name != g.name:
            return self.other_name(a, g)
        return self.bodies(a, g)

    def scalars(self, answer: Node, gold: Node) -> Verdict:
        (a, a_unit), (g, g_unit) = (parted(n, self.is_unit) for n in (answer, gold))
        if a_unit and g_unit and a_unit != g_unit:
            found = self.bare(answer, gold)
            return found if found.equal else Verdict(None, "units")
        return self.bare(a, g)

    def bare(self, answer: Node, gold: Node) -> Verdict:
        answer, gold = with_unit_vectors(answer, gold), with_unit_vectors(gold, answer)
        answer = renamed_constant(*same_imaginary(answer, gold))
        gold = same_imaginary(gold, answer)[0]
        found = same(answer, gold, exactly=self.exactly, oracle=self.oracle)
        if found.equal is False:
            respelled = other_spelling(answer, gold)
            if respelled is not None:
                again = same(respelled, gold, exactly=self.exactly, oracle=self.oracle)
                return Verdict(None, "another spelling of a symbol") if again.equal else found
        return found

    def equations(self, a: Shape, g: Shape) -> Verdict:
        for s, other in ((a, g), (g, a)):  # AB = 5 against 5
            if len(s.parts) == 2 and other.kind == "value" and other.name is None:
                parts = [x.parts[-1] for x in (a, g)]
                return self.equal(parts[0], parts[1])
        sides = [_moved(s) for s in (a, g)]
        if sides[0] is None or sides[1] is None:
            return Verdict(None, "equation against a value")
        return same_equation(sides[0], sides[1], exactly=self.exactly, oracle=self.oracle)

    def inequalities(self, a: Shape, g: Shape) -> Verdict:
        if any(s.sign == "" or len(s.parts) != 2 for s in (a, g)):
            return Verdict(None, "inequality against something else")
        (p, q), (r, s) = a.parts, g.parts
        return same_inequality((p, a.sign, q), (r, g.sign, s))

    def other_name(self, a: Shape, g: Shape) -> Verdict:
        """y = 2x against x = y/2 is one equation; I = q/t against I_max = q/t one formula."""
        assert a.name is not None and g.name is not None
        inside = [frozenset().union(*map(symbols, s.parts)) for s in (a, g)]
        heads = [head(s.name) for s in (a, g)]
        if a.names and g.names and a.name.op == g.name.op == "tuple":
            return self.named(a, g)  # (x, y) = (1, 2) against (y, x) = (2, 1)
        if heads[0] in inside[1] or heads[1] in inside[0]:
            if a.kind == g.kind == "pieces":
                return self.inequalities(a, g)
            return self.equations(a, g)
        found = self.bodies(a, g)
        if found.equal and not same_letter(a.name, g.name):
            return Verdict(None, f"another name: {found.rule}")
        if found.equal is False and a.name.value == g.name.value == APPLIED:
            return Verdict(None, "other arguments")  # f(x) = x² against f(t) = t²
        return found

    def bodies(self, a: Shape, g: Shape) -> Verdict:
        """Compare what stands behind the names."""
        kinds = (a.kind, g.kind)
        match kinds:
            case ("pieces", "pieces"):
                return self.unordered(joined(a.pieces), joined(g.pieces), self.pieces)
            case ("named", "named"):
                return self.named(a, g)
            case ("matrix", "matrix"):
                if a.sign != g.sign:
                    return Verdict(False, "size of the matrix")
                return self.ordered(a.parts, g.parts)
            case ("value" | "values" | "listed", "value" | "values" | "listed"):
                return self.unordered(a.parts, g.parts, self.equal)
            case ("pieces", "tuple") | ("tuple", "pieces"):
                return self.piece_or_pair(a, g)
            case ("pieces", _) | (_, "pieces"):
                return self.pieces_or_values(a, g)
            case ("tuple" | "matrix" | "named", "tuple" | "matrix" | "named"):
                return self.points(a, g)
            case (
                ("tuple", "listed")
                | ("listed", "tuple")
                | ("named", "listed")
                | ("listed", "named")
            ):
                return self.points(a, g)
            case ("named", "values") | ("values", "named"):
                return self.numbered(a, g)
            case ("tuple", "values") | ("values", "tuple"):
                found = self.unordered(a.parts, g.parts, self.equal)
                if found.equal is False and not any(p.op == "tuple" for p in (*a.parts, *g.parts)):
                    return found
                return Verdict(None, "a set against a point")
        if set(kinds) == {"value", "named"}:
            return self.one_of_named(a, g)
        if any(n.startswith("hat ") for s in (a, g) for p in s.parts for n in symbols(p)):
            return Verdict(None, "components of a vector")
        if "value" in kinds and kinds[0] != kinds[1]:
            return Verdict(False, f"{kinds[0]} against {kinds[1]}")
        return Verdict(None, f"{kinds[0]} against {kinds[1]}")

    def points(self, a: Shape, g: Shape) -> Verdict:
        """Ordered: (1, 2), a column, x = 1 and y = 2, or 1, 2."""
        if any(s.kind == "matrix" and "1" not in s.sign.split() for s in (a, g)):
            return Verdict(False, "matrix against a point")
        if {a.kind, g.kind} == {"named", "listed"}:
            numbered = self.numbered(a, g)
            if numbered.equal is not None:
                return numbered
        if a.names and g.names:
            return self.named(a, g)
        found = self.ordered(_in_order(a), _in_order(g))
        if found.equal is False and any(len(n) > 1 for n in (*a.names, *g.names)):
            return Verdict(None, "order of named values")
        return found

    def one_of_named(self, a: Shape, g: Shape) -> Verdict:
        """Several named values against one: only its name tells which of them counts."""
        one, several = (a, g) if a.kind == "value" else (g, a)
        found = {
            n: self.equal(*((p, g.parts[0]) if several is a else (a.parts[0], p)))
            for n, p in zip(several.names, several.parts, strict=True)
        }
        if several is a and head(one.name) in found:
            return found[head(one.name)]
        if all(v.equal is False for v in found.values()):
            return Verdict(False, "none of the named values")
        return Verdict(None, "one of several named values")

    def numbered(self, a: Shape, g: Shape) -> Verdict:
        """x_1 = 1 and x_2 = -2 are two values of x."""
        names = a.names or g.names
        if len({n.partition("_")[0] for n in names}) > 1:
            return Verdict(None, "named values against a set")
        return self.unordered(a.parts, g.parts, self.equal)

    def named(self, a: Shape, g: Shape) -> Verdict:
        if set(a.names) != set(g.names):
            return Verdict(None, "other names")
        given = dict(zip(a.names, a.parts, strict=True))
        return self.ordered([given[n] for n in g.names], g.parts)

    def ordered(self, a: Sequence[Node], g: Sequence[Node]) -> Verdict:
        if len(a) != len(g):
            return Verdict(False, "number of parts")
        found = [self.equal(x, y) for x, y in zip(a, g, strict=True)]
        for wanted in (False, None):
            for verdict in found:
                if verdict.equal is wanted:
                    return verdict
        return Verdict(True, "part by part")

    def unordered(
        self, a: Sequence[T], g: Sequence[T], equal: Callable[[T, T], Verdict]
    ) -> Verdict:
        """Each of one side equals some of the other, both ways; repetitions do not count."""
        if len(a) == len(g) == 1:
            return equal(a[0], g[0])
        table = [[equal(x, y) for y in g] for x in a]
        lines = [*table, *([row[i] for row in table] for i in range(len(g)))]
        best = [
            True
            if any(v.equal for v in line)
            else (None if any(v.equal is None for v in line) else False)
            for line in lines
        ]
        if False in best:
            return Verdict(False, "an element without partner")
        return Verdict(None if None in best else True, "element by element")

    def pieces(self, a: Piece, g: Piece) -> Verdict:
        found = self.ordered((a.low, a.high), (g.low, g.high))
        if found.equal and (a.low_in, a.high_in) != (g.low_in, g.high_in):
            return Verdict(False, "open or closed ends")
        return found

    def piece_or_pair(self, a: Shape, g: Shape) -> Verdict:
        """(0, 1) may be a point or an open interval; [0, 1] an interval or a point."""
        pieces = []
        for s in (a, g):
            if s.kind == "pieces":
                pieces.append(s.pieces)
            else:
                piece = as_piece(Node("tuple", s.parts))
                if piece is None:
                    return Verdict(False, "a point against a set")
                pieces.append((piece,))
        return self.unordered(pieces[0], pieces[1], self.pieces)

    def pieces_or_values(self, a: Shape, g: Shape) -> Verdict:
        values, sets = (a, g) if g.kind == "pieces" else (g, a)
        ends = [n for p in sets.pieces for n in (p.low, p.high)]
        if values.kind == "value" or self.unordered(values.parts, ends, self.equal).equal is False:
            return Verdict(False, "an interval against values")
        return Verdict(None, "an interval against values")  # [1, 2] may be a list


def _is_symbol(parts: tuple[Node, ...]) -> bool:
    return [p.op for p in parts] == ["sym"]


def _moved(s: Shape) -> Node | None:
    """An equation as left side minus right side."""
    if s.kind == "equation":
        return s.parts[0]
    if s.kind == "value" and s.name is not None and is_scalar(s.name):
        return difference(s.name, s.parts[0])
    return None


def _in_order(s: Shape) -> Sequence[Node]:
    """The parts, by the names' alphabet where these are single letters: x, y, z."""
    if s.kind != "named" or any(len(n) > 1 for n in s.names):
        return s.parts
    return [part for _, part in sorted(zip(s.names, s.parts, strict=True), key=lambda p: p[0])]


__all__ = ["UNREAD", "Comparer"]
