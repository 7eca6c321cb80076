"""The operands of a formula, by the token that they begin with."""

from __future__ import annotations

from fractions import Fraction

from harness.algebra.brackets import CLOSING, Brackets
from harness.algebra.cursor import literal
from harness.algebra.tokens import Token, Unreadable
from harness.algebra.tree import Node, call, mul, negative, number, quotient, symbol

ACCENTS = frozenset(
    (
        "vec",
        "bold",
        "hat",
        "bar",
        "dot",
        "ddot",
        "tilde",
        "overline",
        "widehat",
        "widetilde",
        "mathcal",
        "mathscr",
    )
)
PRIMARY = frozenset(("frac", "binom", "dbinom", "tbinom", "pi", "infty", "emptyset", "varnothing"))
DEGREE = mul(Node("pi"), number(Fraction(1, 180)))
REALS = Node("iv", (negative(Node("inf")), Node("inf")), "()")


def accented(accent: str, label: str) -> Node:
    """A letter with an accent; unit vectors are the same with an arrow, a hat or in bold."""
    if accent in ("vec", "bold") and label in ("i", "j", "k"):
        return symbol(f"hat {label}")
    if accent in ("mathcal", "mathscr") and label == "O":
        return symbol("O")
    return symbol(f"{accent} {label}")


class Primaries(Brackets):
    """Reads one operand: a number, a symbol, a function, a fraction, a bracket."""

    def primary(self) -> Node:
        token = self.peek()
        self.at += 1
        match token.kind:
            case "num":
                return self.repeating(token.text) or literal(token.text)
            case "letter":
                return Node(token.text) if token.text in ("e", "i") else symbol(token.text)
            case "name":
                return self.named(token.text)
            case "text":
                return Node("text", (), token.text)
            case "set":
                return REALS if token.text == "R" else symbol(f"mathbb {token.text}")
            case "fn":
                return self.function(token.text)
            case "begin":
                return self.environment(token.text)
            case "op" | "cmd" if token.text in CLOSING:
                return self.bracketed(token.text)
            case "op" if token.text == "|":
                return self.absolute()
            case "cmd":
                return self.command(token.text)
        raise Unreadable(f"unexpected {token.text}")

    def repeating(self, text: str) -> Node | None:
        """0.1\\overline{6}, or 0.333\\ldots, which is a decimal like any other."""
        if "." not in text or "e" in text:
            return None
        if self.take("ldots", "dots", "cdots"):
            return Node("dec", (), Fraction(text.rstrip(".")))
        start = self.at
        if self.take("overline", "bar", "dot"):
            digits = self.label()
            if digits.isdigit() and len(digits) < 20:
                scale = 10 ** len(text.partition(".")[2])
                return number(
                    Fraction(text) + Fraction(int(digits), scale * (10 ** len(digits) - 1))
                )
        self.at = start
        return None

    def named(self, name: str) -> Node:
        if name == "hbar":
            return quotient(symbol("h"), mul(number(2), Node("pi")))
        following = self.peek()
        if name == "Delta" and following.kind in ("letter", "name"):
            self.at += 1
            return symbol(f"Delta {following.text}")
        return symbol(name)

    def command(self, name: str) -> Node:
        match name:
            case "pi":
                return Node("pi")
            case "infty":
                return Node("inf")
            case "emptyset" | "varnothing":
                return Node("set")
            case "frac":
                opaque = self.derivative()
                return opaque or quotient(self.operand(), self.operand())
            case "binom" | "dbinom" | "tbinom":
                return call("binom", self.operand(), self.operand())
        if name in ACCENTS:
            return accented(name, self.label())
        raise Unreadable(f"command {name}")

    def derivative(self) -> Node | None:
        """d/dt, dx/dt and the like: one symbol, for their letters do not multiply."""
        start = self.at
        try:
            top, bottom = self.letters(), self.letters()
        except Unreadable:
            top = bottom = []
        marks = ("d", "partial")
        if (
            top
            and top[0] in marks
            and len(bottom) > 1
            and bottom[0] in marks
            and (bottom[1][0].isalpha() and (len(top) == 1 or top[1][0].isalpha() or top[1] == "^"))
        ):
            if len(top) == 1 or (top[1] == "^" and "{" not in top and len(top) == 3):
                raise Unreadable("an operator")  # it acts on what follows
            return symbol(f"{' '.join(top)} / {' '.join(bottom)}")
        self.at = start
        return None

    def operand(self) -> Node:
        """One braced group, one digit or one symbol, as \\frac and \\sqrt take them."""
        token = self.peek()
        if token.kind == "num" and len(token.text) > 1 and token.text.isdigit():
            self.tokens[self.at] = Token("num", token.text[1:])
            return number(int(token.text[0]))
        if self.take("{"):
            node = self.sum()
            self.expect("}")
            return node
        if token.kind == "op" and token.text in ("+", "-", ")", "}", "]"):
            raise Unreadable("operand")
        return self.primary()


__all__ = ["ACCENTS", "DEGREE", "PRIMARY", "REALS", "Primaries"]
