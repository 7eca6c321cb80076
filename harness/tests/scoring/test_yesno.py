import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring import extract

CORPUS = [
    ("Yes", "yes"),
    ("no.", "no"),
    ("**No**", "no"),
    ("Yes, a cat sits there.", "yes"),
    ("No, there isn't a cat.", "no"),
    ("No there is none.", "no"),
    ("No parking sign is to be seen.", None),
    ("Yesterday it was there.", None),
    ("Nothing is there.", None),
    ("I am not sure.", None),
    ("maybe", None),
    ("Yes and no.", None),
    ("Yes or no?", None),
    ("Yes?", None),
    ("Yes. On another look: no.", None),
    ("No. Looking again, yes. Final answer: yes", "yes"),
    ("Answer: no\n\nNote: yes, a shadow is there.", "no"),
    ("The answer is no, not yes.", "no"),
    ("The answer is not yes.", None),
    ("<answer>No</answer> Yes, really.", "no"),
    ("Yes. <answer>unsure</answer>", None),
    ("\\boxed{\\text{Yes}}", "yes"),
    ("<think>Yes.</think>No", "no"),
    ("<think>Yes.", None),
    ("There is a dog.\n\nYes", "yes"),
    ("Yes, the sign says 'No entry'.", "yes"),
    ("是的", "yes"),
    ("否", "no"),
    ("A dog lies on a mat.", None),
    ("", None),
]


@pytest.mark.parametrize(("response", "value"), CORPUS)
def test_corpus(response: str, value: str | None) -> None:
    answer = extract("yesno", response)
    assert answer.value == value, answer


@given(st.text(alphabet="abcdefghijklm .,!?\n", max_size=80))
def test_text_without_either_word_is_never_an_answer(text: str) -> None:
    if "ja" not in text:
        assert extract("yesno", text).value is None
