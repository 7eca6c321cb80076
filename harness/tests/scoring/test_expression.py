"""Where a formula stands as the answer, and where it stands as something else."""

import time

import pytest

from harness.scoring.free.expression import expression


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"We complete the square. The vertex is at $(3, -1)$.", "(3, -1)"),
        (r"Hence the period is $T = 2\pi\sqrt{L/g}$.", r"T = 2\pi\sqrt{L/g}"),
        (r"The velocity at the bottom is $\sqrt{2gh}$.", r"\sqrt{2gh}"),
        (r"So the length is 2√2 ≈ 2.83.", "2√2 ≈ 2.83"),
        (r"The area is $A = 16\pi - 4\pi = 12\pi$ square units.", r"A = 16\pi - 4\pi = 12\pi"),
        (r"The solutions are $x = 3$ and $x = 2$.", r"x = 3 \text{ or } x = 2"),
        ("The possible values are 1, 2, and 3.", "1, 2, 3"),
        ("The expression simplifies to x + 1.", "x + 1"),
    ],
)
def test_a_closing_sentence_gives_the_formula(text: str, value: str) -> None:
    answer = expression(text)
    assert answer.value == value
    assert answer.span is not None
    assert value[:2] in text[slice(*answer.span)]


@pytest.mark.parametrize(
    "text",
    [
        "The vertex is not at $(3,-1)$.",
        "The first solution is $x=2$.",
        "The given equation is $x^2=4$.",
        "The domain is $[0,1)$ or $[0,1]$.",
        "Is the vertex at $(1,2)$?",
        "If the domain is $[0,1)$.",
        "The vertex is at $(3,-1)$. Or maybe not.",
        "The opposite of the slope is $2x$.",
        "The wrong area is $x^2$.",
        "The domain is unclear.",
    ],
)
def test_other_sentences_give_none(text: str) -> None:
    assert expression(text).value is None


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (r"The answer is $x+1 \cdot", "cut_off"),
        ("The answer is $x+", "cut_off"),
        ("The answer is $x^{", "cut_off"),
        (r"The answer is $2\sqrt{", "cut_off"),
        ("The answer is $x^2$ when $x>0$ and $-x^2$ when $x<0$.", "cases"),
        ("The answer is $x^2$ if $x>0$, $0$ otherwise.", "cases"),
        ("\\[\nx = 5\n\\]\n\\[\ny = 7\n\\]", "several"),
    ],
)
def test_a_part_of_an_answer_is_none(text: str, rule: str) -> None:
    answer = expression(text)
    assert answer.value is None
    assert answer.rule.endswith(rule)


@pytest.mark.parametrize(
    "part", ["$", "{", " ", "the a is ", "\\[x\\]", "1, ", "when $x$ and ", "\x00\ud800"]
)
@pytest.mark.parametrize("before", ["", "The answer is $x$ ", "The value is "])
def test_long_texts_end(before: str, part: str) -> None:
    start = time.process_time()
    expression(before + part * 20_000)
    assert time.process_time() - start < 20  # a safety limit: it takes milliseconds
