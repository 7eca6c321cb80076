"""Properties of the scorer on replies that nobody wrote: any text, and texts built of cues.

The unit run draws a few fixed ones; `-m reference` draws many more, new ones each time.
"""

from __future__ import annotations

import string
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.scoring import extract, grade
from harness.scoring.policies import POLICIES

KINDS = ("choice", "yesno", "number", "expression", "text", "preference")
GOLDS = {
    "choice": ("A", "D"),
    "yesno": ("yes", "no"),
    "number": ("12", "0", "1/2", "-3.5 cm", "1,250"),
    "expression": ("x+1", "2\\pi", "\\frac{1}{2}"),
    "text": ("a blue kite", "Oslo"),
    "preference": ("A", "B"),
}
POOLS = (
    ("lamp", "desk lamp", "clock", "none of these"),
    ("3", "30", "3.5", "-3"),
    ("A", "C", "B", "D"),
    ("a green door", "A red door", "door", "I see no door"),
    tuple(f"shelf {n}" for n in range(1, 11)),
)
CUES = (
    *("The answer is ", "Answer: ", "**Answer:** ", "Final answer: ", "The correct option is ", ""),
    *("It is not ", "I would choose ", "If it were ", "Is it ", "The answer is not ", "\\boxed{"),
    *("<answer>", "<think>", "\u7b54\u6848\u662f", "Some say the answer is ", "Option "),
)
PARTS = (
    *(
        "A",
        "B",
        "(C)",
        "d",
        "E",
        "I",
        "a",
        "12",
        "1/2",
        "-3.5 cm",
        "1e3",
        "5 %",
        "x^2+1",
        "\\frac12",
    ),
    *(
        "yes",
        "No",
        "maybe",
        "lamp",
        "a red door",
        "desk lamp",
        "shelf 7",
        "\\text{B}",
        "A or B",
        "AB",
    ),
    *(
        "\u662f",
        "\u0412",
        "\uff22",
        "none of these",
        "$B$",
        "\\pi",
        "[1, 2]",
        "3 \u00b1 1",
        "nothing",
    ),
)
TAILS = (
    *(
        ".",
        "\n",
        "?",
        "!",
        "}",
        "</answer>",
        "</think>",
        " because it is so.",
        " or ",
        " and ",
        ", ",
    ),
    *(
        " is wrong.",
        "\n\nWait, that is wrong.\n",
        " ",
        "\u200b",
        "\x00",
        "\ud800",
        "\u202e",
        "**",
        "$",
    ),
)
chunks = st.one_of(
    st.tuples(st.sampled_from(CUES), st.sampled_from(PARTS), st.sampled_from(TAILS)).map("".join),
    st.sampled_from((*CUES, *PARTS, *TAILS)),
)
replies = st.lists(chunks, max_size=6).map("".join)
anything = st.text(st.characters(exclude_categories=()), max_size=80)
texts = st.one_of(replies, anything, st.tuples(replies, anything).map("".join))
plain = st.text(st.sampled_from(string.ascii_letters + " .,:*\n$\u7b54"), max_size=40)
CUED = ("answer", "boxed", "<", "think", "\u7b54\u6848", "{", "}", "is", "it", "option", "choose")


def draw_choices(kind: str, data: st.DataObject) -> tuple[str, ...]:
    return data.draw(st.sampled_from(POOLS), "choices") if kind == "choice" else ()


def has_an_answer_or_a_reason(kind: str, data: st.DataObject) -> None:
    text, choices = data.draw(texts, "text"), draw_choices(kind, data)
    answer = extract(kind, text, choices)
    assert answer == extract(kind, text, choices)
    assert answer.rule
    match kind:
        case "choice":
            assert answer.value in (None, *string.ascii_uppercase[: len(choices)])
        case "yesno":
            assert answer.value in (None, "yes", "no")
        case "preference":
            assert answer.value in (None, "A", "B")
        case _:
            assert answer.value is None or answer.value.strip()
    if answer.value is not None:
        assert answer.span is not None
        start, end = answer.span
        assert 0 <= start < end <= len(text)


def has_a_score_by_every_policy(kind: str, data: st.DataObject) -> None:
    text, choices = data.draw(texts, "text"), draw_choices(kind, data)
    gold = data.draw(st.sampled_from(GOLDS[kind]), "gold")
    known = [name for name in POLICIES if name != "protocol" or kind in ("choice", "yesno")]
    policy = data.draw(st.sampled_from(known), "policy")
    score = grade(kind, text, choices, gold, policy)
    assert score == grade(kind, text, choices, gold, policy)
    assert score.outcome in ("answered", "review", "refused", "truncated")
    assert not score.correct or score.outcome == "answered"
    if policy == "default" and score.outcome == "answered":
        assert score.answer.value is not None


def reads_its_own_value_back(kind: str, data: st.DataObject) -> None:
    """In words, only values that hold no cue of their own are read back as they stand."""
    text, choices = data.draw(texts, "text"), draw_choices(kind, data)
    value = extract(kind, text, choices).value
    if value is None or (kind == "choice" and value.lower() in map(str.lower, choices)):
        return
    if kind in ("expression", "text") and any(cue in value.lower() for cue in CUED):
        return
    for form in ("{}", "<answer>{}</answer>", "\\boxed{{{}}}"):
        assert extract(kind, form.format(value), choices).value == value, form


def reads_only_the_last_block(kind: str, data: st.DataObject) -> None:
    inner = data.draw(replies.filter(lambda reply: "<" not in reply), "inner")
    before, after = data.draw(plain, "before"), data.draw(plain, "after")
    choices = draw_choices(kind, data)
    block = f"<answer>{inner}</answer>"
    alone = extract(kind, block, choices)
    shown = extract(kind, before + block + after, choices)
    assert (shown.value, shown.rule) == (alone.value, alone.rule)


def reads_no_thinking(kind: str, data: st.DataObject) -> None:
    hidden = data.draw(replies.filter(lambda reply: "<" not in reply), "hidden")
    said = data.draw(replies.filter(lambda reply: "think" not in reply), "said")
    choices = draw_choices(kind, data)
    aloud = extract(kind, f"\n{said}", choices)
    assert extract(kind, f"<think>{hidden}</think>\n{said}", choices).value == aloud.value
    assert extract(kind, f"<think>{hidden}", choices).value is None


def reads_in_any_order(kind: str, data: st.DataObject) -> None:
    some, choices = data.draw(st.lists(texts, max_size=5), "texts"), draw_choices(kind, data)
    there = {text: extract(kind, text, choices) for text in some}
    for text in data.draw(st.permutations(some), "order"):
        assert extract(kind, text, choices) == there[text]


def reads_no_other_letter_among_more_options(kind: str, data: st.DataObject) -> None:
    text, choices = data.draw(texts, "text"), draw_choices("choice", data)
    fewer = extract("choice", text, choices).value
    more = extract("choice", text, (*choices, "quartz", "basalt")).value
    assert fewer is None or more in (fewer, None)


PROPERTIES = (
    *(has_an_answer_or_a_reason, has_a_score_by_every_policy, reads_its_own_value_back),
    *(reads_only_the_last_block, reads_no_thinking, reads_in_any_order),
)
Property = Callable[[str, st.DataObject], None]
every = pytest.mark.parametrize(
    ("kind", "holds"),
    [
        *((kind, holds) for holds in PROPERTIES for kind in KINDS),
        ("choice", reads_no_other_letter_among_more_options),
    ],
)


@pytest.mark.unit
@every
@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_property(kind: str, holds: Property, data: st.DataObject) -> None:
    holds(kind, data)


@pytest.mark.fuzz
@every
@settings(max_examples=3_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_property_at_length(kind: str, holds: Property, data: st.DataObject) -> None:
    holds(kind, data)
