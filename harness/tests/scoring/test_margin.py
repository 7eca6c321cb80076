"""The preference of a reward model: the sign of its margin, and what is no preference."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.scoring import grade
from harness.scoring.letters.margin import margin, scores_text

CASES = [
    ('{"score_a":1.25,"score_b":0.5}', "A", "margin"),
    (' {"score_b": 2, "score_a": -1}\n', "B", "margin"),
    ('{"score_a":0.5,"score_b":0.5}', None, "tie"),
    ('{"score_a":0.0,"score_b":-0.0}', None, "tie"),
    ('{"score_a":"nan","score_b":0.5}', None, "nan"),
    ('{"score_a":NaN,"score_b":0.5}', None, "nan"),
    ('{"score_a":"inf","score_b":"nan"}', None, "nan"),
    ('{"score_a":"inf","score_b":0.5}', None, "infinite"),
    ('{"score_a":1e999,"score_b":0.5}', None, "infinite"),
]
OTHERS = [
    "", "A", "{", "[1, 2]", '{"score_a":1.0}', '{"score_a":1,"score_b":2,"score_c":3}',
    '{"score_a":true,"score_b":0}', '{"score_a":"1","score_b":0}', '{"score_a":null,"score_b":0}',
    '{"a":1,"b":0}', 'x {"score_a":1,"score_b":0}', "{" * 3000,
    '{"score_a":1' + "0" * 400 + ',"score_b":0}',
]  # fmt: skip


@pytest.mark.parametrize("policy", ["default", "drop_unparsed", "rewardlens"])
def test_every_case_is_read_alike_by_every_policy(policy: str) -> None:
    for text, value, rule in CASES:
        found = grade("preference", text, ("x", "y"), "A", policy)
        assert (found.answer.value, found.answer.rule) == (value, rule), text
        assert found.outcome == ("review" if value is None else "answered"), text
        assert found.correct == (value == "A"), text
        assert found.counted == (policy == "default" or value is not None), text


def test_other_texts_are_not_scores() -> None:
    for text in OTHERS:
        assert margin(text) is None, text


@settings(max_examples=50, deadline=None)
@given(st.floats(), st.floats())
def test_scores_go_through_without_loss(a: float, b: float) -> None:
    found = margin(scores_text(a, b))
    assert found is not None
    if math.isfinite(a) and math.isfinite(b):
        assert found.value == ("A" if a > b else "B" if b > a else None)
    else:
        assert found.value is None
        assert found.rule == ("nan" if math.isnan(a) or math.isnan(b) else "infinite")
    other = margin(scores_text(b, a))
    assert other is not None
    assert (found.value, other.value) in (("A", "B"), ("B", "A"), (None, None))
