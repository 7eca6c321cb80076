"""The oracle where a careful person hesitates: mended kinds, each with a reply that stays read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.scoring.oracle import oracle_answer

pytestmark = pytest.mark.unit
FIXTURES = Path(__file__).parents[3] / "fixtures" / "scorer"
TOOLS = ("hammer", "saw", "drill", "file")
WHOLES = ("3", "6", "9", "12")
TERMS = ("x+2", "x-2", "2-x", "-x-2")


@pytest.mark.parametrize(
    "reply",
    [
        # Texts of choices said of different things.
        "First the tool is a hammer, then it is a saw.",
        "None of the tools is a saw.",
        "He says it is a saw.",
        "I doubt it is a saw.",
        # Several questions, or all options in turn.
        "Problem 1: the answer is A.\nProblem 2: the answer is D.",
        "i) The answer is A.\nii) The answer is C.",
        "For the left tool, the answer is A. For the right tool, the answer is C.",
        "The answer is A.\nThe answer is B.\nThe answer is C.\nThe answer is D.",
        "A is correct. B is correct. C is incorrect. D is correct.",
        "A is correct, as is D.",
        "A is correct and so is D.",
        # Doubt after the statement.
        "The answer is A. That does not seem right.",
        "The answer is A. But that conflicts with the label.",
        "The answer is A. On closer inspection it has teeth.",
        "The answer is A. Not so fast, it has teeth.",
        "The answer is A. Or not.",
        "The answer is A. But A has no teeth.",
        "The answer is A, maybe.",
        "The answer is A, otherwise C.",
        "Answer: A (rejected)",
        "Answer: A - no!",
        "The answer is A. The answer cannot be A, however.",
        # Initials of names.
        "The answer is B. Franklin.",
        "The answer is C. S. Lewis.",
        "The answer is D. Turing, the mathematician.",
        # Reports, wishes, templates.
        "A hasty reader would say the answer is B.",
        "At first glance, the answer is B.",
        "We used to think that the answer is B.",
        "I hope the answer is B.",
        "Let's pretend the answer is B.",
        "In order for the answer to be B, it needs teeth.",
        "The opposite of the answer is B.",
        "Example: Answer: B",
        "e.g. Answer: B",
        "It should look like this: Answer: B",
        'Output format: {"answer": "B"}',
        # A letter that ends the sentence of the line before it, or starts the next one.
        "The answer is definitely not\nB",
        "All except\nC",
        "Rejected:\nC",
        "turn to page\nB",
        "the points A and\nB",
        "Is it\nB",
        "Kind regards\nA",
        "Either (A) or\n(B)",
        "<answer>E",
        "A\nman stands there.",
        # The mark of the answering speaker.
        "A:",
        "A: I see a tool in the picture.",
        "Answer A:",
        # A later answer that is no option, or another one.
        "Answer: A\n\nFinal answer: unknown",
        "Answer: A\n\nFinal answer: not sure",
        "\\boxed{A}\n\n\\boxed{12}",
        "\\boxed{A}\n\\boxed{and C}",
        "The answer is A.\n\nIt's B.",
        "The answer is A.\n\nIt is a drill.",
        "The answer is A.\n\nDefinitely C.",
        "The answer is A.\n\nSo it is C.\n",
        # More than one option.
        "The answer is hammer, or perhaps saw.",
        "The answer is a hammer and chisel.",
        "The answer is A but B.",
        "B is the correct answer and C.",
        "The answer is A, respectively C.",
        # Signs that belong to the letter.
        "Answer: \u00aa",
        "A*",
        "B'",
        "Answer: ~B",
        "Answer: A,5",
        # Chinese.
        "\u4e0d\u5e94\u8be5\u9009C\u3002",
        "\u6709\u540c\u5b66\u9009C\u3002",
        "\u82e5\u56fe\u4e3a\u771f\uff0c\u5219\u9009C\u3002",
        "\u8bf7\u9009\u62e9\uff1aA. \u732b B. \u72d7",
    ],
)
def test_no_letter_is_read(reply: str) -> None:
    assert oracle_answer("choice", reply, TOOLS) is None


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("The answer is B. However, a hammer lies beside it.", "B"),
        ("The answer is B. Let me verify this: it has teeth.", "B"),
        ("The answer is A. Wait, it has teeth. The answer is B.", "B"),
        ("In the picture, the answer is B.", "B"),
        ("The answer is B. Therefore, no other tool fits.", "B"),
        ("It has teeth.\n\nB", "B"),
        ("B\nbecause it has teeth", "B"),
        ("Answer: A\n\nFinal answer: C", "C"),
        ("The correct answer is B. saw.\n\nA. hammer is incorrect.\nC. drill is incorrect.", "B"),
        ("The answer is B.\n\nOption D is incorrect because it is a file.", "B"),
        ("B\n\nA is wrong because it is a hammer.", "B"),
        ("Answer: C</s>", "C"),
        ("C<|im_end|>", "C"),
        ("The answer is B.\n\nQuestion: What lies beside it?\nAnswer: The answer is C.", "B"),
        ("Question: What is it?\nAnswer: B", "B"),
        ("\u4e0d\u9009B\uff0c\u9009C\u3002", "C"),
    ],
)
def test_a_letter_is_still_read(reply: str, letter: str) -> None:
    assert oracle_answer("choice", reply, TOOLS) == letter


@pytest.mark.parametrize(
    "tail", ["A is a hammer.", "Option A is a hammer.", "The tool is a hammer."]
)
@pytest.mark.parametrize("lead", ["B. ", "B: ", "B - ", "**B**. ", "(B) ", "Option B. ", "b. "])
def test_a_leading_label_is_never_overruled_by_a_text(lead: str, tail: str) -> None:
    assert oracle_answer("choice", lead + tail, TOOLS) in ("B", None)


@pytest.mark.parametrize(
    ("reply", "choices", "letter"),
    [
        ("The answer is 3!.", WHOLES, None),
        ("The answer is 3:6.", WHOLES, None),
        ("The answer is 3/4.", WHOLES, None),
        ("The answer is 3, 6", WHOLES, None),
        ("The answer is 12 - 3.", WHOLES, None),
        ("The answer is 3(x+1).", WHOLES, None),
        ("The answer is option 3.", ("3", "2", "1"), None),
        ("The answer is 3, since 3 is odd.", WHOLES, "A"),
        ("The answer is (x-2)(x+2).", TERMS, None),
        ("\\boxed{-(x-2)}", TERMS, None),
        ("The answer is -x-2.", TERMS, "D"),
        ("The answer is A (9).", WHOLES, None),
        ("The answer is A (3).", WHOLES, "A"),
    ],
)
def test_the_text_of_a_choice_is_read_whole(
    reply: str, choices: tuple[str, ...], letter: str | None
) -> None:
    assert oracle_answer("choice", reply, choices) == letter


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        ("Yes, I understand the question.", None),
        ("Yes, please upload the picture.", None),
        ("No, I cannot see the image.", None),
        ("No, I can't answer that.", None),
        ("Ja, bitte laden Sie das Bild hoch.", None),
        ("Is the answer\nyes", None),
        ("The button says:\nYes", None),
        ("The opposite of\nno", None),
        ("Yes, or maybe no.", None),
        ("No, hold on, let me look again.", None),
        ("Yes (wrong)", None),
        ("The answer is yes. That does not seem right.", None),
        ("The answer is yes. Or no.", None),
        ("The answer is yes for the cat and no for the dog.", None),
        ("The answer is yes.\n\nTherefore, no.", None),
        ("The answer is no.\n\nThe lamp is on. So: yes.", None),
        ("The answer is yes.\n\nFinal answer: unknown", None),
        ("Yes! magazine lies there.", None),
        ("Yes\n\nQuestion: Is there a lamp?\nAnswer: No", "yes"),
        ("Yes, I can see a dog.", "yes"),
        ("No, I cannot see a dog.", "no"),
        ("Yes, please see the dog in the corner.", "yes"),
        ("The answer is no, not yes.", "no"),
        ("No\nNo", "no"),
        ("\u4e0d\u662f", "no"),
    ],
)
def test_yes_and_no_in_doubt(reply: str, word: str | None) -> None:
    assert oracle_answer("yesno", reply, ()) == word


@pytest.mark.parametrize("name", ["adversary", "choice", "yesno"])
def test_no_wrong_value_in_the_corpus(name: str) -> None:
    lines = (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    read = [oracle_answer(c["kind"], c["response"], tuple(c.get("choices") or ())) for c in cases]
    wrong = [
        (case["id"], value)
        for case, value in zip(cases, read, strict=True)
        if value is not None and value != case["answer"]
    ]
    assert wrong == []
    assert sum(value is not None for value in read) > 0.25 * len(cases)
