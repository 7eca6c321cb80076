"""The words of a question and its candidates, which follow from the query alone."""

from __future__ import annotations

import re
from dataclasses import fields
from itertools import permutations

from harness.errors import DataError
from harness.scenes.palette import COLORS, MATERIALS, SIZES
from harness.scenes.triplet import Query

# Where there are two, the second is the published wording.
QUESTIONS: dict[str, tuple[str, ...]] = {
    "count": ("How many {color} objects are there?",),
    "attribute": ("What color is the {shape}?",),
    "presence": ("Is there a {color} {shape}?",),
    "spatial": (
        "In the image, is the {first} left of the {second}?",
        "Is the {first} left of the {second}?",
    ),
    "material": ("What material is the {color} {shape}?",),
    "size": ("What size is the {color} {shape}?",),
    "occlusion": ("In the image, which is in front, the {first} or the {second}?",),
}
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_YES_NO = ("yes", "no")
_ANSWERS: dict[str, tuple[str, ...]] = {
    "attribute": tuple(COLORS),
    "presence": _YES_NO,
    "spatial": _YES_NO,
    "material": MATERIALS,
    "size": tuple(SIZES),
}


def question_of(query: Query, *, published: bool = False) -> str:
    """The question that asks a query; `published` in the wording of the published study.

    Raises
    ------
    DataError
        For an unknown factor, and a query that lacks what its question names or holds more.

    Examples
    --------
    >>> question_of(Query(factor="presence", color="red", shape="cube"))
    'Is there a red cube?'
    """
    return questions(query)[-1 if published else 0]


def questions(query: Query) -> tuple[str, ...]:
    """Every wording in which a query may be asked; raises as `question_of`."""
    if query.factor not in QUESTIONS:
        raise DataError(f"factor: expected one of {', '.join(QUESTIONS)}, found {query.factor!r}")
    parts = {
        field.name: value if isinstance(value, str) else " ".join(value)
        for field in fields(Query)
        if field.name != "factor" and (value := getattr(query, field.name)) is not None
    }
    templates = QUESTIONS[query.factor]
    wanted = [field.name for field in fields(Query) if f"{{{field.name}}}" in templates[0]]
    if list(parts) != wanted:
        raise DataError(f"{query.factor}: expected a query of {wanted}, found {list(parts)}")
    return tuple(template.format(**parts) for template in templates)


def answers_fault(query: Query, candidates: tuple[str, str]) -> str | None:
    """Why two texts are not the candidates of a query, letter by letter; None where they are.

    Numbers are written in the digits 0 to 9, without a sign or a leading zero.

    Examples
    --------
    >>> answers_fault(Query(factor="count", color="red"), ("1", "2")) is None
    True
    >>> answers_fault(Query(factor="count", color="red"), ("one", "2"))
    "expected two different numbers in digits, found ('one', '2')"
    """
    if query.factor == "count":
        known, what = all(map(_NUMBER.fullmatch, candidates)), "two different numbers in digits"
    else:
        texts = _ANSWERS.get(query.factor) or tuple(
            " ".join(phrase) for phrase in (query.first, query.second) if phrase is not None
        )
        known, what = candidates in set(permutations(texts, 2)), f"two of {', '.join(texts)}"
    if known and candidates[0] != candidates[1]:
        return None
    return f"expected {what}, found {candidates}"


__all__ = ["QUESTIONS", "answers_fault", "question_of", "questions"]
