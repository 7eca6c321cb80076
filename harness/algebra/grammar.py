"""The upper half of the grammar: from alternatives and relations down to powers."""

from __future__ import annotations

import re
from fractions import Fraction

from harness.algebra.brackets import CLOSING
from harness.algebra.cursor import MAX_DEPTH
from harness.algebra.primaries import ACCENTS, DEGREE, PRIMARY, Primaries
from harness.algebra.products import inverse, times
from harness.algebra.tokens import Unreadable
from harness.algebra.tree import (
    APPLIED,
    Node,
    add,
    call,
    mul,
    negative,
    number,
    power,
    quotient,
    symbol,
)

_TIMES = frozenset(("cdot", "times", "ast", "bullet"))


_LOGIC = re.compile("vee|wedge|land|lor")


class Parser(Primaries):
    """Reads alternatives, relations, unions, sums, products and powers, in this order."""

    def whole(self) -> Node:
        if not self.tokens:
            raise Unreadable("empty")
        node = self.alternatives()
        if self.at < len(self.tokens):
            raise Unreadable(f"left over: {self.peek().text}")
        return node

    # From the loosest binding to the tightest

    def alternatives(self) -> Node:
        items, joints = [self.relation()], ""
        while joint := self.separator():
            joints += joint
            items.append(self.relation())
        if len(items) == 1:
            return items[0]
        if _LOGIC.search(joints) and not all(i.op == "rel" for i in items):
            raise Unreadable("a statement of logic")
        either = "or" in joints or "vee" in joints
        both = "and" in joints or "wedge" in joints
        return Node("list", tuple(items), "or" if either else "and" if both else ",")

    def separator(self) -> str:
        found = ""
        while self.peek().kind == "sep" or self.peek().text in (",", ";"):
            found += self.peek().text
            self.at += 1
        return found

    def relation(self) -> Node:
        parts, signs = [self.union()], []
        if self.peek().text == ":" and self.peek(1).kind == "num" and len(self.peek(1).text) != 2:
            self.at += 1  # a ratio; 12:30 is a time
            parts = [quotient(parts[0], self.union())]
        while self.peek().kind == "rel":
            signs.append(self.peek().text)
            self.at += 1
            parts.append(self.union())
        return parts[0] if not signs else Node("rel", tuple(parts), " ".join(signs))

    def union(self) -> Node:
        parts = [self.sum()]
        while self.take("cup", "bigcup"):
            parts.append(self.sum())
        if len(parts) == 1 and self.take("setminus", "backslash"):
            return Node("minus", (parts[0], self.sum()))
        return parts[0] if len(parts) == 1 else Node("cup", tuple(parts))

    def sum(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unreadable("too deep")
        terms: list[Node] = []
        while True:
            sign = ""
            while self.peek().text in ("+", "-", "pm", "mp") and self.peek().kind in ("op", "cmd"):
                new = self.peek().text
                if sign in ("pm", "mp"):
                    raise Unreadable("a sign after ±")
                sign = {"-+": "-", "--": "+", "+-": "-"}.get(sign + new, new)
                self.at += 1
            if terms and not sign:
                break
            term = self.product()
            if sign == "-":
                term = negative(term)
            elif sign in ("pm", "mp"):
                term = Node(sign, (term,))
            terms.append(term)
        self.depth -= 1
        return add(*terms)

    def product(self) -> Node:
        factors = [self.factor()]
        while True:
            if self.peek().text in ("*", *_TIMES) and self.peek().kind in ("op", "cmd"):
                sign = self.peek().text
                self.at += 1
                factors = times(factors, sign, self.signed())
            elif self.take("/", "div"):
                factors = [self.over(factors)]
            elif self.starts_factor():
                after_group = self.tokens[self.at - 1].text == "}" and factors[-1].op != "num"
                if self.peek().kind == "num" and not after_group:
                    factors = self.joined(factors)
                else:
                    factors[-1] = inverse(factors[-1], [self.peek(n).text for n in range(3)])
                    applied = factors[-1].op == "sym" and self.peek().text == "("
                    applied = applied and self.tokens[self.at - 1].text != ")"
                    factors.append(self.mixed(factors) or self.factor())
                    if applied and self.tokens[self.at - 1].text == ")":
                        factors[-2:] = [Node("mul", (factors[-2], factors[-1]), APPLIED)]
                    if factors[-1].op == "mixed":
                        factors = list(factors[-1].args)
            else:
                return mul(*factors)

    def signed(self) -> Node:
        if self.take("-"):
            return negative(self.factor())
        self.take("+")
        return self.factor()

    def over(self, factors: list[Node]) -> Node:
        bottom = [self.signed()]
        numeric = all(f.op == "num" for f in (*factors, bottom[0]))
        following = self.peek()
        is_pi = following.text in ("pi", "sqrt") and following.kind in ("cmd", "fn")
        if numeric and (following.kind == "letter" or is_pi) and not following.gap:
            # 1/2x is either; 1/2mv^2 and 1/2at^2 are not read as 1/(2at^2) by anyone.
            after = self.peek(1)
            product = after.kind in ("letter", "name") or after.text == "^"
            one_over = is_pi and factors == [number(1)]  # 1/4πε may be 1/(4πε)
            self.slash = "" if product and not one_over else "open"
            if self.slash and self.tight:
                bottom.append(self.factor())
                while one_over and self.starts_factor() and self.peek().kind != "num":
                    bottom.append(self.factor())
        elif not numeric and self.starts_factor() and self.peek().kind != "num":
            if not self.slash:
                self.slash = "wide" if self.peek().gap else "close"
            while self.tight and self.starts_factor() and self.peek().kind != "num":
                bottom.append(self.factor())
        return quotient(mul(*factors), mul(*bottom))

    def joined(self, factors: list[Node]) -> list[Node]:
        """A number right after another factor: 1 234 567 or 2 1/2, and nothing else."""
        before, token = factors[-1], self.peek()
        if before.op != "num" or not isinstance(before.value, Fraction) or not token.text.isdigit():
            raise Unreadable("a number after a factor")
        self.at += 1
        if len(factors) == 1 and self.take("/"):
            bottom = self.peek()
            self.at += 1
            if bottom.kind != "num" or not bottom.text.isdigit() or int(bottom.text) == 0:
                raise Unreadable("mixed number")
            part = Fraction(int(token.text), int(bottom.text))
            if part < 1:
                return [number(before.value + part)]
        elif len(token.text) == 3 and before.value > 0:
            return [*factors[:-1], number(before.value * 1000 + int(token.text))]
        raise Unreadable("a number after a number")

    def mixed(self, factors: list[Node]) -> Node | None:
        """A fraction of plain numbers right after an integer: 2\\frac12 is 2.5."""
        before = factors[-1]
        if self.peek().text != "frac" or len(factors) != 1 or before.op != "num":
            return None
        value = before.value
        fraction = self.factor()
        if isinstance(value, Fraction) and value.denominator == 1 and fraction.op == "mul":
            top, bottom = fraction.args[0], fraction.args[-1]
            plain = top.op == "num" and bottom.op == "pow" and bottom.args[0].op == "num"
            if plain and isinstance(top.value, Fraction):
                below = bottom.args[0].value
                if isinstance(below, Fraction) and 0 < top.value < below:
                    return Node("mixed", (number(value + top.value / below),))
                if value >= 1:
                    raise Unreadable("a sum or a product")  # 2\\frac32
        return fraction

    def starts_factor(self) -> bool:
        kind, text = self.peek().kind, self.peek().text
        if kind in ("num", "letter", "name", "fn", "text", "begin", "set"):
            return True
        if kind == "op":
            return text in ("(", "[", "{", "\\{") or (text == "|" and not self.bars)
        return kind == "cmd" and (text in PRIMARY or text in ACCENTS or text in CLOSING)

    def factor(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unreadable("too deep")
        node = self.postfix(self.primary())
        self.depth -= 1
        return node

    def postfix(self, node: Node) -> Node:
        raised: list[Node] = []
        while True:
            if node.op in ("sym", "text", "e", "i") and self.peek().text == "_" and self.take("_"):
                name = node.value or node.op
                node = symbol(f"{name}_{self.label()}")
            elif self.take("'"):
                node = symbol(f"{node.value or node.op}'") if node.op in ("sym", "e", "i") else node
                if node.op != "sym":
                    raise Unreadable("prime")
            elif self.take("^"):
                node = self.raised(node, raised)
            elif self.take("!"):
                if self.peek().text == "!":
                    raise Unreadable("double factorial")
                node = call("factorial", self.raise_all(node, raised))
            elif self.take("%"):
                node = mul(self.raise_all(node, raised), number(Fraction(1, 100)))
            elif self.take("degree", "circ"):
                node = mul(self.raise_all(node, raised), DEGREE)
            else:
                return self.raise_all(node, raised)

    def raise_all(self, node: Node, raised: list[Node]) -> Node:
        while raised:
            node = power(node, raised.pop(0))
        return node

    def raised(self, node: Node, raised: list[Node]) -> Node:
        """What follows ^: a degree sign, a prime or star of a symbol's name, or an exponent."""
        braced = self.take("{")
        if self.take("circ"):
            node = mul(self.raise_all(node, raised), DEGREE)
        elif self.peek().text in ("prime", "dagger") and node.op == "sym":
            while self.take("prime"):
                node = symbol(f"{node.value}'")
            if self.take("dagger"):
                node = symbol(f"{node.value}+")
        elif self.peek().text == "*" and node.op == "sym":
            self.at += 1
            node = symbol(f"{node.value}*")
        elif raised:
            raise Unreadable("two exponents")
        elif braced and node.op == "sym" and self.peek().text == "(" and self.peek(2).text == ")":
            raise Unreadable("an index")  # x^{(2)}
        else:
            raised.append(self.sum() if braced else self.exponent())
        if braced:
            self.expect("}")
        return node

    def exponent(self) -> Node:
        if self.take("-"):
            return negative(self.exponent())
        self.take("+")
        return self.factor()


__all__ = ["Parser"]
