import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import DataError
from harness.scoring.letters.choice import choice

FRUIT = ("apple", "pear", "plum", "fig")
TEN = tuple(f"{n} kg" for n in range(10))

# (response, letter or None, reason)
CORPUS = [
    ("C", "C", "bare"),
    ("(c)", "C", "bare, lower case"),
    ("**B**", "B", "bold"),
    ("- *D*", "D", "bullet"),
    ("> B.", "B", "quote mark"),
    ("B. pear", "B", "leading label with its own text"),
    ("B. plum", None, "label of one choice with the text of another"),
    ("B) since it is the longest", "B", "leading label that a bracket closes"),
    ("A. Einstein was born in Ulm.", None, "an initial is not a label"),
    ("B. subtilis grows in the dish.", None, "an abbreviated genus is not a label"),
    ("A ripe fruit lies on the table.", None, "the article"),
    ("I see a bowl.", None, "the pronoun"),
    ("Answer: D", "D", "cue with a colon"),
    ("Answer: Answer: D", "D", "cue twice"),
    ("ANSWER - B", "B", "cue with a dash"),
    ("## Answer\nB\n\nIt is the green one.", "B", "heading"),
    ("The correct option (C) is the round one.", "C", "qualified cue without a verb"),
    ("The answer is a matter of taste.", None, "the article after the cue"),
    ("The answer is A long story.", None, "a capital article after the cue"),
    ("The answer is B. subtilis.", None, "an abbreviated genus after the cue"),
    ("The answer is A", "A", "the end of the text"),
    ("My answer, I think, is C.", "C", "aside between cue and verb"),
    ("The answer is D because a plum is round.", "D", "reason after the letter"),
    ("B is the correct answer.", "B", "letter before the phrase"),
    ("Option A is wrong. Option D is correct.", "D", "verdicts"),
    ("Option A is correct. Option D is correct.", None, "two verdicts"),
    ("The answer is A. No, wait: the answer is B.", "B", "the later statement wins"),
    ("The answer is A. Hold on, that is wrong.", None, "withdrawn without another answer"),
    ("The answer is B. Later: B is not correct.", None, "the letter is denied afterwards"),
    ("The answer is C, not D.", "C", "a rejected letter stands last"),
    ("The answer is not C.", None, "denial"),
    ("I don't think the answer is C.", None, "denial before the cue"),
    ("It can't be A, so the answer is B.", "B", "denial of another letter first"),
    ("The wrong answer is C.", None, "wrong answer"),
    ("If the sky is red, the answer is C.", None, "condition"),
    ("My friend said the answer is C.", None, "report"),
    ("The answer is C?", None, "question"),
    ("Is the answer C? No, the answer is D.", "D", "question, then statement"),
    ("The answer is A or B.", None, "two answers"),
    ("Answer: A, B", None, "list"),
    ("Answer: AB", None, "glued list"),
    ("Answer: (A)(D)", None, "labels side by side"),
    ("The answer is F.", None, "not among the choices"),
    ("The answer is B, but A is close.", "B", "another letter in the reason"),
    ("\\boxed{B}", "B", "box"),
    ("\\boxed{\\text{C. plum}}", "C", "box with label and text"),
    ("\\boxed{fig}", "D", "box with text"),
    ("\\boxed{7}", None, "a box that names no choice"),
    ("The answer is A.\n\\boxed{B}", "B", "later box"),
    ("\\boxed{A}\nSo the final answer is B.", "B", "later phrase"),
    ("\\boxed{A} or \\boxed{B}", None, "two boxes joined by or"),
    ("\\boxed{}\nFinal: \\boxed{C}", "C", "an empty box says nothing"),
    ("<answer>B</answer>", "B", "block"),
    ("<answer>A</answer> no, <answer>C</answer>", "C", "last block"),
    ("<answer>C</answer> The answer is D.", "C", "a block outranks what follows"),
    ("The answer is C. <answer>unsure</answer>", None, "no fall-through from a block"),
    ("The answer is C. <answer></answer>", None, "no fall-through from an empty block"),
    ("<answer>A or B</answer>", None, "two answers in a block"),
    ("<answer>the pear</answer>", "B", "text in a block"),
    ("text <answer>B", "B", "unclosed block of one letter"),
    ("text <answer>Because", None, "unclosed block of anything else"),
    ("<think>The answer is A.</think> B", "B", "thinking apart"),
    ("<THINK>x <think>y</think> The answer is A.</THINK>", None, "stated only in thinking"),
    ("The answer is A.</think>\nThe answer is B.", "B", "closing tag without an opening one"),
    ("<think>The answer is A.", None, "thinking that never ends"),
    ("plum", "C", "whole text"),
    ("It is a plum.", "C", "text at the end of a sentence"),
    ("It is not a plum.", None, "denied text"),
    ("It could be a plum or a fig.", None, "two texts"),
    ("The plumber is here.", None, "text inside a word"),
    ("The answer is pear.", "B", "text after the cue"),
    ("A. apple\nB. pear\nC. plum\nD. fig\nI cannot say.", None, "options repeated"),
    ("(A) apple (B) pear (C) plum (D) fig\nAnswer: C", "C", "options repeated, then answered"),
    ("The fruits look alike.\n\nD", "D", "last line"),
    ("A\nB\nC\nD", None, "several bare lines"),
    ("This is rich in vitamin C", None, "a loose letter at the end"),
    ("答案：Ｂ", "B", "full-width letter and colon"),
    ("正确答案是C。", "C", "Chinese"),
    ("答案是A或C。", None, "Chinese, two answers"),
    ("The answer is С.", "C", "Cyrillic look-alike in Latin text"),
    ("Ответ: В", None, "a Cyrillic letter in Cyrillic text"),
    ("The answer is\u200b B\u00a0.", "B", "zero-width and no-break characters"),
    ("Answer: $LETTER", None, "template repeated"),
    ("", None, "empty"),
    ("...", None, "only marks"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("response", "letter", "reason"), CORPUS, ids=[f"{i:02d}" for i in range(len(CORPUS))]
)
def test_corpus(response: str, letter: str | None, reason: str) -> None:
    answer = choice(response, FRUIT)
    assert answer.value == letter, f"{reason}: {answer}"
    if letter:
        assert answer.span is not None
        start, end = answer.span
        assert 0 <= start < end <= len(response)


def test_span_points_into_the_raw_text() -> None:
    raw = "<think>é\u200b</think>  The **answer** is\u00a0**(Ｂ)**."
    answer = choice(raw, FRUIT)
    assert answer.span is not None
    assert raw[slice(*answer.span)] == "Ｂ"


def test_the_alphabet_comes_from_the_item() -> None:
    assert choice("Answer: J", TEN).value == "J"
    assert choice("I", TEN).value == "I"
    assert choice("I do not know.", TEN).value is None
    assert choice("Answer: C", FRUIT[:2]).value is None


def test_longest_choice_text_first_and_only_unique_ones() -> None:
    overlapping = ("red", "dark red", "red and blue", "blue")
    assert choice("The answer is dark red.", overlapping).value == "B"
    assert choice("The answer is red and blue.", overlapping).value == "C"
    assert choice("The answer is red.", ("red", "blue", "Red")).value is None
    assert choice("The answer is 100.", ("1", "10", "100", "1000")).value == "C"


def test_labels_that_are_texts_are_read_as_labels() -> None:
    assert choice("The answer is B.", ("B", "C", "A")).value == "B"


def test_unusable_items_are_errors() -> None:
    with pytest.raises(DataError, match="0 choices"):
        choice("A", ())
    with pytest.raises(DataError, match="27 choices"):
        choice("A", tuple(str(n) for n in range(27)))


ANY = st.text(alphabet=st.characters(exclude_categories=()), max_size=300)  # surrogates too
PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "The answer is ",
                "A",
                "B",
                " C.",
                "\n",
                "not ",
                "(",
                ")",
                "\\boxed{",
                "}",
                "<answer>",
            ),
            *("</answer>", "<think>", "</think>", " or ", ", ", "if ", "Wait, ", "apple"),
            *("\u200b", "\u202e", "\x00", "答案是", "Option ", " is correct", "?", '"', "**", "Ⓑ"),
        ]
    ),
    max_size=25,
).map("".join)


@given(st.one_of(ANY, PIECES))
def test_any_text_gives_a_letter_of_the_item_with_a_span_or_nothing(text: str) -> None:
    answer = choice(text, FRUIT)
    assert answer.value in (None, "A", "B", "C", "D")
    if answer.value is not None:
        assert answer.span is not None
        assert 0 <= answer.span[0] < answer.span[1] <= len(text)


@given(PIECES, st.sampled_from("ABCD"), PIECES)
def test_a_final_block_outranks_all_around_it(before: str, letter: str, after: str) -> None:
    text = f"{before}<answer>{letter}</answer>{after}"
    tags = ("<answer>", "</answer>", "<think>", "</think>")
    if not any(tag in before + after for tag in tags):
        assert choice(text, FRUIT).value == letter


@given(PIECES)
def test_a_reading_reads_as_itself(text: str) -> None:
    value = choice(text, FRUIT).value
    if value:
        assert choice(value, FRUIT).value == choice(f"The answer is {value}.", FRUIT).value == value


@given(st.permutations(range(4)), st.integers(0, 3))
def test_the_order_of_the_choices_does_not_matter(order: list[int], chosen: int) -> None:
    shuffled = tuple(FRUIT[i] for i in order)
    value = choice(f"The answer is {FRUIT[chosen]}.", shuffled).value
    assert value is not None
    assert shuffled["ABCD".index(value)] == FRUIT[chosen]


@given(st.sampled_from("ABCD"), st.text(alphabet=" \n*_", max_size=6))
def test_marks_and_spaces_do_not_change_a_stated_letter(letter: str, marks: str) -> None:
    text = f"Final answer: {marks}{letter}{marks}"
    assert choice(text, FRUIT).value == letter


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{" * 20_000,
        "\\boxed{" * 20_000 + "}" * 20_000,
        "<answer>" * 20_000,
        "<think>" * 20_000,
        "A B C D " * 20_000,
        "The answer is maybe. " * 8_000,
        " " * 100_000 + "\n" * 50_000,
        "therefore " * 15_000,
        "(" * 100_000,
        "答案" * 40_000,
        "final " * 30_000,
        "answer: " * 25_000,
        "not among the " * 12_000,
        "Answer: \\frac{" * 12_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_long_texts_take_linear_time(text: str) -> None:
    start = time.perf_counter()
    assert choice(text, FRUIT).value is None
    assert time.perf_counter() - start < 5.0


def test_unclosed_boxes_take_no_time() -> None:
    start = time.perf_counter()
    assert choice("\\boxed{" * 28_000, FRUIT).value is None
    assert time.perf_counter() - start < 0.5  # 0.05 s on a machine that does nothing else


def test_a_letter_is_never_guessed_from_prose() -> None:
    rng = random.Random(7)
    text = "the panel shows point A and line B near vitamin C while I read a note on plan D"
    words = text.split()
    for _ in range(300):
        prose = " ".join(rng.choices(words, k=9)) + " here"
        assert choice(prose, FRUIT).value is None, prose
