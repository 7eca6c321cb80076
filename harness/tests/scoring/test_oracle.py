"""The oracle alone: what a careful person reads in a reply, and where that person would not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.scoring.oracle import oracle_answer

pytestmark = pytest.mark.unit
TOOLS = ("hammer", "saw", "drill", "file")
SAWS = ("saw", "hand saw", "jig saw and vise", "vise")
TEN = tuple(f"{n} kg" for n in range(1, 11))


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("C", "C"),
        (" (c) ", "C"),
        ("**B**", "B"),
        ("d.", "D"),
        ("- A", "A"),
        ("C. drill", "C"),
        ("B) saw", "B"),
        ("(A) hammer\n\nIt has a claw.", "A"),
        ("A. hammer\nB. saw", None),
        ("A. hammer\nB. saw\nC. drill\nD. file\n\nC", "C"),
        ("DRILL", "C"),
        ("The tool in the picture is a drill.", "C"),
        ("The tool in the picture is not a drill.", None),
        ("The tool is a saw or a drill.", None),
        ("The drill lies beside the saw.", None),
        ("The answer is B.", "B"),
        ("The answer is b.", "B"),
        ("The answer is a tool.", None),
        ("The answer is saw, since it has teeth.", "B"),
        ("The answer is saw dust.", None),
        ("Answer:\n\nD", "D"),
        ("## Final answer\n**D**", "D"),
        ("I would go with C.", "C"),
        ("I would not choose C.", None),
        ("Therefore, it must be B.", "B"),
        ("Option D is correct.", "D"),
        ("Option D is not correct.", None),
        ("A and D are both correct.", None),
        ("The answer is B, D.", None),
        ("The answer is B, D is far too long.", "B"),
        ("The answer is D, not A.", "D"),
        ("The answer is not A but D.", "D"),
        ("The answer is not A.", None),
        ("The answer cannot be A.", None),
        ("I don't think the answer is A.", None),
        ("The wrong answer is A.", None),
        ("Is the answer A?", None),
        ("The answer is B?", None),
        ("When it is wet, the answer is B.", None),
        ("If it has teeth, the answer is B.", None),
        ("The answer might be B.", None),
        ("My friend said the answer is B.", None),
        ("The answer is B. Wait, it has a bit.", None),
        ("The answer is B. Wait, it has a bit. The answer is C.", "C"),
        ("The answer is B. No other tool has teeth.", "B"),
        ("The answer is B. B is wrong.", None),
        ("The answer is (B) drill.", None),
        ("The answer is (C) drill.", "C"),
        ("The answer is F.", None),
        ("First I took \\boxed{A}. Now \\boxed{C}", "C"),
        ("\\boxed{A} or \\boxed{C}", None),
        ("\\boxed{\\textbf{(C)}}", "C"),
        ("\\boxed{drill}", "C"),
        ("\\boxed{BC}", None),
        ("The answer is not \\boxed{A}.", None),
        ("<answer>B</answer> The answer is C.", "B"),
        ("The answer is C. <answer>none of them</answer>", None),
        ("<answer>A</answer><answer>D</answer>", "D"),
        ("<answer>D", "D"),
        ("<answer>D is what I", None),
        ("<think>The answer is A.</think>", None),
        ("<think>The answer is A.", None),
        ("It is A.</think>The answer is B.", "B"),
        ("A tool.", None),
        ("E. coli", None),
        ("C is the speed of light.", None),
        ("See panel B", None),
        ("\u7b54\u6848\uff1a\uff23", "C"),
        ("\u7b54\u6848\u4e0d\u662fC\u3002", None),
        ("\u7b54\u6848\u662fB\u8fd8\u662fC\uff1f", None),
        ("\u6b63\u89e3\u306fD\u3067\u3059\u3002", "D"),
        ("R\u00e9ponse : B", "B"),
        ("Die richtige Antwort ist C.", "C"),
        ("", None),
        ("\x00\ud800\u202e", None),
    ],
)
def test_letters(reply: str, letter: str | None) -> None:
    assert oracle_answer("choice", reply, TOOLS) == letter


@pytest.mark.parametrize(
    ("reply", "choices", "letter"),
    [
        ("hand saw", SAWS, "B"),
        ("The answer is jig saw and vise.", SAWS, "C"),
        ("The answer is saw and vise.", SAWS, None),
        ("The answer is saw and vise.", ("saw", "saw and vise"), "B"),
        ("twin", ("twin", "twin"), None),
        ("B. twin", ("twin", "twin"), "B"),
        ("Answer: I", TEN, "I"),
        ("I cannot say.", TEN, None),
        ("10 kg", TEN, "J"),
        ("The answer is 1.5", ("1", "5"), None),
        ("Answer: (B) -2", ("2", "-2"), "B"),
        ("B", (), None),
        ("B", ("only",), None),
        ("Z", tuple(map(str, range(30))), None),
    ],
)
def test_letters_of_other_choices(reply: str, choices: tuple[str, ...], letter: str | None) -> None:
    assert oracle_answer("choice", reply, choices) == letter


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        ("Yes", "yes"),
        ("no.", "no"),
        ("**Yes**, two of them.", "yes"),
        ("No, the shelf is empty.", "no"),
        ("The answer is no.", "no"),
        ("The answer is not no.", None),
        ("\\boxed{Yes}", "yes"),
        ("<answer>No</answer>", "no"),
        ("Yes and no.", None),
        ("Yes. On the other hand: no.", None),
        ("Yes?", None),
        ("No idea.", None),
        ("Nobody is there.", None),
        ("Yes, there is no lamp.", None),
        ("\u662f\u7684\uff0c\u6709\u4e00\u53ea\u3002", "yes"),
        ("\u6ca1\u6709\u3002", "no"),
        ("\u7b54\u6848\u662f\uff1a\u5426", "no"),
        ("A lamp stands there.", None),
    ],
)
def test_yes_and_no(reply: str, word: str | None) -> None:
    assert oracle_answer("yesno", reply, ()) == word


def test_other_kinds_are_not_judged() -> None:
    assert oracle_answer("number", "42", ()) is None


PIECES = st.sampled_from(
    [
        *(
            "The answer is ",
            "B",
            "A",
            "saw",
            " not ",
            "Yes",
            "No",
            ", ",
            " or ",
            ".",
            "?",
            "\n",
            "(",
        ),
        *(")", "\\boxed{", "}", "<answer>", "</answer>", "<think>", "</think>", "If ", "Wait, "),
        *(
            "\u7b54\u6848\u662f",
            "\u0412",
            "\x00",
            "\ud800",
            "\u202e",
            "\u200b",
            "**",
            "$",
            "1",
            " is wrong",
        ),
    ]
)
ANY = st.lists(st.one_of(PIECES, st.text(st.characters(exclude_categories=()), max_size=3)))


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(text=ANY.map("".join))
def test_any_text_has_one_of_the_answers_or_none(text: str) -> None:
    assert oracle_answer("choice", text, TOOLS) in (None, *"ABCD")
    assert oracle_answer("yesno", text, ()) in (None, "yes", "no")
    assert oracle_answer("choice", f"<think>{text}", TOOLS) is None or "</think>" in text


@pytest.mark.parametrize(
    "unit",
    ["\\boxed{", "<answer>", "<think>", "(", "the answer ", "A ", "answer is B or ", "correct ) "],
)
def test_long_replies_are_read_or_given_up(unit: str) -> None:
    assert oracle_answer("choice", unit * (100_000 // len(unit)), TOOLS) in (None, *"ABCD")
    assert oracle_answer("choice", "B" + " " * 1_000_000, TOOLS) is None
