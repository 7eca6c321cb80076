"""Functions with and without brackets, and roots."""

from __future__ import annotations

from fractions import Fraction

from harness.algebra.cursor import Cursor, literal
from harness.algebra.tokens import Unreadable
from harness.algebra.tree import Node, call, mul, negative, number, power, quotient

_ARC = {f: f"a{f}" for f in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}
_SPELLED = {f"arc{f}": arc for f, arc in _ARC.items()}
_SPELLED |= {f"ar{f}": f"a{f}" for f in ("sinh", "cosh", "tanh")}
_OPENING = frozenset(("(", "[", "{", "\\{"))


class Calls(Cursor):
    """Reads what stands behind the name of a function."""

    def function(self, name: str) -> Node:
        name = _SPELLED.get(name, name)
        if name in ("sqrt", "cbrt"):
            return self.root(name)
        exponent, base = None, None
        while True:
            if self.take("^"):
                exponent = self.operand()
            elif name == "log" and self.take("_"):
                base = self.operand()
            else:
                break
        if name in _ARC and exponent == number(-1):
            name, exponent = _ARC[name], None
        node = self.applied(name, base)
        return node if exponent is None else power(node, exponent)

    def applied(self, name: str, base: Node | None) -> Node:
        arguments = self.arguments()
        if name in ("min", "max", "gcd", "lcm", "binom"):
            return call(name, *arguments)
        if len(arguments) != 1:
            raise Unreadable("arguments")
        argument = arguments[0]
        if name == "exp":
            return power(Node("e"), argument)
        if name == "lg" or (name == "log" and base is None and self.log10):
            base = number(10)
        elif name == "log" and base is None:
            self.bare_log = True
        if name not in ("log", "lg"):
            return call(name, argument)
        logarithm = call("ln", argument)
        return logarithm if base is None else quotient(logarithm, call("ln", base))

    def arguments(self) -> tuple[Node, ...]:
        opening = self.peek().text
        if opening in ("(", "[", "{", "\\{", "|") and self.peek().kind == "op":
            node = self.primary()
            return node.args if node.op in ("tuple", "list", "set") else (node,)
        if self.take("-"):
            return (negative(self.implicit()),)
        return (self.implicit(),)

    def implicit(self) -> Node:
        """What a function without brackets takes: sin 2x is sin(2x), and stops at brackets."""
        factors: list[Node] = []
        while self.starts_factor() and self.peek().kind != "fn":
            after_number = bool(factors) and factors[-1].op == "num"
            if factors and self.peek().text in _OPENING and not after_number:
                break
            factors.append(self.factor())
        if not factors and self.peek().kind == "fn":
            factors.append(self.factor())
        if not factors:
            raise Unreadable("no argument")
        return mul(*factors)

    def root(self, name: str) -> Node:
        index: Node = number(3 if name == "cbrt" else 2)
        if name == "sqrt" and self.take("["):
            index = self.sum()
            self.expect("]")
        token = self.peek()
        if token.kind == "num":
            # \sqrt12 is typed for the root of 12 and set as the root of 1, times 2.
            if len(token.text) > 1 and token.text.isdigit() and not token.gap:
                raise Unreadable("root without braces")
            self.at += 1
            inner = literal(token.text)
        else:
            inner = self.operand()
        return power(inner, quotient(number(1), index) if index.op != "num" else _inverse(index))


def _inverse(index: Node) -> Node:
    if not isinstance(index.value, Fraction) or index.value == 0:
        raise Unreadable("root")
    return number(1 / index.value)


__all__ = ["Calls"]
