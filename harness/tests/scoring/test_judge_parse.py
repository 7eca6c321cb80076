import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.judge_parse import parse_score, parse_verdict

ERRORS = [
    "[ERROR] 429",
    "[ERROR] 429 Too Many Requests; retry after 5\nSCORE: 5",
    "Error code: 500 - internal\nVERDICT: CORRECT",
    "Error: rate limit of 5 reached",
    "openai.APIError: score 4",
    "HTTP 503\nscore: 5",
    "HTTPError 502",
    "429 Too Many Requests",
    "503: service unavailable",
    "Traceback (most recent call last):\n  line 3\nscore: 3",
    "RateLimitError: 5",
    "Rate limit exceeded, try again in 4 s",
    "Request failed after 3 attempts",
    "Connection reset by peer 4",
    "The server returned 4",
    "Model is overloaded: 5",
    "timed out after 5",
    "<html><body>504</body></html>",
    '{"error": {"code": 429, "message": "5"}}',
    '{"error": "slow", "score": 5, "verdict": "correct"}',
]
REFUSALS = [
    "I'm sorry, but I can't grade this.\nSCORE: 5\nVERDICT: CORRECT",
    "I cannot assess the answer. VERDICT: CORRECT",
    "Sorry, no score: 5",
    "As an AI, I give 5",
    "I am unable to verify it.\nVERDICT: INCORRECT",
]
PROSE = [
    "The student wrote 5 and the reference says 5.",
    "I would give it 4 out of 5, perhaps 3.",
    "Both answers are right in a way.",
    "5 apples is the right count",
    "the score could be 4",
    "score",
    "SCORE: four",
    "SCORE: 4 or 5",
    "<think>\nSCORE: 4\n",
    "<think>\nSCORE: 4\n</think>",
    "SCORE: 4\nSCORE: 5",
    "SCORE: 4/10",
    "SCORE: 4%",
    "[[3]] or [[4]]",
    '{"score": 4} {"score": 5}',
    '{"score": 4}\n{"score": 4}',
    '{"score": 4, "score": 5}',
    '{"score": 4, "Score": 4}',
    '{"score": NaN}',
    '{"score": Infinity}',
    '{"score": 1e999}',
    '{"score": true}',
    '{"score": "4"}',
    '{"score": [4]}',
    '{"score": null}',
    '{"score": 4, "rating": 5}',
    '{"score": 4',
    "{'score': 4}",
    '{"points": 4}',
    '{"score": 4}\nSCORE: 5',
    "٤",
    "1e0",
    "4 4",
]


@pytest.mark.parametrize(
    ("text", "score", "rule"),
    [
        ("4", 4.0, "bare"),
        (" **4.5** \n", 4.5, "bare"),
        ("4/5", 4.0, "bare"),
        ("SCORE: 4", 4.0, "label"),
        ("The steps are sound; 2 of 3 hold.\n**Score:** 3", 3.0, "label"),
        ("Final score = 4/5", 4.0, "label"),
        ("Rating: [[5]]", 5.0, "label"),
        ("It is good, 3 of 3. [[5]]", 5.0, "double_brackets"),
        ('{"score": 4}', 4.0, "json"),
        ('```json\n{"score": 4.5, "reason": "8 of 9"}\n```', 4.5, "json"),
        ('Here it is:\n{"verdict": "correct", "score": 1}', 1.0, "json"),
        ("In \\boxed{12} all is well.\nSCORE: 5", 5.0, "label"),
        ("SCORE: 4\nReason.\nSCORE: 4", 4.0, "label"),
    ],
)
def test_scores(text: str, score: float, rule: str) -> None:
    assert (parse_score(text, 1, 5).value, parse_score(text, 1, 5).rule) == (score, rule)


@pytest.mark.parametrize("text", [*ERRORS, *REFUSALS, *PROSE])
def test_never_a_score(text: str) -> None:
    assert parse_score(text, 0, 1000).value is None


@pytest.mark.parametrize("text", ["0", "6", "-1", "SCORE: 429", '{"score": 7}', "[[9]]"])
def test_out_of_range_is_no_score(text: str) -> None:
    found = parse_score(text, 1, 5)
    assert found.value is None
    assert found.rule.endswith("out_of_range")


@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        ('{"verdict": "correct"}', True, "json"),
        ('{"verdict": "INCORRECT", "score": 2}', False, "json"),
        ('{"Verdict": "not_correct"}', False, "json"),
        ('{"correct": true}', True, "json"),
        ('{"verdict": "B"}', "B", "json"),
        ('Reason: it is 3.\n```json\n{"verdict": "correct"}\n```', True, "json"),
        ("The box \\boxed{3} agrees.\nVERDICT: CORRECT", True, "label"),
        ("**Verdict:** Incorrect.", False, "label"),
        ("Final verdict: YES - both are 3", True, "label"),
        ("Judgement = A", "A", "label"),
        ("A is longer but B is right. [[B]]", "B", "double_brackets"),
        ("[[C]]", "tie", "double_brackets"),
        ("YES", True, "bare"),
        ("no.", False, "bare"),
        ("**Correct**", True, "bare"),
        ("A", "A", "bare"),
        ("[[A]]", "A", "double_brackets"),
        ("<think>Is it NO?\nVERDICT: NO\n</think>\nYES", True, "bare"),
        ("Tie", "tie", "bare"),
        ("YES. The values agree.", True, "leading_word"),
        ("Yes, both are 3 m.", True, "leading_word"),
        ("No: the answer is not correct.", False, "leading_word"),
        ("INCORRECT\nThe sign differs.", False, "leading_word"),
    ],
)
def test_verdicts(text: str, value: bool | str, rule: str) -> None:
    assert (parse_verdict(text).value, parse_verdict(text).rule) == (value, rule)


@pytest.mark.parametrize(
    "text",
    [
        *ERRORS,
        *REFUSALS,
        "",
        " \n\t",
        "The answer is correct.",
        "<think>It is right.\nVERDICT: CORRECT",
        "<think>VERDICT: CORRECT</think>",
        "<think>Hm.</think> [ERROR] 500\nVERDICT: CORRECT",
        "YES <think>",
        "Yes and no",
        "YES. No, wait.",
        "Yes, but the unit is off.",
        "Yes, it isn't",
        "No, it is correct",
        "No problem at all, the answer is right",
        "No error was found",
        "Not sure",
        "A is better",
        "A good answer",
        "I prefer A",
        "Both A and B",
        "VERDICT: unclear",
        "VERDICT: CORRECT\nVERDICT: INCORRECT",
        "VERDICT: CORRECT or INCORRECT",
        "[[A]] [[B]]",
        "[[A]] see [[1]]",
        '{"verdict": "correct"} {"verdict": "incorrect"}',
        '{"verdict": "correct", "verdict": "incorrect"}',
        '{"verdict": "correct", "correct": false}',
        '{"verdict": "correct", "score": NaN}',
        '{"verdict": "maybe"}',
        '{"verdict": null}',
        '{"verdict": 1}',
        '{"verdict": ["correct"]}',
        '{"reason": "correct"}',
        '{"verdict": "correct"',
        '{"verdict": "correct"}\nVERDICT: INCORRECT',
        '```json\n{"verdict": "correct"}\n```\n```json\n{"verdict": "correct"}\n```',
        '{"a": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"verdict": "correct", "a": ' + "[" * 100 + "]" * 100 + "}",
        '{"verdict": "correct", "n": ' + "9" * 5000 + "}",
    ],
    ids=lambda text: text[:40],
)
def test_never_a_verdict(text: str) -> None:
    assert parse_verdict(text).value is None


def test_a_number_of_many_digits_is_no_score() -> None:
    for digits in (21, 400, 5000):
        assert parse_score('{"score": ' + "9" * digits + "}", 0, 1e300).value is None
        assert parse_score("9" * digits, 0, 1e300).value is None


def test_reasons_are_told_apart() -> None:
    assert parse_verdict("").rule == "empty"
    assert parse_verdict("[ERROR] 429").rule == "error_text"
    assert parse_verdict("I'm sorry, I can't help.").rule == "refusal"
    assert parse_verdict('{"error": "x"}').rule == "error_object"
    assert parse_verdict("VERDICT: A\nVERDICT: B").rule == "label:conflict"
    assert parse_score("[ERROR] 429", 0, 500).rule == "error_text"


@pytest.mark.parametrize(("low", "high"), [(5, 1), (1, 1), (float("nan"), 1), (0, float("inf"))])
def test_a_scale_must_be_in_order(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="expected finite low < high"):
        parse_score("1", low, high)


@given(st.text())
def test_never_raises(text: str) -> None:
    assert parse_verdict(text).value in {True, False, "A", "B", "tie", None}
    score = parse_score(text, 1, 5).value
    assert score is None or 1 <= score <= 5


@given(st.sampled_from(["[ERROR] ", "Error: ", "HTTP 500 ", "I'm sorry, "]), st.text())
def test_an_error_in_front_always_wins(head: str, text: str) -> None:
    assert parse_verdict(head + text).value is None
    assert parse_score(head + text, 0, 1000).value is None


@given(st.booleans(), st.floats(0, 10), st.text(max_size=30))
def test_own_objects_are_read(right: bool, score: float, reason: str) -> None:
    said = {"verdict": "correct" if right else "incorrect", "score": score, "reason": reason}
    text = json.dumps(said)
    if "[[" in reason:
        return
    assert parse_verdict(text).value is right
    assert parse_score(text, 0, 10).value == score


@given(st.lists(st.sampled_from([*'{}[]":,01\n ', "verdict", "score", "correct", "yes", "no"])))
def test_fragments_never_raise(parts: list[str]) -> None:
    text = "".join(parts)
    parse_verdict(text)
    parse_score(text, 0, 1)


@pytest.mark.parametrize(
    "text",
    ["{" * 1_000_000, '{"' * 500_000, "[[" * 500_000, "verdict:" * 200_000, "a" * 2_000_000,
     "a b" * 700_000, " " * 2_000_000, "verdict" + " " * 1_000_000, "\n" * 1_000_000],
    ids=("braces", "objects", "brackets", "labels", "word", "words", "blanks", "gap", "lines"),
)  # fmt: skip
def test_time_is_linear(text: str) -> None:
    start = time.process_time()
    parse_verdict(text)
    parse_score(text, 0, 1)
    assert time.process_time() - start < 30
