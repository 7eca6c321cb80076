"""Where a parser stands in its tokens, and what every part of the grammar asks of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from harness.algebra.tokens import Token, Unreadable
from harness.algebra.tree import Node, mul, number, power

MAX_DEPTH = 60
_LABELS = frozenset(str.split("infty odot oplus perp parallel pi pm imath jmath + - *"))


class Cursor(ABC):
    """The tokens and the place; the parser itself gives `alternatives`, `sum` and the rest."""

    def __init__(self, found: list[Token], *, tight: bool = False, log10: bool = False) -> None:
        self.tokens = list(found)
        self.at = 0
        self.depth = 0
        self.bars = 0
        self.tight = tight
        self.log10 = log10
        self.slash = ""  # how the factor after an ambiguous divisor stands: "close" or "wide"
        self.bare_log = False

    def peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else Token("end", "")

    def take(self, *texts: str) -> bool:
        token = self.peek()
        if token.kind in ("op", "cmd") and token.text in texts:
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise Unreadable(f"expected {text}, found {self.peek().text}")

    @abstractmethod
    def alternatives(self) -> Node:
        """What a whole text may be."""

    @abstractmethod
    def sum(self) -> Node:
        """Terms that plus and minus join."""

    @abstractmethod
    def factor(self) -> Node:
        """One factor of a product, with its power."""

    @abstractmethod
    def starts_factor(self) -> bool:
        """Whether a factor begins here."""

    @abstractmethod
    def primary(self) -> Node:
        """A number, a name, a call or a group."""

    @abstractmethod
    def operand(self) -> Node:
        """What a command without braces takes."""

    def letters(self) -> list[str]:
        """The texts of the tokens of a braced group."""
        self.expect("{")
        found: list[str] = []
        level = 1
        while True:
            token = self.peek()
            self.at += 1
            level += {"{": 1, "}": -1}.get(token.text, 0)
            if token.kind == "end":
                raise Unreadable("open group")
            if level == 0:
                return found
            found.append(token.text)

    def label(self) -> str:
        """A subscript as a name: v_{\\text{max}} and v_{max} are the same symbol."""
        if not self.take("{"):
            token = self.peek()
            self.at += 1
            if token.kind in ("letter", "name", "text", "num"):
                return token.text.replace(" ", "")
            if token.text in _LABELS:
                return {"imath": "i", "jmath": "j"}.get(token.text, token.text)
            raise Unreadable("subscript")
        parts: list[str] = []
        open_braces = 1
        while True:
            token = self.peek()
            self.at += 1
            open_braces += {"{": 1, "}": -1}.get(token.text, 0)
            if token.kind == "end" or len(parts) > 40:
                raise Unreadable("subscript")
            if open_braces == 0:
                return "".join(parts)
            if token.text not in ("{", "}"):
                plain = {"imath": "i", "jmath": "j"}.get(token.text, token.text)
                parts.append(plain.replace(" ", ""))


def literal(text: str) -> Node:
    mantissa, _, exponent = text.partition("e")
    scale = int(exponent or 0)
    if abs(scale) > 5000:
        return mul(Node("dec", (), Fraction(mantissa)), power(number(10), number(scale)))
    value = Fraction(mantissa if mantissa[-1] != "." else mantissa[:-1]) * Fraction(10) ** scale
    return Node("dec" if exponent or "." in mantissa[:-1] else "num", (), value)


__all__ = ["MAX_DEPTH", "Cursor", "literal"]
