"""Answers in labelled parts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring import grade
from harness.scoring.comparison import Comparison
from harness.scoring.free import parts
from harness.scoring.quantities import number

SPLIT = [
    ("(a) 3 m (b) 4 m", [("a", "3 m"), ("b", "4 m")]),
    ("a) 3\nb) 4", [("a", "3"), ("b", "4")]),
    ("a) 3 b) 4", [("a", "3"), ("b", "4")]),
    ("a. 3; b. 4", [("a", "3"), ("b", "4")]),
    ("(A) red, (B) blue", [("a", "red"), ("b", "blue")]),
    ("(i) 3 (ii) 4 (iii) 5", [("i", "3"), ("ii", "4"), ("iii", "5")]),
    ("(1) 3 (2) 4", [("1", "3"), ("2", "4")]),
    ("Part 1: 3\nPart 2: 4", [("1", "3"), ("2", "4")]),
    ("Part (a): 3; Part (b): 4", [("a", "3"), ("b", "4")]),
    ("(a) $x=3$ and (b) $\\frac{1}{2}$", [("a", "x=3"), ("b", "\\frac{1}{2}")]),
    ("\\text{(a) }3 \\quad \\text{(b) }4", [("a", "3"), ("b", "4")]),
    ("(b) 4 (a) 3", [("b", "4"), ("a", "3")]),
    ("3; 4", [("1", "3"), ("2", "4")]),
    ("x=1; y=(2; 3)", [("1", "x=1"), ("2", "y=(2; 3)")]),
    ("x + y", None),
    ("(1, 2)", None),
    ("\\{1; 2\\}", None),
    ("f(a) + g(b)", None),
    ("P(a) (b)", None),
    ("(a) 3", None),
    ("(a) 3 (b)", None),
    ("5.2. 3", None),
    ("", None),
    (";", None),
]
READ = [
    ("(a) 3 (b) 4", "(a) 3\n(b) 4"),
    ("<answer>(a) 3 (b) 4</answer> (a) 5 (b) 6", "(a) 3\n(b) 4"),
    ("Work.\nFinal answer: (a) 3, (b) 4.", "(a) 3\n(b) 4"),
    ("Final answers:\n(a) 3\n(b) 4\n", "(a) 3\n(b) 4"),
    ("(a) The speed is 3 m/s.\n(b) So it takes \\boxed{4}", "(a) 3 m/s\n(b) 4"),
    ("(a) We have x = 3.\nThus \\boxed{3}\n(b) \\boxed{4}", "(a) 3\n(b) 4"),
    ("(a) First \\boxed{5}, corrected: \\boxed{3}\n(b) \\boxed{4}", "(a) 3\n(b) 4"),
    ("\\boxed{(a) 3, (b) 4}", "(a) 3\n(b) 4"),
    ("\\boxed{3} and \\boxed{4}", "(1) 3\n(2) 4"),
    ("<answer>3; 4</answer>", "(1) 3\n(2) 4"),
    ("<answer>(a) 3</answer>", "(a) 3"),
    ("3", "(1) 3"),
    ("<think>(a) 5 (b) 6</think>(a) 3 (b) 4", "(a) 3\n(b) 4"),
    ("(a) 5 (b) 6\nOn a second look:\n(a) 3 (b) 4", "(a) 3\n(b) 4"),
    ("(a) 3\n(b) From (a), 3 + 1 = 4", "(a) 3\n(b) 3 + 1 = 4"),
    (
        "(a) 3\n(b) by (a), 4\n(c) from (a) and (b), 7",
        "(a) 3\n(b) by (a), 4\n(c) from (a) and (b), 7",
    ),
    ("(a)3牛顿(b)45度", "(a) 3牛顿\n(b) 45度"),
    ("", None),
    ("<answer></answer>", None),
    ("<think>(a) 3 (b) 4", None),
    ("I can't solve (a) or (b).", None),
    ("(a) 3 (b) 4 (b) 5", None),
    ("(a) 3? (b) 4", None),
    ("(a) \\boxed{3}, \\boxed{5}\n(b) \\boxed{4}", None),
    ("There are some things to be said about it.\nBut no parts.", None),
]
COMPARED = [
    ("(a) 3\n(b) 4", "(a) 3 (b) 4", True),
    ("(a) 3\n(b) 4", "a) 3; b) 4.0", True),
    ("(b) 4\n(a) 3", "(a) 3 (b) 4", True),
    ("(1) 3\n(2) 4", "(a) 3 (b) 4", True),
    ("(1) 3\n(2) 4", "3; 4", True),
    ("(1) 4\n(2) 3", "3; 4", False),
    ("(a) 4\n(b) 3", "(a) 3 (b) 4", False),
    ("(a) 3", "(a) 3 (b) 4", False),
    ("(1) 3", "(a) 3 (b) 4", False),
    ("(a) 3\n(b) 4\n(c) 5", "(a) 3 (b) 4", False),
    ("(c) 3\n(d) 4", "(a) 3 (b) 4", False),
    ("(a) x\n(b) 4", "(a) 3 (b) 4", None),
    ("(i) 3\n(ii) 4", "(a) 3 (b) 4", True),
    ("(i) 4\n(ii) 3", "(a) 3 (b) 4", False),
    ("(a) x\n(b) 5", "(a) 3 (b) 4", False),
    ("3", "3", True),
]


def test_symbols_of_two_parts_the_other_way_round_are_wrong() -> None:
    """Each part alone could be the same in other symbols; together they are not."""
    for answer, expected in (("(a) 2x (b) 2y", True), ("(a) 2y (b) 2x", False)):
        score = grade("expression", answer, (), "(a) 2x (b) 2y")
        assert (score.outcome, score.correct) == ("answered", expected)


@pytest.mark.parametrize(("text", "found"), SPLIT)
def test_split(text: str, found: list[tuple[str, str]] | None) -> None:
    assert parts.split(text) == (None if found is None else tuple(found))


@pytest.mark.parametrize(("text", "value"), READ)
def test_read(text: str, value: str | None) -> None:
    answer = parts.parts(text, ("a", "b"))
    assert answer.value == value, answer
    assert (answer.span is None) == (value is None)


@pytest.mark.parametrize(("answer", "gold", "equal"), COMPARED)
def test_compare(answer: str, gold: str, equal: bool | None) -> None:
    assert parts.compare(answer, gold, number.compare).equal is equal


def test_a_wrong_part_outweighs_an_undecided_one() -> None:
    verdicts = {"3": True, "4": None, "5": False}
    assert parts.compare(
        "(a) 4\n(b) 5", "(a) 1 (b) 2", lambda answer, _: Comparison(verdicts[answer], "told")
    ) == Comparison(False, "parts:b:told")


@given(st.text(max_size=60))
def test_any_text_is_split_and_read_or_not(text: str) -> None:
    parts.split(text)
    answer = parts.parts(text, ("a", "b"))
    assert (answer.value is None) == (answer.span is None)
    parts.compare(text, text, number.compare)


@given(st.lists(st.integers(-999, 999), min_size=2, max_size=8))
def test_its_own_rendering_is_read_again(values: list[int]) -> None:
    gold = " ".join(f"({label}) {value}" for label, value in zip("abcdefgh", values, strict=False))
    found = parts.split(gold)
    assert found is not None
    answer = parts.parts(f"<answer>{gold}</answer>", [label for label, _ in found])
    assert answer.value is not None
    assert parts.compare(answer.value, gold, number.compare).equal is True


@pytest.mark.parametrize(
    "text",
    ["(a) " * 50_000, "(a) 3 (b) 4 " * 15_000, "; " * 100_000, "\\boxed{1}" * 20_000,
     "a) b) " * 30_000,
     "{" * 200_000, "Answer: " * 25_000, "(a) \\boxed{1} (b) \\boxed{2} " * 7_000],
)  # fmt: skip
def test_long_texts_take_linear_time(text: str) -> None:
    start = time.process_time()
    parts.parts(text, ("a", "b"))
    parts.split(text)
    assert time.process_time() - start < 20  # seconds of the processor: linear, not quick


@pytest.mark.unit
@pytest.mark.parametrize(
    "text",
    [
        "| (a) | 3.2 N |\n| (b) | 45° |",
        "Part (a) – 3.2 N\nPart (b) – 45°",
        "The answer to (a) is 3.2 N and the answer to (b) is 45°.",
    ],
)
def test_borders_and_prose_round_parts(text: str) -> None:
    assert parts.parts(text, ("a", "b")).value == "(a) 3.2 N\n(b) 45°"


@pytest.mark.unit
@pytest.mark.parametrize("text", ["3 and 4", "The answers are 3 and 4.", "3, 4", "3; 4"])
def test_two_answers_without_labels(text: str) -> None:
    assert parts.parts(text, ("1", "2")).value == "(1) 3\n(2) 4"


@pytest.mark.unit
def test_three_answers_with_a_comma_before_the_last() -> None:
    assert parts.parts("Answer: 3, 4, and 5", ("1", "2", "3")).value == "(1) 3\n(2) 4\n(3) 5"


@pytest.mark.unit
def test_a_sign_right_before_a_part_is_its_own() -> None:
    assert parts.parts("(a) -3.2 N (b) 45°", ("a", "b")).value == "(a) -3.2 N\n(b) 45°"
