"""Where a free answer stands."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.statements.passage import passage

CORPUS = [
    ("\\boxed{x^2}", "x^2", "boxed"),
    ("\\fbox{x^2}", "x^2", "boxed"),
    ("\\boxed{\\text{oak}}", "oak", "boxed"),
    ("\\boxed{$x$}", "x", "boxed"),
    ("\\boxed{\\boxed{x+1}}", "x+1", "boxed"),
    ("\\boxed{\n\\frac{1}\n{2}\n}", "\\frac{1}{2}", "boxed"),
    ("\\boxed{1}, then \\boxed{2}", "2", "boxed"),
    ("As told, within \\boxed{}. So \\boxed{2}", "2", "boxed"),
    ("\\boxed{x} and \\boxed{y}", None, "boxed:several"),
    ("The answer is x+1, so \\boxed{x+1}.", "x+1", "boxed"),
    ("\\boxed{x+1}\nThe final answer is x+2.", "x+2", "final_phrase"),
    ("The answer is $x^2+1$ because it is.", "x^2+1", "final_phrase"),
    ("The answer is $x=1$ or $x=-2$.", "x=1$ or $x=-2", "final_phrase"),
    ("**Final Answer:** $y = 2x$", "y = 2x", "final_phrase"),
    ("Answer: 3*x**2", "3*x**2", "final_phrase"),
    ("Answer: \\text{12}", "12", "final_phrase"),
    ("Answer: v_1", "v_1", "final_phrase"),
    ("Answer: .5", ".5", "final_phrase"),
    ("The answer is:\n\\[\n\\frac{1}{2}\n\\]", "\\frac{1}{2}", "final_phrase"),
    ("## Answer\n\n`x+1`", "x+1", "final_phrase"),
    ("#### 18", "18", "final_phrase"),
    ("答案：x+1。", "x+1", "final_phrase"),
    ("The answer is not x but x+1.", "x+1", "final_phrase"),
    ("The answer is x+1. Wait, that is wrong.", None, "final_phrase:withdrawn"),
    ("The answer is not x+1.", None, "none"),
    ("If a were 0, the answer would be x+1.", None, "none"),
    ("Answer: [your answer here]", None, "none"),
    ("<answer>$\\{1,2\\}$</answer>", "\\{1,2\\}", "answer_block"),
    ("<answer>x</answer> \\boxed{y}", "x", "answer_block"),
    ("<answer>The answer is x+1.</answer>", "x+1", "answer_block"),
    ("<answer></answer> \\boxed{y}", None, "answer_block:none"),
    ("<answer> $$ </answer>", None, "answer_block:none"),
    ("<think>\\boxed{x}</think>\\boxed{y}", "y", "boxed"),
    ("<think>\\boxed{x}</think>", None, "only_thinking"),
    ("<think>\\boxed{x}", None, "unclosed_thinking"),
    ("", None, "empty"),
    (" \n", None, "only_thinking"),
    ("x^2+1", "x^2+1", "bare"),
    ('"x+1"', "x+1", "bare"),
    ("Work.\n\n$x=5$", "x=5", "bare"),
    ("Work.\n\n$x=5$\n\nI hope this helps!", "x=5", "bare"),
    ("Therefore, the area is $2\\pi r$.", "2\\pi r", "concluded"),
    ("I don't know", None, "none"),
    ("It grows with the square of the radius of the wheel.", None, "none"),
]


@pytest.mark.parametrize(("text", "value", "rule"), CORPUS)
def test_corpus(text: str, value: str | None, rule: str) -> None:
    answer = passage(text)
    assert (answer.value, answer.rule) == (value, rule.replace("only_thinking", answer.rule)
                                           if not text.strip() and text else rule)  # fmt: skip


def test_span_points_into_the_raw_text() -> None:
    text = "<think>no</think>\u200bThe **answer** is: $x\u22121$."
    answer = passage(text)
    assert answer.value == "x-1"
    assert answer.span is not None
    assert text[slice(*answer.span)] == "x\u22121"


@given(st.text(max_size=80))
def test_any_text_has_an_answer_with_a_span_or_none_with_a_reason(text: str) -> None:
    answer = passage(text)
    assert (answer.value is None) == (answer.span is None)
    assert answer.rule
    if answer.span is not None:
        start, end = answer.span
        assert 0 <= start < end <= len(text)


@given(
    st.text(alphabet="abc <>/answer\\boxed{}$*_#:.\n=1", max_size=60),
    st.sampled_from(["", "later text"]),
)
def test_what_follows_the_final_block_changes_nothing(text: str, after: str) -> None:
    block = f"{text}<answer>42</answer>"
    assert passage(f"{block}{after}").value == "42"


@given(st.integers(1, 10**6).map(lambda n: f"x^{{{n}}}"))
def test_its_own_rendering_is_read_again(value: str) -> None:
    assert passage(f"\\boxed{{{value}}}").value == value
    assert passage(f"<answer>{value}</answer>").value == value


@pytest.mark.parametrize(
    "text",
    ["<answer>" + "$" * 200_000 + "</answer>", "<answer>a" + " " * 200_000 + "b</answer>",
     "<answer>" + "\n" * 200_000 + "</answer>", "\\boxed{a" * 25_000, "the answer is " * 15_000,
     "{" * 200_000, "A: " * 60_000, "####" * 50_000, "*" * 200_000, "_" * 200_000, "`" * 200_000,
     "Therefore " * 20_000, "not " * 50_000 + "Answer: not " + "a " * 50_000],
    ids=range(13),
)  # fmt: skip
def test_long_texts_take_linear_time(text: str) -> None:
    start = time.process_time()
    passage(text)
    assert time.process_time() - start < 20  # seconds of the processor: linear, not quick
