"""Answers in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.scoring.free.dates import date
from harness.scoring.free.wording import compare, wording

READ = [
    ("Oak, because the leaves are lobed.", "Oak"),
    ("Oak is the answer.", "Oak"),
    ("The answer is a dog.", "a dog"),
    ("oak", "oak"),
    ("An oak.", "An oak"),
    ("**Oak**", "Oak"),
    ("# Oak", "Oak"),
    ("- oak", "oak"),
    ('"oak"', "oak"),
    ("It is an oak.", "It is an oak"),
    ("The answer is a stop sign.", "a stop sign"),
    ("Final answer: **a stop sign**", "a stop sign"),
    ("The answer is an oak because of its leaves.", "an oak"),
    ("The answer is an oak, not an elm.", "an oak"),
    ("The answer is not an elm but an oak.", "an oak"),
    ("\\boxed{\\text{stop sign}}", "stop sign"),
    ("<answer>  stop   sign </answer>", "stop   sign"),
    ("<answer>oak or elm</answer>", "oak or elm"),
    ("<answer>oak</answer> or rather an elm", "oak"),
    ("<think>elm</think>oak", "oak"),
    ("The leaves are lobed.\n\nOak", "Oak"),
    ("Oak\n\nExplanation: the leaves are lobed.", "Oak"),
    ("The leaves are lobed. Therefore, it is an oak.", "an oak"),
    ("Answer: 3 May 2020", "3 May 2020"),
    ("Answer: none", "none"),
    ("答案是橡树。", "橡树"),
]
NOT_READ = [
    "",
    "<think>oak</think>",
    "<think>oak",
    "<answer></answer>",
    "\\boxed{}",
    "Answer:",
    "I'm sorry, I can't assist with that.",
    "I don't know.",
    "Maybe an oak.",
    "An oak?",
    "oak or elm",
    "The answer is oak or elm.",
    "The answer is not oak.",
    "The answer is unclear.",
    "The answer is a",
    "I am not sure, because it is dark.",
    "The answer is oak. Not quite: elm.",
    "Answer: [your answer here]",
    "The picture shows a large tree with lobed leaves in front of an old house by the river.",
    "It has lobed leaves. They are green. There is a house too.",
]
EQUAL = [
    *[("Hepatitis", "hepatitis"), ("New   York", "new york"), ("the oak", "oak")],
    *[("It is an oak", "oak")],
    *[('"oak"', "oak"), ("oak.", "oak"), ("Ｏａｋ", "oak"), ("stop-sign", "stop sign")],
    *[("$x$", "x")],
    *[("\\text{oak}", "oak"), ("This is a dog", "a dog"), ("I think it is an oak", "oak")],
    *[("Zoe\u0308", "Zoë")],
    *[("0.50", "0.5"), ("1/2", "0.5"), ("five", "5"), ("1,000", "1000"), ("500 m", "0.5 km")],
    *[('"12"', "12")],
    *[("May 3, 2020", "3 May 2020"), ("3rd of May 2020", "2020-05-03")],
    *[("2020年5月3日", "3 May 2020")],
    *[("H2O", "H2O"), ("H₂O", "H2O"), ("\\mathrm{H_2O}", "H2O"), ("STOP", "Stop")],
    *[("DNA", "dna"), ("Na⁺", "Na+")],
    *[("12:00", "12:00"), ("No", "no"), ("None", "none"), ("été", "Été")],
]  # fmt: skip
DIFFERENT = [
    *[("catalog", "cat"), ("1:00", "12:00"), ("h2o", "H2O"), ("Co", "CO"), ("oak", "elm")],
    *[("2020", "2019")],
    *[("3 May 2020", "3 May 2021"), ("0.9", "0.5"), ("resume", "résumé"), ("B-", "B")],
    *[("bat", "cat"), ("or", "our"), ("fier", "fire")],
    *[("x²", "x2"), ("6", "five")],
    *[("100", "101"), ("5 kg", "5 m"), ("", "oak"), ("CO2", "CO")],
]  # fmt: skip
UNDECIDED = [
    *[("a small oak", "oak"), ("oak or elm", "oak"), ("oak", "an old oak")],
    *[("not an oak", "oak"), ("oaks", "oak")],
    *[("grey", "gray"), ("colour", "color"), ("theater", "theatre"), ("realise", "realize")],
    *[("uk", "UK"), ("3.15", "3.14"), ("5 dogs", "5 cats"), ("5 dogs", "5"), ("mg", "Mg")],
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ)
def test_read(text: str, value: str) -> None:
    assert wording(text).value == value


@pytest.mark.parametrize("text", NOT_READ)
def test_not_read(text: str) -> None:
    assert wording(text).value is None


@pytest.mark.parametrize(("answer", "gold"), EQUAL)
def test_equal(answer: str, gold: str) -> None:
    assert compare(answer, gold).equal is True, compare(answer, gold)


@pytest.mark.parametrize(("answer", "gold"), DIFFERENT)
def test_different(answer: str, gold: str) -> None:
    assert compare(answer, gold).equal is False, compare(answer, gold)


@pytest.mark.parametrize(("answer", "gold"), UNDECIDED)
def test_undecided(answer: str, gold: str) -> None:
    assert compare(answer, gold).equal is None, compare(answer, gold)


@pytest.mark.parametrize(
    ("text", "day"),
    [("3 May 2020", (2020, 5, 3)), ("Sept. 1, 1999", (1999, 9, 1)), ("03/05/2020", None),
     ("3 Mai 2020", None), ("3 Junk 2020", None), ("May 2020", None)],
)  # fmt: skip
def test_dates(text: str, day: tuple[int, int, int] | None) -> None:
    assert date(text) == day


@given(st.text(max_size=60), st.text(max_size=30))
def test_any_text_is_decided_or_not_but_never_raises(text: str, gold: str) -> None:
    answer = wording(text)
    assert (answer.value is None) == (answer.span is None)
    compare(text, gold)


@given(st.text(min_size=1, max_size=40).filter(lambda text: text.strip() != ""))
def test_every_text_equals_itself(text: str) -> None:
    assert compare(text, text).equal is True


@given(
    st.text(alphabet="abcdefgh ", min_size=1, max_size=20),
    st.text(alphabet="abcdefgh ", min_size=1, max_size=20),
)
def test_both_ways_alike(a: str, b: str) -> None:
    assert compare(a, b).equal == compare(b, a).equal


@pytest.mark.unit
@pytest.mark.parametrize(
    ("answer", "gold", "equal"),
    [
        ("3 p.m.", "3:00 PM", True),
        ("3 o'clock", "3:00", True),
        ("15:00", "3 p.m.", True),
        ("12 pm", "12:00", True),
        ("12:30 am", "0:30", True),
        ("15:00", "3 a.m.", False),
        ("0:30", "12:30 pm", False),
        ("3:00 am", "3:00 PM", False),
        ("4:30", "4:35", False),
        ("13 pm", "1 pm", False),
        ("\\ce{H2O}", "H2O", True),
        ("\\$5", "$5", True),
        ("USA", "U.S.A.", None),
        ("E=mc\u00b2", "e = mc^2", None),
        ("Fe3+", "Fe2+", False),
    ],
)
def test_times_and_spellings(answer: str, gold: str, equal: bool | None) -> None:
    assert compare(answer, gold).equal is equal
