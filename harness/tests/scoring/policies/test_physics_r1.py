import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.policies.arithmetic import arithmetic
from harness.scoring.policies.physics_match import (
    boxes,
    extract_boxed,
    extract_letter,
    match,
    number,
    plain,
    split_parts,
)
from harness.scoring.policies.physics_r1 import (
    liberal_prompt,
    liberal_verdict,
    physics_r1,
    physics_r1_liberal,
    physics_r1_strict,
    read_option,
)
from harness.scoring.policy import Item


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\\boxed{3}", ["3"]),
        ("\\boxed{\\frac{1}{2}} then \\boxed{ x^{2} }", ["\\frac{1}{2}", " x^{2} "]),
        ("\\boxed{\\boxed{3}}", ["\\boxed{3}"]),
        ("\\boxed{{{{{7}}}}}", ["{{{{7}}}}"]),
        ("} } \\boxed{4}", ["4"]),
        ("\\boxed{1} \\boxed{2", ["1"]),
        ("\\boxed{}", [""]),
        ("\\boxed {3}", []),
        ("", []),
    ],
)
def test_boxes(text: str, found: list[str]) -> None:
    assert boxes(text) == found
    assert extract_boxed(text) == (found[-1].strip() if found else None)


@pytest.mark.parametrize(
    ("predicted", "gold", "equal"),
    [
        ("3.02", "3", True),
        ("3.04", "3", False),
        ("0.99", "1", False),
        ("0.9901", "1", True),
        ("105.2", "100", False),
        ("0", "0", True),
        ("1e-7", "0", True),
        ("1e-5", "0", False),
        ("\\frac{1}{2}", "0.5", True),
        ("\\frac{\\frac{1}{2}}{\\frac{1}{4}}", "2", True),
        ("6 \\times 10^{3}", "6000", True),
        ("-2^2", "-4", True),
        ("\\text{North}", "north", True),
        ("12\\,\\%", "12", True),
        ("\\dfrac{mg}{2}", "(mg)/(2)", True),
        ("3 m/s", "3", True),
        ("3 m/s", "3 km/h", True),
        ("3\\pi", "3", True),
        ("(a) 3 (b) 4", "(a) 3 (b) 4.01", True),
        ("(a) 3 (b) 5", "(a) 3 (b) 4", False),
        ("(b) 3 (a) 4", "(a) 3 (b) 4", False),
        ("(a) 3", "(a) 3 (b) 4", False),
        ("3; 4", "(a) 3 (b) 4", True),
        ("3; 4; 5", "3; 4", False),
        ("a. 3 b. 4", "(a) 3; (b) 4", True),
        ("3", "", False),
        ("", "3", False),
        ("x", "y", False),
    ],
)
def test_match(predicted: str, gold: str, equal: bool) -> None:
    assert match(predicted, gold) is equal


def test_part_labels_are_looked_for_anywhere() -> None:
    assert split_parts("(a) 1; (b) 2") == [("a", "1"), ("b", "2")]
    assert split_parts("(a) 1") is None
    assert match("x(a) 1 (b) 2", "y(a) 1 (b) 2")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1+2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("2^3^2", 512.0),
        ("2**-1", 0.5),
        ("--2", 2.0),
        ("1e3/4", 250.0),
        ("1/0", None),
        ("9^9^9^9", None),
        ("(-8)^(1/3)", None),
        ("(1", None),
        ("1)", None),
        ("()", None),
        ("2(3)", None),
        ("2x", None),
        ("", None),
        pytest.param("(" * 300, None, id="too long"),
        pytest.param("(" * 99 + "1" + ")" * 99, 1.0, id="deep"),
    ],
)
def test_arithmetic(text: str, value: float | None) -> None:
    assert arithmetic(text) == value


def test_a_number_is_its_leading_digits() -> None:
    assert number(plain("about 3")) is None
    assert number("3.5m") == 3.5
    assert number("9" * 5000) is None


@pytest.mark.parametrize(
    ("text", "letter", "rule"),
    [
        ("\\boxed{b}", "B", "boxed"),
        ("\\boxed{42} answer: (C)", "C", "answer_is"),
        ("The answer is Doubtful", "D", "answer_is"),
        ("It must be (D)", "D", "closing_letter"),
        ("so \\text{A} it is", "A", "text_letter"),
        ("no idea", None, "no_letter"),
    ],
)
def test_letter_of_the_reward(text: str, letter: str | None, rule: str) -> None:
    assert extract_letter(text) == (letter, rule)
    grade = physics_r1(Item(kind="choice", gold="c", choices=("w", "x", "y", "z")), text)
    assert grade.correct == (letter == "C")


@pytest.mark.parametrize(
    ("text", "letter", "rule"),
    [
        ("<think>The answer is A.</think> \\boxed{\\text{B}}", "B", "boxed"),
        ("\\boxed{A}</think> \\boxed{C} </think> so B it seems", "B", "last_letter"),
        ("answer is **C**", "C", "answer_is"),
        ("I take **D**", "D", "closing_bold"),
        ("I take A.", "A", "closing_letter"),
        ("(B) fits the data", "B", "bracketed_letter"),
        ("So B it seems to me", "B", "last_letter"),
        ("So F it seems to me", None, "x"),
        ("", None, "x"),
    ],
)
def test_letter_of_the_harness(text: str, letter: str | None, rule: str) -> None:
    answer = read_option(text, 4)
    assert (answer.value, answer.rule) == (letter, rule)
    grade = physics_r1_strict(Item(kind="choice", gold="B", choices=("w", "x", "y", "z")), text)
    assert grade.correct == (letter == "B")
    assert grade.outcome == ("answered" if letter else "review")


def test_match_policy() -> None:
    item = Item(kind="number", gold="9.81")
    assert physics_r1(item, "\\boxed{9.8\\ \\text{m/s}^2}").correct
    assert not physics_r1(item, "\\boxed{10}").correct
    assert not physics_r1(item, "\\boxed{9.81} no, \\boxed{10}").correct
    unboxed = physics_r1(item, "It is 9.81.")
    assert (unboxed.outcome, unboxed.answer.rule, unboxed.correct) == ("review", "unboxed", False)
    assert physics_r1(item, "\\boxed{ }").outcome == "review"


def test_strict_takes_a_gold_inside_a_box() -> None:
    item = Item(kind="number", gold="2")
    assert physics_r1_strict(item, "\\boxed{12}").correct
    assert physics_r1_strict(item, "\\boxed{2} or \\boxed{5}").correct
    assert not physics_r1_strict(item, "\\boxed{13}").correct
    assert not physics_r1_strict(item, "The result is 2.").correct
    assert not physics_r1_strict(Item(kind="text", gold="  "), "\\boxed{12}").correct
    assert physics_r1_strict(
        Item(kind="text", gold="3\\,\\text{m}"), "\\boxed{$ 3 \\text{M} $}"
    ).correct


def test_liberal_is_wider_than_strict() -> None:
    item = Item(kind="number", gold="9.81")
    assert physics_r1_liberal(item, "\\boxed{9.7}").correct
    assert not physics_r1_liberal(item, "\\boxed{9.6}").correct
    assert physics_r1_liberal(item, "\\boxed{9.7} or \\boxed{3}").correct
    assert physics_r1_liberal(item, "Hence g = 9.8").answer.rule == "any_statement"
    assert physics_r1_liberal(item, "Hence g = 9.8").correct
    assert physics_r1_liberal(item, "").outcome == "review"
    parts = Item(kind="number", gold="(a) 3 (b) 4")
    assert physics_r1_liberal(parts, "\\boxed{3.01} \\boxed{4.01}").correct
    assert physics_r1_liberal(parts, "\\boxed{(a) 3.01 (b) 4.01}").correct
    assert not physics_r1_liberal(parts, "\\boxed{3.01}").correct


def test_liberal_prompt_shows_boxes_or_the_end() -> None:
    asked = liberal_prompt("How fast?", "g" * 4000, "x" * 900 + "\\boxed{3} and \\boxed{4}")
    assert "[1] 3\n[2] 4" in asked
    assert "g" * 3000 in asked
    assert "g" * 3001 not in asked
    end = liberal_prompt("How fast?", "3", "x" * 900)
    assert "x" * 600 in end
    assert "x" * 601 not in end


@pytest.mark.parametrize(
    ("reply", "right"),
    [("YES", True), ("no", False), ("YES. Both are 3.", True), ("unclear", False), ("", False)],
)
def test_liberal_verdict(reply: str, right: bool) -> None:
    assert liberal_verdict(reply) is right


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{" * 28_000,
        "\\boxed{" * 28_000 + "}" * 28_000,
        "\\boxed{1;2;3}" * 50_000,
        "\\boxed{" + "\\frac{" * 50_000 + "}" * 100_000 + "}",
        "\\boxed{" + "(a) " * 100_000 + "}",
        "\\text{" * 100_000,
        "answer is " * 100_000,
        "**" * 300_000,
        "\\boxed{" + "9" * 1_000_000 + "}",
    ],
    ids=("open", "nested", "many", "fractions", "labels", "texts", "cues", "stars", "digits"),
)
@pytest.mark.parametrize("kind", ["choice", "expression"])
def test_time_is_linear(text: str, kind: str) -> None:
    start = time.process_time()
    item = Item(kind=kind, gold="(a) 1 (b) 2")
    for policy in (physics_r1, physics_r1_strict, physics_r1_liberal):
        policy(item, text)
    assert time.process_time() - start < 30


@given(st.text(alphabet="\\boxedfractext{}()ab.;0123456789+-*/^ ABCD", max_size=60), st.text())
def test_never_raises(text: str, gold: str) -> None:
    for wanted in (gold, "(a) 1 (b) 2", "B", "1/2"):
        item = Item(kind="expression", gold=wanted)
        for policy in (physics_r1, physics_r1_strict, physics_r1_liberal):
            policy(item, f"\\boxed{{{text}}}")
            policy(item, text)


@given(st.lists(st.integers(1, 99), min_size=3, max_size=3))
def test_arithmetic_knows_precedence(numbers: list[int]) -> None:
    a, b, c = numbers
    assert arithmetic(f"{a}-{b}*{c}") == a - b * c
    assert arithmetic(f"{a}/{b}/{c}") == a / b / c
    assert arithmetic(f"-{a}^2-(-{b}+{c})") == -(a**2) - (-b + c)


@given(st.floats(0.01, 1e6))
def test_the_tolerance_is_relative_to_the_gold(value: float) -> None:
    assert match(repr(value), repr(value))
    assert match(repr(value), repr(value * 1.005))
    assert not match(repr(value), repr(value * 1.02))
