"""The one number that a response gives."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.quantities.number import compare, number

READ = [
    ("15", "15"),
    (" 15 ", "15"),
    ("**15**", "15"),
    ("$15$", "15"),
    ("15.", "15"),
    ("-3.5", "-3.5"),
    ("About 15 apples", "About 15 apples"),
    ("The answer is 15.", "15"),
    ("The answer is: 15", "15"),
    ("The final answer is **15 cm**.", "15 cm"),
    ("First 3 + 4 = 7, then 7 * 2 = 14.\nThe answer is 14.", "14"),
    ("Answer: x = 3 \\cdot 5 = 15", "x = 3 \\cdot 5 = 15"),
    ("The answer is 40 euros, as the shop gives a discount.", "40 euros"),
    ("The answer is 40 because 8 times 5 is 40.", "40"),
    ("Answer: Tom has 12 marbles.", "12 marbles"),
    ("The answer is 7. Note that 8 would be too much.", "7"),
    ("\\frac{1}\n{2}", "\\frac{1}{2}"),
    ("**15", "15"),
    ("#### 18", "18"),
    ("He sells 3 of them.\n#### 1,250", "1,250"),
    ("A: 18", "18"),
    ("Answer:\n\n15", "15"),
    ("Answer:\n$$\n15\n$$", "15"),
    ("\\[ \\boxed{15} \\]", "15"),
    ("\\boxed{15} and so on", "15"),
    ("First \\boxed{3}. But no: \\boxed{4}", "4"),
    ("The answer is 3.\nSo \\boxed{4}", "4"),
    ("\\boxed{4}\nSo the answer is 5.", "5"),
    ("The force is \\boxed{12}\\ \\text{N}.", "12 \\ \\text{N}"),
    ("The share is \\boxed{35}\\%.", "35 \\%"),
    ("The angle is $\\boxed{60}^\\circ$.", "60^\\circ"),
    ("We need \\boxed{5} in total", "5"),
    ("We sold \\boxed{1.5} million cars", "1.5 million cars"),
    ("\\boxed{1,2,3}", "1,2,3"),
    ("\\boxed{x+1}", "x+1"),
    ("<answer>15</answer> or 16", "15"),
    ("<answer>The answer is 15.</answer>", "15"),
    ("<answer>\\boxed{15}</answer>", "15"),
    ("<answer>x + 1</answer>", "x + 1"),
    ("<think>It is 4</think>\n\n5", "5"),
    ("Therefore, she pays $18 per day.", "$18 per day"),
    ("Some steps here.\nMore of them.\nSo he has 12 eggs left.", "12 eggs left"),
    ("Long work.\n\n15", "15"),
    ("Long work.\n\n= 15", "= 15"),
    ("Long work.\n\nTotal cost: $15", "$15"),
    ("There are 15 apples.", "15 apples"),
    ("There are five apples.", "five apples"),
    ("答案是 15。", "15"),
    ("答案：五", "五"),
    ("共有5个苹果", "5个苹果"),
    ("答案是5米", "5米"),
    ("Answer: inf", "inf"),
    ("The answer is 0.5 or 1/2.", "0.5"),
    ("The answer is 0.5 (or 50%).", "0.5"),
    ("Answer: 5 to the nearest integer", "5"),
    ("The answer is 15 km/h, not 20 km/h.", "15 km/h"),
    ("The answer is 72!", "72"),
    ("\\boxed{5!}", "5!"),
    ("<answer>x+1</answer>", "x+1"),
    ("Answer: −5", "-5"),
    ("Answer: –5", "–5"),
]
NOT_READ = [
    ("", "empty"),
    ("<think>42</think>", "only_thinking"),
    ("<think>42", "unclosed_thinking"),
    ("The answer is 12 or 15.", "final_phrase:several"),
    ("The answer is 3 and 4.", "final_phrase:several"),
    ("The answer is between 3 and 5.", "none"),
    ("\\boxed{3}\\boxed{4}", "boxed:several"),
    ("$\\boxed{5}$ apples and $\\boxed{6}$ pears", "boxed:several"),
    ("Answer: 5. However, it might also be 6.", "final_phrase:withdrawn"),
    ("The answer is 5 at most.", "final_phrase:bound"),
    ("Answer: 5 or more", "final_phrase:bound"),
    ("The answer is one of the squares.", "none"),
    ("Anything but 5.", "none"),
    ("My friend says that there are 5.", "none"),
    ("See figure 3.", "none"),
    ("+1-555-1234", "none"),
    ("[ERROR] request failed: 429", "none"),
    ("Answer: 3-5", "final_phrase:several"),
    ("Answer: 3 to 5", "final_phrase:several"),
    ("Answer: 12, 15", "final_phrase:several"),
    ("Answer: x = 3, y = 4", "final_phrase:several"),
    ("Answer: either 3 or 4", "none"),
    ("\\boxed{3} or \\boxed{4}", "boxed:several"),
    ("x = \\boxed{3}, y = \\boxed{4}", "boxed:several"),
    ("\\boxed{3 \\text{ or } 4}", "boxed:several"),
    ("x = -\\boxed{3}", "boxed:part_of_a_formula"),
    ("The answer is not 5.", "none"),
    ("Is the answer 5?", "none"),
    ("Could it be 5?", "none"),
    ("Maybe 5 apples are there.", "none"),
    ("There are more than 5 apples.", "none"),
    ("There are 3 cats and 4 dogs.", "bare:several"),
    ("3 cats and 4 dogs", "bare:several"),
    ("A dog lies on a mat.", "none"),
    ("I am sorry, I cannot count them.", "none"),
    ("Error 429", "none"),
    ("<answer></answer>", "answer_block:none"),
    ("The answer is 5!", "final_phrase:factorial_or_mark"),
    ("<answer>unsure</answer> 5", "answer_block:not_a_number"),
    ("The answer is 5. Wait, that is wrong.", "final_phrase:withdrawn"),
    ("First 3 apples.\nThen 4 more were bought.", "none"),
    ("\\boxed{} ", "none"),
    ("You asked for \\boxed{}", "none"),
    ("The answer is unknown.", "none"),
    ("The answer is on page 3 of 10.", "none"),
]


@pytest.mark.parametrize(("text", "value"), READ)
def test_read(text: str, value: str) -> None:
    assert number(text).value == value


@pytest.mark.parametrize(("text", "rule"), NOT_READ)
def test_not_read(text: str, rule: str) -> None:
    answer = number(text)
    assert (answer.value, answer.rule) == (None, rule)


def test_span_points_into_the_raw_text() -> None:
    text = "\u200bThe **answer** is\u00a0`１２` cm."
    answer = number(text)
    assert answer.value == "12 cm"
    assert answer.span is not None
    assert text[slice(*answer.span)] == "１２` cm"


@given(
    st.decimals(min_value=-(10**9), max_value=10**9, places=3),
    st.sampled_from(
        ["{}", "The answer is {}.", "\\boxed{{{}}}", "<answer>{}</answer>", "#### {}", "$x = {}$"]
    ),
)
def test_any_decimal_is_read_back(value: Decimal, form: str) -> None:
    answer = number(form.format(value)).value
    assert answer is not None
    assert compare(answer, str(value), exact=True).equal is True


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "gold", "right"),
    [
        ("0.(3)", "1/3", True),
        ("0.(3)", "0", False),
        ("\\boxed{12\\text{,}345}", "12345", True),
        ("\\boxed{12,\\!345}", "12345", True),
        ("\\boxed{\\text{(C) }12}", "12", True),
        ("\\boxed{4500\\,\\text{\\AA}}", "450 nm", True),
        ("$\\boxed{\\frac{1}{6}} \\approx 16.7\\%$", "1/6", True),
    ],
)
def test_spellings_of_data_sets(text: str, gold: str, right: bool) -> None:
    answer = number(text).value
    assert answer is not None
    assert compare(answer, gold).equal is right
