"""Formulas against formulas: `formulas.txt` has one verdict, answer and gold a line."""

import time
from itertools import product
from pathlib import Path

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.scoring.comparison import Comparison
from harness.scoring.free import symbolic
from harness.scoring.free.symbolic import compare

_TABLE = (Path(__file__).parent / "formulas.txt").read_text(encoding="utf-8").splitlines()
_ROWS = [tuple(line.split(" | ", 2)) for line in _TABLE]
_VERDICTS = {"equal": True, "different": False, "review": None}
_SYMBOLS = sympy.symbols("x y m", positive=True)


def test_the_table() -> None:
    wrong = []
    for verdict, answer, gold in _ROWS:
        found = compare(answer, gold)
        if found.equal is not _VERDICTS[verdict]:
            wrong.append(f"{verdict} | {answer} | {gold}: {found}")
    assert not wrong, f"{len(wrong)} row(s):\n" + "\n".join(wrong)


def test_equality_has_no_side() -> None:
    equal = [(answer, gold) for verdict, answer, gold in _ROWS if verdict == "equal"]
    assert not [pair for pair in equal if compare(*reversed(pair)).equal is False]


def test_a_formula_equals_itself_whatever_the_spacing() -> None:
    texts = [text for row in _ROWS[::5] for text in row[1:]]
    assert not [text for text in texts if not compare(text, f" ${text}$ ").equal]


def test_tolerance_is_inclusive_relative_to_the_gold_and_off_in_exact_mode() -> None:
    assert compare("0.707", "0.7").equal
    assert compare("101.0", "100").equal
    assert compare("101.005", "100").equal is False
    assert compare("99.0", "100").equal
    assert compare("0.707x", "0.7x").equal
    assert compare("0.7071x", "0.7x").equal is not True
    assert compare("1.7321", r"\sqrt{3}").equal
    assert compare("1.7321", r"\sqrt{3}", exact=True).equal is False
    assert compare("1.5", r"\frac{3}{2}", exact=True).equal
    assert compare("101", "100").equal is False  # two exact numbers
    assert compare("0.001", "0").equal is False


HOSTILE = {
    "import": "__import__('os').system('touch trace')",
    "attribute": "().__class__.__mro__[1]",
    "file": r"\input{/etc/passwd}",
    "tower": "9^{9^{9^{9^{9}}}}",
    "factorial": "1000000000!",
    "factorials": "((((9!)!)!)!)!",
    "brackets": "(" * 10_000 + "1" + ")" * 10_000,
    "fractions": r"\frac{1}{" * 300 + "2" + "}" * 300,
    "digits": "9" * 200_000,
    "exponent": "1e99999999",
    "product": "(" + "+".join(f"a_{{{i}}}" for i in range(60)) + ")^{12}",
    "roots": r"\sqrt{" * 50 + "x" + "}" * 50,
    "root of digits": r"\sqrt{" + "9" * 900 + "}",
    "binomial": r"\binom{1000000}{500000}",
    "carets": "^" * 1_900,
    "surrogate": "\x00\ud800x",
    "equation": "+".join(f"x_{{{i}}}y^{{{i}}}" for i in range(1, 60)) + "=1",
    "near one": "(1+10^{-99999})^{99999999999}",
    "ten megabytes": "x+" * 5_000_000,
}


GOLDS = ("5", "x", "y=2x+1", r"\{1,2\}", "(0,1)", "9^{9^{9}}")


def test_hostile_text_is_never_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    compare(r"\cos\frac{\pi}{5}", r"\frac{1+\sqrt{5}}{4}")  # start the child
    wrong = []
    for name, gold in product(HOSTILE, GOLDS):
        start = time.process_time()
        for pair in ((HOSTILE[name], gold), (gold, HOSTILE[name])):
            if compare(*pair).equal is True:
                wrong.append(f"{name}, {gold}: equal")
        # A safety limit: it takes less than a second.
        if time.process_time() - start > 20:
            wrong.append(f"{name}, {gold}: late")
    assert not wrong
    assert not list(tmp_path.iterdir())


def test_towers_that_are_spelled_the_same_need_no_value() -> None:
    assert compare("9^{9^{9}}", "9^{9^9}").equal
    assert compare("9^{9^{9^{9}}}", "9^{9^{9}}").equal is None
    assert compare("10^{10^{10}}", "10").equal is False


@st.composite
def expressions(draw: st.DrawFn) -> sympy.Expr:
    """Small expressions in three positive symbols."""
    leaf = st.sampled_from([*_SYMBOLS, sympy.Integer(2), sympy.Rational(1, 3), sympy.Integer(-1)])
    tree: sympy.Expr = draw(leaf)
    for _ in range(draw(st.integers(1, 3))):
        other = draw(leaf)
        match draw(st.integers(0, 5)):
            case 0:
                tree = tree + other
            case 1:
                tree = tree * other
            case 2:
                tree = tree / (other**2 + 1)
            case 3:
                tree = sympy.sqrt(tree**2 + other**2)
            case 4:
                tree = sympy.sin(tree) + other
            case 5:
                tree = (tree + other) ** 2
    return tree


@settings(max_examples=30, deadline=None)
@given(expressions())
def test_a_rewritten_formula_is_not_wrong_and_a_changed_one_not_right(tree: sympy.Expr) -> None:
    written = sympy.latex(tree)
    for rewritten in (sympy.expand(tree), sympy.together(tree)):
        assert compare(sympy.latex(rewritten), written).equal is not False
    for changed in (tree + 1, tree - _SYMBOLS[0], *((2 * tree,) if tree.free_symbols else ())):
        assert compare(sympy.latex(changed), written).equal is not True


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=40), st.text(alphabet=r"\{}()[]^_+-*/=<>|!,.0129xyei frac sqrt", max_size=40)
)
def test_no_text_raises(first: str, second: str) -> None:
    for answer, gold in ((first, second), (second, first), (second, "x+1"), ("2", second)):
        assert compare(answer, gold).equal in (True, False, None)


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ("x", r"\lfloor x\rfloor"),
        (r"\lceil x\rceil", r"\lfloor x\rfloor"),
        ("ix>3", "x>3"),
        ("x^2i=4", "x^2=4"),
        ("2y=4x", "yi^i=2x"),
        (r"\acosh x", "x"),
        (r"\operatorname{arcosh} x", "x^2"),
        (r"\min 5", "-5"),
        (r"\max(i, 2)", "2"),
        (r"\gcd(x, 2)", "2"),
        (r"\binom{i}{x}", "x"),
        (r"\lfloor i\rfloor", "1"),
    ],
)
def test_what_has_no_value_is_not_equal_and_raises_nothing(answer: str, gold: str) -> None:
    assert compare(answer, gold).equal is not True
    assert compare(gold, answer).equal is not True


@pytest.mark.parametrize("fault", [TypeError, AttributeError, RecursionError, ZeroDivisionError])
def test_a_fault_of_the_comparison_is_undecided_and_named(
    fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(symbolic, "_by_readings", broken)
    assert compare("x+1.25", "x+2.75") == Comparison(None, f"fault:{fault.__name__}")


def test_two_forms_of_an_answer_must_agree() -> None:
    assert compare(r"x^2$, or equivalently $x\cdot x", "x^2").equal
    assert compare("x^2$, or equivalently $x+x", "x^2").equal is None
