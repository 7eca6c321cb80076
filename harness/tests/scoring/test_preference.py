import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.letters.preference import preference

CORPUS = [
    ("A", "A"),
    ("b", "B"),
    ("(A)", "A"),
    ("[[B]]", "B"),
    ("My final verdict is [[B]].", "B"),
    ("Answer: A", "A"),
    ("Preference: B", "B"),
    ("Choice: A", "A"),
    ("Winner: B", "B"),
    ("Better: A", "A"),
    ("The better response is B.", "B"),
    ("I prefer B", "B"),
    ("I would prefer the response A because it is short.", "A"),
    ("Candidate A", "A"),
    ("Candidate B is better", "B"),
    ("Response A is clearly better.", "A"),
    ("Assistant B is better than Assistant A.", "B"),
    ("Image B is better.", "B"),
    ("Option A is more accurate.", "A"),
    ("A wins.", "A"),
    ("Candidate A is good, but candidate B is better.", "B"),
    ("A is better. Wait, no, B is better.", "B"),
    ('{"winner": "B", "reason": "A is wrong"}', "B"),
    ("<answer>A</answer>", "A"),
    ("<think>A</think>B", "B"),
    ("It is a red cube", None),
    ("A red cube is shown.", None),
    ("Answer: a red cube", None),
    ("Both A and B", None),
    ("A and B are equally good.", None),
    ("Response A is more detailed but response B is more accurate.", None),
    ("Neither A nor B is better.", None),
    ("tie", None),
    ("[[C]]", None),
    ("A is not better.", None),
    ("Is A better?", None),
    ("The worse response is A.", None),
    ("A: 7, B: 8", None),
    ("AB", None),
    ("", None),
]


@pytest.mark.parametrize(("reply", "value"), CORPUS)
def test_corpus(reply: str, value: str | None) -> None:
    answer = preference(reply)
    assert answer.value == value, answer
    assert (answer.span is None) == (value is None)


@given(st.text(max_size=200))
def test_any_text_gives_a_or_b_or_nothing(text: str) -> None:
    assert preference(text).value in ("A", "B", None)


@given(st.text(alphabet="acdefghilmnorstu ", max_size=60))
def test_prose_without_capitals_is_no_preference(text: str) -> None:
    if text.strip() != "a":
        assert preference(text + " of it").value is None
