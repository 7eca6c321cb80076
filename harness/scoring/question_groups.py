"""Questions that count together: the group score of Video-MME-v2, from which ones were right."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from harness.errors import DataError

Kind = Literal["relevance", "logic"]

# Steps of a logic group, each a set of questions that do not need one another; what 0 … 4
# questions up to the first fault are worth.
_FLAT = tuple(Fraction(n * n, 16) for n in range(5))
_WORTH: Mapping[str, tuple[Fraction, ...]] = MappingProxyType(
    {
        "[1,2,3,4]": _FLAT,
        "[1,[2,3],4]": tuple(Fraction(n, 12) for n in (0, 1, 4, 7, 12)),
        "[[1,2],3,4]": tuple(Fraction(n, 10) for n in (0, 1, 2, 5, 10)),
    }
)
_STEPS: Mapping[str, tuple[tuple[int, ...], ...]] = MappingProxyType(
    {
        "[1,2,3,4]": ((1,), (2,), (3,), (4,)),
        "[1,[2,3],4]": ((1,), (2, 3), (4,)),
        "[[1,2],3,4]": ((1, 2), (3,), (4,)),
    }
)
STRUCTURES = tuple(_STEPS)
N_QUESTIONS = 4
_MAX_CHARS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupScore:
    """One group: its `score` in [0, 1], exact, and the share of its questions that were right."""

    group: str
    kind: Kind
    score: Fraction
    accuracy: Fraction


def group_score(right: Sequence[bool], kind: Kind, structure: str = "") -> Fraction:
    """Score the four questions of a group together.

    relevance: (number right / 4)², so that mastering a skill counts for more than a part of it.
    logic: questions are steps of one argument, and nothing after the first wrong step counts. Two
    questions of one step do not need one another; one of them right counts as one, but the next
    step needs both.

    Parameters
    ----------
    right : four truths, in the order of the questions.
    kind : "relevance" or "logic".
    structure : one of `STRUCTURES`, for logic only.

    Returns
    -------
    Fraction
        In [0, 1]; 1 only where all are right.

    Raises
    ------
    DataError
        For another number of questions, an unknown kind or structure.

    References
    ----------
    C. Fu et al., "Video-MME-v2", arXiv 2604.05015 (2026): group-based non-linear evaluation.

    Examples
    --------
    >>> group_score([True, True, False, True], "relevance")
    Fraction(9, 16)
    >>> group_score([True, False, True, True], "logic", "[1,[2,3],4]")
    Fraction(1, 3)
    """
    if len(right) != N_QUESTIONS:
        raise DataError(f"expected {N_QUESTIONS} questions a group, found {len(right)}")
    if kind == "relevance":
        return _FLAT[sum(map(bool, right))]
    if kind != "logic" or structure not in _STEPS:
        raise DataError(
            f"expected a relevance group, or a logic group of {', '.join(STRUCTURES)}, found "
            f"{kind!r} {structure!r}"
        )
    n_right = 0
    for step in _STEPS[structure]:
        hits = sum(bool(right[number - 1]) for number in step)
        n_right += hits
        if hits < len(step):
            break
    return _WORTH[structure][n_right]


def structure_of(value: Any) -> str:
    """Write a structure as `STRUCTURES` do.

    Parameters
    ----------
    value : a list of numbers and lists of them, or a text that is one; a text is parsed as a
        literal, never run.

    Raises
    ------
    ValueError
        For anything else.

    Examples
    --------
    >>> structure_of("[1, [2, 3], 4]"), structure_of([[1, 2], 3, 4])
    ('[1,[2,3],4]', '[[1,2],3,4]')
    """
    found = value
    if isinstance(value, str):
        try:
            found = ast.literal_eval(value.strip()) if len(value) <= _MAX_CHARS else None
        except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
            raise ValueError(f"group_structure: expected a list, found {value!r:.60}") from error
    if not isinstance(found, list | tuple):
        raise ValueError(f"group_structure: expected a list, found {value!r:.60}")
    return f"[{','.join(_step(step, value) for step in found)}]"


def _step(step: Any, value: Any) -> str:
    if isinstance(step, list | tuple):
        return f"[{','.join(_step(inner, value) for inner in step)}]"
    if isinstance(step, bool) or not isinstance(step, int):
        raise ValueError(f"group_structure: expected numbers in lists, found {value!r:.60}")
    return str(step)


def score_groups(
    right: Mapping[str, bool], groups: Mapping[str, tuple[Kind, str, Sequence[str]]]
) -> tuple[GroupScore, ...]:
    """Score every group whose questions all have an outcome.

    Parameters
    ----------
    right : whether each question was answered right, by id; questions without an outcome (out of
        memory, an error) are left out.
    groups : by group its kind, structure ("" for relevance) and the ids of its four questions in
        order.

    Returns
    -------
    tuple of GroupScore
        In the order of `groups`; one with a question that has no outcome is not among them.

    Raises
    ------
    DataError
        As `group_score`; for a question that stands in two groups, or in none.

    Examples
    --------
    >>> got = {"1-1": True, "1-2": False, "1-3": False, "1-4": False}
    >>> score_groups(got, {"1": ("relevance", "", ("1-1", "1-2", "1-3", "1-4"))})[0].score
    Fraction(1, 16)
    """
    listed = [key for _, _, keys in groups.values() for key in keys]
    foreign = sorted(set(right) - set(listed))
    if len(set(listed)) < len(listed) or foreign:
        raise DataError(
            f"expected each question in one group, found {len(listed) - len(set(listed))} repeated "
            f"and {len(foreign)} in none: {', '.join(foreign[:5])}"
        )
    found = []
    for group, (kind, structure, keys) in groups.items():
        outcomes = [right[key] for key in keys if key in right]
        if len(outcomes) < len(keys):
            continue
        found.append(
            GroupScore(
                group=group,
                kind=kind,
                score=group_score(outcomes, kind, structure),
                accuracy=Fraction(sum(map(bool, outcomes)), len(outcomes)),
            )
        )
    return tuple(found)


__all__ = [
    "STRUCTURES",
    "GroupScore",
    "Kind",
    "group_score",
    "score_groups",
    "structure_of",
]
