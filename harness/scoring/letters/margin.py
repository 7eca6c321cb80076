"""Which of two candidates a reward model prefers: the sign of the margin of its two scores."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from harness import ids
from harness.types import Answer

FIELDS = ("score_a", "score_b")


def scores_text(score_a: float, score_b: float) -> str:
    """Two scores as the text of a response: one JSON object, without loss.

    Parameters
    ----------
    score_a, score_b : of the candidates as shown; any float. What is no finite number is
        written as the text "nan", "inf" or "-inf", since JSON has no such numbers.

    Examples
    --------
    >>> scores_text(1.25, float("nan"))
    '{"score_a":1.25,"score_b":"nan"}'
    """
    found = dict(zip(FIELDS, (float(score_a), float(score_b)), strict=True))
    return ids.canonical_json({k: v if math.isfinite(v) else str(v) for k, v in found.items()})


def margin(text: str) -> Answer | None:
    """Read the preference of a reward model's response.

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    Answer or None
        None where the text is no JSON object of exactly `score_a` and `score_b`. Else its rule
        is `margin` with "A" where score_a is larger and "B" where score_b is; or, without an
        answer, `tie` for equal scores, `nan` where one is NaN, and `infinite` where one is
        infinite. Nothing is ever rounded before the comparison.

    Examples
    --------
    >>> margin(scores_text(1.25, 0.5)).value, margin(scores_text(0.5, 0.5)).rule
    ('A', 'tie')
    >>> margin("B") is None
    True
    """
    found = _scores(text)
    if found is None:
        return None
    score_a, score_b = found
    if math.isnan(score_a) or math.isnan(score_b):
        return Answer(value=None, rule="nan")
    if math.isinf(score_a) or math.isinf(score_b):
        return Answer(value=None, rule="infinite")
    if score_a == score_b:
        return Answer(value=None, rule="tie")
    start = len(text) - len(text.lstrip())
    span = (start, len(text.rstrip()))
    return Answer(value="A" if score_a > score_b else "B", rule="margin", span=span)


def _scores(text: str) -> tuple[float, float] | None:
    if not text.strip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, Mapping) or set(value) != set(FIELDS):
        return None
    a, b = (_number(value[name]) for name in FIELDS)
    return None if a is None or b is None else (a, b)


def _number(value: Any) -> float | None:
    if value in ("nan", "inf", "-inf"):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


__all__ = ["FIELDS", "margin", "scores_text"]
