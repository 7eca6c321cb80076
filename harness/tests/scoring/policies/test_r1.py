import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.policies.r1 import parsed, r1, read_letter
from harness.scoring.policy import Item

LETTER = Item(kind="choice", gold="B", choices=("red", "blue", "green", "white"))

# The study's own regression cases, by intent.
REGRESSIONS = [
    ("<answer>B</answer>", "B", "answer_tag_letter", "tag"),
    ("The correct answer is:\n\\boxed{B}", "B", "boxed_letter", "box on the line after the phrase"),
    (
        "So \\boxed{C}. On reflection the final answer is B.",
        "B",
        "final_option_phrase_letter",
        "a later phrase beats an earlier box",
    ),
    (
        "The final answer is C? Checking again: \\boxed{B}",
        "B",
        "boxed_letter",
        "a later box beats an earlier phrase",
    ),
    ("<answer>B</answer> and then \\boxed{D}", "B", "answer_tag_letter", "a tag beats a later box"),
    (
        "Option A: too small. **Answer:** B. Option D: too large.",
        "B",
        "final_option_phrase_letter",
        "a bold label beats the talk about options",
    ),
    ("Option B: the colour is close.\nOption D: it is not.", None, "tail", "talk about options"),
    ("The correct answers: A, B, D", None, "final_phrase", "several letters"),
    ("The answer is A, B, D", None, "final_phrase", "several letters after the label"),
    ("<answer>A</answer> no, <answer>B</answer>", "B", "answer_tag_letter", "last of two tags"),
    (
        "Answer choices:\nA. red\nB. blue\nC. green",
        None,
        "final_phrase",
        "the heading of a list of options",
    ),
    ("B.", "B", "tail_letter", "bare letter with a full stop"),
]


@pytest.mark.parametrize(("text", "letter", "rule", "why"), REGRESSIONS)
def test_regressions(text: str, letter: str | None, rule: str, why: str) -> None:
    grade = r1(LETTER, text)
    assert (grade.answer.value, grade.answer.rule) == (letter, rule), why
    assert grade.correct == (letter == "B")
    assert grade.outcome == ("review" if letter is None else "answered")
    assert grade.counted


@pytest.mark.parametrize(
    ("gold", "text", "correct", "rule", "outcome"),
    [
        (
            "12.5",
            "The mass is 3. Therefore 4 + 8.5 = 12.5",
            True,
            "final_phrase_numeric",
            "answered",
        ),
        ("12.5", "Thus the mass is 12.6", False, "final_phrase", "answered"),
        ("1000", "<answer>1,000.001 kg</answer>", True, "answer_tag_numeric", "answered"),
        ("blue whale", "<answer>The Blue  Whale!</answer>", True, "answer_tag", "answered"),
        ("2", "<answer>It holds 12 of them</answer>", True, "answer_tag", "answered"),
        ("seven", "I see nothing here.", False, "tail", "review"),
        ("seven", "There are seven of them", True, "tail", "answered"),
        ("seven", "<answer></answer> seven", False, "answer_tag", "review"),
    ],
)
def test_free_response(gold: str, text: str, correct: bool, rule: str, outcome: str) -> None:
    grade = r1(Item(kind="text", gold=gold), text)
    assert (grade.correct, grade.answer.rule, grade.outcome) == (correct, rule, outcome)


def test_a_block_without_a_letter_ends_the_search() -> None:
    answer = read_letter("\\boxed{B} <answer>blue</answer> The answer is B.")
    assert (answer.value, answer.rule) == (None, "answer_tag")


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("The best choice provided is (c)", "C"),
        ("closest answer = \\(D\\)", "D"),
        ("This corresponds to option A", "A"),
        ("matching to choice **E**", "E"),
        ("Correct option: \\[ \\boxed{D} \\]", "D"),
        ("The final answer is A or B", None),
        ("Therefore, it must be C", None),
        ("Thus: C because it fits", "C"),
        ("The answer is Brown", None),
        ("answer: a red cube", "A"),
    ],
)
def test_labels(text: str, letter: str | None) -> None:
    assert read_letter(text).value == letter


def test_weak_spots_are_kept() -> None:
    first = "The answer is B. BECAUSE: " + "the sky is wide and " * 100
    assert read_letter(first).value is None
    assert read_letter("B. blue").value is None
    assert read_letter("The answer is F.").value is None
    # A gold beyond E is free text, in which "F" is found in any word with an f.
    assert r1(Item(kind="choice", gold="F", choices=("x",) * 6), "Half of it").correct


def test_span_points_into_the_raw_text() -> None:
    text = "x" * 3000 + " The final answer is B"
    answer = read_letter(text)
    assert answer.span is not None
    assert text[slice(*answer.span)] == "B"


def test_parse_rate_leaves_out_tails() -> None:
    assert parsed("answer_tag")
    assert parsed("boxed_letter")
    assert not parsed("tail_letter")
    assert not parsed("error")


@pytest.mark.parametrize(
    "text",
    [
        "<answer>" * 200_000,
        "<answer>x</answer>" * 100_000,
        "answer is " * 200_000,
        "final answer" + " " * 1_000_000,
        "answer:" + "*" * 1_590 + "B",
        "\\boxed{" * 200_000,
        "<answer>" + "1," * 500_000 + "</answer>",
    ],
    ids=("opened", "blocks", "cues", "blanks", "marks", "boxes", "numbers"),
)
def test_time_is_linear(text: str) -> None:
    start = time.process_time()
    r1(LETTER, text)
    r1(Item(kind="text", gold="12"), text)
    assert time.process_time() - start < 30


@given(st.text())
def test_never_raises_and_stays_in_the_alphabet(text: str) -> None:
    grade = r1(LETTER, text)
    assert grade.answer.value in {*"ABCDE", None}
    r1(Item(kind="number", gold="3.5"), text)
