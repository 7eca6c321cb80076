import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.letters.yesno import yesno

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
    ("Yes. On another look: no.", "no"),
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
    ("Yes, but actually no.", None),
    ("Yes... wait, no.", "no"),
    ("No, wait. Yes.", "yes"),
    ("yes, no", None),
    ("Not yes", None),
    ("Yes, there is no dog.", None),
    ("Yes, there is no doubt about it.", "yes"),
    ("Yes, but I am not sure.", None),
    ("Yes, if it rains.", None),
    ("Yes, I can help with that! Please upload the image.", None),
    ("Probably yes.", "yes"),
    ("Maybe yes.", None),
    ("Is there a dog? Yes.", "yes"),
    ("Yes/No: No", "no"),
    ("No. 5 is written on the door.", None),
    ("no.txt", None),
    ("No one is there.", None),
    ("Absolutely not.", "no"),
    ("There is no dog in the image.", None),
    ("He said: yes.", None),
    ("I deny that the answer is yes.", None),
    ('{"answer": true}', "yes"),
    ("是否", None),
    ("是不是", None),
    ("有没有", None),
    ("有可能", None),
    ("不一定", None),
    ("不是", "no"),
    ("没有。", "no"),
    ("错", "no"),
    ("正确", "yes"),
    ("有，图中有一只狗。", "yes"),
    ("没有人知道", None),
    ("Sí", "yes"),
    ("いいえ、ありません。", "no"),
    ("نعم", "yes"),
]


@pytest.mark.parametrize(("response", "value"), CORPUS)
def test_corpus(response: str, value: str | None) -> None:
    answer = yesno(response)
    assert answer.value == value, answer


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=200))
def test_any_text_gives_yes_or_no_or_nothing(text: str) -> None:
    answer = yesno(text)
    assert answer.value in ("yes", "no", None)
    assert (answer.span is None) == (answer.value is None)


@given(st.text(alphabet="abcdefghijklm .,!?\n", max_size=80))
def test_text_without_either_word_is_never_an_answer(text: str) -> None:
    if "ja" not in text:
        assert yesno(text).value is None
