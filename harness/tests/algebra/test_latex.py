from fractions import Fraction

import pytest

from harness.algebra.latex import parse
from harness.algebra.tree import Node, from_json, to_json


def shown(node: Node) -> str:
    """A tree as a short prefix notation: (mul 2 x)."""
    if node.op == "num":
        return str(node.value)
    if node.op == "dec" and isinstance(node.value, Fraction):
        return f"{float(node.value)}."
    if node.op in ("sym", "text"):
        return str(node.value) if node.op == "sym" else f"'{node.value}'"
    inner = " ".join([node.op + (f":{node.value}" if node.value else ""), *map(shown, node.args)])
    return f"({inner})" if node.args else inner


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("xy+y", "(add (mul x y) y)"),
        ("v_0t", "(mul v_0 t)"),
        ("v^2_0", "(pow v_0 2)"),
        ("v0", "v_0"),
        (r"T_{\text{max}}", "T_max"),
        (r"\mathbf{F}", "bold F"),
        (r"\hat{H}", "hat H"),
        (r"\Delta x", "Delta x"),
        (r"\varphi", "phi"),
        ("x''", "x''"),
        (r"x^{\prime}", "x'"),
        (r"\frac12", "(mul 1 (pow 2 -1))"),
        (r"\frac{dx}{dt}", "d x / d t"),
        (r"\frac{\partial f}{\partial x}", "partial f / partial x"),
        (r"\frac{d}{d+1}", "(mul d (pow (add d 1) -1))"),
        (r"\sqrt[3]{x}", "(pow x 1/3)"),
        (r"4\sqrt(2)", "(mul 4 (pow 2 1/2))"),
        ("2^3^2", "(pow 2 (pow 3 2))"),
        ("-x^2", "(mul -1 (pow x 2))"),
        (r"\sin 2x\cos x", "(mul (fn:sin (mul 2 x)) (fn:cos x))"),
        (r"\sin^2 x", "(pow (fn:sin x) 2)"),
        (r"\sin^{-1} x", "(fn:asin x)"),
        (r"\log_2 8", "(mul (fn:ln 8) (pow (fn:ln 2) -1))"),
        ("mgsin(theta)", "(mul m g (fn:sin theta))"),
        (r"2\frac12", "5/2"),
        ("2 1/2", "5/2"),
        (r"2\cdot\frac12", "(mul 2 (mul 1 (pow 2 -1)))"),
        ("1,234", "1234"),
        (r"1{,}000", "1000"),
        (r"1\,234\,567", "1234567"),
        ("3.50", "3.5."),
        ("1e-3", "0.001."),
        ("2e-3x", "(add (mul 2 e) (mul -1 (mul 3 x)))"),
        (r"0.1\overline{6}", "1/6"),
        ("x²+√2", "(add (pow x 2) (pow 2 1/2))"),
        ("μ₀I", "(mul mu_0 I)"),
        ("[0,1)", "(iv:[) 0 1)"),
        (r"\{1,2\}", "(set 1 2)"),
        (r"\{x \mid x>2\}", "(rel:> x 2)"),
        ("(1,2)", "(tuple 1 2)"),
        ("0<x<1", "(rel:< < 0 x 1)"),
        (r"x=1 \text{ or } x=-2", "(list:or (rel:= x 1) (rel:= x -2))"),
        (r"\pm 3", "(pm 3)"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", "(mat:2 2 1 2 3 4)"),
        (r"9.8 \text{ m/s}", "(mul 9.8. 'm/s')"),
        (r"\left|x\right|", "(fn:abs x)"),
        ("5!", "(fn:factorial 5)"),
        (r"60^\circ", "(mul 60 (mul pi 1/180))"),
        (r"50\%", "(mul 50 1/100)"),
    ],
)
def test_the_grammar(text: str, tree: str) -> None:
    found = parse(text)
    assert found is not None
    assert shown(found.likely) == tree
    assert from_json(to_json(found.likely)) == found.likely


@pytest.mark.parametrize(
    ("text", "likely", "other"),
    [
        ("mg/2k", "(mul (mul m g) (pow (mul 2 k) -1))", "(mul (mul (mul m g) (pow 2 -1)) k)"),
        ("mg/2 k", "(mul (mul (mul m g) (pow 2 -1)) k)", "(mul (mul m g) (pow (mul 2 k) -1))"),
        ("1/2mv^2", "(mul (mul 1 (pow 2 -1)) m (pow v 2))", None),
    ],
)
def test_a_slash_before_a_product(text: str, likely: str, other: str | None) -> None:
    found = parse(text)
    assert found is not None
    assert shown(found.likely) == likely
    assert (found.other and shown(found.other)) == other
    assert not found.disputed


def test_half_x_is_disputed_and_a_bare_logarithm_has_two_bases() -> None:
    half, log = parse("1/2x"), parse(r"\log x")
    assert half is not None and half.disputed and half.other is not None
    assert log is not None and log.common is not None
    assert shown(log.common[0]) == "(mul (fn:ln x) (pow (fn:ln 10) -1))"


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "()", "(1", "1)", "[1,2", r"\frac{1}", r"\frac{1}{2", "x^", "x^2^{", "+", "2 3"),
        *("the answer", "hypotenuse", r"\text{none of these are right}", r"\int x dx", r"\nabla f"),
        *(
            "__import__('os')",
            "a.b",
            ";",
            "x ? y",
            r"\input{/etc/passwd}",
            "\x00",
            "\ud800",
            "日",
        ),
        *(
            "(" * 61 + "x" + ")" * 61,
            "9" * 1_001,
            "x+" * 301 + "x",
            " " * 2_001,
            r"\sqrt12",
            "dx/dt",
        ),
        *("1e9999999999", r"\begin{pmatrix}1&2\\3\end{pmatrix}", r"x \to 0", "12:30", r"\lim x"),
    ],
)
def test_what_is_not_read(text: str) -> None:
    assert parse(text) is None


def test_the_limits_let_ordinary_formulas_through() -> None:
    assert parse("(" * 25 + "x" + ")" * 25) is not None
    assert parse("9" * 1_000) is not None
    assert parse("+".join(["x"] * 300)) is not None
